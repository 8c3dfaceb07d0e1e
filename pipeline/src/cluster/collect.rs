//! Collecting: the parts of an experiment, each played whole by some attempt, become the records that one machine would have written.

use jobs::identity::Canonical as _;
use std::collections::BTreeMap;

use super::attempt::Attempt;
use super::standing::finished_part;
use super::submission::{SentExperiment, SentShard, Submission};
use super::workplace::Workplace;
use crate::journal::{Journal, JournalError, Leftovers, Title};
use crate::plan::{PlanError, Planned, Selection};
use crate::run::{RunError, Target, finish};
use jobs::Key;
use platform::confined::ConfinedPath;
use records::index::IndexEntry;
use records::layout::Layout;
use records::provenance::Provenance;
use records::record::GameTiming;
use records::replay::ReplayError;
use records::store::{RecordsReader, RecordsSummary, StoreError, read_timing};
use text::counted;
use workers::worker::protocol::Played;

/// Why an experiment is not put together. Its parts stay as they are.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum CollectError {
    #[error("{} not played: `pipeline cluster status` says more", which(*missing, *of))]
    Gap { missing: u64, of: u64 },
    #[error("{}: it holds games of another identity than the submission's", file.display())]
    OtherIdentity { file: ConfinedPath },
    #[error("{}: another {what} has played it than was sent: its SHA-256 is {found}, not {expected}", file.display())]
    OtherPlayer { file: ConfinedPath, what: &'static str, found: String, expected: String },
    #[error(
        "{} and {}: two attempts at the same games have come to different ones: the agent does not repeat itself, or a node is broken; \
         play a game again to see which is right, and remove the folder of the other attempt",
        one.display(),
        other.display()
    )]
    Conflict { one: ConfinedPath, other: ConfinedPath },
    #[error("{}: it times game {game}, which belongs to another part; remove the file, and the games of this part count as untimed", file.display())]
    OtherTiming { file: ConfinedPath, game: u64 },
    #[error("{}: it holds game {game} twice, or a game of another part", file.display())]
    Overlap { file: ConfinedPath, game: u64 },
    #[error("{}: {problem}; remove the folder of this attempt, and submit again to play its games", file.display())]
    Replay { file: ConfinedPath, problem: ReplayError },
    #[error(
        "the first {first} games were stored when the others were submitted, and are gone: restore them, or submit all again"
    )]
    StoredGone { first: u64 },
    #[error(
        "{} ended by a fault, more than its `fault_share` allows. All games are in the journal of the results: to accept them, raise \
         `fault_share`, drop the submission with `pipeline cluster cancel`, and have `pipeline run` take them up; or fix the agent and raise its \
         version",
        counted(*faults, "game")
    )]
    Faults { faults: u64 },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Which parts are missing, in words that `not played` can follow.
fn which(missing: u64, of: u64) -> String {
    match (missing, of) {
        (1, 1) => "its only part is".to_owned(),
        (1, of) => format!("1 of its {of} parts is"),
        (missing, of) if missing == of => format!("all of its {of} parts are"),
        (missing, of) => format!("{missing} of its {of} parts are"),
    }
}

/// An experiment that was put together.
#[derive(Clone, Debug)]
pub struct Collected {
    /// All of its names.
    pub keys: Vec<Key>,
    /// What an index is to say of it.
    pub entry: IndexEntry,
    /// How many games came from the cluster.
    pub played: u64,
    /// How many of them ended by a fault.
    pub faults: u64,
    /// Whether games that were played again are as they were stored; none where there was nothing to compare.
    pub same_as_stored: Option<bool>,
    /// What should never be: records that differ under one identity.
    pub alarm: Option<String>,
}

/// A part that an attempt has played whole.
struct Part {
    attempt: Attempt,
    file: ConfinedPath,
    number: u64,
    digest: String,
    /// Where its games come from: several where it took more than one attempt.
    origins: Vec<Provenance>,
}

/// The shard that each part of each experiment is in.
fn shards_of(submission: &Submission) -> BTreeMap<(usize, u64), usize> {
    let pieces = |(number, shard): (usize, &SentShard)| {
        shard.pieces.iter().map(move |piece| ((piece.experiment, piece.part), number)).collect::<Vec<_>>()
    };
    submission.shards.iter().enumerate().flat_map(pieces).collect()
}

