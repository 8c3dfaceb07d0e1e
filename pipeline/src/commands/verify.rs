//! `pipeline verify`: stored records, replayed and checked.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::context::Context;
use super::failure::chain;
use super::verify_bundle::verify_bundle;
use super::verify_folder::{Looked, look};
use super::{Failure, print_json, print_text};
use crate::cli;
use crate::plan::{Plan, Planned, Selection, StoredState};
use crate::recompute::{Chances, Count, Recomputed, Sampling, recompute};
use bundle::is_bundle;
use records::key::Key;
use records::layout::Layout;
use records::replay::{Verified, replay_file};
use verdict::format::{counted, thousands};
use workers::worker::Launcher;

/// All that was looked at.
#[derive(Default, Serialize)]
pub(super) struct VerifyOutcome {
    pub(super) files: Vec<Verified>,
    pub(super) unreadable: Vec<String>,
    pub(super) recomputed: Vec<(Key, Recomputed)>,
    /// What the games that were played again were drawn by, in hexadecimal.
    pub(super) seed: Option<String>,
    /// The most moves of a game that were played again; absent: all.
    pub(super) recomputed_moves: Option<u32>,
    /// The chances that a forged share of the games was seen.
    pub(super) chances: Option<Chances>,
    /// Experiments under a wall-clock budget, of which no game can be expected to repeat.
    pub(super) not_repeatable: Vec<String>,
    pub(super) not_current: Vec<String>,
    /// Experiments whose records are signed on the first set of frozen positions only.
    pub(super) signed_once: Vec<String>,
    /// What is wrong with the rest of a results folder.
    pub(super) folder: Vec<String>,
    /// What to know, though nothing is wrong.
    pub(super) notes: Vec<String>,
}

pub(crate) fn verify(arguments: &cli::Verify) -> Result<(), Failure> {
    let with_agents = arguments.current || arguments.recompute != Count::Some(0);
    if with_agents && !arguments.paths.is_empty() {
        let text = "--current and --recompute compare with manifests and agents, so they need a whole results folder: name it with \
                    --results instead";
        return Err(Failure::usage(text));
    }
    if let Some(bundle) = arguments.paths.iter().find(|path| is_bundle(path)) {
        if arguments.paths.len() > 1 {
            return Err(Failure::usage("a bundle is verified by itself: name one path"));
        }
        return verify_bundle(bundle, arguments.json);
    }
    let layout = Layout::new(&arguments.places.out);
    let paths = if arguments.paths.is_empty() {
        vec![layout.root().join("records")]
    } else {
        arguments.paths.clone()
    };
    let mut outcome = VerifyOutcome::default();
    // Where records are required to be those of today, that there are none is a finding.
    if !arguments.current {
        paths.iter().try_for_each(require_records)?;
    }
    outcome.replay(&records_files(&paths)?);
    outcome.look_at_folders(&layout, &arguments.paths);
    if with_agents {
        outcome.compare_with_agents(arguments)?;
    }
    if arguments.json {
        print_json(&outcome)?;
    } else {
        print_text(&outcome.text())?;
    }
    outcome.into_result()
}

impl VerifyOutcome {
    /// Compares the records with today's manifests and agents. That no plan can be made, as when a file is broken, is one more
    /// problem, and no reason to keep the others back; by itself, a trouble that may pass is no verdict on the records.
    fn compare_with_agents(&mut self, arguments: &cli::Verify) -> Result<(), Failure> {
        let context = Context::load(&arguments.places, &[])?;
        let plan = match context.plan(&Selection { with_extra: true, ..Selection::default() }) {
            Ok(plan) => plan,
            Err(failure) if failure.may_pass() && self.problems().is_empty() => return Err(failure),
            Err(failure) => {
                self.not_current.push(failure.message().to_owned());
                return Ok(());
            }
        };
        if arguments.current {
            self.require_current(&plan);
        } else {
            self.note_unplanned(&plan);
        }
        let seed = arguments.seed.unwrap_or_else(fresh_seed);
        self.recompute(&plan, &context.launcher, Sampling { games: arguments.recompute, moves: None, seed })
    }

    /// Looks at the rest of every results folder among these paths; without paths, of the one that is meant then.
    fn look_at_folders(&mut self, layout: &Layout, paths: &[PathBuf]) {
        let named = paths.iter().filter(|path| path.join("records").is_dir()).map(Layout::new);
        let layouts = paths.is_empty().then(|| layout.clone()).into_iter().chain(named);
        for Looked { problems, notes } in layouts.map(|layout| look(&layout)) {
            self.folder.extend(problems);
            self.notes.extend(notes);
        }
    }

