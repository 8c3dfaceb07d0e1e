//! `pipeline claims`: by paper, by verdict, and one claim whole.

use crate::common::prelude::*;

/// Two papers: an order that holds, a number that does not under two readings; a claim that nothing tests.
fn lab() -> Lab {
    let number = |id: &str, experiment: &str, more: &str| {
        mean_score(id, experiment, 9000, &format!("assumed_n = 50\nconditional_on = [\"D-1\"]\n{more}"))
    };
    let paper = [
        "[[note]]\nid = \"D-1\"\ntext = \"Fifty games are assumed.\"\n".to_owned(),
        interpretation("written", "As written"),
        interpretation("released", "As released"),
        experiment("weak", "random", 40, ""),
        experiment("strong", "score-greedy", 40, ""),
        number("far-off", "weak", "under = [\"written\"]"),
        number("far-off-released", "strong", "under = [\"released\"]\nreading_of = \"far-off\""),
        order("strong", "weak"),
        finding("Greedy play is better than chance.", "confirmed = [\"order\"]"),
    ];
    let lab = Lab::with(&paper.concat());
    lab.paper("q", &untestable("feeling"));
    lab.succeed("run --quiet");
    lab
}

#[test]
fn claims_are_chosen_by_paper_and_verdict_and_one_is_shown_in_full() {
    let lab = lab();
    lab.succeed("claims --verdict lower")
        .assert_prints(&["p/far-off ", "p/far-off-released"])
        .assert_omits(&["p/order", "q/feeling"])
        .assert_prints(&["2 of 4 claims are shown"]);
    let both = lab.json_of("claims --verdict confirmed --verdict untestable");
    let ids: Vec<&str> =
        list(&both["claims"]).iter().map(|claim| claim["claim"]["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["order", "feeling"]);
    let named = lab.succeed("claims q").stdout;
    assert_has(&named, &["q/feeling"]);
    assert_lacks(&named, &["p/"]);
    lab.run("claims --verdict nonsense").assert_fails(2, &["consistent", "contradicted"]);
    lab.run("claims typo").assert_fails(2, &["no paper is called `typo`"]);
    let told = lab.succeed("claims p/far-off").stdout;
    assert_has(
        &told,
        &[
            "p/far-off: lower\nIt scores 9000. (T, Table 1)\n",
            "published: 9,000, not said of how many games; 50 assumed",
            "reproduced: ",
            "the interval at 95 %",
            "expected of the paper's games: ",
            "p-value of the published number: 0.000",
            "with 80 % power",
            "Read as\n  As written\n  p/far-off-released: lower (As released)\n",
            "D-1: Fifty games are assumed.",
            "p/weak\n  40 games: random 1.0.0 with no budget, seed 2048; results/records/p/weak.parquet\n",
            "pipeline games p/weak --sort score",
            "pipeline run --fresh p/weak",
        ],
    );
    assert_lacks(&told, &["p/strong"]);
    let replay =
        told.lines().find_map(|line| line.trim().strip_prefix("pipeline ")?.strip_suffix("the best of them"));
    lab.succeed(replay.unwrap());
    let order = lab.succeed("claims p/order").stdout;
    assert_has(
        &order,
        &[
            "Findings that rest on it\n  Greedy play is better than chance. (carried)",
            "\np/strong\n",
            "\np/weak\n",
        ],
    );
    assert_eq!(lab.json_of("claims p/order")["claims"].as_array().map(Vec::len), Some(1));
    lab.run("claims p/nothing").assert_fails(2, &["p has no claim `nothing`", "`pipeline claims p` lists"]);
    lab.run("claims p/order q").assert_fails(2, &["either claims or papers"]);
    lab.succeed("claims q/feeling").assert_prints(&["Nobody was asked."]);
}
