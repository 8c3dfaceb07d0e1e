//! How fast the search is, against the plain one of the tests and against itself without its memo.
//!
//! All search the same boards at the report's own depths. The program fails if the memoised search misses its
//! target. Without `--bench`, as under `cargo test`, it only looks whether all find the same.

#[path = "../../../engine/benches/common/mod.rs"]
mod common;
#[path = "../tests/plain/mod.rs"]
mod plain;

use std::process::ExitCode;

use common::{Race, Target, exit, is_bench, print_head};
use engine::{Board, Direction, Rng, Rules};
use expectimax_report::Params;
use expectimax_report::search::terminal_depth;
use plain::{Plain, random_board};

/// How many times as fast as the plain search the memoised one is to be.
const TARGET: f64 = 5.0;
const ROUNDS: usize = 9;
/// How often the fast searches run in a round, for one run of the plain search.
const REPEATS: usize = 10;

fn main() -> ExitCode {
    let rules = Rules { stop_at: 2048.try_into().ok(), ..Rules::default() };
    let params = Params::default();
    let search = |memo: bool| {
        let mut search = Params { memo, ..params.clone() }.search(&rules).expect("the defaults are right");
        move |board: Board| search.expectimax_search(board, terminal_depth(board.empty_count())).best
    };
    let mut plain = Plain::new(&rules, &params);
    let mut plain = |board: Board| plain.search(board, terminal_depth(board.empty_count())).0;
    let (mut unmemoised, mut memoised) = (search(false), search(true));
    // Boards of all fillings, from the fullest on.
    let mut rng = Rng::from_seed(2048);
    let count = if is_bench() { 15 } else { 5 };
    let boards: Vec<Board> = (0..count).map(|empty| random_board(&mut rng, empty, 10)).collect();
    for &board in &boards {
        let expected = plain(board);
        assert_eq!([unmemoised(board), memoised(board)], [expected; 2], "{board}");
    }
    if !is_bench() {
        return ExitCode::SUCCESS;
    }
    print_head(&format!("searches of {count} boards; target: memoised {TARGET}x the plain speed"));
    let race = Race::default()
        .with("plain reference", Target::None, || count_moves(&boards, 1, &mut plain))
        .with("without memo", Target::None, || count_moves(&boards, REPEATS, &mut unmemoised))
        .with("memoised", Target::Ratio(TARGET), || count_moves(&boards, REPEATS, &mut memoised));
    exit(race.run_and_report(ROUNDS))
}

/// Searches all boards, and returns how many searches found a move.
fn count_moves(
    boards: &[Board],
    repeats: usize,
    search: &mut impl FnMut(Board) -> Option<(Direction, f64)>,
) -> u64 {
    let all = boards.iter().cycle().take(repeats * boards.len());
    all.filter_map(|&board| search(board)).count() as u64
}
