//! `pipeline compare`: the same decision for any number of jobs, however often it is killed.

use crate::common::prelude::*;

use pipeline::journal::{Journal, Title};

/// The agents that every laboratory has, which never tie for long.
const CYCLES: &str = "fixed-cycle fixed-cycle,cycle=RDLU";

fn compare(lab: &Lab, arguments: &str) -> CommandOutput {
    lab.run(&format!("compare {arguments}"))
}

/// A comparison of the two cycles.
fn cycles(lab: &Lab, arguments: &str) -> CommandOutput {
    compare(lab, &format!("{CYCLES} {arguments}"))
}

/// Starts a comparison of the two cycles, and waits until games of both are in journals of this folder.
fn started(lab: &Lab, folder: &str, arguments: &str) -> Child {
    let child = lab.start(&format!("compare {CYCLES} {arguments}"));
    let has_games = |file: &&PathBuf| fs::metadata(file).unwrap().len() > 20_000;
    wait_until("games of both are journalled", || {
        journals(lab, folder).iter().filter(has_games).count() == 2
    });
    child
}

#[track_caller]
fn assert_same(one: &CommandOutput, other: &CommandOutput, what: &str) {
    assert_eq!((one.code, &one.stdout), (other.code, &other.stdout), "{what}: {one:?}");
}

/// The journals that contests have left.
fn journals(lab: &Lab, folder: &str) -> Vec<PathBuf> {
    let folder = lab.path(folder).join("records/compare");
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    files.filter(|file| file.extension().is_some_and(|extension| extension == "journal")).collect()
}

#[test]
fn the_decision_does_not_depend_on_the_jobs_nor_on_the_order_of_the_agents() {
    let lab = Lab::new();
    let run = |agents: &str, jobs| lab.succeed(&format!("compare {agents} --json --jobs {jobs}"));
    let alone = run("random score-greedy", 1);
    let told = alone.json();
    assert_eq!(told["pairs"][0]["decision"], "second-stronger");
    assert_eq!(run("random score-greedy", 3).stdout, alone.stdout);
    let other = run("score-greedy random", 2).json();
    assert_eq!(other["pairs"][0]["decision"], "first-stronger");
    assert_eq!(told["seeds"], other["seeds"]);
    assert_eq!(told["pairs"][0]["tally"]["wins"], other["pairs"][0]["tally"]["losses"]);
    let text = compare(&lab, "score-greedy random");
    let first = text.stdout.lines().next().unwrap();
    assert!(first.starts_with("score-greedy (A) is stronger than random (B), by "), "{text:?}");
    assert!(first.contains(" Elo (95 % interval "), "{text:?}");
    assert!(
        text.stderr.contains("A score-greedy, B random"),
        "progress is shown without a terminal: {text:?}"
    );
    assert!(journals(&lab, "results/.cache/compare").is_empty(), "a decided contest leaves nothing behind");
}

#[test]
fn a_one_sided_test_reports_the_leader_and_then_its_answer() {
    let lab = Lab::new();
    let ran = compare(&lab, "random score-greedy --elo1 100 --json");
    assert_eq!(
        (ran.code, &ran.json()["pairs"][0]["decision"]),
        (Some(0), &"second-stronger".into()),
        "{ran:?}"
    );
    let ran = compare(&lab, "score-greedy random --elo1 100");
    let mut lines = ran.stdout.lines();
    ran.assert_code(1);
    assert!(lines.next().unwrap().starts_with("score-greedy (A) is stronger than random (B)"), "{ran:?}");
    assert_has(lines.next().unwrap(), &["random (B) is not stronger than score-greedy (A) by 100 Elo"]);
    let ran = cycles(&lab, "--elo0=-900 --elo1 0");
    let words = "fixed-cycle,cycle=RDLU (B) is not weaker than fixed-cycle (A) by 900 Elo";
    ran.assert_code(0).assert_prints(&[words]);
}

