//! Section 3.1, Algorithm 1: the move whose random games end with the highest mean score.

use engine::agent::{
    About, Agent, Budget, Capabilities, Decision, Failure, Host, MoveValues, Position, Refusal,
};
use engine::{AgentSeed, Board, Odds, Playouts, Rng, Rules, spawn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::moves::{self, Move, Moves};
use crate::{PAPER, chance};

/// The released code's `n`, where there is no budget; the paper does not say it.
const GAMES: u64 = 100;
/// More random games for each move than anyone would wait for.
const MOST_GAMES: u64 = 10_000_000;

/// The agent `ripstein-pure-mcts`.
pub struct PureMcts {
    moves: Moves,
    playouts: Playouts,
    four: Odds,
    spawn: Spawn,
    seed: AgentSeed,
    values: Option<MoveValues>,
}

/// What can be set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PureMctsParams {
    /// Whether the tile after the move is drawn for each of its games, or once for all of them.
    pub spawn: Spawn,
}

/// How often the tile after the move is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Spawn {
    /// For every random game anew: Algorithm 1 as written.
    #[default]
    Fresh,
    /// Once for all random games of a move: the released code.
    Shared,
}

impl Agent for PureMcts {
    type Params = PureMctsParams;

    const ABOUT: About = About {
        id: "ripstein-pure-mcts",
        name: "Pure Monte Carlo tree search (Ripstein)",
        version: "1.0.0",
        paper: PAPER,
        licence: "MIT",
        capabilities: Capabilities::NO_BUDGET.with(Capabilities::PLAYOUTS),
    };

    fn create(rules: &Rules, params: PureMctsParams, _host: Host) -> Result<Self, Refusal> {
        Ok(Self {
            moves: Moves::new(rules),
            playouts: Playouts::new(rules),
            four: rules.four,
            spawn: params.spawn,
            seed: AgentSeed(0),
            values: None,
        })
    }

    fn new_game(&mut self, seed: AgentSeed) {
        self.seed = seed;
        self.values = None;
    }

    /// Equation 1.
    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let games = games_per_move(position.budget)?;
        let sums = self.play(position, games as usize);
        let mut values = MoveValues::default();
        for slid in self.moves.legal(position.board) {
            let index = slid.direction as usize;
            let score = (position.score + u64::from(slid.reward)) as f64;
            values.value[index] = Some(score + sums[index] as f64 / games as f64);
            values.nodes[index] = if slid.ends_game { 0 } else { games };
        }
        self.values = Some(values);
        moves::decide(&values, 1, games)
    }

    fn move_values(&self) -> Option<MoveValues> {
        self.values
    }
}

impl PureMcts {
    /// Plays so many random games for every legal move, and returns by direction the sum of what they scored after the move.
    /// A move that ended the game has none.
    fn play(&self, position: &Position, games: usize) -> [u64; 4] {
        let mut rng = chance(self.seed, position);
        let open: Vec<Move> = self.moves.legal(position.board).filter(|slid| !slid.ends_game).collect();
        let shared: Option<Vec<Board>> = (self.spawn == Spawn::Shared)
            .then(|| open.iter().map(|slid| self.draw(slid, &mut rng)).collect());
        let jobs = (0..open.len() * games).map(|job| {
            let board = match &shared {
                Some(boards) => boards[job / games],
                None => self.draw(&open[job / games], &mut rng),
            };
            (board, rng.next_u64())
        });
        let mut sums = [0; 4];
        self.playouts.random_many(jobs, |job, playout| {
            sums[open[job / games].direction as usize] += u64::from(playout.reward);
        });
        sums
    }

    /// The board after a move and a spawn.
    fn draw(&self, slid: &Move, rng: &mut Rng) -> Board {
        spawn::spawn(slid.afterstate, self.four, rng)
    }
}

/// How many random games a budget gives to each legal move: it is the paper's `n`.
fn games_per_move(budget: Budget) -> Result<u64, Failure> {
    match budget {
        Budget::Playouts(games @ 1..=MOST_GAMES) => Ok(games),
        Budget::Playouts(games) => {
            Err(format!("the budget is {games} playouts for each move: it must be 1 to {MOST_GAMES}").into())
        }
        _ => Ok(GAMES),
    }
}
