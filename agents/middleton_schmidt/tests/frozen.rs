//! The decisions and games of the agents, frozen: see `frozen::check`.

#[path = "../../../engine/tests/common/frozen.rs"]
mod frozen;

#[test]
fn they_decide_and_play_as_they_did() {
    let table = r#"
        ms-expectimax           | {}                       | {"plies": 3}        | {}                               | 94c440fb0d6c48e3 6baf8c460b4bc43a da5bf4cee1b214bb fd50ca4bdcd58d26
        ms-expectimax           | {}                       | {"plies": 3}        | {"heuristics": "initial"}        | e4589a4de43a5c8b b278ffbcec494a16 b0ba08b3d4196ecd fc9baa3121ff1d8d
        ms-minimax-antagonistic | {}                       | {"plies": 5}        | {}                               | 3a2b3beb233cb8d4 3386baf247bc53c7 1fc9711cfda70049 dddcbea4ae130928
        ms-minimax-antagonistic | {"spawn": "adversarial"} | {"plies": 3}        | {}                               | 3a888b6d97cee915 d5c103986ab4af2b e259429b559e461b e9f5deb875e693a6
        ms-minimax-random       | {}                       | {"plies": 5}        | {}                               | 35317f61c7808006 93126080f3252b62 c25b2b3e7bfd962b 657340b6f7c16cc6
        ms-boards               | {}                       | {"playouts": 50}    | {"work": "games"}                | 35c9154aae6bd3d2 a476632ba35e77a2 04fbe67fe4a20410 c4b029636660d9a6
        ms-boards               | {}                       | {"playouts": 20000} | {"work": "initial-heuristics"}   | 8f40bd857273692d eff859f5b37dc653 65df1b5adcdd462a c4b029636660d9a6
        ms-boards               | {}                       | {"playouts": 20000} | {"work": "final-heuristics"}     | 3ba113684b91c40e 3daca71747a32d0b 17345e0a6f2bb02d b82a4c2b7efdf7ec
        ms-fullness             | {}                       | {"plies": 3}        | {"empty_from": 4, "empty_to": 7} | 5a6d1dacf94835a9 b552be46c5ce5fec ff1d31603140e2c3 c4b029636660d9a6
        ms-speedups             | {}                       | {"plies": 3}        | {}                               | 8652ce586edce264 dd3024208b5638d1 15f8581402643e48 afb950c6c0d4f806
    "#;
    frozen::check(&middleton_schmidt::plugin(), 100, table);
}
