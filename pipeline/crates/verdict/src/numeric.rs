//! Numeric claims: a published number against the same metric of our games.

use super::thresholds::thresholds;
use super::{Court, Effect, Grounds, Ruling, Untestable};
use manifest::{ClaimKind, Published, PublishedN, Statistic};
use stats::{
    Agreement, Limits, Measured, Power, Prediction, Reported, Sample, consistent_sizes, predict,
    predict_ratio, ratio_of_logs,
};

pub(super) fn judge(court: &Court<'_>, claim: &ClaimKind) -> Result<(Ruling, Grounds), Untestable> {
    let ClaimKind::Numeric { metric, experiment, reference, published, chosen, n, rounding, .. } = claim
    else {
        unreachable!("only numeric claims are asked for")
    };
    let (low, high) = metric.limits();
    let limits = Limits { low, high };
    let games = court.games(experiment)?;
    let (n_published, rounding) = (n.games(), *rounding);
    if let Some(reference) = reference {
        let ours = metric.logs(games, experiment)?;
        let theirs = metric.logs(court.games(reference)?, reference)?;
        let test = RatioTest { ours: &ours, theirs: &theirs, n_published, rounding };
        let rule = |published| ruling_of(test.predict(published).agreement);
        let alike = chosen.and_then(|chosen| thresholds(*published, chosen, limits, rule));
        return test.judge(*published).map(|(ruling, grounds)| (ruling, grounds.with_thresholds(alike)));
    }
    let measurement = metric.measure(games)?;
    let test = Test { ours: measurement.measured(), n_published, rounding, limits };
    let alike =
        chosen.and_then(|chosen| thresholds(*published, chosen, limits, |other| test.ruling(other).0));
    let (ruling, grounds) = test.judge(*published, *n)?;
    Ok((ruling, grounds.with_thresholds(alike)))
}

/// The test of what a paper prints about a metric of one experiment.
struct Test<'a> {
    ours: Measured<'a>,
    n_published: u64,
    rounding: f64,
    limits: Limits,
}

impl Test<'_> {
    fn judge(&self, published: Published, n: PublishedN) -> Result<(Ruling, Grounds), Untestable> {
        let (ruling, prediction) = self.ruling(published);
        if prediction.is_empty() {
            return Err(Untestable::FewGames { n: prediction.n, published: prediction.n_published });
        }
        let reported = reported(published, self.rounding);
        let is_undecided = ruling == Ruling::Undecided;
        let grounds = Grounds::Numeric {
            ours: self.ours.estimate(),
            prediction,
            sizes: matches!(n, PublishedN::Assumed(_)).then(|| consistent_sizes(&self.ours, reported)),
            effect: effect(&self.ours, nearest(published, self.ours.point())),
            games_to_decide: is_undecided
                .then(|| self.power(reported).games_to_refuse(&prediction))
                .flatten(),
            thresholds: None,
        };
        Ok((ruling, grounds))
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

impl Grounds {
    fn with_thresholds(mut self, alike: Option<super::Thresholds>) -> Self {
        if let Self::Numeric { thresholds, .. } = &mut self {
            *thresholds = alike;
        }
        self
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

/// The test of a ratio of two experiments. Wherever both sides have games, a ratio that is far enough off is refused.
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

    fn judge(&self, published: Published) -> Result<(Ruling, Grounds), Untestable> {
        let prediction = self.predict(published);
        if !prediction.high.is_finite() {
            return Err(Untestable::FewTimed);
        }
        let grounds = Grounds::Numeric {
            ours: ratio_of_logs(self.ours, self.theirs),
            prediction,
            sizes: None,
            effect: Some(Effect::Ratio(prediction.ours / nearest(published, prediction.ours))),
            games_to_decide: None,
            thresholds: None,
        };
        Ok((ruling_of(prediction.agreement), grounds))
    }
}
