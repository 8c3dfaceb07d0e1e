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
fn readings_need_interpretations_to_tell_them_apart() {
    let bare = EXAMPLE.replace("under = [\"all\"]\n", "").replace("under = [\"quarter\"]\n", "");
    let start = bare.find("[[interpretation]]").unwrap();
    let bare = bare[..start].to_owned() + &bare[start + bare[start..].find("[[claim]]").unwrap()..];
    let error = read(&bare).unwrap_err().to_string();
    let problem = "claim `beats-all`: `reading_of` tests the statement that claim `beats` tests, and the paper has no \
                   interpretations to tell them apart: add `[[interpretation]]`, and `under` to both";
    assert!(error.ends_with(problem), "{error}");
}

#[test]
fn the_schema_knows_every_verdict_that_can_be_needed() {
    let schema = schema();
    let needs = &schema["$defs"]["Conclusion"]["properties"]["needs"];
    assert_eq!(needs["properties"].as_object().unwrap().len(), Ruling::ALL.len());
    assert_eq!(needs["properties"]["contradicted"]["type"], "array");
    assert_eq!(needs["additionalProperties"], false);
    assert_eq!(schema["$defs"]["Conclusion"]["required"], json!(["text", "needs"]));
}
