//! The search as written: a real tree (section 4.1).
//!
//! *Selection* goes down from the root: at a board to one of its moves, at a move to the board that a drawn
//! spawn makes of it, which is the same node whenever the same tile comes. It ends at a new board.
//! *Expansion* makes the moves of a board when the search comes by again; each is tried once before UCT
//! selects among them. *Simulation* is one rollout from the new board, and *backpropagation* gives its value
//! to all boards and moves on the way.
//!
//! The search has its rollouts played ahead ([`crate::ahead`]) by going on with guessed values: nodes have a
//! second pair of figures for that, which are set back to those of the search whenever it wants a rollout
//! that no guess had foreseen.

use engine::{Board, Rng};

use crate::ahead::{self, Ahead};
use crate::nodes::{BoardId, MovesId, Nodes, ROOT, Rollout};
use crate::rollout::Play;
use crate::search::{IterationLimits, SearchSummary, Settings};
use crate::stream_key::StreamKey;
use crate::uct::{Noise, Roots};

/// The number of the stream of noise under the search's key; the root's moves have the directions' numbers.
const NOISE: u64 = 4;
/// The two that go through the tree.
const SEARCH: bool = false;
const GUESS: bool = true;
/// A guess that has come to the end begins anew when the search has come so much further.
const ANEW: u32 = 16;
/// This many rollouts are guessed at once.
const AT_ONCE: usize = 4;

/// One who goes through the tree.
#[derive(Default)]
struct Walker {
    noise: Rng,
    /// The noise as it was before the last walk.
    noise_before: Rng,
    iterations: u32,
    /// The moves taken on the last walk, by their numbers among those of their boards.
    way: Vec<(MovesId, usize)>,
}

/// Where a walk ends.
#[derive(Clone, Copy, Debug)]
enum Leaf {
    /// At a new board, which wants a rollout.
    New(BoardId),
    /// Where the game does, with this value.
    End(u32),
}

/// The search, and the memory that it uses again for every move.
pub struct Tree {
    settings: Settings,
    roots: Roots,
    nodes: Nodes,
    /// Where a tree is put together that grows on in the next search.
    spare: Nodes,
    limits: IterationLimits,
    search: Walker,
    guess: Walker,
    /// The number of the guess's round.
    round: u32,
    /// The iterations of the search when it began.
    guess_began: u32,
    /// The new board whose rollout the search waits for.
    wanted: Option<BoardId>,
    depth: u32,
    played: u64,
    /// Whether the batch has been left to end: what the search wants then is quicker in the next one, alone,
    /// than beside empty lanes.
    is_draining: bool,
    /// Boards whose rollouts are to be started, the next one last.
    ready: Vec<BoardId>,
    /// By the number of a rollout: its board.
    batch: Vec<BoardId>,
}

