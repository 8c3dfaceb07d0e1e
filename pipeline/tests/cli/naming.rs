//! Names of agents: ids, files and experiments with settings, default budgets, and completion.

use crate::BOARD;
use crate::common::prelude::*;

/// Of an agent that needs a budget of nodes and has two parameters: it moves where one of them says.
const ASKED: &str = r#","budgets":["nodes"],"params":{"way":{"type":"string","enum":["L","R"],"default":"L"},"label":{"type":"string","default":"x"}}"#;

#[test]
fn an_agent_is_an_id_a_file_or_an_experiment_with_settings_behind_commas() {
    let lab = Lab::with(&experiment("e", "fixed-cycle", 5, "params.cycle = \"RDLU\"\nrules.four = \"1/4\""));
    let ask = |name: &str| lab.json_of(&format!("ask {name} {BOARD}"));
    assert_eq!(ask("fixed-cycle")["params"]["cycle"], "URDL", "the default");
    assert_eq!(ask("fixed-cycle,cycle=LDRU")["params"]["cycle"], "LDRU");
    let told = ask("p/e");
    assert_eq!((&told["params"]["cycle"], &told["rules"]["four"]), (&"RDLU".into(), &"1/4".into()));
    assert_eq!(ask("p/e,cycle=DRUL")["params"]["cycle"], "DRUL", "what follows weighs more");
    let own = lab.json_of(&format!("ask p/e {BOARD} --rules four=1/2 --param cycle=LURD"));
    assert_eq!((&own["params"]["cycle"], &own["rules"]["four"]), (&"LURD".into(), &"1/2".into()));
    let plugin = compile_plugin("engine/examples/c/random.c", "naming_random", &[]);
    let file = plugin.display().to_string();
    assert_eq!(ask(&file)["agent"], "random-c");
    assert_eq!(ask(&format!("{file}:random-c"))["agent"], "random-c");
    for (name, words) in [
        ("p/f", &["paper `p` has no experiment `f`"][..]),
        ("q/e", &["`q/e` is neither a file nor an experiment", "p"]),
        ("fixed-cycle,cycl=RDLU", &["agent `fixed-cycle`", "Did you mean `cycle`?", "Parameters: cycle"]),
        ("fixed-cycle,cycle=RD", &["agent `fixed-cycle`", "cycle"]),
        ("fixed-cycle,plies=3", &["does not take a budget of 3 plies; it takes: none"]),
        (",plies=3", &["needs a name"]),
    ] {
        lab.run(&format!("ask {name} {BOARD}")).assert_fails(2, words);
    }
}

#[test]
fn an_agent_without_a_budget_gets_that_of_the_first_experiment_and_says_so() {
    let lab = Lab::new();
    lab.paper(
        "p",
        &[
            experiment("extra", "ms-expectimax", 5, "budget.plies = 4\nset = \"extra\""),
            experiment("first", "ms-expectimax", 5, "budget.plies = 2"),
            experiment("second", "ms-expectimax", 5, "budget.plies = 1"),
        ]
        .concat(),
    );
    let ask = |arguments: &str| format!("ask {arguments} {BOARD}");
    lab.succeed(&ask("ms-expectimax")).assert_prints(&["2 plies (the budget of p/first)"]);
    for asked in [
        "ms-expectimax,3",
        "ms-expectimax,plies=3",
        "'ms-expectimax,3 plies'",
        "p/second,3",
        "ms-expectimax --budget 3",
        "ms-expectimax --budget plies=3",
        "ms-expectimax --budget '3 plies'",
    ] {
        assert_eq!(lab.json_of(&ask(asked))["budget"]["plies"], 3, "{asked}");
    }
    let words = ["needs a budget", "ms-expectimax,plies=N"];
    Lab::new().run(&ask("ms-expectimax")).assert_fails(2, &words);
    lab.run(&ask("ms-expectimax,playouts=3")).assert_fails(2, &["3 playouts", "it takes: plies=N"]);
}

