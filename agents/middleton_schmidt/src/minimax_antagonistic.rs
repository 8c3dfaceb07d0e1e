//! Minimax with antagonistic placement (section "Expectimax vs minimax"): the opponent places the tile that
//! hurts most.
//!
//! The paper says that its minimax was pruned; by alpha-beta, we take it (D-2). Values and moves are those of
//! the full tree.
//!
//! The paper leaves open whether the opponent is one in the tree alone. Of the other form it says that "the
//! AI plays as if there is an opponent however the opponent still places tiles randomly" (section
//! "Approach"), and of this one, that random spawning could be better, "since the tiles aren't being placed
//! in the worst possible position". So the agent also places the tiles of adversarial games (D-12): those
//! that its own search fears.

use engine::Placement;
use engine::agent::{SlidPosition, TileDecision};
use engine::memo::Memo;
use engine::prelude::*;

use crate::heuristic::{Heuristic, Heuristics, with_heuristic};
use crate::params::Params;
use crate::search::Setup;
use crate::tree::{MOVE_ORDER, best_leaf, decide, leaf_board, spawned_ranks};
use crate::{MEMO_BITS, PAPER};

/// The agent `ms-minimax-antagonistic`.
pub struct MinimaxAntagonistic {
    setup: Setup<Bounds>,
    /// The board of the last decision, and the layers that were searched.
    last: Option<(Board, u32)>,
}

impl Agent for MinimaxAntagonistic {
    type Params = Params;

    const ABOUT: About = About::new(
        "ms-minimax-antagonistic",
        "Minimax, antagonistic placement (Middleton and Schmidt)",
        PAPER,
        Capabilities::PLIES.with(Capabilities::SPAWNER),
    );

    fn create(rules: &Rules, params: Params, _host: Host) -> Result<Self, Refusal> {
        Ok(Self { setup: Setup::new(rules, &params)?, last: None })
    }

    fn new_game(&mut self, _seed: AgentSeed) {
        self.last = None;
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        self.last = Some((position.board, self.setup.depth_counts.layers(position.budget)?));
        self.setup.minimax(position, Aids::default())
    }

    /// The opponent's answer in the very search that chose the slide: to the same depth, by the same
    /// heuristics. What the search remembers still holds, since it depends on boards and layers alone.
    fn place_tile(&mut self, slid: &SlidPosition) -> Result<TileDecision, Failure> {
        let layers = self.setup.depth_counts.layers(slid.budget)?;
        let Setup { tree, heuristics, memo, .. } = &mut self.setup;
        let (worst, nodes) = with_heuristic!(heuristics, heuristic => {
            AlphaBeta::new(*tree, &*heuristic, memo, Aids::default()).worst_spawn(slid.afterstate, layers - 1)
        });
        let tile = worst.and_then(|SpawnedTile { cell, rank }| Placement::new(cell as u32, rank.into()));
        let tile = tile.ok_or("the board has no empty cell")?;
        Ok(TileDecision { tile, nodes, spent: slid.budget.amount() })
    }

    /// A decision needs to know no more of a move than that another is better. So the values of all moves are
    /// searched for only when someone asks.
    fn move_values(&self) -> Option<MoveValues> {
        let (board, layers) = self.last?;
        let Setup { tree, heuristics, .. } = &self.setup;
        let (mut memo, aids) = (Memo::new(MEMO_BITS), Aids { root_pruning: false, ..Aids::default() });
        Some(value_moves(*tree, heuristics, &mut memo, aids, (board, layers)))
    }
}

/// What a search does to save time. Neither changes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Aids {
    /// Whether positions that come up again are remembered.
    pub(crate) memo: bool,
    /// Whether what cannot matter is left out.
    pub(crate) pruning: bool,
    /// Whether that holds for the root too. Then only its best move has its exact value. Of the others it is
    /// only certain that they are no better, or as good but later in the order.
    pub(crate) root_pruning: bool,
}

impl Default for Aids {
    fn default() -> Self {
        Self { memo: true, pruning: true, root_pruning: true }
    }
}

