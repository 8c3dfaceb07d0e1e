//! The measures on drawn boards, each number worked out by hand from Algorithms 1 to 3.

use chen2023::measure::Measure::{
    self, Best, Mine, MineWithRankSum, MineWithRow, MineWithRowWithoutSum, MineWithoutSum, Sum,
};
use engine::Board;

fn of(text: &str) -> impl Fn(Measure) -> u32 {
    let board: Board = text.parse().unwrap();
    move |measure| measure.of(*board)
}

#[test]
fn sum_and_best() {
    let measure = of("2 4 8 16 / . . 512 . / . 4 . . / 2 . . 32");
    assert_eq!((measure(Sum), measure(Best)), (580, 512));
    let measure = of("32768 32768 2 . / . . . . / . . . . / . . . .");
    assert_eq!((measure(Sum), measure(Best)), (65538, 32768));
    let measure = of(". . . . / . . . . / . . . . / . . . .");
    assert_eq!((measure(Sum), measure(Best)), (0, 0));
}

#[test]
fn the_largest_tile_in_a_corner_has_both_bonuses() {
    for text in [
        "1024 4 . . / . . . . / . . . . / . . . .",
        "4 . . 1024 / . . . . / . . . . / . . . .",
        "4 . . . / . . . . / . . . . / 1024 . . .",
        "4 . . . / . . . . / . . . . / . . . 1024",
    ] {
        let measure = of(text);
        assert_eq!(measure(MineWithoutSum), 10 * 10 + 100, "{text}");
        assert_eq!(measure(Mine), 200 + 1028, "{text}");
    }
}

#[test]
fn behind_the_largest_tile_a_lower_corner_is_worth_more() {
    let far = of(". 1024 . . / . . . . / . . . . / 2 . . .");
    let near = of(". 1024 . . / . . . . / . . . . / 512 . . .");
    assert_eq!(far(MineWithoutSum), 10 * (10 - 1));
    assert_eq!(near(MineWithoutSum), 10);
    assert_eq!(near(Mine), 10 + 1536);
    let none = of(". 1024 . . / . . . . / . . . . / . . . .");
    assert_eq!(none(MineWithoutSum), 10 * 10);
}

#[test]
fn of_equal_tiles_the_first_in_reading_order_counts() {
    // The first 64 stands beside the corner that holds the other: the corner is as large, but not in the same
    // place.
    assert_eq!(of(". 64 . 64 / . . . . / . . . . / . . . .")(MineWithoutSum), 100);
    // The first 64 is the first of the two corners.
    assert_eq!(of("64 . . . / . . . . / . . . . / . . . 64")(MineWithoutSum), 60 + 100);
    assert_eq!(of("2 . . . / 64 . . . / . . . . / 64 . . 64")(MineWithoutSum), 100);
}

#[test]
fn the_row_of_the_best_corner_has_a_bonus_of_its_own() {
    let top = of("8 . 2 64 / . . . . / 4 . . . / 32 32 32 32");
    assert_eq!(top(Mine), 60 + 100 + 206);
    assert_eq!(top(MineWithRow), 60 + 100 + 206 + 10 * (3 + 1 + 6));
    let bottom = of("8 . 2 . / 64 . . . / . . . . / 32 4 . 32");
    assert_eq!(bottom(Mine), 10 + 142);
    assert_eq!(bottom(MineWithRow), 10 + 142 + 10 * (5 + 2 + 5));
    assert_eq!(bottom(MineWithRowWithoutSum), 10 + 10 * (5 + 2 + 5));
}

#[test]
fn a_sum_of_exponents_in_the_place_of_tiles() {
    let measure = of("2 . . 4 / . . . . / . 1024 . . / . . . 8");
    assert_eq!(measure(MineWithoutSum), 10 * (10 - 3));
    assert_eq!(measure(MineWithRankSum), 70 + (1 + 2 + 10 + 3));
    assert_eq!(measure(Mine), 70 + 1038);
}

#[test]
fn the_boards_that_the_paper_prints() {
    // Section 6, SumMeasure, and section 7.2, MyMeasure, both printed as exponents.
    let section_6 = of("4 8 32 256 / 2 16 64 1024 / 4 8 128 512 / 2 4 8 256");
    assert_eq!(section_6(Sum), 2328);
    assert_eq!(section_6(Mine), 10 * (10 - 8) + 2328);
    let section_7 = of("4 4096 2048 4 / 128 1024 256 128 / 8 64 32 8 / 2 4 2 4");
    assert_eq!(section_7(Best), 4096);
    assert_eq!(section_7(Mine), 10 * (12 - 2) + 7812);
}
