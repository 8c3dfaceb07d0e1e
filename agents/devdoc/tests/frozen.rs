//! The decisions and games of the agents, frozen: see `frozen::check`.

#[path = "../../../engine/tests/common/frozen.rs"]
mod frozen;

#[test]
fn they_decide_and_play_as_they_did() {
    // With the printed weights, the weighted agents are the printed programs.
    let table = r#"
        devdoc-1         | course | {"nodes": 1000}  | {} | fef0017b1091044d 689e31d2064a7832 e5a92b691f5363ca bea23c6c6936b331
        devdoc-1         | course | {"nodes": 10000} | {} | 90f8a68df4785ad5 0f31dfd9ff379b54 690aa3a022366fed c641c9c238a1adb8
        devdoc-2         | course | "none"           | {} | eea893042d3986ac 4f870c1a3abc021a 791913dba677964f e5b5a8e8ddc05baf
        devdoc-3         | course | "none"           | {} | d6b69a39e43c76a7 60e612ddd9e05068 8c7891e78a27633f 75cdd465303578fb
        devdoc-4         | course | "none"           | {} | 8ce43099918b9d41 7a70225bbbbc3a71 21f3d6acfb0e2664 55581cebfe1b18e6
        devdoc-6         | course | {"nodes": 1000}  | {} | ed30708fa276742d 7e9ae6a6baac305e 843b52b59f85edfa 1d659499819a1d1f
        devdoc-6         | course | {"nodes": 10000} | {} | 070fd0d7fa9055aa 1bdd9cf686489d58 e0faec59618f8494 2e168bfae0524958
        devdoc-6-stale   | course | {"nodes": 1000}  | {} | ed30708fa276742d 7e9ae6a6baac305e 843b52b59f85edfa 1d659499819a1d1f
        devdoc-6-stale   | course | {"nodes": 32}    | {} | 82a28a5825f07139 51b9ffcf4c60d46b d45f4277432b85b9 45e0b5370a2aa398
        devdoc-4-weighed | course | "none"           | {} | 8ce43099918b9d41 7a70225bbbbc3a71 21f3d6acfb0e2664 55581cebfe1b18e6
        devdoc-6-weighed | course | {"nodes": 1000}  | {} | ed30708fa276742d 7e9ae6a6baac305e 843b52b59f85edfa 1d659499819a1d1f
    "#;
    frozen::check(&devdoc::plugin(), 200, table);
}
