//! What an experiment is called across papers: `paper/experiment`, on command lines, in indices and as part of paths.

use std::fmt;
use std::str::FromStr;

use engine::abi::host::is_identifier;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use surroundings::plain::line;

/// The experiment `experiment` of the paper `paper`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The paper's id.
    pub paper: String,
    /// The experiment's id.
    pub experiment: String,
}

/// A text that is no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` does not name an experiment: write PAPER/EXPERIMENT", line(text))]
pub struct KeyError {
    /// What it says.
    pub text: String,
}

impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        match text.split_once('/') {
            // Both become parts of paths, and the text may come from somebody's index.
            Some((paper, experiment)) if is_identifier(paper) && is_identifier(experiment) => {
                Ok(Self { paper: paper.to_owned(), experiment: experiment.to_owned() })
            }
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
        write!(f, "{}/{}", self.paper, self.experiment)
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
