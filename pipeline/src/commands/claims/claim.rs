//! `pipeline claims PAPER/CLAIM`: one claim with all that its verdict rests on, and the commands that show
//! it.

use std::fmt::Write as _;

use crate::output::style::Style;
use jobs::Key;
use manifest::{Claim, ClaimKind, Paper, PublishedN};
use platform::plain;
use stats::{LEVEL, POWER};
use text::counted;
use verdict::evidence::Evidence;
use verdict::{Grounds, JudgedConclusion, Part, Verdict};

/// How wide a paragraph is.
const WIDTH: usize = 100;
/// What stands before a line that belongs to a heading.
const MARGIN: &str = "    ";

/// All verdicts and findings, among which a claim stands.
pub(super) struct ClaimContext<'a> {
    pub(super) verdicts: &'a [Verdict<'a>],
    pub(super) concluded: &'a [JudgedConclusion<'a>],
    pub(super) evidence: &'a Evidence,
}

impl ClaimContext<'_> {
    /// A claim, whole.
    pub(super) fn text(&self, verdict: &Verdict<'_>, style: Style) -> String {
        let Style { bold, plain, .. } = style;
        let Verdict { paper, claim, ruling, .. } = verdict;
        let mut text = format!("{bold}{}/{}: {ruling}{plain}\n", paper.id, claim.id);
        paragraph(&mut text, "", &format!("{} ({}, {})", claim.text, paper.citation.title, claim.place));
        section(&mut text, style, "Why", &[verdict.sentence()]);
        section(&mut text, style, "Numbers", &numbers(verdict));
        section(&mut text, style, "Read as", &self.readings(verdict));
        section(&mut text, style, "Decided where the paper leaves it open", &notes(paper, claim));
        self.games(&mut text, verdict, style);
        section(&mut text, style, "Findings that rest on it", &self.findings(verdict));
        text
    }

    /// The interpretations under which it applies, and the verdicts on other readings of the same statement.
    fn readings(&self, verdict: &Verdict<'_>) -> Vec<String> {
        let Verdict { paper, claim, .. } = verdict;
        let names = |claim: &Claim| {
            let is_under = |each: &&manifest::Interpretation| claim.is_under(&each.id);
            let under: Vec<&str> =
                paper.interpretations.iter().filter(is_under).map(|each| each.name.as_str()).collect();
            under.join("; ")
        };
        if !claim.is_tested_under_interpretations() {
            return Vec::new();
        }
        let is_other = |other: &&Verdict<'_>| {
            other.paper.id == paper.id
                && other.claim.id != claim.id
                && other.claim.statement() == claim.statement()
        };
        let others = self.verdicts.iter().filter(is_other);
        let other = |other: &Verdict<'_>| {
            format!("{}/{}: {} ({})", paper.id, other.claim.id, other.ruling, names(other.claim))
        };
        std::iter::once(names(claim)).chain(others.map(other)).filter(|line| !line.is_empty()).collect()
    }

    /// The findings that need its verdict.
    fn findings(&self, verdict: &Verdict<'_>) -> Vec<String> {
        let needs = |each: &&JudgedConclusion<'_>| {
            each.paper.id == verdict.paper.id
                && each.needs.iter().any(|need| need.claim == verdict.claim.id)
                && each.part != Part::Account
        };
        let words = |each: &JudgedConclusion<'_>| {
            format!("{} ({})", plain::unwrapped(each.text), each.standing.name())
        };
        self.concluded.iter().filter(needs).map(words).collect()
    }

    /// The games or trials that it rests on, and the commands that show them.
    fn games(&self, text: &mut String, verdict: &Verdict<'_>, style: Style) {
        let Verdict { paper, claim, .. } = verdict;
        let key = |id: &str| Key::new(&paper.id, id);
        let mut ids = claim.experiments();
        ids.dedup();
        for key in ids.into_iter().map(key) {
            let Some(games) = self.evidence.games(&key) else {
                section(text, style, &key.to_string(), &["not played".to_owned()]);
                commands(text, &[("play it", format!("pipeline run {key}"))]);
                continue;
            };
            let identity = &games.identity;
            let of =
                if games.records == key { String::new() } else { format!(", those of {}", games.records) };
            let line = format!(
                "{}{of}: {} {} with {}, seed {}; {}",
                counted(games.outcomes.len() as u64, "game"),
                identity.agent,
                identity.agent_version,
                identity.budget,
                identity.master_seed().map_or_else(|_| identity.seed.clone(), |seed| seed.to_string()),
                games.file.display()
            );
            section(text, style, &key.to_string(), &[line]);
            let best = games.outcomes.iter().max_by_key(|game| (game.score, std::cmp::Reverse(game.game)));
            let best = best.map_or(0, |game| game.game);
            commands(
                text,
                &[
                    ("its games", format!("pipeline games {key} --sort score")),
                    ("the best of them", format!("pipeline replay {key} {best}")),
                    ("what determines them", format!("pipeline explain {key}")),
                    ("play them again and compare", format!("pipeline run --fresh {key}")),
                ],
            );
        }
        for key in claim.studies().into_iter().map(key) {
            let searched = self.evidence.study(&key);
            let trials = searched.map(|searched| counted(searched.rows.len() as u64, "trial"));
            section(text, style, &format!("study {key}"), &[trials.unwrap_or_else(|| "not run".to_owned())]);
            commands(
                text,
                &[
                    ("what determines its trials", format!("pipeline explain {key}")),
                    ("run it again and compare", format!("pipeline study --fresh {key}")),
                ],
            );
        }
    }
}

