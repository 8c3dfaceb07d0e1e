//! The decisions and games of the agents, frozen: see `frozen::check`.

#[path = "../../../engine/tests/common/frozen.rs"]
mod frozen;

#[test]
fn they_decide_and_play_as_they_did() {
    // 2048 ends the report's games.
    let table = r#"
        er-expectimax | {"stop_at": 2048} | "none" | {}                          | f9c7665d04b4d9bd b80da684c7f695e7 3a61be72f530dd38 1494be143a83bf6b
        er-expectimax | {"stop_at": 2048} | "none" | {"memo": false}             | f9c7665d04b4d9bd b80da684c7f695e7 3a61be72f530dd38 1494be143a83bf6b
        er-expectimax | {"stop_at": 2048} | "none" | {"feature_values": "tiles"} | 9d8d3ddde69da7ba 18b880584eec353a 2c2c09c5d36078a8 c0b5fa3347b00ae3
        er-minimax    | {"stop_at": 2048} | "none" | {}                          | 6c1f565daccd8088 e8ccddeb90f3c314 4b90c3e55265b0be 4a291a4633f355dc
        er-nodes      | {"stop_at": 2048} | "none" | {"empty": 5}                | 983e1bf85516775d 18d9420e9fc0c145 822790d6afce86bd 23135f3c49a7273f
        er-nodes      | {"stop_at": 2048} | "none" | {"empty": 12}               | 4a0ee14f42880df8 a3ad445a6b61df38 af7a201bcdcacf7c c4b029636660d9a6
    "#;
    frozen::check(&expectimax_report::plugin(), 100, table);
}
