//! Studies that were run, as tables, figures and the report need them: what was searched, what the study
//! thought of its best, and what they are worth on games that it never saw. Studies of one kind, such as the
//! same search by several methods or from several seeds, are shown together.

mod group;
#[cfg(test)]
mod tests;
pub mod words;

pub use group::StudyGroup;

use jobs::Key;
use manifest::{Experiment, Metric, Objective, Paper, Quantity, Statistic, Study};
use search::Point;
use serde_json::{Map, Value};
use stats::{Estimate, Sample, hybrid, mean_among, paired_among};
use studies::{Contender, TrialRow, outcome};
use verdict::evidence::{Evidence, Games};
use verdict::{StudyEvidence, stale_note};

/// How many of a study's best points are offered to be played.
const OFFERED: usize = 10;

/// A study that was run to its end, for tables, figures and the report.
#[derive(Clone, Debug)]
pub struct StudyView<'a> {
    /// Its paper.
    pub paper: &'a Paper,
    /// The study.
    pub study: &'a Study,
    /// Its trials.
    pub searched: &'a StudyEvidence,
    evidence: &'a Evidence,
    /// Those that are played again, in their order.
    pub winners: Vec<Best>,
    /// The next best points, which are not.
    pub others: Vec<Best>,
}

/// One of the best points of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// The parameters.
    pub point: Point,
    /// The first trial whose games count for it.
    pub trial: u64,
    /// The mean score that it had in the study; its interval knows nothing of how the point was chosen.
    pub score: Option<Estimate>,
}

/// What a point is worth on games that no study saw.
#[derive(Clone, Debug)]
pub struct HeldOut<'a> {
    /// The games.
    pub games: &'a Games,
    /// The mean score. Intervals of all winners of a study and of the default hold at once.
    pub score: Estimate,
    /// The mean cost of a move, where the agent counts any.
    pub cost: Option<Estimate>,
}

impl<'a> StudyView<'a> {
    /// The studies of papers that were run, in the manifests' order.
    pub fn all(papers: &'a [Paper], evidence: &'a Evidence) -> Vec<Self> {
        let of_paper = |paper: &'a Paper| {
            let view = move |study: &'a Study| {
                let key = Key::new(&paper.id, &study.id);
                Some(Self::new(paper, study, evidence.study(&key)?, evidence))
            };
            paper.studies.iter().filter_map(view)
        };
        papers.iter().flat_map(of_paper).collect()
    }

    fn new(paper: &'a Paper, study: &'a Study, searched: &'a StudyEvidence, evidence: &'a Evidence) -> Self {
        let winners: Vec<Best> = outcome::winners(study, &searched.rows).iter().map(Best::of).collect();
        let mut wider = study.clone();
        wider.winners.best = OFFERED;
        let is_other = |best: &Best| !winners.iter().any(|winner| winner.point == best.point);
        let offered = outcome::winners(&wider, &searched.rows);
        let room = OFFERED.saturating_sub(winners.len());
        let others = offered.iter().map(Best::of).filter(is_other).take(room).collect();
        Self { paper, study, searched, evidence, winners, others }
    }

    /// Paper and study.
    pub fn key(&self) -> String {
        format!("{}/{}", self.paper.id, self.study.id)
    }

    /// Its trials.
    pub fn rows(&self) -> &[TrialRow] {
        &self.searched.rows
    }

    /// The games that its trials asked for.
    pub fn games(&self) -> u64 {
        self.rows().iter().map(|row| row.games.end - row.games.start).sum()
    }

    /// The trials that a fault of the agent cost.
    pub fn faults(&self) -> u64 {
        self.rows().iter().filter(|row| row.scores().is_none()).count() as u64
    }

    /// Whether it also searches for what costs little.
    pub fn is_of_both(&self) -> bool {
        self.study.objectives.contains(&Objective::Score) && self.study.objectives.contains(&Objective::Cost)
    }

    /// What a winner is worth on held-out games, by its place from 1.
    pub fn held_out(&self, place: usize) -> Option<HeldOut<'a>> {
        self.played(&self.study.winner_id(place))
    }

    /// What the default is worth on the same games.
    pub fn default_held_out(&self) -> Option<HeldOut<'a>> {
        self.played(&self.study.default_id())
    }

    /// The winner's mean less the default's, over pairs of games with the same luck.
    pub fn gain(&self, place: usize) -> Option<Estimate> {
        let winner = Sample::new(self.held_out(place)?.games.scores()).ok()?;
        let default = Sample::new(self.default_held_out()?.games.scores()).ok()?;
        paired_among(&winner, &default, self.winners.len()).ok()
    }

    /// What the study thought of a winner, less what it is worth.
    pub fn optimism(&self, place: usize) -> Option<Estimate> {
        let seen = self.winners.get(place.checked_sub(1)?)?.score?;
        Some(hybrid(&seen, &self.held_out(place)?.score))
    }

    /// The parameters that its agent has by default, as the games of the default say.
    pub fn default_params(&self) -> Option<&'a Map<String, Value>> {
        self.default_held_out().map(|held_out| &held_out.games.identity.params)
    }

    fn played(&self, id: &str) -> Option<HeldOut<'a>> {
        let experiment: &Experiment = self.paper.experiment(id)?;
        let key = Key::new(&self.paper.id, id);
        let games = self.evidence.games(&key).filter(|games| stale_note(experiment, games).is_none())?;
        let score = mean_among(&Sample::new(games.scores()).ok()?, self.winners.len() + 1);
        let cost = Metric::summary(Quantity::NODES, Statistic::Mean).estimate(games);
        Some(HeldOut { games, score, cost: cost.ok().filter(|cost| cost.point > 0.0) })
    }
}

impl Best {
    fn of(contender: &Contender<'_>) -> Self {
        Self { point: contender.point.clone(), trial: contender.trial, score: contender.score() }
    }
}
