//! Section "Speed": what a packed board with row tables gains over a plain array that is computed anew every time.
//!
//! The paper measured two ratios, and so does this, with its numbers of boards and games: the heuristics of 100,000 random boards,
//! and 10,000 games of random moves, in which a game is over when no direction changes the board. Both sides do the same work:
//! they must come to the same values and the same last boards. The last line plays as many other random games the way the
//! engine's playouts do. Without `--bench`, as under `cargo test`, only a few are compared.

use std::process::ExitCode;
use std::time::Instant;
use std::{env, fs};

use engine::naive::NaiveBoard;
use engine::{Board, Direction, Merging, Playouts, Rng, Rules, Slides, spawn};
use middleton_schmidt::{FinalHeuristics, FinalWeights, Heuristic, InitialHeuristics, InitialWeights};

const BOARDS: usize = 100_000;
const GAMES: u64 = 10_000;
const ROUNDS: usize = 5;

/// Seconds in the paper, for the plain and for the packed board.
const PAPER_HEURISTICS: (f64, f64) = (9.69, 0.68);
const PAPER_GAMES: (f64, f64) = (148.9, 24.9);

fn main() -> ExitCode {
    let is_bench = env::args().any(|argument| argument == "--bench");
    let (boards, games) = if is_bench { (BOARDS, GAMES) } else { (1000, 50) };
    let boards = Boards::new(boards);
    boards.assert_same_values();
    for seed in 0..games.min(1000) {
        assert_eq!(naive_game(seed), packed_game(seed), "game {seed}");
    }
    if is_bench {
        println!("{}; medians of {ROUNDS} rounds", processor());
        println!("{:<36}{:>10}{:>10}{:>9}{:>9}", "seconds", "naive", "packed", "ratio", "paper");
        boards.report();
        let naive = || (0..games).map(|seed| naive_game(seed).1).sum::<u64>();
        let packed = || (0..games).map(|seed| packed_game(seed).1).sum::<u64>();
        let playouts = Playouts::new(&Rules::default());
        let start = spawn_two(&mut Rng::from_seed(0));
        let jobs = move || (0..games).map(move |seed| (start, seed));
        let engine = || {
            let mut moves = 0;
            playouts.random_many(jobs(), |_, playout| moves += u64::from(playout.moves));
            moves
        };
        report("10,000 random games", Some(PAPER_GAMES), &naive, &packed);
        report("as many, by the engine's playouts", None, &naive, &engine);
    }
    ExitCode::SUCCESS
}

/// The processor's name, or at least its kind.
fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info.lines().find(|line| line.starts_with("model name"));
    let name = line.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim().to_owned());
    name.unwrap_or_else(|| env::consts::ARCH.to_owned())
}

/// Prints the median seconds of both and the median of their ratios.
fn report<T>(what: &str, paper: Option<(f64, f64)>, naive: &dyn Fn() -> T, packed: &dyn Fn() -> T) {
    let rounds: Vec<(f64, f64)> = (0..ROUNDS).map(|_| (seconds(naive), seconds(packed))).collect();
    let median = |number: fn(&(f64, f64)) -> f64| {
        let mut sorted: Vec<f64> = rounds.iter().map(number).collect();
        sorted.sort_by(f64::total_cmp);
        sorted[ROUNDS / 2]
    };
    println!(
        "{what:<36}{:>10.4}{:>10.4}{:>8.2}x{}",
        median(|round| round.0),
        median(|round| round.1),
        median(|round| round.0 / round.1),
        paper.map_or_else(String::new, |(naive, packed)| format!("{:>8.2}x", naive / packed)),
    );
}

fn seconds<T>(work: &dyn Fn() -> T) -> f64 {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed().as_secs_f64()
}

/// Random boards in both forms, and the heuristics with their row tables.
struct Boards {
    naive: Vec<NaiveBoard>,
    packed: Vec<Board>,
    first: InitialHeuristics,
    last: FinalHeuristics,
}

impl Boards {
    /// Every cell by itself: empty, or any tile up to 2048.
    fn new(count: usize) -> Self {
        let mut rng = Rng::from_seed(2048);
        let naive: Vec<NaiveBoard> =
            (0..count).map(|_| NaiveBoard(std::array::from_fn(|_| rng.below(12) as u8))).collect();
        let packed = naive.iter().map(|board| Board::from_ranks(board.0).expect("ranks below 16")).collect();
        let first = InitialHeuristics::new(InitialWeights::default());
        let last = FinalHeuristics::new(FinalWeights::default());
        Self { naive, packed, first, last }
    }

