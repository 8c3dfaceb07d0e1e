//! Habits: what a replay shows of how games were played, and their ends do not.

/// Something about the moves of a game, as a number that every game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Habit {
    /// The share of moves that take the largest reward at hand, where the legal moves' rewards differ.
    Greedy,
    /// How much a random game from a board of the game adds to the score so far, as a share of it.
    RandomGain,
}

impl Habit {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Greedy, Self::RandomGain];

    /// The text of the metric that is its mean over games.
    #[must_use]
    pub const fn metric(self) -> &'static str {
        match self {
            Self::Greedy => "greedy-moves.mean",
            Self::RandomGain => "random-gain.mean",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|habit| habit.metric() == text)
    }
}
