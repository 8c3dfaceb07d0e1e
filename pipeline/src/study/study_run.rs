//! A study that runs: the trials that its method proposes are taken from journals, copied or played, until
//! the method proposes no more.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::json;

use super::batch::{CompleteBatches, TrialBatch};
use super::batch_run::{BatchRun, TrialSink};
use super::best_so_far::BestSoFar;
use super::comparison::TrialComparison;
use super::journal::{
    FinishedTrial, FinishedTrials, TrialJournal, journals, of_attempt, read_all, sizes, take_all,
};
use super::player::TrialPlayer;
use super::trial_games::TrialGames;
use crate::job::STUDY;
use crate::kinds::RunContext;
use crate::plan::PlannedStudy;
use crate::player::Queue;
use crate::progress::ProgressLine;
use crate::run::{FaultNote, JobResult, Options, RunError};
use records::{Layout, Provenance, Shard};
use studies::{TrialOutcome, TrialRow};
use text::counted;

/// A study that runs.
pub(super) struct StudyRun<'a> {
    pub(super) planned: &'a PlannedStudy,
    pub(super) layout: &'a Layout,
    pub(super) options: &'a Options<'a>,
    pub(super) origin: Provenance,
    line: ProgressLine,
    /// The journal of this part.
    journal: TrialJournal,
    /// The sizes of all journals when they were last read.
    sizes: Vec<u64>,
    /// All trials in all journals, and those that were played now.
    pub(super) journalled: FinishedTrials,
    pub(super) complete: CompleteBatches,
    /// Whether a journalled trial is to be played again before any is added: all come from another plugin
    /// file.
    needs_proof: bool,
    best: BestSoFar,
    result: JobResult,
}

/// Why a study stopped running.
enum StudyEnd {
    Complete,
    Interrupted,
    TooManyFaults,
    /// Other parts have to play these trials of a batch.
    Waiting {
        batch: u32,
        missing: Vec<u64>,
        of: u64,
    },
    /// A trial in a journal was never proposed.
    NotProposed(u64),
    /// A trial in a journal differs when it is played again.
    OtherAgent(u64),
}

/// The threads of a study, each with its worker.
struct Threads<'a> {
    pool: ThreadPool,
    players: Vec<Mutex<TrialPlayer<'a>>>,
}

impl<'a> Threads<'a> {
    fn new(planned: &'a PlannedStudy, options: &'a Options<'a>) -> Result<Self, RunError> {
        let pool = ThreadPoolBuilder::new().num_threads(options.jobs).build()?;
        let player = |_| Mutex::new(TrialPlayer::new(planned, options.launcher));
        Ok(Self { pool, players: (0..options.jobs).map(player).collect() })
    }
}

impl<'a> StudyRun<'a> {
    /// Opens this part's journal, and reads all others.
    pub(super) fn open(planned: &'a PlannedStudy, context: &RunContext<'a>) -> Result<Self, RunError> {
        let RunContext { layout, options, progress, .. } = *context;
        let origin = options.origin.by_plugin(&planned.plugin.sha256);
        let line = progress.line(&planned.key.to_string(), planned.trials(), STUDY.row);
        line.start();
        let journal = open(planned, layout, options, &origin, &line)?;
        let mut run = Self {
            planned,
            layout,
            options,
            origin,
            line,
            journal,
            sizes: Vec::new(),
            journalled: FinishedTrials::new(),
            complete: CompleteBatches::default(),
            needs_proof: false,
            best: BestSoFar::new(),
            result: JobResult { job: planned.key.to_string(), ..JobResult::default() },
        };
        run.needs_proof = run.read_journals()?;
        Ok(run)
    }

    /// Runs the study to its end, or as far as possible.
    pub(super) fn run(mut self) -> Result<JobResult, RunError> {
        let threads = Threads::new(self.planned, self.options)?;
        let end = loop {
            match self.run_batches(&threads)? {
                StudyEnd::NotProposed(trial) => self.start_over(trial)?,
                end => break end,
            }
        };
        self.line.end(matches!(end, StudyEnd::Complete));
        self.into_result(end)
    }

    /// Runs batch after batch, from the first one.
    fn run_batches(&mut self, threads: &Threads<'_>) -> Result<StudyEnd, RunError> {
        let study = &self.planned.study;
        let searched = study.to_search();
        let mut proposer = study.method.proposer(&searched);
        loop {
            let proposals = proposer.next(&self.complete.trials);
            if proposals.is_empty() {
                return Ok(StudyEnd::Complete);
            }
            let (number, first) = (self.complete.trials.len() as u32, self.complete.rows.len() as u64);
            let batch = TrialBatch::new(number, first, proposals, &mut self.complete.first_trials);
            self.line.set_done(first);
            self.line.describe(&format!("batch {number}{}", self.best.text(study, &self.complete.rows)));
            if let Some(end) = self.end_of(&batch) {
                return Ok(end);
            }
            if let Some(trial) = self.disproof(&batch, threads)? {
                return Ok(StudyEnd::OtherAgent(trial));
            }
            if let Some(end) = self.play(&batch, threads)? {
                return Ok(end);
            }
            let rows = batch.rows(&self.complete.rows, &self.journalled).unwrap_or_default();
            self.complete.add(rows, &study.objectives, batch.copies());
        }
    }

