//! `pipeline eval`: how an agent does, without a config.
//!
//! The games go the way of all others, through a plan and its workers; only the manifest is made here.

mod histogram;
mod show;
mod standing;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::chosen_agent::{ChosenAgent, Finder};
use super::context::Context;
use super::run::{Advice, outcome_with};
use super::style::Style;
use super::{Failure, print_json, print_text};
use crate::cli::{self, Setting};
use crate::plan::Selection;
use manifest::{Citation, DEFAULT_FAULT_SHARE, DEFAULT_MOVE_LIMIT_MS, Experiment, Paper, Role, Set};
use records::key::Key;
use records::layout::Layout;
use records::record::{GameTiming, Outcome};
use records::store::{RecordsReader, read_timing};
use standing::{Standing, Stored};
use stats::{Estimate, Rate, Sample};
use surroundings::hash::sha256;
use surroundings::scratch::Scratch;
use workers::catalogue::Catalogue;

/// What the folder of these games is called below `records`.
const PAPER: &str = "eval";

/// What to do about faults where the games are kept.
const KEPT: Advice = Advice {
    too_many: "more than one in ten: it was stopped, and all games so far are kept; fix the agent and raise its version",
    some: "their records say how",
};

/// What to do about faults where they are not.
const NOT_KEPT: Advice = Advice {
    too_many: "more than one in ten: it was stopped; fix the agent: `pipeline check` tests what it must do",
    some: "--out DIR keeps their records, which say how",
};

pub(crate) fn eval(arguments: &cli::Eval) -> Result<(), Failure> {
    let layout = Layout::new(&arguments.results);
    let mut finder = Finder::new(&arguments.loading)?;
    let chosen = finder.choose(&arguments.agent, &arguments.setting)?;
    let mut contenders = vec![chosen.clone()];
    let mut stored_rivals = Vec::new();
    for name in &arguments.against {
        match standing::stored_experiment(&layout, name)? {
            Some(stored) if stored.rules != chosen.rules => {
                return Err(Failure::usage(format!(
                    "--against {name}: its games are played by different rules, {}; give these with --rules",
                    serde_json::to_value(&stored.rules).unwrap_or_default()
                )));
            }
            Some(stored) => stored_rivals.push(stored),
            None => contenders.push(rival(&mut finder, name, &arguments.setting, &chosen)?),
        }
    }
    let folder = Folder::of(arguments.out.as_deref())?;
    let (report, played) = play(&contenders, &finder, arguments, &folder.layout)?;
    let stored = standing::stored(&layout)?;
    let advice = if arguments.out.is_some() { &KEPT } else { &NOT_KEPT };
    let [ours, rivals @ ..] = &played[..] else { return outcome_with(&report, advice) };
    let evaluation = Evaluation::of(&chosen, arguments, ours, rivals, &stored_rivals, &stored);
    if arguments.playing.json {
        print_json(&evaluation)?;
    } else {
        print_text(&evaluation.text(Style::of_stdout()))?;
    }
    outcome_with(&report, advice)
}

/// Another agent under the same rules. It gets the budget if it takes one of that kind, and its own parameters.
fn rival(
    finder: &mut Finder,
    name: &str,
    setting: &Setting,
    chosen: &ChosenAgent,
) -> Result<ChosenAgent, Failure> {
    let (_, agent) = finder.find(name)?;
    let budget = Some(chosen.budget).filter(|&budget| agent.capabilities.takes(budget));
    finder.choose(name, &Setting { params: Vec::new(), budget, ..setting.clone() })
}

/// Where records go: a folder of the user's, or one that is gone when the command ends.
struct Folder {
    layout: Layout,
    _scratch: Option<Scratch>,
}

impl Folder {
    fn of(out: Option<&Path>) -> Result<Self, Failure> {
        if let Some(out) = out {
            return Ok(Self { layout: Layout::new(out), _scratch: None });
        }
        let scratch = Scratch::new("retile-eval-").map_err(Failure::io)?;
        Ok(Self { layout: Layout::new(scratch.path()), _scratch: Some(scratch) })
    }
}

/// The games of one contender.
struct Played {
    name: String,
    outcomes: Vec<Outcome>,
    timings: Vec<GameTiming>,
    records: PathBuf,
}

