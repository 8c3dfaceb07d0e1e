//! Search methods: the trait that each implements in a file of its own, and the list of all of them.
//!
//! A method's file holds all about it: its settings with their ranges and the words of their schema, further
//! checks, how many trials it can take, its words for tables, its small variant for a smoke test, and what it
//! proposes. To add one, write `methods/<kind>.rs` and add its module and its line to the list below.

use std::ops::{Deref, DerefMut};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::MOST_TRIALS;
use crate::{Proposal, SearchProblem, Trial};

/// Declares functions for the defaults of settings, which serde asks for by name.
macro_rules! defaults {
    ($($name:ident: $type:ty = $default:expr;)+) => {
        $(const fn $name() -> $type { $default })+
    };
}

mod bayes;
mod genetic;
mod halton;
mod latin;
mod nsga;
mod race;
mod sample;
mod sobol;
mod surrogate;

/// Makes an enum of all methods, which is a [`Method`] itself.
macro_rules! methods {
    ($($module:ident::$method:ident,)*) => {
        $(pub use $module::$method;)*

        /// How a study searches.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "kind", rename_all = "kebab-case")]
        #[allow(missing_docs, reason = "the settings of each method say what it does")]
        pub enum SearchMethod {
            $($method($method),)*
        }

        impl SearchMethod {
            /// The name of its kind, as manifests write it.
            pub const fn kind(&self) -> &'static str {
                match self {
                    $(Self::$method(_) => stringify!($module),)*
                }
            }
        }

        impl Deref for SearchMethod {
            type Target = dyn Method;

            fn deref(&self) -> &Self::Target {
                match self {
                    $(Self::$method(method) => method,)*
                }
            }
        }

        impl DerefMut for SearchMethod {
            fn deref_mut(&mut self) -> &mut Self::Target {
                match self {
                    $(Self::$method(method) => method,)*
                }
            }
        }

        $(impl From<$method> for SearchMethod {
            fn from(method: $method) -> Self {
                Self::$method(method)
            }
        })*
    };
}

methods! {
    genetic::Genetic,
    sobol::Sobol,
    latin::Latin,
    bayes::Bayes,
    nsga::Nsga,
    surrogate::Surrogate,
    race::Race,
    halton::Halton,
}

pub use genetic::{Generation, Rating};
pub use sobol::sobol;

/// How many trials a batch has at most in a smoke test, which has two batches.
const SMOKE_TRIALS: usize = 4;

/// A search method. From the finished batches follows the next one.
pub trait Method {
    /// What holds for it, with its settings.
    fn facts(&self) -> MethodFacts;

    /// How it searches: the beginning of a sentence.
    fn description(&self) -> String;

    /// Takes over how many games a trial of its study has, if its settings depend on it.
    fn set_games(&mut self, _games: u64) {}

    /// Checks what the schema of its settings does not say.
    fn check(&self) -> Result<(), SettingError> {
        Ok(())
    }

    /// The same method in two batches of a few trials.
    fn smoke_sized(&self) -> SearchMethod;

    /// The best and the mean loss of every finished generation, if the method has generations to show.
    fn generations(&self, _study: &SearchProblem, _finished: &[Vec<Trial>]) -> Option<Vec<Generation>> {
        None
    }

    /// What proposes a study's batches, from its first one on.
    fn proposer<'a>(&'a self, study: &'a SearchProblem) -> Box<dyn Proposer + 'a>;

    /// The proposals of the next batch; none if the search has ended.
    ///
    /// The same study and the same finished batches give the same proposals, always and everywhere.
    fn propose(&self, study: &SearchProblem, finished: &[Vec<Trial>]) -> Vec<Proposal> {
        self.proposer(study).next(finished)
    }
}

