//! `random-gain.mean`: what random games from the boards of a game add to its score, as a share of it.

use engine::{Game, Playouts, Rng, Rules, TileSeed};
use records::GameRecord;

use super::{Parameter, SpecialMetric, directions, replayed};
use crate::LARGEST_NUMBER;

/// How many moves lie between the boards that random games start from.
const MOVES_BETWEEN: u32 = 10;

pub(super) static RANDOM_GAIN: SpecialMetric = SpecialMetric {
    name: "random-gain.mean",
    parameter: Parameter::None,
    words: |_| "mean gain of random games from the boards of a game, as a share of its score".to_owned(),
    max: LARGEST_NUMBER,
    values: |games, _| replayed(games, random_gain),
};

/// The gain of a game; `None` if it is over too soon.
fn random_gain(record: &GameRecord, rules: &Rules) -> Option<f64> {
    let playouts = Playouts::new(rules);
    let mut game = Game::new(rules, TileSeed(record.tile_seed));
    let mut rng = Rng::from_seed(record.agent_seed);
    let (mut gain, mut score) = (0_u64, 0_u64);
    for direction in directions(record) {
        game.play(direction).ok()?;
        if game.moves().is_multiple_of(MOVES_BETWEEN) && game.ending().is_none() {
            gain += u64::from(playouts.random(game.board(), rng.next_u64()).reward);
            score += u64::from(game.score());
        }
    }
    (score > 0).then(|| gain as f64 / score as f64)
}

#[cfg(test)]
mod tests {
    use super::super::tests::record;
    use super::*;

    #[test]
    fn the_gain_is_that_of_a_random_game_after_every_tenth_move() {
        let rules = Rules::default();
        let played = record(25, i64::from);
        let mut game = Game::new(&rules, TileSeed(7));
        let (mut rng, mut gain, mut score) = (Rng::from_seed(11), 0, 0);
        for (number, direction) in (1..).zip(directions(&played)) {
            game.play(direction).unwrap();
            if number == 10 || number == 20 {
                gain += Playouts::new(&rules).random(game.board(), rng.next_u64()).reward;
                score += game.score();
            }
        }
        assert_eq!(random_gain(&played, &rules), Some(f64::from(gain) / f64::from(score)));
        assert_eq!(random_gain(&record(9, i64::from), &rules), None);
    }
}
