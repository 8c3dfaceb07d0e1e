//! Reading a records file, one row group at a time.

use std::fs::File;
use std::io::BufReader;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

use polars::error::PolarsResult;
use polars::prelude::{
    DataFrame, FileMetadata, ParallelStrategy, ParquetReader, Schema, SchemaExt, SerReader, StringChunked,
    UInt32Chunked, UInt64Chunked, infer_schema,
};
use polars_parquet_format::PageHeader;
use polars_parquet_format::thrift::protocol::TCompactInputProtocol;

use super::column::{Column, schema};
use super::layout_error;
use super::panic_guard::guarded;
use super::seal::{BYTES_KEY, Extent};
use super::sealed::{Checked, check_seal};
use crate::record::{GameRecord, Outcome};
use jobs::StoreError;
use platform::confined::ConfinedPath;
use platform::open::LARGEST_TEXT;

/// Limits on what a file may unpack to. A few bytes can ask for any amount of memory, even in a file with a
/// valid seal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The most rows in a row group.
    pub(super) rows: usize,
    /// The most bytes in its pages, and in all its texts.
    pub(super) bytes: u64,
}

impl Bounds {
    /// Far above what the records writer puts into a row group.
    const RECORDS: Self = Self { rows: 1 << 16, bytes: 64 << 20 };
    /// A table has one row group: the games of a study, or the times of an experiment.
    pub(super) const TABLE: Self = Self { rows: MOST_ROWS, bytes: 1 << 30 };
}

/// The most rows in a file: as many as the games that a manifest may ask for.
const MOST_ROWS: usize = 10_000_000;
/// The most characters in a last board: sixteen tiles of five digits, with separators.
const LONGEST_BOARD: usize = 128;

/// The footer of a Parquet file: all there is beside the data itself.
#[derive(Debug, Clone)]
pub(super) struct Footer(Arc<FileMetadata>);

impl Footer {
    /// Reads only the end of the file.
    pub(super) fn read(path: &ConfinedPath) -> Result<Self, StoreError> {
        let file = path.open().map_err(StoreError::io(path, "open the file"))?;
        Self::of(path, &file)
    }

    pub(super) fn of(path: &ConfinedPath, file: &File) -> Result<Self, StoreError> {
        let length = footer_length(file).map_err(StoreError::io(path, "read the file"))?;
        if length > LARGEST_TEXT {
            return Err(layout_error(path, format!("its footer has {length} bytes")));
        }
        let metadata = guarded(path, "read the footer", || {
            let mut reader = ParquetReader::new(BufReader::new(file));
            reader.get_metadata().map(Arc::clone)
        })?;
        Ok(Self(metadata))
    }

    pub(super) fn games(&self) -> usize {
        self.0.num_rows
    }

    /// For a reader that would read it once more.
    pub(super) fn metadata(&self) -> Arc<FileMetadata> {
        Arc::clone(&self.0)
    }

    /// The footer of a file with only the row group at `index`.
    fn only(&self, index: usize) -> FileMetadata {
        let group = self.0.row_groups[index].clone();
        let all = &self.0;
        FileMetadata {
            version: all.version,
            num_rows: group.num_rows(),
            max_row_group_height: group.num_rows(),
            created_by: None,
            row_groups: vec![group],
            key_value_metadata: None,
            schema_descr: all.schema_descr.clone(),
            column_orders: None,
            footer_buf: all.footer_buf.clone(),
        }
    }

    /// The byte ranges of the columns of the row group at `index`. Polars panics if they are invalid.
    fn ranges(&self, path: &ConfinedPath, index: usize) -> Result<Vec<Range<u64>>, StoreError> {
        guarded(path, "find the columns", || Ok(self.0.row_groups[index].byte_ranges_iter().collect()))
    }

    /// How many bytes at the start of the file hold the row groups.
    pub(super) fn data_bytes(&self) -> Option<u64> {
        self.value(BYTES_KEY)?.parse().ok()
    }

