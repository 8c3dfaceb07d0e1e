//! `pipeline cluster` without Slurm: programs with Slurm's names give prepared replies, and the test itself
//! plays the shards.

use crate::common::prelude::*;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use records::GameTiming;
use records::store::write_timing;

use super::quick;
use super::refusals::change;

/// A laboratory whose Slurm accepts every job and never plays one.
struct FakeCluster {
    lab: Lab,
    path: String,
}

impl FakeCluster {
    fn new() -> Self {
        Self::of(Lab::with(&quick()))
    }

    fn of(lab: Lab) -> Self {
        let path = lab.add_slurm();
        Self { lab, path }
    }

    fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> CommandOutput {
        self.lab.command("cluster").args(arguments).env("PATH", &self.path).into()
    }

    /// Submits `p/r` from a results folder.
    fn submit(&self, results: &str) {
        self.run(["submit", "p/r", "--yes", "--results", results]).assert_code(0);
    }

    /// Runs the first shard of the first round, as Slurm would.
    fn play(&self, results: &str) {
        self.play_shard(results, "0");
    }

    fn play_shard(&self, results: &str, place: &str) {
        let mut bash = Command::new("bash");
        let script = self.lab.path(format!("{results}/.cluster/rounds/1/array.sh"));
        bash.arg(script).arg(place).env("SLURM_ARRAY_TASK_ID", "0");
        CommandOutput::from(bash.current_dir(self.lab.path(""))).assert_code(0);
    }
}

#[test]
fn the_script_of_a_study_plays_its_batches() {
    let fake = FakeCluster::of(super::studies::lab("s"));
    fake.run(["submit", "p/s", "--yes", "--shard-time", "2h"]).assert_code(0).assert_prints(&["in 1 part "]);
    fake.play("results");
    // Each array plays a batch, and the last one finds nothing left to play.
    for _ in 0..4 {
        fake.play_shard("results", "1");
    }
    let whole = fake.lab.path("results/.cluster/shared/studies/p/s.parquet");
    fake.run(["collect", "--keep"]).assert_code(0).assert_prints(&["study p/s: 18 trials"]);
    // A study under another's name is not accepted.
    let renamed = super::studies::lab("t");
    renamed.succeed("study --no-winners --quiet");
    fs::copy(renamed.path("results/studies/p/t.parquet"), whole).unwrap();
    fake.run(["collect"]).assert_fails(1, &["it holds another study"]);
}

#[test]
fn a_script_plays_its_shard_from_a_folder_of_any_name() {
    let local = Lab::with(&quick());
    local.succeed("run p/r --quiet");
    for results in ["it's", "$(touch PWNED)", "`touch PWNED`;touch PWNED", "-x 100%j #1 \"a\" *"] {
        let fake = FakeCluster::new();
        let results = format!("./{results}");
        fake.submit(&results);
        fake.play(&results);
        let collected = fake.run(["collect", "--results", &results]);
        assert_eq!(collected.code, Some(0), "{results}: {collected:?}");
        assert!(!fake.lab.exists("PWNED") && !Path::new("PWNED").exists(), "{results}");
        let records = fake.lab.path(&results).join("records/p/r.parquet");
        let digest = summary(&records).digest;
        assert_eq!(digest, local.digest("p/r"), "{results}");
    }
}

