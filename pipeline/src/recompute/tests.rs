use platform::ConfinedPath;
use std::fs;
use std::path::Path;

use engine::Ending;

use super::*;
use crate::test_setup::broken_launcher;
use jobs::{Key, Status};
use records::GameRecord;

#[test]
fn the_chosen_games_are_distinct_and_follow_from_the_seed_alone() {
    let games: Vec<u64> = (0..1000).map(|game| 3 * game).collect();
    let key = |text: &str| text.parse::<Key>().unwrap();
    let choose =
        |games: &[u64], count, seed| choose(games, &key("p/a"), Sampling { games: count, moves: None, seed });
    let chosen = choose(&games, 20, 1);
    assert_eq!(chosen, choose(&games, 20, 1));
    assert_ne!(chosen, choose(&games, 20, 2));
    assert_eq!(chosen.len(), 20);
    assert!(chosen.iter().all(|game| game % 3 == 0));
    assert_eq!(choose(&[4, 7], 20, 1), BTreeSet::from([4, 7]));
    assert!(choose(&[], 1, 1).is_empty());
    assert_ne!(seed_for(&key("p/a"), 1), seed_for(&key("p/b"), 1));
}

#[test]
fn how_many_games_is_a_number_or_all() {
    assert_eq!((row_count("7"), row_count("all")), (Ok(7), Ok(u64::MAX)));
    assert!(row_count("-1").is_err() && row_count("many").is_err());
}

/// An experiment whose stored games ended so.
fn stored(folder: &Path, endings: &[Ending]) -> PlannedExperiment {
    let file = folder.join("p.toml");
    let citation = "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\nyear = 2026\n";
    let experiment = "[[experiment]]\nid = \"e\"\nagent = \"x\"\ngames = 100\n";
    fs::write(&file, format!("{citation}{experiment}")).unwrap();
    let experiment = manifest::load(&file).unwrap().experiments.remove(0);
    let identity = fixtures::identity(experiment.seed);
    let path = ConfinedPath::root(folder).join("e.parquet");
    let games = (0..).zip(endings);
    let games = games.map(|(game, &ending)| GameRecord { ending, ..fixtures::record(game, "U") });
    fixtures::write(&path, &fixtures::header(identity.clone(), "cpu"), games);
    let planned = json!({
        "key": "p/e", "experiment": experiment, "also_for": [], "identity": identity, "second_signature": null,
        "params": {}, "files": {}, "games": experiment.games, "first": 0,
    });
    let status = Status::Complete { rows: endings.len() as u64 };
    PlannedExperiment { path, status, ..serde_json::from_value(planned).unwrap() }
}

const ONE: Sampling = Sampling { games: 1, moves: None, seed: 1 };

fn recompute_one(planned: &PlannedExperiment, sample: Sampling) -> Result<RecomputedRows, RunError> {
    let mut all = recompute(&[planned], &broken_launcher(), sample)?;
    Ok(all.remove(0).1)
}

#[test]
fn that_no_worker_can_be_started_is_no_difference_of_the_records() {
    let folder = tempfile::tempdir().unwrap();
    let planned = stored(folder.path(), &[Ending::NoMoves]);
    let error = recompute_one(&planned, ONE).unwrap_err();
    assert!(matches!(error, RunError::Worker(_)), "{error:?}");
}

#[test]
fn faulty_games_are_drawn_but_for_those_that_the_machine_ended() {
    let folder = tempfile::tempdir().unwrap();
    let mut endings = vec![Ending::Timeout; 50];
    (endings[3], endings[17], endings[31]) = (Ending::ResourceLimit, Ending::AgentCrash, Ending::NoMoves);
    let planned = stored(folder.path(), &endings);
    let draw = |games| planned.draw(Sampling { games, ..ONE }).unwrap().unwrap();
    let drawn = |games| draw(games).rows.iter().map(|record| record.game).collect::<Vec<_>>();
    assert!([vec![17], vec![31]].contains(&drawn(1)));
    assert_eq!(drawn(9), [17, 31]);
    assert_eq!(drawn(u64::MAX), [17, 31]);
    assert_eq!((draw(u64::MAX).stored, draw(u64::MAX).exempt), (50, 48));
}

#[test]
fn where_the_machine_ended_every_game_none_is_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let planned = stored(folder.path(), &[Ending::ResourceLimit, Ending::Timeout]);
    let recomputed = recompute_one(&planned, ONE).unwrap();
    assert!(recomputed.rows.is_empty() && recomputed.differences.is_empty());
    assert_eq!(recomputed.exempt, 2);
}

/// The words for whole games played again out of a hundred.
fn shown(games: u64) -> String {
    let again = RecomputedRows {
        stored: 100,
        rows: (0..games).collect(),
        whole: games,
        amount: 10 * games,
        ..RecomputedRows::default()
    };
    let played = [("p/e".parse().unwrap(), again)];
    let chances = Chances::of(played.iter().map(|(_, again)| again));
    games_shown(&played, &chances, Sampling { games: u64::MAX, moves: None, seed: 255 })
}

#[test]
fn the_words_state_what_was_played_again_and_what_that_shows() {
    let words = "Played 10 of 100 stored games again (100 moves), drawn by seed 00000000000000ff. Had 1, 5 or 20 % of the \
                 games been forged, playing whole games again would have shown it with a chance of 10, 41.6 and 90.5 % over \
                 all experiments, and of at least 10, 41.6 and 90.5 % in any single one.";
    assert_eq!(shown(10), words);
    assert!(shown(100).contains("a chance of 100, 100 and 100 %"));
    assert_eq!(percent(0.99999), "more than 99.9");
}
