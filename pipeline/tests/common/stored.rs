//! Stored files: reading them, rewriting them with other content, and damaging them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use platform::ConfinedPath;
use platform::hash::sha256;
use records::{GameRecord, Header, RecordsReader, RecordsSummary, RecordsWriter};
use trainings::StoredTraining;

use super::lab::Lab;
use super::root;

/// A file that the test names.
pub(crate) fn confined(file: impl AsRef<Path>) -> ConfinedPath {
    ConfinedPath::file(file.as_ref())
}

/// The only file or folder in a folder.
pub(crate) fn only(folder: impl AsRef<Path>) -> PathBuf {
    fs::read_dir(folder).unwrap().next().unwrap().unwrap().path()
}

/// The hash of the weights that a training of paper `p` gave, and the digest of its learning curve.
pub(crate) fn training_outcome(lab: &Lab, id: &str) -> (String, String) {
    let stored = trainings::store::read(&confined(lab.path(format!("results/trainings/p/{id}.parquet"))));
    let StoredTraining { header, digest, .. } = stored.unwrap().unwrap();
    assert!(lab.exists(&format!("artefacts/{}", header.artefact.sha256)));
    (header.artefact.sha256, digest)
}

/// The records of a file.
pub(crate) fn records(file: &Path) -> Vec<GameRecord> {
    RecordsReader::open(&confined(file)).unwrap().games().collect::<Result<_, _>>().unwrap()
}

/// The summary of a records file.
pub(crate) fn summary(file: &Path) -> RecordsSummary {
    RecordsSummary::read(&confined(file)).unwrap().expect("there are records")
}

/// Rewrites a records file, seal and all, with something changed. Returns its digest.
pub(crate) fn rewrite(file: &Path, change: impl FnOnce(&mut Header, &mut Vec<GameRecord>)) -> String {
    let (mut header, mut games) = (summary(file).header, records(file));
    change(&mut header, &mut games);
    let mut writer = RecordsWriter::create(&confined(file)).unwrap();
    games.iter().for_each(|game| writer.push(game).unwrap());
    writer.finish(&header).unwrap()
}

/// Makes the `SHA256SUMS` of a folder fit its files.
pub(crate) fn mend_checksums(folder: &Path) {
    let mut names = files(folder);
    names.remove("SHA256SUMS");
    let line = |(name, bytes): (&String, &Vec<u8>)| format!("{}  {name}\n", sha256(bytes));
    fs::write(folder.join("SHA256SUMS"), names.iter().map(line).collect::<String>()).unwrap();
}

/// The bytes with the lowest bit of one of them flipped.
pub(crate) fn flip(bytes: &[u8], place: usize) -> Vec<u8> {
    flip_bit(bytes, place, 0)
}

pub(crate) fn flip_bit(bytes: &[u8], place: usize, bit: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[place] ^= 1 << bit;
    bytes
}

/// All files below a folder, hidden ones too, by their names in it, with their content.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap().map(Result::unwrap) {
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// All files of a laboratory's results but locks and caches, by name.
pub(crate) fn result_files(lab: &Lab) -> BTreeMap<String, Vec<u8>> {
    let mut found = files(&lab.path("results"));
    found.retain(|name, _| !name.ends_with(".lock") && !name.starts_with(".cache/"));
    found
}

/// The Rust sources below a folder of the repository, by their names from its root, with their text.
pub(crate) fn sources(folder: &str) -> impl Iterator<Item = (String, String)> {
    let named = |(name, bytes): (String, _)| (format!("{folder}/{name}"), bytes);
    let files = files(&root().join(folder)).into_iter().map(named).collect::<Vec<_>>().into_iter();
    let files = files.filter(|(name, _)| name.ends_with(".rs"));
    files.map(|(name, bytes)| (name, String::from_utf8(bytes).expect("sources are UTF-8")))
}
