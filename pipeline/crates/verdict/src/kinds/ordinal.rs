//! Ordinal claims: one experiment beats another.

use super::{
    ClaimContext, Effect, Grounds, GroundsTexts, Judgement, NO_DIFFERENCE, Ruling, Untestable, distance_text,
    effect_text, order_verb,
};
use manifest::{Metric, Statistic, Wins};
use stats::{Estimate, Lead, Measured, Order, Sample, exponential, lead, superiority};
use text::{nanoseconds, percent, thousands};

/// The smallest lead that is seen with 80 % power, over half the width of its interval: 1 + z(0.8) /
/// z(0.975).
const POWER_FACTOR: f64 = 1.429_42;

pub(super) fn judge(
    context: &ClaimContext<'_>,
    metric: Metric,
    experiments: [&str; 2],
    wins: Wins,
) -> Result<Judgement, Untestable> {
    let lower_wins = wins == Wins::Lower;
    let found = if metric.is_timed() {
        times(context, metric, experiments, lower_wins)?
    } else {
        let [ahead, behind] = [context.games(experiments[0])?, context.games(experiments[1])?];
        let (one, other) = (metric.measure(ahead)?, metric.measure(behind)?);
        let (one, other) = (one.measured(), other.measured());
        let lead = lead(&one, &other, lower_wins).ok_or(Untestable::DifferentStatistics)?;
        let effect = effect(metric, &one, &other, lower_wins);
        let found = Found { effect, ..Found::of(lead, [one.estimate(), other.estimate()]) };
        found.with_games_to_decide(metric)
    };
    Ok(found.judgement(metric, wins))
}

/// The result of a comparison.
pub(super) struct Found {
    pub(super) ruling: Ruling,
    pub(super) better: Estimate,
    pub(super) worse: Estimate,
    pub(super) lead: Estimate,
    pub(super) visible: Option<f64>,
    effect: Option<Effect>,
    games_to_decide: Option<[u64; 2]>,
}

impl Found {
    pub(super) fn of(found: Lead, [better, worse]: [Estimate; 2]) -> Self {
        let ruling = match found.order {
            Order::Confirmed => Ruling::Confirmed,
            Order::Contradicted => Ruling::Contradicted,
            Order::Undecided => Ruling::Undecided,
        };
        let lead = found.lead;
        let visible = Some((lead.high - lead.low) / 2.0 * POWER_FACTOR).filter(|visible| visible.is_finite());
        Self { ruling, better, worse, lead, visible, effect: None, games_to_decide: None }
    }

    pub(super) fn grounds(&self) -> Grounds {
        let Self { better, worse, lead, visible, effect, games_to_decide, .. } = *self;
        Grounds::Ordinal { better, worse, lead, visible, effect, games_to_decide }
    }

    /// The number of games that would decide what these do not.
    fn with_games_to_decide(mut self, metric: Metric) -> Self {
        if self.ruling == Ruling::Undecided && !is_extreme(metric) {
            let games = [self.better.n, self.worse.n];
            self.games_to_decide =
                self.visible.and_then(|visible| games_to_see(self.lead.point, visible, games));
        }
        self
    }

    fn judgement(&self, metric: Metric, wins: Wins) -> Judgement {
        let Self { ruling, better, worse, lead, visible, effect, games_to_decide } = self;
        let reason = sentence(metric, wins, *ruling, [better, worse, lead], *effect)
            + &games_to_decide.map(lead_to_be_seen).unwrap_or_default();
        let scale = metric.scale();
        let value = |value: f64| if metric.is_timed() { nanoseconds(value) } else { scale.text(value) };
        let texts = GroundsTexts {
            reproduced: format!("{} against {}", value(better.point), value(worse.point)),
            expected: format!("lead {}", scale.interval(lead.low, lead.high)),
            games: format!("{} / {}", better.n, worse.n),
            effect: effect.map(effect_text).unwrap_or_default(),
            visible: visible
                .map_or_else(|| NO_DIFFERENCE.to_owned(), |visible| distance_text(scale, visible)),
            ..GroundsTexts::default()
        };
        Judgement { ruling: *ruling, grounds: self.grounds(), reason, texts }
    }
}

/// Extremes move with the number of games, so that their intervals do not shrink as others do.
const fn is_extreme(metric: Metric) -> bool {
    matches!(metric, Metric::Summary { statistic: Statistic::Minimum | Statistic::Maximum, .. })
}

/// How many games of each would see a lead of this size with 80 % power, where these many see the `visible`
/// one: intervals shrink with the root of the number of games. Rounded up to two digits, since the lead is
/// known no better; `None` if there is no lead, or no number of games that could be played.
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
    context: &ClaimContext<'_>,
    metric: Metric,
    [better, worse]: [&str; 2],
    lower_wins: bool,
) -> Result<Found, Untestable> {
    let one = metric.logs(context.games(better)?, better)?;
    let other = metric.logs(context.games(worse)?, worse)?;
    let mean = |sample| Measured::Summary(Statistic::Mean, sample);
    let (one, other) = (mean(&one), mean(&other));
    let found = lead(&one, &other, lower_wins).ok_or(Untestable::DifferentStatistics)?;
    let estimates = [one, other].map(|measured| exponential(measured.estimate()));
    let found = Found::of(found, estimates).with_games_to_decide(metric);
    // A difference of logarithms is a ratio.
    Ok(Found { lead: exponential(found.lead), visible: found.visible.map(libm::exp), ..found })
}

fn sentence(
    metric: Metric,
    wins: Wins,
    ruling: Ruling,
    [better, worse, lead]: [&Estimate; 3],
    effect: Option<Effect>,
) -> String {
    let verb = order_verb(ruling);
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

/// How many games of both would tell apart what is not told apart yet.
fn lead_to_be_seen([better, worse]: [u64; 2]) -> String {
    let [one, other] = [better, worse].map(|games| thousands(games as f64));
    let games =
        if better == worse { format!("{one} games of each") } else { format!("{one} and {other} games") };
    format!(" If the lead is as it looks, about {games} would decide it.")
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