/// What holds for a method with its settings.
#[derive(Clone, Copy, Debug)]
pub struct MethodFacts {
    /// Its name in tables and figures.
    pub name: &'static str,
    /// What one of its batches is called, and several of them.
    pub batch_words: (&'static str, &'static str),
    /// The most trials that it can take.
    pub most_trials: u64,
    /// The most batches that it can take.
    pub most_batches: u64,
    /// The most trials that a study by this method may have.
    pub trial_limit: u64,
    /// The most games that it can play, if that does not follow from the trials.
    pub most_games: Option<u64>,
    /// The most points that it can try.
    pub most_points: u64,
    /// How many trials it has, or at most has, if that is known beforehand.
    pub trials: Option<u64>,
    /// Whether it searches for one objective only.
    pub takes_one_objective: bool,
    /// Whether all points must play the same games.
    pub needs_common_games: bool,
    /// Whether it looks at the score of every game, and not at the mean of a trial alone.
    pub needs_each_score: bool,
    /// Whether all trials of a point count for it together. Otherwise the best of them does.
    pub pools_trials: bool,
    /// Which points may win.
    pub eligible: Eligible,
}

impl MethodFacts {
    /// The usual facts of a method with this many trials and batches.
    const fn new(name: &'static str, most_trials: u64, most_batches: u64) -> Self {
        Self {
            name,
            batch_words: ("batch", "batches"),
            most_trials,
            most_batches,
            trial_limit: MOST_TRIALS,
            most_games: None,
            most_points: most_trials,
            trials: Some(most_trials),
            takes_one_objective: false,
            needs_common_games: false,
            needs_each_score: true,
            pools_trials: true,
            eligible: Eligible::All,
        }
    }

    /// The same with a first batch and some further ones.
    fn of_batches(name: &'static str, first: usize, batches: usize, batch: usize) -> Self {
        Self::new(name, trials_of(first, batches, batch), 1 + batches as u64)
    }
}

/// Which points of a study may win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eligible {
    /// All of them.
    All,
    /// Those that the method has kept to the end: points that were tried once are not known well enough.
    KeptToTheEnd,
    /// Those with the most trials: the method has dropped the others.
    MostTrials,
}

/// A setting that does not fit the others.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{setting}` {problem}")]
pub struct SettingError {
    /// The setting.
    pub setting: &'static str,
    /// Its value, and what it must be.
    pub problem: String,
}

/// Checks a setting.
fn require(
    is_right: bool,
    setting: &'static str,
    problem: impl FnOnce() -> String,
) -> Result<(), SettingError> {
    if is_right { Ok(()) } else { Err(SettingError { setting, problem: problem() }) }
}

/// The trials of a first batch and some further ones.
fn trials_of(first: usize, batches: usize, batch: usize) -> u64 {
    (first as u64).saturating_add((batches as u64).saturating_mul(batch as u64))
}

/// A number of things, such as `1,000 points`.
fn counted(count: usize, noun: &str) -> String {
    text::counted(count as u64, noun)
}

/// Proposes batch after batch of a study. It keeps what it has computed from the batches it has seen, so that
/// a whole study is followed in about the time that its trials take to read; a new one proposes the same.
pub trait Proposer {
    /// The proposals of the next batch, as [`Method::propose`] gives them. The finished batches begin with
    /// those of the last call.
    fn next(&mut self, finished: &[Vec<Trial>]) -> Vec<Proposal>;
}

/// A function keeps nothing.
impl<F: FnMut(&[Vec<Trial>]) -> Vec<Proposal>> Proposer for F {
    fn next(&mut self, finished: &[Vec<Trial>]) -> Vec<Proposal> {
        self(finished)
    }
}

