//! The score of a contest: seeds count in the order of their numbers, and a sequential test decides each
//! pair.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::run::RunError;
use stats::{Decision, Sprt, Stronger, Tally, TwoSided};

/// The test of each pair of contestants.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairTest {
    /// Whether the second is stronger by one difference rather than another, as a patch is tested.
    OneSided(Sprt),
    /// Which of two is stronger, if one is by as much as matters.
    TwoSided(TwoSided),
}

/// The decision between two contestants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairDecision {
    /// The first is stronger.
    FirstStronger,
    /// The second is stronger; of a one-sided test: by the second difference rather than by the first.
    SecondStronger,
    /// Neither is by as much as matters.
    NoDifference,
    /// Of a one-sided test: the first difference rather than the second.
    SecondNotStronger,
}

impl PairTest {
    fn decide(&self, tally: Tally) -> Option<PairDecision> {
        Some(match self {
            Self::OneSided(test) => match test.decide(tally)? {
                Decision::Stronger => PairDecision::SecondStronger,
                Decision::NotStronger => PairDecision::SecondNotStronger,
            },
            Self::TwoSided(test) => match test.decide(tally)? {
                Stronger::First => PairDecision::FirstStronger,
                Stronger::Second => PairDecision::SecondStronger,
                Stronger::Neither => PairDecision::NoDifference,
            },
        })
    }
}

/// The score of two contestants.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairScore {
    /// The place of the one.
    pub first: usize,
    /// The place of the other.
    pub second: usize,
    /// The seeds so far, from the second one's view.
    pub tally: Tally,
    /// The decision, if there is one. Later seeds do not change it.
    pub decision: Option<PairDecision>,
}

/// The score of a contest.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ContestScore {
    /// How many seeds count.
    pub seeds: u64,
    /// Every pair of contestants.
    pub pairs: Vec<PairScore>,
    /// The scores of all contestants on every seed.
    #[serde(skip)]
    pub scores: Vec<Vec<u32>>,
}

impl ContestScore {
    fn new(contestants: usize) -> Self {
        let pair = |first, second| PairScore { first, second, tally: Tally::default(), decision: None };
        let pairs = (0..contestants)
            .flat_map(|first| (first + 1..contestants).map(move |second| pair(first, second)));
        Self { pairs: pairs.collect(), ..Self::default() }
    }

    /// Whether nothing is left to decide.
    pub fn is_decided(&self) -> bool {
        self.pairs.iter().all(|pair| pair.decision.is_some())
    }

    fn count(&mut self, scores: Vec<u32>, test: &PairTest) {
        self.seeds += 1;
        for pair in &mut self.pairs {
            pair.tally.count(scores[pair.first], scores[pair.second]);
            pair.decision = pair.decision.or_else(|| test.decide(pair.tally));
        }
        self.scores.push(scores);
    }
}

/// Counts seeds in the order of their numbers.
pub(super) struct SeedCounter {
    test: PairTest,
    score: ContestScore,
    /// Seeds that ended before an earlier one.
    waiting: BTreeMap<u64, Result<Vec<u32>, RunError>>,
}

impl SeedCounter {
    pub(super) fn new(contestants: usize, test: PairTest) -> Self {
        Self { test, score: ContestScore::new(contestants), waiting: BTreeMap::new() }
    }

    /// Adds a seed, and returns whether the contest is over: decided, or at a seed that failed.
    pub(super) fn add(
        &mut self,
        seed: u64,
        scores: Result<Vec<u32>, RunError>,
        on_seed: &(dyn Fn(&ContestScore) + Sync),
    ) -> bool {
        self.waiting.insert(seed, scores);
        while !self.score.is_decided() {
            let next = self.score.seeds;
            match self.waiting.remove(&next) {
                Some(Ok(scores)) => self.score.count(scores, &self.test),
                Some(error) => {
                    self.waiting.insert(next, error);
                    return true;
                }
                None => return false,
            }
            on_seed(&self.score);
        }
        true
    }

