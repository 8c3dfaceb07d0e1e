//! The seal of a records file: a digest of all it says, its row groups as bytes, and its metadata.
//!
//! Polars writes no page checksums and checks none. On corrupt pages it may
//! return other values, panic, or abort the process for want of memory, so the
//! bytes must be checked before they are decoded.

use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest as _, Sha256};

use crate::record::hex;

/// The metadata key of the number of digested bytes at the start of the file.
pub(super) const BYTES_KEY: &str = "retile.sealed_bytes";
/// The metadata key of the digest of those bytes and of all metadata before it.
pub(super) const SEAL_KEY: &str = "retile.seal";

/// The digest of the bytes written so far, and how many they are.
#[derive(Clone, Default)]
pub(super) struct Sum {
    hash: Sha256,
    bytes: u64,
}

impl Sum {
    fn update(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
    }

    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The sum of all that `source` yields.
    pub(super) fn of(mut source: impl Read) -> io::Result<Self> {
        let mut sum = Self::default();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match source.read(&mut buffer) {
                Ok(0) => return Ok(sum),
                Ok(length) => sum.update(&buffer[..length]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The digest of the bytes and of `entries` after them, in hexadecimal.
    pub(super) fn with<'a>(mut self, entries: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
        for (key, value) in entries {
            for part in [key, value] {
                self.hash.update((part.len() as u64).to_le_bytes());
                self.hash.update(part);
            }
        }
        hex(&self.hash.finalize())
    }
}

/// A writer whose sum can be asked for while polars owns the writer.
pub(super) struct Summed<W> {
    inner: W,
    sum: Arc<Mutex<Sum>>,
}

/// Asks a [`Summed`] writer for its sum.
pub(super) struct Watch(Arc<Mutex<Sum>>);

impl<W> Summed<W> {
    pub(super) fn new(inner: W) -> (Self, Watch) {
        let sum = Arc::<Mutex<Sum>>::default();
        let watch = Watch(Arc::clone(&sum));
        (Self { inner, sum }, watch)
    }
}

impl Watch {
    pub(super) fn sum(&self) -> Sum {
        lock(&self.0).clone()
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        lock(&self.sum).update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn lock(sum: &Mutex<Sum>) -> MutexGuard<'_, Sum> {
    sum.lock().unwrap_or_else(PoisonError::into_inner)
}
