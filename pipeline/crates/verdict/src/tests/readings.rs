//! Papers under their interpretations: what is counted, and which one speaks for the paper.

use super::*;

/// Interpretations with these ids.
fn interpretations(ids: &[&str]) -> String {
    let one = |id: &&str| format!("[[interpretation]]\nid = \"{id}\"\nname = \"As {id}\"\ntext = \"T\"\n");
    ids.iter().map(one).collect()
}

/// A claim with another id and more keys.
fn with(claim: &str, id: &str, keys: &str) -> String {
    claim.replace("id = \"c\"", &format!("id = \"{id}\"\n{keys}"))
}

fn summary(claims: &[String], evidence: &Evidence) -> Summary {
    Summary::of(&judge(&[paper(&claims.concat())], evidence))
}

/// What a reading counts: covered, missed, undecided, untested, not covered.
fn counts(reading: &Reading) -> [u64; 5] {
    [reading.covered, reading.missed, reading.undecided, reading.untested, reading.not_covered]
}

/// Two numbers, of which each fits under one interpretation alone.
fn crossed() -> Vec<String> {
    let (fits, misses) = (numeric("score.mean", "1000", "n = 20"), numeric("score.mean", "700", "n = 20"));
    let on_two = |claim: &str| claim.replace("experiment = \"one\"", "experiment = \"two\"");
    vec![
        interpretations(&["a", "b"]),
        with(&fits, "x", "under = [\"a\"]"),
        with(&on_two(&fits), "x-b", "under = [\"b\"]\nreading_of = \"x\""),
        with(&misses, "y", "under = [\"a\"]"),
        with(&on_two(&misses.replace("700", "500")), "z", "under = [\"b\"]"),
    ]
}

/// Games of one experiment alone.
fn only_one() -> Evidence {
    [("p/one".parse().unwrap(), games(&[990, 1000, 1010, 1005, 995], 1))].into_iter().collect()
}

#[test]
fn a_paper_is_counted_under_each_interpretation_and_summed_up_by_the_best_single_one() {
    let summary = summary(&crossed(), &usual());
    let readings = &summary.readings["p"];
    // Of three statements `a` covers x and y, and misses y; `b` covers x and z, and misses x.
    assert_eq!(counts(&readings.interpretations[0]), [2, 1, 0, 0, 1]);
    assert_eq!(counts(&readings.interpretations[1]), [2, 1, 0, 0, 1]);
    assert!((readings.interpretations[0].expected - 0.1).abs() < 1e-9, "two numbers at 95 %");
    assert_eq!(readings.best().id, "a", "of equals, the first");
    assert_eq!(counts(&summary.best), [2, 1, 0, 0, 1], "and not 3 of which all fit somewhere");
    assert_eq!((summary.misses.claims, summary.misses.seen), (2, 1));
    let sentence = summary.chance_sentence();
    let counted = "Of 2 statements that games can test, 1 is missed, 0 are undecided and 1 more is not covered; if all were true, \
                   about 0.1 misses";
    assert!(sentence.contains(counted), "{sentence}");
    let file = serde_json::to_value(&summary).unwrap();
    assert_eq!(file["readings"]["p"]["best"], "a");
    assert_eq!(file["readings"]["p"]["interpretations"][1]["missed"], 1);
}

#[test]
fn fewest_misses_win_then_fewest_undecided_then_the_first() {
    let fits = numeric("score.mean", "1000", "n = 20");
    let misses = numeric("score.mean", "700", "n = 20");
    let open = numeric("score.max", "1095", "n = 20");
    let best = |of_a: &str, of_b: &str| {
        let claims = [
            interpretations(&["a", "b"]),
            with(of_a, "x", "under = [\"a\"]"),
            with(of_b, "y", "under = [\"b\"]"),
        ];
        summary(&claims, &usual()).readings["p"].best().id.clone()
    };
    assert_eq!(best(&misses, &fits), "b");
    assert_eq!(best(&open, &fits), "b");
    assert_eq!(best(&misses, &open), "b", "undecided is no miss");
    assert_eq!(best(&fits, &fits), "a");
    assert_eq!(best(&fits.replace("\"one\"", "\"two\""), &open), "b");
}

#[test]
fn games_that_were_not_played_speak_for_no_interpretation() {
    let fits = numeric("score.mean", "1000", "n = 20");
    let claims = [
        interpretations(&["a", "b"]),
        with(&fits.replace("\"one\"", "\"two\""), "x", "under = [\"a\"]"),
        with(&fits, "x-b", "under = [\"b\"]\nreading_of = \"x\""),
    ];
    let summary = summary(&claims, &only_one());
    assert_eq!(counts(&summary.readings["p"].interpretations[0]), [0, 0, 0, 1, 0]);
    assert_eq!(summary.readings["p"].best().id, "b");
}

