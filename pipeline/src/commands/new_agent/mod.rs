//! `pipeline new-agent`: the beginning of an agent, in a folder of its own.

mod names;
mod templates;

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::{Failure, print_text};
use crate::cli::{self, Language};
use names::{check_name, check_new_in};
use templates::{Placeholders, Template};

pub(crate) fn new_agent(arguments: &cli::NewAgentArgs) -> Result<(), Failure> {
    check_name(&arguments.name, arguments.lang)?;
    let destination = Destination::of(arguments)?;
    let names = Placeholders::of(&arguments.name, destination.engine.as_deref());
    let template = Template::of(arguments.lang, destination.is_in_workspace);
    write(&template, &names, &destination.folder)?;
    print_text(&report(&template, &names, &destination))
}

/// Where an agent is made.
struct Destination {
    folder: PathBuf,
    /// Whether that is among the agents of a Retile work tree.
    is_in_workspace: bool,
    /// How a Rust crate elsewhere depends on the engine.
    engine: Option<String>,
}

impl Destination {
    fn of(arguments: &cli::NewAgentArgs) -> Result<Self, Failure> {
        let here = env::current_dir().map_err(Failure::io)?;
        let is_rust = arguments.lang == Language::Rust;
        let folder = match (&arguments.dir, work_tree(&here)) {
            (Some(folder), _) => folder.clone(),
            (None, Some(root)) if is_rust => root.join("agents").join(&arguments.name),
            (None, _) => PathBuf::from(&arguments.name),
        };
        let absolute = std::path::absolute(&folder).map_err(Failure::io)?;
        let is_in_workspace = match absolute.parent().and_then(work_tree) {
            Some(tree) => is_in_workspace(tree, &absolute, &arguments.name, is_rust)?,
            None => false,
        };
        if folder.exists() {
            return Err(Failure::usage(format!(
                "{}: already exists; choose another name, or give another folder with --dir",
                folder.display()
            )));
        }
        let needs_engine = is_rust && !is_in_workspace;
        let engine = needs_engine.then(|| engine(arguments.engine.as_deref())).transpose()?;
        Ok(Self { folder, is_in_workspace, engine })
    }
}

/// Whether a folder is among the agents of the work tree that it is in.
///
/// Cargo takes every folder below `agents` for a crate, so no other language has a place there; and a crate
/// has none elsewhere, where no build of the work tree would find it.
fn is_in_workspace(tree: &Path, folder: &Path, name: &str, is_rust: bool) -> Result<bool, Failure> {
    let agents = tree.join("agents");
    let refused = |why: &str| {
        let (folder, tree) = (folder.display(), tree.display());
        Err(Failure::usage(format!("{folder} is inside the Retile work tree {tree}, {why}")))
    };
    match (is_rust, folder.starts_with(&agents)) {
        (true, _) if folder.parent() != Some(&agents) => {
            refused("which keeps its agent crates under agents/; omit --dir")
        }
        (true, _) => check_new_in(tree, name).map(|()| true),
        (false, true) => refused(
            "which keeps only Rust agents under agents/, each as a crate; give a folder outside agents/ with --dir",
        ),
        (false, false) => Ok(false),
    }
}

/// The Retile work tree around a folder.
fn work_tree(folder: &Path) -> Option<&Path> {
    let is_one =
        |tree: &&Path| tree.join("engine/include/agent2048.h").is_file() && tree.join("agents").is_dir();
    folder.ancestors().find(is_one)
}

/// The engine as a dependency: a folder, a URL, or the source tree that this program was built from.
fn engine(given: Option<&str>) -> Result<String, Failure> {
    if let Some(url) = given.filter(|given| given.contains("://") || given.starts_with("git@")) {
        return Ok(format!("git = {url:?}"));
    }
    let folder = Path::new(given.unwrap_or(concat!(env!("CARGO_MANIFEST_DIR"), "/../engine")));
    let crate_folder = folder.canonicalize().ok().filter(|folder| folder.join("Cargo.toml").is_file());
    crate_folder.map(|folder| format!("path = {:?}", folder.to_string_lossy())).ok_or_else(|| {
        Failure::usage(match given {
            Some(given) => {
                format!("--engine {given}: there is no Cargo.toml in it; name the folder of the engine crate")
            }
            None => {
                "the source tree that this program was built from is not here: say where the engine crate is \
                     with --engine PATH or --engine URL (the other languages do not need it)"
                    .to_owned()
            }
        })
    })
}

/// Writes the files. One that fails leaves the others: the message names it.
fn write(template: &Template, names: &Placeholders, folder: &Path) -> Result<(), Failure> {
    for file in &template.files {
        let path = folder.join(names.fill(file.name));
        let failed = |error: std::io::Error| Failure::usage(format!("{}: {error}", path.display()));
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
        fs::write(&path, names.fill(file.text)).map_err(failed)?;
        if file.is_executable {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).map_err(failed)?;
        }
    }
    Ok(())
}

/// The files, and the command that builds and tries the agent.
fn report(template: &Template, names: &Placeholders, destination: &Destination) -> String {
    let files: Vec<String> = template.files.iter().map(|file| names.fill(file.name)).collect();
    let folder = &destination.folder;
    let next = names.fill(template.next).replace("@PIPELINE@", &this_program());
    let from = match destination.is_in_workspace {
        true => folder.parent().and_then(Path::parent).unwrap_or(Path::new(".")),
        false => folder,
    };
    format!(
        "Made {} with {}.\n\nNext, build it and see how well it plays:\n\n  cd {} && {next}\n",
        folder.display(),
        files.join(", "),
        quoted(&from.display().to_string())
    )
}

/// How this program is called: by its name where the shell would find it, else by its path.
fn this_program() -> String {
    let Ok(here) = env::current_exe().and_then(fs::canonicalize) else { return "pipeline".to_owned() };
    let folders = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&folders).map(|folder| folder.join("pipeline")).find(|file| file.is_file());
    let is_found = found.and_then(|file| file.canonicalize().ok()).is_some_and(|file| file == here);
    if is_found { "pipeline".to_owned() } else { quoted(&here.display().to_string()) }
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let is_plain = word.chars().all(|letter| letter.is_ascii_alphanumeric() || "/._-+~".contains(letter));
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(quoted("/a/b-c.d"), "/a/b-c.d");
        assert_eq!(quoted("it's here"), r"'it'\''s here'");
    }
}
