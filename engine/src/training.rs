//! What a training is: the trait that an author implements for an agent that learns.
//!
//! A training plays games and learns from them, one after the other. Who drives it decides when to save it,
//! when to stop and how long to go on; what it has learned becomes a file that the agent needs.
//! [`crate::export_agents!`] puts the C boundary around it.

use std::io::{self, Read, Write};

use crate::agent::{Failure, Host, Params, Refusal};
use crate::rules::Rules;

/// A training in progress.
///
/// All that it learns is a function of rules, parameters, seed and the number of games: the same bytes on
/// every machine, and the same whether or not it was saved and loaded on the way.
pub trait Training: Sized + 'static {
    /// What can be set about the training. Fields that a manifest leaves out have the value of `Default`.
    type Params: Params;

    /// The role of the file that it makes: one of those that the agent needs.
    const ROLE: &'static str;

    /// The version of what it learns.
    const VERSION: &'static str;

    /// Makes a training that has not begun.
    ///
    /// # Errors
    /// Returns an error if the parameters are out of range, the rules cannot be learned, or there is not
    /// enough memory.
    fn create(rules: &Rules, params: Self::Params, seed: u64, host: Host) -> Result<Self, Refusal>;

    /// Plays the next game and learns from it.
    fn next_game(&mut self) -> Result<Trained, Failure>;

    /// Writes all that it takes to go on from here.
    fn save(&self, checkpoint: &mut dyn Write) -> io::Result<()>;

    /// Goes on from what [`Training::save`] wrote. It is of no more use where that fails.
    ///
    /// # Errors
    /// Returns an error if the checkpoint is not the whole one of a training with these rules, parameters and
    /// seed.
    fn load(&mut self, checkpoint: &mut dyn Read) -> Result<(), Failure>;

    /// Writes the file that holds what was learned so far.
    fn artefact(&self, file: &mut dyn Write) -> io::Result<()>;
}

/// How a game of a training went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trained {
    /// The points.
    pub score: u64,
    /// The largest rank on the last board; 16 where the game ended by making 65536.
    pub max_rank: u8,
    /// All moves that were learned from, those of games begun again included.
    pub moves: u64,
}
