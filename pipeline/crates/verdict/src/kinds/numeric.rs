//! Numeric claims: a published number against the same metric of our games.

use super::{
    ClaimContext, Effect, Grounds, GroundsTexts, Judgement, NO_DIFFERENCE, Ruling, Untestable, bare_distance,
    effect_text, unit,
};
use crate::thresholds::{Thresholds, thresholds};
use manifest::{ClaimKind, Metric, Published, PublishedN, Quantity, Statistic};
use stats::{
    Agreement, Estimate, Limits, Measured, Power, Prediction, Reported, Sample, Sizes, consistent_sizes,
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
    let limits = Limits { low, high };
    let games = context.games(experiment)?;
    let n_published = n.games();
    if let Some(reference) = reference {
        let ours = metric.logs(games, experiment)?;
        let theirs = metric.logs(context.games(reference)?, reference)?;
        let test = RatioTest { ours: &ours, theirs: &theirs, n_published, rounding };
        let rule = |published| ruling_of(test.predict(published).agreement);
        let alike = chosen.and_then(|chosen| thresholds(published, chosen, limits, rule));
        return Ok(Found { thresholds: alike, ..test.judge(published)? }.judgement(metric, published));
    }
    let measurement = metric.measure(games)?;
    let test = Test { ours: measurement.measured(), n_published, rounding, limits };
    let alike = chosen.and_then(|chosen| thresholds(published, chosen, limits, |other| test.ruling(other).0));
    Ok(Found { thresholds: alike, ..test.judge(published, *n)? }.judgement(metric, published))
}

/// The result of a test.
struct Found {
    ruling: Ruling,
    ours: Estimate,
    prediction: Prediction,
    sizes: Option<Sizes>,
    effect: Option<Effect>,
    games_to_decide: Option<u64>,
    thresholds: Option<Thresholds>,
}

impl Found {
    fn judgement(self, metric: Metric, published: Published) -> Judgement {
        let reason = self.reason(metric, published);
        let Self { ruling, ours, prediction, sizes, effect, games_to_decide, thresholds } = self;
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
        Judgement { ruling, grounds, reason, texts }
    }

    fn reason(&self, metric: Metric, published: Published) -> String {
        let mut text = sentence(metric, published, self.ruling, &self.ours, &self.prediction);
        match &self.sizes {
            _ if self.ruling == Ruling::Undecided => text.push_str(&undecided(self.games_to_decide)),
            None => {}
            Some(sizes) => {
                text.push_str(&format!(
                    " The paper does not say how many games it had; the claim is {sizes}."
                ));
            }
        }
        text.extend(self.thresholds.map(|alike| chosen(metric, alike)));
        text
    }
}

/// The test of what a paper prints about a metric of one experiment.
struct Test<'a> {
    ours: Measured<'a>,
    n_published: u64,
    rounding: f64,
    limits: Limits,
}

impl Test<'_> {
    fn judge(&self, published: Published, n: PublishedN) -> Result<Found, Untestable> {
        let (ruling, prediction) = self.ruling(published);
        if prediction.is_empty() {
            return Err(Untestable::FewGames { n: prediction.n, published: prediction.n_published });
        }
        let reported = reported(published, self.rounding);
        let is_undecided = ruling == Ruling::Undecided;
        Ok(Found {
            ruling,
            ours: self.ours.estimate(),
            prediction,
            sizes: matches!(n, PublishedN::Assumed(_)).then(|| consistent_sizes(&self.ours, reported)),
            effect: effect(&self.ours, nearest(published, self.ours.point())),
            games_to_decide: is_undecided
                .then(|| self.power(reported).games_to_refuse(&prediction))
                .flatten(),
            thresholds: None,
        })
    }

    /// What comes of a published number. One that was not refused is consistent only if it could have been.
    fn ruling(&self, published: Published) -> (Ruling, Prediction) {
        let reported = reported(published, self.rounding);
        let prediction = predict(&self.ours, self.n_published, reported);
        let ruling = match ruling_of(prediction.agreement) {
            Ruling::Consistent if !self.power(reported).can_refuse(&prediction) => Ruling::Undecided,
            ruling => ruling,
        };
        (ruling, prediction)
    }

    const fn power(&self, reported: Reported) -> Power<'_> {
        Power { ours: self.ours, n_published: self.n_published, reported, limits: self.limits }
    }
}

fn reported(published: Published, rounding: f64) -> Reported {
    match published {
        Published::Number(value) => Reported::number(value, rounding),
        Published::Range(low, high) => Reported::range(low, high, rounding),
    }
}

const fn ruling_of(agreement: Agreement) -> Ruling {
    match agreement {
        Agreement::Consistent => Ruling::Consistent,
        Agreement::Higher => Ruling::Higher,
        Agreement::Lower => Ruling::Lower,
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

/// The test of a ratio of two experiments. Wherever both sides have games, a ratio that is far enough off is
/// refused.
struct RatioTest<'a> {
    ours: &'a Sample,
    theirs: &'a Sample,
    n_published: u64,
    rounding: f64,
}

impl RatioTest<'_> {
    fn predict(&self, published: Published) -> Prediction {
        predict_ratio(self.ours, self.theirs, self.n_published, reported(published, self.rounding))
    }

    fn judge(&self, published: Published) -> Result<Found, Untestable> {
        let prediction = self.predict(published);
        if !prediction.high.is_finite() {
            return Err(Untestable::FewTimed);
        }
        Ok(Found {
            ruling: ruling_of(prediction.agreement),
            ours: ratio_of_logs(self.ours, self.theirs),
            prediction,
            sizes: None,
            effect: Some(Effect::Ratio(prediction.ours / nearest(published, prediction.ours))),
            games_to_decide: None,
            thresholds: None,
        })
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
