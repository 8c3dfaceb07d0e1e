//! The comparison: methods of several papers on one game, by their mean scores, with the ranks that they may
//! have.

use crate::tables::ReportInput;
use manifest::{Experiment, Paper};
use stats::{Rank, Sample, ranks};
use verdict::evidence::Games;

/// A method among the others.
pub struct ComparedMethod<'a> {
    /// The paper that has the experiment.
    pub paper: &'a Paper,
    /// The experiment.
    pub experiment: &'a Experiment,
    /// Its games.
    pub games: &'a Games,
    /// Their scores.
    pub scores: Sample,
    /// Its place, and those that it may have.
    pub rank: Rank,
}

/// The methods of a comparison, the highest mean first: its own, and those of papers that ask to be compared
/// and play by its rules.
pub fn entries<'a>(input: ReportInput<'a>, comparison: &'a Paper) -> Vec<ComparedMethod<'a>> {
    let is_guest = |(experiment, games): &(&'a Experiment, &'a Games)| {
        experiment.compared && games.identity.rules == comparison.rules
    };
    let own = input.played(comparison).map(|(experiment, games)| (comparison, experiment, games));
    let papers = input.papers.iter().filter(|paper| !paper.comparison);
    let guests = papers.flat_map(|paper| {
        input.played(paper).filter(is_guest).map(move |(experiment, games)| (paper, experiment, games))
    });
    let mut found: Vec<(&Paper, &Experiment, &Games, Sample)> = own
        .chain(guests)
        .filter_map(|(paper, experiment, games)| {
            Some((paper, experiment, games, Sample::new(games.scores()).ok()?))
        })
        .collect();
    found.sort_by(|one, other| other.3.mean().total_cmp(&one.3.mean()));
    let samples: Vec<Sample> = found.iter().map(|(.., scores)| scores.clone()).collect();
    let with_rank = found.into_iter().zip(ranks(&samples));
    with_rank
        .map(|((paper, experiment, games, scores), rank)| ComparedMethod {
            paper,
            experiment,
            games,
            scores,
            rank,
        })
        .collect()
}

/// Which of the best the games do not tell apart, in a sentence; nothing where one is alone in front, or
/// nothing is compared.
pub fn leaders(entries: &[ComparedMethod<'_>]) -> String {
    let names: Vec<&str> =
        entries.iter().filter(|entry| entry.rank.best == 1).map(|entry| entry.experiment.method()).collect();
    match names.as_slice() {
        [] => String::new(),
        _ if entries.len() == 1 => String::new(),
        [first] => format!("{first} is ahead of all others for certain."),
        [one, other] => format!("These games do not tell the two best apart: {one}; and {other}."),
        [most @ .., last] => {
            format!(
                "These games do not tell the {} best apart: {}; and {last}.",
                names.len(),
                most.join("; ")
            )
        }
    }
}
