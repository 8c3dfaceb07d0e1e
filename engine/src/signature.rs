//! Decision signatures: hashes of what an agent decides on frozen sets of positions.
//!
//! Where the agent also places the tiles, they cover those too: after each decided slide, the tile that it
//! places on it.
//!
//! They tell whether an agent is still the one that played an experiment's records: a refactoring that
//! changes no decision keeps them valid, one that does makes them stale. A set never changes. The first is
//! part of an experiment's identity; the second looks where the first does not, at every largest tile in
//! every stage of a game, and stands beside it.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::abi::host::{LoadedAgent, PlayError};
use crate::agent::{Budget, Position};
use crate::board::{Board, MAX_PACKED_RANK};
use crate::direction::Direction;
use crate::game::{Game, TurnError};
use crate::rules::{Rules, Start};
use crate::seed::{AgentSeed, Rng, TileSeed};
use crate::slide::{Slide, Slides, potential};

/// The master seed of the first set's positions, and of the agents' seeds on all of them.
const SEED: u64 = 0x5169_6e61_7475_7265;
/// The seed of the second set's positions.
const SECOND_SEED: u64 = 0x5374_6167_6573_2032;
/// The games of which the first moves are played, for what an agent carries from move to move.
const OPENINGS: u64 = 2;
/// The moves played of each.
const OPENING_MOVES: u32 = 6;
/// How many cells are empty early, midway and late in a game.
const STAGES: [usize; 3] = [11, 5, 1];
/// The largest ranks of the boards from which the second set plays on, and how many of their cells are empty.
const MIDGAMES: [u8; 3] = [6, 9, 12];
const MIDGAME_EMPTY: usize = 6;
/// The moves played from each.
const MIDGAME_MOVES: u32 = 4;
/// The step between the boards of the first set that a probe uses. Including its game, a probe takes fewer
/// decisions than a signature.
const PROBED_BOARDS: usize = 5;
/// The number of moves in a probe's game.
const PROBED_MOVES: u32 = 32;

/// A frozen set of positions. Each is small, since an agent may think for a second over every position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Set {
    /// Every number of empty cells with largest tiles of five ranks, and two openings.
    First,
    /// Every rank of the largest tile early, midway and late in a game, and moves played on from three
    /// boards.
    Second,
}

impl Set {
    /// Every set.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// The set's version, which stands in front of every signature.
    pub const fn version(self) -> &'static str {
        match self {
            Self::First => "positions-1",
            Self::Second => "positions-2",
        }
    }

    /// The boards of the set that can come up under these rules.
    pub fn boards(self, rules: &Rules) -> Vec<Board> {
        let stop_rank = stop_rank(rules);
        let mut boards = match self {
            Self::First => first_boards(),
            Self::Second => second_boards(),
        };
        boards.retain(|board| board.max_rank() < stop_rank && !board.legal_moves().is_empty());
        boards
    }

    /// What an agent decides on the set, as letters; `!` marks an error. Under adversarial rules, each letter
    /// is followed by the tile that the agent places after that slide. An agent may think for long, so
    /// `on_decision` gets the number of letters after each decision.
    ///
    /// # Errors
    /// Returns an error if the agent cannot go on at all, as after a panic, or if its process is gone.
    pub fn decisions(
        self,
        agent: &mut LoadedAgent,
        rules: &Rules,
        budget: Budget,
        on_decision: impl FnMut(usize),
    ) -> Result<String, PlayError> {
        let mut asking = Asking::new(agent, rules, budget, on_decision);
        for (number, board) in (0..).zip(self.boards(rules)) {
            asking.position(number, board)?;
        }
        for (number, rules) in (0..).zip(self.games(rules)) {
            asking.sequence(number, &rules, self.sequence_moves())?;
        }
        Ok(asking.letters)
    }

    /// The signature of decisions: the version of the set, and SHA-256 in hexadecimal.
    pub fn sign(self, letters: &str) -> String {
        let version = self.version();
        let digest = Sha256::digest(format!("{version}\n{letters}\n"));
        digest.iter().fold(format!("{version}:"), |mut text, byte| {
            write!(text, "{byte:02x}").expect("a string takes all");
            text
        })
    }

    /// The games of which some moves are played, each by the rules that begin it.
    fn games(self, rules: &Rules) -> Vec<Rules> {
        match self {
            Self::First => vec![rules.clone(); OPENINGS as usize],
            Self::Second => {
                let boards = midgame_boards().into_iter().filter(|board| board.max_rank() < stop_rank(rules));
                boards.map(|board| Rules { start: Start::Board(board), ..rules.clone() }).collect()
            }
        }
    }

    const fn sequence_moves(self) -> u32 {
        match self {
            Self::First => OPENING_MOVES,
            Self::Second => MIDGAME_MOVES,
        }
    }
}

