//! The search as released: a bandit over the legal moves.
//!
//! The released program looks for the child of a chance node by the board *before* the spawn, never finds one
//! and makes a new leaf each time, so no tree grows below the moves of the root. What remains is one rollout
//! from the board itself, one for each of its moves, and then as many as the budget says less one, each for
//! the move that UCT selects.

use engine::{Afterstate, Board, Direction, Rng};

use crate::ahead::{self, Ahead};
use crate::rollout::Play;
use crate::search::{IterationLimits, Move, SearchSummary, Settings};
use crate::stream_key::StreamKey;
use crate::uct::{Arms, Noise, Roots, Stats};

/// A value that is not there yet; no measure comes to it.
const MISSING: u32 = u32::MAX;
/// The most rollouts that are started at once for the move that a guess falls on.
const MOST_AT_ONCE: u32 = 16;
/// They are this part of those still to be started, so that guesses become finer towards the end.
const PART_AT_ONCE: u32 = 32;
/// The number of the stream of noise under the search's key; its moves have the directions' numbers.
const NOISE: u64 = 4;

/// A move of the root, and the rollouts for it: the search takes them in the order of their numbers.
#[derive(Clone, Copy)]
struct Arm {
    direction: Direction,
    afterstate: Afterstate,
    key: StreamKey,
    /// The value of all its rollouts where the move ends the game.
    end: Option<u32>,
    /// How many have been started.
    started: u32,
    /// Those that have ended, whether the search has asked for them or not.
    ended: Stats,
}

/// A rollout to be started: its arm, its number there, and what it is played from.
#[derive(Clone, Copy)]
struct Ready {
    arm: usize,
    number: u32,
    start: Board,
    seed: u64,
}

/// The search, and the roots that it uses again for every move.
pub struct Flat {
    settings: Settings,
    roots: Roots,
}

impl Flat {
    /// A search that has not begun.
    pub fn new(settings: Settings) -> Self {
        Self { settings, roots: Roots::default() }
    }

    /// Searches for a move on a board that has one.
    pub fn search(
        &mut self,
        board: Board,
        key: StreamKey,
        budget: u32,
        rollouts: &impl Play,
    ) -> SearchSummary {
        // The first iteration is the expansion of the board.
        let limits = IterationLimits::of(budget - 1);
        self.roots.reach(limits.most + 5);
        let mut bandit = Bandit::new(&self.settings, &self.roots, limits, board, key);
        ahead::run(&mut bandit, rollouts);
        bandit.found()
    }
}

/// The search for one move.
struct Bandit<'a> {
    settings: &'a Settings,
    roots: &'a Roots,
    limits: IterationLimits,
    noise: Rng,
    board: Board,
    key: StreamKey,
    /// The value of the rollout from the board itself.
    leaf: Option<u32>,
    arms: Vec<Arm>,
    /// The values of the rollouts that have ended, for one arm after the other.
    values: Vec<u32>,
    /// What the search has done with each arm.
    tried: Arms,
    /// The visits of the board: N.
    visits: u32,
    iterations: u32,
    /// The arm that the search has selected and whose rollout it waits for.
    wanted: Option<usize>,
    /// The rollouts that have been started for all arms.
    started: u32,
    played: u64,
    /// Rollouts to be started, the next one last.
    ready: Vec<Ready>,
    /// By the number of a rollout: its arm, and its number there; none for the one from the board itself.
    batch: Vec<Option<(usize, u32)>>,
}

impl<'a> Bandit<'a> {
    fn new(
        settings: &'a Settings,
        roots: &'a Roots,
        limits: IterationLimits,
        board: Board,
        key: StreamKey,
    ) -> Self {
        let arm = |found: Move| Arm {
            direction: found.direction,
            afterstate: found.afterstate,
            key: key.child(found.direction as u64),
            end: found.end,
            started: 0,
            ended: Stats::default(),
        };
        let arms: Vec<Arm> = settings.model.moves(board).map(arm).collect();
        Self {
            settings,
            roots,
            limits,
            noise: key.stream(NOISE),
            board,
            key,
            leaf: None,
            values: vec![MISSING; arms.len() * (limits.most as usize + 1)],
            tried: Arms::new(arms.len()),
            arms,
            visits: 0,
            iterations: 0,
            wanted: None,
            started: 0,
            played: 0,
            ready: Vec::new(),
            batch: Vec::new(),
        }
    }

    fn found(&self) -> SearchSummary {
        let (leaf, log_root) = (self.leaf.unwrap_or(0), self.roots.of_log(self.visits));
        let directions = self.arms.iter().map(|arm| arm.direction);
        SearchSummary {
            rollouts: self.visits.into(),
            played: self.played,
            depth: 1,
            ..SearchSummary::new(directions, &self.tried, leaf, log_root, self.settings)
        }
    }

    /// No arm can have more rollouts than that.
    fn most_per_arm(&self) -> usize {
        self.limits.most as usize + 1
    }

