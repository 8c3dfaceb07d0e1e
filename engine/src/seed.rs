//! Where chance comes from: two seeds per game, derived from the experiment's, and the generator that they
//! start.
//!
//! This file and [`crate::spawn`] are frozen: `engine/README.md` specifies them with test vectors, so that
//! anyone can replay a record without this code. A change here would make every stored record stale.

use sha2::{Digest, Sha256};

/// The seed of a game's tiles: with the rules and the directions played, it is all that a replay needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileSeed(pub u64);

/// The seed that an agent gets for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AgentSeed(pub u64);

impl TileSeed {
    /// The seed of the tiles of one game of an experiment. It does not depend on the agent.
    pub fn derive(master: u64, game: u64) -> Self {
        Self(derive("tiles", master, game))
    }

    /// The generator of the game's tiles.
    pub fn rng(self) -> Rng {
        Rng::from_seed(self.0)
    }
}

impl AgentSeed {
    /// The seed that the agent gets for one game of an experiment.
    pub fn derive(master: u64, game: u64) -> Self {
        Self(derive("agent", master, game))
    }

    /// A generator of the agent's own.
    pub fn rng(self) -> Rng {
        Rng::from_seed(self.0)
    }
}

/// The first eight bytes, big-endian, of SHA-256 of `retile/v1/<stream>/<master seed>/<game>` in decimal
/// ASCII.
fn derive(stream: &str, master: u64, game: u64) -> u64 {
    let digest = Sha256::digest(format!("retile/v1/{stream}/{master}/{game}"));
    u64::from_be_bytes(digest[..8].try_into().expect("a digest has 32 bytes"))
}

/// The generator xoshiro256++ of Blackman and Vigna, its state filled from a seed by SplitMix64.
///
/// ```
/// let mut rng = engine::Rng::from_seed(2048);
/// let roll = rng.below(6);
/// assert!(roll < 6);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng([u64; 4]);

impl Default for Rng {
    /// The generator of seed 0, in the place of one that is not known yet.
    fn default() -> Self {
        Self::from_seed(0)
    }
}

impl Rng {
    /// The generator that a seed stands for.
    #[inline]
    pub fn from_seed(seed: u64) -> Self {
        let mut state = seed;
        Self(std::array::from_fn(|_| split_mix(&mut state)))
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let result = self.plus_word().rotate_left(23).wrapping_add(self.0[0]);
        let [a, b, c, d] = &mut self.0;
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// The word that xoshiro256+ would give in this state: the sum on the way to the next 64 bits, without a
    /// step.
    ///
    /// It and the next 64 bits are a one-to-one image of two words of the state. So over the period all pairs
    /// of them come equally often, as with two steps in a row, and a move of a playout gets two draws for the
    /// price of one.
    #[inline]
    pub(crate) const fn plus_word(&self) -> u64 {
        self.0[0].wrapping_add(self.0[3])
    }

    /// The generator in a state that [`Rng::state`] gave.
    #[inline]
    pub(crate) const fn from_state(state: [u64; 4]) -> Self {
        Self(state)
    }

    /// The whole state, for those who keep many generators side by side.
    #[inline]
    pub(crate) const fn state(&self) -> [u64; 4] {
        self.0
    }

    /// A number below `bound` from the upper half of the next 64 bits; 0 where the bound is 0.
    ///
    /// The chance of a number differs from `1 / bound` by less than `2^-32`.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        scale((self.next_u64() >> 32) as u32, bound)
    }
}

/// Maps 32 random bits to a number below `bound`, by one multiplication.
#[inline]
pub(crate) const fn scale(bits: u32, bound: u32) -> u32 {
    ((bits as u64 * bound as u64) >> 32) as u32
}

#[inline]
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

    #[test]
    fn the_generator_is_the_published_one() {
        for seed in [0, 1, 2048, u64::MAX] {
            let mut ours = Rng::from_seed(seed);
            let mut theirs = Xoshiro256PlusPlus::seed_from_u64(seed);
            for _ in 0..1000 {
                assert_eq!(ours.next_u64(), theirs.next_u64());
            }
        }
    }

    #[test]
    fn scaling_reaches_both_ends_and_no_further() {
        assert_eq!((scale(0, 16), scale(u32::MAX, 16)), (0, 15));
        assert_eq!(scale(u32::MAX, 1), 0);
        assert_eq!(scale(u32::MAX, 0), 0);
    }

    #[test]
    fn streams_masters_and_games_all_change_the_seed() {
        let seeds = [
            TileSeed::derive(1, 11).0,
            TileSeed::derive(11, 1).0,
            TileSeed::derive(1, 1).0,
            AgentSeed::derive(1, 1).0,
        ];
        let distinct: std::collections::BTreeSet<_> = seeds.into_iter().collect();
        assert_eq!(distinct.len(), seeds.len());
    }
}
