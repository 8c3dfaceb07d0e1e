//! The referee: hears seeds in the order of their numbers, and ends the contest where every two contestants are told apart, or told alike.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ContestError;
use stats::{Decision, Sprt, Stronger, Tally, TwoSided};

/// The test of each two contestants.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judge {
    /// Whether the second is stronger by one difference rather than another, as a patch is tested.
    OneSided(Sprt),
    /// Which of two is stronger, if one is by as much as matters.
    TwoSided(TwoSided),
}

/// What is decided of two contestants.
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

impl Judge {
    fn decide(&self, tally: Tally) -> Option<PairDecision> {
        match self {
            Self::OneSided(test) => test.decide(tally).map(|decision| match decision {
                Decision::Stronger => PairDecision::SecondStronger,
                Decision::NotStronger => PairDecision::SecondNotStronger,
            }),
            Self::TwoSided(test) => test.decide(tally).map(|stronger| match stronger {
                Stronger::First => PairDecision::FirstStronger,
                Stronger::Second => PairDecision::SecondStronger,
                Stronger::Neither => PairDecision::NoDifference,
            }),
        }
    }
}

/// How two contestants stand.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairStanding {
    /// The place of the one.
    pub first: usize,
    /// The place of the other.
    pub second: usize,
    /// The seeds so far, from the second one's view.
    pub tally: Tally,
    /// What is decided, if anything is. It stays, whatever the seeds after it say.
    pub decision: Option<PairDecision>,
}

/// How the contest stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// How many seeds were heard.
    pub seeds: u64,
    /// Every two contestants.
    pub pairs: Vec<PairStanding>,
}

impl Standing {
    fn new(contestants: usize) -> Self {
        let pairs =
            (0..contestants).flat_map(|first| (first + 1..contestants).map(move |second| (first, second)));
        let begin = |(first, second)| PairStanding { first, second, tally: Tally::default(), decision: None };
        Self { seeds: 0, pairs: pairs.map(begin).collect() }
    }

    /// Whether nothing is left to decide.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.pairs.iter().all(|pair| pair.decision.is_some())
    }

    fn count(&mut self, scores: &[u32], judge: &Judge) {
        self.seeds += 1;
        for pair in &mut self.pairs {
            pair.tally.count(scores[pair.first], scores[pair.second]);
            pair.decision = pair.decision.or_else(|| judge.decide(pair.tally));
        }
    }
}

/// Hears seeds in the order of their numbers.
pub(super) struct Referee {
    judge: Judge,
    standing: Standing,
    scores: Vec<Vec<u32>>,
    /// Seeds that ended before an earlier one.
    waiting: BTreeMap<u64, Result<Vec<u32>, ContestError>>,
    failure: Option<ContestError>,
    is_over: bool,
}

impl Referee {
    pub(super) fn new(contestants: usize, judge: Judge) -> Self {
        Self {
            judge,
            standing: Standing::new(contestants),
            scores: Vec::new(),
            waiting: BTreeMap::new(),
            failure: None,
            is_over: false,
        }
    }

    /// Hears of a seed, and says whether the contest is over.
    pub(super) fn hear(
        &mut self,
        seed: u64,
        scores: Result<Vec<u32>, ContestError>,
        on_seed: &(dyn Fn(&Standing) + Sync),
    ) -> bool {
        self.waiting.insert(seed, scores);
        while !self.is_over {
            let Some(scores) = self.waiting.remove(&self.standing.seeds) else { break };
            match scores {
                Ok(scores) => {
                    self.standing.count(&scores, &self.judge);
                    self.scores.push(scores);
                    on_seed(&self.standing);
                    self.is_over = self.standing.is_decided();
                }
                Err(error) => {
                    self.failure = Some(error);
                    self.is_over = true;
                }
            }
        }
        self.is_over
    }