    /// The final score, with the scores of every seed that counts. A failed seed that was not reached, since
    /// the contest was stopped before, fails it too.
    pub(super) fn end(self) -> Result<ContestScore, RunError> {
        let failed = self.waiting.into_values().find_map(Result::err).filter(|_| !self.score.is_decided());
        failed.map_or(Ok(self.score), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    type SeedScores = Vec<(u64, Result<Vec<u32>, RunError>)>;

    /// Counts seeds that end in this order: whether the contest was over after each, the tallies after each
    /// seed that counts, and the counter.
    fn count(test: PairTest, contestants: usize, seeds: SeedScores) -> (Vec<bool>, Vec<Tally>, SeedCounter) {
        let tallies = Mutex::new(Vec::new());
        let mut counter = SeedCounter::new(contestants, test);
        let on_seed = |score: &ContestScore| tallies.lock().unwrap().push(score.pairs[0].tally);
        let is_over = seeds.into_iter().map(|(seed, scores)| counter.add(seed, scores, &on_seed)).collect();
        (is_over, tallies.into_inner().unwrap(), counter)
    }

    fn one_sided() -> PairTest {
        PairTest::OneSided(Sprt::new(0.0, 100.0, 0.05, 0.05).unwrap())
    }

    fn two_sided() -> PairTest {
        PairTest::TwoSided(TwoSided::new(100.0, 0.05, 0.05).unwrap())
    }

    fn fault(game: u64) -> Result<Vec<u32>, RunError> {
        let reason = "crashed".to_owned();
        Err(RunError::Fault { plugin: "libx.so".into(), agent: "x".to_owned(), game, reason })
    }

    #[test]
    fn seeds_count_in_the_order_of_their_numbers() {
        let (win, loss, tie) = (vec![1, 2], vec![2, 1], vec![3, 3]);
        let order = [(2, &tie), (1, &loss), (0, &win), (4, &win), (3, &win)];
        let seeds = order.into_iter().map(|(seed, scores)| (seed, Ok(scores.clone()))).collect();
        let (is_over, tallies, counter) = count(one_sided(), 2, seeds);
        assert_eq!(is_over, [false; 5]);
        assert_eq!(counter.score.scores, [&win, &loss, &tie, &win, &win].map(Clone::clone));
        let tallies: Vec<_> = tallies.iter().map(|tally| (tally.wins, tally.losses, tally.ties)).collect();
        assert_eq!(tallies, [(1, 0, 0), (1, 1, 0), (1, 1, 1), (2, 1, 1), (3, 1, 1)]);
    }

    #[test]
    fn a_fault_counts_where_the_contest_comes_to_its_seed() {
        let seeds = vec![(1, fault(1)), (0, Ok(vec![1, 2])), (2, Ok(vec![1, 2]))];
        let (is_over, tallies, counter) = count(one_sided(), 2, seeds);
        assert_eq!((is_over, tallies.len()), (vec![false, true, true], 1));
        assert!(matches!(counter.end(), Err(RunError::Fault { game: 1, .. })));
    }

    #[test]
    fn seeds_after_the_decision_change_nothing() {
        let mut seeds: SeedScores = (0..60).map(|seed| (seed, Ok(vec![1, 2]))).collect();
        seeds.insert(0, (60, fault(60)));
        let (is_over, tallies, counter) = count(one_sided(), 2, seeds);
        let decided = is_over.iter().position(|&is_over| is_over).unwrap();
        assert!(decided < 60 && is_over[decided..].iter().all(|&is_over| is_over), "{is_over:?}");
        assert_eq!(tallies.len(), decided, "the fault came first");
        let score = counter.end().unwrap();
        assert_eq!((score.seeds, score.scores.len()), (decided as u64, decided));
    }

    #[test]
    fn a_contest_of_several_ends_with_its_last_pair() {
        // The first always loses; the second and the third are level.
        let scores = |seed: u64| if seed.is_multiple_of(2) { vec![1, 2, 3] } else { vec![1, 3, 2] };
        let (is_over, _, counter) =
            count(two_sided(), 3, (0..2000).map(|seed| (seed, Ok(scores(seed)))).collect());
        assert!(is_over.last().unwrap());
        let score = counter.end().unwrap();
        let decisions: Vec<_> = score.pairs.iter().map(|pair| pair.decision.unwrap()).collect();
        let expected =
            [PairDecision::SecondStronger, PairDecision::SecondStronger, PairDecision::NoDifference];
        assert_eq!(decisions, expected);
        let places: Vec<_> = score.pairs.iter().map(|pair| (pair.first, pair.second)).collect();
        assert_eq!(places, [(0, 1), (0, 2), (1, 2)]);
    }
}
