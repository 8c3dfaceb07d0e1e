//! Claims that rest on studies.

use super::*;

/// Two ways to search, with two studies each, and a claim that the first is better.
fn searches() -> String {
    let study = |id: &str, kind: &str| {
        format!(
            "[[study]]\nid = \"{id}\"\nagent = \"random\"\ngames = 1\nseed = 1\nobjectives = [\"score\", \"cost\"]\n\
             method = {{ kind = \"{kind}\", points = 4, batch = 4 }}\nwinners = {{ best = 1, games = 10, seed = 2 }}\n\
             space = {{ x = {{ from = 0, to = 9, integer = true }} }}\n"
        )
    };
    let studies = [("a-1", "sobol"), ("a-2", "sobol"), ("b-1", "latin"), ("b-2", "latin")];
    let claim = "[[claim]]\nid = \"c\"\nkind = \"ordinal\"\ntext = \"t\"\nplace = \"p\"\nmetric = \"hypervolume\"\n\
         better_studies = [\"a-1\", \"a-2\"]\nworse_studies = [\"b-1\", \"b-2\"]\n";
    studies.map(|(id, kind)| study(id, kind)).concat() + claim
}

#[test]
fn a_claim_on_studies_that_were_not_run_waits_for_them() {
    let papers = [paper(&searches())];
    let evidence = usual();
    let verdicts = judge(&papers, &evidence);
    assert_eq!(verdicts[0].ruling, Ruling::Untestable);
    assert!(verdicts[0].lacks_games && !verdicts[0].rests_on_timing);
    assert_eq!(
        verdicts[0].sentence,
        "Cannot be tested: study p/a-1 was not run; `pipeline study p/a-1` runs it."
    );
}
