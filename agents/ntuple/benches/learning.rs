//! How fast training and greedy play are, against plain loops over the same network, and how fast the search
//! of three moves is.
//!
//! The plain loops gather the ranks of every tuple cell by cell from a board that is an array. Both sides
//! train the same games from the beginning, in turns, round by round, so that whatever else the machine does
//! hits them alike, and come to the same weights bit by bit; then they play the same games with them. A ratio
//! is the median of the ratios within the rounds; the program fails where one misses its target. Without
//! `--bench`, as under `cargo test`, it only looks whether both do the same, on a small network.

#[path = "../../../engine/benches/common/mod.rs"]
mod common;

use std::process::ExitCode;

use common::{exit, is_bench, medians, processor, ratio, speed};
use engine::{Afterstate, Board, Direction, Game, Merging, Rules, Slide, Slides, TileSeed, spawn};
use ntuple::search::NetworkSearch;
use ntuple::trainer::{Cell, TcRecipe, Trainer};
use tuples::{CellValues, Learner, Network, Sampling, Weights, weights};

/// How many times as fast as the plain loops training and play are to be.
const TARGET: f64 = 2.0;
const ROUNDS: usize = 7;
const SEED: u64 = 2048;

fn main() -> ExitCode {
    let (tuples, games) = if is_bench() {
        (&["012345", "456789", "012456", "45689a"][..], 400)
    } else {
        (&["0123", "4567", "0145", "4589"][..], 3)
    };
    let mut sides = Sides::new(tuples);
    let training: Vec<[f64; 2]> = (0..ROUNDS).map(|_| sides.train(games)).collect();
    let file = sides.file();
    let play: Vec<[f64; 2]> =
        (0..ROUNDS as u64).map(|round| sides.play(&file, round, games / 4 + 1)).collect();
    let deep = deep_play(&file, if is_bench() { 500 } else { 5 });
    if !is_bench() {
        return ExitCode::SUCCESS;
    }
    println!("{}", processor());
    println!("target: {TARGET}x the plain speed");
    println!("{:<16}{:>16}{:>16}{:>10}", "moves a second", "plain loop", "ours", "ratio");
    let ratios = [("training", &training), ("play, 1 ply", &play)].map(|(name, rounds)| {
        let [plain, ours] = medians(rounds);
        let ratio = ratio(rounds, 1, 0);
        println!("{name:<16}{plain:>16.0}{ours:>16.0}{ratio:>9.1}x");
        ratio
    });
    println!("{:<16}{:>16}{deep:>16.0}", "play, 3 plies", "");
    exit(ratios.iter().all(|&ratio| ratio >= TARGET))
}

/// The plain loops and ours, with the same network.
struct Sides {
    plain: Plain,
    trainer: Trainer,
    games: u64,
}

impl Sides {
    fn new(tuples: &[&str]) -> Self {
        let recipe = TcRecipe {
            network: Network::new(
                tuples.iter().map(|tuple| tuple.parse().expect("these are tuples")).collect(),
                Sampling::Symmetric,
                CellValues::Sixteen,
            ),
            alpha: 1.0,
            lambda: 0.5,
            optimistic_start: 0.0,
            restarts: Vec::new(),
            seed: SEED,
        };
        let plain = Plain::new(tuples);
        Self { plain, trainer: Trainer::new(recipe).expect("there is enough memory"), games: 0 }
    }

    /// Trains this many games on either side, and gives the moves a second.
    fn train(&mut self, games: u64) -> [f64; 2] {
        let numbers = self.games..self.games + games;
        self.games += games;
        let plain = speed(|| numbers.map(|game| self.plain.train(game)).sum());
        let before = self.trainer.progress().moves;
        let ours = speed(|| {
            for _ in 0..games {
                self.trainer.play_and_learn();
            }
            self.trainer.progress().moves - before
        });
        assert!(self.plain.cells == self.trainer.cells(), "both have learned the same");
        [plain, ours]
    }

    fn file(&self) -> Vec<u8> {
        weights::encode(self.trainer.network(), 8.0, self.trainer.weights(0.0))
    }

    /// Plays this many games greedily on either side, and gives the moves a second.
    fn play(&self, file: &[u8], round: u64, games: u64) -> [f64; 2] {
        let numbers = round * games..(round + 1) * games;
        let mut search =
            NetworkSearch::new(Weights::parse(file).expect("the file is right"), &Rules::default());
        let (mut expected, mut found) = (Vec::new(), Vec::new());
        let plain = speed(|| {
            let value = |board| self.plain.file_value(file, board);
            numbers.clone().map(|game| play(game, value, &mut expected)).sum()
        });
        let ours =
            speed(|| numbers.clone().map(|game| our_play(game, 0, &mut search, u32::MAX, &mut found)).sum());
        assert_eq!(found, expected, "both make the same moves");
        [plain, ours]
    }
}

/// The moves a second of a search of three moves, over this many moves of each of some games.
fn deep_play(file: &[u8], moves: u32) -> f64 {
    let mut search = NetworkSearch::new(Weights::parse(file).expect("the file is right"), &Rules::default());
    speed(|| (0..4).map(|game| our_play(game, 2, &mut search, moves, &mut Vec::new())).sum())
}

