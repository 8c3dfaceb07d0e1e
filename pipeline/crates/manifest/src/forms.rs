//! The forms of texts in a manifest: the schema that an editor sees, and the check that goes with it.

use std::borrow::Cow;

use engine::abi::host::{is_identifier, is_plain};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use super::limits::{LONGEST_NAME, LONGEST_TEXT};
use platform::plain::line;

const TEXT: &str = r"\S";
const NAME: &str = r"^[^\n\t]*\S[^\n\t]*$";
const ID: &str = "^[a-z0-9_-]{1,64}$";
const NOTE_ID: &str = "^[A-Z]+-[1-9][0-9]*$";
const SHA256: &str = "^[0-9a-f]{64}$";
const ADDRESS: &str = "^https?://";

/// Makes a type that stands for a form in schemas.
macro_rules! forms {
    ($($(#[$doc:meta])* $name:ident($pattern:expr, $longest:expr);)*) => {$(
        $(#[$doc])*
        pub(super) enum $name {}

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({"type": "string", "pattern": $pattern, "maxLength": $longest})
            }
        }
    )*};
}

forms! {
    /// A text of any number of lines.
    Text(TEXT, LONGEST_TEXT);
    /// A text that stands in the middle of a line.
    Name(NAME, LONGEST_NAME);
    /// What an entry is called within its paper.
    Id(ID, LONGEST_NAME);
    /// What a note is called: capital letters, a hyphen and a number.
    IdOfNote(NOTE_ID, LONGEST_NAME);
    /// A hash as `sha256sum` prints it.
    Sha256(SHA256, LONGEST_NAME);
    /// An address on the web. The report makes it a link, and any other scheme could run code.
    Address(ADDRESS, LONGEST_NAME);
}

/// Checks a text by the keywords of a schema. Patterns of other types are left to those who read them.
pub(super) fn check(schema: &Map<String, Value>, text: &str) -> Result<(), String> {
    let shown = || line(text);
    let pattern = schema.get("pattern").and_then(Value::as_str);
    Err(match pattern {
        Some(ID) if !is_identifier(text) => {
            format!("is `{}`: write 1 to 64 lower-case letters, digits, - and _", shown())
        }
        Some(SHA256) if !is_sha256(text) => {
            "is no SHA-256: write 64 lower-case hexadecimal digits, as `sha256sum` prints them".to_owned()
        }
        Some(NOTE_ID) if !is_note_id(text) => {
            "has the wrong form: write capital letters, a hyphen and a number, such as `D-1`".to_owned()
        }
        Some(ADDRESS) if !["https://", "http://"].iter().any(|scheme| text.starts_with(scheme)) => {
            format!("is `{}`: start it with https:// or http://", shown())
        }
        Some(TEXT | NAME) if text.trim().is_empty() => "is empty: fill it in".to_owned(),
        Some(NAME) if text.contains(['\n', '\t']) => "has a line break or a tab: write one line".to_owned(),
        _ => {
            let longest = schema.get("maxLength").and_then(Value::as_u64).unwrap_or(u64::MAX);
            return not_longer(text, longest as usize);
        }
    })
}

/// Checks a text that stands in the middle of a line.
pub(super) fn check_name(text: &str) -> Result<(), String> {
    let keywords = [("pattern".to_owned(), NAME.into()), ("maxLength".to_owned(), LONGEST_NAME.into())];
    check(&keywords.into_iter().collect(), text)
}

fn not_longer(text: &str, longest: usize) -> Result<(), String> {
    match text.chars().nth(longest) {
        Some(_) => Err(format!("has more than {longest} characters: shorten it")),
        None => Ok(()),
    }
}

/// Checks what holds for every text of a manifest: that it shows as it is written, and is not too long to be
/// shown.
pub(super) fn check_shown(text: &str) -> Result<(), String> {
    not_longer(text, LONGEST_TEXT)?;
    let hidden = text.chars().find(|&letter| !is_plain(letter) && !matches!(letter, '\n' | '\t'));
    hidden.map_or(Ok(()), |letter| {
        Err(format!("holds U+{:04X}, which does not show as itself: remove it", u32::from(letter)))
    })
}

/// Whether a text is a SHA-256 as `sha256sum` prints it.
pub(super) fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether a text is capital letters, a hyphen and a number.
pub(super) fn is_note_id(text: &str) -> bool {
    let Some((letters, number)) = text.split_once('-') else { return false };
    let is_word = !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_word && is_number && !number.starts_with('0')
}
