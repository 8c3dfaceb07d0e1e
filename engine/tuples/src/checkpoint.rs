//! A training on disk: all that it takes to go on as if it had never stopped.
//!
//! A checkpoint is a line of text that names its form and the training's recipe, the numbers of games and
//! moves, the bytes of every cell, and a CRC-32 of all that. It is made between two games, when nothing else
//! is in progress.

use std::io::{self, Read, Write};

use thiserror::Error;

/// The longest first line that is read.
const LINE_LIMIT: usize = 4096;
/// This many bytes are written, read and summed at a time.
const CHUNK: usize = 1 << 20;

/// How far a training has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The games learned.
    pub games: u64,
    /// The moves learned.
    pub moves: u64,
}

/// Writes a checkpoint. The magic word says whose it is, and the recipe, which is one line, how the training
/// came this far.
pub fn save(
    magic: &str,
    recipe: &str,
    progress: Progress,
    cells: &[u8],
    mut file: impl Write,
) -> io::Result<()> {
    let mut sum = crc32fast::Hasher::new();
    let mut put = |bytes: &[u8]| {
        sum.update(bytes);
        file.write_all(bytes)
    };
    put(format!("{magic} {recipe}\n").as_bytes())?;
    put(&progress.games.to_le_bytes())?;
    put(&progress.moves.to_le_bytes())?;
    cells.chunks(CHUNK).try_for_each(&mut put)?;
    let sum = sum.finalize();
    file.write_all(&sum.to_le_bytes())?;
    file.flush()
}

/// Reads what [`save`] wrote. The recipe is a function of the progress, since recipes that differ only in
/// what is still to come have the same past.
///
/// # Errors
/// Returns an error if the file is not the whole checkpoint of such a training; then the cells are of no more
/// use.
pub fn load(
    magic: &str,
    recipe: impl Fn(Progress) -> String,
    cells: &mut [u8],
    file: impl Read,
) -> Result<Progress, CheckpointError> {
    let mut file = Summed { file, sum: crc32fast::Hasher::new() };
    let found = read_recipe(magic, &mut file)?;
    let progress = Progress { games: file.read_u64()?, moves: file.read_u64()? };
    let wanted = recipe(progress);
    if found != wanted {
        return Err(CheckpointError(format!(
            "the checkpoint is of another training: it has {found}; this one has {wanted}"
        )));
    }
    cells.chunks_mut(CHUNK).try_for_each(|chunk| file.read_exact(chunk))?;
    let computed = file.sum.clone().finalize();
    let mut stored = [0; 4];
    file.read_exact(&mut stored)?;
    if u32::from_le_bytes(stored) != computed || file.file.read(&mut [0]).map_err(unreadable)? != 0 {
        return Err(damaged());
    }
    Ok(progress)
}

/// Reads the first line, which must begin with the magic word and a space, and gives the rest.
fn read_recipe<R: Read>(magic: &str, file: &mut Summed<R>) -> Result<String, CheckpointError> {
    let begins = format!("it must begin with `{magic}`");
    let foreign = || CheckpointError(format!("the file is not a checkpoint of this version: {begins}"));
    let mut line = vec![0; magic.len() + 1];
    file.read_exact(&mut line).map_err(|_| foreign())?;
    if line != format!("{magic} ").as_bytes() {
        return Err(foreign());
    }
    line.clear();
    let mut byte = [0];
    loop {
        file.read_exact(&mut byte)?;
        if byte == [b'\n'] {
            return String::from_utf8(line).map_err(|_| damaged());
        }
        if line.len() == LINE_LIMIT {
            return Err(damaged());
        }
        line.push(byte[0]);
    }
}

/// Reads a file and sums up what was read.
struct Summed<R> {
    file: R,
    sum: crc32fast::Hasher,
}

impl<R: Read> Summed<R> {
    fn read_exact(&mut self, buffer: &mut [u8]) -> Result<(), CheckpointError> {
        self.file.read_exact(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => damaged(),
            _ => unreadable(error),
        })?;
        self.sum.update(buffer);
        Ok(())
    }

    fn read_u64(&mut self) -> Result<u64, CheckpointError> {
        let mut number = [0; 8];
        self.read_exact(&mut number)?;
        Ok(u64::from_le_bytes(number))
    }
}

/// Why a checkpoint cannot be continued.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct CheckpointError(String);

fn unreadable(error: io::Error) -> CheckpointError {
    CheckpointError(format!("cannot read the checkpoint: {error}"))
}

fn damaged() -> CheckpointError {
    CheckpointError(
        "the checkpoint is damaged: go on from an older one, or remove it to begin again".to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRESS: Progress = Progress { games: 3, moves: 700 };

    fn saved() -> Vec<u8> {
        let mut file = Vec::new();
        save("magic-1", "alpha 1", PROGRESS, &[1, 2, 3, 4, 5], &mut file).unwrap();
        file
    }

    fn loaded(file: &[u8], recipe: &str) -> Result<(Progress, [u8; 5]), CheckpointError> {
        let mut cells = [0; 5];
        let progress = load("magic-1", |_| recipe.to_owned(), &mut cells, file)?;
        Ok((progress, cells))
    }

    #[test]
    fn what_was_saved_is_loaded() {
        assert_eq!(loaded(&saved(), "alpha 1").unwrap(), (PROGRESS, [1, 2, 3, 4, 5]));
    }

    #[test]
    fn no_bit_may_change_and_no_byte_be_missing_or_left_over() {
        let whole = saved();
        for (index, bit) in (0..whole.len()).flat_map(|index| (0..8).map(move |bit| (index, bit))) {
            let mut damaged = whole.clone();
            damaged[index] ^= 1 << bit;
            assert!(loaded(&damaged, "alpha 1").is_err(), "bit {bit} of byte {index}");
        }
        assert!((0..whole.len()).all(|length| loaded(&whole[..length], "alpha 1").is_err()));
        let longer = loaded(&[&whole[..], &[0]].concat(), "alpha 1").unwrap_err();
        assert!(longer.to_string().contains("is damaged"), "{longer}");
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let message = |file: &[u8], recipe| loaded(file, recipe).unwrap_err().to_string();
        assert_eq!(
            message(&saved(), "alpha 2"),
            "the checkpoint is of another training: it has alpha 1; this one has alpha 2"
        );
        assert!(message(b"magic-2 alpha 1\n", "alpha 1").contains("must begin with `magic-1`"));
        assert!(message(b"magic", "alpha 1").contains("must begin with `magic-1`"));
    }
}
