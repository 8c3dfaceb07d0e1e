//! A contest: two agents play the same seeds until a sequential test decides between them.
//!
//! Pairs of games are heard in the order of their numbers, whatever order they end in, so that neither the number of threads nor
//! their luck moves the end.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use engine::Rules;
use engine::agent::Budget;
use serde::Serialize;
use serde_json::{Map, Value};

use manifest::DEFAULT_MOVE_LIMIT_MS;
use stats::{Decision, Sprt, Tally};
use surroundings::plain;
use workers::worker::protocol::Assignment;
use workers::worker::{GameEvent, Launcher, NoWorker, Worker, WorkerError};

/// One of the two agents, with all that determines what it plays.
#[derive(Clone, Debug, Serialize)]
pub struct Contestant {
    /// The plugin's file.
    pub plugin: PathBuf,
    /// The agent's id.
    pub agent: String,
    /// All of its parameters.
    pub params: Map<String, Value>,
    /// What it may use for a move.
    pub budget: Budget,
}

/// What is played, and how long.
pub struct Contest<'a> {
    /// The first agent and the second.
    pub contestants: &'a [Contestant; 2],
    /// The rules of the games.
    pub rules: &'a Rules,
    /// The master seed.
    pub seed: u64,
    /// The test.
    pub sprt: Sprt,
    /// The most pairs of games.
    pub limit: u64,
    /// How many pairs are played at once.
    pub jobs: usize,
    /// How to start workers.
    pub launcher: &'a Launcher,
    /// Told after every pair, in order.
    pub on_pair: &'a (dyn Fn(Standing) + Sync),
}

/// How the contest stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The pairs so far, from the second agent's view.
    pub tally: Tally,
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// What they decide, if they do.
    pub decision: Option<Decision>,
}

/// How the contest ended.
#[derive(Clone, Debug)]
pub struct ContestResult {
    /// How it stood at its end.
    pub standing: Standing,
    /// The scores of both in every pair up to there.
    pub scores: Vec<[u32; 2]>,
}

/// Why a contest has no end.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ContestError {
    #[error(transparent)]
    Worker(#[from] NoWorker),
    #[error("{}: agent `{agent}`: {source}", plugin.display())]
    Agent { plugin: PathBuf, agent: String, source: WorkerError },
    #[error("{}: agent `{agent}`: game {game}: {reason}", plugin.display())]
    Fault { plugin: PathBuf, agent: String, game: u64, reason: String },
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl Contest<'_> {
    /// Plays until the test decides, or the limit is reached.
    ///
    /// # Errors
    /// Where an agent cannot be made, or faults in a game that counts.
    pub fn play(&self) -> Result<ContestResult, ContestError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs).build()?;
        let (next, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
        let referee = Mutex::new(Referee::default());
        pool.broadcast(|_| {
            let mut workers = None;
            while !is_over.load(Ordering::Relaxed) {
                let game = next.fetch_add(1, Ordering::Relaxed);
                if game >= self.limit {
                    break;
                }
                let pair = self.play_pair(&mut workers, game);
                let has_failed = pair.is_err();
                let mut referee = referee.lock().unwrap_or_else(PoisonError::into_inner);
                if referee.hear(game, pair, self) {
                    is_over.store(true, Ordering::Relaxed);
                }
                drop(referee);
                if has_failed {
                    break;
                }
            }
        });
        let referee = referee.into_inner().unwrap_or_else(PoisonError::into_inner);
        match referee.failure {
            Some(error) => Err(error),
            None => Ok(ContestResult { standing: self.standing(referee.tally), scores: referee.scores }),
        }
    }

    fn standing(&self, tally: Tally) -> Standing {
        Standing { tally, llr: self.sprt.llr(tally), decision: self.sprt.decide(tally) }
    }

    /// A worker for each of the two.
    fn workers(&self) -> Result<[Worker; 2], ContestError> {
        let [first, second] = self.contestants;
        Ok([self.worker(first)?, self.worker(second)?])
    }

    fn worker(&self, contestant: &Contestant) -> Result<Worker, ContestError> {
        let mut worker = self.launcher.start()?;
        let Contestant { plugin, agent, params, budget } = contestant;
        let made = worker.open(plugin).and_then(|_| worker.create(agent, self.rules, params, *budget));
        made.map_err(|source| ContestError::Agent { plugin: plugin.clone(), agent: agent.clone(), source })?;
        Ok(worker)
    }

    /// Plays a game with each, by workers that are started with the first one.
    fn play_pair(&self, workers: &mut Option<[Worker; 2]>, game: u64) -> Result<[u32; 2], ContestError> {
        let [first, second] = match workers {
            Some(workers) => workers,
            None => workers.insert(self.workers()?),
        };
        let [one, other] = self.contestants;
        Ok([self.play_game(first, one, game)?, self.play_game(second, other, game)?])
    }

    /// The score of one game, replayed before it is believed.
    fn play_game(
        &self,
        worker: &mut Worker,
        contestant: &Contestant,
        game: u64,
    ) -> Result<u32, ContestError> {
        let Contestant { plugin, agent, .. } = contestant;
        let fault = |reason: String| ContestError::Fault {
            plugin: plugin.clone(),
            agent: agent.clone(),
            game,
            reason,
        };
        let assignment = Assignment {
            master_seed: self.seed,
            games: vec![game],
            is_careful: false,
            move_limit: None,
            spool: None,
        };
        let mut played = None;
        let limit = Duration::from_millis(DEFAULT_MOVE_LIMIT_MS);
        worker
            .play(&assignment, limit, None, |event| {
                if let GameEvent::Played(game) = event {
                    played = Some(game);
                }
            })
            .map_err(|error| fault(error.to_string()))?;
        let played = played.ok_or_else(|| fault("the worker played a different game".to_owned()))?;
        let record = &played.record;
        if record.ending.is_fault() {
            let complaint = played.complaint.as_deref().map(plain::line).unwrap_or_default();
            return Err(fault(format!("ended by {}: {complaint}", record.ending)));
        }
        record.replay(self.rules, self.seed).map_err(|error| fault(error.to_string()))?;
        if record.game == game {
            Ok(record.score)
        } else {
            Err(fault("the worker played a different game".to_owned()))
        }
    }
}

