//! One thread of a run: takes games from the queue, and has its worker play them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use engine::{Direction, Ending, Game, Placement};

use super::queue::{Piece, Queue};
use super::task::Task;
use super::{Options, Progress, RunError};
use crate::plan::Planned;
use records::record::{Course, GameRecord, GameTiming, Seeds};
use workers::worker::protocol::{Assignment, Played};
use workers::worker::{Fault, GameEvent, Spool, Worker, WorkerError};

/// How long a piece of games should take: long enough that handing out costs nothing, short enough to stop soon.
const PIECE_TIME: Duration = Duration::from_millis(500);

/// From how long games on they go to a spool. Those that follow each other faster find the run awake.
const SPOOL_FROM: Duration = Duration::from_micros(500);

/// How often a worker that fails before its first game is replaced.
const TRIES: u32 = 2;

/// One thread of a run.
pub(super) struct Player<'a> {
    /// The thread's number.
    number: usize,
    tasks: &'a [Task<'a>],
    queue: &'a Queue,
    options: &'a Options<'a>,
    broken: &'a AtomicBool,
    progress: &'a Progress,
    worker: Option<Hired>,
    /// How many games a piece should have, by the last one's speed.
    piece_size: usize,
    /// How long a game of the last piece took.
    game_time: Duration,
}

/// A worker at hand.
struct Hired {
    /// The task that its agent is for.
    task: usize,
    worker: Worker,
    /// Where it writes its games down, if they are slow.
    spool: Option<Spool>,
}

/// What became of the games that a worker was given. Where a fault ended it, the worker is gone.
#[derive(Default)]
struct Delivered {
    /// How many were played to their end and believed.
    played: usize,
    /// How the worker went down on the next one, or that it told something else than the replay.
    fault: Option<Fault>,
}

