//! `pipeline check` as an author sees it: every step, full error output, each cause once, and limits.

use crate::common::lab::bridge_script;
use crate::common::prelude::*;

/// A program that does this with a position.
fn program(at_position: &str) -> String {
    bridge_script("frail", "", at_position)
}

fn check(script: &str, arguments: &str) -> CommandOutput {
    let lab = Lab::new();
    lab.add_script("frail", script);
    lab.run(&format!("check plugins/frail.agent {arguments}"))
}

const TRACEBACK: &str = r#"echo 'Traceback (most recent call last):' >&2; echo '  File "frail.py", line 7' >&2; echo 'ValueError: 7' >&2; exit 1"#;

/// Answers a position with the first of its legal directions.
const LEGAL: &str = r#"printf '{"type":"move","direction":"%s","spent":70}\n' "$first""#;

#[test]
fn the_error_output_of_a_program_is_shown_once_or_when_it_does_not_start() {
    let ran = check(&program(TRACEBACK), "--moves 5");
    ran.assert_finds(&[
        "4. FAILED  plays legal moves only: the agent ended its process with exit code 1",
        "5. FAILED  same seed, same game: as in step 4, at game 0, move 1",
        "remedy: make sure that the program runs until it reads quit",
    ]);
    for line in ["Traceback (most recent call last):", "File \"frail.py\", line 7", "  ValueError: 7"] {
        assert_eq!(ran.stdout.matches(line).count(), 1, "{line}: {ran:?}");
    }
    assert_lacks(&ran.stdout, &["AGENT2048", "choose_move"]);
    check(TRACEBACK, "").assert_fails(
        2,
        &["Traceback (most recent call last):", "File \"frail.py\", line 7", "ValueError: 7"],
    );
}

#[test]
fn the_remedy_for_an_illegal_move_of_a_program_names_letters() {
    let ran = check(&program(r#"echo '{"type":"move","direction":"U"}'"#), "--moves 50");
    ran.assert_finds(&[r#"remedy: choose one of the letters in "legal" of the position"#]);
    assert_eq!(ran.stdout.matches("remedy:").count(), 1, "{ran:?}");
}

#[test]
fn a_slow_agent_gets_the_limit_and_its_speed_reported_unlike_one_that_hangs() {
    let ran = check(&program(&format!("sleep 0.2; {LEGAL}")), "--limit 5");
    assert!(ran.stdout.starts_with("Each step may take up to 5 s; --limit sets another limit.\n"), "{ran:?}");
    ran.assert_omits(&["4. passed"]).assert_finds(&[
        "3. passed",
        "not done within its limit of 5 s",
        "decisions so far",
        "--moves 1,",
        "not reached: same seed",
    ]);
    let stopped = "s, after 0 decisions; the step was stopped at its limit of 5 s";
    check(&program("sleep 100"), "--limit 5").assert_finds(&[stopped, "not reached: same seed, same game"]);
}

#[test]
fn a_budget_is_one_that_the_agent_takes_and_that_can_be_counted() {
    let right = program(LEGAL);
    check(&right, "--budget plies=3").assert_fails(2, &["frail", "plies"]);
    check(&right, "--budget time-ns=1000").assert_fails(2, &["no two are the same under a budget of time"]);
    let counting = right.replace("\"version\"", "\"budgets\":[\"none\",\"nodes\"],\"version\"");
    check(&counting, "--budget nodes=70 --moves 3")
        .assert_code(0)
        .assert_prints(&["keeps its budget: 70 nodes (at most 70 spent)"]);
}

#[test]
fn in_a_terminal_a_finished_step_erases_its_spinner() {
    let lab = Lab::new();
    let command =
        format!("stty cols 90 rows 26; exec '{}' check random --moves 40", env!("CARGO_BIN_EXE_pipeline"));
    let Ok(ran) = in_terminal(&command).current_dir(lab.path(".")).output() else {
        return skip("there is no `script` to check in a terminal with");
    };
    let shown = String::from_utf8(ran.stdout).unwrap();
    let done: Vec<&str> = shown.lines().filter(|line| line.contains("passed")).collect();
    assert_eq!(done.len(), 12, "{shown}");
    for line in done {
        let left = line.rsplit("\x1b[2K").next().unwrap();
        assert!(!left.contains(|letter| ('\u{2800}'..='\u{28ff}').contains(&letter)), "{left:?}");
    }
}
