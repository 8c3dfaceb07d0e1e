//! `pipeline compare`: agents on the same seeds, until sequential tests decide which is stronger.

mod progress;
mod tables;
mod view;
mod words;

use std::path::PathBuf;

use engine::Rules;
use engine::agent::Budget;

use super::Failure;
use super::context::jobs;
use crate::checksums::write_checksums;
use crate::cli;
use crate::contest::{Contest, ContestError, ContestResult, Games, Judge, PairDecision, place};
use crate::lookup::ad_hoc;
use crate::lookup::chosen_agent::ChosenAgent;
use crate::lookup::finder::Finder;
use crate::naming::{BudgetText, RuleText};
use crate::output::export::{Export, publish};
use crate::plan::{Determinism, Planned, Selection};
use crate::run::Display;
use platform::interrupt;
use progress::ContestProgress;
use records::layout::{FolderLock, Layout, LockError};
use records::provenance::Provenance;
use records::sums::Scope;
use stats::{Sprt, SprtError, TwoSided};
use text::plain;
use view::View;

/// What the folder of these games is called below `records`.
const PAPER: &str = "compare";
/// How many seeds are played at most, of two agents and of more, unless it is said.
const LIMITS: [u64; 2] = [20_000, 1000];
/// The most journals that are open at once: one for each agent from each start.
const MOST_JOURNALS: usize = 500;

/// What is compared: agents, rules, starts and the test.
struct Question {
    agents: Vec<ChosenAgent>,
    /// The rules, whatever the start.
    rules: Rules,
    /// The name and rules of each start; a single one without a name if games start as usual.
    starts: Vec<(String, Rules)>,
    seed: u64,
    judge: Judge,
    limit: u64,
}

pub(crate) fn compare(arguments: &cli::Compare) -> Result<(), Failure> {
    let export = Export::of(arguments.options.export.as_deref())?;
    let mut finder = Finder::new(&arguments.places)?;
    let question = Question::of(arguments, &mut finder)?;
    let folder = Folder::of(arguments)?;
    let planned =
        question.plan(&finder, &folder.layout, Determinism::unless(arguments.options.nondeterministic))?;
    let origin = Provenance::now(Some(&arguments.places.configs));
    let open = |planned| Games::open(planned, &folder.layout, &origin);
    let games: Vec<Vec<Games<'_>>> = planned
        .iter()
        .map(|starts| starts.iter().map(open).collect())
        .collect::<Result<_, ContestError>>()?;
    let outcome = question.play(arguments, &finder, &games)?;
    let records = folder.settle(games, &outcome)?;
    let view = View::of(&question, &planned, &outcome, records);
    publish(&view, &plain(&view), export.as_ref(), arguments.playing.json)?;
    ending(&outcome, arguments)
}

/// The exit code. What was found out has been said.
fn ending(outcome: &ContestResult, arguments: &cli::Compare) -> Result<(), Failure> {
    if outcome.interrupted {
        return Err(Failure::check("stopped before the end; the same command goes on from here"));
    }
    let is_shown = match arguments.one_sided() {
        Some(_) => outcome.standing.pairs[0].decision == Some(PairDecision::SecondStronger),
        None => outcome.standing.is_decided(),
    };
    if is_shown { Ok(()) } else { Err(Failure::check("")) }
}

impl Question {
    fn of(arguments: &cli::Compare, finder: &mut Finder) -> Result<Self, Failure> {
        let count = arguments.agents.len();
        let judge = judge(arguments)?;
        let agents = agents(arguments, finder)?;
        require_different(&agents)?;
        let rules = common_rules(arguments, finder, &agents)?;
        let starts = ad_hoc::rules_by_start(&ad_hoc::starts(arguments.options.starts.as_ref())?, &rules)?;
        if count * starts.len() > MOST_JOURNALS {
            let most = MOST_JOURNALS / count;
            return Err(Failure::usage(format!(
                "--starts: {count} agents can begin on at most {most} boards"
            )));
        }
        let limit = arguments.limit.unwrap_or(LIMITS[usize::from(count > 2)]);
        Ok(Self { agents, rules, starts, seed: arguments.seed, judge, limit })
    }