    /// The value of the arm's rollout with this number, if it has ended.
    #[inline]
    fn value(&self, arm: usize, number: u32) -> Option<u32> {
        let value = || self.values[arm * self.most_per_arm() + number as usize];
        self.arms[arm].end.or_else(|| Some(value()).filter(|&value| value != MISSING))
    }

    /// Takes the first rollouts, of the board and of each move, once all have ended. Returns whether they
    /// have.
    fn expand(&mut self) -> bool {
        if self.leaf.is_none() || (0..self.arms.len()).any(|arm| self.value(arm, 0).is_none()) {
            return false;
        }
        for arm in 0..self.arms.len() {
            self.tried.add(arm, self.value(arm, 0).expect("it has ended"));
        }
        self.visits = 1 + self.arms.len() as u32;
        true
    }

    /// Goes on as far as the values are there.
    fn advance(&mut self) {
        if self.visits == 0 && !self.expand() {
            return;
        }
        while !self.is_over() {
            let arm = self.wanted.unwrap_or_else(|| self.select());
            let Some(value) = self.value(arm, self.tried.visits(arm)) else {
                self.wanted = Some(arm);
                return;
            };
            self.wanted = None;
            self.tried.add(arm, value);
            self.visits += 1;
            self.iterations += 1;
        }
    }

    #[inline]
    fn select(&mut self) -> usize {
        let noise = Noise::draw(&mut self.noise);
        self.tried.select(self.weight(), self.visits, self.roots, noise)
    }

    fn weight(&self) -> f64 {
        self.settings.exploration * f64::from(self.leaf.unwrap_or(1))
    }

    /// Makes this many more rollouts of an arm ready. Together they are made in less time than one by one:
    /// none waits for another.
    fn prepare(&mut self, arm: usize, count: u32) {
        let Arm { key, afterstate, started, .. } = self.arms[arm];
        let (four, empty_cells) = (self.settings.model.game.four, afterstate.empty_count());
        self.ready.extend((started..started + count).rev().map(|number| {
            let (spawn, rng) = key.spawn(empty_cells, four, number);
            Ready { arm, number, start: spawn.on(afterstate), seed: StreamKey::of_board(rng).rollout_seed() }
        }));
        self.count(arm, count);
    }

    fn count(&mut self, arm: usize, count: u32) {
        self.arms[arm].started += count;
        self.started += count;
    }

    /// The arm that will probably want its next rollouts first, and how many to start at once: the one that
    /// the search would select if all rollouts that have been started were done, with the mean of those that
    /// are.
    fn guess(&self) -> (usize, u32) {
        let arms = self.arms.iter().enumerate();
        if self.visits == 0 {
            return (arms.min_by_key(|(_, arm)| arm.started).expect("a legal move").0, 1);
        }
        let (weight, log_root) = (self.weight(), self.roots.of_log(1 + self.started));
        let mut best = (0, f64::NEG_INFINITY);
        for (number, arm) in arms {
            let share = f64::from(arm.started) / (f64::from(arm.started) + 1.0);
            let doubt = log_root * self.roots.inverse(arm.started);
            let bound = arm.ended.mean().unwrap_or(0.0) * share + weight * doubt;
            if bound >= best.1 {
                best = (number, bound);
            }
        }
        let remaining = self.horizon() - self.started;
        (best.0, (remaining / PART_AT_ONCE).clamp(1, MOST_AT_ONCE))
    }

    /// Makes rollouts ready where none is and more will be wanted.
    fn prepare_likely(&mut self) {
        while self.ready.is_empty() && self.started < self.horizon() {
            let (arm, count) = self.guess();
            if let Some(value) = self.arms[arm].end {
                self.arms[arm].ended = Stats { visits: 1, value: value.into() };
                self.count(arm, count);
            } else {
                self.prepare(arm, count);
            }
        }
    }

    /// How many rollouts of arms it makes sense to start.
    fn horizon(&self) -> u32 {
        self.arms.len() as u32 + self.limits.horizon(self.iterations)
    }
}

impl Ahead for Bandit<'_> {
    fn begin_batch(&mut self) {
        self.batch.clear();
    }

    fn next_rollout(&mut self) -> Option<(Board, u64)> {
        if self.played == 0 {
            self.played = 1;
            self.batch.push(None);
            return Some((self.board, self.key.rollout_seed()));
        }
        match self.wanted {
            Some(arm) if self.arms[arm].started == self.tried.visits(arm) => self.prepare(arm, 1),
            _ => self.prepare_likely(),
        }
        let Ready { arm, number, start, seed } = self.ready.pop()?;
        self.batch.push(Some((arm, number)));
        self.played += 1;
        Some((start, seed))
    }

    fn take_value(&mut self, number: usize, value: u32) {
        match self.batch[number] {
            None => self.leaf = Some(value),
            Some((arm, number)) => {
                self.arms[arm].ended.add(value);
                let most = self.most_per_arm();
                self.values[arm * most + number as usize] = value;
            }
        }
        self.advance();
    }

    fn is_over(&self) -> bool {
        let is_settled = || self.settings.final_choice.is_settled(&self.tried, self.arms.len());
        self.visits > 0 && self.limits.reached(self.iterations, is_settled)
    }
}
