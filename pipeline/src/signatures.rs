//! Signatures that were computed before: an agent may think for seconds over the frozen positions.
//!
//! A signature shows what an agent decides, but not whether it would decide the same again. So before an
//! agent plays games that are stored, two processes probe it, and their answers are compared. The cache also
//! stores which agents passed.
//!
//! The cache is a text file beside the results, one signature a line with its own checksum, to which lines
//! are only added. A line that is damaged is no line: its signature is computed again.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use engine::agent::Budget;
use engine::signature::{ProbeOrder, Probed, Set};
use engine::{Ending, Rules};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use crate::training;
use platform::ConfinedPath;
use platform::hash::sha256;
use workers::{Fault, Files, Launcher, PluginEntry, TrainingSetup, Worker, WorkerError};

/// How far a clock that counts seconds may lag.
const CLOCK_LAG: Duration = Duration::from_millis(20);

/// The most bytes of the cache that are read: more than a hundred thousand signatures.
const LARGEST: u64 = 64 << 20;

/// What determines an agent's decisions on the frozen positions.
#[derive(Clone, Copy)]
pub struct AgentSetup<'a> {
    /// The plugin that the agent is in.
    pub plugin: &'a PluginEntry,
    /// The agent's id.
    pub agent: &'a str,
    /// The rules that it plays by.
    pub rules: &'a Rules,
    /// All of its parameters.
    pub params: &'a Map<String, Value>,
    /// The files that it loads.
    pub files: &'a Files,
    /// What it may use for a move.
    pub budget: Budget,
    /// How long it may take over one position.
    pub move_limit: Duration,
}

/// What an agent decides on both sets of frozen positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignaturePair {
    /// On the first set, which is part of the identity.
    pub first: String,
    /// On the second, which stands beside it.
    pub second: String,
}

/// A position on which an agent gives two different answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwoAnswers {
    /// The board, as text.
    pub board: String,
    /// The answer in one process.
    pub one: String,
    /// The answer in another.
    pub other: String,
}

impl TwoAnswers {
    /// The first position on which the answers of two processes differ.
    fn between(one: &[Probed], other: &[Probed]) -> Option<Self> {
        let (one, other) = one.iter().zip(other).find(|(one, other)| one != other)?;
        let words = |probed: &Probed| probed.answer.replace('!', "with an error");
        Some(Self { board: one.board.clone(), one: words(one), other: words(other) })
    }
}

impl fmt::Display for TwoAnswers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { board, one, other } = self;
        write!(f, "on the board `{board}` it answers {one} in one process and {other} in another")
    }
}

/// The result of probing an agent in two processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Probing {
    /// Both processes got the same answers, to this many positions.
    Same(usize),
    /// The answers differ.
    Different(TwoAnswers),
    /// The agent failed in one of the processes.
    Failed,
}

/// Workers that have this plugin file open, for the next of its agents.
#[derive(Default)]
struct IdleWorkers(Mutex<Vec<(PathBuf, Worker)>>);

impl IdleWorkers {
    /// A worker with an agent: one that has the plugin open already, or a new one.
    fn start(&self, launcher: &Launcher, setup: &AgentSetup<'_>) -> Result<Worker, WorkerError> {
        let AgentSetup { plugin, agent, rules, params, files, budget, .. } = setup;
        if let Some(mut worker) = self.take(&plugin.file)
            && worker.create(agent, rules, params, *budget, files).is_ok()
        {
            return Ok(worker);
        }
        let mut worker = launcher.start()?;
        worker.open(&plugin.file)?;
        worker.create(agent, rules, params, *budget, files)?;
        Ok(worker)
    }

    fn take(&self, plugin: &Path) -> Option<Worker> {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = idle.iter().position(|(file, _)| file == plugin)?;
        Some(idle.swap_remove(place).1)
    }

    fn put(&self, setup: &AgentSetup<'_>, worker: Worker) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push((setup.plugin.file.clone(), worker));
    }
}

/// The cache. It is kept beside the results and may be deleted at any time.
pub struct Signatures {
    path: ConfinedPath,
    known: Mutex<BTreeMap<String, String>>,
    idle: IdleWorkers,
}

impl Signatures {
    /// The cache at this path; an unreadable one counts as empty.
    pub fn load(path: &ConfinedPath) -> Self {
        let bytes = read(path).unwrap_or_default();
        let known = String::from_utf8_lossy(&bytes).lines().filter_map(parse_line).collect();
        Self { path: path.to_owned(), known: Mutex::new(known), idle: IdleWorkers::default() }
    }

