//! `SHA256SUMS`: the checksum of every other file of a bundle, in the form that `sha256sum -c` reads.

use std::collections::BTreeSet;

use super::archive::objection;
use super::places::misplaced;
use super::{BundleError, Contents, OpenBundle};
use platform::hash::sha256_of;
use platform::plain;
use records::{Sums, sums};

/// The file's name.
pub const CHECKSUMS: &str = "SHA256SUMS";

/// The text of the file for these contents.
pub(super) fn text(contents: &Contents) -> Result<String, BundleError> {
    let sum = |(name, item): (&str, &super::contents::BundledFile)| Ok((name.to_owned(), item.sha256()?));
    Ok(sums::text(&contents.iter().map(sum).collect::<Result<_, BundleError>>()?))
}

/// How many files an unpacked bundle lists, and the problems, one for each file. No other file is looked at.
pub(super) fn problems(bundle: &OpenBundle) -> Result<(usize, Vec<String>), BundleError> {
    let path = bundle.folder.join(CHECKSUMS);
    let text = String::from_utf8(bundle.read_text(CHECKSUMS)?);
    let text = text.map_err(|_| BundleError::form(path.path(), "it is not text"))?;
    let (mut sums, mut problems) = (Sums::new(), Vec::new());
    for line in sums::lines(&text) {
        let (number, sum, name) = line.map_err(|error| BundleError::form(path.path(), error))?;
        // A name that no bundle can have may be any file of this machine.
        let is_itself = || (name == CHECKSUMS).then_some("is this file itself");
        let objection = objection(name).or_else(|| misplaced(name)).or_else(is_itself);
        let objection =
            objection.or_else(|| sums.insert(name.to_owned(), sum.to_owned()).map(|_| "is there twice"));
        problems.extend(objection.map(|problem| {
            let name = plain::line(name);
            format!("{CHECKSUMS}: line {number}: `{name}` {problem}")
        }));
    }
    let known: BTreeSet<&String> = bundle.files.iter().collect();
    for (name, sum) in &sums {
        let found = || bundle.folder.join(name).open().and_then(sha256_of);
        problems.extend(match known.contains(name).then(found) {
            None => Some(format!("{name}: it is missing")),
            Some(Ok(found)) if found == *sum => None,
            Some(Ok(_)) => Some(format!("{name}: its bytes differ from those listed in {CHECKSUMS}")),
            Some(Err(error)) => Some(format!("{name}: it cannot be read: {error}")),
        });
    }
    let is_unknown = |name: &&String| *name != CHECKSUMS && !sums.contains_key(*name);
    let unknown = bundle.files.iter().filter(is_unknown);
    problems.extend(unknown.map(|name| format!("{name}: it is not in {CHECKSUMS}")));
    Ok((sums.len(), problems))
}
