//! Values of arguments that are none, each with what to write instead.

use std::ffi::OsString;

use manifest::limits::MOST_GAMES;

/// Why a value is none. The command line's own message names the argument.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ValueError {
    #[error("name a file by its path: ./{}", text.display())]
    BareFile { text: OsString },
    #[error("a parameter is NAME=VALUE, such as depth=3")]
    Param,
    #[error("write up to 16 hexadecimal digits")]
    Seed,
    #[error("a part is M/N with M from 1 to N, such as 1/4")]
    Shard,
    #[error("there are at most {MOST_GAMES} parts, one for each game that an experiment may have")]
    ManyShards,
    #[error("write a time such as 90m or 2h, of a second at least")]
    Time,
    #[error("an option of sbatch begins with a hyphen and is one word, such as --partition=long")]
    SbatchOption,
}
