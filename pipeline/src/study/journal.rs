//! Finished trials, written down at once: the journals of a study, one for each part that plays it.
//!
//! A part reads the journals of all others and writes only its own, so that parts need nothing but a folder
//! in common.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry::{Occupied, Vacant};

use search::{Point, Proposal};
use serde::{Deserialize, Serialize};

use crate::journal::{EntryJournal, JournalEntry, JournalError};
use crate::plan::PlannedStudy;
use crate::recompute::is_by_machine;
use jobs::Key;
use platform::ConfinedPath;
use records::{GameTiming, Layout};
use studies::TrialOutcome;

/// The journal of a study, or of one part of it.
pub type TrialJournal = EntryJournal<FinishedTrial>;

/// Finished trials, by number.
pub(super) type FinishedTrials = BTreeMap<u64, FinishedTrial>;

/// A finished trial, with its cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FinishedTrial {
    /// Its number in the study.
    pub trial: u64,
    /// The bits of its parameters, in hexadecimal: they tell whether it is the trial that is proposed.
    point: Vec<String>,
    /// The games that were asked for: the first, and the one behind the last.
    games: [u64; 2],
    /// Their outcome.
    pub came: TrialOutcome,
    /// CPU time of its games, in nanoseconds.
    cpu_ns: u64,
    /// Wall time of its games, in nanoseconds.
    wall_ns: u64,
}

impl FinishedTrial {
    /// The finished trial of a proposal.
    pub fn of(trial: u64, proposal: &Proposal, came: TrialOutcome, cpu_ns: u64, wall_ns: u64) -> Self {
        let games = [proposal.games.start, proposal.games.end];
        Self { trial, point: bits(&proposal.point), games, came, cpu_ns, wall_ns }
    }

    /// Whether two have the same outcome, whatever they cost. A fault of the machine, as by its memory, need
    /// not repeat.
    fn is_same(&self, other: &Self) -> bool {
        let is_of_machine = |came: &TrialOutcome| matches!(came, TrialOutcome::Faulted { ending, .. } if is_by_machine(*ending));
        let is_alike = || match (&self.came, &other.came) {
            (
                TrialOutcome::Faulted { game, ending, .. },
                TrialOutcome::Faulted { game: other, ending: ended, .. },
            ) => (game, ending) == (other, ended),
            (one, other) => one == other,
        };
        let is_exempt = is_of_machine(&self.came) || is_of_machine(&other.came);
        (&self.point, &self.games) != (&other.point, &other.games) || is_exempt || is_alike()
    }

    /// Whether it is the trial of this proposal, and its games can have this outcome.
    pub fn is_of(&self, proposal: &Proposal) -> bool {
        self.point == bits(&proposal.point)
            && self.games == [proposal.games.start, proposal.games.end]
            && self.came.is_of(&proposal.games)
    }
}

fn bits(point: &Point) -> Vec<String> {
    point.values().iter().map(|value| format!("{:016x}", value.to_bits())).collect()
}

impl JournalEntry for FinishedTrial {
    fn timing(&self) -> GameTiming {
        GameTiming { game: self.trial, cpu_ns: self.cpu_ns, wall_ns: self.wall_ns }
    }

    fn timing_in(text: &[u8]) -> Option<GameTiming> {
        #[derive(Deserialize)]
        struct TrialCost {
            trial: u64,
            cpu_ns: u64,
            wall_ns: u64,
        }
        let TrialCost { trial, cpu_ns, wall_ns } = serde_json::from_slice(text).ok()?;
        Some(GameTiming { game: trial, cpu_ns, wall_ns })
    }
}

/// The journals that lie beside a study: its own and those of its parts.
pub fn journals(layout: &Layout, key: &Key, is_fresh: bool) -> Vec<ConfinedPath> {
    let own = layout.study_journal(key, None, is_fresh);
    let (Some(folder), Some(own)) = (own.parent(), own.file_name().and_then(|name| name.to_str())) else {
        return Vec::new();
    };
    let is_part = |name: &str| {
        let middle = name.strip_prefix(&format!("{}.part-", key.id));
        let suffix = own.strip_prefix(&key.id).unwrap_or(own);
        middle.and_then(|rest| rest.strip_suffix(suffix)).is_some_and(|part| !part.contains('.'))
    };
    let is_ours = |path: &ConfinedPath| path.name().is_some_and(|name| name == own || is_part(name));
    folder.list().into_iter().flatten().map(|entry| entry.path).filter(is_ours).collect()
}

/// The readable journals of a study: its own and those of its parts.
pub(super) fn read_all(
    layout: &Layout,
    planned: &PlannedStudy,
    is_fresh: bool,
) -> Result<Vec<TrialJournal>, JournalError> {
    let title = planned.title(None);
    let read =
        journals(layout, &planned.key, is_fresh).into_iter().map(|path| TrialJournal::look(&path, &title));
    read.filter_map(Result::transpose).collect()
}

/// The journal of one attempt at a part, beside which there may be others.
pub(super) fn of_attempt(part: &ConfinedPath, attempt: &str) -> ConfinedPath {
    let name = part.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let attempt: String =
        attempt.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
    match name.split_once(".part-").and_then(|(study, rest)| Some((study, rest.split_once('.')?))) {
        Some((study, (part_of, ending))) => {
            part.with_file_name(format!("{study}.part-{part_of}-{attempt}.{ending}"))
        }
        None => part.to_owned(),
    }
}

