//! From studies as written to checked ones. What can be told while a manifest is read is told here; what its agent says of the space comes
//! later, with the agents.

use std::collections::BTreeSet;

use engine::abi::host::is_identifier;
use engine::agent::Budget;
use search::Evaluation;

use super::check::{PaperContext, check_budget, check_id, check_plain, note_ids};
use super::check_method::method;
use super::check_space::{Searched, points, searched};
use super::document::Entry;
use super::field_checks::{Checked, filled_if_given, named_if_given, one_to, wrong};
use super::limits::{LONGEST_MOVE_MS, MOST_GAMES, MOST_GAMES_OF_A_TRIAL, MOST_WINNERS};
use super::problems::Problems;
use super::raw::RawSeed;
use super::raw_study::{RawStudy, RawWinners};
use super::winners::named_by;
use super::words::counted;
use super::{
    Claim, ClaimKind, DEFAULT_FAULT_SHARE, DEFAULT_MOVE_LIMIT_MS, DEFAULT_SEED, Objective, SearchMethod,
    Study, Winners,
};

pub(super) fn study(mut raw: RawStudy, context: &PaperContext<'_>) -> Checked<Study> {
    let seed = raw.seed.as_ref().map_or(DEFAULT_SEED, |RawSeed(seed)| *seed);
    let move_limit_ms = raw.move_limit_ms.unwrap_or(DEFAULT_MOVE_LIMIT_MS);
    let evaluation = Evaluation { games: raw.games, seeds: raw.seeds };
    check_single_keys(&raw)?;
    check_winners(&raw.winners, seed)?;
    one_to("move_limit_ms", move_limit_ms, LONGEST_MOVE_MS, "allow")?;
    let conditional_on = note_ids("conditional_on", &raw.conditional_on, context.names)?;
    let files = std::mem::take(&mut raw.files).check(context)?;
    let rules = context.rules_with(std::mem::take(&mut raw.rules))?;
    let Searched { space, choices } = searched(raw.space, &raw.params)?;
    let method = method(raw.method, &raw.objectives, evaluation)?;
    let winners =
        Winners { best: raw.winners.best as usize, games: raw.winners.games, seed: raw.winners.seed.0 };
    check_best(winners.best, points(&space), &method)?;
    Ok(Study {
        id: raw.id,
        name: raw.name,
        agent: raw.agent,
        params: raw.params,
        files,
        budget: raw.budget,
        rules,
        seed,
        space,
        choices,
        objectives: raw.objectives,
        evaluation,
        method,
        winners,
        set: raw.set,
        note: raw.note,
        conditional_on,
        move_limit_ms,
        fault_share: raw.fault_share.unwrap_or(DEFAULT_FAULT_SHARE),
        variant: raw.variant,
    })
}

/// Checks the keys of which each can be told by itself.
fn check_single_keys(raw: &RawStudy) -> Checked {
    check_id("id", &raw.id)?;
    named_if_given("name", raw.name.as_deref())?;
    check_id("agent", &raw.agent)?;
    check_plain("params", "params", &raw.params)?;
    check_counted(raw.budget)?;
    check_objectives(&raw.objectives)?;
    one_to("games", raw.games, MOST_GAMES_OF_A_TRIAL, "ask for")?;
    filled_if_given("note", raw.note.as_deref())
}

/// A budget that is a count. What a clock allows differs from run to run.
fn check_counted(budget: Budget) -> Checked {
    if let Budget::TimeNs(_) = budget {
        let problem = format!("is {budget}: a study must reproduce, so give plies, nodes or playouts");
        return Err(wrong("budget", problem));
    }
    check_budget(budget)
}

fn check_objectives(objectives: &[Objective]) -> Checked {
    if objectives.is_empty() {
        return Err(wrong("objectives", "is empty: name `score`, `cost` or both"));
    }
    let is_twice = |(before, one): (usize, &Objective)| objectives[..before].contains(one);
    if objectives.iter().enumerate().any(is_twice) {
        return Err(wrong("objectives", "names one twice: remove it"));
    }
    Ok(())
}

