//! The agent plays the move that promises most, with files of the paper's networks only.

use engine::agent::{Agent, Host, Position, Refusal};
use engine::{AgentSeed, Board, Direction, Merging, Rules, Slides};
use szubert2014::agent::Params;
use szubert2014::{Szubert, networks};
use tuples::{CellValues, Network, Sampling, weights};

/// Weights that differ from each other, in a file.
fn file(network: &Network) -> &'static [u8] {
    weights::encode(network, 1.0, (0..network.weights()).map(|index| (index * 7919 % 1009) as f32)).leak()
}

#[test]
fn it_plays_the_move_that_promises_most_and_says_what_each_promises() {
    let network = networks::straight_and_square();
    let mut agent = Szubert::with_weights(&Rules::default(), file(&network)).unwrap();
    agent.new_game(AgentSeed(1));
    for text in [
        "2 2 4 8 / . 16 . . / . . 32 . / 4 . . 2",
        "2 4 8 16 / . . . . / . . . . / . . . .",
        "2 . . . / . . . . / . . . . / . . . 4",
    ] {
        let board: Board = text.parse().unwrap();
        let decision = agent.choose_move(&Position::of_board(board).unwrap()).unwrap();
        let values = decision.values.unwrap();
        for direction in Direction::ALL {
            let slide = Slides::of(Merging::Once).slide(board, direction);
            let expected = slide.map(|slide| {
                slide.reward as f32 + network.sum(*slide.afterstate, |index| (index * 7919 % 1009) as f32)
            });
            assert_eq!(values.value[direction as usize], expected.map(f64::from), "{text}, {direction:?}");
        }
        assert_eq!(values.first_best(Direction::ALL), Some((decision.direction, decision.value.unwrap())));
        assert_eq!(decision.nodes, u64::from(board.legal_moves().len()));
    }
}

#[test]
fn other_networks_and_rules_are_refused() {
    let reason = |refusal: Option<Refusal>| format!("{:?}", refusal.expect("it is refused"));
    let other = Network::new(vec!["0123".parse().unwrap()], Sampling::Single, CellValues::Fifteen);
    let refused = |rules: &Rules, file| reason(Szubert::with_weights(rules, file).err());
    assert!(
        refused(&Rules::default(), file(&other))
            .contains("file `weights`: a network of 0123 is none of the paper's")
    );
    assert!(refused(&Rules::default(), b"something else").contains("file `weights`: not a file of weights"));
    let cascading = Rules { merging: Merging::Cascading, ..Rules::default() };
    assert!(refused(&cascading, file(&networks::straight_and_square())).contains("merges once"));
    let unlent = Szubert::create(&Rules::default(), Params {}, Host::silent()).err();
    assert!(reason(unlent).contains("role `weights`"));
}
