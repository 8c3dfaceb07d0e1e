//! An evaluation for people.

use super::evaluation::{Against, Evaluation};
use super::histogram::histogram;
use super::standing::Standing;
use crate::output::export::Exportable;
use crate::output::style::Style;
use crate::output::table::table;
use rendering::tables::{Cell, Table};
use stats::Estimate;
use text::{Scale, counted, nanoseconds};

impl Exportable for Evaluation {
    fn title(&self) -> String {
        format!("{}, evaluated", self.label)
    }

    fn summary(&self) -> String {
        let Self { setting, games, seed, mean, .. } = self;
        let mut text =
            format!("{setting}: mean score {} in {}, seed {seed}.", score(mean), counted(*games, "game"));
        if !self.not_repeatable.is_empty() {
            text.push_str(&format!(" Not repeatable: {}.", self.not_repeatable.join(", ")));
        }
        text
    }

    fn tables(&self) -> Vec<Table> {
        let mut rows = vec![
            vec![Cell::Text("mean score".to_owned()), Cell::Estimate(self.mean, Scale::Points)],
            vec![Cell::Text("median score".to_owned()), Cell::Estimate(self.median, Scale::Points)],
            vec![Cell::Text("lowest score".to_owned()), Cell::Count(self.lowest.into())],
            vec![Cell::Text("highest score".to_owned()), Cell::Count(self.highest.into())],
            vec![Cell::Text("games ended by a fault".to_owned()), Cell::Count(self.faults)],
        ];
        rows.extend(self.reach.iter().map(|reach| {
            vec![Cell::Text(format!("reached {}", reach.tile)), Cell::Estimate(reach.rate, Scale::Share)]
        }));
        for start in &self.starts {
            let name = format!("mean score from {}", start.start);
            rows.push(vec![Cell::Text(name), Cell::Estimate(start.mean, Scale::Points)]);
        }
        for against in &self.against {
            let name = &against.name;
            let more = Cell::Estimate(against.scores_more, Scale::Share);
            rows.push(vec![Cell::Text(format!("scores more than {name}")), more]);
            let ahead = Cell::Estimate(against.difference, Scale::Points);
            rows.push(vec![Cell::Text(format!("mean score minus that of {name}")), ahead]);
        }
        let header = vec!["statistic".to_owned(), "value".to_owned()];
        let (id, title) = ("evaluation".to_owned(), "All figures".to_owned());
        vec![Table { id, title, caption: format!("{}.", self.written), header, rows }]
    }

    fn text(&self, style: Style) -> String {
        let Style { bold, dim, green, red, plain } = style;
        let Self { setting, seed, games, mean, median, lowest, highest, .. } = self;
        let mut text =
            format!("{bold}{setting}{plain}\n{dim}{}, seed {seed}{plain}\n\n", counted(*games, "game"));
        text.push_str(&histogram(&self.scores, green, plain));
        text.push_str(&format!("\n  mean    {}\n  median  {}\n", score(mean), score(median)));
        text.push_str(&format!("  range   {lowest} to {highest}\n"));
        if let Some(ns) = self.ns_per_move {
            text.push_str(&format!("  speed   {} of CPU time per move\n", nanoseconds(ns)));
        }
        if self.faults > 0 {
            text.push_str(&format!(
                "  {red}faults  {} ended by a fault{plain}\n",
                counted(self.faults, "game")
            ));
        }
        if !self.not_repeatable.is_empty() {
            let names = self.not_repeatable.join(", ");
            text.push_str(&format!(
                "  {red}not repeatable{plain}  another run plays different games: {names}\n"
            ));
        }
        text.push('\n');
        for reach in &self.reach {
            text.push_str(&format!("  reached {:>6}  {}\n", reach.tile, percent(&reach.rate)));
        }
        text.push_str(&self.starts_text(style));
        if !self.against.is_empty() {
            text.push_str(&format!("\n{bold}scores more than{plain} {dim}(probability, ties half){plain}\n"));
            let rows = self.against.iter().map(|against| {
                vec![
                    against.name.clone(),
                    percent(&against.scores_more),
                    format!("mean {}", score(&against.mean)),
                    beside(against),
                ]
            });
            text.push_str(&indented(&table(&["", "", "", ""], &rows.collect::<Vec<_>>()), 1));
        }
        text.push_str(&self.standing.as_ref().map_or_else(
            || {
                if self.starts.is_empty() {
                    format!("\n{dim}There are no stored results to rank it among: see --results.{plain}\n")
                } else {
                    String::new()
                }
            },
            |standing| standing.text(style),
        ));
        if let Some(records) = &self.records {
            text.push_str(&format!("\nrecords: {}\n", records.display()));
        }
        text
    }
}

