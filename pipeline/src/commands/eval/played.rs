//! The games of an evaluation: played, and read back from their records.

use platform::confined::ConfinedPath;
use std::collections::BTreeMap;

use super::Failure;
use crate::cli;
use crate::lookup::ad_hoc;
use crate::lookup::chosen_agent::ChosenAgent;
use crate::lookup::finder::Finder;
use crate::plan::{Determinism, Selection};
use crate::run::RunReport;
use crate::starts::StartBoard;
use jobs::Key;
use manifest::Experiment;
use records::layout::Layout;
use records::record::{GameTiming, Outcome};
use records::store::{RecordsReader, read_timing};

/// What the folder of these games is called below `records`.
const PAPER: &str = "eval";

/// The games of one contender.
pub(super) struct Played {
    pub(super) name: String,
    /// The games from each start, or all together where they begin as the rules say.
    pub(super) parts: Vec<Part>,
}

/// Games from one start.
pub(super) struct Part {
    /// What the start is called; empty where games begin as the rules say.
    pub(super) start: String,
    pub(super) outcomes: Vec<Outcome>,
    pub(super) timings: Vec<GameTiming>,
    pub(super) records: ConfinedPath,
    /// Whether another run would play the same games.
    pub(super) is_repeatable: bool,
}

impl Played {
    pub(super) fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.parts.iter().flat_map(|part| &part.outcomes)
    }

    pub(super) fn scores(&self) -> Vec<f64> {
        self.outcomes().map(|outcome| f64::from(outcome.score)).collect()
    }

    pub(super) fn is_repeatable(&self) -> bool {
        self.parts.iter().all(|part| part.is_repeatable)
    }

    /// CPU time for a move over all games whose time is known, in nanoseconds.
    pub(super) fn ns_per_move(&self) -> Option<f64> {
        let (mut time, mut moves) = (0, 0);
        for part in &self.parts {
            let known: BTreeMap<u64, u64> = part
                .timings
                .iter()
                .filter_map(|timing| Some((timing.game, timing.known_cpu_ns()?)))
                .collect();
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

/// Plays the games of all contenders, from each start, and reads them back from their records.
pub(super) fn play(
    contenders: &[ChosenAgent],
    finder: &Finder,
    seed: u64,
    starts: &[StartBoard],
    arguments: &cli::Eval,
    layout: &Layout,
) -> Result<(RunReport, Vec<Played>), Failure> {
    let mut experiments: Vec<Experiment> = Vec::new();
    let mut ids: Vec<(String, Vec<(String, String)>)> = Vec::new();
    for chosen in contenders {
        let mut own = Vec::new();
        for (start, rules) in ad_hoc::rules_by_start(starts, &chosen.rules)? {
            let experiment = ad_hoc::experiment(chosen, &rules, seed, arguments.games, false);
            own.push((start, experiment.id.clone()));
            if !experiments.iter().any(|other| other.id == experiment.id) {
                experiments.push(experiment);
            }
        }
        ids.push((chosen.label.clone(), own));
    }
    let context = ad_hoc::context(PAPER, contenders, experiments, finder, layout);
    let _lock = context.layout.lock()?;
    let determinism = Determinism::unless(arguments.options.nondeterministic);
    let plan = context.plan(&Selection { determinism, ..Selection::default() })?;
    let report = context.run(&plan, &arguments.playing, false)?;
    let mut played = Vec::new();
    for (name, own) in ids {
        let parts: Option<Vec<Part>> =
            own.into_iter().map(|(start, id)| part(layout, start, id)).collect::<Result<_, _>>()?;
        let Some(parts) = parts else { break };
        played.push(Played { name, parts });
    }
    Ok((report, played))
}

/// The games of an experiment; none where they were not played to the end.
fn part(layout: &Layout, start: String, id: String) -> Result<Option<Part>, Failure> {
    let key = Key::new(PAPER, &id);
    let records = layout.records(&key, None);
    if !records.exists() {
        return Ok(None);
    }
    let mut reader = RecordsReader::open(&records)?;
    let is_repeatable = reader.summary.header.identity.signature.is_some();
    let outcomes = reader.outcomes()?;
    let timings = read_timing(&layout.timing(&key, None))?;
    Ok(Some(Part { start, outcomes, timings, records, is_repeatable }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Ending;

    #[test]
    fn a_game_whose_time_is_not_known_counts_neither_time_nor_moves() {
        let outcome = |(game, moves)| Outcome {
            game,
            score: 0,
            max_tile: 2,
            moves,
            final_board: String::new(),
            nodes: 0,
            ending: Ending::NoMoves,
        };
        let timing = |(game, cpu_ns)| GameTiming { game, cpu_ns, wall_ns: 1 };
        let part = Part {
            start: String::new(),
            outcomes: [(0, 10), (1, 1000), (2, 30)].map(outcome).to_vec(),
            timings: [(0, 100), (1, 0), (2, 700)].map(timing).to_vec(),
            records: ConfinedPath::root(""),
            is_repeatable: true,
        };
        let mut played = Played { name: "x".to_owned(), parts: vec![part] };
        assert_eq!(played.ns_per_move(), Some(20.0));
        played.parts[0].timings.truncate(0);
        assert_eq!(played.ns_per_move(), None);
    }
}
