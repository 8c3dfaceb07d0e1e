//! Text from other people, in plugins, records and git. It is shown as it is, and never acts as markup, a
//! formula or a command.

use crate::common::prelude::*;
use crate::common::repository::CITATION;

use crate::forge::{ForgedFile, mend_index};
use crate::records::assert_sober;

/// What a plugin may state about itself: plain letters only.
const PLAIN: &str =
    "=cmd|</script><script>alert(1)</script><img src=x onerror=alert(1)>](javascript:alert(1))\\\\input{x}";
/// What a file may state: anything.
const ANYTHING: &str = "=cmd|\x1b[2J\nFORGED\u{202e}</script><script>alert(1)</script><img src=x onerror=alert(1)>](javascript:alert(1))\\input{x}";

#[test]
fn hostile_words_are_text_in_everything_that_is_printed_and_rendered() {
    let lab = Lab::with(&experiment("e", "tuned", 3, ""));
    let flags = ["NAME", "PAPER", "LICENCE", "VERSION"].map(|what| format!("-D{what}=\"{PLAIN}\""));
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    lab.build_plugin(TUNED, "tuned-hostile", &flags);
    lab.succeed("reproduce --quiet");
    let hostile = |header: &mut Value| {
        for part in ["commit", "rustc", "cpu", "platform", "date", "plugin_sha256", "pipeline", "kernel"] {
            header["provenance"][0][part] = ANYTHING.into();
        }
        header["identity"]["params"][ANYTHING] = ANYTHING.into();
        header["identity"]["signature"] = ANYTHING.into();
        header["second_signature"] = ANYTHING.into();
    };
    ForgedFile::rewrite(&lab.records_file("p/e"), |forged| forged.header(hostile));
    mend_index(&lab, "p/e");
    lab.write(".gitignore", "/results/.lock\n/results/.cache/\n/plugins\n/bundles*\n");
    lab.write("CITATION.cff", CITATION);
    lab.succeed("render");
    git(&lab.path(""), &["init", "--quiet", "--initial-branch=<script>alert(1)</script>"]);
    git(&lab.path(""), &["add", "--all"]);
    let author = "--author=\x1b[2J<script>alert(1)</script> <x@example.org>";
    git(&lab.path(""), &["commit", "--quiet", author, "--message", ANYTHING]);
    git(&lab.path(""), &["tag", "v<script>alert(1)</script>"]);
    let commands = [
        "agents",
        "agents tuned",
        "agents --json",
        "plan",
        "explain",
        "explain p/e",
        "verify",
        "verify --json",
        "claims",
        "games p/e",
        "diff v<script>alert(1)</script>",
        "diff HEAD results --json",
        "eval tuned --games 2",
        "bundle --to bundles --allow-stale",
    ];
    assert_sober(&lab, &commands);
    let mut bundles = files(&lab.path("bundles")).into_keys();
    let bundle = bundles.find(|name| name.ends_with(".zst")).expect("a bundle was made");
    assert_sober(&lab, &[&format!("verify bundles/{bundle}")]);
    lab.succeed(&format!("unbundle bundles/{bundle} open"));
    let mut seen = 0;
    for folder in ["results/tables", "results/report", "results/figures", "open"] {
        for (name, bytes) in files(&lab.path(folder)) {
            let Ok(text) = String::from_utf8(bytes) else { continue };
            if !name.starts_with("source/") && !name.contains("paper-configs") {
                seen += u32::from(text.contains("cmd"));
                assert_harmless(&name, &text);
            }
        }
    }
    assert!(seen > 3, "the words are shown somewhere");
}

/// Asserts that a file contains the words only as text.
fn assert_harmless(name: &str, text: &str) {
    let is_plain = |letter: char| engine::abi::host::is_plain(letter) || "\n\t".contains(letter);
    if let Some(at) = text.find(|letter| !is_plain(letter)) {
        panic!("{name}: {:?}", &text[..at].chars().rev().take(80).collect::<String>());
    }
    let forbidden: &[&str] = match name.rsplit_once('.').map(|(_, kind)| kind) {
        Some("html" | "svg") => &["<script>alert", "<img src=x", "href=\"javascript:"],
        Some("md") => &["<script>alert", "<img src=x", "](javascript:", "\nFORGED"],
        Some("tex") => &["\\input{x}", "\nFORGED"],
        Some("csv") => &["\n=cmd", ",=cmd", "\"=cmd", "\nFORGED"],
        _ => &["\nFORGED"],
    };
    for words in forbidden {
        if let Some(at) = text.find(words) {
            let before: Vec<char> = text[..at].chars().rev().take(120).collect();
            panic!("{name}: `{words}` behind {:?}", before.iter().rev().collect::<String>());
        }
    }
}
