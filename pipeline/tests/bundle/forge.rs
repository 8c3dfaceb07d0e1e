//! A forger: unpacked bundles with something changed, checksums that fit again, and archives of them.

use std::fs;
use std::path::{Path, PathBuf};

use surroundings::hash::file_sha256;
use tar::{Builder, Header};

use crate::common::lab::Lab;
use crate::repository::{bundle, repository};

/// A laboratory with a good bundle, which is also unpacked as `open`.
pub(crate) fn opened() -> (Lab, PathBuf) {
    let lab = repository();
    let file = bundle(&lab, "bundles", &[]);
    lab.succeed(&["unbundle", file.to_str().unwrap(), "open"]);
    (lab, file)
}

/// All files below a folder, hidden ones too, by their names in it.
pub(crate) fn all_files(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else {
                let path = entry.path();
                names.push(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    names.sort();
    names
}

/// Makes `SHA256SUMS` fit the files.
pub(crate) fn mend_checksums(folder: &Path) {
    let line = |name: &String| format!("{}  {name}\n", file_sha256(&folder.join(name)).unwrap());
    let names = all_files(folder);
    let sums: String = names.iter().filter(|name| *name != "SHA256SUMS").map(line).collect();
    fs::write(folder.join("SHA256SUMS"), sums).unwrap();
}

/// Packs a folder as a stranger would: whatever is in it, under this name.
pub(crate) fn pack(folder: &Path, name: &str, target: &Path) {
    let mut builder = Builder::new(Vec::new());
    for file in all_files(folder) {
        let bytes = fs::read(folder.join(&file)).unwrap();
        let mut header = Header::new_ustar();
        header.set_path(format!("{name}/{file}")).unwrap();
        header.set_mode(0o644);
        header.set_size(bytes.len() as u64);
        header.set_cksum();
        builder.append(&header, &*bytes).unwrap();
    }
    fs::write(target, zstd::encode_all(&*builder.into_inner().unwrap(), 3).unwrap()).unwrap();
}
