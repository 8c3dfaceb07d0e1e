//! Frames that show whether they are whole: what journals and spools are made of.
//!
//! A frame is the length and the CRC-32 of a JSON text, both as four little-endian bytes, then the text. The first frame of a file
//! is its title, which says whose games follow. A torn end, left by a kill in the middle of a write, is no frame.

use std::io::{self, Read};

use serde::{Deserialize, Serialize};

use records::provenance::Provenance;

/// The form of the files; another one is not read.
const FORM: &str = "retile-journal-1";
/// The most bytes of a text.
const LARGEST: u32 = 16 << 20;
/// The bytes in front of a text.
pub const HEAD: u64 = 8;

/// Whose games follow in a file. It stands first, and again where a later run goes on with another plugin file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Title {
    form: String,
    identity: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    second_signature: Option<String>,
    /// Where the games that follow come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Provenance>,
}

impl Title {
    /// The title of games of an identity.
    #[must_use]
    pub fn new(identity: String, second_signature: Option<String>, origin: Option<Provenance>) -> Self {
        Self { form: FORM.to_owned(), identity, second_signature, origin }
    }

    /// How the text of every title begins, and that of no game.
    pub const BEGIN: &[u8] = br#"{"form":"#;

    /// Whether games under the one title may stand beside games under the other, wherever they come from.
    pub fn is_of(&self, other: &Self) -> bool {
        let is_same = |(one, other)| one == other;
        let signatures = self.second_signature.as_ref().zip(other.second_signature.as_ref());
        self.form == other.form && self.identity == other.identity && signatures.is_none_or(is_same)
    }

    /// Whether the games of both come from the same place, whenever they were played.
    pub fn has_origin_of(&self, other: &Self) -> bool {
        match (&self.origin, &other.origin) {
            (Some(one), Some(other)) => one.is_same_place(other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }

    /// The plugin file that the games come from.
    pub fn plugin(&self) -> Option<&str> {
        self.origin.as_ref().map(|origin| origin.plugin_sha256.as_str())
    }
}

/// Fills `frame` with an entry's frame, and returns the length of its text.
pub fn fill(frame: &mut Vec<u8>, entry: &impl Serialize) -> io::Result<u32> {
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
pub fn read(from: &mut impl Read, left: u64) -> io::Result<Option<Vec<u8>>> {
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
