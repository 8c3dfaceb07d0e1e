//! What people read of a verdict: its sentence, and its short texts in tables.

use super::*;
use manifest::Published;
use text::Scale;

fn sentence(claim: &str) -> String {
    verdict(claim, &usual()).1
}

fn texts(claim: &str, evidence: &Evidence) -> GroundsTexts {
    judge(&[paper(claim)], evidence)[0].texts.clone()
}

fn arithmetic(score: u32, published: &str) -> String {
    format!(
        "[[claim]]\nid = \"c\"\nkind = \"arithmetic\"\ntext = \"T\"\nplace = \"P\"\ncheck = \"parity-of-score\"\n\
         args = {{ score = {score} }}\npublished = \"{published}\"\n"
    )
}

#[test]
fn a_number_is_said_to_be_among_those_expected_or_beyond_them() {
    let said = |published: &str| sentence(&numeric("score.mean", published, "n = 20"));
    assert_says(&said("1010"), ": the published 1,010 is among them. Conditional");
    assert_says(&said("700"), ": the published 700 is below that, so ours is higher.");
    assert_says(&said("1300"), ": the published 1,300 is above that, so ours is lower.");
    let one = sentence(&numeric("score.mean", "1010", "n = 1"));
    assert_says(&one, " in 20 of our games. 1 game of the paper, played");
}

/// Ours lie from 905 to 1095: a number of the paper's beyond them could be any, one at their end has no
/// difference to be seen.
#[test]
fn what_decides_nothing_is_told_by_the_side_on_which_it_lies() {
    let said = |metric: &str, published: &str| sentence(&numeric(metric, published, "n = 20"));
    let (above, below) = ("but any higher number would be too.", "but any lower number would be too.");
    let between = "but no difference would have been seen with 80 % power.";
    for (metric, published, words) in [
        ("score.max", "1096", above),
        ("score.max", "1095", between),
        ("score.max", "1094", between),
        ("score.min", "904", below),
        ("score.min", "905", between),
        ("score.min", "906", between),
    ] {
        let sentence = said(metric, published);
        assert!(sentence.contains(words), "{metric} {published}: {sentence}");
    }
}

#[test]
fn a_chosen_end_that_may_move_as_far_as_the_metric_goes_has_one_limit() {
    let said = |published: &str, end: &str| {
        sentence(&numeric("reach.2048", published, &format!("n = 20\nchosen = \"{end}\"")))
    };
    let low = said("[0.0, 0.1]", "low");
    assert_says(
        &low,
        "The lower end is our choice, for a word of the paper; the verdict is the same up to 10 %.",
    );
    let high = said("[0.9, 0.95]", "high");
    assert_says(
        &high,
        "The upper end is our choice, for a word of the paper; the verdict is the same from 90 % on.",
    );
}

#[test]
fn a_published_number_keeps_the_decimals_that_the_paper_gives() {
    let text = |scale, value| published_text(scale, Published::Number(value));
    assert_eq!(text(Scale::Points, 16_369.543_7), "16,369.5437");
    assert_eq!(text(Scale::Points, 27_907.0), "27,907");
    assert_eq!((text(Scale::Points, 12.25), text(Scale::Points, 12.0)), ("12.25".into(), "12".into()));
    assert_eq!((text(Scale::Ratio, 5.984), text(Scale::Ratio, 14.0)), ("5.984×".into(), "14×".into()));
    assert_eq!((text(Scale::Ratio, 100.0), text(Scale::Ratio, 128.5)), ("100×".into(), "128.5×".into()));
    assert_eq!(text(Scale::Share, 0.785), "78.5 %");
    assert_eq!(published_text(Scale::Points, Published::Range(900.0, 1300.0)), "900 to 1,300");
}

#[test]
fn an_order_is_borne_out_turned_round_or_left_open() {
    let claim = ordinal("score.mean");
    let (_, confirmed) = verdict(&claim, &usual());
    assert_says(&confirmed, "The mean score is 1,000 against 500, a lead of 500 (");
    assert_says(
        &confirmed,
        "): 20 and 20 games bear it out. A game of the first is the better one with probability 100 %",
    );
    let turned = evidence(games(&[100, 110, 120, 130], 1), games(&[500, 510, 520, 530], 1));
    assert_says(&verdict(&claim, &turned).1, "): 4 and 4 games show the opposite. A game");
    let equal = evidence(games(&[100, 500, 300], 1), games(&[101, 499, 301], 1));
    assert_says(&verdict(&claim, &equal).1, "): 3 and 3 games do not tell the two apart. A game");
    let lower = verdict(&(claim + "wins = \"lower\"\n"), &turned).1;
    assert_says(&lower, "is 115 against 515, where less is better, a lead of 400 (");
    let times = verdict(&ordinal("cpu-per-move.ratio"), &usual()).1;
    assert_says(&times, "A move takes 2.0 µs of CPU time against 995 ns, a ratio of 0.50 (");
    assert_says(&times, ") in favour of the first: 20 and 20 games show the opposite.");
}

