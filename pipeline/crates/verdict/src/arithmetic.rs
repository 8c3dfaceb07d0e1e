//! Verdicts on computations: each is done again, exactly where it can be, and held against what the paper says.

use manifest::{BoardPart, Check, Decimal, Stated};

use crate::format::part_name;
use crate::last_board::LastBoard;

/// What a computation gives, and whether the paper says the same.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Computed {
    /// The right value, as text.
    pub(super) value: String,
    pub(super) is_right: bool,
    /// How it comes about, for people.
    pub(super) because: String,
}

/// Does a computation again. Its arguments were checked with the manifest, so that it has an answer.
pub(super) fn compute(check: &Check, published: &Stated) -> Computed {
    match check {
        Check::GrimAverage { mean, n, divisor } => grim_average(*mean, *n, *divisor, published),
        Check::SmallestCommonN { means, divisor } => smallest_common_n(means, *divisor, published),
        Check::StatesPerMove { empty_cells } => states_per_move(empty_cells, published),
        Check::StatesFormula { empty_cells, m, c } => states_formula(empty_cells, *m, *c),
        Check::WeightedMean { values, weights } => weighted_mean(values, weights, published),
        Check::BinomialPoint { n, k, p } => {
            let value = binomial(*n, *k, *p);
            number(value, published, format!("P(X = {k}) for n = {n}, p = {p}"))
        }
        Check::BinomialTail { n, k, p } => {
            let value = (0..=*k).map(|k| binomial(*n, k, *p)).sum();
            number(value, published, format!("P(X <= {k}) for n = {n}, p = {p}"))
        }
        Check::NodeTable { empty, depth } => node_table(empty, depth, published),
        Check::StateBound { bound, cells, states_per_cell, terminal_tiles } => {
            state_bound(*bound, *cells, *states_per_cell, *terminal_tiles, published)
        }
        Check::EqualPowers { first, second } => equal_powers(*first, *second, published),
        Check::LogDifferences { first, second } => log_differences(*first, *second, published),
        Check::RoundingOfDifference { minuend, subtrahend, step } => {
            rounding_of_difference(*minuend, *subtrahend, *step, published)
        }
        Check::RatioOfPrinted { numerator, denominator } => {
            ratio_of_printed(*numerator, *denominator, published)
        }
        Check::ParityOfScore { score } => {
            let because = format!("{score} is {}", if score % 2 == 0 { "even" } else { "odd" });
            word(score.is_multiple_of(2), ["possible", "impossible"], published, because)
        }
        Check::PowerOfTwo { tile } => {
            let because = format!("the powers of two around {tile} are {}", neighbours(*tile));
            word(tile.is_power_of_two(), ["a power of two", "no power of two"], published, because)
        }
        Check::RateFromMinimum { min_max_tile, tile } => rate_from_minimum(*min_max_tile, *tile, published),
        Check::LargestTilePlace { board } => largest_tile_place(board, published),
        Check::TilesOfExponents { exponents } => tiles_of_exponents(exponents, published),
    }
}

/// A number whose right value is known to all digits: right where it rounds to the printed one.
fn number(value: f64, published: &Stated, because: String) -> Computed {
    let (is_right, places) = match published {
        Stated::Number(printed) => ((value - printed).abs() < 1e-9 * value.abs().max(1.0), 4),
        Stated::Text(text) => match text.parse::<Decimal>() {
            Ok(printed) => {
                // Half a unit of the last printed digit, and a little for the last bit of the computation.
                let half = 0.5 / printed.scale() as f64;
                ((value - printed.value()).abs() <= half * (1.0 + 1e-9), printed.places.max(4))
            }
            Err(_) => (false, 4),
        },
    };
    let text = format!("{value:.*}", places as usize);
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text };
    Computed { value: text, is_right, because }
}

/// One of two words.
fn word(holds: bool, words: [&str; 2], published: &Stated, because: String) -> Computed {
    let value = words[usize::from(!holds)].to_owned();
    Computed { is_right: says(published, &value), value, because }
}

