//! Playouts against the naive rules, move by move: the same draws must lead to the same end.
//!
//! The words come from the published generators: xoshiro256+ for the directions, and xoshiro256++ within
//! [`NaiveBoard::spawn`].

use engine::conformance::rule_sets;
use engine::naive::{NaiveBoard, NaiveSlide};
use engine::{
    Board, Direction, Ending, Evaluation, Game, Playout, Playouts, Rng, Rules, Start, StopTile, TileSeed,
};
use rand_xoshiro::Xoshiro256Plus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// Chooses one of the legal slides, given in the order of directions, by a word.
type Choose<'a> = &'a dyn Fn(&[NaiveSlide], u64) -> NaiveSlide;

/// A playout by the rules as they are written.
fn naive_playout(rules: &Rules, start: Board, seed: u64, choose: Choose) -> Playout {
    let (mut directions, mut tiles) = (Xoshiro256Plus::seed_from_u64(seed), Rng::from_seed(seed));
    let mut board = NaiveBoard::from(*start);
    let (mut reward, mut moves) = (0, 0);
    let ending = loop {
        let slide = |direction| board.slide(direction, rules.merging);
        let legal: Vec<NaiveSlide> = Direction::ALL.into_iter().filter_map(slide).collect();
        if legal.is_empty() {
            break Ending::NoMoves;
        }
        let chosen = choose(&legal, directions.next_u64());
        board = chosen.board;
        reward += chosen.reward;
        moves += 1;
        if board.0.contains(&16) {
            break Ending::TileCap;
        }
        if board.is_stopped(rules) {
            break Ending::StoppedAtTile;
        }
        board.spawn(rules, &mut tiles);
    };
    Playout { board: packed(board), reward, moves, ending }
}

/// The packed form, which shows a 32768 for a 65536.
fn packed(board: NaiveBoard) -> Board {
    Board::from_ranks(board.0.map(|rank| rank.min(15))).expect("ranks fit")
}

fn choose_random(legal: &[NaiveSlide], word: u64) -> NaiveSlide {
    legal[(((word >> 32) * legal.len() as u64) >> 32) as usize]
}

/// An evaluation with ties, which tells rows from columns and one end from the other.
fn row_value(ranks: [u8; 4]) -> i32 {
    let empty = ranks.iter().filter(|&&rank| rank == 0).count() as i32;
    let steps: i32 = ranks.windows(2).map(|pair| (i32::from(pair[0]) - i32::from(pair[1])).abs()).sum();
    3 * empty - steps + i32::from(ranks[0])
}

fn value(board: NaiveBoard) -> i32 {
    let ranks = packed(board).ranks();
    let line = |first: usize, step: usize| row_value(std::array::from_fn(|i| ranks[first + i * step]));
    (0..4).map(|i| line(4 * i, 1) + line(i, 4)).sum()
}

/// The slide with the largest value; of equals the last.
fn choose_greedily(legal: &[NaiveSlide], _: u64) -> NaiveSlide {
    let mut best = legal[0];
    for &slide in legal {
        if value(slide.board) >= value(best.board) {
            best = slide;
        }
    }
    best
}

/// Rule sets with starts: those that every agent meets, and boards close to every end.
fn cases(games: u64) -> Vec<(Rules, Board, u64)> {
    let late = [
        "16384 16384 8192 4096 / 2 4 2 4 / 4 2 4 2 / . . 2 4",
        "32768 32768 2 . / . . . . / . . . . / . . . .",
        "32768 16384 8192 8192 / . 2 . . / . . . . / . . . .",
        "128 64 32 16 / 2 4 2 . / . . . . / . . . .",
        "2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2",
        ". . . . / . . . . / . . . . / . . . .",
    ];
    let mut cases = Vec::new();
    for (_, rules) in rule_sets() {
        let fresh = (0..games).map(|seed| Game::new(&rules, TileSeed::derive(seed, 0)).board());
        let late = late.iter().map(|text| text.parse().unwrap());
        let starts: Vec<Board> = fresh.chain(late).collect();
        let stops = [None, StopTile::from_rank(8), StopTile::from_rank(15), rules.stop_at];
        for (stop_at, seed) in stops.into_iter().zip([1000, 2000, 3000, 4000]) {
            let rules = Rules { stop_at, ..rules.clone() };
            cases.extend(starts.iter().zip(seed..).map(|(&start, seed)| (rules.clone(), start, seed)));
        }
    }
    cases
}

