//! What people read of a diff: its tables, its notes and its Markdown.

use super::*;
use records::DivergenceKind;
use rendering::tables::{Cell, Table};

fn texts(row: &[Cell]) -> Vec<String> {
    row.iter().map(Cell::text).collect()
}

/// The first cells of a table's rows.
fn names(table: &Table) -> Vec<String> {
    table.rows.iter().map(|row| row[0].text()).collect()
}

/// An experiment with this many games before and after.
fn counted(state: DiffState, before: Option<u64>, after: Option<u64>) -> JobDiff {
    let stored =
        |rows| StoredResult { rows, identity: String::new(), digest: String::new(), details: Map::new() };
    JobDiff { state, before: before.map(stored), after: after.map(stored), ..compared(&[], None) }
}

/// One whose scores went from 100, …, 400 to these under this seed.
fn changed(seed: u64, after: &[u32]) -> JobDiff {
    let effect = effect::effect(&games(1, &[100, 200, 300, 400]), &games(seed, after));
    let games = with_effect(effect).games;
    JobDiff { games, ..counted(DiffState::Changed, Some(4), Some(after.len() as u64)) }
}

fn diff_of(experiments: Vec<JobDiff>, verdicts: Verdicts) -> Diff {
    let named = |label: &str| SideName { label: label.to_owned(), commit: None };
    let mut counts = BTreeMap::new();
    experiments.iter().for_each(|experiment| *counts.entry(experiment.state).or_insert(0) += 1);
    let (before, after) = (named("old"), named("a`b"));
    let jobs = [("experiments", experiments)].into();
    Diff { form: FORM, before, after, changed: true, lost: false, counts, jobs, verdicts }
}

#[test]
fn the_overview_has_a_row_for_all_but_identical_experiments() {
    let told = diff_of(
        vec![
            changed(1, &[110, 215, 310, 415]),
            counted(DiffState::Identical, Some(4), Some(4)),
            counted(DiffState::New, None, Some(1000)),
        ],
        Verdicts::default(),
    );
    let rows = overview(&told.jobs["experiments"]).unwrap().rows;
    assert_eq!(rows.len(), 2);
    let row = texts(&rows[0]);
    assert_eq!(row[..3], ["p/e", "changed", "4"]);
    let starts = ["250 [", "262 [", "12.5 [", "62.5 % ["];
    assert!(row[3..].iter().zip(starts).all(|(cell, start)| cell.starts_with(start)), "{row:?}");
    assert_eq!(texts(&rows[1]), ["p/e", "new", "1,000", "", "", "", ""]);
    assert_eq!(summary(&told), "3 experiments: 1 changed, 1 new, 1 identical.");
    let same = diff_of(vec![counted(DiffState::Identical, Some(4), Some(4))], Verdicts::default());
    assert!(overview(&same.jobs["experiments"]).is_none());
    assert_eq!(summary(&same), "1 experiment: 1 identical.");
    assert_eq!(summary(&diff_of(Vec::new(), Verdicts::default())), "Neither side has games.");
}

#[test]
fn games_are_told_once_where_both_sides_have_as_many() {
    let told =
        |before, after| overview(&[counted(DiffState::Changed, before, after)]).unwrap().rows[0][2].text();
    assert_eq!(told(Some(40), Some(40)), "40");
    assert_eq!(told(Some(40), Some(5000)), "40 → 5,000");
    assert_eq!((told(Some(40), None), told(None, Some(50))), ("40".to_owned(), "50".to_owned()));
}

#[test]
fn details_have_every_number_that_changed() {
    let mut one = changed(1, &[90, 215, 310, 600]);
    let table = details(&one).unwrap();
    let scores = ["mean score", "median score", "reaches 128", "reaches 256", "reaches 512"];
    assert_eq!(names(&table), scores);
    let row = texts(&table.rows[4]);
    assert!(row[1].starts_with("0 % [") && row[2].starts_with("25 % ["), "shares are percentages: {row:?}");
    let mut slower = games(1, &[100, 200]);
    slower.outcomes[1].nodes = 90;
    one.games.as_mut().unwrap().nodes = effect::nodes(&games(1, &[100, 200]), &slower);
    assert_eq!(names(&details(&one).unwrap()), [&scores[..], &["nodes per move"]].concat());
    one.games.as_mut().unwrap().effect = None;
    let row = texts(&details(&one).unwrap().rows[0]);
    assert!(row[1].starts_with("5 [") && row[2].starts_with("7 ["), "{row:?}");
    assert!(details(&compared(&["signature"], Some(1))).is_none());
}

#[test]
fn a_signature_is_told_only_where_it_changed_alone() {
    let mut one = compared(&["signature", "params.depth"], None);
    assert_eq!(notes(&one), ["identity: params.depth:  → "]);
    one.identity[1].one = "1".to_owned();
    one.identity[1].other = "2".to_owned();
    assert_eq!(notes(&one), ["identity: params.depth: 1 → 2"]);
    one.identity.pop();
    one.identity[0].one = "0123456789abcdef01234567".to_owned();
    one.identity[0].other = "0123456789abcdef0123456".to_owned();
    assert_eq!(
        notes(&one),
        ["identity: signature: 0123456789abcdef0123456… → 0123456789abcdef0123456"],
        "a long one is cut short"
    );
    assert!(notes(&compared(&[], None)).is_empty());
}

