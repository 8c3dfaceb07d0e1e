//! UCT: which move the search tries next (sections 5.4.3 and 6).

use engine::Rng;

/// What is known of a move: how often the search has tried it, and the sum of what came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// The rollouts that went through it.
    pub visits: u32,
    /// The sum of their values.
    pub value: u64,
}

impl Stats {
    /// Takes up the value of a rollout.
    #[inline]
    pub fn add(&mut self, value: u32) {
        self.visits += 1;
        self.value += u64::from(value);
    }

    /// What the released program takes for the mean: it divides by one visit too many.
    // DEVIATION: the paper names UCB1, which has the mean. Both forms of the search do what the released
    // program does (D-3).
    #[inline]
    pub fn low_mean(self) -> f64 {
        self.value as f64 / (f64::from(self.visits) + 1.0)
    }

    /// The mean value; none without a visit.
    #[inline]
    pub fn mean(self) -> Option<f64> {
        (self.visits > 0).then(|| self.value as f64 / f64::from(self.visits))
    }

    /// How far `low_mean` may be off, in units of the exploration weight: `log_root` is `sqrt(ln(N + 1))` of
    /// the board above.
    #[inline]
    pub fn doubt(self, log_root: f64) -> f64 {
        log_root / (f64::from(self.visits) + 1.0).sqrt()
    }
}

/// The moves of a board side by side, in the form in which selection is quickest: what it looks at fits a
/// line of the cache, and nothing is divided more often than a move is tried.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Arms {
    /// `value/(n + 1)`; minus infinity beyond the last legal move, so that it is never selected.
    low_means: [f64; 4],
    visits: [u32; 4],
    all_visits: u32,
    values: [u64; 4],
}

impl Arms {
    /// This many moves, none of which has been tried.
    pub fn new(legal: usize) -> Self {
        let low_means = std::array::from_fn(|number| if number < legal { 0.0 } else { f64::NEG_INFINITY });
        Self { low_means, visits: [0; 4], all_visits: 0, values: [0; 4] }
    }

    /// Takes up the value of a rollout.
    #[inline]
    pub fn add(&mut self, number: usize, value: u32) {
        self.visits[number] += 1;
        self.all_visits += 1;
        self.set_value(number, self.values[number] + u64::from(value));
    }

    /// Puts another value in the place of one that was taken up before.
    #[inline]
    pub fn correct(&mut self, number: usize, before: u32, value: u32) {
        self.set_value(number, self.values[number] + u64::from(value) - u64::from(before));
    }

    #[inline]
    fn set_value(&mut self, number: usize, value: u64) {
        self.values[number] = value;
        self.low_means[number] = self.stats(number).low_mean();
    }

    /// How often a move was tried.
    #[inline]
    pub const fn visits(&self, number: usize) -> u32 {
        self.visits[number]
    }

    /// How often moves were tried.
    #[inline]
    pub const fn all_visits(&self) -> u32 {
        self.all_visits
    }

    /// The mean over all moves; 1 where none has been tried.
    pub fn mean(&self) -> f64 {
        let visits = self.all_visits;
        if visits == 0 { 1.0 } else { self.values.iter().sum::<u64>() as f64 / f64::from(visits) }
    }

    /// What is known of a move.
    pub const fn stats(&self, number: usize) -> Stats {
        Stats { visits: self.visits[number], value: self.values[number] }
    }

    /// The number of the move to try next: the one with the largest
    /// `value/(n + 1) + weight * sqrt(ln(N + 1)/(n + 1)) + noise`, of equals the last. The board has had `N`
    /// visits; the weight is the exploration constant times the value of the first rollout from it.
    #[inline]
    pub fn select(&self, weight: f64, visits: u32, roots: &Roots, noise: Noise) -> usize {
        let (noise, weight) = (noise.of_moves(), weight * roots.of_log(visits));
        let bound = |number: usize| {
            self.low_means[number] + weight * roots.inverse(self.visits[number]) + noise[number]
        };
        last_largest([bound(0), bound(1), bound(2), bound(3)])
    }
}

/// The number of the largest of four, of equals the last. None is below zero but minus infinity.
///
/// Which one it is cannot be foreseen, so it is found without branches: such numbers are ordered as their
/// bits are.
#[inline]
fn last_largest(bounds: [f64; 4]) -> usize {
    let [a, b, c, d] = bounds.map(|bound| bound.to_bits() as i64);
    let upper = usize::from(b >= a);
    let lower = 2 + usize::from(d >= c);
    if c.max(d) >= a.max(b) { lower } else { upper }
}

/// The noise of one selection: from 0 to below 1e-6 for each of four moves.
#[derive(Clone, Copy, Debug)]
pub struct Noise(u64);

impl Noise {
    /// The next noise of a stream: 16 bits for each move.
    #[inline]
    pub fn draw(stream: &mut Rng) -> Self {
        Self(stream.next_u64())
    }

    #[inline]
    fn of_moves(self) -> [f64; 4] {
        std::array::from_fn(|number| f64::from((self.0 >> (16 * number)) as u16) * (1e-6 / 65536.0))
    }
}

/// The roots that selection takes, for all numbers of visits that a search can come to.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    of_logs: Vec<f64>,
    inverse: Vec<f64>,
}

impl Roots {
    /// Provides for up to this many visits.
    pub fn reach(&mut self, visits: u32) {
        let more = self.of_logs.len()..visits as usize + 1;
        // The platform's logarithm may differ from machine to machine; roots are exact everywhere.
        self.of_logs.extend(more.clone().map(|visits| libm::log(visits as f64 + 1.0).sqrt()));
        self.inverse.extend(more.map(|visits| inverse_root(visits as f64)));
    }

    /// `sqrt(ln(visits + 1))`.
    #[inline]
    pub fn of_log(&self, visits: u32) -> f64 {
        self.of_logs[visits as usize]
    }

    /// `1/sqrt(visits + 1)`.
    #[inline]
    pub fn inverse(&self, visits: u32) -> f64 {
        self.inverse.get(visits as usize).copied().unwrap_or_else(|| inverse_root(f64::from(visits)))
    }
}

fn inverse_root(visits: f64) -> f64 {
    1.0 / (visits + 1.0).sqrt()
}
