//! A study under way: what its method proposes next is taken from the journals, copied or played, until there is nothing more to propose.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};
use search::Trial;

use super::batch::{Batch, FirstTrials};
use super::batch_under_way::{BatchUnderWay, FaultLimit, GameTime, Kept};
use super::finish::{Finished, Whole};
use super::journal::{FinishedTrial, TrialJournal, journals, of_attempt, sizes, take_all};
use super::player::Player;
use super::progress::Line;
use super::proof::prove;
use super::standing::Standing;
use super::{FaultedTrial, RunStudyError, StudyDone, WaitingBatch};
use crate::plan::PlannedStudy;
use crate::run::{Display, Options};
use manifest::Objective;
use platform::confined::ConfinedPath;
use records::layout::Layout;
use records::provenance::Provenance;
use records::store::Shard;
use studies::{TrialOutcome, TrialRow};
use text::counted;

/// A study under way.
pub(super) struct Conduct<'a> {
    planned: &'a PlannedStudy,
    layout: &'a Layout,
    options: &'a Options<'a>,
    origin: Provenance,
    line: Line,
    /// The journal of this part.
    journal: TrialJournal,
    /// The sizes of all journals when they were last read.
    sizes: Vec<u64>,
    /// All trials in all journals, and those that were played now.
    there: BTreeMap<u64, FinishedTrial>,
    done: Followed,
    /// Whether a journalled trial is to be played again, before any is added: all come from another plugin file.
    needs_proof: bool,
    proven_by: Option<u64>,
    standing: Standing,
    alarms: Vec<String>,
}

/// The batches that are whole.
#[derive(Default)]
struct Followed {
    rows: Vec<TrialRow>,
    finished: Vec<Vec<Trial>>,
    first_trials: FirstTrials,
    faults: u64,
    copied: u64,
}

/// How running a study ended.
enum Ended {
    Whole,
    Interrupted,
    StoppedByFaults,
    Waiting(WaitingBatch),
    /// A trial in a journal is not the one that is proposed.
    Alien(u64),
    /// A trial in a journal comes out otherwise today.
    Unproven(u64),
}

/// The threads of a study, each with its worker.
struct Seats<'a> {
    pool: ThreadPool,
    players: Vec<Mutex<Player<'a>>>,
    game_time: GameTime,
}

impl<'a> Seats<'a> {
    fn new(planned: &'a PlannedStudy, options: &'a Options<'a>) -> Result<Self, RunStudyError> {
        let pool = ThreadPoolBuilder::new().num_threads(options.jobs).build()?;
        let player = |_| Mutex::new(Player::new(planned, options.launcher));
        Ok(Self { pool, players: (0..options.jobs).map(player).collect(), game_time: GameTime::default() })
    }
}

impl<'a> Conduct<'a> {
    /// Opens this part's journal, and reads all others.
    pub(super) fn begin(
        planned: &'a PlannedStudy,
        layout: &'a Layout,
        options: &'a Options<'a>,
        display: Display,
    ) -> Result<Self, RunStudyError> {
        let origin = options.origin.by_plugin(&planned.plugin.sha256);
        let line = Line::new(display, &planned.key.to_string(), planned.trials());
        let journal = open(planned, layout, options, &origin, &line)?;
        let mut conduct = Self {
            planned,
            layout,
            options,
            origin,
            line,
            journal,
            sizes: Vec::new(),
            there: BTreeMap::new(),
            done: Followed::default(),
            needs_proof: false,
            proven_by: None,
            standing: Standing::new(),
            alarms: Vec::new(),
        };
        conduct.needs_proof = conduct.read_journals()?;
        Ok(conduct)
    }

    /// Runs the study to its end, or as far as it goes.
    pub(super) fn run(mut self) -> Result<StudyDone, RunStudyError> {
        let seats = Seats::new(self.planned, self.options)?;
        let ended = loop {
            match self.follow(&seats)? {
                Ended::Alien(trial) => self.start_over(trial)?,
                ended => break ended,
            }
        };
        self.line.end();
        self.into_done(ended)
    }

    /// Follows the study batch after batch, from its first one.
    fn follow(&mut self, seats: &Seats<'_>) -> Result<Ended, RunStudyError> {
        let study = &self.planned.study;
        let searched = study.to_search();
        let mut proposer = study.method.proposer(&searched);
        loop {
            let proposals = proposer.next(&self.done.finished);
            if proposals.is_empty() {
                return Ok(Ended::Whole);
            }
            let (number, first) = (self.done.finished.len() as u32, self.done.rows.len() as u64);
            let batch = Batch::new(number, first, proposals, &mut self.done.first_trials);
            self.line.batch(number, first, self.standing.of(study, &self.done.rows));
            if let Some(ended) = self.end_of(&batch) {
                return Ok(ended);
            }
            if let Some(trial) = self.disproof(&batch, seats)? {
                return Ok(Ended::Unproven(trial));
            }
            if let Some(ended) = self.play(&batch, seats)? {
                return Ok(ended);
            }
            let rows = batch.rows(&self.done.rows, &self.there).unwrap_or_default();
            self.done.take(rows, &study.objectives, batch.copies());
        }
    }

