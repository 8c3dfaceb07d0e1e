//! What a study tried, in the form in which its figures take it: the parameters with their axes, the trials,
//! points that have a name, and a rule by which thousands of trials become few enough to be drawn.

use stats::Estimate;

use super::axis::Axis;
use super::numbers::{counted, short, thousands};

/// A parameter that a study searches.
#[derive(Clone, Debug)]
pub struct StudyParameter {
    /// What the agent calls it.
    pub name: String,
    /// Where its values lie.
    pub axis: ParameterAxis,
}

/// Where the values of a parameter lie.
#[derive(Clone, Debug)]
pub enum ParameterAxis {
    /// From one number to the other.
    Linear(f64, f64),
    /// From one number above zero to the other, by their logarithms.
    Logarithmic(f64, f64),
    /// One of these; a value is a place in the list.
    Choices(Vec<String>),
}

/// Parameters that a study tried.
#[derive(Clone, Debug)]
pub struct TrialPoint {
    /// The batch or iteration they belong to.
    pub batch: u32,
    /// How they came about, as a place in [`Pareto::origins`](crate::Pareto::origins).
    pub origin: usize,
    /// A value for each parameter.
    pub values: Vec<f64>,
    /// The mean score that they had in the study.
    pub score: f64,
    /// The cost of a move there, above zero, if it is known.
    pub cost: Option<f64>,
}

/// Parameters that are shown among those tried: the default or a winner.
#[derive(Clone, Debug)]
pub struct NamedPoint {
    /// What they are called.
    pub label: String,
    /// A value for each parameter; none if it has no place on the axis.
    pub values: Vec<Option<f64>>,
    /// The mean score on held-out games, once they are played.
    pub score: Option<Estimate>,
    /// The cost of a move there, above zero; its interval may be unknown and then has no end.
    pub cost: Option<Estimate>,
}

/// What a study tried, for the figures that show all of it.
#[derive(Clone, Debug)]
pub struct StudyTrials {
    /// The parameters.
    pub parameters: Vec<StudyParameter>,
    /// All trials that did not fault.
    pub trials: Vec<TrialPoint>,
    /// The default.
    pub default: Option<NamedPoint>,
    /// The best of the study, at the scores that they have on held-out games.
    pub winners: Vec<NamedPoint>,
    /// What batches are called: "iterations".
    pub batches: String,
}

impl StudyTrials {
    /// The default and the winners.
    pub(super) fn named(&self) -> impl Iterator<Item = &NamedPoint> {
        self.default.iter().chain(&self.winners)
    }
}

/// What the figures of studies measure.
pub(super) const SCORE: &str = "mean score";

/// Its multiples fall evenly between 0 and 1, and in no order that shows.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Room at either end of a parameter's axis, as a part of its length.
const ROOM: f64 = 0.04;

impl StudyParameter {
    /// Where a value lies on the axis.
    pub(super) fn place(&self, value: f64) -> f64 {
        if matches!(self.axis, ParameterAxis::Logarithmic(..)) { libm::log10(value) } else { value }
    }

    /// The first and the last place.
    pub(super) fn ends(&self) -> (f64, f64) {
        match &self.axis {
            ParameterAxis::Linear(from, to) | ParameterAxis::Logarithmic(from, to) => {
                (self.place(*from), self.place(*to))
            }
            ParameterAxis::Choices(names) => (0.0, names.len().saturating_sub(1) as f64),
        }
    }

    /// The axis, with room at its ends.
    pub(super) fn scale(&self) -> Axis {
        let (low, high) = self.ends();
        let room = (high - low) * ROOM;
        match &self.axis {
            ParameterAxis::Linear(..) => Axis::numbers(low, high, 4),
            ParameterAxis::Logarithmic(from, to) => Axis::logarithmic(*from, *to, short),
            ParameterAxis::Choices(names) => {
                let ticks = names.iter().enumerate().map(|(place, name)| (place as f64, name.clone()));
                return Axis::new(low - 0.5, high + 0.5, ticks.collect());
            }
        }
        .between(low - room, high + room)
    }

