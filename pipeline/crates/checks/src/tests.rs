//! Every check: what it computes, how near a published number must come, and which arguments it refuses.

use serde_json::{Value, json};

use super::*;
use crate::grim_average::is_possible;

fn check(name: &str, args: Value) -> Check {
    serde_json::from_value(json!({"check": name, "args": args})).unwrap()
}

fn text(words: &str) -> StatedValue {
    StatedValue::Text(words.to_owned())
}

/// Asserts what a check gives, and whether a published text is right.
fn assert_computed(name: &str, args: Value, published: &str, expected: (&str, bool)) {
    let computed = check(name, args.clone()).compute(&text(published));
    assert_eq!((computed.value.as_str(), computed.is_right), expected, "{name} {args} {published}");
}

fn because(name: &str, args: Value) -> String {
    check(name, args).compute(&text("")).because
}

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

#[test]
fn a_mean_of_multiples_of_four_has_steps_of_four_over_n() {
    // Steps of 0.04 at n = 100: 9869.20 is one, 2772.54 lies between 2772.52 and 2772.56.
    assert!(is_possible(decimal("9869.20"), 100, 4));
    assert!(!is_possible(decimal("2772.54"), 100, 4));
    // 1109016 = 4 * 277254 over 400 games is 2772.54 exactly.
    assert!(is_possible(decimal("2772.54"), 400, 4));
    // Halves may be rounded either way: 4/8 = 0.5 prints as 0 or 1.
    assert!(is_possible(decimal("0"), 8, 4) && is_possible(decimal("1"), 8, 4));
    assert!(is_possible(decimal("999999999999999999"), u64::MAX, u64::MAX - 1), "nothing overflows");
}

#[test]
fn the_smallest_common_n_is_found_by_trying_all() {
    let means = ["2772.54", "9869.20", "9114.13", "16369.54", "27907.71"];
    assert_computed("smallest-common-n", json!({"means": means, "divisor": 4}), "223", ("223", true));
    let fits = |n| means.iter().all(|mean| is_possible(decimal(mean), n, 4));
    assert!(fits(223) && !(1..223).any(fits));
}

