//! Survival: for each number of moves, the share of games that go on for longer, with its interval.

use super::{Content, Ecdf, EcdfSeries, FigureContext, PlayedExperiment, Tail, of_experiments};
use crate::numbers::counted;

of_experiments! {
    /// The share of games that last longer than each number of moves.
    SurvivalKeys, "survival", content
}

fn content(shown: &[PlayedExperiment<'_>], _: &dyn FigureContext) -> Option<(String, Ecdf)> {
    let series = |played: &PlayedExperiment<'_>| EcdfSeries {
        label: played.label(),
        scores: played.games.outcomes.iter().map(|outcome| u64::from(outcome.moves)).collect(),
    };
    let experiments = counted(shown.len() as u64, "experiment");
    let description =
        format!("The share of games that last longer than each number of moves, for {experiments}.");
    let series = shown.iter().map(series).collect();
    Some((description, Ecdf { series, axis: "moves", tail: Tail::Above }))
}

#[cfg(test)]
mod tests {
    use super::super::FigureKeys as _;
    use super::super::tests::Results;
    use super::*;
    use crate::tests::figure;

    #[test]
    fn moves_are_counted_and_not_points() {
        let results = Results::of_moves(&[("short", &[100, 200]), ("long", &[150, 300, 350])]);
        let keys = SurvivalKeys { experiments: ["short", "long", "lost"].map(str::to_owned).to_vec() };
        let content = keys.content(&results).unwrap();
        assert_eq!(content.experiments, ["short", "long"]);
        assert!(content.description.ends_with("moves, for 2 experiments."), "{}", content.description);
        let drawing = content.chart.draw(&figure()).unwrap();
        let has = |text: &str| drawing.texts.iter().any(|set| set.text == text);
        assert!(has("moves") && has("n = 3"));
        assert!(!has("1,000"), "the axis ends at 350 moves, not at 1,400 points");
    }
}
