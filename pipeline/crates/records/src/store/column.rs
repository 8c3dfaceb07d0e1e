//! The columns of a records file.

use polars::prelude::{DataType, Field, Schema, SchemaRef};

/// The columns of a records file, in file order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Column {
    Game,
    TileSeed,
    AgentSeed,
    Score,
    MaxTile,
    Moves,
    Directions,
    FinalBoard,
    Nodes,
    Ending,
}

impl Column {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Game,
        Self::TileSeed,
        Self::AgentSeed,
        Self::Score,
        Self::MaxTile,
        Self::Moves,
        Self::Directions,
        Self::FinalBoard,
        Self::Nodes,
        Self::Ending,
    ];

    /// Those that say what came of a game.
    pub const OUTCOME: [Self; 7] =
        [Self::Game, Self::Score, Self::MaxTile, Self::Moves, Self::FinalBoard, Self::Nodes, Self::Ending];

    /// Its name in the file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::TileSeed => "tile_seed",
            Self::AgentSeed => "agent_seed",
            Self::Score => "score",
            Self::MaxTile => "max_tile",
            Self::Moves => "moves",
            Self::Directions => "directions",
            Self::FinalBoard => "final_board",
            Self::Nodes => "nodes",
            Self::Ending => "ending",
        }
    }

    const fn dtype(self) -> DataType {
        match self {
            Self::Game | Self::TileSeed | Self::AgentSeed | Self::Nodes => DataType::UInt64,
            Self::Score | Self::MaxTile | Self::Moves => DataType::UInt32,
            Self::Directions | Self::FinalBoard | Self::Ending => DataType::String,
        }
    }
}

pub(super) fn schema() -> SchemaRef {
    let fields = Column::ALL.map(|column| Field::new(column.name().into(), column.dtype()));
    SchemaRef::new(Schema::from_iter(fields))
}
