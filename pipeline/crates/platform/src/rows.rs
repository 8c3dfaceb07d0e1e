//! JSON in rows: what a list or an object at the top holds stands on one line each, so that a file of many
//! entries is small and a change to one entry is one line of a diff.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// How deep lines are broken: the keys at the top, and the entries below them.
const BROKEN: usize = 2;

/// A value as JSON in rows.
pub fn to_string(value: &impl Serialize) -> serde_json::Result<String> {
    let mut bytes = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut bytes, Rows { depth: 0 }))?;
    bytes.push(b'\n');
    // The serialiser writes UTF-8 alone.
    Ok(String::from_utf8(bytes).unwrap_or_default())
}

/// Breaks lines at the top, and nowhere else.
struct Rows {
    depth: usize,
}

impl Rows {
    fn open<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        writer.write_all(bracket)
    }

    fn next<W: ?Sized + Write>(&self, writer: &mut W, first: bool) -> io::Result<()> {
        let comma: &[u8] = if first { b"" } else { b"," };
        writer.write_all(comma)?;
        self.line(writer)
    }

    fn close<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.line(writer)?;
        self.depth -= 1;
        writer.write_all(bracket)
    }

    fn line<W: ?Sized + Write>(&self, writer: &mut W) -> io::Result<()> {
        if self.depth <= BROKEN { writer.write_all(b"\n") } else { Ok(()) }
    }
}

impl Formatter for Rows {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.next(writer, first)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.next(writer, first)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_entry_has_a_line_of_its_own_and_no_more() {
        let value = json!({ "claims": [{ "id": "a", "n": [1, 2] }, { "id": "b" }], "form": 3, "none": [] });
        let text = to_string(&value).unwrap();
        assert_eq!(
            text,
            "{\n\"claims\":[\n{\"id\":\"a\",\"n\":[1,2]},\n{\"id\":\"b\"}\n],\n\"form\":3,\n\"none\":[\n]\n}\n"
        );
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}
