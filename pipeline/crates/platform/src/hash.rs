//! Hashes of files, and how they are written.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use sha2::{Digest as _, Sha256};

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The SHA-256 of bytes, in hexadecimal.
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(bytes))
}

/// The SHA-256, in hexadecimal, of a file that the user or the system names.
pub fn file_sha256(file: &Path) -> io::Result<String> {
    sha256_of(File::open(file)?)
}

/// The SHA-256 of all that can be read, in hexadecimal.
pub fn sha256_of(from: impl Read) -> io::Result<String> {
    let mut stream = HashStream::new(from);
    io::copy(&mut stream, &mut io::sink())?;
    Ok(stream.finish().1)
}

/// A reader or writer that hashes and counts the bytes that pass through it.
pub struct HashStream<S> {
    stream: S,
    hasher: Sha256,
    bytes: u64,
}

impl<S> HashStream<S> {
    /// Hashes what passes through this stream.
    pub fn new(stream: S) -> Self {
        Self { stream, hasher: Sha256::new(), bytes: 0 }
    }

    /// The stream, the SHA-256 in hexadecimal, and the number of bytes.
    pub fn finish(self) -> (S, String, u64) {
        (self.stream, hex(&self.hasher.finalize()), self.bytes)
    }

    fn count(&mut self, bytes: &[u8]) {
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
    }
}

impl<S: Read> Read for HashStream<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer)?;
        self.count(&buffer[..read]);
        Ok(read)
    }
}

impl<S: Write> Write for HashStream<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.stream.write(bytes)?;
        self.count(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_files_have_the_published_hash() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256("abc"), abc);
        assert_eq!(sha256_of(&b"abc"[..]).unwrap(), abc);
        assert_eq!(hex(&[0, 15, 255]), "000fff");
    }
}