/// The batches that have not been seen yet, each with its number; from now on they have.
pub(crate) fn unseen<'a>(
    seen: &mut usize,
    finished: &'a [Vec<Trial>],
) -> impl Iterator<Item = (usize, &'a Vec<Trial>)> + use<'a> {
    let first = std::mem::replace(seen, finished.len());
    debug_assert!(first <= finished.len(), "a study never takes back a batch");
    finished.iter().enumerate().skip(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{GENETIC, noisy_schaffer, noisy_sphere, play, real_study};

    fn genetic(rating: Rating) -> Genetic {
        Genetic { population: 20, iterations: 12, rating, ..GENETIC }
    }

    /// Every method, small.
    fn methods() -> Vec<Box<dyn Method>> {
        vec![
            Box::new(genetic(Rating::Once)),
            Box::new(genetic(Rating::AllGames)),
            Box::new(Sobol { points: 20, batch: 6 }),
            Box::new(Latin { points: 20, batch: 6 }),
            Box::new(Halton { points: 20, batch: 6 }),
            Box::new(Bayes { start: 6, batches: 3, batch: 2 }),
            Box::new(Nsga::usual(8, 8)),
            Box::new(Surrogate { start: 8, rounds: 3, batch: 3, error: 0.2, epochs: 60 }),
            Box::new(Race { points: 10, first: 2, most: 64, winners: 1 }),
        ]
    }

    #[test]
    fn a_proposer_that_follows_a_study_proposes_what_a_new_one_does() {
        let study = real_study(2, 11);
        for (number, method) in methods().iter().enumerate() {
            for function in [noisy_sphere, noisy_schaffer] {
                let batches = play(method.as_ref(), &study, function);
                assert!(batches.len() >= 3, "method {number}");
                let mut proposer = method.proposer(&study);
                for done in 0..=batches.len() {
                    let proposals = method.propose(&study, &batches[..done]);
                    assert_eq!(proposer.next(&batches[..done]), proposals, "method {number}, batch {done}");
                    assert_eq!(proposer.next(&batches[..done]), proposals, "asked twice");
                    let points = proposals.iter().map(|proposal| &proposal.point);
                    assert!(points.eq(batches.get(done).into_iter().flatten().map(|trial| &trial.point)));
                }
            }
        }
    }

    #[test]
    fn five_hundred_generations_are_followed_in_the_time_of_their_trials() {
        let study = real_study(4, 12);
        for rating in [Rating::Once, Rating::AllGames] {
            let genetic = Genetic { population: 50, iterations: 500, ..genetic(rating) };
            let start = std::time::Instant::now();
            let batches = play(&genetic, &study, noisy_sphere);
            assert_eq!(batches.len(), 501);
            // It takes a third of a second; to begin at the first generation each time took minutes.
            assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
        }
    }

    #[test]
    fn a_manifest_may_omit_what_is_usual_and_nothing_else_may_stand_in_it() {
        let genetic = r#"{"population": 50, "iterations": 500, "mutation_probability": 0.1, "crossover_probability": 0.5"#;
        let read: Genetic = serde_json::from_str(&format!("{genetic}}}")).unwrap();
        assert_eq!((read.parents_portion, read.elite_ratio, read.rating), (0.3, 0.01, Rating::Once));
        let read: Genetic = serde_json::from_str(&format!(r#"{genetic}, "rating": "all-games"}}"#)).unwrap();
        assert_eq!(read.rating, Rating::AllGames);
        let unknown = serde_json::from_str::<Genetic>(&format!(r#"{genetic}, "elit_ratio": 0.1}}"#));
        assert!(unknown.unwrap_err().to_string().starts_with("unknown field `elit_ratio`"));
        let nsga: Nsga = serde_json::from_str(r#"{"population": 40, "generations": 20}"#).unwrap();
        assert_eq!(nsga, Nsga::usual(40, 20));
        let surrogate: Surrogate = serde_json::from_str(r#"{"start": 20, "rounds": 5, "batch": 4}"#).unwrap();
        assert_eq!((surrogate.error, surrogate.epochs), (0.1, 2000));
        let race: Race =
            serde_json::from_str(r#"{"points": 64, "first": 8, "most": 256, "winners": 3}"#).unwrap();
        assert_eq!(race, Race { points: 64, first: 8, most: 256, winners: 3 });
    }
}
