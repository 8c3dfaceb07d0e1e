//! Randomly damaged lines from programs: each is a message or an error, and an agent's texts are plain or
//! refused.

use engine::abi::host::is_plain;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::message::ProgramMessage;

/// One message of each kind, with all fields.
const MESSAGES: [&str; 7] = [
    r#"{"type":"hello","protocol":1,"id":"a","version":"1","name":"A","paper":"P","licence":"MIT","budgets":["none","time-ns"],"overruns":true,"params":{"depth":{"type":"integer","default":3}}}"#,
    r#"{"type":"ready"}"#,
    r#"{"type":"refused","what":"rules","reason":"no"}"#,
    r#"{"type":"move","direction":"U","nodes":18446744073709551615,"spent":7,"depth":4294967295,"value":1e308,"values":{"U":1,"R":-1}}"#,
    r#"{"type":"log","line":"words","level":"warn"}"#,
    r#"{"type":"error","reason":"broken"}"#,
    r#"{"type":"hello","protocol":2,"id":"\u001b[2J","version":"\u202e"}"#,
];

/// What replaces parts of a message.
const PIECES: [&str; 14] = [
    "null",
    "-1",
    "1e999",
    "18446744073709551616",
    "\"\"",
    "\"\\u001b\"",
    "[]",
    "{}",
    ",",
    ":",
    "\"type\"",
    "\\ud800",
    "[[[[[[",
    "\u{202e}",
];

/// A message with some changed bytes and some inserted pieces.
fn lines() -> impl Strategy<Value = Vec<u8>> {
    let flips = vec((any::<Index>(), any::<u8>()), 0..3);
    let pieces = vec((any::<Index>(), 0..12_usize, select(&PIECES[..])), 0..3);
    (select(&MESSAGES[..]), pieces, flips).prop_map(|(message, pieces, flips)| {
        let mut bytes = message.as_bytes().to_vec();
        for (at, length, piece) in pieces {
            let at = at.index(bytes.len());
            let end = bytes.len().min(at + length);
            bytes.splice(at..end, piece.bytes());
        }
        flips.into_iter().for_each(|(at, byte)| {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        });
        bytes
    })
}

/// Takes a line as a bridge does.
fn take(line: &[u8]) {
    match serde_json::from_slice::<ProgramMessage>(line) {
        Ok(ProgramMessage::Hello(hello)) => {
            let Ok(agent) = hello.describe() else { return };
            if agent.check().is_ok() {
                let texts = [&agent.id, &agent.name, &agent.version, &agent.paper, &agent.licence];
                assert!(texts.into_iter().all(|text| text.chars().all(is_plain)), "{agent:?}");
                let _ = agent.default_params();
            }
        }
        Ok(ProgramMessage::Move(chosen)) => {
            let (_, _) = (chosen.decision(), chosen.values());
        }
        Ok(_) => {}
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

#[test]
fn the_messages_that_are_damaged_are_themselves_in_order() {
    for message in MESSAGES {
        assert!(serde_json::from_str::<ProgramMessage>(message).is_ok(), "{message}");
    }
}

proptest! {
    #[test]
    fn a_damaged_line_is_a_message_or_an_error(line in lines()) {
        take(&line);
    }

    #[test]
    fn random_bytes_are_a_message_or_an_error(line in vec(any::<u8>(), 0..300)) {
        take(&line);
    }
}
