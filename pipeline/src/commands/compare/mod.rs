//! `pipeline compare`: agents on the same seeds, until sequential tests decide which is stronger.

mod view;
mod words;

use std::path::PathBuf;

use engine::Rules;
use engine::agent::Budget;

use super::Failure;
use crate::checksums::write_checksums;
use crate::cli;
use crate::contest::{Contest, ContestScore, ContestantGames, PairDecision, PairTest, place};
use crate::context::{jobs, require_all};
use crate::lookup::ad_hoc;
use crate::lookup::chosen_agent::ChosenAgent;
use crate::lookup::finder::Finder;
use crate::naming::RuleText;
use crate::output::export::{Export, publish};
use crate::plan::{Determinism, PlannedExperiment, Selection};
use crate::progress::{Display, Progress};
use crate::run::RunError;
use platform::console::note;
use platform::{interrupt, plain};
use records::{FolderLock, Layout, LockError, Provenance, Scope};
use stats::{Sprt, TwoSided};
use text::counted;
use view::View;
use words::letter;

/// What the folder of these games is called below `records`.
const PAPER: &str = "compare";
/// The default limit of seeds, of two agents and of more.
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
    test: PairTest,
    limit: u64,
}

pub(crate) fn compare(arguments: &cli::CompareArgs) -> Result<(), Failure> {
    let export = Export::of(arguments.options.export.as_deref())?;
    let mut finder = Finder::new(&arguments.places)?;
    let question = Question::of(arguments, &mut finder)?;
    let folder = Folder::of(arguments)?;
    let determinism = Determinism::unless(arguments.options.nondeterministic);
    let planned = question.plan(&finder, &folder.layout, determinism)?;
    let origin = Provenance::now(Some(&arguments.places.configs));
    let open = |planned| ContestantGames::open(planned, &folder.layout, &origin);
    let games = planned.iter().map(|starts| starts.iter().map(open).collect());
    let games: Vec<Vec<_>> = games.collect::<Result<_, RunError>>()?;
    let score = question.play(arguments, &finder, &games)?;
    let is_interrupted = !score.is_decided() && score.seeds < question.limit;
    let records = folder.finish(games, &score, is_interrupted)?;
    let view = View::of(&question, &planned, &score, records);
    publish(&view, &text::plain(&view), export.as_ref(), arguments.playing.json)?;
    let is_shown = match &question.test {
        PairTest::OneSided(_) => score.pairs[0].decision == Some(PairDecision::SecondStronger),
        PairTest::TwoSided(_) => score.is_decided(),
    };
    match is_shown {
        _ if is_interrupted => {
            Err(Failure::check("stopped before the end; the same command goes on from here"))
        }
        true => Ok(()),
        false => Err(Failure::check("")),
    }
}

impl Question {
    fn of(arguments: &cli::CompareArgs, finder: &mut Finder) -> Result<Self, Failure> {
        let count = arguments.agents.len();
        let test = test(arguments)?;
        let setting = cli::Setting { rules: Vec::new(), ..arguments.setting.clone() };
        let choose = |name: &String| finder.choose(name, &setting);
        let agents = arguments.agents.iter().map(choose).collect::<Result<Vec<_>, _>>()?;
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
        Ok(Self {
            agents,
            rules,
            starts,
            seed: arguments.setting.seed.unwrap_or(manifest::DEFAULT_SEED),
            test,
            limit,
        })
    }

    /// The planned games of each agent from each start. Each agent is looked up in its own plugin, since
    /// there may be two builds of one.
    fn plan(
        &self,
        finder: &Finder,
        layout: &Layout,
        determinism: Determinism,
    ) -> Result<Vec<Vec<PlannedExperiment>>, Failure> {
        let selection = Selection { games: Some(self.limit), determinism, ..Selection::default() };
        let plan = |chosen: &ChosenAgent| {
            let starts = self.starts.iter();
            let experiments =
                starts.map(|(_, rules)| ad_hoc::experiment(chosen, rules, self.seed, 1, true)).collect();
            let context = ad_hoc::context(PAPER, std::slice::from_ref(chosen), experiments, finder, layout);
            let plan = context.plan(&selection)?;
            require_all(&plan.blocked)?;
            Ok(plan.jobs)
        };
        self.agents.iter().map(plan).collect()
    }

