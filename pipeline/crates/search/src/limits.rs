//! How large the numbers of a study may be. They come from manifests, and are bounded before anything is made
//! of them.

/// The most trials of a study.
pub const MOST_TRIALS: u64 = 1_000_000;

/// The most trials that a Gaussian process is fitted to: its matrix then takes 32 MB, and seconds to
/// decompose.
pub const MOST_TRIALS_OF_A_PROCESS: u64 = 2_000;

/// How many points Sobol's sequence has.
pub const MOST_SOBOL_POINTS: u64 = 65_536;

/// The most games that a study may play before its winners do. Each one's score, moves and nodes are kept:
/// 250 MB.
pub const MOST_GAMES_OF_A_STUDY: u64 = 10_000_000;

/// The most of a study's best that are played again.
pub const MOST_WINNERS: u64 = 100;

/// The most decimals of a searched parameter: 10 to this power is exact, and so is every rounded number's
/// text.
pub const MOST_DIGITS: u32 = 12;