#[test]
fn a_computation_is_right_with_its_reason_or_wrong_with_the_right_value() {
    assert_eq!(sentence(&arithmetic(6, "possible")), "Right: 6 is even.");
    assert_eq!(
        sentence(&arithmetic(7, "possible")),
        "Wrong: the paper says possible, but the right value is impossible; 7 is odd."
    );
}

#[test]
fn a_table_has_what_a_computation_gives_beside_what_the_paper_says() {
    let texts = |claim: &str| texts(claim, &usual());
    let expected = GroundsTexts {
        published: "possible".to_owned(),
        reproduced: "impossible".to_owned(),
        ..GroundsTexts::default()
    };
    assert_eq!(texts(&arithmetic(7, "possible")), expected);
    let number = "[[claim]]\nid = \"c\"\nkind = \"arithmetic\"\ntext = \"T\"\nplace = \"P\"\ncheck = \"states-per-move\"\n\
                  args = { empty_cells = [8, 8] }\npublished = 32.0\n";
    assert_eq!((texts(number).published, texts(number).reproduced), ("32".to_owned(), "32".to_owned()));
    assert_eq!(
        sentence(&number.replace("32.0", "31.5")),
        "Wrong: the paper says 31.5, but the right value is 32; 2*8 + 2*8."
    );
}

#[test]
fn a_table_has_both_values_of_an_order_and_its_lead() {
    let scores = texts(&ordinal("score.mean"), &usual());
    let GroundsTexts { published, reproduced, games: counts, effect, .. } = &scores;
    let expected = ["one beats two", "1,000 against 500", "20 / 20", "P = 1.00"];
    assert_eq!([published, reproduced, counts, effect], expected);
    // Two means of 20 games with a standard deviation of 59.16: t(38) is 2.0244, and the power takes 1.42942
    // times as much.
    assert_eq!((scores.expected.as_str(), scores.visible.as_str()), ("lead 462 to 538", "54.1"));
    let shares = texts(&ordinal("reach.2048"), &usual());
    assert!(shares.visible.ends_with(" percentage points") && !shares.visible.contains('%'), "{shares:?}");
    let times = texts(&ordinal("cpu-per-move.ratio"), &usual());
    assert_eq!(times.reproduced, "2.0 µs against 995 ns");
    let one_each = evidence(games(&[1], 1), games(&[2], 1));
    assert_eq!(texts(&ordinal("score.mean"), &one_each).visible, "none", "nothing is seen in one game each");
}

#[test]
fn a_table_has_what_the_paper_says_of_what_was_not_played() {
    let nothing =
        |published: &str| GroundsTexts { published: published.to_owned(), ..GroundsTexts::default() };
    let unplayed = |claim: &str| texts(claim, &Evidence::default());
    assert_eq!(unplayed(&numeric("score.mean", "16369.54", "n = 20")), nothing("16,369.54"));
    assert_eq!(unplayed(&ordinal("score.mean")), nothing("one beats two"));
}

#[test]
fn visible_differences_are_told_in_the_unit_of_the_metric() {
    let visible =
        |metric: &str, published: &str| texts(&numeric(metric, published, "n = 20"), &usual()).visible;
    // 59.16 √(2 / 20) is the error of a difference of two means; t(19) is 2.0930 at 97.5 % and 0.8610 at 80
    // %.
    assert_eq!(visible("score.mean", "1000"), "−55.3 / +55.3");
    // Of the counts of 20 games, beta-binomial by 10 of ours in 20, those above 15 are refused, which a rate
    // of 85.9 % has in 80 % (in Python).
    assert_eq!(visible("reach.2048", "0.5"), "−35.9 / +35.9 percentage points");
}

#[test]
fn what_a_verdict_rests_on_is_stored_by_its_kind() {
    let kind = |claim: &str, evidence: &Evidence| {
        let file = serde_json::to_value(ClaimsFile::of(&judge(&[paper(claim)], evidence), &[])).unwrap();
        file["claims"][0]["grounds"].clone()
    };
    let number = kind(&numeric("score.mean", "1010", "n = 20"), &usual());
    assert_eq!((&number["kind"], &number["ours"]["point"]), (&"numeric".into(), &1000.0.into()), "{number}");
    let order = kind(&ordinal("score.mean"), &usual());
    assert_eq!((&order["kind"], &order["lead"]["point"]), (&"ordinal".into(), &500.0.into()), "{order}");
    let computed = kind(&arithmetic(7, "possible"), &usual());
    assert_eq!((&computed["kind"], &computed["value"]), (&"arithmetic".into(), &"impossible".into()));
    let nothing = kind(&ordinal("score.mean"), &Evidence::default());
    assert_eq!(nothing["kind"], "nothing");
    assert!(nothing["reason"].as_str().unwrap().contains("`pipeline run p/one` plays it"), "{nothing}");
}
