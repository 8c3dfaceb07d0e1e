//! The report's table of expanded nodes, and beside it what the plain, unmemoised search really expands.
//!
//!     cargo run --release -p expectimax_report --example node_table -- 20
//!
//! The boards are those that the agent meets in so many games of the report's rules, spread evenly over all of a filling. The
//! calculated number is the width of the last layer, so the column to hold it against is that of the leaves. Nothing here
//! depends on the machine: the same games give the same table.

use std::env;

use engine::{Board, Game, Rules, TileSeed};
use expectimax_report::Params;
use expectimax_report::nodes::{FILLINGS, Nodes, PRINTED, calculated};
use expectimax_report::search::terminal_depth;

/// The master seed of the games. It is not that of any experiment.
const SEED: u64 = 14400;
/// The most boards of one filling.
const MOST_BOARDS: usize = 20;

fn main() {
    let games = env::args().nth(1).map_or(20, |games| games.parse().expect("a number of games"));
    let rules = Rules { stop_at: 2048.try_into().ok(), ..Rules::default() };
    let met = boards_met(&rules, games);
    println!("nodes a search without memo, means over boards of {games} games");
    println!("empty  depth  printed  calculated  boards     leaves  (least   most)  expanded");
    for (&empty, printed) in FILLINGS.iter().zip(PRINTED) {
        let boards = spread(&met[empty as usize]);
        let nodes = measure(&rules, &boards);
        let leaves = || nodes.iter().map(|nodes| nodes.leaves);
        println!(
            "{empty:>5}  {:>5}  {printed:>7}  {:>10}  {:>6}  {:>9.0}  ({:>5}  {:>5})  {:>8.0}",
            terminal_depth(empty),
            calculated(empty),
            boards.len(),
            mean(leaves()),
            leaves().min().unwrap_or(0),
            leaves().max().unwrap_or(0),
            mean(nodes.iter().map(|nodes| nodes.expanded)),
        );
    }
}

/// All boards on which the agent moves in these games, by their number of empty cells.
fn boards_met(rules: &Rules, games: u64) -> [Vec<Board>; 16] {
    let mut search = Params::default().search(rules).expect("the defaults are right");
    let mut met = [const { Vec::new() }; 16];
    for number in 0..games {
        let mut game = Game::new(rules, TileSeed::derive(SEED, number));
        while game.ending().is_none() {
            let (board, empty) = (game.board(), game.board().empty_count());
            met[empty as usize].push(board);
            let (action, _) =
                search.expectimax_search(board, terminal_depth(empty)).best.expect("it goes on");
            game.play(action).expect("it is legal");
        }
    }
    met
}

/// At most [`MOST_BOARDS`] of these boards, at equal distances.
fn spread(boards: &[Board]) -> Vec<Board> {
    let count = boards.len().min(MOST_BOARDS);
    (0..count).map(|nth| boards[nth * boards.len() / count]).collect()
}

/// The nodes of the plain search on each board.
fn measure(rules: &Rules, boards: &[Board]) -> Vec<Nodes> {
    let params = Params { memo: false, ..Params::default() };
    let mut search = params.search(rules).expect("the defaults are right");
    let nodes = |&board: &Board| {
        search.expectimax_search(board, terminal_depth(board.empty_count()));
        search.nodes()
    };
    boards.iter().map(nodes).collect()
}

fn mean(numbers: impl ExactSizeIterator<Item = u64>) -> f64 {
    let count = numbers.len().max(1);
    numbers.sum::<u64>() as f64 / count as f64
}
