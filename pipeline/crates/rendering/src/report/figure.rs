//! Figures, put into the page as images that it holds itself.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::{Serialize, Serializer};

/// A figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageFigure {
    /// Its id, unique among the figures of its paper.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// What a reader who cannot see it should know.
    pub alt: String,
    /// Its width in pixels, so that the page does not jump when it appears.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
    /// The drawing, an SVG document that needs nothing from elsewhere.
    #[serde(serialize_with = "data_url")]
    pub svg: String,
    /// Its files, as paths relative to the page.
    pub files: Vec<String>,
}

/// What must not stand in the URL of an image inside an attribute. All else stays as it is: base64 would be a third longer.
const ESCAPED: &AsciiSet = &CONTROLS.add(b'%').add(b'#').add(b'"').add(b'<').add(b'>').add(b'&');

/// An image instead of inline SVG: the browser parses it when it comes into view, and it can neither run scripts nor share
/// ids with another figure.
fn data_url<S: Serializer>(svg: &str, serializer: S) -> Result<S::Ok, S::Error> {
    // Single quotes need no escape inside the page's double ones, and a drawing has thousands.
    let svg = if svg.contains('\'') { svg.to_owned() } else { svg.replace('"', "'") };
    serializer.collect_str(&format_args!(
        "data:image/svg+xml;charset=utf-8,{}",
        utf8_percent_encode(svg.trim(), ESCAPED)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_in_an_attribute_leaves_no_character_that_ends_it() {
        let svg = "<svg viewBox=\"0 0 9 9\">\n<text fill='#fff'>50 % & é</text></svg>\n";
        let url = data_url(svg, serde_json::value::Serializer).unwrap();
        assert_eq!(
            url,
            "data:image/svg+xml;charset=utf-8,%3Csvg viewBox=%220 0 9 9%22%3E%0A%3Ctext fill='%23fff'%3E50 %25 %26 \
             %C3%A9%3C/text%3E%3C/svg%3E"
        );
        let plain = data_url("<svg width=\"9\"/>", serde_json::value::Serializer).unwrap();
        assert_eq!(plain, "data:image/svg+xml;charset=utf-8,%3Csvg width='9'/%3E");
    }
}
