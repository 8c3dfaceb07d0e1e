//! `pipeline verify --recompute`: stored games, trials and trainings, run again with their agents.

use engine::agent::Budget;
use jobs::Status;
use records::EXPERIMENT;
use serde_json::json;
use studies::STUDY;
use text::{counted, thousands};
use trainings::TRAINING;
use workers::worker::Launcher;

use super::VerifyOutcome;
use super::outcome::Recomputation;
use crate::commands::Failure;
use crate::commands::retrain::{Retrained, retrain};
use crate::context::{Context, bar};
use crate::job::Job;
use crate::plan::{Plan, Planned, PlannedStudy, StudyPlan};
use crate::recompute::{Chances, Count, Recomputed, Sampling, recompute};
use crate::study::{RecomputedTrials, recompute_trials, trials_to_play};

impl VerifyOutcome {
    /// Plays games of every experiment with records again. Stale records are a problem: nothing is known of them.
    pub(in crate::commands) fn recompute_experiments(
        &mut self,
        plan: &Plan,
        launcher: &Launcher,
        sample: Sampling,
    ) -> Result<(), Failure> {
        let stored = plan.jobs.iter().filter(|planned| planned.path.exists());
        let current: Vec<&Planned> =
            stored.filter(|planned| self.can_repeat(*planned, planned.repeats())).collect();
        let most = match sample.games {
            Count::Some(most) => most,
            Count::All => u64::MAX,
        };
        let games = current.iter().map(|planned| planned.status.rows().min(most)).sum();
        let bar = bar(games, "playing games again");
        let played = recompute(&current, launcher, sample, &|| bar.inc(1))?;
        bar.finish_and_clear();
        let chances = Chances::of(played.iter().map(|(_, again)| again));
        let differences = played.iter().flat_map(|(key, again)| {
            again.differences.iter().map(move |difference| format!("{key}: played again: {difference}"))
        });
        let fields = [
            ("recomputed", json!(played)),
            ("seed", json!(format!("{:016x}", sample.seed))),
            ("recomputed_moves", json!(sample.moves)),
            ("chances", json!(chances)),
        ];
        self.add(Recomputation {
            words: &EXPERIMENT,
            differences: differences.collect(),
            exempt: played.iter().map(|(_, again)| again.exempt).sum(),
            lines: Vec::new(),
            shown: Some(games_shown(&played, &chances, sample)),
            fields: fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect(),
        });
        Ok(())
    }

    /// Plays trials of every stored study again. A stale study is a problem: nothing is known of it.
    pub(in crate::commands) fn recompute_studies(
        &mut self,
        plan: &StudyPlan,
        launcher: &Launcher,
        sample: Sampling,
    ) -> Result<(), Failure> {
        let is_repeatable = |planned: &PlannedStudy| !matches!(planned.study.budget, Budget::TimeNs(_));
        let stored = plan.jobs.iter().filter(|planned| planned.status != Status::Missing);
        let current: Vec<&PlannedStudy> =
            stored.filter(|planned| self.can_repeat(*planned, is_repeatable(planned))).collect();
        let trials = current.iter().map(|planned| trials_to_play(planned, sample.games)).sum();
        let bar = bar(trials, "playing trials again");
        let played = recompute_trials(&current, launcher, sample, &|| bar.inc(1))?;
        bar.finish_and_clear();
        let differences = played.iter().flat_map(|(key, again)| {
            again.differences.iter().map(move |difference| format!("{key}: played again: {difference}"))
        });
        self.add(Recomputation {
            words: &STUDY,
            differences: differences.collect(),
            exempt: played.iter().map(|(_, again)| again.exempt).sum(),
            lines: Vec::new(),
            shown: (!played.is_empty()).then(|| {
                let played: Vec<&RecomputedTrials> = played.iter().map(|(_, again)| again).collect();
                trials_shown(&played, sample.moves.is_none())
            }),
            fields: [("recomputed".to_owned(), json!(played))].into_iter().collect(),
        });
        Ok(())
    }

