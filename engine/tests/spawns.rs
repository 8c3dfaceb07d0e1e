//! Spawned tiles come in every empty cell equally often, and as 4s with the odds of the rules.

use engine::spawn::{spawn, start};
use engine::{Afterstate, Odds, Rng, Rules, Scatter, Start};

/// The sum of squared deviations from what is expected, each in units of it.
fn chi_square(observed: &[u32], expected: &[f64]) -> f64 {
    observed.iter().zip(expected).map(|(&seen, &due)| (f64::from(seen) - due).powi(2) / due).sum()
}

#[test]
fn cells_and_tiles_of_spawns_have_their_odds() {
    const DRAWS: u32 = 500_000;
    for (odds, seed) in [("1/10", 1), ("1/4", 2), ("1/3", 3)] {
        let four: Odds = odds.parse().unwrap();
        let afterstate: Afterstate = "2 . . 2 / . . . . / . 4 . 4 / . . . .".parse().unwrap();
        let empty: Vec<usize> = afterstate.empty_cells().collect();
        let mut rng = Rng::from_seed(seed);
        let mut counts = vec![0_u32; 2 * empty.len()];
        for _ in 0..DRAWS {
            let board = spawn(afterstate, four, &mut rng);
            let nth = empty.iter().position(|&cell| board.rank(cell) != 0).unwrap();
            counts[2 * nth + usize::from(board.rank(empty[nth]) == 2)] += 1;
        }
        let cell_share = f64::from(DRAWS) / empty.len() as f64;
        let expected: Vec<f64> = (0..counts.len())
            .map(|index| {
                cell_share * if index % 2 == 1 { four.probability() } else { 1.0 - four.probability() }
            })
            .collect();
        // Twelve cells with two tiles each leave 23 degrees of freedom; 56 is the 0.9999 quantile.
        let found = chi_square(&counts, &expected);
        assert!(found < 56.0, "{odds}: chi-square {found}, counts {counts:?}");
    }
}

#[test]
fn scattered_cells_have_their_odds() {
    const GAMES: u32 = 40_000;
    let odds = Scatter { empty: 16, two: 4, four: 2, eight: 1 };
    let rules = Rules { start: Start::Scatter(odds), ..Rules::default() };
    let mut rng = Rng::from_seed(4);
    let mut counts = [0_u32; 64];
    for _ in 0..GAMES {
        for (cell, rank) in start(&rules, &mut rng).ranks().into_iter().enumerate() {
            counts[4 * cell + usize::from(rank)] += 1;
        }
    }
    let share =
        |index: usize| f64::from(GAMES) * f64::from(odds.weights()[index % 4]) / f64::from(odds.total());
    let expected: Vec<f64> = (0..64).map(share).collect();
    // Sixteen cells with four contents each leave 48 degrees of freedom; 93 is the 0.9999 quantile.
    let found = chi_square(&counts, &expected);
    assert!(found < 93.2, "chi-square {found}, counts {counts:?}");
}

#[test]
fn two_tiles_start_every_pair_of_cells_equally_often() {
    const GAMES: u32 = 240_000;
    let mut rng = Rng::from_seed(5);
    let mut counts = [0_u32; 120];
    let pair = |a: usize, b: usize| b * (b - 1) / 2 + a;
    for _ in 0..GAMES {
        let board = start(&Rules::default(), &mut rng);
        let cells: Vec<usize> = (0..16).filter(|&cell| board.rank(cell) != 0).collect();
        assert_eq!(cells.len(), 2);
        counts[pair(cells[0], cells[1])] += 1;
    }
    // 119 degrees of freedom; 183 is about the 0.9999 quantile.
    let found = chi_square(&counts, &[f64::from(GAMES) / 120.0; 120]);
    assert!(found < 183.0, "chi-square {found}");
}