/// The C twin of the random agent plays the same games, so that every seed is a tie.
#[test]
fn two_builds_of_one_agent_tie_on_every_seed() {
    let lab = Lab::new();
    let plugin = compile_plugin("engine/examples/c/random.c", "compare_random", &[]);
    let twin = format!("{}:random-c", plugin.display());
    let ran = compare(&lab, &format!("{twin} random --worth 60 --json"));
    let told = ran.json();
    let tally = &told["pairs"][0]["tally"];
    assert_eq!((ran.code, &tally["wins"], &tally["losses"]), (Some(0), &0.into(), &0.into()), "{ran:?}");
    assert_eq!(
        (&told["pairs"][0]["decision"], &told["pairs"][0]["same_scores"]),
        (&"no-difference".into(), &true.into())
    );
    assert!(tally["ties"].as_u64().unwrap() < 60, "ties alone decide soon: {tally}");
    let text = compare(&lab, &format!("{twin} random --worth 60")).stdout;
    assert!(text.starts_with("There is no difference worth 60 Elo between "), "{text}");
    assert_has(&text, &["the same score on every seed"]);
}

#[test]
fn an_undecided_contest_continues_with_a_higher_limit() {
    let lab = Lab::new();
    let text = cycles(&lab, "--worth 400 --limit 5");
    text.assert_code(1);
    assert!(text.stdout.starts_with("Undecided after 5 seeds between fixed-cycle (A) and "), "{text:?}");
    assert!(!text.stderr.contains("stopped before the end"), "the limit is an end: {text:?}");
    assert_eq!(journals(&lab, "results/.cache/compare").len(), 2);
    cycles(&lab, "--worth 400 --limit 6").assert_warns(&["reusing 10 games of an earlier run"]);
    let higher = "--worth 400 --limit 2000 --json";
    let whole = cycles(&lab, higher);
    assert_same(whole.assert_code(0), &cycles(&Lab::new(), higher), "as if it had never stopped");
}

#[test]
fn a_killed_contest_resumes_to_the_same_end() {
    let arguments = "--worth 2 --limit 4000 --json";
    let lab = Lab::new();
    kill(started(&lab, "results/.cache/compare", arguments));
    let resumed = cycles(&lab, &format!("{arguments} --jobs 3"));
    assert_same(&resumed, &cycles(&Lab::new(), arguments), "killed");
}

/// Journals with their content.
fn contents(lab: &Lab) -> Vec<(PathBuf, Vec<u8>)> {
    let read = |file: PathBuf| (file.clone(), fs::read(file).unwrap());
    let mut all: Vec<_> = journals(lab, "results/.cache/compare").into_iter().map(read).collect();
    all.sort();
    all
}

#[test]
fn a_damaged_journal_never_changes_the_result_of_a_contest() {
    let run = |lab: &Lab, seed, limit| {
        cycles(lab, &format!("--worth 2 --json --quiet --seed {seed} --limit {limit}"))
    };
    let whole = run(&Lab::new(), 1, 120);
    let (lab, other) = (Lab::new(), Lab::new());
    run(&lab, 1, 60);
    run(&other, 2, 60);
    let (ours, theirs) = (contents(&lab), contents(&other));
    assert_eq!((ours.len(), theirs.len()), (2, 2));
    let (one, two) = (&ours[0].1, &ours[1].1);
    let mut cases: Vec<(String, [Vec<u8>; 2])> = vec![
        ("swapped".into(), [two.clone(), one.clone()]),
        ("one twice".into(), [one.clone(), one.clone()]),
        ("of another contest".into(), [theirs[0].1.clone(), theirs[1].1.clone()]),
        ("another contest behind it".into(), [[&one[..], &theirs[0].1].concat(), two.clone()]),
        ("empty".into(), [Vec::new(), two.clone()]),
        ("no journal".into(), [vec![0xff; 5000], b"garbage".to_vec()]),
    ];
    for place in (0..8).map(|eighth| one.len() / 8 * eighth + eighth) {
        cases.push((format!("byte {place} flipped"), [flip(one, place), two.clone()]));
        cases.push((format!("cut off at {place}"), [one[..place].to_vec(), two.clone()]));
    }
    for (what, damaged) in cases {
        for ((path, _), bytes) in ours.iter().zip(damaged) {
            fs::write(path, bytes).unwrap();
        }
        assert_same(&run(&lab, 1, 120), &whole, &what);
    }
}

