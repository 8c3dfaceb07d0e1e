//! HostileRepository text in manifests, plugins, programs and results: it reaches no terminal, and is cut short.

use crate::common::prelude::*;

use engine::abi::host::is_plain;

/// Escaped: clears the screen, sets a title, reverses the direction of reading, hides a letter.
const HOSTILE: &str = r"\u001b[2J\u001b]0;x\u0007\u009b31m\u202e\u2066\u200b\u2028";

const ASK: &str = "ask evil '2 2 . ./. . . ./. . . ./. . . .'";

/// More than anyone reads.
fn endless() -> String {
    "x".repeat(10_000)
}

/// Runs a command and asserts that what it prints is plain, and short.
#[track_caller]
fn run(lab: &Lab, arguments: &str) -> CommandOutput {
    let ran = lab.run(arguments);
    for text in [&ran.stdout, &ran.stderr] {
        let wrong = text.chars().find(|&letter| !is_plain(letter) && letter != '\n' && letter != '\t');
        assert_eq!(wrong, None, "{arguments:?}: {ran:?}");
        assert!(!text.contains(&"x".repeat(2100)), "{arguments:?} repeats a long text: {} bytes", text.len());
        assert!(!text.contains("panicked"), "{arguments:?}: {ran:?}");
    }
    ran
}

/// Adds a program that answers each type of message with one of these lines.
fn add_program(lab: &Lab, answers: &[(&str, String)]) {
    let cases: String = answers
        .iter()
        .map(|(kind, answer)| format!("*'\"type\":\"{kind}\"'*) cat <<'END'\n{answer}\nEND\n;;\n"))
        .collect();
    let noise = r"printf '\033[31mnoise\033[0m\n' >&2";
    lab.add_script(
        "evil",
        &format!("while read -r line; do\n{noise}\ncase \"$line\" in\n{cases}esac\ndone\n"),
    );
}

