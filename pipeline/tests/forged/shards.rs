//! Shards of a cluster: a node may be broken, or belong to somebody else.

use crate::common::prelude::*;

use crate::forge::{Change, ForgedFile};

/// A submission to a scheduler that only accepts it; the shard was played here.
fn played() -> (Lab, PathBuf) {
    let lab = Lab::with(&experiment("r", "random", 6, ""));
    let (path, folder) = (lab.add_slurm(), lab.path("results/.cluster"));
    lab.run_with("PATH", &path, "cluster submit --yes").assert_code(0);
    lab.run_with("PATH", &path, &format!("cluster work {} 1 0", folder.display())).assert_code(0);
    (lab, only(folder.join("shards/00000")).join("records/p/r.part-1-of-1.parquet"))
}

fn collect(lab: &Lab) -> CommandOutput {
    lab.run_with("PATH", lab.search_path("slurm"), "cluster collect")
}

#[test]
fn a_forged_shard_is_not_collected() {
    let (lab, part) = played();
    let good = fs::read(&part).unwrap();
    let cases: [(Change, &str); 5] = [
        (|file| file.games(|games| games[3].score += 4), "game 3: score is"),
        (|file| file.games(|games| games[3].tile_seed ^= 1), "game 3: tile_seed is"),
        (|file| file.games(|games| games[3] = games[2].clone()), "it holds game 2 twice"),
        (|file| file.games(|games| games[5].game = 77), "it holds game 77 twice, or a game of another part"),
        (|file| file.header(|header| header["identity"]["agent"] = "other".into()), "another identity"),
    ];
    for (forge, words) in cases {
        ForgedFile::rewrite(&part, forge);
        collect(&lab).assert_fails(1, &[words, "r.part-1-of-1.parquet"]);
        assert!(!lab.records_file("p/r").exists(), "{words}");
        fs::write(&part, &good).unwrap();
    }
    collect(&lab).assert_code(0);
    lab.succeed("verify results/records");
}
