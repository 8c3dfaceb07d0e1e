//! Exhibits: the tables and figures of a paper, and what shows the same here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::field_checks::{Checked, wrong};
use super::forms::{Name, Text};
use super::limits;

/// A table or a figure of the paper itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Exhibit {
    /// Where it is in the paper, such as "Table 1".
    #[schemars(with = "Name")]
    pub place: String,
    /// What it shows.
    #[schemars(with = "Text")]
    pub text: String,
    /// The files below the results folder that show the same.
    #[serde(default)]
    #[schemars(with = "Vec<Name>", length(max = limits::MOST_ENTRIES))]
    pub shown_by: Vec<String>,
    /// Why nothing can, where nothing does.
    #[schemars(with = "Option<Text>")]
    pub cannot: Option<String>,
}

pub(super) fn exhibit(exhibit: Exhibit) -> Checked<Exhibit> {
    match (&exhibit.cannot, exhibit.shown_by.is_empty()) {
        (Some(_), true) | (None, false) => {}
        (Some(_), false) => {
            return Err(wrong("cannot", "is given together with `shown_by`: keep the one that is true"));
        }
        (None, true) => {
            let problem = "is missing: name the files that show the same, or say in `cannot` why none does";
            return Err(wrong("shown_by", problem));
        }
    }
    Ok(exhibit)
}
