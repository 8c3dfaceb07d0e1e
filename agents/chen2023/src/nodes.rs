//! The nodes of a tree, in three lists that are used again from search to search: boards, the moves of those
//! that are expanded, and for every move a place for each tile that can come after it.

use engine::{Afterstate, Board};

use crate::search::{Model, Move};
use crate::stream_key::StreamKey;
use crate::uct::Arms;

/// The number of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardId(u32);

/// The number of a board's moves, all of them together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovesId(u32);

/// The root: the first board.
pub const ROOT: BoardId = BoardId(0);

/// In the place of a board that has not been made.
const NO_BOARD: BoardId = BoardId(u32::MAX);
/// In the place of moves that have not been made.
const NO_MOVES: MovesId = MovesId(u32::MAX);

/// The one rollout that begins on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rollout {
    /// Not played.
    Missing,
    /// Being played; the guess goes on with this value.
    Started(u32),
    /// Its value.
    Ended(u32),
}

/// The move that a board came of, among those of the board above it.
#[derive(Clone, Copy, Debug)]
struct Above {
    moves: MovesId,
    number: u32,
}

/// Above the root there is nothing.
const NOTHING_ABOVE: Above = Above { moves: NO_MOVES, number: 0 };

/// A board that awaits a move.
#[derive(Clone, Copy, Debug)]
pub struct BoardNode {
    /// The board.
    pub board: Board,
    /// Its key.
    pub key: StreamKey,
    /// The rollout from it.
    pub rollout: Rollout,
    moves: MovesId,
    above: Above,
    is_visited: bool,
    /// The last round of guesses in which it was visited.
    guessed: u32,
}

impl BoardNode {
    /// Whether the search has been here, or the guess in its round with this number.
    #[inline]
    pub const fn is_visited<const GUESS: bool>(&self, round: u32) -> bool {
        self.is_visited || GUESS && self.guessed == round
    }

    /// Marks a visit of the search, or of the guess in its round with this number.
    #[inline]
    pub const fn visit<const GUESS: bool>(&mut self, round: u32) {
        if GUESS {
            self.guessed = round;
        } else {
            self.is_visited = true;
        }
    }
}

/// The moves of a board. Those that do not end the game await a spawn. What a walk looks at comes first, in
/// few lines of the cache: rollouts in between leave little of a tree there.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct MovesNode {
    /// What the guess has tried, on top of what the search has.
    guessed: Arms,
    /// The round of guesses in which that was.
    round: u32,
    /// How many there are.
    pub legal: u32,
    /// How many empty cells each leaves.
    empty_cells: [u8; 4],
    /// Whether one of them ends the game.
    has_end: bool,
    /// The time that is to be drawn next for each.
    next: [u32; 4],
    /// The first place of each among the places for boards.
    places: [u32; 4],
    /// The key of each.
    keys: [StreamKey; 4],
    /// What the search has tried.
    pub tried: Arms,
    /// What their board came of.
    above: Above,
    /// The moves; those beyond the legal ones mean nothing.
    pub moves: [Move; 4],
}

impl MovesNode {
    /// The value of a move that ends the game.
    #[inline]
    pub fn end(&self, number: usize) -> Option<u32> {
        if self.has_end { self.moves[number].end } else { None }
    }

    /// What has been tried: by the search, or by the guess in its round with this number, which begins where
    /// the search is then.
    #[inline]
    pub fn tried_by<const GUESS: bool>(&mut self, round: u32) -> &mut Arms {
        if !GUESS {
            return &mut self.tried;
        }
        if self.round != round {
            (self.guessed, self.round) = (self.tried, round);
        }
        &mut self.guessed
    }
}

/// All nodes of a tree.
#[derive(Clone, Default)]
pub struct Nodes {
    boards: Vec<BoardNode>,
    moves: Vec<MovesNode>,
    /// For every move, two places for each empty cell: for a 2 and for a 4.
    places: Vec<BoardId>,
}

impl Nodes {
    /// Forgets all nodes and makes a root.
    pub fn plant(&mut self, board: Board, key: StreamKey) {
        self.clear();
        self.add_board(board, key, Rollout::Missing, NOTHING_ABOVE);
    }

    fn clear(&mut self) {
        self.boards.clear();
        self.moves.clear();
        self.places.clear();
    }

    /// A board.
    #[inline]
    pub fn board(&mut self, id: BoardId) -> &mut BoardNode {
        &mut self.boards[id.0 as usize]
    }

    /// Some moves.
    #[inline]
    pub fn moves(&mut self, id: MovesId) -> &mut MovesNode {
        &mut self.moves[id.0 as usize]
    }

    /// The moves of the root, which have been expanded.
    #[inline]
    pub fn root_moves(&self) -> &MovesNode {
        &self.moves[self.boards[ROOT.0 as usize].moves.0 as usize]
    }

    /// The moves of a board, made where they have not been.
    #[inline]
    pub fn expand(&mut self, id: BoardId, model: Model) -> MovesId {
        let moves = self.boards[id.0 as usize].moves;
        if moves == NO_MOVES { self.add_moves(id, model) } else { moves }
    }