impl Played {
    fn scores(&self) -> Vec<f64> {
        self.outcomes.iter().map(|outcome| f64::from(outcome.score)).collect()
    }

    /// CPU time for a move over all games whose time is known, in nanoseconds.
    fn ns_per_move(&self) -> Option<f64> {
        let known: BTreeMap<u64, u64> =
            self.timings.iter().filter_map(|timing| Some((timing.game, timing.known_cpu_ns()?))).collect();
        let timed = |outcome: &Outcome| Some((*known.get(&outcome.game)?, u64::from(outcome.moves)));
        let (times, moves): (Vec<u64>, Vec<u64>) = self.outcomes.iter().filter_map(timed).unzip();
        let moves: u64 = moves.iter().sum();
        (moves > 0).then(|| times.iter().sum::<u64>() as f64 / moves as f64)
    }
}

/// Plays the games of all contenders, and reads them back from their records.
fn play(
    contenders: &[ChosenAgent],
    finder: &Finder,
    arguments: &cli::Eval,
    layout: &Layout,
) -> Result<(crate::run::RunReport, Vec<Played>), Failure> {
    let mut catalogue = Catalogue::default();
    let mut experiments: Vec<Experiment> = Vec::new();
    for chosen in contenders {
        if !catalogue.plugins.iter().any(|plugin| plugin.file == chosen.plugin.file) {
            catalogue.plugins.push(chosen.plugin.clone());
        }
        let experiment = experiment(chosen, arguments);
        if !experiments.iter().any(|other| other.id == experiment.id) {
            experiments.push(experiment);
        }
    }
    let ids: Vec<(String, String)> =
        experiments.iter().map(|experiment| (experiment.agent.clone(), experiment.id.clone())).collect();
    let context = Context::of(vec![paper(experiments)], catalogue, finder.launcher.clone(), layout.clone());
    let _lock = context.layout.lock()?;
    let plan = context.plan(&Selection::default())?;
    let report = context.run(&plan, &arguments.playing, false, None)?;
    let mut played = Vec::new();
    for (name, id) in ids {
        let key = Key { paper: PAPER.to_owned(), experiment: id };
        let records = layout.records(&key, None);
        if !records.exists() {
            break;
        }
        let outcomes = RecordsReader::open(&records)?.outcomes()?;
        let timings = read_timing(&layout.timing(&key, None))?;
        played.push(Played { name, outcomes, timings, records });
    }
    Ok((report, played))
}

/// The experiment that a chosen agent's games are. Its id carries what sets it apart, so that one folder can hold many.
fn experiment(chosen: &ChosenAgent, arguments: &cli::Eval) -> Experiment {
    let seed = arguments.setting.seed;
    let setting = serde_json::json!([chosen.params, chosen.budget, chosen.rules, seed]);
    let mut id = chosen.agent.id.clone();
    id.truncate(55);
    Experiment {
        id: format!("{id}-{}", &sha256(setting.to_string())[..8]),
        agent: chosen.agent.id.clone(),
        params: chosen.params.clone(),
        budget: chosen.budget,
        games: arguments.games,
        seed,
        rules: chosen.rules.clone(),
        set: Set::Default,
        note: None,
        conditional_on: Vec::new(),
        move_limit_ms: DEFAULT_MOVE_LIMIT_MS,
        fault_share: DEFAULT_FAULT_SHARE,
        variant: None,
        method: None,
        role: Role::Play,
        acknowledged_faults: 0,
        compared: false,
        winner: None,
    }
}

fn paper(experiments: Vec<Experiment>) -> Paper {
    let citation = Citation {
        title: "Games of pipeline eval".to_owned(),
        authors: Vec::new(),
        year: None,
        venue: None,
        url: None,
        doi: None,
        unpublished_sha256: None,
    };
    Paper {
        id: PAPER.to_owned(),
        file: PathBuf::from("pipeline eval"),
        citation,
        summary: None,
        rules: engine::Rules::default(),
        experiments,
        studies: Vec::new(),
        claims: Vec::new(),
        notes: Vec::new(),
        interpretations: Vec::new(),
        findings: Vec::new(),
        account: None,
        exhibits: Vec::new(),
        figures: Vec::new(),
        comparison: false,
        lines: manifest::Lines::default(),
        lookup: manifest::Lookup::default(),
    }
}

