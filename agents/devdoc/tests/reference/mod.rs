//! The printed programs again, as plainly as they are printed: naive recursion on the framework's words,
//! nothing remembered, nothing cut short, cell by cell. What the agents are tested and measured against.

#![allow(dead_code, reason = "tests and the benchmark each use a part")]

use engine::agent::Budget;
use engine::naive::NaiveBoard;
use engine::{Board, Direction, Merging, Rng, Rules, Slides};

/// The framework's board: what a player may ask of it.
pub(crate) trait State: Copy {
    /// The order is up, down, left, right.
    fn actions(&self) -> impl Iterator<Item = Direction>;
    /// `move`, without a tile that comes.
    fn moved(&self, action: Direction) -> Self;
    /// Cells and ranks.
    fn possible_tiles(&self) -> impl Iterator<Item = (usize, u8)>;
    fn add_tile(&self, cell: usize, rank: u8) -> Self;
    fn game_over(&self) -> bool;
    fn tile(&self, row: usize, column: usize) -> i64;
    fn score(&self) -> i64;
}

const ACTIONS: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

/// A state on the engine's oracle: an array of ranks, tiles moved one by one.
#[derive(Clone, Copy)]
pub(crate) struct Naive {
    board: NaiveBoard,
    score: i64,
    merging: Merging,
    stop_rank: u8,
}

impl Naive {
    pub(crate) fn new(board: Board, score: u64, rules: &Rules) -> Self {
        let stop_rank = rules.stop_at.map_or(16, |stop| stop.rank());
        Self { board: NaiveBoard::from(*board), score: score as i64, merging: rules.merging, stop_rank }
    }
}

impl State for Naive {
    fn actions(&self) -> impl Iterator<Item = Direction> {
        ACTIONS.into_iter().filter(|&action| self.board.slide(action, self.merging).is_some())
    }

    fn moved(&self, action: Direction) -> Self {
        let slide = self.board.slide(action, self.merging).expect("it is an action");
        Self { board: slide.board, score: self.score + i64::from(slide.reward), ..*self }
    }

    fn possible_tiles(&self) -> impl Iterator<Item = (usize, u8)> {
        let empty = (0..16).filter(|&cell| self.board.0[cell] == 0);
        empty.flat_map(|cell| [(cell, 1), (cell, 2)])
    }

    fn add_tile(&self, cell: usize, rank: u8) -> Self {
        let mut added = *self;
        added.board.0[cell] = rank;
        added
    }

    fn game_over(&self) -> bool {
        self.board.0.iter().any(|&rank| rank >= self.stop_rank) || self.actions().next().is_none()
    }

    fn tile(&self, row: usize, column: usize) -> i64 {
        i64::from(self.board.0[4 * row + column])
    }

    fn score(&self) -> i64 {
        self.score
    }
}

/// A state on the engine's packed board and its row tables, for the standard end of the game: the plain
/// search at its best.
#[derive(Clone, Copy)]
pub(crate) struct Packed {
    board: Board,
    score: i64,
    slides: &'static Slides,
}

impl Packed {
    pub(crate) fn new(board: Board, score: u64) -> Self {
        Self { board, score: score as i64, slides: Slides::of(Merging::Once) }
    }
}

impl State for Packed {
    fn actions(&self) -> impl Iterator<Item = Direction> {
        let legal = self.board.legal_moves();
        ACTIONS.into_iter().filter(move |&action| legal.contains(action))
    }

    fn moved(&self, action: Direction) -> Self {
        let slide = self.slides.slide(self.board, action).expect("it is an action");
        assert!(!slide.makes_cap, "this state does not know 65536");
        let board = Board::from_packed(slide.afterstate.packed());
        Self { board, score: self.score + i64::from(slide.reward), ..*self }
    }

    fn possible_tiles(&self) -> impl Iterator<Item = (usize, u8)> {
        self.board.empty_cells().flat_map(|cell| [(cell, 1), (cell, 2)])
    }

    fn add_tile(&self, cell: usize, rank: u8) -> Self {
        Self { board: Board::from_packed(self.board.packed() | u64::from(rank) << (4 * cell)), ..*self }
    }

    fn game_over(&self) -> bool {
        self.board.legal_moves().is_empty()
    }

    fn tile(&self, row: usize, column: usize) -> i64 {
        i64::from(self.board.rank(4 * row + column))
    }

    fn score(&self) -> i64 {
        self.score
    }
}

/// What a printed `findMove` comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) action: Direction,
    pub(crate) value: f64,
    pub(crate) values: [Option<f64>; 4],
    /// The calls of the search functions.
    pub(crate) nodes: u64,
    /// The last depth that counts and has more calls than the one before, as the program counts it.
    pub(crate) depth: u32,
}