#[test]
fn checks_compute_the_right_value_and_compare_it_with_the_published_one() {
    let binomial = |n: u64, k: u64, p: f64| json!({"n": n, "k": k, "p": p});
    let mean = |values: [f64; 2], weights: [f64; 2]| json!({"values": values, "weights": weights});
    let one = |value: f64| json!({"values": [value], "weights": [1.0]});
    let ratio = |one: &str, other: &str| json!({"numerator": one, "denominator": other});
    let bound = |bound: u64| json!({"bound": bound, "cells": 16, "states_per_cell": 11, "terminal_tiles": 1});
    // 3^2 boards without a terminal tile, and 2 * 4 * 3 with one.
    let small = |bound: u64| json!({"bound": bound, "cells": 2, "states_per_cell": 3, "terminal_tiles": 4});
    let logs = |second: [u32; 2]| json!({"first": [2, 16], "second": second});
    let powers = |first: [u32; 2], second: [u32; 2]| json!({"first": first, "second": second});
    let difference = || json!({"minuend": "6800.4", "subtrahend": "6284.2", "step": 100});
    let rate = |min_max_tile: u32| json!({"min_max_tile": min_max_tile, "tile": 2048});
    let states = |empty: [u32; 4], c: u64| json!({"empty_cells": empty, "m": 8, "c": c});
    let nodes = json!({"empty": [14, 9, 4, 0], "depth": [5, 6, 7, 7]});
    let formula = "2(|S|)(m) + c";
    for (name, args, published, expected) in [
        ("binomial-point", binomial(3, 1, 0.6), "0.375", ("0.288", false)),
        ("binomial-point", binomial(3, 1, 0.5), "0.375", ("0.375", true)),
        ("binomial-point", binomial(3, 4, 0.5), "", ("0", false)),
        ("binomial-point", binomial(3, 3, 0.5), "", ("0.125", false)),
        ("binomial-point", binomial(3, 0, 0.5), "", ("0.125", false)),
        ("binomial-point", binomial(4, 2, 0.5), "", ("0.375", false)),
        ("binomial-point", binomial(5, 2, 0.5), "", ("0.3125", false)),
        ("binomial-tail", binomial(9, 3, 0.6), "0.099", ("0.0994", true)),
        ("binomial-tail", binomial(9, 3, 0.6), "0.098", ("0.0994", false)),
        ("binomial-tail", binomial(1000, 1000, 0.5), "1", ("1", true)),
        ("states-per-move", json!({"empty_cells": [8, 8, 8, 8]}), "64", ("64", true)),
        // Two moves that merge one pair each have an empty cell more: 2*(8+8+9+9), against 2*4*8 + 2.
        ("states-formula", states([8, 8, 9, 9], 2), formula, ("68", false)),
        ("states-formula", states([8; 4], 0), formula, ("64", true)),
        ("weighted-mean", mean([70000.0, 35000.0], [0.6, 0.4]), "56000", ("56000", true)),
        ("weighted-mean", mean([70000.0, 35000.0], [1.0, 2.0]), "47333", ("46666.6667", false)),
        // A printed number is right up to half of its last digit, and halves may be rounded either way.
        ("weighted-mean", one(0.125), "0.13", ("0.125", true)),
        ("weighted-mean", one(0.125), "0.12", ("0.125", true)),
        ("weighted-mean", one(0.125), "0.14", ("0.125", false)),
        ("weighted-mean", one(0.125), "0.11", ("0.125", false)),
        // As many digits as are printed, and at least four.
        ("weighted-mean", one(0.123_456_7), "0.12345", ("0.12346", false)),
        ("weighted-mean", one(0.123_456_7), "0.1", ("0.1235", true)),
        ("weighted-mean", one(120.0), "a dozen", ("120", false)),
        ("node-table", nodes, "14400, 64000, 32000, 256", ("14400, 64000, 32000, 256", true)),
        ("node-table", json!({"empty": [16], "depth": [20]}), "", ("2113922820157210624", false)),
        ("state-bound", bound(2_357_416_382_960_656), "an upper bound", ("no upper bound", false)),
        ("state-bound", bound(u64::MAX), "an upper bound", ("an upper bound", true)),
        ("state-bound", small(33), "an upper bound", ("an upper bound", true)),
        ("state-bound", small(32), "an upper bound", ("no upper bound", false)),
        ("log-differences", logs([256, 4096]), "equal", ("3 and 4", false)),
        ("log-differences", logs([4096, 512]), "equal", ("equal", true)),
        ("equal-powers", powers([16, 12], [2, 48]), "equal", ("equal", true)),
        ("equal-powers", powers([15, 2], [2, 8]), "equal", ("225 and 256", false)),
        ("ratio-of-printed", ratio("9.69", "0.68"), "14.25", ("14.250", true)),
        ("ratio-of-printed", ratio("148.9", "24.9"), "5.98", ("5.980", true)),
        ("ratio-of-printed", ratio("9.69", "0.68"), "15.25", ("14.250", false)),
        // From 0.95 / 2.05 to 1.05 / 1.95.
        ("ratio-of-printed", ratio("1.0", "2.0"), "0.5", ("0.500", true)),
        ("ratio-of-printed", ratio("1.0", "2.0"), "0.46", ("0.500", true)),
        ("ratio-of-printed", ratio("1.0", "2.0"), "0.54", ("0.500", true)),
        ("ratio-of-printed", ratio("1.0", "2.0"), "0.45", ("0.500", false)),
        ("ratio-of-printed", ratio("1.0", "2.0"), "0.55", ("0.500", false)),
        ("ratio-of-printed", ratio("1.0", "2.0"), "one half", ("0.500", false)),
        ("rounding-of-difference", difference(), "600", ("500", false)),
        ("rounding-of-difference", difference(), "500", ("500", true)),
        ("parity-of-score", json!({"score": 11_839}), "possible", ("impossible", false)),
        ("parity-of-score", json!({"score": 11_838}), "possible", ("possible", true)),
        ("power-of-two", json!({"tile": 4178}), "a power of two", ("no power of two", false)),
        ("power-of-two", json!({"tile": 8192}), "a power of two", ("a power of two", true)),
        ("rate-from-minimum", rate(2048), "0.8", ("1", false)),
        ("rate-from-minimum", rate(2048), "1", ("1", true)),
        ("rate-from-minimum", rate(1024), "unknown", ("unknown", true)),
        ("rate-from-minimum", rate(1024), "1", ("unknown", false)),
        ("tiles-of-exponents", json!({"exponents": [2, 3, 5, 17]}), "4, 8, 32", ("4, 8, 32, 131072", false)),
    ] {
        assert_computed(name, args, published, expected);
    }
}