    fn add_moves(&mut self, id: BoardId, model: Model) -> MovesId {
        let BoardNode { board, key, above, .. } = self.boards[id.0 as usize];
        let mut node = MovesNode {
            guessed: Arms::new(0),
            round: 0,
            legal: 0,
            empty_cells: [0; 4],
            has_end: false,
            next: [0; 4],
            places: [0; 4],
            keys: [key; 4],
            tried: Arms::new(0),
            above,
            moves: [Move::NOTHING; 4],
        };
        let mut places = self.places.len();
        for (number, found) in model.moves(board).enumerate() {
            node.legal += 1;
            node.empty_cells[number] = found.afterstate.empty_count() as u8;
            node.has_end |= found.end.is_some();
            node.places[number] = places as u32;
            node.keys[number] = key.child(found.direction as u64);
            node.moves[number] = found;
            places += found.spawns();
        }
        node.tried = Arms::new(node.legal as usize);
        self.places.resize(places, NO_BOARD);
        let made = MovesId(self.moves.len() as u32);
        self.moves.push(node);
        self.boards[id.0 as usize].moves = made;
        made
    }

    /// The board that comes of a move when it is tried for the time with this number.
    #[inline]
    pub fn spawn(&mut self, id: MovesId, number: usize, time: u32, model: Model) -> BoardId {
        // In their order, so that the key of a board is that of the first time that it came, no matter who
        // asks first.
        while self.moves[id.0 as usize].next[number] < time {
            let passed = self.moves[id.0 as usize].next[number];
            self.draw(id, number, passed, model);
        }
        self.draw(id, number, time, model)
    }

    /// Draws the board of a time that has been drawn before, or is to be drawn next.
    #[inline]
    fn draw(&mut self, id: MovesId, number: usize, time: u32, model: Model) -> BoardId {
        let node = &mut self.moves[id.0 as usize];
        node.next[number] = node.next[number].max(time + 1);
        let (spawn, rng) = node.keys[number].spawn(node.empty_cells[number].into(), model.game.four, time);
        let place = node.places[number] as usize + spawn.number();
        let drawn = self.places[place];
        if drawn != NO_BOARD {
            return drawn;
        }
        let board = spawn.on(node.moves[number].afterstate);
        let is_dead = board.legal_moves().is_empty();
        let rollout = if is_dead { Rollout::Ended(model.measure.of(*board)) } else { Rollout::Missing };
        let above = Above { moves: id, number: number as u32 };
        let made = self.add_board(board, StreamKey::of_board(rng), rollout, above);
        self.places[place] = made;
        made
    }

    fn add_board(&mut self, board: Board, key: StreamKey, rollout: Rollout, above: Above) -> BoardId {
        let id = BoardId(self.boards.len() as u32);
        self.boards.push(BoardNode {
            board,
            key,
            rollout,
            moves: NO_MOVES,
            above,
            is_visited: false,
            guessed: 0,
        });
        id
    }

    /// Puts the value that has become known in the place of the guessed one, for all moves on the way to a
    /// board that the guess has visited in this round.
    pub fn correct_guess(&mut self, id: BoardId, round: u32, guessed: u32, value: u32) {
        let BoardNode { mut above, guessed: visited_in, .. } = self.boards[id.0 as usize];
        while visited_in == round && above.moves != NO_MOVES {
            let node = self.moves(above.moves);
            node.guessed.correct(above.number as usize, guessed, value);
            above = node.above;
        }
    }

    /// The board that came of the root's move with this number, if the search has been there.
    pub fn child_of_root(&self, number: usize, board: Board) -> Option<BoardId> {
        let node = self.root_moves();
        let Move { afterstate, end, .. } = node.moves[number];
        let can_be = |cell| [1, 2].map(|rank| afterstate.with_spawn(cell, rank)).contains(&board);
        let is_spawn = end.is_none() && afterstate.empty_cells().any(can_be);
        let id = is_spawn.then(|| self.places[node.places[number] as usize + place_of(afterstate, board)])?;
        self.is_known(id).then_some(id)
    }

    /// Whether the search has been on the board in a place.
    fn is_known(&self, id: BoardId) -> bool {
        id != NO_BOARD && self.boards[id.0 as usize].is_visited
    }

    /// Takes over what the search knows of a board and all below it, as the new root and its tree.
    pub fn transplant(&mut self, from: &Self, root: BoardId) {
        self.clear();
        self.boards.push(BoardNode { above: NOTHING_ABOVE, ..from.boards[root.0 as usize] });
        let mut done = 0;
        while done < self.boards.len() {
            self.boards[done].guessed = 0;
            if self.boards[done].moves != NO_MOVES {
                self.take_moves(from, done);
            }
            done += 1;
        }
    }

    /// Takes over the moves of a board that has been taken over, and the boards below them on which the
    /// search has been.
    fn take_moves(&mut self, from: &Self, number: usize) {
        let mut node = from.moves[self.boards[number].moves.0 as usize];
        let taken = MovesId(self.moves.len() as u32);
        self.boards[number].moves = taken;
        (node.above, node.round) = (self.boards[number].above, 0);
        for index in 0..node.legal as usize {
            let first = node.places[index] as usize;
            node.places[index] = self.places.len() as u32;
            node.next[index] = node.tried.visits(index);
            for &id in &from.places[first..first + node.moves[index].spawns()] {
                let is_known = from.is_known(id);
                self.places.push(if is_known { BoardId(self.boards.len() as u32) } else { NO_BOARD });
                if is_known {
                    let above = Above { moves: taken, number: index as u32 };
                    self.boards.push(BoardNode { above, ..from.boards[id.0 as usize] });
                }
            }
        }
        self.moves.push(node);
    }
}

/// Which of an afterstate's places belongs to a board that came of it.
#[inline]
fn place_of(afterstate: Afterstate, board: Board) -> usize {
    let tile = board.packed() ^ afterstate.packed();
    let cell = tile.trailing_zeros() / 4;
    let before = (afterstate.empty_mask() & ((1 << (4 * cell)) - 1)).count_ones();
    let is_four = tile >> (4 * cell) == 2;
    2 * before as usize + usize::from(is_four)
}
