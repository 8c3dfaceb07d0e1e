//! How a submission stands: what its files say is done, and what the scheduler says of the rest.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::attempt::{Attempt, Cause};
use super::sending::Round;
use super::slurm::{self, Place, Queued};
use super::study::{self, StudyStanding};
use super::submission::{SentExperiment, SentShard, Submission};
use super::workplace::{Workplace, WorkplaceError};
use crate::journal::Journal;
use platform::threads;
use records::store::{RecordsSummary, StoreError};

/// How a submission stands.
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
    /// Every shard.
    pub shards: Vec<ShardStanding>,
    /// Every study.
    pub studies: Vec<StudyStanding>,
    /// The games that are played, of all.
    pub played: u64,
    /// All games.
    pub games: u64,
    /// How many games are played in a second, by all that are under way; none where that is not known yet.
    pub games_per_second: Option<f64>,
    /// How many seconds may be left; none where that is not known.
    pub seconds_left: Option<f64>,
    /// The hours that cores were used, by what the attempts say of themselves.
    pub core_hours: f64,
    /// Whether the scheduler has answered.
    pub is_answered: bool,
}

/// How a shard stands.
#[derive(Clone, Debug, Serialize)]
pub struct ShardStanding {
    /// Its number.
    pub shard: usize,
    /// How it stands.
    pub state: State,
    /// Why it failed, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// What there is to say about that.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub words: String,
    /// The games that are played, of all.
    pub played: u64,
    /// All of its games.
    pub games: u64,
    /// How often it was begun.
    pub attempts: usize,
}

/// How a shard stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// All of its games are played.
    Done,
    /// It is being played.
    Running,
    /// It waits for its turn.
    Waiting,
    /// It has ended before its end.
    Failed,
    /// It was not submitted.
    Unsent,
}

/// What the files say of a shard.
struct Seen {
    played: u64,
    is_done: bool,
    attempts: Vec<Attempt>,
}

/// The records of a part that an attempt has played whole; none where it has not.
///
/// # Errors
/// Where there is a file that cannot be read.
pub fn finished_part(
    attempt: &Attempt,
    sent: &SentExperiment,
    part: u64,
) -> Result<Option<RecordsSummary>, StoreError> {
    let path = attempt.layout().records(&sent.key, Some(sent.shard(part)));
    let found = RecordsSummary::read(&path)?;
    Ok(found
        .filter(|found| found.header.shard == Some(sent.shard(part)) && found.games == sent.games_of(part)))
}

impl Standing {
    /// Looks at everything.
    ///
    /// # Errors
    /// Where the work folder cannot be read.
    pub fn look(workplace: &Workplace, submission: &Submission) -> Result<Self, WorkplaceError> {
        let seen = see(workplace, submission);
        let rounds = Round::all(workplace, &submission.id)?;
        let queue = slurm::queue();
        let is_open = |seen: &Seen| !seen.is_done;
        let causes = match seen.iter().any(is_open) {
            true => slurm::causes(&Round::names(&rounds, &submission.id)),
            false => BTreeMap::new(),
        };
        let shards = seen.iter().enumerate().map(|(number, seen)| {
            let places = Round::places(&rounds, &submission.id, number);
            let games = submission.games_of(&submission.shards[number]);
            judge(number, games, seen, &places, queue.as_ref(), &causes)
        });
        let shards: Vec<ShardStanding> = shards.collect();
        let (played, games) = (shards.iter().map(|one| one.played).sum(), submission.games());
        let rate = rate(&seen);
        let left = seconds_left(submission, &shards, &seen);
        Ok(Self {
            studies: study::standings(workplace, submission, queue.as_ref()),
            played,
            games,
            games_per_second: rate,
            seconds_left: left,
            core_hours: core_hours(&seen),
            is_answered: queue.is_some(),
            shards,
        })
    }

    /// How many shards stand so.
    #[must_use]
    pub fn count(&self, state: State) -> usize {
        self.shards.iter().filter(|shard| shard.state == state).count()
    }

    /// Whether every shard and every study is done.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.states().all(|state| state == State::Done)
    }

    /// How shards and studies stand.
    fn states(&self) -> impl Iterator<Item = State> {
        let studies = self.studies.iter().map(|study| study.state);
        self.shards.iter().map(|shard| shard.state).chain(studies)
    }

    /// Whether something is still to come without being asked for.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        self.states().any(|state| matches!(state, State::Running | State::Waiting))
    }

    /// The shards that nothing will play, unless they are submitted again.
    pub fn stranded(&self) -> impl Iterator<Item = &ShardStanding> {
        self.shards.iter().filter(|shard| matches!(shard.state, State::Failed | State::Unsent))
    }
}

