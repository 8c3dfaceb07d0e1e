//! Section "Speed": what a packed board with row tables gains over a plain array that is computed anew every time.
//!
//! The paper measured two ratios, and so does this, with its numbers of boards and games, by the trials of the agent `ms-boards`.
//! Both boards do the same work: their results must be the same. The last line plays as many other random games the way the
//! engine's playouts do. Without `--bench`, as under `cargo test`, only a few are compared.

#[path = "../../../engine/benches/common/mod.rs"]
mod common;

use common::{is_bench, medians, processor, ratio, seconds};
use engine::{Playouts, Rng, Rules, spawn};
use middleton_schmidt::boards::{BoardsParams, Form, Trial, Work, trial};

const BOARDS: u64 = 100_000;
const GAMES: u64 = 10_000;
const ROUNDS: usize = 5;

/// Seconds in the paper, for the plain and for the packed board.
const PAPER_HEURISTICS: (f64, f64) = (9.69, 0.68);
const PAPER_GAMES: (f64, f64) = (148.9, 24.9);

fn main() {
    let (boards, games) = if is_bench() { (BOARDS, GAMES) } else { (1000, 50) };
    let races = [
        Race::new("initial heuristics of 100,000 boards", Work::InitialHeuristics, boards, PAPER_HEURISTICS),
        Race::new("final heuristics of 100,000 boards", Work::FinalHeuristics, boards, PAPER_HEURISTICS),
        Race::new("10,000 random games", Work::Games, games, PAPER_GAMES),
    ];
    for race in &races {
        assert_eq!(race.naive(), race.packed(), "{}", race.name);
    }
    if is_bench() {
        println!("{}; medians of {ROUNDS} rounds", processor());
        println!("{:<36}{:>10}{:>10}{:>9}{:>9}", "seconds", "naive", "packed", "ratio", "paper");
        for race in &races {
            report(race.name, Some(race.paper), &|| race.naive(), &|| race.packed());
        }
        report("as many, by the engine's playouts", None, &|| races[2].naive(), &|| playouts(games));
    }
}

/// One trial of the paper on both boards.
struct Race {
    name: &'static str,
    naive: Box<dyn Trial>,
    packed: Box<dyn Trial>,
    amount: u64,
    paper: (f64, f64),
}

impl Race {
    fn new(name: &'static str, work: Work, amount: u64, paper: (f64, f64)) -> Self {
        let on = |board| trial(BoardsParams { board, work }, &Rules::default());
        Self { name, naive: on(Form::Naive), packed: on(Form::Packed), amount, paper }
    }

    fn naive(&self) -> u64 {
        self.naive.run(self.amount, &mut Rng::from_seed(2048))
    }

    fn packed(&self) -> u64 {
        self.packed.run(self.amount, &mut Rng::from_seed(2048))
    }
}

/// The moves of so many random games by the engine's playouts.
fn playouts(games: u64) -> u64 {
    let rules = Rules::default();
    let start = spawn::start(&rules, &mut Rng::from_seed(0));
    let mut moves = 0;
    let jobs = (0..games).map(|seed| (start, seed));
    Playouts::new(&rules).random_many(jobs, |_, playout| moves += u64::from(playout.moves));
    moves
}

/// Prints the median seconds of both and the median of their ratios.
fn report(what: &str, paper: Option<(f64, f64)>, naive: &dyn Fn() -> u64, packed: &dyn Fn() -> u64) {
    let rounds: Vec<[f64; 2]> = (0..ROUNDS).map(|_| [seconds(naive), seconds(packed)]).collect();
    let [naive_s, packed_s] = medians(&rounds);
    println!(
        "{what:<36}{naive_s:>10.4}{packed_s:>10.4}{:>8.2}x{}",
        ratio(&rounds, 0, 1),
        paper.map_or_else(String::new, |(naive, packed)| format!("{:>8.2}x", naive / packed)),
    );
}
