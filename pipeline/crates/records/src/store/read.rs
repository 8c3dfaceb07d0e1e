//! Reading a records file, one row group at a time.

use std::fs::File;
use std::io::BufReader;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

use polars::prelude::{
    DataFrame, FileMetadata, ParallelStrategy, ParquetReader, Schema, SchemaExt, SerReader, infer_schema,
};
use polars_parquet_format::PageHeader;
use polars_parquet_format::thrift::protocol::TCompactInputProtocol;

use super::columns::{Cells, OUTCOME, game, names, outcome, schema};
use super::panic_guard::guarded;
use super::seal::{BYTES_KEY, Extent};
use super::sealed::{Checked, check_seal};
use super::{RecordsSummary, check_spawns, layout_error};
use crate::{GameRecord, Outcome};
use jobs::StoreError;
use platform::{ConfinedPath, LARGEST_TEXT};

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

/// Reads a records file, row group by row group.
pub struct RecordsReader {
    path: ConfinedPath,
    file: File,
    footer: Footer,
    has_spawns: bool,
    checked: Checked,
    /// What the file says of itself.
    pub summary: RecordsSummary,
}

impl RecordsReader {
    /// Opens a file and checks it: reads it once as bytes, decoding nothing.
    pub fn open(path: &ConfinedPath) -> Result<Self, StoreError> {
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
        let summary = RecordsSummary::of(path, &footer)?;
        check_spawns(path, has_spawns, &summary.header)?;
        Ok(Self { path: path.to_owned(), file, footer, has_spawns, checked, summary })
    }

    /// How much of the file its seal covers; the rest of an older file's footer could change unnoticed.
    pub const fn sealed(&self) -> Extent {
        self.checked.extent
    }

    /// The SHA-256 of the file when it was opened, in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.checked.sha256
    }

    /// The games, one row group after the other.
    pub fn row_groups(&mut self) -> impl Iterator<Item = Result<Vec<GameRecord>, StoreError>> {
        (0..self.group_count()).map(move |index| self.rows(index, &names(self.has_spawns), game))
    }

    /// The outcome of every game, without the columns that only a replay needs.
    pub fn outcomes(&mut self) -> Result<Vec<Outcome>, StoreError> {
        let mut all = Vec::with_capacity(self.footer.games());
        for index in 0..self.group_count() {
            all.extend(self.rows(index, &OUTCOME, outcome)?);
        }
        Ok(all)
    }

    /// The games, one after the other.
    pub fn games(&mut self) -> impl Iterator<Item = Result<GameRecord, StoreError>> {
        self.row_groups().flat_map(each)
    }

    /// The same, with the reader.
    pub fn into_games(mut self) -> impl Iterator<Item = Result<GameRecord, StoreError>> {
        let columns = names(self.has_spawns);
        (0..self.group_count()).flat_map(move |index| each(self.rows(index, &columns, game)))
    }

    fn group_count(&self) -> usize {
        self.footer.0.row_groups.len()
    }

    /// The rows of the row group at `index`. Reads on this thread, by a footer with this row group only: a
    /// slice of the whole file would walk through the row groups before it.
    fn rows<T>(
        &mut self,
        index: usize,
        columns: &[&str],
        row: fn(&Cells<'_>, usize) -> Option<T>,
    ) -> Result<Vec<T>, StoreError> {
        let columns = columns.iter().map(|&name| name.to_owned()).collect();
        let metadata = self.footer.only(index);
        let height = metadata.num_rows;
        let frame = guarded(&self.path, "read a row group", || {
            let mut reader = ParquetReader::new(&mut self.file)
                .read_parallel(ParallelStrategy::None)
                .with_columns(Some(columns));
            reader.set_metadata(Arc::new(metadata));
            reader.finish()
        })?;
        check_frame(&self.path, &frame, height, Bounds::RECORDS)?;
        let cells = Cells::new(&frame);
        let rows = (0..height).map(|at| row(&cells, at)).collect::<Option<_>>();
        let reason = "a value is missing, or an ending or a board is invalid";
        rows.ok_or_else(|| layout_error(&self.path, reason))
    }
}

/// The games of a row group, or its error.
fn each(group: Result<Vec<GameRecord>, StoreError>) -> Vec<Result<GameRecord, StoreError>> {
    match group {
        Ok(games) => games.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
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