/// Puts every experiment together that is whole, and says of each other one why it is not.
pub fn collect(
    workplace: &Workplace,
    submission: &Submission,
    layout: &Layout,
    mut on_done: impl FnMut(&Key),
) -> Vec<(Key, Result<Collected, CollectError>)> {
    let shards = shards_of(submission);
    let mut all = Vec::new();
    for (place, sent) in submission.experiments.iter().enumerate() {
        let shard_of = |part: u64| shards.get(&(place, part)).copied();
        let collected = parts(workplace, submission, sent, shard_of)
            .and_then(|parts| put_together(workplace, submission, sent, &parts, layout));
        on_done(&sent.key);
        all.push((sent.key.clone(), collected));
    }
    all
}

/// The parts of an experiment, one attempt at each.
fn parts(
    workplace: &Workplace,
    submission: &Submission,
    sent: &SentExperiment,
    shard_of: impl Fn(u64) -> Option<usize>,
) -> Result<Vec<Part>, CollectError> {
    let mut parts = Vec::new();
    for number in (1..=sent.parts).filter(|&number| sent.games_of(number) > 0) {
        let attempts = shard_of(number).map(|shard| workplace.attempts(shard)).unwrap_or_default();
        let mut found: Option<Part> = None;
        let mut damaged = None;
        for attempt in attempts {
            let summary = match finished_part(&attempt, sent, number) {
                Ok(Some(summary)) => summary,
                Ok(None) => continue,
                // Another attempt may have it whole.
                Err(error) => {
                    damaged = Some(error);
                    continue;
                }
            };
            let part = Part::checked(attempt, sent, number, summary, submission)?;
            match &found {
                // Games without a signature do not repeat.
                Some(first) if first.digest != part.digest && sent.identity.signature.is_some() => {
                    return Err(CollectError::Conflict { one: first.file.clone(), other: part.file });
                }
                Some(_) => {}
                None => found = Some(part),
            }
        }
        if let (None, Some(error)) = (&found, damaged) {
            return Err(error.into());
        }
        parts.extend(found);
    }
    let of = (1..=sent.parts).filter(|&number| sent.games_of(number) > 0).count() as u64;
    match of - parts.len() as u64 {
        0 => Ok(parts),
        missing => Err(CollectError::Gap { missing, of }),
    }
}

impl Part {
    /// A part that is of the submission's identity, and that the program and the plugin have played which were sent.
    fn checked(
        attempt: Attempt,
        sent: &SentExperiment,
        number: u64,
        summary: RecordsSummary,
        submission: &Submission,
    ) -> Result<Self, CollectError> {
        let file = attempt.layout().records(&sent.key, Some(sent.shard(number)));
        let RecordsSummary { header, digest, .. } = summary;
        if !header.differences(&sent.identity, sent.second_signature.as_deref()).is_empty() {
            return Err(CollectError::OtherIdentity { file });
        }
        let plugin = &submission.plugins[sent.plugin].sha256;
        for origin in &header.provenance {
            let program = origin.program_sha256.clone().unwrap_or_default();
            let players = [
                ("plugin", &origin.plugin_sha256, plugin),
                ("program", &program, &submission.program_sha256),
            ];
            if let Some((what, found, expected)) = players.into_iter().find(|(_, found, sent)| found != sent)
            {
                let (found, expected) = (found.clone(), expected.clone());
                return Err(CollectError::OtherPlayer { file, what, found, expected });
            }
        }
        if header.provenance.is_empty() {
            return Err(CollectError::OtherIdentity { file });
        }
        Ok(Self { attempt, file, number, digest, origins: header.provenance })
    }

    /// Whether games of it come from this place.
    fn is_of(&self, place: &Provenance) -> bool {
        self.origins.iter().any(|origin| origin.is_same_place(place))
    }

