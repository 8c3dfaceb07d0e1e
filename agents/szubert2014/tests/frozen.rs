//! What a small training gives, frozen, and the decisions and the game of the network that it trained.

#[path = "../../../engine/tests/common/frozen.rs"]
mod frozen;

#[test]
fn a_small_training_gives_the_same_network_which_plays_the_same_game() {
    let files = ["21ece2ce11cde9e5", "2f02c49e7375d3c9"];
    let params = r#"{}"#;
    let plugin = frozen::check_training(szubert2014::plugin(), params, 50, files);
    let table = r#"
        szubert-ntuple | {} | "none" | {} | 2b31d86459d7664e a81e7fa9dfb39849 f1f99aae74f9c6b1 8f05c78c0cc280f0
    "#;
    frozen::check(&plugin, 300, table);
}
