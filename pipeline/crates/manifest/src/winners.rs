//! The experiments that a study stands for: its best points and the default beside them, on games that the
//! search never saw. They are planned, played, verified and judged like any other; only their parameters come
//! from the study, once that is done.

use super::document::RawEntry;
use super::limits::MOST_WINNERS;
use super::{Experiment, Role, Study, Winner};

/// The name of the experiment that plays a study's best points again, by their place from 1.
pub(super) fn winner_id(study: &str, place: usize) -> String {
    format!("{study}-best-{place}")
}

/// The name of the experiment that plays the agent's defaults on the same games.
pub(super) fn default_id(study: &str) -> String {
    format!("{study}-default")
}

/// The names of a study's experiments, also where the study itself is wrong: claims that name them are then
/// still right.
pub(super) fn named_by(study: &RawEntry<'_>) -> Vec<String> {
    let Some(id) = study.id() else { return Vec::new() };
    let best = study.table("winners").and_then(|winners| winners.get("best")?.get_ref().as_integer());
    let best = best.and_then(|best| u64::from_str_radix(best.as_str(), best.radix()).ok());
    let best = best.unwrap_or(MOST_WINNERS).min(MOST_WINNERS);
    (1..=best as usize).map(|place| winner_id(id, place)).chain([default_id(id)]).collect()
}

impl Study {
    /// The experiments that play its winners again, the best first, and the default after them. The
    /// parameters of winners are those that stay as they are, until the study is done.
    pub(super) fn experiments(&self) -> Vec<Experiment> {
        let winner = |place: usize| {
            let winner = Winner { study: self.id.clone(), place };
            let method = format!("{}, best {place}", self.name());
            Experiment { winner: Some(winner), ..self.experiment(self.winner_id(place), method) }
        };
        let default = self.experiment(self.default_id(), format!("{}, default", self.name()));
        (1..=self.winners.best).map(winner).chain([default]).collect()
    }

    fn experiment(&self, id: String, method: String) -> Experiment {
        Experiment {
            id,
            agent: self.agent.clone(),
            params: self.params.clone(),
            files: self.files.clone(),
            budget: self.budget,
            games: self.winners.games,
            seed: self.winners.seed,
            rules: self.rules.clone(),
            set: self.set,
            note: None,
            conditional_on: self.conditional_on.clone(),
            move_limit_ms: self.move_limit_ms,
            fault_share: self.fault_share,
            variant: self.variant,
            method: Some(method),
            role: Role::Winner,
            acknowledged_faults: 0,
            compared: false,
            winner: None,
        }
    }
}