    fn assert_same_values(&self) {
        for (naive, packed) in self.naive.iter().zip(&self.packed) {
            let pairs = [
                (naive_initial(naive), self.first.value(**packed)),
                (naive_final(naive), self.last.value(**packed)),
            ];
            for (naive, packed) in pairs {
                assert!((naive - packed).abs() <= 1e-9 * packed.abs().max(1.0), "{naive}, {packed}");
            }
        }
    }

    fn report(&self) {
        let naive = |value: fn(&NaiveBoard) -> f64| move || self.naive.iter().map(value).sum::<f64>();
        report(
            "initial heuristics of 100,000 boards",
            Some(PAPER_HEURISTICS),
            &naive(naive_initial),
            &|| self.packed.iter().map(|board| self.first.value(**board)).sum(),
        );
        report("final heuristics of 100,000 boards", Some(PAPER_HEURISTICS), &naive(naive_final), &|| {
            self.packed.iter().map(|board| self.last.value(**board)).sum()
        });
    }
}

/// The initial heuristics, cell by cell, with the gradient's matrix laid on every corner.
fn naive_initial(NaiveBoard(ranks): &NaiveBoard) -> f64 {
    let weights = InitialWeights::default();
    let mut corners = [0; 4];
    let (mut empty, mut max) = (0, 0);
    for row in 0..4 {
        for column in 0..4 {
            let rank = i32::from(ranks[4 * row as usize + column as usize]);
            corners[0] += (3 - row - column) * rank;
            corners[1] += (column - row) * rank;
            corners[2] += (row - column) * rank;
            corners[3] += (row + column - 3) * rank;
            empty += i32::from(rank == 0);
            max = max.max(rank);
        }
    }
    let corner = corners.into_iter().max().unwrap_or(0);
    weights.corner * f64::from(corner) + weights.empty * f64::from(empty) + weights.max_tile * f64::from(max)
}

/// The final heuristics, line by line.
fn naive_final(NaiveBoard(ranks): &NaiveBoard) -> f64 {
    let row = |row: usize| [0, 1, 2, 3].map(|column| ranks[4 * row + column]);
    let column = |column: usize| [0, 1, 2, 3].map(|row| ranks[4 * row + column]);
    (0..4).map(|line| naive_line(row(line)) + naive_line(column(line))).sum()
}

fn naive_line(ranks: [u8; 4]) -> f64 {
    let weights = FinalWeights::default();
    let (mut empty, mut merges, mut sum, mut falls, mut rises) = (0.0, 0.0, 0.0, 0.0, 0.0);
    let (mut previous, mut run) = (0, 1.0);
    for rank in ranks {
        sum += f64::from(rank).powi(3) * f64::from(rank).sqrt();
        if rank == 0 {
            empty += 1.0;
        } else if rank == previous {
            run += 1.0;
            merges += if run == 2.0 { 2.0 } else { 1.0 };
        } else {
            (previous, run) = (rank, 1.0);
        }
    }
    for pair in ranks.windows(2) {
        let fall = f64::from(pair[0]).powi(4) - f64::from(pair[1]).powi(4);
        if fall > 0.0 { falls += fall } else { rises -= fall }
    }
    weights.loss_penalty + weights.empty * empty + weights.merges * merges
        - weights.monotonicity * f64::min(falls, rises)
        - weights.sum * sum
}

/// A game of random legal moves on the plain array: the last board and the number of moves.
fn naive_game(seed: u64) -> (NaiveBoard, u64) {
    let rules = Rules::default();
    let mut rng = Rng::from_seed(seed);
    let mut board = NaiveBoard::start(&rules, &mut rng);
    let mut moves = 0;
    loop {
        let slides: [_; 4] = Direction::ALL.map(|direction| board.slide(direction, Merging::Once));
        let legal = slides.iter().flatten().count();
        if legal == 0 {
            return (board, moves);
        }
        let chosen = rng.below(legal as u32) as usize;
        board = slides.into_iter().flatten().nth(chosen).expect("one of the legal ones").board;
        board.spawn(&rules, &mut rng);
        moves += 1;
    }
}

/// The same on the packed board.
fn packed_game(seed: u64) -> (NaiveBoard, u64) {
    let slides = Slides::of(Merging::Once);
    let four = Rules::default().four;
    let mut rng = Rng::from_seed(seed);
    let mut board = spawn_two(&mut rng);
    let mut moves = 0;
    loop {
        let all: [_; 4] = Direction::ALL.map(|direction| slides.slide(board, direction));
        let legal = all.iter().flatten().count();
        if legal == 0 {
            return (NaiveBoard::from(*board), moves);
        }
        let chosen = rng.below(legal as u32) as usize;
        let slide = all.into_iter().flatten().nth(chosen).expect("one of the legal ones");
        board = spawn::spawn(slide.afterstate, four, &mut rng);
        moves += 1;
    }
}

fn spawn_two(rng: &mut Rng) -> Board {
    spawn::start(&Rules::default(), rng)
}
