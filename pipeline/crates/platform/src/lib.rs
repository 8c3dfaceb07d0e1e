//! Access to the platform, with one interface for each part: files below a folder that cannot be left
//! ([`confined`]), files that the user names ([`open`]), files that appear whole ([`atomic`], [`scratch`]) or
//! sealed ([`sealed`]), their hashes ([`hash`]), text from other people ([`plain`]), errors for people
//! ([`errors`]), terminals that may be gone ([`console`]), dates ([`clock`]), signals ([`interrupt`]),
//! threads that read Parquet ([`threads`]), and git ([`mod@git`]).

pub mod atomic;
pub mod clock;
pub mod confined;
pub mod console;
pub mod errors;
pub mod git;
pub mod hash;
pub mod interrupt;
pub mod open;
pub mod path_bytes;
pub mod plain;
pub mod rows;
pub mod scratch;
pub mod sealed;
pub mod threads;

pub use atomic::WriteError;
pub use confined::{ConfinedPath, Entry, FileType};
pub use hash::HashStream;
pub use interrupt::{Playing, RemoveOnSignal};
pub use open::LARGEST_TEXT;
pub use scratch::{Scratch, ScratchFile};
