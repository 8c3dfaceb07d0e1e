//! Claims that rest on studies: on their winners, and on one way to search against another.

use super::*;

#[test]
fn claims_may_rest_on_winners_by_what_they_score_and_by_what_a_move_costs() {
    let keys = claim_keys("beats");
    let on = |metric: &str| {
        let names = keys.replace("\"mdp-25\"", "\"tuned-best-1\"").replace("\"pure\"", "\"tuned-default\"");
        read(&EXAMPLE.replace(keys, &names.replace("\"score.mean\"", metric)))
    };
    assert_eq!(on("\"score.mean\"").unwrap().claims[3].experiments(), ["tuned-best-1", "tuned-default"]);
    on("\"nodes.mean\"\nwins = \"lower\"").unwrap();
    let beyond = read(&EXAMPLE.replace(keys, &keys.replace("\"mdp-25\"", "\"tuned-best-3\"")));
    assert!(
        beyond.unwrap_err().to_string().contains("`better` is `tuned-best-3`, which is not an experiment")
    );
    // A study that is wrong takes no claim with it.
    let wrong = with(WINNERS, "{ games = 200, seed = 1 }");
    let names = keys.replace("\"mdp-25\"", "\"tuned-best-7\"");
    let error = said(&wrong.replace(keys, &names));
    assert_eq!(error.len(), 1, "{error:?}");
}

/// The example with as many studies of one kind and of another as are asked for, and a claim on them.
fn searches(claim: &str) -> String {
    let keys = study_keys().replace("name = \"MDP, tuned\"\n", "");
    let study =
        |id: &str, method: &str| keys.replace("\"tuned\"", &format!("\"{id}\"")).replace(METHOD, method);
    let bayes = "{ kind = \"bayes\", start = 8, batches = 3, batch = 4 }";
    let claim = format!(
        "\n[[claim]]\nid = \"sooner\"\nkind = \"ordinal\"\ntext = \"Fewer evaluations.\"\nplace = \"Section 5\"\n{claim}\n"
    );
    let studies = [("bayes-1", bayes), ("bayes-2", bayes), ("nsga-1", METHOD), ("nsga-2", METHOD)];
    let studies: String = studies.map(|(id, method)| format!("\n{}", study(id, method))).concat();
    format!("{EXAMPLE}{studies}{claim}")
}

const SOONER: &str = "metric = \"hypervolume\"\nbetter_studies = [\"bayes-1\", \"bayes-2\"]\nworse_studies = [\"nsga-1\", \"nsga-2\"]";

#[test]
fn a_way_to_search_is_compared_with_another_study_by_study() {
    let paper = read(&searches(SOONER)).unwrap();
    let claim = paper.claims.last().unwrap();
    let kind = ClaimKind::OrdinalOfStudies {
        metric: StudyMetric::Hypervolume,
        better: vec!["bayes-1".into(), "bayes-2".into()],
        worse: vec!["nsga-1".into(), "nsga-2".into()],
    };
    assert_eq!(claim.kind, kind);
    assert_eq!(claim.studies(), ["bayes-1", "bayes-2", "nsga-1", "nsga-2"]);
    assert!(claim.experiments().is_empty() && claim.metric().is_none());
    let json = serde_json::to_value(claim).unwrap();
    assert_eq!((&json["kind"], &json["metric"]), (&json!("ordinal-of-studies"), &json!("hypervolume")));
}

#[test]
fn claims_on_ways_to_search_are_whole_and_compare_like_with_like() {
    #[track_caller]
    fn refused(claim: &str, problem: &str) {
        let error = said(&searches(claim));
        assert_eq!(error.len(), 1, "{error:#?}");
        assert!(error[0].ends_with(&format!(": claim `sooner`: {problem}")), "{error:?}");
    }
    let replaced = |old: &str, new: &str, problem: &str| refused(&SOONER.replace(old, new), problem);
    replaced(
        "[\"bayes-1\", \"bayes-2\"]",
        "[\"bayes-1\"]",
        "`better_studies` is [\"bayes-1\"], must be a list of at least 2",
    );
    replaced(", \"bayes-2\"]", ", \"bayes-1\"]", "`better_studies` names study `bayes-1` twice: remove one");
    replaced(
        "\"bayes-2\"",
        "\"lost\"",
        "`better_studies` names study `lost`, which does not exist; known: tuned, bayes-1, bayes-2, nsga-1, nsga-2",
    );
    replaced(
        "\"nsga-2\"]",
        "\"nsga-2\", \"tuned\"]",
        "`worse_studies` has 3 entries and `better_studies` 2: give one for each",
    );
    replaced(
        "\"nsga-2\"",
        "\"bayes-2\"",
        "`worse_studies` names study `bayes-2`, as `better_studies` does: name another one",
    );
    replaced(
        "\"hypervolume\"",
        "\"score.mean\"",
        "`metric` is `score.mean`, which studies do not have; known: hypervolume",
    );
    let with = |key: &str| format!("{SOONER}\n{key}");
    let beside = "is given beside studies, which are compared with each other: remove it";
    refused(&with("better = \"pure\""), &format!("`better` {beside}"));
    refused(&with("wins = \"lower\""), &format!("`wins` {beside}"));
    let missing = SOONER.lines().take(2).collect::<Vec<_>>().join("\n");
    refused(&missing, "`worse_studies` is missing: an ordinal claim needs it");
    refused(
        "metric = \"hypervolume\"\nbetter = \"pure\"\nworse = \"mdp-25\"",
        "`metric` is `hypervolume`, which studies have: name them in `better_studies` and `worse_studies`, or write a metric of \
         games such as `score.mean`",
    );
    let last = |old: &str, new: &str| {
        let text = searches(SOONER);
        let from = text.rfind("[[study]]").unwrap();
        format!("{}{}", &text[..from], text[from..].replace(old, new))
    };
    let differs = |key: &str| {
        format!(
            "`worse_studies` compares study `nsga-2` with `bayes-2`, whose `{key}` differs: let only the method differ"
        )
    };
    for (key, old, new) in [
        ("budget", "{ plies = 2 }", "{ plies = 3 }"),
        ("space", "to = 9,", "to = 8,"),
        ("space", "[\"first\", \"last\"]", "[\"last\", \"first\"]"),
        ("objectives", "[\"score\", \"cost\"]", "[\"cost\"]"),
    ] {
        let error = said(&last(old, new));
        assert!(error[0].ends_with(&differs(key)), "{error:?}");
    }
    let single = said(&searches(SOONER).replace(OBJECTIVES, ""));
    assert_eq!(single.len(), 1, "{single:#?}");
    assert!(
        single[0]
            .contains("`better_studies` names study `bayes-1`, which has one objective and so no front: "),
        "{single:?}"
    );
    let text = EXAMPLE.replace(
        claim_keys("win"),
        &claim_keys("win").replace("n = 10", "n = 10\nbetter_studies = [\"tuned\", \"x\"]"),
    );
    assert!(
        said(&text)[0].ends_with("`better_studies` does not belong to a numeric claim: remove it"),
        "{text}"
    );
}
