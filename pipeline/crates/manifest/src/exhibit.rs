//! Exhibits: the tables and figures of a paper, and what shows the same here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::field_checks::{Checked, few, filled, named, wrong};
use super::limits;

/// A table or a figure of the paper itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Exhibit {
    /// Where it is in the paper, such as "Table 1".
    #[schemars(length(max = limits::LONGEST_NAME))]
    pub place: String,
    /// What it shows.
    #[schemars(length(max = limits::LONGEST_TEXT))]
    pub text: String,
    /// The files below the results folder that show the same.
    #[serde(default)]
    pub shown_by: Vec<String>,
    /// Why nothing can, where nothing does.
    #[schemars(length(max = limits::LONGEST_TEXT))]
    pub cannot: Option<String>,
}

pub(super) fn exhibit(exhibit: Exhibit) -> Checked<Exhibit> {
    named("place", &exhibit.place)?;
    filled("text", &exhibit.text)?;
    few("shown_by", exhibit.shown_by.len())?;
    exhibit.shown_by.iter().try_for_each(|shown| named("shown_by", shown))?;
    match (&exhibit.cannot, exhibit.shown_by.is_empty()) {
        (Some(reason), true) => filled("cannot", reason)?,
        (None, false) => {}
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
