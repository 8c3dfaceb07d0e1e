//! The strategy of section 4.2: two directions by turns, another only in need.

use chen2023::TwoDirections;
use engine::agent::{Agent, Host, Position};
use engine::{AgentSeed, Game, Rules, TileSeed};

fn agent() -> TwoDirections {
    let mut agent = TwoDirections::create(&Rules::default(), Default::default(), Host::silent()).unwrap();
    agent.new_game(AgentSeed(0));
    agent
}

fn play(agent: &mut TwoDirections, board: &str) -> char {
    let position = Position::of_board(board.parse().unwrap()).unwrap();
    agent.choose_move(&position).unwrap().direction.letter()
}

const ALL_LEGAL: &str = ". . . . / . 2 . . / . . . . / . . . .";

#[test]
fn up_and_left_come_by_turns_from_up_in_every_game() {
    let mut agent = agent();
    assert_eq!([(); 3].map(|()| play(&mut agent, ALL_LEGAL)), ['U', 'L', 'U']);
    agent.new_game(AgentSeed(0));
    assert_eq!(play(&mut agent, ALL_LEGAL), 'U');
}

#[test]
fn one_that_is_illegal_leaves_the_turn_to_the_other_and_stays_next() {
    let mut agent = agent();
    let only_left_of_the_pair = ". 2 . . / . . . . / . . . . / . . . .";
    assert_eq!([(); 2].map(|()| play(&mut agent, only_left_of_the_pair)), ['L', 'L']);
    assert_eq!(play(&mut agent, ALL_LEGAL), 'U');
}

#[test]
fn right_comes_before_down_and_neither_takes_a_turn() {
    let mut agent = agent();
    assert_eq!(play(&mut agent, "2 . . . / 4 . . . / . . . . / . . . ."), 'R');
    assert_eq!(play(&mut agent, "2 4 2 4 / . . . . / . . . . / . . . ."), 'D');
    assert_eq!(play(&mut agent, ALL_LEGAL), 'U');
}

/// "The player must do a set of two actions" to keep the largest tile in its corner: the others are rare.
#[test]
fn most_moves_of_a_game_are_of_the_pair() {
    let rules = Rules::default();
    let mut agent = agent();
    let mut game = Game::new(&rules, TileSeed(1));
    let (mut of_the_pair, mut moves) = (0, 0);
    while game.ending().is_none() {
        let position = Position::of_board(game.board()).unwrap();
        let direction = agent.choose_move(&position).unwrap().direction;
        of_the_pair += u32::from("UL".contains(direction.letter()));
        moves += 1;
        game.play(direction).unwrap();
    }
    assert!(of_the_pair * 10 > moves * 9, "{of_the_pair} of {moves}");
}
