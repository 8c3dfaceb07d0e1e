//! What becomes of an experiment's games, on games that are made up.

mod git;
mod source;
mod studies;
mod words;

use engine::Ending;
use fixtures::{identity, record};
use platform::ConfinedPath;
use stats::Pairing;

use super::*;
use records::store::write_timing;
use records::{
    Divergence, GameRecord, GameTiming, Index, IndexEntry, Layout, Outcome, Provenance, first_difference,
};

/// Games of these scores, which reach as large a tile as the score; every move takes the game's number and
/// 100 nanoseconds.
fn games(seed: u64, scores: &[u32]) -> Games {
    let outcome = |(game, &score): (usize, &u32)| Outcome {
        game: game as u64,
        score,
        max_tile: 1 << score.ilog2(),
        moves: 10,
        final_board: String::new(),
        nodes: 50,
        ending: Ending::NoMoves,
    };
    Games {
        records: "p/e".parse().unwrap(),
        file: ConfinedPath::root(""),
        identity: identity(seed),
        second_signature: None,
        digest: format!("{seed} {scores:?}"),
        provenance: vec![made_on("cpu")],
        outcomes: scores.iter().enumerate().map(outcome).collect(),
        timings: (0..scores.len() as u64)
            .map(|game| GameTiming { game, cpu_ns: 1000 + 10 * game, wall_ns: 0 })
            .collect(),
        hashes: verdict::evidence::FileHashes::default(),
    }
}

fn made_on(cpu: &str) -> Provenance {
    Provenance { cpu: cpu.to_owned(), platform: "linux".to_owned(), ..Provenance::now(None) }
}

/// Two sides of an experiment that differ in these parts of the identity and in this game.
fn compared(identity: &[&str], first_difference: Option<u64>) -> JobDiff {
    let difference = |component: &&str| Difference {
        component: (*component).to_owned(),
        one: String::new(),
        other: String::new(),
    };
    let first = |game: u64| first(record(game, "U").divergence(&record(game, "D")).unwrap());
    JobDiff {
        words: &EXPERIMENT,
        key: "p/e".parse().unwrap(),
        state: DiffState::New,
        before: None,
        after: None,
        identity: identity.iter().map(difference).collect(),
        first_difference: first_difference.map(first),
        games: Some(GamesEffect::default()),
    }
}

fn first(divergence: Divergence) -> FirstDifference {
    FirstDifference { text: divergence.text(), value: json!(divergence) }
}

/// An experiment with this effect on scores.
fn with_effect(effect: Option<Effect>) -> JobDiff {
    JobDiff { games: Some(GamesEffect { effect, ..GamesEffect::default() }), ..compared(&[], None) }
}

/// The state of an experiment with these games on its sides.
fn state_of(before: &Games, after: &Games, diff: &JobDiff) -> DiffState {
    let context = StoredContext::default();
    let [before, after] = [before, after].map(|games| (ConfinedPath::root(""), Some(games)));
    let side = |side| JobSide::of(kinds()[0], side, &context).unwrap().unwrap();
    state(&side(&before), &side(&after), diff)
}

#[test]
fn games_are_the_same_more_fewer_others_or_an_alarm() {
    let (few, many) = (games(1, &[4, 8]), games(1, &[4, 8, 16]));
    let mut clocked = games(1, &[4, 4]);
    clocked.identity.signature = None;
    let others = games(1, &[4, 4]);
    for (before, after, identity, first, expected) in [
        (&few, &few, None, None, DiffState::Identical),
        (&few, &few, Some("params.depth"), None, DiffState::Identical),
        (&few, &many, None, None, DiffState::MoreGames),
        (&many, &few, None, None, DiffState::FewerGames),
        (&few, &many, Some("signature"), Some(1), DiffState::Changed),
        (&few, &others, None, Some(1), DiffState::Alarm),
        (&few, &clocked, None, Some(1), DiffState::PlayedAgain),
    ] {
        let identity: Vec<&str> = identity.into_iter().collect();
        assert_eq!(state_of(before, after, &compared(&identity, first)), expected);
    }
}