    fn play(
        &self,
        arguments: &cli::CompareArgs,
        finder: &Finder,
        games: &[Vec<ContestantGames<'_>>],
    ) -> Result<ContestScore, Failure> {
        let playing = interrupt::Playing::begin().map_err(Failure::io)?;
        let display = Display::fitting(arguments.playing.quiet || arguments.playing.json);
        let line = Progress::new(display).line("contest", Some(self.limit), "seed");
        line.start();
        if display == Display::Lines {
            let names = self.agents.iter().enumerate();
            let names = names.map(|(place, one)| format!("{} {}", letter(place), plain::line(&one.label)));
            note(names.collect::<Vec<_>>().join(", "));
        }
        let known: u64 = games.iter().flatten().map(ContestantGames::known).sum();
        if known > 0 {
            line.remark(&format!("reusing {} of an earlier run", counted(known, "game")));
        }
        let contest = Contest {
            games,
            test: self.test,
            limit: self.limit,
            jobs: jobs(&arguments.playing),
            launcher: &finder.launcher,
            stop: playing.stop(),
            on_seed: &|score| {
                line.describe(&words::progress(score));
                line.rows(score.seeds.saturating_sub(line.played()));
            },
        };
        let score = contest.play();
        if display == Display::Bars {
            line.clear()
        } else {
            line.end(true)
        }
        Ok(score?)
    }
}

fn test(arguments: &cli::CompareArgs) -> Result<PairTest, Failure> {
    let cli::CompareArgs { worth, alpha, beta, .. } = *arguments;
    let count = arguments.agents.len();
    let test = match arguments.one_sided() {
        Some(_) if count > 2 => {
            return Err(Failure::usage(
                "--elo0 and --elo1 ask whether the second of two agents is stronger; with more agents, omit them",
            ));
        }
        Some((elo0, elo1)) => Sprt::new(elo0, elo1, alpha, beta).map(PairTest::OneSided),
        None if !(worth.is_finite() && worth > 0.0) => {
            let problem = format!("--worth is {worth}; it must be a difference in Elo above 0");
            return Err(Failure::usage(problem));
        }
        None => TwoSided::among(worth, alpha, beta, count * (count - 1) / 2).map(PairTest::TwoSided),
    };
    test.map_err(|error| Failure::usage(error.to_string()))
}

/// Fails if two of the agents are the same: they would play the same games.
fn require_different(agents: &[ChosenAgent]) -> Result<(), Failure> {
    let what = |chosen: &ChosenAgent| {
        let ChosenAgent { plugin, agent, params, files, budget, .. } = chosen;
        (plugin.sha256.clone(), agent.id.clone(), params.clone(), files.clone(), *budget)
    };
    for (place, chosen) in agents.iter().enumerate() {
        if let Some(same) = agents[..place].iter().find(|other| what(other) == what(chosen)) {
            let (one, other) = (&same.label, &chosen.label);
            // No two games under a wall-clock budget are the same, but their journals would be.
            let so = match chosen.budget {
                Budget::TimeNs(_) => "",
                _ => ", and would play the same games",
            };
            return Err(Failure::usage(format!(
                "`{one}` and `{other}` are the same agent with the same settings{so}: give one of them other \
                 settings, as NAME,KEY=VALUE"
            )));
        }
    }
    Ok(())
}

/// The rules of all: those of the experiments that are named, with the command line's laid over them.
fn common_rules(
    arguments: &cli::CompareArgs,
    finder: &mut Finder,
    agents: &[ChosenAgent],
) -> Result<Rules, Failure> {
    let mut named =
        agents.iter().filter_map(|chosen| Some((&chosen.label, &chosen.experiment.as_ref()?.rules)));
    let Some((one, rules)) = named.next() else {
        return finder.rules(Rules::default(), &arguments.setting.rules);
    };
    let is_chosen = arguments.setting.rules.iter().any(|text| matches!(text, RuleText::Of(_)));
    match named.find(|(_, theirs)| *theirs != rules) {
        Some((other, _)) if !is_chosen => Err(Failure::usage(format!(
            "`{one}` and `{other}` are played by different rules; choose with --rules PAPER/EXPERIMENT, or name the \
             agents instead"
        ))),
        _ => finder.rules(rules.clone(), &arguments.setting.rules),
    }
}

/// The folder of the games: the user's, or a cache that is cleared when the contest is decided.
struct Folder {
    layout: Layout,
    is_kept: bool,
    _lock: FolderLock,
}

impl Folder {
    fn of(arguments: &cli::CompareArgs) -> Result<Self, Failure> {
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

    /// Stores the games that count, if they are to be kept, and removes the journals of a decided contest.
    /// One that is not decided resumes from its journals, with a higher limit or after an interruption.
    fn finish(
        &self,
        games: Vec<Vec<ContestantGames<'_>>>,
        score: &ContestScore,
        is_interrupted: bool,
    ) -> Result<Vec<PathBuf>, Failure> {
        let mut records = Vec::new();
        for starts in games {
            let count = starts.len();
            for (start, games) in starts.into_iter().enumerate() {
                // The first seed beyond the end, among those of this start.
                let next = (score.seeds..).map(|seed| place(seed, count)).find(|found| found.0 == start);
                let counted = next.map_or(0, |(_, game)| game);
                if self.is_kept && !is_interrupted && counted > 0 {
                    records.push(games.finish(counted)?.path().to_owned());
                } else if score.is_decided() {
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
