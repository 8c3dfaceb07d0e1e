//! Numbers and texts at their limits, and one beyond.

use super::super::limits::*;
use super::*;

#[test]
fn lists_and_texts_beyond_their_limits_are_refused_without_being_repeated() {
    let notes: String =
        (1..=MOST_ENTRIES).map(|n| format!("[[note]]\nid = \"X-{n}\"\ntext = \"t\"\n")).collect();
    let error = read(&format!("{EXAMPLE}\n{notes}")).unwrap_err().to_string();
    assert_eq!(error, format!("{FILE}:15: the paper: `note` has 100002 entries: write at most 100000"));
    let more: String = (0..MOST_INTERPRETATIONS - 1)
        .map(|n| format!("[[interpretation]]\nid = \"i-{n}\"\nname = \"n\"\ntext = \"t\"\n"))
        .collect();
    let error = read(&format!("{EXAMPLE}\n{more}")).unwrap_err().to_string();
    assert!(error.ends_with("the paper: `interpretation` has 101 entries: write at most 100"), "{error}");
    let long = "x".repeat(LONGEST_TEXT + 1);
    refused("The seed is not said.", &long, "note `D-2`: `text` has more than 10000 characters: shorten it");
    read(&EXAMPLE.replace("The seed is not said.", &long[1..])).unwrap();
    let name = "é".repeat(LONGEST_NAME + 1);
    refused("An Example", &name, "the paper: `citation.title` has more than 300 characters: shorten it");
    let id = "x".repeat(100_000);
    assert!(message("id = \"pure\"", &format!("id = \"{id}\"")).lines().all(|line| line.len() < 1000));
    assert!(message("agent = \"pure-mcts\"", &format!("agent = \"{id}\"")).len() < 1000);
}

#[test]
fn a_file_larger_than_any_manifest_is_refused_before_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.toml");
    let filler = format!("# {}\n", "x".repeat(LARGEST_MANIFEST as usize));
    fs::write(&file, format!("{EXAMPLE}\n{filler}")).unwrap();
    let error = platform::errors::chain(&load(&file).unwrap_err());
    let words = format!("x.toml: cannot be read: it has more than {LARGEST_MANIFEST} bytes");
    assert!(error.contains(&words), "{error}");
}

#[test]
fn the_schema_carries_the_limits() {
    let schema = schema();
    let limit = |pointer: &str| schema.pointer(pointer).cloned().unwrap_or_else(|| panic!("no {pointer}"));
    for (pointer, most) in [
        ("/$defs/Experiment/properties/games/maximum", json!(MOST_GAMES)),
        ("/$defs/Experiment/properties/games/minimum", json!(1)),
        ("/$defs/Experiment/properties/move_limit_ms/maximum", json!(LONGEST_MOVE_MS)),
        ("/$defs/Experiment/properties/acknowledged_faults/maximum", json!(MOST_GAMES)),
        ("/$defs/Claim/properties/n/maximum", json!(MOST_PUBLISHED_GAMES)),
        ("/$defs/Claim/properties/assumed_n/maximum", json!(MOST_PUBLISHED_GAMES)),
        ("/$defs/Claim/properties/text/maxLength", json!(LONGEST_TEXT)),
        ("/$defs/Note/properties/text/maxLength", json!(LONGEST_TEXT)),
        ("/$defs/Claim/properties/reason/maxLength", json!(LONGEST_TEXT)),
        ("/$defs/Interpretation/properties/name/maxLength", json!(LONGEST_NAME)),
        ("/$defs/Interpretation/properties/text/maxLength", json!(LONGEST_TEXT)),
        ("/$defs/Conclusion/properties/text/maxLength", json!(LONGEST_TEXT)),
        ("/properties/interpretation/maxItems", json!(MOST_INTERPRETATIONS)),
        ("/properties/finding/maxItems", json!(MOST_ENTRIES)),
        ("/$defs/Citation/properties/title/maxLength", json!(LONGEST_NAME)),
        ("/properties/experiment/maxItems", json!(MOST_ENTRIES)),
        ("/properties/claim/maxItems", json!(MOST_ENTRIES)),
        ("/properties/study/maxItems", json!(MOST_STUDIES)),
        ("/$defs/Study/properties/games/maximum", json!(MOST_GAMES_OF_A_TRIAL)),
        ("/$defs/Study/properties/space/maxProperties", json!(MOST_SEARCHED)),
        ("/$defs/Winners/properties/best/maximum", json!(MOST_WINNERS)),
        ("/$defs/Winners/properties/games/maximum", json!(MOST_GAMES)),
        ("/$defs/Range/properties/digits/maximum", json!(MOST_DIGITS)),
        ("/$defs/Range/properties/choices/maxItems", json!(MOST_CHOICES)),
    ] {
        assert_eq!(limit(pointer), most, "{pointer}");
    }
    let budgets = limit("/$defs/Budget/oneOf").to_string();
    for amount in [MOST_BUDGET, LONGEST_MOVE_NS] {
        assert!(budgets.contains(&format!("\"maximum\":{amount}")), "{budgets}");
    }
}