    /// The signatures of an agent, from the cache or from a worker.
    ///
    /// An agent that fails on the frozen positions by itself has a signature that says so: its games are
    /// still played, and each shows its fault. One that runs out of time or memory there has none, since
    /// another machine might give it enough.
    pub fn get(&self, launcher: &Launcher, setup: &AgentSetup<'_>) -> Result<SignaturePair, WorkerError> {
        let mut worker = None;
        let mut of = |set| self.of(set, launcher, setup, &mut worker);
        let signed = SignaturePair { first: of(Set::First)?, second: of(Set::Second)? };
        worker.into_iter().for_each(|worker| self.idle.put(setup, worker));
        Ok(signed)
    }

    /// What a training learns in its first few games, from the cache or from a worker.
    pub fn of_training(
        &self,
        launcher: &Launcher,
        plugin: &PluginEntry,
        setup: &TrainingSetup,
    ) -> Result<String, WorkerError> {
        let key = sha256(json!({"plugin": plugin.sha256, "training": setup}).to_string());
        if let Some(known) = self.known().get(&key).cloned() {
            return Ok(known);
        }
        let signature = training::signature(launcher, &plugin.file, setup)?;
        self.keep(&key, &signature);
        Ok(signature)
    }

    /// Probes each agent in two processes, unless it passed before. Returns the two differing answers of each
    /// agent, if any.
    ///
    /// An agent that fails on a position passes: its games are played, and each shows the failure.
    pub fn confirm(
        &self,
        launcher: &Launcher,
        setups: &[AgentSetup<'_>],
    ) -> Result<Vec<Option<TwoAnswers>>, WorkerError> {
        let keys: Vec<String> = setups.iter().map(|setup| cache_key(PROBE, setup)).collect();
        let mut unknown: BTreeMap<&String, &AgentSetup<'_>> = keys.iter().zip(setups).collect();
        unknown.retain(|key, _| !self.known().contains_key(*key));
        let (unknown, probed): (Vec<&String>, Vec<&AgentSetup<'_>>) = unknown.into_iter().unzip();
        let mut found: BTreeMap<&String, TwoAnswers> = BTreeMap::new();
        for (key, probing) in unknown.into_iter().zip(probe_twice(launcher, &probed)?) {
            match probing {
                Probing::Same(_) => self.keep(key, CONFIRMED),
                Probing::Different(two) => drop(found.insert(key, two)),
                Probing::Failed => {}
            }
        }
        Ok(keys.iter().map(|key| found.get(key).cloned()).collect())
    }

    fn of(
        &self,
        set: Set,
        launcher: &Launcher,
        setup: &AgentSetup<'_>,
        worker: &mut Option<Worker>,
    ) -> Result<String, WorkerError> {
        let key = cache_key(set.version(), setup);
        if let Some(known) = self.known().get(&key).cloned() {
            return Ok(known);
        }
        let mut sign = || {
            let mut used = worker.take().map_or_else(|| self.idle.start(launcher, setup), Ok)?;
            match used.sign(set, setup.move_limit) {
                Ok(signature) => {
                    *worker = Some(used);
                    Ok(Ok(signature))
                }
                Err(WorkerError::Failed(reason)) => Ok(Err(Fault { ending: Ending::AgentError, reason })),
                Err(WorkerError::Faulted(fault)) => Ok(Err(fault)),
                Err(other) => Err(other),
            }
        };
        // The lock is not held meanwhile: other threads compute other signatures.
        let mut signature = sign()?;
        // A worker may go down for reasons that are not the agent's: such a fault counts if it comes twice,
        // and is never taken from the cache.
        if signature.as_ref().is_err_and(|fault| fault.ending != Ending::Timeout) {
            signature = sign()?;
        }
        match signature {
            Ok(signature) => {
                self.keep(&key, &signature);
                Ok(signature)
            }
            Err(fault) => of_fault(set, &fault),
        }
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a signature to the cache, on disk as a line in one piece. A failure there is no reason to stop:
    /// the cache only saves time.
    fn keep(&self, key: &str, signature: &str) {
        self.known().insert(key.to_owned(), signature.to_owned());
        let append = || -> io::Result<()> {
            if let Some(folder) = self.path.parent() {
                folder.make_folder()?;
            }
            drop(self.path.open_or_create()?);
            let mut file = self.path.append()?;
            // A torn end of an earlier program must not take this line with it.
            file.write_all(format!("\n{}\n", line(key, signature)).as_bytes())
        };
        let _ = append();
    }
}

fn read(path: &ConfinedPath) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(path.open()?, LARGEST), &mut bytes)?;
    Ok(bytes)
}

fn line(key: &str, signature: &str) -> String {
    let text = format!("{key} {signature}");
    let checksum = sha256(&text);
    format!("{text} {checksum}")
}

/// The key and the signature of a line that is whole.
fn parse_line(text: &str) -> Option<(String, String)> {
    let (key, signature) = text.rsplit_once(' ')?.0.split_once(' ')?;
    (line(key, signature) == text).then(|| (key.to_owned(), signature.to_owned()))
}

/// The signature of an agent that fails on the frozen positions, unless it is the machine that sets the
/// limit.
fn of_fault(set: Set, fault: &Fault) -> Result<String, WorkerError> {
    let remedy = match fault.ending {
        Ending::Timeout => "raise `move_limit_ms`, or lower the budget",
        Ending::ResourceLimit => "raise --memory",
        ending => return Ok(format!("{}:fault:{ending}", set.version())),
    };
    let reason = format!("on the frozen positions of the decision signature, {fault}; {remedy}");
    Err(WorkerError::Faulted(Fault { ending: fault.ending, reason }))
}

/// The cache entry of an agent on which two processes agree.
const CONFIRMED: &str = "two-processes-agree";

/// The positions of a probe. The version changes with them.
const PROBE: &str = "probe-1";

/// The key of an agent's decisions on a version of positions.
fn cache_key(positions: &str, setup: &AgentSetup<'_>) -> String {
    let mut all = json!({
        "positions": positions,
        "plugin": setup.plugin.sha256,
        "agent": setup.agent,
        "rules": setup.rules,
        "params": setup.params,
        "budget": setup.budget,
    });
    if !setup.files.is_empty() {
        let hashes: BTreeMap<_, _> = setup.files.iter().map(|(role, file)| (role, &file.sha256)).collect();
        all["files"] = json!(hashes);
    }
    sha256(all.to_string())
}

/// Probes each agent in two processes.
pub fn probe_twice(launcher: &Launcher, setups: &[&AgentSetup<'_>]) -> Result<Vec<Probing>, WorkerError> {
    if setups.is_empty() {
        return Ok(Vec::new());
    }
    let one = probe_all(launcher, setups, ProbeOrder::Forward)?;
    // Many programs seed themselves from a clock that counts seconds, so the second processes start in
    // another second.
    thread::sleep(until_next_second());
    let other = probe_all(launcher, setups, ProbeOrder::Backward)?;
    let compare = |(one, other): (Option<Vec<Probed>>, Option<Vec<Probed>>)| match one.zip(other) {
        Some((one, other)) => {
            TwoAnswers::between(&one, &other).map_or(Probing::Same(one.len()), Probing::Different)
        }
        None => Probing::Failed,
    };
    Ok(one.into_iter().zip(other).map(compare).collect())
}

/// The agents' decisions on the positions of a probe, several agents at a time in new processes. `None` for
/// an agent that fails.
fn probe_all(
    launcher: &Launcher,
    setups: &[&AgentSetup<'_>],
    order: ProbeOrder,
) -> Result<Vec<Option<Vec<Probed>>>, WorkerError> {
    let idle = IdleWorkers::default();
    let probe = |setup: &&AgentSetup<'_>| {
        let probed = idle.start(launcher, setup).and_then(|mut worker| {
            let answers = worker.probe(order, setup.move_limit)?;
            idle.put(setup, worker);
            Ok(answers)
        });
        match probed {
            Ok(answers) => Ok(Some(answers)),
            Err(error @ WorkerError::NotStarted(_)) => Err(error),
            Err(_) => Ok(None),
        }
    };
    setups.par_iter().map(probe).collect()
}

/// The time until every clock shows another second.
fn until_next_second() -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Duration::from_secs(1) - Duration::from_nanos(now.subsec_nanos().into()) + CLOCK_LAG
}

#[cfg(test)]
mod tests {
    use platform::ConfinedPath;
    use std::fs;

