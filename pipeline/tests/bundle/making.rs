//! What goes into a bundle, the standards that it follows, and what keeps one from being made.

use crate::common::build::python_environment;
use crate::common::prelude::*;
use crate::common::repository::CITATION;
use crate::forge::opened;

#[test]
fn it_is_the_same_from_any_folder_and_holds_all_that_belongs_to_the_results_with_their_times() {
    let lab = repository();
    let file = bundle(&lab, "bundles", "");
    let bytes = fs::read(&file).unwrap();
    assert_eq!(fs::read(bundle(&lab, "bundles2", "")).unwrap(), bytes, "a second time");

    let copy = Lab::new();
    copy.remove("paper-configs");
    let (from, program) = (lab.path(""), env!("CARGO_BIN_EXE_pipeline"));
    let clone = format!("git clone --quiet {} deeper/clone && cd deeper/clone", from.display());
    let script = format!("umask 077; {clone} && exec {program} bundle --to ../../out");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(copy.path(""));
    CommandOutput::from(shell.env("TZ", "Asia/Tokyo").env("LC_ALL", "de_DE.UTF-8")).assert_code(0);
    let second = copy.path("out").join(Path::new(&file).file_name().unwrap());
    assert_eq!(fs::read(second).unwrap(), bytes, "elsewhere");
    let commit = git(&lab.path(""), &["rev-parse", "HEAD"]);
    let name = format!("retile-{}", &commit[..12]);
    assert!(file.ends_with(&format!("/{name}.tar.zst")), "{file}");

    lab.succeed(&format!("unbundle {file}"));
    let folder = lab.path(&name);
    let described = ".zenodo.json CITATION.cff README.md SHA256SUMS bundle.json ro-crate-metadata.json";
    let sources = "paper-configs/p.toml source/CITATION.cff source/paper-configs/p.toml";
    let results = "SHA256SUMS catalogue.parquet claims.csv claims.json index.json records/p/r.parquet \
                   report/index.html tables/README.md timing/p/c.parquet";
    let results = results.split(' ').map(|name| format!("results/{name}"));
    for name in described.split(' ').chain(sources.split(' ')).map(str::to_owned).chain(results) {
        assert!(folder.join(&name).is_file(), "{name}");
    }
    for name in ["source/results", "results/.lock", "results/.cache", "source/plugins", "source/.git"] {
        assert!(!folder.join(name).exists(), "{name}");
    }
    let mode = |name: &str| fs::metadata(folder.join(name)).unwrap().permissions().mode() & 0o111;
    assert_ne!(mode("source/tools/run"), 0);
    assert_eq!(mode("README.md"), 0);
    let statement = lab.json(&format!("{name}/bundle.json"));
    assert_eq!((&statement["commit"], &statement["games"]), (&json!(commit), &json!(10)));
    assert_eq!((&statement["dirty"], &statement["not_current"]), (&json!([]), &json!([])));
    lab.succeed(&format!("verify {name}/results"));
    // The checksums are in the form of the usual tool.
    let sums =
        Command::new("sha256sum").args(["--check", "--quiet", "SHA256SUMS"]).current_dir(&folder).status();
    assert!(sums.is_ok_and(|status| status.success()));
    let beside = fs::read_to_string(format!("{file}.sha256")).unwrap();
    let sums = CommandOutput::from(Command::new("sha256sum").arg(&file)).stdout;
    assert_eq!(beside.split_whitespace().next(), sums.split_whitespace().next());
    let mtimes = |file: &str| {
        let plain = zstd::decode_all(fs::File::open(file).unwrap()).unwrap();
        let mut archive = tar::Archive::new(&*plain);
        let mtimes: Vec<u64> =
            archive.entries().unwrap().map(|entry| entry.unwrap().header().mtime().unwrap()).collect();
        mtimes
    };
    let of_commit: u64 = git(&lab.path(""), &["show", "-s", "--format=%ct"]).parse().unwrap();
    let found = mtimes(&file);
    assert!(found.len() > 20 && found.iter().all(|&mtime| mtime == of_commit), "{found:?}");
    let epoch = |text: &str| lab.run_with("SOURCE_DATE_EPOCH", text, "bundle --json --to bundles3");
    let other = lab.path(epoch("86400").json()["file"].as_str().unwrap()).display().to_string();
    assert!(mtimes(&other).iter().all(|&mtime| mtime == 86_400));
    epoch("yesterday").assert_fails(2, &["SOURCE_DATE_EPOCH", "yesterday"]);
}

