//! Random numbers by their place: a number belongs to a generation, an individual, a gene, and is the same
//! no matter who asks first.

use sha2::{Digest, Sha256};

/// The odd number nearest to 2^64 over the golden ratio, which SplitMix64 steps by.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A place in a study, at which there is one random number, and below which there are further places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place(u64);

impl Place {
    /// The place of everything that one part of a study draws: the first eight bytes, big-endian, of SHA-256
    /// of `retile/v1/study/<part>/<seed>` in decimal ASCII.
    pub fn of(part: &str, seed: u64) -> Self {
        let digest = Sha256::digest(format!("retile/v1/study/{part}/{seed}"));
        Self(u64::from_be_bytes(digest[..8].try_into().expect("a digest has 32 bytes")))
    }

    /// The place with this number below this one.
    pub const fn at(self, number: usize) -> Self {
        Self(mix(self.0 ^ mix((number as u64).wrapping_add(STEP))))
    }

    /// 64 random bits.
    pub const fn bits(self) -> u64 {
        mix(self.0.wrapping_add(STEP))
    }

    /// A number from 0 up to, and without, 1.
    pub fn unit(self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A whole number below `bound`; 0 where the bound is 0.
    pub const fn below(self, bound: usize) -> usize {
        ((self.bits() as u128 * bound as u128) >> 64) as usize
    }

    /// A number from the normal distribution, by Box and Muller.
    pub fn normal(self) -> f64 {
        let radius = (-2.0 * libm::log(1.0 - self.at(0).unit())).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.at(1).unit())
    }

    /// The numbers below `count`, shuffled.
    pub fn permutation(self, count: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..count).collect();
        for end in (1..count).rev() {
            numbers.swap(end, self.at(end).below(end + 1));
        }
        numbers
    }
}

/// The finaliser of SplitMix64.
const fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_the_same_number_forever() {
        assert_eq!(Place::of("test", 2048).bits(), Place::of("test", 2048).bits());
        assert_eq!(format!("{:016x}", Place::of("genetic", 2048).0), FROZEN);
        assert_ne!(Place::of("test", 1).at(2).at(3).bits(), Place::of("test", 1).at(3).at(2).bits());
    }

    /// Computed by Python's hashlib.
    const FROZEN: &str = "30072c378596b182";

    #[test]
    fn numbers_fill_the_unit_interval_evenly() {
        const DRAWS: usize = 100_000;
        let mut counts = [0_u32; 10];
        let root = Place::of("test", 7);
        for number in 0..DRAWS {
            counts[(root.at(number).unit() * 10.0) as usize] += 1;
        }
        let expected = DRAWS as f64 / 10.0;
        let chi_squared: f64 =
            counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
        // The 99.9th percentile for nine degrees of freedom.
        assert!(chi_squared < 27.9, "{counts:?}");
    }

    #[test]
    fn normal_numbers_have_mean_0_and_deviation_1() {
        const DRAWS: usize = 100_000;
        let root = Place::of("test", 8);
        let numbers: Vec<f64> = (0..DRAWS).map(|number| root.at(number).normal()).collect();
        let mean = numbers.iter().sum::<f64>() / DRAWS as f64;
        let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / DRAWS as f64;
        assert!(mean.abs() < 0.015 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
    }

    #[test]
    fn a_permutation_holds_every_number_once() {
        let mut numbers = Place::of("test", 9).permutation(50);
        assert_ne!(numbers, (0..50).collect::<Vec<_>>());
        numbers.sort_unstable();
        assert_eq!(numbers, (0..50).collect::<Vec<_>>());
    }
}
