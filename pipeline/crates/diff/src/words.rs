//! A diff in words and tables, the same for the terminal and for Markdown.

use super::searches;
use super::{Contrast, Diff, Effect, ExperimentDiff, FindingChange, State, TimeContrast, Verdicts};
use jobs::Difference;
use platform::plain::shortened;
use records::record::{Divergence, DivergenceKind};
use rendering::tables::{Cell, Table};
use stats::Pairing;
use text::{Scale, counted, thousands};
use verdict::{ConclusionStatus, Ruling};

/// The experiments that are not what they were, a row each; none where all are.
#[must_use]
pub fn overview(diff: &Diff) -> Option<Table> {
    let rows: Vec<Vec<Cell>> = diff
        .experiments
        .iter()
        .filter(|experiment| experiment.state != State::Identical)
        .map(overview_row)
        .collect();
    let header =
        ["experiment", "what", "games", "mean before", "mean after", "difference", "P(after > before)"];
    (!rows.is_empty()).then(|| table("Experiments", &header, rows))
}

fn overview_row(experiment: &ExperimentDiff) -> Vec<Cell> {
    let name = Cell::Text(experiment.experiment.to_string());
    let mut row = vec![name, Cell::Text(experiment.state.name().to_owned()), Cell::Text(games(experiment))];
    match &experiment.effect {
        Some(Effect { mean: Contrast { before, after, difference }, superiority, .. }) => {
            row.extend([before, after, difference].map(|estimate| Cell::Estimate(*estimate, Scale::Points)));
            row.push(Cell::Estimate(*superiority, Scale::Share));
        }
        None => row.extend([const { Cell::Empty }; 4]),
    }
    row
}

fn games(experiment: &ExperimentDiff) -> String {
    let count = |games: u64| thousands(games as f64);
    match (&experiment.before, &experiment.after) {
        (Some(before), Some(after)) if before.games == after.games => count(after.games),
        (Some(before), Some(after)) => format!("{} → {}", count(before.games), count(after.games)),
        (None, Some(only)) | (Some(only), None) => count(only.games),
        (None, None) => String::new(),
    }
}

/// All that a change did to an experiment, a number in each row; none where no number changed.
#[must_use]
pub fn details(experiment: &ExperimentDiff) -> Option<Table> {
    let mut rows = Vec::new();
    let mut push = |name: String, contrast: &Contrast, scale: Scale| {
        let Contrast { before, after, difference } = contrast;
        let cells = [before, after, difference].map(|estimate| Cell::Estimate(*estimate, scale));
        rows.push(std::iter::once(Cell::Text(name)).chain(cells).collect());
    };
    if let Some(effect) = &experiment.effect {
        push("mean score".to_owned(), &effect.mean, Scale::Points);
        push("median score".to_owned(), &effect.median, Scale::Points);
        for tile in &effect.tiles {
            push(format!("reaches {}", tile.tile), &tile.rate, Scale::Share);
        }
    }
    if let Some(nodes) = &experiment.nodes {
        push("nodes per move".to_owned(), nodes, Scale::Points);
    }
    let title = experiment.experiment.to_string();
    (!rows.is_empty()).then(|| table(&title, &["number", "before", "after", "difference"], rows))
}

/// What else there is to say of an experiment.
#[must_use]
pub fn notes(experiment: &ExperimentDiff) -> Vec<String> {
    let mut notes: Vec<String> = identity_note(&experiment.identity).into_iter().collect();
    match (&experiment.first_difference, &experiment.effect) {
        (Some(divergence), _) => notes.push(format!("first difference: {}", divergence_text(divergence))),
        (None, Some(effect)) if effect.pairing == Pairing::SameSeeds => {
            notes.push("no shared game differs".to_owned());
        }
        _ => {}
    }
    notes.extend(experiment.effect.as_ref().map(pairing_text));
    notes.extend(experiment.time.as_ref().map(time_text));
    notes
}

/// The parts of an identity that changed; none where none did.
pub(super) fn identity_note(identity: &[Difference]) -> Option<String> {
    // The signature follows from the rest, and says something only where it changed alone.
    let (signature, named): (Vec<_>, Vec<_>) =
        identity.iter().partition(|part| part.component == "signature");
    let shown = if named.is_empty() { signature } else { named };
    let part = |part: &Difference| {
        let [one, other] = [&part.one, &part.other].map(|value| shortened(value, LONGEST));
        format!("{}: {one} → {other}", part.component)
    };
    let parts: Vec<String> = shown.into_iter().map(part).collect();
    (!parts.is_empty()).then(|| format!("identity: {}", parts.join(", ")))
}

