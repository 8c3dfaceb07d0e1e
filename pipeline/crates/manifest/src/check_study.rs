//! From studies as written to checked ones. What can be told while a manifest is read is told here; what its
//! agent says of the space comes later, with the agents.

use std::collections::BTreeSet;

use engine::abi::host::is_identifier;
use engine::agent::Budget;
use search::{Seeds, TrialEvaluation};
use text::counted;

use super::check::PaperContext;
use super::check_space::{SearchedSpace, points, searched};
use super::document::RawEntry;
use super::field_checks::{Checked, wrong, wrong_within};
use super::limits::MOST_GAMES_OF_A_STUDY;
use super::problems::Problems;
use super::raw_study::RawStudy;
use super::winners::named_by;
use super::{Claim, ClaimKind, Objective, SearchMethod, Study, files};

pub(super) fn study(mut raw: RawStudy, context: &PaperContext<'_>) -> Checked<Study> {
    let evaluation = TrialEvaluation { games: raw.games, seeds: raw.seeds };
    let budget = raw.budget;
    // What a clock allows differs from run to run.
    if matches!(budget, Budget::TimeNs(_)) {
        let problem = format!("is {budget}: a study must reproduce, so give plies, nodes or playouts");
        return Err(wrong("budget", problem));
    }
    if let [one, other] = raw.objectives[..]
        && one == other
    {
        return Err(wrong("objectives", "names one twice: remove it"));
    }
    if raw.winners.seed == raw.seed {
        let problem = "is the study's own: give another one, so that the winners are played on games that the search never saw";
        return Err(wrong("winners.seed", problem));
    }
    files::check(&mut raw.files, context)?;
    context.check_common(&raw.conditional_on, &raw.rules)?;
    let SearchedSpace { space, choices } = searched(raw.space, &raw.params)?;
    raw.method.set_games(evaluation.games);
    check_method(&raw.method, &raw.objectives, evaluation)?;
    check_best(raw.winners.best as u64, points(&space), &raw.method)?;
    Ok(Study {
        id: raw.id,
        name: raw.name,
        agent: raw.agent,
        params: raw.params,
        files: raw.files,
        budget: raw.budget,
        rules: raw.rules,
        seed: raw.seed,
        space,
        choices,
        objectives: raw.objectives,
        evaluation,
        method: raw.method,
        winners: raw.winners,
        set: raw.set,
        note: raw.note,
        conditional_on: raw.conditional_on,
        move_limit_ms: raw.move_limit_ms,
        fault_share: raw.fault_share,
        variant: raw.variant,
    })
}

/// Checks that a method's settings fit each other, and its study's objectives, games and size.
fn check_method(method: &SearchMethod, objectives: &[Objective], evaluation: TrialEvaluation) -> Checked {
    let kind = method.kind();
    let refuse = |setting: &str, problem: String| {
        wrong_within("method", &format!("method.{setting}"), format!("of kind `{kind}`: {problem}"))
    };
    method.check().map_err(|error| refuse(error.setting, error.to_string()))?;
    let facts = method.facts();
    if facts.takes_one_objective && objectives.len() > 1 {
        let problem = format!("has two, and method `{kind}` takes one: remove one, or use another method");
        return Err(wrong("objectives", problem));
    }
    if facts.needs_common_games && evaluation.seeds != Seeds::Common {
        let problem = format!("must be \"common\" in a {kind}, whose test compares points on the same games");
        return Err(wrong("seeds", problem));
    }
    let trials = facts.most_trials;
    let games = facts.most_games.unwrap_or_else(|| trials.saturating_mul(evaluation.games));
    for (count, noun, most) in
        [(trials, "trials", facts.trial_limit), (games, "games", MOST_GAMES_OF_A_STUDY)]
    {
        if count > most {
            return Err(refuse("kind", format!("it comes to {count} {noun}: ask for at most {most}")));
        }
    }
    Ok(())
}

/// Checks that there can be so many winners.
fn check_best(best: u64, points: f64, method: &SearchMethod) -> Checked {
    let tried = method.facts().most_points;
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
pub(super) fn check_names(studies: &[RawEntry<'_>], taken: &BTreeSet<&str>, problems: &mut Problems<'_>) {
    for study in studies.iter().filter(|study| study.id().is_some_and(is_identifier)) {
        problems.take(study, check_winner_names(study, taken));
    }
}

fn check_winner_names(study: &RawEntry<'_>, taken: &BTreeSet<&str>) -> Checked {
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
    entries: &[RawEntry<'_>],
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
