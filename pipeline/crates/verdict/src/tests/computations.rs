//! Computations that are done again: how near a published number must come, and what is said where it is right.

use super::super::arithmetic::tests::{decimal, judged, text};
use super::super::arithmetic::{Computed, compute};
use manifest::{Check, Stated};

#[test]
fn a_number_without_a_last_digit_is_right_to_all_digits() {
    let is_right = |published: f64| {
        compute(&Check::BinomialPoint { n: 3, k: 1, p: 0.6 }, &Stated::Number(published)).is_right
    };
    assert!(is_right(0.288) && is_right(0.288 + 1e-12));
    assert!(!is_right(0.288_001) && !is_right(0.287_999));
    let mean = Check::WeightedMean { values: vec![2e12], weights: vec![1.0] };
    assert!(compute(&mean, &Stated::Number(2e12 + 1.0)).is_right, "it has no more digits");
    assert!(!compute(&mean, &Stated::Number(2e12 + 1e4)).is_right);
}

#[test]
fn a_printed_number_is_right_up_to_half_of_its_last_digit() {
    let mean = |value: f64, published: &str| {
        judged(&Check::WeightedMean { values: vec![value], weights: vec![1.0] }, published)
    };
    assert!(mean(0.125, "0.13").1 && mean(0.125, "0.12").1, "halves may be rounded either way");
    assert!(!mean(0.125, "0.14").1 && !mean(0.125, "0.11").1);
    assert_eq!(mean(0.123_456_7, "0.12345").0, "0.12346", "as many digits as are printed");
    assert_eq!(mean(0.123_456_7, "0.1").0, "0.1235", "and at least four");
    assert_eq!(mean(120.0, "a dozen"), ("120".into(), false));
}

#[test]
fn counts_have_the_chances_that_they_can_have() {
    let point = |n, k| judged(&Check::BinomialPoint { n, k, p: 0.5 }, "").0;
    assert_eq!((point(3, 4), point(3, 3), point(3, 0)), ("0".into(), "0.125".into(), "0.125".into()));
    assert_eq!((point(4, 2), point(5, 2)), ("0.375".into(), "0.3125".into()));
}

#[test]
fn a_ratio_of_printed_numbers_is_right_as_far_as_they_may_be_rounded() {
    let ratio = |published: &str| {
        let check = Check::RatioOfPrinted { numerator: decimal("1.0"), denominator: decimal("2.0") };
        compute(&check, &text(published))
    };
    // From 0.95 / 2.05 to 1.05 / 1.95.
    let because = "numbers that round to 1.0 and 2.0 have ratios from 0.463 to 0.538";
    assert_eq!(ratio("0.5"), Computed { value: "0.500".into(), is_right: true, because: because.into() });
    let right = |published: &str| ratio(published).is_right;
    assert!(right("0.46") && right("0.54") && !right("0.45") && !right("0.55"));
    assert!(!right("one half"));
}

#[test]
fn checks_say_what_holds_as_well_as_what_does_not() {
    let logs = Check::LogDifferences { first: [2, 16], second: [4096, 512] };
    assert_eq!(judged(&logs, "equal"), ("equal".into(), true));
    let because = |check: &Check| compute(check, &text("")).because;
    assert_eq!(because(&logs), "2 and 16 are 3 ranks apart, 4096 and 512 are 3");
    let powers = |first, second| Check::EqualPowers { first, second };
    assert_eq!(judged(&powers([16, 12], [2, 48]), "equal"), ("equal".into(), true));
    assert_eq!(judged(&powers([15, 2], [2, 8]), "equal"), ("225 and 256".into(), false));
    assert_eq!(because(&powers([4, 2], [2, 127])), format!("4^2 = 16 and 2^127 = {}", 1_u128 << 127));
    let parity = |score| Check::ParityOfScore { score };
    assert_eq!(judged(&parity(11_838), "possible"), ("possible".into(), true));
    assert_eq!(
        (because(&parity(11_838)), because(&parity(11_839))),
        ("11838 is even".into(), "11839 is odd".into())
    );
    let formula = Check::StatesFormula { empty_cells: vec![8; 4], m: 8, c: 0 };
    assert_eq!(judged(&formula, "2(|S|)(m) + c"), ("64".into(), true));
    let terms = because(&Check::StatesPerMove { empty_cells: vec![8, 9] });
    assert_eq!(terms, "2*8 + 2*9");
    assert!(because(&Check::PowerOfTwo { tile: 4178 }).ends_with("are 4096 and 8192"));
    assert!(because(&Check::PowerOfTwo { tile: 0 }).ends_with("are 1 and 2"));
    let rate = Check::RateFromMinimum { min_max_tile: 1024, tile: 2048 };
    assert_eq!(judged(&rate, "unknown"), ("unknown".into(), true));
    assert_eq!(judged(&rate, "1"), ("unknown".into(), false));
    let bound = |bound| Check::StateBound { bound, cells: 2, states_per_cell: 3, terminal_tiles: 4 };
    // 3^2 boards without a terminal tile, and 2 * 4 * 3 with one.
    assert_eq!(judged(&bound(33), "an upper bound"), ("an upper bound".into(), true));
    assert_eq!(judged(&bound(32), "an upper bound"), ("no upper bound".into(), false));
}
