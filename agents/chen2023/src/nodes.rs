//! The nodes of a tree, in three lists that are used again from search to search: boards, the moves of those that are expanded,
//! and for every move a place for each tile that can come after it.

use engine::{Afterstate, Board};

use crate::key::Key;
use crate::search::{Model, Move};
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
    pub key: Key,
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
    #[must_use]
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

/// The moves of a board. Those that do not end the game await a spawn. What a walk looks at comes first, in few lines of the
/// cache: rollouts in between leave little of a tree there.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct MovesNode {
    /// What the guess has tried, on top of what the search has.
    guessed: Arms,
    /// The round of guesses in which that was.
    round: u32,
    /// How many there are.
    pub legal: u32,
    /// Whether one of them ends the game.
    has_end: bool,
    /// The boards that came of each.
    draws: [Draws; 4],
    /// What the search has tried.
    pub tried: Arms,
    /// What their board came of.
    above: Above,
    /// The first place of each among the places for boards.
    places: [u32; 4],
    /// The moves and their keys; those beyond the legal ones mean nothing.
    pub moves: [(Move, Key); 4],
    /// The time from which on the boards that came of each are listed.
    since: [u32; 4],
}

/// The boards that came of a move, as a part of the list of draws: that of some time is at `base` and the time. With every
/// doubling the part moves to the end of the list.
#[derive(Clone, Copy, Debug, Default)]
struct Draws {
    base: u32,
    /// The time to be drawn next.
    next: u32,
}

impl MovesNode {
    /// The value of a move that ends the game.
    #[inline]
    #[must_use]
    pub fn end(&self, number: usize) -> Option<u32> {
        if self.has_end { self.moves[number].0.end } else { None }
    }

    /// What has been tried: by the search, or by the guess in its round with this number, which begins where the search is then.
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
    /// For every move, the boards that came of it at the times at which it was tried.
    draws: Vec<BoardId>,
}

/// How many draws a move first has room for.
const FIRST_DRAWS: u32 = 4;

impl Nodes {
    /// Forgets all nodes and makes a root.
    pub fn plant(&mut self, board: Board, key: Key) {
        self.clear();
        self.add_board(board, key, Rollout::Missing, NOTHING_ABOVE);
    }

    fn clear(&mut self) {
        self.boards.clear();
        self.moves.clear();
        self.places.clear();
        self.draws.clear();
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
    #[must_use]
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
        let nothing = Move::NOTHING;
        let (mut moves, mut places, mut legal) = ([(nothing, key); 4], [0; 4], 0);
        for found in model.moves(board) {
            moves[legal] = (found, key.child(found.direction as u64));
            places[legal] = self.places.len() as u32;
            self.places.resize(self.places.len() + found.spawns(), NO_BOARD);
            legal += 1;
        }
        let made = MovesId(self.moves.len() as u32);
        let tried = Arms::new(legal);
        self.moves.push(MovesNode {
            tried,
            guessed: tried,
            round: 0,
            legal: legal as u32,
            has_end: moves[..legal].iter().any(|(found, _)| found.end.is_some()),
            above,
            moves,
            places,
            draws: Default::default(),
            since: [0; 4],
        });
        self.boards[id.0 as usize].moves = made;
        made
    }

    /// The board that comes of a move when it is tried for the time with this number.
    #[inline]
    pub fn spawn(&mut self, id: MovesId, number: usize, time: u32, model: Model) -> BoardId {
        loop {
            let Draws { base, next } = self.moves[id.0 as usize].draws[number];
            if time < next {
                return self.draws[base.wrapping_add(time) as usize];
            }
            // In their order, so that the key of a board is that of the first time that it came, whoever asks first.
            self.draw(id, number, next, model);
        }
    }

    /// Draws the next board that comes of a move.
    fn draw(&mut self, id: MovesId, number: usize, time: u32, model: Model) {
        let node = &self.moves[id.0 as usize];
        let (Move { afterstate, .. }, key) = node.moves[number];
        let (board, rng) = key.spawn(afterstate, model.four, time);
        let place = node.places[number] as usize + place_of(afterstate, board);
        if self.places[place] == NO_BOARD {
            let above = Above { moves: id, number: number as u32 };
            let is_dead = board.legal_moves().is_empty();
            let rollout = if is_dead { Rollout::Ended(model.measure.of(*board)) } else { Rollout::Missing };
            self.places[place] = self.add_board(board, Key::of_board(rng), rollout, above);
        }
        self.push_draw(id, number, self.places[place]);
    }

    fn push_draw(&mut self, id: MovesId, number: usize, drawn: BoardId) {
        let node = &mut self.moves[id.0 as usize];
        let (Draws { base, next }, since) = (&mut node.draws[number], node.since[number]);
        let len = *next - since;
        if len == 0 || len >= FIRST_DRAWS && len.is_power_of_two() {
            let (first, end) = (base.wrapping_add(since) as usize, self.draws.len());
            self.draws.extend_from_within(first..first + len as usize);
            self.draws.resize(end + FIRST_DRAWS.max(2 * len) as usize, NO_BOARD);
            *base = (end as u32).wrapping_sub(since);
        }
        self.draws[base.wrapping_add(*next) as usize] = drawn;
        *next += 1;
    }

    fn add_board(&mut self, board: Board, key: Key, rollout: Rollout, above: Above) -> BoardId {
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

    /// Puts the value that has become known in the place of the guessed one, for all moves on the way to a board that the guess
    /// has visited in this round.
    pub fn correct_guess(&mut self, id: BoardId, round: u32, guessed: u32, value: u32) {
        let BoardNode { mut above, guessed: visited_in, .. } = self.boards[id.0 as usize];
        while visited_in == round && above.moves != NO_MOVES {
            let node = self.moves(above.moves);
            node.guessed.correct(above.number as usize, guessed, value);
            above = node.above;
        }
    }

    /// The board that came of the root's move with this number, if the search has been there.
    #[must_use]
    pub fn child_of_root(&self, number: usize, board: Board) -> Option<BoardId> {
        let node = self.root_moves();
        let Move { afterstate, end, .. } = node.moves[number].0;
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

    /// Takes over the moves of a board that has been taken over, and the boards below them on which the search has been.
    fn take_moves(&mut self, from: &Self, number: usize) {
        let mut node = from.moves[self.boards[number].moves.0 as usize];
        let taken = MovesId(self.moves.len() as u32);
        self.boards[number].moves = taken;
        (node.above, node.round) = (self.boards[number].above, 0);
        for index in 0..node.legal as usize {
            let first = node.places[index] as usize;
            node.places[index] = self.places.len() as u32;
            let next = node.tried.visits(index);
            (node.draws[index], node.since[index]) = (Draws { base: next.wrapping_neg(), next }, next);
            for &id in &from.places[first..first + node.moves[index].0.spawns()] {
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
