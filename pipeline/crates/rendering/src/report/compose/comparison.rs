//! The comparison as the page shows it: what is asked first in a few columns, the rest behind a button. The
//! time of a move stands here and not in the table's files: these are the same on every machine.

use crate::comparison::{ComparedMethod, entries, leaders};
use crate::settings::{eval_command, settings};
use crate::table::{Cell, Table};
use crate::tables::{ReportInput, score_cells, score_header};
use crate::trainings::{cost_of, cpu_time};
use manifest::Paper;
use stats::{Estimate, Sample, mean};
use text::{counted, nanoseconds};

/// What the comparison is called where several papers have theirs.
pub(super) const TITLE: &str = "All methods on one game";

const CAPTION: &str = "The same rules and start for all, the highest mean score first. Small print: 95 % intervals; below a method its agent and \
    its settings, as the command line takes them. Wins: the share of games that reach 2048. Time: CPU time of the agent's thread, which belongs to \
    the machine that played. Rank: the places that a method may have, with 95 % confidence.";

const LEARNED: &str =
    " Training: what it cost to learn the weights that a method plays with; empty where it learned nothing.";

/// The columns of [`score_header`] that are shown at once.
const FIRST: [&str; 2] = ["Mean score", "Reaches 2048"];

/// The last column that is shown at once.
pub(super) const LAST_SHOWN: &str = "Rank";

/// The table; none if nothing was played.
pub(super) fn table(input: ReportInput<'_>, paper: &Paper) -> Option<Table> {
    let entries = entries(input, paper);
    if entries.is_empty() {
        return None;
    }
    let rest = score_header().into_iter().filter(|heading| !FIRST.contains(&heading.as_str()));
    let first = ["Method", "Mean score", "Wins", "Time a move", "Training", LAST_SHOWN, "Games"];
    let header = first.map(str::to_owned).into_iter().chain(rest).chain(["Training moves".to_owned()]);
    let mut table = Table {
        id: paper.id.clone(),
        title: TITLE.to_owned(),
        caption: CAPTION.to_owned(),
        header: header.collect(),
        rows: entries.iter().map(|entry| row(input, entry)).collect(),
    };
    if table.keep_if_filled("Training") {
        table.caption.push_str(LEARNED);
    }
    table.keep_if_filled("Training moves");
    Some(table)
}

/// The experiment whose best game the player begins with: the one that holds the records of the best method.
pub(super) fn featured(input: ReportInput<'_>) -> Option<String> {
    let paper = input.papers.iter().find(|paper| paper.comparison)?;
    Some(entries(input, paper).first()?.games.records.to_string())
}

/// Which of the best cannot be told apart; none if nothing is compared.
pub(super) fn leading(input: ReportInput<'_>) -> Option<String> {
    let paper = input.papers.iter().find(|paper| paper.comparison)?;
    Some(leaders(&entries(input, paper)))
}

fn row(input: ReportInput<'_>, entry: &ComparedMethod<'_>) -> Vec<Cell> {
    let ComparedMethod { paper, experiment, games, rank, .. } = entry;
    let settings = settings(experiment, &games.identity);
    let agent = &games.identity.agent;
    let method = Cell::Experiment {
        name: experiment.method().to_owned(),
        key: format!("{}/{}", paper.id, experiment.id),
        detail: if settings.is_empty() { agent.clone() } else { format!("{agent}: {settings}") },
        command: eval_command(paper, experiment),
    };
    let (first, rest): (Vec<_>, Vec<_>) = score_header()
        .into_iter()
        .zip(score_cells(games))
        .partition(|(heading, _)| FIRST.contains(&heading.as_str()));
    let places = match (rank.best, rank.worst) {
        (best, worst) if best == worst => best.to_string(),
        (best, worst) => format!("{best} to {worst}"),
    };
    let cost = cost_of(input.trainings, games);
    let training = cost.as_ref().map_or(Cell::Empty, |cost| Cell::Detailed {
        text: cpu_time(cost),
        detail: counted(cost.games, "game"),
        value: cost.cpu_hours(),
    });
    let mut row = vec![method];
    row.extend(first.into_iter().map(|(_, cell)| number(cell)));
    row.extend([
        Sample::new(games.cpu_ns_per_move())
            .map_or(Cell::Empty, |times| with_interval(&mean(&times), nanoseconds)),
        training,
        Cell::Published(places, -(rank.rank as f64)),
        Cell::Count(games.outcomes.len() as u64),
    ]);
    row.extend(rest.into_iter().map(|(_, cell)| number(cell)));
    row.push(cost.map_or(Cell::Empty, |cost| Cell::Count(cost.moves)));
    row
}

/// A number with its interval below it.
fn number(cell: Cell) -> Cell {
    match cell {
        Cell::Estimate(estimate, scale) => with_interval(&estimate, |value| scale.text(value)),
        other => other,
    }
}

fn with_interval(estimate: &Estimate, text: impl Fn(f64) -> String) -> Cell {
    let Estimate { point, low, high, .. } = *estimate;
    if low.is_finite() && high.is_finite() {
        Cell::Detailed { text: text(point), detail: format!("{} to {}", text(low), text(high)), value: point }
    } else {
        Cell::Published(text(point), point)
    }
}
