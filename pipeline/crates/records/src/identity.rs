//! Identity: all that determines an experiment's records, and its hash.
//!
//! The number of games, shards and jobs are not part of it: asking for more games tops up what is there. What
//! only says where records come from is provenance, and stands beside it.

use std::collections::BTreeMap;

use engine::Rules;
use engine::agent::Budget;
use jobs::Canonical;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version of the identity's own form.
const FORM: u32 = 1;

/// All that determines an experiment's records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The version of this form.
    pub form: u32,
    /// The rules of the game.
    pub rules: Rules,
    /// The agent's id.
    pub agent: String,
    /// The agent's version.
    pub agent_version: String,
    /// All parameters, defaults included.
    pub params: Map<String, Value>,
    /// What the agent may use for a move.
    pub budget: Budget,
    /// The master seed, in hexadecimal.
    pub seed: String,
    /// The SHA-256 of each file of data that the agent's decisions depend on, by role; absent where there are
    /// none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// The agent's decisions on the first set of frozen positions. Absent if the games are not repeatable:
    /// under a wall-clock budget, or if the agent is marked as nondeterministic.
    pub signature: Option<String>,
}

impl Canonical for Identity {}

impl Identity {
    /// The identity of an experiment whose parameters are resolved.
    pub fn new(
        rules: Rules,
        agent: (&str, &str),
        params: Map<String, Value>,
        budget: Budget,
        seed: u64,
        signature: Option<String>,
    ) -> Self {
        let (agent, agent_version) = (agent.0.to_owned(), agent.1.to_owned());
        Self {
            form: FORM,
            rules,
            agent,
            agent_version,
            params,
            budget,
            seed: format!("{seed:016x}"),
            files: BTreeMap::new(),
            signature,
        }
    }

    /// The same with files of data, each by its role.
    pub fn with_files(self, files: BTreeMap<String, String>) -> Self {
        Self { files, ..self }
    }

    /// The master seed.
    pub fn master_seed(&self) -> Result<u64, std::num::ParseIntError> {
        u64::from_str_radix(&self.seed, 16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn identity(params: Value) -> Identity {
        let Value::Object(params) = params else { unreachable!() };
        Identity::new(Rules::default(), ("random", "1.0.0"), params, Budget::Playouts(10), 2048, None)
    }

    #[test]
    fn the_canonical_form_is_sorted_and_the_hash_frozen() {
        let identity = identity(json!({"b": 1.0, "a": "x"}));
        assert_eq!(
            identity.canonical(),
            r#"{"agent":"random","agent_version":"1.0.0","budget":{"playouts":10},"form":1,"params":{"a":"x","b":1},"rules":{"four":"1/10","merging":"once","start":"two-tiles"},"seed":"0000000000000800","signature":null}"#
        );
        // Stored records carry such hashes: whatever changes this one makes all of them stale.
        assert_eq!(identity.hash(), "d3ef6ac5d6c048a417c3c725314710531f213b65fdadf938145a1f468fdd084d");
        assert_eq!(identity.master_seed(), Ok(2048));
    }

    #[test]
    fn differences_name_the_component() {
        let one = identity(json!({"depth": 3}));
        let mut other = identity(json!({"depth": 4}));
        other.rules.stop_at = Some(2048.try_into().unwrap());
        let found: Vec<_> =
            one.differences(&other).into_iter().map(|d| (d.component, d.one, d.other)).collect();
        let expected = [("params.depth", "3", "4"), ("rules.stop_at", "absent", "2048")];
        assert_eq!(found, expected.map(|(c, one, other)| (c.to_owned(), one.to_owned(), other.to_owned())));
        assert!(one.differences(&one).is_empty());
        let with = |sha256: &str| one.clone().with_files([("weights".to_owned(), sha256.to_owned())].into());
        let files = with("aa").differences(&with("bb"));
        assert_eq!(files.len(), 1);
        assert_eq!(files[0].component, "files.weights");
        assert_ne!(with("aa").hash(), one.hash());
        assert!(with("aa").canonical().contains(r#""files":{"weights":"aa"}"#));
    }
}