    /// The place of a trial's value: choices are spread over the width of their place, by the number of the
    /// trial alone.
    pub(super) fn spread(&self, value: f64, trial: usize) -> f64 {
        let shift = (((trial + 1) as f64 * GOLDEN).fract() - 0.5) * 0.6;
        if self.is_choice() { value + shift } else { self.place(value) }
    }

    /// Whether it is one of a list.
    pub(super) fn is_choice(&self) -> bool {
        matches!(self.axis, ParameterAxis::Choices(_))
    }

    /// Its name, with its scale where that is not the usual one.
    pub(super) fn title(&self) -> String {
        match self.axis {
            ParameterAxis::Logarithmic(..) => format!("{} (logarithmic)", self.name),
            _ => self.name.clone(),
        }
    }

    /// Whether a value has a place on the axis.
    pub(super) fn holds(&self, value: f64) -> bool {
        let (low, high) = self.ends();
        let place = self.place(value);
        place.is_finite() && place >= low - 1e-9 && place <= high + 1e-9
    }
}

/// The places of at most about `most` of `count` things. Multiples of the golden ratio choose them, so that
/// neither every second nor every tenth is preferred: trials alternate in how they were made.
pub(super) fn thinned(count: usize, most: usize) -> Vec<usize> {
    let share = most as f64 / count.max(1) as f64;
    (0..count).filter(|place| share >= 1.0 || ((place + 1) as f64 * GOLDEN).fract() < share).collect()
}

/// How many there are, and how many of them are drawn: `all 60 trials`, `778 of 17,050 trials`.
pub(super) fn drawn_of(drawn: usize, count: usize) -> String {
    match drawn == count {
        true if count > 1 => format!("all {}", counted(count as u64, "trial")),
        true => counted(count as u64, "trial"),
        false => format!("{} of {}", thousands(drawn as f64), counted(count as u64, "trial")),
    }
}

/// An interval, where it has two ends.
pub(super) fn bounded(estimate: &Estimate) -> Option<(f64, f64)> {
    (estimate.low.is_finite() && estimate.high.is_finite()).then_some((estimate.low, estimate.high))
}

/// A number with its interval, where that has two ends: what an axis has to hold.
pub(super) fn reach(estimate: &Estimate) -> impl Iterator<Item = f64> + use<> {
    let ends = bounded(estimate).map(|(low, high)| [low, high]);
    std::iter::once(estimate.point).chain(ends.into_iter().flatten())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_prefers_no_remainder() {
        let kept = thinned(17_050, 1200);
        assert!(kept.len().abs_diff(1200) < 5, "{}", kept.len());
        for modulus in [2, 3, 10, 34, 50] {
            let mut counts = vec![0_usize; modulus];
            kept.iter().for_each(|place| counts[place % modulus] += 1);
            let expected = 1200 / modulus;
            assert!(
                counts.iter().all(|count| count.abs_diff(expected) <= expected / 3 + 2),
                "{modulus}: {counts:?}"
            );
        }
    }

    #[test]
    fn few_are_all_kept() {
        assert_eq!(thinned(5, 5), [0, 1, 2, 3, 4]);
        assert_eq!(thinned(0, 5), [0_usize; 0]);
    }

    #[test]
    fn the_places_of_an_axis_follow_its_scale() {
        let of = |axis| StudyParameter { name: "p".into(), axis };
        assert_eq!(of(ParameterAxis::Logarithmic(1.0, 1000.0)).place(10.0), 1.0);
        let labels = |axis| of(axis).scale().ticks.into_iter().map(|(_, label)| label).collect::<Vec<_>>();
        assert_eq!(labels(ParameterAxis::Linear(0.05, 0.25)), ["0.05", "0.1", "0.15", "0.2", "0.25"]);
        assert_eq!(labels(ParameterAxis::Logarithmic(0.1, 2.0)), ["0.1", "0.2", "0.5", "1", "2"]);
        assert_eq!(labels(ParameterAxis::Choices(vec!["URDL".into(), "LRUD".into()])), ["URDL", "LRUD"]);
        assert!(!of(ParameterAxis::Linear(250.0, 750.0)).holds(800.0));
    }
}
