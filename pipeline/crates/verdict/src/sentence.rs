//! A verdict in a sentence or two, for people who read no table.

use super::{Effect, Grounds, Ruling, Thresholds, Untestable, Verdict};
use manifest::{Claim, ClaimKind, Metric, Published, Quantity, StatedValue, Statistic, Wins};
use stats::{Estimate, Prediction};
use text::{Scale, difference, nanoseconds, percent, thousands};

/// Why a claim came to its ruling.
pub(super) fn reason(claim: &Claim, ruling: Ruling, grounds: &Grounds) -> String {
    match (&claim.kind, grounds) {
        (_, Grounds::Nothing(Untestable::ByNature { reason })) => {
            format!("Cannot be tested. {}.", reason.trim().trim_end_matches('.'))
        }
        (_, Grounds::Nothing(reason)) => format!("Cannot be tested: {reason}."),
        (
            ClaimKind::Numeric { metric, published, .. },
            Grounds::Numeric { ours, prediction, sizes, games_to_decide, thresholds, .. },
        ) => {
            let mut text = numeric(*metric, *published, ruling, ours, prediction);
            match sizes {
                _ if ruling == Ruling::Undecided => text.push_str(&undecided(*games_to_decide)),
                None => {}
                Some(sizes) => text.push_str(&format!(
                    " The paper does not say how many games it had; the claim is {sizes}."
                )),
            }
            text.extend(thresholds.map(|alike| chosen(*metric, alike)));
            text
        }
        (
            ClaimKind::Ordinal { metric, wins, .. },
            Grounds::Ordinal { better, worse, lead, effect, games_to_decide, .. },
        ) => {
            let text = ordinal(*metric, *wins, ruling, [better, worse, lead], *effect);
            text + &games_to_decide.map(lead_to_be_seen).unwrap_or_default()
        }
        (ClaimKind::OrdinalOfStudies { .. }, Grounds::Ordinal { better, worse, lead, .. }) => {
            of_studies(ruling, [better, worse, lead])
        }
        (ClaimKind::Arithmetic { published, .. }, Grounds::Arithmetic { value, because }) => {
            arithmetic(published, ruling, value, because)
        }
        _ => String::new(),
    }
}

fn numeric(
    metric: Metric,
    published: Published,
    ruling: Ruling,
    ours: &Estimate,
    prediction: &Prediction,
) -> String {
    let scale = metric.scale();
    let theirs = published_text(scale, published);
    let expected = scale.interval(prediction.low, prediction.high);
    let said = match ruling {
        Ruling::Consistent => format!("the published {theirs} is among them"),
        Ruling::Undecided => {
            format!("the published {theirs} is among them, but {}", nothing_refused(prediction, published))
        }
        Ruling::Higher => format!("the published {theirs} is below that, so ours is higher"),
        _ => format!("the published {theirs} is above that, so ours is lower"),
    };
    let tile = if is_between_tiles(metric, ours.point) { NO_TILE } else { "" };
    format!(
        "The {} is {} ({}) in {} of our games{tile}. {} of the paper, played by the same program, would give {expected}: {said}.",
        metric.words(),
        scale.text(ours.point),
        scale.interval(ours.low, ours.high),
        prediction.n,
        games(prediction.n_published),
    )
}

/// Why a number that is among those that were expected decides nothing.
fn nothing_refused(prediction: &Prediction, published: Published) -> &'static str {
    let (low, high) = match published {
        Published::Number(value) => (value, value),
        Published::Range(low, high) => (low, high),
    };
    match () {
        () if low > prediction.ours && prediction.high == f64::INFINITY => "any higher number would be too",
        () if high < prediction.ours && prediction.low == f64::NEG_INFINITY => {
            "any lower number would be too"
        }
        () => "no difference would have been seen with 80 % power",
    }
}

/// How many games would decide what is undecided.
fn undecided(games_to_decide: Option<u64>) -> String {
    match games_to_decide {
        Some(games) => format!(" About {} games of ours would decide it.", thousands(games as f64)),
        None => " No number of games of ours would decide it: the paper's are too few.".to_owned(),
    }
}

/// How many games of both would tell apart what is not told apart yet.
fn lead_to_be_seen([better, worse]: [u64; 2]) -> String {
    let [one, other] = [better, worse].map(|games| thousands(games as f64));
    let games =
        if better == worse { format!("{one} games of each") } else { format!("{one} and {other} games") };
    format!(" If the lead is as it looks, about {games} would decide it.")
}

