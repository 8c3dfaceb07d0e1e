//! The decisions and games of the agents, frozen: see `frozen::check`.

#[path = "../../../engine/tests/common/frozen.rs"]
mod frozen;

#[test]
fn they_decide_and_play_as_they_did() {
    let table = r#"
        chen-uct            | {} | {"playouts": 1000} | {"measure": "sum"}                                                                    | 175fc0bd70229c14 d210bdd3df1162ed 14c852ef633ebf55 5f05a75479054b58
        chen-uct            | {} | {"playouts": 1000} | {"measure": "mine"}                                                                   | 52e8311aad01ab26 27d6137d7e02a53f fd421b081b2b24c7 1cc9a8bef1819174
        chen-uct            | {} | {"playouts": 1000} | {"measure": "mine-with-row", "rollouts": "random"}                                    | 70cfb1520cae4435 513b148e78856811 77180b7244ea1695 8e6eef89b23c5c21
        chen-uct            | {} | {"playouts": 1000} | {"measure": "mine", "tree": "as-written"}                                             | 8b1b90aaba79757a 70364a2603e2ccef 7889097eb30a5a89 e820d07cf793c92b
        chen-uct            | {} | {"playouts": 1000} | {"measure": "sum", "tree": "as-written", "keep_tree": true, "final_choice": "robust"} | ddc5e97bcfc191a9 eeb968f002bdb19e 75296a5b757c4105 91e778d6b5fd745c
        chen-two-directions | {} | "none"             | {}                                                                                    | 8b54564990fd1c0f 0f08d4686c9b4480 e28ae335cad4f94b c4b029636660d9a6
    "#;
    frozen::check(&chen2023::plugin(), 100, table);
}
