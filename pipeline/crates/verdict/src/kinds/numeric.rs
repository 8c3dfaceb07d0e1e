//! Numeric claims: a published number against the same metric of our games.

use super::{
    ClaimContext, Effect, Grounds, GroundsTexts, Judgement, NO_DIFFERENCE, Ruling, Untestable, bare_distance,
    effect_text, unit,
};
use crate::Thresholds;
use crate::thresholds::thresholds;
use manifest::{ClaimKind, Metric, Published, PublishedN, Quantity, Statistic};
use metrics::Measurement;
use stats::{
    Agreement, Estimate, Measured, MetricLimits, Power, Prediction, Reported, Sample, consistent_sizes,
    predict, predict_ratio, ratio_of_logs,
};
use text::{Scale, counted, thousands};

pub(super) fn judge(context: &ClaimContext<'_>, claim: &ClaimKind) -> Result<Judgement, Untestable> {
    let ClaimKind::Numeric { metric, experiment, reference, published, chosen, n, rounding, .. } = claim
    else {
        unreachable!("only numeric claims are asked for")
    };
    let (metric, published, rounding) = (*metric, *published, *rounding);
    let (low, high) = metric.limits();
    let limits = MetricLimits { low, high };
    let games = context.games(experiment)?;
    let ours = match reference {
        None => Ours::One(metric.measure(games)?),
        Some(reference) => {
            let theirs = context.games(reference)?;
            Ours::Ratio(metric.logs(games, experiment)?, metric.logs(theirs, reference)?)
        }
    };
    let test = Test { ours, n_published: n.games(), rounding, limits };
    let (ruling, prediction) = test.ruling(published);
    let reported = test.reported(published);
    let (ours, sizes, effect) = match &test.ours {
        Ours::One(_) if prediction.is_empty() => {
            return Err(Untestable::FewGames { n: prediction.n, published: prediction.n_published });
        }
        Ours::Ratio(..) if !prediction.high.is_finite() => return Err(Untestable::FewTimed),
        Ours::One(one) => {
            let ours = one.measured();
            let sizes = matches!(n, PublishedN::Assumed(_)).then(|| consistent_sizes(&ours, reported));
            (ours.estimate(), sizes, effect(&ours, nearest(published, ours.point())))
        }
        Ours::Ratio(one, other) => {
            let effect = Effect::Ratio(prediction.ours / nearest(published, prediction.ours));
            (ratio_of_logs(one, other), None, Some(effect))
        }
    };
    let games_to_decide = match test.power(reported) {
        Some(power) if ruling == Ruling::Undecided => power.games_to_refuse(&prediction),
        _ => None,
    };
    let rule = |published| test.ruling(published).0;
    let thresholds = chosen.and_then(|chosen| thresholds(published, chosen, limits, rule));
    let mut reason = sentence(metric, published, ruling, &ours, &prediction);
    match &sizes {
        _ if ruling == Ruling::Undecided => reason.push_str(&undecided(games_to_decide)),
        Some(sizes) => {
            reason.push_str(&format!(" The paper does not say how many games it had; the claim is {sizes}."))
        }
        None => {}
    }
    reason.extend(thresholds.map(|alike| chosen_ends(metric, alike)));
    let scale = metric.scale();
    let texts = GroundsTexts {
        reproduced: format!("{} ({})", scale.text(ours.point), scale.interval(ours.low, ours.high)),
        expected: scale.interval(prediction.low, prediction.high),
        games: format!("{} / {}", prediction.n, prediction.n_published),
        effect: effect.map(effect_text).unwrap_or_default(),
        visible: visible_text(scale, &prediction),
        ..GroundsTexts::default()
    };
    let grounds = Grounds::Numeric { ours, prediction, sizes, effect, games_to_decide, thresholds };
    Ok(Judgement { ruling, grounds, reason, texts })
}

/// What our games give.
enum Ours {
    /// A metric of one experiment.
    One(Measurement),
    /// The logarithms of two experiments, of which the first is divided by the second. If both have games, a
    /// ratio that is far enough off is refused.
    Ratio(Sample, Sample),
}

/// The test of what a paper prints.
struct Test {
    ours: Ours,
    n_published: u64,
    rounding: f64,
    limits: MetricLimits,
}

impl Test {
    /// What comes of a published number. One that was not refused is consistent only if it could have been.
    fn ruling(&self, published: Published) -> (Ruling, Prediction) {
        let reported = self.reported(published);
        let prediction = match &self.ours {
            Ours::One(ours) => predict(&ours.measured(), self.n_published, reported),
            Ours::Ratio(one, other) => predict_ratio(one, other, self.n_published, reported),
        };
        let ruling = match (prediction.agreement, self.power(reported)) {
            (Agreement::Higher, _) => Ruling::Higher,
            (Agreement::Lower, _) => Ruling::Lower,
            (_, Some(power)) if !power.can_refuse(&prediction) => Ruling::Undecided,
            (Agreement::Consistent, _) => Ruling::Consistent,
        };
        (ruling, prediction)
    }

    const fn power(&self, reported: Reported) -> Option<Power<'_>> {
        let Ours::One(ours) = &self.ours else { return None };
        let Self { n_published, limits, .. } = *self;
        Some(Power { ours: ours.measured(), n_published, reported, limits })
    }

    const fn reported(&self, published: Published) -> Reported {
        match published {
            Published::Number(value) => Reported::number(value, self.rounding),
            Published::Range(low, high) => Reported::range(low, high, self.rounding),
        }
    }
}

/// The published number that is nearest to ours.
fn nearest(published: Published, ours: f64) -> f64 {
    match published {
        Published::Number(value) => value,
        Published::Range(low, high) => ours.max(low).min(high),
    }
}

/// How far ours is from the published number.
fn effect(ours: &Measured<'_>, published: f64) -> Option<Effect> {
    match ours {
        Measured::Summary(Statistic::Mean | Statistic::Median, sample) if sample.sd() > 0.0 => {
            Some(Effect::StandardDeviations((ours.point() - published) / sample.sd()))
        }
        Measured::Rate(_) => Some(Effect::ShareDifference(ours.point() - published)),
        _ if published > 0.0 => Some(Effect::Ratio(ours.point() / published)),
        _ => None,
    }
}

/// What our games give, what the paper's would, and what follows.
fn sentence(
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
        counted(prediction.n_published, "game"),
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

/// With which other thresholds a verdict would be the same.
fn chosen_ends(metric: Metric, alike: Thresholds) -> String {
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

/// A published number or range, as text.
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

/// The smallest differences of ours from a published number, signed as effects are: one far enough above ours
/// makes ours the lower.
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
