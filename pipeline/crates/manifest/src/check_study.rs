//! From studies as written to checked ones. What can be told while a manifest is read is told here; what its agent says of the space comes
//! later, with the agents.

use std::collections::BTreeSet;

use engine::Rules;
use engine::abi::host::is_identifier;
use engine::agent::Budget;
use search::Evaluation;

use super::check::{Known, check_budget, check_id, check_plain, check_rules, note_ids};
use super::check_method::{Around, method};
use super::check_space::{Searched, points, searched};
use super::document::{Entry, Said};
use super::limits::{LONGEST_MOVE_MS, MOST_GAMES, MOST_GAMES_OF_A_TRIAL, MOST_WINNERS};
use super::place::{Checked, Place, all};
use super::problems::Problems;
use super::raw::RawSeed;
use super::raw_study::{RawStudy, RawWinners};
use super::winners::named_by;
use super::words::counted;
use super::{
    Claim, ClaimKind, DEFAULT_FAULT_SHARE, DEFAULT_MOVE_LIMIT_MS, DEFAULT_SEED, Objective, SearchMethod,
    Study, Winners,
};

pub(super) fn study(place: &Place<'_>, mut raw: RawStudy, known: &Known<'_>) -> Checked<Study> {
    let rules = std::mem::take(&mut raw.rules).over(known.rules.unwrap_or(&Rules::default()));
    let seed = raw.seed.as_ref().map_or(DEFAULT_SEED, |RawSeed(seed)| *seed);
    let move_limit_ms = raw.move_limit_ms.unwrap_or(DEFAULT_MOVE_LIMIT_MS);
    let evaluation = Evaluation { games: raw.games, seeds: raw.seeds.into() };
    let checked = all([
        check_single_keys(place, &raw),
        if known.rules.is_some() { check_rules(place, &rules) } else { Ok(()) },
        check_winners(place, &raw.winners, seed),
        place.one_to("move_limit_ms", move_limit_ms, LONGEST_MOVE_MS, "allow"),
    ]);
    let conditional_on = note_ids(place, "conditional_on", &raw.conditional_on, known.names);
    let files = std::mem::take(&mut raw.files).check(place, known);
    let searched = searched(place, raw.space, &raw.params);
    let method = method(place, raw.method, &Around { objectives: &raw.objectives, evaluation });
    let (Searched { space, choices }, method) = (searched?, method?);
    let winners =
        Winners { best: raw.winners.best as usize, games: raw.winners.games, seed: raw.winners.seed.0 };
    checked?;
    check_best(place, winners.best, points(&space), &method)?;
    Ok(Study {
        id: raw.id,
        name: raw.name,
        agent: raw.agent,
        params: raw.params,
        files: files?,
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
        conditional_on: conditional_on?,
        move_limit_ms,
        fault_share: raw.fault_share.unwrap_or(DEFAULT_FAULT_SHARE),
        variant: raw.variant,
    })
}

/// Checks the keys of which each can be told by itself.
fn check_single_keys(place: &Place<'_>, raw: &RawStudy) -> Checked {
    all([
        check_id(place, "id", &raw.id),
        place.named_if_given("name", raw.name.as_deref()),
        check_id(place, "agent", &raw.agent),
        check_plain(place, "params", "params", &raw.params),
        check_counted(place, raw.budget),
        check_objectives(place, &raw.objectives),
        place.one_to("games", raw.games, MOST_GAMES_OF_A_TRIAL, "ask for"),
        place.filled_if_given("note", raw.note.as_deref()),
    ])
}

/// A budget that is a count. What a clock allows differs from run to run.
fn check_counted(place: &Place<'_>, budget: Budget) -> Checked {
    if let Budget::TimeNs(_) = budget {
        let problem = format!("is {budget}: a study must reproduce, so give plies, nodes or playouts");
        return Err(place.wrong("budget", problem));
    }
    check_budget(place, budget)
}

fn check_objectives(place: &Place<'_>, objectives: &[Objective]) -> Checked {
    if objectives.is_empty() {
        return Err(place.wrong("objectives", "is empty: name `score`, `cost` or both"));
    }
    let is_twice = |(before, one): (usize, &Objective)| objectives[..before].contains(one);
    if objectives.iter().enumerate().any(is_twice) {
        return Err(place.wrong("objectives", "names one twice: remove it"));
    }
    Ok(())
}

fn check_winners(place: &Place<'_>, winners: &RawWinners, seed: u64) -> Checked {
    let is_apart = if winners.seed.0 == seed {
        let problem = "is the study's own: give another one, so that the winners are played on games that the search never saw";
        Err(place.wrong("winners.seed", problem))
    } else {
        Ok(())
    };
    all([
        place.one_to("winners.best", winners.best, MOST_WINNERS, "ask for"),
        place.one_to("winners.games", winners.games, MOST_GAMES, "ask for"),
        is_apart,
    ])
}

/// Checks that there can be so many winners.
fn check_best(place: &Place<'_>, best: usize, points: f64, method: &SearchMethod) -> Checked {
    let (best, tried) = (best as u64, method.most_points());
    if best as f64 > points {
        let problem = format!("is {best}, and the space has only {points} points: ask for at most {points}");
        return Err(place.wrong("winners.best", problem));
    }
    if best > tried {
        let points = counted(tried, "point");
        let problem = format!("is {best}, and the method tries at most {points}: ask for at most {tried}");
        return Err(place.wrong("winners.best", problem));
    }
    Ok(())
}

/// Checks that the experiments that studies stand for can have their names: short enough, and nobody else's.
pub(super) fn check_names(studies: &[Entry<'_>], taken: &BTreeSet<&str>, problems: &mut Problems<'_>) {
    for study in studies.iter().filter(|study| study.id().is_some_and(is_identifier)) {
        let place = problems.place(study.subject.clone());
        let stood_for = named_by(study);
        if let Some(long) = stood_for.iter().find(|id| !is_identifier(id)) {
            let problem = format!(
                "is too long: its winners are played as experiments such as `{long}`, of at most 64 characters"
            );
            place.wrong("id", problem);
        } else if let Some(taken) = stood_for.iter().find(|id| taken.contains(id.as_str())) {
            let problem = format!("stands for experiment `{taken}` too, and that id is taken: rename one");
            place.wrong("id", problem);
        }
        problems.keep(study, place, &Said::default());
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
        let place = problems.place(entry.subject.clone());
        for (one, other) in better.iter().zip(worse) {
            // Those that are not here are wrong themselves.
            let (Some(one), Some(other)) = (study(one), study(other)) else { continue };
            let _ = all([check_two_objectives(&place, one), check_alike(&place, one, other)]);
        }
        problems.keep(entry, place, &Said::default());
    }
}

/// A front and its hypervolume need two objectives.
fn check_two_objectives(place: &Place<'_>, study: &Study) -> Checked {
    if study.objectives.len() == 2 {
        return Ok(());
    }
    let problem = format!(
        "names study `{}`, which has one objective and so no front: give it both, or compare experiments that play winners",
        study.id
    );
    Err(place.wrong("better_studies", problem))
}

fn check_alike(place: &Place<'_>, one: &Study, other: &Study) -> Checked {
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
    Err(place.wrong("worse_studies", problem))
}
