//! Training does what the rule says, in plain form and double precision; it goes on from a checkpoint, gives
//! the same bytes everywhere, and learns.

#[path = "../../../engine/tests/common/trainings.rs"]
mod trainings;

use engine::naive::NaiveBoard;
use engine::{Afterstate, Board, Direction, Merging, Rules, TileSeed, spawn};
use szubert2014::networks;
use szubert2014::trainer::{TdRecipe, Trainer};
use trainings::{assert_learns, assert_resumes, crc32, saved, trained};
use tuples::Learner;

fn recipe() -> TdRecipe {
    TdRecipe { network: networks::straight_and_square(), rate: 0.0025, seed: 3 }
}

/// The 17 tables in the order of the network, each with the cells that index it.
struct Oracle {
    tuples: Vec<Vec<usize>>,
    tables: Vec<Vec<f64>>,
}

impl Oracle {
    fn new() -> Self {
        let lines = (0..4).map(|row| (0..4).map(|column| 4 * row + column).collect());
        let columns = (0..4).map(|column| (0..4).map(|row| 4 * row + column).collect());
        let corners = [0, 1, 2, 4, 5, 6, 8, 9, 10];
        let squares = corners.map(|corner| vec![corner, corner + 1, corner + 4, corner + 5]);
        let tuples: Vec<Vec<usize>> = lines.chain(columns).chain(squares).collect();
        Self { tables: vec![vec![0.0; 1 << 16]; tuples.len()], tuples }
    }

    fn places(&self, board: &NaiveBoard) -> Vec<(usize, usize)> {
        let index = |cells: &Vec<usize>| {
            cells.iter().rev().fold(0, |index, &cell| 16 * index + usize::from(board.0[cell]))
        };
        self.tuples.iter().map(index).enumerate().collect()
    }

    fn value(&self, board: &NaiveBoard) -> f64 {
        self.places(board).into_iter().map(|(table, index)| self.tables[table][index]).sum()
    }

    /// The afterstate that promises most, and its promise; of equals the first.
    fn best(&self, board: Board) -> Option<(NaiveBoard, f64)> {
        let slides = Direction::ALL
            .into_iter()
            .filter_map(|direction| NaiveBoard::from(*board).slide(direction, Merging::Once));
        let promises = slides.map(|slide| (slide.board, f64::from(slide.reward) + self.value(&slide.board)));
        promises.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// Plays a game, learns, and gives the number of moves.
    fn game(&mut self, seed: TileSeed) -> u64 {
        let mut rng = seed.rng();
        let mut board = spawn::start(&Rules::default(), &mut rng);
        let mut moves = 0;
        while let Some((after, _)) = self.best(board) {
            board = spawn::spawn(Afterstate::from_ranks(after.0).unwrap(), Rules::default().four, &mut rng);
            let target = self.best(board).map_or(0.0, |(_, promise)| promise);
            let error = target - self.value(&after);
            for (table, index) in self.places(&after) {
                self.tables[table][index] += 0.0025 * error;
            }
            moves += 1;
        }
        moves
    }
}

#[test]
fn games_teach_what_the_rule_says() {
    // Games are played with what was learned in them, so that rounding decides between moves sooner or later:
    // not in these.
    let mut oracle = Oracle::new();
    let moves: u64 = (0..GAMES_ALIKE).map(|game| oracle.game(TileSeed::derive(3, game))).sum();
    let trainer: Trainer = trained(recipe(), GAMES_ALIKE);
    assert_eq!(trainer.progress().moves, moves);
    let expected: Vec<f64> = oracle.tables.concat();
    let largest = expected.iter().fold(0.0, |largest: f64, weight| largest.max(weight.abs()));
    assert!(largest > 1.0);
    for (weight, expected) in trainer.weights(0.0).zip(expected) {
        assert!((f64::from(weight) - expected).abs() < 1e-4 * largest, "{weight} and {expected}");
    }
}

const GAMES_ALIKE: u64 = 5;

#[test]
fn a_training_that_was_stopped_goes_on_to_the_same_bytes() {
    assert_resumes::<Trainer>(recipe, 7, 8);
    let whole = saved(&trained::<Trainer>(recipe(), 15));
    assert_eq!(crc32(&whole), CRC_OF_15_GAMES, "on other machines it was another");
    let error = Trainer::new(TdRecipe { rate: 0.001, ..recipe() }).unwrap().load(&whole[..]).unwrap_err();
    assert!(error.to_string().contains("of another training"), "{error}");
}

const CRC_OF_15_GAMES: u32 = 3_539_708_572;

#[test]
fn learning_pays() {
    assert_learns(trained::<Trainer>(recipe(), 0), 500, 1.3);
}