impl Tree {
    /// A search that has not begun.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            roots: Roots::default(),
            nodes: Nodes::default(),
            spare: Nodes::default(),
            limits: IterationLimits::default(),
            search: Walker::default(),
            guess: Walker::default(),
            round: 0,
            guess_began: 0,
            wanted: None,
            depth: 0,
            played: 0,
            is_draining: false,
            ready: Vec::new(),
            batch: Vec::new(),
        }
    }

    /// Searches for a move on a board that has one, in a new tree.
    pub fn search(
        &mut self,
        board: Board,
        key: StreamKey,
        budget: u32,
        rollouts: &impl Play,
    ) -> SearchSummary {
        self.nodes.plant(board, key);
        self.grow(key, budget, rollouts)
    }

    /// Searches in the part of the last tree that lies below the move with this number and this board; in a
    /// new one where the last search has not been there.
    pub fn search_on(
        &mut self,
        number: usize,
        board: Board,
        key: StreamKey,
        budget: u32,
        rollouts: &impl Play,
    ) -> SearchSummary {
        let Some(root) = self.nodes.child_of_root(number, board) else {
            return self.search(board, key, budget, rollouts);
        };
        self.spare.transplant(&self.nodes, root);
        std::mem::swap(&mut self.nodes, &mut self.spare);
        self.grow(key, budget, rollouts)
    }

    fn grow(&mut self, key: StreamKey, budget: u32, rollouts: &impl Play) -> SearchSummary {
        self.limits = IterationLimits::of(budget);
        let moves = self.nodes.expand(ROOT, self.settings.model);
        let before = self.nodes.moves(moves).tried.all_visits();
        self.roots.reach(before + self.limits.most + 1);
        self.search.noise = key.stream(NOISE);
        self.search.iterations = 0;
        (self.wanted, self.depth, self.played) = (None, 0, 0);
        self.round = 0;
        self.ready.clear();
        self.guess_anew();
        self.advance();
        ahead::run(self, rollouts);
        self.found()
    }

    fn found(&mut self) -> SearchSummary {
        let leaf = if let Rollout::Ended(value) = self.nodes.board(ROOT).rollout { value } else { 0 };
        let node = self.nodes.root_moves();
        let log_root = self.roots.of_log(1 + node.tried.all_visits());
        let directions = node.moves[..node.legal as usize].iter().map(|found| found.direction);
        SearchSummary {
            rollouts: self.search.iterations.into(),
            played: self.played,
            depth: self.depth,
            ..SearchSummary::new(directions, &node.tried, leaf, log_root, &self.settings)
        }
    }
}

/// Selection, expansion and backpropagation, for the search and for the guess alike.
impl Tree {
    /// Goes down from the root to a board that is new, or to the end of a game.
    fn walk<const WHO: bool>(&mut self) -> Leaf {
        let (model, round) = (self.settings.model, self.round);
        let walker = if WHO == GUESS { &mut self.guess } else { &mut self.search };
        walker.noise_before.clone_from(&walker.noise);
        walker.way.clear();
        let mut board = ROOT;
        loop {
            let node = self.nodes.board(board);
            let rollout = node.rollout;
            if !node.is_visited::<WHO>(round) {
                return Leaf::New(board);
            }
            let moves = self.nodes.expand(board, model);
            let node = self.nodes.moves(moves);
            let legal = node.legal;
            if legal == 0 {
                let Rollout::Ended(value) = rollout else { unreachable!("a dead board is its own rollout") };
                return Leaf::End(value);
            }
            let tried = node.tried_by::<WHO>(round);
            let all = tried.all_visits();
            // DEVIATION: section 4.1 expands a board with the first rollout from it. Here its moves come with
            // the next visits, each tried once before UCT selects, which leads to the figures of the released
            // expansion (D-2).
            let number = if all < legal {
                all as usize
            } else {
                let leaf = if let Rollout::Ended(value) = rollout { f64::from(value) } else { tried.mean() };
                let weight = self.settings.exploration * leaf;
                tried.select(weight, 1 + all, &self.roots, Noise::draw(&mut walker.noise))
            };
            let time = tried.visits(number);
            walker.way.push((moves, number));
            if let Some(value) = node.end(number) {
                return Leaf::End(value);
            }
            board = self.nodes.spawn(moves, number, time, model);
        }
    }

    /// Gives the value of a leaf to all moves on the way there.
    fn backpropagate<const WHO: bool>(&mut self, leaf: Leaf, value: u32) {
        let round = self.round;
        let walker = if WHO == GUESS { &mut self.guess } else { &mut self.search };
        if let Leaf::New(board) = leaf {
            self.nodes.board(board).visit::<WHO>(round);
        }
        for &(moves, number) in &walker.way {
            self.nodes.moves(moves).tried_by::<WHO>(round).add(number, value);
        }
        walker.iterations += 1;
    }