#[test]
fn a_changed_submission_and_a_folder_that_no_script_can_name_are_refused_and_nothing_is_lost() {
    let fake = FakeCluster::new();
    fake.submit("results");
    fake.play("results");
    let refused = |words: &str| {
        for action in [&["status"][..], &["collect"], &["retry", "--yes"], &["cancel", "--yes"]] {
            fake.run(action).assert_fails(1, &["submission.json", words]);
        }
    };
    let path = fake.lab.path("results/.cluster/submission.json");
    let before = fs::read(&path).unwrap();
    type Damage = fn(&mut Value);
    let cases: [(&str, Damage); 8] = [
        ("`plugin`", |sent| sent["jobs"][0]["plugin"] = 99.into()),
        ("`parts`", |sent| sent["jobs"][0]["parts"] = 0.into()),
        ("`parts`", |sent| sent["jobs"][0]["parts"] = u64::MAX.into()),
        ("`shards`", |sent| sent["shards"][0]["pieces"][0]["job"] = 77.into()),
        ("its form is 1, of another version", |sent| sent["form"] = 1.into()),
        ("its kind is unknown", |sent| sent["jobs"][0]["kind"] = "party".into()),
        ("another identity", |sent| sent["jobs"][0]["planned"]["identity"]["seed"] = "0x7".into()),
        ("`options`", |sent| sent["request"]["options"] = vec!["--a\ntouch PWNED"].into()),
    ];
    for (words, make) in cases {
        change(&fake.lab, make);
        refused(words);
        fs::write(&path, &before).unwrap();
    }
    fs::write(&path, String::from_utf8_lossy(&before).replace("\"rows\": 60", "\"rows\": 61")).unwrap();
    refused("it does not match its checksum");
    fs::write(&path, &before).unwrap();

    let round = fake.lab.path("results/.cluster/rounds/1/round.json");
    let whole = fs::read_to_string(&round).unwrap();
    fs::write(&round, whole.replace("\"cores\": 1", "\"cores\": 9")).unwrap();
    fake.run(["status"]).assert_fails(1, &["round.json", "it does not match its checksum"]);
    fs::write(&round, &whole).unwrap();

    let attempt = only(fake.lab.path("results/.cluster/shards/00000"));
    let timing = attempt.join("timing/p/r.part-1-of-1.parquet");
    assert!(timing.exists());
    write_timing(&confined(&timing), &[GameTiming { game: 60, cpu_ns: 1, wall_ns: 1 }]).unwrap();
    fake.run(["collect"]).assert_fails(1, &["it times game 60, which belongs to another part"]);
    fs::remove_file(timing).unwrap();
    fake.run(["collect"]).assert_code(0).assert_prints(&["experiment p/r: 60 games"]);
    let names: [(&[u8], &str); 4] = [
        (b"nl\ntouch PWNED\nx", "control character"),
        (b"return\r", "control character"),
        (b"not-utf8-\xff", "not UTF-8"),
        (b"back\\slash", "a backslash"),
    ];
    for (name, words) in names {
        for action in ["submit", "status", "retry", "collect", "cancel"] {
            let arguments = [action.as_bytes(), b"--results", name].map(OsStr::from_bytes);
            fake.run(arguments).assert_fails(2, &["jobs cannot work in this folder", words]);
        }
        assert!(!fake.lab.path("").join(OsStr::from_bytes(name)).exists());
    }
}

#[test]
fn no_command_deletes_through_a_link() {
    for linked in [".cluster/shards", ".cluster"] {
        for command in [&["collect"][..], &["cancel", "--yes"]] {
            let fake = FakeCluster::new();
            fake.submit("results");
            fake.play("results");
            let victim = fake.lab.path("victim");
            for folder in ["docs", ".ssh"] {
                fs::create_dir_all(victim.join(folder)).unwrap();
                fs::write(victim.join(folder).join("kept"), "").unwrap();
            }
            // As a cloned repository could contain it: a link instead of the folder with the games.
            let path = fake.lab.path("results").join(linked);
            let target = if linked == ".cluster" { path.clone() } else { path.parent().unwrap().to_owned() };
            let submission = fs::read(target.join("submission.json")).unwrap();
            fs::remove_dir_all(&path).unwrap();
            if linked == ".cluster" {
                fs::write(victim.join("submission.json"), submission).unwrap();
            }
            std::os::unix::fs::symlink(&victim, &path).unwrap();
            let ran = fake.run(command);
            assert_ne!(ran.code, Some(0), "{linked} {command:?}: {ran:?}");
            assert!(ran.stderr.contains("is a link, but must be a folder"), "{linked} {command:?}: {ran:?}");
            for folder in ["docs/kept", ".ssh/kept"] {
                assert!(victim.join(folder).exists(), "{linked} {command:?}");
            }
        }
    }
}
