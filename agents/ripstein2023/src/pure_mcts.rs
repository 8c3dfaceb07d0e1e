//! Section 3.1, Algorithm 1: the move whose random games end with the highest mean score; and what the
//! section says would not do, the mean of the best of them alone.

use std::marker::PhantomData;

use engine::Playouts;
use engine::agent::Params;
use engine::prelude::*;

use crate::theta::{check_share, kept};
use crate::value::sum_of_best;
use crate::{MOVE_ORDER, PAPER, chance};

/// The released code's `n`, used without a budget; the paper does not say it.
const GAMES: u64 = 100;
/// More random games for each move than anyone would wait for.
const MOST_GAMES: u64 = 10_000_000;

/// The agent `ripstein-pure-mcts`: all random games of a move count.
pub type PureMcts = PureSearch<PureMctsParams>;

/// The agent `ripstein-pure-mcts-top`: only the best random games of a move count, whatever has spawned in
/// them.
pub type PureMctsTop = PureSearch<PureMctsTopParams>;

/// What can be set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PureMctsParams {
    /// Whether the tile after the move is drawn for each of its games, or once for all of them.
    pub spawn: Spawn,
}

engine::params! {
    /// What can be set where only the best games count.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    pub struct PureMctsTopParams {
        /// Whether the tile after the move is drawn for each of its games, or once for all of them.
        pub spawn: Spawn = Spawn::default(),
        /// The share of a move's random games, the best ones, that its value is the mean of.
        // The better half: the share that the released code tries.
        pub top: f64 = 0.5,
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

/// The parameters of one of the two agents.
pub trait SearchParams: Params {
    /// Which agent it is.
    const ABOUT: About;

    /// How the tile after a move is drawn, and the share of the games that counts.
    fn spawn_and_top(&self) -> (Spawn, f64);
}

impl SearchParams for PureMctsParams {
    const ABOUT: About = about("ripstein-pure-mcts", "Pure Monte Carlo tree search (Ripstein)");

    fn spawn_and_top(&self) -> (Spawn, f64) {
        (self.spawn, 1.0)
    }
}

impl SearchParams for PureMctsTopParams {
    const ABOUT: About =
        about("ripstein-pure-mcts-top", "Pure Monte Carlo tree search by the best games (Ripstein)");

    fn spawn_and_top(&self) -> (Spawn, f64) {
        (self.spawn, self.top)
    }
}

const fn about(id: &'static str, name: &'static str) -> About {
    About::new(id, name, PAPER, Capabilities::NO_BUDGET.with(Capabilities::PLAYOUTS))
}

/// The search of both agents.
pub struct PureSearch<P> {
    model: Model,
    playouts: Playouts,
    spawn: Spawn,
    top: f64,
    seed: AgentSeed,
    params: PhantomData<P>,
}

impl<P: SearchParams> Agent for PureSearch<P> {
    type Params = P;

    const ABOUT: About = P::ABOUT;

    fn create(rules: &Rules, params: P, _host: Host) -> Result<Self, Refusal> {
        let (spawn, top) = params.spawn_and_top();
        check_share(top)?;
        Ok(Self {
            model: Model::new(rules),
            playouts: Playouts::new(rules),
            spawn,
            top,
            seed: AgentSeed(0),
            params: PhantomData,
        })
    }

    fn new_game(&mut self, seed: AgentSeed) {
        self.seed = seed;
    }

    /// Equation 1.
    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let games = games_per_move(position.budget)?;
        let kept = kept(self.top, games);
        let sums = self.play(position, games as usize, kept as usize);
        let values = self.model.value_moves(position.board, MOVE_ORDER, |direction, slide| {
            let score = (position.score + u64::from(slide.reward)) as f64;
            let value = score + sums[direction as usize] as f64 / kept as f64;
            (value, if self.model.ends_game(slide) { 0 } else { games })
        });
        values.decide(MOVE_ORDER, 1, games)
    }
}

impl<P> PureSearch<P> {
    /// Plays this many random games for every legal move, and returns by direction the sum of what the best
    /// of them scored after the move. A move that ended the game has none.
    fn play(&self, position: &Position, games: usize, kept: usize) -> [u64; 4] {
        let mut rng = chance(self.seed, position);
        let moves = self.model.moves(position.board, MOVE_ORDER);
        let open: Vec<(Direction, Slide)> = moves.filter(|(_, slide)| !self.model.ends_game(slide)).collect();
        let draw = |number: usize, rng: &mut Rng| self.model.spawn(open[number].1.afterstate, rng);
        let shared: Option<Vec<Board>> = (self.spawn == Spawn::Shared)
            .then(|| (0..open.len()).map(|number| draw(number, &mut rng)).collect());
        let jobs = (0..open.len() * games).map(|job| {
            let board = match &shared {
                Some(boards) => boards[job / games],
                None => draw(job / games, &mut rng),
            };
            (board, rng.next_u64())
        });
        let mut results = vec![0; open.len() * games];
        self.playouts.random_many(jobs, |job, playout| results[job] = playout.reward);
        let mut sums = [0; 4];
        for (&(direction, _), results) in open.iter().zip(results.chunks_mut(games)) {
            sums[direction as usize] = sum_of_best(results, kept);
        }
        sums
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
