//! What a manifest can set about the training.

use engine::prelude::*;
use tuples::{CellValues, LearnerParams, Network, Sampling, Tuple, TupleError};

use crate::trainer::{Restart, RestartPlace, TcRecipe, Trainer};

engine::params! {
    /// What determines what is learned.
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    pub struct Params {
        /// The cells of each tuple as hexadecimal digits, apart by blanks.
        pub tuples: String = "012345 456789 012456 45689a".to_owned(),
        /// The overall rate, which multiplies that of every weight.
        #[schemars(range(min = 0.0, max = 1.0))]
        pub alpha: f64 = 1.0,
        /// The weight of what came later in the game against the network's own estimate.
        #[schemars(range(min = 0.0, max = 1.0))]
        pub lambda: f64 = 0.5,
        /// The value that every afterstate begins with.
        pub optimistic_start: f64 = 0.0,
        /// Which games are begun again, apart by blanks, one way after the other: SUM:SHORT for half of what
        /// a game has from this sum of tiles on, unless that is so short, SUM:xTIMES for so often from where
        /// it has this sum; both with :UNTIL for games of the training before this one.
        pub restarts: String = String::new(),
        /// The step between two neighbouring weights in the file.
        #[schemars(range(min = 0.001, max = 1000.0))]
        pub step: f64 = 8.0,
        /// How far a weight must have moved in all to be in the file: those that have hardly moved belong to
        /// boards that are hardly ever seen.
        #[schemars(range(min = 0.0))]
        pub least_moved: f64 = 0.0,
    }
}

impl LearnerParams for Params {
    type Learner = Trainer;

    fn recipe(&self, seed: u64) -> Result<TcRecipe, Refusal> {
        let wrong = |name: &str, problem: String| Refusal::Params(format!("parameter `{name}`: {problem}"));
        Refusal::out_of_range("alpha", self.alpha, 0.0..=1.0)?;
        Refusal::out_of_range("lambda", self.lambda, 0.0..=1.0)?;
        let tuples: Result<Vec<Tuple>, TupleError> = self.tuples.split_whitespace().map(str::parse).collect();
        let tuples = tuples.map_err(|error| wrong("tuples", error.to_string()))?;
        if tuples.is_empty() || tuples.len() > 64 {
            return Err(wrong("tuples", "write 1 to 64 of them, such as 012345 456789".to_owned()));
        }
        let restarts: Result<_, String> = self.restarts.split_whitespace().map(restart).collect();
        Ok(TcRecipe {
            network: Network::new(tuples, Sampling::Symmetric, CellValues::Sixteen),
            alpha: self.alpha as f32,
            lambda: self.lambda as f32,
            optimistic_start: self.optimistic_start as f32,
            restarts: restarts.map_err(|problem| wrong("restarts", problem))?,
            seed,
        })
    }

    fn step(&self) -> f64 {
        self.step
    }

    fn least_moved(&self) -> f64 {
        self.least_moved
    }
}

/// One way to begin games again, as a manifest writes it.
fn restart(text: &str) -> Result<Restart, String> {
    let form = || {
        format!(
            "`{text}` is not of the form SUM:SHORT or SUM:xTIMES with or without :UNTIL, such as 16384:10:500000"
        )
    };
    let (late, from, until) = match text.split(':').collect::<Vec<_>>()[..] {
        [late, from] => (late, from, None),
        [late, from, until] => (late, from, Some(until)),
        _ => return Err(form()),
    };
    let from = match from.strip_prefix('x') {
        Some(times) => RestartPlace::Beginning { times: times.parse().map_err(|_| form())? },
        None => RestartPlace::Halfway { short: from.parse().map_err(|_| form())? },
    };
    let until = until.map_or(Ok(u64::MAX), str::parse).map_err(|_| form())?;
    Ok(Restart { late: late.parse().map_err(|_| form())?, from, until })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restarts_are_written_one_after_the_other() {
        let of = |text: &str| Params { restarts: text.to_owned(), ..Params::default() }.recipe(1);
        let halfway = Restart { late: 16384, from: RestartPlace::Halfway { short: 10 }, until: 500 };
        let beginning = Restart { late: 24576, from: RestartPlace::Beginning { times: 8 }, until: u64::MAX };
        assert_eq!(of("16384:10:500 24576:x8").unwrap().restarts, [halfway, beginning]);
        assert_eq!(of("").unwrap().restarts, []);
    }

    #[test]
    fn parameters_out_of_range_are_refused_by_name() {
        let restarts = ["16384", "a:10", "1:x", "1:2:3:4", "1:2:x"];
        let restarts = restarts.map(|text| Params { restarts: text.to_owned(), ..Params::default() });
        let tuples = ["", "0g"].map(|text| Params { tuples: text.to_owned(), ..Params::default() });
        let shares = [("`alpha`", Params { alpha: 1.5, ..Params::default() })];
        let lambda = [("`lambda`", Params { lambda: f64::NAN, ..Params::default() })];
        let named = |name: &'static str| move |params| (name, params);
        let texts =
            restarts.into_iter().map(named("`restarts`")).chain(tuples.into_iter().map(named("`tuples`")));
        for (name, params) in shares.into_iter().chain(lambda).chain(texts) {
            let refused = params.recipe(1);
            assert!(
                matches!(&refused, Err(Refusal::Params(text)) if text.contains(name)),
                "{name}: {refused:?}"
            );
        }
    }
}