    /// Replays every file.
    pub(super) fn replay(&mut self, files: &[PathBuf]) {
        for file in files {
            match replay_file(file) {
                Ok(verified) => self.files.push(verified),
                Err(error) => self.unreadable.push(chain(&error)),
            }
        }
    }

    /// Plays games of every experiment with records again. That stale ones cannot be is a problem: nothing is known of them.
    pub(super) fn recompute(
        &mut self,
        plan: &Plan,
        launcher: &Launcher,
        sample: Sampling,
    ) -> Result<(), Failure> {
        if sample.games == Count::Some(0) {
            return Ok(());
        }
        let stored = plan.experiments.iter().filter(|planned| planned.path.exists());
        let (repeatable, other): (Vec<&Planned>, Vec<&Planned>) =
            stored.partition(|planned| planned.repeats());
        self.not_repeatable.extend(other.iter().map(|planned| planned.key.to_string()));
        let (stale, current): (Vec<&Planned>, Vec<&Planned>) =
            repeatable.into_iter().partition(|planned| matches!(planned.state, StoredState::Stale { .. }));
        stale.into_iter().for_each(|planned| self.note_not_current(planned));
        let bar = super::context::bar(games_to_play(&current, sample.games), "playing games again");
        self.recomputed = recompute(&current, launcher, sample, &|| bar.inc(1))?;
        bar.finish_and_clear();
        self.seed = Some(format!("{:016x}", sample.seed));
        self.recomputed_moves = sample.moves;
        self.chances = Some(Chances::of(self.recomputed.iter().map(|(_, recomputed)| recomputed)));
        Ok(())
    }

    /// Notes every experiment of the plan whose records are not those of today, or that nobody can tell of, since its agent
    /// failed before it could be asked.
    pub(super) fn require_current(&mut self, plan: &Plan) {
        self.note_unplanned(plan);
        plan.experiments.iter().for_each(|planned| self.note_not_current(planned));
        let signed_once = plan.experiments.iter().filter(|planned| planned.lacks_second_signature);
        self.signed_once.extend(signed_once.map(|planned| planned.key.to_string()));
    }

    /// Notes an experiment, once, whose records are not those of today.
    fn note_not_current(&mut self, planned: &Planned) {
        let problem = match &planned.state {
            StoredState::Complete { .. } => return,
            StoredState::Missing if planned.experiment.set == manifest::Set::Extra => return,
            StoredState::Missing => "there are no records".to_owned(),
            StoredState::Partial { games } => format!("{games} of {} games are stored", planned.games),
            StoredState::Stale { differences } => {
                let parts: Vec<&str> = differences.iter().map(|part| part.component.as_str()).collect();
                format!("the records are stale: {} changed", parts.join(", "))
            }
        };
        let key = &planned.key;
        let text = format!("{key}: {problem}; `pipeline run {key}` plays what is needed");
        if !self.not_current.contains(&text) {
            self.not_current.push(text);
        }
    }

    fn note_unplanned(&mut self, plan: &Plan) {
        self.not_current.extend(plan.unplanned.iter().map(|unplanned| unplanned.reason.clone()));
    }

    /// All problems, one a line.
    pub(super) fn problems(&self) -> Vec<String> {
        let in_files = self.files.iter().flat_map(|file| {
            let more = file.problem_count - file.problems.len() as u64;
            let told = file.problems.iter().map(|problem| format!("{}: {problem}", file.file.display()));
            let rest = (more > 0).then(|| format!("{}: and {more} more problems", file.file.display()));
            told.chain(rest).collect::<Vec<_>>()
        });
        let again = self.recomputed.iter().flat_map(|(experiment, recomputed)| {
            recomputed
                .differences
                .iter()
                .map(move |difference| format!("{experiment}: played again: {difference}"))
        });
        let read = self.unreadable.iter().cloned();
        let rest = self.not_current.iter().chain(&self.folder).cloned();
        in_files.chain(read).chain(again).chain(rest).collect()
    }

    /// What was verified, for people.
    pub(super) fn text(&self) -> String {
        let games: u64 = self.files.iter().map(|file| file.games).sum();
        let moves: u64 = self.files.iter().map(|file| file.moves).sum();
        let mut text = format!(
            "Replayed {} ({}) in {}.\n",
            counted(games, "game"),
            counted(moves, "move"),
            counted(self.files.len() as u64, "file")
        );
        for (names, why) in [
            (&self.not_repeatable, "Not played again, because of a wall-clock budget"),
            (&self.signed_once, "Signed on the first set of positions only, which `pipeline run` extends"),
        ] {
            if !names.is_empty() {
                text.push_str(&format!("{why}: {}.\n", names.join(", ")));
            }
        }
        let exempt: u64 = self.recomputed.iter().map(|(_, again)| again.exempt).sum();
        if exempt > 0 {
            let games = counted(exempt, "game");
            text.push_str(&format!(
                "Not considered for playing again: {games} that ended by time or memory.\n"
            ));
        }
        self.notes.iter().for_each(|note| text.push_str(&format!("{note}\n")));
        let problems = self.problems();
        problems.iter().for_each(|problem| text.push_str(&format!("  {problem}\n")));
        let verdict = if problems.is_empty() { "All as stored" } else { "Not all as stored" };
        text.push_str(&format!("{verdict}. {}\n", self.shown()));
        text
    }

