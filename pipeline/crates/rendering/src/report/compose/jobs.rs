//! Studies and trainings in words.

use ::jobs::Canonical as _;
use manifest::Set;
use platform::plain::unwrapped;
use text::{capitalised, counted, thousands};

use super::figures;
use super::words::interval;
use crate::illustrations::{DrawnFigure, TRAININGS};
use crate::report::{JobSection, Offer, PageJob};
use crate::settings::setting;
use crate::studies::words::{
    eval_command, method_text, objectives_text, plain_value, point_text, range_text,
};
use crate::studies::{Best, StudyGroup, StudyView};
use crate::table::{Cell, Table};
use crate::tables::{ReportInput, set_name};
use crate::trainings::{TrainingView, cost_text, size};

/// The sections of a paper's studies.
pub(super) fn studies(
    input: ReportInput<'_>,
    drawn: &[DrawnFigure],
    paper: &manifest::Paper,
) -> Vec<JobSection> {
    let section = |group: &StudyGroup<'_>| JobSection {
        id: group.id.clone(),
        title: group.title.clone(),
        text: text(group),
        space: space(group),
        jobs: group.studies.iter().map(|view| study(group, view)).collect(),
        figures: figures(drawn, paper, Some(&group.id)),
    };
    StudyGroup::of_paper(input.studies, &paper.id).iter().map(section).collect()
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
fn space(group: &StudyGroup<'_>) -> Option<Table> {
    let first = group.first();
    let defaults = group.studies.iter().find_map(|searched| searched.default_params());
    let default = |dimension: &search::Dimension| defaults.and_then(|params| params.get(&dimension.name));
    let table = Table::of(
        first.study.space.dimensions(),
        &[
            ("Parameter", &|dimension| Cell::words(&dimension.name)),
            ("Searched", &|dimension| Cell::words(range_text(first.study, dimension))),
            ("Default", &|dimension| Cell::words(default(dimension).map(plain_value).unwrap_or_default())),
        ],
    );
    table.named(format!("{}-space", group.id), "Space", "")
}

fn study(group: &StudyGroup<'_>, view: &StudyView<'_>) -> PageJob {
    let manifest::Study { seed, set, note, conditional_on, .. } = view.study;
    let (key, faults) = (view.key(), view.faults());
    let mut size =
        format!("{}, {}", counted(view.rows().len() as u64, "trial"), counted(view.games(), "game"));
    if faults > 0 {
        size.push_str(&format!(", {} faulty", thousands(faults as f64)));
    }
    PageJob {
        name: capitalised(&group.label(view)),
        text: format!("{} {}", method_text(view.study), outcome(view)),
        players: Vec::new(),
        size,
        facts: facts(*seed, *set, note.as_deref()).to_vec(),
        conditional_on: conditional_on.clone(),
        codes: vec![
            ("Run it", format!("cargo run --release -- study {key} --fresh")),
            ("Check it", format!("cargo run --release -- verify results/studies/{key}.parquet")),
            ("Identity", view.searched.identity.clone()),
            ("Digest", view.searched.digest.clone()),
        ],
        offers: offers(view),
        key,
    }
}

fn facts(seed: u64, set: Set, note: Option<&str>) -> [(&'static str, String); 3] {
    let note = note.map(unwrapped).unwrap_or_default();
    [("Seed", seed.to_string()), ("Set", set_name(set).to_owned()), ("Remark", note)]
}

/// The section on a paper's trainings; none if nothing was trained.
pub(super) fn trainings(
    input: ReportInput<'_>,
    drawn: &[DrawnFigure],
    paper: &manifest::Paper,
) -> Option<JobSection> {
    let of_paper = input.trainings.iter().filter(|view| view.paper.id == paper.id);
    let jobs: Vec<PageJob> = of_paper.map(|view| training(input, view)).collect();
    let figures = figures(drawn, paper, Some(TRAININGS));
    (!jobs.is_empty()).then(|| JobSection { jobs, figures, ..JobSection::default() })
}

fn training(input: ReportInput<'_>, view: &TrainingView<'_>) -> PageJob {
    let manifest::Training { agent, params, seed, set, note, conditional_on, .. } = view.training;
    let (key, artefact) = (view.key(), view.artefact());
    let params: Vec<String> = params.iter().map(|(name, value)| setting(name, value)).collect();
    // Of a paper that the page does not show there is no experiment to link to.
    let is_shown = |player: &&::jobs::Key| {
        input.papers.iter().any(|paper| paper.id == player.paper && paper.experiment(&player.id).is_some())
    };
    let mut facts = facts(*seed, *set, note.as_deref()).to_vec();
    facts.insert(0, ("Parameters", params.join(", ")));
    PageJob {
        name: String::new(),
        text: format!("{agent} learned from {}. {}", cost_text(&view.cost()), view.outcome()),
        players: view.players(input).iter().filter(is_shown).map(ToString::to_string).collect(),
        size: format!("{}, {} packed", size(artefact.raw_bytes), size(artefact.packed_bytes)),
        facts,
        conditional_on: conditional_on.clone(),
        codes: vec![
            ("Artefact", artefact.sha256.clone()),
            ("Train it", format!("cargo run --release -- train {key} --fresh")),
            ("Check it", format!("cargo run --release -- verify results/trainings/{key}.parquet")),
            ("Identity", view.stored.header.identity.hash()),
            ("Digest", view.stored.digest.clone()),
        ],
        offers: Vec::new(),
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
