//! Interpretations, readings, audits, chosen ends, claims that nothing tests, findings and accounts.

use std::collections::BTreeMap;

use super::*;

#[test]
fn interpretations_findings_and_the_account_are_read() {
    let paper = read(EXAMPLE).unwrap();
    let quarter = Interpretation {
        id: "quarter".into(),
        name: "The best quarter".into(),
        text: "The method keeps the best quarter of its playouts.".into(),
        conditional_on: vec![note_id("D-2")],
    };
    assert_eq!(paper.interpretations[0], quarter);
    assert_eq!(paper.interpretations[1].conditional_on, []);
    let claim = |id: &str| paper.claims.iter().find(|claim| claim.id == id).unwrap();
    let under = |id: &str| ["quarter", "all"].map(|name| claim(id).is_under(name));
    assert_eq!(under("beats"), [true, false]);
    assert_eq!(under("beats-all"), [false, true]);
    assert_eq!(under("mean"), [true, true], "who names none is under all");
    assert_eq!(under("one-of-three"), [false, false], "a computation is the same under each");
    assert_eq!((claim("beats-all").statement(), claim("beats").statement()), ("beats", "beats"));
    let ids = |ids: &[&str]| ids.iter().map(|&id| id.to_owned()).collect::<Vec<_>>();
    let needs = BTreeMap::from([
        (Ruling::Consistent, ids(&["mean"])),
        (Ruling::Confirmed, ids(&["beats", "beats-all"])),
    ]);
    let first = Conclusion { text: "The mean holds, and the order does too.".into(), needs };
    assert_eq!((paper.findings.len(), &paper.findings[0]), (2, &first));
    let needed: Vec<_> = first.needed().collect();
    let confirmed = Ruling::Confirmed;
    assert_eq!(needed, [("mean", Ruling::Consistent), ("beats", confirmed), ("beats-all", confirmed)]);
    assert_eq!(paper.account.unwrap().text, "The paper claims a mean and an order. Both hold.");
}

#[test]
fn a_paper_without_interpretations_has_one_that_covers_every_claim() {
    let bare = "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\n";
    let paper = read(bare).unwrap();
    assert_eq!(paper.interpretations.len(), 1);
    assert_eq!((paper.findings.len(), paper.account), (0, None));
    let named = format!(
        "{bare}\n[[claim]]\nid = \"c\"\nkind = \"ordinal\"\ntext = \"T\"\nplace = \"P\"\nunder = [\"as-read\"]\n"
    );
    let error = read(&named).unwrap_err().to_string();
    assert!(
        error.contains("`under` names interpretation `as-read`, which does not exist; known: none"),
        "{error}"
    );
}

#[test]
fn a_chosen_end_an_audit_and_a_reason_are_read() {
    let claims = read(EXAMPLE).unwrap().claims;
    let claim = |id: &str| claims.iter().find(|claim| claim.id == id).unwrap();
    assert!(matches!(claim("uncommon").kind, ClaimKind::Numeric { chosen: Some(Chosen::High), .. }));
    assert!(claim("uncommon").audit);
    let reason = "No number of games shows that nothing better exists.".to_owned();
    assert_eq!(claim("proof").kind, ClaimKind::Untestable { reason });
    assert_eq!(serde_json::to_value(claim("proof")).unwrap()["kind"], "untestable");
    assert_eq!(serde_json::to_value(claim("uncommon")).unwrap()["chosen"], "high");
}

