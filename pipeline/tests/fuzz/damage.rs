//! Damage: changes to a text or to bytes, as careless hands and failing disks make them, and as malice would.

use proptest::collection::vec;
use proptest::sample::select;

use crate::prelude::*;

/// Writes bytes to a file of this name in a scratch folder, and reads it.
pub(crate) fn in_file<T>(name: &str, bytes: &[u8], read: impl FnOnce(&Path) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, bytes).unwrap();
    read(&file)
}

/// One change of bytes.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// Some bits of a byte are turned over.
    Flip(Index, u8),
    /// A few bytes are lost.
    Delete(Index, usize),
    /// A few bytes come in.
    Insert(Index, Vec<u8>),
    /// The rest is lost.
    Truncate(Index),
}

/// A few changes of bytes.
pub(crate) fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        2 => (any::<Index>(), 1..=255_u8).prop_map(|(at, bits)| Change::Flip(at, bits)),
        2 => (any::<Index>(), 0..8_u8).prop_map(|(at, bit)| Change::Flip(at, 1 << bit)),
        1 => (any::<Index>(), 1..40_usize).prop_map(|(at, length)| Change::Delete(at, length)),
        1 => (any::<Index>(), vec(any::<u8>(), 1..12)).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        1 => any::<Index>().prop_map(Change::Truncate),
    ];
    vec(change, 1..4)
}

/// The bytes with these changes.
pub(crate) fn damaged(bytes: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for change in changes {
        let (Change::Flip(at, _) | Change::Delete(at, _) | Change::Insert(at, _) | Change::Truncate(at)) =
            change;
        let at = at.index(bytes.len().max(1)).min(bytes.len());
        match change {
            Change::Flip(_, bits) => bytes.get_mut(at).into_iter().for_each(|byte| *byte ^= bits),
            Change::Delete(_, length) => drop(bytes.drain(at..bytes.len().min(at + length))),
            Change::Insert(_, new) => drop(bytes.splice(at..at, new.iter().copied())),
            Change::Truncate(_) => bytes.truncate(at),
        }
    }
    bytes
}

/// One change of a text of lines that say `key = value`.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    /// A line is lost.
    Remove(Index),
    /// A line is there twice.
    Repeat(Index, Index),
    /// Two lines have each other's values.
    Swap(Index, Index),
    /// A line has another value.
    Value(Index, &'static str),
}

/// Values that are hard to handle, separated by commas.
const VALUES: &str = r#"0, -1, 1, 3000000000, 1000000000, 9223372036854775807, -9223372036854775808, 1e308, -0.0, nan, inf, true,
"", "\u001b[2J", "\u202e", "0xffffffffffffffff", "1/0", [], [[[[[[[[]]]]]]]], {}, { playouts = 18446744073709551615 },
2026-01-01T00:00:00Z"#;

/// A few changes of lines.
pub(crate) fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let values: Vec<&str> = VALUES.split(',').map(str::trim).collect();
    let edit = prop_oneof![
        any::<Index>().prop_map(Edit::Remove),
        any::<(Index, Index)>().prop_map(|(from, to)| Edit::Repeat(from, to)),
        any::<(Index, Index)>().prop_map(|(one, other)| Edit::Swap(one, other)),
        (any::<Index>(), select(values)).prop_map(|(at, value)| Edit::Value(at, value)),
    ];
    vec(edit, 1..5)
}

/// The text with these changes.
pub(crate) fn edited(text: &str, edits: &[Edit]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for edit in edits {
        let count = lines.len().max(1);
        match edit {
            Edit::Remove(at) => drop(lines.remove(at.index(count))),
            Edit::Repeat(from, to) => lines.insert(to.index(count), lines[from.index(count)].clone()),
            Edit::Swap(one, other) => swap_values(&mut lines, one.index(count), other.index(count)),
            Edit::Value(at, value) => {
                let line = &mut lines[at.index(count)];
                if let Some((key, _)) = line.split_once('=') {
                    *line = format!("{key}= {value}");
                }
            }
        }
    }
    lines.join("\n")
}

fn swap_values(lines: &mut [String], one: usize, other: usize) {
    let part = |line: &str| line.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned()));
    if let (Some((key, value)), Some((other_key, other_value))) = (part(&lines[one]), part(&lines[other])) {
        lines[one] = format!("{key}={other_value}");
        lines[other] = format!("{other_key}={value}");
    }
}

/// A value of JSON that is hard to handle.
pub(crate) fn hard_values() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        Just(json!(1e308)),
        ".{0,20}".prop_map(Value::from),
        select(vec!["../../evil", "/etc/passwd", "a/b/c", "p/../q", "\u{1b}[2J", ""]).prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
        Just(json!([[[[[[1]]]]]])),
    ]
}

/// The JSON with the value at one place, counted through all of it, replaced.
pub(crate) fn replaced(json: &Value, at: Index, new: Value) -> Value {
    let mut json = json.clone();
    let mut left = at.index(count(&json));
    replace(&mut json, &mut left, &mut Some(new));
    json
}

fn count(json: &Value) -> usize {
    1 + match json {
        Value::Array(values) => values.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum::<usize>(),
        _ => 0,
    }
}

fn replace(json: &mut Value, left: &mut usize, new: &mut Option<Value>) {
    if *left == 0 {
        if let Some(new) = new.take() {
            *json = new;
        }
        return;
    }
    *left -= 1;
    let parts: Vec<&mut Value> = match json {
        Value::Array(values) => values.iter_mut().collect(),
        Value::Object(fields) => fields.values_mut().collect(),
        _ => Vec::new(),
    };
    for part in parts {
        if new.is_none() {
            return;
        }
        let within = count(part);
        if *left < within {
            return replace(part, left, new);
        }
        *left -= within;
    }
}