fn hello(key: &str, value: &str) -> (&'static str, String) {
    let plain = [("id", "evil"), ("version", "1"), ("name", "Evil"), ("paper", "None")];
    let mut hello = String::from(r#"{"type":"hello","protocol":1"#);
    for (name, text) in plain {
        let text = if name == key { value } else { text };
        hello.push_str(&format!(r#","{name}":"{text}""#));
    }
    ("hello", hello + "}")
}

#[test]
fn a_hostile_manifest_is_refused_in_plain_letters() {
    let endless = endless();
    let order = "text = \"T\"\nplace = \"P\"\nmetric = \"score.mean\"\nbetter = \"e\"\nworse = \"f\"";
    let whole = [
        "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\n[[note]]\nid = \"D-1\"\ntext = \"N\"\n",
        &experiment("e", "random", 2, ""),
        &experiment("f", "random", 2, "method = \"M\"\nseed = 1"),
        &claim("c", "ordinal", order),
    ]
    .concat();
    let lab = Lab::new();
    for text in [
        "title = \"T\"",
        "\"A\"",
        "text = \"N\"",
        "text = \"T\"",
        "place = \"P\"",
        "method = \"M\"",
        "id = \"e\"",
        "id = \"c\"",
        "id = \"D-1\"",
        "\"random\"",
    ] {
        for hostile in [HOSTILE, &endless] {
            let (key, _) = text.split_once('"').unwrap();
            let manifest = whole.replacen(text, &format!("{key}\"{hostile}\""), 1);
            assert_ne!(manifest, whole);
            lab.write("paper-configs/p.toml", manifest);
            let is_note = text == "text = \"N\"" || text == "text = \"T\"";
            for command in ["plan", "run", "claims", "explain", "render", "games p/e"] {
                let ran = run(&lab, command);
                // A note may be as long as that; then there are games, which are listed without the manifest.
                let is_refused = ran.code == Some(2) || command.starts_with("games");
                assert!(is_refused || is_note && hostile == endless, "{text}, {command:?}: {ran:?}");
            }
        }
    }
}

#[test]
fn programs_and_libraries_with_hostile_names_are_refused_in_plain_letters() {
    for key in ["id", "version", "name", "paper"] {
        for hostile in [HOSTILE, &endless()] {
            let lab = Lab::with(&experiment("e", "evil", 2, ""));
            add_program(&lab, &[hello(key, hostile)]);
            run(&lab, "agents").assert_prints(&["cannot be used: "]);
            run(&lab, "agents --json");
            for command in ["plan", "run", "explain", ASK] {
                assert_eq!(run(&lab, command).code, Some(2), "{key}, {command:?}");
            }
        }
    }
    let lab = Lab::new();
    for (number, flag) in
        [r#"-DNAME="\x1b[2J""#, r#"-DPAPER="\xe2\x80\xae""#, r#"-DVERSION="\x07""#].into_iter().enumerate()
    {
        let file = compile_plugin("pipeline/tests/plugins/refused.c", &format!("hostile-{number}"), &[flag]);
        lab.add_plugin(&file);
    }
    run(&lab, "agents").assert_prints(&[
        "its name holds U+001B",
        "its citation holds U+202E",
        "its version holds U+0007",
    ]);
}

#[test]
fn hostile_messages_of_a_program_are_shown_in_plain_letters() {
    let endless = endless();
    for said in [HOSTILE, &endless] {
        let ready = || r#"{"type":"ready"}"#.to_owned();
        let log = format!(r#"{{"type":"log","line":"{said}"}}"#);
        let error = format!(r#"{{"type":"error","reason":"{said}"}}"#);
        let refused = format!(r#"{{"type":"refused","what":"params","reason":"{said}"}}"#);
        let garbage = said.to_owned();
        for answers in [
            vec![hello("", ""), ("setup", refused)],
            vec![hello("", ""), ("setup", error.clone())],
            vec![hello("", ""), ("setup", garbage.clone())],
            vec![hello("", ""), ("setup", format!("{log}\n{}", ready())), ("position", error)],
            vec![hello("", ""), ("setup", ready()), ("position", garbage)],
        ] {
            let lab = Lab::with(&experiment("e", "evil", 2, "fault_share = \"1/1\""));
            add_program(&lab, &answers);
            for command in ["run --jobs 1", "run --json", "plan", ASK, "eval evil --games 2"] {
                // Games that end by a fault are recorded too: the next command finds them.
                assert!(run(&lab, command).code.is_some());
            }
            run(&lab, "agents");
            run(&lab, "check plugins/evil.agent");
        }
    }
}

#[test]
fn texts_of_a_manifest_are_text_in_markdown() {
    let lab = Lab::new();
    let title = "A [link](https://example.org) <img src=x> | `code` *x*";
    let texts = format!("text = '{title}'\nplace = '{title}'");
    let check = format!("{texts}\npublished = '{title}'\ncheck = \"power-of-two\"\nargs = {{ tile = 8 }}");
    let manifest = [
        format!("[citation]\ntitle = '{title}'\nauthors = [\"A\"]\n"),
        experiment("e", "random", 2, &format!("note = '{title}'\nmethod = '{title}'")),
        claim("c", "arithmetic", &check),
        format!("[[exhibit]]\n{texts}\nshown_by = ['tables/p-claims.md']\n"),
    ];
    lab.write("paper-configs/p.toml", manifest.concat());
    lab.succeed("run");
    lab.succeed("render");
    let mut seen = 0;
    for (name, bytes) in files(&lab.path("results/tables")).iter().filter(|(name, _)| name.ends_with(".md")) {
        let text = String::from_utf8_lossy(bytes);
        for live in ["](https", "<img", " `code`"] {
            assert!(!text.contains(live), "{live} in {name}: {text}");
        }
        let shown = r"A [link]\(https://example.org) &lt;img src=x> \| \`code\` \*x\*";
        seen += usize::from(text.contains(shown));
    }
    assert!(seen >= 3, "the text stands in {seen} files");
}
