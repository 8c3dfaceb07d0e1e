//! What was sent to a cluster: all that its shards need, so that a rebuild, or a change of a manifest, changes nothing meanwhile.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use surroundings::confined::ConfinedPath;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::workplace::{Workplace, WorkplaceError};
use crate::plan::{Planned, StoredState};
use manifest::Experiment;
use records::identity::Identity;
use records::key::Key;
use records::store::Shard;
use workers::catalogue::PluginEntry;
use workers::files::Files;

/// The version of the file's form.
pub const FORM: u32 = 1;

/// What was sent.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// The version of the file's form.
    pub form: u32,
    /// What tells its jobs from those of another: a part of their names.
    pub id: String,
    /// The SHA-256 of the program that plays.
    pub program_sha256: String,
    /// The commit that was checked out, if there was a repository.
    pub commit: Option<String>,
    /// Whether files beside the results differed from that commit.
    pub dirty: Option<bool>,
    /// Whether everything is played again, whatever is stored.
    pub is_fresh: bool,
    /// What is asked of the cluster for every shard.
    pub request: Request,
    /// The plugins that play.
    pub plugins: Vec<SentPlugin>,
    /// The experiments of which games are played.
    pub experiments: Vec<SentExperiment>,
    /// The shards, each with games of one experiment or of several.
    pub shards: Vec<SentShard>,
    /// The studies that are run.
    #[serde(default)]
    pub studies: Vec<SentStudy>,
}

/// What is asked of the cluster for every shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// How many games are played at once.
    pub cores: u16,
    /// The memory limit of each process of an agent, in MiB; 0 is no limit.
    pub agent_mib: u64,
    /// After how many seconds the cluster takes the node back.
    pub limit_seconds: u64,
    /// How many seconds before that it says so.
    pub warning_seconds: u64,
    /// How many shards may be played at once.
    pub at_most: Option<u32>,
    /// Further options of `sbatch`.
    pub options: Vec<String>,
}

/// A plugin, copied into the work folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentPlugin {
    /// Its file, below the work folder.
    pub file: PathBuf,
    /// The SHA-256 of the file, or of all files that a program's file names.
    pub sha256: String,
    /// The SHA-256 of each file of data that its decisions depend on, by role.
    pub files: BTreeMap<String, String>,
}

/// An experiment with all that determines its games.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentExperiment {
    /// Its paper and name.
    pub key: Key,
    /// Experiments of the same identity, which these records serve as well.
    pub also_for: Vec<Key>,
    /// The experiment as the manifest had it.
    pub experiment: Experiment,
    /// All that determines its records.
    pub identity: Identity,
    /// What the agent decides on the second set of frozen positions.
    pub second_signature: Option<String>,
    /// All of its parameters.
    pub params: Map<String, Value>,
    /// The files that its agent is lent, where the nodes see them too.
    #[serde(default, skip_serializing_if = "Files::is_empty")]
    pub files: Files,
    /// The place of its plugin in the list.
    pub plugin: usize,
    /// The first game that is played: those before it are stored.
    pub first: u64,
    /// How many games are wanted.
    pub games: u64,
    /// Into how many parts its games are cut.
    pub parts: u64,
}

/// One shard: what one element of an array plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentShard {
    /// The parts of experiments in it.
    pub pieces: Vec<SentPiece>,
    /// How many seconds it is expected to take.
    pub seconds: u64,
}

/// A part of an experiment's games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentPiece {
    /// The place of the experiment in the list.
    pub experiment: usize,
    /// Which part, from 1.
    pub part: u64,
}

/// A study whose batches are played by arrays, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentStudy {
    /// Its paper and name.
    pub key: Key,
    /// Into how many parts every batch is cut.
    pub parts: u64,
    /// How many batches it has at most.
    pub batches: u64,
}

impl SentExperiment {
    /// What is sent of an experiment that is planned, its games in one part.
    #[must_use]
    pub fn of(planned: &Planned, plugin: usize, is_fresh: bool) -> Self {
        let first = match planned.state {
            StoredState::Partial { games } if !is_fresh => games,
            _ => 0,
        };
        Self {
            key: planned.key.clone(),
            also_for: planned.also_for.clone(),
            experiment: planned.experiment.clone(),
            identity: planned.identity.clone(),
            second_signature: planned.second_signature.clone(),
            params: planned.params.clone(),
            files: planned.files.clone(),
            plugin,
            first,
            games: planned.games,
            parts: 1,
        }
    }

    /// One part of its games.
    #[must_use]
    pub const fn shard(&self, part: u64) -> Shard {
        Shard { part, of: self.parts, games: self.games }
    }

