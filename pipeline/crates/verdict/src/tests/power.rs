//! Verdicts that could have come out otherwise, and those that could not.

use super::*;

fn decided(claim: &str) -> (Ruling, Option<u64>, String) {
    let papers = [paper(claim)];
    let verdict = judge(&papers, &usual()).remove(0);
    let Grounds::Numeric { games_to_decide, .. } = verdict.grounds else { panic!("{:?}", verdict.grounds) };
    (verdict.ruling, games_to_decide, verdict.sentence())
}

/// Twenty games of ours against twenty of the paper's: the largest of theirs exceeds ours in half of all
/// cases.
#[test]
fn an_extreme_that_could_not_be_refused_is_undecided_with_the_games_that_would_decide() {
    let (ruling, games, sentence) = decided(&numeric("score.max", "9999", "n = 20"));
    assert_eq!((ruling, games), (Ruling::Undecided, Some(39 * 20)));
    let words = "the published 9,999 is among them, but any higher number would be too. About 780 games of ours would decide it.";
    assert!(sentence.contains(words), "{sentence}");
    let (ruling, games, sentence) = decided(&numeric("score.max", "1090", "n = 20"));
    assert_eq!((ruling, games), (Ruling::Undecided, Some(4 * 20 + 1)));
    assert_says(&sentence, "but no difference would have been seen with 80 % power. About 81 games");
    let (ruling, games, _) = decided(&numeric("score.max", "700", "n = 20"));
    assert_eq!((ruling, games), (Ruling::Higher, None), "what is refused is decided");
    let (ruling, games, _) = decided(&numeric("score.max", "1090", "n = 2"));
    assert_eq!((ruling, games), (Ruling::Consistent, None));
}

#[test]
fn an_order_that_is_undecided_says_how_many_games_would_decide_it() {
    // Ten scores 9 apart, and the same 5 higher.
    let scores: Vec<u32> = (0..10).map(|game| 100 + 9 * game).collect();
    let ahead: Vec<u32> = scores.iter().map(|score| score + 5).collect();
    let judged = |claim: &str, one: &[u32], two: &[u32]| {
        let papers = [paper(claim)];
        let verdict = judge(&papers, &evidence(games(one, 1), games(two, 1))).remove(0);
        let Grounds::Ordinal { games_to_decide, visible, lead, .. } = verdict.grounds else { panic!() };
        (verdict.ruling, games_to_decide, verdict.sentence(), visible.map(|visible| visible / lead.point))
    };
    let (ruling, games, sentence, times) = judged(&ordinal("score.mean"), &ahead, &scores);
    let wanted = (10.0 * times.unwrap().powi(2) / 10.0).ceil() as u64 * 10;
    assert_eq!((ruling, games), (Ruling::Undecided, Some([wanted; 2])));
    let words = format!("If the lead is as it looks, about {wanted} games of each would decide it.");
    assert!(wanted > 100 && wanted < 1000 && sentence.contains(&words), "{wanted}: {sentence}");
    let (ruling, games, sentence, _) = judged(&ordinal("score.mean"), &scores, &scores);
    assert_eq!((ruling, games), (Ruling::Undecided, None), "there is no lead to be seen: {sentence}");
    let (ruling, games, ..) = judged(&ordinal("score.max"), &ahead, &scores);
    assert_eq!((ruling, games), (Ruling::Undecided, None), "an extreme grows with the games");
    let (ruling, games, ..) = judged(&ordinal("score.mean"), &[900, 901, 902], &[1, 2, 3]);
    assert_eq!((ruling, games), (Ruling::Confirmed, None));
}

#[test]
fn one_game_of_a_paper_decides_no_common_rate_and_no_number_of_ours_would() {
    let (ruling, games, sentence) = decided(&numeric("reach.2048", "1.0", "n = 1"));
    assert_eq!((ruling, games), (Ruling::Undecided, None));
    assert_says(&sentence, "No number of games of ours would decide it: the paper's are too few.");
}

#[test]
fn an_undecided_number_is_not_said_to_be_consistent_at_any_number_of_games() {
    let (_, _, sentence) = decided(&numeric("score.max", "9999", "assumed_n = 20"));
    assert!(!sentence.contains("how many games it had"), "{sentence}");
}

#[test]
fn the_smallest_visible_difference_is_shown_for_extremes_too() {
    let visible = |metric: &str, published: &str, n: &str| {
        judge(&[paper(&numeric(metric, published, n))], &usual())[0].texts.clone().visible
    };
    assert_eq!(visible("score.max", "1090", "n = 20"), "none");
    let below_only = visible("score.max", "1090", "n = 2");
    assert!(below_only.starts_with("none / +"), "{below_only}");
    let rate = visible("reach.2048", "0.5", "n = 20");
    assert!(rate.starts_with('−') && rate.contains(" / +") && rate.ends_with(" percentage points"), "{rate}");
}

#[test]
fn a_chosen_threshold_comes_with_those_that_leave_the_verdict_as_it_is() {
    let claim = |high: f64| numeric("reach.2048", &format!("[0.0, {high}]"), "n = 20\nchosen = \"high\"");
    let (ruling, _, sentence) = decided(&claim(0.6));
    assert_eq!(ruling, Ruling::Consistent);
    let papers = [paper(&claim(0.6))];
    let Grounds::Numeric { thresholds: Some(Thresholds { low: None, high: Some([first, last]) }), .. } =
        judge(&papers, &usual()).remove(0).grounds
    else {
        panic!("the upper end is chosen");
    };
    assert!(first > 0.05 && first < 0.5 && last > 0.6 && last < 1.0, "{first} {last}");
    assert_eq!(decided(&claim(first + 0.001)).0, Ruling::Consistent);
    assert_eq!(decided(&claim(first - 0.001)).0, Ruling::Higher);
    assert_eq!(decided(&claim(last - 0.001)).0, Ruling::Consistent);
    assert_eq!(decided(&claim(last + 0.001)).0, Ruling::Undecided, "nothing would be too much");
    let words = "The upper end is our choice, for a word of the paper; the verdict is the same from ";
    assert!(sentence.contains(words), "{sentence}");
    let fixed = numeric("reach.2048", "[0.0, 0.6]", "n = 20");
    assert!(!decided(&fixed).2.contains("our choice"));
}
