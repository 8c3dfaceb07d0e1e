//! Temporal difference learning, TD(0), of the values of afterstates.
//!
//! After every move of its own greedy play, the network moves the value of the afterstate that it left
//! towards what the next best move promises: the paper's rule for afterstates,
//! `V(s') += alpha * (r_next + V(s'_next) - V(s'))`, with 0 for the promise of a board that has no move. The
//! paper's learning rate of 0.0025 is second-hand. That every looked-up weight moves by the rate times the
//! error, *not* divided by their number, is how the authors' program does it (`NTuples.update` in
//! github.com/mszubert/2048): with 17 weights the value of an afterstate moves by 4.25 % of the error, with
//! 20 by 5 %.
//!
//! A training is a pure function of its [`TdRecipe`] and the number of games.

use std::io::{self, Read, Write};

use engine::board::CAP_RANK;
use engine::training::Trained;
use engine::{Afterstate, Board, Direction, Merging, Rules, Slide, Slides, TileSeed, spawn};
use tuples::{CheckpointError, Learner, Memory, Network, Progress, checkpoint};

/// The first word of every checkpoint.
const MAGIC: &str = "retile-szubert2014-checkpoint-1";

/// All that determines what is learned, apart from the number of games.
#[derive(Clone, Debug, PartialEq)]
pub struct TdRecipe {
    /// The network.
    pub network: Network,
    /// The learning rate: the share of the error by which every weight moves.
    pub rate: f32,
    /// The seed from which the tiles of every game are derived.
    pub seed: u64,
}

impl TdRecipe {
    fn text(&self) -> String {
        let Self { network, rate, seed } = self;
        format!(
            "tuples {network}, {:?}, {:?}, rate {rate}, seed {seed}",
            network.sampling(),
            network.values()
        )
    }
}

/// A training in progress.
pub struct Trainer {
    recipe: TdRecipe,
    slides: &'static Slides,
    memory: Memory<f32>,
    progress: Progress,
}

/// A move, and what it promises: its reward and the value of its afterstate.
struct Promise {
    slide: Slide,
    value: f32,
}

impl Trainer {
    /// The move that promises most; of equals the first in the order up, right, down, left.
    fn best(&self, board: Board) -> Option<Promise> {
        let mut best: Option<Promise> = None;
        for direction in Direction::ALL {
            let Some(slide) = self.slides.slide(board, direction) else { continue };
            let later = if slide.makes_cap { 0.0 } else { self.value(slide.afterstate) };
            let value = slide.reward as f32 + later;
            if best.as_ref().is_none_or(|best| value > best.value) {
                best = Some(Promise { slide, value });
            }
        }
        best
    }

    fn value(&self, afterstate: Afterstate) -> f32 {
        let weights = self.memory.cells();
        self.recipe.network.sum(*afterstate, |index| weights[index])
    }

    /// Moves the value of an afterstate towards the target.
    fn learn(&mut self, afterstate: Afterstate, target: f32) {
        let change = self.recipe.rate * (target - self.value(afterstate));
        let weights = self.memory.cells_mut();
        self.recipe.network.visit(*afterstate, |index| weights[index] += change);
        self.progress.moves += 1;
    }
}

impl Learner for Trainer {
    type Recipe = TdRecipe;

    fn new(recipe: TdRecipe) -> io::Result<Self> {
        let memory = Memory::zeroed(recipe.network.weights())?;
        Ok(Self { recipe, slides: Slides::of(Merging::Once), memory, progress: Progress::default() })
    }

    fn play_and_learn(&mut self) -> Trained {
        let mut tiles = TileSeed::derive(self.recipe.seed, self.progress.games).rng();
        let rules = Rules::default();
        let mut board = spawn::start(&rules, &mut tiles);
        let (mut score, before) = (0, self.progress.moves);
        self.progress.games += 1;
        // What was learned from a move counts already for the choice of the next, so each board is looked at
        // twice.
        while let Some(Promise { slide, .. }) = self.best(board) {
            score += u64::from(slide.reward);
            if slide.makes_cap {
                return Trained { score, max_rank: CAP_RANK, moves: self.progress.moves - before };
            }
            board = spawn::spawn(slide.afterstate, rules.four, &mut tiles);
            let target = self.best(board).map_or(0.0, |next| next.value);
            self.learn(slide.afterstate, target);
        }
        Trained { score, max_rank: board.max_rank(), moves: self.progress.moves - before }
    }

    fn progress(&self) -> Progress {
        self.progress
    }

    fn network(&self) -> &Network {
        &self.recipe.network
    }

    /// Nothing is kept beside a weight, so how far it is from 0, where it began, stands for how far it has
    /// moved.
    fn weights(&self, least_moved: f32) -> impl ExactSizeIterator<Item = f32> {
        self.memory.cells().iter().map(move |&weight| if weight.abs() < least_moved { 0.0 } else { weight })
    }

    fn save(&self, file: impl Write) -> io::Result<()> {
        checkpoint::save(MAGIC, &self.recipe.text(), self.progress, self.memory.bytes(), file)
    }

    fn load(&mut self, file: impl Read) -> Result<(), CheckpointError> {
        let recipe = |_| self.recipe.text();
        self.progress = checkpoint::load(MAGIC, recipe, self.memory.bytes_mut(), file)?;
        Ok(())
    }
}
