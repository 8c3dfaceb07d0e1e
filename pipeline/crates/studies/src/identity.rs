//! A study's identity: all that determines its trials, and its hash.
//!
//! The number of jobs and shards is no part of it, nor is how its winners are played again: those are
//! experiments with identities of their own.

use std::collections::BTreeMap;

use engine::Rules;
use engine::agent::Budget;
use jobs::{Canonical, Difference, StoredIdentity};
use manifest::{Objective, SearchMethod, Study};
use platform::hash::sha256;
use search::{Place, Point, Space, TrialEvaluation, sobol};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version of the identity's own form.
const FORM: u32 = 1;

/// How many points of the space the agent is signed at, the middle included.
const SIGNED_POINTS: usize = 4;

/// All that determines a study's trials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyIdentity {
    form: u32,
    rules: Rules,
    agent: String,
    agent_version: String,
    params: Map<String, Value>,
    budget: Budget,
    seed: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    files: BTreeMap<String, String>,
    space: Space,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    choices: BTreeMap<String, Vec<Value>>,
    objectives: Vec<Objective>,
    evaluation: TrialEvaluation,
    method: SearchMethod,
    signature: String,
}

/// An agent that plays in a study: its id, its version, all parameters that are not searched, and its files
/// of data by role.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// The agent's version.
    pub version: String,
    /// All parameters that are not searched, defaults included.
    pub params: Map<String, Value>,
    /// The SHA-256 of each file of data, by role.
    pub files: BTreeMap<String, String>,
    /// What it decides on the frozen positions at each of [`signed_points`], in their order.
    pub signatures: Vec<String>,
}

/// The points of a study's space at which its agent is asked what it decides: the middle, and three that are
/// spread over it.
pub fn signed_points(space: &Space) -> Vec<Point> {
    let place = Place::of("signature", 0);
    let middle = vec![0.5; space.len()];
    let spread = (0..SIGNED_POINTS - 1).map(|number| sobol(place, number, space.len()));
    std::iter::once(middle).chain(spread).map(|unit| space.point(&unit)).collect()
}

impl Canonical for StudyIdentity {}

impl StudyIdentity {
    /// The identity of a study that this agent plays.
    pub fn new(study: &Study, player: Player) -> Self {
        let mut params = player.params;
        params.retain(|name, _| !study.space.dimensions().iter().any(|searched| searched.name == *name));
        Self {
            form: FORM,
            rules: study.rules.clone(),
            agent: study.agent.clone(),
            agent_version: player.version,
            params,
            budget: study.budget,
            seed: format!("{:016x}", study.seed),
            files: player.files,
            space: study.space.clone(),
            choices: study.choices.clone(),
            objectives: study.objectives.clone(),
            evaluation: study.evaluation,
            method: study.method.clone(),
            signature: sha256(player.signatures.join("\n")),
        }
    }
}

/// How a stored identity differs from what a manifest asks for, as far as that can be known without the
/// agent: all but its version, its files, its signature, and parameters that the manifest leaves to their
/// defaults.
pub fn differences_from(stored: &StoredIdentity, study: &Study) -> Vec<Difference> {
    let unknown = Player {
        version: String::new(),
        params: study.params.clone(),
        files: BTreeMap::new(),
        signatures: Vec::new(),
    };
    let is_of_agent = |name: &str| {
        ["agent_version", "signature"].contains(&name)
            || name.starts_with("files.")
            || name.strip_prefix("params.").is_some_and(|name| !study.params.contains_key(name))
    };
    let mut differences = stored.differences(&StudyIdentity::new(study, unknown));
    differences.retain(|difference| !is_of_agent(&difference.component));
    differences
}

#[cfg(test)]
mod tests {
    use search::Rating;

    use super::*;
    use crate::fixtures::{identity, study};

    #[test]
    fn the_hash_is_frozen_and_each_part_of_the_study_changes_it() {
        let study = study(Rating::Once);
        let stored = identity(&study);
        // Stored studies carry such hashes: whatever changes this one makes all of them stale.
        assert_eq!(stored.hash(), FROZEN, "{}", serde_json_canonicalizer::to_string(&stored).unwrap());
        let again: StoredIdentity = serde_json::from_str(&serde_json::to_string(&stored).unwrap()).unwrap();
        assert_eq!(again.hash(), stored.hash(), "also when it was read");
        let of = |change: fn(&mut Study)| {
            let mut changed = study.clone();
            change(&mut changed);
            let differences = stored.differences(&identity(&changed));
            differences.into_iter().map(|difference| difference.component).collect::<Vec<_>>()
        };
        assert_eq!(of(|study| study.seed += 1), ["seed"]);
        assert_eq!(of(|study| study.evaluation.games = 4), ["evaluation.games"]);
        assert_eq!(of(|study| study.objectives.push(Objective::Cost)), ["objectives"]);
        assert_eq!(of(|study| study.budget = Budget::Plies(3)), ["budget"]);
        assert_eq!(of(|study| study.winners.games += 1), Vec::<String>::new());
        let other = |study: &mut Study| study.method = crate::fixtures::study(Rating::AllGames).method;
        assert_eq!(of(other), ["method.rating"]);
    }

    const FROZEN: &str = "8d203307a25664360bd37d91e734d9dcff2414a9bf7da6a0d576668429f17f17";

    #[test]
    fn the_agent_is_signed_in_the_middle_and_at_three_points_around_it() {
        let space = study(Rating::Once).space;
        let points = signed_points(&space);
        assert_eq!(points.len(), 4);
        assert_eq!(points[0], space.point(&[0.5, 0.5, 0.5]));
        assert_eq!(points, signed_points(&space));
    }
}
