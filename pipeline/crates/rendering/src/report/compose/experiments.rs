//! Experiments, with all that is needed to get their records again, and where those come from.

use std::collections::HashMap;

use jobs::Canonical as _;

use serde_json::{Map, Value};

use super::words::interval;
use crate::report::{Experiment, Origin};
use crate::settings;
use crate::tables::ReportInput;
use manifest::{self, Metric, Quantity, Statistic};
use records::Provenance;
use verdict::evidence::Games;

pub(super) fn experiments(input: ReportInput<'_>, paper: &manifest::Paper) -> Vec<Experiment> {
    input.with_games(paper).map(|(experiment, games)| entry(paper, experiment, games)).collect()
}

fn entry(paper: &manifest::Paper, experiment: &manifest::Experiment, games: &Games) -> Experiment {
    let key = format!("{}/{}", paper.id, experiment.id);
    let identity = &games.identity;
    let mean = Metric::summary(Quantity::SCORE, Statistic::Mean).estimate(games);
    Experiment {
        agent: identity.agent.clone(),
        agent_version: identity.agent_version.clone(),
        settings: settings::settings(experiment, identity),
        params: params(&identity.params),
        games: games.outcomes.len() as u64,
        stale: verdict::stale_note(experiment, games),
        // Of the games, as all else: the manifest may ask for others by now.
        seed: identity.master_seed().map_or_else(|_| identity.seed.clone(), |seed| seed.to_string()),
        variant: experiment.variant,
        set: experiment.set,
        note: experiment.note.clone(),
        identity: identity.signature.as_ref().map(|_| identity.hash()),
        digest: games.digest.clone(),
        eval: settings::eval_command(paper, experiment),
        records: format!("records/{}.parquet", games.records),
        mean_score: mean.map_or_else(|reason| reason.to_string(), |mean| interval(&mean)),
        faults: games.faults(),
        key,
    }
}

fn params(params: &Map<String, Value>) -> String {
    let texts: Vec<String> = params.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    texts.join(", ")
}

/// Where records come from, one entry for all experiments that were made alike.
pub(super) fn origins(input: ReportInput<'_>, papers: &[&manifest::Paper]) -> Vec<Origin> {
    let mut origins: Vec<Origin> = Vec::new();
    // Records may name very many origins: each is looked up, not searched for.
    let mut places: HashMap<Provenance, usize> = HashMap::new();
    for paper in papers {
        for (experiment, games) in input.with_games(paper) {
            for made in &games.provenance {
                let key = format!("{}/{}", paper.id, experiment.id);
                // The day says enough, and puts together what one run made.
                let provenance = Provenance { date: made.date.chars().take(10).collect(), ..made.clone() };
                let place = *places.entry(provenance.clone()).or_insert(origins.len());
                match origins.get_mut(place) {
                    Some(origin) if origin.experiments.last() == Some(&key) => {}
                    Some(origin) => origin.experiments.push(key),
                    None => origins.push(Origin { experiments: vec![key], provenance }),
                }
            }
        }
    }
    origins
}