#[test]
fn a_game_of_a_journal_that_does_not_replay_is_played_again_and_kept_as_it_was_played() {
    let lab = Lab::new();
    let arguments = |limit: u32| format!("--worth 2 --json --quiet --keep kept --limit {limit}");
    kill(started(&lab, "kept", &arguments(100_000)));
    for path in journals(&lab, "kept") {
        let (identity, _) = Journal::entries_in(&confined(&path)).unwrap().unwrap();
        let title = Title::new(identity, None, None);
        let journal = Journal::look(&confined(&path), &title).unwrap().unwrap();
        let mut games: Vec<_> = journal.games().map(|game| journal.read(game).unwrap()).collect();
        games[1].record.score += 4;
        fs::remove_file(&path).unwrap();
        let (mut forged, _) = Journal::open(&confined(&path), &title).unwrap();
        games.iter().for_each(|game| forged.append(game).unwrap());
    }
    assert_same(&cycles(&lab, &arguments(30)), &cycles(&Lab::new(), &arguments(30)), "resumed");
    lab.succeed("verify --results kept");
}

#[test]
fn an_interrupted_contest_says_how_to_continue_and_stores_no_records_yet() {
    let lab = Lab::new();
    let child = started(&lab, "kept", "--worth 2 --limit 100000 --keep kept");
    // Where tests run in the background, the interrupt of a terminal is ignored.
    signal("TERM", child.id());
    CommandOutput::from(child)
        .assert_fails(1, &["stopped before the end; the same command goes on from here"]);
    assert_eq!(journals(&lab, "kept").len(), 2, "it goes on from these");
}

#[test]
fn games_are_kept_as_records_that_can_be_verified_and_are_not_played_again() {
    let lab = Lab::new();
    let arguments = "random score-greedy --keep kept --json --jobs 3";
    let ran = compare(&lab, arguments);
    let told = ran.json();
    let seeds = told["seeds"].as_u64().unwrap() as usize;
    let files: Vec<String> =
        list(&told["records"]).iter().map(|file| file.as_str().unwrap().to_owned()).collect();
    assert_eq!((ran.code, files.len()), (Some(0), 2), "{ran:?}");
    for (file, place) in files.iter().zip(0..) {
        let kept = records(&lab.path(file));
        assert_eq!(kept.len(), seeds, "just the games that counted");
        let mean = kept.iter().map(|record| f64::from(record.score)).sum::<f64>() / seeds as f64;
        let stated = told["contestants"][place]["mean"]["point"].as_f64().unwrap();
        assert!((mean - stated).abs() < 0.01 * mean, "{mean} and {stated}");
        lab.succeed(&format!("verify {file}"));
        lab.succeed(&format!("replay {file} 0 --move 3"));
    }
    lab.succeed("verify --results kept");
    let written: Vec<_> = files.iter().map(|file| fs::read(lab.path(file)).unwrap()).collect();
    assert_eq!(compare(&lab, arguments).stdout, ran.stdout);
    let taken_up = format!("reusing {} games of an earlier run", 2 * seeds);
    let spoken = compare(&lab, "random score-greedy --keep kept");
    assert!(spoken.stderr.contains(&taken_up), "{taken_up}: {spoken:?}");
    let after: Vec<_> = files.iter().map(|file| fs::read(lab.path(file)).unwrap()).collect();
    assert!(written == after, "nothing was played, so nothing was written");
    assert!(journals(&lab, "kept").is_empty());
}

#[test]
fn several_agents_play_a_round_robin() {
    let lab = Lab::new();
    let run = |options: &str| compare(&lab, &format!("random score-greedy {CYCLES} --limit 600 {options}"));
    let ran = run("--jobs 1 --json");
    let told = ran.json();
    assert_eq!((list(&told["pairs"]).len(), told["seeds"].as_u64()), (6, Some(600)), "{ran:?}");
    assert_eq!(run("--jobs 3 --json").stdout, ran.stdout);
    let of = |place: usize, what: &str| told["contestants"][place][what].clone();
    assert_eq!((of(1, "best_place"), of(1, "worst_place")), (1.into(), 1.into()), "greedy leads: {told}");
    let ratings: Vec<f64> = (0..4).map(|place| of(place, "rating")["point"].as_f64().unwrap()).collect();
    assert!(ratings.iter().sum::<f64>().abs() < 1e-3 && ratings[1] > 100.0, "{ratings:?}");
    let text = run("--export outcome.md").stdout;
    assert!(text.starts_with("score-greedy (B) is stronger than all others."), "{text}");
    assert_has(&text, &["Ratings", "Probability of improvement", " >", "mean score"]);
    let markdown = lab.read("outcome.md");
    assert!(markdown.starts_with("# random, score-greedy, "), "{markdown}");
    assert_has(&markdown, &["## Every two agents"]);
    run("--export outcome.csv");
    let csv = lab.read("outcome.csv");
    assert_eq!(csv.lines().count(), 7, "{csv}");
    assert!(csv.starts_with("A,B,seeds,A won,tied,B won,Elo of B over A,Elo of B over A low,"), "{csv}");
    run("--export outcome.json");
    assert_eq!(lab.json("outcome.json"), told);
}

