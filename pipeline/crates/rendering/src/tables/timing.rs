//! What a move costs: CPU time and nodes. Times belong to one machine, and stand in no other table.

use super::{Cell, ReportInput, Table, remarks};
use manifest::{Metric, Paper, Quantity, Statistic};
use stats::{Sample, mean};
use text::Scale;
use verdict::evidence::Games;

/// The table; none if nothing was timed.
pub(super) fn table(input: ReportInput<'_>, paper: &Paper) -> Option<Table> {
    let rows = input.without_winners(paper).filter_map(|(experiment, games)| {
        Some((experiment, games, Sample::new(games.cpu_ns_per_move()).ok()?))
    });
    let nodes = |games: &Games| {
        let nodes = Metric::summary(Quantity::NODES, Statistic::Mean).estimate(games).ok();
        nodes.filter(|estimate| estimate.point > 0.0)
    };
    let table = Table::of(
        rows,
        &[
            ("Experiment", &|(experiment, ..)| Cell::words(&experiment.id)),
            ("Games", &|(.., times)| Cell::Count(times.n())),
            (remarks::HEADING, &|(experiment, games, _)| remarks::cell(experiment, games)),
            ("CPU time per move", &|(.., times)| Cell::Time(mean(times))),
            ("Nodes per move", &|(_, games, _)| Cell::estimate(nodes(games), Scale::Points)),
        ],
    );
    let caption = format!(
        "CPU time of the agent's thread, on {}. Brackets show 95 % intervals of the mean over games. Games: those \
         with a time per move; a game without a legal first move has none.",
        machines(input, paper)
    );
    table.of_paper(paper, "timing", "what a move costs", caption).map(remarks::explained)
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
