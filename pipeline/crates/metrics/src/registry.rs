//! What the entries of the registries share: they are known by their names, and some take a number.

use engine::board::rank_of_tile;

/// Compares the entries of a registry by their names.
macro_rules! compared_by_name {
    ($entry:ty) => {
        impl PartialEq for $entry {
            fn eq(&self, other: &Self) -> bool {
                self.name == other.name
            }
        }

        impl Eq for $entry {}

        impl PartialOrd for $entry {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $entry {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                self.name.cmp(other.name)
            }
        }

        impl std::fmt::Debug for $entry {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name)
            }
        }
    };
}
pub(crate) use compared_by_name;

/// The texts of all entries, with a separator between them.
pub(crate) fn join<T>(entries: &[&T], separator: &str, text: impl Fn(&T) -> String) -> String {
    entries.iter().map(|entry| text(entry)).collect::<Vec<_>>().join(separator)
}

/// What follows a name.
#[derive(Clone, Copy)]
pub(crate) enum Parameter {
    /// Nothing.
    None,
    /// A tile.
    Tile,
    /// A number.
    Number,
}

impl Parameter {
    /// The number in a text that begins with the name, or 0 if it takes none.
    pub(crate) fn parse(self, name: &str, text: &str) -> Option<u32> {
        let rest = text.strip_prefix(name)?;
        match self {
            Self::None => rest.is_empty().then_some(0),
            Self::Tile => parse_tile(rest.strip_prefix('.')?),
            Self::Number => parse_number(rest.strip_prefix('.')?),
        }
    }

    /// The text with this number.
    pub(crate) fn text(self, name: &str, number: u32) -> String {
        match self {
            Self::None => name.to_owned(),
            Self::Tile | Self::Number => format!("{name}.{number}"),
        }
    }

    /// How the text is written, for people.
    pub(crate) fn usage(self, name: &str) -> String {
        match self {
            Self::None => format!("`{name}`"),
            Self::Tile => format!("`{name}.TILE`"),
            Self::Number => format!("`{name}.NUMBER`"),
        }
    }

    /// The pattern of the text, for the schema.
    pub(crate) fn pattern(self, name: &str) -> String {
        let name = name.replace('.', r"\.");
        match self {
            Self::None => name,
            Self::Tile => format!(r"{name}\.[1-9][0-9]*"),
            Self::Number => format!(r"{name}\.[0-9]+"),
        }
    }
}

pub(crate) fn parse_tile(text: &str) -> Option<u32> {
    parse_number(text).filter(|&tile| rank_of_tile(tile).is_some_and(|rank| rank > 0))
}

/// A number in the one form in which it is printed.
pub(crate) fn parse_number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number: &u32| number.to_string() == text)
}
