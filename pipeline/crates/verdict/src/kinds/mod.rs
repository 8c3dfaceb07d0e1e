//! The kinds of claims. The file of each holds its test, the sentence that explains its verdict, and its
//! texts in tables; what a manifest may write of it stands in `manifest`.

mod arithmetic;
mod numeric;
mod of_studies;
mod ordinal;

use super::{ClaimContext, Effect, Grounds, Ruling, Untestable};
use manifest::{Claim, ClaimKind};
use serde::Serialize;
use text::{Scale, difference, percent};

pub use numeric::published_text;

/// The verdict on a claim, with its words.
pub(super) struct Judgement {
    pub(super) ruling: Ruling,
    pub(super) grounds: Grounds,
    /// Why, in a sentence or two.
    pub(super) reason: String,
    pub(super) texts: GroundsTexts,
}

pub(super) fn judge(context: &ClaimContext<'_>, claim: &Claim) -> Judgement {
    let judged = match &claim.kind {
        ClaimKind::Numeric { .. } => numeric::judge(context, &claim.kind),
        ClaimKind::Ordinal { metric, better, worse, wins } => {
            ordinal::judge(context, *metric, [better, worse], *wins)
        }
        ClaimKind::OrdinalOfStudies { better, worse, .. } => of_studies::judge(context, better, worse),
        ClaimKind::Arithmetic { check, published } => Ok(arithmetic::judge(check, published)),
        ClaimKind::Untestable { reason } => Err(Untestable::ByNature { reason: reason.clone() }),
    };
    let mut judgement = judged.unwrap_or_else(untestable);
    judgement.texts.published = published(&claim.kind);
    judgement
}

fn untestable(why: Untestable) -> Judgement {
    let reason = match &why {
        Untestable::ByNature { reason } => {
            format!("Cannot be tested. {}.", reason.trim().trim_end_matches('.'))
        }
        other => format!("Cannot be tested: {other}."),
    };
    let (ruling, grounds) = (Ruling::Untestable, Grounds::Nothing { reason: why });
    Judgement { ruling, grounds, reason, texts: GroundsTexts::default() }
}

/// What a verdict rests on, in the short texts of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GroundsTexts {
    /// What the paper says.
    pub published: String,
    /// What our games or our computation give.
    pub reproduced: String,
    /// Where the paper's number would lie, or the lead of the one that it calls better.
    pub expected: String,
    /// How many games.
    pub games: String,
    /// How far ours is from the published value, above 0 or 1 where ours is higher; of an order, how often
    /// the better one wins.
    pub effect: String,
    /// The smallest differences that would have been seen, signed likewise.
    pub visible: String,
}

/// What the paper says, in short.
fn published(kind: &ClaimKind) -> String {
    match kind {
        ClaimKind::Numeric { metric, published, .. } => published_text(metric.scale(), *published),
        ClaimKind::Ordinal { better, worse, .. } => format!("{better} beats {worse}"),
        ClaimKind::OrdinalOfStudies { better, worse, .. } => {
            format!("{} beat {}", better.join(", "), worse.join(", "))
        }
        ClaimKind::Arithmetic { published, .. } => published.to_string(),
        ClaimKind::Untestable { .. } => String::new(),
    }
}

/// What games do about an order.
const fn order_verb(ruling: Ruling) -> &'static str {
    match ruling {
        Ruling::Confirmed => "bear it out",
        Ruling::Contradicted => "show the opposite",
        _ => "do not tell the two apart",
    }
}

fn effect_text(effect: Effect) -> String {
    match effect {
        Effect::StandardDeviations(value) => format!("{} SD", difference(value, 2)),
        Effect::ShareDifference(value) => format!("{} percentage points", difference(value * 100.0, 1)),
        Effect::Ratio(value) => format!("{value:.2}×"),
        Effect::Superiority(chance) => format!("P = {:.2}", chance.point),
    }
}

/// What stands for a difference where none is large enough to be seen.
const NO_DIFFERENCE: &str = "none";

/// How far apart two values are, with its unit.
fn distance_text(scale: Scale, distance: f64) -> String {
    format!("{}{}", bare_distance(scale, distance), unit(scale))
}

fn bare_distance(scale: Scale, distance: f64) -> String {
    if scale == Scale::Share { percent(distance) } else { scale.text(distance) }
}

/// Shares differ by percentage points; a percentage would be one of the share.
const fn unit(scale: Scale) -> &'static str {
    if matches!(scale, Scale::Share) { " percentage points" } else { "" }
}
