//! Trainings in words.

use super::figures;
use crate::illustrations::{DrawnFigure, TRAININGS};
use crate::report::{PageTraining, TrainingSection};
use crate::settings::setting;
use crate::tables::ReportInput;
use crate::trainings::{TrainingView, cost_text, size};
use jobs::identity::Canonical as _;
use platform::plain::unwrapped;

/// The section on a paper's trainings; none where nothing was trained.
pub(super) fn section(
    input: ReportInput<'_>,
    drawn: &[DrawnFigure],
    paper: &manifest::Paper,
) -> Option<TrainingSection> {
    let of_paper = input.trainings.iter().filter(|view| view.paper.id == paper.id);
    let trainings: Vec<PageTraining> = of_paper.map(|view| training(input, view)).collect();
    let figures = figures(drawn, paper, Some(TRAININGS));
    (!trainings.is_empty()).then_some(TrainingSection { trainings, figures })
}

fn training(input: ReportInput<'_>, view: &TrainingView<'_>) -> PageTraining {
    let manifest::Training { agent, params, seed, set, note, conditional_on, .. } = view.training;
    let (key, artefact) = (view.key(), view.artefact());
    let params: Vec<String> = params.iter().map(|(name, value)| setting(name, value)).collect();
    // Of a paper that the page does not show there is no experiment to link to.
    let is_shown = |player: &&jobs::Key| {
        input.papers.iter().any(|paper| paper.id == player.paper && paper.experiment(&player.id).is_some())
    };
    PageTraining {
        agent: agent.clone(),
        params: params.join(", "),
        cost: cost_text(&view.cost()),
        outcome: view.outcome(),
        players: view.players(input).iter().filter(is_shown).map(ToString::to_string).collect(),
        artefact: artefact.sha256.clone(),
        sizes: format!("{}, {} packed", size(artefact.raw_bytes), size(artefact.packed_bytes)),
        seed: seed.to_string(),
        set: *set,
        note: note.as_deref().map(unwrapped),
        conditional_on: conditional_on.clone(),
        command: format!("cargo run --release -- train {key} --fresh"),
        verify: format!("cargo run --release -- verify results/trainings/{key}.parquet"),
        identity: view.stored.header.identity.hash(),
        digest: view.stored.digest.clone(),
        key,
    }
}
