//! Special metrics: the mean of a number per game that a replay shows, or that takes all games together.

mod explained_by;
mod greedy_moves;
mod random_gain;

use engine::{Direction, Rules};
use records::{GameRecord, RecordsReader, StoreError};

use crate::registry::{Parameter, compared_by_name, join};
use crate::{Games, MetricError};

/// All special metrics.
static ALL: &[&SpecialMetric] =
    &[&greedy_moves::GREEDY_MOVES, &random_gain::RANDOM_GAIN, &explained_by::EXPLAINED_BY];

/// A metric with a computation of its own.
pub struct SpecialMetric {
    /// The text of the metric, before a number.
    pub(crate) name: &'static str,
    /// What follows it.
    pub(crate) parameter: Parameter,
    /// The name in a sentence, after `the`.
    pub(crate) words: fn(u32) -> String,
    /// The highest value.
    pub(crate) max: f64,
    /// A number for every game that has one; the metric is their mean.
    pub(crate) values: fn(&Games, u32) -> Result<Vec<f64>, MetricError>,
}

compared_by_name!(SpecialMetric);

impl SpecialMetric {
    pub(crate) fn parse(text: &str) -> Option<(&'static Self, u32)> {
        ALL.iter().find_map(|metric| Some((*metric, metric.parameter.parse(metric.name, text)?)))
    }

    pub(crate) fn usage() -> String {
        join(ALL, ", ", |metric| metric.parameter.usage(metric.name))
    }

    pub(crate) fn pattern() -> String {
        join(ALL, "|", |metric| metric.parameter.pattern(metric.name))
    }

    #[cfg(test)]
    pub(crate) fn all(number: u32) -> impl Iterator<Item = (&'static Self, u32)> {
        ALL.iter().map(move |metric| match metric.parameter {
            Parameter::None => (*metric, 0),
            _ => (*metric, number),
        })
    }
}

/// A number of every replayed game that has one. The moves are read from the file again: few claims need
/// them.
fn replayed(games: &Games, value: fn(&GameRecord, &Rules) -> Option<f64>) -> Result<Vec<f64>, MetricError> {
    let read =
        || -> Result<Vec<GameRecord>, StoreError> { RecordsReader::open(&games.file)?.games().collect() };
    let records = read().map_err(|error| MetricError::NotReplayed { problem: error.to_string() })?;
    Ok(records.iter().filter_map(|record| value(record, &games.identity.rules)).collect())
}

fn directions(record: &GameRecord) -> impl Iterator<Item = Direction> {
    record.directions.chars().filter_map(Direction::from_letter)
}

#[cfg(test)]
mod tests {
    use engine::{Board, Ending, Game, Slides, TileSeed};

    use super::*;

    /// A game whose every move is chosen by what it scores.
    pub(super) fn record(moves: usize, choose: impl Fn(u32) -> i64) -> GameRecord {
        let rules = Rules::default();
        let slides = Slides::of(rules.merging);
        let mut game = Game::new(&rules, TileSeed(7));
        let mut directions = String::new();
        while directions.len() < moves && game.ending().is_none() {
            let board: Board = game.board();
            let worth =
                |direction: &Direction| slides.slide(board, *direction).map(|slide| choose(slide.reward));
            let best = game.legal_moves().iter().max_by_key(worth).unwrap();
            directions.push(best.letter());
            game.play(best).unwrap();
        }
        GameRecord {
            game: 0,
            tile_seed: 7,
            agent_seed: 11,
            score: game.score(),
            max_tile: 0,
            moves: game.moves(),
            directions,
            final_board: String::new(),
            nodes: 0,
            ending: Ending::NoMoves,
            spawns: None,
        }
    }
}