    /// Plays what is missing of a batch, or of this part's share of it. None where the batch is whole then.
    fn play(&mut self, batch: &Batch, seats: &Seats<'_>) -> Result<Option<Ended>, RunStudyError> {
        let is_ours = |trial: &u64| self.options.shard.is_none_or(|(part, of)| trial % of == part - 1);
        let to_play: Vec<u64> = batch.missing(&self.there).filter(is_ours).collect();
        self.line.skip(batch.proposals.len() as u64 - to_play.len() as u64);
        if !to_play.is_empty() {
            self.play_trials(batch, &to_play, seats)?;
        }
        if self.options.shard.is_some() {
            self.read_journals()?;
        }
        if let Some(ended) = self.end_of(batch) {
            return Ok(Some(ended));
        }
        let missing: Vec<u64> = batch.missing(&self.there).collect();
        Ok(match self.options.shard {
            _ if missing.is_empty() => None,
            Some((_, of)) if !self.is_stopped() => Some(Ended::Waiting(waiting(batch, &missing, of))),
            _ => Some(Ended::Interrupted),
        })
    }

    /// Has the agent play a journalled trial again, where all of them are of another plugin file, and gives it where it comes out
    /// otherwise: nothing is added to what another agent has played.
    fn disproof(&mut self, batch: &Batch, seats: &Seats<'_>) -> Result<Option<u64>, RunStudyError> {
        if !self.needs_proof {
            return Ok(None);
        }
        let mut player = seats.players[0].lock().unwrap_or_else(PoisonError::into_inner);
        let Some(proof) = prove(self.planned, batch, &self.there, &mut player)? else { return Ok(None) };
        self.needs_proof = false;
        self.proven_by = proof.is_same.then_some(proof.trial);
        Ok((!proof.is_same).then_some(proof.trial))
    }

    /// Whether the study ends with this batch, for what is in it that is not the study's, or for faults.
    fn end_of(&self, batch: &Batch) -> Option<Ended> {
        if let Some(trial) = batch.alien(&self.there) {
            return Some(Ended::Alien(trial));
        }
        let faults = batch.faults(&self.done.rows, &self.there);
        let limit = FaultLimit { before: self.done.faults, share: self.planned.study.fault_share };
        limit.is_passed(faults, batch).then_some(Ended::StoppedByFaults)
    }

    fn is_stopped(&self) -> bool {
        self.options.stop.load(Ordering::Relaxed)
    }

    /// Has all threads play these trials of a batch.
    fn play_trials(&mut self, batch: &Batch, trials: &[u64], seats: &Seats<'_>) -> Result<(), RunStudyError> {
        let study = &self.planned.study;
        let pieces = batch.pieces(trials, self.options.jobs, seats.game_time.get());
        let kept = Kept {
            journal: &mut self.journal,
            there: &mut self.there,
            alarms: &mut self.alarms,
            before: &self.done.rows,
        };
        let under_way = BatchUnderWay::new(study, batch, pieces, kept, self.done.faults, &self.line);
        let stop = self.options.stop;
        let outcomes = seats.pool.broadcast(|thread| {
            let mut player = seats.players[thread.index()].lock().unwrap_or_else(PoisonError::into_inner);
            under_way.play(&mut player, &seats.game_time, stop)
        });
        outcomes.into_iter().collect()
    }

    /// Reads the journals of all parts, where one has grown. Says whether they hold trials, and none is of this very plugin file.
    fn read_journals(&mut self) -> Result<bool, RunStudyError> {
        let paths = self.journals();
        let sizes = sizes(&paths);
        if sizes == self.sizes {
            return Ok(false);
        }
        let mut are_of_others = Vec::new();
        for path in &paths {
            if let Some(journal) = TrialJournal::look(path, &self.planned.title(None))? {
                take_all(&journal, &mut self.there)?;
                if journal.games().next().is_some() {
                    are_of_others.push(journal.is_of_other_plugin(&self.planned.plugin.sha256));
                }
            }
        }
        self.sizes = sizes;
        Ok(!are_of_others.is_empty() && are_of_others.into_iter().all(|is_of_other| is_of_other))
    }

    fn journals(&self) -> Vec<ConfinedPath> {
        journals(self.layout, &self.planned.key, self.options.is_fresh)
    }

    /// Puts journals aside that hold what the study never proposed, and begins anew.
    fn start_over(&mut self, trial: u64) -> Result<(), RunStudyError> {
        for path in self.journals() {
            if let Some(journal) = TrialJournal::look(&path, &self.planned.title(None))? {
                let aside = journal.set_aside()?;
                self.line.say(&format!(
                    "trial {trial} in a journal is not the one that is proposed; {} is kept as {}, and the study begins anew",
                    path.display(),
                    aside.display()
                ));
            }
        }
        self.journal = open(self.planned, self.layout, self.options, &self.origin, &self.line)?;
        self.there.clear();
        self.done = Followed::default();
        Ok(())
    }

