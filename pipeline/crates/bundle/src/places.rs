//! Where things are in a bundle: what has no place there is neither packed nor unpacked, and is a problem of
//! a folder that has it.
//!
//! Hidden files are what programs look for by themselves: git a `.git`, cargo a `.cargo`, shells and editors
//! others, and what is in them can be commands. So a bundle has those that are listed here, and no others.

use super::contents::{ARTEFACTS, CONFIGS, RESULTS, SOURCE};
use super::ro_crate::METADATA;
use super::{CHECKSUMS, STATEMENT};
use trainings::artefacts::is_sha256;

/// The metadata for Zenodo, which looks for it under this name.
pub(super) const ZENODO: &str = ".zenodo.json";
/// The files that stand beside the folders.
const BESIDE: [&str; 6] = [CHECKSUMS, STATEMENT, METADATA, ZENODO, "CITATION.cff", "README.md"];
/// The files of the results that are in none of their folders.
const OF_RESULTS: [&str; 6] =
    ["README.md", "SHA256SUMS", "catalogue.parquet", "claims.csv", "claims.json", "index.json"];
/// What building the source leaves there.
const BUILT: &str = "target";
/// The hidden folder that the source may have: the checks that every change goes through, which nothing runs
/// by itself.
const CHECKS: &str = ".ci";
/// The hidden file that the source may have in any folder: a list of names.
const IGNORED: &str = ".gitignore";

/// Why a file has no place in a bundle, given by its name in the bundle's folder.
pub(super) fn misplaced(name: &str) -> Option<&'static str> {
    let parts: Vec<&str> = name.split('/').collect();
    let has_place = match parts[..] {
        [SOURCE, ..] => return misplaced_in_source(&parts[1..]),
        [file] => BESIDE.contains(&file),
        [CONFIGS, file] => file.ends_with(".toml") || file.ends_with(".md"),
        [RESULTS, file] => OF_RESULTS.contains(&file),
        [RESULTS, folder, _, file] => has_tables(folder) && file.ends_with(".parquet"),
        [ARTEFACTS, file] => is_sha256(file),
        [RESULTS, "tables" | "figures" | "report", _] => true,
        _ => false,
    };
    let is_hidden = name != ZENODO && parts.iter().any(|part| part.starts_with('.'));
    match (is_hidden, has_place) {
        (true, _) => Some("is hidden, or in a hidden folder"),
        (false, false) => Some("has no place in a bundle"),
        (false, true) => None,
    }
}

/// Whether a folder of the results holds tables of papers.
fn has_tables(folder: &str) -> bool {
    folder == "timing" || project::kinds().iter().any(|kind| kind.words().folder == folder)
}

fn misplaced_in_source(parts: &[&str]) -> Option<&'static str> {
    let Some((file, folders)) = parts.split_last() else { return Some("is a file, not a folder") };
    let in_checks = usize::from(folders.first() == Some(&CHECKS));
    let is_hidden = |part: &&str| part.starts_with('.');
    match () {
        () if parts[0] == BUILT => Some("is where building leaves its files"),
        () if folders.iter().skip(in_checks).any(is_hidden) => Some("is in a hidden folder"),
        () if is_hidden(file) && *file != IGNORED => Some("is hidden"),
        () => None,
    }
}

/// Whether a folder is what building the source leaves, of which a bundle says nothing.
pub(super) fn is_built(folder: &str) -> bool {
    folder.strip_prefix(SOURCE).and_then(|rest| rest.strip_prefix('/')) == Some(BUILT)
}

/// Whether a folder, given by its name in the bundle's folder, can hold files of a bundle.
pub(super) fn is_folder(folder: &str) -> bool {
    let hidden = folder.split('/').filter(|part| part.starts_with('.')).count();
    let in_checks = format!("{SOURCE}/{CHECKS}");
    let is_checks = folder == in_checks || folder.starts_with(&format!("{in_checks}/"));
    hidden == usize::from(is_checks)
}

/// Whether a bundle can be called so, and with it the folder that it is unpacked into.
pub(super) fn is_bundle_name(name: &str) -> bool {
    let is_plain = |letter: u8| letter.is_ascii_alphanumeric() || b"._-".contains(&letter);
    name.strip_prefix("retile-").is_some_and(|rest| !rest.is_empty() && rest.bytes().all(is_plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_bundles_have_has_its_place() {
        let names = ".zenodo.json SHA256SUMS bundle.json paper-configs/p.toml paper-configs/README.md \
             results/catalogue.parquet results/claims.csv results/index.json results/records/p/e.parquet \
             results/studies/p/s.parquet results/trainings/p/t.parquet \
             artefacts/00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff \
             results/report/index.html source/.ci/run source/.gitignore source/agents/x/.gitignore \
             source/agents/x/src/lib.rs source/agents/x/target/notes.txt";
        for name in names.split(' ') {
            assert_eq!(misplaced(name), None, "{name}");
        }
    }

    #[test]
    fn nothing_else_has() {
        let names = ".git/config .GIT/config .cargo/config.toml .envrc Cargo.toml source paper-configs/.p.toml \
             paper-configs/.git/config paper-configs/run.sh results/.lock results/other.parquet \
             results/.git/config results/records/.git/config.parquet results/records/e.parquet \
             results/records/p/e.journal results/studies/p/s.part-1-of-2.journal \
             results/trainings/t.parquet artefacts/weights.bin artefacts/.gitignore \
             artefacts/.unpacked/00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff \
             results/studies/s.parquet results/tables/deep/t.md source/.git/config source/.Git/config \
             source/.cargo/config.toml source/.cargo source/.ci/.git/config source/.gitattributes \
             source/.gitignore/x source/.gitmodules source/a/.ci/run source/a/.cargo/config \
             source/target/release/libx.so";
        for name in names.split(' ') {
            assert!(misplaced(name).is_some(), "{name}");
        }
    }

    #[test]
    fn folders_are_looked_into_where_a_bundle_has_files() {
        for folder in ["results", "source/agents", "source/.ci", "source/.ci/more"] {
            assert!(is_folder(folder), "{folder}");
        }
        for folder in [".git", "source/.git", "results/.cache", "source/.ci/.git", ".ci", "source/a/.ci"] {
            assert!(!is_folder(folder), "{folder}");
        }
    }

    #[test]
    fn a_bundle_is_called_as_we_call_it() {
        for name in ["retile-0123456789ab", "retile-0123-dirty", "retile-1.0_rc"] {
            assert!(is_bundle_name(name), "{name}");
        }
        for name in ["", ".git", "retile-", "retile", ".cargo", "retile-a/b", "retile-\u{202e}x", "Retile-x"]
        {
            assert!(!is_bundle_name(name), "{name}");
        }
    }
}
