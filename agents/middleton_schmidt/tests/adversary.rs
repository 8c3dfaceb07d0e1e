//! The tiles that the antagonistic minimax places against itself are those that a plain search finds worst.

mod reference;

use engine::agent::{Agent, Budget, Host, Position, SlidPosition};
use engine::{Afterstate, AgentSeed, Board, Placement, Rng, Rules, Slides, Spawning};
use middleton_schmidt::{
    DepthCounts, FinalHeuristics, Heuristic, HeuristicSet, InitialHeuristics, MinimaxAntagonistic, Params,
};
use reference::{Opponent, Reference};

fn adversarial() -> Rules {
    Rules { spawn: Spawning::Adversarial, ..Rules::default() }
}

fn agent(params: Params) -> MinimaxAntagonistic {
    let mut agent = MinimaxAntagonistic::create(&adversarial(), params, Host::silent()).unwrap();
    agent.new_game(AgentSeed(1));
    agent
}

fn placed(agent: &mut MinimaxAntagonistic, afterstate: Afterstate, plies: u64) -> Placement {
    let slid = SlidPosition { afterstate, score: 0, move_number: 0, budget: Budget::Plies(plies) };
    let decision = agent.place_tile(&slid).unwrap();
    assert_eq!(decision.spent, plies);
    decision.tile
}

/// The first worst spawn, cell by cell, the 2 before the 4, with this many layers of which the slide before
/// it is the first.
fn first_worst(heuristic: &impl Heuristic, afterstate: Afterstate, layers: u32) -> Placement {
    let rules = adversarial();
    let search = Reference { rules: &rules, heuristic, opponent: Opponent::Antagonistic };
    let mut worst = None;
    for cell in afterstate.empty_cells() {
        for rank in [1, 2] {
            let value = search.player(afterstate.with_spawn(cell, rank), layers.saturating_sub(2));
            if worst.is_none_or(|(_, least)| value < least) {
                worst = Some((Placement::new(cell as u32, rank.into()).unwrap(), value));
            }
        }
    }
    worst.expect("an empty cell").0
}

/// Boards that have slid, with few and many tiles.
fn afterstates() -> Vec<(Board, Afterstate)> {
    let mut rng = Rng::from_seed(12);
    let mut found = Vec::new();
    while found.len() < 120 {
        let filled = 3 + rng.below(13);
        let ranks = std::array::from_fn(|_| if rng.below(16) < filled { 1 + rng.below(7) as u8 } else { 0 });
        let board = Board::from_ranks(ranks).unwrap();
        let Some(direction) = board.legal_moves().iter().next() else { continue };
        let slide = Slides::of(engine::Merging::Once).slide(board, direction).unwrap();
        found.push((board, slide.afterstate));
    }
    found
}

#[test]
fn the_placed_tile_is_the_first_worst_one() {
    let params = Params::default();
    let (mut by_final, last) = (agent(params), FinalHeuristics::new(params.final_));
    let initial = Params { heuristics: HeuristicSet::Initial, ..params };
    let (mut by_initial, first) = (agent(initial), InitialHeuristics::new(initial.initial));
    for (_, afterstate) in afterstates() {
        for layers in 1..=4 {
            let plies = u64::from(layers);
            let expected = first_worst(&last, afterstate, layers);
            assert_eq!(placed(&mut by_final, afterstate, plies), expected, "{afterstate}, {layers} layers");
            let expected = first_worst(&first, afterstate, layers);
            assert_eq!(placed(&mut by_initial, afterstate, plies), expected, "{afterstate}, {layers} layers");
        }
    }
}

#[test]
fn what_the_search_for_the_move_remembers_changes_no_tile() {
    let params = Params { depth_counts: DepthCounts::Moves, ..Params::default() };
    let (mut warm, mut cold) = (agent(params), agent(params));
    for (board, _) in afterstates().into_iter().take(40) {
        let position = Position { budget: Budget::Plies(2), ..Position::of_board(board).unwrap() };
        let direction = warm.choose_move(&position).unwrap().direction;
        let slide = Slides::of(engine::Merging::Once).slide(board, direction).unwrap();
        let tile = placed(&mut warm, slide.afterstate, 2);
        assert_eq!(tile, placed(&mut cold, slide.afterstate, 2), "{board}");
        assert_eq!(tile, first_worst(&FinalHeuristics::new(params.final_), slide.afterstate, 3), "{board}");
    }
}