/// How many games of each rule set are played: fewer without optimisation.
const GAMES: u64 = if cfg!(debug_assertions) { 4 } else { 40 };

#[test]
fn random_playouts_follow_the_naive_rules() {
    for (rules, start, seed) in cases(GAMES) {
        let naive = naive_playout(&rules, start, seed, &choose_random);
        assert_eq!(Playouts::new(&rules).random(start, seed), naive, "{start}, seed {seed}, {rules:?}");
    }
}

#[test]
fn greedy_playouts_follow_the_naive_rules() {
    let evaluation = Evaluation::new(row_value);
    for (rules, start, seed) in cases(GAMES / 4) {
        let naive = naive_playout(&rules, start, seed, &choose_greedily);
        let playout = Playouts::new(&rules).greedy(&evaluation, start, seed);
        assert_eq!(playout, naive, "{start}, seed {seed}, {rules:?}");
    }
}

#[test]
fn many_playouts_side_by_side_follow_the_naive_rules() {
    let evaluation = Evaluation::new(row_value);
    for (name, rules) in rule_sets() {
        let playouts = Playouts::new(&rules);
        let job = |seed| (Game::new(&rules, TileSeed(seed)).board(), seed);
        let jobs: Vec<(Board, u64)> = (0..GAMES).map(job).collect();
        playouts.random_many(jobs.iter().copied(), |job, playout| {
            let (start, seed) = jobs[job];
            assert_eq!(playout, naive_playout(&rules, start, seed, &choose_random), "{name}, seed {seed}");
        });
        playouts.greedy_many(&evaluation, jobs.iter().copied(), |job, playout| {
            let (start, seed) = jobs[job];
            assert_eq!(playout, naive_playout(&rules, start, seed, &choose_greedily), "{name}, seed {seed}");
        });
    }
}

#[test]
fn a_playout_has_the_tiles_of_the_game_with_its_seed() {
    let start: Board = "2 . . 4 / . . . . / . 8 . . / . . . .".parse().unwrap();
    let rules = Rules { start: Start::Board(start), ..Rules::default() };
    for seed in 0..50 {
        let playout = Playouts::new(&rules).random(start, seed);
        let mut words = Xoshiro256Plus::seed_from_u64(seed);
        let mut game = Game::new(&rules, TileSeed(seed));
        while game.ending().is_none() {
            let legal: Vec<Direction> = game.legal_moves().iter().collect();
            let number = ((words.next_u64() >> 32) * legal.len() as u64) >> 32;
            game.play(legal[number as usize]).unwrap();
        }
        assert_eq!(
            (playout.board, playout.reward, playout.moves),
            (game.board(), game.score(), game.moves())
        );
    }
}

/// Decisions of agents rest on these: a change of the draws would make their results stale.
#[test]
fn playouts_are_frozen() {
    let start: Board = "2 . . 4 / . . . . / . 8 . . / . . . .".parse().unwrap();
    let playouts = Playouts::new(&Rules::default());
    let evaluation = Evaluation::new(row_value);
    let show = |playout: Playout| format!("{} {} {}", playout.reward, playout.moves, playout.board);
    assert_eq!(show(playouts.random(start, 2048)), "1404 141 2 8 2 4 / 32 128 16 8 / 4 64 32 2 / 2 16 2 4");
    assert_eq!(
        show(playouts.greedy(&evaluation, start, 2048)),
        "2600 224 256 64 32 16 / 8 32 16 8 / 32 16 8 4 / 2 8 4 2"
    );
}