/// An agent's decision on one position of a probe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probed {
    /// The board, as text.
    pub board: String,
    /// The letter of the agent's move, then the tile that it places; `!` marks an error.
    pub answer: String,
}

/// The order in which a probe asks. It changes no answer, unless the agent carries state from one game to the
/// next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProbeOrder {
    /// The boards, then the game.
    Forward,
    /// The game, then the boards from the last to the first.
    Backward,
}

/// Probes an agent on a few boards of the first set and in the first moves of a game. The answers always come
/// in the same order, whatever the order of the questions. If the agent is deterministic, two processes get
/// the same answers.
pub fn probe(
    agent: &mut LoadedAgent,
    rules: &Rules,
    budget: Budget,
    order: ProbeOrder,
    on_decision: impl FnMut(usize),
) -> Result<Vec<Probed>, PlayError> {
    let mut asking = Asking::new(agent, rules, budget, on_decision);
    let mut boards: Vec<(u64, Board)> = (0..).zip(Set::First.boards(rules)).step_by(PROBED_BOARDS).collect();
    if order == ProbeOrder::Forward {
        boards.iter().try_for_each(|&(number, board)| asking.position(number, board))?;
        asking.sequence(0, rules, PROBED_MOVES)?;
        return Ok(asking.answers());
    }
    boards.reverse();
    asking.sequence(0, rules, PROBED_MOVES)?;
    let moves = asking.asked.len();
    boards.iter().try_for_each(|&(number, board)| asking.position(number, board))?;
    let mut answers = asking.answers();
    answers[moves..].reverse();
    answers.rotate_left(moves);
    Ok(answers)
}

/// The rank at which the rules stop, or one that no packed board holds.
fn stop_rank(rules: &Rules) -> u8 {
    rules.stop_at.map_or(MAX_PACKED_RANK + 1, |stop| stop.rank())
}

/// Every number of empty cells, with every other one of five largest ranks from low to high.
fn first_boards() -> Vec<Board> {
    let mut rng = Rng::from_seed(SEED);
    let mut boards = Vec::new();
    for empty in 0..15 {
        let other = usize::from(empty % 2 == 1);
        for max_rank in [2, 5, 8, 11, 14].into_iter().skip(other).step_by(2) {
            boards.push(draw(&mut rng, empty, max_rank));
        }
    }
    boards
}

/// A board with this many empty cells, a tile of the largest rank, and no higher ranks elsewhere, the low
/// ones more often.
fn draw(rng: &mut Rng, empty: usize, max_rank: u8) -> Board {
    let mut ranks = draw_ranks(rng, empty, max_rank, max_rank);
    shuffle(rng, &mut ranks);
    Board::from_ranks(ranks).unwrap_or_default()
}

/// A tile of the largest rank, others up to `others`, the low ones more often, and then the empty cells.
fn draw_ranks(rng: &mut Rng, empty: usize, max_rank: u8, others: u8) -> [u8; 16] {
    let mut ranks = [0; 16];
    for rank in &mut ranks[..16 - empty] {
        let bound = 1 + rng.below(u32::from(others));
        *rank = 1 + rng.below(bound) as u8;
    }
    ranks[0] = max_rank;
    ranks
}