impl Found {
    /// A deeper search without more nodes is the same search, with the same values.
    fn unless_it_adds_nothing(self, before: Self) -> Self {
        if self.nodes > before.nodes { self } else { before }
    }
}

/// The programs, with a count of their calls.
#[derive(Default)]
pub(crate) struct Reference {
    nodes: u64,
}

/// Iteration 1 under a budget of nodes.
pub(crate) fn iteration_1(state: impl State, budget: Budget) -> Found {
    let mut this = Reference::default();
    let mut found = this.minimax_of_depth(state, 1, u64::MAX).expect("depth 1 always counts");
    let mut depth = 2;
    while this.nodes < budget.amount() && depth < 20 {
        let Some(deeper) = this.minimax_of_depth(state, depth, budget.amount()) else { break };
        found = deeper.unless_it_adds_nothing(found);
        depth += 1;
    }
    Found { nodes: this.nodes, ..found }
}

/// Iteration 2.
pub(crate) fn iteration_2(board: impl State) -> Found {
    let mut root = Root::new(-1000.0);
    for a in board.actions() {
        root.consider(a, board.moved(a).score() as f64);
    }
    let moves = board.actions().count() as u64;
    root.found(moves, 1)
}

/// Iteration 3.
pub(crate) fn iteration_3(board: impl State) -> Found {
    let mut this = Reference::default();
    let mut root = Root::new(-1.0);
    for action in board.actions() {
        let score = this.mean_of_moves(board.moved(action), 2);
        root.consider(action, score);
    }
    root.found(this.nodes, 2)
}

/// Iteration 4.
pub(crate) fn iteration_4(board: impl State) -> Found {
    let mut this = Reference::default();
    let mut root = Root::new(f64::NEG_INFINITY);
    for action in board.actions() {
        let score = this.expectimax(board.moved(action), 4, false, heuristic_4);
        root.consider(action, score);
    }
    root.found(this.nodes, 4)
}

/// Iteration 6 under a budget of nodes.
pub(crate) fn iteration_6(board: impl State, budget: Budget) -> Found {
    let mut this = Reference::default();
    let mut found = this.expectimax_of_depth(board, 1, u64::MAX).expect("depth 1 always counts");
    let mut depth = 2;
    while this.nodes < budget.amount() && depth < 20 {
        let deeper = this.expectimax_of_depth(board, depth, budget.amount());
        if this.nodes < budget.amount() {
            found = deeper.expect("the time is not up").unless_it_adds_nothing(found);
        }
        depth += 1;
    }
    Found { nodes: this.nodes, ..found }
}

impl Reference {
    pub(crate) fn minimax_of_depth(&mut self, state: impl State, depth: u32, budget: u64) -> Option<Found> {
        let mut root = Root::new(-10000.0);
        let before = self.nodes;
        for a in state.actions() {
            let result = state.moved(a);
            if self.nodes >= budget {
                return None;
            }
            root.consider(a, self.min_player(result, depth - 1));
        }
        Some(root.found(self.nodes - before, depth))
    }

    fn max_player(&mut self, state: impl State, depth: u32) -> f64 {
        self.nodes += 1;
        if state.game_over() || depth == 0 {
            return state.score() as f64;
        }
        let mut best = -10000.0;
        for a in state.actions() {
            let v = self.min_player(state.moved(a), depth - 1);
            if v > best {
                best = v;
            }
        }
        best
    }

    fn min_player(&mut self, state: impl State, depth: u32) -> f64 {
        self.nodes += 1;
        if state.game_over() || depth == 0 {
            return state.score() as f64;
        }
        let mut best = 1e6;
        for (t, v) in state.possible_tiles() {
            let v = self.max_player(state.add_tile(t, v), depth - 1);
            if v < best {
                best = v;
            }
        }
        best
    }

    fn mean_of_moves(&mut self, board: impl State, depth: u32) -> f64 {
        self.nodes += 1;
        if depth == 0 || board.game_over() {
            return board.score() as f64;
        }
        let mut total = 0.0;
        for action in board.actions() {
            total += self.mean_of_moves(board.moved(action), depth - 1);
        }
        total / board.actions().count() as f64
    }

    pub(crate) fn expectimax_of_depth(
        &mut self,
        board: impl State,
        depth: u32,
        budget: u64,
    ) -> Option<Found> {
        let mut root = Root::new(-1e10);
        let before = self.nodes;
        for action in board.actions() {
            if self.nodes >= budget {
                return None;
            }
            let score = self.expectimax(board.moved(action), depth, false, heuristic_6);
            root.consider(action, score);
        }
        Some(root.found(self.nodes - before, depth))
    }