    pub(super) fn value(&self, key: &str) -> Option<&str> {
        self.entries().find_map(|(k, value)| (k == key).then_some(value))
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, &str)> + Clone {
        self.0
            .key_value_metadata()
            .iter()
            .flatten()
            .filter_map(|pair| Some((pair.key.as_str(), pair.value.as_deref()?)))
    }
}

/// Reads a records file row group by row group.
pub(super) struct FileReader {
    path: ConfinedPath,
    file: File,
    footer: Footer,
    /// Whether its games have placed tiles.
    pub(super) has_spawns: bool,
    /// How much of it a seal covers, and the hash of it all.
    pub(super) checked: Checked,
}

impl FileReader {
    /// Opens a records file and checks it: reads it once as bytes, decoding nothing.
    pub(super) fn open(path: &ConfinedPath) -> Result<Self, StoreError> {
        let file = path.open().map_err(StoreError::io(path, "open the file"))?;
        let footer = Footer::of(path, &file)?;
        let has_spawns = check_schema(path, &footer)?;
        check_rows(path, &footer, Bounds::RECORDS)?;
        check_extents(path, &footer)?;
        let checked = check_seal(path, &file, &footer)?;
        check_pages(path, &file, &footer, Bounds::RECORDS)?;
        if checked.extent == Extent::Nothing {
            return Err(layout_error(path, "it has no seal"));
        }
        Ok(Self { path: path.to_owned(), file, footer, has_spawns, checked })
    }

    pub(super) const fn footer(&self) -> &Footer {
        &self.footer
    }

    /// The row groups in file order, each with `columns` only.
    pub(super) fn row_groups(
        &mut self,
        columns: Vec<Column>,
    ) -> impl Iterator<Item = Result<DataFrame, StoreError>> {
        (0..self.group_count()).map(move |index| self.row_group(index, &columns))
    }

    /// How many row groups there are.
    pub(super) fn group_count(&self) -> usize {
        self.footer.0.row_groups.len()
    }

    /// Reads on this thread, by a footer with this row group only: a slice of the
    /// whole file would walk through the row groups before it.
    pub(super) fn row_group(&mut self, index: usize, columns: &[Column]) -> Result<DataFrame, StoreError> {
        let columns = columns.iter().map(|column| column.name().to_owned()).collect();
        let metadata = self.footer.only(index);
        let rows = metadata.num_rows;
        let frame = guarded(&self.path, "read a row group", || {
            let mut reader = ParquetReader::new(&mut self.file)
                .read_parallel(ParallelStrategy::None)
                .with_columns(Some(columns));
            reader.set_metadata(Arc::new(metadata));
            reader.finish()
        })?;
        check_frame(&self.path, &frame, rows, Bounds::RECORDS)?;
        Ok(frame)
    }
}

/// The games of a row group that was read with all columns.
pub(super) fn games(path: &ConfinedPath, frame: &DataFrame) -> Result<Vec<GameRecord>, StoreError> {
    let columns = PlayColumns::of(frame).map_err(StoreError::parquet(path, "take the columns"))?;
    let outcomes = outcomes(path, frame)?;
    let games = outcomes.into_iter().enumerate().map(|(row, outcome)| columns.game(row, outcome));
    games.collect::<Option<_>>().ok_or_else(|| missing_value(path))
}

/// What came of the games of a row group.
pub(super) fn outcomes(path: &ConfinedPath, frame: &DataFrame) -> Result<Vec<Outcome>, StoreError> {
    let columns = OutcomeColumns::of(frame).map_err(StoreError::parquet(path, "take the columns"))?;
    let outcomes = (0..frame.height()).map(|row| columns.outcome(row));
    outcomes.collect::<Option<_>>().ok_or_else(|| missing_value(path))
}

fn missing_value(path: &ConfinedPath) -> StoreError {
    layout_error(path, "a value is missing, or an ending or a board is invalid")
}