impl Setup<Bounds> {
    /// Searches with these aids, and decides for the best move.
    pub(crate) fn minimax(&mut self, position: &Position, aids: Aids) -> Result<Decision, Failure> {
        let layers = self.depth_counts.layers(position.budget)?;
        let Self { tree, heuristics, memo, .. } = self;
        let values = value_moves(*tree, heuristics, memo, aids, (position.board, layers));
        // Pruning leaves only the best value exact.
        Ok(Decision { values: None, ..decide(&values, layers, position.budget)? })
    }
}

fn value_moves(
    tree: Model,
    heuristics: &Heuristics,
    memo: &mut Memo<Bounds>,
    aids: Aids,
    (board, layers): (Board, u32),
) -> MoveValues {
    with_heuristic!(heuristics, heuristic => AlphaBeta::new(tree, heuristic, memo, aids).value_moves(board, layers))
}

/// What is known of a value: it lies between these, both included.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    lower: f64,
    upper: f64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { lower: f64::NEG_INFINITY, upper: f64::INFINITY }
    }
}

impl Bounds {
    /// What a search with this window learns: a value inside is exact, one at or beyond an end is a bound.
    fn learned(value: f64, window: Window) -> Self {
        Self {
            lower: if value > window.alpha { value } else { f64::NEG_INFINITY },
            upper: if value < window.beta { value } else { f64::INFINITY },
        }
    }

    /// The value, as far as a search with this window needs to know it.
    fn settle(self, window: Window) -> Option<f64> {
        if self.lower >= window.beta || self.lower == self.upper {
            Some(self.lower)
        } else {
            (self.upper <= window.alpha).then_some(self.upper)
        }
    }
}

/// What the player is sure of already, and what the opponent is: only values between them matter.
#[derive(Clone, Copy)]
struct Window {
    alpha: f64,
    beta: f64,
}

/// What the opponent does.
#[derive(Clone, Copy, PartialEq, Eq)]
struct SpawnedTile {
    cell: usize,
    rank: u8,
}

/// One search.
struct AlphaBeta<'a, H> {
    tree: Model,
    heuristic: &'a H,
    memo: &'a mut Memo<Bounds>,
    aids: Aids,
    /// The ranks that can spawn: the opponent is bound to what the rules allow.
    ranks: &'static [u8],
    /// By the layers below: the spawn that refuted a move last. It often refutes the next one too.
    refutations: [SpawnedTile; REFUTATIONS],
    nodes: u64,
}

const REFUTATIONS: usize = 32;

impl<'a, H: Heuristic> AlphaBeta<'a, H> {
    fn new(tree: Model, heuristic: &'a H, memo: &'a mut Memo<Bounds>, aids: Aids) -> Self {
        let ranks = spawned_ranks(tree.four);
        let refutations = [SpawnedTile { cell: 0, rank: ranks[0] }; REFUTATIONS];
        Self { tree, heuristic, memo, aids, ranks, refutations, nodes: 0 }
    }

    fn value_moves(&mut self, board: Board, layers: u32) -> MoveValues {
        self.memo.forget_and_use(2 * layers + 2);
        let tree = self.tree;
        let mut alpha = f64::NEG_INFINITY;
        tree.value_moves(board, MOVE_ORDER, |_, slide| {
            let before = self.nodes;
            let value = self.after_move(slide, layers - 1, Window { alpha, beta: f64::INFINITY });
            if self.aids.pruning && self.aids.root_pruning {
                alpha = alpha.max(value);
            }
            (value, self.nodes - before)
        })
    }

    /// The opponent's layer with its answer: the worst spawn with this many layers to search, its own
    /// included. Of equals it is the first, cell by cell, the 2 before the 4 (D-12). Where the search would
    /// end before this layer, the boards are valued at once.
    fn worst_spawn(&mut self, afterstate: Afterstate, layers: u32) -> (Option<SpawnedTile>, u64) {
        self.nodes += 1;
        let (mut worst, mut found) = (f64::INFINITY, None);
        for cell in afterstate.empty_cells() {
            for &rank in self.ranks {
                let window = Window { alpha: f64::NEG_INFINITY, beta: worst };
                let board = afterstate.with_spawn(cell, rank);
                let value = self.player(board, layers.saturating_sub(1), window);
                if value < worst {
                    (worst, found) = (value, Some(SpawnedTile { cell, rank }));
                }
            }
        }
        (found, self.nodes)
    }

