//! Fuzzing on the stable compiler: everything that is read from outside is read from random bytes, and from real
//! files that were damaged at random. Nothing may panic, take memory without a bound, write where it should
//! not, or pass for something else than it was.
//!
//! A few cases of each are tried by default. `just fuzz` tries many more, as does `PROPTEST_CASES`. A case
//! that fails is kept as a seed below `proptest-regressions`, to be committed with its mending: from then on
//! it is tried first.

#[path = "../common/mod.rs"]
mod common;

mod boards;
mod bundles;
mod damage;
mod index;
mod manifests;
mod record_files;
mod study_files;

use std::sync::Once;

use proptest::prelude::ProptestConfig;
use rustix::process::{Resource, Rlimit, setrlimit};

/// What every module uses.
mod prelude {
    pub(crate) use std::sync::LazyLock;

    pub(crate) use proptest::prelude::*;
    pub(crate) use proptest::sample::Index;

    pub(crate) use crate::cases;
    pub(crate) use crate::common::prelude::*;
    pub(crate) use crate::damage::*;
}

/// More memory than any case needs. A case that asks for more ends the process.
const MEMORY: u64 = 4 << 30;

/// So many cases, unless `PROPTEST_CASES` asks for another number.
fn cases(few: u32) -> ProptestConfig {
    static BOUND: Once = Once::new();
    let limit = Rlimit { current: Some(MEMORY), maximum: Some(MEMORY) };
    BOUND.call_once(|| setrlimit(Resource::As, limit).expect("a limit can be lowered"));
    let config = ProptestConfig::default();
    if std::env::var_os("PROPTEST_CASES").is_some() {
        config
    } else {
        ProptestConfig { cases: few, ..config }
    }
}
