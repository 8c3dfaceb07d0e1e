//! The search: worked out by hand, and against a plain one.

mod plain;

use engine::{Board, Direction, Merging, Rng, Rules};
use expectimax_report::Params;
use expectimax_report::features::FeatureValues;
use expectimax_report::search::{Opponent, terminal_depth};
use plain::{Plain, random_board};

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

fn rules(stop_at: u32) -> Rules {
    Rules { stop_at: Some(stop_at.try_into().unwrap()), ..Rules::default() }
}

#[test]
fn the_depth_follows_the_empty_cells_of_the_root() {
    let depths: Vec<u32> = (0..=15).map(terminal_depth).collect();
    assert_eq!(depths, [7, 7, 7, 7, 7, 6, 6, 6, 6, 6, 5, 5, 5, 5, 5, 5]);
}

/// The report's table of expanded nodes, for 14 to 0 empty cells. All its numbers are the width of the last
/// layer: four actions and `empty + 1` cells for a spawn in every pair of layers, and four actions more if
/// the depth is odd. Neither the layers above nor the two tiles that may spawn are counted.
#[test]
fn all_fifteen_printed_numbers_of_nodes_follow_from_a_formula() {
    let printed =
        [14400, 12544, 10816, 9216, 7744, 64000, 46656, 32768, 21952, 13824, 32000, 16384, 6912, 2048, 256];
    let calculated = |empty: u32| {
        let depth = terminal_depth(empty);
        (4 * (u64::from(empty) + 1)).pow(depth / 2) * 4_u64.pow(depth % 2)
    };
    assert_eq!((0..15).rev().map(calculated).collect::<Vec<_>>(), printed);
}

/// Two actions, and after each one empty cell. A 2 there is the end; a 4 there leaves a full board with a
/// pair of 4s:
///
/// ```text
///     left:  2 3 2 2    right:  2 2 3 2    (exponents)
///            4 5 4 5            4 5 4 5
///            5 4 5 4            5 4 5 4
///            4 5 4 5            4 5 4 5
/// ```
///
/// The best corner is the bottom right, with the gradient -3 -2 -1 0 / -2 -1 0 1 / -1 0 1 2 / 0 1 2 3: the
/// lower rows give -8 + 8 + 28, the first one -6 - 6 - 2 + 0 on the left and -6 - 4 - 3 + 0 on the right.
/// Differences: three rows of 3, the first row 1 + 1 + 0 or 0 + 1 + 1; columns 4 + 4 + 4 + 5 or 4 + 5 + 3 +
/// 5.
#[test]
fn a_search_of_depth_two_worked_out() {
    let position = board("2 2 8 4 / 16 32 16 32 / 32 16 32 16 / 16 32 16 32");
    let found = Params::default().search(&rules(2048)).unwrap().expectimax_search(position, 2);
    let left_eval = 1.0 * (28.0 - 14.0) + 2.0 * -(9.0 + 2.0 + 17.0) + 3.0 * 0.0;
    let right_eval = 1.0 * (28.0 - 13.0) + 2.0 * -(9.0 + 2.0 + 17.0) + 3.0 * 0.0;
    assert_eq!((left_eval, right_eval), (-42.0, -41.0));
    let [left, right] = [left_eval, right_eval].map(|eval| -1e6 * 0.9 + eval * 0.1);
    assert_eq!(found.moves.value, [None, Some(right), None, Some(left)]);
    assert_eq!(found.best, Some((Direction::Right, right)));
    assert_eq!(found.moves.nodes, [0, 1, 0, 1], "each action expands its afterstate");
}

/// One action makes the tile that ends the game: no other can be worth more, at any depth.
#[test]
fn the_winning_action_is_taken() {
    let position = board("2 4 1024 1024 / . . . 2 / . . . . / . . . .");
    for depth in 1..=4 {
        let found = Params::default().search(&rules(2048)).unwrap().expectimax_search(position, depth);
        assert_eq!(found.moves.value[Direction::Left as usize], Some(1e6));
        assert_eq!(found.best, Some((Direction::Left, 1e6)), "left comes before right");
    }
    let found = Params::default().search(&Rules::default()).unwrap().expectimax_search(position, 1);
    assert!(found.best.unwrap().1 < 1e3, "without a stop tile nothing is won: {found:?}");
}

