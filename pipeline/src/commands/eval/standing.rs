//! Where an agent stands among the stored experiments.

use platform::confined::ConfinedPath;
use std::path::Path;

use engine::Rules;
use serde::Serialize;

use super::Failure;
use super::evaluation::sample;
use crate::commands::verify::records_files;
use jobs::Key;
use records::index::Index;
use records::layout::Layout;
use records::record::Outcome;
use records::store::{RecordsReader, RecordsSummary};
use stats::{Estimate, mean};

/// The scores of a stored experiment.
pub(super) struct Stored {
    /// The experiment, as `PAPER/EXPERIMENT`.
    pub(super) name: String,
    pub(super) agent: String,
    pub(super) rules: Rules,
    /// The master seed, where it can be read.
    pub(super) seed: Option<u64>,
    pub(super) outcomes: Vec<Outcome>,
}

impl Stored {
    pub(super) fn scores(&self) -> Vec<f64> {
        self.outcomes.iter().map(|outcome| f64::from(outcome.score)).collect()
    }
}

/// The stored experiments under the same rules, best first, with the agent among them.
#[derive(Serialize)]
pub(super) struct Standing {
    /// The best place that the intervals allow.
    pub(super) best: usize,
    /// The worst one.
    pub(super) worst: usize,
    /// All, the agent included.
    pub(super) rows: Vec<Row>,
    /// How many stored experiments play by other rules.
    pub(super) other_rules: usize,
}

#[derive(Serialize)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) agent: String,
    pub(super) mean: Estimate,
    pub(super) is_ours: bool,
}

/// All whole experiments of a results folder; none where there is no folder.
pub(super) fn stored(layout: &Layout) -> Result<Vec<Stored>, Failure> {
    let folder = layout.root().join("records");
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut all = Vec::new();
    for file in records_files(&[folder])? {
        all.extend(read(&file)?);
    }
    Ok(all)
}

/// The stored experiment that a text names; none where it names none, and so may be an agent's file.
pub(super) fn stored_experiment(layout: &Layout, name: &str) -> Result<Option<Stored>, Failure> {
    let Ok(key) = name.parse::<Key>() else { return Ok(None) };
    // Its records may be in the file of another experiment with the same identity; only the index knows.
    let holder =
        Index::read(layout).ok().and_then(|index| Some(index.experiments.get(name)?.records.clone()));
    let file = layout.records(&holder.unwrap_or(key), None);
    if Path::new(name).exists() || !file.exists() {
        return Ok(None);
    }
    let stored = read(&file)?;
    Ok(stored.map(|stored| Stored { name: name.to_owned(), ..stored }))
}

/// A file's experiment; none for a part of one, or one whose games only carry a measurement.
fn read(file: &ConfinedPath) -> Result<Option<Stored>, Failure> {
    let Some(summary) = RecordsSummary::read(file)? else { return Ok(None) };
    let header = summary.header;
    if header.shard.is_some() || header.manifest["role"] == "measurement" || summary.games == 0 {
        return Ok(None);
    }
    let outcomes = RecordsReader::open(file)?.outcomes()?;
    let seed = header.identity.master_seed().ok();
    let (agent, rules) = (header.identity.agent, header.identity.rules);
    Ok(Some(Stored { name: header.experiment, agent, rules, seed, outcomes }))
}

impl Standing {
    /// None where nothing is stored.
    pub(super) fn of(agent: &str, ours: &Estimate, rules: &Rules, stored: &[Stored]) -> Option<Self> {
        if stored.is_empty() {
            return None;
        }
        let comparable = stored.iter().filter(|stored| stored.rules == *rules);
        let mut rows: Vec<Row> = comparable
            .map(|stored| Row {
                name: stored.name.clone(),
                agent: stored.agent.clone(),
                mean: mean(&sample(&stored.scores())),
                is_ours: false,
            })
            .collect();
        let other_rules = stored.len() - rows.len();
        let best = 1 + rows.iter().filter(|row| row.mean.low > ours.high).count();
        let worst = 1 + rows.iter().filter(|row| row.mean.high > ours.low).count();
        rows.push(Row { name: "(here)".to_owned(), agent: agent.to_owned(), mean: *ours, is_ours: true });
        rows.sort_by(|one, other| other.mean.point.total_cmp(&one.mean.point));
        Some(Self { best, worst, rows, other_rules })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_range_where_intervals_overlap() {
        let outcome = |score: &u32| Outcome {
            game: 0,
            score: *score,
            max_tile: 2,
            moves: 1,
            final_board: String::new(),
            nodes: 0,
            ending: engine::Ending::NoMoves,
        };
        let stored = |name: &str, scores: &[u32]| Stored {
            name: name.to_owned(),
            agent: "a".to_owned(),
            rules: Rules::default(),
            seed: None,
            outcomes: scores.iter().map(outcome).collect(),
        };
        let all = [
            stored("p/high", &[10_000, 10_050, 10_100]),
            stored("p/near", &[900, 1050, 1200]),
            stored("p/low", &[0, 5, 10]),
        ];
        let ours = mean(&sample(&[1000.0, 1010.0, 1020.0]));
        let standing = Standing::of("mine", &ours, &Rules::default(), &all).unwrap();
        assert_eq!((standing.best, standing.worst, standing.other_rules), (2, 3, 0));
        let names: Vec<&str> = standing.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["p/high", "p/near", "(here)", "p/low"]);
    }
}
