//! `pipeline eval`: how an agent does, without a config.
//!
//! The games are planned and run like all others; only the manifest is made here.

mod evaluation;
mod games;
mod show;

use super::Failure;
use super::run::{Advice, outcome_with};
use crate::cli::{self, Setting};
use crate::lookup::ad_hoc;
use crate::lookup::chosen_agent::ChosenAgent;
use crate::lookup::finder::{Finder, spec};
use crate::naming::BudgetText;
use crate::output::export::{Export, publish};
use evaluation::EvalResult;
use games::AgentGames;
use platform::Scratch;
use records::Layout;

/// What to do about faults if the games are kept.
const KEPT: Advice = Advice {
    too_many: "more than one in ten: it was stopped, and all games so far are kept; fix the agent and raise its version",
    some: "their records say how",
};

/// What to do about faults if they are not.
const NOT_KEPT: Advice = Advice {
    too_many: "more than one in ten: it was stopped; fix the agent: `pipeline check` tests what it must do",
    some: "--out DIR keeps their records, which say how",
};

pub(crate) fn eval(arguments: &cli::EvalArgs) -> Result<(), Failure> {
    let export = Export::of(arguments.options.export.as_deref())?;
    let layout = Layout::new(&arguments.places.out);
    let mut finder = Finder::new(&arguments.places)?;
    let chosen = finder.choose(&arguments.agent, &arguments.setting)?;
    let starts = ad_hoc::starts(arguments.options.starts.as_ref())?;
    let seed = arguments.setting.seed.unwrap_or_else(|| chosen.seed());
    let (contenders, stored_rivals) = contenders(arguments, &mut finder, &layout, &chosen)?;
    let scratch = Scratch::new("retile-eval-").map_err(Failure::io)?;
    let folder = Layout::new(arguments.keep_in.as_deref().unwrap_or(scratch.path()));
    let (report, played) = games::play(&contenders, &finder, seed, &starts, arguments, &folder)?;
    let stored = if starts.is_empty() { games::stored(&layout)? } else { Vec::new() };
    let is_kept = arguments.keep_in.is_some();
    if let [ours, rivals @ ..] = &played[..] {
        let result = EvalResult::of(&chosen, (ours, rivals), &stored_rivals, &stored, is_kept);
        publish(&result, &result, export.as_ref(), arguments.playing.json)?;
    }
    outcome_with(&report, if is_kept { &KEPT } else { &NOT_KEPT })
}

/// The agent and those that play beside it, and the stored experiments to compare it with.
fn contenders(
    arguments: &cli::EvalArgs,
    finder: &mut Finder,
    layout: &Layout,
    chosen: &ChosenAgent,
) -> Result<(Vec<ChosenAgent>, Vec<AgentGames>), Failure> {
    let (mut contenders, mut stored_rivals) = (vec![chosen.clone()], Vec::new());
    for name in &arguments.against {
        // With settings of its own or other starts, its games are not those that are stored.
        let may_be_stored = spec(name)?.settings.is_empty() && arguments.options.starts.is_none();
        let stored = if may_be_stored { games::stored_experiment(layout, name)? } else { None };
        match stored {
            Some(stored) if stored.rules != chosen.rules => return Err(other_rules(name, &stored.rules)),
            Some(stored) => stored_rivals.push(stored),
            None => contenders.push(rival(finder, name, &arguments.setting, chosen)?),
        }
    }
    let is_other_build = |one: &ChosenAgent, other: &ChosenAgent| {
        one.agent.id == other.agent.id && one.plugin.file != other.plugin.file
    };
    for (place, one) in contenders.iter().enumerate() {
        if let Some(other) = contenders[..place].iter().find(|other| is_other_build(one, other)) {
            return Err(Failure::usage(format!(
                "{} and {} are two builds of agent `{}`: `pipeline compare` plays these against each other",
                other.label, one.label, one.agent.id
            )));
        }
    }
    Ok((contenders, stored_rivals))
}

/// Another agent under the same rules. It gets the budget if it takes one of that kind and has none of its
/// own.
fn rival(
    finder: &mut Finder,
    name: &str,
    setting: &Setting,
    chosen: &ChosenAgent,
) -> Result<ChosenAgent, Failure> {
    let mut own = Setting { params: Vec::new(), budget: None, ..setting.clone() };
    let mut rival = finder.choose(name, &own)?;
    if rival.experiment.is_none() && rival.agent.capabilities.takes(chosen.budget) {
        own.budget = Some(BudgetText::Exact(chosen.budget));
        rival = finder.choose(name, &own)?;
    }
    if rival.experiment.is_some() && setting.rules.is_empty() && rival.rules != chosen.rules {
        return Err(other_rules(name, &rival.rules));
    }
    Ok(ChosenAgent { rules: chosen.rules.clone(), ..rival })
}

/// A rival that plays by other rules than the agent.
fn other_rules(name: &str, rules: &engine::Rules) -> Failure {
    Failure::usage(format!(
        "--against {name}: its games are played by different rules, {}; give these with --rules {name}",
        serde_json::to_value(rules).unwrap_or_default()
    ))
}
