//! Images of at most 256 colours, a third of the size of full colour. A figure has few colours, and hundreds of blends of them at
//! its edges; the rarest blends become the nearest one that is kept.

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
    /// Reduces opaque pixels of four bytes to at most so many colours.
    pub(super) fn new(rgba: &[u8], most: usize) -> Self {
        let runs = runs(rgba);
        let counts = counts(&runs);
        let colors = frequent(&counts, most.min(COLORS));
        let places: Vec<u8> = counts.iter().map(|(color, _)| nearest(&colors, *color)).collect();
        let mut pixels = Vec::with_capacity(rgba.len() / 4);
        for (color, length) in runs {
            let known = counts.partition_point(|(known, _)| *known < color);
            pixels.resize(pixels.len() + length, places[known]);
        }
        Self { colors, pixels }
    }

    /// Red, green, blue of every colour.
    pub(super) fn palette(&self) -> Vec<u8> {
        self.colors.iter().flat_map(|color| color.to_be_bytes().into_iter().skip(1)).collect()
    }
}

/// Colours with the number of neighbours that share them: most of a figure is paper.
fn runs(rgba: &[u8]) -> Vec<(Rgb, usize)> {
    let mut runs: Vec<(Rgb, usize)> = Vec::new();
    for pixel in rgba.chunks_exact(4) {
        let color = u32::from_be_bytes([0, pixel[0], pixel[1], pixel[2]]);
        match runs.last_mut() {
            Some((last, length)) if *last == color => *length += 1,
            _ => runs.push((color, 1)),
        }
    }
    runs
}

/// Every colour once, by rising value, with the number of its pixels.
fn counts(runs: &[(Rgb, usize)]) -> Vec<(Rgb, usize)> {
    let mut sorted = runs.to_vec();
    sorted.sort_unstable();
    let mut counts: Vec<(Rgb, usize)> = Vec::new();
    for (color, length) in sorted {
        match counts.last_mut() {
            Some((last, count)) if *last == color => *count += length,
            _ => counts.push((color, length)),
        }
    }
    counts
}

/// The most frequent colours, ties by value.
fn frequent(counts: &[(Rgb, usize)], most: usize) -> Vec<Rgb> {
    let mut colors = counts.to_vec();
    colors.sort_by_key(|(color, count)| (std::cmp::Reverse(*count), *color));
    colors.into_iter().take(most).map(|(color, _)| color).collect()
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
