//! What an agent is: the trait that an author implements, and the words in which it speaks with the host.
//!
//! An author writes safe code only: implement [`Agent`], then name the types in [`crate::export_agents!`],
//! which puts the C boundary of [`crate::abi`] around them. `agents/random` is the smallest whole example.

use std::fmt;
use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use crate::abi::export::Host;
use crate::abi::raw;
use crate::board::{Afterstate, Board};
use crate::direction::{Direction, Directions};
use crate::game::Game;
use crate::placement::Placement;
use crate::rules::Rules;
use crate::seed::AgentSeed;
use crate::slide::Slide;

/// A player of 2048.
///
/// The same rules, parameters, seed, budget and positions must give the same decisions, on every machine and
/// whatever games were played before. `engine::conformance` tests that.
pub trait Agent: Sized + 'static {
    /// What can be set about the agent. Fields that a manifest leaves out have the value of `Default`;
    /// unknown ones are rejected before [`Agent::create`] is called.
    type Params: Params;

    /// Who the agent is and what it can do.
    const ABOUT: About;

    /// The roles of the files that the agent needs, such as `weights`; it loads them by [`Host::file`]. Most
    /// agents need none.
    const FILES: &'static [&'static str] = &[];

    /// Makes an agent for games under these rules.
    ///
    /// # Errors
    /// Returns an error if the parameters are out of range, or if the agent cannot model the rules.
    fn create(rules: &Rules, params: Self::Params, host: Host) -> Result<Self, Refusal>;

    /// Starts a new game. The agent must forget everything of earlier games; one without state has nothing to
    /// do.
    fn new_game(&mut self, seed: AgentSeed) {
        let _ = seed;
    }

    /// Chooses a move.
    ///
    /// # Errors
    /// Returns an error if the agent cannot go on. The game ends there, as a fault.
    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure>;

    /// Places the tile that is worst for the agent itself, by its own evaluation, after the slide that it
    /// chose last. Called under [`crate::Spawning::Adversarial`] only, for agents with
    /// [`Capabilities::SPAWNER`].
    ///
    /// # Errors
    /// Returns an error if the agent cannot go on. The game ends there, as a fault.
    fn place_tile(&mut self, slid: &SlidPosition) -> Result<TileDecision, Failure> {
        let _ = slid;
        Err("the agent does not place tiles".into())
    }

    /// Computes the value of each move of the last decision, for agents whose decisions come without
    /// [`Decision::values`].
    fn move_values(&self) -> Option<MoveValues> {
        None
    }
}

/// What can be a type of parameters.
pub trait Params: Default + Serialize + DeserializeOwned + JsonSchema + 'static {}

impl<P: Default + Serialize + DeserializeOwned + JsonSchema + 'static> Params for P {}

