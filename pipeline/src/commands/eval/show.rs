//! An evaluation for people.

use super::evaluation::{Against, Evaluation, Ranking};
use super::histogram::histogram;
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
        let Self { setting, seed, mean, .. } = self;
        let games = counted(self.games, "game");
        let text = format!("{setting}: mean score {} in {games}, seed {seed}.", score(mean));
        match &self.not_repeatable[..] {
            [] => text,
            fickle => format!("{text} Not repeatable: {}.", fickle.join(", ")),
        }
    }

    fn tables(&self) -> Vec<Table> {
        let points = |estimate: &Estimate| Cell::Estimate(*estimate, Scale::Points);
        let share = |estimate: &Estimate| Cell::Estimate(*estimate, Scale::Share);
        let mut rows = vec![
            ("mean score".to_owned(), points(&self.mean)),
            ("median score".to_owned(), points(&self.median)),
            ("lowest score".to_owned(), Cell::Count(self.lowest.into())),
            ("highest score".to_owned(), Cell::Count(self.highest.into())),
            ("games ended by a fault".to_owned(), Cell::Count(self.faults)),
        ];
        rows.extend(self.reach.iter().map(|reach| (format!("reached {}", reach.tile), share(&reach.rate))));
        let starts = self.starts.iter();
        rows.extend(starts.map(|from| (format!("mean score from {}", from.start), points(&from.mean))));
        for Against { name, scores_more, difference, .. } in &self.against {
            rows.push((format!("scores more than {name}"), share(scores_more)));
            rows.push((format!("mean score minus that of {name}"), points(difference)));
        }
        vec![Table {
            id: "evaluation".to_owned(),
            title: "All figures".to_owned(),
            caption: format!("{}.", self.written),
            header: vec!["statistic".to_owned(), "value".to_owned()],
            rows: rows.into_iter().map(|(name, cell)| vec![Cell::Text(name), cell]).collect(),
        }]
    }

    fn text(&self, style: Style) -> String {
        let Style { bold, dim, green, red, plain } = style;
        let Self { setting, seed, lowest, highest, .. } = self;
        let (mean, median) = (score(&self.mean), score(&self.median));
        let games = counted(self.games, "game");
        let mut text = format!("{bold}{setting}{plain}\n{dim}{games}, seed {seed}{plain}\n\n");
        text += &histogram(&self.scores, green, plain);
        text += &format!("\n  mean    {mean}\n  median  {median}\n  range   {lowest} to {highest}\n");
        if let Some(ns) = self.ns_per_move {
            text += &format!("  speed   {} of CPU time per move\n", nanoseconds(ns));
        }
        if self.faults > 0 {
            let faults = counted(self.faults, "game");
            text += &format!("  {red}faults  {faults} ended by a fault{plain}\n");
        }
        if !self.not_repeatable.is_empty() {
            let names = self.not_repeatable.join(", ");
            text += &format!("  {red}not repeatable{plain}  another run plays different games: {names}\n");
        }
        text.push('\n');
        for reach in &self.reach {
            text += &format!("  reached {:>6}  {}\n", reach.tile, percent(&reach.rate));
        }
        if !self.starts.is_empty() {
            text += &format!("\n{bold}from each start{plain} {dim}(points from there on){plain}\n");
            let rows = self.starts.iter().map(|from| {
                vec![from.start.clone(), score(&from.mean), format!("{} to {}", from.lowest, from.highest)]
            });
            text += &indented(&["start", "mean score", "range"], rows, 0);
        }
        if !self.against.is_empty() {
            text += &format!("\n{bold}scores more than{plain} {dim}(probability, ties half){plain}\n");
            let rows = self.against.iter().map(|against| {
                let mean = format!("mean {}", score(&against.mean));
                vec![against.name.clone(), percent(&against.scores_more), mean, beside(against)]
            });
            text += &indented(&["", "", "", ""], rows, 1);
        }
        match &self.standing {
            Some(ranking) => text += &ranking.text(style),
            None if self.starts.is_empty() => {
                text +=
                    &format!("\n{dim}There are no stored results to rank it among: see --results.{plain}\n");
            }
            None => {}
        }
        if let Some(records) = &self.records {
            text += &format!("\nrecords: {}\n", records.display());
        }
        text
    }
}

/// How far the agent is ahead on the same seeds, or that both played the same games.
fn beside(against: &Against) -> String {
    let pairs = counted(against.pairs, "pair");
    let ahead = format!("difference {}", score(&against.difference));
    match (against.pairs, against.correlation) {
        _ if against.same_games => format!("the same games ({pairs})"),
        (0, _) => format!("{ahead}, seeds differ"),
        (_, Some(found)) => format!("{ahead} in {pairs} of a seed, correlation {:.2}", found.point),
        (_, None) => format!("{ahead} in {pairs} of a seed"),
    }
}

impl Ranking {
    fn text(&self, style: Style) -> String {
        let Style { bold, dim, plain, .. } = style;
        let Self { best, worst, rows, other_rules } = self;
        let worse = if best == worst { String::new() } else { format!(" to {worst}") };
        let place = format!("place {best}{worse} of {}", rows.len());
        let mut text = format!("\n{bold}{place}{plain} {dim}by mean score, under the same rules{plain}\n");
        let cells = rows.iter().map(|row| {
            let mark = if row.is_ours { ">" } else { "" };
            let (mean, games) = (score(&row.mean), row.mean.n.to_string());
            vec![mark.to_owned(), row.name.clone(), row.agent.clone(), mean, games]
        });
        let header = ["", "experiment", "agent", "mean score", "games"];
        let weights = rows.iter().map(|row| if row.is_ours { (bold, plain) } else { ("", "") });
        let listed = table(&header, &cells.collect::<Vec<_>>());
        for (line, (on, off)) in listed.lines().zip(std::iter::once((dim, plain)).chain(weights)) {
            text += &format!("{on}{line}{off}\n");
        }
        let left_out = match other_rules {
            0 => return text,
            1 => "1 stored experiment plays by different rules and is left out".to_owned(),
            count => format!("{count} stored experiments play by different rules and are left out"),
        };
        text + &format!("{dim}{left_out}.{plain}\n")
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

/// An indented table, without its first lines.
fn indented(header: &[&str], rows: impl Iterator<Item = Vec<String>>, skipped: usize) -> String {
    let listed = table(header, &rows.collect::<Vec<_>>());
    listed.lines().skip(skipped).map(|line| format!("  {line}\n")).collect()
}
