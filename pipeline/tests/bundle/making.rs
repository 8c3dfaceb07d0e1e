//! What goes into a bundle, and what keeps one from being made.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::common::lab::{Lab, Ran, experiment};
use crate::common::{compile_plugin, git};
use crate::repository::{bundle, commit, repository};

#[test]
fn it_is_the_same_twice_and_from_another_folder_and_umask() {
    let lab = repository();
    let first = bundle(&lab, "bundles", &[]);
    let bytes = fs::read(&first).unwrap();
    assert_eq!(fs::read(bundle(&lab, "bundles2", &[])).unwrap(), bytes, "a second time");

    let copy = Lab::new();
    fs::remove_dir_all(copy.path("paper-configs")).unwrap();
    let clone = copy.path("deeper/clone");
    let script = format!("umask 077; git clone --quiet {} {}", lab.path("").display(), clone.display());
    assert!(Command::new("sh").args(["-c", &script]).status().unwrap().success());
    let program = env!("CARGO_BIN_EXE_pipeline");
    let ran: Ran = Command::new("sh")
        .args(["-c", &format!("umask 077; exec {program} bundle --to {}", copy.path("out").display())])
        .current_dir(&clone)
        .env("TZ", "Asia/Tokyo")
        .env("LC_ALL", "de_DE.UTF-8")
        .output()
        .unwrap()
        .into();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let second = copy.path("out").join(first.file_name().unwrap());
    assert_eq!(fs::read(&second).unwrap(), bytes, "elsewhere");
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    repository()
        .run(&["bundle", "--to", "tools/run/x"])
        .assert_fails(4, &["tools/run/x: cannot make the folder"]);
}

#[test]
fn it_holds_all_that_belongs_to_the_results_and_nothing_else() {
    let lab = repository();
    let file = bundle(&lab, "bundles", &[]);
    let commit = git(&lab.path(""), &["rev-parse", "HEAD"]);
    let name = format!("retile-{}", &commit[..12]);
    assert_eq!(file.file_name().unwrap().to_str().unwrap(), format!("{name}.tar.zst"));

    lab.succeed(&["unbundle", file.to_str().unwrap()]);
    let folder = lab.path(&name);
    for name in [
        ".zenodo.json",
        "CITATION.cff",
        "README.md",
        "SHA256SUMS",
        "bundle.json",
        "paper-configs/p.toml",
        "results/catalogue.parquet",
        "results/claims.csv",
        "results/claims.json",
        "results/index.json",
        "results/records/p/r.parquet",
        "results/SHA256SUMS",
        "results/report/index.html",
        "results/tables/README.md",
        "results/timing/p/c.parquet",
        "ro-crate-metadata.json",
        "source/CITATION.cff",
        "source/paper-configs/p.toml",
    ] {
        assert!(folder.join(name).is_file(), "{name}");
    }
    for name in ["source/results", "results/.lock", "results/.cache", "source/plugins", "source/.git"] {
        assert!(!folder.join(name).exists(), "{name}");
    }
    let mode = |name: &str| fs::metadata(folder.join(name)).unwrap().permissions().mode() & 0o111;
    assert_ne!(mode("source/tools/run"), 0);
    assert_eq!(mode("README.md"), 0);
    let statement = json_file(&folder.join("bundle.json"));
    assert_eq!((&statement["commit"], &statement["games"]), (&json!(commit), &json!(10)));
    assert_eq!((&statement["dirty"], &statement["not_current"]), (&json!([]), &json!([])));
    lab.succeed(&["verify", &format!("{name}/results")]);
    // The checksums are in the form of the usual tool.
    let sums =
        Command::new("sha256sum").args(["--check", "--quiet", "SHA256SUMS"]).current_dir(&folder).status();
    assert!(sums.is_ok_and(|status| status.success()));
    let beside = fs::read_to_string(format!("{}.sha256", file.display())).unwrap();
    let sums = Command::new("sha256sum").arg(&file).output().unwrap();
    assert_eq!(
        beside.split_whitespace().next(),
        String::from_utf8(sums.stdout).unwrap().split_whitespace().next()
    );
}

