//! Games of the engine, as the page records them.

use engine::board::tile;
use engine::{Ending, Game, Placement, Rng, Rules, Slide, TileSeed};
use records::Course;
use rendering::report::{PageReplay, Pick};

/// The master seed of all games here. Above 2^53, where JavaScript's numbers are no longer exact.
pub(crate) const MASTER_SEED: u64 = u64::MAX - 2048;

/// Plays a random game, mostly towards one corner; after `limit` moves the agent fails.
pub(crate) fn play(rules: &Rules, number: u64, limit: u32) -> PageReplay {
    let seed = TileSeed::derive(MASTER_SEED, number);
    let mut rng = Rng::from_seed(number);
    let mut game = Game::new(rules, seed);
    let mut course = Course::new(rules);
    while game.ending().is_none() && game.moves() < limit {
        let legal = game.legal_moves();
        let among = if rng.below(8) == 0 { legal.len() } else { legal.len().min(2) };
        let direction = legal.iter().nth(rng.below(among) as usize).expect("a legal direction");
        let place = |slide: &Slide| {
            let nth = rng.below(slide.afterstate.empty_count()) as usize;
            let cell = slide.afterstate.empty_cells().nth(nth).expect("an empty cell");
            let fours = rules.four.numerator();
            let is_four = fours == rules.four.denominator() || fours > 0 && rng.below(3) == 0;
            Placement::new(cell as u32, if is_four { 2 } else { 1 }).ok_or("a tile")
        };
        let tile = game.play_with(direction, place).expect("legal");
        course.push(direction, tile, 0);
    }
    PageReplay {
        experiment: "sample/games".to_owned(),
        pick: Pick::Best,
        game: number,
        rules: rules.clone(),
        seed: MASTER_SEED,
        tile_seed: seed.0,
        directions: course.directions,
        score: game.score(),
        moves: game.moves(),
        max_tile: if game.max_rank() == 0 { 0 } else { tile(game.max_rank()) },
        final_board: game.ranks().to_string(),
        ending: game.ending().unwrap_or(Ending::AgentCrash),
        spawns: course.spawns,
    }
}
