//! Our files in Python: pyarrow, DuckDB and polars read the same games, a validator takes every config.
//!
//! A Python environment is made once, below the target folder. If Python or its packages cannot be had, the
//! test says that it skipped.

use crate::common::build::python_environment;
use crate::common::prelude::*;

use std::io::Write as _;

use records::COLUMNS;
use serde_json::Map;

#[test]
fn python_reads_the_same_games_and_metadata() {
    let Some(python) = python_environment("interop-python", &["duckdb", "polars", "pyarrow"]) else { return };
    // A tile seed of this many games is as likely as not above the largest signed integer.
    let lab = Lab::with(&experiment("r", "random", 60, "rules.four = \"1/4\""));
    lab.succeed("run");
    let file = lab.records_file("p/r");
    let script = root().join("pipeline/tests/cli/interop.py");
    let output = Command::new(python.join("python")).arg(script).arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    let summary = summary(&file);
    for reader in ["pyarrow", "duckdb", "polars"] {
        let seen = &read[reader];
        let columns: Vec<&str> = list(&seen["columns"]).iter().filter_map(Value::as_str).collect();
        assert_eq!(columns, COLUMNS, "{reader}");
        assert_eq!(seen["digest"], summary.digest.as_str(), "{reader}");
        let metadata = &seen["metadata"];
        assert_eq!(metadata["retile.form"], "1", "{reader}");
        assert_eq!(metadata["retile.digest"], summary.digest.as_str(), "{reader}");
        assert_eq!(metadata["retile.identity"], summary.header.identity.hash(), "{reader}");
        assert_eq!(metadata["retile.experiment"], "p/r", "{reader}");
        let header: Value = serde_json::from_str(metadata["retile.header"].as_str().unwrap()).unwrap();
        assert_eq!(header["identity"]["rules"]["four"], "1/4", "{reader}");
        assert_eq!(header["manifest"]["games"], 60, "{reader}");
        assert!(header["provenance"][0]["plugin_sha256"].is_string(), "{reader}");
    }
}

#[test]
fn the_schema_accepts_every_config_and_refuses_what_the_program_refuses() {
    let Some(python) = python_environment("schema-python", &["jsonschema"]) else { return };
    let mut configs = Map::new();
    for entry in fs::read_dir(root().join("paper-configs")).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_some_and(|extension| extension == "toml") {
            let config: Value = toml::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
            configs.insert(file.display().to_string(), config);
        }
    }
    assert!(configs.len() > 5, "{:?}", configs.keys());
    let example: Value = toml::from_str(include_str!("../../crates/manifest/src/example.toml")).unwrap();
    let searched_by = |method: Value| {
        let mut config = example.clone();
        config["study"][0]["method"] = method;
        config
    };
    let race = json!({"kind": "race", "points": 8, "most": 90, "winners": 1});
    let genetic = json!({
        "kind": "genetic", "population": 50, "iterations": 500, "mutation_probability": 0.1, "crossover_probability": 0.5,
        "rating": "all-games",
    });
    configs.insert("race".to_owned(), searched_by(race));
    configs.insert("genetic".to_owned(), searched_by(genetic));
    configs.insert("example".to_owned(), example.clone());
    let wrong_methods = [
        json!({"kind": "sobol", "points": 0, "batch": 1}),
        json!({"kind": "sobol", "points": 8, "batch": 1, "bach": 1}),
        json!({"kind": "sobol", "points": 8}),
        json!({"kind": "annealing"}),
    ];
    let wrong_methods = wrong_methods.map(|method| (format!("wrong {method}"), searched_by(method)));
    let wrong_names: Vec<String> = wrong_methods.iter().map(|(name, _)| name.clone()).collect();
    configs.extend(wrong_methods);
    configs.insert("wrong".to_owned(), json!({"citation": {"title": "T"}, "experiments": []}));
    let schema = Lab::new().succeed("schema").json();
    let mut script = Command::new(python.join("python"))
        .arg(root().join("pipeline/tests/cli/schema.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let asked = json!({"schema": schema, "configs": configs}).to_string();
    script.stdin.take().unwrap().write_all(asked.as_bytes()).unwrap();
    let output = script.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let mut problems: Map<String, Value> = serde_json::from_slice(&output.stdout).unwrap();
    let wrong = problems.remove("wrong").unwrap();
    assert!(wrong.as_array().is_some_and(|problems| problems.len() > 1), "{wrong}");
    for name in wrong_names {
        let wrong = problems.remove(&name).unwrap();
        assert!(wrong.as_array().is_some_and(|problems| !problems.is_empty()), "{name} is taken");
    }
    assert!(problems.values().all(|problems| *problems == json!([])), "{problems:#?}");
}