/// Declares parameters together with their defaults: `name: type = default`.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// engine::params! {
///     /// What can be set.
///     #[derive(Serialize, Deserialize, JsonSchema)]
///     pub struct Params {
///         /// How many moves the agent looks ahead.
///         depth: u32 = 3,
///     }
/// }
/// assert_eq!(Params::default().depth, 3);
/// ```
#[macro_export]
macro_rules! params {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($(#[$field_meta:meta])* $visibility:vis $field:ident: $type:ty = $default:expr,)+
        }
    ) => {
        $(#[$meta])*
        pub struct $name {
            $($(#[$field_meta])* $visibility $field: $type,)+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }
    };
}

/// Who an agent is and what it can do.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// What manifests call it: lower-case letters, digits, `-` and `_`.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// The version of its behaviour.
    pub version: &'static str,
    /// The citation of its method; empty where there is none.
    pub paper: &'static str,
    /// Its licence as an SPDX expression.
    pub licence: &'static str,
    /// The budgets that it takes.
    pub capabilities: Capabilities,
}

impl About {
    /// Version 1.0.0 of an agent under the MIT licence.
    pub const fn new(
        id: &'static str,
        name: &'static str,
        paper: &'static str,
        capabilities: Capabilities,
    ) -> Self {
        Self { id, name, version: "1.0.0", paper, licence: "MIT", capabilities }
    }
}

/// What an agent can do, as the bits of the ABI. The bit of a budget is that of its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capabilities(u64);

impl Capabilities {
    /// Plays without a budget.
    pub const NO_BUDGET: Self = Self(1 << 0);
    /// Takes a search depth in plies.
    pub const PLIES: Self = Self(1 << 1);
    /// Takes a number of expanded nodes.
    pub const NODES: Self = Self(1 << 2);
    /// Takes a number of playouts.
    pub const PLAYOUTS: Self = Self(1 << 3);
    /// Takes wall time.
    pub const TIME: Self = Self(1 << 4);
    /// Looks at its budget only between larger pieces of work, so that it may spend more than it was given.
    pub const OVERRUNS: Self = Self(1 << 5);
    /// Places the tiles of adversarial games.
    pub const SPAWNER: Self = Self(1 << 6);

    /// All the bits of `self` and `other`.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all bits of `other` are set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether a budget of this kind is taken.
    pub const fn takes(self, budget: Budget) -> bool {
        self.contains(budget.capability())
    }

    /// The bits as they cross the boundary. Unknown ones are kept, and mean nothing.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The bits as they cross the boundary.
    pub const fn bits(self) -> u64 {
        self.0
    }
}

/// How much an agent may use for one move. All but the time are counts: exact, and the same on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Budget {
    /// The agent takes what its method takes.
    #[default]
    None,
    /// The depth of the search, in moves of either side.
    Plies(u64),
    /// Positions that the search expands.
    Nodes(u64),
    /// Games played to their end.
    Playouts(u64),
    /// Wall time in nanoseconds. Results under such a budget cannot be reproduced.
    TimeNs(u64),
}

impl Budget {
    /// The kind's code and the amount, as they cross the boundary.
    pub(crate) const fn code(self) -> (u32, u64) {
        match self {
            Self::None => (raw::budget::NONE, 0),
            Self::Plies(plies) => (raw::budget::PLIES, plies),
            Self::Nodes(nodes) => (raw::budget::NODES, nodes),
            Self::Playouts(playouts) => (raw::budget::PLAYOUTS, playouts),
            Self::TimeNs(time_ns) => (raw::budget::TIME, time_ns),
        }
    }

    /// Reads a kind's code and an amount; none if the kind is unknown.
    pub(crate) const fn from_code(kind: u32, amount: u64) -> Option<Self> {
        Some(match kind {
            raw::budget::NONE => Self::None,
            raw::budget::PLIES => Self::Plies(amount),
            raw::budget::NODES => Self::Nodes(amount),
            raw::budget::PLAYOUTS => Self::Playouts(amount),
            raw::budget::TIME => Self::TimeNs(amount),
            _ => return None,
        })
    }

    /// The capability that an agent needs to take a budget of this kind.
    pub const fn capability(self) -> Capabilities {
        Capabilities(1 << self.code().0)
    }

    /// How much there is of it; nothing for [`Budget::None`].
    pub const fn amount(self) -> u64 {
        self.code().1
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (one, more) = match self {
            Self::None => return f.write_str("no budget"),
            Self::Plies(_) => ("ply", "plies"),
            Self::Nodes(_) => ("node", "nodes"),
            Self::Playouts(_) => ("playout", "playouts"),
            Self::TimeNs(_) => ("ns", "ns"),
        };
        let amount = self.amount();
        write!(f, "{amount} {}", if amount == 1 { one } else { more })
    }
}

/// A board that awaits the agent's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The board.
    pub board: Board,
    /// The legal directions: at least one.
    pub legal: Directions,
    /// The points so far.
    pub score: u64,
    /// The moves played so far.
    pub move_number: u64,
    /// What this move may use.
    pub budget: Budget,
}

impl Position {
    /// The board of a game in progress.
    pub fn of_game(game: &Game, budget: Budget) -> Self {
        Self {
            board: game.board(),
            legal: game.legal_moves(),
            score: u64::from(game.score()),
            move_number: u64::from(game.moves()),
            budget,
        }
    }

    /// A board at the beginning of a game, without a budget. `None` if it has no legal move.
    pub fn of_board(board: Board) -> Option<Self> {
        let legal = board.legal_moves();
        (!legal.is_empty()).then_some(Self { board, legal, score: 0, move_number: 0, budget: Budget::None })
    }

    /// What awaits a tile after a slide of this board.
    pub fn slid(&self, slide: &Slide) -> SlidPosition {
        SlidPosition {
            afterstate: slide.afterstate,
            score: self.score + u64::from(slide.reward),
            move_number: self.move_number,
            budget: self.budget,
        }
    }
}

/// A board that has slid and awaits the agent's tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlidPosition {
    /// The board: it has an empty cell.
    pub afterstate: Afterstate,
    /// The points so far, the slide's included.
    pub score: u64,
    /// The moves played before this one.
    pub move_number: u64,
    /// What the tile may use.
    pub budget: Budget,
}

