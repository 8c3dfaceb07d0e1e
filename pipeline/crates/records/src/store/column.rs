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
    Spawns,
}

impl Column {
    /// Those of every file.
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

    /// Those of a file whose games have placed tiles, or have none.
    pub(super) fn of(has_spawns: bool) -> Vec<Self> {
        Self::ALL.into_iter().chain(has_spawns.then_some(Self::Spawns)).collect()
    }

    /// Those that say what came of a game.
    pub const OUTCOME: [Self; 7] =
        [Self::Game, Self::Score, Self::MaxTile, Self::Moves, Self::FinalBoard, Self::Nodes, Self::Ending];

    /// Its name in the file.
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
            Self::Spawns => "spawns",
        }
    }

    const fn dtype(self) -> DataType {
        match self {
            Self::Game | Self::TileSeed | Self::AgentSeed | Self::Nodes => DataType::UInt64,
            Self::Score | Self::MaxTile | Self::Moves => DataType::UInt32,
            Self::Directions | Self::FinalBoard | Self::Ending | Self::Spawns => DataType::String,
        }
    }
}

pub(super) fn schema(has_spawns: bool) -> SchemaRef {
    let fields = Column::of(has_spawns).into_iter();
    let fields = fields.map(|column| Field::new(column.name().into(), column.dtype()));
    SchemaRef::new(Schema::from_iter(fields))
}