impl Evaluation {
    /// How the agent does from each start.
    fn starts_text(&self, style: Style) -> String {
        if self.starts.is_empty() {
            return String::new();
        }
        let Style { bold, dim, plain, .. } = style;
        let rows = self.starts.iter().map(|start| {
            let range = format!("{} to {}", start.lowest, start.highest);
            vec![start.start.clone(), score(&start.mean), range]
        });
        let listed = table(&["start", "mean score", "range"], &rows.collect::<Vec<_>>());
        let title = format!("\n{bold}from each start{plain} {dim}(points from there on){plain}\n");
        title + &indented(&listed, 0)
    }
}

/// What the games of one seed say: how far the agent is ahead, or that both played the same.
fn beside(against: &Against) -> String {
    let Against { difference, correlation, pairs, same_games, .. } = against;
    if *same_games {
        return format!("the same games ({})", counted(*pairs, "pair"));
    }
    let ahead = format!("difference {}", score(difference));
    match (pairs, correlation) {
        (0, _) => format!("{ahead}, seeds differ"),
        (_, Some(correlation)) => {
            format!("{ahead} in {} of a seed, correlation {:.2}", counted(*pairs, "pair"), correlation.point)
        }
        (_, None) => format!("{ahead} in {} of a seed", counted(*pairs, "pair")),
    }
}

impl Standing {
    fn text(&self, style: Style) -> String {
        let Style { bold, dim, plain, .. } = style;
        let all = self.rows.len();
        let place = if self.best == self.worst {
            format!("place {} of {all}", self.best)
        } else {
            format!("place {} to {} of {all}", self.best, self.worst)
        };
        let mut text = format!("\n{bold}{place}{plain} {dim}by mean score, under the same rules{plain}\n");
        let rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| {
                let mark = if row.is_ours { ">" } else { "" };
                let mean = score(&row.mean);
                vec![mark.to_owned(), row.name.clone(), row.agent.clone(), mean, row.mean.n.to_string()]
            })
            .collect();
        let listed = table(&["", "experiment", "agent", "mean score", "games"], &rows);
        for (number, line) in listed.lines().enumerate() {
            let is_ours = number > 0 && self.rows[number - 1].is_ours;
            let (on, off) = match (number, is_ours) {
                (0, _) => (dim, plain),
                (_, true) => (bold, plain),
                _ => ("", ""),
            };
            text.push_str(&format!("{on}{line}{off}\n"));
        }
        if self.other_rules > 0 {
            let left_out = match self.other_rules {
                1 => "1 stored experiment plays by different rules and is left out".to_owned(),
                count => format!("{count} stored experiments play by different rules and are left out"),
            };
            text.push_str(&format!("{dim}{left_out}.{plain}\n"));
        }
        text
    }
}

/// A mean or median with its interval.
fn score(estimate: &Estimate) -> String {
    let digits = usize::from(estimate.point.abs() < 1000.0);
    let Estimate { point, low, high, .. } = estimate;
    if low.is_finite() {
        format!("{point:.digits$} [{low:.digits$}, {high:.digits$}]")
    } else {
        format!("{point:.digits$}")
    }
}

fn percent(estimate: &Estimate) -> String {
    let Estimate { point, low, high, .. } = estimate;
    format!("{:5.1} % [{:.1}, {:.1}]", 100.0 * point, 100.0 * low, 100.0 * high)
}

/// A table without its header, each line set in.
fn indented(table: &str, skipped: usize) -> String {
    table.lines().skip(skipped).map(|line| format!("  {line}\n")).collect()
}