    /// What has been shown, and how far it goes.
    fn shown(&self) -> String {
        let (Some(chances), Some(seed)) = (&self.chances, &self.seed) else {
            return "The games follow from their seeds and directions. None were played again, so this does not show which agent \
             played them; `--recompute N` does."
                .to_owned();
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
        format!(
            "Played {} of {stored} again ({extent}), drawn by seed {seed}. Had 1, 5 or 20 % of the games been forged, playing whole \
             games again would have shown it with a chance of {} over all experiments, and of at least {} in any single one.",
            thousands(games as f64),
            percents(chances.over_all),
            percents(chances.at_least)
        )
    }

    pub(super) fn into_result(self) -> Result<(), Failure> {
        match self.problems().len() {
            0 => Ok(()),
            1 => Err(Failure::check("1 problem was found")),
            count => Err(Failure::check(format!("{count} problems were found"))),
        }
    }
}

/// Fails where a path has no records file, of which nothing could be wrong.
fn require_records(path: &PathBuf) -> Result<(), Failure> {
    if !records_files(std::slice::from_ref(path))?.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{}: there is no records file in it; name one, a results folder or a bundle; `pipeline run` makes records",
        path.display()
    )))
}

/// A seed that nobody could foresee, from the system's randomness.
pub(super) fn fresh_seed() -> u64 {
    use std::hash::BuildHasher as _;
    std::hash::RandomState::new().hash_one(std::process::id())
}

/// How many games are to be played again, as far as it is known.
fn games_to_play(experiments: &[&Planned], games: Count) -> u64 {
    let stored = |planned: &&Planned| match planned.state {
        StoredState::Complete { games } | StoredState::Partial { games } => games,
        StoredState::Missing | StoredState::Stale { .. } => 0,
    };
    let most = match games {
        Count::Some(most) => most,
        Count::All => u64::MAX,
    };
    experiments.iter().map(|planned| stored(planned).min(most)).sum()
}

/// A chance in percent, never rounded to certainty.
fn percent(chance: f64) -> String {
    let rounded = (chance * 1000.0).round() / 10.0;
    if rounded >= 100.0 && chance < 1.0 { "more than 99.9".to_owned() } else { rounded.to_string() }
}

/// The records files among these files and below these folders, sorted.
pub(super) fn records_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, &mut files)?;
    }
    files.sort();
    files.dedup();
    Ok(files)
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if !path.is_dir() {
        if !path.exists() {
            let text =
                format!("{}: there is no such file or folder; `pipeline run` makes records", path.display());
            return Err(Failure::usage(text));
        }
        // A pipe would keep us waiting.
        if !path.is_file() {
            return Err(Failure::usage(format!("{}: this is neither a file nor a folder", path.display())));
        }
        files.push(path.to_owned());
        return Ok(());
    }
    // A results folder has other Parquet files beside its records.
    let path = if path.join("records").is_dir() { path.join("records") } else { path.to_owned() };
    for entry in fs::read_dir(path).map_err(Failure::io)? {
        let entry = entry.map_err(Failure::io)?;
        let (kind, path) = (entry.file_type().map_err(Failure::io)?, entry.path());
        let is_parquet = path.extension().is_some_and(|extension| extension == "parquet");
        if kind.is_dir() {
            collect(&path, files)?;
        } else if is_parquet || kind.is_symlink() {
            // A link is not followed: opening it says what it is, once, and no path leads in a circle.
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Unplanned;

    #[test]
    fn records_of_an_agent_that_fails_before_it_is_asked_are_not_current() {
        let key = Key { paper: "p".to_owned(), experiment: "e".to_owned() };
        let unplanned = Unplanned { key, reason: "p.toml: experiment `e`: it crashed".to_owned() };
        let plan = Plan { experiments: Vec::new(), unplanned: vec![unplanned] };
        let mut outcome = VerifyOutcome::default();
        outcome.require_current(&plan);
        assert_eq!(outcome.not_current, ["p.toml: experiment `e`: it crashed"]);
    }

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
