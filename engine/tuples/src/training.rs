//! What every training is, whoever drives it: one game after another, with a checkpoint between any two, and weights at the end.
//! [`Hosted`] is what the host of an agent sees of it.

use std::io::{self, Read, Write};

use engine::agent::Failure;
use engine::training::Trained;

use crate::checkpoint::{CheckpointError, Progress};
use crate::network::Network;
use crate::weights;

/// How a game of a training went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The points.
    pub score: u32,
    /// The largest rank on the last board; 16 where the game ended by making 65536.
    pub max_rank: u8,
}

/// A training under way: a pure function of its recipe and the number of games.
pub trait Learner {
    /// Plays the next game and learns from it.
    fn play_and_learn(&mut self) -> Played;

    /// How far it has come.
    fn progress(&self) -> Progress;

    /// What it trains.
    fn network(&self) -> &Network;

    /// The weights in the order of their indices, with 0 for those that moved less than so far in all: they belong to boards that are
    /// hardly ever seen, and a file without them is much smaller. With 0, only those are left out that were never looked up.
    fn weights(&self, least_moved: f32) -> impl ExactSizeIterator<Item = f32>;

    /// Writes all that it takes to go on from here.
    ///
    /// # Errors
    /// Where writing fails.
    fn save(&self, file: impl Write) -> io::Result<()>;

    /// Goes on from what [`Learner::save`] wrote.
    ///
    /// # Errors
    /// Where the file is not the whole checkpoint of a training that has followed this recipe so far; then this one is of no more use.
    fn load(&mut self, file: impl Read) -> Result<(), CheckpointError>;
}

/// A learner, and which of its weights go into the file that it leaves behind: what a host trains.
pub struct Hosted<L> {
    learner: L,
    step: f32,
    least_moved: f32,
}

impl<L: Learner> Hosted<L> {
    /// A learner whose file has this step between two neighbouring weights, and none that has moved less than so far.
    pub const fn new(learner: L, step: f32, least_moved: f32) -> Self {
        Self { learner, step, least_moved }
    }

    /// Plays the next game and learns from it.
    pub fn next_game(&mut self) -> Trained {
        let before = self.learner.progress().moves;
        let Played { score, max_rank } = self.learner.play_and_learn();
        Trained { score: score.into(), max_rank, moves: self.learner.progress().moves - before }
    }

    /// Writes a checkpoint.
    ///
    /// # Errors
    /// Where writing fails.
    pub fn save(&self, checkpoint: &mut dyn Write) -> io::Result<()> {
        self.learner.save(checkpoint)
    }

    /// Goes on from a checkpoint.
    ///
    /// # Errors
    /// Where it is not the whole one of a training that has followed this recipe so far.
    pub fn load(&mut self, checkpoint: &mut dyn Read) -> Result<(), Failure> {
        self.learner.load(checkpoint).map_err(|error| error.to_string().into())
    }

    /// Writes the file of weights.
    ///
    /// # Errors
    /// Where writing fails.
    pub fn artefact(&self, file: &mut dyn Write) -> io::Result<()> {
        file.write_all(&weights::encode(
            self.learner.network(),
            self.step,
            self.learner.weights(self.least_moved),
        ))
    }
}
