//! The decisions and games of the agents, frozen: see `frozen::check`.

#[path = "../../../engine/tests/common/frozen.rs"]
mod frozen;

#[test]
fn they_decide_and_play_as_they_did() {
    let table = r#"
        ripstein-pure-mcts     | {}                       | "none" | {}                                                                  | 0af8f509603dc3fb d381ba0e9463b358 aeb54ded87376991 f267f4ffdd5394d7
        ripstein-pure-mcts     | {"merging": "cascading"} | "none" | {"spawn": "shared"}                                                 | d2bb213398d33db0 d79c1d99feb89f97 e149ef4284c0ba31 74a7a3f4e730b869
        ripstein-mdp           | {}                       | "none" | {}                                                                  | ca6ce9fd8aa73ad0 454566c262e949c5 cb59a0a8ff414fdf b6b838e3d06de5aa
        ripstein-mdp           | {}                       | "none" | {"top": 0.25}                                                       | 9bf19d1493cc71d1 07b17b76e094d0a2 ca20322a56e3ae43 c35fe65777ac0b13
        ripstein-mdp           | {}                       | "none" | {"games_from": "theta"}                                             | 42b7535c6668c6a4 8181093eb5746cd9 4e8c156c26c89a59 65b2b4d63144fbf9
        ripstein-mdp           | {}                       | "none" | {"bellman": "always"}                                               | b81bebf6e7eaace3 992229c71c2ec432 140c84110e7c5606 9a0ba60c2edf3d13
        ripstein-mdp           | {"merging": "cascading"} | "none" | {"four_boards": "twos"}                                             | 61c7fb3ad7f6e389 79450c9470cd74fe 96801c2f4e195469 0b91b16c5aaefeb9
        ripstein-pure-mcts-top | {}                       | "none" | {}                                                                  | 3fc613d6b081ad83 7d00ea1747cd7637 b1b20cb48abcb063 9258e741006085c9
        ripstein-mdp           | {"merging": "cascading"} | "none" | {"bellman": "always", "games_from": "theta", "four_boards": "twos"} | bddbde9d99bb0541 fb61e9f67bb883f5 fce47dd4fb864536 cfb3e1154b8111f0
    "#;
    frozen::check(&ripstein2023::plugin(), 100, table);
}
