//! Claims and their verdicts, as they are printed.

use manifest::{ClaimKind, NoteId, Variant};
use serde::{Serialize, Serializer};
use verdict::{GroundsTexts, Ruling};

/// A published claim, and what the experiments say about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// Its id, unique in the paper.
    pub id: String,
    /// What kind of claim it is, of [`CLAIM_KINDS`].
    pub kind: &'static str,
    /// What the paper says, in our words.
    pub text: String,
    /// Where the paper says it: `Table 1`.
    pub place: String,
    /// The verdict.
    #[serde(serialize_with = "badge")]
    pub verdict: Ruling,
    /// The published value, ours, and how far they are apart.
    pub texts: GroundsTexts,
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

/// The kinds of claims: a number that was measured, an order, a number that was calculated, and what nothing
/// here can test.
pub const CLAIM_KINDS: [&str; 4] = ["numeric", "ordinal", "arithmetic", "untestable"];

/// The kind of a claim.
pub(crate) const fn kind_name(kind: &ClaimKind) -> &'static str {
    match kind {
        ClaimKind::Numeric { .. } => CLAIM_KINDS[0],
        ClaimKind::Ordinal { .. } | ClaimKind::OrdinalOfStudies { .. } => CLAIM_KINDS[1],
        ClaimKind::Arithmetic { .. } => CLAIM_KINDS[2],
        ClaimKind::Untestable { .. } => CLAIM_KINDS[3],
    }
}

/// How a ruling looks: the word, the symbol before it, and the name of its colour, so that none of them is
/// needed alone.
#[derive(Serialize)]
pub(super) struct Badge {
    word: &'static str,
    symbol: &'static str,
    tone: &'static str,
    meaning: &'static str,
}

impl Badge {
    pub(super) const fn of(ruling: Ruling) -> Self {
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
