//! Experiments on a cluster: each part is a share of the games, and the parts become one records file.

use ::cluster::{Attempt, Division, PartProgress, RowTime, Submission, WorkFolder};
use engine::Odds;
use jobs::{Canonical as _, Status};
use platform::ConfinedPath;
use records::store::read_timing;
use records::{
    Experiments, GameTiming, IndexEntry, Layout, Provenance, RecordsReader, RecordsSummary, StoreError,
};
use text::counted;
use trainings::Artefacts;
use workers::Played;

use super::super::super::Failure;
use super::{ClusterJob, CollectedJob, JobContext, OutgoingJob, ShardOutcome, ShardTask};
use crate::journal::{Journal, Leftovers, Title, spools};
use crate::plan::{PlannedExperiment, Selection};
use crate::run::{Options, exceeds, finish};

/// A share of faults that is never too large.
const ANY_SHARE: Odds = Odds::new(1, 1).unwrap();

/// The missing games of an experiment.
pub(super) fn outgoing(
    planned: &PlannedExperiment,
    is_fresh: bool,
    layout: &Layout,
) -> Result<OutgoingJob, Failure> {
    let mut outgoing = OutgoingJob::new(planned, planned.games, Division::ByRows)?;
    if let Status::Partial { done, .. } = planned.status
        && !is_fresh
    {
        outgoing.sent.first = done;
    }
    outgoing.time = RowTime::of(&read_timing(&layout.timing(&planned.key, None))?);
    Ok(outgoing)
}

/// The times of all games of an experiment's part.
pub(in super::super) fn timings(
    folder: &WorkFolder,
    submission: &Submission,
    place: usize,
    part: u64,
) -> Result<Vec<GameTiming>, Failure> {
    let sent = JobContext { folder, submission, place, job: &submission.jobs[place] };
    let experiment = ClusterExperiment::read(sent)?;
    let (shard, title) = (Some(sent.shard(part)), experiment.planned(Some(part)).title(None));
    let of = |attempt: Attempt| {
        let layout = attempt.layout();
        let finished = read_timing(&layout.timing(&sent.job.key, shard)).unwrap_or_default();
        let journal = layout.journal(&sent.job.key, shard, false);
        finished.into_iter().chain(Journal::peek(&journal, &title).unwrap_or_default())
    };
    Ok(sent.attempts(part).into_iter().flat_map(of).collect())
}

/// An experiment that was sent.
pub(super) struct ClusterExperiment<'a> {
    sent: JobContext<'a>,
    planned: PlannedExperiment,
}

/// A part that an attempt has completed.
struct CompletePart {
    attempt: Attempt,
    file: ConfinedPath,
    number: u64,
    digest: String,
    /// The places where its games were played: several if it took more than one attempt.
    origins: Vec<Provenance>,
}

impl<'a> ClusterExperiment<'a> {
    pub(super) fn read(sent: JobContext<'a>) -> Result<Self, Failure> {
        let planned = PlannedExperiment { plugin: sent.plugin(), games: sent.job.rows, ..sent.planned()? };
        Ok(Self { sent, planned })
    }

    /// One part of it, or all of its games, as a run takes it.
    fn planned(&self, part: Option<u64>) -> PlannedExperiment {
        let (first, shard) =
            (part.map_or(0, |_| self.sent.job.first), part.map(|part| self.sent.shard(part)));
        PlannedExperiment { first, shard, ..self.planned.clone() }
    }

    /// The records of a part that an attempt has completed; `None` if it has not.
    fn completed(&self, attempt: &Attempt, part: u64) -> Result<Option<RecordsSummary>, StoreError> {
        let shard = Some(self.sent.shard(part));
        let found = RecordsSummary::read(&attempt.layout().records(&self.sent.job.key, shard))?;
        Ok(found.filter(|found| found.header.shard == shard && found.games == self.sent.job.rows_of(part)))
    }

    fn is_complete(&self, part: u64, attempts: &[Attempt]) -> bool {
        attempts.iter().any(|attempt| self.completed(attempt, part).is_ok_and(|found| found.is_some()))
    }

    /// One part, with the games of earlier attempts in this one's journal.
    fn resume(&self, part: u64, task: &ShardTask<'_>) -> Result<PlannedExperiment, Failure> {
        let mut planned = self.planned(Some(part));
        // The share of faults among all games is known when they are put together.
        planned.experiment.fault_share = ANY_SHARE;
        let journal_in =
            |attempt: &Attempt| attempt.layout().journal(&planned.key, Some(self.sent.shard(part)), false);
        let (own, title) = (journal_in(task.attempt), planned.title(None));
        let (rules, seed) = (&planned.experiment.rules, planned.experiment.seed);
        let mut journal: Option<Journal> = None;
        for path in task.earlier.iter().map(journal_in) {
            let of_run = std::iter::once((path.clone(), false));
            for (path, is_spool) in of_run.chain(spools(&path).into_iter().map(|spool| (spool, true))) {
                let Some(left) = Journal::look(&path, &title)? else { continue };
                if left.games().next().is_none() {
                    continue;
                }
                let journal = match &mut journal {
                    Some(journal) => journal,
                    none => none.insert(Journal::open(&own, &title)?.0),
                };
                journal.inherit(&left, |played| {
                    let is_doubtful = is_spool && played.record.ending.is_fault();
                    !is_doubtful && played.record.replay_alone(rules, seed).is_ok()
                })?;
            }
        }
        Ok(planned)
    }

