//! Games of an agent that misbehaves in some, compared with those of its well-behaved twin.

use crate::common::prelude::*;

use engine::AgentSeed;

pub(crate) const SEED: u64 = 2048;
pub(crate) const GAMES: u64 = 16;
/// The agent misbehaves in the games whose seed is a multiple of this.
const EVERY: u64 = 9;
/// The move before which it does.
pub(crate) const AT_MOVE: usize = 20;

pub(crate) fn is_bad(game: u64) -> bool {
    AgentSeed::derive(SEED, game).0.is_multiple_of(EVERY)
}

/// Asserts that only the bad games ended so, after the moves before the fault; others are the twin's.
#[track_caller]
pub(crate) fn assert_games(rules: &Rules, played: &[GameRecord], twins: &[GameRecord], ending: Ending) {
    assert_eq!(played.len(), twins.len());
    for (game, twin) in played.iter().zip(twins) {
        assert_eq!(game.replay(rules, SEED), Ok(()));
        if is_bad(game.game) {
            assert_eq!((game.ending, game.moves), (ending, AT_MOVE as u32), "game {}", game.game);
            assert!(twin.begins_with(game), "game {}", game.game);
            let nodes_per_move = twin.nodes / u64::from(twin.moves);
            assert_eq!(game.nodes, nodes_per_move * AT_MOVE as u64, "game {}", game.game);
        } else {
            assert_eq!(game, twin);
        }
    }
    assert!(played.iter().filter(|game| is_bad(game.game)).count() >= 2);
}

/// The games of a laboratory's experiment `p/e`, whose agent is the well-behaved twin.
pub(crate) fn twin_games(lab: &Lab) -> Vec<GameRecord> {
    lab.succeed("run --jobs 1");
    lab.records("p/e")
}

/// Process ids, one on each line of a file, which may not exist yet.
pub(crate) fn process_ids(file: &Path) -> Vec<u32> {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().map(|line| line.parse().unwrap()).collect()
}
