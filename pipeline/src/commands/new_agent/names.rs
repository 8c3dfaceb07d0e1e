//! Which names an agent can have: those under which the template builds, beside what is there already.

use std::fs;
use std::path::{Path, PathBuf};

use engine::abi::host::is_identifier;

use super::templates::{RUST_SOURCE, type_name};
use crate::cli::Language;
use crate::commands::Failure;

/// Names that the compiler or cargo refuses for a crate: keywords, and crates that come with the compiler.
const NO_CRATES: &str = "abstract alloc as async await become box break const continue core crate do dyn else enum extern false \
    final fn for gen if impl in let loop macro match mod move mut override priv proc_macro pub ref return self static std struct \
    super test trait true try type typeof unsafe unsized use virtual where while yield";

/// What the crate of an agent depends on.
const DEPENDENCIES: &[&str] = &["engine", "schemars", "serde"];

/// Checks a name by itself.
pub(super) fn check_name(name: &str, language: Language) -> Result<(), Failure> {
    let begins_with_letter = name.starts_with(|letter: char| letter.is_ascii_lowercase());
    if !is_identifier(name) || !(begins_with_letter || matches!(language, Language::C | Language::Cpp)) {
        return refused(name, "use a lower-case letter, then lower-case letters, digits, - and _");
    }
    if language == Language::Rust { check_crate(name) } else { Ok(()) }
}

fn check_crate(name: &str) -> Result<(), Failure> {
    let name_in_code = name.replace('-', "_");
    if NO_CRATES.split_whitespace().any(|word| word == name_in_code) {
        return refused(name, "a crate cannot have this name; choose another name");
    }
    if DEPENDENCIES.contains(&name_in_code.as_str()) {
        return refused(name, "a crate that Rust agents depend on has this name; choose another name");
    }
    let type_name = type_name(name);
    // The type that `export_agents!` defines counts as in the code.
    let code = RUST_SOURCE.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mut words = code.flat_map(|line| line.split(|letter: char| !letter.is_ascii_alphanumeric()));
    if type_name == "Exported" || words.any(|word| word == type_name) {
        let why =
            format!("its type `{type_name}` would clash with another type in its code; choose another name");
        return refused(name, &why);
    }
    Ok(())
}

/// Checks that no crate of the work tree has this name, or one that differs by - and _ alone: their libraries
/// would be one file.
pub(super) fn check_new_in(tree: &Path, name: &str) -> Result<(), Failure> {
    let is_same = |package: &String| package.replace('-', "_") == name.replace('-', "_");
    match packages(tree).into_iter().find(is_same) {
        Some(package) => {
            refused(name, &format!("the work tree already has a crate `{package}`; choose another name"))
        }
        None => Ok(()),
    }
}

/// The packages of the work tree. A manifest that cannot be read is cargo's to complain about.
fn packages(tree: &Path) -> Vec<String> {
    let folders = ["", "agents", "engine", "pipeline/crates"].map(|folder| tree.join(folder));
    let members = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    members.filter_map(|member| package(member.path().join("Cargo.toml"))).collect()
}

fn package(manifest: PathBuf) -> Option<String> {
    let manifest: toml::Table = fs::read_to_string(manifest).ok()?.parse().ok()?;
    Some(manifest.get("package")?.get("name")?.as_str()?.to_owned())
}

fn refused(name: &str, why: &str) -> Result<(), Failure> {
    Err(Failure::usage(format!("`{name}` cannot be an agent's name: {why}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rust_agent_is_called_what_its_crate_can_be_called() {
        for wrong in [
            "fn",
            "self",
            "core",
            "proc-macro",
            "test",
            "engine",
            "serde",
            "agent",
            "agent-seed",
            "vec",
            "exported",
        ] {
            assert!(check_name(wrong, Language::Rust).is_err(), "{wrong}");
            assert!(check_name(wrong, Language::C).is_ok(), "{wrong}");
        }
        for right in ["corner", "my-idea", "cores", "the-best"] {
            assert!(check_name(right, Language::Rust).is_ok(), "{right}");
        }
    }

    #[test]
    fn names_of_crates_are_taken_in_a_work_tree() {
        let tree = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
        for taken in ["pipeline", "engine", "baselines", "expectimax-report", "tuples", "records"] {
            assert!(check_new_in(tree, taken).is_err(), "{taken}");
        }
        assert!(check_new_in(tree, "corner").is_ok());
    }
}