    /// One complete attempt at each part that has games.
    fn parts(&self) -> Result<Vec<CompletePart>, Failure> {
        let job = self.sent.job;
        let numbers: Vec<u64> = (1..=job.parts).filter(|&number| job.rows_of(number) > 0).collect();
        let mut parts = Vec::new();
        for &number in &numbers {
            let (mut found, mut damage): (Option<CompletePart>, _) = (None, None);
            for attempt in self.sent.attempts(number) {
                let summary = match self.completed(&attempt, number) {
                    Ok(Some(summary)) => summary,
                    Ok(None) => continue,
                    // Another attempt may be complete.
                    Err(error) => {
                        damage = Some(error);
                        continue;
                    }
                };
                let part = self.checked(attempt, number, summary)?;
                match &found {
                    // Games without a signature do not repeat.
                    Some(first)
                        if first.digest != part.digest && self.planned.identity.signature.is_some() =>
                    {
                        return Err(Failure::check(format!(
                            "{} and {}: two attempts at the same games have come to different ones: the agent does not repeat itself, or \
                             a node is broken; play a game again to see which is right, and remove the folder of the other attempt",
                            first.file.display(),
                            part.file.display()
                        )));
                    }
                    Some(_) => {}
                    None => found = Some(part),
                }
            }
            if let (None, Some(error)) = (&found, damage) {
                return Err(error.into());
            }
            parts.extend(found);
        }
        match numbers.len() - parts.len() {
            0 => Ok(parts),
            missing => Err(Failure::check(format!(
                "{missing} of {} not played: `pipeline cluster status` says more",
                counted(numbers.len() as u64, "part")
            ))),
        }
    }

    /// A part of the submission's identity, played by the program and the plugin that were sent.
    fn checked(
        &self,
        attempt: Attempt,
        number: u64,
        summary: RecordsSummary,
    ) -> Result<CompletePart, Failure> {
        let file = attempt.layout().records(&self.sent.job.key, Some(self.sent.shard(number)));
        let RecordsSummary { header, digest, .. } = summary;
        if !self.planned.differences(&header).is_empty() {
            return Err(self.sent.other_identity(&file));
        }
        self.sent.check_origins(&file, &header.provenance)?;
        Ok(CompletePart { attempt, file, number, digest, origins: header.provenance })
    }

    /// The games of a part with their times.
    fn games(&self, part: &CompletePart) -> Result<Vec<Played>, Failure> {
        let (job, shard) = (self.sent.job, self.sent.shard(part.number));
        let is_ours = |game: u64| shard.contains(game) && (job.first..job.rows).contains(&game);
        let timing = part.attempt.layout().timing(&job.key, Some(shard));
        let timings = read_timing(&timing)?;
        if let Some(GameTiming { game, .. }) = timings.iter().find(|timing| !is_ours(timing.game)) {
            return Err(Failure::check(format!(
                "{}: it times game {game}, which belongs to another part; remove the file, and the games of this part count as untimed",
                timing.display()
            )));
        }
        let timing_of = |game: u64| {
            let place = timings.binary_search_by_key(&game, |timing| timing.game);
            place.map_or(GameTiming { game, cpu_ns: 0, wall_ns: 0 }, |place| timings[place])
        };
        let wrong = |what: String| Failure::check(format!("{}: {what}", part.file.display()));
        let master_seed =
            self.planned.identity.master_seed().map_err(|_| self.sent.other_identity(&part.file))?;
        let mut games: Vec<Played> = Vec::new();
        for record in RecordsReader::open(&part.file)?.games() {
            let record = record?;
            let is_next = games.last().is_none_or(|last| last.record.game < record.game);
            if !is_next || !is_ours(record.game) {
                return Err(wrong(format!("it holds game {} twice, or a game of another part", record.game)));
            }
            record.replay(&self.planned.identity.rules, master_seed).map_err(|problem| {
                let remedy = "remove the folder of this attempt, and submit again to play its games";
                wrong(format!("{problem}; {remedy}"))
            })?;
            games.push(Played { timing: timing_of(record.game), record, complaint: None });
        }
        Ok(games)
    }

    /// The experiment with its status in the results folder.
    fn stored(&self, layout: &Layout) -> Result<PlannedExperiment, Failure> {
        let (mut planned, first) = (self.planned(None), self.sent.job.first);
        let leftovers = Leftovers::below(&layout.all_records());
        let selection = Selection { is_fresh: self.sent.submission.is_fresh, ..Selection::default() };
        planned.look_up(layout, &selection, &leftovers)?;
        match planned.status.rows() < first {
            true => Err(Failure::check(format!(
                "the first {first} games were stored when the others were submitted, and are gone: restore them, or submit all again"
            ))),
            false => Ok(planned),
        }
    }
}