/// The longest value of an identity's part that is shown whole; signatures are longer.
const LONGEST: usize = 23;

fn divergence_text(divergence: &Divergence) -> String {
    let game = divergence.game;
    match divergence.parting {
        DivergenceKind::Move { number, one, other } => {
            format!("game {game}, move {number}: {one} before, {other} after")
        }
        DivergenceKind::Tile { number } => {
            format!("game {game}, move {number}: the same direction, then another tile before and after")
        }
        DivergenceKind::Length { one, other } => {
            format!(
                "game {game}: {} before, {other} after, identical up to there",
                counted(one.into(), "move")
            )
        }
        DivergenceKind::Outcome { one: (score, ending), other: (new_score, new_ending) } => {
            format!("game {game}: score {score}, {ending} before, score {new_score}, {new_ending} after")
        }
    }
}

fn pairing_text(effect: &Effect) -> String {
    let n = effect.mean.difference.n;
    match (effect.pairing, effect.correlation) {
        (Pairing::Independent, _) => {
            format!("different seeds: {} on both sides together, not paired", counted(n, "game"))
        }
        (Pairing::SameSeeds, None) => format!("{} of the same seed", counted(n, "pair")),
        (Pairing::SameSeeds, Some(correlation)) => format!(
            "{} of the same seed, whose scores correlate by {:.2} [{:.2}, {:.2}]",
            counted(n, "pair"),
            correlation.point,
            correlation.low,
            correlation.high
        ),
    }
}

fn time_text(time: &TimeContrast) -> String {
    let TimeContrast { ratio, same_machine, before, after } = time;
    let text = Cell::Estimate(*ratio, Scale::Ratio).text();
    if *same_machine {
        return format!("CPU time per move, after over before: {text}");
    }
    let (before, after) = (before.join("; "), after.join("; "));
    format!(
        "CPU time per move, after over before: {text}, but it depends on the machine: {before} before, {after} after"
    )
}

/// What came of all experiments and studies, in a sentence for each.
#[must_use]
pub fn summary(diff: &Diff) -> String {
    let experiments = summary_of_experiments(diff);
    match searches::sentence(&diff.studies) {
        Some(studies) => format!("{experiments} {studies}"),
        None => experiments,
    }
}

fn summary_of_experiments(diff: &Diff) -> String {
    if diff.experiments.is_empty() {
        return "Neither side has games.".to_owned();
    }
    let parts: Vec<String> =
        diff.counts.iter().map(|(state, count)| format!("{count} {}", state.name())).collect();
    format!("{}: {}.", counted(diff.experiments.len() as u64, "experiment"), parts.join(", "))
}

/// What became of the verdicts, a line each.
#[must_use]
pub fn verdict_lines(diff: &Diff) -> Vec<String> {
    if let Some(reason) = &diff.verdicts.not_compared {
        return vec![format!("not compared: {reason}")];
    }
    let word = |ruling: Option<Ruling>| ruling.map_or("absent", Ruling::name);
    let line = |change: &verdict::Change| {
        format!("{}: {} → {}", change.claim, word(change.before), word(change.now))
    };
    let standing = |standing: Option<ConclusionStatus>| standing.map_or("absent", ConclusionStatus::name);
    let finding = |change: &FindingChange| {
        let FindingChange { paper, text, before, now } = change;
        format!("{paper}: \"{text}\": {} → {}", standing(*before), standing(*now))
    };
    let stored =
        |label: &String| format!("{label}: verdicts as stored, since this program cannot read the manifests");
    let Verdicts { changes, findings, as_stored, .. } = &diff.verdicts;
    as_stored.iter().map(stored).chain(changes.iter().map(line)).chain(findings.iter().map(finding)).collect()
}

pub(super) fn table(title: &str, header: &[&str], rows: Vec<Vec<Cell>>) -> Table {
    Table {
        id: String::new(),
        title: title.to_owned(),
        caption: String::new(),
        header: header.iter().map(|&heading| heading.to_owned()).collect(),
        rows,
    }
}
