//! The commands for an agent of one's own, by the real program: asking, measuring, checking and making one.

use crate::BOARD;
use crate::common::prelude::*;

fn ask(lab: &Lab, arguments: &str) -> CommandOutput {
    lab.succeed(&format!("ask random {BOARD} {arguments}"))
}

/// Runs a script in the laboratory with the real program as `pipeline`.
fn shell(lab: &Lab, script: &str) -> CommandOutput {
    let bin = lab.path("bin");
    if !bin.exists() {
        fs::create_dir(&bin).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_pipeline"), bin.join("pipeline")).unwrap();
    }
    let mut command = Command::new("sh");
    command.args(["-euc", script]).current_dir(lab.path(".")).env("PATH", lab.search_path("bin"));
    command.stdin(Stdio::null()).into()
}

#[test]
fn ask_shows_the_move_of_an_agent_on_a_board() {
    let lab = Lab::new();
    let answer = ask(&lab, "--json").json();
    assert_eq!(answer["agent"], "random");
    assert_eq!(answer["moves"][0]["legal"], false, "nothing can go up: {answer}");
    assert_eq!(answer["moves"][3]["reward"], 4);
    let direction = answer["direction"].as_str().unwrap();
    let text = ask(&lab, "").stdout;
    assert_has(&text, &[&format!("* {direction}"), "illegal"]);
    assert!(!text.contains('\x1b'), "colour is for terminals");
    assert_eq!(ask(&lab, "--json").json(), answer, "the seed decides");
    let answers: BTreeSet<String> =
        (0..20).map(|seed| ask(&lab, &format!("--json --seed {seed}")).stdout).collect();
    assert!(answers.len() > 1, "and another seed decides otherwise");
    let script = format!("printf '%s\\n' {} | pipeline ask random - --json", BOARD.replace(" / ", "\n"));
    let read = shell(&lab, &script);
    assert_eq!(read.json(), answer, "{read:?}");
}

#[test]
fn wrong_arguments_are_refused_with_the_remedy() {
    let lab = Lab::new();
    for (arguments, words) in [
        ("ask rndom BOARD", &["no agent is called `rndom`", "random"][..]),
        ("ask random '2 2 / 4'", &["BOARD", "4 rows"]),
        ("ask random '2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2'", &["the game is over"]),
        ("ask random BOARD --budget plies=3", &["does not take", "none"]),
        ("ask random BOARD --budget plies", &["KIND=N", "playouts=N"]),
        ("ask random BOARD --param depth=3", &["`depth`", "`random`"]),
        ("ask random BOARD --rules four=2/1", &["--rules", "ratio"]),
        ("ask random BOARD --rules fours=1/2", &["--rules", "fours"]),
        ("ask ./no.so BOARD", &["./no.so", "check the path"]),
        ("eval random --games 0", &["--games"]),
        ("play random", &["terminal", "pipeline eval"]),
        ("new-agent 'Big Name'", &["cannot be an agent's name"]),
    ] {
        lab.run(&arguments.replace("BOARD", BOARD)).assert_fails(2, words);
    }
}