impl ClusterJob for ClusterExperiment<'_> {
    fn progress(&self, part: u64, attempts: &[Attempt]) -> PartProgress {
        if self.is_complete(part, attempts) {
            return PartProgress { done: self.sent.job.rows_of(part), is_complete: true };
        }
        // Each attempt begins with the games of those before it.
        let title = self.planned.title(None);
        let games = attempts.iter().map(|attempt| {
            let journal = attempt.layout().journal(&self.sent.job.key, Some(self.sent.shard(part)), false);
            Journal::peek(&journal, &title).map_or(0, |games| games.len() as u64)
        });
        PartProgress { done: games.max().unwrap_or(0), is_complete: false }
    }

    fn work(&self, task: &ShardTask<'_>) -> Result<ShardOutcome, Failure> {
        let layout = task.attempt.layout();
        let mut experiments = Vec::new();
        for piece in &task.shard.pieces {
            let JobContext { folder, submission, .. } = self.sent;
            let job = &submission.jobs[piece.job];
            let experiment =
                ClusterExperiment::read(JobContext { folder, submission, place: piece.job, job })?;
            if !experiment.is_complete(piece.part, task.earlier) {
                experiments.push(experiment.resume(piece.part, task)?);
            }
        }
        let leftovers = Leftovers::below(&layout.all_records());
        for planned in &mut experiments {
            planned.look_up(&layout, &Selection::default(), &leftovers)?;
        }
        let options = Options { is_memory_retried: true, ..self.sent.options(task) };
        task.run::<Experiments>(&experiments.iter().collect::<Vec<_>>(), &layout, &options)
    }

    /// Writes the games of all parts into the experiment's journal, as a run would have, and finishes as a
    /// run does.
    fn collect(&self, layout: &Layout, _: &Artefacts) -> Result<CollectedJob, Failure> {
        let (parts, planned) = (self.parts()?, self.stored(layout)?);
        let is_fresh = self.sent.submission.is_fresh;
        let origins = merged_origins(&parts);
        let titles: Vec<Title> = origins.iter().map(|origin| planned.title(Some(origin.clone()))).collect();
        let mut games: Vec<Vec<Played>> = vec![Vec::new(); origins.len()];
        for part in &parts {
            let is_of = |origin: &Provenance| part.origins.iter().any(|own| own.is_same_place(origin));
            let of_part: Vec<usize> = (0..origins.len()).filter(|&place| is_of(&origins[place])).collect();
            // Records name the origins of all games together: each origin of a part gets some of them.
            for (game, &place) in self.games(part)?.into_iter().zip(of_part.iter().cycle()) {
                games[place].push(game);
            }
        }
        let path = layout.journal(&planned.key, None, is_fresh);
        let first = titles.first().cloned().unwrap_or_else(|| planned.title(None));
        let (mut journal, _) = Journal::open(&path, &first)?;
        // Games of one origin stand together, so that each origin is named once.
        for (title, games) in titles.iter().zip(&games) {
            games.iter().try_for_each(|game| journal.append_under(title, game))?;
        }
        let all = || games.iter().flatten();
        let played = all().count() as u64;
        let faults = all().filter(|game| game.record.ending.is_fault()).count() as u64;
        let share = self.planned.experiment.fault_share;
        if exceeds(share, faults, planned.games) {
            return Err(Failure::agent(format!(
                "{} ended by a fault, more than its `fault_share` allows. All games are in the journal of the results: to accept them, \
                 raise `fault_share`, drop the submission with `pipeline cluster cancel`, and have `pipeline run` take them up; or fix \
                 the agent and raise its version",
                counted(faults, "game")
            )));
        }
        let origin = origins.first().cloned().unwrap_or_else(|| Provenance::now(None));
        let finished = finish(&planned, layout, is_fresh, journal, &origin)?;
        let entry = IndexEntry {
            records: planned.key.clone(),
            identity: planned.identity.hash(),
            digest: finished.digest.clone(),
            games: planned.games,
        };
        let keys = planned.also_for.iter().chain([&planned.key]).cloned().collect();
        Ok(CollectedJob {
            rows: planned.games,
            played,
            faults,
            digest: finished.digest,
            same_as_stored: finished.same_as_stored,
            indexed: finished.alarm.is_none().then_some((keys, entry)),
            alarm: finished.alarm,
        })
    }
}

/// The origins of all parts: each place once, with its first date.
fn merged_origins(parts: &[CompletePart]) -> Vec<Provenance> {
    let mut origins: Vec<Provenance> = Vec::new();
    for origin in parts.iter().flat_map(|part| &part.origins) {
        match origins.iter_mut().find(|known| known.is_same_place(origin)) {
            Some(known) if origin.date < known.date => known.date.clone_from(&origin.date),
            Some(_) => {}
            None => origins.push(origin.clone()),
        }
    }
    origins
}