/// Every rank of the largest tile in every stage: scattered in turns with laid out as players do, from one
/// corner on.
fn second_boards() -> Vec<Board> {
    let mut rng = Rng::from_seed(SECOND_SEED);
    let mut boards = Vec::new();
    for max_rank in 1..=MAX_PACKED_RANK {
        for (stage, empty) in STAGES.into_iter().enumerate() {
            let is_ordered = (usize::from(max_rank) + stage) % 2 == 0;
            boards.push(draw_playable(&mut rng, empty, max_rank, is_ordered));
        }
    }
    boards
}

/// The boards from which the second set plays on.
fn midgame_boards() -> Vec<Board> {
    let mut rng = Rng::from_seed(SECOND_SEED ^ 1);
    MIDGAMES.map(|max_rank| draw_playable(&mut rng, MIDGAME_EMPTY, max_rank, true)).to_vec()
}

/// A board on which there is a move, with one tile of the largest rank where that is no 2, and lower ranks
/// elsewhere.
fn draw_playable(rng: &mut Rng, empty: usize, max_rank: u8, is_ordered: bool) -> Board {
    loop {
        let mut ranks = draw_ranks(rng, empty, max_rank, max_rank.saturating_sub(1).max(1));
        if is_ordered {
            lay_out(&mut ranks);
        } else {
            shuffle(rng, &mut ranks);
        }
        let board = Board::from_ranks(ranks).unwrap_or_default();
        if !board.legal_moves().is_empty() {
            return board;
        }
    }
}

fn shuffle(rng: &mut Rng, ranks: &mut [u8; 16]) {
    for last in (1..16).rev() {
        ranks.swap(last, rng.below(last as u32 + 1) as usize);
    }
}

/// Lays ranks out from the largest on, row after row, every other row backwards.
fn lay_out(ranks: &mut [u8; 16]) {
    ranks.sort_unstable_by(|one, other| other.cmp(one));
    for row in ranks.chunks_exact_mut(4).skip(1).step_by(2) {
        row.reverse();
    }
}

/// An agent that is being asked, and what it has answered.
struct Asking<'a, T> {
    agent: &'a mut LoadedAgent,
    rules: &'a Rules,
    budget: Budget,
    letters: String,
    /// The boards asked about, each with the offset of its answer in `letters`.
    asked: Vec<(Board, usize)>,
    on_decision: T,
}

impl<'a, T: FnMut(usize)> Asking<'a, T> {
    const fn new(agent: &'a mut LoadedAgent, rules: &'a Rules, budget: Budget, on_decision: T) -> Self {
        Self { agent, rules, budget, letters: String::new(), asked: Vec::new(), on_decision }
    }

    /// The answers, one per board.
    fn answers(self) -> Vec<Probed> {
        let ends = self.asked.iter().skip(1).map(|&(_, place)| place).chain([self.letters.len()]);
        let answer = |(&(board, begin), end): (&(Board, usize), usize)| Probed {
            board: board.to_string(),
            answer: self.letters[begin..end].trim_end_matches('/').to_owned(),
        };
        self.asked.iter().zip(ends).map(answer).collect()
    }

    /// One position, as the first of a game.
    fn position(&mut self, number: u64, board: Board) -> Result<(), PlayError> {
        self.agent.new_game(AgentSeed::derive(SEED, number))?;
        let score = u64::from(potential(*board));
        let legal = board.legal_moves();
        let position = Position { board, legal, score, move_number: score / 8, budget: self.budget };
        let direction = self.decide(&position)?.filter(|_| !self.rules.spawn.is_random());
        let slide = direction.and_then(|to| Slides::of(self.rules.merging).slide(board, to));
        let goes_on = |slide: &Slide| !slide.makes_cap && slide.afterstate.max_rank() < stop_rank(self.rules);
        if let Some(slide) = slide.filter(goes_on) {
            let placed = self.agent.place_tile(&position.slid(&slide)).map(|placed| placed.tile.to_string());
            self.letters.push_str(&answered(placed)?);
        }
        (self.on_decision)(self.letters.len());
        Ok(())
    }

    /// Asks for a move, and adds its letter; `None` after an error.
    fn decide(&mut self, position: &Position) -> Result<Option<Direction>, PlayError> {
        self.asked.push((position.board, self.letters.len()));
        let chosen = self.agent.choose_move(position).map(|decision| decision.direction);
        let direction = chosen.as_ref().ok().copied();
        self.letters.push_str(&answered(chosen.map(|direction| direction.letter().to_string()))?);
        Ok(direction)
    }