#[test]
fn an_evaluation_counts_and_stores_every_game_and_gives_advice_on_faults() {
    let lab = Lab::with(&experiment("stored", "random", 50, ""));
    lab.succeed("run");
    let told = lab.json_of("eval random --games 40 --against p/stored --out kept");
    assert_eq!((&told["games"], &told["mean"]["n"]), (&json!(40), &json!(40)));
    let (low, point, high) = (&told["mean"]["low"], &told["mean"]["point"], &told["mean"]["high"]);
    assert!(low.as_f64() < point.as_f64() && point.as_f64() < high.as_f64(), "{told}");
    assert_eq!(told["against"][0]["name"], "p/stored");
    assert_eq!(list(&told["ranking"]["rows"]).len(), 2);
    assert_eq!(told["ranking"]["best"], 1, "the same agent is neither better nor worse");
    assert_eq!(told["ranking"]["worst"], 2);
    let kept = told["records"].as_str().unwrap();
    lab.succeed(&format!("verify {kept}"));
    let (kept, stored) = (records(&lab.path(kept)), lab.records("p/stored"));
    assert_eq!(kept[..], stored[..40], "the games are those of the experiment");
    let words = ["40 games", "mean ", "reached", "place 1 to 2 of 2", "(here)"];
    lab.succeed("eval random --games 40").assert_prints(&words);
    lab.succeed("eval random --games 5 --rules four=1/2")
        .assert_prints(&["1 stored experiment plays by different rules"]);
    lab.run("eval random --games 5 --rules four=1/2 --against p/stored")
        .assert_fails(2, &["different rules"]);
    let lab = Lab::new();
    let flags = ["-DFAULT=segfault", "-DEVERY=1", "-DAT_MOVE=3"];
    let plugin = compile_plugin(BAD, "eval-segfault", &flags);
    let eval = format!("eval {} --games 40", plugin.display());
    lab.run(&eval)
        .assert_fails(3, &["ended by a fault", "more than one in ten", "`pipeline check`"])
        .assert_omits(&["fault_share", "are kept"]);
    lab.run(&format!("{eval} --out faulty")).assert_fails(3, &["all games so far are kept"]);
}

#[test]
fn every_step_of_the_suite_is_numbered_and_a_crash_is_a_step_that_failed() {
    let lab = Lab::new();
    let plugin = compile_plugin("engine/examples/c/random.c", "check-random", &[]);
    let text = lab.succeed(&format!("check {}", plugin.display())).stdout;
    for (number, words) in [
        (1, "describes itself"),
        (4, "legal"),
        (7, "budget"),
        (8, "positions-1:"),
        (9, "moves a second"),
        (11, "standard output"),
        (12, "decides the same in two processes: 40 positions"),
    ] {
        let line = text.lines().find(|line| line.trim_start().starts_with(&format!("{number}. passed")));
        assert!(line.is_some_and(|line| line.contains(words)), "{number}: {text}");
    }
    let plugin = compile_plugin(BAD, "check-segfault", &["-DFAULT=segfault"]);
    let ran = lab.run(&format!("check {} --json", plugin.display()));
    ran.assert_fails(1, &[" failed"]);
    let steps = ran.json()[0]["steps"].as_array().unwrap().clone();
    let crashed = |step: &&Value| step["seen"].as_str().unwrap().contains("segmentation fault");
    let failed = steps.iter().find(crashed).expect("the crash is a step");
    assert!(failed["passed"] == false && failed["remedy"].is_string(), "{ran:?}");
    assert!(!ran.json()[0]["not_reached"].as_array().unwrap().is_empty());
    assert!(steps.len() > 3, "the steps before it are reported: {ran:?}");
}

/// Makes an agent, runs the command that is printed, and gives what that says.
fn make_and_follow(lab: &Lab, arguments: &str) -> String {
    let made = shell(lab, &format!("pipeline new-agent {arguments}"));
    let next = made.assert_code(0).stdout.lines().find(|line| line.starts_with("  "));
    let ran = shell(lab, next.expect("a next command"));
    assert_eq!(ran.code, Some(0), "{next:?}: {ran:?}");
    ran.stdout
}

#[test]
fn a_new_agent_builds_runs_and_passes() {
    let lab = Lab::new();
    for language in ["c", "cpp"] {
        let told = make_and_follow(&lab, &format!("my-{language} --lang {language}"));
        assert_has(&told, &[&format!("my-{language} 1.0.0"), "100 games"]);
        let script = format!(
            "cd my-{language} && make test && make check && RETILE_AGENT_PATH=. pipeline run my-{language}.toml"
        );
        shell(&lab, &script).assert_code(0);
        assert_has(&lab.read(&format!("my-{language}/Makefile")), &["-ffp-contract=off"]);
    }
    lab.run("new-agent my-c --lang c").assert_fails(2, &["my-c", "already", "--dir"]);
    if has_python() {
        let told = make_and_follow(&lab, "my-py --lang python --dir 'a folder/py'");
        assert_has(&told, &["my-py 1.0.0"]);
        lab.succeed("check 'a folder/py/my-py.agent' --moves 30");
    }
    shell(&lab, "pipeline new-agent exe --lang python").assert_code(0);
    let mode = fs::metadata(lab.path("exe/exe.py")).unwrap().permissions().mode();
    assert_ne!(mode & 0o111, 0);
    assert_has(&lab.read("exe/README.md"), &["pipeline check ./exe.agent"]);
}

