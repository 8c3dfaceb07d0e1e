//! What a smoke reproduction makes of papers: a few games under small budgets, searches of a handful of
//! trials, and trainings that have hardly begun.

use engine::agent::Budget;
use manifest::{Experiment, Paper, Study, Training};

/// The games of each experiment in a smoke reproduction.
pub(super) const SMOKE_GAMES: u64 = 3;

/// The games of each training in a smoke reproduction, and of each row of its learning curve.
const SMOKE_TRAINING: (u64, u64) = (20, 5);

/// A few games under a small budget: enough to see that everything works. Nothing is found by them.
pub(super) fn make_small(paper: &mut Paper) {
    paper.experiments.iter_mut().for_each(make_experiment_small);
    paper.studies.iter_mut().for_each(make_study_small);
    paper.trainings.iter_mut().for_each(make_training_small);
    paper.findings.clear();
    paper.account = None;
}

fn make_experiment_small(experiment: &mut Experiment) {
    experiment.games = experiment.games.min(SMOKE_GAMES);
    experiment.budget = small(experiment.budget);
}

/// The file that comes of it is another one than the manifest states.
fn make_training_small(training: &mut Training) {
    let (games, curve_every) = SMOKE_TRAINING;
    training.games = training.games.min(games);
    training.curve_every = curve_every;
    training.sha256 = None;
}

fn small(budget: Budget) -> Budget {
    match budget {
        Budget::None => Budget::None,
        // Some searches end with a move of their own, and so take odd numbers alone.
        Budget::Plies(plies) => Budget::Plies(plies.min(2 + plies % 2)),
        Budget::Nodes(nodes) => Budget::Nodes(nodes.min(100)),
        Budget::Playouts(playouts) => Budget::Playouts(playouts.min(10)),
        Budget::TimeNs(time_ns) => Budget::TimeNs(time_ns.min(1_000_000)),
    }
}

fn make_study_small(study: &mut Study) {
    study.budget = small(study.budget);
    study.evaluation.games = 1;
    study.method = study.method.smoke_sized();
}