#[test]
fn interpretations_that_do_not_exist_are_named_twice_or_not_at_all_are_refused() {
    let with = |under: &str, problem: &str| {
        claim_refused(
            "beats",
            "under = [\"quarter\"]",
            &format!("under = [{under}]"),
            &format!("`under` {problem}"),
        );
    };
    with("\"half\"", "names interpretation `half`, which does not exist; known: quarter, all");
    with("\"quarter\", \"quarter\"", "names interpretation `quarter` twice: remove one");
    with("", "is empty: name at least one interpretation, or leave it out for all of them");
    refused("id = \"quarter\"", "id = \"all\"", "interpretation `all`: `id` is given twice: rename one");
    refused(
        "id = \"quarter\"",
        "id = \"Quarter\"",
        "interpretation `Quarter`: `id` is `Quarter`: write 1 to 64 lower-case letters, digits, - and _",
    );
    refused("\"The best quarter\"", "\"\"", "interpretation `quarter`: `name` is empty: fill it in");
    refused(
        "conditional_on = [\"D-2\"]",
        "conditional_on = [\"D-3\"]",
        "interpretation `quarter`: `conditional_on` names note `D-3`, which does not exist; known: D-1, D-2",
    );
    refused(
        "name = \"The best quarter\"",
        "title = \"The best quarter\"",
        "interpretation `quarter`: unknown key `title`; known: `id`, `name`, `text`, `conditional_on`",
    );
}

#[test]
fn no_interpretation_tests_a_statement_twice() {
    claim_refused(
        "beats-all",
        "under = [\"all\"]",
        "under = [\"all\", \"quarter\"]",
        "`under` names `quarter`, where claim `beats` tests the same statement: let one of them apply",
    );
    claim_refused(
        "beats-all",
        "under = [\"all\"]\n",
        "",
        "`under` is missing, which means all, also `quarter`, where claim `beats` tests the same statement: let one of them apply",
    );
    let bare = EXAMPLE.replace("under = [\"all\"]\n", "").replace("under = [\"quarter\"]\n", "");
    let start = bare.find("[[interpretation]]").unwrap();
    let bare = bare[..start].to_owned() + &bare[start + bare[start..].find("[[claim]]").unwrap()..];
    let error = read(&bare).unwrap_err().to_string();
    let problem = "claim `beats-all`: `reading_of` tests the statement that claim `beats` tests, and the paper has no \
                   interpretations to tell them apart: add `[[interpretation]]`, and `under` to both";
    assert!(error.ends_with(problem), "{error}");
}

#[test]
fn readings_are_of_one_statement_and_of_a_first_reading() {
    let reading = |claim: &str, of: &str, problem: &str| {
        let with = |keys: &str| format!("{keys}\nreading_of = \"{of}\"");
        let place = "place = \"Table 1\"";
        claim_refused(claim, place, &with(place), &format!("`reading_of` names claim `{of}`, {problem}"));
    };
    reading("mean", "nothing", "which does not exist; known: speed, uncommon, win");
    reading("mean", "win", "which is about another published number");
    reading("mean", "mean", "which is not a first reading: name the one that is");
    reading("mean", "beats", "which is of another kind: readings test one statement in one way");
    reading("steadier", "beats-all", "which is not a first reading: name the one that is");
    claim_refused(
        "beats-all",
        "under = [\"all\"]",
        "under = [\"all\"]\naudit = true",
        "`reading_of` names claim `beats`, and only one of the two is an audit: let both be, or neither",
    );
}

#[test]
fn computations_and_what_nothing_tests_are_under_no_interpretation() {
    for key in ["under = [\"all\"]", "reading_of = \"mean\""] {
        let name = key.split_once(' ').unwrap().0;
        for (claim, kind) in [("one-of-three", "an arithmetic claim"), ("proof", "an untestable claim")] {
            let old = format!("id = \"{claim}\"");
            let problem = format!("`{name}` does not belong to {kind}: remove it");
            claim_refused(claim, &old, &format!("{old}\n{key}"), &problem);
        }
    }
    let no_audit = "`audit` does not belong to an untestable claim: remove it";
    claim_refused("proof", "id = \"proof\"", "id = \"proof\"\naudit = true", no_audit);
    let reason = "reason = \"No number of games shows that nothing better exists.\"";
    claim_refused("proof", reason, "", "`reason` is missing: an untestable claim needs it");
    claim_refused("proof", reason, "reason = \"\"", "`reason` is empty: fill it in");
    let with = "n = 10\nreason = \"x\"";
    claim_refused("win", "n = 10", with, "`reason` does not belong to a numeric claim: remove it");
}