#[test]
fn a_changed_tree_is_refused_without_allow_dirty() {
    let lab = repository();
    lab.write("CITATION.cff", format!("{}# changed\n", CITATION));
    lab.write("new.txt", "new");
    lab.run("bundle --to bundles").assert_fails(1, &["CITATION.cff", "new.txt", "--allow-dirty"]);
    assert!(!lab.exists("bundles"));

    let file = bundle(&lab, "bundles", "--allow-dirty");
    assert!(file.ends_with("-dirty.tar.zst"), "{file}");
    lab.succeed(&format!("unbundle {file} bundles/open"));
    let statement = lab.json("bundles/open/bundle.json");
    assert_eq!(statement["dirty"], json!(["CITATION.cff", "new.txt"]));
    let readme = lab.read("bundles/open/README.md");
    assert_has(&readme, &["--allow-dirty", "new.txt", "## Where it was played", "Linux "]);
    assert!(lab.path("bundles/open/source/new.txt").is_file());
    lab.succeed(&format!("verify {file}")).assert_prints(&["--allow-dirty"]);
}

#[test]
fn stale_records_are_refused_without_allow_stale() {
    let lab = repository();
    lab.replace("paper-configs/p.toml", "games = 5", "games = 6");
    commit(&lab);
    lab.run("bundle --to bundles").assert_fails(1, &["p/r", "5 of 6 games", "--allow-stale"]);

    let file = bundle(&lab, "bundles", "--allow-stale");
    lab.succeed(&format!("unbundle {file} bundles/open"));
    let statement = lab.json("bundles/open/bundle.json");
    assert_eq!(list(&statement["not_current"]).len(), 2, "{statement}");
    lab.succeed("verify bundles/open").assert_prints(&["--allow-stale"]);
}

#[test]
fn records_of_a_failing_agent_are_refused_without_allow_stale() {
    let lab = repository();
    lab.paper("q", &experiment("e", "bad", 3, "move_limit_ms = 3000"));
    let put = |flags: &[&str]| lab.install(&compile_plugin(BAD, "bundled", flags), "libbad.so");
    put(&[]);
    lab.succeed("reproduce --quiet");
    commit(&lab);
    bundle(&lab, "bundles", "");

    put(&["-DFAULT=hangs", "-DEVERY=1", "-DAT_MOVE=0"]);
    lab.run("bundle --to bundles2")
        .assert_fails(1, &["q.toml: experiment `e`", "time limit", "--allow-stale"]);
    assert!(!lab.exists("bundles2"));
    let bundled = lab.json_of("bundle --to bundles2 --allow-stale");
    assert_eq!(list(&bundled["statement"]["not_current"]).len(), 1, "{bundled}");
}

#[test]
fn files_that_neither_records_nor_manifests_give_are_refused_and_so_is_a_list_that_is_not_of_them() {
    let lab = repository();
    let claims = lab.bytes("results/claims.json");
    lab.write("results/claims.json", "{}\n");
    lab.run("bundle --to bundles --allow-stale --allow-dirty")
        .assert_fails(1, &["claims.json", "pipeline render"]);
    lab.write("results/claims.json", claims);
    let list = lab.read("results/SHA256SUMS");
    let other = list.lines().filter(|line| !line.ends_with("index.json"));
    let other: String = other.map(|line| format!("{line}\n")).collect();
    lab.write("results/SHA256SUMS", other);
    lab.run("bundle --allow-dirty")
        .assert_fails(1, &["results/SHA256SUMS: it has no hash of index.json as it is", "`pipeline render`"]);
    lab.write("results/SHA256SUMS", list);
    fs::copy(lab.path("paper-configs/p.toml"), lab.path("mine.toml")).unwrap();
    lab.succeed("run mine.toml --games 13");
    lab.run("bundle --allow-dirty")
        .assert_fails(1, &["no manifest covers what is stored here", "the records of mine/r", "--out"]);
}

