//! The standards that a bundle follows, checked with the tools of others where they can be had.

use crate::common::build::python_environment;
use crate::common::prelude::*;
use crate::forge::opened;

/// The packages that check, with the versions that this was written with.
const PACKAGES: [&str; 3] = ["roc-validator==0.13.0", "rocrate==0.13.0", "cffconvert==2.0.0"];

#[test]
fn other_programs_accept_crate_and_citation() {
    let lab = opened();
    let Some(tools) = python_environment("standards", &PACKAGES) else { return };
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
