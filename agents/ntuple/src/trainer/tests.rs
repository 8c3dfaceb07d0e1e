#[path = "../../tests/plain/mod.rs"]
mod plain;

use engine::naive::NaiveBoard;
use plain::{TUPLES, indices};
use tuples::{CellValues, Sampling};

use super::*;

fn recipe() -> TcRecipe {
    let tuples = TUPLES.map(|tuple| tuple.parse().unwrap());
    TcRecipe {
        network: Network::new(tuples.to_vec(), Sampling::Symmetric, CellValues::Sixteen),
        alpha: 1.0,
        lambda: 0.5,
        optimistic_start: 0.0,
        restarts: Vec::new(),
        seed: 5,
    }
}

/// The same learning in double precision and plain form.
struct Oracle {
    alpha: f64,
    lambda: f64,
    weight: Vec<f64>,
    error: Vec<f64>,
    size: Vec<f64>,
}

impl Oracle {
    fn new(recipe: &TcRecipe) -> Self {
        let count = recipe.network.weights();
        Self {
            alpha: recipe.alpha.into(),
            lambda: recipe.lambda.into(),
            weight: vec![f64::from(recipe.optimistic_start) / 24.0; count],
            error: vec![0.0; count],
            size: vec![0.0; count],
        }
    }

    fn value(&self, indices: &[usize]) -> f64 {
        indices.iter().map(|&index| self.weight[index]).sum()
    }

    fn learn(&mut self, path: &[Slide]) {
        let mut target = 0.0;
        for slide in path.iter().rev() {
            let indices = indices(&NaiveBoard::from(*slide.afterstate), &TUPLES);
            let error = target - self.value(&indices);
            let mut ahead = 0.0;
            for &index in &indices {
                let (sum, sizes) = (self.error[index], self.size[index]);
                let rate = if sizes == 0.0 { 1.0 } else { sum.abs() / sizes };
                self.weight[index] += self.alpha * rate * error / 24.0;
                self.error[index] += error;
                self.size[index] += error.abs();
                ahead += self.weight[index];
            }
            target = f64::from(slide.reward) + self.lambda * target + (1.0 - self.lambda) * ahead;
        }
    }
}

#[test]
fn games_teach_what_they_teach_in_double_precision() {
    for recipe in [
        recipe(),
        TcRecipe { alpha: 0.5, lambda: 0.25, ..recipe() },
        TcRecipe { optimistic_start: 2400.0, ..recipe() },
    ] {
        let mut oracle = Oracle::new(&recipe);
        let mut trainer = Trainer::new(recipe).unwrap();
        for game in 0..20 {
            let mut tiles = TileSeed::derive(9, game).rng();
            let mut board = spawn::start(&Rules::default(), &mut tiles);
            trainer.play(&mut board, &mut tiles);
            assert!(board.legal_moves().is_empty());
            trainer.learn();
            oracle.learn(&trainer.path);
        }
        let largest = oracle.weight.iter().fold(0.0, |largest: f64, weight| largest.max(weight.abs()));
        for (cell, weight) in trainer.cells().iter().zip(&oracle.weight) {
            let difference = (f64::from(cell.weight) - weight).abs();
            assert!(difference < 1e-4 * largest, "{} and {weight}", cell.weight);
        }
    }
}

#[test]
fn play_is_greedy_and_of_equals_the_first_direction_wins() {
    let mut trainer = Trainer::new(recipe()).unwrap();
    let best = |trainer: &Trainer, text: &str| {
        let board: Board = text.parse().unwrap();
        best_slide(&trainer.recipe.network, trainer.cells(), trainer.slides, board)
            .map(|slide| slide.afterstate)
    };
    let after = |text: &str| -> Option<Afterstate> { text.parse().ok() };
    assert_eq!(best(&trainer, "2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2"), None);
    let merges = "2 . . . / 2 . . . / 8 . . . / 8 . . .";
    assert_eq!(best(&trainer, merges), after("4 . . . / 16 . . . / . . . . / . . . ."));
    let board = ". . . . / . 2 4 . / . . . . / . . . .";
    let up = after(". 2 4 . / . . . . / . . . . / . . . .");
    let right = after(". . . . / . . 2 4 / . . . . / . . . .");
    assert_eq!(best(&trainer, board), up, "all are worth nothing, and up comes first");
    let network = recipe().network;
    network.visit(*right.unwrap(), |index| trainer.memory.cells_mut()[index].weight = 1.0);
    assert_eq!(best(&trainer, board), right);
}

#[test]
fn after_65536_nothing_is_learned_but_its_reward() {
    let mut trainer = Trainer::new(recipe()).unwrap();
    let slides = Slides::of(Merging::Once);
    let before: Board = "2 . . . / 32768 . . . / 32768 . . . / . . . .".parse().unwrap();
    let cap = slides.slide(before, Direction::Down).unwrap();
    let earlier = Slide { afterstate: Afterstate::from_packed(0x1234), reward: 8, makes_cap: false };
    trainer.path = vec![earlier, cap];
    trainer.learn();
    let looked_up: f32 = value(&trainer.recipe.network, trainer.cells(), earlier.afterstate);
    let network = recipe().network;
    let mut distinct = Vec::new();
    network.visit(*earlier.afterstate, |index| distinct.push(index));
    let touched = trainer.cells().iter().filter(|cell| cell.size > 0.0).count();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(touched, distinct.len(), "only the afterstate before it was learned");
    assert!(looked_up >= 65536.0, "{looked_up}");
}

#[test]
fn a_game_is_begun_again_from_the_middle_or_the_beginning_of_its_late_part() {
    let slide = |sum: u32| {
        let afterstate = Afterstate::from_packed(u64::from(sum.ilog2()));
        Slide { afterstate, reward: 0, makes_cap: false }
    };
    let path = [2, 4, 8, 16, 32, 64, 128].map(slide);
    let sum = |late, from, before| {
        let place = Restart { late, from, until: 1 }.place(&path, before);
        place.map(|afterstate| afterstate.tile_sum())
    };
    let halfway = |late, short| sum(late, RestartPlace::Halfway { short }, 5);
    assert_eq!(halfway(0, 6), Some(16));
    assert_eq!(halfway(0, 7), None);
    assert_eq!(halfway(16, 3), Some(64));
    assert_eq!(halfway(9, 3), Some(64), "the same four are late");
    assert_eq!(halfway(16, 4), None);
    assert_eq!(halfway(1000, 0), None);
    let beginning = |late, before| sum(late, RestartPlace::Beginning { times: 2 }, before);
    assert_eq!([0, 1, 2].map(|before| beginning(9, before)), [Some(16), Some(16), None]);
    assert_eq!(beginning(0, 0), Some(2));
    assert_eq!(beginning(1000, 0), None, "no part of the game is late");
}