impl<'a> Player<'a> {
    pub(super) fn new(
        number: usize,
        tasks: &'a [Task<'a>],
        queue: &'a Queue,
        options: &'a Options<'a>,
        broken: &'a AtomicBool,
        progress: &'a Progress,
    ) -> Self {
        Self {
            number,
            tasks,
            queue,
            options,
            broken,
            progress,
            worker: None,
            piece_size: 1,
            game_time: Duration::ZERO,
        }
    }

    /// Plays until the queue is empty, the run is stopped, or another thread has broken off.
    pub(super) fn play(mut self) -> Result<(), RunError> {
        while !self.options.stop.load(Ordering::Relaxed) && !self.broken.load(Ordering::Relaxed) {
            let Some(piece) = self.queue.next(self.piece_size, self.tasks) else { break };
            self.play_piece(piece)?;
            self.progress.tick();
        }
        Ok(())
    }

    fn play_piece(&mut self, piece: Piece) -> Result<(), RunError> {
        let task = &self.tasks[piece.task];
        let mut games = piece.games;
        let begun = Instant::now();
        let count = games.len();
        while !games.is_empty() && !task.is_given_up() {
            let outcome = self.play_games(piece.task, &games)?;
            games.drain(..outcome.played);
            if !games.is_empty() && outcome.fault.is_none() && self.options.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            if let (Some(fault), Some(&game)) = (outcome.fault, games.first()) {
                // Whoever stops the run may have killed the worker: the game is left for the next one.
                if self.options.stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                self.play_carefully(piece.task, game, &fault)?;
                games.remove(0);
            }
        }
        self.game_time = begun.elapsed() / u32::try_from(count).unwrap_or(1);
        let fitting = PIECE_TIME.as_nanos() / self.game_time.as_nanos().max(1);
        self.piece_size = usize::try_from(fitting).unwrap_or(1).clamp(1, 2 * self.piece_size);
        task.finish_if_whole()
    }

    /// Has the worker play games one after the other; each is checked by a replay before it is written down.
    fn play_games(&mut self, number: usize, games: &[u64]) -> Result<Delivered, RunError> {
        let task = &self.tasks[number];
        let (thread, is_slow, stop) = (self.number, self.game_time >= SPOOL_FROM, self.options.stop);
        let Some(Hired { worker, spool, .. }) = self.worker_for(number)? else {
            return Ok(Delivered::default());
        };
        if is_slow && spool.is_none() {
            *spool = task.spool(thread);
        }
        let mut delivery =
            Delivery { task, games, stop, played: 0, is_cut_off: false, disbelieved: None, kept: Ok(()) };
        let assignment = task.assignment(games.to_vec(), spool.as_ref());
        let ended = worker.play(&assignment, task.move_limit(), spool.as_mut(), |event| {
            if let GameEvent::Played(game) = event {
                delivery.take(&game);
            }
        });
        if let Some(spool) = spool {
            if delivery.kept.is_ok() { spool.clear() } else { spool.keep() }
        }
        let lied = delivery.lie(ended.is_ok());
        let Delivery { played, kept, .. } = delivery;
        kept?;
        let is_over = ended.is_err() || lied.is_some();
        let fault = match ended {
            Ok(()) => lied,
            Err(WorkerError::Faulted(fault)) => Some(lied.unwrap_or(fault)),
            // It lives, and could not make its agent again after a game's fault: perhaps another worker can.
            Err(_) if played > 0 => lied,
            Err(error) => {
                task.give_up(&error);
                None
            }
        };
        if is_over {
            self.worker = None;
        }
        Ok(Delivered { played, fault })
    }

    /// Plays a game again after a fault, with every move reported, so that its exact prefix is known.
    fn play_carefully(&mut self, number: usize, game: u64, first: &Fault) -> Result<(), RunError> {
        let task = &self.tasks[number];
        let Some(Hired { worker, .. }) = self.worker_for(number)? else { return Ok(()) };
        let mut prefix = Prefix::new(task.planned, game);
        let mut whole = None;
        let assignment = Assignment { is_careful: true, ..task.assignment(vec![game], None) };
        let ended = worker.play(&assignment, task.move_limit(), None, |event| match event {
            GameEvent::Moved { direction, tile, nodes } => prefix.extend(direction, tile, nodes),
            GameEvent::Played(played) => whole = Some(played),
        });
        if ended.is_err() {
            self.worker = None;
        }
        let second = match ended {
            Err(WorkerError::Faulted(fault)) => Some(fault),
            _ => None,
        };
        match (whole.filter(|played| task.believes(played)), second) {
            (Some(played), None) => {
                task.alarm(format!(
                    "game {game} ended by {} ({first}), and when played again did not; the second game is kept",
                    first.ending
                ));
                task.keep(&played)
            }
            (_, second) => {
                let last = second.unwrap_or_else(|| first.clone());
                if last.ending != first.ending {
                    let (once, then) = (first.ending, last.ending);
                    task.alarm(format!("game {game} ended by {once}, and when played again by {then}"));
                }
                if last.ending == Ending::ResourceLimit && self.options.is_memory_retried {
                    task.run_out_of_memory(game, &last);
                    return Ok(());
                }
                task.keep(&prefix.end(&last))
            }
        }
    }

    /// A worker with this task's agent: the one at hand, or a new one; none where the task is given up.
    fn worker_for(&mut self, number: usize) -> Result<Option<&mut Hired>, RunError> {
        if self.worker.as_ref().is_none_or(|hired| hired.task != number) {
            let task = &self.tasks[number];
            let worker = match self.rehired(task) {
                Some(worker) => Some(worker),
                None => self.start_worker(task)?,
            };
            self.worker = worker.map(|worker| Hired { task: number, worker, spool: None });
            self.piece_size = 1;
        }
        Ok(self.worker.as_mut())
    }

    /// The worker at hand with this task's agent, where that is in the plugin that it has open: to start a process takes longer than
    /// a short experiment.
    fn rehired(&mut self, task: &Task<'_>) -> Option<Worker> {
        let Planned { plugin, experiment, params, files, .. } = task.planned;
        let hired = self.worker.take()?;
        let is_open = self.tasks[hired.task].planned.plugin.file == plugin.file;
        let mut worker = hired.worker;
        let made = is_open.then(|| {
            worker.create(&experiment.agent, &experiment.rules, params, experiment.budget, files).is_ok()
        });
        (made == Some(true)).then_some(worker)
    }

    /// Starts a worker. The agent was made before, so that a failure is worth another try; after the last one the task is given
    /// up, and there is no worker.
    fn start_worker(&self, task: &Task<'_>) -> Result<Option<Worker>, RunError> {
        let mut tries = 1..=TRIES;
        while !task.is_given_up() {
            let mut worker = self.options.launcher.start()?;
            match set_up(&mut worker, task.planned) {
                Ok(()) => return Ok(Some(worker)),
                Err(_) if tries.next().is_some() => {}
                Err(error) => task.give_up(&error),
            }
        }
        Ok(None)
    }
}

