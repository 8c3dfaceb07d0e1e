//! Ratings of several agents that play the same seeds: Bradley and Terry's model of who scores higher, in
//! Elo, the average being 0.
//!
//! Each seed is one observation, however many pairs it makes: the intervals are those of a jackknife over
//! groups of seeds (Efron and Tibshirani 1993, chapter 11), so that what one seed's luck has in common for
//! all agents does not pass for knowledge.

use super::estimate::{Estimate, Method};
use super::mean::TAIL;
use super::special::t_quantile;

/// Into how many groups seeds are divided.
const GROUPS: usize = 20;
/// How many steps the fit takes at most; it ends where nothing moves.
const MOST_STEPS: usize = 10_000;
/// Each pair of agents has shared this many points before the first seed, so that ratings stay finite.
const BEFORE: f64 = 1.0;

/// The rating of each agent, from the scores of all agents on each seed.
///
/// # Panics
/// Never, as long as every seed has as many scores as the first.
pub fn ratings(seeds: &[Vec<u32>]) -> Vec<Estimate> {
    let agents = seeds.first().map_or(0, Vec::len);
    let groups = GROUPS.min(seeds.len());
    let mut parts = vec![Points::new(agents); groups];
    for (number, scores) in seeds.iter().enumerate() {
        parts[number % groups].count(scores);
    }
    let all = Points::sum(agents, parts.iter());
    let points = all.fit();
    let without = |left: usize| {
        let rest = parts.iter().enumerate().filter(|&(place, _)| place != left);
        Points::sum(agents, rest.map(|(_, part)| part)).fit()
    };
    let left_out: Vec<Vec<f64>> = (0..groups).map(without).collect();
    let n = seeds.len() as u64;
    (0..agents)
        .map(|agent| {
            let each: Vec<f64> = left_out.iter().map(|ratings| ratings[agent]).collect();
            interval(points[agent], &each, n)
        })
        .collect()
}

/// A number with the interval that its values without each group give.
fn interval(point: f64, left_out: &[f64], n: u64) -> Estimate {
    let groups = left_out.len() as f64;
    if left_out.len() < 2 {
        return Estimate::unbounded(point, n, Method::Jackknife);
    }
    let mean = left_out.iter().sum::<f64>() / groups;
    let squares: f64 = left_out.iter().map(|value| (value - mean) * (value - mean)).sum();
    let error = ((groups - 1.0) / groups * squares).sqrt();
    Estimate::symmetric(point, t_quantile(1.0 - TAIL, groups - 1.0) * error, n, Method::Jackknife)
}

/// How many points each agent has against each other.
#[derive(Clone)]
struct Points(Vec<Vec<f64>>);

impl Points {
    fn new(agents: usize) -> Self {
        Self(vec![vec![0.0; agents]; agents])
    }

    fn count(&mut self, scores: &[u32]) {
        for (one, mine) in scores.iter().enumerate() {
            for (other, theirs) in scores.iter().enumerate().filter(|&(other, _)| other != one) {
                self.0[one][other] += match mine.cmp(theirs) {
                    std::cmp::Ordering::Greater => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Less => 0.0,
                };
            }
        }
    }