/// The columns that say what came of a game, by their types.
struct OutcomeColumns<'a> {
    game: &'a UInt64Chunked,
    score: &'a UInt32Chunked,
    max_tile: &'a UInt32Chunked,
    moves: &'a UInt32Chunked,
    final_board: &'a StringChunked,
    nodes: &'a UInt64Chunked,
    ending: &'a StringChunked,
}

impl<'a> OutcomeColumns<'a> {
    fn of(frame: &'a DataFrame) -> PolarsResult<Self> {
        let column = |column: Column| frame.column(column.name());
        Ok(Self {
            game: column(Column::Game)?.u64()?,
            score: column(Column::Score)?.u32()?,
            max_tile: column(Column::MaxTile)?.u32()?,
            moves: column(Column::Moves)?.u32()?,
            final_board: column(Column::FinalBoard)?.str()?,
            nodes: column(Column::Nodes)?.u64()?,
            ending: column(Column::Ending)?.str()?,
        })
    }

    /// The outcome in `row`, unless one of its values is null.
    fn outcome(&self, row: usize) -> Option<Outcome> {
        Some(Outcome {
            game: self.game.get(row)?,
            score: self.score.get(row)?,
            max_tile: self.max_tile.get(row)?,
            moves: self.moves.get(row)?,
            final_board: self.final_board.get(row).filter(|board| board.len() <= LONGEST_BOARD)?.to_owned(),
            nodes: self.nodes.get(row)?,
            ending: self.ending.get(row)?.parse().ok()?,
        })
    }
}

/// The columns that a replay needs beside the outcome.
struct PlayColumns<'a> {
    tile_seed: &'a UInt64Chunked,
    agent_seed: &'a UInt64Chunked,
    directions: &'a StringChunked,
    /// In files whose games have placed tiles.
    spawns: Option<&'a StringChunked>,
}

impl<'a> PlayColumns<'a> {
    fn of(frame: &'a DataFrame) -> PolarsResult<Self> {
        let column = |column: Column| frame.column(column.name());
        Ok(Self {
            tile_seed: column(Column::TileSeed)?.u64()?,
            agent_seed: column(Column::AgentSeed)?.u64()?,
            directions: column(Column::Directions)?.str()?,
            spawns: column(Column::Spawns).ok().map(|column| column.str()).transpose()?,
        })
    }

    /// The game in `row`, unless one of its values is null.
    fn game(&self, row: usize, outcome: Outcome) -> Option<GameRecord> {
        Some(GameRecord {
            game: outcome.game,
            tile_seed: self.tile_seed.get(row)?,
            agent_seed: self.agent_seed.get(row)?,
            score: outcome.score,
            max_tile: outcome.max_tile,
            moves: outcome.moves,
            directions: self.directions.get(row)?.to_owned(),
            final_board: outcome.final_board,
            nodes: outcome.nodes,
            ending: outcome.ending,
            spawns: match self.spawns {
                Some(spawns) => Some(spawns.get(row)?.to_owned()),
                None => None,
            },
        })
    }
}

/// The file must have the columns of a records file, in order and with their types. Returns whether there are
/// placed tiles.
fn check_schema(path: &ConfinedPath, footer: &Footer) -> Result<bool, StoreError> {
    let found = guarded(path, "read the schema", || {
        infer_schema(&footer.0).map(|found| Schema::from_arrow_schema(&found))
    })?;
    let kinds = [false, true].into_iter().find(|&has_spawns| found == *schema(has_spawns));
    kinds.ok_or_else(|| layout_error(path, format!("its columns are {found:?}")))
}

/// The length of the footer, as the last bytes of the file state it.
fn footer_length(file: &File) -> std::io::Result<u64> {
    let mut end = [0; 8];
    match file.metadata()?.len().checked_sub(end.len() as u64) {
        Some(at) => file.read_exact_at(&mut end, at)?,
        None => return Ok(0),
    }
    // Polars reports any other ending of the file.
    let [a, b, c, d, b'P', b'A', b'R', b'1'] = end else { return Ok(0) };
    Ok(u32::from_le_bytes([a, b, c, d]).into())
}

