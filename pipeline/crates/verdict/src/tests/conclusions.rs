//! Findings and accounts against the verdicts that carry them.

use super::*;

fn claims(finding: &str) -> String {
    let mean = numeric("score.mean", "1000", "n = 20");
    format!("{mean}{}{finding}", ordinal("cpu-per-move.ratio").replace("id = \"c\"", "id = \"fast\""))
}

const FINDING: &str = "[[finding]]\ntext = \"The mean holds.\"\nneeds = { consistent = [\"c\"] }\n\
                       [account]\ntext = \"It was claimed, and it holds.\"\nneeds = { consistent = [\"c\"] }\n";

fn standings(text: &str, evidence: &Evidence) -> Vec<(Part, ConclusionStatus)> {
    let papers = [paper(text)];
    let concluded = conclude(&papers, &judge(&papers, evidence));
    concluded.iter().map(|concluded| (concluded.part, concluded.standing)).collect()
}

#[test]
fn a_finding_is_carried_by_the_verdicts_that_it_needs_and_falls_with_them() {
    let (account, first) = (Part::Account, Part::Finding(1));
    let carried = standings(&claims(FINDING), &usual());
    assert_eq!(carried, [(account, ConclusionStatus::Carried), (first, ConclusionStatus::Carried)]);
    let other = claims(&FINDING.replace("consistent = [\"c\"] }\n[", "lower = [\"c\"] }\n["));
    let fallen = standings(&other, &usual());
    assert_eq!(fallen, [(account, ConclusionStatus::Carried), (first, ConclusionStatus::Fallen)]);
    let papers = [paper(&other)];
    let concluded = conclude(&papers, &judge(&papers, &usual()));
    assert_eq!(concluded[1].problems(), ["p: finding 1 needs claim `c` to be lower, but it is consistent"]);
    assert_eq!(concluded[0].problems(), Vec::<String>::new());
}

#[test]
fn a_finding_whose_games_are_missing_stale_or_too_few_is_open() {
    let open = |evidence: &Evidence| standings(&claims(FINDING), evidence)[1].1;
    assert_eq!(open(&Evidence::default()), ConclusionStatus::Open);
    // The manifest asks for ten games of each; three that say otherwise do not settle it, and ten do.
    let low = |count: usize| evidence(games(&vec![100; count], 1), games(&[1; 20], 1));
    assert_eq!([3, 9].map(|count| open(&low(count))), [ConclusionStatus::Open; 2]);
    assert_eq!(open(&low(10)), ConclusionStatus::Fallen);
    let mut papers = [paper(&claims(FINDING))];
    papers[0].experiments[0].seed = 7;
    let verdicts = judge(&papers, &low(20));
    assert!(verdicts[0].lacks_games);
    let standing = conclude(&papers, &verdicts)[1].standing;
    assert_eq!(standing, ConclusionStatus::Open, "the manifest asks for other games");
}

#[test]
fn a_finding_that_rests_on_time_is_open_on_a_machine_that_finds_otherwise() {
    let text = claims(
        "[[finding]]\ntext = \"One is faster.\"\nneeds = { confirmed = [\"fast\"], consistent = [\"c\"] }\n",
    );
    let standing = |text: &str| standings(text, &usual())[0].1;
    assert_eq!(standing(&text), ConclusionStatus::Open, "one takes twice as long");
    let both = text.replace("consistent = [\"c\"]", "higher = [\"c\"]");
    assert_eq!(standing(&both), ConclusionStatus::Fallen, "the other need is no matter of time");
}

#[test]
fn a_standing_is_told_in_words() {
    let names = [ConclusionStatus::Carried, ConclusionStatus::Open, ConclusionStatus::Fallen]
        .map(ConclusionStatus::name);
    assert_eq!(names, ["carried", "open", "no longer carried"]);
}

#[test]
fn findings_are_stored_with_the_verdicts() {
    let papers = [paper(&claims(FINDING))];
    let verdicts = judge(&papers, &usual());
    let file = serde_json::to_value(ClaimsFile::of(&verdicts, &conclude(&papers, &verdicts))).unwrap();
    assert_eq!(
        file["findings"][1],
        serde_json::json!({
            "paper": "p", "part": {"finding": 1}, "text": "The mean holds.", "standing": "carried",
            "needs": [{"claim": "c", "needed": "consistent", "verdict": "consistent"}],
        })
    );
    assert_eq!(file["findings"][0]["part"], "account");
}