    /// Goes on as far as the values are there.
    fn advance(&mut self) {
        while !self.is_over() {
            let leaf = self.wanted.map_or_else(|| self.walk::<SEARCH>(), Leaf::New);
            let value = match leaf {
                Leaf::End(value) => value,
                Leaf::New(board) => {
                    let Rollout::Ended(value) = self.nodes.board(board).rollout else {
                        self.wanted = Some(board);
                        return;
                    };
                    value
                }
            };
            self.wanted = None;
            self.depth = self.depth.max(self.search.way.len() as u32);
            self.backpropagate::<SEARCH>(leaf, value);
        }
    }

    /// Lets the guess begin again where the search is.
    fn guess_anew(&mut self) {
        self.round += 1;
        (self.guess_began, self.guess.iterations) = (self.search.iterations, self.search.iterations);
        // A search that waits has made its walk, which the guess has still to make.
        let noise = if self.wanted.is_some() { &self.search.noise_before } else { &self.search.noise };
        self.guess.noise.clone_from(noise);
    }

    /// Makes rollouts ready that the search will probably want: several at once, since the tree is then at
    /// hand in the cache.
    fn guess_rollouts(&mut self) {
        let horizon = self.limits.horizon(self.search.iterations);
        if self.guess.iterations >= horizon && self.search.iterations >= self.guess_began + ANEW {
            self.guess_anew();
        }
        while self.ready.len() < AT_ONCE && self.guess.iterations < horizon {
            let leaf = self.walk::<GUESS>();
            let value = match leaf {
                Leaf::End(value) => value,
                Leaf::New(board) => match self.nodes.board(board).rollout {
                    Rollout::Ended(value) | Rollout::Started(value) => value,
                    Rollout::Missing => {
                        self.ready.push(board);
                        self.start(board)
                    }
                },
            };
            self.backpropagate::<GUESS>(leaf, value);
        }
        self.ready.reverse();
    }

    /// Makes the rollout ready that the search waits for. The guess did not foresee it, and learns of it.
    fn take_up_wanted(&mut self, board: BoardId) {
        self.guess.way.clone_from(&self.search.way);
        self.ready.push(board);
        let value = self.start(board);
        self.backpropagate::<GUESS>(Leaf::New(board), value);
    }

    /// Marks the rollout from a new board, to which the guess has just gone, as started. Returns the value
    /// with which the guess goes on.
    fn start(&mut self, board: BoardId) -> u32 {
        let value = self.likely_value();
        self.nodes.board(board).rollout = Rollout::Started(value);
        value
    }

    /// What a rollout will probably come to that begins where the guess has just gone.
    fn likely_value(&mut self) -> u32 {
        let round = self.round;
        match self.guess.way.last() {
            Some(&(moves, _)) => self.nodes.moves(moves).tried_by::<GUESS>(round).mean() as u32,
            None => 1,
        }
    }
}

impl Ahead for Tree {
    fn begin_batch(&mut self) {
        self.batch.clear();
        self.is_draining = false;
    }

    fn next_rollout(&mut self) -> Option<(Board, u64)> {
        if self.is_draining {
            return None;
        }
        match self.wanted {
            Some(board) if self.nodes.board(board).rollout == Rollout::Missing => self.take_up_wanted(board),
            _ if self.ready.is_empty() => self.guess_rollouts(),
            _ => {}
        }
        let Some(board) = self.ready.pop() else {
            self.is_draining = true;
            return None;
        };
        self.batch.push(board);
        self.played += 1;
        let node = self.nodes.board(board);
        Some((node.board, node.key.rollout_seed()))
    }

    fn take_value(&mut self, number: usize, value: u32) {
        let board = self.batch[number];
        let rollout = std::mem::replace(&mut self.nodes.board(board).rollout, Rollout::Ended(value));
        if let Rollout::Started(guessed) = rollout {
            self.nodes.correct_guess(board, self.round, guessed, value);
        }
        if self.wanted.is_none() || self.wanted == Some(board) {
            self.advance();
        }
    }

    fn is_over(&self) -> bool {
        let is_settled = || {
            let node = self.nodes.root_moves();
            self.settings.final_choice.is_settled(&node.tried, node.legal as usize)
        };
        self.limits.reached(self.search.iterations, is_settled)
    }
}