#[test]
fn the_first_difference_is_looked_for_among_games_that_both_have() {
    let first = |before: &[(u64, &str)], after: &[(u64, &str)]| {
        let records = |games: &[(u64, &str)]| -> Vec<Result<GameRecord, StoreError>> {
            games.iter().map(|(game, directions)| Ok(record(*game, directions))).collect()
        };
        let found = first_difference(records(before).into_iter(), records(after).into_iter()).unwrap();
        found.map(|divergence| divergence.game)
    };
    assert_eq!(first(&[(0, "U"), (1, "R")], &[(0, "U"), (1, "R")]), None);
    assert_eq!(first(&[(0, "U"), (1, "R")], &[(0, "U"), (1, "L")]), Some(1));
    assert_eq!(first(&[(0, "U"), (1, "R"), (2, "D")], &[(0, "U"), (1, "L"), (2, "U")]), Some(1));
    // Parts of an experiment lack some games.
    assert_eq!(first(&[(1, "R"), (3, "D")], &[(0, "U"), (1, "R"), (2, "D"), (3, "L")]), Some(3));
    assert_eq!(first(&[(0, "U"), (1, "R"), (2, "D"), (3, "D")], &[(1, "R"), (3, "L")]), Some(3));
    assert_eq!(first(&[(0, "U"), (2, "D")], &[(1, "R"), (3, "L")]), None);
    assert_eq!(first(&[], &[(0, "U")]), None);
}

#[test]
fn what_cannot_be_read_is_no_agreement() {
    let torn = || StoreError::io(&ConfinedPath::root("f"), "read it")(std::io::Error::other("torn"));
    let broken = || vec![Ok(record(0, "U")), Err(torn())].into_iter();
    let whole = || vec![Ok(record(0, "U")), Ok(record(1, "U"))].into_iter();
    assert!(first_difference(broken(), whole()).is_err());
    assert!(first_difference(whole(), broken()).is_err());
}

#[test]
fn scores_of_one_seed_are_compared_in_pairs() {
    let before = games(1, &[100, 200, 300, 400]);
    let effect = |after: &Games| effect::effect(&before, after).unwrap();
    let paired = effect(&games(1, &[110, 215, 310, 415, 9000]));
    assert_eq!((paired.pairing, paired.mean.difference.n), (Pairing::SameSeeds, 4));
    assert_eq!(paired.mean.difference.point, 12.5, "the fifth has no pair");
    assert_eq!((paired.mean.before.point, paired.mean.after.point), (250.0, 2010.0), "of all games");
    assert_eq!((paired.median.before.point, paired.median.after.point), (250.0, 310.0));
    let apart = effect(&games(2, &[110, 215, 310, 415]));
    assert_eq!((apart.pairing, apart.mean.difference.point), (Pairing::Independent, 12.5));
    assert!(apart.correlation.is_none() && paired.correlation.is_some());
    let mut one_pair = games(1, &[110, 210]);
    one_pair.outcomes[1].game = 9;
    assert_eq!(effect(&one_pair).pairing, Pairing::Independent);
    one_pair.outcomes[1].game = 3;
    assert_eq!(effect(&one_pair).pairing, Pairing::SameSeeds, "two pairs are enough");
    assert!(effect::effect(&before, &games(1, &[])).is_none());
}

#[test]
fn a_mean_below_beyond_its_interval_is_a_loss() {
    let is_loss = |after: &[u32]| {
        let effect = effect::effect(&games(1, &[100, 200, 300]), &games(1, after));
        with_effect(effect).is_loss()
    };
    assert!(is_loss(&[90, 191, 289]));
    assert!(!is_loss(&[110, 209, 311]));
    assert!(!is_loss(&[90, 500, 1]), "the interval holds 0");
    assert!(!is_loss(&[100, 200, 300]), "nothing changed, and nothing is in doubt");
    assert!(!compared(&[], None).is_loss());
}

#[test]
fn tiles_are_compared_unless_all_or_no_games_of_both_sides_reach_them() {
    let tiles = |before: &[u32], after: &[u32]| -> Vec<(u32, f64, f64)> {
        let effect = effect::effect(&games(1, before), &games(1, after)).unwrap();
        effect.tiles.iter().map(|one| (one.tile, one.rate.before.point, one.rate.after.point)).collect()
    };
    assert_eq!(tiles(&[64, 128], &[64, 64]), [(128, 0.5, 0.0)]);
    assert_eq!(tiles(&[64, 64], &[128, 128]), [(128, 0.0, 1.0)]);
    assert_eq!(tiles(&[16, 16], &[32, 16]), [(32, 0.0, 0.5)]);
    assert_eq!(tiles(&[8, 8], &[16, 16]), [], "smaller ones than 32 say nothing");
    assert_eq!(tiles(&[65_536, 65_536], &[65_536, 32_768]), [(65_536, 1.0, 0.5)]);
}

#[test]
fn nodes_are_told_where_a_game_that_both_have_took_others() {
    let before = games(1, &[4, 8]);
    let mut after = games(1, &[4, 8, 16]);
    assert!(effect::nodes(&before, &after).is_none());
    after.outcomes[2].nodes = 90;
    assert!(effect::nodes(&before, &after).is_none(), "the third has no counterpart");
    after.outcomes[1].nodes = 70;
    let told = effect::nodes(&before, &after).unwrap();
    // Ten moves a game: 5 nodes a move before; 5, 7 and 9 after.
    assert_eq!((told.before.point, told.after.point, told.difference.point), (5.0, 7.0, 2.0));
}

