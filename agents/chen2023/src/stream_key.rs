//! Where the chance of a search comes from.
//!
//! Every place of a search, a board or a move that has been reached in it, has a key made of the way there.
//! What is drawn at a place depends on its key and on how often it was drawn there before, and on nothing
//! else. So a rollout can be played long before the search asks for it, beside others, and its value is the
//! same.

use engine::spawn::Spawn;
use engine::{AgentSeed, Odds, Rng};

/// An odd number without pattern, so that a product with it spreads a difference over the upper bits. It is
/// not the one by which a generator is filled from its seed.
const SPREAD: u64 = 0xd1b5_4a32_d192_ed03;

/// The key of a place in a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamKey(u64);

impl StreamKey {
    /// The key of the search for a game's move with this number.
    pub fn of_search(AgentSeed(seed): AgentSeed, move_number: u64) -> Self {
        Self(seed).child(move_number)
    }

    /// The key of the place with this number below.
    #[inline]
    pub fn child(self, number: u64) -> Self {
        Self(self.stream(number).next_u64())
    }

    /// The generator with this number.
    #[inline]
    pub fn stream(self, number: u64) -> Rng {
        Rng::from_seed(self.0 ^ number.wrapping_add(1).wrapping_mul(SPREAD))
    }

    /// The tile that comes after a move with this key, which leaves this many empty cells, when it is tried
    /// for the time with this number; and the generator from which [`StreamKey::of_board`] makes the key of
    /// the board.
    #[inline]
    pub fn spawn(self, empty_cells: u32, four: Odds, time: u32) -> (Spawn, Rng) {
        let mut rng = self.stream(time.into());
        (Spawn::draw(empty_cells, four, &mut rng), rng)
    }

    /// The key of a board that a spawn has made.
    #[inline]
    pub fn of_board(mut rng: Rng) -> Self {
        Self(rng.next_u64())
    }

    /// The seed of the rollout from a board with this key.
    #[inline]
    pub const fn rollout_seed(self) -> u64 {
        self.0
    }
}
