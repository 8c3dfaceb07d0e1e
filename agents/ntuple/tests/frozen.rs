//! What a small training gives, frozen, and the decisions and games of the network that it trained.

#[path = "../../../engine/tests/common/frozen.rs"]
mod frozen;

#[test]
fn a_small_training_gives_the_same_network_which_plays_the_same_games() {
    let files = ["0f7f5f8914c94d6b", "4618f0b7febf46e0"];
    let params = r#"{"tuples": "012 0145", "restarts": "200:10:30", "step": 1.0}"#;
    let plugin = frozen::check_training(ntuple::plugin(), params, 60, files);
    let table = r#"
        ntuple | {} | "none"       | {} | 11d21ec6b6d228e5 1281688b5ed19040 c14604f9776897f7 90b6daaa648c4eec
        ntuple | {} | {"plies": 3} | {} | 4752a041e28e3706 ff6450b0c55e280c e836e4c8779bf759 1a10eac83cb9c752
    "#;
    frozen::check(&plugin, 300, table);
}
