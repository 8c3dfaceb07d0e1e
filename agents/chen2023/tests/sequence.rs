//! Rollouts played ahead change nothing: the searches do what their plain forms do, one rollout after the
//! other.

mod plain;

use chen2023::final_choice::FinalChoice;
use chen2023::flat::Flat;
use chen2023::measure::Measure;
use chen2023::rollout::{RolloutPolicy, Rollouts};
use chen2023::search::SearchSummary;
use chen2023::stream_key::StreamKey;
use chen2023::tree::Tree;
use chen2023::{Params, TreeKind};
use engine::signature::Set;
use engine::{AgentSeed, Board, Direction, Game, Merging, Rules, TileSeed, conformance};
use plain::{Plain, Tried};

const MEASURES: [Measure; 5] =
    [Measure::Sum, Measure::Best, Measure::Mine, Measure::MineWithRow, Measure::MineWithoutSum];

fn tried(found: &SearchSummary) -> Vec<Tried> {
    found
        .moves
        .into_iter()
        .flatten()
        .map(|(direction, stats)| (direction, stats.visits, stats.value))
        .collect()
}

/// Boards of the frozen set, and rules with all that can end a game.
fn cases() -> Vec<(Rules, Board)> {
    let standard = Rules::default();
    let mut cases: Vec<_> =
        Set::First.boards(&standard).into_iter().map(|board| (standard.clone(), board)).collect();
    for (_, rules) in conformance::rule_sets() {
        let board = Game::new(&rules, TileSeed(1)).board();
        cases.push((rules, board));
    }
    let near_stop = Rules { stop_at: 64.try_into().ok(), merging: Merging::Cascading, ..Rules::default() };
    cases.push((near_stop, "32 32 16 8 / 4 2 4 2 / 2 4 8 . / 4 2 4 8".parse().unwrap()));
    let dying = "2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 8 .".parse().unwrap();
    cases.push((standard, dying));
    cases
}

/// Every measure and both policies in turns.
fn params(number: u64, tree: TreeKind) -> Params {
    let rollouts = if number % 3 == 2 { RolloutPolicy::Random } else { RolloutPolicy::Greedy };
    Params { measure: MEASURES[number as usize % 5], rollouts, tree, ..Params::default() }
}

/// A search in the form that the parameters name.
fn search(rules: &Rules, params: &Params, board: Board, key: StreamKey, budget: u32) -> SearchSummary {
    let rollouts = Rollouts::new(rules, params.rollouts, params.measure);
    let settings = params.settings(rules);
    match params.tree {
        TreeKind::AsReleased => Flat::new(settings).search(board, key, budget, &rollouts),
        TreeKind::AsWritten => Tree::new(settings).search(board, key, budget, &rollouts),
    }
}

#[test]
fn both_forms_try_what_the_plain_search_tries() {
    for (number, (rules, board)) in (0..).zip(cases()) {
        let key = StreamKey::of_search(AgentSeed(number), 7);
        let mut params = self::params(number, TreeKind::AsReleased);
        let mut flat = Flat::new(params.settings(&rules));
        let rollouts = Rollouts::new(&rules, params.rollouts, params.measure);
        for budget in [300, 1, 2, 17] {
            let expected = Plain::new(&rules, &params).flat(board, key, budget);
            let found = flat.search(board, key, budget, &rollouts);
            assert_eq!(tried(&found), expected, "{board}, {budget}, {params:?}");
        }
        params.tree = TreeKind::AsWritten;
        let mut tree = Tree::new(params.settings(&rules));
        for budget in [600, 1, 2, 17] {
            let (expected, _) = Plain::new(&rules, &params).tree(None, board, key, budget);
            let found = tree.search(board, key, budget, &rollouts);
            assert_eq!(tried(&found), expected, "{board}, {budget}, {params:?}");
        }
    }
}

