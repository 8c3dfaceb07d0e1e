//! Ordinal claims: one experiment beats another.

use super::{Court, Effect, Grounds, Ruling, Untestable};
use manifest::{ClaimKind, Metric, Statistic, Wins};
use stats::{Estimate, Lead, Measured, Order, Sample, exponential, lead, superiority};

/// The smallest lead that is seen with 80 % power, over half the width of its interval: 1 + z(0.8) / z(0.975).
const POWER_FACTOR: f64 = 1.429_42;

pub(super) fn judge(court: &Court<'_>, claim: &ClaimKind) -> Result<(Ruling, Grounds), Untestable> {
    let ClaimKind::Ordinal { metric, better, worse, wins } = claim else {
        unreachable!("only ordinal claims are asked for")
    };
    let lower_wins = *wins == Wins::Lower;
    if metric.is_timed() {
        return times(court, *metric, [better, worse], lower_wins);
    }
    let (ahead, behind) = (court.games(better)?, court.games(worse)?);
    let (one, other) = (metric.measure(ahead)?, metric.measure(behind)?);
    let (one, other) = (one.measured(), other.measured());
    let found = lead(&one, &other, lower_wins).ok_or(Untestable::DifferentStatistics)?;
    let effect = effect(*metric, &one, &other, lower_wins);
    Ok(judged(*metric, found, [one.estimate(), other.estimate()], effect))
}

/// The verdict on games, with the number of them that would decide what they do not.
fn judged(
    metric: Metric,
    found: Lead,
    estimates: [Estimate; 2],
    effect: Option<Effect>,
) -> (Ruling, Grounds) {
    let (ruling, mut grounds) = verdict(found, estimates, effect);
    if let Grounds::Ordinal { better, worse, lead, visible: Some(visible), games_to_decide, .. } =
        &mut grounds
        && ruling == Ruling::Undecided
        && !is_extreme(metric)
    {
        *games_to_decide = games_to_see(lead.point, *visible, [better.n, worse.n]);
    }
    (ruling, grounds)
}

pub(super) fn verdict(
    found: Lead,
    [better, worse]: [Estimate; 2],
    effect: Option<Effect>,
) -> (Ruling, Grounds) {
    let ruling = match found.order {
        Order::Confirmed => Ruling::Confirmed,
        Order::Contradicted => Ruling::Contradicted,
        Order::Undecided => Ruling::Undecided,
    };
    let lead = found.lead;
    let visible = Some((lead.high - lead.low) / 2.0 * POWER_FACTOR).filter(|visible| visible.is_finite());
    (ruling, Grounds::Ordinal { better, worse, lead, visible, effect, games_to_decide: None })
}

/// Extremes move with the number of games, so that their intervals do not shrink as others do.
const fn is_extreme(metric: Metric) -> bool {
    matches!(metric, Metric::Summary { statistic: Statistic::Minimum | Statistic::Maximum, .. })
}

/// How many games of each would see a lead of this size with 80 % power, where these many see the `visible` one: intervals shrink with the
/// root of the number of games. Rounded up to two digits, since the lead is known no better; none where there is no lead, or no number of
/// games that could be played.
fn games_to_see(lead: f64, visible: f64, games: [u64; 2]) -> Option<[u64; 2]> {
    const MOST: f64 = 1e9;
    let times = (visible / lead).powi(2);
    let wanted = games.map(|games| games as f64 * times);
    (times > 1.0 && wanted.iter().all(|games| *games < MOST)).then(|| wanted.map(two_digits))
}

fn two_digits(number: f64) -> u64 {
    let digits = libm::floor(libm::log10(number)).max(1.0) - 1.0;
    let unit = libm::pow(10.0, digits);
    ((number / unit).ceil() * unit) as u64
}

/// How often a game of the better one beats one of the other.
fn effect(metric: Metric, one: &Measured<'_>, other: &Measured<'_>, lower_wins: bool) -> Option<Effect> {
    if !matches!(metric, Metric::Summary { quantity, .. } if quantity.compares_games()) {
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
    metric: Metric,
    [better, worse]: [&str; 2],
    lower_wins: bool,
) -> Result<(Ruling, Grounds), Untestable> {
    let one = metric.logs(court.games(better)?, better)?;
    let other = metric.logs(court.games(worse)?, worse)?;
    let mean = |sample| Measured::Summary(Statistic::Mean, sample);
    let (one, other) = (mean(&one), mean(&other));
    let found = lead(&one, &other, lower_wins).ok_or(Untestable::DifferentStatistics)?;
    let estimates = [one, other].map(|measured| exponential(measured.estimate()));
    let (ruling, mut grounds) = judged(metric, found, estimates, None);
    // A difference of logarithms is a ratio.
    if let Grounds::Ordinal { lead, visible, .. } = &mut grounds {
        (*lead, *visible) = (exponential(*lead), visible.map(libm::exp));
    }
    Ok((ruling, grounds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_times_the_games_see_half_the_lead() {
        assert_eq!(games_to_see(5.0, 10.0, [100, 25]), Some([400, 100]));
        assert_eq!(games_to_see(-5.0, 10.0, [100, 25]), Some([400, 100]), "whoever leads");
    }

    #[test]
    fn no_lead_is_seen_by_no_number_of_games() {
        assert_eq!(games_to_see(0.0, 10.0, [100, 100]), None);
        assert_eq!(games_to_see(1e-6, 10.0, [100, 100]), None, "nor one so small");
        assert_eq!(games_to_see(20.0, 10.0, [100, 100]), None, "and one that is larger has been seen");
        assert_eq!(games_to_see(10.0, 10.0, [100, 100]), None, "or as large as what these see");
        assert_eq!(games_to_see(1.0, 10.0, [9_000_000; 2]), Some([900_000_000; 2]));
        assert_eq!(games_to_see(1.0, 10.0, [10_000_000; 2]), None, "nobody plays a billion");
    }

    #[test]
    fn numbers_of_games_are_rounded_up_to_two_digits() {
        let rounded = [9.2, 10.0, 101.0, 4873.0, 99_100.0].map(two_digits);
        assert_eq!(rounded, [10, 10, 110, 4900, 100_000]);
    }
}
