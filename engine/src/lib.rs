//! The game of 2048 and the boundary at which agents play it.
//!
//! The game comes first: [`board`], [`rules`], [`slide`], [`seed`], [`spawn`], [`placement`], [`game`], with
//! [`naive`] as its oracle, and [`playout`], which plays games to their end as fast as one core can;
//! [`model`], [`memo`] and [`row_table`] serve searches. A result must be the same on every machine, so the
//! crate does no I/O, reads no clock, starts no thread, and draws every random number from a seed by integer
//! arithmetic.
//!
//! Then the boundary: [`agent`] is what an author implements, [`training`] what one adds for an agent that
//! learns, [`abi`] the stable C form of it that plugins are loaded through, [`conformance`] what every agent
//! must pass, and [`signature`] the fingerprint of its decisions.

pub mod abi;
pub mod agent;
pub mod board;
pub mod conformance;
pub mod direction;
pub mod game;
pub mod memo;
pub mod model;
pub mod naive;
pub mod placement;
pub mod playout;
pub mod row_table;
pub mod rules;
pub mod seed;
pub mod signature;
pub mod slide;
pub mod spawn;
pub mod text;
pub mod training;

pub use board::{Afterstate, Board, Grid};
pub use direction::{Direction, Directions};
pub use game::{Ending, Game, IllegalMove, TurnError};
pub use model::Model;
pub use placement::{IllegalTile, Placement};
pub use playout::{Evaluation, Playout, Playouts};
pub use row_table::RowTable;
pub use rules::{Merging, Odds, Rules, Scatter, Spawning, Start, StopTile};
pub use seed::{AgentSeed, Rng, TileSeed};
pub use slide::{Slide, Slides};
pub use text::TextError;

/// What most agents need: `use engine::prelude::*`.
pub mod prelude {
    pub use schemars::JsonSchema;
    pub use serde::{Deserialize, Serialize};

    pub use crate::agent::{
        About, Agent, Budget, Capabilities, Decision, Failure, Host, MoveValues, Position, Refusal,
        check_numbers,
    };
    pub use crate::{
        Afterstate, AgentSeed, Board, Direction, Grid, Model, Odds, Rng, RowTable, Rules, Slide,
    };
}
