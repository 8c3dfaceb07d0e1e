//! The messages between a run and its workers, each in a [`frame`](crate::frame).

use std::path::PathBuf;

use engine::agent::Budget;
use engine::conformance::StepResult;
use engine::signature::{ProbeOrder, Set};
use engine::{Placement, Rules};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::WorkerError;
use crate::Files;
use platform::ConfinedPath;
use records::{GameRecord, GameTiming};

/// A request to a worker.
#[derive(Debug, Serialize, Deserialize)]
pub enum Request {
    /// Open the plugin in this file and list its agents.
    Open(#[serde(with = "platform::path_bytes")] PathBuf),
    /// Create an agent of the open plugin.
    Create(AgentSetup),
    /// Compute the agent's decision signature on a set of positions.
    Sign(Set),
    /// Report the agent's decisions on a few positions, to compare them with those in another process.
    Probe(ProbeOrder),
    /// Play games with the agent.
    Play(Assignment),
    /// Run the conformance suite on an agent of the open plugin.
    Check(CheckSetup),
    /// Start a game with this agent seed, whose positions come one by one.
    NewGame(u64),
    /// Ask the agent for a move in the current game.
    Ask(Question),
    /// Create a training of an agent of the open plugin.
    Train(TrainingSetup),
    /// Play games of the training.
    Learn {
        /// The most games.
        games: u64,
        /// The time in milliseconds after which no game starts.
        for_ms: u64,
    },
    /// Write a checkpoint of the training to this file.
    SaveTraining(ConfinedPath),
    /// Resume from the checkpoint in this file.
    LoadTraining(ConfinedPath),
    /// Hash the weights that the training has learned, and write them to a file, if one is given.
    Artefact(Option<ConfinedPath>),
}

/// Everything that determines an agent's games, except their seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AgentSetup {
    /// The agent's id.
    pub agent: String,
    /// The rules of its games.
    pub rules: Rules,
    /// All of its parameters.
    pub params: Map<String, Value>,
    /// What it may use for a move.
    pub budget: Budget,
    /// The files that it needs.
    pub files: Files,
}

/// What the conformance suite runs on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckSetup {
    /// The agent's id.
    pub agent: String,
    /// The parameters that it plays with.
    pub params: Map<String, Value>,
    /// The most moves of a game.
    pub moves: u32,
    /// The budget; by default a small one of each kind that the agent takes.
    pub budget: Option<Budget>,
    /// The files that it needs.
    pub files: Files,
}

/// Everything that determines a training's result, except the number of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingSetup {
    /// The agent's id.
    pub agent: String,
    /// The rules of its games.
    pub rules: Rules,
    /// All parameters of the training.
    pub params: Map<String, Value>,
    /// The seed.
    pub seed: u64,
}

/// The outcome of some games of a training.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learned {
    /// How many games.
    pub games: u64,
    /// The number of moves.
    pub moves: u64,
    /// The sum of the scores.
    pub score_sum: u64,
    /// How many games reached 2048, 8192, 16384 and 32768.
    pub reached: [u64; 4],
    /// The CPU time.
    pub cpu_ns: u64,
}

impl Learned {
    /// The ranks of the tiles that are counted.
    pub const RANKS: [u8; 4] = [11, 13, 14, 15];
}

/// A file that a training wrote, or would write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenFile {
    /// The SHA-256 of its content.
    pub sha256: String,
    /// Its size.
    pub bytes: u64,
}

/// A position that an agent is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The board, packed.
    pub board: u64,
    /// The points so far.
    pub score: u64,
    /// The moves so far.
    pub move_number: u64,
}

/// Games to play, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    /// The experiment's master seed.
    pub master_seed: u64,
    /// The games' numbers.
    pub games: Vec<u64>,
    /// Whether every move is reported at once, so that a crash leaves the exact prefix.
    pub is_careful: bool,
    /// The number of moves after which games stop. They are then prefixes to compare, not records.
    pub move_limit: Option<u32>,
    /// The file to which games are written as they end; without one, they are sent.
    pub spool: Option<ConfinedPath>,
}

/// A reply of a worker.
#[derive(Debug, Serialize, Deserialize)]
pub enum Reply {
    /// The end of a request, with its result in the request's own type.
    Result(Value),
    /// The end of a request that failed.
    Error(WorkerError),
    /// A heartbeat, sent now and then while the worker is busy.
    Alive {
        /// The current game.
        game: u64,
        /// Its moves so far.
        moves: u32,
    },
    /// Something happened while games are played.
    Game(GameEvent),
    /// A step of the conformance suite is done.
    Step(StepResult),
}

/// What happens while games are played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum GameEvent {
    /// A move of the current game; in careful mode only.
    Moved {
        /// The direction's letter.
        direction: char,
        /// The tile that was placed after it, if one was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tile: Option<Placement>,
        /// Positions expanded for both.
        nodes: u64,
    },
    /// A game is over; sent if there is no spool, or its file cannot be written.
    Played(Played),
}

/// A game that a worker played to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Played {
    /// The record.
    pub record: GameRecord,
    /// Its cost.
    pub timing: GameTiming,
    /// The agent's error, if it ended the game by one or by an illegal move.
    pub complaint: Option<String>,
}
