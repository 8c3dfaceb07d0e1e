//! Parquet files with a seal, through polars: what records and timing files have in common.

use std::fs::File;
use std::io::{self, BufWriter, Read as _, Seek as _};
use std::os::unix::fs::FileExt as _;
use std::sync::PoisonError;

use polars::error::PolarsResult;
use polars::io::parquet::write::BatchedWriter;
use polars::polars_utils::compression::ZstdLevel;
use polars::prelude::{
    DataFrame, KeyValueMetadata, ParquetCompression, ParquetMetadataContext, ParquetWriter, SchemaRef,
    StatisticsOptions,
};

use super::layout_error;
use super::read::Footer;
use super::seal::{
    BYTES_KEY, Extent, NO_DIGEST, SEAL_KEY, Sum, Summed, WHOLE_KEY, Watch, check, place_of_digest,
};
use jobs::StoreError;
use platform::{ConfinedPath, ScratchFile};

/// A new file that is to become `target`, in a folder that is made if it is missing.
pub(super) fn new_file(target: &ConfinedPath) -> Result<ScratchFile, StoreError> {
    if let Some(folder) = target.parent() {
        folder.make_folder().map_err(StoreError::io(&folder, "make the folder"))?;
    }
    ScratchFile::named_after(target).map_err(StoreError::io(target, "create the file"))
}

/// Gives a finished file its name.
pub(super) fn name_file(scratch: ScratchFile, target: &ConfinedPath) -> Result<(), StoreError> {
    scratch.become_lasting_file(target).map_err(StoreError::io(target, "give the finished file its name"))
}

/// Gives a finished file its name if it is smaller than the one that has it. Returns the bytes saved.
pub(super) fn replace_larger(scratch: ScratchFile, path: &ConfinedPath) -> Result<u64, StoreError> {
    let before = path.size().map_err(StoreError::io(path, "read the file"))?;
    let after = scratch.as_file().metadata().map_err(StoreError::io(path, "read the new file"))?.len();
    if after < before {
        name_file(scratch, path)?;
    }
    Ok(before.saturating_sub(after))
}

type Sink = Summed<BufWriter<File>>;

/// How much time a file's size is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// As little as possible: games wait to be written.
    Quick,
    /// A second for each megabyte, for files that are kept.
    Thorough,
}

impl Effort {
    /// Directions are nearly random letters, in which only an optimal parser finds something; levels above
    /// this one look for shorter matches and give larger files.
    const THOROUGH_LEVEL: i32 = 16;

    fn compression(self) -> PolarsResult<ParquetCompression> {
        let level = match self {
            Self::Quick => None,
            Self::Thorough => Some(ZstdLevel::try_new(Self::THOROUGH_LEVEL)?),
        };
        Ok(ParquetCompression::Zstd(level))
    }

    /// What is compressed at once: the whole column of a row group, or what polars thinks best.
    const fn page_bytes(self) -> Option<usize> {
        match self {
            Self::Quick => None,
            Self::Thorough => Some(super::write::FULL_BYTES),
        }
    }
}

/// Writes a file frame by frame, each of them a row group. It is a Parquet file only after
/// [`SealedWriter::finish`].
pub(super) struct SealedWriter {
    path: ConfinedPath,
    file: File,
    writer: BatchedWriter<Sink>,
    watch: Watch,
}

impl SealedWriter {
    /// Writes to a file that is empty.
    pub(super) fn new(scratch: &ScratchFile, schema: &SchemaRef, effort: Effort) -> Result<Self, StoreError> {
        let path = scratch.path();
        let file = || scratch.as_file().try_clone().map_err(StoreError::io(path, "create the file"));
        let (written, file) = (file()?, file()?);
        let (sink, watch) = Summed::new(BufWriter::new(written));
        let compression = effort.compression().map_err(StoreError::parquet(path, "start the file"))?;
        let writer = ParquetWriter::new(sink)
            .with_compression(compression)
            .with_data_page_size(effort.page_bytes())
            .with_statistics(StatisticsOptions::empty())
            .set_parallel(false)
            .batched(schema)
            .map_err(watch.failed(path, "start the file"))?;
        Ok(Self { path: path.to_owned(), file, writer, watch })
    }

    /// Writes a row group.
    pub(super) fn write(&mut self, frame: &DataFrame) -> Result<(), StoreError> {
        self.writer.write_batch(frame).map_err(self.watch.failed(&self.path, "write a row group"))
    }

    /// Writes the footer with `metadata` and the seals.
    ///
    /// The metadata is given here, not at the start, so that it can hold what
    /// is only known after the last row.
    pub(super) fn finish(self, mut metadata: Vec<(String, String)>) -> Result<(), StoreError> {
        let sum = self.watch.sum();
        let data = sum.bytes();
        metadata.push((BYTES_KEY.into(), data.to_string()));
        let seal = sum.with(metadata.iter().map(|(k, v)| (k.as_str(), v.as_str())));
        metadata.push((SEAL_KEY.into(), seal));
        metadata.push((WHOLE_KEY.into(), NO_DIGEST.into()));
        write_footer(&self.writer, metadata).map_err(self.watch.failed(&self.path, "write the footer"))?;
        // All of the file as it stands, zeros in place of this very digest.
        let whole = self.watch.sum();
        // Whatever is not written yet is written when the writer goes; what could not be is then missing
        // below.
        drop(self.writer);
        put_digest(&self.file, data, whole).map_err(StoreError::io(&self.path, "seal the file"))
    }
}

/// Puts the digest of a file whose row groups end at `data` into its footer.
fn put_digest(file: &File, data: u64, whole: Sum) -> io::Result<()> {
    let length = usize::try_from(whole.bytes() - data).map_err(io::Error::other)?;
    let mut tail = vec![0; length];
    file.read_exact_at(&mut tail, data)?;
    let place = place_of_digest(&tail).ok().flatten();
    let place = place.ok_or_else(|| io::Error::other("its footer has no place for the seal"))?;
    file.write_all_at(whole.with([]).as_bytes(), data + place as u64)
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

/// What is known of a file whose seals were checked.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    pub(super) extent: Extent,
    /// The SHA-256 of the file as it lies there, in hexadecimal: who asks for it later need not read the file
    /// again.
    pub(super) sha256: String,
}

/// Checks the seals of a file: reads it once as bytes, decoding nothing.
pub(super) fn check_seal(
    path: &ConfinedPath,
    mut file: &File,
    footer: &Footer,
) -> Result<Checked, StoreError> {
    let bytes = footer.data_bytes().unwrap_or_default();
    let mut tail = Vec::new();
    let sum = file
        .rewind()
        .and_then(|()| Sum::of(file.take(bytes)))
        .and_then(|sum| file.read_to_end(&mut tail).map(|_| sum))
        .map_err(StoreError::io(path, "read the file"))?;
    let sha256 = sum.clone().and(&tail).with([]);
    let extent = if sum.bytes() == bytes { check(sum, footer.entries(), tail) } else { None };
    let extent = extent.ok_or_else(|| layout_error(path, "its digest does not match"))?;
    Ok(Checked { extent, sha256 })
}
