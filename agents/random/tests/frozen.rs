//! The decisions of the random player, frozen, and all its committed games.

#[path = "../../../engine/tests/common/frozen.rs"]
mod frozen;

#[test]
fn it_decides_and_plays_as_it_did() {
    let table = r#"
        random | {} | "none" | {} | 868c2b19f09c828f 9e93e7ff16dc378a e87fefb8d6e32748 47d4073d348dcbe5
    "#;
    frozen::check(&random::plugin(), u32::MAX, table);
}

/// The digests of `results/index.json`, of 1000 games each.
#[test]
fn it_plays_all_its_committed_games() {
    let table = "
        random | {}     | 7fb845d63ba8cd5494837349541cd0ad6bb4b65afb4dc9c69d2ab31eb66f336f
        random | course | 41852ed23068e61c56ec1e6375d5cf8560b7948e9caffdcd50dd1abb4b56d113
    ";
    frozen::check_digests(&random::plugin(), 1000, table);
}