    use super::*;
    use workers::AgentFile;

    fn plugin(sha256: &str) -> PluginEntry {
        PluginEntry { sha256: sha256.to_owned(), ..PluginEntry::default() }
    }

    #[test]
    fn the_key_is_of_all_that_a_decision_depends_on() {
        let (one, other) = (plugin("1"), plugin("2"));
        let (rules, other_rules) =
            (Rules::default(), Rules { stop_at: Some(512.try_into().unwrap()), ..Rules::default() });
        let (none, some) = (Map::new(), Map::from_iter([("depth".to_owned(), json!(3))]));
        let (budget, move_limit) = (Budget::Plies(3), Duration::from_secs(1));
        let with_file = |sha256: &str| {
            let file = AgentFile { path: ConfinedPath::root("weights"), sha256: sha256.to_owned() };
            Files::from([("weights".to_owned(), file)])
        };
        let (no_files, some_files, other_files) = (Files::new(), with_file("aa"), with_file("bb"));
        let setup = || AgentSetup {
            plugin: &one,
            agent: "a",
            rules: &rules,
            params: &none,
            files: &no_files,
            budget,
            move_limit,
        };
        let first = |setup: AgentSetup<'_>| cache_key(Set::First.version(), &setup);
        let keys = [
            first(setup()),
            cache_key(Set::Second.version(), &setup()),
            first(AgentSetup { plugin: &other, ..setup() }),
            first(AgentSetup { agent: "b", ..setup() }),
            first(AgentSetup { rules: &other_rules, ..setup() }),
            first(AgentSetup { params: &some, ..setup() }),
            first(AgentSetup { files: &some_files, ..setup() }),
            first(AgentSetup { files: &other_files, ..setup() }),
            first(AgentSetup { budget: Budget::Plies(4), ..setup() }),
            first(AgentSetup { budget: Budget::Nodes(3), ..setup() }),
        ];
        let distinct: std::collections::BTreeSet<&String> = keys.iter().collect();
        assert_eq!(distinct.len(), keys.len());
        let patient = AgentSetup { move_limit: Duration::from_secs(9), ..setup() };
        assert_eq!(first(patient), keys[0], "patience changes no decision");
    }