/// Adds the trials of a journal that are not there yet.
pub(super) fn take_all(journal: &TrialJournal, trials: &mut FinishedTrials) -> Result<(), JournalError> {
    for trial in journal.games() {
        let finished = journal.read(trial)?;
        match trials.entry(trial) {
            Vacant(place) => drop(place.insert(finished)),
            Occupied(there) if there.get().is_same(&finished) => {}
            Occupied(_) => {
                let text = format!("trial {trial} has come out otherwise in another journal of this study");
                return Err(journal.error(std::io::Error::other(text)));
            }
        }
    }
    Ok(())
}

/// The sizes of these journals, which tell whether one has grown.
pub(super) fn sizes(journals: &[ConfinedPath]) -> Vec<u64> {
    journals.iter().map(|path| path.size().unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use platform::ConfinedPath;
    use std::fs;

    use super::super::fixtures::{fault, finished, played, proposal};
    use super::*;
    use crate::journal::Title;
    use engine::Ending;
    use records::Shard;

    #[test]
    fn a_trial_is_read_back_in_every_bit_of_its_parameters() {
        let text = serde_json::to_vec(&finished(7)).unwrap();
        let read: FinishedTrial = serde_json::from_slice(&text).unwrap();
        assert_eq!(read, finished(7));
        assert!(read.is_of(&proposal(0.123_456_789_012, 3..4)));
        assert!(!read.is_of(&proposal(0.123_456_789_013, 3..4)), "another parameter");
        assert!(!read.is_of(&proposal(0.123_456_789_012, 3..5)), "other games");
        let without_scores = FinishedTrial { came: played(&[], 0, "d"), ..finished(7) };
        assert!(!without_scores.is_of(&proposal(0.123_456_789_012, 3..4)), "no scores");
        let cost = Some(GameTiming { game: 7, cpu_ns: 5, wall_ns: 6 });
        assert_eq!((FinishedTrial::timing_in(&text), Some(read.timing())), (cost, cost));
        assert!(!text.starts_with(Title::BEGIN));
    }

    #[test]
    fn the_journals_of_a_study_are_its_own_and_those_of_its_parts() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        let key = Key::new("p", "s");
        fs::create_dir_all(layout.root().join("studies").join("p").path()).unwrap();
        let ours = ["s.journal", "s.part-1-of-2.journal", "s.part-2-of-2.journal"];
        let fresh = ["s.fresh.journal", "s.part-1-of-2.fresh.journal"];
        let others =
            ["s.parquet", "s.journal.stale-1", "s-2.journal", "s-2.part-1-of-2.journal", "t.journal"];
        for name in ours.iter().chain(&fresh).chain(&others) {
            fs::write(layout.root().join("studies").join("p").join(name).path(), "").unwrap();
        }
        let found = |is_fresh: bool| {
            let name = |path: ConfinedPath| path.name().unwrap().to_owned();
            journals(&layout, &key, is_fresh).into_iter().map(name).collect::<Vec<_>>()
        };
        let attempt = of_attempt(
            &layout.study_journal(&key, Some(Shard { part: 2, of: 3, games: 0 }), false),
            "7-0-a.b-9",
        );
        assert_eq!(attempt.file_name().unwrap(), "s.part-2-of-3-7-0-a-b-9.journal");
        fs::write(attempt.path(), "").unwrap();
        assert!(
            journals(&layout, &key, false).contains(&attempt)
                && !journals(&layout, &key, true).contains(&attempt)
        );
        fs::remove_file(attempt.path()).unwrap();
        assert_eq!(
            (found(false), found(true)),
            (ours.map(str::to_owned).to_vec(), fresh.map(str::to_owned).to_vec())
        );
    }

    #[test]
    fn a_trial_that_two_journals_tell_differently_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let title = Title::new("s".to_owned(), None, None);
        let write = |name: &str, trial: FinishedTrial| {
            let (mut journal, _) =
                TrialJournal::open(&ConfinedPath::file(&folder.path().join(name)), &title).unwrap();
            journal.append(&trial).unwrap();
            journal
        };
        let mut trials = BTreeMap::new();
        take_all(&write("a", finished(1)), &mut trials).unwrap();
        take_all(&write("b", FinishedTrial { cpu_ns: 99, ..finished(1) }), &mut trials).unwrap();
        let other = FinishedTrial { came: played(&[8], 0, "other"), ..finished(1) };
        let error = take_all(&write("c", other), &mut trials).unwrap_err().to_string();
        assert!(error.contains("trial 1 has come out otherwise in another journal"), "{error}");
        let slow = FinishedTrial { came: fault(3, Ending::Timeout), ..finished(1) };
        take_all(&write("d", slow), &mut trials).unwrap();
        assert_eq!(trials[&1].cpu_ns, 5);
    }

    #[test]
    fn a_journal_that_another_process_writes_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let (path, title) = (folder.path().join("s.journal"), Title::new("s".to_owned(), None, None));
        let (mut journal, _) = TrialJournal::open_alone(&ConfinedPath::file(&path), &title).unwrap();
        journal.append(&finished(1)).unwrap();
        let refused = TrialJournal::open_alone(&ConfinedPath::file(&path), &title).err().unwrap();
        assert!(refused.to_string().ends_with("another process writes to it"), "{refused}");
        let seen = TrialJournal::look(&ConfinedPath::file(&path), &title).unwrap().expect("it can be read");
        assert_eq!(seen.read(1).unwrap(), finished(1));
        drop(journal);
        assert!(TrialJournal::open_alone(&ConfinedPath::file(&path), &title).is_ok());
    }
}
