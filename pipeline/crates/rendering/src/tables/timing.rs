//! What a move costs: CPU time and nodes. Times belong to one machine, and stand in no other table.

use super::{Cell, ReportInput, Table, remarks};
use manifest::{Experiment, Metric, Paper, Quantity, Statistic};
use stats::{Sample, mean};
use text::Scale;
use verdict::evidence::Games;

/// The table; none where nothing was timed.
pub(super) fn table(input: ReportInput<'_>, paper: &Paper) -> Option<Table> {
    let rows: Vec<Vec<Cell>> =
        input.without_winners(paper).filter_map(|(experiment, games)| row(experiment, games)).collect();
    let machines = machines(input, paper);
    if rows.is_empty() {
        return None;
    }
    Some(remarks::settle(Table {
        id: format!("{}-timing", paper.id),
        title: format!("{}: what a move costs", paper.citation.title),
        caption: format!(
            "CPU time of the agent's thread, on {machines}. Brackets show 95 % intervals of the mean over games. Games: those with a time per move; a game without a legal first move has none."
        ),
        header: ["Experiment", "Games", remarks::HEADING, "CPU time per move", "Nodes per move"]
            .map(str::to_owned)
            .to_vec(),
        rows,
    }))
}

fn row(experiment: &Experiment, games: &Games) -> Option<Vec<Cell>> {
    let times = Sample::new(games.cpu_ns_per_move()).ok()?;
    let nodes = Metric::summary(Quantity::NODES, Statistic::Mean);
    let nodes = nodes.estimate(games).ok().filter(|estimate| estimate.point > 0.0);
    Some(vec![
        Cell::Text(experiment.id.clone()),
        Cell::Count(times.n()),
        remarks::cell(experiment, games),
        Cell::Time(mean(&times)),
        nodes.map_or(Cell::Empty, |estimate| Cell::Estimate(estimate, Scale::Points)),
    ])
}

fn machines(input: ReportInput<'_>, paper: &Paper) -> String {
    let mut names: Vec<&str> = input
        .without_winners(paper)
        .flat_map(|(_, games)| games.provenance.iter().map(|provenance| provenance.cpu.as_str()))
        .collect();
    names.sort_unstable();
    names.dedup();
    // They become part of a caption, which is inserted into Markdown unchanged.
    platform::plain::markdown(&names.join(" and "))
}