#[test]
fn the_time_of_its_files_is_the_commits_or_the_one_that_is_asked_for() {
    let lab = repository();
    let mtimes = |file: &Path| {
        let plain = zstd::decode_all(fs::File::open(file).unwrap()).unwrap();
        let mut archive = tar::Archive::new(&*plain);
        let mtimes: Vec<u64> =
            archive.entries().unwrap().map(|entry| entry.unwrap().header().mtime().unwrap()).collect();
        mtimes
    };
    let of_commit: u64 = git(&lab.path(""), &["show", "-s", "--format=%ct"]).parse().unwrap();
    let found = mtimes(&bundle(&lab, "bundles", &[]));
    assert!(found.len() > 20 && found.iter().all(|&mtime| mtime == of_commit), "{found:?}");
    let epoch = |text: &str| -> Ran {
        lab.command(&["bundle", "--json", "--to", "bundles2"])
            .env("SOURCE_DATE_EPOCH", text)
            .output()
            .unwrap()
            .into()
    };
    let other = epoch("86400").json();
    assert!(mtimes(&lab.path(other["file"].as_str().unwrap())).iter().all(|&mtime| mtime == 86_400));
    epoch("yesterday").assert_fails(2, &["SOURCE_DATE_EPOCH", "yesterday"]);
}

#[test]
fn a_changed_tree_is_refused_unless_the_bundle_may_say_so() {
    let lab = repository();
    fs::write(lab.path("CITATION.cff"), format!("{}# changed\n", crate::repository::CITATION)).unwrap();
    fs::write(lab.path("new.txt"), "new").unwrap();
    lab.run(&["bundle", "--to", "bundles"]).assert_fails(1, &["CITATION.cff", "new.txt", "--allow-dirty"]);
    assert!(!lab.path("bundles").exists());

    let file = bundle(&lab, "bundles", &["--allow-dirty"]);
    assert!(file.to_str().unwrap().ends_with("-dirty.tar.zst"), "{file:?}");
    lab.succeed(&["unbundle", file.to_str().unwrap(), "bundles/open"]);
    let statement = json_file(&lab.path("bundles/open/bundle.json"));
    assert_eq!(statement["dirty"], json!(["CITATION.cff", "new.txt"]));
    let readme = fs::read_to_string(lab.path("bundles/open/README.md")).unwrap();
    assert!(readme.contains("--allow-dirty") && readme.contains("new.txt"), "{readme}");
    assert!(readme.contains("## Where it was played") && readme.contains("Linux "), "{readme}");
    assert!(lab.path("bundles/open/source/new.txt").is_file());
    let verified = lab.succeed(&["verify", file.to_str().unwrap()]);
    assert!(verified.stdout.contains("--allow-dirty"), "{verified:?}");
}

#[test]
fn stale_records_are_refused_unless_the_bundle_may_say_so() {
    let lab = repository();
    let manifest = fs::read_to_string(lab.path("paper-configs/p.toml")).unwrap();
    fs::write(lab.path("paper-configs/p.toml"), manifest.replace("games = 5", "games = 6")).unwrap();
    commit(&lab);
    lab.run(&["bundle", "--to", "bundles"]).assert_fails(1, &["p/r", "5 of 6 games", "--allow-stale"]);

    let file = bundle(&lab, "bundles", &["--allow-stale"]);
    lab.succeed(&["unbundle", file.to_str().unwrap(), "bundles/open"]);
    let statement = json_file(&lab.path("bundles/open/bundle.json"));
    assert_eq!(statement["not_current"].as_array().unwrap().len(), 2, "{statement}");
    let verified = lab.succeed(&["verify", "bundles/open"]);
    assert!(verified.stdout.contains("--allow-stale"), "{verified:?}");
}