#[test]
fn times_are_told_where_they_were_measured_anew_and_of_which_machine() {
    let before = games(1, &[4, 8, 16]);
    assert!(effect::time(&before, &before).is_none());
    let mut after = before.clone();
    after.timings.iter_mut().for_each(|timing| timing.cpu_ns *= 3);
    let told = effect::time(&before, &after).unwrap();
    assert!((told.ratio.point - 3.0).abs() < 1e-9 && told.same_machine, "{told:?}");
    assert_eq!((&told.before, &told.after), (&vec!["cpu, linux".to_owned()], &told.before));
    after.provenance = vec![made_on("other")];
    assert!(!effect::time(&before, &after).unwrap().same_machine);
    after.provenance = vec![made_on("cpu"), made_on("other"), made_on("cpu")];
    let mut mixed = before.clone();
    mixed.provenance.clone_from(&after.provenance);
    let told = effect::time(&mixed, &after).unwrap();
    assert!(!told.same_machine, "which game is whose is not known");
    assert_eq!(told.after, ["cpu, linux", "other, linux"]);
    after.timings.clear();
    assert!(effect::time(&before, &after).is_none());
}

/// A results folder in which `p/e` has played these directions, game by game, under this seed.
fn side(folder: &std::path::Path, name: &str, seed: u64, played: &[&str]) -> Side {
    let layout = Layout::new(folder.join(name));
    let header = fixtures::header(identity(seed), "cpu");
    let records: Key = "p/e".parse().unwrap();
    let games = (0..).zip(played).map(|(game, directions)| record(game, directions));
    let digest = fixtures::write(&layout.records(&records, None), &header, games);
    let identity = header.identity.hash();
    let entry = IndexEntry { records, identity, digest, games: played.len() as u64 };
    Index::enter(&layout, entry).unwrap();
    Side::work_tree(WorkTree { results: layout.root().path(), configs: folder }, None).unwrap()
}

#[test]
fn games_are_held_against_each_other_where_their_seeds_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let before = side(folder.path(), "before", 1, &["U", "RD"]);
    let told = |name: &str, seed: u64, played: &[&str]| {
        let told = diff(&before, &side(folder.path(), name, seed, played)).unwrap();
        let experiment = &told.jobs["experiments"][0];
        assert_eq!(told.counts, BTreeMap::from([(experiment.state, 1)]));
        let first = experiment.first_difference.as_ref().and_then(|first| first.value["game"].as_u64());
        (experiment.state, first, experiment.effect().is_some(), told.changed)
    };
    assert_eq!(told("same", 1, &["U", "RD"]), (DiffState::Identical, None, false, false));
    assert_eq!(told("more", 1, &["U", "RD", "L"]), (DiffState::MoreGames, None, false, true));
    assert_eq!(told("others", 1, &["U", "RL"]), (DiffState::Alarm, Some(1), true, true));
    assert_eq!(told("seeded", 2, &["D", "L"]), (DiffState::Changed, None, true, true));
    let mut none = side(folder.path(), "none", 1, &["U"]);
    none.evidence.retain(|_| false);
    assert_eq!(diff(&none, &before).unwrap().jobs["experiments"][0].state, DiffState::New);
    assert_eq!(diff(&before, &none).unwrap().jobs["experiments"][0].state, DiffState::Gone);
}

#[test]
fn files_with_the_same_bytes_hold_the_same_games_and_all_others_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let before = side(folder.path(), "before", 1, &["U", "RD"]);
    let (key, layout): (Key, _) = ("p/e".parse().unwrap(), Layout::new(folder.path().join("after")));
    let tree = WorkTree { results: layout.root().path(), configs: folder.path() };
    let after = || Side::work_tree(tree, Some(&before)).unwrap();
    let file = layout.records(&key, None);
    std::fs::create_dir_all(file.parent().unwrap().path()).unwrap();
    std::fs::copy(before.layout.records(&key, None).path(), file.path()).unwrap();
    std::fs::copy(before.layout.index().path(), layout.index().path()).unwrap();
    let copied = after();
    assert!(copied.evidence.is_same_as(&before.evidence));
    assert_eq!(copied.evidence.games(&key).unwrap().file, file, "they name their own file");
    write_timing(&layout.timing(&key, None), &[GameTiming { game: 0, cpu_ns: 7, wall_ns: 8 }]).unwrap();
    let timed = after();
    assert!(!timed.evidence.is_same_as(&before.evidence));
    assert_eq!(timed.evidence.games(&key).unwrap().timings.len(), 1);
    // The same file, of which the index says something else.
    side(folder.path(), "after", 1, &["U", "RL"]);
    std::fs::copy(before.layout.records(&key, None).path(), file.path()).unwrap();
    let refused = Side::work_tree(tree, Some(&before)).unwrap_err().to_string();
    assert!(refused.contains("its digest differs from the one in the index"), "{refused}");
    side(folder.path(), "after", 1, &["U", "RL"]);
    assert_eq!(diff(&before, &after()).unwrap().jobs["experiments"][0].state, DiffState::Alarm);
}