fn our_play(
    number: u64,
    more: u32,
    search: &mut NetworkSearch<&[u8]>,
    most: u32,
    scores: &mut Vec<u32>,
) -> u64 {
    let mut game = Game::new(&Rules::default(), TileSeed::derive(1, number));
    while game.ending().is_none() && game.moves() < most {
        let best = search.move_values(game.board(), more).first_best(Direction::ALL);
        game.play(best.expect("the game goes on").0).expect("the move is legal");
    }
    scores.push(game.score());
    game.moves().into()
}

fn play(number: u64, value: impl Fn(Afterstate) -> f32, scores: &mut Vec<u32>) -> u64 {
    let mut game = Game::new(&Rules::default(), TileSeed::derive(1, number));
    let slides = Slides::of(Merging::Once);
    while game.ending().is_none() {
        let mut best = (Direction::Up, f32::NEG_INFINITY);
        for direction in Direction::ALL {
            if let Some(slide) = slides.slide(game.board(), direction) {
                let value = slide.reward as f32 + value(slide.afterstate);
                best = if value > best.1 { (direction, value) } else { best };
            }
        }
        game.play(best.0).expect("the move is legal");
    }
    scores.push(game.score());
    game.moves().into()
}

/// The network in plain form: for every tuple and symmetry, the cells that it reads.
struct Plain {
    lookups: Vec<Lookup>,
    cells: Vec<Cell>,
}

struct Lookup {
    offset: usize,
    board_cells: Vec<usize>,
}

impl Plain {
    fn new(tuples: &[&str]) -> Self {
        let mut offset = 0;
        let mut lookups = Vec::new();
        for tuple in tuples {
            let cells: Vec<usize> =
                tuple.chars().filter_map(|digit| digit.to_digit(16)).map(|cell| cell as usize).collect();
            for source in ORDER {
                lookups
                    .push(Lookup { offset, board_cells: cells.iter().map(|&cell| source(cell)).collect() });
            }
            offset += 1 << (4 * cells.len());
        }
        Self { lookups, cells: vec![Cell::default(); offset] }
    }

    fn indices(&self, afterstate: Afterstate) -> impl Iterator<Item = usize> {
        let ranks = afterstate.ranks();
        self.lookups.iter().map(move |lookup| {
            let index =
                lookup.board_cells.iter().rev().fold(0, |index, &cell| 16 * index + usize::from(ranks[cell]));
            lookup.offset + index
        })
    }

    fn sum(&self, afterstate: Afterstate, weight: impl Fn(usize) -> f32) -> f32 {
        let mut sums = [0.0; 8];
        for (number, index) in self.indices(afterstate).enumerate() {
            sums[number % 8] += weight(index);
        }
        let [a, b, c, d, e, f, g, h] = sums;
        ((a + b) + (c + d)) + ((e + f) + (g + h))
    }

    fn file_value(&self, file: &[u8], afterstate: Afterstate) -> f32 {
        let tables = &file[file.len() - 2 * self.cells.len()..];
        self.sum(afterstate, |index| {
            f32::from(i16::from_le_bytes([tables[2 * index], tables[2 * index + 1]])) * 8.0
        })
    }

    /// Plays a game, learns it, and gives the number of its moves.
    fn train(&mut self, game: u64) -> u64 {
        let mut tiles = TileSeed::derive(SEED, game).rng();
        let rules = Rules::default();
        let mut board = spawn::start(&rules, &mut tiles);
        let mut path = Vec::new();
        while let Some(slide) = self.best(board) {
            path.push(slide);
            board = spawn::spawn(slide.afterstate, rules.four, &mut tiles);
        }
        let mut target = 0.0;
        for slide in path.iter().rev() {
            let error = target - self.sum(slide.afterstate, |index| self.cells[index].weight);
            let indices: Vec<usize> = self.indices(slide.afterstate).collect();
            let mut learned = 0.0;
            for index in indices {
                let cell = &mut self.cells[index];
                let rate = if cell.size == 0.0 { 1.0 } else { cell.error.abs() / cell.size };
                cell.error += error;
                cell.size += error.abs();
                cell.weight += rate * (1.0 / self.lookups.len() as f32 * error);
                learned += cell.weight;
            }
            target = slide.reward as f32 + 0.5 * target + 0.5 * learned;
        }
        path.len() as u64
    }

    fn best(&self, board: Board) -> Option<Slide> {
        let mut best = (None, f32::NEG_INFINITY);
        for direction in Direction::ALL {
            if let Some(slide) = Slides::of(Merging::Once).slide(board, direction) {
                let value =
                    slide.reward as f32 + self.sum(slide.afterstate, |index| self.cells[index].weight);
                best = if value > best.1 { (Some(slide), value) } else { best };
            }
        }
        best.0
    }
}

/// Where the images of a grid have their cells from, in the order of the network's own, so that sums are
/// rounded alike.
const ORDER: [fn(usize) -> usize; 8] = [
    |cell| cell,
    |cell| 4 * (cell % 4) + cell / 4,
    |cell| 4 * (3 - cell % 4) + cell / 4,
    |cell| 4 * (3 - cell / 4) + cell % 4,
    |cell| 4 * (3 - cell / 4) + 3 - cell % 4,
    |cell| 4 * (3 - cell % 4) + 3 - cell / 4,
    |cell| 4 * (cell % 4) + 3 - cell / 4,
    |cell| 4 * (cell / 4) + 3 - cell % 4,
];
