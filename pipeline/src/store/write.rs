//! Writing a records file, one row group at a time.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use polars::error::PolarsResult;
use polars::io::parquet::write::BatchedWriter;
use polars::prelude::{
    ChunkedArray, Column as FrameColumn, DataFrame, IntoColumn, KeyValueMetadata, NumericNative,
    ParquetCompression, ParquetMetadataContext, ParquetWriter, PolarsNumericType, StatisticsOptions,
    StringChunkedBuilder,
};

use super::column::{Column, schema};
use super::error::StoreError;
use super::seal::{BYTES_KEY, SEAL_KEY, Summed, Watch};
use crate::record::GameRecord;

type Sink = Summed<BufWriter<File>>;

/// When a row group is full. Whichever limit is reached first closes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) games: usize,
    pub(super) bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { games: 4_096, bytes: 8 << 20 }
    }
}

/// Writes a records file row group by row group, holding at most one in memory.
///
/// The file is a valid Parquet file only after [`FileWriter::finish`].
pub(super) struct FileWriter {
    path: PathBuf,
    writer: BatchedWriter<Sink>,
    watch: Watch,
    limits: Limits,
    batch: Batch,
}

impl FileWriter {
    pub(super) fn create(path: &Path, limits: Limits) -> Result<Self, StoreError> {
        let file = File::create(path).map_err(StoreError::io(path, "create the file"))?;
        let (sink, watch) = Summed::new(BufWriter::new(file));
        let writer = ParquetWriter::new(sink)
            .with_compression(ParquetCompression::Zstd(None))
            .with_statistics(StatisticsOptions::empty())
            .set_parallel(false)
            .batched(&schema())
            .map_err(watch.failed(path, "start the file"))?;
        Ok(Self { path: path.to_owned(), writer, watch, limits, batch: Batch::default() })
    }

    pub(super) fn push(&mut self, game: &GameRecord) -> Result<(), StoreError> {
        self.batch.push(game);
        if self.batch.is_full(self.limits) {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the rest and the footer with `metadata` and the digest. Returns
    /// the size of the file.
    ///
    /// The metadata is given here, not at the start, so that it can hold what
    /// is only known after the last game.
    pub(super) fn finish(mut self, mut metadata: Vec<(String, String)>) -> Result<u64, StoreError> {
        self.flush()?;
        self.seal(&mut metadata);
        write_footer(&self.writer, metadata).map_err(self.watch.failed(&self.path, "write the footer"))
    }

    /// Adds what a reader needs to check the file before decoding it.
    fn seal(&self, metadata: &mut Vec<(String, String)>) {
        let sum = self.watch.sum();
        metadata.push((BYTES_KEY.into(), sum.bytes().to_string()));
        let digest = sum.with(metadata.iter().map(|(k, v)| (k.as_str(), v.as_str())));
        metadata.push((SEAL_KEY.into(), digest));
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        if self.batch.games == 0 {
            return Ok(());
        }
        std::mem::take(&mut self.batch)
            .into_frame()
            .and_then(|frame| self.writer.write_batch(&frame))
            .map_err(self.watch.failed(&self.path, "write a row group"))
    }
}

/// Ends the file. `BatchedWriter::finish` would write the metadata fixed at the
/// start; the writer below it takes it here. Polars' own `ARROW:schema` entry is
/// left out: the Parquet types say it all, and readers then see plain strings.
fn write_footer(writer: &BatchedWriter<Sink>, metadata: Vec<(String, String)>) -> PolarsResult<u64> {
    let context = ParquetMetadataContext { arrow_schema: "" };
    let pairs = KeyValueMetadata::from_static(metadata).collect(context)?;
    let mut file = writer.get_writer().lock().unwrap_or_else(PoisonError::into_inner);
    file.end(Some(pairs))
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
}

impl Batch {
    /// The bytes of a game beside its strings.
    const FIXED_BYTES: usize = 4 * size_of::<u64>() + 3 * size_of::<u32>();

    fn push(&mut self, game: &GameRecord) {
        self.games += 1;
        self.bytes +=
            Self::FIXED_BYTES + game.directions.len() + game.final_board.len() + game.ending.name().len();
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
    }

    fn is_full(&self, limits: Limits) -> bool {
        self.games >= limits.games || self.bytes >= limits.bytes
    }

    /// The columns in the order of [`Column::ALL`].
    fn into_frame(self) -> PolarsResult<DataFrame> {
        let columns = vec![
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
