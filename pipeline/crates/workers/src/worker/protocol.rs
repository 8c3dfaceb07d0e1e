//! What a run and its workers say to each other: JSON in frames with a length in front.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::time::Instant;

use engine::abi::host::AgentInfo;
use engine::agent::Budget;
use engine::signature::Set;
use engine::{Direction, Ending, Placement, Rules};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::pipe::Pipe;
use records::record::{GameRecord, GameTiming};

/// The most bytes of a frame: a game of the longest kind is far shorter.
const LARGEST_FRAME: usize = 16 << 20;

/// What a run asks of a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Request {
    /// Open a plugin and list its agents.
    Open {
        /// The plugin's file.
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
    },
    /// Compute the agent's decision signature.
    Sign {
        /// On which positions.
        set: Set,
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
    },
    /// Begin a game with the agent whose positions come one by one.
    NewGame {
        /// The agent's seed.
        seed: u64,
    },
    /// Ask the agent for a move in the game that was begun.
    Ask(Question),
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
    pub spool: Option<PathBuf>,
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
    /// What was seen.
    pub seen: String,
    /// How to mend it, where it failed.
    pub remedy: Option<String>,
}

/// Writes one frame.
///
/// # Errors
/// Where the other side is gone.
pub fn write_frame(mut to: impl Write, message: &impl Serialize) -> io::Result<()> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, message)?;
    let length = u32::try_from(frame.len() - 4).map_err(io::Error::other)?;
    frame[..4].copy_from_slice(&length.to_le_bytes());
    to.write_all(&frame)?;
    to.flush()
}

/// Reads frames, waiting for each no longer than asked.
pub struct FrameReader<R> {
    pipe: Pipe<R>,
}

/// What came of waiting for a frame.
#[derive(Debug)]
pub enum Received<T> {
    /// A message.
    Message(T),
    /// None came in time.
    Late,
    /// The other side has closed its end.
    Closed,
}

impl<R: Read + AsFd> FrameReader<R> {
    /// A reader of this pipe.
    pub fn new(from: R) -> Self {
        Self { pipe: Pipe::new(from) }
    }

    /// Waits for the next message until the deadline, or for ever without one.
    ///
    /// # Errors
    /// Where the pipe cannot be read, or what comes is no frame.
    pub fn receive<T: DeserializeOwned>(&mut self, deadline: Option<Instant>) -> io::Result<Received<T>> {
        loop {
            if let Some(message) = self.take_frame()? {
                return Ok(Received::Message(message));
            }
            if let Some(deadline) = deadline
                && !self.pipe.wait(deadline)?
            {
                return Ok(Received::Late);
            }
            if self.pipe.fill()? == 0 {
                return Ok(Received::Closed);
            }
        }
    }

    fn take_frame<T: DeserializeOwned>(&mut self) -> io::Result<Option<T>> {
        let Some((length, rest)) = self.pipe.here().split_first_chunk::<4>() else { return Ok(None) };
        let length = u32::from_le_bytes(*length) as usize;
        if length > LARGEST_FRAME {
            return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a frame of {length} bytes")));
        }
        let Some(frame) = rest.get(..length) else { return Ok(None) };
        let message = serde_json::from_slice(frame)?;
        self.pipe.take(4 + length);
        Ok(Some(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn soon() -> Option<Instant> {
        Some(Instant::now() + Duration::from_millis(50))
    }

    #[test]
    fn frames_arrive_whole_late_or_not_at_all() {
        let (read, mut write) = io::pipe().unwrap();
        let mut reader = FrameReader::new(read);
        assert!(matches!(reader.receive::<Reply>(soon()).unwrap(), Received::Late));
        write_frame(&mut write, &Reply::Done).unwrap();
        write_frame(&mut write, &Reply::Created).unwrap();
        assert!(matches!(reader.receive(soon()).unwrap(), Received::Message(Reply::Done)));
        assert!(matches!(reader.receive(None).unwrap(), Received::Message(Reply::Created)));
        write.write_all(&[9, 0, 0, 0, b'"']).unwrap();
        assert!(matches!(reader.receive::<Reply>(soon()).unwrap(), Received::Late));
        drop(write);
        assert!(matches!(reader.receive::<Reply>(None).unwrap(), Received::Closed));
    }

    #[test]
    fn an_absurd_length_is_an_error() {
        let (read, mut write) = io::pipe().unwrap();
        write.write_all(&u32::MAX.to_le_bytes()).unwrap();
        assert!(FrameReader::new(read).receive::<Reply>(soon()).is_err());
    }
}
