//! `pipeline compare`: two agents on the same seeds, until a sequential test decides.

use std::io::IsTerminal as _;

use engine::Rules;
use engine::agent::Budget;
use indicatif::ProgressBar;
use serde::Serialize;
use serde_json::Value;

use super::chosen_agent::{ChosenAgent, Finder};
use super::context::processors;
use super::{Failure, print_json, print_text};
use crate::cli::{self, Setting};
use crate::contest::{Contest, ContestResult, Contestant, Standing};
use rendering::tables::Cell;
use stats::{Comparison, Decision, Pairing, Sample, Sprt};
use verdict::format::{Scale, counted, plain};

/// What a contest came to, for scripts.
#[derive(Serialize)]
struct View<'a> {
    first: &'a Contestant,
    second: &'a Contestant,
    test: Sprt,
    bounds: (f64, f64),
    pairs: u64,
    standing: Standing,
    /// How the second's scores differ from the first's.
    scores: Option<Comparison>,
}

pub(crate) fn compare(arguments: &cli::Compare) -> Result<(), Failure> {
    let usage = |error: stats::NoTest| Failure::usage(error.to_string());
    let sprt = Sprt::new(arguments.elo0, arguments.elo1, arguments.alpha, arguments.beta).map_err(usage)?;
    let mut finder = Finder::new(&arguments.loading)?;
    let contestants = contestants(arguments, &mut finder)?;
    let bar = bar(arguments);
    let contest = Contest {
        contestants: &contestants,
        rules: &Rules::default(),
        seed: arguments.seed,
        sprt,
        limit: arguments.limit,
        jobs: arguments.jobs.map_or_else(processors, usize::from),
        launcher: &finder.launcher,
        on_pair: &|standing| bar.set_message(score_line(&standing)),
    };
    let outcome = contest.play();
    bar.finish_and_clear();
    let outcome = outcome?;
    let [first, second] = &contestants;
    let (bounds, standing) = (sprt.bounds(), outcome.standing);
    let view = View {
        first,
        second,
        test: sprt,
        bounds,
        pairs: standing.tally.pairs(),
        standing,
        scores: scores(&outcome),
    };
    if arguments.json {
        print_json(&plain(&view))?;
    } else {
        print_text(&text(arguments, &view))?;
    }
    // That the second is not shown to be stronger has been said.
    if standing.decision == Some(Decision::Stronger) { Ok(()) } else { Err(Failure::check("")) }
}

fn contestants(arguments: &cli::Compare, finder: &mut Finder) -> Result<[Contestant; 2], Failure> {
    let cli::Compare { first, second, params, params_a, params_b, budget, budget_a, budget_b, .. } =
        arguments;
    let mut contestant = |name: &str, own: &[(String, Value)], budget: Option<Budget>| {
        let params = params.iter().chain(own).cloned().collect();
        let setting = Setting { params, budget, rules: Vec::new(), seed: arguments.seed };
        let ChosenAgent { plugin, agent, params, budget, .. } = finder.choose(name, &setting)?;
        Ok::<_, Failure>(Contestant { plugin: plugin.file.clone(), agent: agent.id, params, budget })
    };
    Ok([
        contestant(first, params_a, budget_a.or(*budget))?,
        contestant(second, params_b, budget_b.or(*budget))?,
    ])
}

/// How the scores differ, by pairs.
fn scores(outcome: &ContestResult) -> Option<Comparison> {
    let side = |place: usize| Sample::new(outcome.scores.iter().map(|pair| f64::from(pair[place]))).ok();
    stats::compare(&side(0)?, &side(1)?, Pairing::SameSeeds).ok()
}

fn bar(arguments: &cli::Compare) -> ProgressBar {
    if arguments.quiet || arguments.json || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    ProgressBar::new_spinner()
}

fn score_line(standing: &Standing) -> String {
    let Standing { tally, llr, .. } = standing;
    let pairs = counted(tally.pairs(), "seed");
    format!(
        "{pairs}: {} won, {} tied, {} lost; log-likelihood ratio {llr:.2}",
        tally.wins, tally.ties, tally.losses
    )
}

