//! The search in its plain form: one rollout after the other, nothing played ahead, nodes that own their
//! children.

#![allow(dead_code, reason = "every test and benchmark uses a part of it")]

use std::collections::BTreeMap;

use chen2023::Params;
use chen2023::rollout::Rollouts;
use chen2023::search::{Move, Settings};
use chen2023::stream_key::StreamKey;
use engine::{Board, Direction, Rng, Rules, spawn};

/// The search, and the rollouts that it has asked for.
pub(crate) struct Plain {
    settings: Settings,
    rollouts: Rollouts,
    noise: Rng,
    pub(crate) asked: Vec<(Board, u64)>,
}

/// A move of the root: its direction, visits and sum of values.
pub(crate) type Tried = (Direction, u32, u64);

/// A board in the tree.
pub(crate) struct BoardNode {
    board: Board,
    key: StreamKey,
    leaf: u32,
    visits: u32,
    value: u64,
    moves: Vec<MoveNode>,
}

struct MoveNode {
    found: Move,
    key: StreamKey,
    visits: u32,
    value: u64,
    boards: BTreeMap<Board, BoardNode>,
}

impl Plain {
    pub(crate) fn new(rules: &Rules, params: &Params) -> Self {
        Self {
            settings: params.settings(rules),
            rollouts: Rollouts::new(rules, params.rollouts, params.measure),
            noise: Rng::from_seed(0),
            asked: Vec::new(),
        }
    }

    fn rollout(&mut self, board: Board, key: StreamKey) -> u32 {
        self.asked.push((board, key.rollout_seed()));
        self.rollouts.value(board, key.rollout_seed())
    }

    /// As released: the expansion, and `budget - 1` selections.
    pub(crate) fn flat(&mut self, board: Board, key: StreamKey, budget: u32) -> Vec<Tried> {
        self.noise = key.stream(4);
        let leaf = self.rollout(board, key);
        let mut moves = self.expand(board, key);
        for node in &mut moves {
            self.try_with_new_leaf(node);
        }
        let legal = moves.len() as u32;
        for visits in 1 + legal..budget + legal {
            let number = self.select(&moves, leaf, visits);
            self.try_with_new_leaf(&mut moves[number]);
        }
        tried(&moves)
    }

    fn try_with_new_leaf(&mut self, node: &mut MoveNode) {
        let value = node.found.end.unwrap_or_else(|| {
            let mut rng = node.key.stream(node.visits.into());
            let board = spawn::spawn(node.found.afterstate, self.settings.model.game.four, &mut rng);
            let key = StreamKey::of_board(rng);
            self.rollout(board, key)
        });
        node.visits += 1;
        node.value += u64::from(value);
    }

    /// As written: `budget` iterations from a root, which is new where none is given.
    pub(crate) fn tree(
        &mut self,
        kept: Option<BoardNode>,
        board: Board,
        key: StreamKey,
        budget: u32,
    ) -> (Vec<Tried>, BoardNode) {
        self.noise = key.stream(4);
        let mut root = kept.unwrap_or_else(|| self.new_board(board, key));
        for _ in 0..budget {
            self.visit(&mut root);
        }
        (tried(&root.moves), root)
    }

    fn new_board(&self, board: Board, key: StreamKey) -> BoardNode {
        BoardNode { board, key, leaf: 0, visits: 0, value: 0, moves: self.expand(board, key) }
    }

    fn expand(&self, board: Board, key: StreamKey) -> Vec<MoveNode> {
        let node = |found: Move| {
            let key = key.child(found.direction as u64);
            MoveNode { found, key, visits: 0, value: 0, boards: BTreeMap::new() }
        };
        self.settings.model.moves(board).map(node).collect()
    }

    fn visit(&mut self, node: &mut BoardNode) -> u32 {
        let tried = (node.visits as usize).wrapping_sub(1);
        let value = if node.visits == 0 {
            node.leaf = self.rollout(node.board, node.key);
            node.leaf
        } else if node.moves.is_empty() {
            node.leaf
        } else if tried < node.moves.len() {
            self.visit_move(&mut node.moves[tried])
        } else {
            let number = self.select(&node.moves, node.leaf, node.visits);
            self.visit_move(&mut node.moves[number])
        };
        node.visits += 1;
        node.value += u64::from(value);
        value
    }

    fn visit_move(&mut self, node: &mut MoveNode) -> u32 {
        let value = node.found.end.unwrap_or_else(|| {
            let mut rng = node.key.stream(node.visits.into());
            let board = spawn::spawn(node.found.afterstate, self.settings.model.game.four, &mut rng);
            let key = StreamKey::of_board(rng);
            let new = self.new_board(board, key);
            self.visit(node.boards.entry(board).or_insert(new))
        });
        node.visits += 1;
        node.value += u64::from(value);
        value
    }

    fn select(&mut self, moves: &[MoveNode], leaf: u32, visits: u32) -> usize {
        let noise = self.noise.next_u64();
        let bounds = moves.iter().enumerate().map(|(number, node)| {
            let n = f64::from(node.visits) + 1.0;
            let noise = f64::from((noise >> (16 * number)) as u16) * (1e-6 / 65536.0);
            let exploration = self.settings.exploration * f64::from(leaf);
            node.value as f64 / n + exploration * (libm::log(f64::from(visits) + 1.0) / n).sqrt() + noise
        });
        bounds.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0
    }
}

impl BoardNode {
    /// The tree below a move of the root and the board that came of it, if the search has been there.
    pub(crate) fn kept(mut self, direction: Direction, board: Board) -> Option<Self> {
        let node = self.moves.iter_mut().find(|node| node.found.direction == direction)?;
        node.boards.remove(&board)
    }
}

fn tried(moves: &[MoveNode]) -> Vec<Tried> {
    moves.iter().map(|node| (node.found.direction, node.visits, node.value)).collect()
}