#[test]
fn checks_say_how_a_value_is_computed() {
    let powers = json!({"first": [4, 2], "second": [2, 127]});
    let formula = json!({"empty_cells": [16, 16, 16, 16], "m": 16, "c": u64::MAX});
    let bound = json!({"bound": 1, "cells": 16, "states_per_cell": 18, "terminal_tiles": 18});
    for (name, args, expected) in [
        (
            "log-differences",
            json!({"first": [2, 16], "second": [4096, 512]}),
            "2 and 16 are 3 ranks apart, 4096 and 512 are 3",
        ),
        ("equal-powers", powers, "4^2 = 16 and 2^127 = 170141183460469231731687303715884105728"),
        ("parity-of-score", json!({"score": 11_838}), "11838 is even"),
        ("parity-of-score", json!({"score": 11_839}), "11839 is odd"),
        ("states-per-move", json!({"empty_cells": [8, 9]}), "2*8 + 2*9"),
        ("power-of-two", json!({"tile": 4178}), "the powers of two around 4178 are 4096 and 8192"),
        ("power-of-two", json!({"tile": 0}), "the powers of two around 0 are 1 and 2"),
        (
            "ratio-of-printed",
            json!({"numerator": "1.0", "denominator": "2.0"}),
            "numbers that round to 1.0 and 2.0 have ratios from 0.463 to 0.538",
        ),
        // The largest arguments that a manifest may have do not overflow.
        (
            "power-of-two",
            json!({"tile": u64::MAX}),
            "the powers of two around 18446744073709551615 are 9223372036854775808 and 18446744073709551616",
        ),
        ("states-formula", formula, "the formula gives 2*4*16 + 18446744073709551615 = 18446744073709551743"),
        (
            "state-bound",
            bound,
            "18^16 + 16*18*18^15 = 2064472028642102280192 boards can be written, 1 is the bound",
        ),
    ] {
        assert_eq!(because(name, args), expected);
    }
}

#[test]
fn a_number_without_a_last_digit_is_right_to_all_digits() {
    let point = check("binomial-point", json!({"n": 3, "k": 1, "p": 0.6}));
    let mean = check("weighted-mean", json!({"values": [2e12], "weights": [1.0]}));
    for (check, published, is_right) in [
        (&point, 0.288, true),
        (&point, 0.288 + 1e-12, true),
        (&point, 0.288_001, false),
        (&point, 0.287_999, false),
        // A number of this size has no more digits.
        (&mean, 2e12 + 1.0, true),
        (&mean, 2e12 + 1e4, false),
    ] {
        assert_eq!(check.compute(&StatedValue::Number(published)).is_right, is_right, "{published}");
    }
}

#[test]
fn a_printed_board_says_where_its_largest_tile_stands() {
    for (board, expected) in [
        ("2 4 . . / . . . 64 / . . . . / . . . .", ("between two corners", false)),
        ("2 4 . . / . . . . / . . . . / 64 . . .", ("in a corner", true)),
        ("64 . . . / . 64 . . / . . . . / . . . .", ("in a corner and in the center", false)),
    ] {
        assert_computed("largest-tile-place", json!({"board": board}), "in a corner", expected);
    }
    let board = json!({"board": "2 4 . . / . . . 64 / . . . . / . . . ."});
    assert_eq!(because("largest-tile-place", board), "the largest tile, 64, is in row 2, column 4");
}

#[test]
fn arguments_that_leave_a_check_without_an_answer_are_refused() {
    let tile = "which is not a tile: write 2, 4, 8 and so on";
    for (name, args, problem) in [
        (
            "binomial-tail",
            json!({"n": 3, "k": 4, "p": 0.6}),
            "`k` is 4, but there are only 3 trials: write at most 3".to_owned(),
        ),
        (
            "weighted-mean",
            json!({"values": [1, 2], "weights": [1]}),
            "`values` has 2 entries and `weights` 1: give one for each".to_owned(),
        ),
        (
            "weighted-mean",
            json!({"values": [1, 2], "weights": [0, 0]}),
            "`weights` add up to 0: give one above 0".to_owned(),
        ),
        (
            "weighted-mean",
            json!({"values": [1e308, 1e308], "weights": [1, 1]}),
            "`values` and `weights` are too large to be added up".to_owned(),
        ),
        (
            "node-table",
            json!({"empty": [1, 2], "depth": [3]}),
            "`empty` has 2 entries and `depth` 1: give one for each".to_owned(),
        ),
        (
            "equal-powers",
            json!({"first": [16, 12], "second": [2, 128]}),
            "`second` is 2^128: write a power below 2^128".to_owned(),
        ),
        ("log-differences", json!({"first": [0, 16], "second": [2, 4]}), format!("`first` has 0, {tile}")),
        ("log-differences", json!({"first": [2, 16], "second": [2, 5]}), format!("`second` has 5, {tile}")),
        ("rate-from-minimum", json!({"min_max_tile": 2048, "tile": 0}), format!("`tile` has 0, {tile}")),
        (
            "ratio-of-printed",
            json!({"numerator": "2.5", "denominator": "0.00"}),
            "`denominator` is 0.00: write a number above 0".to_owned(),
        ),
        (
            "largest-tile-place",
            json!({"board": ". . . . / . . . . / . . . . / . . . ."}),
            "`board` is not a board with tiles: all cells are empty".to_owned(),
        ),
    ] {
        assert_eq!(check(name, args).validate().unwrap_err().to_string(), problem);
    }
}
