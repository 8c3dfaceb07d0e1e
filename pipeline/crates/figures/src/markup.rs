//! The elements of a drawing, in the order in which they are drawn. Figures are kept in git and once more inside the report, so nothing is
//! written twice: lines that look alike and follow each other become one path, and a text that is set several times is set once.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::path::{PathData, Point};

/// What is drawn.
#[derive(Default)]
pub(super) struct Markup(Vec<Piece>);

enum Piece {
    /// A whole element.
    Element(String),
    /// Lines with the attributes of their pen.
    Lines { data: PathData, attributes: String, joins: bool },
    /// A text: its name, its glyphs and the attributes of its place.
    Text { name: String, glyphs: String, attributes: String },
}

impl Markup {
    /// Draws a whole element.
    pub(super) fn element(&mut self, element: String) {
        self.0.push(Piece::Element(element));
    }

    /// Draws a line. Those that follow each other are joined if their attributes are the same and nothing shows through them, since
    /// only then crossings look the same.
    pub(super) fn line(&mut self, points: &[Point], closed: bool, attributes: String, opaque: bool) {
        if let Some(Piece::Lines { data, attributes: last, joins: true }) = self.0.last_mut()
            && opaque
            && *last == attributes
        {
            data.trace(points, closed);
            return;
        }
        let mut data = PathData::default();
        data.trace(points, closed);
        self.0.push(Piece::Lines { data, attributes, joins: opaque });
    }

    /// Sets a text. Equal names mean equal glyphs.
    pub(super) fn text(&mut self, name: String, glyphs: String, attributes: String) {
        self.0.push(Piece::Text { name, glyphs, attributes });
    }

    /// The elements that others refer to, by id: texts that are set several times.
    pub(super) fn definitions(&self) -> BTreeMap<String, String> {
        let define =
            |(name, glyphs): (&str, &str)| (name.to_owned(), format!("<g id=\"{name}\">{glyphs}</g>"));
        self.shared().into_iter().map(define).collect()
    }

    /// The elements.
    pub(super) fn elements(&self) -> String {
        let shared = self.shared();
        let mut text = String::new();
        for piece in &self.0 {
            let _ = match piece {
                Piece::Element(element) => writeln!(text, "{element}"),
                Piece::Lines { data, attributes, .. } => {
                    writeln!(text, "<path d=\"{}\"{attributes}/>", data.as_str())
                }
                Piece::Text { name, attributes, .. } if shared.contains_key(name.as_str()) => {
                    writeln!(text, "<use href=\"#{name}\"{attributes}/>")
                }
                Piece::Text { glyphs, attributes, .. } => writeln!(text, "<g{attributes}>{glyphs}</g>"),
            };
        }
        text
    }

    /// The texts whose definition is shorter than their repetition.
    fn shared(&self) -> BTreeMap<&str, &str> {
        let mut counts: BTreeMap<&str, (&str, usize)> = BTreeMap::new();
        for piece in &self.0 {
            if let Piece::Text { name, glyphs, .. } = piece {
                counts.entry(name).or_insert((glyphs, 0)).1 += 1;
            }
        }
        let is_shorter = |name: &str, glyphs: &str, count: usize| {
            let defined = "<g id=\"\"></g>\n".len() + name.len() + glyphs.len();
            let referred = "<use href=\"#\"/>".len() + name.len();
            defined + count * referred < count * ("<g></g>".len() + glyphs.len())
        };
        let shared = counts.into_iter().filter(|(name, (glyphs, count))| is_shorter(name, glyphs, *count));
        shared.map(|(name, (glyphs, _))| (name, glyphs)).collect()
    }
}

/// A text as part of an id. Different texts have different ids, so that all figures of a page may share theirs: letters and digits
/// stay, a space becomes a hyphen, everything else its number.
pub(super) fn id_of(text: &str) -> String {
    let mut id = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            ' ' => id.push('-'),
            character if character.is_ascii_alphanumeric() => id.push(character),
            character => {
                let _ = write!(id, "_{:x}.", u32::from(character));
            }
        }
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(markup: &mut Markup, y: i32, attributes: &str, opaque: bool) {
        markup.line(&[(0, y), (9, y)], false, attributes.to_owned(), opaque);
    }

    #[test]
    fn equal_lines_in_a_row_become_one_path() {
        let mut markup = Markup::default();
        line(&mut markup, 0, " stroke=\"#000\"", true);
        line(&mut markup, 5, " stroke=\"#000\"", true);
        line(&mut markup, 6, " stroke=\"#fff\"", true);
        assert_eq!(
            markup.elements(),
            "<path d=\"M0 0h9m-9 5h9\" stroke=\"#000\"/>\n<path d=\"M0 6h9\" stroke=\"#fff\"/>\n"
        );
    }

    #[test]
    fn lines_that_show_what_is_below_or_have_something_between_them_stay_apart() {
        let mut markup = Markup::default();
        line(&mut markup, 0, "", false);
        line(&mut markup, 5, "", false);
        line(&mut markup, 6, "", true);
        markup.element("<circle/>".to_owned());
        line(&mut markup, 7, "", true);
        assert_eq!(markup.elements().lines().count(), 5);
    }

    #[test]
    fn a_text_is_defined_only_where_that_is_shorter() {
        let long = "<use href=\"#r1\"/>".repeat(20);
        let mut markup = Markup::default();
        for place in [" x=\"1\"", " x=\"2\""] {
            markup.text("r-long".to_owned(), long.clone(), place.to_owned());
            markup.text("r-5".to_owned(), "<use href=\"#r5\"/>".to_owned(), place.to_owned());
        }
        let definitions: Vec<_> = markup.definitions().into_iter().collect();
        assert_eq!(definitions, [("r-long".to_owned(), format!("<g id=\"r-long\">{long}</g>"))]);
        let elements = markup.elements();
        assert!(
            elements.starts_with("<use href=\"#r-long\" x=\"1\"/>\n<g x=\"1\"><use href=\"#r5\"/></g>\n")
        );
        assert!(!elements.contains(&long), "{elements}");
    }

    #[test]
    fn different_texts_have_different_ids() {
        assert_eq!(id_of("75 to 85 %"), "75-to-85-_25.");
        let texts = ["a b", "a-b", "a_b", "a.b", "_2d.", "-"];
        let ids: std::collections::BTreeSet<String> = texts.iter().map(|text| id_of(text)).collect();
        assert_eq!(ids.len(), texts.len());
    }
}