#[test]
fn the_first_difference_says_how_games_part() {
    let outcome = DivergenceKind::Outcome { one: (4, Ending::NoMoves), other: (8, Ending::Timeout) };
    for (parting, words) in [
        (DivergenceKind::Move { number: 3, one: 'U', other: 'D' }, ", move 3: U before, D after"),
        (
            DivergenceKind::Tile { number: 3 },
            ", move 3: the same direction, then another tile before and after",
        ),
        (DivergenceKind::Length { one: 1, other: 2 }, ": 1 move before, 2 after, identical up to there"),
        (outcome, ": score 4, no-moves before, score 8, timeout after"),
    ] {
        let first_difference = Some(first(Divergence { game: 7, parting }));
        let told = notes(&JobDiff { first_difference, ..compared(&[], None) });
        assert_eq!(told, [format!("first difference: game 7{words}")]);
    }
}

#[test]
fn pairs_and_their_correlation_are_told_where_seeds_are_shared() {
    let [same, paired] = notes(&changed(1, &[100, 200, 300, 400])).try_into().unwrap();
    assert_eq!(same, "no shared game differs");
    assert_eq!(paired, "4 pairs of the same seed, whose scores correlate by 1.00 [1.00, 1.00]");
    let apart = notes(&changed(2, &[100, 200, 300, 400]));
    assert_eq!(apart, ["different seeds: 8 games on both sides together, not paired"]);
    let constant = notes(&changed(1, &[5, 5, 5, 5]));
    assert_eq!(constant[1], "4 pairs of the same seed");
    let mut parted = changed(1, &[100, 200, 300, 999]);
    parted.first_difference = compared(&[], Some(3)).first_difference;
    assert!(
        notes(&parted)[0].starts_with("first difference: game 3, move 1: U before"),
        "{:?}",
        notes(&parted)
    );
}

#[test]
fn times_of_different_machines_are_told_with_their_names() {
    let before = games(1, &[4, 8, 16]);
    let mut after = before.clone();
    after.timings.iter_mut().for_each(|timing| timing.cpu_ns *= 3);
    let told = |after: &Games| {
        let time = effect::time(&before, after);
        notes(&JobDiff { games: Some(GamesEffect { time, ..GamesEffect::default() }), ..compared(&[], None) })
            .remove(0)
    };
    let alike = told(&after);
    assert!(alike.starts_with("CPU time per move, after over before: 3.00× ["), "{alike}");
    assert!(!alike.contains("machine"), "{alike}");
    after.provenance = vec![made_on("new"), made_on("other")];
    let apart = told(&after);
    assert!(
        apart
            .ends_with("], but it depends on the machine: cpu, linux before, new, linux; other, linux after"),
        "{apart}"
    );
}

fn all_verdicts() -> Verdicts {
    Verdicts {
        changes: vec![
            Change { claim: "p/a".to_owned(), before: Some(Ruling::Confirmed), now: None },
            Change { claim: "p/b".to_owned(), before: None, now: Some(Ruling::Lower) },
        ],
        findings: vec![FindingChange {
            paper: "p".to_owned(),
            text: "It holds.".to_owned(),
            before: Some(ConclusionStatus::Carried),
            now: None,
        }],
        as_stored: vec!["old".to_owned()],
        not_compared: None,
    }
}

#[test]
fn verdicts_and_findings_are_told_as_they_were_and_are() {
    let told = diff_of(Vec::new(), all_verdicts());
    let expected = [
        "old: verdicts as stored, since this program cannot read the manifests",
        "p/a: confirmed → absent",
        "p/b: absent → lower",
        "p: \"It holds.\": carried → absent",
    ];
    assert_eq!(verdict_lines(&told), expected);
    let verdicts = Verdicts { not_compared: Some("old: torn".to_owned()), ..all_verdicts() };
    assert_eq!(verdict_lines(&diff_of(Vec::new(), verdicts)), ["not compared: old: torn"]);
}

#[test]
fn markdown_leads_with_the_overview_and_folds_the_rest() {
    let told = diff_of(
        vec![changed(2, &[110, 215, 310, 415]), counted(DiffState::Identical, Some(4), Some(4))],
        all_verdicts(),
    );
    let text = markdown(&told);
    let header = "### Results: `old` → `a'b`\n\n2 experiments: 1 changed, 1 identical.\n\n| experiment |";
    assert!(text.starts_with(header), "{text}");
    let section = "\nBrackets show 95 % intervals.\n\n<details><summary>p/e: changed</summary>\n\n\
                   - different seeds: 8 games on both sides together, not paired\n\n| number ";
    assert!(text.contains(section), "{text}");
    assert_eq!(text.matches("<details>").count(), 1, "nothing is to be said of an identical one");
    let verdicts = "\n</details>\n\n**Verdicts**\n\n\
                    - old: verdicts as stored, since this program cannot read the manifests\n\
                    - p/a: confirmed → absent\n";
    assert!(text.contains(verdicts), "{text}");
    let nothing =
        markdown(&diff_of(vec![counted(DiffState::Identical, Some(4), Some(4))], Verdicts::default()));
    assert_eq!(nothing, "### Results: `old` → `a'b`\n\n1 experiment: 1 identical.\n");
}

#[test]
fn a_section_without_numbers_still_has_its_notes_and_the_other_way_round() {
    let noted =
        diff_of(vec![JobDiff { state: DiffState::Alarm, ..compared(&[], Some(1)) }], Verdicts::default());
    let text = markdown(&noted);
    assert!(text.contains("- first difference: game 1, move 1: U before, D after\n\n</details>\n"), "{text}");
    let mut slower = games(1, &[100, 200]);
    slower.outcomes[1].nodes = 90;
    let nodes = effect::nodes(&games(1, &[100, 200]), &slower);
    let effects = Some(GamesEffect { nodes, ..GamesEffect::default() });
    let counted = JobDiff { games: effects, ..counted(DiffState::MoreGames, Some(2), Some(3)) };
    let text = markdown(&diff_of(vec![counted], Verdicts::default()));
    assert!(
        text.contains("<summary>p/e: more games</summary>") && text.contains("| nodes per move "),
        "{text}"
    );
}