#[test]
fn a_kept_tree_grows_as_the_plain_one_does() {
    let mut grown = 0;
    for (number, rules) in
        [(0, Rules::default()), (1, Rules { stop_at: 64.try_into().ok(), ..Rules::default() })]
    {
        let params = params(number, TreeKind::AsWritten);
        let rollouts = Rollouts::new(&rules, params.rollouts, params.measure);
        let (mut plain, mut tree) = (Plain::new(&rules, &params), Tree::new(params.settings(&rules)));
        let mut game = Game::new(&rules, TileSeed(number));
        let mut last: Option<(usize, Direction, plain::BoardNode)> = None;
        while game.ending().is_none() && game.moves() < 60 {
            let (board, key) = (game.board(), StreamKey::of_search(AgentSeed(3), u64::from(game.moves())));
            let (found, expected, root) = match last {
                None => {
                    let (expected, root) = plain.tree(None, board, key, 300);
                    (tree.search(board, key, 300, &rollouts), expected, root)
                }
                Some((chosen, direction, root)) => {
                    let kept = root.kept(direction, board);
                    grown += u32::from(kept.is_some());
                    let (expected, root) = plain.tree(kept, board, key, 300);
                    (tree.search_on(chosen, board, key, 300, &rollouts), expected, root)
                }
            };
            assert_eq!(tried(&found), expected, "{board}");
            let (direction, _) = found.moves[found.chosen].unwrap();
            game.play(direction).unwrap();
            last = Some((found.chosen, direction, root));
        }
    }
    assert!(grown > 50, "a tree was kept only {grown} times");
}

#[test]
fn as_released_the_first_rollouts_of_the_moves_are_on_top_of_the_budget() {
    let rules = Rules::default();
    let params = Params::default();
    for (text, legal) in [
        ("2 4 8 16 / . . . . / . . . . / . . . .", 1),
        ("2 . . . / . . . . / . . . . / . . . .", 2),
        ("2 2 4 8 / . . . . / . . . . / . . . .", 3),
        (". . . . / . 2 4 . / . . . . / . . . .", 4),
    ] {
        let board: Board = text.parse().unwrap();
        let key = StreamKey::of_search(AgentSeed(1), 0);
        let found = search(&rules, &params, board, key, 1000);
        assert_eq!(found.rollouts, 1 + legal + 999, "{board}");
        assert_eq!(tried(&found).iter().map(|&(_, visits, _)| u64::from(visits)).sum::<u64>(), legal + 999);
        let mut plain = Plain::new(&rules, &params);
        plain.flat(board, key, 1000);
        assert_eq!(plain.asked.len() as u64, 1 + legal + 999, "{board}");
        assert!(found.played < found.rollouts + 60, "{} rollouts were played for {board}", found.played);
    }
}

/// The search goes on for the max-robust child one iteration at a time, and no longer than it must.
#[test]
fn a_search_ends_with_the_first_max_robust_child() {
    let rules = Rules::default();
    let (mut longer, mut in_vain) = (0, 0);
    for (number, board) in (0..).zip(Set::First.boards(&rules)) {
        for tree in [TreeKind::AsReleased, TreeKind::AsWritten] {
            let key = StreamKey::of_search(AgentSeed(number), 1);
            let search = |budget: u32, final_choice: FinalChoice| {
                let params = Params { tree, final_choice, ..Params::default() };
                self::search(&rules, &params, board, key, budget)
            };
            let found = search(60, FinalChoice::MaxRobust);
            let plain = |budget| search(budget, FinalChoice::Robust);
            let more = (found.rollouts - plain(60).rollouts) as u32;
            // A plain search of that length has tried the same, and one that is shorter by one has no
            // max-robust child.
            assert_eq!(tried(&found), tried(&plain(60 + more)), "{board}, {tree:?}");
            assert!(more == 0 || !has_max_robust(&plain(60 + more - 1)), "{board}, {tree:?}");
            assert!(has_max_robust(&found) || more >= 59, "{board}, {tree:?}");
            longer += u32::from(more > 0);
            in_vain += u32::from(!has_max_robust(&found));
        }
    }
    assert!(longer >= 3, "only {longer} searches went on, {in_vain} of them in vain");
}

fn has_max_robust(found: &SearchSummary) -> bool {
    let moves =
        || found.moves.into_iter().flatten().map(|(_, stats)| (stats.visits, stats.mean().unwrap_or(0.0)));
    moves().any(|(visits, mean)| moves().all(|(other, value)| other <= visits && value <= mean))
}
