//! Merging: the parts of an experiment become the whole, and nothing else does.

use crate::common::prelude::*;

use crate::quick_lab;

#[test]
fn merging_refuses_gaps_overlaps_and_strangers() {
    let lab = quick_lab();
    let parts = lab.play_parts("p/r", 3, "");
    lab.succeed("run p/r --shard 1/2 --out halves");
    lab.succeed("run p/r --shard 3/3 --games 15 --out more");
    lab.succeed("run p/r --out whole");
    lab.paper("p", &experiment("r", "random", 12, "seed = 7"));
    lab.succeed("run p/r --shard 3/3 --out other");
    let part = |folder: &str, part: &str| format!("{folder}/records/p/r.part-{part}.parquet");
    let [one, two, three] = [&parts[0], &parts[1], &parts[2]];
    for (files, words) in [
        (format!("{one} {three}"), &["game 1 is in none of the parts", "part 2 of 3"][..]),
        (format!("{one} {two} {three} {two}"), &["game 1 is in two parts", two]),
        (format!("{one} {two} {}", part("other", "3-of-3")), &["different experiments", "seed"]),
        (format!("{one} {two} {}", part("halves", "1-of-2")), &["2 parts of 12 games"]),
        (format!("{one} {two} {}", part("more", "3-of-3")), &["3 parts of 15 games"]),
    ] {
        lab.run(&format!("merge --out merged {files}")).assert_fails(2, words);
    }
    let left: Vec<_> = fs::read_dir(lab.path("merged/records/p")).into_iter().flatten().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
    lab.succeed(&format!("merge --out merged {one} {two} {three}"));
    lab.succeed("merge --out taken whole/records/p/r.parquet")
        .assert_prints(&["p/r: 12 games of a whole experiment; digest "]);
    assert_eq!(
        records(&lab.path("merged/records/p/r.parquet")),
        records(&lab.path("whole/records/p/r.parquet"))
    );
    // What is merged can be drawn and compared at once.
    lab.succeed("render --results merged");
    let told = lab.run("diff merged whole --json").json();
    assert_eq!(told["experiments"][0]["state"], "identical", "{told}");
    let timed = records::store::read_timing(&confined(lab.path("merged/timing/p/r.parquet"))).unwrap();
    assert_eq!(timed.iter().map(|timing| timing.game).collect::<Vec<_>>(), (0..12).collect::<Vec<_>>());
}

#[test]
fn merging_leaves_other_records_and_links_alone_and_prints_no_line_break_of_a_name() {
    let lab = quick_lab();
    let parts = lab.play_parts("p/r", 2, "").join(" ");
    lab.succeed("run p/r --games 13");
    let stored = lab.bytes("results/records/p/r.parquet");
    lab.run(&format!("merge {parts}")).assert_fails(
        1,
        &["results/records/p/r.parquet: there are already other records here", "move one of them away"],
    );
    assert_eq!(lab.bytes("results/records/p/r.parquet"), stored);
    lab.make_folder("merged/records/p");
    lab.link("/nowhere", "merged/records/p/r.parquet");
    let ran = lab.run(&format!("merge --out merged {parts}"));
    assert!(ran.code != Some(0) && ran.stderr.contains("r.parquet: "), "{ran:?}");
    let left: Vec<_> = fs::read_dir(lab.path("merged/records/p")).unwrap().flatten().collect();
    assert!(left.len() == 1 && left[0].file_type().unwrap().is_symlink(), "{left:?}");
    let part = lab.path("results/records/p/r.part-1-of-2.parquet");
    fs::copy(&part, lab.path("results/records/p/x\ny.parquet")).unwrap();
    lab.write("results/records/p/torn\ny.parquet", "x");
    lab.write("paper-configs/q\ny.toml", "x");
    for command in ["merge results", "plan --json", "claims --json"] {
        let ran = lab.run(command);
        assert!(ran.code != Some(0) && ran.stderr.contains("\u{fffd}y."), "{ran:?}");
        assert!(!ran.stderr.lines().any(|line| line.starts_with('y')), "{ran:?}");
    }
}

#[test]
fn folders_are_merged_with_everything_in_them_but_an_unreadable_part_which_is_left_unchanged() {
    let lab = quick_lab();
    lab.succeed("run p/r --shard 1/2 --out one");
    lab.succeed("run p/r --shard 2/2 --out two");
    lab.succeed("run p/c --out two");
    lab.succeed("run --out whole");
    lab.succeed("merge --out merged one two").assert_prints(&[
        "p/r: 12 games from 2 parts; digest ",
        "p/c: 12 games of a whole experiment; digest ",
    ]);
    for experiment in ["r", "c"] {
        let [merged, whole] = ["merged", "whole"]
            .map(|folder| records(&lab.path(format!("{folder}/records/p/{experiment}.parquet"))));
        assert_eq!(merged, whole, "{experiment}");
    }
    assert!(lab.exists("merged/timing/p/c.parquet"));
    lab.succeed("render --results merged");
    lab.succeed("verify merged");
    let again = lab.succeed("merge --out merged one two");
    again.assert_prints(&["p/c: 12 games of a whole experiment, there already"]);
    lab.run("merge --out part one")
        .assert_fails(2, &["game 1 is in none of the parts: play part 2 of 2 too"]);
    let beside = lab.succeed("merge --out beside one whole");
    beside.assert_prints(&["p/r: 12 games of a whole experiment"]);
    assert!(!beside.stdout.contains("part"), "what became a whole is not merged again: {beside:?}");
    lab.run("merge --out none plugins").assert_fails(2, &["there is nothing to merge"]);
    lab.play_parts("p/r", 2, "--out parts");
    let torn = lab.path("parts/records/p/torn.parquet");
    fs::write(&torn, "PAR1, and no more").unwrap();
    lab.run("merge --out readable parts")
        .assert_fails(1, &["parts/records/p/torn.parquet", "left unchanged: copy it again"])
        .assert_omits(&["remove"]);
    assert!(torn.exists());
    assert_eq!(records(&lab.path("readable/records/p/r.parquet")).len(), 12);
    lab.run("merge --out other parts/records/p/torn.parquet")
        .assert_fails(1, &["torn.parquet", "left unchanged"])
        .assert_omits(&["remove"]);
}