#[test]
fn of_equal_actions_the_first_is_taken() {
    // Mirrored at the diagonal it is the same board: up and left are alike, and so are right and down.
    let position = board("2 . . . / . 2 . . / . . . . / . . . .");
    let found = Params::default().search(&rules(2048)).unwrap().expectimax_search(position, 1);
    let [up, right, down, left] = found.moves.value;
    assert_eq!((up, right), (left, down));
    assert_eq!(found.best.unwrap().0, Direction::Left);
}

/// The rules that the comparison plays, each with the largest rank of its boards.
fn games() -> Vec<(Rules, u8)> {
    let standard = Rules::default();
    vec![
        (rules(2048), 10),
        (rules(32), 4),
        (rules(256), 7),
        (standard.clone(), 15),
        (Rules { four: "1/4".parse().unwrap(), ..rules(1024) }, 9),
        (Rules { four: "0/1".parse().unwrap(), ..standard.clone() }, 6),
        (Rules { four: "1/1".parse().unwrap(), ..standard.clone() }, 6),
        (Rules { merging: Merging::Cascading, ..rules(64) }, 5),
        (Rules { merging: Merging::Cascading, ..standard }, 15),
    ]
}

/// Compares values, actions and nodes with those of the plain search; says how many boards had a legal
/// action.
fn agrees_with_the_plain_search(opponent: Opponent, feature_values: FeatureValues, boards: usize) -> usize {
    let mut rng = Rng::from_seed(2048);
    let mut compared = 0;
    for (rules, max_rank) in games() {
        let params = Params { feature_values, ..Params::default() };
        let mut memoised = params.search(&rules).unwrap().against(opponent);
        let mut unmemoised =
            Params { memo: false, ..params.clone() }.search(&rules).unwrap().against(opponent);
        let mut plain = Plain { opponent, ..Plain::new(&rules, &params) };
        for number in 0..boards {
            let empty = number % 15;
            let board = random_board(&mut rng, empty, max_rank);
            let deepest = if empty <= 2 { 4 } else { 3 };
            let depth = 1 + number as u32 / 15 % deepest;
            let (best, values) = plain.search(board, depth);
            for search in [&mut memoised, &mut unmemoised] {
                let found = search.expectimax_search(board, depth);
                assert_eq!((found.best, found.moves.value), (best, values), "{board}, depth {depth}");
            }
            assert_eq!(unmemoised.nodes(), plain.nodes, "{board}, depth {depth}");
            assert!(memoised.nodes().expanded <= plain.nodes.expanded);
            compared += usize::from(best.is_some());
        }
    }
    compared
}

#[test]
fn it_agrees_with_the_plain_search_on_thousands_of_boards() {
    let compared = agrees_with_the_plain_search(Opponent::Random, FeatureValues::Exponents, 300)
        + agrees_with_the_plain_search(Opponent::Random, FeatureValues::Tiles, 300);
    assert!(compared > 5000, "{compared} boards had a legal action");
}

#[test]
fn minimax_agrees_with_the_plain_search_on_thousands_of_boards() {
    let compared = agrees_with_the_plain_search(Opponent::Optimal, FeatureValues::Exponents, 200);
    assert!(compared > 1500, "{compared} boards had a legal action");
}

/// The board of the search worked out above: after either action a 2 is the end, so an optimal opponent ends
/// the game.
#[test]
fn against_an_optimal_opponent_the_rare_end_is_the_value() {
    let position = board("2 2 8 4 / 16 32 16 32 / 32 16 32 16 / 16 32 16 32");
    let search = Params::default().search(&rules(2048)).unwrap();
    let found = search.against(Opponent::Optimal).expectimax_search(position, 2);
    assert_eq!(found.moves.value, [None, Some(-1e6), None, Some(-1e6)]);
    assert_eq!(found.best, Some((Direction::Left, -1e6)));
}

#[test]
fn looking_up_changes_no_value_at_the_reports_depths() {
    let mut rng = Rng::from_seed(7);
    let mut memoised = Params::default().search(&rules(2048)).unwrap();
    let mut unmemoised = Params { memo: false, ..Params::default() }.search(&rules(2048)).unwrap();
    let mut saved = 0;
    for number in 0..60 {
        let board = random_board(&mut rng, number % 15, 10);
        let depth = terminal_depth(board.empty_count());
        let (one, other) =
            (memoised.expectimax_search(board, depth), unmemoised.expectimax_search(board, depth));
        assert_eq!((one.best, one.moves.value), (other.best, other.moves.value), "{board}");
        saved += unmemoised.nodes().expanded - memoised.nodes().expanded;
    }
    assert!(saved > 0);
}
