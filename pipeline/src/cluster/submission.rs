//! What was sent to a cluster: all that its shards need, so that a rebuild, or a change of a manifest, changes nothing meanwhile.

use platform::confined::ConfinedPath;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::script::is_option;
use super::workplace::{Workplace, WorkplaceError};
use crate::plan::Planned;
use jobs::Key;
use jobs::Status;
use manifest::Experiment;
use manifest::limits::MOST_GAMES_OF_A_RUN;
use records::identity::Identity;
use records::store::Shard;
use workers::catalogue::PluginEntry;
use workers::files::Files;

/// The version of the file's form.
pub const FORM: u32 = 1;
/// The owner in the file's seal.
const SEALED_AS: &str = "a submission to a cluster";

/// The number of digits in a submission's id.
pub const ID_DIGITS: usize = 8;

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

impl Request {
    /// The problem with the request; `None` if it is valid.
    pub(super) fn problem(&self) -> Option<&'static str> {
        if self.cores == 0 {
            return Some("`cores` is 0");
        }
        (!self.options.iter().all(|option| is_option(option)))
            .then_some("`options` contains an invalid option")
    }
}

impl SentExperiment {
    /// The problem with the experiment, given the number of plugins; `None` if it is valid.
    fn problem(&self, plugins: usize) -> Option<&'static str> {
        match () {
            () if self.plugin >= plugins => Some("there is no such `plugin`"),
            () if self.games > MOST_GAMES_OF_A_RUN => Some("`games` is too large"),
            () if self.first > self.games => Some("`first` is beyond its games"),
            () if !(1..=self.games.max(1)).contains(&self.parts) => Some("`parts` does not fit its games"),
            () => None,
        }
    }

    /// What is sent of an experiment that is planned, its games in one part.
    #[must_use]
    pub fn of(planned: &Planned, plugin: usize, is_fresh: bool) -> Self {
        let first = match planned.status {
            Status::Partial { done, .. } if !is_fresh => done,
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
            status: Status::Missing,
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
        let path = workplace.submission();
        let Some(submission) = workplace.read_sealed::<Self>(&path, SEALED_AS)? else { return Ok(None) };
        match (submission.form, submission.problem()) {
            (FORM, None) => Ok(Some(submission)),
            (FORM, Some(what)) => Err(WorkplaceError::Form { path, what }),
            (form, _) => Err(WorkplaceError::OtherForm { path, form }),
        }
    }

    /// Writes the submission to its file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write(&self, workplace: &Workplace) -> Result<(), WorkplaceError> {
        workplace.write_sealed(&workplace.submission(), SEALED_AS, self)
    }

    /// The problem with the submission, with its field; `None` if all references and numbers are consistent.
    fn problem(&self) -> Option<String> {
        let is_id = self.id.len() == ID_DIGITS && self.id.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_id {
            return Some("`id` has the wrong form".to_owned());
        }
        if self.shards.is_empty() && self.studies.is_empty() {
            return Some("it has neither `shards` nor `studies`".to_owned());
        }
        let experiments = self.experiments.iter().enumerate().find_map(|(place, sent)| {
            let what = sent.problem(self.plugins.len())?;
            Some(format!("`experiments[{place}]`: {what}"))
        });
        let mut seen = BTreeSet::new();
        let is_wrong = |piece: &SentPiece| {
            let sent = self.experiments.get(piece.experiment);
            !sent.is_some_and(|sent| (1..=sent.parts).contains(&piece.part))
                || !seen.insert((piece.experiment, piece.part))
        };
        let mut pieces = self.shards.iter().flat_map(|shard| &shard.pieces);
        let what = "`shards` has a duplicate piece, or one of an experiment or part that does not exist";
        let shards = || pieces.any(is_wrong).then(|| what.to_owned());
        let is_empty = |study: &SentStudy| study.parts == 0;
        let studies =
            || self.studies.iter().any(is_empty).then(|| "`studies` has one without parts".to_owned());
        self.request.problem().map(str::to_owned).or(experiments).or_else(shards).or_else(studies)
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
        let agents = request.agent_mib.saturating_mul(request.cores.into());
        (request.agent_mib > 0).then(|| agents.saturating_add(OWN))
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
            identity: fixtures::identity(0xfedc_ba98_7654_3210),
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
    fn a_submission_whose_places_or_numbers_do_not_fit_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let workplace = Workplace::new(ConfinedPath::root(folder.path()));
        let plugin = SentPlugin { file: "p.so".into(), sha256: String::new(), files: BTreeMap::new() };
        let request = Request {
            cores: 1,
            agent_mib: 0,
            limit_seconds: 60,
            warning_seconds: 1,
            at_most: None,
            options: vec!["--partition=long".to_owned()],
        };
        let pieces = vec![SentPiece { experiment: 0, part: 1 }, SentPiece { experiment: 0, part: 2 }];
        let whole = Submission {
            form: FORM,
            id: "0123abcd".to_owned(),
            program_sha256: String::new(),
            commit: None,
            dirty: None,
            is_fresh: false,
            request,
            plugins: vec![plugin],
            experiments: vec![sent(0, 10, 2)],
            shards: vec![SentShard { pieces, seconds: 1 }],
            studies: vec![SentStudy { key: "p/s".parse().unwrap(), parts: 1, batches: 1 }],
        };
        let read = |submission: &Submission| {
            submission.write(&workplace).unwrap();
            Submission::read(&workplace).map(|read| read.is_some()).map_err(|error| error.to_string())
        };
        assert_eq!(read(&whole), Ok(true));
        type Change = fn(&mut Submission);
        let cases: [(Change, &str); 14] = [
            (|it| it.id = "../../..".to_owned(), "`id`"),
            (
                |it| (it.shards, it.studies) = (Vec::new(), Vec::new()),
                "it has neither `shards` nor `studies`",
            ),
            (|it| it.request.cores = 0, "`cores`"),
            (|it| it.request.options.push("--a\ntouch PWNED".to_owned()), "`options`"),
            (|it| it.experiments[0].plugin = 99, "`experiments[0]`: there is no such `plugin`"),
            (|it| it.experiments[0].parts = 0, "`parts`"),
            (|it| it.experiments[0].parts = u64::MAX, "`parts`"),
            (|it| it.experiments[0].first = 11, "`first`"),
            (|it| it.experiments[0].games = u64::MAX, "`games`"),
            (|it| it.shards[0].pieces[0].experiment = 77, "`shards`"),
            (|it| it.shards[0].pieces[0].part = 0, "`shards`"),
            (|it| it.shards[0].pieces[0].part = 3, "`shards`"),
            (|it| it.shards[0].pieces[0].part = 2, "`shards`"),
            (|it| it.studies[0].parts = 0, "`studies`"),
        ];
        for (change, words) in cases {
            let mut changed = whole.clone();
            change(&mut changed);
            let told = read(&changed).unwrap_err();
            assert!(told.contains("submission.json: ") && told.contains(words), "{words}: {told}");
        }
        whole.write(&workplace).unwrap();
        let bytes = std::fs::read(workplace.submission().path()).unwrap();
        for place in (0..bytes.len()).step_by(31) {
            let mut flipped = bytes.clone();
            flipped[place] ^= 1;
            std::fs::write(workplace.submission().path(), flipped).unwrap();
            assert!(Submission::read(&workplace).is_err(), "byte {place}");
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