#[test]
fn records_whose_agent_fails_before_it_can_be_asked_are_refused_unless_the_bundle_may_say_so() {
    let lab = repository();
    lab.paper("q", &experiment("e", "bad", 3, "move_limit_ms = 3000"));
    let put = |name: &str, flags: &[&str]| {
        let built = compile_plugin("pipeline/tests/plugins/bad.c", name, flags);
        fs::copy(built, lab.path("plugins/libbad.so")).unwrap();
    };
    put("bundled-good", &[]);
    lab.succeed(&["reproduce", "--quiet"]);
    commit(&lab);
    bundle(&lab, "bundles", &[]);

    put("bundled-hangs", &["-DFAULT=hangs", "-DEVERY=1", "-DAT_MOVE=0"]);
    lab.run(&["bundle", "--to", "bundles2"])
        .assert_fails(1, &["q.toml: experiment `e`", "time limit", "--allow-stale"]);
    assert!(!lab.path("bundles2").exists());
    let ran = lab.succeed(&["bundle", "--json", "--to", "bundles2", "--allow-stale"]);
    assert_eq!(ran.json()["statement"]["not_current"].as_array().map(Vec::len), Some(1), "{ran:?}");
}

#[test]
fn files_that_the_records_do_not_give_are_refused() {
    let lab = repository();
    fs::write(lab.path("results/claims.json"), "{}\n").unwrap();
    commit(&lab);
    let refused = lab.run(&["bundle", "--to", "bundles", "--allow-stale", "--allow-dirty"]);
    refused.assert_fails(1, &["claims.json", "pipeline render"]);
}

#[test]
fn outside_a_repository_there_is_no_bundle() {
    let lab = Lab::with(&experiment("r", "random", 1, ""));
    let ran: Ran = lab
        .command(&["bundle"])
        .env("GIT_CEILING_DIRECTORIES", lab.path("").parent().unwrap())
        .output()
        .unwrap()
        .into();
    ran.assert_fails(2, &["git"]);
}

fn json_file(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_bundle_is_one_side_of_a_diff() {
    let lab = repository();
    let file = bundle(&lab, "bundles", &[]);
    let file = file.to_str().unwrap();
    let same = lab.succeed(&["diff", file, "results"]);
    assert!(same.stdout.contains("identical"), "{same:?}");

    lab.paper("p", &experiment("r", "random", 5, "seed = 7"));
    lab.succeed(&["reproduce", "--quiet"]);
    let changed = lab.run(&["diff", file, "results"]);
    assert_eq!(changed.code, Some(1), "{changed:?}");
    assert!(changed.stdout.contains("p/r") && changed.stdout.contains("seed"), "{changed:?}");

    let mut bytes = fs::read(file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(lab.path("bundles/broken.tar.zst"), bytes).unwrap();
    lab.run(&["diff", "bundles/broken.tar.zst", "results"]).assert_fails(1, &["broken.tar.zst"]);
    fs::write(lab.path("bundles/notes.txt"), "no bundle").unwrap();
    lab.run(&["diff", "bundles/notes.txt", "results"])
        .assert_fails(2, &["neither a results folder nor a bundle"]);
}

#[test]
fn results_that_no_manifest_has_are_refused_and_so_is_a_list_that_is_not_of_them() {
    let lab = repository();
    let list = fs::read_to_string(lab.path("results/SHA256SUMS")).unwrap();
    let other: String =
        list.lines().filter(|line| !line.ends_with("index.json")).map(|line| format!("{line}\n")).collect();
    fs::write(lab.path("results/SHA256SUMS"), other).unwrap();
    lab.run(&["bundle", "--allow-dirty"])
        .assert_fails(1, &["results/SHA256SUMS: it has no hash of index.json as it is", "`pipeline render`"]);
    fs::write(lab.path("results/SHA256SUMS"), list).unwrap();
    fs::copy(lab.path("paper-configs/p.toml"), lab.path("mine.toml")).unwrap();
    lab.succeed(&["run", "mine.toml", "--games", "13"]);
    lab.run(&["bundle", "--allow-dirty"])
        .assert_fails(1, &["no manifest covers what is stored here", "the records of mine/r", "--out"]);
}