    /// The points of all parts, and those from before the first seed.
    fn sum<'a>(agents: usize, parts: impl Iterator<Item = &'a Self>) -> Self {
        let mut sum = Self::new(agents);
        for (one, row) in sum.0.iter_mut().enumerate() {
            for (_, points) in row.iter_mut().enumerate().filter(|&(other, _)| other != one) {
                *points = BEFORE / 2.0;
            }
        }
        for part in parts {
            for (row, more) in sum.0.iter_mut().zip(&part.0) {
                row.iter_mut().zip(more).for_each(|(points, more)| *points += more);
            }
        }
        sum
    }

    /// The likeliest ratings, by Hunter's minorisation (2004, "MM algorithms for generalized Bradley-Terry
    /// models", Ann. Stat. 32).
    fn fit(&self) -> Vec<f64> {
        let agents = self.0.len();
        let mut strengths = vec![1.0_f64; agents];
        for _ in 0..MOST_STEPS {
            let next: Vec<f64> = (0..agents).map(|agent| self.step(agent, &strengths)).collect();
            let centre = next.iter().map(|strength| libm::log(*strength)).sum::<f64>() / agents as f64;
            let next: Vec<f64> = next.iter().map(|strength| strength / libm::exp(centre)).collect();
            let moved = strengths.iter().zip(&next).map(|(old, new)| libm::fabs(new / old - 1.0));
            let most = moved.fold(0.0, f64::max);
            strengths = next;
            if most < 1e-12 {
                break;
            }
        }
        strengths.into_iter().map(|strength| 400.0 * libm::log10(strength)).collect()
    }

    fn step(&self, agent: usize, strengths: &[f64]) -> f64 {
        let others = (0..self.0.len()).filter(|&other| other != agent);
        let (mut won, mut weight) = (0.0, 0.0);
        for other in others {
            let games = self.0[agent][other] + self.0[other][agent];
            won += self.0[agent][other];
            weight += games / (strengths[agent] + strengths[other]);
        }
        won / weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Rng;

    /// Scores of agents of which each is ahead of the next by so much Elo: the exponential race gives just
    /// these odds.
    fn seeds(elos: &[f64], n: usize, seed: u64) -> Vec<Vec<u32>> {
        let mut rng = Rng::from_seed(seed);
        let mut score = |elo: &f64| {
            let rate = libm::pow(10.0, elo / 400.0);
            let uniform = (f64::from(rng.below(1_000_000_000)) + 0.5) / 1e9;
            // The shortest waiting time wins, so the score is its inverse.
            (1e5 / (-libm::log(uniform) / rate)).min(4e9) as u32
        };
        (0..n).map(|_| elos.iter().map(&mut score).collect()).collect()
    }

    #[test]
    fn ratings_are_found_again_and_their_average_is_zero() {
        let elos = [150.0, 20.0, -20.0, -150.0];
        let found = ratings(&seeds(&elos, 3000, 5));
        for (elo, found) in elos.iter().zip(&found) {
            assert!((found.point - elo).abs() < 15.0 && found.n == 3000, "{elo}: {found:?}");
            assert!(found.high - found.low < 40.0, "{found:?}");
        }
        assert!(found.iter().map(|found| found.point).sum::<f64>().abs() < 1e-6);
    }

    /// 300 tournaments of 120 seeds: intervals of 95 % hold the truth in at least 92 % of 1,200 cases.
    #[test]
    fn the_intervals_cover_what_they_promise() {
        let elos = [90.0, 30.0, -40.0, -80.0];
        let mut held = 0;
        for run in 0..300 {
            let found = ratings(&seeds(&elos, 120, 100 + run));
            held += elos.iter().zip(&found).filter(|(elo, found)| found.contains(**elo)).count();
        }
        assert!((1104..=1190).contains(&held), "{held} of 1200");
    }

    /// Tables of Student's distribution have 3.182446 for three degrees of freedom and 12.706205 for one.
    #[test]
    fn the_interval_is_student_s_of_what_each_group_moves() {
        let margin = |left_out: &[f64], n| {
            let Estimate { point, low, high, .. } = interval(10.0, left_out, n);
            assert!((point - low - (high - point)).abs() < 1e-12, "{low} to {high}");
            high - point
        };
        assert!((margin(&[1.0, 2.0, 3.0, 6.0], 40) - 3.182_446 * 10.5_f64.sqrt()).abs() < 1e-5);
        assert!((margin(&[1.0, 3.0], 2) - 12.706_205).abs() < 1e-5, "two groups are enough");
    }

    #[test]
    fn two_agents_are_rated_by_their_share_of_points() {
        let seeds: Vec<Vec<u32>> = (0..400).map(|seed| vec![2, if seed % 4 == 0 { 3 } else { 1 }]).collect();
        let found = ratings(&seeds);
        let expected = 400.0 * libm::log10(300.5 / 100.5);
        assert!((found[0].point - found[1].point - expected).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn an_agent_that_always_wins_has_a_finite_rating_and_one_seed_bounds_none() {
        let found = ratings(&vec![vec![3, 2, 1]; 30]);
        assert!(found.iter().all(|found| found.point.is_finite()) && found[0].point > found[1].point);
        let found = ratings(&[vec![3, 2]]);
        assert_eq!((found[0].low, found[0].high), (f64::NEG_INFINITY, f64::INFINITY));
        assert!(ratings(&[]).is_empty());
    }
}
