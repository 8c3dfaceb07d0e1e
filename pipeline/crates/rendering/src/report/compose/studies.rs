//! Studies in words.

use crate::report::{Offer, PageStudy, StudySection};
use crate::studies::words::{
    eval_command, method_text, objectives_text, plain_value, point_text, range_text,
};
use crate::studies::{Best, StudyGroup, StudyView};
use crate::table::{Cell, Table};
use crate::tables::ReportInput;
use platform::plain::unwrapped;
use stats::Estimate;
use text::{Scale, capitalised, counted};

use super::figures;
use crate::illustrations::DrawnFigure;

/// The sections of a paper's studies.
pub(super) fn sections(
    input: ReportInput<'_>,
    drawn: &[DrawnFigure],
    paper: &manifest::Paper,
) -> Vec<StudySection> {
    let groups = StudyGroup::of_paper(input.studies, &paper.id);
    groups.iter().map(|group| section(drawn, group)).collect()
}

fn section(drawn: &[DrawnFigure], group: &StudyGroup<'_>) -> StudySection {
    StudySection {
        id: group.id.clone(),
        title: group.title.clone(),
        text: text(group),
        space: space(group),
        studies: group.studies.iter().map(|searched| study(group, searched)).collect(),
        figures: figures(drawn, group.first().paper, Some(&group.id)),
    }
}

fn text(group: &StudyGroup<'_>) -> String {
    let study = group.first().study;
    let several = match group.studies.len() {
        1 => "One study searches".to_owned(),
        count => format!("{count} studies search"),
    };
    let budget = match study.budget {
        engine::agent::Budget::None => String::new(),
        budget => format!(" with {budget} a move"),
    };
    format!(
        "{several} {} of {}{budget} for {}.",
        counted(study.space.len() as u64, "parameter"),
        study.agent,
        objectives_text(study)
    )
}

/// The parameters, where they may lie, and what they are by default.
fn space(group: &StudyGroup<'_>) -> Table {
    let first = group.first();
    let defaults = group.studies.iter().find_map(|searched| searched.default_params());
    let row = |dimension: &search::Dimension| {
        let default = defaults.and_then(|params| params.get(&dimension.name));
        let default = default.map(plain_value).unwrap_or_default();
        [dimension.name.clone(), range_text(first.study, dimension), default].map(Cell::Text).to_vec()
    };
    Table {
        id: format!("{}-space", group.id),
        title: "Space".to_owned(),
        caption: String::new(),
        header: ["Parameter", "Searched", "Default"].map(str::to_owned).to_vec(),
        rows: first.study.space.dimensions().iter().map(row).collect(),
    }
}

fn study(group: &StudyGroup<'_>, searched: &StudyView<'_>) -> PageStudy {
    let manifest::Study { seed, set, note, conditional_on, .. } = searched.study;
    let key = searched.key();
    PageStudy {
        name: capitalised(&group.label(searched)),
        method: method_text(searched.study),
        outcome: outcome(searched),
        trials: searched.rows().len() as u64,
        games: searched.games(),
        faults: searched.faults(),
        seed: seed.to_string(),
        set: *set,
        note: note.as_deref().map(unwrapped),
        conditional_on: conditional_on.clone(),
        command: format!("cargo run --release -- study {key} --fresh"),
        verify: format!("cargo run --release -- verify results/studies/{key}.parquet"),
        identity: searched.searched.identity.clone(),
        digest: searched.searched.digest.clone(),
        offers: offers(searched),
        key,
    }
}

/// What the best of a study is really worth.
fn outcome(searched: &StudyView<'_>) -> String {
    let Some((best, seen)) = searched.winners.first().and_then(|best| Some((best, best.score?))) else {
        return "No point was played without a fault.".to_owned();
    };
    let mut text =
        format!("The study ranks trial {} first, with a mean score of {}.", best.trial, interval(&seen));
    let (Some(worth), Some(optimism)) = (searched.held_out(1), searched.optimism(1)) else {
        return text + " It has not been played on held-out games yet.";
    };
    text.push_str(&format!(
        " On {} that the study never saw, it scores {}. The difference is its optimism: {}.",
        counted(worth.score.n, "game"),
        interval(&worth.score),
        interval(&optimism)
    ));
    if let Some(gain) = searched.gain(1) {
        let verdict = match (gain.low > 0.0, gain.high < 0.0) {
            (true, _) => "better than the default",
            (_, true) => "worse than the default",
            _ => "not clearly different from the default",
        };
        text.push_str(&format!(" On the same games it is {verdict}, by {}.", interval(&gain)));
    }
    text
}

fn interval(estimate: &Estimate) -> String {
    format!(
        "{} ({})",
        Scale::Points.text(estimate.point),
        Scale::Points.interval(estimate.low, estimate.high)
    )
}

fn offers(searched: &StudyView<'_>) -> Vec<Offer> {
    let offer = |name: String, place: Option<usize>, best: &Best| {
        let held_out = place.and_then(|place| searched.held_out(place));
        let experiment = place.filter(|_| held_out.is_some()).map(|place| searched.study.winner_id(place));
        Offer {
            name,
            experiment: experiment.map(|id| format!("{}/{id}", searched.paper.id)),
            params: point_text(searched.study, &best.point),
            in_study: best.score.as_ref().map(interval).unwrap_or_default(),
            held_out: held_out.map(|held_out| interval(&held_out.score)),
            command: eval_command(searched.study, &best.point),
        }
    };
    let winners = searched.winners.iter().enumerate();
    let winners = winners.map(|(index, best)| offer(format!("best {}", index + 1), Some(index + 1), best));
    let others = searched.others.iter().map(|best| offer(format!("trial {}", best.trial), None, best));
    winners.chain(others).collect()
}
