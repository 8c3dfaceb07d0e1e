//! The standards that a bundle follows, checked with the tools of others where they can be had.

use crate::common::prelude::*;
use crate::forge::opened;

/// The packages that check, with the versions that this was written with.
const PACKAGES: [&str; 3] = ["roc-validator==0.13.0", "rocrate==0.13.0", "cffconvert==2.0.0"];

/// The folder of Python programs that check; none where they cannot be had, which is said.
fn tools() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("standards");
    let is_done = folder.join("done");
    // A folder with other packages, from an earlier state of this test, is made up for.
    if fs::read_to_string(&is_done).ok() != Some(PACKAGES.join(" ")) {
        let run = |program: &Path, arguments: &[&str]| {
            let output = Command::new(program).args(arguments).output();
            output.is_ok_and(|output| output.status.success())
        };
        let has_venv = run(Path::new("python3"), &["-m", "venv", folder.to_str()?]);
        let install =
            ["install", "--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "20"];
        if !has_venv || !run(&folder.join("bin/pip"), &[&install[..], &PACKAGES].concat()) {
            skip(&format!("{} cannot be had from PyPI here", PACKAGES.join(", ")));
            return None;
        }
        fs::write(is_done, PACKAGES.join(" ")).unwrap();
    }
    Some(folder.join("bin"))
}

#[test]
fn other_programs_accept_crate_and_citation() {
    let lab = opened();
    let Some(tools) = tools() else { return };
    let script = root().join("pipeline/tests/bundle/validate_crate.py");
    for (program, arguments) in [
        ("python3", &[script.to_str().unwrap(), ".", "process-run-crate", "REQUIRED"][..]),
        ("cffconvert", &["--validate"]),
    ] {
        let mut command = Command::new(tools.join(program));
        Ran::from(command.args(arguments).current_dir(lab.path("open"))).assert_code(0);
    }
}

#[test]
fn the_crate_describes_every_experiment_and_every_file() {
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
    for name in bundle::files(&ConfinedPath::root(&folder)).unwrap() {
        let is_described = described.contains(&name.as_str())
            || name.starts_with("source/")
            || name == "ro-crate-metadata.json";
        assert!(is_described, "{name}");
    }
    for part in described {
        assert!(folder.join(part).exists(), "{part}");
        find(&part.into());
    }
    let ids: std::collections::BTreeSet<&str> =
        graph.iter().filter_map(|entity| entity["@id"].as_str()).collect();
    assert_eq!(ids.len(), graph.len(), "an id is there twice");
}
