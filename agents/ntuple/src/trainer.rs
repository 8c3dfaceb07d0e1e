//! Temporal coherence learning, TC(lambda), of the values of afterstates.
//!
//! The network plays a game by itself, greedily; then it learns from the game's end back to its beginning, so
//! that what the end taught reaches the beginning at once. Every weight has a rate of its own: the sum of its
//! errors over the sum of their sizes, which is near 1 while they all have one sign and falls as they begin
//! to cancel out.
//!
//! A training is a pure function of its [`TcRecipe`] and the number of games: one thread, single-precision
//! sums, products and quotients in a fixed order, tiles from the engine's seeded generator.

use std::fmt;
use std::io::{self, Read, Write};

use bytemuck::{Pod, Zeroable};
use engine::board::CAP_RANK;
use engine::training::Trained;
use engine::{Afterstate, Board, Direction, Merging, Rng, Rules, Slide, Slides, TileSeed, spawn};
use tuples::{CheckpointError, Learner, Memory, Network, Progress, checkpoint};

/// The first word of every checkpoint.
const MAGIC: &str = "retile-ntuple-checkpoint-1";

/// A weight, and what temporal coherence learning remembers of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Cell {
    /// The weight itself.
    pub weight: f32,
    /// The sum of the errors that moved it, with their signs.
    pub error: f32,
    /// The sum of their sizes.
    pub size: f32,
}

/// All that determines what is learned, apart from the number of games.
#[derive(Clone, Debug, PartialEq)]
pub struct TcRecipe {
    /// The network.
    pub network: Network,
    /// The overall rate, which multiplies that of every weight.
    pub alpha: f32,
    /// The weight of what came later in the game against the network's own estimate, from 0 to 1.
    pub lambda: f32,
    /// The value that every afterstate begins with.
    pub optimistic_start: f32,
    /// Which games are begun again: one after the other, each until its own game.
    pub restarts: Vec<Restart>,
    /// The seed from which the tiles of every game are derived.
    pub seed: u64,
}

/// Games that are begun again: after a game is learned, another one starts from its late part, and so on. So
/// the network sees late, rare positions far more often than by games from the beginning alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restart {
    /// The sum of the tiles from which on a game is late; 0 for whole games.
    pub late: u32,
    /// Where in the late part the next one starts.
    pub from: RestartPlace,
    /// The number of the first game of the training for which this no longer holds.
    pub until: u64,
}

/// Where a game is begun again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestartPlace {
    /// Halfway through the late part, until that has at most this many moves: nearer and nearer to where the
    /// game was lost.
    Halfway {
        /// The moves of a part that is too short to be begun again.
        short: usize,
    },
    /// At the beginning of the late part, so often.
    Beginning {
        /// How often.
        times: u32,
    },
}

impl TcRecipe {
    /// What had a say in a training that has come this far: recipes that differ only in what is still to come
    /// have the same past.
    fn past(&self, progress: Progress) -> String {
        let Self { network, alpha, lambda, optimistic_start, restarts, seed } = self;
        let mut first = 0;
        let mut held = Vec::new();
        for restart in restarts {
            let end = progress.games.min(restart.until);
            if end > first {
                held.push(format!("{restart}, in {} games", end - first));
                first = end;
            }
        }
        let restart = if held.is_empty() { "none".to_owned() } else { held.join(", then ") };
        format!(
            "tuples {network}, {:?}, {:?}, alpha {alpha}, lambda {lambda}, start {optimistic_start}, restart {restart}, seed {seed}",
            network.sampling(),
            network.values()
        )
    }
}

impl Restart {
    /// The afterstate from which the game that went this way last, and was begun again so often, is to be
    /// begun again.
    fn place(self, path: &[Slide], before: u32) -> Option<Afterstate> {
        // The sum of the tiles only grows.
        let first = path.partition_point(|slide| slide.afterstate.tile_sum() < self.late);
        let late = &path[first..];
        let place = match self.from {
            RestartPlace::Halfway { short } => (late.len() > short).then_some(late.len() / 2)?,
            RestartPlace::Beginning { times } => (before < times).then_some(0)?,
        };
        late.get(place).map(|slide| slide.afterstate)
    }
}

impl fmt::Display for Restart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.from {
            RestartPlace::Halfway { short } => {
                write!(f, "from sum {} unless {short} moves or fewer", self.late)
            }
            RestartPlace::Beginning { times } => write!(f, "at sum {} {times} times", self.late),
        }
    }
}

/// A training in progress.
pub struct Trainer {
    recipe: TcRecipe,
    slides: &'static Slides,
    memory: Memory<Cell>,
    progress: Progress,
    path: Vec<Slide>,
}

impl Trainer {
    /// The cells of the network.
    pub fn cells(&self) -> &[Cell] {
        self.memory.cells()
    }

    /// Plays from a board to the end, and keeps the path. Returns the score, and the largest rank in the end.
    fn play(&mut self, board: &mut Board, tiles: &mut Rng) -> (u64, u8) {
        let cells = self.memory.cells();
        let four = Rules::default().four;
        self.path.clear();
        let mut score = 0;
        while let Some(slide) = best_slide(&self.recipe.network, cells, self.slides, *board) {
            score += u64::from(slide.reward);
            self.path.push(slide);
            if slide.makes_cap {
                return (score, CAP_RANK);
            }
            *board = spawn::spawn(slide.afterstate, four, tiles);
        }
        (score, board.max_rank())
    }