    /// Sums up; where the study is whole, its file is written first.
    fn into_done(self, ended: Ended) -> Result<StudyDone, RunStudyError> {
        let mut done = StudyDone {
            study: self.planned.key.to_string(),
            trials: (self.done.rows.len() as u64).max(self.there.len() as u64),
            batches: self.done.finished.len() as u32,
            played: self.line.played(),
            copied: self.done.copied,
            faults: self.faults(),
            stopped_by_faults: matches!(ended, Ended::StoppedByFaults),
            alarms: self.alarms.clone(),
            proven_by_trial: self.proven_by,
            ..StudyDone::default()
        };
        match ended {
            Ended::Waiting(waiting) => done.waiting = Some(waiting),
            Ended::Unproven(trial) => done.failure = Some(unproven(self.planned, trial)),
            Ended::Whole => {
                let Finished { path, digest, same_as_stored, alarm } = self.finish()?;
                (done.file, done.digest, done.same_as_stored) =
                    (Some(path.path().to_owned()), Some(digest), same_as_stored);
                done.alarms.extend(alarm);
            }
            Ended::Interrupted | Ended::StoppedByFaults | Ended::Alien(_) => {}
        }
        Ok(done)
    }

    fn finish(self) -> Result<Finished, RunStudyError> {
        let title = self.planned.title(None);
        let looked = self.journals().into_iter().map(|path| TrialJournal::look(&path, &title));
        let journals = looked.filter_map(Result::transpose).collect::<Result<_, _>>()?;
        let Self { planned, layout, options, origin, done, there, .. } = self;
        let whole =
            Whole { planned, layout, rows: &done.rows, there: &there, journals, is_fresh: options.is_fresh };
        whole.finish(&origin)
    }

    /// The trials that an agent's fault cost, those of a batch that is not whole included.
    fn faults(&self) -> Vec<FaultedTrial> {
        let fault = |(trial, came): (u64, &TrialOutcome)| match came {
            TrialOutcome::Played { .. } => None,
            TrialOutcome::Faulted { game, ending, reason } => {
                Some(FaultedTrial { trial, game: *game, ending: *ending, reason: reason.clone() })
            }
        };
        let whole = self.done.rows.iter().map(|row| (row.trial, &row.outcome));
        let next = self.done.rows.len() as u64;
        let open = self.there.range(next..).map(|(&trial, finished)| (trial, &finished.came));
        whole.chain(open).filter_map(fault).collect()
    }
}

impl Followed {
    /// Takes in a batch that is whole.
    fn take(&mut self, rows: Vec<TrialRow>, objectives: &[Objective], copies: u64) {
        self.faults += rows.iter().filter(|row| row.scores().is_none()).count() as u64;
        self.copied += copies;
        self.finished.push(rows.iter().map(|row| row.to_trial(objectives)).collect());
        self.rows.extend(rows);
    }
}

/// What is wrong where a trial comes out otherwise than it is journalled.
fn unproven(planned: &PlannedStudy, trial: u64) -> String {
    format!(
        "{}: its agent is not the one that played the journalled trials, though its signature is the same: trial {trial} comes out \
         otherwise; give the agent another version, or run all again with --fresh",
        planned.key
    )
}

/// What a batch waits for.
fn waiting(batch: &Batch, missing: &[u64], of: u64) -> WaitingBatch {
    let parts: BTreeSet<u64> = missing.iter().map(|trial| trial % of + 1).collect();
    let parts = parts.into_iter().collect();
    WaitingBatch { batch: batch.number, trials: missing.len() as u64, parts, of }
}

/// Opens this part's journal, and says what of it is not as an earlier run left it.
fn open(
    planned: &PlannedStudy,
    layout: &Layout,
    options: &Options<'_>,
    origin: &Provenance,
    line: &Line,
) -> Result<TrialJournal, RunStudyError> {
    let shard = options.shard.map(|(part, of)| Shard { part, of, games: 0 });
    let path = layout.study_journal(&planned.key, shard, options.is_fresh);
    let title = planned.title(Some(origin.clone()));
    let (journal, recovered) = match options.attempt {
        // No other process has this name, and not every file system has locks.
        Some(attempt) => TrialJournal::open(&of_attempt(&path, attempt), &title)?,
        None => TrialJournal::open_alone(&path, &title)?,
    };
    if recovered.torn_bytes > 0 {
        line.say(&format!(
            "{}: {} bytes of an incomplete end were dropped; {} kept",
            path.display(),
            recovered.torn_bytes,
            match journal.games().count() as u64 {
                1 => "1 whole trial is".to_owned(),
                count => format!("{} are", counted(count, "whole trial")),
            }
        ));
    }
    if let Some(aside) = &recovered.set_aside {
        line.say(&format!(
            "{}: the journal belongs to another identity and is kept as {}",
            path.display(),
            aside.display()
        ));
    }
    Ok(journal)
}
