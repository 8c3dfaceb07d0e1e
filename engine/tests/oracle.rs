//! The packed engine against the naive one: every row, millions of random boards, whole games, and their
//! symmetries.

use engine::conformance::rule_sets;
use engine::naive::NaiveBoard;
use engine::{Board, Direction, Directions, Ending, Game, Merging, Rng, Rules, Slides, TileSeed};

const BOTH: [Merging; 2] = [Merging::Once, Merging::Cascading];

/// Slides a packed board as the naive one does, or says where the two differ.
fn assert_slides_agree(board: Board, merging: Merging) {
    let slides = Slides::of(merging);
    let naive = NaiveBoard::from(*board);
    for direction in Direction::ALL {
        let fast = slides.slide(board, direction);
        let slow = naive.slide(direction, merging);
        let context = || format!("{board}, {direction:?}, {merging:?}: packed {fast:?}, naive {slow:?}");
        assert_eq!(fast.is_some(), slow.is_some(), "{}", context());
        assert_eq!(board.legal_moves().contains(direction), slow.is_some(), "legality: {}", context());
        let (Some(fast), Some(slow)) = (fast, slow) else { continue };
        assert_eq!(fast.reward, slow.reward, "{}", context());
        assert_eq!(fast.makes_cap, slow.board.0.contains(&16), "{}", context());
        let packed = slow.board.0.map(|rank| rank.min(15));
        assert_eq!(fast.afterstate.ranks(), packed, "{}", context());
    }
}

/// A board with ranks up to `max_rank`, and an empty cell with the odds `empty` in 16.
fn random_board(rng: &mut Rng, max_rank: u32, empty: u32) -> Board {
    let ranks =
        std::array::from_fn(|_| if rng.below(16) < empty { 0 } else { 1 + rng.below(max_rank) as u8 });
    Board::from_ranks(ranks).expect("ranks fit")
}

#[test]
fn all_rows_and_columns_slide_alike() {
    for row in 0..=u16::MAX {
        for merging in BOTH {
            let board = Board::from_packed(u64::from(row) << 16);
            assert_slides_agree(board, merging);
            assert_slides_agree(Board::from_packed(board.transposed().packed()), merging);
        }
    }
}

#[test]
fn millions_of_random_boards_slide_alike() {
    let mut rng = Rng::from_seed(1);
    for case in 0..1_200_000 {
        let max_rank = [2, 3, 6, 11, 15][case % 5];
        let empty = [0, 2, 5, 12][case % 4];
        assert_slides_agree(random_board(&mut rng, max_rank, empty), BOTH[case % 2]);
    }
}

#[test]
fn counts_of_a_board_agree_with_its_cells() {
    let mut rng = Rng::from_seed(2);
    for _ in 0..200_000 {
        let board = random_board(&mut rng, 15, 6);
        let ranks = board.ranks();
        assert_eq!(board.empty_count() as usize, ranks.iter().filter(|&&rank| rank == 0).count());
        assert_eq!(board.max_rank(), ranks.into_iter().max().unwrap());
        assert_eq!(board.to_string().parse(), Ok(board));
        assert_eq!(board.to_string(), NaiveBoard::from(*board).to_string());
    }
}

#[test]
fn a_mirrored_board_slides_to_the_mirror_image() {
    let mut rng = Rng::from_seed(3);
    let mirror = |direction| match direction {
        Direction::Left => Direction::Right,
        Direction::Right => Direction::Left,
        vertical => vertical,
    };
    let transpose = |direction| match direction {
        Direction::Left => Direction::Up,
        Direction::Up => Direction::Left,
        Direction::Right => Direction::Down,
        Direction::Down => Direction::Right,
    };
    for case in 0..300_000 {
        let board = random_board(&mut rng, 12, 5);
        let slides = Slides::of(BOTH[case % 2]);
        for direction in Direction::ALL {
            let slid = slides.slide(board, direction).map(|slide| (*slide.afterstate, slide.reward));
            let mirrored = slides.slide(Board::from_packed(board.mirrored().packed()), mirror(direction));
            assert_eq!(mirrored.map(|slide| (slide.afterstate.mirrored(), slide.reward)), slid);
            let turned = slides.slide(Board::from_packed(board.transposed().packed()), transpose(direction));
            assert_eq!(turned.map(|slide| (slide.afterstate.transposed(), slide.reward)), slid);
        }
    }
}

/// A naive game with the same tiles, played along.
struct NaiveGame<'a> {
    rules: &'a Rules,
    tiles: Rng,
    board: NaiveBoard,
    score: u32,
    ending: Option<Ending>,
}

impl<'a> NaiveGame<'a> {
    fn new(rules: &'a Rules, seed: TileSeed) -> Self {
        let mut tiles = seed.rng();
        let board = NaiveBoard::start(rules, &mut tiles);
        let mut game = Self { rules, tiles, board, score: 0, ending: None };
        game.end_without_moves();
        game
    }

    fn end_without_moves(&mut self) {
        if self.board.legal_moves(self.rules.merging).is_empty() {
            self.ending = Some(Ending::NoMoves);
        }
    }

    fn play(&mut self, direction: Direction) {
        let slide = self.board.slide(direction, self.rules.merging).expect("legal");
        self.board = slide.board;
        self.score += slide.reward;
        if self.board.0.contains(&16) {
            self.ending = Some(Ending::TileCap);
        } else if self.board.is_stopped(self.rules) {
            self.ending = Some(Ending::StoppedAtTile);
        } else {
            self.board.spawn(self.rules, &mut self.tiles);
            self.end_without_moves();
        }
    }
}

#[test]
fn whole_games_of_every_rule_set_agree_move_by_move() {
    for (name, rules) in rule_sets() {
        for number in 0..300 {
            let seed = TileSeed::derive(4, number);
            let mut rng = Rng::from_seed(number);
            let mut fast = Game::new(&rules, seed);
            let mut slow = NaiveGame::new(&rules, seed);
            loop {
                assert_eq!(fast.ranks(), slow.board, "{name}, game {number}");
                assert_eq!((fast.score(), fast.ending()), (slow.score, slow.ending), "{name}, game {number}");
                if fast.ending().is_some() {
                    break;
                }
                let legal: Directions = slow.board.legal_moves(rules.merging).into_iter().collect();
                assert_eq!(fast.legal_moves(), legal);
                let direction = legal.iter().nth(rng.below(legal.len()) as usize).unwrap();
                fast.play(direction).unwrap();
                slow.play(direction);
            }
        }
    }
}
