//! Numeric claims: a published number against the same metric of our games.

use super::{Court, Effect, Grounds, Ruling, Taken, Untestable, logs};
use manifest::{ClaimKind, Metric, Published, PublishedN, Statistic};
use stats::{Agreement, Measured, Reported, consistent_sizes, predict, predict_ratio, ratio_of_logs};

pub(super) fn judge(court: &Court<'_>, claim: &ClaimKind) -> Result<(Ruling, Grounds), Untestable> {
    let ClaimKind::Numeric { metric, experiment, reference, published, n, rounding, .. } = claim else {
        unreachable!("only numeric claims are asked for")
    };
    let reported = reported(*published, *rounding);
    if let Some(reference) = reference {
        return ratio(court, *metric, [experiment, reference], *published, reported, n.games());
    }
    let games = court.games(experiment)?;
    let taken = Taken::of(*metric, games)?;
    let ours = taken.measured(*metric);
    let prediction = predict(&ours, n.games(), reported);
    if prediction.is_empty() {
        return Err(Untestable::FewGames { n: prediction.n, published: prediction.n_published });
    }
    let sizes = match n {
        PublishedN::Known(_) => None,
        PublishedN::Assumed(_) => Some(consistent_sizes(&ours, reported)),
    };
    let grounds = Grounds::Numeric {
        ours: ours.estimate(),
        prediction,
        sizes,
        effect: effect(&ours, nearest(*published, ours.point())),
    };
    Ok((ruling(prediction.agreement), grounds))
}

fn reported(published: Published, rounding: f64) -> Reported {
    match published {
        Published::Number(value) => Reported::number(value, rounding),
        Published::Range(low, high) => Reported::range(low, high, rounding),
    }
}

const fn ruling(agreement: Agreement) -> Ruling {
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

/// The ratio of two experiments: of CPU times of a move, or of geometric means.
fn ratio(
    court: &Court<'_>,
    metric: Metric,
    [experiment, reference]: [&str; 2],
    published: Published,
    reported: Reported,
    n_published: u64,
) -> Result<(Ruling, Grounds), Untestable> {
    let ours = logs(metric, court.games(experiment)?, experiment)?;
    let theirs = logs(metric, court.games(reference)?, reference)?;
    let prediction = predict_ratio(&ours, &theirs, n_published, reported);
    if !prediction.high.is_finite() {
        return Err(Untestable::FewTimed);
    }
    let effect = Some(Effect::Ratio(prediction.ours / nearest(published, prediction.ours)));
    let grounds = Grounds::Numeric { ours: ratio_of_logs(&ours, &theirs), prediction, sizes: None, effect };
    Ok((ruling(prediction.agreement), grounds))
}