    /// The first moves of a game, as letters behind a `/`.
    fn sequence(&mut self, number: u64, rules: &Rules, moves: u32) -> Result<(), PlayError> {
        self.letters.push('/');
        self.agent.new_game(AgentSeed::derive(SEED, 1000 + number))?;
        let mut game = Game::new(rules, TileSeed::derive(SEED, number));
        while game.ending().is_none() && game.moves() < moves {
            let position = Position::of_game(&game, self.budget);
            let direction = self.decide(&position)?;
            (self.on_decision)(self.letters.len());
            let Some(direction) = direction else {
                self.letters.push('!');
                break;
            };
            let place =
                |slide: &Slide| self.agent.place_tile(&position.slid(slide)).map(|placed| placed.tile);
            match game.play_with(direction, place) {
                Ok(tile) => self.letters.extend(tile.map(|tile| tile.to_string())),
                Err(TurnError::Unplaced(error)) => {
                    self.letters.push_str(&answered(Err(error))?);
                    break;
                }
                Err(TurnError::Move(_) | TurnError::Tile(_)) => {
                    self.letters.push('!');
                    break;
                }
            }
        }
        Ok(())
    }
}

/// What stands for an answer: itself, or a `!` for an error after which the agent goes on.
fn answered(answer: Result<String, PlayError>) -> Result<String, PlayError> {
    match answer {
        Err(final_word @ (PlayError::Panicked(_) | PlayError::Gone { .. })) => Err(final_word),
        answer => Ok(answer.unwrap_or_else(|_| "!".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint(boards: &[Board]) -> (usize, String) {
        let mut hasher = Sha256::new();
        for board in boards {
            hasher.update(format!("{board}\n"));
        }
        (boards.len(), hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect())
    }

    #[test]
    fn the_sets_of_positions_are_frozen() {
        let frozen = |boards: &[Board], count, digest: &str| {
            assert_eq!(fingerprint(boards), (count, digest.to_owned()));
        };
        frozen(&Set::First.boards(&Rules::default()), 38, "ff152ddd6e3436ce");
        frozen(&Set::Second.boards(&Rules::default()), 45, "4cef50fe490513fd");
        frozen(&midgame_boards(), 3, "5256fc6d0eac0a69");
    }

    #[test]
    fn the_first_set_covers_every_filling_and_stays_below_the_stop_tile() {
        let all = Set::First.boards(&Rules::default());
        for empty in 0..15 {
            assert!(all.iter().any(|board| board.empty_count() == empty), "{empty} empty cells");
        }
        let stopped = Set::First.boards(&stopping_at_512());
        assert!(stopped.iter().all(|board| board.max_rank() < 9));
        assert!(!stopped.is_empty() && stopped.len() < all.len());
    }

    #[test]
    fn the_second_set_covers_every_rank_in_every_stage() {
        let all = Set::Second.boards(&Rules::default());
        for max_rank in 1..=MAX_PACKED_RANK {
            for empty in STAGES {
                let is_it =
                    |board: &&Board| board.max_rank() == max_rank && board.empty_count() as usize == empty;
                assert_eq!(all.iter().filter(is_it).count(), 1, "rank {max_rank}, {empty} empty cells");
            }
        }
        let stopped = Set::Second.boards(&stopping_at_512());
        assert_eq!(stopped.len(), 8 * STAGES.len());
        assert_eq!(Set::Second.games(&stopping_at_512()).len(), 1);
    }

    fn stopping_at_512() -> Rules {
        Rules { stop_at: Some(512.try_into().unwrap()), ..Rules::default() }
    }

    #[test]
    fn tiles_are_laid_out_as_a_snake() {
        let mut ranks = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0];
        lay_out(&mut ranks);
        assert_eq!(ranks, [15, 14, 13, 12, 8, 9, 10, 11, 7, 6, 5, 4, 0, 1, 2, 3]);
    }
}
