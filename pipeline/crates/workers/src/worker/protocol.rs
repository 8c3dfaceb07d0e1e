//! The messages between a run and its workers, each in a [`frame`](crate::frame).

use std::path::PathBuf;

use engine::agent::Budget;
use engine::signature::{ProbeOrder, Set};
use engine::{Direction, Placement, Rules};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::fault::Fault;
use crate::files::Files;
use platform::confined::ConfinedPath;
use records::record::{GameRecord, GameTiming};

/// A request to a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Request {
    /// Open a plugin and list its agents.
    Open {
        /// The plugin's file.
        #[serde(with = "platform::path_bytes")]
        file: PathBuf,
    },
    /// Create an agent of the open plugin.
    Create(AgentSetup),
    /// Compute the agent's decision signature.
    Sign {
        /// On which positions.
        set: Set,
    },
    /// Report the agent's decisions on a few positions, to compare them with those in another process.
    Probe {
        /// The order of the questions.
        order: ProbeOrder,
    },
    /// Play games with the agent.
    Play(Assignment),
    /// Run the conformance suite on an agent of the open plugin.
    Check(CheckSetup),
    /// Start a game whose positions come one by one.
    NewGame {
        /// The agent's seed.
        seed: u64,
    },
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
    /// Write a checkpoint of the training.
    SaveTraining {
        /// To this file.
        file: ConfinedPath,
    },
    /// Resume from a checkpoint.
    LoadTraining {
        /// In this file.
        file: ConfinedPath,
    },
    /// Hash the weights that the training has learned.
    Artefact {
        /// Also write them to this file.
        file: Option<ConfinedPath>,
    },
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

/// An agent's decision on one position. Values that are not finite are left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The move.
    pub direction: Direction,
    /// Positions expanded.
    pub nodes: u64,
    /// How much of the budget was used.
    pub spent: u64,
    /// Plies looked ahead.
    pub depth: u32,
    /// The agent's estimate of the position.
    pub value: Option<f64>,
    /// Its value of each move, by the direction's number.
    pub move_values: [Option<f64>; 4],
    /// Positions expanded for each move.
    pub move_nodes: [u64; 4],
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
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Reply {
    /// The end of a request, with its result in the request's own type.
    Result(Value),
    /// The end of a request that failed.
    Error(RequestError),
    /// A heartbeat, sent now and then while the worker is busy.
    Alive {
        /// The current game.
        game: u64,
        /// Its moves so far.
        moves: u32,
    },
    /// A move was made; sent in careful mode only.
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
    Played(Box<Played>),
    /// A step of the conformance suite is done.
    Step(StepResult),
}

/// Why a request failed, for people.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum RequestError {
    /// Because of the request: bad parameters, bad rules, or a file that is not a plugin.
    Refused(String),
    /// Because of the agent, outside of a game: at its creation, or on the frozen positions.
    Failed(String),
    /// Because of a fault of the agent, which the worker survived.
    Faulted(Fault),
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

/// The result of one step of the conformance suite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepResult {
    /// What the step demands of the agent.
    pub demand: String,
    /// Whether it passed.
    pub passed: bool,
    /// The game and the move at which it failed, if it was in a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// What was seen.
    pub seen: String,
    /// How to fix it, if it failed.
    pub remedy: Option<String>,
}