#[test]
fn a_statement_without_games_weighs_as_much_as_a_missed_one() {
    let on = |claim: &str, experiment: &str| claim.replace("\"one\"", &format!("\"{experiment}\""));
    let (fits, misses) = (numeric("score.mean", "1000", "n = 20"), numeric("score.mean", "700", "n = 20"));
    let claims = [
        interpretations(&["a", "b"]),
        with(&misses, "x", "under = [\"a\", \"b\"]"),
        with(&on(&fits, "two"), "y", "under = [\"a\"]"),
        with(&fits, "y-b", "under = [\"b\"]\nreading_of = \"y\""),
    ];
    let readings = summary(&claims, &only_one()).readings.remove("p").unwrap();
    assert_eq!(counts(&readings.interpretations[0]), [1, 1, 0, 1, 0]);
    assert_eq!(counts(&readings.interpretations[1]), [2, 1, 0, 0, 0]);
    assert_eq!((readings.best().id.as_str(), readings.best().name.as_str()), ("b", "As b"));
}

#[test]
fn one_miss_speaks_against_an_interpretation_that_leaves_nothing_out() {
    let fits = numeric("score.mean", "1000", "n = 20");
    let claims = [
        interpretations(&["a", "b"]),
        with(&fits.replace("\"one\"", "\"two\""), "x", "under = [\"a\"]"),
        with(&fits, "x-b", "under = [\"b\"]\nreading_of = \"x\""),
    ];
    assert_eq!(summary(&claims, &usual()).readings["p"].best().id, "b");
}

#[test]
fn statements_that_lack_their_games_are_counted_and_told() {
    let fits = numeric("score.mean", "1000", "n = 20");
    let claims = [
        fits.clone(),
        with(&fits.replace("\"one\"", "\"two\""), "d", ""),
        with(&fits.replace("\"one\"", "\"two\""), "e", ""),
    ];
    let told = |claims: &[String]| {
        let summary = summary(claims, &only_one());
        (counts(&summary.best), summary.chance_sentence())
    };
    let (counted, sentence) = told(&claims);
    assert_eq!(counted, [1, 0, 0, 2, 0]);
    assert_says(&sentence, "0 are missed, 0 are undecided and 2 more lack their games;");
    assert!(told(&claims[..2]).1.contains("and 1 more lacks its games;"));
    assert!(told(&claims[..1]).1.contains("0 are missed and 0 are undecided;"));
}

#[test]
fn orders_are_counted_with_the_wrong_decisions_of_chance() {
    let decided = ordinal("score.mean");
    let claims = [
        decided.clone(),
        with(&decided, "d", "wins = \"lower\""),
        with(&ordinal("max-tile.mean"), "e", ""),
        with(&ordinal("cpu-per-move.ratio"), "f", ""),
    ];
    let summary = summary(&claims, &usual());
    assert_eq!((summary.orders.tested, summary.orders.decided), (3, 2), "times are left out");
    assert!((summary.orders.wrong_at_most - 0.15).abs() < 1e-9);
    assert_eq!(counts(&summary.best), [3, 1, 1, 0, 0]);
    assert!((summary.best.expected - 0.075).abs() < 1e-9, "a true order is turned round in 2.5 % at most");
    assert_eq!(
        summary.orders_sentence().unwrap(),
        "Of 3 orders among these statements 2 were decided, each by itself at the 95 % level; at most about 0.2 wrong decisions would \
         be expected by chance alone."
    );
}

#[test]
fn audits_computations_and_what_nothing_tests_are_under_no_interpretation() {
    let claims = [
        with(&numeric("score.mean", "700", "n = 20"), "a", "audit = true"),
        "[[claim]]\nid = \"u\"\nkind = \"untestable\"\ntext = \"T\"\nplace = \"P\"\nreason = \"No one was asked.\"\n".to_owned(),
    ];
    let papers = [paper(&claims.concat())];
    let verdicts = judge(&papers, &usual());
    let summary = Summary::of(&verdicts);
    assert!(summary.readings.is_empty() && summary.best.covered == 0);
    assert_eq!((summary.audits.of(Ruling::Higher), summary.counts.of(Ruling::Untestable)), (1, 1));
    assert_eq!(verdicts[1].sentence(), "Cannot be tested. No one was asked.");
    assert!(!verdicts[1].lacks_games);
}