#[test]
fn experiments_bring_their_rules_and_must_agree_on_them() {
    let quarter = experiment("quarter", "random", 5, "rules.four = \"1/4\"");
    let lab = Lab::with(&(quarter + &experiment("plain", "score-greedy", 5, "")));
    let told = compare(&lab, "p/quarter score-greedy --limit 3 --json").json();
    assert_eq!(told["rules"]["four"], "1/4", "the experiment's");
    compare(&lab, "p/quarter p/plain").assert_fails(2, &["different rules", "--rules PAPER/EXPERIMENT"]);
    let chosen = "p/quarter p/plain --rules p/plain --rules stop_at=64 --limit 3 --json";
    let told = compare(&lab, chosen).json();
    assert_eq!((&told["rules"]["four"], &told["rules"]["stop_at"]), (&"1/10".into(), &64.into()));
}

#[test]
fn games_begin_on_the_boards_of_a_suite_and_their_records_replay() {
    let lab = Lab::new();
    let boards = ["2 2 4 8 / . . . . / . . . . / . . . .", "64 32 16 8 / 2 4 . . / . . . . / . . . 2"];
    lab.write("suite.txt", format!("early: {}\n# late\nlate: {}\n", boards[0], boards[1]));
    let arguments = "random score-greedy --starts suite.txt --keep kept --json";
    let ran = compare(&lab, arguments);
    let told = ran.json();
    assert_eq!(told["starts"], json!(["early", "late"]), "{ran:?}");
    let files: Vec<&str> = list(&told["records"]).iter().map(|file| file.as_str().unwrap()).collect();
    assert_eq!(files.len(), 4, "of two agents from two boards");
    let games: Vec<usize> = files.iter().map(|file| records(&lab.path(file)).len()).collect();
    let seeds = told["seeds"].as_u64().unwrap() as usize;
    assert_eq!(games, [seeds.div_ceil(2), seeds / 2, seeds.div_ceil(2), seeds / 2]);
    for (file, board) in files.iter().zip(boards.iter().cycle()) {
        lab.succeed(&format!("verify {file}"));
        let shown = lab.succeed(&format!("replay {file} 0 --move 0")).stdout;
        let tiles: Vec<&str> =
            board.split([' ', '/']).filter(|tile| !tile.is_empty() && *tile != ".").collect();
        assert!(tiles.iter().all(|tile| shown.contains(tile)), "{shown}");
    }
    assert_eq!(compare(&lab, arguments).stdout, ran.stdout);
    compare(&lab, "random score-greedy --starts suite.txt --rules stop_at=64")
        .assert_fails(2, &["--starts", "`late`", "64"]);
}

#[test]
fn wrong_usage_and_faults_are_named() {
    let lab = Lab::new();
    let plugin = compile_plugin(BAD, "compare-bad", &["-DFAULT=segfault", "-DEVERY=1", "-DAT_MOVE=3"]);
    compare(&lab, &format!("random {}", plugin.display())).assert_fails(3, &["compare-bad", "game 0"]);
    for (arguments, words) in [
        ("random nobody", &["no agent is called `nobody`"][..]),
        ("random", &["AGENT"]),
        ("random random", &["the same agent with the same settings", "NAME,KEY=VALUE"]),
        ("random random --elo0 5 --elo1 5", &["elo1"]),
        ("random score-greedy fixed-cycle --elo1 5", &["second of two agents"]),
        ("random random --alpha 0.7", &["alpha"]),
        ("random score-greedy --worth 0", &["--worth is 0"]),
        ("random random --budget playouts=5", &["agent `random`", "does not take a budget of 5 playouts"]),
        ("random random --budget hours=5", &["playouts=N"]),
        ("random no.so:x", &["no.so"]),
        ("fixed-cycle,cycle=X fixed-cycle", &["cycle"]),
        ("random score-greedy --export a.xls", &["--export", ".csv, .md or .json"]),
        ("random score-greedy --starts none.txt", &["none.txt", "check the path"]),
        ("random score-greedy --rules nothing", &["--rules", "neither NAME=VALUE nor a paper"]),
    ] {
        compare(&lab, arguments).assert_fails(2, words);
    }
}
