//! The games of an agent: played for this evaluation, or stored before.

use std::collections::BTreeMap;
use std::path::Path;

use engine::Rules;

use super::Failure;
use crate::cli;
use crate::commands::verify::job_files;
use crate::lookup::ad_hoc;
use crate::lookup::chosen_agent::ChosenAgent;
use crate::lookup::finder::Finder;
use crate::plan::{Determinism, Selection};
use crate::run::RunReport;
use crate::starts::StartBoard;
use jobs::Key;
use manifest::Experiment;
use platform::ConfinedPath;
use records::store::read_timing;
use records::{GameTiming, Index, Layout, Outcome, RecordsReader, RecordsSummary};
use stats::Sample;

/// What the folder of these games is called below `records`.
const PAPER: &str = "eval";

/// The games of one agent.
pub(super) struct AgentGames {
    /// The agent as the command line names it, or the stored experiment as `PAPER/EXPERIMENT`.
    pub(super) name: String,
    pub(super) agent: String,
    pub(super) rules: Rules,
    /// The master seed, if it can be read.
    pub(super) seed: Option<u64>,
    /// The games from each start; all together if they start as the rules say.
    pub(super) parts: Vec<StartGames>,
}

/// Games from one start.
pub(super) struct StartGames {
    /// The name of the start; empty if games start as the rules say.
    pub(super) start: String,
    pub(super) outcomes: Vec<Outcome>,
    pub(super) timings: Vec<GameTiming>,
    pub(super) records: ConfinedPath,
    /// Whether another run would play the same games.
    pub(super) is_repeatable: bool,
}

/// The scores of games, of which there is at least one.
pub(super) fn sample<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Sample {
    let scores = outcomes.map(|outcome| f64::from(outcome.score));
    Sample::new(scores).expect("games have been played, and scores are finite")
}

impl AgentGames {
    pub(super) fn outcomes(&self) -> impl Iterator<Item = &Outcome> + Clone {
        self.parts.iter().flat_map(|part| &part.outcomes)
    }

    pub(super) fn sample(&self) -> Sample {
        sample(self.outcomes())
    }

    pub(super) fn is_repeatable(&self) -> bool {
        self.parts.iter().all(|part| part.is_repeatable)
    }

    /// CPU time per move over all games whose time is known, in nanoseconds.
    pub(super) fn ns_per_move(&self) -> Option<f64> {
        let (mut time, mut moves) = (0, 0);
        for part in &self.parts {
            let timings = part.timings.iter();
            let known: BTreeMap<u64, u64> =
                timings.filter_map(|timing| Some((timing.game, timing.known_cpu_ns()?))).collect();
            for outcome in &part.outcomes {
                if let Some(ns) = known.get(&outcome.game) {
                    time += ns;
                    moves += u64::from(outcome.moves);
                }
            }
        }
        (moves > 0).then(|| time as f64 / moves as f64)
    }
}

/// Plays the games of all contenders, from each start, and reads them from their records. Those of an agent
/// that did not finish, and of all after it, are left out.
pub(super) fn play(
    contenders: &[ChosenAgent],
    finder: &Finder,
    seed: u64,
    starts: &[StartBoard],
    arguments: &cli::EvalArgs,
    layout: &Layout,
) -> Result<(RunReport, Vec<AgentGames>), Failure> {
    let mut experiments: Vec<Experiment> = Vec::new();
    let mut ids: Vec<Vec<(String, String)>> = Vec::new();
    for chosen in contenders {
        let mut own = Vec::new();
        for (start, rules) in ad_hoc::rules_by_start(starts, &chosen.rules)? {
            let experiment = ad_hoc::experiment(chosen, &rules, seed, arguments.games, false);
            own.push((start, experiment.id.clone()));
            if !experiments.iter().any(|other| other.id == experiment.id) {
                experiments.push(experiment);
            }
        }
        ids.push(own);
    }
    let context = ad_hoc::context(PAPER, contenders, experiments, finder, layout);
    let _lock = context.layout.lock()?;
    let determinism = Determinism::unless(arguments.options.nondeterministic);
    let plan = context.plan(&Selection { determinism, ..Selection::default() })?;
    let report = context.run(&plan, &arguments.playing, false)?;
    let mut played = Vec::new();
    for (chosen, own) in contenders.iter().zip(ids) {
        let parts = own.into_iter().map(|(start, id)| part(layout, start, &id));
        let Some(parts) = parts.collect::<Result<_, Failure>>()? else { break };
        let (name, agent, rules) = (chosen.label.clone(), chosen.agent.id.clone(), chosen.rules.clone());
        played.push(AgentGames { name, agent, rules, seed: Some(seed), parts });
    }
    Ok((report, played))
}

