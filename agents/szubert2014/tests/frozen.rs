//! What a small training gives, frozen, and the decisions and the game of the network that it trained.

#[path = "../../../engine/tests/common/frozen.rs"]
mod frozen;

use engine::Rules;
use engine::abi::host::{File, Files, Silent};
use engine::agent::Budget;
use frozen::{check, check_bytes};

#[test]
fn a_small_training_gives_the_same_network_which_plays_the_same_game() {
    let mut training = szubert2014::plugin().train(0, &Rules::default(), "{}", 7, Silent).unwrap();
    for _ in 0..50 {
        training.next_game().unwrap();
    }
    let (mut checkpoint, mut weights) = (Vec::new(), Vec::new());
    training.save(&mut checkpoint).unwrap();
    training.artefact(&mut weights).unwrap();
    check_bytes(&checkpoint, "21ece2ce11cde9e5");
    check_bytes(&weights, "2f02c49e7375d3c9");
    let file = File { path: "weights".into(), bytes: weights.leak(), sha256: "0".repeat(64) };
    let plugin = szubert2014::plugin().with_files(Files::from_iter([("weights".to_owned(), file)]));
    let row = (
        "szubert-ntuple",
        Rules::default(),
        "{}",
        Budget::None,
        ["2b31d86459d7664e", "a81e7fa9dfb39849", "f1f99aae74f9c6b1", "8f05c78c0cc280f0"],
    );
    check(&plugin, 300, &[row]);
}
