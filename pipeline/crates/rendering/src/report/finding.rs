//! Findings and accounts, and how a paper fares under its interpretations, as they are printed.

use manifest::NoteId;
use serde::{Serialize, Serializer};

use super::claim::badge;
use verdict::{ConclusionStatus, Reading, Ruling};

/// A finding, or a paper's account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What it says.
    pub text: String,
    /// Whether the verdicts carry it.
    #[serde(serialize_with = "standing")]
    pub standing: ConclusionStatus,
    /// The verdicts that it needs.
    pub needs: Vec<Need>,
}

/// A verdict that a finding needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Need {
    /// The claim's id, of the same paper.
    pub claim: String,
    /// What must come of it.
    #[serde(serialize_with = "badge")]
    pub needed: Ruling,
    /// What came of it.
    #[serde(serialize_with = "badge")]
    pub verdict: Ruling,
}

/// What the page says beside a finding: nothing where it is carried.
fn standing<S: Serializer>(standing: &ConclusionStatus, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Words {
        word: &'static str,
        tone: &'static str,
        meaning: &'static str,
    }
    let words = match standing {
        ConclusionStatus::Carried => None,
        ConclusionStatus::Open => Some(Words {
            word: "open",
            tone: "open",
            meaning: "Games that it rests on are missing, or it rests on the speed of a machine.",
        }),
        ConclusionStatus::Fallen => Some(Words {
            word: standing.name(),
            tone: "bad",
            meaning: "A verdict that it rests on has become another one.",
        }),
    };
    words.serialize(serializer)
}

/// How a paper fares under one of its interpretations, in statements.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Interpretation {
    /// Its id, unique in the paper.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The choices that it makes.
    pub text: String,
    /// The ids of the notes, of the same paper, that it takes up.
    pub conditional_on: Vec<NoteId>,
    /// Whether it is the best of the paper's.
    pub is_best: bool,
    /// How it fares; none if no statement of the paper can be tested by games.
    pub reading: Option<Reading>,
}