    /// How many games a part has.
    #[must_use]
    pub fn games_of(&self, part: u64) -> u64 {
        let shard = self.shard(part);
        let below = |games: u64| (games + shard.of - part) / shard.of;
        below(self.games) - below(self.first)
    }

    /// One part of it, or all that is missing of it where none is named, as a run takes it.
    #[must_use]
    pub fn planned(&self, part: Option<u64>, plugin: &SentPlugin, workplace: &Workplace) -> Planned {
        let plugin = PluginEntry {
            file: workplace.root().path().join(&plugin.file),
            sha256: plugin.sha256.clone(),
            files: plugin.files.clone(),
            agents: Vec::new(),
        };
        Planned {
            key: self.key.clone(),
            experiment: self.experiment.clone(),
            also_for: self.also_for.clone(),
            identity: self.identity.clone(),
            second_signature: self.second_signature.clone(),
            params: self.params.clone(),
            files: self.files.clone(),
            plugin: Arc::new(plugin),
            games: self.games,
            first: part.map_or(0, |_| self.first),
            shard: part.map(|part| self.shard(part)),
            path: ConfinedPath::root(""),
            state: StoredState::Missing,
            is_of_other_plugin: false,
            lacks_second_signature: false,
            journalled: 0,
            to_play: 0,
            time_per_game: None,
        }
    }
}

impl Submission {
    /// Reads what was sent from a work folder; none where nothing was.
    ///
    /// # Errors
    /// Where it cannot be read, or another version of the program has sent it.
    pub fn read(workplace: &Workplace) -> Result<Option<Self>, WorkplaceError> {
        let Some(submission) = workplace.read_json::<Self>(&workplace.submission())? else { return Ok(None) };
        match submission.form {
            FORM => Ok(Some(submission)),
            form => Err(WorkplaceError::OtherForm { path: workplace.submission(), form }),
        }
    }

    /// How many games a shard has.
    #[must_use]
    pub fn games_of(&self, shard: &SentShard) -> u64 {
        shard.pieces.iter().map(|piece| self.experiments[piece.experiment].games_of(piece.part)).sum()
    }

    /// How many games there are in all.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.shards.iter().map(|shard| self.games_of(shard)).sum()
    }

    /// The memory that a node needs for a shard, in MiB: that of the agents' processes, and some for the program itself. None where
    /// the agents have no limit.
    #[must_use]
    pub fn memory_mib(request: &Request) -> Option<u64> {
        /// What the program itself needs.
        const OWN: u64 = 512;
        (request.agent_mib > 0).then(|| request.agent_mib * u64::from(request.cores) + OWN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(first: u64, games: u64, parts: u64) -> SentExperiment {
        let experiment = serde_json::json!({
            "id": "e", "agent": "random", "params": {}, "budget": serde_json::to_value(engine::agent::Budget::None).unwrap(),
            "games": games, "seed": "0xfedcba9876543210", "rules": serde_json::to_value(engine::Rules::default()).unwrap(),
            "set": "default", "note": null, "conditional_on": ["D-1"], "move_limit_ms": 1000, "fault_share": "1/10",
            "variant": null, "method": null, "role": "play", "acknowledged_faults": 0, "compared": false
        });
        SentExperiment {
            key: "p/e".parse().unwrap(),
            also_for: Vec::new(),
            experiment: serde_json::from_value(experiment).unwrap(),
            identity: made_up::identity(0xfedc_ba98_7654_3210),
            second_signature: None,
            params: Map::new(),
            files: Files::new(),
            plugin: 0,
            first,
            games,
            parts,
        }
    }

    #[test]
    fn the_games_of_all_parts_are_those_that_are_missing() {
        let plugin = SentPlugin { file: "p.so".into(), sha256: String::new(), files: BTreeMap::new() };
        let workplace = Workplace::new(ConfinedPath::root("w"));
        for (first, games, parts) in
            [(0, 10, 1), (0, 10, 3), (4, 10, 3), (9, 10, 4), (0, 5, 5), (7, 1000, 13)]
        {
            let sent = sent(first, games, parts);
            let mut all = Vec::new();
            for part in 1..=parts {
                let wanted: Vec<u64> = sent.planned(Some(part), &plugin, &workplace).wanted_games().collect();
                assert_eq!(wanted.len() as u64, sent.games_of(part), "{first} {games} {part}/{parts}");
                all.extend(wanted);
            }
            all.sort_unstable();
            assert_eq!(all, (first..games).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_experiment_comes_back_as_it_was_sent() {
        let sent = sent(3, 10, 2);
        let text = serde_json::to_string(&sent).unwrap();
        let read: SentExperiment = serde_json::from_str(&text).unwrap();
        assert_eq!((&read.experiment, &read.identity), (&sent.experiment, &sent.identity));
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
    }
}
