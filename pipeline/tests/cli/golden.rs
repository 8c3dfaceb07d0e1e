//! Golden digests: another machine, compiler or version must play these very games.

use crate::common::prelude::*;

/// The first 20 games of each baseline.
const DIGESTS: [(&str, &str); 6] = [
    ("random", "449bb7b7b86488ffdbe8ba57650ff62f43f468cfcaaf90c600743401d91c9a30"),
    ("random-course", "1fd9b304191fdd84bef3a171261ff050b2e8484a8cc7ae61198f7f0f831c242d"),
    ("cycle", "f734493c8bd19ff40d8b6eeca0a4636eebac906ae7aa1d30be602d4ac4db4690"),
    ("cycle-course", "7d51cc3b36a0e17524e69c38cce54d03b9e99b539de5cc94a2ef8a8fb711df90"),
    ("greedy", "c2e76ee7babe51297035498516c1db07cec58754426938294bb99894f4a9ab7d"),
    ("greedy-course", "da220892e60bc2dcacb426fb1b2453b412e8ff57e1b9b04caec5ba210a5b75c0"),
];

#[test]
fn the_baselines_play_the_games_that_they_always_played() {
    let configs = concat!(env!("CARGO_MANIFEST_DIR"), "/../paper-configs");
    let lab = Lab::new();
    lab.succeed(&["run", "baselines", "--games", "20", "--configs", configs]);
    let played = std::fs::read_dir(lab.path("results/records/baselines")).unwrap();
    assert_eq!(played.count(), DIGESTS.len(), "every baseline has its digest here");
    for (experiment, digest) in DIGESTS {
        let file = lab.records_file(&format!("baselines/{experiment}"));
        let summary = summary(&file);
        assert_eq!(summary.games, 20, "{experiment}");
        assert_eq!(summary.digest, digest, "{experiment}");
    }
}
