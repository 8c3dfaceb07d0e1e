//! Games of the engine, as the page records them.

use engine::board::tile;
use engine::{Ending, Game, Rng, Rules, TileSeed};
use rendering::report::{Pick, Replay};

/// The master seed of all games here. Above 2^53, where JavaScript's numbers are no longer exact.
pub(crate) const MASTER_SEED: u64 = u64::MAX - 2048;

/// Plays a random game, mostly towards one corner so that it lasts; at most `limit` moves, as if the agent had failed then.
pub(crate) fn play(rules: &Rules, number: u64, limit: u32) -> Replay {
    let seed = TileSeed::derive(MASTER_SEED, number);
    let mut rng = Rng::from_seed(number);
    let mut game = Game::new(rules, seed);
    let mut directions = String::new();
    while game.ending().is_none() && game.moves() < limit {
        let legal = game.legal_moves();
        let among = if rng.below(8) == 0 { legal.len() } else { legal.len().min(2) };
        let direction = legal.iter().nth(rng.below(among) as usize).expect("a legal direction");
        game.play(direction).expect("legal");
        directions.push(direction.letter());
    }
    Replay {
        experiment: "sample/games".to_owned(),
        pick: Pick::Best,
        game: number,
        rules: rules.clone(),
        seed: MASTER_SEED,
        tile_seed: seed.0,
        directions,
        score: game.score(),
        moves: game.moves(),
        max_tile: if game.max_rank() == 0 { 0 } else { tile(game.max_rank()) },
        final_board: game.ranks().to_string(),
        ending: game.ending().unwrap_or(Ending::AgentCrash),
    }
}
