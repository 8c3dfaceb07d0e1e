//! What verifying found, for people and for scripts.

use serde::Serialize;

use super::Failure;
use super::verify_studies::VerifiedStudies;
use super::verify_trainings::VerifiedTrainings;
use crate::recompute::{Chances, Recomputed};
use jobs::CheckedJob;
use jobs::Key;
use jobs::StoredKind as _;
use records::Experiments;
use text::{counted, thousands};

/// All that was looked at.
#[derive(Default, Serialize)]
pub(super) struct VerifyOutcome {
    pub(super) files: Vec<CheckedJob>,
    pub(super) unreadable: Vec<String>,
    pub(super) studies: VerifiedStudies,
    pub(super) trainings: VerifiedTrainings,
    pub(super) recomputed: Vec<(Key, Recomputed)>,
    /// What the games that were played again were drawn by, in hexadecimal.
    pub(super) seed: Option<String>,
    /// The most moves of a game that were played again; absent: all.
    pub(super) recomputed_moves: Option<u32>,
    /// The chances that a forged share of the games was seen.
    pub(super) chances: Option<Chances>,
    /// Experiments under a wall-clock budget or marked as nondeterministic, whose games cannot be expected to
    /// repeat.
    pub(super) not_repeatable: Vec<String>,
    pub(super) not_current: Vec<String>,
    /// Experiments whose records are signed on the first set of frozen positions only.
    pub(super) signed_once: Vec<String>,
    /// What is wrong with the rest of a results folder.
    pub(super) folder: Vec<String>,
    /// What to know, though nothing is wrong.
    pub(super) notes: Vec<String>,
}

impl VerifyOutcome {
    /// All problems, one a line.
    pub(super) fn problems(&self) -> Vec<String> {
        let in_files = self.files.iter().flat_map(CheckedJob::problem_lines);
        let again = self.recomputed.iter().flat_map(|(experiment, recomputed)| {
            recomputed
                .differences
                .iter()
                .map(move |difference| format!("{experiment}: played again: {difference}"))
        });
        let read = self.unreadable.iter().cloned();
        let rest = self.not_current.iter().chain(&self.folder).cloned();
        let searched = self.studies.problems().into_iter().chain(self.trainings.problems());
        in_files.chain(read).chain(again).chain(searched).chain(rest).collect()
    }

    /// What was verified, for people.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}\n", Experiments.summary(&self.files));
        text.extend(self.studies.text());
        text.extend(self.trainings.text());
        for (names, why) in [
            (
                &self.not_repeatable,
                "Not played again, because no run repeats them (wall-clock budget, or marked as nondeterministic)",
            ),
            (&self.signed_once, "Signed on the first set of positions only, which `pipeline run` extends"),
        ] {
            if !names.is_empty() {
                text.push_str(&format!("{why}: {}.\n", names.join(", ")));
            }
        }
        let exempt: u64 = self.recomputed.iter().map(|(_, again)| again.exempt).sum();
        for (count, what) in [(exempt, "game"), (self.studies.exempt(), "trial")] {
            if count > 0 {
                let not = counted(count, what);
                text.push_str(&format!(
                    "Not considered for playing again: {not} that ended by time or memory.\n"
                ));
            }
        }
        self.studies.notes.iter().chain(&self.notes).for_each(|note| text.push_str(&format!("{note}\n")));
        let problems = self.problems();
        problems.iter().for_each(|problem| text.push_str(&format!("  {problem}\n")));
        let verdict = if problems.is_empty() { "All as stored" } else { "Not all as stored" };
        text.push_str(&format!("{verdict}. {}\n", self.shown()));
        text
    }

    /// What has been shown, and how far it goes.
    fn shown(&self) -> String {
        let (Some(chances), Some(seed)) = (&self.chances, &self.seed) else {
            let follow = match self.studies.checked.is_empty() {
                true => "The games follow from their seeds and directions.",
                false => {
                    "The games follow from their seeds and directions, and the trials of studies from those before them."
                }
            };
            return format!(
                "{follow} None were played again, so this does not show which agent played them; `--recompute N` does."
            );
        };
        let sum =
            |of: fn(&Recomputed) -> u64| self.recomputed.iter().map(|(_, again)| of(again)).sum::<u64>();
        let (games, moves) = (sum(|again| again.games.len() as u64), sum(|again| again.moves));
        let stored = counted(sum(|again| again.stored), "stored game");
        let extent = match self.recomputed_moves {
            Some(most) => format!("{}, at most the first {most} of each game", counted(moves, "move")),
            None => counted(moves, "move"),
        };
        let percents = |chances: [f64; 3]| {
            let [one, five, twenty] = chances.map(percent);
            format!("{one}, {five} and {twenty} %")
        };
        let games = format!(
            "Played {} of {stored} again ({extent}), drawn by seed {seed}. Had 1, 5 or 20 % of the games been forged, playing whole \
             games again would have shown it with a chance of {} over all experiments, and of at least {} in any single one.",
            thousands(games as f64),
            percents(chances.over_all),
            percents(chances.at_least)
        );
        match self.studies.shown(self.recomputed_moves.is_none()) {
            Some(trials) => format!("{games} {trials}"),
            None => games,
        }
    }

    pub(super) fn into_result(self) -> Result<(), Failure> {
        match self.problems().len() {
            0 => Ok(()),
            1 => Err(Failure::check("1 problem was found")),
            count => Err(Failure::check(format!("{count} problems were found"))),
        }
    }
}

/// A chance in percent, never rounded to certainty.
fn percent(chance: f64) -> String {
    let rounded = (chance * 1000.0).round() / 10.0;
    if rounded >= 100.0 && chance < 1.0 { "more than 99.9".to_owned() } else { rounded.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An outcome of so many whole games played again out of a hundred.
    fn played_again(games: u64) -> VerifyOutcome {
        let again = Recomputed {
            stored: 100,
            games: (0..games).collect(),
            whole: games,
            moves: 10 * games,
            exempt: 2,
            ..Recomputed::default()
        };
        let recomputed = vec![("p/e".parse().unwrap(), again)];
        let chances = Some(Chances::of(recomputed.iter().map(|(_, again)| again)));
        VerifyOutcome { recomputed, chances, seed: Some("00ff".to_owned()), ..VerifyOutcome::default() }
    }

    #[test]
    fn the_last_line_says_what_was_played_again_and_what_that_shows() {
        let text = played_again(10).text();
        let last = text.lines().last().unwrap();
        let said = "All as stored. Played 10 of 100 stored games again (100 moves), drawn by seed 00ff. Had 1, 5 or 20 % of the \
                    games been forged, playing whole games again would have shown it with a chance of 10, 41.6 and 90.5 % over all \
                    experiments, and of at least 10, 41.6 and 90.5 % in any single one.";
        assert_eq!(last, said);
        assert!(text.contains("2 games that ended by time or memory"), "{text}");
        assert!(played_again(100).text().contains("a chance of 100, 100 and 100 %"));
        assert!(VerifyOutcome::default().text().contains("None were played again"));
        assert_eq!(percent(0.99999), "more than 99.9");
    }

    #[test]
    fn what_is_wrong_is_in_the_last_line_too() {
        let mut outcome = played_again(10);
        outcome.recomputed[0].1.differences.push("game 3: another".to_owned());
        let text = outcome.text();
        assert!(text.contains("  p/e: played again: game 3: another\n"), "{text}");
        assert!(text.lines().last().unwrap().starts_with("Not all as stored. Played 10 of 100"), "{text}");
    }
}
