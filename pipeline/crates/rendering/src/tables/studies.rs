//! Studies: what each found, and what that is worth on games that it never saw; and the parameters of the
//! winners.

use super::{Cell, ReportInput, Table};
use crate::studies::words::point_text;
use crate::studies::{HeldOut, StudyView};
use manifest::{Paper, Set};
use stats::Estimate;
use text::{Scale, counted, nanoseconds};

const CAPTION: &str = "Best in the study: the mean score of the point that the study ranks first; its interval knows nothing of how that point was \
    chosen. Held out: its mean on games that the study never saw. Default: what the agent plays with by itself, on the same games. Optimism: what \
    the study thought less what it is worth, for the best of many noisy values is also the luckiest. Held-out means and differences of all \
    winners of a study hold at once: their 95 % intervals are corrected for how many there are.";

const WINNERS_CAPTION: &str = "The points of each study that were played again, in the study's own order; with two objectives they are spread along its front. \
    Brackets show 95 % intervals; those of held-out games are corrected for the number of winners.";

/// The tables of a paper's studies; none if none was run.
pub(super) fn tables(input: ReportInput<'_>, paper: &Paper) -> Vec<Table> {
    let studies: Vec<&StudyView<'_>> =
        input.studies.iter().filter(|view| view.paper.id == paper.id).collect();
    [outcomes(paper, &studies), winners(paper, &studies), timing(paper, &studies)]
        .into_iter()
        .flatten()
        .collect()
}

fn outcomes(paper: &Paper, studies: &[&StudyView<'_>]) -> Option<Table> {
    let table = Table::of(
        studies,
        &[
            ("Study", &|view| Cell::words(&view.study.id)),
            ("Name", &|view| Cell::words(view.study.name())),
            ("Method", &|view| Cell::words(view.study.method.facts().name)),
            ("Set", &|view| Cell::words(set_name(view.study.set))),
            ("Trials", &|view| trials(view)),
            ("Games", &|view| Cell::Count(view.games())),
            ("Best in the study", &|view| number(view.winners.first().and_then(|best| best.score))),
            ("Held out", &|view| number(view.held_out(1).map(|held_out| held_out.score))),
            ("Default, held out", &|view| number(view.default_held_out().map(|held_out| held_out.score))),
            ("Best less default", &|view| number(view.gain(1))),
            ("Optimism", &|view| number(view.optimism(1))),
        ],
    );
    table.of_paper(paper, "studies", "what searches for parameters found", CAPTION)
}

fn winners(paper: &Paper, studies: &[&StudyView<'_>]) -> Option<Table> {
    let rows = studies.iter().flat_map(|view| {
        view.winners.iter().zip(1..).map(|(best, place)| (*view, best, view.held_out(place), place))
    });
    let cost = |held_out: Option<&HeldOut<'_>>| held_out.and_then(|held_out| held_out.cost);
    let table = Table::of(
        rows,
        &[
            ("Experiment", &|(view, .., place)| Cell::words(view.study.winner_id(*place))),
            ("Parameters", &|(view, best, ..)| Cell::words(point_text(view.study, &best.point))),
            ("In the study", &|(_, best, ..)| number(best.score)),
            ("Held out", &|(_, _, held_out, _)| number(held_out.as_ref().map(|held_out| held_out.score))),
            ("Less default", &|(view, .., place)| number(view.gain(*place))),
            ("Optimism", &|(view, .., place)| number(view.optimism(*place))),
            ("Nodes per move, held out", &|(_, _, held_out, _)| {
                Cell::estimate(cost(held_out.as_ref()), Scale::Points)
            }),
        ],
    );
    table.of_paper(paper, "winners", "parameters that studies found", WINNERS_CAPTION)
}

/// What the trials cost in time, which belongs to one machine and decides nothing; none if nothing was timed.
fn timing(paper: &Paper, studies: &[&StudyView<'_>]) -> Option<Table> {
    let row = |view: &&StudyView<'_>| {
        let timings = &view.searched.timings;
        let total = timings.iter().map(|timing| timing.cpu_ns).sum::<u64>() as f64;
        let trials = view.rows().len() as u64;
        (!timings.is_empty() && trials > 0).then(|| (view.study.id.clone(), trials, total))
    };
    let time = |nanos: f64| Cell::Published(nanoseconds(nanos), nanos);
    let table = Table::of(
        studies.iter().filter_map(row),
        &[
            ("Study", &|(id, ..)| Cell::words(id)),
            ("Trials", &|(_, trials, _)| Cell::Count(*trials)),
            ("CPU time", &|(.., total)| time(*total)),
            ("CPU time per trial", &|(_, trials, total)| time(total / *trials as f64)),
        ],
    );
    let caption = "CPU time of the agent's thread, in all and on average over trials.";
    table.of_paper(paper, "studies-timing", "what searches for parameters cost", caption)
}

pub(crate) const fn set_name(set: Set) -> &'static str {
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
