//! Rules as they cross the boundary.

use super::memory::sized;
use super::raw;
use crate::agent::Refusal;
use crate::board::{Board, CAP_RANK};
use crate::rules::{Merging, Odds, Rules, Scatter, Spawning, Start, StopTile};

impl From<&Rules> for raw::Rules {
    fn from(rules: &Rules) -> Self {
        let (start, scatter, start_board) = match &rules.start {
            Start::TwoTiles => (raw::start::TWO_TILES, [0; 4], 0),
            Start::Scatter(odds) => (raw::start::SCATTER, odds.weights(), 0),
            Start::Board(board) => (raw::start::BOARD, [0; 4], board.packed()),
        };
        let [scatter_empty, scatter_two, scatter_four, scatter_eight] = scatter;
        Self {
            four_numerator: rules.four.numerator(),
            four_denominator: rules.four.denominator(),
            merging: match rules.merging {
                Merging::Once => raw::merging::ONCE,
                Merging::Cascading => raw::merging::CASCADING,
            },
            start,
            scatter_empty,
            scatter_two,
            scatter_four,
            scatter_eight,
            stop_rank: rules.stop_at.map_or(0, |stop| u32::from(stop.rank())),
            cap_rank: u32::from(CAP_RANK),
            start_board,
            spawn: match rules.spawn {
                Spawning::Random => raw::spawn::RANDOM,
                Spawning::Adversarial => raw::spawn::ADVERSARIAL,
            },
            ..sized()
        }
    }
}

impl TryFrom<raw::Rules> for Rules {
    type Error = Refusal;

    /// Refuses what this version does not know: it may be a rule of a later one.
    fn try_from(raw: raw::Rules) -> Result<Self, Refusal> {
        let unknown = |what: &str, code: u32| Refusal::Rules(format!("unknown {what} {code}"));
        let merging = match raw.merging {
            raw::merging::ONCE => Merging::Once,
            raw::merging::CASCADING => Merging::Cascading,
            code => return Err(unknown("merging", code)),
        };
        let start = match raw.start {
            raw::start::TWO_TILES => Start::TwoTiles,
            raw::start::SCATTER => Start::Scatter(Scatter {
                empty: raw.scatter_empty,
                two: raw.scatter_two,
                four: raw.scatter_four,
                eight: raw.scatter_eight,
            }),
            raw::start::BOARD => Start::Board(Board::from_packed(raw.start_board)),
            code => return Err(unknown("start", code)),
        };
        let stop_at = match u8::try_from(raw.stop_rank) {
            Ok(0) => None,
            rank => Some(
                rank.ok().and_then(StopTile::from_rank).ok_or_else(|| unknown("stop rank", raw.stop_rank))?,
            ),
        };
        if raw.cap_rank != u32::from(CAP_RANK) {
            return Err(unknown("cap rank", raw.cap_rank));
        }
        let spawn = match raw.spawn {
            raw::spawn::RANDOM => Spawning::Random,
            raw::spawn::ADVERSARIAL => Spawning::Adversarial,
            code => return Err(unknown("spawn", code)),
        };
        let four = Odds::new(raw.four_numerator, raw.four_denominator)
            .ok_or_else(|| Refusal::Rules("the odds of a 4 are not a probability".to_owned()))?;
        let rules = Self { four, merging, start, stop_at, spawn };
        rules.validate().map_err(|error| Refusal::Rules(error.to_string()))?;
        Ok(rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_crosses_the_boundary() {
        let scatter = Start::Scatter(Scatter { empty: 16, two: 4, four: 2, eight: 1 });
        let board = Start::Board("2 . . 4 / . . . . / . . . . / 8 . . 1024".parse().unwrap());
        for start in [Start::TwoTiles, scatter, board] {
            for merging in [Merging::Once, Merging::Cascading] {
                let four = Odds::new(1, 4).unwrap();
                for stop_at in [None, Some(2048.try_into().unwrap())] {
                    for spawn in [Spawning::Random, Spawning::Adversarial] {
                        let rules = Rules { four, merging, start: start.clone(), stop_at, spawn };
                        assert_eq!(Rules::try_from(raw::Rules::from(&rules)), Ok(rules));
                    }
                }
            }
        }
    }

    #[test]
    fn rules_of_a_later_version_are_refused() {
        let standard = raw::Rules::from(&Rules::default());
        for later in [
            raw::Rules { merging: 2, ..standard },
            raw::Rules { start: 3, ..standard },
            raw::Rules { stop_rank: 17, ..standard },
            raw::Rules { cap_rank: 17, ..standard },
            raw::Rules { four_denominator: 0, ..standard },
            raw::Rules { spawn: 2, ..standard },
        ] {
            assert!(matches!(Rules::try_from(later), Err(Refusal::Rules(_))));
        }
    }
}