/// Checks that the row groups add up and are no larger than any writer makes them: polars does not.
pub(super) fn check_rows(path: &ConfinedPath, footer: &Footer, bounds: Bounds) -> Result<(), StoreError> {
    let groups = &footer.0.row_groups;
    let rows = groups.iter().try_fold(0_usize, |sum, group| sum.checked_add(group.num_rows()));
    let is_bounded =
        footer.games() <= MOST_ROWS && groups.iter().all(|group| group.num_rows() <= bounds.rows);
    if is_bounded && rows == Some(footer.games()) { Ok(()) } else { Err(misfit(path)) }
}

/// Checks that the row groups lie in the digested bytes: polars does not.
pub(super) fn check_extents(path: &ConfinedPath, footer: &Footer) -> Result<(), StoreError> {
    for group in 0..footer.0.row_groups.len() {
        if footer.ranges(path, group)?.iter().any(|range| Some(range.end) > footer.data_bytes()) {
            return Err(misfit(path));
        }
    }
    Ok(())
}

fn misfit(path: &ConfinedPath) -> StoreError {
    layout_error(path, "its row groups do not fit it")
}

/// Checks that the pages of a row group do not unpack to more than any writer stores. Polars allocates as
/// much memory as a page asks for.
pub(super) fn check_pages(
    path: &ConfinedPath,
    file: &File,
    footer: &Footer,
    bounds: Bounds,
) -> Result<(), StoreError> {
    let wrong = || layout_error(path, "its pages do not match its footer");
    let length = file.metadata().map_err(StoreError::io(path, "read the file"))?.len();
    for group in 0..footer.0.row_groups.len() {
        let mut unpacked = 0_u64;
        for range in footer.ranges(path, group)? {
            let bytes = range.end.min(length).checked_sub(range.start).ok_or_else(wrong)?;
            let mut chunk = vec![0; bytes as usize];
            file.read_exact_at(&mut chunk, range.start).map_err(StoreError::io(path, "read the file"))?;
            unpacked = unpacked.saturating_add(unpacked_bytes(&chunk).ok_or_else(wrong)?);
        }
        if unpacked > bounds.bytes {
            return Err(layout_error(path, format!("a row group unpacks to {unpacked} bytes")));
        }
    }
    Ok(())
}

/// The unpacked size that the pages of a column state; `None` if the bytes are not pages.
fn unpacked_bytes(mut pages: &[u8]) -> Option<u64> {
    let mut unpacked = 0;
    while !pages.is_empty() {
        let mut protocol = TCompactInputProtocol::new(&mut pages, LARGEST_TEXT as usize);
        let header = PageHeader::read_from_in_protocol(&mut protocol).ok()?;
        unpacked += u64::try_from(header.uncompressed_page_size).ok()?;
        pages = pages.get(usize::try_from(header.compressed_page_size).ok()?..)?;
    }
    Some(unpacked)
}

/// Polars builds the frame without checking the lengths of columns. Many rows may also share one text, and
/// later each row gets its own copy.
pub(super) fn check_frame(
    path: &ConfinedPath,
    frame: &DataFrame,
    rows: usize,
    bounds: Bounds,
) -> Result<(), StoreError> {
    let length = |text: Option<&str>| text.map_or(0, str::len) as u64;
    let texts = frame.columns().iter().filter_map(|column| column.str().ok());
    let bytes: u64 = texts.map(|texts| texts.iter().map(length).sum::<u64>()).sum();
    if bytes > bounds.bytes {
        return Err(layout_error(path, format!("the texts of a row group have {bytes} bytes")));
    }
    match frame.columns().iter().find(|column| column.len() != rows) {
        Some(column) => {
            let reason = format!("{} has {} of {rows} rows", column.name(), column.len());
            Err(layout_error(path, reason))
        }
        None => Ok(()),
    }
}
