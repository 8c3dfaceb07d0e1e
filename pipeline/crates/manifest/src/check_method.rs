//! The method of a study: its kind, its settings, and whether its objectives, games and size fit them.

use search::{Evaluation, Race, Seeds};
use serde_json::{Map, Value};

use super::check::check_plain;
use super::error::known;
use super::limits::{MOST_GAMES_OF_A_STUDY, MOST_TRIALS, MOST_TRIALS_OF_A_PROCESS};
use super::place::{Checked, Place, Refused, all};
use super::raw_study::{method_kinds, method_schema};
use super::{Objective, SearchMethod, params, words};
use surroundings::plain::line;

/// The lowest chance of mating above 0: parents are asked again until one may, which must not take forever.
const LEAST_CROSSOVER: f64 = 0.001;

/// The kind whose first round has the games that a trial of other kinds has: a study says that once.
const RACE: &str = "race";

/// What a method must fit.
pub(super) struct Around<'a> {
    pub(super) objectives: &'a [Objective],
    pub(super) evaluation: Evaluation,
}

/// The method that a table of settings names.
pub(super) fn method(
    place: &Place<'_>,
    raw: Map<String, Value>,
    around: &Around<'_>,
) -> Checked<SearchMethod> {
    check_plain(place, "method", "method", &raw)?;
    let kind = kind(place, &raw)?;
    let checker = Checker { place, kind: &kind };
    let method = checker.read(raw, around.evaluation.games)?;
    all([
        checker.check_settings(&method),
        checker.check_objectives(&method, around),
        checker.check_size(&method, around.evaluation.games),
    ])?;
    Ok(method)
}

fn kind(place: &Place<'_>, raw: &Map<String, Value>) -> Checked<String> {
    let wrong = |problem: String| {
        Err(place.wrong_within(
            "method",
            "method.kind",
            format!("{problem}; known: {}", known(method_kinds())),
        ))
    };
    match raw.get("kind") {
        None => wrong("has no `kind`: say how it searches".to_owned()),
        Some(Value::String(kind)) if method_schema(kind).is_some() => Ok(kind.clone()),
        Some(Value::String(kind)) => wrong(format!("is of kind `{}`, which there is not", line(kind))),
        Some(other) => wrong(format!("has {} as `kind`, which is not text", line(&other.to_string()))),
    }
}

struct Checker<'a> {
    place: &'a Place<'a>,
    kind: &'a str,
}

impl Checker<'_> {
    /// Refuses a setting; `problem` names it.
    fn wrong(&self, setting: &str, problem: impl std::fmt::Display) -> Refused {
        let problem = format!("of kind `{}`: {problem}", self.kind);
        self.place.wrong_within("method", &format!("method.{setting}"), problem)
    }

    /// The settings by the schema of their kind: all that is wrong with them at once.
    fn read(&self, mut raw: Map<String, Value>, games: u64) -> Checked<SearchMethod> {
        if let Some((root, schema)) = method_schema(self.kind) {
            let found = params::check(root, schema, &Value::Object(raw.clone()), "");
            all(found.iter().map(|wrong| Err(self.wrong(wrong.name(), wrong))))?;
        }
        if self.kind == RACE {
            raw.insert("first".to_owned(), games.into());
        }
        serde_json::from_value(Value::Object(raw))
            .map_err(|error| self.wrong("kind", words::problem(None, &error.to_string())))
    }

    /// What no schema says of settings.
    fn check_settings(&self, method: &SearchMethod) -> Checked {
        match method {
            SearchMethod::Genetic(genetic) => all([
                self.check_parents(genetic.population, genetic.parents_portion),
                self.check_crossover(genetic.crossover_probability),
            ]),
            SearchMethod::Nsga(nsga) if nsga.population % 2 != 0 => {
                Err(self.wrong("population", format!("`population` is {}, must be even", nsga.population)))
            }
            SearchMethod::Surrogate(surrogate) if surrogate.error <= 0.0 => {
                Err(self.wrong("error", format!("`error` is {}, must be above 0", surrogate.error)))
            }
            SearchMethod::Race(race) => self.check_race(race),
            _ => Ok(()),
        }
    }

    /// Checks that some are kept and some are made: children come in pairs.
    fn check_parents(&self, population: usize, portion: f64) -> Checked {
        let parents = portion * population as f64;
        if parents >= 1.0 && population as f64 - parents >= 2.0 {
            return Ok(());
        }
        let problem = format!(
            "`parents_portion` is {portion}, which of {population} must keep at least 1 and leave at least 2"
        );
        Err(self.wrong("parents_portion", problem))
    }

    fn check_crossover(&self, probability: f64) -> Checked {
        if probability == 0.0 || probability >= LEAST_CROSSOVER {
            return Ok(());
        }
        let problem =
            format!("`crossover_probability` is {probability}, must be 0 or at least {LEAST_CROSSOVER}");
        Err(self.wrong("crossover_probability", problem))
    }

    fn check_objectives(&self, method: &SearchMethod, around: &Around<'_>) -> Checked {
        let takes_one = matches!(method, SearchMethod::Genetic(_) | SearchMethod::Race(_));
        let objectives = if takes_one && around.objectives.len() > 1 {
            let problem =
                format!("has two, and method `{}` takes one: remove one, or use another method", self.kind);
            Err(self.place.wrong("objectives", problem))
        } else {
            Ok(())
        };
        let is_race = matches!(method, SearchMethod::Race(_));
        let seeds = if is_race && around.evaluation.seeds != Seeds::Common {
            let problem = "must be \"common\" in a race, whose test compares points on the same games";
            Err(self.place.wrong("seeds", problem))
        } else {
            Ok(())
        };
        objectives.and(seeds)
    }

    /// Checks how many trials and games it may come to.
    fn check_size(&self, method: &SearchMethod, games: u64) -> Checked {
        let most = match method {
            SearchMethod::Bayes(_) => MOST_TRIALS_OF_A_PROCESS,
            _ => MOST_TRIALS,
        };
        let (trials, games) = (method.most_trials(), method.most_games(games));
        if trials > most {
            return Err(self.wrong("kind", format!("it comes to {trials} trials: ask for at most {most}")));
        }
        if games > MOST_GAMES_OF_A_STUDY {
            let problem = format!("it comes to {games} games: ask for at most {MOST_GAMES_OF_A_STUDY}");
            return Err(self.wrong("kind", problem));
        }
        Ok(())
    }

    fn check_race(&self, &Race { points, first, most, winners }: &Race) -> Checked {
        if most < first {
            let problem =
                format!("`most` is {most}, must be at least the {first} `games` of the first round");
            return Err(self.wrong("most", problem));
        }
        if winners >= points {
            let problem =
                format!("`winners` is {winners}, must be below the {points} `points` that take part");
            return Err(self.wrong("winners", problem));
        }
        Ok(())
    }
}
