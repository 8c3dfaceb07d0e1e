//! What tests of trainings share.

use tuples::Learner;

/// A training after this many games.
pub(crate) fn trained<L: Learner>(recipe: L::Recipe, games: u64) -> L {
    let mut trainer = L::new(recipe).unwrap();
    play(&mut trainer, games);
    trainer
}

pub(crate) fn play(trainer: &mut impl Learner, games: u64) {
    for _ in 0..games {
        trainer.play_and_learn();
    }
}

/// The bytes of a checkpoint.
pub(crate) fn saved(trainer: &impl Learner) -> Vec<u8> {
    let mut file = Vec::new();
    trainer.save(&mut file).unwrap();
    file
}

/// The CRC-32 at the end of a checkpoint.
pub(crate) fn crc32(checkpoint: &[u8]) -> u32 {
    u32::from_le_bytes(*checkpoint.last_chunk().unwrap())
}

/// Checks that a training that was stopped after some games goes on to the same bytes as one that was not.
pub(crate) fn assert_resumes<L: Learner>(recipe: impl Fn() -> L::Recipe, before: u64, after: u64) {
    let mut resumed = L::new(recipe()).unwrap();
    resumed.load(&saved(&trained::<L>(recipe(), before))[..]).unwrap();
    play(&mut resumed, after);
    assert!(saved(&resumed) == saved(&trained::<L>(recipe(), before + after)));
}

/// Checks that the mean score grows by a factor from the first this many games to the third.
pub(crate) fn assert_learns(mut trainer: impl Learner, games: u64, factor: f64) {
    let mut total = || (0..games).map(|_| trainer.play_and_learn().score as f64).sum::<f64>();
    let [first, _, third] = [(); 3].map(|()| total());
    assert!(third > factor * first, "{first} became {third}");
}
