//! Every heuristic on drawn boards, worked out by hand beside them.

use engine::slide::potential;
use engine::{Board, Rng};
use middleton_schmidt::{
    FinalHeuristics, FinalWeights, Heuristic, InitialHeuristics, InitialWeights, ScoreHeuristic,
};

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

const NO_INITIAL: InitialWeights =
    InitialWeights { corner: 0.0, empty: 0.0, max_tile: 0.0, loss_penalty: 0.0 };
const NO_FINAL: FinalWeights = FinalWeights {
    loss_penalty: 0.0,
    empty: 0.0,
    merges: 0.0,
    monotonicity: 0.0,
    monotonicity_power: 4.0,
    sum: 0.0,
    sum_power: 3.5,
};

fn initial(weights: InitialWeights, text: &str) -> f64 {
    InitialHeuristics::new(weights).value(*board(text))
}

fn last(weights: FinalWeights, text: &str) -> f64 {
    FinalHeuristics::new(weights).value(*board(text))
}

/// The ranks are 7 6 3 . / 5 3 . . / 2 . . . / . . . 1.
const TOP_LEFT_HEAVY: &str = "128 64 8 . / 32 8 . . / 4 . . . / . . . 2";

#[test]
fn the_corner_gradient_weighs_ranks_by_the_papers_matrix() {
    let corner = InitialWeights { corner: 1.0, ..NO_INITIAL };
    // Row by row: 3*7 + 2*6 + 1*3, then 2*5 + 1*3, then 1*2, then -3*1.
    assert_eq!(initial(corner, TOP_LEFT_HEAVY), f64::from(36 + 13 + 2 - 3));
}

#[test]
fn the_corner_gradient_takes_the_best_of_the_four_corners() {
    let corner = InitialWeights { corner: 1.0, ..NO_INITIAL };
    for same in [
        ". 8 64 128 / . . 8 32 / . . . 4 / 2 . . .",
        ". . . 2 / 4 . . . / 32 8 . . / 128 64 8 .",
        "2 . . . / . . . 4 / . . 8 32 / . 8 64 128",
    ] {
        assert_eq!(initial(corner, same), 48.0, "{same}");
    }
    let heuristics = InitialHeuristics::new(corner);
    let mut rng = Rng::from_seed(1);
    for _ in 0..10_000 {
        let board = Board::from_packed(rng.next_u64());
        assert_eq!(heuristics.value(*board), f64::from(best_corner(board)), "{board}");
    }
}

/// The paper's matrix laid on each corner in turn.
fn best_corner(board: Board) -> i32 {
    const TOP_LEFT: [[i32; 4]; 4] = [[3, 2, 1, 0], [2, 1, 0, -1], [1, 0, -1, -2], [0, -1, -2, -3]];
    let at = |corner: usize| -> i32 {
        let (turn_rows, turn_columns) = (corner & 1, corner >> 1);
        let weight = |cell: usize| {
            let (row, column) = (cell / 4, cell % 4);
            TOP_LEFT[if turn_rows == 1 { 3 - row } else { row }]
                [if turn_columns == 1 { 3 - column } else { column }]
        };
        (0..16).map(|cell| weight(cell) * i32::from(board.rank(cell))).sum()
    };
    (0..4).map(at).max().unwrap()
}

#[test]
fn empty_cells_and_the_max_tiles_rank_count_by_their_weights() {
    assert_eq!(initial(InitialWeights { empty: 10.0, ..NO_INITIAL }, TOP_LEFT_HEAVY), 90.0);
    assert_eq!(initial(InitialWeights { max_tile: 100.0, ..NO_INITIAL }, TOP_LEFT_HEAVY), 700.0);
    let all = InitialWeights { corner: 1.0, empty: 10.0, max_tile: 100.0, loss_penalty: 5.0 };
    assert_eq!(initial(all, TOP_LEFT_HEAVY), 48.0 + 90.0 + 700.0);
    assert_eq!(InitialHeuristics::new(all).lost(*Board::default()), -5.0);
}

#[test]
fn final_empty_cells_count_once_in_their_row_and_once_in_their_column() {
    let empty = FinalWeights { empty: 1.0, ..NO_FINAL };
    assert_eq!(last(empty, "2 2 . 4 / . . . . / . . . . / . . . ."), 26.0);
}

#[test]
fn final_merges_count_the_tiles_of_every_run_across_gaps() {
    let merges = FinalWeights { merges: 1.0, ..NO_FINAL };
    let row = |row: &str| last(merges, &format!("{row} / . . . . / . . . . / . . . ."));
    let rows = ["2 . . 2", "2 . 2 2", "2 2 4 4", "8 8 8 8", "2 4 2 4"];
    assert_eq!(rows.map(row), [2.0, 3.0, 4.0, 4.0, 0.0]);
    // A column of three, and two rows of two.
    assert_eq!(last(merges, "2 . 2 . / 2 4 . 4 / . . . . / 2 . . ."), 3.0 + 2.0 + 2.0);
}

