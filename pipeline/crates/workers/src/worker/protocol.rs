//! What a run and its workers say to each other, each in a [`frame`](crate::frame).

use std::path::PathBuf;

use engine::abi::host::AgentInfo;
use engine::agent::Budget;
use engine::signature::{ProbeOrder, Probed, Set};
use engine::{Direction, Ending, Placement, Rules};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::files::Files;
use records::record::{GameRecord, GameTiming};
use surroundings::confined::ConfinedPath;

/// What a run asks of a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Request {
    /// Open a plugin and list its agents.
    Open {
        /// The plugin's file.
        #[serde(with = "surroundings::path_bytes")]
        file: PathBuf,
    },
    /// Make an agent of the open plugin.
    Create {
        /// The agent's id.
        agent: String,
        /// The rules of its games.
        rules: Rules,
        /// All of its parameters.
        params: Map<String, Value>,
        /// What it may use for a move.
        budget: Budget,
        /// The files that it needs.
        files: Files,
    },
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
    /// Put an agent of the open plugin through the conformance suite.
    Check {
        /// The agent's id.
        agent: String,
        /// The parameters that it plays with.
        params: Map<String, Value>,
        /// The most moves of a game.
        moves: u32,
        /// The budget to play with; absent: a small one of each kind that the agent takes.
        budget: Option<Budget>,
        /// The files that it needs.
        files: Files,
    },
    /// Begin a game with the agent whose positions come one by one.
    NewGame {
        /// The agent's seed.
        seed: u64,
    },
    /// Ask the agent for a move in the game that was begun.
    Ask(Question),
    /// Make a training of an agent of the open plugin.
    Train(TrainingSetup),
    /// Play games of the training.
    Learn {
        /// The most games.
        games: u64,
        /// After how many milliseconds no other is begun.
        for_ms: u64,
    },
    /// Write a checkpoint of the training.
    SaveTraining {
        /// To this file.
        file: ConfinedPath,
    },
    /// Go on from a checkpoint.
    LoadTraining {
        /// In this file.
        file: ConfinedPath,
    },
    /// Hash what the training has learned.
    Artefact {
        /// And write it to this file.
        file: Option<ConfinedPath>,
    },
}

/// All that determines what a training learns, but the number of games.
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

/// What games of a training came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learned {
    /// How many games.
    pub games: u64,
    /// All moves that were learned from.
    pub moves: u64,
    /// The sum of the scores.
    pub score_sum: u64,
    /// How many games reached 2048, 8192, 16384 and 32768.
    pub reached: [u64; 4],
    /// The processor's time.
    pub cpu_ns: u64,
}

impl Learned {
    /// The ranks of the tiles that are counted.
    pub const RANKS: [u8; 4] = [11, 13, 14, 15];
}

/// A file that a training has written, or would have.
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

/// What an agent decides about one position. Values that are no numbers count as absent.
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
    /// What it thinks of each move, by the direction's number.
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
    /// Stop games after so many moves; they are then no records, only prefixes to compare.
    pub move_limit: Option<u32>,
    /// The file in which games are written down as they end; absent: they are sent.
    pub spool: Option<ConfinedPath>,
}

/// What a worker answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Reply {
    /// The plugin is open.
    Opened {
        /// Its agents.
        agents: Vec<AgentInfo>,
    },
    /// The agent is made.
    Created,
    /// The request was refused: bad parameters, rules, or a file that is no plugin.
    Refused {
        /// Why, for people.
        reason: String,
    },
    /// The agent failed outside of a game: it could not be made, or gave up on the frozen positions.
    Failed {
        /// Why, for people.
        reason: String,
    },
    /// The decision signature.
    Signed {
        /// The signature.
        signature: String,
    },
    /// The agent's decisions on a few positions.
    Probed {
        /// The positions with their answers.
        answers: Vec<Probed>,
    },
    /// The worker lives; sent now and then while it plays.
    Alive {
        /// The game that it plays.
        game: u64,
        /// The moves of it so far.
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
    /// A game is over; sent where there is no spool, or it takes no more.
    Played(Box<Played>),
    /// All games of the assignment are over.
    Done,
    /// A step of the conformance suite is done.
    Step(CheckedStep),
    /// The conformance suite is done.
    Checked,
    /// The game is begun.
    Begun,
    /// What the agent decides.
    Answered(Answer),
    /// The games of a training are over.
    Learned(Learned),
    /// A training has written a file.
    Written(WrittenFile),
    /// A training goes on from a checkpoint.
    Loaded,
    /// The agent committed a fault, and the worker lives.
    Faulted {
        /// The ending that it would bring.
        ending: Ending,
        /// What happened, for people.
        reason: String,
    },
}

/// A game that a worker has played to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Played {
    /// The record.
    pub record: GameRecord,
    /// What it cost.
    pub timing: GameTiming,
    /// What the agent said, where it ended the game by an error or an illegal move.
    pub complaint: Option<String>,
}

/// One step of the conformance suite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedStep {
    /// What was asked of the agent.
    pub demand: String,
    /// Whether it passed.
    pub passed: bool,
    /// In which game and at which move it failed, where it was in a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// What was seen.
    pub seen: String,
    /// How to mend it, where it failed.
    pub remedy: Option<String>,
}