/// The same games beside a manifest with a computation and a finding that rests on it.
fn side_with(folder: &std::path::Path, name: &str, published: &str, finding: &str) -> Side {
    let configs = folder.join(format!("{name}-configs"));
    std::fs::create_dir(&configs).unwrap();
    let paper = format!(
        "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\n[[claim]]\nid = \"c\"\nkind = \"arithmetic\"\ntext = \"T\"\nplace = \"P\"\n\
         check = \"parity-of-score\"\nargs = {{ score = 3 }}\npublished = \"{published}\"\n{finding}"
    );
    std::fs::write(configs.join("p.toml"), paper).unwrap();
    let played = side(folder, name, 1, &["U", "RD"]);
    Side::work_tree(WorkTree { results: played.layout.root().path(), configs: &configs }, None).unwrap()
}

#[test]
fn a_verdict_or_a_finding_that_changed_alone_is_a_change() {
    let folder = tempfile::tempdir().unwrap();
    let finding = |text: &str| format!("[[finding]]\ntext = \"{text}\"\nneeds = {{ right = [\"c\"] }}\n");
    let before = side_with(folder.path(), "before", "impossible", &finding("F"));
    let told = |name: &str, published: &str, finding: &str| {
        let told = diff(&before, &side_with(folder.path(), name, published, finding)).unwrap();
        assert_eq!(told.jobs["experiments"][0].state, DiffState::Identical);
        (told.changed, told.verdicts)
    };
    let (changed, verdicts) = told("same", "impossible", &finding("F"));
    assert!(!changed && verdicts.changes.is_empty() && verdicts.findings.is_empty(), "{verdicts:?}");
    assert!(verdicts.not_compared.is_none() && verdicts.as_stored.is_empty(), "{verdicts:?}");

    let (changed, verdicts) = told("verdict", "possible", &finding("F"));
    let wrong = Change { claim: "p/c".to_owned(), before: Some(Ruling::Right), now: Some(Ruling::Wrong) };
    assert!(changed && verdicts.changes == [wrong], "{verdicts:?}");
    let of =
        |text: &str, before, now| FindingChange { paper: "p".to_owned(), text: text.to_owned(), before, now };
    assert_eq!(verdicts.findings, [of("F", Some(ConclusionStatus::Carried), Some(ConclusionStatus::Fallen))]);

    let (changed, verdicts) = told("finding", "impossible", &finding("G"));
    assert!(changed && verdicts.changes.is_empty(), "{verdicts:?}");
    let (gone, new) =
        (of("F", Some(ConclusionStatus::Carried), None), of("G", None, Some(ConclusionStatus::Carried)));
    assert_eq!(verdicts.findings, [gone, new]);

    let mut unread = side_with(folder.path(), "unread", "impossible", "");
    unread.papers = Err("there are no manifests beside the results".to_owned());
    let verdicts = diff(&before, &unread).unwrap().verdicts;
    assert_eq!(
        verdicts.not_compared.as_deref(),
        Some("work tree: there are no manifests beside the results"),
        "and there are no stored ones either"
    );
}

#[test]
fn every_changed_experiment_is_drawn_before_and_after() {
    let folder = tempfile::tempdir().unwrap();
    let before = side(folder.path(), "before", 1, &["U", "RD"]);
    let after = side(folder.path(), "after", 1, &["U", "RL"]);
    let target = folder.path().join("drawn");
    let drawn = draw(&diff(&before, &after).unwrap(), &before, &after, &target).unwrap();
    assert_eq!(drawn, ["p-e.svg", "p-e.png"].map(|name| ConfinedPath::root(&target).join(name)));
    let svg = std::fs::read_to_string(drawn[0].path()).unwrap();
    assert!(
        svg.contains("Distribution of the scores of p/e before (work tree) and after (work tree)"),
        "{svg}"
    );
    assert!(std::fs::read(drawn[1].path()).unwrap().starts_with(b"\x89PNG"));
    assert!(draw(&diff(&before, &before).unwrap(), &before, &before, &target).unwrap().is_empty());
}
