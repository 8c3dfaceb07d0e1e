//! Section 3.2, the parameter vector theta: how many random games a state gets, by the empty cells of the
//! afterstate that it comes from and by the tile that spawns, and which share of them counts.

use engine::prelude::*;

/// An afterstate has from 1 to this many empty cells.
pub const MOST_EMPTY: usize = 15;
/// More random games from a state than anyone would wait for.
const MOST_GAMES: u32 = 100_000;

/// Random games from each state with a spawned 2, for 1 to 15 empty cells, and with a spawned 4: the tables
/// of the released class whose scores the paper's Figure 3 shows. They have the paper's "125 when there are
/// three", and its at least 3.
pub const TWOS: [u32; MOST_EMPTY] = [500, 250, 125, 54, 36, 18, 18, 18, 9, 9, 9, 9, 9, 9, 9];
/// See [`TWOS`].
pub const FOURS: [u32; MOST_EMPTY] = [80, 40, 20, 7, 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3];

// The defaults are the tables, and for theta the later default of the released code.
engine::params! {
    /// The parameters of theta.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    pub struct Theta {
        /// What sets the numbers of random games: the tables `twos` and `fours`, or `theta1` to `theta5`.
        pub games_from: GamesFrom = GamesFrom::Tables,
        /// Random games from a state with a spawned 2, for 1 to 15 empty cells.
        pub twos: [u32; MOST_EMPTY] = TWOS,
        /// Random games from a state with a spawned 4, for 1 to 15 empty cells.
        pub fours: [u32; MOST_EMPTY] = FOURS,
        /// Random games from a state with a spawned 2 at 1 empty cell; scaled down to 3.
        pub theta1: u32 = 500,
        /// The same at 4 empty cells; scaled down to 6.
        pub theta2: u32 = 54,
        /// The same at 7 empty cells; scaled down to 9.
        pub theta3: u32 = 18,
        /// The same at 10 to 15 empty cells.
        pub theta4: u32 = 9,
        /// How many times as many random games a spawned 2 gets as a 4.
        pub theta5: f64 = 6.25,
        /// The paper's theta6: the share of the random games from a state, the best ones, that its value is
        /// the mean of.
        pub top: f64 = 1.0,
    }
}

/// What sets the numbers of random games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GamesFrom {
    /// The two tables.
    #[default]
    Tables,
    /// `theta1` to `theta5`.
    Theta,
}

/// The random games from one state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StateGames {
    /// How many are played.
    pub played: u32,
    /// How many of them, the best ones, count.
    pub kept: u32,
}

/// The random games from every kind of state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamesTable([[StateGames; MOST_EMPTY]; 2]);

impl GamesTable {
    /// The random games from a state with a spawned 2, and from one with a 4, of an afterstate with this many
    /// empty cells.
    #[must_use]
    pub fn at(&self, empty: u32) -> [StateGames; 2] {
        [0, 1].map(|tile| self.0[tile][empty as usize - 1])
    }
}

impl Theta {
    /// The table that these parameters stand for.
    ///
    /// # Errors
    /// Returns a refusal if a parameter is out of range, or leaves a state without a random game.
    pub fn table(&self) -> Result<GamesTable, Refusal> {
        check_share(self.top)?;
        Refusal::out_of_range("theta5", self.theta5, 1e-3..=1e3)?;
        let (twos, fours) = match self.games_from {
            GamesFrom::Tables => (self.twos, self.fours),
            GamesFrom::Theta => {
                let twos = std::array::from_fn(|index| self.for_a_two(index as u32 + 1));
                (twos, twos.map(|games| self.for_a_four(games)))
            }
        };
        Ok(GamesTable([self.checked("twos", twos)?, self.checked("fours", fours)?]))
    }

    /// The released code's scaling: so that each of three ranges of empty cells has about as many random
    /// games in all as its first number. It divides by a quotient, which makes 13 of the 14 at 9 empty cells
    /// with the default; division is exact to the last bit everywhere, so that is 13 on every machine.
    fn for_a_two(&self, empty: u32) -> u32 {
        let scaled = |games: u32, first: u32| f64::from(games) / (f64::from(empty) / f64::from(first));
        let games = match empty {
            1..=3 => scaled(self.theta1, 1),
            4..=6 => scaled(self.theta2, 4),
            7..=9 => scaled(self.theta3, 7),
            _ => f64::from(self.theta4),
        };
        games.floor() as u32
    }

    fn for_a_four(&self, for_a_two: u32) -> u32 {
        (f64::from(for_a_two) / self.theta5).ceil() as u32
    }

    fn checked(&self, tile: &str, games: [u32; MOST_EMPTY]) -> Result<[StateGames; MOST_EMPTY], Refusal> {
        for (empty, games) in (1..).zip(games) {
            if !(1..=MOST_GAMES).contains(&games) {
                let source = match self.games_from {
                    GamesFrom::Tables => format!("parameter `{tile}`"),
                    GamesFrom::Theta => format!("what `theta1` to `theta5` give for {tile}"),
                };
                return Err(Refusal::Params(format!(
                    "{source} is {games} at {empty} empty cells: it must be 1 to {MOST_GAMES}"
                )));
            }
        }
        let of_all = |played| StateGames { played, kept: kept(self.top, u64::from(played)) as u32 };
        Ok(games.map(of_all))
    }
}

/// How many of this many random games count: the share `top` rounded up, at least one.
///
/// DEVIATION: Algorithm 3 rounds to the nearest; the released code rounds up.
pub(crate) fn kept(top: f64, played: u64) -> u64 {
    ((top * played as f64).ceil() as u64).clamp(1, played)
}

/// Refuses a `top` that is no share of games.
pub(crate) fn check_share(top: f64) -> Result<(), Refusal> {
    let is_share = top > 0.0 && top <= 1.0;
    let problem = || format!("parameter `top` is {top}: it must be above 0 and at most 1");
    is_share.then_some(()).ok_or_else(|| Refusal::Params(problem()))
}