/// The tile that an agent places, and what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileDecision {
    /// The tile and its cell.
    pub tile: Placement,
    /// Positions expanded; 0 where the method has none.
    pub nodes: u64,
    /// How much of the budget was used, in the budget's unit.
    pub spent: u64,
}

/// What an agent decides, and what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The move.
    pub direction: Direction,
    /// Positions expanded; 0 where the method has none.
    pub nodes: u64,
    /// How much of the budget was used, in the budget's unit.
    pub spent: u64,
    /// Plies looked ahead; 0 where the method has no depth.
    pub depth: u32,
    /// The agent's estimate of the position, in whatever unit it thinks.
    pub value: Option<f64>,
    /// The agent's value of each move, if it has them at hand. A host gets them from its own `move_values`.
    pub values: Option<MoveValues>,
}

impl Decision {
    /// A move without any figures to it.
    pub const fn new(direction: Direction) -> Self {
        Self { direction, nodes: 0, spent: 0, depth: 0, value: None, values: None }
    }
}

/// What an agent thinks of each move, by the direction's number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveValues {
    /// The values; none if a move is illegal or was not looked at.
    pub value: [Option<f64>; 4],
    /// Positions expanded for each move.
    pub nodes: [u64; 4],
}

impl MoveValues {
    /// Sets what is known of a move.
    #[inline]
    pub const fn set(&mut self, direction: Direction, value: f64, nodes: u64) {
        self.value[direction as usize] = Some(value);
        self.nodes[direction as usize] = nodes;
    }

    /// Positions expanded for all moves.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().sum()
    }

    /// The decision for the move that [`Self::first_best`] names, from a search to this depth.
    pub fn decide(&self, order: [Direction; 4], depth: u32, spent: u64) -> Result<Decision, Failure> {
        let (direction, value) = self.first_best(order).ok_or("the position has no legal move")?;
        let (value, values) = (Some(value), Some(*self));
        Ok(Decision { direction, nodes: self.total_nodes(), spent, depth, value, values })
    }

    /// The move with the largest value and that value; of equals the first in `order`. `None` if no move has
    /// a value.
    ///
    /// ```
    /// use engine::Direction::{Down, Left, Right, Up};
    /// use engine::agent::MoveValues;
    ///
    /// let values = MoveValues { value: [Some(1.0), Some(4.0), None, Some(4.0)], nodes: [0; 4] };
    /// assert_eq!(values.first_best([Up, Right, Down, Left]), Some((Right, 4.0)));
    /// assert_eq!(values.first_best([Left, Up, Right, Down]), Some((Left, 4.0)));
    /// assert_eq!(MoveValues::default().first_best([Up, Right, Down, Left]), None);
    /// ```
    pub fn first_best(&self, order: [Direction; 4]) -> Option<(Direction, f64)> {
        let valued =
            order.into_iter().filter_map(|direction| Some((direction, self.value[direction as usize]?)));
        valued.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }
}

/// Why an agent is not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A parameter is wrong; the text names it and says what it must be.
    Params(String),
    /// The agent cannot model these rules.
    Rules(String),
    /// Something else is wrong.
    Failed(String),
}

impl Refusal {
    /// Refuses a parameter that is out of its range.
    pub fn out_of_range<T: PartialOrd + fmt::Display>(
        name: &str,
        value: T,
        range: RangeInclusive<T>,
    ) -> Result<(), Self> {
        if range.contains(&value) {
            return Ok(());
        }
        let (low, high) = range.into_inner();
        Err(Self::Params(format!("parameter `{name}` is {value}: it must be from {low} to {high}")))
    }
}

/// Checks every number among some parameters; `range` gives the allowed range by the parameter's name.
pub fn check_numbers(
    params: &impl Serialize,
    range: impl Fn(&str) -> RangeInclusive<f64>,
) -> Result<(), Refusal> {
    let params = serde_json::to_value(params).map_err(|error| Refusal::Params(error.to_string()))?;
    let numbers = params.as_object().into_iter().flatten();
    numbers
        .filter_map(|(name, value)| Some((name, value.as_f64()?)))
        .try_for_each(|(name, number)| Refusal::out_of_range(name, number, range(name)))
}

/// Why an agent has no move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Failure(pub String);

impl<T: Into<String>> From<T> for Failure {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

/// How serious a line of log is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u32)]
#[allow(missing_docs)]
pub enum Level {
    Debug = 0,
    Info = 1,
    Warn = 2,
    Error = 3,
}