    fn expectimax<S: State>(&mut self, board: S, depth: u32, is_max: bool, heuristic: fn(S) -> f64) -> f64 {
        self.nodes += 1;
        if depth == 0 || board.game_over() {
            return heuristic(board);
        }
        if is_max {
            let mut best = f64::NEG_INFINITY;
            for action in board.actions() {
                best = best.max(self.expectimax(board.moved(action), depth - 1, false, heuristic));
            }
            best
        } else {
            let mut total = 0.0;
            for (cell, rank) in board.possible_tiles() {
                total += self.expectimax(board.add_tile(cell, rank), depth - 1, true, heuristic);
            }
            total / board.possible_tiles().count() as f64
        }
    }
}

struct Root {
    best: f64,
    action: Option<Direction>,
    values: [Option<f64>; 4],
}

impl Root {
    fn new(below_all: f64) -> Self {
        Self { best: below_all, action: None, values: [None; 4] }
    }

    fn consider(&mut self, action: Direction, value: f64) {
        self.values[action as usize] = Some(value);
        if value > self.best {
            self.best = value;
            self.action = Some(action);
        }
    }

    fn found(&self, nodes: u64, depth: u32) -> Found {
        let action = self.action.expect("there is an action");
        Found { action, value: self.best, values: self.values, nodes, depth }
    }
}

pub(crate) fn heuristic_4(board: impl State) -> f64 {
    let cells = || (0..4).flat_map(|i| (0..4).map(move |j| (i, j)));
    let empty = cells().filter(|&(i, j)| board.tile(i, j) == 0).count() as i64;
    let max_tile = cells().map(|(i, j)| board.tile(i, j)).max().unwrap_or(0);
    let mut monotonicity = 0;
    for i in 0..4 {
        for j in 0..3 {
            if board.tile(i, j) >= board.tile(i, j + 1) {
                monotonicity += 1;
            }
            if board.tile(j, i) >= board.tile(j + 1, i) {
                monotonicity += 1;
            }
        }
    }
    let corner_bonus = board.tile(0, 0) * 300;
    (board.score() + empty * 150 + max_tile * 300 + monotonicity * 100 + corner_bonus) as f64
}

pub(crate) fn heuristic_6(board: impl State) -> f64 {
    let mut smoothness = 0;
    for i in 0..4 {
        for j in 0..3 {
            let (first, second) = (board.tile(i, j), board.tile(i, j + 1));
            if first > 0 && second > 0 {
                smoothness -= (first - second).abs();
            }
            let (first, second) = (board.tile(j, i), board.tile(j + 1, i));
            if first > 0 && second > 0 {
                smoothness -= (first - second).abs();
            }
        }
    }
    let mut mono_bonus = 0;
    for i in 0..4 {
        for line in [[0, 1, 2, 3].map(|j| board.tile(i, j)), [0, 1, 2, 3].map(|j| board.tile(j, i))] {
            if (0..3).all(|k| line[k] >= line[k + 1]) || (0..3).all(|k| line[k] <= line[k + 1]) {
                mono_bonus += 150;
            }
        }
    }
    let (mut empty_tiles, mut max_tile) = (0, 0);
    for i in 0..4 {
        for j in 0..4 {
            empty_tiles += i64::from(board.tile(i, j) == 0);
            max_tile = max_tile.max(board.tile(i, j));
        }
    }
    let corner_bonus = if board.tile(0, 0) == max_tile { max_tile as f64 * 40000.0 } else { 0.0 };
    smoothness as f64 + mono_bonus as f64 + empty_tiles as f64 * 270.0 + max_tile as f64 + corner_bonus
}

/// Which ranks a random board has more of.
#[derive(Clone, Copy)]
pub(crate) enum Mostly {
    Low,
    High,
}

/// A board with a legal move: any filling, ranks up to a largest.
pub(crate) fn random_board(rng: &mut Rng, max_rank: u32, mostly: Mostly) -> Board {
    loop {
        let empty = rng.below(15);
        let ranks = std::array::from_fn(|_| {
            let bound = 1 + rng.below(max_rank);
            let below = rng.below(bound) as u8;
            let rank = match mostly {
                Mostly::Low => 1 + below,
                Mostly::High => max_rank as u8 - below,
            };
            if rng.below(16) < empty { 0 } else { rank }
        });
        let board = Board::from_ranks(ranks).expect("the ranks fit");
        if !board.legal_moves().is_empty() {
            return board;
        }
    }
}
