//! Claims and their verdicts, as they are printed.

use manifest::{NoteId, Variant};
use serde::{Serialize, Serializer};
use verdict::Ruling;

/// A published claim, and what the experiments say about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// Its id, unique in the paper.
    pub id: String,
    /// What kind of claim it is.
    pub kind: Kind,
    /// What the paper says, in our words.
    pub text: String,
    /// Where the paper says it: `Table 1`.
    pub place: String,
    /// What came of it.
    #[serde(serialize_with = "badge")]
    pub verdict: Ruling,
    /// The published value, as printed there.
    pub published: Option<String>,
    /// Our estimate; for an arithmetic claim the right value.
    pub reproduced: Option<String>,
    /// Where the published number would lie if the paper's games were like ours, or the lead of the one that
    /// it calls better.
    pub expected: Option<String>,
    /// How many games the estimate rests on: `1,000`, or `1,000 and 250`.
    pub n: Option<String>,
    /// How far ours is from the published value, above 0 or as a ratio above 1 where ours is higher.
    pub effect: Option<String>,
    /// The smallest difference that the test would have seen with 80 % power.
    pub smallest_visible: Option<String>,
    /// The verdict in a sentence, with its reason.
    pub sentence: String,
    /// Which forms of the paper's method were played for it: as written, as released, or neither where they
    /// are one.
    pub forms: Vec<Variant>,
    /// Why the verdict says little, where it does.
    pub weak: Option<String>,
    /// The ids of the notes, of the same paper, that the verdict rests on.
    pub conditional_on: Vec<NoteId>,
    /// The claim that tests the same statement first, where this is another reading.
    pub reading_of: Option<String>,
    /// The ids of the interpretations, of the same paper, under which it is the test of its statement; none
    /// where it is under all.
    pub under: Vec<String>,
    /// Whether it is a check of ours, which the paper does not claim.
    pub audit: bool,
    /// The keys of the experiments that were compared, of any paper.
    pub experiments: Vec<String>,
}

/// What kind of claim it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A number that was measured.
    Numeric,
    /// One thing is better than another.
    Ordinal,
    /// A number that was calculated.
    Arithmetic,
    /// Something that nothing here can test.
    Untestable,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Numeric, Self::Ordinal, Self::Arithmetic, Self::Untestable];
}

/// How a ruling looks: the word, the symbol before it, and the name of its colour, so that none of them is
/// needed alone.
#[derive(Serialize)]
struct Badge {
    word: &'static str,
    symbol: &'static str,
    tone: &'static str,
    meaning: &'static str,
}

impl Badge {
    const fn of(ruling: Ruling) -> Self {
        let (symbol, tone, meaning) = match ruling {
            Ruling::Consistent => (
                "✓",
                "good",
                "the published number lies where our games predict it, and could have been refused",
            ),
            Ruling::Confirmed => ("✓", "good", "our games show the claimed order"),
            Ruling::Right => ("✓", "good", "the calculation holds"),
            Ruling::Higher => ("▲", "off", "our number is higher than the published one"),
            Ruling::Lower => ("▼", "off", "our number is lower than the published one"),
            Ruling::Contradicted => ("✗", "bad", "our games show the opposite order"),
            Ruling::Wrong => ("✗", "bad", "the calculation does not hold"),
            Ruling::Undecided => {
                ("?", "open", "our games do not tell the two apart, or could have refused no number")
            }
            Ruling::Untestable => ("–", "open", "nothing here can test it, or its games were not played"),
        };
        Self { word: ruling.name(), symbol, tone, meaning }
    }
}

/// A ruling as the templates show it.
pub(super) fn badge<S: Serializer>(ruling: &Ruling, serializer: S) -> Result<S::Ok, S::Error> {
    Badge::of(*ruling).serialize(serializer)
}
