//! Writing a records file, one row group at a time.

use std::fs::File;

use polars::error::PolarsResult;
use polars::prelude::{
    ChunkedArray, Column as FrameColumn, DataFrame, IntoColumn, NumericNative, PolarsNumericType,
    StringChunkedBuilder,
};

use super::column::{Column, schema};
use super::layout_error;
use super::sealed::{Effort, SealedWriter};
use crate::record::GameRecord;
use jobs::StoreError;
use platform::confined::ConfinedPath;

/// When a row group is full. Whichever limit is reached first closes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) games: usize,
    pub(super) bytes: usize,
}

impl Limits {
    pub(super) const BYTES: usize = 8 << 20;
}

impl Default for Limits {
    fn default() -> Self {
        Self { games: 4_096, bytes: Self::BYTES }
    }
}

/// Writes a records file row group by row group, holding at most one in memory.
///
/// The file is a valid Parquet file only after [`FileWriter::finish`].
///
/// Which columns it has shows with its first game: that of placed tiles is there if that game has some.
pub(super) struct FileWriter {
    path: ConfinedPath,
    file: File,
    writer: Option<SealedWriter>,
    limits: Limits,
    effort: Effort,
    has_spawns: bool,
    batch: Batch,
}

impl FileWriter {
    /// Writes to a file that is open, and empty.
    pub(super) fn new(
        path: &ConfinedPath,
        file: File,
        limits: Limits,
        effort: Effort,
    ) -> Result<Self, StoreError> {
        let batch = Batch::default();
        Ok(Self { path: path.to_owned(), file, writer: None, limits, effort, has_spawns: false, batch })
    }

    pub(super) fn push(&mut self, game: &GameRecord) -> Result<(), StoreError> {
        let is_first = self.writer.is_none() && self.batch.games == 0;
        if is_first {
            self.has_spawns = game.spawns.is_some();
        } else if self.has_spawns != game.spawns.is_some() {
            let reason = format!("game {} has placed tiles and others have none, or the reverse", game.game);
            return Err(layout_error(&self.path, reason));
        }
        self.batch.push(game);
        if self.batch.is_full(self.limits) {
            self.flush()?;
        }
        Ok(())
    }

    /// Whether the games so far have placed tiles.
    pub(super) const fn has_spawns(&self) -> bool {
        self.has_spawns
    }

    /// Writes the rest and the footer with `metadata` and the seals.
    pub(super) fn finish(mut self, metadata: Vec<(String, String)>) -> Result<(), StoreError> {
        self.flush()?;
        self.open()?;
        self.writer.map_or(Ok(()), |writer| writer.finish(metadata))
    }

    /// Begins the file, now that its columns are known.
    fn open(&mut self) -> Result<&mut SealedWriter, StoreError> {
        let begin = || -> Result<SealedWriter, StoreError> {
            let file = self.file.try_clone().map_err(StoreError::io(&self.path, "create the file"))?;
            SealedWriter::new(&self.path, file, &schema(self.has_spawns), self.effort)
        };
        let writer = match self.writer.take() {
            Some(writer) => writer,
            None => begin()?,
        };
        Ok(self.writer.insert(writer))
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        if self.batch.games == 0 {
            return Ok(());
        }
        let frame = std::mem::take(&mut self.batch).into_frame(self.has_spawns);
        let frame = frame.map_err(StoreError::parquet(&self.path, "build the columns"))?;
        self.open()?.write(&frame)
    }
}

/// The games of the row group being filled, column by column.
#[derive(Default)]
struct Batch {
    games: usize,
    bytes: usize,
    game: Vec<u64>,
    tile_seed: Vec<u64>,
    agent_seed: Vec<u64>,
    score: Vec<u32>,
    max_tile: Vec<u32>,
    moves: Vec<u32>,
    directions: Strings,
    final_board: Strings,
    nodes: Vec<u64>,
    ending: Strings,
    spawns: Strings,
}

impl Batch {
    /// The bytes of a game beside its strings.
    const FIXED_BYTES: usize = 4 * size_of::<u64>() + 3 * size_of::<u32>();

    fn push(&mut self, game: &GameRecord) {
        self.games += 1;
        let spawns = game.spawns.as_deref().unwrap_or("");
        let texts = [&game.directions, &game.final_board, game.ending.name(), spawns];
        self.bytes += Self::FIXED_BYTES + texts.iter().map(|text| text.len()).sum::<usize>();
        self.game.push(game.game);
        self.tile_seed.push(game.tile_seed);
        self.agent_seed.push(game.agent_seed);
        self.score.push(game.score);
        self.max_tile.push(game.max_tile);
        self.moves.push(game.moves);
        self.directions.push(&game.directions);
        self.final_board.push(&game.final_board);
        self.nodes.push(game.nodes);
        self.ending.push(game.ending.name());
        self.spawns.push(spawns);
    }

    fn is_full(&self, limits: Limits) -> bool {
        self.games >= limits.games || self.bytes >= limits.bytes
    }

    /// The columns in the order of [`Column::of`].
    fn into_frame(self, has_spawns: bool) -> PolarsResult<DataFrame> {
        let mut columns = vec![
            numbers(Column::Game, self.game),
            numbers(Column::TileSeed, self.tile_seed),
            numbers(Column::AgentSeed, self.agent_seed),
            numbers(Column::Score, self.score),
            numbers(Column::MaxTile, self.max_tile),
            numbers(Column::Moves, self.moves),
            self.directions.into_column(Column::Directions),
            self.final_board.into_column(Column::FinalBoard),
            numbers(Column::Nodes, self.nodes),
            self.ending.into_column(Column::Ending),
        ];
        if has_spawns {
            columns.push(self.spawns.into_column(Column::Spawns));
        }
        DataFrame::new(self.games, columns)
    }
}

fn numbers<T>(column: Column, values: Vec<T>) -> FrameColumn
where
    T: NumericNative<PolarsType: PolarsNumericType<Native = T>>,
{
    ChunkedArray::<T::PolarsType>::from_vec(column.name().into(), values).into_column()
}

/// A string column being filled.
struct Strings(StringChunkedBuilder);

impl Default for Strings {
    fn default() -> Self {
        Self(StringChunkedBuilder::new("".into(), 0))
    }
}

impl Strings {
    fn push(&mut self, value: &str) {
        self.0.append_value(value);
    }

    fn into_column(self, column: Column) -> FrameColumn {
        self.0.finish().with_name(column.name().into()).into_column()
    }
}