/// What the files say of all shards.
fn see(workplace: &Workplace, submission: &Submission) -> Vec<Seen> {
    let shards: Vec<(usize, &SentShard)> = submission.shards.iter().enumerate().collect();
    threads::map(&shards, |(number, shard)| {
        let attempts = workplace.attempts(*number);
        let counted: Vec<(u64, bool)> = shard
            .pieces
            .iter()
            .map(|piece| {
                let sent = &submission.experiments[piece.experiment];
                let is_finished = |attempt: &Attempt| {
                    finished_part(attempt, sent, piece.part).is_ok_and(|part| part.is_some())
                };
                match attempts.iter().any(is_finished) {
                    true => (sent.games_of(piece.part), true),
                    false => (journalled(workplace, submission, &attempts, sent, piece.part), false),
                }
            })
            .collect();
        let played = counted.iter().map(|(played, _)| played).sum();
        Seen { played, is_done: counted.iter().all(|(_, is_done)| *is_done), attempts }
    })
}

/// How many games of a part are in a journal. Each attempt begins with those of the ones before.
fn journalled(
    workplace: &Workplace,
    submission: &Submission,
    attempts: &[Attempt],
    sent: &SentExperiment,
    part: u64,
) -> u64 {
    let title = sent.planned(Some(part), &submission.plugins[sent.plugin], workplace).title(None);
    let games = attempts.iter().map(|attempt| {
        let journal = attempt.layout().journal(&sent.key, Some(sent.shard(part)), false);
        Journal::peek(&journal, &title).map_or(0, |games| games.len() as u64)
    });
    games.max().unwrap_or(0)
}

/// How a shard stands, by its files first, then by the queue, and where that does not answer by the signs of life.
fn judge(
    number: usize,
    games: u64,
    seen: &Seen,
    places: &[Place],
    queue: Option<&BTreeMap<Place, Queued>>,
    causes: &BTreeMap<Place, Cause>,
) -> ShardStanding {
    let last = seen.attempts.last();
    let ended = last.and_then(Attempt::ended);
    let mut standing = ShardStanding {
        shard: number,
        state: State::Done,
        cause: None,
        words: String::new(),
        played: seen.played,
        games,
        attempts: seen.attempts.len(),
    };
    if seen.is_done {
        return standing;
    }
    let queued = queue.and_then(|queue| places.iter().rev().find_map(|place| queue.get(place)));
    standing.state = match (queued, queue) {
        (Some(Queued::Running), _) => State::Running,
        (Some(Queued::Waiting), _) => State::Waiting,
        (None, _) if places.is_empty() => State::Unsent,
        (None, Some(_)) => State::Failed,
        (None, None) => match (last, &ended) {
            (Some(last), None) if last.seems_alive() => State::Running,
            (None, _) => State::Waiting,
            (_, Some(ended)) if ended.cause == Cause::Requeued => State::Waiting,
            _ => State::Failed,
        },
    };
    if standing.state == State::Failed {
        let told = places.iter().rev().find_map(|place| causes.get(place)).copied();
        let said = ended.as_ref().map(|ended| ended.cause).filter(|&cause| cause != Cause::Requeued);
        // Where nothing is kept of jobs, an element that is cancelled before it begins leaves no trace.
        let vanished = (standing.attempts == 0).then_some(Cause::Cancelled);
        // One that says that it is done, and has left no whole part, has left a damaged one.
        let said = said.map(|cause| if cause == Cause::Done { Cause::Files } else { cause });
        standing.cause = Some(said.or(told).or(vanished).unwrap_or(Cause::Unknown));
        standing.words = ended.map(|ended| ended.words).unwrap_or_default();
    }
    standing
}

/// How many games are played in a second by all that are under way together.
fn rate(seen: &[Seen]) -> Option<f64> {
    let alive = seen.iter().filter(|seen| !seen.is_done).filter_map(|seen| {
        let last = seen.attempts.last().filter(|last| last.seems_alive())?;
        let seconds = last.age().as_secs_f64();
        (seconds > 0.0 && seen.played > 0).then(|| seen.played as f64 / seconds)
    });
    let rate: f64 = alive.sum();
    (rate > 0.0).then_some(rate)
}