    /// Plays what is missing of a batch, or of this part's share of it. Returns nothing if the batch is
    /// complete then.
    fn play(&mut self, batch: &TrialBatch, threads: &Threads<'_>) -> Result<Option<StudyEnd>, RunError> {
        let is_ours = |trial: &u64| self.options.shard.is_none_or(|shard| shard.contains(*trial));
        let to_play: Vec<u64> = batch.missing(&self.journalled).filter(is_ours).collect();
        self.line.set_done(batch.end() - to_play.len() as u64);
        if !to_play.is_empty() {
            self.play_trials(batch, &to_play, threads)?;
        }
        if self.options.shard.is_some() {
            self.read_journals()?;
        }
        if let Some(end) = self.end_of(batch) {
            return Ok(Some(end));
        }
        let missing: Vec<u64> = batch.missing(&self.journalled).collect();
        Ok(match self.options.shard {
            _ if missing.is_empty() => None,
            Some(Shard { of, .. }) if !self.options.stop.load(Ordering::Relaxed) => {
                Some(StudyEnd::Waiting { batch: batch.number, missing, of })
            }
            _ => Some(StudyEnd::Interrupted),
        })
    }

    /// Has the agent play the longest journalled trial of a batch again if all of them are of another plugin
    /// file, and returns the trial if it differs: nothing is added to what another agent has played.
    fn disproof(&mut self, batch: &TrialBatch, threads: &Threads<'_>) -> Result<Option<u64>, RunError> {
        if !self.needs_proof {
            return Ok(None);
        }
        let moves = |trial: &FinishedTrial| match &trial.came {
            TrialOutcome::Played { efforts, .. } => {
                Some(efforts.iter().map(|effort| effort.moves).sum::<u64>())
            }
            TrialOutcome::Faulted { .. } => None,
        };
        let journalled = self.journalled.range(batch.trials());
        let longest = journalled.filter_map(|(&trial, finished)| Some((moves(finished)?, trial))).max();
        let Some((_, trial)) = longest else { return Ok(None) };
        let mut player = threads.players[0].lock().unwrap_or_else(PoisonError::into_inner);
        let proposal = batch.proposal(trial);
        let games = player.play(trial, proposal, proposal.games.clone())?;
        let row = TrialRow::of(trial, batch.number, proposal.clone(), self.journalled[&trial].came.clone());
        let differences = TrialComparison { study: &self.planned.study, row: &row }.with_trial(games);
        self.needs_proof = false;
        self.result.proven_by = differences.is_empty().then_some(trial);
        Ok((!differences.is_empty()).then_some(trial))
    }

    /// Whether the study ends with this batch, because a journal has other trials, or because of faults.
    fn end_of(&self, batch: &TrialBatch) -> Option<StudyEnd> {
        if let Some(trial) = batch.not_proposed(&self.journalled) {
            return Some(StudyEnd::NotProposed(trial));
        }
        let is_over = batch.has_too_many_faults(&self.planned.study, &self.complete, &self.journalled);
        is_over.then_some(StudyEnd::TooManyFaults)
    }

    /// Has all threads play these trials of a batch.
    fn play_trials(
        &mut self,
        batch: &TrialBatch,
        trials: &[u64],
        threads: &Threads<'_>,
    ) -> Result<(), RunError> {
        let to_play = trials.iter().map(|&trial| {
            let place = (trial - batch.first_trial) as usize;
            (place, batch.proposal(trial).games.clone().collect())
        });
        let games = batch.proposals.iter().map(|proposal| TrialGames::new(proposal.games.clone()));
        let run = BatchRun {
            study: &self.planned.study,
            batch,
            queue: Queue::new(to_play, self.options.jobs),
            trials: games.map(Mutex::new).collect(),
            sink: Mutex::new(TrialSink {
                journal: &mut self.journal,
                journalled: &mut self.journalled,
                alarms: &mut self.result.alarms,
                complete: &self.complete,
            }),
            is_over: AtomicBool::new(false),
            line: &self.line,
        };
        let stop = self.options.stop;
        let outcomes = threads.pool.broadcast(|thread| {
            let player = &threads.players[thread.index()];
            let mut player = player.lock().unwrap_or_else(PoisonError::into_inner);
            run.play(&mut player, stop)
        });
        outcomes.into_iter().collect()
    }

    /// Reads the journals of all parts if one has grown. Returns whether they hold trials, and all are of
    /// another plugin file.
    fn read_journals(&mut self) -> Result<bool, RunError> {
        let sizes = sizes(&journals(self.layout, &self.planned.key, self.options.is_fresh));
        if sizes == self.sizes {
            return Ok(false);
        }
        let mut are_of_others = Vec::new();
        for journal in read_all(self.layout, self.planned, self.options.is_fresh)? {
            take_all(&journal, &mut self.journalled)?;
            if journal.games().next().is_some() {
                are_of_others.push(journal.is_of_other_plugin(&self.planned.plugin.sha256));
            }
        }
        self.sizes = sizes;
        Ok(!are_of_others.is_empty() && are_of_others.into_iter().all(|is_of_other| is_of_other))
    }