/// The games of an experiment, if they were played to the end.
fn part(layout: &Layout, start: String, id: &str) -> Result<Option<StartGames>, Failure> {
    let key = Key::new(PAPER, id);
    let records = layout.records(&key, None);
    if !records.exists() {
        return Ok(None);
    }
    let mut reader = RecordsReader::open(&records)?;
    let is_repeatable = reader.summary.header.identity.signature.is_some();
    let (outcomes, timings) = (reader.outcomes()?, read_timing(&layout.timing(&key, None))?);
    Ok(Some(StartGames { start, outcomes, timings, records, is_repeatable }))
}

/// All complete experiments of a results folder, if there is one.
pub(super) fn stored(layout: &Layout) -> Result<Vec<AgentGames>, Failure> {
    let folder = layout.root().join("records");
    if !folder.exists() {
        return Ok(Vec::new());
    }
    job_files(&folder)?.iter().filter_map(|file| read(file).transpose()).collect()
}

/// The stored experiment that a text names, if it names one: it may also be an agent's file.
pub(super) fn stored_experiment(layout: &Layout, name: &str) -> Result<Option<AgentGames>, Failure> {
    let Ok(key) = name.parse::<Key>() else { return Ok(None) };
    // Its records may be in the file of another experiment with the same identity; only the index knows.
    let index = Index::read(layout).ok();
    let holder = index.and_then(|index| Some(index.experiments.get(name)?.records.clone()));
    let file = layout.records(&holder.unwrap_or(key), None);
    if Path::new(name).exists() || !file.exists() {
        return Ok(None);
    }
    Ok(read(&file)?.map(|stored| AgentGames { name: name.to_owned(), ..stored }))
}

/// A file's experiment; none for a part of one, or one whose games only carry a measurement.
fn read(file: &ConfinedPath) -> Result<Option<AgentGames>, Failure> {
    let Some(summary) = RecordsSummary::read(file)? else { return Ok(None) };
    let header = summary.header;
    if header.shard.is_some() || header.manifest["role"] == "measurement" || summary.games == 0 {
        return Ok(None);
    }
    let (seed, is_repeatable) = (header.identity.master_seed().ok(), header.identity.signature.is_some());
    let outcomes = RecordsReader::open(file)?.outcomes()?;
    let (start, timings, records) = (String::new(), Vec::new(), file.clone());
    let parts = vec![StartGames { start, outcomes, timings, records, is_repeatable }];
    let (agent, rules) = (header.identity.agent, header.identity.rules);
    Ok(Some(AgentGames { name: header.experiment, agent, rules, seed, parts }))
}

/// Games with these scores, for tests.
#[cfg(test)]
pub(super) fn games(name: &str, seed: u64, outcomes: Vec<Outcome>) -> AgentGames {
    let (start, timings, records) = (String::new(), Vec::new(), ConfinedPath::root(""));
    let parts = vec![StartGames { start, outcomes, timings, records, is_repeatable: true }];
    let (name, agent) = (name.to_owned(), "a".to_owned());
    AgentGames { name, agent, rules: Rules::default(), seed: Some(seed), parts }
}

/// A game, for tests.
#[cfg(test)]
pub(super) fn outcome(game: u64, score: u32, moves: u32) -> Outcome {
    let (final_board, ending) = (format!("{score}"), engine::Ending::NoMoves);
    Outcome { game, score, max_tile: 64, moves, final_board, nodes: game, ending }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_whose_time_is_not_known_counts_neither_time_nor_moves() {
        let outcomes = [(0, 10), (1, 1000), (2, 30)].map(|(game, moves)| outcome(game, 0, moves));
        let mut played = games("x", 1, outcomes.to_vec());
        let timing = |(game, cpu_ns)| GameTiming { game, cpu_ns, wall_ns: 1 };
        played.parts[0].timings = [(0, 100), (1, 0), (2, 700)].map(timing).to_vec();
        assert_eq!(played.ns_per_move(), Some(20.0));
        played.parts[0].timings.clear();
        assert_eq!(played.ns_per_move(), None);
    }
}
