//! `pipeline eval`: how an agent does, without a config.
//!
//! The games go the way of all others, through a plan and its workers; only the manifest is made here.

mod evaluation;
mod histogram;
mod played;
mod show;
mod standing;

use std::path::Path;

use super::Failure;
use super::run::{Advice, outcome_with};
use crate::cli::{self, Setting};
use crate::lookup::ad_hoc;
use crate::lookup::chosen_agent::ChosenAgent;
use crate::lookup::finder::{Finder, spec};
use crate::naming::BudgetText;
use crate::output::export::{Export, publish};
use evaluation::Evaluation;
use platform::scratch::Scratch;
use records::layout::Layout;
use standing::Stored;

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
    let export = Export::of(arguments.options.export.as_deref())?;
    let layout = Layout::new(&arguments.places.out);
    let mut finder = Finder::new(&arguments.places)?;
    let chosen = finder.choose(&arguments.agent, &arguments.setting)?;
    let starts = ad_hoc::starts(arguments.options.starts.as_ref())?;
    let seed = arguments.setting.seed.unwrap_or_else(|| chosen.seed());
    let (contenders, stored_rivals) = contenders(arguments, &mut finder, &layout, &chosen)?;
    let folder = Folder::of(arguments.keep_in.as_deref())?;
    let (report, played) = played::play(&contenders, &finder, seed, &starts, arguments, &folder.layout)?;
    let stored = if starts.is_empty() { standing::stored(&layout)? } else { Vec::new() };
    let advice = if arguments.keep_in.is_some() { &KEPT } else { &NOT_KEPT };
    let [ours, rivals @ ..] = &played[..] else { return outcome_with(&report, advice) };
    let evaluation = Evaluation::of(&chosen, seed, arguments, ours, rivals, &stored_rivals, &stored);
    publish(&evaluation, &evaluation, export.as_ref(), arguments.playing.json)?;
    outcome_with(&report, advice)
}

/// The agent and those that play beside it, and the stored experiments to compare it with.
fn contenders(
    arguments: &cli::Eval,
    finder: &mut Finder,
    layout: &Layout,
    chosen: &ChosenAgent,
) -> Result<(Vec<ChosenAgent>, Vec<Stored>), Failure> {
    let (mut contenders, mut stored_rivals) = (vec![chosen.clone()], Vec::new());
    for name in &arguments.against {
        // What has settings of its own, or begins elsewhere, is not what is stored.
        let may_be_stored = spec(name)?.settings.is_empty() && arguments.options.starts.is_none();
        let stored = if may_be_stored { standing::stored_experiment(layout, name)? } else { None };
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

/// Another agent under the same rules. It gets the budget if it takes one of that kind and has none of its own.
fn rival(
    finder: &mut Finder,
    name: &str,
    setting: &Setting,
    chosen: &ChosenAgent,
) -> Result<ChosenAgent, Failure> {
    let own = finder.choose_with(name, &[], None, &setting.rules)?;
    let rival = match own.experiment {
        None if own.agent.capabilities.takes(chosen.budget) => {
            finder.choose_with(name, &[], Some(BudgetText::Exact(chosen.budget)), &setting.rules)?
        }
        _ => own,
    };
    if rival.experiment.is_some() && setting.rules.is_empty() && rival.rules != chosen.rules {
        return Err(other_rules(name, &rival.rules));
    }
    Ok(ChosenAgent { rules: chosen.rules.clone(), ..rival })
}

/// A rival whose games cannot stand beside the agent's.
fn other_rules(name: &str, rules: &engine::Rules) -> Failure {
    Failure::usage(format!(
        "--against {name}: its games are played by different rules, {}; give these with --rules {name}",
        serde_json::to_value(rules).unwrap_or_default()
    ))
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
