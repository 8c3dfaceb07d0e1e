//! Near the end of a small game the search reaches every end, and must find the values of the game itself.

#[path = "../../../engine/tests/common/small_game.rs"]
mod small_game;

use std::collections::HashMap;

use engine::{Board, Rng, Rules};
use expectimax_report::Params;
use small_game::{SmallGame, mean};

/// Compares the search with solved games on full boards; returns how many it could, and how many were neither
/// surely won nor surely lost.
fn compare(stop_at: u32, max_rank: u8, tries: u32) -> (u32, u32) {
    let rules = Rules { stop_at: Some(stop_at.try_into().unwrap()), ..Rules::default() };
    let params = Params::default();
    let mut search = params.search(&rules).unwrap();
    let mut rng = Rng::from_seed(u64::from(stop_at));
    let (mut compared, mut open) = (0, 0);
    for _ in 0..tries {
        let board = full_board(&mut rng, max_rank);
        let (ended, dead) = (&|_: &_| params.won_value, &|_: &_| params.dead_value);
        let mut game = SmallGame {
            rules: &rules,
            opponent: mean,
            ended,
            dead,
            most_boards: 3000,
            values: HashMap::new(),
        };
        let Some(expected) = game.moves(board) else { continue };
        // No game is longer than all its boards one after the other.
        let found = search.expectimax_search(board, 2 * game.values.len() as u32 + 1);
        for &(direction, value) in &expected {
            let searched = found.moves.value[direction as usize].unwrap();
            assert!((searched - value).abs() < 1e-5, "{board}, {direction:?}: {searched} is not {value}");
        }
        let best = expected.iter().map(|&(_, value)| value).fold(f64::NEG_INFINITY, f64::max);
        assert!((found.best.unwrap().1 - best).abs() < 1e-5, "{board}");
        compared += 1;
        open += u32::from(best.abs() < 1e6);
    }
    (compared, open)
}

/// A full board with one pair of equal neighbours, not of the largest tile: near its end, and not won by one
/// slide.
fn full_board(rng: &mut Rng, max_rank: u8) -> Board {
    loop {
        let ranks: [u8; 16] = std::array::from_fn(|_| 1 + rng.below(u32::from(max_rank)) as u8);
        let equal: Vec<u8> =
            neighbours().filter(|&(a, b)| ranks[a] == ranks[b]).map(|(a, _)| ranks[a]).collect();
        if equal.len() == 1 && equal[0] != max_rank {
            return Board::from_ranks(ranks).unwrap();
        }
    }
}

/// The 24 pairs of neighbouring cells.
fn neighbours() -> impl Iterator<Item = (usize, usize)> {
    let right = (0..16).filter(|cell| cell % 4 < 3).map(|cell| (cell, cell + 1));
    right.chain((0..12).map(|cell| (cell, cell + 4)))
}

#[test]
fn at_full_depth_it_finds_the_values_of_the_game() {
    for (stop_at, max_rank) in [(32, 4), (64, 5)] {
        let (compared, open) = compare(stop_at, max_rank, 3000);
        assert!(compared >= 500 && open >= 15, "stop at {stop_at}: {compared} compared, {open} open");
    }
}
