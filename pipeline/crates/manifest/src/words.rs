//! What the TOML and JSON readers say about a value, in an author's words: they know Rust's types, and an author writes numbers, texts,
//! lists and tables.

use platform::plain::{line, paragraph};

/// What is wrong with the value of a key, or with a table as a whole where there is none.
pub(super) fn problem(key: Option<&str>, message: &str) -> String {
    let message = paragraph(message).replace(['\n', '\t'], " ");
    let key = key.map(line);
    let of_key = |rest: String| match &key {
        Some(key) => format!("`{key}` {rest}"),
        None => rest,
    };
    let in_key = |rest: String| match &key {
        Some(key) => format!("`{key}`: {rest}"),
        None => rest,
    };
    if let Some(name) = message.strip_prefix("missing field ") {
        return in_key(format!("{name} is missing: add it"));
    }
    if message == "wanted exactly 1 element, more than 1 element" {
        return of_key("has several keys; write one".to_owned());
    }
    let Some((found, expected)) = message.split_once(", expected ") else {
        return in_key(message.replace(", there are no fields", "; known: none"));
    };
    if let Some(name) = found.strip_prefix("unknown field ") {
        return in_key(format!("unknown key {name}; known: {}", choices(expected)));
    }
    if let Some(name) = found.strip_prefix("unknown variant ") {
        let expected = choices(expected);
        return if key.is_some() {
            of_key(format!("is {name}; write {expected}"))
        } else {
            format!("{name} is unknown; known: {expected}")
        };
    }
    if let Some(length) = found.strip_prefix("invalid length ") {
        let entries = if length == "1" { "entry" } else { "entries" };
        return of_key(format!("has {length} {entries}; write {}", asked_for(expected, false)));
    }
    let is_value = found.starts_with("invalid value: ");
    let value = found.strip_prefix("invalid value: ").or_else(|| found.strip_prefix("invalid type: "));
    match value {
        Some(value) => {
            let (value, asked) = (written(value), asked_for(expected, is_value));
            if key.is_some() {
                of_key(format!("is {value}; write {asked}"))
            } else {
                format!("found {value} where {asked} is expected")
            }
        }
        None => in_key(message),
    }
}

/// A number of things: 1 digit, 3 digits.
pub(super) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The names that may stand there: `a` or `b`; `a`, `b`, `c`.
fn choices(expected: &str) -> &str {
    expected.strip_prefix("one of ").unwrap_or(expected)
}

/// A value as it is written: serde puts its type before it.
fn written(value: &str) -> String {
    let (kind, text) = value.split_once(' ').unwrap_or((value, ""));
    match (kind, text) {
        ("sequence", _) => "a list".to_owned(),
        ("map", _) => "a table".to_owned(),
        ("string", text) if !text.is_empty() => text.to_owned(),
        ("integer" | "boolean", text) => text.trim_matches('`').to_owned(),
        ("floating", text) => text.trim_start_matches("point ").trim_matches('`').to_owned(),
        _ => value.to_owned(),
    }
}

/// What to write instead. A number of the right type that is refused lies outside of the type's range, which is then named.
fn asked_for(expected: &str, is_out_of_range: bool) -> String {
    let text = match expected {
        "u8" if is_out_of_range => "a whole number from 0 to 255",
        "u16" if is_out_of_range => "a whole number from 0 to 65535",
        "u32" if is_out_of_range => "a whole number from 0 to 4294967295",
        "u64" | "usize" if is_out_of_range => "a whole number, 0 or more",
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => {
            "a whole number"
        }
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a string" | "a borrowed string" => "text in quotes",
        "a sequence" => "a list",
        "a map" => "a table",
        "string or table" => "a name in quotes or a table",
        other if other.starts_with("struct ") => "a table",
        other if other.starts_with("an array of length ") || other.starts_with("a tuple of size ") => {
            let length = other.rsplit(' ').next().unwrap_or_default();
            return format!("a list of {length}");
        }
        other => other,
    };
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_in_an_authors_words() {
        for (message, words) in [
            ("invalid type: string \"x\", expected u64", "`k` is \"x\"; write a whole number"),
            ("invalid type: floating point `1.5`, expected u32", "`k` is 1.5; write a whole number"),
            ("invalid type: string \"x\", expected f64", "`k` is \"x\"; write a number"),
            ("invalid type: integer `1`, expected a boolean", "`k` is 1; write true or false"),
            ("invalid type: boolean `true`, expected a string", "`k` is true; write text in quotes"),
            ("invalid type: map, expected a sequence", "`k` is a table; write a list"),
            ("invalid type: sequence, expected a map", "`k` is a list; write a table"),
            ("invalid type: integer `5`, expected struct RawNote", "`k` is 5; write a table"),
            ("invalid value: integer `-1`, expected u64", "`k` is -1; write a whole number, 0 or more"),
            (
                "invalid value: integer `70000`, expected u16",
                "`k` is 70000; write a whole number from 0 to 65535",
            ),
            ("invalid length 3, expected an array of length 2", "`k` has 3 entries; write a list of 2"),
            ("unknown variant `x`, expected `a` or `b`", "`k` is `x`; write `a` or `b`"),
            ("unknown field `x`, expected one of `a`, `b`", "`k`: unknown key `x`; known: `a`, `b`"),
            ("missing field `x`", "`k`: `x` is missing: add it"),
            ("odds are a ratio", "`k`: odds are a ratio"),
        ] {
            assert_eq!(problem(Some("k"), message), words);
        }
    }

    #[test]
    fn a_value_without_a_key_is_named_by_itself() {
        let message = "invalid type: string \"three\", expected u64";
        assert_eq!(problem(None, message), "found \"three\" where a whole number is expected");
        let message = "unknown variant `addition`, expected one of `a`, `b`";
        assert_eq!(problem(None, message), "`addition` is unknown; known: `a`, `b`");
    }
}
