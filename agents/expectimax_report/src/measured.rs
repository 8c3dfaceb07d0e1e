//! The table of expanded nodes, measured: section "Results".
//!
//! The report calculates its nodes. For every move, the agent `er-nodes` searches a board that is not its
//! game's: one with the number of empty cells that its parameter sets, at the report's depth for that number.
//! It reports the nodes of that search, so the nodes of its games are a row of the table.

use engine::prelude::*;
use engine::{Game, TileSeed};

use crate::search::{NodeCounts, Search, terminal_depth};
use crate::{PAPER, Params};

/// The agent `er-nodes`.
pub struct ErNodes {
    search: Search,
    counts: Counted,
    boards: BoardsInPlay,
}

engine::params! {
    /// The row of the table, and the search that is measured.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    pub struct NodesParams {
        /// How many cells of the searched boards are empty.
        pub empty: u32 = 4,
        /// Whether positions that come up again within a search are looked up.
        pub memo: bool = true,
        /// Which nodes are counted.
        pub counts: Counted = Counted::Expanded,
    }
}

/// What a decision gives as its nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Counted {
    /// NodeCounts whose children were searched, as `er-expectimax` counts them.
    #[default]
    Expanded,
    /// NodeCounts that got a value without that. The report's formula is the width of the last layer, which
    /// is nearest to these.
    Leaves,
}

impl Counted {
    const fn of(self, nodes: NodeCounts) -> u64 {
        match self {
            Self::Expanded => nodes.expanded,
            Self::Leaves => nodes.leaves,
        }
    }
}

impl Agent for ErNodes {
    type Params = NodesParams;

    const ABOUT: About = About::new(
        "er-nodes",
        "NodeCounts of expectimax with three features",
        PAPER,
        Capabilities::NO_BUDGET,
    );

    fn create(rules: &Rules, params: NodesParams, _host: Host) -> Result<Self, Refusal> {
        let NodesParams { empty, memo, counts } = params;
        Refusal::out_of_range("empty", empty, 0..=14)?;
        let search = Params { memo, ..Params::default() }.search(rules)?;
        let mut boards = BoardsInPlay::new(rules, empty, Params::default().search(rules)?);
        boards.draw().map_err(|Failure(reason)| Refusal::Rules(reason))?;
        Ok(Self { search, counts, boards })
    }

    fn new_game(&mut self, seed: AgentSeed) {
        self.boards.begin(seed);
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let board = self.boards.draw()?;
        let depth = terminal_depth(board.empty_count());
        let (best, _) = self.search.expectimax_search(board, depth).best.ok_or("the drawn board is dead")?;
        let nodes = self.counts.of(self.search.nodes());
        // What is best on the drawn board may be illegal in the game.
        let direction = position.legal.at_or_after(best).ok_or("the position has no legal move")?;
        Ok(Decision { nodes, depth, ..Decision::new(direction) })
    }
}

/// The layers that the player of [`BoardsInPlay`] looks ahead: enough to reach 1024 and often 2048, at a
/// hundredth of the cost of the report's depths.
const PLAYER_DEPTH: u32 = 3;
/// Two boards that are taken from one game are at least this many moves apart.
const APART: u32 = 50;
/// This many moves are played for one board, at the most: a hundred games and more.
const MOST_MOVES: u32 = 100_000;

/// Boards with one number of empty cells, as they come up in games that the search itself plays, though not
/// as deep.
pub struct BoardsInPlay {
    rules: Rules,
    empty: u32,
    player: Search,
    rng: Rng,
    game: Game,
    /// The first move of the game from which on a board may be taken.
    from_move: u32,
}

impl BoardsInPlay {
    /// The boards with this many empty cells of games that a search plays, under the rules that it was made
    /// for.
    pub fn new(rules: &Rules, empty: u32, player: Search) -> Self {
        let game = Game::new(rules, TileSeed(0));
        Self { rules: rules.clone(), empty, player, rng: Rng::from_seed(0), game, from_move: 0 }
    }

    /// Begins with the first of the games that a seed stands for.
    pub fn begin(&mut self, seed: AgentSeed) {
        self.rng = seed.rng();
        self.next_game();
    }

    fn next_game(&mut self) {
        self.game = Game::new(&self.rules, TileSeed(self.rng.next_u64()));
        self.from_move = 0;
    }

    /// The next board that has the filling and a legal move.
    pub fn draw(&mut self) -> Result<Board, Failure> {
        for _ in 0..MOST_MOVES {
            let board = self.game.board();
            let Some((action, _)) = self.player.expectimax_search(board, PLAYER_DEPTH).best else {
                self.next_game();
                continue;
            };
            let is_wanted = board.empty_count() == self.empty && self.game.moves() >= self.from_move;
            if is_wanted {
                self.from_move = self.game.moves() + APART;
            }
            if self.game.play(action).is_err() || self.game.ending().is_some() {
                self.next_game();
            }
            if is_wanted {
                return Ok(board);
            }
        }
        Err(format!("no game under these rules comes to a board with {} empty cells", self.empty).into())
    }
}
