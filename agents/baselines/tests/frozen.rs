//! The decisions of the baselines, frozen, and all their committed games.

#[path = "../../../engine/tests/common/frozen.rs"]
mod frozen;

#[test]
fn they_decide_and_play_as_they_did() {
    let table = r#"
        fixed-cycle  | {} | "none" | {} | 978e1d457021f8d3 39da0b1ba3cce91d bf82757451cf0b4a fb16152d32e34732
        score-greedy | {} | "none" | {} | 13823f132effa96e f98dd922e3535aff 891fc1461c6bba3a 8606d9610ce61677
    "#;
    frozen::check(&baselines::plugin(), u32::MAX, table);
}

/// The digests of `results/index.json`, of 1000 games each.
#[test]
fn they_play_all_their_committed_games() {
    let table = "
        fixed-cycle  | {}     | 1eaab6ba2e343c2b7471ff4aaed40e8f43ec951779ffcae6c03ef701e4aadb10
        fixed-cycle  | course | 526e8836e3382e1d414080f077e0424daa13a4b8799863c86e3dfcdb1af44cbe
        score-greedy | {}     | 689903311d362e62ad0596ad5e8650b89294f7862cf8041b80bedf23e62b5d18
        score-greedy | course | b175e706d4b8919a188042149743038a2014929ab5971eb22a21501b29ed071b
    ";
    frozen::check_digests(&baselines::plugin(), 1000, table);
}
