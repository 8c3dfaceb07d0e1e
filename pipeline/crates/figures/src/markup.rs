//! The elements of a drawing, in the order in which they are drawn. Figures are kept in git, so nothing is
//! written twice: adjacent lines of one style become one path, and a repeated word is defined once.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::path::{PathData, Point};

/// What is drawn: shapes in their order, and above them all texts, those of one style together.
#[derive(Default)]
pub(super) struct Markup {
    shapes: Vec<Piece>,
    /// The words by style, in the order in which the styles come first.
    texts: Vec<(String, Vec<Word>)>,
}

enum Piece {
    /// A whole element.
    Element(String),
    /// Lines with the attributes of their pen.
    Lines { data: PathData, attributes: String, joins: bool },
}

/// A word: its name, its glyphs, and where it stands within the group of its style. Equal names mean equal glyphs.
pub(super) struct Word {
    pub(super) name: String,
    pub(super) glyphs: String,
    pub(super) place: Point,
}

impl Markup {
    /// Draws a whole element.
    pub(super) fn element(&mut self, element: String) {
        self.shapes.push(Piece::Element(element));
    }

    /// Draws a line. Those that follow each other are joined if their attributes are the same and nothing shows through them, since
    /// only then crossings look the same.
    pub(super) fn line(&mut self, points: &[Point], closed: bool, attributes: String, opaque: bool) {
        if let Some(Piece::Lines { data, attributes: last, joins: true }) = self.shapes.last_mut()
            && opaque
            && *last == attributes
        {
            data.trace(points, closed);
            return;
        }
        let mut data = PathData::default();
        data.trace(points, closed);
        self.shapes.push(Piece::Lines { data, attributes, joins: opaque });
    }

    /// Sets a word in a style: the attributes of its group.
    pub(super) fn word(&mut self, style: &str, word: Word) {
        match self.texts.iter_mut().find(|(known, _)| known == style) {
            Some((_, words)) => words.push(word),
            None => self.texts.push((style.to_owned(), vec![word])),
        }
    }

    /// The words that are written once and referred to, by id.
    pub(super) fn definitions(&self) -> BTreeMap<String, String> {
        let define =
            |(name, glyphs): (&str, &str)| (name.to_owned(), format!("<g id=\"{name}\">{glyphs}</g>"));
        self.repeated().into_iter().map(define).collect()
    }

    /// The elements.
    pub(super) fn elements(&self) -> String {
        let mut text = String::new();
        for piece in &self.shapes {
            let _ = match piece {
                Piece::Element(element) => writeln!(text, "{element}"),
                Piece::Lines { data, attributes, .. } => {
                    writeln!(text, "<path d=\"{}\"{attributes}/>", data.as_str())
                }
            };
        }
        let defined = self.repeated();
        for (style, words) in &self.texts {
            let _ = write!(text, "<g{style}>");
            for Word { name, glyphs, place: (x, y) } in words {
                let _ = if defined.contains_key(name.as_str()) {
                    write!(text, "<use href=\"#{name}\" x=\"{x}\" y=\"{y}\"/>")
                } else {
                    write!(text, "<g transform=\"translate({x} {y})\">{glyphs}</g>")
                };
            }
            let _ = writeln!(text, "</g>");
        }
        text
    }

    /// The words whose definition makes the drawing shorter, with their glyphs.
    fn repeated(&self) -> BTreeMap<&str, &str> {
        let mut counts: BTreeMap<&str, (&str, usize)> = BTreeMap::new();
        for Word { name, glyphs, .. } in self.texts.iter().flat_map(|(_, words)| words) {
            counts.entry(name).or_insert((glyphs, 0)).1 += 1;
        }
        // Names have two letters in the end.
        let is_shorter = |glyphs: &str, count: usize| {
            let definition = "<g id=\"aa\"></g>\n".len() + glyphs.len();
            let reference = "<use href=\"#aa\" x=\"\" y=\"\"/>".len();
            definition + count * reference
                < count * ("<g transform=\"translate()\"></g>".len() + glyphs.len())
        };
        let counts = counts.into_iter().filter(|(_, (glyphs, count))| is_shorter(glyphs, *count));
        counts.map(|(name, (glyphs, _))| (name, glyphs)).collect()
    }
}

/// A text as part of an id. Letters and digits stay, a space becomes a hyphen, everything else its number, so
/// that different texts have different ids.
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
    fn a_word_is_defined_only_if_that_is_shorter() {
        let long = "<use href=\"#r1\"/>".repeat(20);
        let mut markup = Markup::default();
        for x in [1, 2] {
            markup.word(
                " fill=\"#000\"",
                Word { name: "r-long".to_owned(), glyphs: long.clone(), place: (x, 5) },
            );
        }
        let short = "<use href=\"#r5\"/>".to_owned();
        markup.word(" fill=\"#fff\"", Word { name: "r-5".to_owned(), glyphs: short, place: (3, 6) });
        let definitions: Vec<_> = markup.definitions().into_iter().collect();
        assert_eq!(definitions, [("r-long".to_owned(), format!("<g id=\"r-long\">{long}</g>"))]);
        assert_eq!(
            markup.elements(),
            "<g fill=\"#000\"><use href=\"#r-long\" x=\"1\" y=\"5\"/><use href=\"#r-long\" x=\"2\" y=\"5\"/></g>\n\
             <g fill=\"#fff\"><g transform=\"translate(3 6)\"><use href=\"#r5\"/></g></g>\n"
        );
    }

    #[test]
    fn texts_stand_above_all_shapes() {
        let mut markup = Markup::default();
        markup.word("", Word { name: "r-a".to_owned(), glyphs: "<use/>".to_owned(), place: (0, 0) });
        markup.element("<circle/>".to_owned());
        assert!(markup.elements().starts_with("<circle/>"));
    }

    #[test]
    fn different_texts_have_different_ids() {
        assert_eq!(id_of("75 to 85 %"), "75-to-85-_25.");
        let texts = ["a b", "a-b", "a_b", "a.b", "_2d.", "-"];
        let ids: std::collections::BTreeSet<String> = texts.iter().map(|text| id_of(text)).collect();
        assert_eq!(ids.len(), texts.len());
    }
}
