//! Section 3.1, Algorithm 1: the move whose random games end with the highest mean score; and what the section says would not
//! do, the mean of the best of them alone.

use engine::agent::{
    About, Agent, Budget, Capabilities, Decision, Failure, Host, MoveValues, Position, Refusal,
};
use engine::{AgentSeed, Board, Odds, Playouts, Rng, Rules, spawn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::moves::{self, Move, Moves};
use crate::theta::{kept, wrong_share};
use crate::value::sum_of_best;
use crate::{PAPER, chance};

/// The released code's `n`, where there is no budget; the paper does not say it.
const GAMES: u64 = 100;
/// More random games for each move than anyone would wait for.
const MOST_GAMES: u64 = 10_000_000;

/// The agent `ripstein-pure-mcts`: all random games of a move count.
pub struct PureMcts(Search);

/// The agent `ripstein-pure-mcts-top`: only the best random games of a move count, whatever has spawned in them.
pub struct PureMctsTop(Search);

/// What can be set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PureMctsParams {
    /// Whether the tile after the move is drawn for each of its games, or once for all of them.
    pub spawn: Spawn,
}

/// What can be set where only the best games count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PureMctsTopParams {
    /// Whether the tile after the move is drawn for each of its games, or once for all of them.
    pub spawn: Spawn,
    /// The share of a move's random games, the best ones, that its value is the mean of.
    pub top: f64,
}

impl Default for PureMctsTopParams {
    /// The better half: the share that the released code tries.
    fn default() -> Self {
        Self { spawn: Spawn::default(), top: 0.5 }
    }
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

/// What both agents say of themselves, but for their names.
const ABOUT: About = About {
    id: "ripstein-pure-mcts",
    name: "Pure Monte Carlo tree search (Ripstein)",
    version: "1.0.0",
    paper: PAPER,
    licence: "MIT",
    capabilities: Capabilities::NO_BUDGET.with(Capabilities::PLAYOUTS),
};

impl Agent for PureMcts {
    type Params = PureMctsParams;

    const ABOUT: About = ABOUT;

    fn create(rules: &Rules, params: PureMctsParams, _host: Host) -> Result<Self, Refusal> {
        Ok(Self(Search::new(rules, params.spawn, 1.0)))
    }

    fn new_game(&mut self, seed: AgentSeed) {
        self.0.new_game(seed);
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        self.0.choose_move(position)
    }

    fn move_values(&self) -> Option<MoveValues> {
        self.0.values
    }
}

impl Agent for PureMctsTop {
    type Params = PureMctsTopParams;

    const ABOUT: About = About {
        id: "ripstein-pure-mcts-top",
        name: "Pure Monte Carlo tree search by the best games (Ripstein)",
        ..ABOUT
    };

    fn create(rules: &Rules, params: PureMctsTopParams, _host: Host) -> Result<Self, Refusal> {
        match wrong_share(params.top) {
            Some(refusal) => Err(refusal),
            None => Ok(Self(Search::new(rules, params.spawn, params.top))),
        }
    }

    fn new_game(&mut self, seed: AgentSeed) {
        self.0.new_game(seed);
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        self.0.choose_move(position)
    }

    fn move_values(&self) -> Option<MoveValues> {
        self.0.values
    }
}

/// The search of both agents.
struct Search {
    moves: Moves,
    playouts: Playouts,
    four: Odds,
    spawn: Spawn,
    top: f64,
    seed: AgentSeed,
    values: Option<MoveValues>,
}

impl Search {
    fn new(rules: &Rules, spawn: Spawn, top: f64) -> Self {
        Self {
            moves: Moves::new(rules),
            playouts: Playouts::new(rules),
            four: rules.four,
            spawn,
            top,
            seed: AgentSeed(0),
            values: None,
        }
    }

    const fn new_game(&mut self, seed: AgentSeed) {
        self.seed = seed;
        self.values = None;
    }

    /// Equation 1.
    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let games = games_per_move(position.budget)?;
        let kept = kept(self.top, games);
        let sums = self.play(position, games as usize, kept as usize);
        let mut values = MoveValues::default();
        for slid in self.moves.legal(position.board) {
            let index = slid.direction as usize;
            let score = (position.score + u64::from(slid.reward)) as f64;
            values.value[index] = Some(score + sums[index] as f64 / kept as f64);
            values.nodes[index] = if slid.ends_game { 0 } else { games };
        }
        self.values = Some(values);
        moves::decide(&values, 1, games)
    }

    /// Plays so many random games for every legal move, and returns by direction the sum of what the best of them scored after
    /// the move. A move that ended the game has none.
    fn play(&self, position: &Position, games: usize, kept: usize) -> [u64; 4] {
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
        let mut results = vec![0; open.len() * games];
        self.playouts.random_many(jobs, |job, playout| results[job] = playout.reward);
        let mut sums = [0; 4];
        for (slid, results) in open.iter().zip(results.chunks_mut(games)) {
            sums[slid.direction as usize] = sum_of_best(results, kept);
        }
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