/// How long the rest may take: what was expected of it, by how the expectation held for what is done, on as many at once as there are now.
fn seconds_left(submission: &Submission, shards: &[ShardStanding], seen: &[Seen]) -> Option<f64> {
    let expected = |shard: &ShardStanding| submission.shards[shard.shard].seconds as f64;
    let done = || shards.iter().filter(|shard| shard.state == State::Done);
    let (hoped, took): (f64, f64) = done()
        .map(|shard| {
            let took: Duration = seen[shard.shard].attempts.iter().map(Attempt::elapsed).sum();
            (expected(shard), took.as_secs_f64())
        })
        .fold((0.0, 0.0), |(hoped, took), (one, other)| (hoped + one, took + other));
    let slower = if hoped > 0.0 && took > 0.0 { took / hoped } else { 1.0 };
    let running = shards.iter().filter(|shard| shard.state == State::Running).count();
    let left: f64 = shards
        .iter()
        .filter(|shard| shard.state != State::Done)
        .map(|shard| expected(shard) * (1.0 - shard.played as f64 / shard.games.max(1) as f64))
        .sum();
    (running > 0).then(|| left * slower / running as f64)
}

/// The hours that cores were used.
fn core_hours(seen: &[Seen]) -> f64 {
    let attempts = seen.iter().flat_map(|seen| &seen.attempts);
    let seconds = attempts.map(|attempt| {
        attempt.elapsed().as_secs_f64() * f64::from(attempt.begun().map_or(1, |begun| begun.cores))
    });
    // The sum of nothing is -0.
    seconds.fold(0.0, |sum, seconds| sum + seconds) / 3600.0
}

#[cfg(test)]
mod tests {
    use super::super::attempt::{Begun, Ended};
    use super::*;
    use platform::clock::now;
    use platform::confined::ConfinedPath;

    fn begun() -> Begun {
        let (date, host) = (now(), "node".to_owned());
        Begun { date, job: None, host, process: 1, cores: 1, cpu: String::new(), kernel: None }
    }

    fn seen(attempts: Vec<Attempt>, is_done: bool) -> Seen {
        Seen { played: 3, is_done, attempts }
    }

    #[test]
    fn files_come_first_then_the_queue_then_signs_of_life() {
        let folder = tempfile::tempdir().unwrap();
        let attempt =
            |name: &str| Attempt::begin(&ConfinedPath::root(folder.path()), name, &begun()).unwrap();
        let place = [("retile-x-1-0".to_owned(), 4)];
        let queue =
            |queued: Option<Queued>| queued.map(|queued| (place[0].clone(), queued)).into_iter().collect();
        let of = |seen: &Seen, places: &[Place], queue: Option<&BTreeMap<Place, Queued>>| {
            let standing =
                judge(0, 5, seen, places, queue, &BTreeMap::from([(place[0].clone(), Cause::Time)]));
            (standing.state, standing.cause)
        };
        let (running, empty) = (queue(Some(Queued::Running)), queue(None));
        let open = seen(vec![attempt("a")], false);
        assert_eq!(of(&seen(vec![attempt("b")], true), &place, Some(&running)), (State::Done, None));
        assert_eq!(of(&open, &place, Some(&running)), (State::Running, None));
        assert_eq!(of(&open, &place, Some(&queue(Some(Queued::Waiting)))), (State::Waiting, None));
        assert_eq!(
            of(&open, &place, Some(&empty)),
            (State::Failed, Some(Cause::Time)),
            "the queue knows best"
        );
        assert_eq!(of(&open, &place, None), (State::Running, None), "it was alive just now");
        assert_eq!(of(&seen(Vec::new(), false), &place, None), (State::Waiting, None));
        assert_eq!(of(&open, &[], Some(&empty)), (State::Unsent, None));
        let never = seen(Vec::new(), false);
        let standing = judge(0, 5, &never, &place, Some(&empty), &BTreeMap::new());
        assert_eq!(
            (standing.state, standing.cause),
            (State::Failed, Some(Cause::Cancelled)),
            "it has left no trace"
        );
        let ended = |cause: Cause| Ended { date: now(), cause, words: "w".to_owned(), played: 3 };
        let gone = attempt("c");
        gone.end(&ended(Cause::Memory)).unwrap();
        let gone = seen(vec![gone], false);
        assert_eq!(of(&gone, &place, Some(&empty)), (State::Failed, Some(Cause::Memory)));
        assert_eq!(of(&gone, &place, None), (State::Failed, Some(Cause::Memory)));
        let back = attempt("d");
        back.end(&ended(Cause::Requeued)).unwrap();
        let back = seen(vec![back], false);
        assert_eq!(of(&back, &place, None), (State::Waiting, None));
        assert_eq!(of(&back, &place, Some(&empty)), (State::Failed, Some(Cause::Time)));
    }
}
