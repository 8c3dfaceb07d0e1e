//! Who wins, and how far a search had come.

use manifest::{SearchMethod, Winners};
use search::{Nsga, Race, Rating, Seeds};

use super::*;
use crate::TrialOutcome;
use crate::fixtures::{run, study};

fn best_real(study: &Study, rows: &[TrialRow]) -> f64 {
    winners(study, rows)[0].point.values()[1]
}

#[test]
fn as_released_the_luckiest_single_trial_wins_and_robustly_all_games_count() {
    let once = study(Rating::Once);
    let rows = run(&once);
    let luckiest =
        rows.iter().max_by(|a, b| a.score().unwrap().point.total_cmp(&b.score().unwrap().point)).unwrap();
    let winner = &winners(&once, &rows)[0];
    assert_eq!(
        (winner.point, winner.scores.count()),
        (&luckiest.point, 3),
        "with the games of that trial alone"
    );
    let robust = study(Rating::AllGames);
    let rows = run(&robust);
    let winner = &winners(&robust, &rows)[0];
    assert!(winner.trials >= 2 && winner.scores.count() == 3 * winner.trials as u64, "{winner:?}");
    assert!(best_real(&robust, &rows) > 6.0);
    let last = rows.last().unwrap().batch;
    assert!(
        winners(&robust, &rows).iter().all(|winner| winner.kept == Some(last)),
        "they were kept to the end"
    );
}

#[test]
fn steps_tell_the_games_spent_and_a_best_that_never_falls_where_it_is_measured_once() {
    let study = study(Rating::Once);
    let rows = run(&study);
    let steps = steps(&study, &rows);
    assert_eq!(steps.len(), 6);
    assert_eq!(steps[0].games, 24);
    assert_eq!(steps[5].games, 3 * rows.len() as u64);
    let best: Vec<f64> = steps.iter().map(|step| step.best.as_ref().unwrap().point).collect();
    assert!(best.is_sorted(), "{best:?}");
    let first: Vec<f64> = rows[..8].iter().map(|row| row.score().unwrap().point).collect();
    assert!((steps[0].mean.unwrap() - first.iter().sum::<f64>() / 8.0).abs() < 1e-9);
}

#[test]
fn a_fault_takes_its_point_out_of_the_contest() {
    let study = study(Rating::Once);
    let mut rows = run(&study);
    let best = winners(&study, &rows)[0].point.clone();
    for row in rows.iter_mut().filter(|row| row.point == best) {
        let ending = engine::Ending::AgentCrash;
        row.outcome =
            TrialOutcome::Faulted { game: row.games.start, ending, reason: "it crashed".to_owned() };
    }
    assert!(winners(&study, &rows).iter().all(|winner| *winner.point != best));
}

fn of_two_objectives() -> Study {
    Study {
        objectives: vec![Objective::Score, Objective::Cost],
        method: SearchMethod::Nsga(Nsga::usual(8, 4)),
        winners: Winners { best: 3, games: 10, seed: 8 },
        ..study(Rating::Once)
    }
}

#[test]
fn with_two_objectives_winners_are_spread_along_the_front() {
    let study = of_two_objectives();
    let rows = run(&study);
    let contenders = contenders(&study, &rows);
    let front: Vec<u64> = front(&study, &contenders).iter().map(|point| point.trial).collect();
    let winners = winners(&study, &rows);
    assert!(winners.iter().all(|winner| front.contains(&winner.trial)));
    let scores: Vec<f64> = winners.iter().map(|winner| winner.score().unwrap().point).collect();
    let best = contenders.iter().map(|contender| contender.score().unwrap().point).fold(0.0, f64::max);
    assert_eq!(scores[0], best);
    let cheapest =
        contenders.iter().map(|contender| contender.cost().unwrap().point).fold(f64::INFINITY, f64::min);
    assert_eq!(winners.last().unwrap().cost().unwrap().point, cheapest);
}

#[test]
fn a_spread_holds_both_ends_and_no_number_twice() {
    assert_eq!(spread(3, 5), [0, 1, 2]);
    assert_eq!(spread(9, 3), [0, 4, 8]);
    assert_eq!(spread(10, 4), [0, 3, 6, 9]);
    assert_eq!(spread(10, 1), [0]);
}

#[test]
fn what_is_reached_grows_with_the_games_and_its_mean_weighs_by_them() {
    let study = of_two_objectives();
    let rows = run(&study);
    let reached = reached(&study, &rows, largest_cost(&rows));
    assert_eq!(reached.len(), 5);
    assert!(reached.last().unwrap().1 > reached[0].1);
    let known = [(10, 1.0), (20, 3.0), (40, 5.0)];
    assert_eq!(mean_reached(&known, 20), Some(1.0));
    assert_eq!(mean_reached(&known, 30), Some(2.0));
    assert_eq!(mean_reached(&known, 50), Some((10.0 + 60.0 + 50.0) / 40.0));
    assert_eq!(mean_reached(&known, 10), None, "nothing was reached before the first batch");
}

#[test]
fn only_those_win_a_race_that_ran_to_its_end() {
    let study = Study {
        method: SearchMethod::Race(Race { points: 10, first: 3, most: 48, winners: 1 }),
        evaluation: search::TrialEvaluation { games: 3, seeds: Seeds::Common },
        ..study(Rating::Once)
    };
    let rows = run(&study);
    let most = contenders(&study, &rows).iter().map(|contender| contender.scores.count()).max().unwrap();
    let winners = winners(&study, &rows);
    assert!(!winners.is_empty() && winners.iter().all(|winner| winner.scores.count() == most), "{winners:?}");
}