    /// What each agent plays from each start, with its identity. Each agent is looked for in its own plugin: two builds of one may be there.
    fn plan(
        &self,
        finder: &Finder,
        layout: &Layout,
        determinism: Determinism,
    ) -> Result<Vec<Vec<Planned>>, Failure> {
        let selection = Selection { games: Some(self.limit), determinism, ..Selection::default() };
        let mut all = Vec::new();
        for chosen in &self.agents {
            let experiment =
                |(_, rules): &(String, Rules)| ad_hoc::experiment(chosen, rules, self.seed, 1, true);
            let experiments = self.starts.iter().map(experiment).collect();
            let context = ad_hoc::context(PAPER, std::slice::from_ref(chosen), experiments, finder, layout);
            let plan = context.plan(&selection)?;
            super::context::require_all(&plan.unplanned)?;
            all.push(plan.experiments);
        }
        Ok(all)
    }

    fn play(
        &self,
        arguments: &cli::Compare,
        finder: &Finder,
        games: &[Vec<Games<'_>>],
    ) -> Result<ContestResult, Failure> {
        let playing = interrupt::Playing::begin().map_err(Failure::io)?;
        let labels: Vec<&str> = self.agents.iter().map(|chosen| chosen.label.as_str()).collect();
        let is_quiet = arguments.playing.quiet || arguments.playing.json;
        let progress = ContestProgress::new(Display::fitting(is_quiet), self.limit);
        progress.begin(&labels, games.iter().flatten().map(Games::known).sum());
        let contest = Contest {
            games,
            judge: self.judge,
            limit: self.limit,
            jobs: jobs(&arguments.playing),
            launcher: &finder.launcher,
            stop: playing.stop(),
            on_seed: &|standing| progress.show(standing),
        };
        let outcome = contest.play();
        progress.end();
        Ok(outcome?)
    }
}

fn judge(arguments: &cli::Compare) -> Result<Judge, Failure> {
    let usage = |error: SprtError| Failure::usage(error.to_string());
    let cli::Compare { worth, alpha, beta, .. } = *arguments;
    let count = arguments.agents.len();
    match arguments.one_sided() {
        Some(_) if count > 2 => Err(Failure::usage(
            "--elo0 and --elo1 ask whether the second of two agents is stronger; with more agents, omit them",
        )),
        Some((elo0, elo1)) => Ok(Judge::OneSided(Sprt::new(elo0, elo1, alpha, beta).map_err(usage)?)),
        None if !(worth.is_finite() && worth > 0.0) => {
            Err(Failure::usage(format!("--worth is {worth}; it must be a difference in Elo above 0")))
        }
        None => {
            let test = TwoSided::among(worth, alpha, beta, count * (count - 1) / 2);
            Ok(Judge::TwoSided(test.map_err(usage)?))
        }
    }
}

fn agents(arguments: &cli::Compare, finder: &mut Finder) -> Result<Vec<ChosenAgent>, Failure> {
    let cli::Compare { agents, params, params_a, params_b, budget, budget_a, budget_b, .. } = arguments;
    let mut all = Vec::new();
    for (place, name) in agents.iter().enumerate() {
        let (own, own_budget): (&[_], Option<BudgetText>) = match place {
            0 => (params_a, *budget_a),
            1 => (params_b, *budget_b),
            _ => (&[], None),
        };
        let params: Vec<(String, String)> = params.iter().chain(own).cloned().collect();
        all.push(finder.choose_with(name, &params, own_budget.or(*budget), &[])?);
    }
    Ok(all)
}

/// Fails where two of the agents are one and the same: they would play the same games.
fn require_different(agents: &[ChosenAgent]) -> Result<(), Failure> {
    let what = |chosen: &ChosenAgent| {
        let ChosenAgent { plugin, agent, params, files, budget, .. } = chosen;
        (plugin.sha256.clone(), agent.id.clone(), params.clone(), files.clone(), *budget)
    };
    // No two games under a wall-clock budget are the same, but their journals would be.
    for (place, chosen) in agents.iter().enumerate() {
        if let Some(same) = agents[..place].iter().find(|other| what(other) == what(chosen)) {
            let (one, other) = (&same.label, &chosen.label);
            let remedy = "give one of them other settings, as NAME,KEY=VALUE";
            let told = match chosen.budget {
                Budget::TimeNs(_) => {
                    format!("`{one}` and `{other}` are the same agent with the same settings")
                }
                _ => format!(
                    "`{one}` and `{other}` are the same agent with the same settings, and would play the same games"
                ),
            };
            return Err(Failure::usage(format!("{told}: {remedy}")));
        }
    }
    Ok(())
}

/// The rules that all play by: those of the experiments that are named, with the command line's laid over them.
fn common_rules(
    arguments: &cli::Compare,
    finder: &mut Finder,
    agents: &[ChosenAgent],
) -> Result<Rules, Failure> {
    let mut named =
        agents.iter().filter_map(|chosen| Some((&chosen.label, &chosen.experiment.as_ref()?.rules)));
    let first = named.next();
    let is_chosen = arguments.rules.iter().any(|text| matches!(text, RuleText::Of(_)));
    if let Some((one, rules)) = first
        && let Some((other, _)) = named.find(|(_, theirs)| *theirs != rules)
        && !is_chosen
    {
        return Err(Failure::usage(format!(
            "`{one}` and `{other}` are played by different rules; choose with --rules PAPER/EXPERIMENT, or name the agents instead"
        )));
    }
    let base = first.map(|(_, rules)| rules.clone()).unwrap_or_default();
    finder.rules(base, &arguments.rules)
}

/// Where games go: a folder of the user's, or a cache that is cleared when the contest is decided.
struct Folder {
    layout: Layout,
    is_kept: bool,
    _lock: FolderLock,
}

impl Folder {
    fn of(arguments: &cli::Compare) -> Result<Self, Failure> {
        let is_kept = arguments.keep.is_some();
        let cache = || arguments.places.out.join(".cache").join(PAPER);
        let layout = Layout::new(arguments.keep.clone().unwrap_or_else(cache));
        // In the cache many contests stand beside each other, each with journals of its own.
        let lock = if is_kept { layout.lock() } else { layout.lock_with_others() };
        let lock = lock.map_err(|error| match error {
            LockError::Taken { path } => Failure::usage(format!(
                "{}: another run is using this folder; wait for it to end, or name another with --keep",
                path.display()
            )),
            other => other.into(),
        })?;
        Ok(Self { layout, is_kept, _lock: lock })
    }

    /// Keeps the games that counted, where that was asked for, and clears the journals of a contest that is decided. One that is not goes on
    /// from its journals, with a higher limit or after an interruption.
    fn settle(&self, games: Vec<Vec<Games<'_>>>, outcome: &ContestResult) -> Result<Vec<PathBuf>, Failure> {
        let seeds = outcome.standing.seeds;
        let mut records = Vec::new();
        for starts in games {
            let count = starts.len();
            for (start, games) in starts.into_iter().enumerate() {
                // The first seed beyond the end, among those of this start.
                let counted = (seeds..).map(|seed| place(seed, count)).find(|found| found.0 == start);
                let counted = counted.map_or(0, |(_, game)| game);
                if self.is_kept && !outcome.interrupted && counted > 0 {
                    records.push(games.finish(counted)?.path().to_owned());
                } else if outcome.standing.is_decided() {
                    games.discard()?;
                }
            }
        }
        if !records.is_empty() {
            write_checksums(&self.layout, Scope::Played)?;
        }
        Ok(records)
    }
}
