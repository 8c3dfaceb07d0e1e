//! A forger: unpacked bundles with something changed, checksums that fit again, and archives of them.

use crate::common::prelude::*;
use crate::common::repository::{new_repository, tar_of};
use crate::common::stored;

/// A laboratory with a good bundle, `b.tar.zst`, which is also unpacked as `open`.
pub(crate) fn opened() -> Lab {
    copy_of("opened", || {
        let lab = new_repository();
        open(&lab, "");
        lab
    })
}

/// Bundles a laboratory as `b.tar.zst`, and unpacks that as `open`.
pub(crate) fn open(lab: &Lab, more: &str) {
    fs::copy(bundle(lab, "bundles", more), lab.path("b.tar.zst")).unwrap();
    lab.succeed("unbundle b.tar.zst open");
}

/// Makes the `SHA256SUMS` of the unpacked bundle fit its files.
pub(crate) fn mend_checksums(lab: &Lab) {
    stored::mend_checksums(&lab.path("open"));
}

/// Packs the unpacked bundle as `evil.tar.zst`, as a stranger would, with every file in it, under this name.
pub(crate) fn pack(lab: &Lab, name: &str) {
    let files = files(&lab.path("open"));
    let archive = tar_of(files.iter().map(|(file, bytes)| (format!("{name}/{file}"), &**bytes)));
    lab.write("evil.tar.zst", zstd::encode_all(&*archive, 3).unwrap());
}

/// Makes the checksums fit, and packs.
pub(crate) fn mend_and_pack(lab: &Lab) {
    mend_checksums(lab);
    pack(lab, "retile-x");
}