#[test]
fn final_monotonicity_takes_the_lesser_of_falls_and_rises() {
    let monotonicity = FinalWeights { monotonicity: -1.0, ..NO_FINAL };
    let row = |row: &str| last(monotonicity, &format!("{row} / . . . . / . . . . / . . . ."));
    assert_eq!(row("2 8 64 128"), 0.0);
    assert_eq!(row("128 64 8 ."), 0.0);
    // The paper's two patterns. Ranks 1 4 1 0 to the fourth: 1 256 1 0 rise by 255 and fall by 256.
    assert_eq!(row("2 16 2 ."), 255.0);
    // Ranks 8 12 8 0: 4096 20736 4096 0 rise by 16640 and fall by 20736.
    assert_eq!(row("256 4096 256 ."), 16640.0);
    // A column like the first, and what it does to its rows: none of them has two directions.
    assert_eq!(last(monotonicity, "2 . . . / 16 . . . / 2 . . . / . . . ."), 255.0);
}

#[test]
fn the_sum_penalty_adds_ranks_to_the_power_of_three_and_a_half() {
    let sum = FinalWeights { sum: -1.0, ..NO_FINAL };
    // Rank 4 to the 3.5 is 128, and every tile stands in a row and in a column.
    let value = last(sum, "16 . . . / . 2 . . / . . . . / . . . 512");
    let by_hand = 2.0 * (128.0 + 1.0 + 9.0_f64.powi(3) * 3.0);
    assert!((value - by_hand).abs() < 1e-9, "{value}, {by_hand}");
}

#[test]
fn the_final_weights_are_those_of_the_program_that_the_paper_names() {
    // One row 2 2 . 4: one empty cell, a run of two, 1 1 0 16 falls by 1 and rises by 16.
    let first_row = 270.0 + 2.0 * 700.0 - 47.0 * 1.0;
    let other_rows = 3.0 * 4.0 * 270.0;
    let columns = (3.0 + 3.0 + 4.0 + 3.0) * 270.0;
    // Ranks 1 1 2 to the 3.5, each in a row and a column: 2 to the 3.5 is 8 times the root of 2.
    let sums = 11.0 * 2.0 * (1.0 + 1.0 + 8.0 * 2.0_f64.sqrt());
    let by_hand = 8.0 * 200_000.0 + first_row + other_rows + columns - sums;
    let value = last(FinalWeights::default(), "2 2 . 4 / . . . . / . . . . / . . . .");
    assert!((value - by_hand).abs() < 1e-6, "{value}, {by_hand}");
    assert_eq!(FinalHeuristics::default().lost(*Board::default()), 0.0);
}

#[test]
fn powers_of_ranks_are_exact_where_they_are_integers() {
    for rank in 0..16_u64 {
        let text = if rank == 0 { ".".to_owned() } else { (1_u64 << rank).to_string() };
        let alone = format!("{text} . . . / . . . . / . . . . / . . . .");
        let fourth = FinalWeights { sum: -0.5, sum_power: 4.0, ..NO_FINAL };
        assert_eq!(last(fourth, &alone), (rank * rank * rank * rank) as f64);
    }
}

#[test]
fn a_board_and_its_mirror_image_have_exactly_the_same_value() {
    let first = InitialHeuristics::default();
    let second = FinalHeuristics::default();
    let mut rng = Rng::from_seed(2);
    for _ in 0..100_000 {
        let board = Board::from_packed(rng.next_u64());
        assert_eq!(first.value(*board), first.value(board.transposed()), "{board}");
        assert_eq!(second.value(*board), second.value(board.transposed()), "{board}");
    }
}

#[test]
fn the_score_of_a_board_is_that_of_making_its_tiles_from_2s() {
    let score = ScoreHeuristic::default();
    let board: Board = "2 4 8 . / . . . . / . . . . / . . . 16".parse().unwrap();
    assert_eq!(score.value(*board), 0.0 + 4.0 + 16.0 + 48.0);
    let mut rng = Rng::from_seed(3);
    for _ in 0..1000 {
        let board = Board::from_ranks(std::array::from_fn(|_| rng.below(16) as u8)).unwrap();
        assert_eq!(score.value(*board), f64::from(potential(*board)), "{board}");
        assert_eq!(score.lost(*board), score.value(*board));
    }
}

/// Of the first row 2 . 8 8 the neighbours differ by 2 and 0; of its columns only the last has two tiles, 8
/// and 2, which differ by 2.
#[test]
fn smoothness_as_described_is_a_penalty_on_differences() {
    let board: Board = "2 . 8 8 / . . . . / . . . . / . . . 2".parse().unwrap();
    let weights = FinalWeights::default();
    let without = FinalHeuristics::new(FinalWeights { merges: 0.0, ..weights }).value(*board);
    let described = FinalHeuristics::as_described(weights).value(*board);
    assert!((described - (without - 700.0 * 4.0)).abs() < 1e-6, "{described}, {without}");
    let rewarded = FinalHeuristics::new(weights).value(*board);
    assert!((rewarded - (without + 700.0 * 2.0)).abs() < 1e-6, "{rewarded}, {without}");
}