#[test]
fn the_same_order_plays_the_same_games_in_every_language() {
    if !has_python() {
        return skip("there is no python3 to compare the languages with");
    }
    let lab = Lab::new();
    let script = "for lang in c cpp python; do pipeline new-agent same --lang $lang --dir $lang; done
        make -C c && make -C cpp
        for agent in c/libsame.so cpp/libsame.so python/same.agent; do
            pipeline eval ./$agent --games 10 --json --quiet | grep -A3 '\"mean\"'
        done";
    let ran = shell(&lab, script);
    let points: Vec<&str> =
        ran.assert_code(0).stdout.lines().filter(|line| line.contains("\"point\"")).collect();
    assert!(points.len() == 3 && points.iter().all(|point| *point == points[0]), "{ran:?}");
}

#[test]
fn a_new_agent_in_rust_builds_and_passes_its_tests() {
    let lab = Lab::new();
    shell(&lab, "pipeline new-agent my-idea").assert_code(0);
    // One folder for all runs of this test: the dependencies are built once.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("new-agent");
    let test = format!("cargo test --release --offline --quiet --target-dir '{}' 2>&1", target.display());
    shell(&lab, &format!("cd my-idea && {test}")).assert_code(0).assert_prints(&["2 passed"]);
}

#[test]
fn in_a_work_tree_crates_go_below_agents_unless_cargo_would_refuse_them() {
    let lab = Lab::new();
    lab.make_folder("tree/engine/include");
    lab.make_folder("tree/agents");
    lab.write("tree/engine/include/agent2048.h", "");
    let in_tree = |arguments: &str| shell(&lab, &format!("cd tree && pipeline new-agent {arguments}"));
    for arguments in ["mine", "corner --lang python", "corner-c --lang c", "corner-cpp --lang cpp"] {
        in_tree(arguments).assert_code(0);
    }
    let cargo = lab.read("tree/agents/mine/Cargo.toml");
    assert_has(&cargo, &["engine.workspace = true", "workspace = true"]);
    assert!(lab.path("tree/corner/corner.agent").is_file());
    in_tree("other --lang c --dir agents/other").assert_fails(2, &["only Rust agents", "outside agents/"]);
    in_tree("other --dir here").assert_fails(2, &["omit --dir"]);
    let tree = root();
    for (name, words) in
        [("pipeline", "has a crate `pipeline`"), ("random", "has a crate"), ("fn", "cannot have this name")]
    {
        let dir = tree.join("agents").join(name);
        shell(&lab, &format!("cd '{}' && pipeline new-agent {name}", tree.display()))
            .assert_fails(2, &[name, words]);
        assert!(name == "random" || !dir.exists());
    }
}

/// The commands of a page: its blocks of shell, except for text that goes to a file up to `END`.
fn commands(page: &str) -> String {
    let mut script = String::new();
    let (mut is_inside, mut is_text) = (false, false);
    for line in page.lines() {
        match line {
            "```sh" => is_inside = true,
            "```" => is_inside = false,
            line if is_inside && is_text => script.push_str(&format!("{line}\n")),
            line if is_inside => {
                script.push_str(&format!("echo '+ {}'\n{line}\n", line.replace('\'', "'\\''")))
            }
            _ => {}
        }
        is_text = is_inside && line != "END" && (is_text || line.ends_with("<<'END'"));
    }
    script
}

/// Runs every command of a page in an empty folder; `None` without Python.
fn follow(page: &str, least_lines: usize) -> Option<(Lab, CommandOutput)> {
    if !has_python() {
        skip(&format!("there is no python3 to try {page} with"));
        return None;
    }
    let page = root().join("docs").join(page);
    let script = commands(&fs::read_to_string(page).unwrap());
    assert!(script.lines().count() > least_lines, "{script}");
    let lab = Lab::new();
    lab.remove("paper-configs");
    let ran = shell(&lab, &script);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.stdout, ran.stderr);
    Some((lab, ran))
}

