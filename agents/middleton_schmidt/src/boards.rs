//! Section "Speed": what a packed board with row tables gains over a plain array that is computed anew every
//! time.
//!
//! The agent `ms-boards` does the paper's two trials for every move, the heuristics of random boards or games
//! of random moves, on the board that its parameters set. The results of the trial choose the move. So two
//! experiments that differ in the board alone play the same games if the boards agree, and the ratio of their
//! CPU times is the paper's.

use engine::naive::NaiveBoard;
use engine::prelude::*;
use engine::spawn;

use crate::final_heuristics::FinalHeuristics;
use crate::heuristic::Heuristic;
use crate::initial_heuristics::InitialHeuristics;
use crate::{PAPER, integer, naive};

/// The agent `ms-boards`.
pub struct Boards {
    trial: Trial,
    rng: Rng,
}

/// What is measured, and on which board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BoardsParams {
    /// The board.
    pub board: BoardForm,
    /// What is done with it. The budget says how many boards are valued, or how many games are played.
    pub work: Work,
}

/// The paper's implementations of the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BoardForm {
    /// An array of ranks; all is computed cell by cell.
    Naive,
    /// 64 bits, and all is computed cell by cell too.
    Integer,
    /// 64 bits; slides and heuristics are looked up by row.
    #[default]
    Packed,
}

/// What the paper timed. It does not say which heuristics it valued boards by (D-9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// Random boards are valued by the initial heuristics.
    InitialHeuristics,
    /// Random boards are valued by the final heuristics.
    #[default]
    FinalHeuristics,
    /// Games of random moves are played to their end.
    Games,
}

impl Agent for Boards {
    type Params = BoardsParams;

    const ABOUT: About = About::new(
        "ms-boards",
        "Naive and packed boards, measured (Middleton and Schmidt)",
        PAPER,
        Capabilities::PLAYOUTS,
    );

    fn create(rules: &Rules, params: BoardsParams, _host: Host) -> Result<Self, Refusal> {
        Ok(Self { trial: trial(params, rules), rng: Rng::from_seed(0) })
    }

    fn new_game(&mut self, seed: AgentSeed) {
        self.rng = seed.rng();
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let spent = position.budget.amount();
        let results = (self.trial)(spent, &mut self.rng);
        // All boards together have the same results whichever comes first: a draw keeps the moves from being
        // all alike.
        let number = results.wrapping_add(self.rng.next_u64()) % u64::from(position.legal.len().max(1));
        let direction = position.legal.iter().nth(number as usize).ok_or("the position has no legal move")?;
        Ok(Decision { spent, ..Decision::new(direction) })
    }
}

/// A trial of the paper, on one of its boards: values this many boards, or plays this many games, and returns
/// a number that depends on every result.
pub type Trial = Box<dyn Fn(u64, &mut Rng) -> u64>;

/// The trial that the parameters describe, with everything drawn and tabulated that is not to be timed.
pub fn trial(BoardsParams { board, work }: BoardsParams, rules: &Rules) -> Trial {
    let rules = rules.clone();
    match board {
        BoardForm::Naive => {
            let game = move |rng: &mut Rng| naive::random_game(&rules, rng);
            trial_of(work, random_boards, naive::initial_value, naive::final_value, game)
        }
        BoardForm::Integer => {
            let game = move |rng: &mut Rng| integer::random_game(&rules, rng);
            trial_of(work, random_packed_boards, integer::initial_value, integer::final_value, game)
        }
        BoardForm::Packed => {
            let (first, last) = (InitialHeuristics::default(), FinalHeuristics::default());
            let tree = Model::new(&rules);
            let game = move |rng: &mut Rng| random_game(&rules, &tree, rng);
            let first = move |board: &Board| first.value(**board);
            trial_of(work, random_packed_boards, first, move |board| last.value(**board), game)
        }
    }
}

fn trial_of<B: 'static>(
    work: Work,
    boards: fn() -> Vec<B>,
    initial_value: impl Fn(&B) -> f64 + 'static,
    final_value: impl Fn(&B) -> f64 + 'static,
    game: impl Fn(&mut Rng) -> RandomGame + 'static,
) -> Trial {
    match work {
        Work::InitialHeuristics => valuing(boards(), initial_value),
        Work::FinalHeuristics => valuing(boards(), final_value),
        Work::Games => Box::new(move |amount, rng| {
            let add =
                |sum: u64, RandomGame { board, moves }| sum.wrapping_add(board.packed()).wrapping_add(moves);
            (0..amount).map(|_| game(rng)).fold(0, add)
        }),
    }
}

/// Values random boards: from a drawn one on, over and over.
fn valuing<B: 'static>(boards: Vec<B>, value: impl Fn(&B) -> f64 + 'static) -> Trial {
    Box::new(move |amount, rng| {
        let mut next = &boards[rng.below(boards.len() as u32) as usize..];
        let (mut sum, mut left) = (0_u64, amount);
        while left > 0 {
            let now = left.min(next.len() as u64);
            let values = next[..now as usize].iter().map(|board| rounded(value(board)));
            sum = values.fold(sum, u64::wrapping_add);
            left -= now;
            next = &boards;
        }
        sum
    })
}

/// The random boards of the paper's trial, as many as it had. They are the same for all agents: their values
/// can be compared once and for all.
const BOARDS: usize = 100_000;
const BOARDS_SEED: u64 = 100_000;

/// Every cell by itself: empty, or any tile up to 2048.
pub fn random_boards() -> Vec<NaiveBoard> {
    let mut rng = Rng::from_seed(BOARDS_SEED);
    (0..BOARDS).map(|_| NaiveBoard(std::array::from_fn(|_| rng.below(12) as u8))).collect()
}

fn random_packed_boards() -> Vec<Board> {
    random_boards().into_iter().map(|board| Board::from_ranks(board.0).unwrap_or_default()).collect()
}

/// A whole number near the value: two ways to compute a power may differ in its last bits.
fn rounded(value: f64) -> u64 {
    (value + 0.5) as i64 as u64
}

/// A random game that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomGame {
    /// The last board that a move was drawn for: a dead one, or that before the move to the tile that ends
    /// the game.
    pub board: Board,
    /// The moves before it.
    pub moves: u64,
}

/// A game of random moves on the packed board: draw for draw that of [`naive::random_game`].
pub fn random_game(rules: &Rules, tree: &Model, rng: &mut Rng) -> RandomGame {
    let (board, moves) = random_moves(
        spawn::start(rules, rng),
        rng,
        |board, direction| tree.slide(board, direction),
        |slide, rng| (!tree.ends_game(&slide)).then(|| tree.spawn(slide.afterstate, rng)),
    );
    RandomGame { board, moves }
}

/// Draws legal moves of boards of any form until none is left, or one ends the game. Returns the last board
/// that a move was drawn for, and the moves before it.
#[inline]
pub(crate) fn random_moves<B: Copy, S>(
    mut board: B,
    rng: &mut Rng,
    slide: impl Fn(B, Direction) -> Option<S>,
    spawn: impl Fn(S, &mut Rng) -> Option<B>,
) -> (B, u64) {
    let mut moves = 0;
    loop {
        let slides = Direction::ALL.map(|direction| slide(board, direction));
        let legal = slides.iter().flatten().count();
        let chosen = rng.below(legal as u32) as usize;
        match slides.into_iter().flatten().nth(chosen).and_then(|slid| spawn(slid, rng)) {
            Some(next) => board = next,
            None => return (board, moves),
        }
        moves += 1;
    }
}
