//! Habits: what only a replay of the stored games shows, one number for each game.

use engine::{Direction, Game, Playouts, Rng, Rules, Slides, TileSeed};

use manifest::Habit;
use records::record::GameRecord;
use records::store::{RecordsReader, StoreError};

use super::Untestable;
use crate::evidence::Games;

/// A random game is played from the board after every so many moves.
const MOVES_BETWEEN: u32 = 10;

/// A habit of every game that shows it. The moves are read from the file once more: few claims need them.
pub(super) fn values(games: &Games, habit: Habit) -> Result<Vec<f64>, Untestable> {
    let rules = &games.identity.rules;
    let of_game = |record: &GameRecord| match habit {
        Habit::Greedy => greedy(record, rules),
        Habit::RandomGain => random_gain(record, rules),
    };
    let records = read(games).map_err(|error| Untestable::NotReplayed { problem: error.to_string() })?;
    Ok(records.iter().filter_map(of_game).collect())
}

fn read(games: &Games) -> Result<Vec<GameRecord>, StoreError> {
    RecordsReader::open(&games.file)?.games().collect()
}

fn directions(record: &GameRecord) -> impl Iterator<Item = Direction> {
    record.directions.chars().filter_map(Direction::from_letter)
}

/// The share of moves that take the largest reward, of those where rewards differ. None where they never do.
fn greedy(record: &GameRecord, rules: &Rules) -> Option<f64> {
    let slides = Slides::of(rules.merging);
    let mut game = Game::new(rules, TileSeed(record.tile_seed));
    let (mut choices, mut largest) = (0_u32, 0_u32);
    for direction in directions(record) {
        let board = game.board();
        let reward = |direction| slides.slide(board, direction).map(|slide| slide.reward);
        let rewards = || game.legal_moves().iter().filter_map(reward);
        if rewards().min() < rewards().max() {
            choices += 1;
            largest += u32::from(reward(direction) == rewards().max());
        }
        game.play(direction).ok()?;
    }
    (choices > 0).then(|| f64::from(largest) / f64::from(choices))
}

/// What random games from the boards of a game add to their scores, as a share of these. None of a game that is over too soon.
fn random_gain(record: &GameRecord, rules: &Rules) -> Option<f64> {
    let playouts = Playouts::new(rules);
    let mut game = Game::new(rules, TileSeed(record.tile_seed));
    let mut rng = Rng::from_seed(record.agent_seed);
    let (mut gain, mut score) = (0_u64, 0_u64);
    for direction in directions(record) {
        game.play(direction).ok()?;
        if game.moves().is_multiple_of(MOVES_BETWEEN) && game.ending().is_none() {
            gain += u64::from(playouts.random(game.board(), rng.next_u64()).reward);
            score += u64::from(game.score());
        }
    }
    (score > 0).then(|| gain as f64 / score as f64)
}

#[cfg(test)]
mod tests {
    use engine::{Board, Ending};

    use super::*;

    /// A game whose every move is chosen by what it scores.
    fn record(moves: usize, choose: impl Fn(u32) -> i64) -> GameRecord {
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

    #[test]
    fn a_greedy_game_is_greedy_and_a_modest_one_is_not() {
        let rules = Rules::default();
        assert_eq!(greedy(&record(200, i64::from), &rules), Some(1.0));
        assert_eq!(greedy(&record(200, |reward| -i64::from(reward)), &rules), Some(0.0));
        let none = GameRecord { directions: String::new(), ..record(0, i64::from) };
        assert_eq!(greedy(&none, &rules), None);
    }

    #[test]
    fn the_gain_is_that_of_a_random_game_after_every_tenth_move() {
        let rules = Rules::default();
        let played = record(25, i64::from);
        let mut game = Game::new(&rules, TileSeed(7));
        let (mut rng, mut gain, mut score) = (Rng::from_seed(11), 0, 0);
        for (number, direction) in (1..).zip(directions(&played)) {
            game.play(direction).unwrap();
            if number == 10 || number == 20 {
                gain += Playouts::new(&rules).random(game.board(), rng.next_u64()).reward;
                score += game.score();
            }
        }
        assert_eq!(random_gain(&played, &rules), Some(f64::from(gain) / f64::from(score)));
        assert_eq!(random_gain(&record(9, i64::from), &rules), None);
    }
}
