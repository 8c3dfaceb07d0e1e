//! A training goes on from a checkpoint as if it had not stopped, gives the same bytes everywhere, and
//! learns.

#[path = "../../../engine/tests/common/trainings.rs"]
mod trainings;

use ntuple::trainer::{Restart, RestartPlace, TcRecipe, Trainer};
use trainings::{assert_learns, assert_resumes, crc32, play, saved};
use tuples::{CellValues, Learner, Network, Sampling};

fn recipe() -> TcRecipe {
    let tuples = ["012", "0145", "26"].map(|tuple| tuple.parse().unwrap());
    TcRecipe {
        network: Network::new(tuples.to_vec(), Sampling::Symmetric, CellValues::Sixteen),
        alpha: 1.0,
        lambda: 0.5,
        optimistic_start: 0.0,
        restarts: Vec::new(),
        seed: 5,
    }
}

fn with_restart(late: u32, short: usize, until: u64) -> TcRecipe {
    TcRecipe { restarts: vec![Restart { late, from: RestartPlace::Halfway { short }, until }], ..recipe() }
}

fn trained(recipe: TcRecipe, games: u64) -> Trainer {
    trainings::trained(recipe, games)
}

#[test]
fn a_training_that_was_stopped_goes_on_to_the_same_bytes() {
    assert_resumes::<Trainer>(|| with_restart(200, 10, 15), 12, 8);
}

#[test]
fn a_training_gives_the_bytes_that_it_gave_on_other_machines() {
    let trainer = trained(with_restart(200, 10, 50), 60);
    assert_eq!((trainer.progress().games, crc32(&saved(&trainer))), (60, CRC_OF_60_GAMES));
}

#[test]
fn learning_pays() {
    assert_learns(trained(recipe(), 0), 300, 1.5);
}

#[test]
fn games_that_are_begun_again_have_more_moves_and_only_as_long_as_the_recipe_says() {
    let moves = |recipe| trained(recipe, 10).progress().moves;
    assert!(moves(with_restart(0, 10, 10)) > moves(recipe()) * 3 / 2);
    assert!(moves(with_restart(300, 10, 10)) > moves(recipe()));
    assert_eq!(moves(with_restart(0, 10, 0)), moves(recipe()));
    assert_eq!(moves(with_restart(1 << 17, 10, 10)), moves(recipe()), "no game gets that far");
}

#[test]
fn one_way_of_beginning_again_follows_the_other() {
    let both = |first, second| TcRecipe {
        restarts: vec![
            Restart { late: 200, from: RestartPlace::Halfway { short: 10 }, until: first },
            Restart { late: 300, from: RestartPlace::Beginning { times: 3 }, until: second },
        ],
        ..recipe()
    };
    let early = saved(&trained(both(4, 8), 4));
    let mut late = Trainer::new(both(4, 6)).unwrap();
    late.load(&early[..]).unwrap();
    play(&mut late, 2);
    assert!(saved(&late) == saved(&trained(both(4, u64::MAX), 6)));
    assert!(saved(&late) != saved(&trained(with_restart(200, 10, 6), 6)));
    assert!(Trainer::new(with_restart(200, 10, 6)).unwrap().load(&saved(&late)[..]).is_err());
    assert!(Trainer::new(both(3, 6)).unwrap().load(&early[..]).is_err());
}

#[test]
fn a_checkpoint_is_for_recipes_with_the_same_past() {
    let file = saved(&trained(with_restart(200, 10, u64::MAX), 5));
    let load = |recipe| Trainer::new(recipe).unwrap().load(&file[..]);
    assert!(load(with_restart(200, 10, 5)).is_ok(), "they differ only in what is still to come");
    let other =
        [with_restart(200, 10, 4), with_restart(200, 11, 5), recipe(), TcRecipe { seed: 6, ..recipe() }];
    for recipe in other {
        let error = load(recipe.clone()).unwrap_err();
        assert!(error.to_string().contains("of another training"), "{recipe:?}: {error}");
    }
}

#[test]
fn weights_that_were_never_looked_up_or_hardly_moved_are_zero_in_the_end() {
    let trainer = trained(TcRecipe { optimistic_start: 2400.0, ..recipe() }, 1);
    assert!(trainer.cells().iter().any(|cell| cell.size == 0.0 && cell.weight == 100.0));
    let sizes = || trainer.cells().iter().map(|cell| cell.size);
    let largest = sizes().fold(0.0, f32::max);
    assert!(sizes().any(|size| 0.0 < size && size < largest));
    for least in [0.0, largest] {
        assert_eq!(trainer.weights(least).len(), trainer.cells().len());
        for (cell, weight) in trainer.cells().iter().zip(trainer.weights(least)) {
            let is_kept = cell.size > 0.0 && cell.size >= least;
            assert_eq!(weight, if is_kept { cell.weight } else { 0.0 }, "{cell:?}, {least}");
        }
    }
}

const CRC_OF_60_GAMES: u32 = 3_263_893_206;
