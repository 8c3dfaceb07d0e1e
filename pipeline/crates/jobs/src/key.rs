//! The name of a job across papers: `paper/id`, on command lines, in indices and as part of paths.

use std::fmt;
use std::str::FromStr;

use engine::abi::host::is_identifier;
use platform::plain::line;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The job `id` of the paper `paper`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The paper's id.
    pub paper: String,
    /// The job's id in it.
    pub id: String,
}

/// The error for a text that is not a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` does not name a job: write PAPER/NAME", line(text))]
pub struct KeyError {
    /// The text.
    pub text: String,
}

impl Key {
    /// The key of a job of a paper.
    pub fn new(paper: &str, id: &str) -> Self {
        Self { paper: paper.to_owned(), id: id.to_owned() }
    }
}

impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        match text.split_once('/') {
            // Both become parts of paths, and the text may come from somebody's index.
            Some((paper, id)) if is_identifier(paper) && is_identifier(id) => Ok(Self::new(paper, id)),
            _ => Err(KeyError { text: text.to_owned() }),
        }
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.paper, self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_names_no_place_outside_the_results() {
        assert_eq!("p/e-1".parse::<Key>().unwrap().to_string(), "p/e-1");
        for wrong in
            ["", "p", "p/", "/e", "../e", "p/..", "../../evil", "p/e/f", "p/e.parquet", "p/\u{1b}", "P/e"]
        {
            assert!(wrong.parse::<Key>().is_err(), "{wrong:?}");
        }
        let told = "\u{1b}[2J".parse::<Key>().unwrap_err().to_string();
        assert!(told.chars().all(engine::abi::host::is_plain), "{told}");
    }
}
