//! The seals of a Parquet file: a digest of its row groups and metadata, and one of the whole file to its
//! last byte.
//!
//! Polars writes no page checksums and checks none. On corrupt pages it may
//! return other values, panic, or abort the process for want of memory, so the
//! bytes must be checked before they are decoded. The second seal is the SHA-256
//! of the file in which its own digits stand as zeros; it alone covers all of the
//! footer. Files from before it have only the first, and timing files from before
//! had none.

use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use memchr::memmem;
use polars::error::PolarsError;
use sha2::{Digest as _, Sha256};

use jobs::StoreError;
use platform::ConfinedPath;
use platform::hash::hex;

/// The metadata key of the number of digested bytes at the start of the file.
pub(super) const BYTES_KEY: &str = "retile.sealed_bytes";
/// The metadata key of the digest of those bytes and of all metadata before it.
pub(super) const SEAL_KEY: &str = "retile.seal";
/// The metadata key of the digest of the whole file.
pub(super) const WHOLE_KEY: &str = "retile.whole_seal";
/// What all of our metadata keys begin with: a file that has it anywhere is to be sealed.
const OURS: &str = "retile.";
/// What stands between the key and its value in the footer: in Thrift's compact protocol, the next field, a
/// text of 64 bytes.
const BEFORE_VALUE: [u8; 2] = [0x18, DIGITS as u8];
/// The digits of a digest.
const DIGITS: usize = 64;
/// What stands for the digest of the whole file while it is computed.
pub(super) const NO_DIGEST: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// How much of a file a seal covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Every byte.
    Whole,
    /// The row groups and the metadata, not all of the footer.
    Contents,
    /// Nothing: there is no seal.
    Nothing,
}

/// Where the digest of the whole file stands in the `tail` of a file; `None` if it has no such digest. An
/// error where it has the key, and behind it no digest.
pub(super) fn place_of_digest(tail: &[u8]) -> Result<Option<usize>, ()> {
    let mut places = memmem::find_iter(tail, WHOLE_KEY).map(|place| place + WHOLE_KEY.len());
    let Some(behind_key) = places.next() else { return Ok(None) };
    let place = behind_key + BEFORE_VALUE.len();
    let is_digest = tail[behind_key..].starts_with(&BEFORE_VALUE) && tail.len() >= place + DIGITS;
    if is_digest && places.next().is_none() { Ok(Some(place)) } else { Err(()) }
}

/// What the seals of a file say: the sum of its row groups, its metadata, and the bytes behind the row
/// groups. `None` if they are not what was written.
pub(super) fn check<'a>(
    data: Sum,
    entries: impl Iterator<Item = (&'a str, &'a str)> + Clone,
    mut tail: Vec<u8>,
) -> Option<Extent> {
    let seal = entries.clone().find_map(|(key, value)| (key == SEAL_KEY).then_some(value));
    let Some(seal) = seal else {
        return memmem::find(&tail, OURS.as_bytes()).is_none().then_some(Extent::Nothing);
    };
    let sealed = entries.filter(|(key, _)| ![SEAL_KEY, WHOLE_KEY].contains(key));
    if data.clone().with(sealed) != seal {
        return None;
    }
    let Some(place) = place_of_digest(&tail).ok()? else { return Some(Extent::Contents) };
    let digest: Vec<u8> = tail.splice(place..place + DIGITS, NO_DIGEST.bytes()).collect();
    (data.and(&tail).with([]).as_bytes() == digest).then_some(Extent::Whole)
}

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

    /// The sum of the bytes so far and of these.
    pub(super) fn and(mut self, bytes: &[u8]) -> Self {
        self.update(bytes);
        self
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

/// A writer whose sum and failure can be asked for while polars owns the writer.
pub(super) struct Summed<W> {
    inner: W,
    written: Arc<Mutex<SinkState>>,
}

/// What became of the writing so far.
#[derive(Default)]
struct SinkState {
    sum: Sum,
    failure: Option<io::Error>,
}

/// Asks a [`Summed`] writer for its sum and failure.
pub(super) struct Watch(Arc<Mutex<SinkState>>);

impl<W> Summed<W> {
    pub(super) fn new(inner: W) -> (Self, Watch) {
        let written = Arc::<Mutex<SinkState>>::default();
        let watch = Watch(Arc::clone(&written));
        (Self { inner, written }, watch)
    }

    /// Keeps the system's error: polars passes on that there was one, and not always which.
    fn noted<T>(&self, outcome: io::Result<T>) -> io::Result<T> {
        outcome.inspect_err(|error| {
            let kept = error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error);
            lock(&self.written).failure = Some(kept);
        })
    }
}

impl Watch {
    pub(super) fn sum(&self) -> Sum {
        lock(&self.0).sum.clone()
    }

    /// What an error of polars means: the system's own, where there was one.
    pub(super) fn failed(
        &self,
        path: &ConfinedPath,
        action: &'static str,
    ) -> impl FnOnce(PolarsError) -> StoreError {
        move |error| match lock(&self.0).failure.take() {
            Some(source) => StoreError::Io { path: path.to_owned(), action, source },
            None => StoreError::parquet(path, action)(error),
        }
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let outcome = self.inner.write(bytes);
        let written = self.noted(outcome)?;
        lock(&self.written).sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let outcome = self.inner.flush();
        self.noted(outcome)
    }
}

fn lock(written: &Mutex<SinkState>) -> MutexGuard<'_, SinkState> {
    written.lock().unwrap_or_else(PoisonError::into_inner)
}