#[test]
fn every_command_of_the_tutorial_on_tuning_works() {
    let Some((lab, ran)) = follow("tune.md", 20) else { return };
    ran.assert_prints(&["orders-best-1"]);
    assert!(lab.exists("corner/results/studies/corner/orders.parquet"));
    assert!(lab.exists("corner/results/records/corner/orders-best-2.parquet"));
    let report = lab.read("corner/results/report/index.html");
    assert!(report.contains("The order of directions"), "the report has a section for the study");
}

#[test]
fn every_command_of_the_tutorial_on_training_works() {
    let Some((lab, ran)) = follow("train.md", 100) else { return };
    let read = |name: &str| lab.read(&format!("learning/results/{name}"));
    assert!(lab.exists("learning/results/trainings/mine/tiny.parquet"));
    assert_has(&read("tables/mine.md"), &["Training games", "2,000"]);
    assert_has(&read("tables/trainings.md"), &["mine/tiny"]);
    assert_has(&read("report/index.html"), &["What was trained", "train mine/tiny --fresh"]);
    assert!(lab.exists("learning/results/figures/mine-learning.svg"));
    // The first games of the program in Python and of the agent in Rust, as they were listed.
    let (_, listed) = ran.stdout.split_once("+ pipeline games mine/python\n").unwrap();
    let (python, rust) = listed.split_once("+ pipeline games mine/greedy --limit 2\n").unwrap();
    let games = |text: &str| -> Vec<String> {
        let is_game = |line: &&str| line.trim_start().starts_with(|letter: char| letter.is_ascii_digit());
        text.lines()
            .filter(is_game)
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect()
    };
    assert!(games(python).len() == 2 && games(python) == games(rust), "{listed}");
    // Of every network that is committed, with its ranks and images, it makes what the agent makes.
    for (agent, weights) in [
        ("szubert-ntuple", "szubert2014/small"),
        ("szubert-ntuple", "szubert2014/big"),
        ("ntuple,plies=1", "cross/ntuple"),
        ("ntuple,plies=1", "cross/ntuple-small"),
    ] {
        let directions = |agent: &str| {
            let root = root().canonicalize().unwrap();
            let script = format!(
                "cd {}; pipeline ask {agent},weights={weights} --starts docs/starts.txt --json",
                root.display()
            );
            let answers = shell(&lab, &script).json();
            texts(&answers, "direction").into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        let python = lab.path("learning/greedy.py");
        let (python, rust) = (directions(&python.display().to_string()), directions(agent));
        assert!(python.len() == 16 && python == rust, "{weights}: {python:?} {rust:?}");
    }
}

#[test]
fn every_command_of_the_tutorial_works() {
    let Some((lab, ran)) = follow("new-agent.md", 40) else { return };
    ran.assert_prints(&["corner 1.0.0", "corner-cpp 1.0.0"]);
    assert!(lab.exists("lab/results/records/corner/corner.parquet"));
}

/// In a folder of somebody else's, a name means the agent, not a file that happens to have that name.
#[test]
fn a_bare_word_is_an_id_and_starts_no_file_of_that_name() {
    let lab = Lab::new();
    for name in ["random", "nobody"] {
        lab.script(name, &format!(": > {}", lab.path("started").display()));
    }
    ask(&lab, "");
    lab.succeed("eval random --games 2 --against random");
    lab.run("compare random random --limit 2");
    for arguments in [
        "ask nobody BOARD",
        "ask nobody:nobody BOARD",
        "eval nobody --games 1",
        "eval random --games 1 --against nobody",
        "compare random nobody",
        "compare random nobody:nobody",
        "check nobody",
        "ask random BOARD --plugin nobody",
        "plan --plugin nobody",
    ] {
        lab.run(&arguments.replace("BOARD", BOARD)).assert_fails(2, &["./nobody"]);
        assert!(!lab.exists("started"), "{arguments}");
    }
    lab.run(&format!("ask ./nobody {BOARD}"));
    assert!(lab.exists("started"), "with its path it is started");
}
