//! What verdicts rest on, how they are counted, and what becomes of them between two runs.

use super::*;
use platform::ConfinedPath;

/// What a single claim rests on.
fn grounds(claims: &str, evidence: &Evidence) -> Grounds {
    judge(&[paper(claims)], evidence).remove(0).grounds
}

#[test]
fn a_finding_is_called_the_same_in_json_and_in_words_and_three_of_them_bear_a_claim_out() {
    for ruling in Ruling::ALL {
        assert_eq!(serde_json::to_value(ruling).unwrap(), ruling.to_string());
    }
    let borne_out = |wanted| Ruling::ALL.into_iter().filter(|ruling| ruling.is_borne_out() == wanted).count();
    assert_eq!(Ruling::ALL[..3].iter().filter(|ruling| ruling.is_borne_out() == Some(true)).count(), 3);
    assert_eq!((borne_out(Some(true)), borne_out(Some(false)), borne_out(None)), (3, 4, 2));
}

#[test]
fn what_looks_at_the_clock_rests_on_timing() {
    let timed = |claim: &str, clocks: &[usize]| {
        let mut papers = [paper(claim)];
        clocks.iter().for_each(|&place| papers[0].experiments[place].budget = Budget::TimeNs(1));
        judge(&papers, &usual())[0].rests_on_timing
    };
    let claim = numeric("score.mean", "1000", "n = 20");
    assert!(!timed(&claim, &[]) && timed(&claim, &[0]) && !timed(&claim, &[1]));
    let order = ordinal("score.mean");
    assert!(!timed(&order, &[]) && timed(&order, &[0]) && timed(&order, &[1]));
    assert!(timed(&ordinal("cpu-per-move.ratio"), &[]));
}