    /// Moves journals out of the way that hold trials which the study never proposed, and starts from the
    /// beginning.
    fn start_over(&mut self, trial: u64) -> Result<(), RunError> {
        for journal in read_all(self.layout, self.planned, self.options.is_fresh)? {
            let path = journal.path().to_owned();
            let aside = journal.set_aside()?;
            self.line.say(&format!(
                "trial {trial} in a journal is not the one that is proposed; {} is kept as {}, and the study starts \
                 from the beginning",
                path.display(),
                aside.display()
            ));
        }
        self.journal = open(self.planned, self.layout, self.options, &self.origin, &self.line)?;
        self.journalled.clear();
        self.complete = CompleteBatches::default();
        Ok(())
    }

    /// What running did to it. If the study is complete, its file is written first.
    fn into_result(mut self, end: StudyEnd) -> Result<JobResult, RunError> {
        let mut result = std::mem::take(&mut self.result);
        let Self { planned, line, journalled, complete, .. } = &self;
        let trials = (complete.rows.len() as u64).max(journalled.len() as u64);
        let batches = complete.trials.len() as u32;
        (result.played, result.journalled) = (line.played(), journalled.len() as u64);
        result.faults = faults(&complete.rows, journalled);
        result.fields = super::fields(trials, batches, complete.copied);
        result.summary = summary(trials, batches, complete.copied);
        match end {
            StudyEnd::Waiting { batch, missing, of } => {
                let parts: BTreeSet<u64> = missing.iter().map(|trial| trial % of + 1).collect();
                let names: Vec<String> = parts.iter().map(|part| format!("{part}/{of}")).collect();
                let trials = counted(missing.len() as u64, STUDY.row);
                let state = format!("batch {batch} waits for {trials} of part {}", names.join(" and "));
                (result.state, result.is_waiting) = (Some(state), true);
                let waiting = json!({"batch": batch, "trials": missing.len(), "parts": parts, "of": of});
                result.fields.insert("waiting".to_owned(), waiting);
            }
            StudyEnd::OtherAgent(trial) => result.failure = Some(other_agent(planned, trial)),
            StudyEnd::TooManyFaults => result.stopped_by_faults = true,
            StudyEnd::Complete => self.finish()?.add_to(&mut result),
            StudyEnd::Interrupted | StudyEnd::NotProposed(_) => {}
        }
        Ok(result)
    }
}

/// The trials that ended by a fault, including those of an incomplete batch.
fn faults(rows: &[TrialRow], journalled: &FinishedTrials) -> Vec<FaultNote> {
    let fault = |(trial, came): (u64, &TrialOutcome)| match came {
        TrialOutcome::Played { .. } => None,
        TrialOutcome::Faulted { game, ending, reason } => Some(FaultNote {
            trial: Some(trial),
            game: *game,
            tile_seed: None,
            ending: *ending,
            moves: None,
            reason: reason.clone(),
        }),
    };
    let complete = rows.iter().map(|row| (row.trial, &row.outcome));
    let open = journalled.range(rows.len() as u64..).map(|(&trial, finished)| (trial, &finished.came));
    complete.chain(open).filter_map(fault).collect()
}

fn summary(trials: u64, batches: u32, copied: u64) -> String {
    let batches = counted(batches.into(), "batch").replace("batchs", "batches");
    let copied = match copied {
        0 => String::new(),
        copied => format!("{} repeated others, ", text::thousands(copied as f64)),
    };
    format!("{} in {batches}, {copied}", counted(trials, STUDY.row))
}

/// The problem of a journalled trial that differs when it is played again.
fn other_agent(planned: &PlannedStudy, trial: u64) -> String {
    format!(
        "{}: its agent is not the one that played the journalled trials, though its signature is the same: trial {trial} comes out \
         otherwise; give the agent another version, or run all again with --fresh",
        planned.key
    )
}

/// Opens this part's journal, and reports what differs from how an earlier run left it.
fn open(
    planned: &PlannedStudy,
    layout: &Layout,
    options: &Options<'_>,
    origin: &Provenance,
    line: &ProgressLine,
) -> Result<TrialJournal, RunError> {
    let path = layout.study_journal(&planned.key, options.shard, options.is_fresh);
    let title = planned.title(Some(origin.clone()));
    let (journal, recovered) = match options.attempt {
        // No other process has this name, and not every file system has locks.
        Some(attempt) => TrialJournal::open(&of_attempt(&path, attempt), &title)?,
        None => TrialJournal::open_alone(&path, &title)?,
    };
    recovered.sentences(&journal, STUDY.row).iter().for_each(|sentence| line.say(sentence));
    Ok(journal)
}