#[test]
fn settings_reach_programs_over_the_bridge() {
    let lab = Lab::with(&experiment("e", "asked", 5, "budget.nodes = 7"));
    let way = r#"case "$setup" in *'"way":"R"'*) way=R ;; *) way=L ;; esac; "#;
    lab.add_agent("asked", ASKED, &(way.to_owned() + &reply("$way")));
    for (name, way) in
        [("asked", "left"), ("asked,way=R", "right"), ("./plugins/asked.agent,way=R,9", "right")]
    {
        assert_eq!(lab.json_of(&format!("ask {name} {BOARD}"))["direction"], way, "{name}");
    }
    let told = lab.json_of(&format!("ask asked,label=3 {BOARD}"));
    assert_eq!((&told["params"]["label"], &told["budget"]["nodes"]), (&"3".into(), &7.into()));
}

#[test]
fn the_list_of_agents_fits_a_page_and_one_agent_is_shown_in_full() {
    let lab = Lab::with(&experiment("e", "fixed-cycle", 5, "params.cycle = \"RDLU\""));
    let list = lab.succeed("agents").stdout;
    assert!(list.lines().all(|line| line.chars().count() <= 100), "{list}");
    let row = list.lines().find(|line| line.starts_with("fixed-cycle ")).unwrap();
    assert!(row.contains(" p ") && row.contains(" none ") && row.ends_with("Fixed cycle"), "{row}");
    lab.succeed("agents fixed-cycle").assert_prints(&[
        "SHA-256",
        "libbaselines",
        "cycle=\"",
        "p/e",
        "cycle=RDLU",
        "licence",
    ]);
    let json = lab.json_of("agents p/e");
    assert_eq!(
        (&json["agent"]["id"], &json["experiments"][0]["experiment"]),
        (&"fixed-cycle".into(), &"p/e".into())
    );
    lab.run("agents fixd-cycle").assert_fails(2, &["Did you mean `fixed-cycle`?"]);
}

#[test]
fn an_evaluation_pairs_games_by_seed_and_knows_the_same_games() {
    let lab = Lab::with(&["first", "shared"].map(|id| experiment(id, "random", 30, "")).concat());
    lab.succeed("run");
    let told = lab.succeed("eval random --games 20 --json --against p/shared score-greedy random").json();
    assert_eq!(list(&told["against"]).len(), 3);
    for other in list(&told["against"]) {
        let is_same = other["name"] != "score-greedy";
        assert_eq!((&other["same_games"], &other["pairs"]), (&json!(is_same), &json!(20)), "{other}");
    }
    lab.succeed("eval random --games 20 --against score-greedy p/shared")
        .assert_prints(&["the same games (20 pairs)", "pairs of a seed, correlation "]);
    let other = lab.json_of("eval random --games 5 --seed 7 --against p/first");
    assert_eq!(
        (&other["against"][0]["pairs"], &other["against"][0]["same_games"]),
        (&0.into(), &false.into())
    );
    for (file, word) in
        [("e.csv", "statistic,value,value low"), ("e.md", "# random, evaluated"), ("e.json", "\"mean\"")]
    {
        lab.succeed(&format!("eval random --games 5 --export {file} --against score-greedy"));
        assert_has(&lab.read(file), &[word, "score-greedy"]);
    }
}

