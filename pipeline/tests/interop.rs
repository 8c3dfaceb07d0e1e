//! Records in Python: pyarrow, DuckDB and polars read the same games and the same metadata.
//!
//! The Python environment is made once, below the target folder. Where Python or its packages cannot be had, the test says that
//! it skipped.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::lab::{Lab, experiment};
use pipeline::store::{Column, Summary};
use serde_json::Value;

#[test]
fn python_reads_the_same_games_and_metadata() {
    let python = match environment() {
        Ok(python) => python,
        Err(reason) => {
            eprintln!("skipped: {reason}");
            return;
        }
    };
    // A tile seed of this many games is as likely as not above the largest signed integer.
    let lab = Lab::with(&experiment("r", "random", 60, "rules.four = \"1/4\""));
    lab.succeed(&["run"]);
    let file = lab.records_file("p/r");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/interop.py");
    let output = Command::new(python).arg(script).arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    let summary = Summary::read(&file).unwrap().expect("there are records");
    for reader in ["pyarrow", "duckdb", "polars"] {
        let seen = &read[reader];
        let columns: Vec<&str> =
            seen["columns"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(columns, Column::ALL.map(Column::name), "{reader}");
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

/// The interpreter of an environment that has the three packages.
fn environment() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("interop-python");
    let python = folder.join("bin/python");
    let has_all = || {
        let imported = Command::new(&python).args(["-c", "import duckdb, polars, pyarrow"]).output();
        imported.is_ok_and(|output| output.status.success())
    };
    if has_all() {
        return Ok(python);
    }
    run("python3 makes no environment", Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    let packages = ["install", "--quiet", "--timeout", "20", "--retries", "1", "duckdb", "polars", "pyarrow"];
    run("pip installs nothing", Command::new(&python).args(["-m", "pip"]).args(packages))?;
    if has_all() { Ok(python) } else { Err("the packages cannot be imported".to_owned()) }
}

fn run(problem: &str, command: &mut Command) -> Result<Output, String> {
    let output = command.output().map_err(|error| format!("{problem}: {error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    Err(format!("{problem}: {}", String::from_utf8_lossy(&output.stderr)))
}
