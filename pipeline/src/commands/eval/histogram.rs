//! A histogram of scores in text.

/// How many bars there are at most.
const BARS: f64 = 12.0;
/// How long the longest bar is, in cells.
const LONGEST: f64 = 40.0;
/// A cell filled from the left, by eighths.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// One bar for each stretch of scores, aligned, with its count behind it.
pub(super) fn histogram(scores: &[f64], colour: &str, plain: &str) -> String {
    let highest = scores.iter().copied().fold(0.0, f64::max);
    let lowest = scores.iter().copied().fold(f64::INFINITY, f64::min);
    let width = nice_width((highest - lowest) / BARS);
    let first = (lowest / width).floor();
    let bins = ((highest / width).floor() - first) as usize + 1;
    let mut counts = vec![0_usize; bins];
    for score in scores {
        counts[((score / width).floor() - first) as usize] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(1) as f64;
    let edge = |bin: usize| format!("{}", (first + bin as f64) * width);
    let columns = edge(bins).len();
    let mut text = String::new();
    for (bin, &count) in counts.iter().enumerate() {
        let bar = bar(count as f64 / most * LONGEST);
        let pad = " ".repeat(LONGEST as usize + 1 - bar.chars().count().min(LONGEST as usize));
        text.push_str(&format!("  {:>columns$} {colour}{bar}{plain}{pad}{count}\n", edge(bin)));
    }
    text
}

fn bar(cells: f64) -> String {
    let eighths = (cells * 8.0).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

/// The next number above that people like to count in: 1, 2 or 5 times a power of ten.
fn nice_width(least: f64) -> f64 {
    if least <= 4.0 {
        return 4.0;
    }
    let power = 10.0_f64.powi(least.log10().floor() as i32);
    let steps = [1.0, 2.0, 5.0, 10.0];
    steps.map(|step| step * power).into_iter().find(|&width| width >= least).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_in_one_bar() {
        let scores: Vec<f64> = (0..100).map(f64::from).map(|score| score * 37.0).collect();
        let text = histogram(&scores, "", "");
        let counts = text.lines().map(|line| line.rsplit(' ').next().unwrap().parse::<usize>().unwrap());
        assert_eq!(counts.sum::<usize>(), 100, "{text}");
        assert!(text.lines().count() <= BARS as usize + 1, "{text}");
        assert_eq!(histogram(&[8.0, 8.0], "", "").lines().count(), 1);
    }

    #[test]
    fn widths_are_round() {
        assert_eq!([3.0, 11.0, 130.0, 499.0, 1001.0].map(nice_width), [4.0, 20.0, 200.0, 500.0, 2000.0]);
    }
}
