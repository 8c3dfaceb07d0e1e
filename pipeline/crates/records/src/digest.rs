//! The logical digest of records, which says whether two sets of games are the same in every move.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::GameRecord;
use platform::hash::hex;

/// The logical digest of an experiment's records: SHA-256 over their replayable columns, one line a game, by
/// game number.
///
/// It does not depend on the file format, and not on `nodes`: a better pruning changes those, and no
/// decision. A line is the fields game, tile seed, agent seed (both as 16 hexadecimal digits), score, max
/// tile, moves, directions, final board and ending, and where tiles were placed these as well, with tabs
/// between them and a new line at its end.
#[derive(Clone, Default)]
pub struct RecordDigest {
    hasher: Sha256,
    line: String,
}

impl RecordDigest {
    /// Adds the next game; games must come by number.
    pub fn add(&mut self, record: &GameRecord) {
        self.line.clear();
        let GameRecord {
            game,
            tile_seed,
            agent_seed,
            score,
            max_tile,
            moves,
            directions,
            final_board,
            nodes: _,
            ending,
            spawns,
        } = record;
        write!(
            self.line,
            "{game}\t{tile_seed:016x}\t{agent_seed:016x}\t{score}\t{max_tile}\t{moves}\t{directions}\t{final_board}\t{ending}"
        )
        .expect("a string takes all");
        if let Some(spawns) = spawns {
            self.line.push('\t');
            self.line.push_str(spawns);
        }
        self.line.push('\n');
        self.hasher.update(&self.line);
    }

    /// The digest in hexadecimal.
    pub fn finish(self) -> String {
        hex(&self.hasher.finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Course, Seeds};
    use engine::{Ending, Game, Rules};

    #[test]
    fn the_digest_covers_all_but_nodes() {
        let digest = |record: &GameRecord| {
            let mut digest = RecordDigest::default();
            digest.add(record);
            digest.finish()
        };
        let seeds = Seeds::derive(2048, 3);
        let game = Game::new(&Rules::default(), seeds.tiles);
        let good = GameRecord::of(&game, seeds, Course::new(&Rules::default()), Ending::NoMoves);
        assert_eq!(digest(&good), digest(&GameRecord { nodes: 99, ..good.clone() }));
        for other in [
            GameRecord { game: 4, ..good.clone() },
            GameRecord { tile_seed: 0, ..good.clone() },
            GameRecord { agent_seed: 0, ..good.clone() },
            GameRecord { score: 4, ..good.clone() },
            GameRecord { max_tile: 8192, ..good.clone() },
            GameRecord { moves: 1, ..good.clone() },
            GameRecord { directions: "D".to_owned(), ..good.clone() },
            GameRecord { final_board: String::new(), ..good.clone() },
            GameRecord { ending: Ending::TileCap, ..good.clone() },
            GameRecord { spawns: Some(String::new()), ..good.clone() },
        ] {
            assert_ne!(digest(&good), digest(&other), "{other:?}");
        }
    }
}