fn says(published: &Stated, value: &str) -> bool {
    matches!(published, Stated::Text(text) if text == value)
}

/// Whether n multiples of a divisor can have a mean that is printed so.
fn is_possible(mean: Decimal, n: u64, divisor: u64) -> bool {
    // The sum is a multiple k of the divisor, and k * divisor / n rounds to the printed units:
    // |2 k divisor scale - 2 units n| <= n, tried for the nearest k on both sides.
    let (n, divisor) = (u128::from(n), u128::from(divisor));
    let (units, scale) = (u128::from(mean.units), u128::from(mean.scale()));
    let nearest = units * n / (divisor * scale);
    [nearest, nearest + 1].iter().any(|k| (2 * k * divisor * scale).abs_diff(2 * units * n) <= n)
}

fn grim_average(mean: Decimal, n: u64, divisor: u64, published: &Stated) -> Computed {
    let because = format!("the mean of {n} multiples of {divisor} moves in steps of {divisor}/{n}");
    word(is_possible(mean, n, divisor), ["possible", "impossible"], published, because)
}

/// The most games that are looked at for a common n.
const MOST_GAMES: u64 = 1_000_000;

fn smallest_common_n(means: &[Decimal], divisor: u64, published: &Stated) -> Computed {
    let all_fit = |n: &u64| means.iter().all(|&mean| is_possible(mean, *n, divisor));
    let because = format!("the first n at which multiples of {divisor} can have all {} means", means.len());
    match (1..=MOST_GAMES).find(all_fit) {
        Some(n) => number(n as f64, published, because),
        None => Computed { value: format!("none up to {MOST_GAMES}"), is_right: false, because },
    }
}

fn states_per_move(empty_cells: &[u64], published: &Stated) -> Computed {
    let terms: Vec<String> = empty_cells.iter().map(|cells| format!("2*{cells}")).collect();
    number(states(empty_cells) as f64, published, terms.join(" + "))
}

/// Two tiles for every empty cell of every afterstate.
fn states(empty_cells: &[u64]) -> u128 {
    empty_cells.iter().map(|&cells| 2 * u128::from(cells)).sum()
}

fn states_formula(empty_cells: &[u64], m: u64, c: u64) -> Computed {
    let moves = empty_cells.len() as u128;
    let (right, formula) = (states(empty_cells), 2 * moves * u128::from(m) + u128::from(c));
    let because = format!("the formula gives 2*{moves}*{m} + {c} = {formula}");
    Computed { value: right.to_string(), is_right: right == formula, because }
}

fn weighted_mean(values: &[f64], weights: &[f64], published: &Stated) -> Computed {
    let sum: f64 = values.iter().zip(weights).map(|(value, weight)| value * weight).sum();
    let terms: Vec<String> =
        values.iter().zip(weights).map(|(value, weight)| format!("{weight}*{value}")).collect();
    let total: f64 = weights.iter().sum();
    number(sum / total, published, format!("({}) / {total}", terms.join(" + ")))
}