/// Hears pairs in the order of their numbers.
#[derive(Default)]
struct Referee {
    tally: Tally,
    scores: Vec<[u32; 2]>,
    /// Pairs that ended before an earlier one.
    waiting: BTreeMap<u64, Result<[u32; 2], ContestError>>,
    failure: Option<ContestError>,
    is_over: bool,
}

impl Referee {
    /// Hears of a pair, and says whether the contest is over.
    fn hear(&mut self, game: u64, pair: Result<[u32; 2], ContestError>, contest: &Contest<'_>) -> bool {
        self.waiting.insert(game, pair);
        while !self.is_over {
            let Some(pair) = self.waiting.remove(&(self.scores.len() as u64)) else { break };
            match pair {
                Ok(scores) => {
                    self.tally.count(scores[0], scores[1]);
                    self.scores.push(scores);
                    let standing = contest.standing(self.tally);
                    (contest.on_pair)(standing);
                    self.is_over = standing.decision.is_some();
                }
                Err(error) => {
                    self.failure = Some(error);
                    self.is_over = true;
                }
            }
        }
        self.is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workers::worker::Limits;

    /// What the referee makes of pairs that end in this order: how each left the contest, the tallies that were told, and itself.
    fn hear(pairs: Vec<(u64, Result<[u32; 2], ContestError>)>) -> (Vec<bool>, Vec<Tally>, Referee) {
        let contestant = || Contestant {
            plugin: "libx.so".into(),
            agent: "x".to_owned(),
            params: Map::new(),
            budget: Budget::None,
        };
        let told = Mutex::new(Vec::new());
        let contest = Contest {
            contestants: &[contestant(), contestant()],
            rules: &Rules::default(),
            seed: 1,
            sprt: Sprt::new(0.0, 100.0, 0.05, 0.05).unwrap(),
            limit: 100,
            jobs: 1,
            launcher: &Launcher { program: "/no such program".into(), limits: Limits::default() },
            on_pair: &|standing| told.lock().unwrap().push(standing.tally),
        };
        let mut referee = Referee::default();
        let is_over = pairs.into_iter().map(|(game, pair)| referee.hear(game, pair, &contest)).collect();
        (is_over, told.into_inner().unwrap(), referee)
    }

    fn fault(game: u64) -> Result<[u32; 2], ContestError> {
        let reason = "crashed".to_owned();
        Err(ContestError::Fault { plugin: "libx.so".into(), agent: "x".to_owned(), game, reason })
    }

    #[test]
    fn pairs_are_heard_in_the_order_of_their_numbers() {
        let (win, loss, tie) = ([1, 2], [2, 1], [3, 3]);
        let (is_over, told, referee) =
            hear(vec![(2, Ok(tie)), (1, Ok(loss)), (0, Ok(win)), (4, Ok(win)), (3, Ok(win))]);
        assert_eq!(is_over, [false; 5]);
        assert_eq!(referee.scores, [win, loss, tie, win, win]);
        let told: Vec<_> = told.iter().map(|tally| (tally.wins, tally.losses, tally.ties)).collect();
        assert_eq!(told, [(1, 0, 0), (1, 1, 0), (1, 1, 1), (2, 1, 1), (3, 1, 1)]);
    }

    #[test]
    fn a_fault_counts_where_the_contest_comes_to_its_game() {
        let (is_over, told, referee) = hear(vec![(1, fault(1)), (0, Ok([1, 2])), (2, Ok([1, 2]))]);
        assert_eq!((is_over, told.len()), (vec![false, true, true], 1));
        assert!(matches!(referee.failure, Some(ContestError::Fault { game: 1, .. })));
    }

    #[test]
    fn what_ends_after_the_decision_changes_nothing() {
        let mut pairs: Vec<_> = (0..60).map(|game| (game, Ok([1, 2]))).collect();
        pairs.insert(0, (60, fault(60)));
        let (is_over, told, referee) = hear(pairs);
        let decided = is_over.iter().position(|&is_over| is_over).unwrap();
        assert!(decided < 60 && is_over[decided..].iter().all(|&is_over| is_over), "{is_over:?}");
        assert_eq!((told.len(), referee.scores.len()), (decided, decided), "the fault was heard first");
        assert!(referee.failure.is_none());
    }
}
