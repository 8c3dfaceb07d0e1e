//! The determinism check: before an agent's games are stored, it must decide the same in two processes.
//!
//! Only agents that are about to play are checked, once for each plugin and setting. If an agent is not
//! deterministic, its games are refused, or stored without a signature, like those under a wall-clock budget.

use std::collections::BTreeMap;
use std::time::Duration;

use engine::agent::Budget;
use engine::conformance::SEED;

use super::{PlanError, PlannedExperiment, Planner};
use crate::player::GameSetup;
use crate::signatures::{Signatures, Signee, TwoAnswers};
use manifest::Experiment;
use workers::bridge::Program;
use workers::catalogue::PluginEntry;

/// How to treat agents that decide differently in two processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Determinism {
    /// No check: no game is stored, or another command has already checked.
    #[default]
    NotAsked,
    /// They do not play.
    Required,
    /// They play, and their games are marked as nondeterministic.
    Waived,
}

impl Determinism {
    /// The rule for a command that stores games, unless the user accepts agents that are not deterministic.
    pub const fn unless(is_waived: bool) -> Self {
        if is_waived { Self::Waived } else { Self::Required }
    }
}

impl Planner<'_> {
    /// The experiments with games to play whose agents are not deterministic: the index of each, and the
    /// reason to refuse it.
    pub(super) fn nondeterministic(
        &self,
        experiments: &[PlannedExperiment],
        determinism: Determinism,
        signatures: &Signatures,
    ) -> Result<BTreeMap<usize, String>, PlanError> {
        if determinism == Determinism::NotAsked {
            return Ok(BTreeMap::new());
        }
        let to_play: Vec<(usize, &PlannedExperiment)> =
            experiments.iter().enumerate().filter(|(_, planned)| planned.to_play > 0).collect();
        let (signed, others): (Vec<_>, Vec<_>) =
            to_play.into_iter().partition(|(_, planned)| planned.repeats());
        let signees: Vec<Signee<'_>> = signed.iter().map(|(_, planned)| planned.setup().agent).collect();
        let found = signatures.confirm(self.launcher, &signees).map_err(PlanError::NotProbed)?;
        let fickle = signed.into_iter().zip(found).filter_map(|((place, planned), two)| {
            let why = why(&planned.experiment.agent, &planned.plugin, &two?);
            Some((place, format!("{why}; or mark its games with --nondeterministic")))
        });
        let marked = others.into_iter().filter(|(_, planned)| planned.is_marked());
        let marked = marked.map(|(place, planned)| (place, words_of_marked(planned)));
        Ok(fickle.chain(marked).collect())
    }
}

impl PlannedExperiment {
    /// All that determines its games.
    pub(crate) fn setup(&self) -> GameSetup<'_> {
        let Experiment { agent, rules, budget, move_limit_ms, seed, .. } = &self.experiment;
        let (plugin, params, files, budget) = (&*self.plugin, &self.params, &self.files, *budget);
        let move_limit = Duration::from_millis(*move_limit_ms);
        GameSetup { agent: Signee { plugin, agent, rules, params, files, budget, move_limit }, seed: *seed }
    }

    /// Whether the games are marked as nondeterministic. Games under a wall-clock budget need no mark.
    pub const fn is_marked(&self) -> bool {
        !self.repeats() && !matches!(self.experiment.budget, Budget::TimeNs(_))
    }
}

/// Why an agent is not deterministic, and the remedy.
pub(crate) fn why(agent: &str, plugin: &PluginEntry, two: &TwoAnswers) -> String {
    let remedy = SEED.words_of(Program::is_one(&plugin.file));
    format!("agent `{agent}` is not deterministic: {two}; {remedy}")
}

fn words_of_marked(planned: &PlannedExperiment) -> String {
    format!(
        "{}: its games are marked as nondeterministic; add games with --nondeterministic, or fix agent `{}` and \
         play all games again with --fresh",
        planned.path.display(),
        planned.experiment.agent
    )
}
