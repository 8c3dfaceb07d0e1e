//! How fast games are played to their end, against the plain way to do it, and how fast stored games are
//! replayed.
//!
//! The program fails if one misses its target. Without `--bench`, as under `cargo test`, it only looks
//! whether all come to the same ends.

mod common;
mod plain;

use std::process::ExitCode;

use common::{Race, Target, exit, is_bench, print_head};
use engine::playout::{Evaluation, Playout, Playouts};
use engine::{Board, Direction, Game, RowTable, Rules, TileSeed};
use plain::{Plain, Played};

/// How many times as fast as the plain way many playouts are to be.
const RANDOM_TARGET: f64 = 3.0;
const GREEDY_TARGET: f64 = 2.0;
/// How many moves a second are to be replayed.
const REPLAY_TARGET: f64 = 10e6;

const RANDOM_GAMES: u64 = 3000;
const GREEDY_GAMES: u64 = 600;
const ROUNDS: usize = 41;

fn main() -> ExitCode {
    let games = Games::new();
    games.assert_same_ends();
    if !is_bench() {
        return ExitCode::SUCCESS;
    }
    print_head(&format!(
        "moves; targets: random {RANDOM_TARGET}x, greedy {GREEDY_TARGET}x the plain speed, replay {} M moves/s",
        REPLAY_TARGET / 1e6
    ));
    let has_passed = [games.random(), games.greedy(), games.replay()].map(|race| race.run_and_report(ROUNDS));
    exit(!has_passed.contains(&false))
}

/// What is played: starts and seeds, and finished games by their directions.
struct Games {
    plain: Plain,
    playouts: Playouts,
    evaluation: Evaluation,
    row_values: Vec<i32>,
    random: Vec<(Board, u64)>,
    greedy: Vec<(Board, u64)>,
    stored: Vec<(TileSeed, Vec<Direction>)>,
}

impl Games {
    fn new() -> Self {
        let rules = Rules::default();
        let table = RowTable::from_fn(smoothness);
        let starts =
            |count| (0..count).map(|game| (Game::new(&rules, TileSeed(game)).board(), game)).collect();
        Self {
            plain: Plain::new(),
            playouts: Playouts::new(&rules),
            row_values: (0..=u16::MAX).map(|row| table.get(row)).collect(),
            evaluation: Evaluation::from_table(table),
            random: starts(RANDOM_GAMES),
            greedy: starts(GREEDY_GAMES),
            stored: (0..RANDOM_GAMES).map(|game| stored_game(&rules, TileSeed(game))).collect(),
        }
    }

    fn random(&self) -> Race<'_> {
        let Self { plain, playouts, random, .. } = self;
        Race::default()
            .with("random, plain", Target::None, || {
                random.iter().map(|&(start, seed)| u64::from(plain.random(start.packed(), seed).moves)).sum()
            })
            .with("random, one by one", Target::None, || {
                random.iter().map(|&(start, seed)| u64::from(playouts.random(start, seed).moves)).sum()
            })
            .with("random, many by 64", Target::Ratio(RANDOM_TARGET), || {
                let moves =
                    |jobs: &[(Board, u64)]| total(|sink| playouts.random_many(jobs.iter().copied(), sink));
                random.chunks(64).map(moves).sum()
            })
            .with("random, many", Target::Ratio(RANDOM_TARGET), || {
                total(|sink| playouts.random_many(random.iter().copied(), sink))
            })
    }

    fn greedy(&self) -> Race<'_> {
        let Self { plain, playouts, evaluation, row_values, greedy, .. } = self;
        Race::default()
            .with("greedy, plain", Target::None, || {
                let moves =
                    |&(start, seed): &(Board, u64)| plain.greedy(start.packed(), seed, row_values).moves;
                greedy.iter().map(|job| u64::from(moves(job))).sum()
            })
            .with("greedy, one by one", Target::None, || {
                let moves = |&(start, seed): &(Board, u64)| playouts.greedy(evaluation, start, seed).moves;
                greedy.iter().map(|job| u64::from(moves(job))).sum()
            })
            .with("greedy, many", Target::Ratio(GREEDY_TARGET), || {
                total(|sink| playouts.greedy_many(evaluation, greedy.iter().copied(), sink))
            })
    }

    fn replay(&self) -> Race<'_> {
        let moves = |(seed, directions): &(TileSeed, Vec<Direction>)| {
            let mut game = Game::new(&Rules::default(), *seed);
            for &direction in directions {
                game.play(direction).expect("the game was played before");
            }
            u64::from(game.moves())
        };
        let target = Target::Speed(REPLAY_TARGET);
        Race::default().with("replay", target, move || self.stored.iter().map(moves).sum())
    }

    fn assert_same_ends(&self) {
        let of = |playout: Playout| Played {
            board: playout.board.packed(),
            score: playout.reward,
            moves: playout.moves,
        };
        self.playouts.random_many(self.random.iter().copied(), |job, playout| {
            let (start, seed) = self.random[job];
            assert_eq!(of(playout), self.plain.random(start.packed(), seed));
        });
        self.playouts.greedy_many(&self.evaluation, self.greedy.iter().copied(), |job, playout| {
            let (start, seed) = self.greedy[job];
            assert_eq!(of(playout), self.plain.greedy(start.packed(), seed, &self.row_values));
        });
    }
}

/// An evaluation of the usual kind: empty cells are good, and so are neighbours of like size.
fn smoothness(ranks: [u8; 4]) -> i32 {
    let empty = ranks.iter().filter(|&&rank| rank == 0).count() as i32;
    let tiles = ranks.map(|rank| engine::board::tile(rank) as i32);
    let rough: i32 = tiles.windows(2).map(|pair| (pair[0] - pair[1]).abs()).sum();
    empty - 2 * rough
}

/// A game by a player who takes a different legal direction every time.
fn stored_game(rules: &Rules, seed: TileSeed) -> (TileSeed, Vec<Direction>) {
    let mut game = Game::new(rules, seed);
    let mut rng = engine::AgentSeed(seed.0).rng();
    let mut directions = Vec::new();
    while !game.legal_moves().is_empty() {
        let number = rng.below(game.legal_moves().len()) as usize;
        directions.extend(game.legal_moves().iter().nth(number));
        game.play(directions[directions.len() - 1]).expect("it is legal");
    }
    (seed, directions)
}

/// The moves of all playouts that are handed to a sink.
fn total(play: impl FnOnce(&mut dyn FnMut(usize, Playout))) -> u64 {
    let mut moves = 0;
    play(&mut |_, playout| moves += u64::from(playout.moves));
    moves
}
