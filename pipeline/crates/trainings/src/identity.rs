//! A training's identity: all that determines what is learned, and its hash.
//!
//! How often a checkpoint is written, and how many games a row of the curve sums up, are no part of it.

use engine::Rules;
use engine::abi::host::TrainingInfo;
use jobs::{Canonical, Difference};
use manifest::Training;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version of the identity's own form.
const FORM: u32 = 1;

/// All that determines what a training gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingIdentity {
    /// The version of this form.
    pub form: u32,
    /// The rules of the games.
    pub rules: Rules,
    /// The id of the agent that learns.
    pub agent: String,
    /// The version of what it learns.
    pub training_version: String,
    /// All parameters of the training, defaults included.
    pub params: Map<String, Value>,
    /// From how many games it learns.
    pub games: u64,
    /// Where its games have their chance from, in hexadecimal.
    pub seed: String,
    /// What it has learned after its first few games; absent where it was not asked.
    pub signature: Option<String>,
}

impl Canonical for TrainingIdentity {}

impl TrainingIdentity {
    /// The identity of a training that a manifest asks for, with what its agent says of it.
    pub fn new(training: &Training, info: &TrainingInfo, signature: Option<String>) -> Self {
        Self::with_defaults(training, &info.version, info.default_params(), signature)
    }

    fn with_defaults(
        training: &Training,
        version: &str,
        mut params: Map<String, Value>,
        signature: Option<String>,
    ) -> Self {
        params.extend(training.params.clone());
        Self {
            form: FORM,
            rules: training.rules.clone(),
            agent: training.agent.clone(),
            training_version: version.to_owned(),
            params,
            games: training.games,
            seed: format!("{:016x}", training.seed),
            signature,
        }
    }

    /// How it differs from what a manifest asks for, as far as that can be known without a game: all but the
    /// signature. Without the agent, neither its version nor the parameters that the manifest leaves to their
    /// defaults are compared.
    pub fn differences_from(&self, training: &Training, info: Option<&TrainingInfo>) -> Vec<Difference> {
        let (version, defaults) = match info {
            Some(info) => (&info.version, info.default_params()),
            None => (&self.training_version, self.params.clone()),
        };
        self.differences(&Self::with_defaults(training, version, defaults, self.signature.clone()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::fixtures::{info, training};

    #[test]
    fn the_canonical_form_is_sorted_and_the_hash_frozen() {
        let identity = TrainingIdentity::new(&training(), &info(), Some("games-3:00".to_owned()));
        assert_eq!(
            identity.canonical(),
            r#"{"agent":"a","form":1,"games":2500,"params":{"alpha":0.5,"lambda":1},"rules":{"four":"1/10","merging":"once","start":"two-tiles"},"seed":"0000000000000007","signature":"games-3:00","training_version":"1.0.0"}"#
        );
        // Stored trainings carry such hashes: whatever changes this one makes all of them stale.
        assert_eq!(identity.hash(), "818871cea860cfad3ccf468532347be0a9f2f8f077f0130953764f41cc4d03db");
        let again: TrainingIdentity = serde_json::from_str(&identity.canonical()).unwrap();
        assert_eq!(again, identity);
    }

    #[test]
    fn each_part_of_the_training_changes_it_and_is_named() {
        let stored = TrainingIdentity::new(&training(), &info(), None);
        let of = |change: fn(&mut Training)| {
            let mut changed = training();
            change(&mut changed);
            let components = |info: Option<&TrainingInfo>| {
                let differences = stored.differences_from(&changed, info);
                differences.into_iter().map(|difference| difference.component).collect::<Vec<_>>()
            };
            assert_eq!(components(Some(&info())), components(None));
            components(None)
        };
        assert_eq!(of(|training| training.seed += 1), ["seed"]);
        assert_eq!(of(|training| training.games += 1), ["games"]);
        assert_eq!(of(|training| training.agent = "b".to_owned()), ["agent"]);
        assert_eq!(
            of(|training| drop(training.params.insert("alpha".to_owned(), json!(1)))),
            ["params.alpha"]
        );
        assert_eq!(of(|training| training.rules.stop_at = Some(2048.try_into().unwrap())), ["rules.stop_at"]);
        assert_eq!(of(|training| training.curve_every += 1), Vec::<String>::new());
        assert_eq!(of(|training| training.note = Some("other".to_owned())), Vec::<String>::new());
    }

    #[test]
    fn the_agents_version_and_defaults_count_where_it_is_at_hand() {
        let stored = TrainingIdentity::new(&training(), &info(), Some("games-3:00".to_owned()));
        let newer = TrainingInfo {
            version: "2.0.0".to_owned(),
            params_schema: json!({"properties": {"lambda": {"default": 0.25}, "alpha": {"default": 1}}}),
            ..info()
        };
        let differences = stored.differences_from(&training(), Some(&newer));
        let told: Vec<(&str, &str)> =
            differences.iter().map(|told| (told.component.as_str(), told.other.as_str())).collect();
        assert_eq!(told, [("params.lambda", "0.25"), ("training_version", "\"2.0.0\"")]);
        assert!(stored.differences_from(&training(), None).is_empty());
    }
}
