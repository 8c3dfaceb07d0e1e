//! Images of at most 256 colours, a third of the size of full colour. A figure has few colours, and hundreds
//! of blends of them at its edges; the rarest blends become the nearest one that is kept. The figure's own
//! colours are all kept, however rare: a mark of a few pixels must not turn grey.

use std::cmp::Reverse;
use std::collections::BTreeMap;

/// As many colours as an image may have.
pub(super) const COLORS: usize = 256;

/// Red, green and blue in one number, which compares faster than three.
type Rgb = u32;

/// An image as places in a palette.
pub(super) struct Indexed {
    colors: Vec<Rgb>,
    pub(super) pixels: Vec<u8>,
}

impl Indexed {
    /// Reduces opaque pixels of four bytes to at most `most` colours, its own before all others.
    pub(super) fn new(rgba: &[u8], own: &[Rgb], most: usize) -> Self {
        let pixels = rgba.chunks_exact(4).map(|pixel| u32::from_be_bytes([0, pixel[0], pixel[1], pixel[2]]));
        let pixels: Vec<Rgb> = pixels.collect();
        // Most of a figure is paper: neighbours that share a colour are counted and written at once.
        let runs = || pixels.chunk_by(|one, next| one == next);
        let mut counts: BTreeMap<Rgb, usize> = BTreeMap::new();
        runs().for_each(|run| *counts.entry(run[0]).or_default() += run.len());
        let colors = kept(&counts, own, most.min(COLORS));
        let places: BTreeMap<Rgb, u8> =
            counts.keys().map(|color| (*color, nearest(&colors, *color))).collect();
        let mut indexed = Vec::with_capacity(pixels.len());
        runs().for_each(|run| indexed.resize(indexed.len() + run.len(), places[&run[0]]));
        Self { colors, pixels: indexed }
    }

    /// Red, green, blue of every colour.
    pub(super) fn palette(&self) -> Vec<u8> {
        self.colors.iter().flat_map(|color| color.to_be_bytes().into_iter().skip(1)).collect()
    }
}

/// The colours that a drawing names, each once: `#rgb` or `#rrggbb`, as its markup has them.
pub(super) fn named(svg: &str) -> Vec<Rgb> {
    let color = |rest: &str| {
        let digits: String = rest.chars().take_while(char::is_ascii_hexdigit).collect();
        let long = match digits.len() {
            3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
            _ => digits,
        };
        (long.len() == 6).then(|| Rgb::from_str_radix(&long, 16).ok()).flatten()
    };
    let mut colors: Vec<Rgb> = svg.split("=\"#").skip(1).filter_map(color).collect();
    colors.sort_unstable();
    colors.dedup();
    colors
}

/// The figure's own colours as far as they are seen, then the most frequent others, ties by value.
fn kept(counts: &BTreeMap<Rgb, usize>, own: &[Rgb], most: usize) -> Vec<Rgb> {
    let mut colors: Vec<Rgb> = counts.keys().copied().collect();
    colors.sort_by_key(|color| (!own.contains(color), Reverse(counts[color]), *color));
    colors.truncate(most);
    colors
}

fn nearest(colors: &[Rgb], color: Rgb) -> u8 {
    let away = |other: Rgb| -> u32 {
        let parts = other.to_be_bytes().into_iter().zip(color.to_be_bytes());
        parts.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    let place =
        colors.iter().enumerate().min_by_key(|(_, other)| away(**other)).map_or(0, |(place, _)| place);
    u8::try_from(place).expect("a palette has at most 256 colours")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rare_colour_of_the_figure_is_kept_and_a_blend_becomes_the_nearest() {
        let own = named("<path fill=\"#fff\"/><path stroke=\"#d55e00\"/><use href=\"#r12\"/>");
        assert_eq!(own, [0x00d5_5e00, 0x00ff_ffff]);
        let pixel =
            |color: Rgb| [color.to_be_bytes()[1], color.to_be_bytes()[2], color.to_be_bytes()[3], 255];
        let many = |color: Rgb, count: usize| pixel(color).repeat(count);
        let rgba = [many(0x00ff_ffff, 50), many(0x0080_8080, 20), many(0x00d5_5e00, 1), many(0x00f0_f0f0, 2)]
            .concat();
        let image = Indexed::new(&rgba, &own, 3);
        assert_eq!(image.palette(), [255, 255, 255, 0xd5, 0x5e, 0, 0x80, 0x80, 0x80]);
        assert_eq!((image.pixels[70], image.pixels[71]), (1, 0), "the mark keeps its colour");
    }
}