    /// Re-runs short trainings.
    pub(super) fn re_run_trainings(&mut self, context: &Context) -> Result<(), Failure> {
        let (retrained, not_retrained) = retrain(context)?;
        let mut lines = Vec::new();
        if !retrained.is_empty() {
            let same = retrained.iter().filter(|retrained| retrained.problem().is_none()).count();
            let of = counted(retrained.len() as u64, "training");
            lines.push(format!("Re-ran {of}: {same} with the same file and learning curve."));
        }
        if !not_retrained.is_empty() {
            let names = not_retrained.join(", ");
            lines.push(format!("Not re-run, since it takes long: {names}; `pipeline train --fresh` does."));
        }
        let fields = [("retrained", json!(retrained)), ("not_retrained", json!(not_retrained))];
        self.add(Recomputation {
            words: &TRAINING,
            differences: retrained.iter().filter_map(Retrained::problem).collect(),
            exempt: 0,
            lines,
            shown: None,
            fields: fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect(),
        });
        Ok(())
    }

    /// Whether a stored job can be expected to give the same rows again; otherwise adds why not.
    fn can_repeat(&mut self, job: &dyn Job, is_repeatable: bool) -> bool {
        if !is_repeatable {
            self.not_repeatable.push(job.key().to_string());
        } else if job.status().is_stale() {
            self.add_not_current(job);
        }
        is_repeatable && !job.status().is_stale()
    }
}

/// What playing games again shows, and how far that goes.
fn games_shown(played: &[(jobs::Key, Recomputed)], chances: &Chances, sample: Sampling) -> String {
    let sum = |of: fn(&Recomputed) -> u64| played.iter().map(|(_, again)| of(again)).sum::<u64>();
    let (games, moves) = (sum(|again| again.games.len() as u64), counted(sum(|again| again.moves), "move"));
    let stored = counted(sum(|again| again.stored), "stored game");
    let extent = match sample.moves {
        Some(most) => format!("{moves}, at most the first {most} of each game"),
        None => moves,
    };
    let percents = |chances: [f64; 3]| {
        let [one, five, twenty] = chances.map(percent);
        format!("{one}, {five} and {twenty} %")
    };
    format!(
        "Played {} of {stored} again ({extent}), drawn by seed {:016x}. Had 1, 5 or 20 % of the games been forged, playing whole \
         games again would have shown it with a chance of {} over all experiments, and of at least {} in any single one.",
        thousands(games as f64),
        sample.seed,
        percents(chances.over_all),
        percents(chances.at_least)
    )
}

/// How far trials were played again.
fn trials_shown(played: &[&RecomputedTrials], is_whole: bool) -> String {
    let sum = |of: fn(&RecomputedTrials) -> u64| played.iter().map(|again| of(again)).sum::<u64>();
    let trials = thousands(sum(|again| again.trials.len() as u64) as f64);
    let (games, stored) = (sum(|again| again.games), counted(sum(|again| again.stored), "stored trial"));
    let each = if is_whole { "" } else { ", one of each trial" };
    let of = counted(played.len() as u64, "study");
    format!("Played {trials} of {stored} of {of} again ({}{each}).", counted(games, "game"))
}

/// A chance in percent, never rounded to certainty.
fn percent(chance: f64) -> String {
    let rounded = (chance * 1000.0).round() / 10.0;
    if rounded >= 100.0 && chance < 1.0 { "more than 99.9".to_owned() } else { rounded.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words for whole games played again out of a hundred.
    fn shown(games: u64) -> String {
        let again = Recomputed {
            stored: 100,
            games: (0..games).collect(),
            whole: games,
            moves: 10 * games,
            ..Recomputed::default()
        };
        let played = [("p/e".parse().unwrap(), again)];
        let chances = Chances::of(played.iter().map(|(_, again)| again));
        games_shown(&played, &chances, Sampling { games: Count::All, moves: None, seed: 255 })
    }

    #[test]
    fn the_words_say_what_was_played_again_and_what_that_shows() {
        let words = "Played 10 of 100 stored games again (100 moves), drawn by seed 00000000000000ff. Had 1, 5 or 20 % of the \
                     games been forged, playing whole games again would have shown it with a chance of 10, 41.6 and 90.5 % over \
                     all experiments, and of at least 10, 41.6 and 90.5 % in any single one.";
        assert_eq!(shown(10), words);
        assert!(shown(100).contains("a chance of 100, 100 and 100 %"));
        assert_eq!(percent(0.99999), "more than 99.9");
        let trials = RecomputedTrials { stored: 1200, trials: vec![3, 4], games: 20, ..Default::default() };
        let words = "Played 2 of 1,200 stored trials of 1 study again (20 games).";
        assert_eq!(trials_shown(&[&trials], true), words);
        assert!(trials_shown(&[&trials], false).ends_with("(20 games, one of each trial)."));
    }
}
