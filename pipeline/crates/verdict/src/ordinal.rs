//! Ordinal claims: one experiment beats another.

use super::{Court, Effect, Grounds, Ruling, Taken, Untestable, log_times};
use manifest::{ClaimKind, Metric, Quantity, Statistic, Wins};
use stats::{Estimate, Lead, Measured, Order, Sample, exponential, lead, superiority};

/// The smallest lead that is seen with 80 % power, over half the width of its interval: 1 + z(0.8) / z(0.975).
const POWER_FACTOR: f64 = 1.429_42;

pub(super) fn judge(court: &Court<'_>, claim: &ClaimKind) -> Result<(Ruling, Grounds), Untestable> {
    let ClaimKind::Ordinal { metric, better, worse, wins } = claim else {
        unreachable!("only ordinal claims are asked for")
    };
    let lower_wins = *wins == Wins::Lower;
    if metric.is_timed() {
        return times(court, better, worse, lower_wins);
    }
    let (ahead, behind) = (court.games(better)?, court.games(worse)?);
    let (one, other) = (Taken::of(*metric, ahead)?, Taken::of(*metric, behind)?);
    let (one, other) = (one.measured(*metric), other.measured(*metric));
    let found = lead(&one, &other, lower_wins).ok_or(Untestable::DifferentStatistics)?;
    let effect = effect(*metric, &one, &other, lower_wins);
    Ok(verdict(found, one.estimate(), other.estimate(), effect))
}

fn verdict(found: Lead, better: Estimate, worse: Estimate, effect: Option<Effect>) -> (Ruling, Grounds) {
    let ruling = match found.order {
        Order::Confirmed => Ruling::Confirmed,
        Order::Contradicted => Ruling::Contradicted,
        Order::Undecided => Ruling::Undecided,
    };
    let lead = found.lead;
    let visible = Some((lead.high - lead.low) / 2.0 * POWER_FACTOR).filter(|visible| visible.is_finite());
    (ruling, Grounds::Ordinal { better, worse, lead, visible, effect })
}

/// How often a game of the better one beats one of the other.
fn effect(metric: Metric, one: &Measured<'_>, other: &Measured<'_>, lower_wins: bool) -> Option<Effect> {
    if !matches!(
        metric,
        Metric::Summary { quantity: Quantity::Score | Quantity::TileSum | Quantity::Nodes, .. }
    ) {
        return None;
    }
    let (Some(one), Some(other)) = (sample(one), sample(other)) else { return None };
    let chance = if lower_wins { superiority(other, one) } else { superiority(one, other) };
    Some(Effect::Superiority(chance))
}

const fn sample<'a>(measured: &Measured<'a>) -> Option<&'a Sample> {
    match measured {
        Measured::Summary(Statistic::Mean | Statistic::Median, sample) => Some(sample),
        _ => None,
    }
}

/// CPU times of a move, by their logarithms; shown as times, and the lead as a ratio.
fn times(
    court: &Court<'_>,
    better: &str,
    worse: &str,
    lower_wins: bool,
) -> Result<(Ruling, Grounds), Untestable> {
    let one = log_times(court.games(better)?, better)?;
    let other = log_times(court.games(worse)?, worse)?;
    let mean = |sample| Measured::Summary(Statistic::Mean, sample);
    let (one, other) = (mean(&one), mean(&other));
    let found = lead(&one, &other, lower_wins).ok_or(Untestable::DifferentStatistics)?;
    let (ruling, grounds) = verdict(found, exponential(one.estimate()), exponential(other.estimate()), None);
    let Grounds::Ordinal { better, worse, lead, visible, effect } = grounds else {
        return Ok((ruling, grounds));
    };
    // A difference of logarithms is a ratio.
    let (lead, visible) = (exponential(lead), visible.map(libm::exp));
    Ok((ruling, Grounds::Ordinal { better, worse, lead, visible, effect }))
}
