//! Hashing on the way: what goes through a reader or a writer is hashed and counted.

use std::io::{self, Read, Write};

use sha2::{Digest as _, Sha256};

use surroundings::hash::hex;

/// A reader or writer that hashes and counts what goes through it.
pub(super) struct Hashing<S> {
    stream: S,
    hasher: Sha256,
    bytes: u64,
}

impl<S> Hashing<S> {
    pub(super) fn new(stream: S) -> Self {
        Self { stream, hasher: Sha256::new(), bytes: 0 }
    }

    /// The stream, the SHA-256 of what went through it in hexadecimal, and how many bytes that was.
    pub(super) fn finish(self) -> (S, String, u64) {
        (self.stream, hex(&self.hasher.finalize()), self.bytes)
    }

    fn note(&mut self, bytes: &[u8]) {
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
    }
}

impl<S: Read> Read for Hashing<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer)?;
        self.note(&buffer[..read]);
        Ok(read)
    }
}

impl<S: Write> Write for Hashing<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.stream.write(bytes)?;
        self.note(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