/// With which other thresholds a verdict would be the same.
fn chosen(metric: Metric, alike: Thresholds) -> String {
    let scale = metric.scale();
    let ends = |name: &str, ends: Option<[f64; 2]>| {
        let [first, last] = ends?;
        let (lowest, highest) = metric.limits();
        let within = match (first <= lowest, last >= highest) {
            (true, true) => "whatever it is".to_owned(),
            (true, false) => format!("up to {}", scale.text(last)),
            (false, true) => format!("from {} on", scale.text(first)),
            (false, false) => format!("from {} to {}", scale.text(first), scale.text(last)),
        };
        Some(format!(
            " The {name} end is our choice, for a word of the paper; the verdict is the same {within}."
        ))
    };
    [ends("lower", alike.low), ends("upper", alike.high)].into_iter().flatten().collect()
}

const NO_TILE: &str = ", the mean of the two middle ones";

/// Whether a median of tiles is none, because the two middle games differ.
fn is_between_tiles(metric: Metric, point: f64) -> bool {
    let is_median = |quantity, statistic| quantity == Quantity::MAX_TILE && statistic == Statistic::Median;
    matches!(metric, Metric::Summary { quantity, statistic, .. } if is_median(quantity, statistic))
        && !(point as u32).is_power_of_two()
}

/// So many games, in words.
fn games(n: u64) -> String {
    if n == 1 { "1 game".to_owned() } else { format!("{n} games") }
}

/// A published number or range, as text.
#[must_use]
pub fn published_text(scale: Scale, published: Published) -> String {
    match published {
        Published::Number(value) => exact(scale, value),
        Published::Range(low, high) => scale.interval(low, high),
    }
}

/// A published number keeps the decimals that the paper gives.
fn exact(scale: Scale, value: f64) -> String {
    let digits = value.to_string();
    match (scale, digits.split_once('.')) {
        (Scale::Points, Some((_, decimals))) => format!("{}.{decimals}", thousands(value.trunc())),
        (Scale::Ratio, _) => format!("{digits}×"),
        _ => scale.text(value),
    }
}

fn ordinal(
    metric: Metric,
    wins: Wins,
    ruling: Ruling,
    [better, worse, lead]: [&Estimate; 3],
    effect: Option<Effect>,
) -> String {
    let verb = match ruling {
        Ruling::Confirmed => "bear it out",
        Ruling::Contradicted => "show the opposite",
        _ => "do not tell the two apart",
    };
    let n = format!("{} and {} games", better.n, worse.n);
    if metric.is_timed() {
        return format!(
            "A move takes {} of CPU time against {}, a ratio of {:.2} ({:.2} to {:.2}) in favour of the first: {n} {verb}.",
            nanoseconds(better.point),
            nanoseconds(worse.point),
            lead.point,
            lead.low,
            lead.high,
        );
    }
    let scale = metric.scale();
    let direction = if wins == Wins::Lower { ", where less is better" } else { "" };
    let chance = match effect {
        Some(Effect::Superiority(chance)) => format!(
            " A game of the first is the better one with probability {} % ({} to {} %).",
            percent(chance.point),
            percent(chance.low),
            percent(chance.high)
        ),
        _ => String::new(),
    };
    format!(
        "The {} is {} against {}{direction}, a lead of {} ({}): {n} {verb}.{chance}",
        metric.words(),
        scale.text(better.point),
        scale.text(worse.point),
        scale.text(lead.point),
        scale.interval(lead.low, lead.high),
    )
}

/// What ways to search had reached, as shares.
fn of_studies(ruling: Ruling, [better, worse, lead]: [&Estimate; 3]) -> String {
    let verb = match ruling {
        Ruling::Confirmed => "bear it out",
        Ruling::Contradicted => "show the opposite",
        _ => "do not tell the two apart",
    };
    format!(
        "On the average of the games spent, the front of the first had reached {} % of the area below the best score and the largest cost, and that of \
         the second {} %, a lead of {} percentage points ({} to {}): {} pairs of studies {verb}.",
        percent(better.point),
        percent(worse.point),
        percent(lead.point),
        percent(lead.low),
        percent(lead.high),
        lead.n,
    )
}

