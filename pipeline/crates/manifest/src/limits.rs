//! How large the numbers and texts of a manifest may be. They come from outside, so they are bounded before
//! anything is made of them; the bounds are far beyond what a paper needs, and what lies within them fits
//! into the memory of a common machine.

pub use search::limits::{MOST_DIGITS, MOST_GAMES_OF_A_STUDY, MOST_TRIALS, MOST_WINNERS};

/// The most games of an experiment. A million take about 170 MB while they are played and judged, so these
/// take less than 2 GB.
pub const MOST_GAMES: u64 = 10_000_000;

/// The most games of all experiments that one run plays, whose numbers are listed before the first is played.
pub const MOST_GAMES_OF_A_RUN: u64 = 50_000_000;

/// The most games behind a published number. Verdicts cost the same for any number up to it.
pub const MOST_PUBLISHED_GAMES: u64 = 1_000_000_000;

/// The most plies, nodes or playouts for a move: hours of any machine, and exact in JSON.
pub const MOST_BUDGET: u64 = 1_000_000_000_000;

/// The longest time for a move, in milliseconds: a day.
pub const LONGEST_MOVE_MS: u64 = 24 * 60 * 60 * 1000;

/// The same in nanoseconds, for budgets of time.
pub const LONGEST_MOVE_NS: u64 = LONGEST_MOVE_MS * 1_000_000;

/// The largest published number, and the largest step of rounding.
pub use metrics::LARGEST_NUMBER;

/// The most experiments, claims, notes, findings, exhibits or figures of a manifest, and the most entries of
/// any other list.
pub const MOST_ENTRIES: usize = 100_000;

/// The most interpretations of a paper: each is counted over all claims.
pub const MOST_INTERPRETATIONS: usize = 100;

/// The most studies of a manifest: each stands for the experiments that play its winners again.
pub const MOST_STUDIES: usize = 1_000;

/// The most games of one evaluation in a study, and so of the first round of a race.
pub const MOST_GAMES_OF_A_TRIAL: u64 = 10_000;

/// The most parameters that a study may change.
pub const MOST_SEARCHED: usize = 50;

/// The most choices of a parameter.
pub const MOST_CHOICES: usize = 1_000;

/// The most trainings of a manifest.
pub const MOST_TRAININGS: usize = 1_000;

/// The most games of a training: weeks of any machine.
pub const MOST_LEARNED_GAMES: u64 = 1_000_000_000;

/// The most rows of a learning curve.
pub const MOST_CURVE_ROWS: u64 = 100_000;

/// The most published results that stand beside a learning curve.
pub const MOST_LEARNING_POINTS: usize = 100;

/// The most files of an agent.
pub const MOST_FILES: usize = 32;

/// The most characters of a name, a place, a unit, an address or a title.
pub use text::LONGEST_NAME;

/// The most characters of any other text.
pub const LONGEST_TEXT: usize = 10_000;

/// The most bytes of a manifest. The longest of the papers' own has about 100 kB; a program may write one of
/// ten thousand experiments.
pub const LARGEST_MANIFEST: u64 = 64 << 20;
