//! Frames that show whether they are whole: what journals and spools are made of.
//!
//! A frame is the length and the CRC-32 of a JSON text, both as four little-endian bytes, then the text. The first frame of a file
//! names the identity that its games belong to. A torn end, left by a kill in the middle of a write, is no frame.

use std::io::{self, Read};

use serde::{Deserialize, Serialize};

/// The form of the files; another one is not read.
const FORM: &str = "retile-journal-1";
/// The most bytes of a text.
const LARGEST: u32 = 16 << 20;
/// The bytes in front of a text.
pub(crate) const HEAD: u64 = 8;

/// The first entry of a file.
#[derive(Serialize, Deserialize)]
pub(crate) struct Title {
    form: String,
    identity: String,
}

impl Title {
    pub(crate) fn of(identity: &str) -> Self {
        Self { form: FORM.to_owned(), identity: identity.to_owned() }
    }

    pub(crate) fn is_of(&self, identity: &str) -> bool {
        self.form == FORM && self.identity == identity
    }
}

/// Fills `frame` with an entry's frame, and returns the length of its text.
pub(crate) fn fill(frame: &mut Vec<u8>, entry: &impl Serialize) -> io::Result<u32> {
    frame.clear();
    frame.resize(HEAD as usize, 0);
    serde_json::to_writer(&mut *frame, entry)?;
    let (head, text) = frame.split_at_mut(HEAD as usize);
    let length = u32::try_from(text.len()).map_err(io::Error::other)?;
    head[..4].copy_from_slice(&length.to_le_bytes());
    head[4..].copy_from_slice(&crc32fast::hash(text).to_le_bytes());
    Ok(length)
}

/// The text of the next frame, of which `left` bytes are there; none where that is no whole frame.
pub(crate) fn read(from: &mut impl Read, left: u64) -> io::Result<Option<Vec<u8>>> {
    if left < HEAD {
        return Ok(None);
    }
    let (mut length, mut checksum) = ([0; 4], [0; 4]);
    from.read_exact(&mut length)?;
    from.read_exact(&mut checksum)?;
    let length = u32::from_le_bytes(length);
    if length > LARGEST || u64::from(length) > left - HEAD {
        return Ok(None);
    }
    let mut text = vec![0; length as usize];
    from.read_exact(&mut text)?;
    Ok((crc32fast::hash(&text) == u32::from_le_bytes(checksum)).then_some(text))
}
