//! A training on disk: all that it takes to go on as if it had never stopped.
//!
//! A checkpoint is a line of text that names the form and the recipe, the numbers of games and moves, every cell as three
//! little-endian `f32`, and a CRC-32 of all that. It is made between two games, so that nothing else is under way.

use std::fmt;
use std::io::{self, Read, Write};

use crate::training::{Recipe, Restart, Trainer};

/// The first word of every checkpoint.
const MAGIC: &str = "retile-ntuple-checkpoint-1";
/// The longest first line that is read.
const LINE_LIMIT: usize = 4096;
/// So many bytes are written, read and summed at a time.
const CHUNK: usize = 1 << 20;

#[cfg(target_endian = "big")]
compile_error!("cells are kept and stored as little-endian numbers");

/// Why a checkpoint cannot be continued.
#[derive(Debug)]
pub enum CheckpointError {
    /// It could not be read to its end.
    Io(io::Error),
    /// It is no checkpoint, or of another version.
    Foreign,
    /// It is of a training by another recipe.
    Recipe {
        /// The recipe that is to be followed.
        wanted: String,
        /// The one in the checkpoint.
        found: String,
    },
    /// Its contents are not what was written.
    Damaged,
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot read the checkpoint: {error}"),
            Self::Foreign => {
                write!(f, "the file is not a checkpoint of this version; its first word must be {MAGIC}")
            }
            Self::Recipe { wanted, found } => {
                write!(f, "the checkpoint is of another training ({found}) than this one ({wanted})")
            }
            Self::Damaged => {
                write!(f, "the checkpoint is damaged: continue from an older one, or begin again")
            }
        }
    }
}

impl std::error::Error for CheckpointError {}

impl From<io::Error> for CheckpointError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Trainer {
    /// Writes all that it takes to go on from here.
    ///
    /// # Errors
    /// Where writing fails.
    pub fn save(&self, mut file: impl Write) -> io::Result<()> {
        let mut sum = crc32fast::Hasher::new();
        let mut put = |bytes: &[u8]| {
            sum.update(bytes);
            file.write_all(bytes)
        };
        put(self.first_line(self.games).as_bytes())?;
        put(&self.games.to_le_bytes())?;
        put(&self.moves.to_le_bytes())?;
        self.memory.bytes().chunks(CHUNK).try_for_each(&mut put)?;
        let sum = sum.finalize();
        file.write_all(&sum.to_le_bytes())?;
        file.flush()
    }

    /// Goes on from what [`Trainer::save`] wrote. The training must not have begun, and follow the same recipe.
    ///
    /// # Errors
    /// Where the file is not the whole checkpoint of such a training; then the training is of no more use.
    pub fn load(&mut self, file: impl Read) -> Result<(), CheckpointError> {
        let mut file = Summed { file, sum: crc32fast::Hasher::new() };
        let found = read_line(&mut file)?;
        let mut number = [0; 8];
        file.read_exact(&mut number)?;
        let games = u64::from_le_bytes(number);
        file.read_exact(&mut number)?;
        let wanted = self.first_line(games);
        if found != wanted {
            let recipe = |line: &str| line.trim_start_matches(MAGIC).trim().to_owned();
            return Err(CheckpointError::Recipe { wanted: recipe(&wanted), found: recipe(&found) });
        }
        (self.games, self.moves) = (games, u64::from_le_bytes(number));
        self.memory.bytes_mut().chunks_mut(CHUNK).try_for_each(|chunk| file.read_exact(chunk))?;
        let computed = file.sum.clone().finalize();
        let mut stored = [0; 4];
        file.read_exact(&mut stored)?;
        if u32::from_le_bytes(stored) != computed || file.file.read(&mut [0])? != 0 {
            return Err(CheckpointError::Damaged);
        }
        Ok(())
    }

    fn first_line(&self, games: u64) -> String {
        format!("{MAGIC} {}\n", past(&self.recipe, games))
    }
}

/// The part of a recipe that had a say in the first games: recipes that differ only in what comes later have the same.
fn past(recipe: &Recipe, games: u64) -> String {
    let Recipe { network, alpha, lambda, optimistic_start, restart, seed } = recipe;
    let restart = match restart {
        Some(Restart { late, short, until }) if until.min(&games) > &0 => {
            format!("from sum {late} unless {short} moves or fewer, in {} games", until.min(&games))
        }
        _ => "none".to_owned(),
    };
    format!(
        "tuples {network}, {:?}, {:?}, alpha {alpha}, lambda {lambda}, start {optimistic_start}, restart {restart}, seed {seed}",
        network.sampling(),
        network.values()
    )
}

/// Reads a file and sums up what was read.
struct Summed<R> {
    file: R,
    sum: crc32fast::Hasher,
}

impl<R: Read> Summed<R> {
    fn read_exact(&mut self, buffer: &mut [u8]) -> Result<(), CheckpointError> {
        self.file.read_exact(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => CheckpointError::Damaged,
            _ => CheckpointError::Io(error),
        })?;
        self.sum.update(buffer);
        Ok(())
    }
}

/// Reads the first line, which must begin with the magic word.
fn read_line<R: Read>(file: &mut Summed<R>) -> Result<String, CheckpointError> {
    let mut line = Vec::new();
    let mut byte = [0];
    while line.last() != Some(&b'\n') {
        if line.len() == LINE_LIMIT || line.len() == MAGIC.len() && line != MAGIC.as_bytes() {
            return Err(CheckpointError::Foreign);
        }
        file.read_exact(&mut byte).map_err(|_| CheckpointError::Foreign)?;
        line.push(byte[0]);
    }
    String::from_utf8(line).map_err(|_| CheckpointError::Foreign)
}