#[test]
fn ask_and_eval_start_from_the_boards_of_a_suite() {
    let lab = Lab::new();
    lab.write(
        "s.txt",
        format!("one: {}\ntwo: 64 32 16 8 / 2 4 . . / . . . . / . . . 2\n", BOARD.replace('\'', "")),
    );
    let asked = lab.json_of("ask score-greedy --starts s.txt");
    assert_eq!((&asked[0]["name"], &asked[1]["name"]), (&"one".into(), &"two".into()));
    lab.succeed("ask score-greedy --starts s.txt").assert_prints(&["one", "64 32 16 8 / 2 4 . ."]);
    let told = lab.json_of("eval random --games 6 --starts s.txt --out kept");
    assert_eq!(
        (&told["games"], &told["starts"][1]["mean"]["n"]),
        (&12.into(), &6.into()),
        "six from each: {told}"
    );
    lab.succeed("verify --results kept");
    lab.run("ask random").assert_fails(2, &["BOARD"]);
    lab.run(&format!("ask random {BOARD} --starts s.txt")).assert_fails(2, &["--starts"]);
}

/// Bash itself completes: the script is sourced, and its function called as a key press would.
#[test]
fn bash_completes_agents_experiments_and_papers() {
    let lab = Lab::with(&experiment("my-experiment", "random", 5, ""));
    let script = lab.succeed("completions bash").stdout;
    lab.write("completions.bash", script);
    for (line, expected) in [
        ("ask score-g", "score-greedy"),
        ("compare random score-g", "score-greedy"),
        ("compare random p/", "p/my-experiment"),
        ("eval random --against fixed", "fixed-cycle"),
        ("eval random --against = fixed", "fixed-cycle"),
        ("eval random --rules p/", "p/my-experiment"),
        // A number is not completed, nor is the command that only the program itself uses.
        ("eval random --games score-g", ""),
        ("wor", ""),
        ("check score-g", "score-greedy"),
        ("run --extra p/my", "p/my-experiment"),
        ("claims p", "p"),
        ("compare random score-greedy --wor", "--worth"),
        ("compa", "compare"),
    ] {
        let words: Vec<String> = line.split(' ').map(|word| format!("'{word}'")).collect();
        let (last, count) = (&words[words.len() - 1], words.len());
        let before = count.checked_sub(2).map_or("pipeline", |place| &words[place]);
        let bash = format!(
            "source ./completions.bash; COMP_WORDS=(pipeline {}); COMP_CWORD={count}; COMPREPLY=(); \
             _pipeline_names pipeline {last} {before}; echo \"${{COMPREPLY[@]}}\"",
            words.join(" ")
        );
        let completed = CommandOutput::from(
            Command::new("bash").args(["--norc", "-c", &bash]).current_dir(lab.path(".")),
        );
        assert_eq!(completed.stdout.trim(), expected, "{line}");
    }
}

/// Each board of the suite that is shipped is what the game behind it had, and there is one of every stage.
#[test]
fn the_shipped_start_positions_are_from_the_games_that_they_name() {
    let (lab, file) = (Lab::new(), root().join("docs/starts.txt"));
    let suite = fs::read_to_string(&file).unwrap();
    let mut stages = Vec::new();
    for line in suite.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (start, origin) = line.split_once('#').unwrap();
        let (_, board) = start.split_once(':').unwrap();
        let parts: Vec<&str> = origin.trim().split(", ").collect();
        let game = parts[1].strip_prefix("game ").unwrap();
        let number = parts[2].strip_prefix("after move ").unwrap();
        let replay = format!("replay {} {game} --move {number}", parts[0]);
        let shown = CommandOutput::from(lab.command(&replay).current_dir(root())).stdout;
        let (_, shown) = shown.split_once('\n').unwrap();
        let tiles = board.split([' ', '/']).filter(|tile| !tile.is_empty());
        assert!(shown.split_whitespace().eq(tiles), "{line}: {shown}");
        let largest = board.split([' ', '/']).filter_map(|tile| tile.parse::<u32>().ok()).max().unwrap();
        stages.push(largest);
    }
    for stage in [64, 128, 256, 512, 1024, 2048, 4096, 8192] {
        assert!(stages.contains(&stage), "no board with {stage}");
    }
    let asked = lab.json_of(&format!("ask score-greedy --starts {}", file.display()));
    assert_eq!(list(&asked).len(), stages.len());
}
