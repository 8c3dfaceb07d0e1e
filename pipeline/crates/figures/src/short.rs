//! Short ids within a drawing: the more references, the shorter the id. References are most of an SVG's text.

use std::collections::BTreeMap;

use super::drawing::Definitions;

/// What stands before the name of something that is used, and before that of something that is defined.
const BEFORE: [&str; 2] = [" href=\"#", " id=\""];

/// New names, by the old ones.
pub(super) struct Names(BTreeMap<String, String>);

impl Names {
    /// Names for these definitions, by how often the elements and the definitions themselves refer to each.
    pub(super) fn of(definitions: &Definitions, elements: &str) -> Self {
        let mut counts: BTreeMap<&str, usize> = definitions.keys().map(|name| (name.as_str(), 0)).collect();
        for text in definitions.values().map(String::as_str).chain([elements]) {
            for part in text.split(BEFORE[0]).skip(1) {
                if let Some(count) = name_in(part).and_then(|name| counts.get_mut(name)) {
                    *count += 1;
                }
            }
        }
        let mut names: Vec<_> = counts.into_iter().collect();
        names.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        Self(names.into_iter().enumerate().map(|(place, (name, _))| (name.to_owned(), nth(place))).collect())
    }

    /// The text with the new names.
    pub(super) fn put_into(&self, text: &str) -> String {
        BEFORE.iter().fold(text.to_owned(), |text, before| self.put_behind(before, &text))
    }

    /// The definitions under their new names, and with them.
    pub(super) fn put_into_all(&self, definitions: &Definitions) -> Definitions {
        let renamed = definitions.iter().filter_map(|(name, element)| {
            self.0.get(name).map(|short| (short.clone(), self.put_into(element)))
        });
        renamed.collect()
    }

    fn put_behind(&self, before: &str, text: &str) -> String {
        let mut parts = text.split(before);
        let mut renamed = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let known = name_in(part).and_then(|name| Some((name, self.0.get(name)?)));
            renamed.push_str(before);
            match known {
                Some((name, short)) => renamed.extend([short, &part[name.len()..]]),
                None => renamed.push_str(part),
            }
        }
        renamed
    }
}

/// The name that a text begins with, up to its quotation mark.
fn name_in(text: &str) -> Option<&str> {
    text.split_once('"').map(|(name, _)| name)
}

/// Names of one letter, then of a letter and a letter or digit, and so on.
fn nth(place: usize) -> String {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let mut name = String::from(char::from(LETTERS[place % 52]));
    let mut rest = place / 52;
    while rest > 0 {
        name.push(char::from(LETTERS[(rest - 1) % 62]));
        rest = (rest - 1) / 62;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_grow_slowly() {
        let names: std::collections::BTreeSet<_> = (0..10_000).map(nth).collect();
        assert_eq!(names.len(), 10_000);
        assert_eq!([0, 51, 52, 103, 104, 3275].map(nth), ["a", "Z", "aa", "Za", "ab", "Z9"]);
        assert_eq!(nth(3276), "aaa");
    }

    #[test]
    fn the_most_frequent_reference_has_the_shortest_name() {
        let glyph = |name: &str| (name.to_owned(), format!("<path id=\"{name}\" d=\"M0 0\"/>"));
        let word =
            ("r-ab".to_owned(), "<g id=\"r-ab\"><use href=\"#r1\"/><use href=\"#r2\"/></g>".to_owned());
        let definitions: Definitions = [glyph("r1"), glyph("r2"), word].into();
        let svg = "<title id=\"r2-title\">r2</title><use href=\"#r-ab\" x=\"3\"/><use href=\"#r2\"/>";
        let names = Names::of(&definitions, svg);
        assert_eq!(
            names.put_into(svg),
            "<title id=\"r2-title\">r2</title><use href=\"#b\" x=\"3\"/><use href=\"#a\"/>"
        );
        let renamed = names.put_into_all(&definitions);
        assert_eq!(renamed["b"], "<g id=\"b\"><use href=\"#c\"/><use href=\"#a\"/></g>");
        assert_eq!(renamed["a"], "<path id=\"a\" d=\"M0 0\"/>");
    }
}