#[test]
fn only_an_end_of_a_range_can_be_chosen() {
    claim_refused(
        "uncommon",
        "published = [0.0, 0.25]",
        "published = 0.25",
        "`chosen` stands beside a number: write `published` as a range [low, high], one end of which is chosen",
    );
    refused_at(
        "158",
        "chosen = \"high\"",
        "chosen = \"upper\"",
        "claim `uncommon`: `chosen` is `upper`; write `low`, `high`, `both`",
    );
    let with = "worse = \"pure\"\nchosen = \"low\"";
    claim_refused(
        "beats",
        "worse = \"pure\"",
        with,
        "`chosen` does not belong to an ordinal claim: remove it",
    );
}

#[test]
fn findings_rest_on_claims_that_can_come_to_what_they_need() {
    let needs = "needs = { wrong = [\"one-of-three\"] }";
    let with = |given: &str, problem: &str| {
        refused(needs, &format!("needs = {given}"), &format!("finding #2: `needs` {problem}"));
    };
    with("{}", "names no claim: name at least one whose verdict carries the text");
    with("{ wrong = [] }", "names no claim: name at least one whose verdict carries the text");
    with(
        "{ wrong = [\"two-of-three\"] }",
        "names claim `two-of-three`, which does not exist; known: mean, win, speed, beats, steadier, one-of-three, \
         beats-all, uncommon, proof",
    );
    with("{ wrong = [\"one-of-three\", \"one-of-three\"] }", "names claim `one-of-three` twice: remove one");
    with(
        "{ right = [\"one-of-three\"], wrong = [\"one-of-three\"] }",
        "names claim `one-of-three` twice: remove one",
    );
    with(
        "{ higher = [\"one-of-three\"] }",
        "wants claim `one-of-three` to be higher, which it cannot be; write one of right, wrong",
    );
    with(
        "{ confirmed = [\"mean\"] }",
        "wants claim `mean` to be confirmed, which it cannot be; write one of consistent, higher, lower, undecided, untestable",
    );
    with(
        "{ right = [\"proof\"] }",
        "wants claim `proof` to be right, which it cannot be; write one of untestable",
    );
    let unknown = message(needs, "needs = { proven = [\"mean\"] }");
    let words = "finding #2: `needs` is `proven`; write `consistent`, `higher`, ";
    assert!(unknown.contains(words), "{unknown}");
    refused(
        "text = \"The chance is not what the paper prints.\"\n",
        "",
        "finding #2: `text` is missing: add it",
    );
    refused(
        "\"The chance is not what the paper prints.\"",
        "\" \"",
        "finding #2: `text` is empty: fill it in",
    );
}

#[test]
fn an_account_is_checked_as_findings_are() {
    let text = "text = \"The paper claims a mean and an order. Both hold.\"\n";
    let needs = "needs = { consistent = [\"mean\"], confirmed = [\"beats\"] }";
    refused(text, "text = \"\"\n", "the paper: `account.text` is empty: fill it in");
    refused(
        needs,
        "needs = { right = [\"mean\"] }",
        "the paper: `account.needs` wants claim `mean` to be right, which it cannot be; write one of consistent, higher, lower, \
         undecided, untestable",
    );
    let line = EXAMPLE
        .lines()
        .position(|line| line.starts_with("needs = { consistent = [\"mean\"], confirmed = [\"beats\"] }"));
    let place = (line.unwrap() + 1).to_string();
    let unknown = "the paper: unknown key `claims`; known: `text` or `needs`";
    refused_at(&place, needs, "claims = [\"mean\"]", unknown);
}

#[test]
fn a_claim_that_is_wrong_itself_is_not_held_against_what_rests_on_it() {
    let text =
        EXAMPLE.replace("id = \"beats\"\nkind = \"ordinal\"", "id = \"beats\"\nkind = \"ordinal\"\nn = 5");
    let error = read(&text).unwrap_err().to_string();
    assert!(error.ends_with("claim `beats`: `n` does not belong to an ordinal claim: remove it"), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}