fn check_winners(winners: &RawWinners, seed: u64) -> Checked {
    one_to("winners.best", winners.best, MOST_WINNERS, "ask for")?;
    one_to("winners.games", winners.games, MOST_GAMES, "ask for")?;
    if winners.seed.0 == seed {
        let problem = "is the study's own: give another one, so that the winners are played on games that the search never saw";
        return Err(wrong("winners.seed", problem));
    }
    Ok(())
}

/// Checks that there can be so many winners.
fn check_best(best: usize, points: f64, method: &SearchMethod) -> Checked {
    let (best, tried) = (best as u64, method.most_points());
    if best as f64 > points {
        let problem = format!("is {best}, and the space has only {points} points: ask for at most {points}");
        return Err(wrong("winners.best", problem));
    }
    if best > tried {
        let points = counted(tried, "point");
        let problem = format!("is {best}, and the method tries at most {points}: ask for at most {tried}");
        return Err(wrong("winners.best", problem));
    }
    Ok(())
}

/// Checks that the experiments that studies stand for can have their names: short enough, and nobody else's.
pub(super) fn check_names(studies: &[Entry<'_>], taken: &BTreeSet<&str>, problems: &mut Problems<'_>) {
    for study in studies.iter().filter(|study| study.id().is_some_and(is_identifier)) {
        problems.take(study, check_winner_names(study, taken));
    }
}

fn check_winner_names(study: &Entry<'_>, taken: &BTreeSet<&str>) -> Checked {
    let names = named_by(study);
    if let Some(long) = names.iter().find(|id| !is_identifier(id)) {
        let problem = format!(
            "is too long: its winners are played as experiments such as `{long}`, of at most 64 characters"
        );
        return Err(wrong("id", problem));
    }
    match names.iter().find(|id| taken.contains(id.as_str())) {
        Some(taken) => {
            let problem = format!("stands for experiment `{taken}` too, and that id is taken: rename one");
            Err(wrong("id", problem))
        }
        None => Ok(()),
    }
}

/// Checks claims on ways to search: what is compared searches the same, so that only the way differs.
pub(super) fn check_compared(
    entries: &[Entry<'_>],
    claims: &[Claim],
    studies: &[Study],
    problems: &mut Problems<'_>,
) {
    let study = |id: &String| studies.iter().find(|study| study.id == *id);
    for claim in claims {
        let ClaimKind::OrdinalOfStudies { better, worse, .. } = &claim.kind else { continue };
        let Some(entry) = entries.iter().find(|entry| entry.id() == Some(&claim.id)) else { continue };
        // Studies that are wrong themselves are not here.
        let pairs = better.iter().zip(worse).filter_map(|(one, other)| Some((study(one)?, study(other)?)));
        let mut checks = pairs.map(|(one, other)| {
            check_two_objectives(one)?;
            check_alike(one, other)
        });
        problems.take(entry, checks.try_for_each(|checked| checked));
    }
}

/// A front and its hypervolume need two objectives.
fn check_two_objectives(study: &Study) -> Checked {
    if study.objectives.len() == 2 {
        return Ok(());
    }
    let problem = format!(
        "names study `{}`, which has one objective and so no front: give it both, or compare experiments that play winners",
        study.id
    );
    Err(wrong("better_studies", problem))
}

fn check_alike(one: &Study, other: &Study) -> Checked {
    let differences = [
        ("agent", one.agent != other.agent),
        ("params", one.params != other.params),
        ("files", one.files != other.files),
        ("budget", one.budget != other.budget),
        ("rules", one.rules != other.rules),
        ("space", one.space != other.space || one.choices != other.choices),
        ("objectives", one.objectives != other.objectives),
    ];
    let Some((key, _)) = differences.into_iter().find(|&(_, differs)| differs) else { return Ok(()) };
    let (one, other) = (&one.id, &other.id);
    let problem =
        format!("compares study `{other}` with `{one}`, whose `{key}` differs: let only the method differ");
    Err(wrong("worse_studies", problem))
}
