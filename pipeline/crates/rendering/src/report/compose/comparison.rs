//! The comparison as the page shows it: what is asked first in a few columns, the rest behind a button. The time of a move stands here and not
//! in the table's files: these are the same on every machine.

use crate::comparison::{Entry, entries, leaders};
use crate::report::table::{Cell, Column, PageTable};
use crate::settings::{eval_command, settings};
use crate::tables::{Cell as Source, Material, score_cells, score_header};
use crate::trainings::{cost_of, cpu_time};
use manifest::Paper;
use stats::{Estimate, Sample, mean};
use verdict::format::{counted, nanoseconds, thousands};

/// What the comparison is called where several papers have theirs.
pub(super) const TITLE: &str = "All methods on one game";

const CAPTION: &str = "The same rules and start for all, the highest mean score first. Small print: 95 % intervals; below a method its agent and \
    its settings, as the command line takes them. Wins: the share of games that reach 2048. Time: CPU time of the agent's thread, which belongs to \
    the machine that played. Rank: the places that a method may have, with 95 % confidence.";

/// The columns of [`score_header`] that are shown at once.
const FIRST: [&str; 2] = ["Mean score", "Reaches 2048"];

/// The place of the column on learning, before the ranks.
const TRAINING: usize = 4;

/// The table; none where nothing was played.
pub(super) fn table(material: Material<'_>, paper: &Paper) -> Option<PageTable> {
    let entries = entries(material, paper);
    if entries.is_empty() {
        return None;
    }
    let mut columns = vec![Column::text("Method")];
    columns.extend(["Mean score", "Wins", "Time a move", "Rank"].map(Column::number));
    columns.push(Column::number("Games").behind());
    let rest = score_header().into_iter().filter(|heading| !FIRST.contains(&heading.as_str()));
    columns.extend(rest.map(|heading| Column::number(heading).behind()));
    let mut caption = CAPTION.to_owned();
    let mut rows: Vec<Vec<Cell>> = entries.iter().map(row).collect();
    if entries.iter().any(|entry| cost_of(material.trainings, entry.games).is_some()) {
        columns.insert(TRAINING, Column::number("Training"));
        for (row, entry) in rows.iter_mut().zip(&entries) {
            row.insert(TRAINING, training(material, entry));
            row.push(training_moves(material, entry));
        }
        columns.push(Column::number("Training moves").behind());
        caption.push_str(" Training: what it cost to learn the weights that a method plays with; empty where it learned nothing.");
    }
    Some(PageTable { id: paper.id.clone(), title: TITLE.to_owned(), columns, rows, caption })
}

/// The experiment whose best game the player begins with: the one that holds the records of the best method.
pub(super) fn featured(material: Material<'_>) -> Option<String> {
    let paper = material.papers.iter().find(|paper| paper.comparison)?;
    Some(entries(material, paper).first()?.games.records.to_string())
}

/// Which of the best cannot be told apart; none where nothing is compared.
pub(super) fn leading(material: Material<'_>) -> Option<String> {
    let paper = material.papers.iter().find(|paper| paper.comparison)?;
    Some(leaders(&entries(material, paper)))
}

fn row(entry: &Entry<'_>) -> Vec<Cell> {
    let Entry { paper, experiment, games, rank, .. } = entry;
    let settings = settings(experiment, &games.identity);
    let agent = &games.identity.agent;
    let method = Cell {
        text: experiment.method().to_owned(),
        experiment: Some(format!("{}/{}", paper.id, experiment.id)),
        detail: Some(if settings.is_empty() { agent.clone() } else { format!("{agent}: {settings}") }),
        command: Some(eval_command(paper, experiment)),
        ..Cell::default()
    };
    let (first, rest): (Vec<_>, Vec<_>) = score_header()
        .into_iter()
        .zip(score_cells(games))
        .partition(|(heading, _)| FIRST.contains(&heading.as_str()));
    let mut row = vec![method];
    row.extend(first.iter().map(|(_, cell)| number(cell)));
    row.push(time(entry));
    let places = if rank.best == rank.worst {
        rank.best.to_string()
    } else {
        format!("{} to {}", rank.best, rank.worst)
    };
    row.push(Cell { text: places, sort: Some(-(rank.rank as f64)), ..Cell::default() });
    let games = thousands(games.outcomes.len() as f64);
    row.push(Cell { sort: Some(entry.scores.n() as f64), text: games, ..Cell::default() });
    row.extend(rest.iter().map(|(_, cell)| number(cell)));
    row
}

/// A number with its interval below it.
fn number(cell: &Source) -> Cell {
    match cell {
        Source::Estimate(estimate, scale) => with_interval(estimate, |value| scale.text(value)),
        other => Cell { text: other.text(), sort: other.number(), ..Cell::default() },
    }
}

/// What it cost to learn what a method plays with.
fn training(material: Material<'_>, entry: &Entry<'_>) -> Cell {
    let Some(cost) = cost_of(material.trainings, entry.games) else { return Cell::default() };
    Cell {
        text: cpu_time(&cost),
        sort: Some(cost.cpu_hours()),
        detail: Some(counted(cost.games, "game")),
        ..Cell::default()
    }
}

fn training_moves(material: Material<'_>, entry: &Entry<'_>) -> Cell {
    let Some(cost) = cost_of(material.trainings, entry.games) else { return Cell::default() };
    Cell { text: thousands(cost.moves as f64), sort: Some(cost.moves as f64), ..Cell::default() }
}

fn time(entry: &Entry<'_>) -> Cell {
    let times = Sample::new(entry.games.cpu_ns_per_move());
    times.map_or_else(|_| Cell::default(), |times| with_interval(&mean(&times), nanoseconds))
}

fn with_interval(estimate: &Estimate, text: impl Fn(f64) -> String) -> Cell {
    let is_bounded = estimate.low.is_finite() && estimate.high.is_finite();
    Cell {
        text: text(estimate.point),
        sort: Some(estimate.point),
        detail: is_bounded.then(|| format!("{} to {}", text(estimate.low), text(estimate.high))),
        ..Cell::default()
    }
}
