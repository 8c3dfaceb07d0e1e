//! A finished figure: its SVG, and the PNG that is rendered from it. Both carry the identities of the
//! experiments behind it.

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use super::palette::{Indexed, named};
use super::scene::{Scene, TextBox, units};
use super::{Figure, FigureError};

/// Colours of the PNG. A figure has about ten, and many more blends of them at its edges, of which nobody
/// tells more than a few apart.
const COLORS: usize = 32;

/// Pixels of the PNG to a pixel of the SVG.
const SCALE: f64 = 1.1;

/// Digits of a hash in the SVG: enough to tell all records apart. The PNG and `catalogue.parquet` have the
/// whole ones.
const DIGITS: usize = 16;

/// The namespace of the element that names a source.
const NAMESPACE: &str = "urn:retile:figure";

/// A drawn figure.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The figure as SVG.
    pub svg: String,
    figure: Figure,
    size: (f64, f64),
    // The layout's own account of its text, which the tests hold against the edges of the figure and against
    // itself.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by tests"))]
    pub(super) texts: Vec<TextBox>,
}

impl Drawing {
    /// Completes what was drawn to a document of this size.
    pub(super) fn new(figure: &Figure, scene: Scene, size: (f64, f64)) -> Self {
        let svg = document(figure, size, &scene);
        Self { svg, figure: figure.clone(), size, texts: scene.boxes }
    }

    /// Width and height in pixels of the SVG.
    pub fn size(&self) -> (f64, f64) {
        self.size
    }

    /// The figure as PNG, 1.1 times the size.
    pub fn png(&self) -> Result<Vec<u8>, FigureError> {
        let tree = Tree::from_str(&self.svg, &Options::default()).map_err(|error| self.failed(&error))?;
        let (width, height) = ((self.size.0 * SCALE).round() as u32, (self.size.1 * SCALE).round() as u32);
        let mut pixels = Pixmap::new(width, height).ok_or_else(|| self.failed(&"the image has no area"))?;
        pixels.fill(Color::WHITE);
        let scale = SCALE as f32;
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
        let image = Indexed::new(pixels.data(), &named(&self.svg), COLORS);
        self.encode(&image, (width, height)).map_err(|error| self.failed(&error))
    }

    fn encode(&self, image: &Indexed, (width, height): (u32, u32)) -> Result<Vec<u8>, png::EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(image.palette());
        encoder.set_filter(png::Filter::NoFilter);
        // Places in a palette have no gradients for a filter to find. The pictures are kept in git, so every
        // tenth of their size counts.
        encoder.set_deflate_compression(png::DeflateCompression::Level(9));
        encoder.add_itxt_chunk("Title".to_owned(), self.figure.title.clone())?;
        encoder.add_itxt_chunk("Description".to_owned(), self.figure.description.clone())?;
        encoder.add_ztxt_chunk("Source".to_owned(), self.sources())?;
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&image.pixels)?;
        writer.finish()?;
        Ok(bytes)
    }

    /// One line for each experiment: its name, and the first digits of its identity and of the digest of its
    /// records.
    fn sources(&self) -> String {
        let line = |[experiment, identity, digest]: [String; 3]| {
            format!("{experiment} identity={identity} digest={digest}")
        };
        sources(&self.figure).map(line).collect::<Vec<_>>().join("\n")
    }

    fn failed(&self, reason: &impl ToString) -> FigureError {
        FigureError::Image(self.figure.id.clone(), reason.to_string())
    }
}

fn document(figure: &Figure, (width, height): (f64, f64), scene: &Scene) -> String {
    let (inner_width, inner_height) = (units(width), units(height));
    let [id, title, description] = [&figure.id, &figure.title, &figure.description].map(|text| escape(text));
    let source = |source: [String; 3]| {
        let [experiment, identity, digest] = source.map(|text| escape(&text));
        format!("<retile:source experiment=\"{experiment}\" identity=\"{identity}\" digest=\"{digest}\"/>\n")
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {inner_width} {inner_height}\" role=\"img\" aria-labelledby=\"{id}-title {id}-description\">\n\
         <title id=\"{id}-title\">{title}</title>\n<desc id=\"{id}-description\">{description}</desc>\n\
         <metadata xmlns:retile=\"{NAMESPACE}\">\n{}</metadata>\n\
         <defs>\n{}</defs>\n<path fill=\"#fff\" d=\"M0 0h{inner_width}v{inner_height}H0z\"/>\n\
         <g fill=\"none\" stroke-linejoin=\"round\">\n{}</g>\n</svg>\n",
        sources(figure).map(source).collect::<String>(),
        scene.definitions(),
        scene.elements()
    )
}

/// Each experiment behind a figure, with the first digits of its identity and of the digest of its records.
fn sources(figure: &Figure) -> impl Iterator<Item = [String; 3]> {
    let beginning = |hash: &str| hash.chars().take(DIGITS).collect();
    figure.sources.iter().map(move |source| {
        [source.experiment.clone(), beginning(&source.identity), beginning(&source.digest)]
    })
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML has no way to write the other control characters.
            character if character.is_control() && !"\n\t".contains(character) => escaped.push(' '),
            character => escaped.push(character),
        }
    }
    escaped
}