/// The published number and ours, in a line each.
fn numbers(verdict: &Verdict<'_>) -> Vec<String> {
    let texts = verdict.texts.clone();
    let with =
        |text: &str, more: String| if text.is_empty() { String::new() } else { text.to_owned() + &more };
    let (level, power) = (LEVEL * 100.0, POWER * 100.0);
    let n = match &verdict.claim.kind {
        ClaimKind::Numeric { n: PublishedN::Known(games), .. } => format!(", {}", counted(*games, "game")),
        ClaimKind::Numeric { n: PublishedN::Assumed(games), .. } => {
            format!(", not said of how many games; {games} assumed")
        }
        _ => String::new(),
    };
    let mut lines = vec![("published", with(&texts.published, n))];
    match &verdict.grounds {
        Grounds::Numeric { prediction, .. } => {
            let chance = (prediction.level * 1000.0).round() / 10.0;
            lines.extend([
                ("reproduced", format!("{}, the interval at {level} %", texts.reproduced)),
                ("expected of the paper's games", format!("{}, with {chance} % probability", texts.expected)),
                ("p-value of the published number", format!("{:.3}", prediction.p_value)),
            ]);
        }
        Grounds::Ordinal { .. } => lines.extend([
            ("reproduced", texts.reproduced),
            ("interval", format!("{}, at {level} %", texts.expected)),
        ]),
        Grounds::Arithmetic { .. } | Grounds::Nothing { .. } => lines.push(("computed", texts.reproduced)),
    }
    let visible = with(&texts.visible, format!(", with {power} % power"));
    lines.extend([
        ("games", texts.games),
        ("effect", texts.effect),
        ("smallest visible difference", visible),
    ]);
    let lines = lines.into_iter().filter(|(_, value)| !value.is_empty());
    lines.map(|(name, value)| format!("{name}: {value}")).collect()
}

/// The notes that a claim rests on.
fn notes(paper: &Paper, claim: &Claim) -> Vec<String> {
    let note =
        |id| paper.note(id).map(|note| format!("{}: {}", note.id.as_str(), plain::unwrapped(&note.text)));
    claim.conditional_on.iter().filter_map(note).collect()
}

/// A heading with its lines, if there are some.
fn section(text: &mut String, Style { bold, plain, .. }: Style, heading: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{bold}{heading}{plain}");
    lines.iter().for_each(|line| paragraph(text, "  ", line));
}

/// Commands, each with what it shows.
fn commands(text: &mut String, commands: &[(&str, String)]) {
    let width = commands.iter().map(|(_, command)| command.chars().count()).max().unwrap_or(0);
    for (what, command) in commands {
        let _ = writeln!(text, "{MARGIN}{command:<width$}  {what}");
    }
}

/// A paragraph, broken between words.
fn paragraph(text: &mut String, margin: &str, words: &str) {
    let mut line = margin.to_owned();
    for word in words.split_whitespace() {
        let is_begun = line.len() > margin.len();
        if is_begun && line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(text, "{line}");
            line = format!("{margin}  {word}");
        } else if is_begun {
            line.push(' ');
            line.push_str(word);
        } else {
            line.push_str(word);
        }
    }
    let _ = writeln!(text, "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_is_broken_between_words_and_loses_none() {
        let words = vec!["seven77"; 40].join(" ");
        let mut text = String::new();
        paragraph(&mut text, "  ", &words);
        assert!(text.lines().all(|line| line.len() <= WIDTH) && text.lines().count() == 4, "{text}");
        assert_eq!(text.split_whitespace().collect::<Vec<_>>().join(" "), words);
    }
}
