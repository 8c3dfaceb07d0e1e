//! A diff in words and tables, the same for the terminal and for Markdown; and the Markdown for a pull
//! request: what matters first, the rest folded away.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::{
    Contrast, Diff, DiffState, Effect, FindingChange, JobDiff, StoredResult, TimeContrast, Verdicts,
};
use jobs::Difference;
use platform::plain::{line, markdown as escape, shortened};
use records::EXPERIMENT;
use rendering::tables::{Cell, Table};
use serde_json::Value;
use stats::Pairing;
use text::{Scale, capitalised, counted, thousands};
use verdict::{ConclusionStatus, Ruling};

/// The jobs of a kind that changed, a row each; `None` if there are none.
pub fn overview(jobs: &[JobDiff]) -> Option<Table> {
    let changed: Vec<&JobDiff> = jobs.iter().filter(|job| job.state != DiffState::Identical).collect();
    let words = changed.first()?.words;
    let rows = format!("{}s", words.row);
    let mut header = vec![words.kind.to_owned(), "what".to_owned(), rows];
    // Experiments have scores, other kinds the details of each side.
    let details: BTreeSet<&String> = changed.iter().flat_map(|job| names_of_details(job)).collect();
    match changed[0].games.is_some() {
        true => {
            header.extend(["mean before", "mean after", "difference", "P(after > before)"].map(str::to_owned))
        }
        false => {
            details.iter().for_each(|name| header.extend([format!("{name} before"), format!("{name} after")]))
        }
    }
    let rows = changed.iter().map(|job| overview_row(job, &details)).collect();
    Some(Table { title: capitalised(words.kinds), header, rows, ..Table::default() })
}

fn names_of_details(job: &JobDiff) -> impl Iterator<Item = &String> {
    [&job.before, &job.after].into_iter().flatten().flat_map(|side| side.details.keys())
}

fn overview_row(job: &JobDiff, details: &BTreeSet<&String>) -> Vec<Cell> {
    let name = Cell::Text(job.key.to_string());
    let mut row = vec![name, Cell::Text(job.state.text(job.words)), Cell::Text(rows(job))];
    match (&job.games, job.effect()) {
        (Some(_), Some(Effect { mean: Contrast { before, after, difference }, superiority, .. })) => {
            row.extend([before, after, difference].map(|estimate| Cell::Estimate(*estimate, Scale::Points)));
            row.push(Cell::Estimate(*superiority, Scale::Share));
        }
        (Some(_), None) => row.extend([const { Cell::Empty }; 4]),
        (None, _) => {
            for name in details {
                let cell = |side: &Option<StoredResult>| detail(side.as_ref()?.details.get(*name)?);
                row.extend([&job.before, &job.after].map(|side| cell(side).unwrap_or(Cell::Empty)));
            }
        }
    }
    row
}

/// A detail of one side, for people: an estimate by its number and interval, a hash by its first digits.
fn detail(value: &Value) -> Option<Cell> {
    let number = |value: &Value| value.as_f64().map(|number| thousands(number.round()));
    match value {
        Value::Null => None,
        Value::String(text) => Some(Cell::Text(shortened(text, LONGEST))),
        Value::Object(estimate) => {
            let ends = ["low", "high"].map(|end| estimate.get(end).and_then(number));
            let point = number(estimate.get("point")?)?;
            let [low, high] = ends.map(|end| end.unwrap_or_else(|| "∞".to_owned()));
            Some(Cell::Text(format!("{point} [{low}, {high}]")))
        }
        other => Some(Cell::Text(number(other).unwrap_or_else(|| other.to_string()))),
    }
}

fn rows(job: &JobDiff) -> String {
    let count = |side: &StoredResult| thousands(side.rows as f64);
    match (&job.before, &job.after) {
        (Some(before), Some(after)) if before.rows != after.rows => {
            format!("{} → {}", count(before), count(after))
        }
        (Some(only), _) | (None, Some(only)) => count(only),
        (None, None) => String::new(),
    }
}