    /// The window for a deeper search: all there is, where nothing is pruned.
    fn narrowed(&self, alpha: f64, beta: f64) -> Window {
        if self.aids.pruning {
            Window { alpha, beta }
        } else {
            Window { alpha: f64::NEG_INFINITY, beta: f64::INFINITY }
        }
    }

    /// The value of a move with this many layers below it.
    fn after_move(&mut self, slide: &Slide, layers: u32, window: Window) -> f64 {
        let afterstate = slide.afterstate;
        if layers == 0 || self.tree.ends_game(slide) {
            return self.heuristic.value(*afterstate);
        }
        if !self.aids.memo {
            return self.opponent(afterstate, layers, window);
        }
        if let Some(value) = self.memo.get(*afterstate, layers).and_then(|bounds| bounds.settle(window)) {
            return value;
        }
        let value = self.opponent(afterstate, layers, window);
        self.memo.put(*afterstate, layers, Bounds::learned(value, window));
        value
    }

    /// The opponent's layer: the worst spawn, the suspected refutation tried first.
    fn opponent(&mut self, afterstate: Afterstate, layers: u32, window: Window) -> f64 {
        self.nodes += 1;
        let suspect = self.refutations[layers as usize % REFUTATIONS];
        let mut worst = f64::INFINITY;
        if afterstate.rank(suspect.cell) == 0 {
            worst = self.after_spawn(afterstate, suspect, layers, window);
        }
        for cell in afterstate.empty_cells() {
            for &rank in self.ranks {
                if worst <= window.alpha {
                    return worst;
                }
                let spawn = SpawnedTile { cell, rank };
                if spawn != suspect {
                    let narrowed = self.narrowed(window.alpha, window.beta.min(worst));
                    worst = worst.min(self.after_spawn(afterstate, spawn, layers, narrowed));
                }
            }
        }
        worst
    }

    /// The value of a spawn. One that is worth no more than alpha refutes the move before it.
    #[inline]
    fn after_spawn(
        &mut self,
        afterstate: Afterstate,
        spawn: SpawnedTile,
        layers: u32,
        window: Window,
    ) -> f64 {
        let value = self.player(afterstate.with_spawn(spawn.cell, spawn.rank), layers - 1, window);
        if value <= window.alpha {
            self.refutations[layers as usize % REFUTATIONS] = spawn;
        }
        value
    }

    /// The player's layer: the best move.
    fn player(&mut self, board: Board, layers: u32, window: Window) -> f64 {
        match layers {
            0 => return leaf_board(self.heuristic, board),
            1 => {
                self.nodes += 1;
                return best_leaf(self.tree.slides, self.heuristic, board, window.beta);
            }
            _ => self.nodes += 1,
        }
        let (moves, count) = self.promising_first(board);
        if count == 0 {
            return self.heuristic.lost(*board);
        }
        let mut best = f64::NEG_INFINITY;
        for (_, slide) in &moves[..count] {
            let narrowed = self.narrowed(window.alpha.max(best), window.beta);
            best = best.max(self.after_move(slide, layers - 1, narrowed));
            if best >= window.beta {
                break;
            }
        }
        best
    }

    /// The moves with the value of where they lead at once, the largest first.
    fn promising_first(&self, board: Board) -> ([(f64, Slide); 4], usize) {
        const NONE: Slide = Slide { afterstate: Afterstate::EMPTY, reward: 0, makes_cap: false };
        let mut moves = [(0.0, NONE); 4];
        let mut count = 0;
        for (_, slide) in self.tree.moves(board, MOVE_ORDER) {
            let value = self.heuristic.value(*slide.afterstate);
            let mut place = count;
            while place > 0 && moves[place - 1].0 < value {
                moves[place] = moves[place - 1];
                place -= 1;
            }
            moves[place] = (value, slide);
            count += 1;
        }
        (moves, count)
    }
}