    /// How it stood at the end, with the scores of every seed that counts.
    pub(super) fn end(self) -> Result<(Standing, Vec<Vec<u32>>), ContestError> {
        // Where it was stopped before the contest came to a seed that failed, there is nothing to go on with either.
        let failed = self.waiting.into_values().find_map(Result::err).filter(|_| !self.standing.is_decided());
        match self.failure.or(failed) {
            Some(error) => Err(error),
            None => Ok((self.standing, self.scores)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    type Heard = Vec<(u64, Result<Vec<u32>, ContestError>)>;

    /// What the referee makes of seeds that end in this order: how each left the contest, the tallies that were told, and itself.
    fn hear(judge: Judge, contestants: usize, seeds: Heard) -> (Vec<bool>, Vec<Tally>, Referee) {
        let told = Mutex::new(Vec::new());
        let mut referee = Referee::new(contestants, judge);
        let on_seed = |standing: &Standing| told.lock().unwrap().push(standing.pairs[0].tally);
        let is_over = seeds.into_iter().map(|(seed, scores)| referee.hear(seed, scores, &on_seed)).collect();
        (is_over, told.into_inner().unwrap(), referee)
    }

    fn one_sided() -> Judge {
        Judge::OneSided(Sprt::new(0.0, 100.0, 0.05, 0.05).unwrap())
    }

    fn two_sided() -> Judge {
        Judge::TwoSided(TwoSided::new(100.0, 0.05, 0.05).unwrap())
    }

    fn fault(game: u64) -> Result<Vec<u32>, ContestError> {
        let reason = "crashed".to_owned();
        Err(ContestError::Fault { plugin: "libx.so".into(), agent: "x".to_owned(), game, reason })
    }

    #[test]
    fn seeds_are_heard_in_the_order_of_their_numbers() {
        let (win, loss, tie) = (vec![1, 2], vec![2, 1], vec![3, 3]);
        let order = [(2, &tie), (1, &loss), (0, &win), (4, &win), (3, &win)];
        let seeds = order.into_iter().map(|(seed, scores)| (seed, Ok(scores.clone()))).collect();
        let (is_over, told, referee) = hear(one_sided(), 2, seeds);
        assert_eq!(is_over, [false; 5]);
        assert_eq!(referee.scores, [&win, &loss, &tie, &win, &win].map(Clone::clone));
        let told: Vec<_> = told.iter().map(|tally| (tally.wins, tally.losses, tally.ties)).collect();
        assert_eq!(told, [(1, 0, 0), (1, 1, 0), (1, 1, 1), (2, 1, 1), (3, 1, 1)]);
    }

    #[test]
    fn a_fault_counts_where_the_contest_comes_to_its_seed() {
        let seeds = vec![(1, fault(1)), (0, Ok(vec![1, 2])), (2, Ok(vec![1, 2]))];
        let (is_over, told, referee) = hear(one_sided(), 2, seeds);
        assert_eq!((is_over, told.len()), (vec![false, true, true], 1));
        assert!(matches!(referee.end(), Err(ContestError::Fault { game: 1, .. })));
    }

    #[test]
    fn what_ends_after_the_decision_changes_nothing() {
        let mut seeds: Heard = (0..60).map(|seed| (seed, Ok(vec![1, 2]))).collect();
        seeds.insert(0, (60, fault(60)));
        let (is_over, told, referee) = hear(one_sided(), 2, seeds);
        let decided = is_over.iter().position(|&is_over| is_over).unwrap();
        assert!(decided < 60 && is_over[decided..].iter().all(|&is_over| is_over), "{is_over:?}");
        assert_eq!(told.len(), decided, "the fault was heard first");
        let (standing, scores) = referee.end().unwrap();
        assert_eq!((standing.seeds, scores.len()), (decided as u64, decided));
    }

    #[test]
    fn a_contest_of_several_ends_with_its_last_pair() {
        // The first always loses; the second and the third are level.
        let scores = |seed: u64| if seed.is_multiple_of(2) { vec![1, 2, 3] } else { vec![1, 3, 2] };
        let (is_over, _, referee) =
            hear(two_sided(), 3, (0..2000).map(|seed| (seed, Ok(scores(seed)))).collect());
        assert!(is_over.last().unwrap());
        let (standing, _) = referee.end().unwrap();
        let decisions: Vec<_> = standing.pairs.iter().map(|pair| pair.decision.unwrap()).collect();
        let expected =
            [PairDecision::SecondStronger, PairDecision::SecondStronger, PairDecision::NoDifference];
        assert_eq!(decisions, expected);
        let places: Vec<_> = standing.pairs.iter().map(|pair| (pair.first, pair.second)).collect();
        assert_eq!(places, [(0, 1), (0, 2), (1, 2)]);
    }
}
