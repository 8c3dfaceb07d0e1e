//! The yardstick: playouts as one writes them first, and as most programs for 2048 have them.
//!
//! Row tables for both ends with their rewards, columns by way of the transposed board, all four slides
//! computed to see which are legal, empty cells counted and chosen by a loop. It plays the same games as the
//! engine, move by move, with a generator of its own.

use engine::{Board, Direction, Merging, Slides};

/// Tables of all rows, slid left and right.
pub(crate) struct Plain {
    left: RowSlides,
    right: RowSlides,
}

struct RowSlides {
    slid: Vec<u16>,
    reward: Vec<u32>,
}

/// What is left of a game: its last board, its score and its number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Played {
    pub(crate) board: u64,
    pub(crate) score: u32,
    pub(crate) moves: u32,
}

impl Plain {
    /// The tables of the standard game.
    pub(crate) fn new() -> Self {
        Self { left: RowSlides::new(Direction::Left), right: RowSlides::new(Direction::Right) }
    }

    /// The slid board and the reward.
    fn slide(&self, board: u64, direction: Direction) -> (u64, u32) {
        match direction {
            Direction::Up => {
                let (slid, reward) = self.left.slide(transpose(board));
                (transpose(slid), reward)
            }
            Direction::Right => self.right.slide(board),
            Direction::Down => {
                let (slid, reward) = self.right.slide(transpose(board));
                (transpose(slid), reward)
            }
            Direction::Left => self.left.slide(board),
        }
    }

    /// Plays random legal moves.
    pub(crate) fn random(&self, start: u64, seed: u64) -> Played {
        let mut draws = Draws::new(seed);
        let mut played = Played { board: start, score: 0, moves: 0 };
        loop {
            let mut legal = [(0, 0); 4];
            let mut count = 0;
            for direction in Direction::ALL {
                let (slid, reward) = self.slide(played.board, direction);
                if slid != played.board {
                    legal[count] = (slid, reward);
                    count += 1;
                }
            }
            if count == 0 {
                return played;
            }
            let (direction_word, spawn_word) = draws.next();
            let (slid, reward) = legal[scale(direction_word, count as u64) as usize];
            played.board = spawn(slid, spawn_word);
            played.score += reward;
            played.moves += 1;
        }
    }

    /// Plays the legal moves whose afterstates have the largest value; of equals the last.
    pub(crate) fn greedy(&self, start: u64, seed: u64, row_values: &[i32]) -> Played {
        let mut draws = Draws::new(seed);
        let mut played = Played { board: start, score: 0, moves: 0 };
        loop {
            let mut best = None;
            for direction in Direction::ALL {
                let (slid, reward) = self.slide(played.board, direction);
                if slid != played.board {
                    let value = value(slid, row_values);
                    if best.is_none_or(|(best_value, _, _)| value >= best_value) {
                        best = Some((value, slid, reward));
                    }
                }
            }
            let Some((_, slid, reward)) = best else { return played };
            let (_, spawn_word) = draws.next();
            played.board = spawn(slid, spawn_word);
            played.score += reward;
            played.moves += 1;
        }
    }
}

impl RowSlides {
    fn new(direction: Direction) -> Self {
        let slides = Slides::of(Merging::Once);
        let all = (0..=u16::MAX).map(|row| {
            let slide = slides.slide(Board::from_packed(u64::from(row)), direction);
            slide.map_or((row, 0), |slide| (slide.afterstate.packed() as u16, slide.reward))
        });
        let (slid, reward) = all.unzip();
        Self { slid, reward }
    }

    fn slide(&self, board: u64) -> (u64, u32) {
        let mut slid = 0;
        let mut reward = 0;
        for shift in [0, 16, 32, 48] {
            let row = usize::from((board >> shift) as u16);
            slid |= u64::from(self.slid[row]) << shift;
            reward += self.reward[row];
        }
        (slid, reward)
    }
}

fn transpose(board: u64) -> u64 {
    let kept = board & 0xf0f0_0f0f_f0f0_0f0f;
    let up = board & 0x0000_f0f0_0000_f0f0;
    let down = board & 0x0f0f_0000_0f0f_0000;
    let board = kept | up << 12 | down >> 12;
    let kept = board & 0xff00_ff00_00ff_00ff;
    let down = board & 0x00ff_00ff_0000_0000;
    let up = board & 0x0000_0000_ff00_ff00;
    kept | down >> 24 | up << 24
}

fn value(board: u64, row_values: &[i32]) -> i32 {
    let columns = transpose(board);
    let mut sum = 0;
    for shift in [0, 16, 32, 48] {
        sum += row_values[usize::from((board >> shift) as u16)];
        sum += row_values[usize::from((columns >> shift) as u16)];
    }
    sum
}

/// The board with a 2, or in one of ten cases a 4, in one of its empty cells.
fn spawn(board: u64, word: u64) -> u64 {
    let mut empty = 0;
    for cell in 0..16 {
        if board >> (4 * cell) & 15 == 0 {
            empty += 1;
        }
    }
    let mut number = scale(word, empty);
    let rank = if scale(word << 32, 10) == 0 { 2 } else { 1 };
    for cell in 0..16 {
        if board >> (4 * cell) & 15 == 0 {
            if number == 0 {
                return board | rank << (4 * cell);
            }
            number -= 1;
        }
    }
    board
}

/// A number below `bound` from the upper half of a word.
fn scale(word: u64, bound: u64) -> u64 {
    ((word >> 32) * bound) >> 32
}

/// The generator of playouts.
struct Draws([u64; 4]);

impl Draws {
    fn new(mut seed: u64) -> Self {
        Self(std::array::from_fn(|_| {
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ z >> 31
        }))
    }

    /// The words for a direction and for a spawn.
    fn next(&mut self) -> (u64, u64) {
        let [a, b, c, d] = &mut self.0;
        let direction = a.wrapping_add(*d);
        let spawn = direction.rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        (direction, spawn)
    }
}
