//! Frames that show whether they are whole: for journals and spools, and between a run and its workers.
//!
//! A frame is the length and the CRC-32 of a JSON text, both as four little-endian bytes, then the text. A
//! torn end, left by a kill in the middle of a write, is not a frame. [`read`] reads from a whole file; a
//! [`FrameReader`] reads from a pipe, and waits no longer than it is asked to.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::time::Instant;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use crate::pipe::Incoming;
use crate::pipe::Pipe;

/// The most bytes of a text: the longest game is far shorter.
const LARGEST: u32 = 16 << 20;
/// The bytes before a text.
pub const HEAD: u64 = 8;

/// The length and the checksum in the bytes before a text.
fn parse_head(bytes: [u8; HEAD as usize]) -> (u32, u32) {
    let [a, b, c, d, checksum @ ..] = bytes;
    (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes(checksum))
}

/// Fills `frame` with an entry's frame, and returns the length of its text.
pub fn fill(frame: &mut Vec<u8>, entry: &impl Serialize) -> io::Result<u32> {
    frame.clear();
    frame.resize(HEAD as usize, 0);
    serde_json::to_writer(&mut *frame, entry)?;
    let (front, text) = frame.split_at_mut(HEAD as usize);
    let length = u32::try_from(text.len()).map_err(io::Error::other)?;
    front[..4].copy_from_slice(&length.to_le_bytes());
    front[4..].copy_from_slice(&crc32fast::hash(text).to_le_bytes());
    Ok(length)
}

/// The text of the next frame of a file with `left` bytes left; `None` if it is not a whole frame.
pub fn read(from: &mut impl Read, left: u64) -> io::Result<Option<Vec<u8>>> {
    if left < HEAD {
        return Ok(None);
    }
    let mut front = [0; HEAD as usize];
    from.read_exact(&mut front)?;
    let (length, checksum) = parse_head(front);
    if length > LARGEST || u64::from(length) > left - HEAD {
        return Ok(None);
    }
    let mut text = vec![0; length as usize];
    from.read_exact(&mut text)?;
    Ok((crc32fast::hash(&text) == checksum).then_some(text))
}

/// Writes a message to a pipe, in one frame.
pub fn write(mut to: impl Write, message: &impl Serialize) -> io::Result<()> {
    let mut frame = Vec::new();
    fill(&mut frame, message)?;
    to.write_all(&frame)?;
    to.flush()
}

/// Reads frames from a pipe, waiting for each no longer than asked.
pub struct FrameReader<R>(Pipe<R>);

impl<R: Read + AsFd> FrameReader<R> {
    /// A reader of this pipe.
    pub fn new(from: R) -> Self {
        Self(Pipe::new(from))
    }

    /// Waits for the next message until the deadline, or for ever without one.
    pub fn receive<T: DeserializeOwned>(&mut self, deadline: Option<Instant>) -> io::Result<Incoming<T>> {
        self.0.next(deadline, parse_frame)
    }
}

fn parse_frame<T: DeserializeOwned>(bytes: &[u8]) -> io::Result<Option<(T, usize)>> {
    let Some((front, rest)) = bytes.split_first_chunk() else { return Ok(None) };
    let (length, checksum) = parse_head(*front);
    let no_frame = |what: String| Err(io::Error::new(io::ErrorKind::InvalidData, what));
    if length > LARGEST {
        return no_frame(format!("a frame of {length} bytes"));
    }
    let Some(text) = rest.get(..length as usize) else { return Ok(None) };
    if crc32fast::hash(text) != checksum {
        return no_frame("a frame with a wrong checksum".to_owned());
    }
    Ok(Some((serde_json::from_slice(text)?, HEAD as usize + text.len())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn soon() -> Option<Instant> {
        Some(Instant::now() + Duration::from_millis(50))
    }

    #[test]
    fn frames_arrive_whole_late_or_not_at_all() {
        let (from, mut to) = io::pipe().unwrap();
        let mut reader = FrameReader::new(from);
        assert!(matches!(reader.receive::<String>(soon()).unwrap(), Incoming::Late));
        write(&mut to, &"one").unwrap();
        write(&mut to, &"two").unwrap();
        let received: [Incoming<String>; 2] =
            [reader.receive(soon()).unwrap(), reader.receive(None).unwrap()];
        assert!(
            matches!(&received, [Incoming::Message(one), Incoming::Message(two)] if [one, two] == ["one", "two"])
        );
        to.write_all(&[9, 0, 0, 0, 1, 2, 3, 4, b'"']).unwrap();
        assert!(matches!(reader.receive::<String>(soon()).unwrap(), Incoming::Late));
        drop(to);
        assert!(matches!(reader.receive::<String>(None).unwrap(), Incoming::Closed));
    }

    #[test]
    fn an_absurd_length_and_a_flipped_bit_are_errors() {
        let mut flipped = Vec::new();
        fill(&mut flipped, &"one").unwrap();
        flipped[10] ^= 1;
        for bytes in [[0xff; 8].to_vec(), flipped] {
            let (from, mut to) = io::pipe().unwrap();
            to.write_all(&bytes).unwrap();
            assert!(FrameReader::new(from).receive::<String>(soon()).is_err());
            assert!(read(&mut &bytes[..], bytes.len() as u64).unwrap().is_none());
        }
    }
}
