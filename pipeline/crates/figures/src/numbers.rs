//! Numbers as text, and round numbers for axes.

pub(super) use text::{counted, thousands};

/// A number with a fixed count of decimals and a proper minus sign; whole parts have commas.
pub(super) fn decimal(number: f64, places: usize) -> String {
    let text = format!("{:.places$}", number.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let sign =
        if number < 0.0 && text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) { "−" } else { "" };
    format!("{sign}{}{rest}", thousands(whole.parse().unwrap_or(0.0)))
}

/// A number with as many decimals as it needs, at most nine, and a proper minus sign.
pub(super) fn short(number: f64) -> String {
    let places = (0..9).find(|places| {
        let power = libm::pow(10.0, f64::from(*places));
        ((number * power).round() / power - number).abs() < 1e-9
    });
    decimal(number, places.unwrap_or(9) as usize)
}

/// A share as a percentage, with a decimal where the whole number would hide something.
pub(super) fn percent(share: f64) -> String {
    text::Scale::Share.text(share)
}

/// A duration that is 1, 2 or 5 times a power of ten of seconds.
pub(super) fn seconds(duration: f64) -> String {
    text::nanoseconds((duration * 1e9).round()).replace(".0 ", " ")
}

/// Round numbers from at or below `low` to at or above `high`, about `count` of them.
pub(super) fn ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let step = step((high - low) / count.max(1) as f64);
    let first = (low / step).floor() as i64;
    let last = (high / step - 1e-9).ceil() as i64;
    (first..=last.max(first + 1)).map(|index| index as f64 * step).collect()
}

/// The smallest of 1, 2, 5 times a power of ten that is not below `least`.
fn step(least: f64) -> f64 {
    let mut power = 1e-6;
    while power * 10.0 < least {
        power *= 10.0;
    }
    [1.0, 2.0, 5.0, 10.0]
        .iter()
        .map(|factor| factor * power)
        .find(|step| *step >= least)
        .unwrap_or(power * 10.0)
}

/// The rank of a tile: 11 for 2048. A number that is no tile has no place among them.
pub(super) fn rank(tile: u32) -> f64 {
    if tile >= 2 && tile.is_power_of_two() { f64::from(tile.ilog2()) } else { f64::NAN }
}

/// The numbers 1, 2 and 5 times a power of ten from at or below `low` to at or above `high`; true for a power
/// of ten.
pub(super) fn steps(low: f64, high: f64) -> Vec<(f64, bool)> {
    let low = low.max(1e-12);
    let exponent = libm::floor(libm::log10(low)) as i32;
    let all = (exponent..).flat_map(|exponent| {
        let power = libm::pow(10.0, f64::from(exponent));
        [(power, true), (2.0 * power, false), (5.0 * power, false)]
    });
    let mut kept: Vec<(f64, bool)> = Vec::new();
    for step in all {
        if step.0 <= low * (1.0 + 1e-9) {
            kept.clear();
        }
        kept.push(step);
        let is_below = step.0 < high * (1.0 - 1e-9);
        if !is_below && kept.len() > 1 {
            break;
        }
    }
    kept
}

/// The least and the greatest of some numbers.
pub(super) fn extent(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    numbers.fold(None, |extent, number| match extent {
        None => Some((number, number)),
        Some((low, high)) => Some((number.min(low), number.max(high))),
    })
}
