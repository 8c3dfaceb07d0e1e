//! What every training is, whoever drives it: one game after another, with a checkpoint between any two, and weights at the end.

use std::io::{self, Read, Write};

use crate::checkpoint::{CheckpointError, Progress};
use crate::network::Network;

/// How a game of a training went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The points.
    pub score: u32,
    /// The largest rank on the last board; 16 where the game ended by making 65536.
    pub max_rank: u8,
}

/// A training under way: a pure function of its recipe and the number of games.
pub trait Training {
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

    /// Goes on from what [`Training::save`] wrote.
    ///
    /// # Errors
    /// Where the file is not the whole checkpoint of a training that has followed this recipe so far; then this one is of no more use.
    fn load(&mut self, file: impl Read) -> Result<(), CheckpointError>;
}