/// A decision in words. One for elo1 says no more than that the difference is above elo0, and one for elo0 that it is below elo1.
fn decided(decision: Decision, [first, second]: &[String; 2], elo0: f64, elo1: f64) -> String {
    let (first, second) = (format!("{first} (A)"), format!("{second} (B)"));
    match decision {
        Decision::Stronger if elo0 >= 0.0 => {
            format!("{second} is stronger than {first}: {elo1} Elo rather than {elo0}.")
        }
        Decision::Stronger => {
            format!("{second} is not weaker than {first} by {} Elo: {elo1} rather than {elo0}.", -elo0)
        }
        Decision::NotStronger if elo1 > 0.0 => {
            format!("{second} is not stronger than {first} by {elo1} Elo: {elo0} rather than {elo1}.")
        }
        Decision::NotStronger => {
            format!("{second} is weaker than {first}: {elo0} Elo rather than {elo1}.")
        }
    }
}

/// What the two are called: where that is the same, with the parameters and budgets in which they differ.
fn names(arguments: &cli::Compare, view: &View<'_>) -> [String; 2] {
    let cli::Compare { first, second, .. } = arguments;
    if first != second {
        return [first.clone(), second.clone()];
    }
    [settings(view.first, view.second), settings(view.second, view.first)].map(|settings| {
        if settings.is_empty() { first.clone() } else { format!("{first} with {}", settings.join(", ")) }
    })
}

/// The settings in which an agent differs from another.
fn settings(one: &Contestant, other: &Contestant) -> Vec<String> {
    let params = one.params.iter().filter(|(name, value)| other.params.get(*name) != Some(value));
    let params = params.map(|(name, value)| match value.as_str() {
        Some(text) => format!("{name}={text}"),
        None => format!("{name}={value}"),
    });
    let budget = (one.budget != other.budget).then(|| format!("budget {}", one.budget));
    params.chain(budget).collect()
}

fn text(arguments: &cli::Compare, view: &View<'_>) -> String {
    let (low, high) = view.bounds;
    let decision = match view.standing.decision {
        Some(decision) => decided(decision, &names(arguments, view), arguments.elo0, arguments.elo1),
        None => format!("Undecided after {}; --limit allows more.", counted(view.pairs, "seed")),
    };
    let mut text =
        format!("{decision}\nB on {} (bounds {low:.2} and {high:.2})\n", score_line(&view.standing));
    if let Some(scores) = &view.scores {
        let mean = Cell::Estimate(scores.mean, Scale::Points).text();
        let superiority = Cell::Estimate(scores.superiority, Scale::Share).text();
        let correlation =
            scores.correlation.map(|correlation| format!(", correlation of pairs {:.2}", correlation.point));
        text.push_str(&format!(
            "mean score, B minus A: {mean}{}; P(B > A) {superiority}\n",
            correlation.unwrap_or_default()
        ));
        text.push_str("The test chose when to stop, so these intervals are a little too narrow.\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_says_no_more_than_the_hypotheses_do() {
        let names = ["old".to_owned(), "new".to_owned()];
        let words = |decision, elo0, elo1| decided(decision, &names, elo0, elo1);
        for (decision, elo0, elo1, said) in [
            (Decision::Stronger, 0.0, 10.0, "new (B) is stronger than old (A): 10 Elo rather than 0."),
            (
                Decision::Stronger,
                -10.0,
                0.0,
                "new (B) is not weaker than old (A) by 10 Elo: 0 rather than -10.",
            ),
            (
                Decision::NotStronger,
                0.0,
                10.0,
                "new (B) is not stronger than old (A) by 10 Elo: 0 rather than 10.",
            ),
            (Decision::NotStronger, -10.0, 0.0, "new (B) is weaker than old (A): -10 Elo rather than 0."),
        ] {
            assert_eq!(words(decision, elo0, elo1), said);
        }
    }
}
