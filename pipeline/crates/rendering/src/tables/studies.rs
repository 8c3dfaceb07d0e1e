//! Studies: what each found, and what that is worth on games that it never saw; and the parameters of the winners.

use super::{Cell, ReportInput, Table};
use crate::studies::words::point_text;
use crate::studies::{Best, StudyView};
use manifest::{Paper, Set};
use stats::Estimate;
use text::{Scale, counted, nanoseconds};

const CAPTION: &str = "Best in the study: the mean score of the point that the study ranks first; its interval knows nothing of how that point was \
    chosen. Held out: its mean on games that the study never saw. Default: what the agent plays with by itself, on the same games. Optimism: what \
    the study thought less what it is worth, for the best of many noisy values is also the luckiest. Held-out means and differences of all \
    winners of a study hold at once: their 95 % intervals are corrected for how many there are.";

const WINNERS_CAPTION: &str = "The points of each study that were played again, in the study's own order; with two objectives they are spread along its front. \
    Brackets show 95 % intervals; those of held-out games are corrected for the number of winners.";

/// The tables of a paper's studies; none where none was run.
pub(super) fn tables(input: ReportInput<'_>, paper: &Paper) -> Vec<Table> {
    let studies: Vec<&StudyView<'_>> =
        input.studies.iter().filter(|searched| searched.paper.id == paper.id).collect();
    if studies.is_empty() {
        return Vec::new();
    }
    let mut tables = vec![outcomes(paper, &studies), winners(paper, &studies)];
    tables.extend(timing(paper, &studies));
    tables
}

fn outcomes(paper: &Paper, studies: &[&StudyView<'_>]) -> Table {
    let header = [
        "Study",
        "Name",
        "Method",
        "Set",
        "Trials",
        "Games",
        "Best in the study",
        "Held out",
        "Default, held out",
        "Best less default",
        "Optimism",
    ];
    let row = |searched: &&StudyView<'_>| {
        let study = searched.study;
        let best = searched.winners.first().and_then(|best| best.score);
        let mut cells: Vec<Cell> =
            [study.id.as_str(), study.name(), study.method.name(), set_name(study.set)]
                .map(|text| Cell::Text(text.to_owned()))
                .to_vec();
        cells.push(trials(searched));
        cells.push(Cell::Count(searched.games()));
        cells.extend([
            number(best),
            number(searched.held_out(1).map(|held_out| held_out.score)),
            number(searched.default_held_out().map(|held_out| held_out.score)),
            number(searched.gain(1)),
            number(searched.optimism(1)),
        ]);
        cells
    };
    Table {
        id: format!("{}-studies", paper.id),
        title: format!("{}: what searches for parameters found", paper.citation.title),
        caption: CAPTION.to_owned(),
        header: header.map(str::to_owned).to_vec(),
        rows: studies.iter().map(row).collect(),
    }
}

fn winners(paper: &Paper, studies: &[&StudyView<'_>]) -> Table {
    let header = [
        "Experiment",
        "Parameters",
        "In the study",
        "Held out",
        "Less default",
        "Optimism",
        "Nodes per move, held out",
    ];
    let row = |searched: &StudyView<'_>, place: usize, best: &Best| {
        let held_out = searched.held_out(place);
        vec![
            Cell::Text(searched.study.winner_id(place)),
            Cell::Text(point_text(searched.study, &best.point)),
            number(best.score),
            number(held_out.as_ref().map(|held_out| held_out.score)),
            number(searched.gain(place)),
            number(searched.optimism(place)),
            held_out
                .and_then(|held_out| held_out.cost)
                .map_or(Cell::Empty, |cost| Cell::Estimate(cost, Scale::Points)),
        ]
    };
    let rows = studies.iter().flat_map(|searched| {
        searched.winners.iter().enumerate().map(move |(index, best)| row(searched, index + 1, best))
    });
    Table {
        id: format!("{}-winners", paper.id),
        title: format!("{}: parameters that studies found", paper.citation.title),
        caption: WINNERS_CAPTION.to_owned(),
        header: header.map(str::to_owned).to_vec(),
        rows: rows.collect(),
    }
}

/// What the trials cost in time, which belongs to one machine and decides nothing; none where nothing was timed.
fn timing(paper: &Paper, studies: &[&StudyView<'_>]) -> Option<Table> {
    let row = |view: &&StudyView<'_>| {
        let timings = &view.searched.timings;
        let total = timings.iter().map(|timing| timing.cpu_ns).sum::<u64>() as f64;
        let trials = view.rows().len() as u64;
        let time = |nanos: f64| Cell::Published(nanoseconds(nanos), nanos);
        let row = || {
            let id = Cell::Text(view.study.id.clone());
            vec![id, Cell::Count(trials), time(total), time(total / trials as f64)]
        };
        (!timings.is_empty() && trials > 0).then(row)
    };
    let rows: Vec<Vec<Cell>> = studies.iter().filter_map(row).collect();
    let header = ["Study", "Trials", "CPU time", "CPU time per trial"];
    (!rows.is_empty()).then(|| Table {
        id: format!("{}-studies-timing", paper.id),
        title: format!("{}: what searches for parameters cost", paper.citation.title),
        caption: "CPU time of the agent's thread, in all and on average over trials.".to_owned(),
        header: header.map(str::to_owned).to_vec(),
        rows,
    })
}

const fn set_name(set: Set) -> &'static str {
    match set {
        Set::Default => "default",
        Set::Extra => "extra",
    }
}

/// How many trials there were, and how many of them faults cost.
fn trials(searched: &StudyView<'_>) -> Cell {
    let count = searched.rows().len() as u64;
    match searched.faults() {
        0 => Cell::Count(count),
        faults => {
            let text =
                format!("{}, {} of them faulted", counted(count, "trial"), text::thousands(faults as f64));
            Cell::Published(text, count as f64)
        }
    }
}

fn number(estimate: Option<Estimate>) -> Cell {
    estimate.map_or(Cell::Empty, |estimate| Cell::Counted(estimate, Scale::Points))
}