#[test]
fn what_does_not_vary_is_measured_as_a_ratio_unless_nothing_is_published() {
    let effect = |scores: &[u32], metric: &str, published: &str| {
        let evidence = evidence(games(scores, 1), games(scores, 1));
        match grounds(&numeric(metric, published, "n = 20"), &evidence) {
            Grounds::Numeric { effect, .. } => effect,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(effect(&[900; 20], "score.mean", "600"), Some(Effect::Ratio(1.5)));
    assert_eq!(effect(&[900; 20], "score.mean", "0"), None);
    let (zero, some) = ([0; 20], [4; 20]);
    assert_eq!(effect(&zero, "score.min", "4"), Some(Effect::Ratio(0.0)));
    assert_eq!(effect(&some, "score.min", "0"), None, "nothing has a ratio to 0");
}

/// Scores around 1000 and around 500: a ratio of two, which is no measured time.
#[test]
fn a_ratio_of_scores_is_held_against_the_published_one_and_rests_on_no_clock() {
    let ratio = |published: &str| numeric("score.ratio", published, "n = 20\nreference = \"two\"");
    assert_eq!(verdict(&ratio("2.0"), &usual()).0, Ruling::Consistent);
    assert_eq!(verdict(&ratio("[0.8, 1.25]"), &usual()).0, Ruling::Higher);
    assert_eq!(verdict(&ratio("3.0"), &usual()).0, Ruling::Lower);
    let papers = [paper(&ratio("2.0"))];
    assert!(!judge(&papers, &usual())[0].rests_on_timing);
    let nothing_scored = evidence(games(&[0, 10], 1), games(&[10, 20], 1));
    assert_verdict(
        &ratio("2.0"),
        &nothing_scored,
        Ruling::Untestable,
        "a value above 0 of every game of one",
    );
}

#[test]
fn what_a_tile_explains_is_a_share() {
    // Every other game reaches 2048, whatever it scores.
    let explained = |published: &str| numeric("score.explained-by.2048", published, "n = 20");
    assert_eq!(verdict(&explained("[0.0, 0.5]"), &usual()).0, Ruling::Consistent);
    assert_eq!(verdict(&explained("1.0"), &usual()).0, Ruling::Lower);
    assert_verdict(
        &explained("0.5").replace("2048", "4096"),
        &usual(),
        Ruling::Untestable,
        "all games reach 4096, or none does",
    );
}

#[test]
fn games_that_cannot_be_read_again_show_no_habit() {
    assert_verdict(&ordinal("greedy-moves.mean"), &usual(), Ruling::Untestable, "cannot be replayed");
}

#[test]
fn a_ratio_of_times_is_measured_against_the_published_one() {
    let ratio = |published: &str| numeric("cpu-per-move.ratio", published, "n = 20\nreference = \"two\"");
    let judged = |published: &str| {
        let papers = [paper(&ratio(published))];
        let verdict = judge(&papers, &usual()).remove(0);
        let Grounds::Numeric { effect: Some(Effect::Ratio(effect)), .. } = verdict.grounds else {
            panic!("{:?}", verdict.grounds);
        };
        (verdict.ruling, effect)
    };
    let (ruling, effect) = judged("4.0");
    assert!(ruling == Ruling::Lower && (effect - 0.5).abs() < 1e-9, "{ruling} {effect}");
    let (ruling, effect) = judged("0.5");
    assert!(ruling == Ruling::Higher && (effect - 4.0).abs() < 1e-9, "{ruling} {effect}");
    let one_each = evidence(games(&[1], 1), games(&[1], 1));
    assert_verdict(&ratio("2.0"), &one_each, Ruling::Untestable, "at least two timed games on each side");
}

#[test]
fn the_visible_lead_is_half_the_interval_and_what_the_power_takes() {
    let Grounds::Ordinal { lead, visible: Some(visible), effect, .. } =
        grounds(&ordinal("score.mean"), &usual())
    else {
        panic!("twenty games each bound a lead");
    };
    // 1 + z(0.8) / z(0.975), by the tables.
    let expected = (lead.high - lead.low) / 2.0 * (1.0 + 0.841_621 / 1.959_964);
    assert!((visible / expected - 1.0).abs() < 1e-4, "{visible} {expected}");
    let Some(Effect::Superiority(chance)) = effect else { panic!("{effect:?}") };
    assert_eq!(chance.point, 1.0);
    // One takes twice as long: the lead is a ratio, and what is visible a factor above 1.
    let Grounds::Ordinal { better, worse, lead, visible, effect, .. } =
        grounds(&ordinal("cpu-per-move.ratio"), &usual())
    else {
        panic!("times are told apart");
    };
    assert!((better.point / worse.point - 2.0).abs() < 1e-9 && (lead.point - 0.5).abs() < 1e-9, "{lead:?}");
    assert!(visible.is_some_and(|factor| factor > 1.0 && factor < 1.1), "{visible:?}");
    assert_eq!(effect, None);
}

#[test]
fn where_the_lower_one_wins_its_games_are_those_that_beat() {
    let claim = ordinal("score.mean") + "wins = \"lower\"\n";
    let two = evidence(games(&[1, 2, 3, 4], 1), games(&[3, 4, 5, 6], 1));
    let Grounds::Ordinal { effect: Some(Effect::Superiority(chance)), lead, .. } = grounds(&claim, &two)
    else {
        panic!("scores have an effect");
    };
    // Of 16 pairs 13 are lower and 2 are ties.
    assert_eq!((chance.point, lead.point), (14.0 / 16.0, 2.0));
    for metric in ["reach.2048", "max-tile.mean", "score.max"] {
        let Grounds::Ordinal { effect, .. } = grounds(&ordinal(metric), &usual()) else { panic!("{metric}") };
        assert_eq!(effect, None, "{metric}");
    }
}

#[test]
fn each_paper_is_counted_by_itself_and_times_are_no_misses() {
    let ratio = numeric("cpu-per-move.ratio", "9.0", "n = 20\nreference = \"two\"");
    let claims = [
        numeric("score.mean", "700", "n = 20"),
        ratio.replace("id = \"c\"", "id = \"d\""),
        numeric("score.median", "1000", "n = 20").replace("id = \"c\"", "id = \"e\""),
    ];
    let mut papers = [paper(&claims.concat()), paper(&claims[0])];
    papers[1].id = "q".to_owned();
    let summary = Summary::of(&judge(&papers, &usual()));
    let counts = |counts: &Counts| {
        let of = |ruling| counts.of(ruling);
        (of(Ruling::Higher), of(Ruling::Lower), of(Ruling::Consistent), of(Ruling::Untestable))
    };
    assert_eq!(counts(&summary.papers["p"]), (1, 1, 1, 0));
    assert_eq!(counts(&summary.papers["q"]), (0, 0, 0, 1));
    assert_eq!((counts(&summary.counts), summary.counts.total()), ((1, 1, 1, 1), 4));
    assert_eq!((summary.misses.claims, summary.misses.seen), (2, 1), "the time is left out");
    assert_eq!(summary.remarks(), summary.chance_sentence(), "there are no checks of ours");
    let none = Summary::of(&judge(&papers, &Evidence::default()));
    assert_eq!((none.misses.claims, none.remarks()), (0, String::new()));
}

#[test]
fn checks_of_ours_are_remarked_in_the_right_number() {
    let check = |id: &str| {
        format!(
            "[[claim]]\nid = \"{id}\"\nkind = \"arithmetic\"\ntext = \"T\"\nplace = \"P\"\naudit = true\n\
             check = \"parity-of-score\"\nargs = {{ score = 3 }}\npublished = \"impossible\"\n"
        )
    };
    let remarks = |claims: &str| Summary::of(&judge(&[paper(claims)], &usual())).remarks();
    let one = "1 check of ours on what the papers print is not counted, since no paper claims it: 1 right.";
    let two =
        "2 checks of ours on what the papers print are not counted, since no paper claims them: 2 right.";
    assert_eq!(remarks(&check("a")), one);
    assert_eq!(remarks(&(check("a") + &check("b"))), two);
    assert_eq!(remarks(""), "");
}

#[test]
fn verdicts_are_held_against_a_file_of_verdicts_but_for_those_on_time() {
    let ratio = numeric("cpu-per-move.ratio", "9.0", "n = 20\nreference = \"two\"");
    let papers =
        [paper(&(numeric("score.mean", "700", "n = 20") + &ratio.replace("id = \"c\"", "id = \"d\"")))];
    let verdicts = judge(&papers, &usual());
    assert_eq!(rulings(&verdicts).into_iter().collect::<Vec<_>>(), [("p/c".to_owned(), Ruling::Higher)]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("claims.json");
    std::fs::write(&file, serde_json::to_vec(&ClaimsFile::of(&verdicts, &[])).unwrap()).unwrap();
    let before = read_gate(&file).unwrap();
    assert_eq!(before, rulings(&verdicts));
    assert_eq!(changes(&before, &verdicts), []);
    let other = judge(&papers, &Evidence::default());
    let (before, now) = (Some(Ruling::Higher), Some(Ruling::Untestable));
    assert_eq!(
        changes(&rulings(&verdicts), &other),
        [Change { claim: "p/c".to_owned(), before, now }],
        "what rests on timing is not compared"
    );
}

#[test]
fn verdicts_and_findings_on_papers_that_are_not_loaded_are_kept_beside_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("claims.json");
    let stored = serde_json::json!({
        "form": 3,
        "claims": [{"paper": "p", "n": 1}, {"paper": "q", "n": 2}],
        "kept": [{"paper": "p", "n": 3}, {"paper": "r", "n": 4}],
        "findings": [{"paper": "q", "n": 5}, {"paper": "p", "n": 6}],
    });
    std::fs::write(&path, stored.to_string()).unwrap();
    let papers = [paper("")];
    let kept = StoredVerdicts::read(&ConfinedPath::file(&path), &papers).unwrap();
    assert_eq!(kept.papers(), ["q", "r"].into());
    let file = serde_json::to_value(ClaimsFile::of(&judge(&papers, &usual()), &[]).beside(kept)).unwrap();
    assert_eq!(file["kept"], serde_json::json!([{"paper": "q", "n": 2}, {"paper": "r", "n": 4}]));
    assert_eq!(file["kept_findings"], serde_json::json!([{"paper": "q", "n": 5}]));
}
