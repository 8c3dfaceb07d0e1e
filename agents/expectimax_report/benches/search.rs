//! How fast the search is, against the plain one of the tests and against itself without its memo.
//!
//! All search the same boards at the report's own depths in turns, round by round, so that whatever else the
//! machine does hits them alike; a ratio is the median of the ratios within the rounds. The program fails
//! where the memoised search misses its target. Without `--bench`, as under `cargo test`, it only looks
//! whether all find the same.

#[path = "../../../engine/benches/common/mod.rs"]
mod common;
#[path = "../tests/plain/mod.rs"]
mod plain;

use std::process::ExitCode;

use common::{exit, is_bench, medians, processor, ratio};
use engine::{Board, Direction, Rng, Rules};
use expectimax_report::Params;
use expectimax_report::search::{Search, terminal_depth};
use plain::{Plain, random_board};

/// How many times as fast as the plain search the memoised one is to be.
const TARGET: f64 = 5.0;
const ROUNDS: usize = 9;
/// How often the fast searches run in a round, for one run of the plain search.
const REPEATS: u32 = 10;

fn main() -> ExitCode {
    let rules = Rules { stop_at: 2048.try_into().ok(), ..Rules::default() };
    let params = Params::default();
    let mut searches = Searches {
        boards: boards(if is_bench() { 15 } else { 5 }),
        plain: Plain::new(&rules, &params),
        unmemoised: Params { memo: false, ..params.clone() }.search(&rules).expect("the defaults are right"),
        memoised: params.search(&rules).expect("the defaults are right"),
    };
    searches.assert_same_moves();
    exit(!is_bench() || searches.measure())
}

/// Boards of all fillings, from the fullest on.
fn boards(count: usize) -> Vec<Board> {
    let mut rng = Rng::from_seed(2048);
    (0..count).map(|empty| random_board(&mut rng, empty, 10)).collect()
}

struct Searches {
    boards: Vec<Board>,
    plain: Plain,
    unmemoised: Search,
    memoised: Search,
}

type Best = Option<(Direction, f64)>;

impl Searches {
    fn assert_same_moves(&mut self) {
        for &board in &self.boards {
            let depth = terminal_depth(board.empty_count());
            let expected = self.plain.search(board, depth).0;
            for search in [&mut self.memoised, &mut self.unmemoised] {
                assert_eq!(search.expectimax_search(board, depth).best, expected, "{board}");
            }
        }
    }

    /// Prints what all reach; returns whether the memoised search reaches its target.
    fn measure(&mut self) -> bool {
        println!("{}", processor());
        println!("target: memoised {TARGET}x the plain speed; {} boards of all fillings", self.boards.len());
        let rounds: Vec<[f64; 3]> = (0..ROUNDS).map(|_| self.round()).collect();
        let names = ["plain reference", "without memo", "memoised"];
        println!("{:<20}{:>14}{:>10}", "", "ms a search", "ratio");
        for ((index, name), seconds) in names.into_iter().enumerate().zip(medians(&rounds)) {
            println!("{name:<20}{:>14.3}{:>9.1}x", seconds * 1e3, ratio(&rounds, 0, index));
        }
        println!("memoised against without memo: {:.1}x", ratio(&rounds, 1, 2));
        ratio(&rounds, 0, 2) >= TARGET
    }

    /// Seconds a search, for each of the three.
    fn round(&mut self) -> [f64; 3] {
        let Self { boards, plain, unmemoised, memoised } = self;
        [
            seconds(boards, 1, |board, depth| plain.search(board, depth).0),
            seconds(boards, REPEATS, |board, depth| unmemoised.expectimax_search(board, depth).best),
            seconds(boards, REPEATS, |board, depth| memoised.expectimax_search(board, depth).best),
        ]
    }
}

fn seconds(boards: &[Board], repeats: u32, mut search: impl FnMut(Board, u32) -> Best) -> f64 {
    let all = common::seconds(|| {
        for &board in boards.iter().cycle().take(repeats as usize * boards.len()) {
            std::hint::black_box(search(board, terminal_depth(board.empty_count())));
        }
    });
    all / f64::from(repeats) / boards.len() as f64
}
