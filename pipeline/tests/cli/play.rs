//! `pipeline play` in a terminal: what it shows, and that it restores the terminal.

use crate::common::prelude::*;

use std::io::{Read as _, Write as _};
use std::sync::{Arc, Mutex};

/// Lets the program play in a terminal, presses keys once these words are shown, and gives all that it wrote.
fn play(lab: &Lab, arguments: &str, steps: &[(&str, &str)]) -> Option<String> {
    let command = format!("stty cols 90 rows 26; exec '{}' play {arguments}", env!("CARGO_BIN_EXE_pipeline"));
    let mut terminal = in_terminal(&command);
    terminal.current_dir(lab.path(".")).env_remove("NO_COLOR");
    terminal.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut child) = terminal.spawn() else {
        skip("there is no `script` to play in a terminal with");
        return None;
    };
    let mut keys = child.stdin.take().unwrap();
    let mut out = child.stdout.take().unwrap();
    let shown = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&shown);
    let reader = std::thread::spawn(move || {
        let mut chunk = [0; 4096];
        while let Ok(read @ 1..) = out.read(&mut chunk) {
            kept.lock().unwrap().extend_from_slice(&chunk[..read]);
        }
    });
    let text = || String::from_utf8_lossy(&shown.lock().unwrap()).into_owned();
    for (words, pressed) in steps {
        wait_until(words, || text().contains(words));
        keys.write_all(pressed.as_bytes()).unwrap();
    }
    let status = child.wait().unwrap();
    reader.join().unwrap();
    assert!(status.success(), "{status:?}: {}", text());
    Some(text())
}

#[test]
fn an_agent_plays_a_person_takes_over_or_plays_alone_and_the_terminal_is_restored() {
    let lab = Lab::new();
    // Up, right, down and left: at least two of them are legal. The seed is that of the records.
    let takes_over = [("the agent's advice", "wdsa"), ("move 1 ", "u"), ("move 2 ", "n"), ("paused", "q")];
    let about = "random 1.0.0, no budget, standard rules, seed 2048, game 0";
    let to_the_end = [("over: no move is left", "q")];
    // The tiles have colours.
    let shows = [about, "\x1b[48;5;"];
    for (arguments, steps, words) in [
        ("random --speed 1000", &to_the_end[..], &shows[..]),
        ("random --advise --seed 7 --game 3", &takes_over, &["seed 7, game 3", "paused: your move"]),
        ("--rules stop_at=8 --seed 1", &[("your move", "wdsa\x03")], &[]),
    ] {
        let Some(shown) = play(&lab, arguments, steps) else { return };
        let (taken, given) = (shown.find("\x1b[?1049h"), shown.rfind("\x1b[?1049l"));
        assert!(taken.is_some() && taken < given, "the screen is given back: {shown}");
        assert!(shown.rfind("\x1b[?25l") < shown.rfind("\x1b[?25h"), "the cursor is shown again: {shown}");
        assert_has(&shown, words);
        let is_alone = arguments.starts_with("--rules");
        assert!(!is_alone || !shown.contains("advice"), "{shown}");
    }
}