    /// Its games with what they cost.
    fn games(&self, sent: &SentExperiment) -> Result<Vec<Played>, CollectError> {
        let shard = sent.shard(self.number);
        let is_ours = |game: u64| shard.contains(game) && (sent.first..sent.games).contains(&game);
        let timing = self.attempt.layout().timing(&sent.key, Some(shard));
        let timings = read_timing(&timing)?;
        if let Some(other) = timings.iter().find(|timing| !is_ours(timing.game)) {
            return Err(CollectError::OtherTiming { file: timing, game: other.game });
        }
        let timing_of = |game: u64| {
            let place = timings.binary_search_by_key(&game, |timing| timing.game);
            place.map_or(GameTiming { game, cpu_ns: 0, wall_ns: 0 }, |place| timings[place])
        };
        let other_identity = |_| CollectError::OtherIdentity { file: self.file.clone() };
        let master_seed = sent.identity.master_seed().map_err(other_identity)?;
        let mut games: Vec<Played> = Vec::new();
        for record in RecordsReader::open(&self.file)?.games() {
            let record = record?;
            let is_next = games.last().is_none_or(|last| last.record.game < record.game);
            if !is_next || !is_ours(record.game) {
                return Err(CollectError::Overlap { file: self.file.clone(), game: record.game });
            }
            record
                .replay(&sent.identity.rules, master_seed)
                .map_err(|problem| CollectError::Replay { file: self.file.clone(), problem })?;
            games.push(Played { timing: timing_of(record.game), record, complaint: None });
        }
        Ok(games)
    }
}

/// Writes the games of all parts into the experiment's journal, as a run would have, and has it end as a run does.
fn put_together(
    workplace: &Workplace,
    submission: &Submission,
    sent: &SentExperiment,
    parts: &[Part],
    layout: &Layout,
) -> Result<Collected, CollectError> {
    let planned = look_up(workplace, submission, sent, layout)?;
    let places = places(parts);
    let titles: Vec<Title> = places.iter().map(|place| planned.title(Some(place.clone()))).collect();
    let mut games: Vec<Vec<Played>> = vec![Vec::new(); places.len()];
    for part in parts {
        let of_part: Vec<usize> = (0..places.len()).filter(|&place| part.is_of(&places[place])).collect();
        // Records say of all games together where they come from: each place of a part gets some of them.
        for (game, &place) in part.games(sent)?.into_iter().zip(of_part.iter().cycle()) {
            games[place].push(game);
        }
    }
    let path = layout.journal(&planned.key, None, submission.is_fresh);
    let first = titles.first().cloned().unwrap_or_else(|| planned.title(None));
    let (mut journal, _) = Journal::open(&path, &first)?;
    let (mut played, mut faults) = (0, 0);
    // Those of one place stand together, so that each place is named once.
    for (title, games) in titles.iter().zip(&games) {
        for game in games {
            (played, faults) = (played + 1, faults + u64::from(game.record.ending.is_fault()));
            journal.append_under(title, game)?;
        }
    }
    let share = sent.experiment.fault_share;
    if u128::from(faults) * u128::from(share.denominator())
        > u128::from(sent.games) * u128::from(share.numerator())
    {
        return Err(CollectError::Faults { faults });
    }
    let target = Target { planned: &planned, layout, is_fresh: submission.is_fresh };
    let origin = places.first().cloned().unwrap_or_else(|| Provenance::now(None));
    let finished = finish(&target, journal, &origin)?;
    let keys = planned.also_for.iter().chain([&planned.key]).cloned().collect();
    let entry = IndexEntry {
        records: planned.key.clone(),
        identity: planned.identity.hash(),
        digest: finished.digest,
        games: sent.games,
    };
    let (same_as_stored, alarm) = (finished.same_as_stored, finished.alarm);
    Ok(Collected { keys, entry, played, faults, same_as_stored, alarm })
}

/// The experiment as it stands in the results folder.
fn look_up(
    workplace: &Workplace,
    submission: &Submission,
    sent: &SentExperiment,
    layout: &Layout,
) -> Result<Planned, CollectError> {
    let mut planned = sent.planned(None, &submission.plugins[sent.plugin], workplace);
    let leftovers = Leftovers::below(&layout.all_records());
    let selection = Selection { is_fresh: submission.is_fresh, ..Selection::default() };
    planned.look_up(layout, &selection, &leftovers)?;
    let stored = planned.status.rows();
    match stored < sent.first {
        true => Err(CollectError::StoredGone { first: sent.first }),
        false => Ok(planned),
    }
}

/// The places that parts come from: each once, with its first date.
fn places(parts: &[Part]) -> Vec<Provenance> {
    let mut places: Vec<Provenance> = Vec::new();
    for origin in parts.iter().flat_map(|part| &part.origins) {
        match places.iter_mut().find(|place| place.is_same_place(origin)) {
            Some(place) if origin.date < place.date => place.date.clone_from(&origin.date),
            Some(_) => {}
            None => places.push(origin.clone()),
        }
    }
    places
}