/// Opens the plugin and makes the agent.
pub(super) fn set_up(worker: &mut Worker, planned: &Planned) -> Result<(), WorkerError> {
    let Planned { plugin, experiment, params, files, .. } = planned;
    worker.open(&plugin.file)?;
    worker.create(&experiment.agent, &experiment.rules, params, experiment.budget, files)
}

/// The games of a worker, as it hands them in.
struct Delivery<'a> {
    task: &'a Task<'a>,
    /// Those that it was given.
    games: &'a [u64],
    /// Set where the run is to stop.
    stop: &'a AtomicBool,
    /// How many of them were played to their end and believed.
    played: usize,
    /// Whether whoever stops the run has ended a game by a fault: it is left for the next run.
    is_cut_off: bool,
    /// The first that was not believed.
    disbelieved: Option<u64>,
    /// Whether all that were believed could be written down.
    kept: Result<(), RunError>,
}

impl Delivery<'_> {
    /// Checks a game by a replay, and writes it down. After one that fails, none is taken.
    fn take(&mut self, game: &Played) {
        if self.kept.is_err() || self.disbelieved.is_some() || self.is_cut_off {
            return;
        }
        self.is_cut_off = game.record.ending.is_fault() && self.stop.load(Ordering::Relaxed);
        if self.is_cut_off {
            return;
        }
        if Some(&game.record.game) == self.games.get(self.played) && self.task.believes(game) {
            self.kept = self.task.keep(game);
            self.played += 1;
        } else {
            self.disbelieved = Some(game.record.game);
        }
    }

    /// What the worker told that is not so: of a game, or that it has played them all.
    fn lie(&self, says_all: bool) -> Option<Fault> {
        let reason = match self.disbelieved {
            Some(game) => format!("the worker's record of game {game} does not follow from what was played"),
            None if says_all && self.played < self.games.len() && !self.is_cut_off => {
                "the worker did not hand over a game".to_owned()
            }
            None => return None,
        };
        Some(Fault { ending: Ending::AgentCrash, reason })
    }
}

/// A game that a fault cut short, rebuilt here from the moves that were reported.
pub(super) struct Prefix {
    seeds: Seeds,
    game: Game,
    course: Course,
    /// Whether every reported move was legal so far.
    is_believed: bool,
    begun: Instant,
}

impl Prefix {
    pub(super) fn new(planned: &Planned, number: u64) -> Self {
        let experiment = &planned.experiment;
        let seeds = Seeds::derive(experiment.seed, number);
        let game = Game::new(&experiment.rules, seeds.tiles);
        let course = Course::new(&experiment.rules);
        Self { seeds, game, course, is_believed: true, begun: Instant::now() }
    }

    /// Adds a reported move. What is no legal move is not believed, and ends the prefix.
    pub(super) fn extend(&mut self, letter: char, tile: Option<Placement>, nodes: u64) {
        let played = Direction::from_letter(letter).filter(|_| self.is_believed).filter(|&direction| {
            let placed = self.game.play_with(direction, |_| tile.ok_or("no tile is reported"));
            placed.is_ok_and(|placed| placed == tile)
        });
        match played {
            Some(direction) => self.course.push(direction, tile, nodes),
            None => self.is_believed = false,
        }
    }

    pub(super) fn end(self, fault: &Fault) -> Played {
        let record = GameRecord::of(&self.game, self.seeds, self.course, fault.ending);
        // How long the thread computed died with it.
        let wall_ns = u64::try_from(self.begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let timing = GameTiming { game: record.game, cpu_ns: 0, wall_ns };
        Played { record, timing, complaint: Some(fault.reason.clone()) }
    }
}
