//! What is refused while a manifest is read.

use super::*;

/// An edit of the example, and the message about it; empty if it is accepted.
struct Case<'a> {
    edits: Vec<Edit<'a>>,
    message: Vec<&'a str>,
}

/// Lines of an entry, and those that take their place.
#[derive(Default)]
struct Edit<'a> {
    entry: &'a str,
    old: String,
    new: String,
}

fn cases() -> Vec<Case<'static>> {
    let blocks = include_str!("rejections.txt").split("\n\n").filter(|block| block.starts_with('@'));
    let case = |block: &'static str| {
        let mut case = Case { edits: Vec::new(), message: Vec::new() };
        for line in block.lines() {
            let (sign, rest) = line.split_at(1);
            let rest = rest.strip_prefix(' ').unwrap_or(rest);
            match (sign, case.edits.last_mut()) {
                ("@", _) => case.edits.push(Edit { entry: rest, ..Edit::default() }),
                ("-", Some(edit)) => edit.old += &format!("{rest}\n"),
                ("+", Some(edit)) => edit.new += &format!("{rest}\n"),
                ("!", _) => case.message.push(rest),
                _ => panic!("{line}"),
            }
        }
        case
    };
    blocks.map(case).collect()
}

/// The text with an entry's lines replaced: `claim win`, `finding #2`, or `paper` for what stands before all
/// entries.
fn edited(text: &str, edit: &Edit<'_>) -> String {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices("\n[[").map(|(at, _)| at + 1))
        .chain([text.len()])
        .collect();
    let (kind, id) = edit.entry.split_once(' ').unwrap_or((edit.entry, ""));
    let of_kind = starts.windows(2).filter(|ends| {
        kind == "paper" && ends[0] == 0 || text[ends[0]..].starts_with(&format!("[[{kind}]]"))
    });
    let is_it = |(number, ends): &(usize, &[usize])| {
        let keys = &text[ends[0]..ends[1]];
        id.is_empty() || id == format!("#{}", number + 1) || keys.contains(&format!(" = \"{id}\"\n"))
    };
    let (_, ends) = of_kind.enumerate().find(is_it).unwrap_or_else(|| panic!("{} is there", edit.entry));
    let keys = format!("\n{}", &text[ends[0]..ends[1]]);
    let (old, new) = (format!("\n{}", edit.old), format!("\n{}", edit.new));
    assert_eq!(keys.matches(&old).count(), 1, "{old:?} stands once in {}", edit.entry);
    format!("{}{}{}", &text[..ends[0]], &keys.replace(&old, &new)[1..], &text[ends[1]..])
}

#[test]
fn edits_of_the_example_are_refused_as_listed() {
    let cases = cases();
    assert!(cases.len() > 300, "{}", cases.len());
    for Case { edits, message } in cases {
        let text = edits.iter().fold(EXAMPLE.to_owned(), |text, edit| edited(&text, edit));
        let error = read(&text).err().map(|error| error.to_string()).unwrap_or_default();
        let said: Vec<&str> =
            error.lines().map(|line| line.strip_prefix(&format!("{FILE}:")).unwrap_or(line)).collect();
        assert!(
            error.chars().all(|letter| letter == '\n' || engine::abi::host::is_plain(letter)),
            "{error:?}"
        );
        match message.split_last() {
            Some((&"…", listed)) => {
                assert!(listed.iter().all(|line| said.contains(line)), "{}\n{said:#?}", edits[0].new);
            }
            _ => assert_eq!(said, message, "{}", edits[0].new),
        }
    }
}

#[test]
fn text_that_is_no_toml_is_refused_once() {
    let error = read(&EXAMPLE.replace("games = 100", "games = = 100")).unwrap_err();
    // With its causes, it is told no more than once.
    assert_eq!(platform::errors::chain(&error), error.to_string());
}

#[test]
fn the_first_problem_of_every_entry_is_shown_with_its_line() {
    let text = EXAMPLE
        .replace("year = 2023", "year = \"2023\"")
        .replace("games = 100", "games = 0")
        .replace("games = 50", "games = \"many\"")
        .replace("text = \"It takes five times as long.\"\n", "")
        .replace(
            "metric = \"reach.2048\"\nexperiment = \"pure\"",
            "metric = \"reach.2048\"\nexperiment = \"lost\"",
        )
        .replace("axis =", "axes =")
        .replace("The seed is not said.", "");
    let error = read(&text).unwrap_err();
    let expected = [
        "6: the paper: `citation.year` is \"2023\", must be a whole number",
        "21: note `D-2`: `text` is empty: fill it in",
        "26: experiment `pure`: `games` is 0, must be at least 1",
        "33: experiment `mdp-25`: `games` is \"many\", must be a whole number",
        "63: claim `win`: `experiment` is `lost`, which is not an experiment of this paper; known: pure, mdp-25, tuned-best-1, \
         tuned-best-2, tuned-default",
        "67: claim `speed`: `text` is missing: add it",
        "121: figure `nodes`: `axes` is unknown; known: axis, groups, id, kind, published, title, x",
    ];
    assert_eq!(error.to_string(), expected.map(|line| format!("{FILE}:{line}")).join("\n"));
    // With its causes, nothing is told twice.
    assert_eq!(platform::errors::chain(&error), error.to_string());
}

#[test]
fn no_more_than_twenty_problems_are_shown() {
    let broken: String = (1..=25).map(|n| format!("[[note]]\nid = \"X-{n}\"\ntext = {n}\n")).collect();
    let error = read(&format!("{EXAMPLE}\n{broken}")).unwrap_err().to_string();
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), 21, "{error}");
    assert!(lines[0].ends_with(": note `X-1`: `text` is 1, must be text"), "{error}");
    assert!(lines[19].ends_with(": note `X-20`: `text` is 20, must be text"), "{error}");
    assert_eq!(lines[20], "and 5 more");
}

#[test]
fn lists_that_are_no_lists_and_entries_that_are_no_tables_are_refused() {
    let error = |text: &str| read(text).unwrap_err().to_string();
    let citation = "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\n";
    assert_eq!(
        error(&format!("note = 5\n{citation}")),
        format!("{FILE}:1: the paper: `note` is 5, must be a list")
    );
    assert_eq!(
        error(&format!("note = [5]\n{citation}")),
        format!("{FILE}:1: note `#1`: it is 5, must be a table")
    );
    assert_eq!(error("summary = \"S\""), format!("{FILE}:1: the paper: `citation` is missing: add it"));
}
