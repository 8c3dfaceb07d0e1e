//! Writing a records file, one row group at a time.

use super::columns::{frame, schema};
use super::sealed::{Effort, SealedWriter, name_file, new_file};
use super::{Header, JobFooter, check_spawns, layout_error};
use crate::{GameRecord, RecordDigest};
use jobs::StoreError;
use platform::{ConfinedPath, ScratchFile};

/// The most games in a row group.
const MOST_GAMES: usize = 4_096;
/// The bytes at which a row group is full.
pub(super) const FULL_BYTES: usize = 8 << 20;
/// The bytes of a game beside its texts.
const FIXED_BYTES: usize = 4 * size_of::<u64>() + 3 * size_of::<u32>();

/// Writes a records file: games by number, then the footer, then a rename. It holds at most one row group in
/// memory.
pub struct RecordsWriter {
    target: ConfinedPath,
    scratch: ScratchFile,
    effort: Effort,
    /// Begun with the first row group: its games show whether there is a column of placed tiles.
    file: Option<SealedWriter>,
    has_spawns: bool,
    /// The games of the next row group.
    games: Vec<GameRecord>,
    bytes: usize,
    digest: RecordDigest,
    last_game: Option<u64>,
}

impl RecordsWriter {
    /// Begins a file that will appear as `target` once it is finished.
    pub fn create(target: &ConfinedPath) -> Result<Self, StoreError> {
        Self::begin(target, Effort::Quick)
    }

    pub(super) fn begin(target: &ConfinedPath, effort: Effort) -> Result<Self, StoreError> {
        Ok(Self {
            target: target.to_owned(),
            scratch: new_file(target)?,
            effort,
            file: None,
            has_spawns: false,
            games: Vec::new(),
            bytes: 0,
            digest: RecordDigest::default(),
            last_game: None,
        })
    }

    /// Adds the next game, whose number is above the last.
    pub fn push(&mut self, record: &GameRecord) -> Result<(), StoreError> {
        let (game, has_spawns) = (record.game, record.spawns.is_some());
        let problem = match self.last_game {
            Some(last) if last >= game => Some(format!("game {game} comes after game {last}")),
            Some(_) if self.has_spawns != has_spawns => {
                Some(format!("game {game} has placed tiles and others have none, or the reverse"))
            }
            _ => None,
        };
        if let Some(problem) = problem {
            return Err(layout_error(&self.target, problem));
        }
        (self.last_game, self.has_spawns) = (Some(game), has_spawns);
        self.digest.add(record);
        let spawns = record.spawns.as_deref().unwrap_or("");
        let texts = [&record.directions, &record.final_board, record.ending.name(), spawns];
        self.bytes += FIXED_BYTES + texts.iter().map(|text| text.len()).sum::<usize>();
        self.games.push(record.clone());
        if self.games.len() >= MOST_GAMES || self.bytes >= FULL_BYTES { self.flush() } else { Ok(()) }
    }

    /// Ends the file and gives it its name. Returns the logical digest.
    ///
    /// # Errors
    /// Returns an error if the disk is full; a file that was there before stays as it is.
    pub fn finish(self, header: &Header) -> Result<String, StoreError> {
        let target = self.target.clone();
        let (digest, scratch) = self.complete(header)?;
        name_file(scratch, &target)?;
        Ok(digest)
    }

    /// Ends the file, which has no name of its own yet.
    pub(super) fn complete(mut self, header: &Header) -> Result<(String, ScratchFile), StoreError> {
        if self.last_game.is_some() {
            check_spawns(&self.target, self.has_spawns, header)?;
        }
        self.flush()?;
        let file = self.take_file()?;
        let digest = self.digest.finish();
        let mut metadata = JobFooter::metadata(&self.target, header, &digest)?;
        metadata.insert(1, ("retile.experiment".to_owned(), header.experiment.clone()));
        file.finish(metadata)?;
        Ok((digest, self.scratch))
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        if self.games.is_empty() {
            return Ok(());
        }
        let frame = frame(&std::mem::take(&mut self.games), self.has_spawns)
            .map_err(StoreError::parquet(&self.target, "build the columns"))?;
        self.bytes = 0;
        let file = self.take_file()?;
        self.file.insert(file).write(&frame)
    }

    /// The file, now that its columns are known.
    fn take_file(&mut self) -> Result<SealedWriter, StoreError> {
        match self.file.take() {
            Some(file) => Ok(file),
            None => SealedWriter::new(&self.scratch, &schema(self.has_spawns), self.effort),
        }
    }
}
