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
use crate::signatures::{AgentSetup, Signatures, TwoAnswers};
use manifest::Experiment;
use workers::Program;

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
    /// The agents that are not deterministic among those of jobs: the index of each such job, and why.
    pub(super) fn nondeterministic(
        &self,
        agents: &[(usize, AgentSetup<'_>)],
        signatures: &Signatures,
    ) -> Result<BTreeMap<usize, String>, PlanError> {
        let setups: Vec<AgentSetup<'_>> = agents.iter().map(|(_, setup)| *setup).collect();
        let found = signatures.confirm(self.launcher, &setups).map_err(PlanError::NotProbed)?;
        let why = |((job, setup), two): (&(usize, AgentSetup<'_>), Option<TwoAnswers>)| {
            let (two, remedy) = (two?, SEED.words_of(Program::is_one(&setup.plugin.file)));
            Some((*job, format!("agent `{}` is not deterministic: {two}; {remedy}", setup.agent)))
        };
        Ok(agents.iter().zip(found).filter_map(why).collect())
    }

    /// The experiments with games to play whose agents are not deterministic: the index of each, and the
    /// reason to refuse it.
    pub(super) fn fickle_experiments(
        &self,
        experiments: &[PlannedExperiment],
        determinism: Determinism,
        signatures: &Signatures,
    ) -> Result<BTreeMap<usize, String>, PlanError> {
        if determinism == Determinism::NotAsked {
            return Ok(BTreeMap::new());
        }
        let to_play = || experiments.iter().enumerate().filter(|(_, planned)| planned.to_play > 0);
        let signed = to_play().filter(|(_, planned)| planned.repeats());
        let signed: Vec<_> = signed.map(|(place, planned)| (place, planned.setup().agent)).collect();
        let mut fickle = self.nondeterministic(&signed, signatures)?;
        fickle.values_mut().for_each(|why| why.push_str("; or mark its games with --nondeterministic"));
        let marked = to_play().filter(|(_, planned)| planned.is_marked());
        fickle.extend(marked.map(|(place, planned)| (place, planned.words_of_marked())));
        Ok(fickle)
    }
}

impl PlannedExperiment {
    /// All that determines its games.
    pub(crate) fn setup(&self) -> GameSetup<'_> {
        let Experiment { agent, rules, budget, move_limit_ms, seed, .. } = &self.experiment;
        let (plugin, params, files, budget) = (&*self.plugin, &self.params, &self.files, *budget);
        let move_limit = Duration::from_millis(*move_limit_ms);
        GameSetup {
            agent: AgentSetup { plugin, agent, rules, params, files, budget, move_limit },
            seed: *seed,
        }
    }

    /// Whether the games are marked as nondeterministic. Games under a wall-clock budget need no mark.
    pub const fn is_marked(&self) -> bool {
        !self.repeats() && !matches!(self.experiment.budget, Budget::TimeNs(_))
    }
    fn words_of_marked(&self) -> String {
        format!(
            "{}: its games are marked as nondeterministic; add games with --nondeterministic, or fix agent `{}` and \
             play all games again with --fresh",
            self.path.display(),
            self.experiment.agent
        )
    }
}