    #[test]
    fn a_damaged_line_is_dropped_and_the_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".cache/signatures");
        let cache = Signatures::load(&ConfinedPath::file(&path));
        ["a", "b", "c"].into_iter().for_each(|key| cache.keep(key, &format!("positions-1:{key}")));
        let known =
            || Signatures::load(&ConfinedPath::file(&path)).known().keys().cloned().collect::<Vec<_>>();
        assert_eq!(known(), ["a", "b", "c"]);
        let whole = fs::read(&path).unwrap();
        for place in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[place] ^= 4;
            fs::write(&path, &flipped).unwrap();
            let cache = Signatures::load(&ConfinedPath::file(&path));
            let is_true = |(key, signature): (&String, &String)| *signature == format!("positions-1:{key}");
            assert!(cache.known().iter().all(is_true), "byte {place}");
            assert!(!cache.known().is_empty(), "byte {place}");
        }
        fs::write(&path, [&whole[..], b"d positions-1:d 0123"].concat()).unwrap();
        assert_eq!(known(), ["a", "b", "c"]);
        Signatures::load(&ConfinedPath::file(&path)).keep("e", "positions-1:e");
        assert_eq!(known(), ["a", "b", "c", "e"], "a torn end takes no other line with it");
    }

    #[test]
    fn two_processes_are_told_apart_by_the_first_answer_that_differs() {
        let probed = |answers: &str| -> Vec<Probed> {
            let one =
                |(place, answer): (usize, char)| Probed { board: place.to_string(), answer: answer.into() };
            answers.chars().enumerate().map(one).collect()
        };
        let two = |one: &str, other: &str| {
            TwoAnswers::between(&probed(one), &probed(other)).map(|two| two.to_string())
        };
        assert_eq!(two("ULD", "ULD"), None);
        let words = "on the board `1` it answers L in one process and with an error in another";
        assert_eq!(two("ULD", "U!R").as_deref(), Some(words));
    }

    #[test]
    fn a_fault_is_signed_unless_the_machine_sets_the_limit() {
        let of = |ending| {
            let fault = Fault { ending, reason: "it ended".to_owned() };
            of_fault(Set::First, &fault).map_err(|error| error.to_string())
        };
        let version = Set::First.version();
        assert_eq!(of(Ending::AgentCrash), Ok(format!("{version}:fault:agent-crash")));
        assert_eq!(of(Ending::IllegalMove), Ok(format!("{version}:fault:illegal-move")));
        let refused = |remedy: &str| {
            Err(format!("on the frozen positions of the decision signature, it ended; {remedy}"))
        };
        assert_eq!(of(Ending::Timeout), refused("raise `move_limit_ms`, or lower the budget"));
        assert_eq!(of(Ending::ResourceLimit), refused("raise --memory"));
    }
}