    /// Learns the path, its end first.
    fn learn(&mut self) {
        let TcRecipe { network, alpha, lambda, .. } = &self.recipe;
        let step = alpha / network.lookups() as f32;
        let cells = self.memory.cells_mut();
        self.progress.moves += self.path.len() as u64;
        // What is still to come after an afterstate, as the rest of the game showed it; after the last,
        // nothing.
        let mut target = 0.0;
        for slide in self.path.iter().rev() {
            let reward = slide.reward as f32;
            if slide.makes_cap {
                target = reward;
                continue;
            }
            let error = target - value(network, cells, slide.afterstate);
            let learned = update(network, cells, slide.afterstate, error, step);
            target = reward + lambda * target + (1.0 - lambda) * learned;
        }
    }
}

impl Learner for Trainer {
    type Recipe = TcRecipe;

    fn new(recipe: TcRecipe) -> io::Result<Self> {
        let mut memory = Memory::zeroed(recipe.network.weights())?;
        if recipe.optimistic_start != 0.0 {
            let weight = recipe.optimistic_start / recipe.network.lookups() as f32;
            memory.cells_mut().fill(Cell { weight, ..Cell::default() });
        }
        let slides = Slides::of(Merging::Once);
        Ok(Self { recipe, slides, memory, progress: Progress::default(), path: Vec::new() })
    }

    fn play_and_learn(&mut self) -> Trained {
        let mut tiles = TileSeed::derive(self.recipe.seed, self.progress.games).rng();
        let rules = Rules::default();
        let mut board = spawn::start(&rules, &mut tiles);
        let moves_before = self.progress.moves;
        let (score, max_rank) = self.play(&mut board, &mut tiles);
        let restart =
            self.recipe.restarts.iter().find(|restart| self.progress.games < restart.until).copied();
        let mut before = 0;
        while let Some(afterstate) = restart.and_then(|restart| restart.place(&self.path, before)) {
            self.learn();
            board = spawn::spawn(afterstate, rules.four, &mut tiles);
            self.play(&mut board, &mut tiles);
            before += 1;
        }
        self.learn();
        self.progress.games += 1;
        Trained { score, max_rank, moves: self.progress.moves - moves_before }
    }

    /// A game counts once, its moves as often as they were played again.
    fn progress(&self) -> Progress {
        self.progress
    }

    fn network(&self) -> &Network {
        &self.recipe.network
    }

    /// How far a weight has moved in all is taken to be the sum of the sizes of its errors. One that was
    /// never looked up is 0, whatever it began with.
    fn weights(&self, least_moved: f32) -> impl ExactSizeIterator<Item = f32> {
        let is_left_out = move |cell: &Cell| cell.size == 0.0 || cell.size < least_moved;
        self.cells().iter().map(move |cell| if is_left_out(cell) { 0.0 } else { cell.weight })
    }

    fn save(&self, file: impl Write) -> io::Result<()> {
        checkpoint::save(MAGIC, &self.recipe.past(self.progress), self.progress, self.memory.bytes(), file)
    }

    fn load(&mut self, file: impl Read) -> Result<(), CheckpointError> {
        let past = |progress| self.recipe.past(progress);
        self.progress = checkpoint::load(MAGIC, past, self.memory.bytes_mut(), file)?;
        Ok(())
    }
}

/// The value of an afterstate.
#[inline]
fn value(network: &Network, cells: &[Cell], afterstate: Afterstate) -> f32 {
    network.sum(*afterstate, |index| cells[index].weight)
}

/// The slide with the greatest sum of reward and value; of equals the first in the order up, right, down,
/// left.
#[inline]
fn best_slide(network: &Network, cells: &[Cell], slides: &Slides, board: Board) -> Option<Slide> {
    let mut best = None;
    let mut best_value = f32::NEG_INFINITY;
    for slide in Direction::ALL.into_iter().filter_map(|direction| slides.slide(board, direction)) {
        let later = if slide.makes_cap { 0.0 } else { value(network, cells, slide.afterstate) };
        let value = slide.reward as f32 + later;
        if value > best_value {
            (best, best_value) = (Some(slide), value);
        }
    }
    best
}

/// Moves every weight that an afterstate looks up by its share of the error, and gives the sum of the weights
/// as they become.
///
/// A weight that is looked up more than once, as on boards with a symmetry, moves as often, and each look
/// adds what it is by then.
#[inline]
fn update(network: &Network, cells: &mut [Cell], afterstate: Afterstate, error: f32, step: f32) -> f32 {
    let size = error.abs();
    let mut value = 0.0;
    network.visit(*afterstate, |index| {
        let cell = &mut cells[index];
        let rate = if cell.size == 0.0 { 1.0 } else { cell.error.abs() / cell.size };
        cell.error += error;
        cell.size += size;
        cell.weight += rate * (step * error);
        value += cell.weight;
    });
    value
}

#[cfg(test)]
mod tests;
