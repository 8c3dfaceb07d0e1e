//! What a run plays: an identity once, again after a change, and the rest after a full disk.

use crate::common::prelude::*;

use records::Layout;

use crate::quick_lab;

#[test]
fn the_second_run_in_a_folder_is_refused() {
    let lab = quick_lab();
    let held = Layout::new(lab.path("results")).lock().unwrap();
    for command in ["run", "reproduce", "merge x.parquet"] {
        lab.run(command).assert_fails(4, &["another run is using this folder", "results"]);
    }
    lab.succeed("run --out elsewhere");
    drop(held);
    lab.succeed("run");
}

#[test]
fn a_changed_parameter_makes_records_stale_and_is_named() {
    let lab = quick_lab();
    lab.succeed("run");
    let before = (lab.digest("p/r"), lab.digest("p/c"));
    lab.replace("paper-configs/p.toml", "URDL", "ULDR");
    lab.succeed("explain p/c").assert_prints(&["params.cycle: stored \"URDL\", now \"ULDR\""]);
    lab.succeed("plan").assert_prints(&["params.cycle"]);
    lab.run("verify --current").assert_finds(&["p/c: the experiment is stale: params.cycle"]);
    let table = lab.succeed("explain").stdout;
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[1], ["experiment", "p/r", "complete"], "{table}");
    assert_eq!(lines[2], ["experiment", "p/c", "stale", "params.cycle,", "signature"], "{table}");
    assert_eq!(lines.len(), 4, "{table}");
    let report = lab.json_of("run");
    let played = &report["experiments"][0];
    assert_eq!((&played["experiment"], &played["played"]), (&json!("p/c"), &json!(12)));
    assert_eq!(lab.digest("p/r"), before.0);
    assert_ne!(lab.digest("p/c"), before.1);
    lab.succeed("verify --current");
}

#[test]
fn a_missing_agent_costs_its_own_experiments_and_is_reported_once() {
    let lab = quick_lab();
    let two = experiment("a", "nobody", 5, "") + &experiment("b", "nobody", 5, "");
    lab.paper("q", &(two + &experiment("r", "random", 3, "seed = 9")));
    let planned = lab.run("plan");
    planned
        .assert_fails(2, &["q.toml", "`nobody`, which no plugin offers", "(1 other needs the same agent)"]);
    assert_eq!(planned.stderr.matches("which no plugin offers").count(), 1, "{planned:?}");
    assert_eq!(planned.stdout.matches("agent `nobody` is missing").count(), 2, "{planned:?}");
    planned.assert_prints(&["27 games to play"]);
    lab.run("run")
        .assert_fails(2, &["`nobody`, which no plugin offers"])
        .assert_prints(&["q/a: not run, agent `nobody` is missing"]);
    assert_eq!((lab.records("p/r").len(), lab.records("q/r").len()), (12, 3));
    lab.run("explain").assert_code(2).assert_prints(&["q/a  agent `nobody` is missing"]);
    let json = lab.run("plan --json").json();
    let of = |name: &str| list(&json).iter().find(|row| row["experiment"] == name).unwrap().clone();
    assert_eq!(of("q/b")["state"], "agent `nobody` is missing");
    assert_eq!(of("q/r")["state"], "complete");
}

#[test]
fn a_named_manifest_needs_no_folder_and_replaces_its_namesake() {
    let lab = quick_lab();
    let manifest = lab.path("paper-configs/p.toml");
    // The file that is in the folder anyway is not a second paper.
    let planned = lab.json_of("plan paper-configs/p.toml");
    assert_eq!(list(&planned).len(), 2);
    assert_eq!(list(&planned[0]["also_for"]).len(), 0, "{planned:#}");
    fs::rename(manifest, lab.path("p.toml")).unwrap();
    lab.remove("paper-configs");
    lab.succeed("run p.toml");
    assert_eq!(lab.records("p/r").len(), 12);
}

#[test]
fn experiments_of_one_identity_are_played_once() {
    let lab = quick_lab();
    lab.paper("q", &experiment("same", "random", 20, ""));
    let report = lab.json_of("run");
    assert_eq!(list(&report["experiments"]).len(), 2);
    assert_eq!(lab.records("p/r").len(), 20);
    lab.succeed("run q").assert_prints(&["nothing was played"]);
    assert_eq!(lab.json_of("games q/same").as_array().map(Vec::len), Some(20));
    let planned = lab.json_of("plan");
    assert_eq!(planned[0]["also_for"][0], "q/same");
}

/// A file system of its own that is soon full; `None` if mounting is not permitted.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: &Path) -> Option<Self> {
        fs::create_dir_all(at).unwrap();
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=32k", "none"]).arg(at).output();
        mounted.is_ok_and(|output| output.status.success()).then(|| Self(at.to_owned()))
    }

    fn remount(&self, options: &str) {
        let options = format!("remount,{options}");
        assert!(Command::new("mount").args(["-o", &options]).arg(&self.0).status().unwrap().success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_an_error_and_the_next_run_resumes() {
    let lab = Lab::with(&experiment("r", "random", 500, ""));
    let Some(disk) = SmallDisk::mount(&lab.path("results")) else {
        return skip("mounting a file system is not permitted here");
    };
    lab.succeed("run --out elsewhere");
    let expected = records(&lab.path("elsewhere/records/p/r.parquet"));
    let mut failures = 0;
    for kilobytes in (32..1024).step_by(16) {
        disk.remount(&format!("size={kilobytes}k"));
        let ran = lab.run("run --jobs 1");
        if ran.code == Some(0) {
            break;
        }
        ran.assert_fails(4, &["No space left on device"]);
        let names = ["results/records/p/r", "results/timing/p/r"];
        assert!(names.iter().any(|name| ran.stderr.contains(name)), "{ran:?}");
        failures += 1;
    }
    assert!(failures > 2);
    assert_eq!(lab.records("p/r"), expected);
    lab.succeed("verify --current");
    assert_eq!(files(&lab.path("results/records/p")).len(), 1);
    disk.remount("ro");
    lab.run("run --fresh").assert_fails(4, &["results", "Read-only"]);
    lab.succeed("verify --recompute 1");
    assert_eq!(lab.records("p/r"), expected);
}

#[test]
fn a_results_folder_whose_name_is_not_utf_8_gets_the_same_games_and_weights() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let lab = Lab::with(&(experiment("r", "random", 40, "") + &training("t", 30, "")));
    let odd = OsStr::from_bytes(b"odd\xff");
    for command in ["run", "train"] {
        lab.succeed(&format!("{command} --quiet"));
        let ran: CommandOutput =
            lab.command(&format!("{command} --quiet --out")).arg(odd).output().unwrap().into();
        assert_eq!((ran.code, ran.stderr.contains("ALARM")), (Some(0), false), "{ran:?}");
    }
    let plain = records(&lab.path("results/records/p/r.parquet"));
    assert_eq!(records(&lab.path("").join(odd).join("records/p/r.parquet")), plain);
    let weights = |results: PathBuf| {
        let file = ConfinedPath::root(results).join("trainings/p/t.parquet");
        trainings::store::read(&file).unwrap().unwrap().header.artefact.sha256
    };
    assert_eq!(weights(lab.path("").join(odd)), weights(lab.path("results")));
}
