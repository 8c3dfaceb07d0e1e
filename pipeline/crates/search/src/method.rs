//! What all ways to search have in common: from the finished batches follows the next one.

use crate::{Proposal, Study, Trial};

/// A way to search.
pub trait Method {
    /// What follows a study from its first batch on.
    fn follower<'a>(&'a self, study: &'a Study) -> Box<dyn Follower + 'a>;

    /// The proposals of the next batch; none where the search has ended.
    ///
    /// The same study and the same finished batches give the same proposals, always and everywhere.
    fn propose(&self, study: &Study, finished: &[Vec<Trial>]) -> Vec<Proposal> {
        self.follower(study).next(finished)
    }
}

/// Follows a study batch after batch, and remembers what the batches it has seen came to, so that a whole study is followed in about the
/// time that its trials take to read. It remembers nothing that these batches do not tell: one that is asked for the first time
/// proposes the same.
pub trait Follower {
    /// The proposals of the next batch, as [`Method::propose`] gives them. The finished batches begin with those of the last call.
    fn next(&mut self, finished: &[Vec<Trial>]) -> Vec<Proposal>;
}

/// What has nothing to remember.
impl<F: FnMut(&[Vec<Trial>]) -> Vec<Proposal>> Follower for F {
    fn next(&mut self, finished: &[Vec<Trial>]) -> Vec<Proposal> {
        self(finished)
    }
}

/// The batches that have not been seen yet, each with its number; from now on they have.
pub(crate) fn unseen<'a>(
    seen: &mut usize,
    finished: &'a [Vec<Trial>],
) -> impl Iterator<Item = (usize, &'a Vec<Trial>)> + use<'a> {
    let first = std::mem::replace(seen, finished.len());
    debug_assert!(first <= finished.len(), "a study never takes back a batch");
    finished.iter().enumerate().skip(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{noisy_schaffer, noisy_sphere, play, real_study};
    use crate::{Bayes, Genetic, Latin, Nsga, Race, Rating, Sobol, Surrogate};

    fn genetic(rating: Rating) -> Genetic {
        Genetic {
            population: 20,
            iterations: 12,
            mutation_probability: 0.1,
            crossover_probability: 0.5,
            parents_portion: 0.3,
            elite_ratio: 0.01,
            rating,
        }
    }

    /// Every method, small.
    fn methods() -> Vec<Box<dyn Method>> {
        vec![
            Box::new(genetic(Rating::Once)),
            Box::new(genetic(Rating::AllGames)),
            Box::new(Sobol { points: 20, batch: 6 }),
            Box::new(Latin { points: 20, batch: 6 }),
            Box::new(Bayes { start: 6, batches: 3, batch: 2 }),
            Box::new(Nsga::usual(8, 8)),
            Box::new(Surrogate { start: 8, rounds: 3, batch: 3, error: 0.2, epochs: 60 }),
            Box::new(Race { points: 10, first: 2, most: 64, winners: 1 }),
        ]
    }

    #[test]
    fn whoever_follows_a_study_proposes_what_one_who_is_asked_anew_does() {
        let study = real_study(2, 11);
        for (number, method) in methods().iter().enumerate() {
            for function in [noisy_sphere, noisy_schaffer] {
                let batches = play(method.as_ref(), &study, function);
                assert!(batches.len() >= 3, "method {number}");
                let mut follower = method.follower(&study);
                for done in 0..=batches.len() {
                    let proposals = method.propose(&study, &batches[..done]);
                    assert_eq!(follower.next(&batches[..done]), proposals, "method {number}, batch {done}");
                    assert_eq!(follower.next(&batches[..done]), proposals, "asked twice");
                    let points = proposals.iter().map(|proposal| &proposal.point);
                    assert!(points.eq(batches.get(done).into_iter().flatten().map(|trial| &trial.point)));
                }
            }
        }
    }

    #[test]
    fn five_hundred_generations_are_followed_in_the_time_of_their_trials() {
        let study = real_study(4, 12);
        for rating in [Rating::Once, Rating::AllGames] {
            let genetic = Genetic { population: 50, iterations: 500, ..genetic(rating) };
            let start = std::time::Instant::now();
            let batches = play(&genetic, &study, noisy_sphere);
            assert_eq!(batches.len(), 501);
            // It takes a third of a second; to begin at the first generation each time took minutes.
            assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
        }
    }

    #[test]
    fn a_manifest_may_omit_what_is_usual_and_nothing_else_may_stand_in_it() {
        let genetic = r#"{"population": 50, "iterations": 500, "mutation_probability": 0.1, "crossover_probability": 0.5"#;
        let read: Genetic = serde_json::from_str(&format!("{genetic}}}")).unwrap();
        assert_eq!((read.parents_portion, read.elite_ratio, read.rating), (0.3, 0.01, Rating::Once));
        let read: Genetic = serde_json::from_str(&format!(r#"{genetic}, "rating": "all-games"}}"#)).unwrap();
        assert_eq!(read.rating, Rating::AllGames);
        let unknown = serde_json::from_str::<Genetic>(&format!(r#"{genetic}, "elit_ratio": 0.1}}"#));
        assert!(unknown.unwrap_err().to_string().starts_with("unknown field `elit_ratio`"));
        let nsga: Nsga = serde_json::from_str(r#"{"population": 40, "generations": 20}"#).unwrap();
        assert_eq!(nsga, Nsga::usual(40, 20));
        let surrogate: Surrogate = serde_json::from_str(r#"{"start": 20, "rounds": 5, "batch": 4}"#).unwrap();
        assert_eq!((surrogate.error, surrogate.epochs), (0.1, 2000));
        let race: Race =
            serde_json::from_str(r#"{"points": 64, "first": 8, "most": 256, "winners": 3}"#).unwrap();
        assert_eq!(race, Race { points: 64, first: 8, most: 256, winners: 3 });
    }
}
