//! Section "Speed": expectimax runs faster the fuller the board is, "since it has to explore the possibility
//! of spawns in every empty tile".
//!
//! The agent `ms-fullness` searches, for every move, another board than that of its game: one with the number
//! of empty cells that its parameters set. So the nodes and the time of its games are those of boards of one
//! filling.

use engine::prelude::*;
use engine::{Game, TileSeed};

use crate::PAPER;
use crate::expectimax::Expectimax;
use crate::params::Params;

/// The agent `ms-fullness`.
pub struct Fullness {
    search: Expectimax,
    boards: Vec<Board>,
    rng: Rng,
}

engine::params! {
    /// The filling of the boards that are searched.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    pub struct FullnessParams {
        /// The fewest empty cells.
        pub empty_from: u32 = 0,
        /// The most empty cells.
        pub empty_to: u32 = 15,
    }
}

impl Agent for Fullness {
    type Params = FullnessParams;

    const ABOUT: About = About::new(
        "ms-fullness",
        "Expectimax on boards of one filling (Middleton and Schmidt)",
        PAPER,
        Capabilities::PLIES,
    );

    fn create(rules: &Rules, params: FullnessParams, host: Host) -> Result<Self, Refusal> {
        let boards = boards_of_filling(rules, params)?;
        let search = Expectimax::create(rules, Params::default(), host)?;
        Ok(Self { search, boards, rng: Rng::from_seed(0) })
    }

    fn new_game(&mut self, seed: AgentSeed) {
        self.rng = seed.rng();
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let board = self.boards[self.rng.below(self.boards.len() as u32) as usize];
        let drawn = Position { board, legal: board.legal_moves(), ..*position };
        let decision = self.search.choose_move(&drawn)?;
        // What is best on the drawn board may be illegal in the game.
        let direction =
            position.legal.at_or_after(decision.direction).ok_or("the position has no legal move")?;
        Ok(Decision { direction, value: None, values: None, ..decision })
    }
}

/// The boards that an agent searches: this many at the most, drawn before any game since their drawing is not
/// to be timed.
const BOARDS: usize = 5_000;
/// The random games that are played for them, at the most.
const GAMES: usize = 20_000;
/// Boards in a row of one game are nearly the same: of those with the filling one in this many is taken.
const APART: usize = 7;
const GAMES_SEED: u64 = 3;

/// Boards of the wanted filling, from games of random moves under these rules.
pub fn boards_of_filling(rules: &Rules, params: FullnessParams) -> Result<Vec<Board>, Refusal> {
    let FullnessParams { empty_from, empty_to } = params;
    if empty_from > empty_to || empty_to > 15 {
        return Err(Refusal::Params(format!(
            "parameters `empty_from` and `empty_to` are {empty_from} and {empty_to}: they must be from 0 to 15, \
             the first not above the second"
        )));
    }
    let mut rng = Rng::from_seed(GAMES_SEED);
    let met = (0..GAMES).flat_map(|_| boards_of_random_game(rules, &mut rng));
    let wanted = met.filter(|board| (empty_from..=empty_to).contains(&board.empty_count()));
    let boards: Vec<Board> = wanted.step_by(APART).take(BOARDS).collect();
    if boards.is_empty() {
        return Err(Refusal::Rules(format!(
            "no random game under these rules comes to a board with {empty_from} to {empty_to} empty cells"
        )));
    }
    Ok(boards)
}

/// The boards of one game that a move was drawn for.
fn boards_of_random_game(rules: &Rules, rng: &mut Rng) -> Vec<Board> {
    let mut game = Game::new(rules, TileSeed(rng.next_u64()));
    let mut boards = Vec::new();
    loop {
        let legal = game.legal_moves();
        let drawn = legal.iter().nth(rng.below(legal.len()) as usize);
        let board = game.board();
        match drawn {
            Some(direction) if game.play(direction).is_ok() => boards.push(board),
            _ => return boards,
        }
    }
}