/// The scores of games that were played, of which there is at least one.
fn sample(scores: &[f64]) -> Sample {
    Sample::new(scores.iter().copied()).expect("games have been played, and scores are finite")
}

/// What is known of an agent after its games.
#[derive(Serialize)]
struct Evaluation {
    agent: String,
    setting: String,
    seed: u64,
    games: u64,
    faults: u64,
    mean: Estimate,
    median: Estimate,
    lowest: u32,
    highest: u32,
    reach: Vec<Reach>,
    ns_per_move: Option<f64>,
    against: Vec<Against>,
    standing: Option<Standing>,
    /// Where the records are kept, if they are.
    records: Option<PathBuf>,
    #[serde(skip)]
    scores: Vec<f64>,
}

/// How often a tile is made.
#[derive(Serialize)]
struct Reach {
    tile: u32,
    rate: Estimate,
}

/// How often the agent scores more than another.
#[derive(Serialize)]
struct Against {
    name: String,
    mean: Estimate,
    scores_more: Estimate,
}

impl Evaluation {
    fn of(
        chosen: &ChosenAgent,
        arguments: &cli::Eval,
        ours: &Played,
        rivals: &[Played],
        stored_rivals: &[Stored],
        stored: &[Stored],
    ) -> Self {
        let scores = ours.scores();
        let against = |name: &str, theirs: &[f64]| Against {
            name: name.to_owned(),
            mean: stats::mean(&sample(theirs)),
            scores_more: stats::superiority(&sample(&scores), &sample(theirs)),
        };
        let played = rivals.iter().map(|rival| against(&rival.name, &rival.scores()));
        let kept = stored_rivals.iter().map(|rival| against(&rival.name, &rival.scores));
        let mean = stats::mean(&sample(&scores));
        Self {
            agent: chosen.agent.id.clone(),
            setting: chosen.describe(),
            seed: arguments.setting.seed,
            games: ours.outcomes.len() as u64,
            faults: ours.outcomes.iter().filter(|outcome| outcome.ending.is_fault()).count() as u64,
            mean,
            median: stats::median(&sample(&scores)),
            lowest: ours.outcomes.iter().map(|outcome| outcome.score).min().unwrap_or(0),
            highest: ours.outcomes.iter().map(|outcome| outcome.score).max().unwrap_or(0),
            reach: reach(&ours.outcomes),
            ns_per_move: ours.ns_per_move(),
            against: played.chain(kept).collect(),
            standing: Standing::of(&chosen.agent.id, &mean, &chosen.rules, stored),
            records: arguments.out.is_some().then(|| ours.records.clone()),
            scores,
        }
    }
}

/// The rates of the tiles that some games make and others do not, and of the largest that all make.
fn reach(outcomes: &[Outcome]) -> Vec<Reach> {
    let games = outcomes.len() as u64;
    let largest = outcomes.iter().map(|outcome| outcome.max_tile).max().unwrap_or(0);
    let tiles = (1..=16).map(|rank| 1_u32 << rank).filter(|&tile| tile <= largest);
    let mut rates: Vec<Reach> = tiles
        .map(|tile| {
            let count = outcomes.iter().filter(|outcome| outcome.max_tile >= tile).count() as u64;
            Reach {
                tile,
                rate: stats::rate(Rate::new(count, games).expect("games are counted among themselves")),
            }
        })
        .collect();
    let in_all = rates.iter().filter(|reach| reach.rate.point == 1.0).count();
    rates.drain(..in_all.saturating_sub(1));
    rates
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
        let mut played = Played {
            name: "x".to_owned(),
            outcomes: [(0, 10), (1, 1000), (2, 30)].map(outcome).to_vec(),
            timings: [(0, 100), (1, 0), (2, 700)].map(timing).to_vec(),
            records: PathBuf::new(),
        };
        assert_eq!(played.ns_per_move(), Some(20.0));
        played.timings.truncate(0);
        assert_eq!(played.ns_per_move(), None);
    }
}