/// The probability of exactly k successes in n trials.
fn binomial(n: u64, k: u64, p: f64) -> f64 {
    if k > n {
        return 0.0;
    }
    let ways: f64 = (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product();
    let power = |base: f64, exponent: u64| (0..exponent).fold(1.0, |product, _| product * base);
    ways * power(p, k) * power(1.0 - p, n - k)
}

fn node_table(empty: &[u32], depth: &[u32], published: &Stated) -> Computed {
    let nodes =
        |(&empty, &depth): (&u32, &u32)| (4 * (u64::from(empty) + 1)).pow(depth / 2) * 4_u64.pow(depth % 2);
    let table: Vec<String> = empty.iter().zip(depth).map(|pair| nodes(pair).to_string()).collect();
    let value = table.join(", ");
    let because = "each row is the formula's, whose chance nodes have one child for each empty cell, not two"
        .to_owned();
    Computed { is_right: says(published, &value), value, because }
}

fn state_bound(bound: u64, cells: u32, per_cell: u32, terminal: u32, published: &Stated) -> Computed {
    let without = u128::from(per_cell).pow(cells);
    let with_one = u128::from(cells) * u128::from(terminal) * u128::from(per_cell).pow(cells - 1);
    let states = without + with_one;
    let because = format!(
        "{per_cell}^{cells} + {cells}*{terminal}*{per_cell}^{} = {states} boards can be written, {bound} is the bound",
        cells - 1
    );
    word(states <= u128::from(bound), ["an upper bound", "no upper bound"], published, because)
}

fn equal_powers(first: [u32; 2], second: [u32; 2], published: &Stated) -> Computed {
    // The manifest has no larger ones.
    let power = |[base, exponent]: [u32; 2]| u128::from(base).saturating_pow(exponent);
    let text = |[base, exponent]: [u32; 2]| format!("{base}^{exponent} = {}", power([base, exponent]));
    let because = format!("{} and {}", text(first), text(second));
    let value = if power(first) == power(second) {
        "equal".to_owned()
    } else {
        format!("{} and {}", power(first), power(second))
    };
    Computed { is_right: says(published, &value), value, because }
}

fn log_differences(first: [u32; 2], second: [u32; 2], published: &Stated) -> Computed {
    let ranks = |[one, other]: [u32; 2]| one.ilog2().abs_diff(other.ilog2());
    let (first_ranks, second_ranks) = (ranks(first), ranks(second));
    let because = format!(
        "{} and {} are {first_ranks} ranks apart, {} and {} are {second_ranks}",
        first[0], first[1], second[0], second[1]
    );
    let value = if first_ranks == second_ranks {
        "equal".to_owned()
    } else {
        format!("{first_ranks} and {second_ranks}")
    };
    Computed { is_right: says(published, &value), value, because }
}

fn rounding_of_difference(one: Decimal, other: Decimal, step: u64, published: &Stated) -> Computed {
    let difference = one.value() - other.value();
    let rounded = (difference / step as f64).round() * step as f64;
    let because = format!("{one} - {other} = {difference:.4}, to the nearest {step}");
    number(rounded, published, because)
}

fn ratio_of_printed(numerator: Decimal, denominator: Decimal, published: &Stated) -> Computed {
    let half = |number: Decimal| 0.5 / number.scale() as f64;
    let low = (numerator.value() - half(numerator)) / (denominator.value() + half(denominator));
    let high = (numerator.value() + half(numerator)) / (denominator.value() - half(denominator));
    let printed: Option<Decimal> = match published {
        Stated::Text(text) => text.parse().ok(),
        Stated::Number(_) => None,
    };
    let is_right = printed.is_some_and(|printed| {
        printed.value() + half(printed) >= low && printed.value() - half(printed) <= high
    });
    let value = format!("{:.3}", numerator.value() / denominator.value());
    let because =
        format!("numbers that round to {numerator} and {denominator} have ratios from {low:.3} to {high:.3}");
    Computed { value, is_right, because }
}

fn rate_from_minimum(min_max_tile: u64, tile: u64, published: &Stated) -> Computed {
    if min_max_tile < tile {
        let because = format!("a smallest largest tile of {min_max_tile} says nothing about {tile}");
        return Computed { value: "unknown".to_owned(), is_right: says(published, "unknown"), because };
    }
    number(1.0, published, format!("no game ends below {min_max_tile}, so every game reaches {tile}"))
}

/// Of several largest tiles every place is named.
fn largest_tile_place(board: &str, published: &Stated) -> Computed {
    let board = LastBoard::parse(board);
    let places: Vec<&str> = BoardPart::ALL
        .into_iter()
        .filter(|&part| board.is_some_and(|board| board.has_max_tile_in(part)))
        .map(part_name)
        .collect();
    let value = places.join(" and ");
    let cell = board.and_then(|board| board.max_cells().next()).unwrap_or_default();
    let tile = board.and_then(LastBoard::max_tile).unwrap_or_default();
    let because = format!("the largest tile, {tile}, is in row {}, column {}", cell / 4 + 1, cell % 4 + 1);
    Computed { is_right: says(published, &value), value, because }
}

fn tiles_of_exponents(exponents: &[u32], published: &Stated) -> Computed {
    let tiles: Vec<String> = exponents.iter().map(|exponent| (1_u64 << exponent).to_string()).collect();
    let value = tiles.join(", ");
    let because = "each tile is a power of 2".to_owned();
    Computed { is_right: says(published, &value), value, because }
}

fn neighbours(value: u64) -> String {
    let below = 1_u128 << value.max(1).ilog2();
    format!("{below} and {}", below * 2)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn text(words: &str) -> Stated {
        Stated::Text(words.to_owned())
    }

    pub(crate) fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    pub(crate) fn judged(check: &Check, published: &str) -> (String, bool) {
        let computed = compute(check, &text(published));
        (computed.value, computed.is_right)
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
    }

    #[test]
    fn the_smallest_common_n_is_found_by_trying_all() {
        let means: Vec<Decimal> =
            ["2772.54", "9869.20", "9114.13", "16369.54", "27907.71"].map(decimal).to_vec();
        let check = Check::SmallestCommonN { means: means.clone(), divisor: 4 };
        assert_eq!(judged(&check, "223"), ("223".into(), true));
        let fits = |n| means.iter().all(|&mean| is_possible(mean, n, 4));
        assert!(fits(223) && !(1..223).any(fits));
    }

    #[test]
    fn binomial_probabilities_are_those_of_the_textbook() {
        assert_eq!(judged(&Check::BinomialPoint { n: 3, k: 1, p: 0.6 }, "0.375"), ("0.288".into(), false));
        assert_eq!(judged(&Check::BinomialPoint { n: 3, k: 1, p: 0.5 }, "0.375"), ("0.375".into(), true));
        assert_eq!(judged(&Check::BinomialTail { n: 9, k: 3, p: 0.6 }, "0.099"), ("0.0994".into(), true));
        assert_eq!(judged(&Check::BinomialTail { n: 9, k: 3, p: 0.6 }, "0.098"), ("0.0994".into(), false));
    }

    #[test]
    fn states_are_counted_by_afterstate() {
        let check = Check::StatesPerMove { empty_cells: vec![8; 4] };
        assert_eq!(judged(&check, "64"), ("64".into(), true));
        // Two moves that merge one pair each have an empty cell more than the others: 2*(8+8+9+9), against 2*4*8 + 2.
        let formula = Check::StatesFormula { empty_cells: vec![8, 8, 9, 9], m: 8, c: 2 };
        assert_eq!(judged(&formula, "2(|S|)(m) + c"), ("68".into(), false));
    }

    #[test]
    fn weighted_means_divide_by_the_weights() {
        let mean = |weights: [f64; 2], published: &str| {
            judged(
                &Check::WeightedMean { values: vec![70000.0, 35000.0], weights: weights.to_vec() },
                published,
            )
        };
        assert_eq!(mean([0.6, 0.4], "56000"), ("56000".into(), true));
        assert_eq!(mean([1.0, 2.0], "47333"), ("46666.6667".into(), false));
    }

    #[test]
    fn the_node_table_and_the_state_bound_are_computed_exactly() {
        let table = Check::NodeTable { empty: vec![14, 9, 4, 0], depth: vec![5, 6, 7, 7] };
        assert_eq!(judged(&table, "14400, 64000, 32000, 256"), ("14400, 64000, 32000, 256".into(), true));
        let bound = |bound| Check::StateBound { bound, cells: 16, states_per_cell: 11, terminal_tiles: 1 };
        assert_eq!(judged(&bound(2_357_416_382_960_656), "an upper bound"), ("no upper bound".into(), false));
        assert_eq!(judged(&bound(u64::MAX), "an upper bound"), ("an upper bound".into(), true));
    }

    #[test]
    fn printed_numbers_are_held_against_each_other() {
        let logs = Check::LogDifferences { first: [2, 16], second: [256, 4096] };
        assert_eq!(judged(&logs, "equal"), ("3 and 4".into(), false));
        let ratio = |one: &str, other: &str, published: &str| {
            judged(&Check::RatioOfPrinted { numerator: decimal(one), denominator: decimal(other) }, published)
                .1
        };
        assert!(ratio("9.69", "0.68", "14.25") && ratio("148.9", "24.9", "5.98"));
        assert!(!ratio("9.69", "0.68", "15.25"));
        let difference = Check::RoundingOfDifference {
            minuend: decimal("6800.4"),
            subtrahend: decimal("6284.2"),
            step: 100,
        };
        assert_eq!(judged(&difference, "600"), ("500".into(), false));
        assert_eq!(judged(&difference, "500"), ("500".into(), true));
    }

    #[test]
    fn the_largest_arguments_that_a_manifest_may_have_do_not_overflow() {
        let table = Check::NodeTable { empty: vec![16], depth: vec![20] };
        assert_eq!(judged(&table, "").0, "2113922820157210624");
        let formula = Check::StatesFormula { empty_cells: vec![16; 4], m: 16, c: u64::MAX };
        let because = compute(&formula, &text("")).because;
        assert_eq!(because, "the formula gives 2*4*16 + 18446744073709551615 = 18446744073709551743");
        let because = compute(&Check::PowerOfTwo { tile: u64::MAX }, &text("")).because;
        assert!(because.ends_with("are 9223372036854775808 and 18446744073709551616"), "{because}");
        let bound = Check::StateBound { bound: 1, cells: 16, states_per_cell: 18, terminal_tiles: 18 };
        let because = compute(&bound, &text("")).because;
        assert!(because.contains("= 2064472028642102280192 boards"), "{because}");
        assert!(is_possible(decimal("999999999999999999"), u64::MAX, u64::MAX - 1));
        let tail = Check::BinomialTail { n: 1_000, k: 1_000, p: 0.5 };
        assert_eq!(judged(&tail, "1"), ("1".into(), true));
    }

    #[test]
    fn a_printed_board_says_where_its_largest_tile_stands() {
        let place = |board: &str| {
            let computed =
                compute(&Check::LargestTilePlace { board: board.to_owned() }, &text("in a corner"));
            (computed.value, computed.is_right, computed.because)
        };
        let (value, is_right, because) = place("2 4 . . / . . . 64 / . . . . / . . . .");
        assert_eq!((value.as_str(), is_right), ("between two corners", false));
        assert_eq!(because, "the largest tile, 64, is in row 2, column 4");
        assert!(place("2 4 . . / . . . . / . . . . / 64 . . .").1);
        assert_eq!(place("64 . . . / . 64 . . / . . . . / . . . .").0, "in a corner and in the center");
        let tiles = Check::TilesOfExponents { exponents: vec![2, 3, 5, 17] };
        assert_eq!(judged(&tiles, "4, 8, 32"), ("4, 8, 32, 131072".into(), false));
    }

    #[test]
    fn words_are_compared_as_they_are() {
        assert_eq!(judged(&Check::ParityOfScore { score: 11839 }, "possible"), ("impossible".into(), false));
        assert_eq!(
            judged(&Check::PowerOfTwo { tile: 4178 }, "a power of two"),
            ("no power of two".into(), false)
        );
        assert_eq!(
            judged(&Check::PowerOfTwo { tile: 8192 }, "a power of two"),
            ("a power of two".into(), true)
        );
        let rate = Check::RateFromMinimum { min_max_tile: 2048, tile: 2048 };
        assert_eq!(judged(&rate, "0.8"), ("1".into(), false));
        assert_eq!(judged(&rate, "1"), ("1".into(), true));
    }
}
