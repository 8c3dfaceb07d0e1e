//! Verdicts on made-up games: every kind of claim, and all that bars a verdict.

mod conclusions;
mod grounds;
mod power;
mod readings;
mod searches;
mod sentences;
mod stored;

use engine::agent::Budget;
use engine::{Ending, Rules};
use platform::ConfinedPath;
use serde_json::Map;

use super::*;
use records::{GameTiming, Identity, Outcome};

/// A paper with the experiments `one` and `two`, and these claims.
fn paper(claims: &str) -> Paper {
    let experiment = |id: &str| format!("[[experiment]]\nid = \"{id}\"\nagent = \"random\"\ngames = 10\n");
    let text = format!(
        "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\n[[note]]\nid = \"D-1\"\ntext = \"N\"\n{}{}{claims}",
        experiment("one"),
        experiment("two")
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.toml");
    std::fs::write(&file, text).unwrap();
    manifest::load(&file).unwrap()
}

fn numeric(metric: &str, published: &str, n: &str) -> String {
    format!(
        "[[claim]]\nid = \"c\"\nkind = \"numeric\"\ntext = \"It is so.\"\nplace = \"Table 1\"\nmetric = \"{metric}\"\n\
         experiment = \"one\"\npublished = {published}\n{n}\nconditional_on = [\"D-1\"]\n"
    )
}

fn ordinal(metric: &str) -> String {
    format!(
        "[[claim]]\nid = \"c\"\nkind = \"ordinal\"\ntext = \"One beats two.\"\nplace = \"Text\"\nmetric = \"{metric}\"\n\
         better = \"one\"\nworse = \"two\"\n"
    )
}

/// Games with these scores; every other reaches 2048, and a move takes so many nanoseconds.
fn games(scores: &[u32], cpu_ns: u64) -> Games {
    let outcome = |(game, &score): (usize, &u32)| {
        let max_tile = if game % 2 == 0 { 2048 } else { 1024 };
        let final_board = format!("{max_tile} . . . / . . . . / . . . . / . . . .");
        let (game, ending) = (game as u64, Ending::NoMoves);
        Outcome { game, score, max_tile, moves: 100, final_board, nodes: 500, ending }
    };
    let timing = |game| GameTiming { game, cpu_ns: (95 + game % 10) * cpu_ns, wall_ns: 0 };
    Games {
        records: "p/one".parse().unwrap(),
        file: ConfinedPath::root(""),
        identity: Identity::new(Rules::default(), ("random", "1"), Map::new(), Budget::None, 2048, None),
        second_signature: None,
        digest: String::new(),
        provenance: Vec::new(),
        outcomes: scores.iter().enumerate().map(outcome).collect(),
        timings: (0..scores.len() as u64).map(timing).collect(),
        hashes: evidence::FileHashes::default(),
    }
}

fn evidence(one: Games, two: Games) -> Evidence {
    [("p/one".parse().unwrap(), one), ("p/two".parse().unwrap(), two)].into_iter().collect()
}

/// Twenty games around 1000 for `one`, around 500 for `two`.
fn usual() -> Evidence {
    let around = |middle: u32| -> Vec<u32> { (0..20).map(|game| middle - 95 + 10 * game).collect() };
    evidence(games(&around(1000), 2000), games(&around(500), 1000))
}

fn verdict(claims: &str, evidence: &Evidence) -> (Ruling, String) {
    let papers = [paper(claims)];
    let verdicts = judge(&papers, evidence);
    (verdicts[0].ruling, verdicts[0].sentence())
}

/// Asserts the verdict on a claim, and words of its sentence.
#[track_caller]
fn assert_verdict(claims: &str, evidence: &Evidence, expected: Ruling, words: &str) {
    let (ruling, sentence) = verdict(claims, evidence);
    assert!(ruling == expected && sentence.contains(words), "{ruling}: {sentence}");
}

#[track_caller]
fn assert_says(sentence: &str, words: &str) {
    assert!(sentence.contains(words), "{sentence}");
}

fn ruling(claims: &str) -> Ruling {
    verdict(claims, &usual()).0
}

#[test]
fn a_published_mean_is_consistent_or_ours_is_higher_or_lower() {
    let mean = |published: &str| ruling(&numeric("score.mean", published, "n = 20"));
    assert_eq!(mean("1010"), Ruling::Consistent);
    assert_eq!(mean("700"), Ruling::Higher);
    assert_eq!(mean("1300"), Ruling::Lower);
    assert_eq!(mean("[900, 1300]"), Ruling::Consistent);
}

#[test]
fn an_effect_has_the_sign_of_its_verdict_and_is_nothing_inside_a_range() {
    let texts = |metric: &str, published: &str| {
        let papers = [paper(&numeric(metric, published, "n = 20"))];
        let evidence = usual();
        judge(&papers, &evidence)[0].texts.clone()
    };
    let effect = |metric: &str, published: &str| texts(metric, published).effect;
    // Ours are 20 scores from 905 to 1095 in steps of 10: the standard deviation is 59.2.
    assert_eq!(effect("score.mean", "700"), "+5.07 SD");
    assert_eq!(effect("score.mean", "1300"), "−5.07 SD");
    assert_eq!(effect("score.mean", "[900, 1300]"), "0.00 SD");
    assert_eq!(effect("score.mean", "[1100, 1300]"), "−1.69 SD");
    assert_eq!(effect("score.mean", "[700, 900]"), "+1.69 SD");
    assert_eq!(effect("reach.2048", "1.0"), "−50.0 percentage points");
    assert_eq!(effect("score.max", "730"), "1.50×");
    assert_eq!(effect("score.max", "[1000, 2000]"), "1.00×");
    // A published number so far above is a difference of ours below zero.
    let visible = texts("reach.2048", "0.5").visible;
    assert!(visible.starts_with('−') && visible.ends_with(" percentage points"), "{visible}");
}

#[test]
fn a_median_between_two_tiles_is_called_no_tile() {
    let (_, sentence) = verdict(&numeric("max-tile.median", "1024", "n = 20"), &usual());
    assert!(sentence.starts_with("The median largest tile is 1,536 ("), "{sentence}");
    assert_says(&sentence, " in 20 of our games, the mean of the two middle ones.");
}

#[test]
fn other_metrics_are_taken_from_the_games() {
    let with = |metric: &str, published: &str| ruling(&numeric(metric, published, "n = 20"));
    assert_eq!(with("reach.2048", "0.5"), Ruling::Consistent);
    assert_eq!(with("reach.2048", "1.0"), Ruling::Lower);
    assert_eq!(with("tile-sum.mean", "1536"), Ruling::Consistent);
    assert_eq!(with("max-tile.max", "2048"), Ruling::Undecided);
    assert_eq!(ruling(&numeric("max-tile.max", "2048", "n = 2")), Ruling::Consistent);
    assert_eq!(with("nodes.mean", "5"), Ruling::Consistent);
    assert_eq!(with("score.mean.if-reach-2048", "995"), Ruling::Consistent);
    assert_eq!(with("score.mean.if-reach-4096", "995"), Ruling::Untestable);
}

#[test]
fn the_sentence_says_ours_what_was_expected_and_the_note() {
    let (_, sentence) = verdict(&numeric("score.mean", "700", "assumed_n = 20"), &usual());
    for words in [
        "The mean score is 1,000 (972 to 1,028) in 20 of our games. 20 games of the paper",
        "the published 700 is below that, so ours is higher.",
        "The paper does not say how many games it had; the claim is consistent",
        " Conditional on D-1.",
    ] {
        assert!(sentence.contains(words), "{sentence}");
    }
}

#[test]
fn an_order_is_confirmed_contradicted_or_undecided() {
    let claim = ordinal("score.mean");
    assert_verdict(&claim, &usual(), Ruling::Confirmed, "a lead of 500");
    assert_verdict(&claim, &usual(), Ruling::Confirmed, "with probability 100 %");
    let turned = evidence(games(&[100, 110, 120, 130], 1), games(&[500, 510, 520, 530], 1));
    assert_eq!(verdict(&claim, &turned).0, Ruling::Contradicted);
    let equal = evidence(games(&[100, 500, 300], 1), games(&[101, 499, 301], 1));
    assert_eq!(verdict(&claim, &equal).0, Ruling::Undecided);
}

#[test]
fn times_are_compared_as_ratios_and_marked() {
    let ratio = numeric("cpu-per-move.ratio", "2.0", "n = 20\nreference = \"two\"");
    let papers = [paper(&ratio)];
    let evidence = usual();
    let verdicts = judge(&papers, &evidence);
    assert_eq!((verdicts[0].ruling, verdicts[0].rests_on_timing), (Ruling::Consistent, true));
    let Grounds::Numeric { ours, .. } = &verdicts[0].grounds else { panic!("a ratio is a number") };
    assert!((ours.point - 2.0).abs() < 0.01, "{ours:?}");
    // One takes twice as long, so it does not beat two.
    assert_eq!(ruling(&ordinal("cpu-per-move.ratio")), Ruling::Contradicted);
}

#[test]
fn what_was_not_played_and_what_faulted_is_untestable_with_the_remedy() {
    let claim = numeric("score.mean", "1000", "n = 20");
    assert_verdict(&claim, &Evidence::default(), Ruling::Untestable, "`pipeline run p/one` plays it");
    let mut faulty = games(&[1000, 1010, 990, 1005], 1);
    faulty.outcomes[2].ending = Ending::AgentCrash;
    let faulty = evidence(faulty, games(&[1], 1));
    assert_verdict(&claim, &faulty, Ruling::Untestable, "1 game of p/one was ended by a fault");
    let mut papers = [paper(&claim)];
    papers[0].experiments[0].acknowledged_faults = 1;
    assert_eq!(judge(&papers, &faulty)[0].ruling, Ruling::Consistent);
}

#[test]
fn verdicts_are_counted_with_the_misses_of_chance() {
    let papers = [paper(&numeric("score.mean", "700", "n = 20"))];
    let evidence = usual();
    let summary = Summary::of(&judge(&papers, &evidence));
    assert_eq!((summary.counts.of(Ruling::Higher), summary.counts.total()), (1, 1));
    assert_eq!((summary.misses.claims, summary.misses.seen), (1, 1));
    assert!((summary.misses.expected - 0.05).abs() < 1e-9);
    let sentence = summary.chance_sentence();
    assert_says(&sentence, "Of 1 statement that games can test, 1 is missed and 0 are undecided;");
}

#[test]
fn our_own_checks_count_for_no_one() {
    let check = "[[claim]]\nid = \"c\"\nkind = \"arithmetic\"\ntext = \"T\"\nplace = \"P\"\naudit = true\n\
                 check = \"grim-average\"\nargs = { mean = \"0.54\", n = 100, divisor = 4 }\npublished = \"possible\"\n";
    let papers = [paper(check)];
    let summary = Summary::of(&judge(&papers, &usual()));
    assert_eq!((summary.counts.total(), summary.audits.of(Ruling::Wrong)), (0, 1));
    assert!(summary.audits_sentence().unwrap().contains("1 check of ours"));
}

#[test]
fn games_of_another_experiment_than_the_manifest_asks_for_bar_a_verdict() {
    let mut papers = [paper(&numeric("score.mean", "700", "n = 20"))];
    papers[0].experiments[0].seed = 7;
    let verdict = judge(&papers, &usual()).remove(0);
    let (ruling, sentence) = (verdict.ruling, verdict.sentence());
    assert_eq!(ruling, Ruling::Untestable);
    assert_says(&sentence, "the manifest asks for seed 7; `pipeline run p/one`");
}

#[test]
fn what_a_manifest_asks_for_instead_is_said_in_its_own_words() {
    let mut papers = [paper("")];
    let evidence = usual();
    let stored = evidence.games(&"p/one".parse().unwrap()).unwrap();
    let asked = &mut papers[0].experiments[0];
    assert_eq!(stale_note(asked, stored), None);
    asked.budget = Budget::Playouts(400);
    asked.seed = 7;
    asked.params.insert("depth".to_owned(), 3.into());
    assert_eq!(stale_note(asked, stored).unwrap(), "400 playouts, depth = 3, seed 7");
    let mut papers = [paper("")];
    let asked = &mut papers[0].experiments[0];
    asked.agent = "greedy".to_owned();
    asked.rules.stop_at = Some(2048.try_into().unwrap());
    assert_eq!(stale_note(asked, stored).unwrap(), "agent greedy, rules.stop_at = 2048");
}

#[test]
fn stored_verdicts_keep_every_digit_of_what_a_paper_prints() {
    let papers = [paper(&numeric("score.mean", "16369.5437", "n = 20"))];
    let file = serde_json::to_value(ClaimsFile::of(&judge(&papers, &usual()), &[])).unwrap();
    assert_eq!(file["claims"][0]["claim"]["published"], 16369.5437);
}
