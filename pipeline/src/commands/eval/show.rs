//! The result of an evaluation for people.

use super::evaluation::{Against, EvalResult, Ranking};
use crate::output::export::Exportable;
use crate::output::indented;
use crate::output::style::Style;
use rendering::tables::{Cell, Table};
use stats::Estimate;
use text::{Scale, counted, counted_verb, nanoseconds};

impl Exportable for EvalResult {
    fn title(&self) -> String {
        format!("{}, evaluated", self.label)
    }

    fn summary(&self) -> String {
        let (games, mean) = (counted(self.games, "game"), points(&self.mean).text());
        let text = format!("{}: mean score {mean} in {games}, seed {}.", self.setting, self.seed);
        match &self.not_repeatable[..] {
            [] => text,
            fickle => format!("{text} Not repeatable: {}.", fickle.join(", ")),
        }
    }

    fn tables(&self) -> Vec<Table> {
        let mut rows = vec![
            ("mean score".to_owned(), points(&self.mean)),
            ("median score".to_owned(), points(&self.median)),
            ("lowest score".to_owned(), Cell::Count(self.lowest.into())),
            ("highest score".to_owned(), Cell::Count(self.highest.into())),
            ("games ended by a fault".to_owned(), Cell::Count(self.faults)),
        ];
        let time = self.ns_per_move.map(|ns| Cell::Text(nanoseconds(ns)));
        rows.extend(time.map(|time| ("CPU time per move".to_owned(), time)));
        rows.extend(self.reach.iter().map(|reach| (format!("reached {}", reach.tile), share(&reach.rate))));
        let starts = self.starts.iter();
        rows.extend(starts.map(|from| (format!("mean score from {}", from.start), points(&from.mean))));
        for against in &self.against {
            let name = &against.name;
            rows.extend([
                (format!("mean score of {name}"), points(&against.mean)),
                (format!("scores more than {name}"), share(&against.scores_more)),
                (format!("mean score minus that of {name}"), points(&against.difference)),
                (format!("compared with {name}"), Cell::Text(pairs(against))),
            ]);
        }
        let name = |row: &(String, Cell)| Cell::Text(row.0.clone());
        let table = Table::of(rows, &[("statistic", &name), ("value", &|row| row.1.clone())]);
        table.named("evaluation", "All figures", format!("{}.", self.written)).into_iter().collect()
    }

    fn text(&self, style: Style) -> String {
        let Style { bold, dim, green, red, plain } = style;
        let Self { setting, seed, scores, not_repeatable, .. } = self;
        let (games, histogram) = (counted(self.games, "game"), histogram(scores, green, plain));
        let mut text = format!("{bold}{setting}{plain}\n{dim}{games}, seed {seed}{plain}\n\n{histogram}\n");
        text.extend(self.tables().iter().map(|table| indented(&table.terminal())));
        if !not_repeatable.is_empty() {
            let names = not_repeatable.join(", ");
            text += &format!("  {red}not repeatable{plain}  another run plays different games: {names}\n");
        }
        match &self.ranking {
            Some(ranking) => text += &ranking.text(style),
            None if self.starts.is_empty() => {
                text +=
                    &format!("\n{dim}There are no stored results to rank it among: see --results.{plain}\n");
            }
            None => {}
        }
        text.extend(self.records.iter().map(|records| format!("\nrecords: {}\n", records.display())));
        text
    }
}

fn points(estimate: &Estimate) -> Cell {
    Cell::Estimate(*estimate, Scale::Points)
}

fn share(estimate: &Estimate) -> Cell {
    Cell::Estimate(*estimate, Scale::Share)
}

/// How many games were compared on the same seeds, or that both played the same games.
fn pairs(against: &Against) -> String {
    let pairs = counted(against.pairs, "pair");
    match (against.pairs, against.correlation) {
        _ if against.same_games => format!("the same games ({pairs})"),
        (0, _) => "different seeds".to_owned(),
        (_, Some(found)) => format!("{pairs} of a seed, correlation {:.2}", found.point),
        (_, None) => format!("{pairs} of a seed"),
    }
}

impl Ranking {
    fn text(&self, style: Style) -> String {
        let Style { bold, dim, plain, .. } = style;
        let Self { best, worst, rows, other_rules } = self;
        let worse = if best == worst { String::new() } else { format!(" to {worst}") };
        let place = format!("place {best}{worse} of {}", rows.len());
        let mut text = format!("\n{bold}{place}{plain} {dim}by mean score, under the same rules{plain}\n");
        let table = Table::of(
            rows,
            &[
                ("", &|row| Cell::Text(if row.is_ours { ">" } else { "" }.to_owned())),
                ("experiment", &|row| Cell::Text(row.name.clone())),
                ("agent", &|row| Cell::Text(row.agent.clone())),
                ("mean score", &|row| points(&row.mean)),
                ("games", &|row| Cell::Count(row.mean.n)),
            ],
        );
        let weights = rows.iter().map(|row| if row.is_ours { (bold, plain) } else { ("", "") });
        let weights = std::iter::once((dim, plain)).chain(weights);
        text.extend(
            table.terminal().lines().zip(weights).map(|(line, (on, off))| format!("{on}{line}{off}\n")),
        );
        if *other_rules == 0 {
            return text;
        }
        let play = counted_verb(*other_rules as u64, "stored experiment", ["plays", "play"]);
        let are = if *other_rules == 1 { "is" } else { "are" };
        text + &format!("{dim}{play} by different rules and {are} left out.{plain}\n")
    }
}

/// How many bars there are at most.
const BARS: f64 = 12.0;
/// How long the longest bar is, in cells.
const LONGEST: f64 = 40.0;
/// A cell filled from the left, by eighths.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// One bar for each stretch of scores, aligned, with its count behind it.
fn histogram(scores: &[f64], colour: &str, plain: &str) -> String {
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
