//! The training as a host drives it: what a manifest can set about it.

use std::io::{self, Read, Write};

use engine::Rules;
use engine::agent::{Failure, Host, Refusal};
use engine::training::{Trained, Training};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tuples::{CellValues, Hosted, Network, Sampling, Tuple, TupleError};

use crate::agent::WEIGHTS;
use crate::training::{Place, Recipe, Restart, Trainer};

/// The training of an [`crate::NTuple`].
pub struct Learning(Hosted<Trainer>);

/// What determines what is learned.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Params {
    /// The cells of each tuple as hexadecimal digits, apart by blanks.
    pub tuples: String,
    /// The overall rate, which multiplies that of every weight.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub alpha: f64,
    /// The weight of what came later in the game against the network's own estimate.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub lambda: f64,
    /// The value that every afterstate begins with.
    pub optimistic_start: f64,
    /// Which games are begun again, apart by blanks, one way after the other: SUM:SHORT for half of what a game has from this sum of tiles
    /// on, unless that is so short, SUM:xTIMES for so often from where it has this sum; both with :UNTIL for games of the training before
    /// this one.
    pub restarts: String,
    /// The step between two neighbouring weights in the file.
    #[schemars(range(min = 0.001, max = 1000.0))]
    pub step: f64,
    /// How far a weight must have moved in all to be in the file: those that have hardly moved belong to boards that are hardly ever seen.
    #[schemars(range(min = 0.0))]
    pub least_moved: f64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            tuples: "012345 456789 012456 45689a".to_owned(),
            alpha: 1.0,
            lambda: 0.5,
            optimistic_start: 0.0,
            restarts: String::new(),
            step: 8.0,
            least_moved: 0.0,
        }
    }
}

impl Training for Learning {
    type Params = Params;

    const ROLE: &'static str = WEIGHTS;
    const VERSION: &'static str = "1.0.0";

    fn create(rules: &Rules, params: Params, seed: u64, _host: Host) -> Result<Self, Refusal> {
        if *rules != Rules::default() {
            return Err(Refusal::Rules("the training is of the standard game".to_owned()));
        }
        let (step, least_moved) = (params.step as f32, params.least_moved as f32);
        let trainer = Trainer::new(recipe(&params, seed)?).map_err(|error| {
            Refusal::Failed(format!("there is not enough memory for the network: {error}"))
        })?;
        Ok(Self(Hosted::new(trainer, step, least_moved)))
    }

    fn next_game(&mut self) -> Result<Trained, Failure> {
        Ok(self.0.next_game())
    }

    fn save(&self, checkpoint: &mut dyn Write) -> io::Result<()> {
        self.0.save(checkpoint)
    }

    fn load(&mut self, checkpoint: &mut dyn Read) -> Result<(), Failure> {
        self.0.load(checkpoint)
    }

    fn artefact(&self, file: &mut dyn Write) -> io::Result<()> {
        self.0.artefact(file)
    }
}

fn recipe(params: &Params, seed: u64) -> Result<Recipe, Refusal> {
    let wrong = |name: &str, problem: String| Refusal::Params(format!("parameter `{name}`: {problem}"));
    for (name, share) in [("alpha", params.alpha), ("lambda", params.lambda)] {
        if !(0.0..=1.0).contains(&share) {
            return Err(wrong(name, format!("{share} is not from 0 to 1")));
        }
    }
    if !(params.step > 0.0 && params.step.is_finite()) {
        return Err(wrong("step", format!("{} is not a positive number", params.step)));
    }
    let tuples: Result<Vec<Tuple>, TupleError> = params.tuples.split_whitespace().map(str::parse).collect();
    let tuples = tuples.map_err(|error| wrong("tuples", error.to_string()))?;
    if tuples.is_empty() || tuples.len() > 64 {
        return Err(wrong("tuples", "write 1 to 64 of them, such as 012345 456789".to_owned()));
    }
    let restarts: Result<_, String> = params.restarts.split_whitespace().map(restart).collect();
    Ok(Recipe {
        network: Network::new(tuples, Sampling::Symmetric, CellValues::Sixteen),
        alpha: params.alpha as f32,
        lambda: params.lambda as f32,
        optimistic_start: params.optimistic_start as f32,
        restarts: restarts.map_err(|problem| wrong("restarts", problem))?,
        seed,
    })
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
        Some(times) => Place::Beginning { times: times.parse().map_err(|_| form())? },
        None => Place::Halfway { short: from.parse().map_err(|_| form())? },
    };
    let until = until.map_or(Ok(u64::MAX), str::parse).map_err(|_| form())?;
    Ok(Restart { late: late.parse().map_err(|_| form())?, from, until })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restarts_are_written_one_after_the_other() {
        let of = |text: &str| recipe(&Params { restarts: text.to_owned(), ..Params::default() }, 1);
        let halfway = Restart { late: 16384, from: Place::Halfway { short: 10 }, until: 500 };
        let beginning = Restart { late: 24576, from: Place::Beginning { times: 8 }, until: u64::MAX };
        assert_eq!(of("16384:10:500 24576:x8").unwrap().restarts, [halfway, beginning]);
        assert_eq!(of("").unwrap().restarts, []);
        for wrong in ["16384", "a:10", "1:x", "1:2:3:4", "1:2:x"] {
            assert!(
                matches!(of(wrong), Err(Refusal::Params(text)) if text.contains("`restarts`")),
                "{wrong}"
            );
        }
    }

    #[test]
    fn parameters_out_of_range_are_refused_by_name() {
        let refused = |params: Params, name: &str| match recipe(&params, 1) {
            Err(Refusal::Params(text)) => assert!(text.contains(name), "{text}"),
            other => panic!("{name}: {other:?}"),
        };
        refused(Params { alpha: 1.5, ..Params::default() }, "`alpha`");
        refused(Params { lambda: f64::NAN, ..Params::default() }, "`lambda`");
        refused(Params { step: 0.0, ..Params::default() }, "`step`");
        refused(Params { tuples: String::new(), ..Params::default() }, "`tuples`");
        refused(Params { tuples: "0g".to_owned(), ..Params::default() }, "`tuples`");
    }
}