/// What a verdict rests on, in the short texts of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroundsTexts {
    /// What the paper says.
    pub published: String,
    /// What our games or our computation give.
    pub reproduced: String,
    /// Where the paper's number would lie, or the lead of the one that it calls better.
    pub expected: String,
    /// How many games.
    pub games: String,
    /// How far ours is from the published value, above 0 or 1 where ours is higher; of an order, how often the better one wins.
    pub effect: String,
    /// The smallest differences that would have been seen, signed likewise.
    pub visible: String,
}

/// The short texts of a verdict.
#[must_use]
pub fn grounds_texts(verdict: &Verdict<'_>) -> GroundsTexts {
    match (&verdict.claim.kind, &verdict.grounds) {
        (kind, Grounds::Nothing(_)) => GroundsTexts { published: said(kind), ..GroundsTexts::default() },
        (kind @ ClaimKind::Numeric { metric, .. }, Grounds::Numeric { ours, prediction, effect, .. }) => {
            let scale = metric.scale();
            GroundsTexts {
                published: said(kind),
                reproduced: format!("{} ({})", scale.text(ours.point), scale.interval(ours.low, ours.high)),
                expected: scale.interval(prediction.low, prediction.high),
                games: format!("{} / {}", prediction.n, prediction.n_published),
                effect: effect.map(effect_text).unwrap_or_default(),
                visible: visible_text(scale, prediction),
            }
        }
        (
            kind @ ClaimKind::Ordinal { metric, .. },
            Grounds::Ordinal { better, worse, lead, visible, effect, .. },
        ) => {
            let scale = metric.scale();
            let value = |value: f64| if metric.is_timed() { nanoseconds(value) } else { scale.text(value) };
            GroundsTexts {
                published: said(kind),
                reproduced: format!("{} against {}", value(better.point), value(worse.point)),
                expected: format!("lead {}", scale.interval(lead.low, lead.high)),
                games: format!("{} / {}", better.n, worse.n),
                effect: effect.map(effect_text).unwrap_or_default(),
                visible: visible
                    .map_or_else(|| NO_DIFFERENCE.to_owned(), |visible| distance_text(scale, visible)),
            }
        }
        (
            kind @ ClaimKind::OrdinalOfStudies { .. },
            Grounds::Ordinal { better, worse, lead, visible, .. },
        ) => {
            let points = |value: f64| format!("{} percentage points", percent(value));
            GroundsTexts {
                published: said(kind),
                reproduced: format!("{} % against {} %", percent(better.point), percent(worse.point)),
                expected: format!("lead {} to {} percentage points", percent(lead.low), percent(lead.high)),
                games: format!("{} / {} studies", better.n, worse.n),
                effect: String::new(),
                visible: visible.map_or_else(|| NO_DIFFERENCE.to_owned(), points),
            }
        }
        (kind, Grounds::Arithmetic { value, .. }) => {
            GroundsTexts { published: said(kind), reproduced: value.clone(), ..GroundsTexts::default() }
        }
        _ => GroundsTexts::default(),
    }
}

/// What the paper says, in short.
fn said(kind: &ClaimKind) -> String {
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

fn effect_text(effect: Effect) -> String {
    match effect {
        Effect::StandardDeviations(value) => format!("{} SD", difference(value, 2)),
        Effect::ShareDifference(value) => format!("{} percentage points", difference(value * 100.0, 1)),
        Effect::Ratio(value) => format!("{value:.2}×"),
        Effect::Superiority(chance) => format!("P = {:.2}", chance.point),
    }
}

/// The smallest differences of ours from a published number, signed as effects are: one far enough above ours makes ours the lower.
fn visible_text(scale: Scale, prediction: &Prediction) -> String {
    let side = |sign: &str, distance: Option<f64>| match distance {
        Some(distance) => format!("{sign}{}", bare_distance(scale, distance)),
        None => NO_DIFFERENCE.to_owned(),
    };
    match (prediction.visible.above, prediction.visible.below) {
        (None, None) => NO_DIFFERENCE.to_owned(),
        (above, below) => format!("{} / {}{}", side("−", above), side("+", below), unit(scale)),
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

fn arithmetic(stated: &StatedValue, ruling: Ruling, value: &str, because: &str) -> String {
    match ruling {
        Ruling::Right => format!("Right: {because}."),
        _ => format!("Wrong: the paper says {stated}, but the right value is {value}; {because}."),
    }
}
