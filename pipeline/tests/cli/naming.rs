//! What a command line calls an agent, by the real program: ids, files and experiments with settings, default budgets, and what shells complete.

use crate::common::prelude::*;

const BOARD: &str = "2 2 4 8 / . . . . / . . . . / . . . .";

/// Of an agent that needs a budget of nodes and has two parameters: it moves where one of them says.
const ASKED: &str = r#","budgets":["nodes"],"params":{"way":{"type":"string","enum":["L","R"],"default":"L"},"label":{"type":"string","default":"x"}}"#;

#[test]
fn an_agent_is_an_id_a_file_or_an_experiment_with_settings_behind_commas() {
    let lab = Lab::with(&experiment("e", "fixed-cycle", 5, "params.cycle = \"RDLU\"\nrules.four = \"1/4\""));
    let ask = |name: &str| lab.json_of(&["ask", name, BOARD]);
    assert_eq!(ask("fixed-cycle")["params"]["cycle"], "URDL", "the default");
    assert_eq!(ask("fixed-cycle,cycle=LDRU")["params"]["cycle"], "LDRU");
    let told = ask("p/e");
    assert_eq!((&told["params"]["cycle"], &told["rules"]["four"]), (&"RDLU".into(), &"1/4".into()));
    assert_eq!(ask("p/e,cycle=DRUL")["params"]["cycle"], "DRUL", "what follows weighs more");
    let own = lab.json_of(&["ask", "p/e", BOARD, "--rules", "four=1/2", "--param", "cycle=LURD"]);
    assert_eq!((&own["params"]["cycle"], &own["rules"]["four"]), (&"LURD".into(), &"1/2".into()));
    let plugin = compile_plugin("engine/examples/c/random.c", "naming_random", &[]);
    let file = plugin.display().to_string();
    assert_eq!(ask(&file)["agent"], "random-c");
    assert_eq!(ask(&format!("{file}:random-c"))["agent"], "random-c");
    for (name, words) in [
        ("p/f", &["paper `p` has no experiment `f`"][..]),
        ("q/e", &["`q/e` is neither a file nor an experiment", "p"]),
        (
            "fixed-cycle,cycl=RDLU",
            &["agent `fixed-cycle`", "`cycl`", "Did you mean `cycle`?", "Parameters: cycle"],
        ),
        ("fixed-cycle,cycle=RD", &["agent `fixed-cycle`", "cycle"]),
        ("fixed-cycle,plies=3", &["does not take a budget of 3 plies; it takes: none"]),
        ("fixed-cycle,", &["nothing between two commas"]),
        (",plies=3", &["needs a name"]),
    ] {
        let ran = lab.run(&["ask", name, BOARD]);
        ran.assert_code(2);
        assert!(words.iter().all(|word| ran.stderr.contains(word)), "{name}: {ran:?}");
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
    let told = lab.succeed(&["ask", "ms-expectimax", BOARD]).stdout;
    assert_has(&told, &["2 plies (the budget of p/first)"]);
    for name in ["ms-expectimax,3", "ms-expectimax,plies=3", "ms-expectimax,3 plies", "p/second,3"] {
        let told = lab.json_of(&["ask", name, BOARD]);
        assert_eq!(told["budget"]["plies"], 3, "{name}");
    }
    for budget in ["3", "plies=3", "3 plies"] {
        let told = lab.json_of(&["ask", "ms-expectimax", BOARD, "--budget", budget]);
        assert_eq!(told["budget"]["plies"], 3, "{budget}");
    }
    let empty = Lab::new();
    empty.run(&["ask", "ms-expectimax", BOARD]).assert_fails(2, &["needs a budget", "ms-expectimax,plies=N"]);
    lab.run(&["ask", "ms-expectimax,playouts=3", BOARD])
        .assert_fails(2, &["3 playouts", "it takes: plies=N"]);
}

#[test]
fn settings_reach_programs_over_the_bridge() {
    let lab = Lab::with(&experiment("e", "asked", 5, "budget.nodes = 7"));
    let way = r#"case "$setup" in *'"way":"R"'*) way=R ;; *) way=L ;; esac; "#;
    lab.add_agent("asked", ASKED, &(way.to_owned() + &reply("$way")));
    for (name, way) in
        [("asked", "left"), ("asked,way=R", "right"), ("./plugins/asked.agent,way=R,9", "right")]
    {
        let told = lab.run(&["ask", name, BOARD, "--json"]);
        assert_eq!((told.code, &told.json()["direction"]), (Some(0), &way.into()), "{told:?}");
    }
    let told = lab.json_of(&["ask", "asked,label=3", BOARD]);
    assert_eq!((&told["params"]["label"], &told["budget"]["nodes"]), (&"3".into(), &7.into()));
}

#[test]
fn the_list_of_agents_fits_a_page_and_one_agent_is_shown_whole() {
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
    let lab = Lab::with(&format!(
        "{}{}",
        experiment("first", "random", 30, ""),
        experiment("shared", "random", 30, "")
    ));
    lab.succeed("run");
    let arguments =
        ["eval", "random", "--games", "20", "--json", "--against", "p/shared", "score-greedy", "random"];
    let told = lab.succeed(&arguments).json();
    let against = |place: usize, what: &str| told["against"][place][what].clone();
    assert_eq!(list(&told["against"]).len(), 3);
    for place in 0..3 {
        let (name, same) = match against(place, "name").as_str() {
            Some("p/shared") => ("p/shared", true),
            Some("random") => ("random", true),
            _ => ("score-greedy", false),
        };
        assert_eq!(
            (against(place, "same_games"), against(place, "pairs")),
            (same.into(), 20.into()),
            "{name}: {told}"
        );
    }
    lab.succeed("eval random --games 20 --against score-greedy p/shared")
        .assert_prints(&["the same games (20 pairs)", "pairs of a seed, correlation "]);
    let other = lab.json_of("eval random --games 5 --seed 7 --against p/first");
    assert_eq!(
        (&other["against"][0]["pairs"], &other["against"][0]["same_games"]),
        (&0.into(), &false.into())
    );
    lab.succeed(&["eval", "random,", "--games", "5"].map(|word| word.trim_end_matches(',')));
    for (file, word) in
        [("e.csv", "statistic,value,value low"), ("e.md", "# random, evaluated"), ("e.json", "\"mean\"")]
    {
        lab.succeed(&["eval", "random", "--games", "5", "--export", file, "--against", "score-greedy"]);
        let written = fs::read_to_string(lab.path(file)).unwrap();
        assert_has(&written, &[word, "score-greedy"]);
    }
}

#[test]
fn boards_of_a_suite_are_asked_and_played_from() {
    let lab = Lab::new();
    lab.write("s.txt", format!("one: {BOARD}\ntwo: 64 32 16 8 / 2 4 . . / . . . . / . . . 2\n"));
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
    lab.run(&["ask", "random", BOARD, "--starts", "s.txt"]).assert_fails(2, &["--starts"]);
}

/// Bash itself completes: the script is sourced, and its function called as a key press would.
#[test]
fn bash_completes_agents_experiments_and_papers() {
    let lab = Lab::with(&experiment("my-experiment", "random", 5, ""));
    let script = lab.succeed("completions bash").stdout;
    lab.write("completions.bash", script);
    let complete = |words: &[&str]| {
        let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        let bash = format!(
            "source ./completions.bash; COMP_WORDS=({}); COMP_CWORD={}; COMPREPLY=(); _pipeline_names pipeline '{}' '{}'; echo \"${{COMPREPLY[@]}}\"",
            quoted.join(" "),
            words.len() - 1,
            words[words.len() - 1],
            words[words.len() - 2]
        );
        let output =
            Command::new("bash").args(["--norc", "-c", &bash]).current_dir(lab.path(".")).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    assert_eq!(complete(&["pipeline", "ask", "score-g"]), "score-greedy");
    assert_eq!(
        complete(&["pipeline", "compare", "random", "score-g"]),
        "score-greedy",
        "the second agent too"
    );
    assert_eq!(complete(&["pipeline", "compare", "random", "p/"]), "p/my-experiment");
    assert_eq!(complete(&["pipeline", "eval", "random", "--against", "fixed"]), "fixed-cycle");
    assert_eq!(complete(&["pipeline", "eval", "random", "--against", "=", "fixed"]), "fixed-cycle");
    assert_eq!(complete(&["pipeline", "eval", "random", "--rules", "p/"]), "p/my-experiment");
    assert_eq!(complete(&["pipeline", "eval", "random", "--games", "score-g"]), "", "that is a number");
    assert_eq!(complete(&["pipeline", "check", "score-g"]), "score-greedy");
    assert_eq!(complete(&["pipeline", "run", "--extra", "p/my"]), "p/my-experiment");
    assert_eq!(complete(&["pipeline", "claims", "p"]), "p");
    assert_eq!(complete(&["pipeline", "claims", "--paper", ""]), "p");
    assert_eq!(complete(&["pipeline", "wor"]), "", "the program's own command is not offered");
    assert_eq!(complete(&["pipeline", "compare", "random", "score-greedy", "--wor"]), "--worth");
    assert_eq!(complete(&["pipeline", "compa"]), "compare");
}

/// Each board of the suite that is shipped is what the game behind it had, and there is one of every stage.
#[test]
fn the_shipped_start_positions_are_from_the_games_that_they_name() {
    let suite = fs::read_to_string(root().join("docs/starts.txt")).unwrap();
    let mut stages = Vec::new();
    for line in suite.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (start, origin) = line.split_once('#').unwrap();
        let (_, board) = start.split_once(':').unwrap();
        let parts: Vec<&str> = origin.trim().split(", ").collect();
        let game = parts[1].strip_prefix("game ").unwrap();
        let number = parts[2].strip_prefix("after move ").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_pipeline"));
        let shown =
            command.args(["replay", parts[0], game, "--move", number]).current_dir(root()).output().unwrap();
        let shown = String::from_utf8(shown.stdout).unwrap();
        let rows: Vec<String> =
            shown.lines().skip(1).map(|row| row.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        let rows: Vec<String> = rows.into_iter().filter(|row| !row.is_empty()).collect();
        let expected: Vec<String> = board.split('/').map(|row| row.trim().to_owned()).collect();
        assert_eq!(rows, expected, "{line}");
        let largest = board.split([' ', '/']).filter_map(|tile| tile.parse::<u32>().ok()).max().unwrap();
        stages.push(largest);
    }
    for stage in [64, 128, 256, 512, 1024, 2048, 4096, 8192] {
        assert!(stages.contains(&stage), "no board with {stage}");
    }
    let lab = Lab::new();
    let file = root().join("docs/starts.txt");
    let asked = lab.json_of(&["ask", "score-greedy", "--starts", file.to_str().unwrap()]);
    assert_eq!(list(&asked).len(), stages.len());
}
