//! What a small training gives, frozen, and the decisions and games of the network that it trained.

#[path = "../../../engine/tests/common/frozen.rs"]
mod frozen;

use engine::Rules;
use engine::abi::host::{File, Files, Silent};
use engine::agent::Budget;
use frozen::{check, check_bytes};

#[test]
fn a_small_training_gives_the_same_network_which_plays_the_same_games() {
    let params = r#"{"tuples": "012 0145", "restarts": "200:10:30", "step": 1.0}"#;
    let mut training = ntuple::plugin().train(0, &Rules::default(), params, 7, Silent).unwrap();
    for _ in 0..60 {
        training.next_game().unwrap();
    }
    let (mut checkpoint, mut weights) = (Vec::new(), Vec::new());
    training.save(&mut checkpoint).unwrap();
    training.artefact(&mut weights).unwrap();
    check_bytes(&checkpoint, "0f7f5f8914c94d6b");
    check_bytes(&weights, "4618f0b7febf46e0");
    let file = File { path: "weights".into(), bytes: weights.leak(), sha256: "0".repeat(64) };
    let plugin = ntuple::plugin().with_files(Files::from_iter([("weights".to_owned(), file)]));
    let row = |budget, frozen| ("ntuple", Rules::default(), "{}", budget, frozen);
    let rows = [
        row(Budget::None, ["11d21ec6b6d228e5", "1281688b5ed19040", "c14604f9776897f7", "90b6daaa648c4eec"]),
        row(
            Budget::Plies(3),
            ["4752a041e28e3706", "ff6450b0c55e280c", "e836e4c8779bf759", "1a10eac83cb9c752"],
        ),
    ];
    check(&plugin, 300, &rows);
}
