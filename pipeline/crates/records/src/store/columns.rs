//! The columns of tables: how they are built, and how their cells are read.

use polars::error::PolarsResult;
use polars::prelude::{
    Column, DataFrame, DataType, Field, Float64Chunked, IntoColumn as _, NamedFrom, Schema, SchemaRef,
    Series, StringChunked, UInt32Chunked, UInt64Chunked,
};

use crate::{GameRecord, Outcome};

/// A column of a table.
pub fn column<T, K: ?Sized>(name: &str, values: Vec<T>) -> Column
where
    Series: NamedFrom<Vec<T>, K>,
{
    Series::new(name.into(), values).into_column()
}

/// The cells of a table. One is `None` if the column is missing or has another type, or the row lacks it.
pub struct Cells<'a>(Vec<(&'a str, Values<'a>)>);

enum Values<'a> {
    U32(&'a UInt32Chunked),
    U64(&'a UInt64Chunked),
    F64(&'a Float64Chunked),
    Text(&'a StringChunked),
}

#[allow(missing_docs)]
impl<'a> Cells<'a> {
    /// The cells of a frame. Its columns are found once: a lookup by the frame costs more than a cell.
    pub fn new(frame: &'a DataFrame) -> Self {
        let values = |column: &'a Column| match column.dtype() {
            DataType::UInt32 => column.u32().ok().map(Values::U32),
            DataType::UInt64 => column.u64().ok().map(Values::U64),
            DataType::Float64 => column.f64().ok().map(Values::F64),
            _ => column.str().ok().map(Values::Text),
        };
        let columns = frame.columns().iter();
        Self(columns.filter_map(|column| Some((column.name().as_str(), values(column)?))).collect())
    }

    fn column(&self, name: &str) -> Option<&Values<'a>> {
        self.0.iter().find(|(own, _)| *own == name).map(|(_, values)| values)
    }

    pub fn u32(&self, column: &str, row: usize) -> Option<u32> {
        let Values::U32(values) = self.column(column)? else { return None };
        values.get(row)
    }

    pub fn u64(&self, column: &str, row: usize) -> Option<u64> {
        let Values::U64(values) = self.column(column)? else { return None };
        values.get(row)
    }

    pub fn f64(&self, column: &str, row: usize) -> Option<f64> {
        let Values::F64(values) = self.column(column)? else { return None };
        values.get(row)
    }

    pub fn text(&self, column: &str, row: usize) -> Option<&'a str> {
        let Values::Text(values) = self.column(column)? else { return None };
        values.get(row)
    }
}

/// The columns of every records file, in file order.
pub const COLUMNS: [&str; 10] = [
    "game",
    "tile_seed",
    "agent_seed",
    "score",
    "max_tile",
    "moves",
    "directions",
    "final_board",
    "nodes",
    "ending",
];

/// The columns of an outcome.
pub(super) const OUTCOME: [&str; 7] =
    ["game", "score", "max_tile", "moves", "final_board", "nodes", "ending"];

/// The last column of a file whose games have placed tiles.
const SPAWNS: &str = "spawns";

/// The most characters in a last board: sixteen tiles of five digits, with separators.
const LONGEST_BOARD: usize = 128;

/// The columns of a file whose games have placed tiles, or have none.
pub(super) fn names(has_spawns: bool) -> Vec<&'static str> {
    COLUMNS.into_iter().chain(has_spawns.then_some(SPAWNS)).collect()
}

pub(super) fn schema(has_spawns: bool) -> SchemaRef {
    let field = |name: &str| {
        let dtype = match name {
            "game" | "tile_seed" | "agent_seed" | "nodes" => DataType::UInt64,
            "score" | "max_tile" | "moves" => DataType::UInt32,
            _ => DataType::String,
        };
        Field::new(name.into(), dtype)
    };
    SchemaRef::new(Schema::from_iter(names(has_spawns).into_iter().map(field)))
}

/// The frame of some games.
pub(super) fn frame(games: &[GameRecord], has_spawns: bool) -> PolarsResult<DataFrame> {
    let u64s =
        |name, value: fn(&GameRecord) -> u64| column(name, games.iter().map(value).collect::<Vec<u64>>());
    let u32s =
        |name, value: fn(&GameRecord) -> u32| column(name, games.iter().map(value).collect::<Vec<u32>>());
    let texts =
        |name, value: fn(&GameRecord) -> &str| column(name, games.iter().map(value).collect::<Vec<&str>>());
    let mut columns = vec![
        u64s("game", |game| game.game),
        u64s("tile_seed", |game| game.tile_seed),
        u64s("agent_seed", |game| game.agent_seed),
        u32s("score", |game| game.score),
        u32s("max_tile", |game| game.max_tile),
        u32s("moves", |game| game.moves),
        texts("directions", |game| &game.directions),
        texts("final_board", |game| &game.final_board),
        u64s("nodes", |game| game.nodes),
        texts("ending", |game| game.ending.name()),
    ];
    if has_spawns {
        columns.push(texts(SPAWNS, |game| game.spawns.as_deref().unwrap_or("")));
    }
    DataFrame::new(games.len(), columns)
}

/// The outcome in a row.
pub(super) fn outcome(cells: &Cells<'_>, row: usize) -> Option<Outcome> {
    Some(Outcome {
        game: cells.u64("game", row)?,
        score: cells.u32("score", row)?,
        max_tile: cells.u32("max_tile", row)?,
        moves: cells.u32("moves", row)?,
        final_board: cells.text("final_board", row).filter(|board| board.len() <= LONGEST_BOARD)?.to_owned(),
        nodes: cells.u64("nodes", row)?,
        ending: cells.text("ending", row)?.parse().ok()?,
    })
}

/// The game in a row.
pub(super) fn game(cells: &Cells<'_>, row: usize) -> Option<GameRecord> {
    let Outcome { game, score, max_tile, moves, final_board, nodes, ending } = outcome(cells, row)?;
    Some(GameRecord {
        game,
        tile_seed: cells.u64("tile_seed", row)?,
        agent_seed: cells.u64("agent_seed", row)?,
        score,
        max_tile,
        moves,
        directions: cells.text("directions", row)?.to_owned(),
        final_board,
        nodes,
        ending,
        spawns: match cells.column(SPAWNS) {
            Some(_) => Some(cells.text(SPAWNS, row)?.to_owned()),
            None => None,
        },
    })
}