#[test]
fn there_is_no_bundle_outside_a_repository_nor_in_a_folder_that_cannot_be_made() {
    let lab = Lab::with(&experiment("r", "random", 1, ""));
    lab.run_with("GIT_CEILING_DIRECTORIES", lab.path("").parent().unwrap(), "bundle")
        .assert_fails(2, &["git"]);
    repository().run("bundle --to tools/run/x").assert_fails(4, &["tools/run/x: cannot make the folder"]);
}

#[test]
fn a_bundle_is_one_side_of_a_diff() {
    let lab = repository();
    let file = &bundle(&lab, "bundles", "");
    lab.succeed(&format!("diff {file} results")).assert_prints(&["identical"]);
    lab.paper("p", &experiment("r", "random", 5, "seed = 7"));
    lab.succeed("reproduce --quiet");
    lab.run(&format!("diff {file} results")).assert_finds(&["p/r", "seed"]);
    lab.write("bundles/notes.txt", "no bundle");
    lab.run("diff bundles/notes.txt results").assert_fails(2, &["neither a results folder nor a bundle"]);
}

/// The packages that check, with the versions that this was written with.
const PACKAGES: [&str; 3] = ["roc-validator==0.13.0", "rocrate==0.13.0", "cffconvert==2.0.0"];

#[test]
fn the_crate_describes_every_experiment_and_every_file_and_other_programs_accept_it() {
    let lab = opened();
    let (folder, metadata) = (lab.path("open"), lab.json("open/ro-crate-metadata.json"));
    let graph = list(&metadata["@graph"]);
    let find =
        |id: &Value| graph.iter().find(|entity| entity["@id"] == *id).unwrap_or_else(|| panic!("no {id}"));
    let root = find(&"./".into());
    let actions: Vec<&Value> = graph.iter().filter(|entity| entity["@type"] == "CreateAction").collect();
    assert_eq!(actions.len(), 2);
    for action in actions {
        assert_eq!(find(&action["instrument"]["@id"])["@type"], "SoftwareApplication");
        assert_eq!(action["object"]["@id"], "paper-configs/p.toml");
        let records = action["result"][0]["@id"].as_str().unwrap();
        assert!(records.starts_with("results/records/p/") && folder.join(records).is_file(), "{records}");
    }
    let described: Vec<&str> =
        list(&root["hasPart"]).iter().map(|part| part["@id"].as_str().unwrap()).collect();
    for name in bundle::OpenBundle::open(&folder).unwrap().files {
        let is_described = described.contains(&name.as_str())
            || name.starts_with("source/")
            || name == "ro-crate-metadata.json";
        assert!(is_described, "{name}");
    }
    for part in described {
        assert!(folder.join(part).exists(), "{part}");
        find(&part.into());
    }
    let ids: BTreeSet<&str> = graph.iter().filter_map(|entity| entity["@id"].as_str()).collect();
    assert_eq!(ids.len(), graph.len(), "an id is there twice");
    let Some(tools) = python_environment("standards", &PACKAGES) else { return };
    let script = self::root().join("pipeline/tests/bundle/validate_crate.py");
    for (program, arguments) in [
        ("python3", &[script.to_str().unwrap(), ".", "process-run-crate", "REQUIRED"][..]),
        ("cffconvert", &["--validate"]),
    ] {
        let mut command = Command::new(tools.join(program));
        CommandOutput::from(command.args(arguments).current_dir(lab.path("open"))).assert_code(0);
    }
}