/// All numbers of an experiment that changed, a row each; `None` if there are none.
pub fn details(job: &JobDiff) -> Option<Table> {
    let games = job.games.as_ref()?;
    let mut rows = Vec::new();
    let mut push = |name: String, contrast: &Contrast, scale: Scale| {
        let Contrast { before, after, difference } = contrast;
        let cells = [before, after, difference].map(|estimate| Cell::Estimate(*estimate, scale));
        rows.push(std::iter::once(Cell::Text(name)).chain(cells).collect());
    };
    if let Some(effect) = &games.effect {
        push("mean score".to_owned(), &effect.mean, Scale::Points);
        push("median score".to_owned(), &effect.median, Scale::Points);
        for tile in &effect.tiles {
            push(format!("reaches {}", tile.tile), &tile.rate, Scale::Share);
        }
    }
    if let Some(nodes) = &games.nodes {
        push("nodes per move".to_owned(), nodes, Scale::Points);
    }
    let header = ["number", "before", "after", "difference"].map(str::to_owned).to_vec();
    (!rows.is_empty()).then(|| Table { title: job.key.to_string(), header, rows, ..Table::default() })
}

/// More about a job, a line each.
pub fn notes(job: &JobDiff) -> Vec<String> {
    let mut notes: Vec<String> = identity_note(&job.identity).into_iter().collect();
    match (&job.first_difference, job.effect()) {
        (Some(first), _) => notes.push(format!("first difference: {}", first.text)),
        (None, Some(effect)) if effect.pairing == Pairing::SameSeeds => {
            notes.push("no shared game differs".to_owned());
        }
        _ => {}
    }
    notes.extend(job.effect().map(pairing_text));
    notes.extend(job.games.as_ref().and_then(|games| games.time.as_ref()).map(time_text));
    notes
}

/// The parts of an identity that changed.
fn identity_note(identity: &[Difference]) -> Option<String> {
    // The signature follows from the rest, and says something only if it changed alone.
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

/// How many jobs are in which state, in a sentence for each kind.
pub fn summary(diff: &Diff) -> String {
    let sentence = |jobs: &Vec<JobDiff>| {
        let mut counts: BTreeMap<DiffState, u64> = BTreeMap::new();
        jobs.iter().for_each(|job| *counts.entry(job.state).or_default() += 1);
        let words = jobs.first()?.words;
        let parts: Vec<String> =
            counts.iter().map(|(state, count)| format!("{count} {}", state.text(words))).collect();
        Some(format!("{}: {}.", counted(jobs.len() as u64, words.kind), parts.join(", ")))
    };
    let has_games = diff.jobs.get(EXPERIMENT.kinds).is_some_and(|experiments| !experiments.is_empty());
    let none = (!has_games).then(|| "Neither side has games.".to_owned());
    none.into_iter().chain(diff.jobs.values().filter_map(sentence)).collect::<Vec<_>>().join(" ")
}

/// The changes of verdicts, a line each.
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

/// The diff as Markdown.
pub fn markdown(diff: &Diff) -> String {
    let mut text = format!(
        "### Results: {} → {}\n\n{}\n",
        code(&diff.before.label),
        code(&diff.after.label),
        summary(diff)
    );
    for jobs in diff.jobs.values() {
        if let Some(table) = overview(jobs) {
            let _ = write!(text, "\n{}\nBrackets show 95 % intervals.\n", table.markdown());
        }
        jobs.iter().for_each(|job| text.push_str(&section(job)));
    }
    let verdicts = verdict_lines(diff);
    if !verdicts.is_empty() {
        text.push_str("\n**Verdicts**\n\n");
        verdicts.iter().for_each(|line| text.push_str(&format!("- {}\n", escape(line))));
    }
    text
}

/// All about one job, folded; empty if there is nothing to tell.
fn section(job: &JobDiff) -> String {
    let (details, notes) = (details(job), notes(job));
    if details.is_none() && notes.is_empty() {
        return String::new();
    }
    let (key, state) = (&job.key, job.state.text(job.words));
    let mut text = format!("\n<details><summary>{}: {state}</summary>\n\n", escape(&key.to_string()));
    notes.iter().for_each(|note| text.push_str(&format!("- {}\n", escape(note))));
    if let Some(table) = details {
        let _ = write!(text, "\n{}", table.markdown());
    }
    text.push_str("\n</details>\n");
    text
}

fn code(label: &str) -> String {
    format!("`{}`", line(label).replace('`', "'"))
}
