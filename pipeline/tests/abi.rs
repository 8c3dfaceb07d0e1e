//! The boundary from outside: plugins in C, good, old, future, broken and misbehaving.

mod common;

use std::cell::RefCell;
use std::rc::Rc;

use common::build::{compile_program, library_path, random_plugin};
use common::prelude::*;
use common::stored::sources;
use engine::abi::host::{Callbacks, CreateError, HostFile, LoadedAgent, PlayError, Plugin, Silent};
use engine::agent::{Budget, Capabilities, Decision, Level, Position};
use engine::conformance::{self, Options};
use engine::{AgentSeed, Board, Direction, Game, Spawning, TileSeed};
use workers::{OpenError, plugin};

const EXAMPLE: &str = "engine/examples/c/random.c";
const FROZEN: &str = "pipeline/tests/plugins/frozen_v1_0.c";
const FROZEN_1_1: &str = "pipeline/tests/plugins/frozen_v1_1.c";
const FUTURE: &str = "pipeline/tests/plugins/future_v1_3.c";
const ORDERED: &str = "engine/examples/c/ordered.c";
const REFUSED: &str = "pipeline/tests/plugins/refused.c";
const MISBEHAVING: &str = "pipeline/tests/plugins/misbehaving.c";
const OTHER_HOST: &str = "pipeline/tests/plugins/other_host.c";

#[test]
fn the_c_example_conforms_plays_the_games_of_its_rust_twin_and_takes_no_parameters() {
    let plugin = open(&compile_plugin(EXAMPLE, "example", &[]));
    assert_eq!(ids(&plugin), ["random-c"]);
    assert_conforms(&plugin);
    let (mut in_c, mut in_rust) = (create(&plugin), create(&open(&random_plugin())));
    let mut distinct = BTreeSet::new();
    for number in 0..200 {
        let game = play(&mut in_c, number);
        assert_eq!(game, play(&mut in_rust, number), "game {number}");
        distinct.insert(game);
    }
    assert_eq!(distinct.len(), 200);
    let made = |params: &str| plugin.create(0, &Rules::default(), params, Silent).map(drop);
    for empty in ["{}", " {\n}\t", "\r\n{ }"] {
        assert_eq!(made(empty), Ok(()), "{empty:?}");
    }
    for other in ["", " ", "{", "}{", "{}}", "{{}}", "[]", "{\"a\":1}", "null", "{\u{b}}"] {
        assert!(matches!(made(other), Err(CreateError::BadParams(_))), "{other:?}");
    }
}

/// `frozen_v1_0.c` and `frozen/agent2048_v1_0.h` must never change: they stand for every plugin that was
/// built with version 1.0 and will not be built again. If this test fails, the host has broken the ABI; mend
/// the host.
#[test]
fn a_plugin_of_version_1_0_still_works() {
    let plugin = open(&compile_plugin(FROZEN, "frozen", &[]));
    assert_eq!((plugin.abi_minor(), ids(&plugin)), (0, vec!["frozen"]));
    assert_conforms(&plugin);
    let refused = plugin.create(0, &adversarial(), "{}", Silent).map(drop);
    assert!(matches!(refused, Err(CreateError::BadRules(_))), "it cannot read the rule: {refused:?}");
}

/// As for version 1.0: `frozen_v1_1.c` and `frozen/agent2048_v1_1.h` must never change.
#[test]
fn a_plugin_of_version_1_1_still_works_and_needs_no_file_and_no_training() {
    let plugin = open(&compile_plugin(FROZEN_1_1, "frozen-1-1", &[]));
    assert_eq!((plugin.abi_minor(), ids(&plugin)), (1, vec!["frozen-1-1"]));
    assert_conforms(&plugin);
    assert!(plugin.create(0, &adversarial(), "{}", Silent).is_ok());
    assert_eq!((&plugin.agents()[0].files[..], &plugin.agents()[0].training), (&[][..], &None));
    let refused = plugin.train(0, &Rules::default(), "{}", 1, Silent).map(drop);
    assert!(
        matches!(&refused, Err(CreateError::Failed(text)) if text.contains("not trained")),
        "{refused:?}"
    );
}

#[test]
fn an_agent_in_c_loads_its_file() {
    let plugin = open(&compile_plugin(ORDERED, "ordered", &[]));
    assert_eq!(plugin.agents()[0].files, ["order"]);
    let without = plugin.create(0, &Rules::default(), "{}", Silent).map(drop);
    assert_eq!(without, Err(CreateError::NoFile { role: "order".to_owned() }));
    let with_file = |bytes: &'static [u8]| {
        let file = HostFile { path: "order".into(), bytes, sha256: "0".repeat(64) };
        plugin.clone().with_files(BTreeMap::from([("order".to_owned(), file)]).into())
    };
    assert_conforms(&with_file(b"DLRU"));
    let first_move = |bytes: &'static [u8]| {
        let mut agent = create(&with_file(bytes));
        agent.new_game(AgentSeed(1)).unwrap();
        let board: Board = ". . . . / . 2 . . / . . . . / . . . .".parse().unwrap();
        agent.choose_move(&Position::of_board(board).unwrap()).unwrap().direction
    };
    assert_eq!([first_move(b"DLRU"), first_move(b"RDLU\n")], [Direction::Down, Direction::Right]);
    for wrong in [&b"DLR"[..], b"", b"DDLR", b"DLRUX", b"dlru"] {
        let refused = with_file(wrong).create(0, &Rules::default(), "{}", Silent).map(drop);
        assert!(
            matches!(&refused, Err(CreateError::Failed(text)) if text.contains("`order`")),
            "{refused:?}"
        );
    }
}

#[test]
fn a_plugin_of_a_later_minor_version_works() {
    let plugin = open(&compile_plugin(FUTURE, "future", &[]));
    assert_eq!((plugin.abi_minor(), ids(&plugin)), (3, vec!["future"]));
    assert!(plugin.agents()[0].capabilities.contains(Capabilities::from_bits(1 << 40)));
    assert_conforms(&plugin);
    let (rules, mut agent) = (Rules::default(), create(&plugin));
    let mut game = Game::new(&rules, TileSeed(1));
    agent.new_game(AgentSeed(1)).unwrap();
    while game.ending().is_none() {
        let Decision { direction, depth, value, .. } =
            agent.choose_move(&Position::of_game(&game, Budget::None)).unwrap();
        assert_eq!((depth, value), (1, Some(0.5)));
        game.play(direction).unwrap();
    }
    assert_eq!(game.ending(), Some(Ending::NoMoves));
}

/// The other way round: a host in C whose structs have other sizes, with a guard page behind each of them.
#[test]
fn plugins_work_with_hosts_of_other_minor_versions_and_guard_pages_catch_those_that_ignore_sizes() {
    let host = compile_program(OTHER_HOST, "other-host");
    let (example, rust) = (compile_plugin(EXAMPLE, "example-guarded", &[]), random_plugin());
    let future = compile_plugin(FUTURE, "future-guarded", &[]);
    let sizes = ["shorter", "same", "longer"];
    for (plugin, sizes) in [(&example, &sizes[..]), (&rust, &sizes), (&future, &sizes[..2])] {
        for size in sizes {
            assert_eq!(run_other_host(&host, plugin, size), Ok(()), "{} {size}", plugin.display());
        }
    }
    let careless = compile_plugin(MISBEHAVING, "careless", &[]);
    assert_eq!(run_other_host(&host, &careless, "same"), Ok(()));
    assert!(run_other_host(&host, &careless, "shorter").is_err());
}

#[test]
fn a_file_that_is_no_plugin_is_refused_with_the_reason_and_the_remedy() {
    let [text, empty] = ["text", "empty"].map(library_path);
    fs::write(&text, "#!/bin/sh\necho this is no library, however it is named\n").unwrap();
    fs::write(&empty, "").unwrap();
    let lenient: &[&str] = if cfg!(target_os = "macos") {
        &["-DUNDEFINED", "-Wl,-undefined,dynamic_lookup"]
    } else {
        &["-DUNDEFINED"]
    };
    let refused = |name: &str, flags: &[&str]| compile_plugin(REFUSED, name, flags);
    let is_unloadable = |error: &OpenError| matches!(error, OpenError::NotLoadable { .. });
    let no_library: &[&str] = &["the dynamic loader refuses it", "build it as a shared library"];
    assert_refusal(&text, is_unloadable, no_library);
    assert_refusal(&empty, is_unloadable, no_library);
    let undefined = ["nobody_defines_this", "with every symbol that it uses"];
    assert_refusal(&refused("undefined-symbol", lenient), is_unloadable, &undefined);
    let is_unreadable = |error: &OpenError| matches!(error, OpenError::Unreadable { .. });
    assert_refusal(&library_path("missing"), is_unreadable, &["cannot be read", "check the path"]);
    let has_no_symbol = |error: &OpenError| matches!(error, OpenError::NoSymbol { .. });
    let other_symbol = refused("no-symbol", &["-DSYMBOL=something_else"]);
    let words = ["does not export the symbol agent2048_plugin_v1", "in C, define that function"];
    assert_refusal(&other_symbol, has_no_symbol, &words);
    if cfg!(target_os = "linux") {
        let null = ["-DSYMBOL=something_else", "-Wl,--defsym=agent2048_plugin_v1=0"];
        assert_refusal(&refused("null-symbol", &null), has_no_symbol, &[]);
    }
    let is_version_2 =
        |error: &OpenError| matches!(error, OpenError::OtherAbi { majors, .. } if majors == &[2]);
    let version_2 = refused("only-v2", &["-DSYMBOL=agent2048_plugin_v2"]);
    let words = ["major version [2]", "this host speaks version 1.2", "rebuild it"];
    assert_refusal(&version_2, is_version_2, &words);
}

#[test]
fn tables_and_descriptors_that_break_the_contract_are_refused() {
    let varied = open(&compile_plugin(REFUSED, "refused-for-nothing", &[]));
    assert_eq!(ids(&varied), ["refused"], "the plugin that is varied is itself in order");
    for (name, fault, words) in [
        ("null-table", "-DRETURNED=NULL", &["agent2048_plugin_v1 returned null: let it return"][..]),
        ("magic", "-DMAGIC=0x2048", &["begins with 0x0000000000002048", "was not built with agent2048.h"]),
        ("major", "-DMAJOR=2", &["speaks major version 2", "this host version 1.2", "rebuild it"]),
        ("short-table", "-DTABLE_SIZE=72", &["the table has 72 bytes", "set struct_size to sizeof"]),
        ("unsized-table", "-DTABLE_SIZE=0", &["the table has 0 bytes", "set struct_size to sizeof"]),
        ("must-understand", "-DMUST_UNDERSTAND=0x14", &["needs features 0x14", "use a newer host"]),
        ("no-descriptor-function", "-DDESCRIPTOR=NULL", &["the table has no descriptor function"]),
        ("no-create", "-DCREATE=NULL", &["the table has no create function"]),
        ("no-new-game", "-DNEW_GAME=NULL", &["the table has no new_game function"]),
        ("no-choose-move", "-DCHOOSE_MOVE=NULL", &["the table has no choose_move function"]),
        ("no-destroy", "-DDESTROY=NULL", &["the table has no destroy function"]),
        ("no-agents", "-DAGENT_COUNT=0", &["the plugin offers 0 agents", "must offer 1 to 1024"]),
        (
            "many-agents",
            "-DAGENT_COUNT=0xffffffff",
            &["the plugin offers 4294967295 agents", "must offer 1 to 1024"],
        ),
        ("null-descriptor", "-DDESCRIBED=NULL", &["agent 0: the descriptor is null: return one"]),
        ("unsized-descriptor", "-DDESCRIPTOR_SIZE=0", &["agent 0: its struct_size is 0: set it to sizeof"]),
        ("id-not-utf8", r#"-DID="caf\xe9""#, &["agent 0: its id is not UTF-8"]),
        (
            "id-upper-case",
            r#"-DID="Refused""#,
            &[r#"its id "Refused" is not made of"#, "lower-case letters, digits"],
        ),
        ("id-empty", r#"-DID="""#, &[r#"its id "" is not made of"#, "1 to 64"]),
        ("id-huge", "-DID_LEN=UINT64_MAX", &["its id is null or longer than 65536 bytes"]),
        ("id-null", "-DID_DATA=NULL", &["its id is null or longer than 65536 bytes"]),
        ("schema-broken", r#"-DSCHEMA="{\"type\":""#, &["its parameter schema is not JSON", "EOF"]),
        ("schema-no-object", r#"-DSCHEMA="3""#, &["its parameter schema is not a JSON object: write"]),
    ] {
        let file = compile_plugin(REFUSED, name, &[fault]);
        assert_refusal(&file, |error| matches!(error, OpenError::Bad { .. }), words);
    }
}

#[test]
fn each_misbehaviour_is_found_by_the_step_that_forbids_it() {
    assert_conforms(&open(&compile_plugin(MISBEHAVING, "well-behaved", &[])));
    let legal = "plays legal moves only";
    let not_finite = "give finite values, or clear has_value";
    let differs: &[&str] = &["move ", " the first time and ", " the second"];
    let (budget, playouts) = ("keeps its budget", "-DCAPABILITIES=AGENT2048_CAP_PLAYOUTS");
    let overspends = "-DSPENT=position->budget+1";
    let description = "describes itself";
    let without_default = r#"-DPROPERTIES="{\"depth\":{\"type\":\"integer\"}}""#;
    for (faults, demand, seen, remedy) in [
        (&["-DILLEGAL"][..], legal, &["game 0, move ", "is illegal here; legal: "][..], "position->legal"),
        (&["-DVALUE=(0.0/0.0)"], legal, &["move 1, ", "its value is Some(NaN)"], not_finite),
        (&["-DVALUE=(1.0/0.0)"], legal, &["move 1, ", "its value is Some(inf)"], not_finite),
        (&["-DUNSEEDED"], "same seed, same game", differs, "take chance only from the seed"),
        (
            &["-DREMEMBERS"],
            "game 7 alone equals game 7 after games 0 to 6",
            differs,
            "clear all memory of earlier games in new_game",
        ),
        (&[playouts, overspends], budget, &["it spent 21 of 20 playouts"], "stop at the budget"),
        (&[playouts], budget, &["it never says what it spent of 20 playouts"], "set `spent`"),
        (
            &["-DANY_BUDGET"],
            budget,
            &["it does not list 3 plies among its capabilities, yet answers Ok"],
            "return AGENT2048_BAD_BUDGET",
        ),
        (
            &["-DANY_PARAMS"],
            "validates its parameters",
            &["broken JSON ({): it was made"],
            "return AGENT2048_BAD_PARAMS",
        ),
        (
            &["-DANY_RULES"],
            "refuses rules that it cannot model",
            &["an unknown merging: it was made"],
            "return AGENT2048_BAD_RULES",
        ),
        (&[r#"-DNAME="""#], description, &[r#"its name is """#], "fill in the descriptor's name and version"),
        (&[without_default], description, &["its parameter `depth` has no default"], "\"default\""),
        (&["-DCAPABILITIES=0"], description, &["its capabilities are 0x0"], "AGENT2048_CAP_"),
    ] {
        assert_found(faults, demand, seen, remedy);
    }
    let overruns = "-DCAPABILITIES=(AGENT2048_CAP_PLAYOUTS|AGENT2048_CAP_OVERRUNS)";
    assert_conforms(&open(&compile_plugin(MISBEHAVING, "overruns", &[overruns, overspends])));
}

#[test]
fn an_answer_that_is_no_decision_is_an_error_with_the_agents_own_words() {
    use PlayError::{BadBudget, Failed, NoSuchDirection, Panicked, UnknownStatus};
    let failed = "-DCHOOSE_RETURNS=AGENT2048_FAILED";
    for (name, faults, error) in [
        (
            "fails",
            &[failed, r#"-DERROR_TEXT="the network is down""#][..],
            Failed("the network is down".into()),
        ),
        ("fails-silently", &[failed], Failed("without a message".into())),
        // A text is taken lossily, and no further than it reaches.
        ("error-latin", &[failed, r#"-DERROR_TEXT="caf\xe9!""#], Failed("caf\u{fffd}!".into())),
        (
            "panics",
            &["-DCHOOSE_RETURNS=AGENT2048_PANICKED", r#"-DERROR_TEXT="a panic""#],
            Panicked("a panic".into()),
        ),
        (
            "bad-budget",
            &["-DCHOOSE_RETURNS=AGENT2048_BAD_BUDGET", r#"-DERROR_TEXT="not this""#],
            BadBudget("not this".into()),
        ),
        ("status-99", &["-DCHOOSE_RETURNS=99"], UnknownStatus(99)),
        ("status-minus", &["-DCHOOSE_RETURNS=-1"], UnknownStatus(-1)),
        ("direction-4", &["-DDIRECTION=4"], NoSuchDirection(4)),
        ("direction-7", &["-DDIRECTION=7"], NoSuchDirection(7)),
        ("direction-256", &["-DDIRECTION=256"], NoSuchDirection(256)),
    ] {
        assert_eq!(answer(name, faults), Err(error), "{name}");
    }
    let Err(Failed(text)) = answer("error-endless", &[failed, "-DERROR_LEN=UINT64_MAX"]) else {
        panic!("it must fail")
    };
    assert_eq!(text.len(), 1024);
    for (error, words) in [
        (UnknownStatus(-1), "the agent returned status -1, which agent2048.h does not give to this call"),
        (NoSuchDirection(7), "the agent chose direction 7, which does not exist"),
    ] {
        assert_eq!(error.to_string(), words);
    }
}

#[test]
fn a_create_that_breaks_the_contract_is_an_error() {
    for (name, returned, problem) in [
        ("ok-without-agent", "-DCREATE_RETURNS=AGENT2048_OK", "create returned OK without an agent"),
        ("create-status", "-DCREATE_RETURNS=99", "create returned the unknown status 99"),
    ] {
        let plugin = open(&compile_plugin(MISBEHAVING, name, &[returned]));
        let made = plugin.create(0, &Rules::default(), "{}", Silent).map(drop);
        assert_eq!(made, Err(CreateError::Broken(problem.to_owned())));
    }
}

#[test]
fn lines_of_log_reach_the_host_and_an_agent_hears_that_it_is_to_stop() {
    let plugin = open(&compile_plugin(MISBEHAVING, "logs", &["-DLOGS"]));
    let heard = Listener::default();
    drop(plugin.create(0, &Rules::default(), "{}", heard.clone()).unwrap());
    let lines = heard.lines.borrow();
    let expected = [
        (Level::Debug, "made"),
        (Level::Info, "caf\u{fffd}!"),
        (Level::Warn, ""),
        // A length without data is no line; a level that is unknown is the gravest; an endless line is cut.
        (Level::Error, &"x".repeat(4096)),
    ];
    assert!(lines.iter().map(|(level, line)| (*level, line.as_str())).eq(expected), "{lines:?}");
    let plugin = open(&compile_plugin(MISBEHAVING, "asks-to-stop", &["-DASKS_TO_STOP"]));
    for is_stopping in [false, true] {
        let host = Listener { is_stopping, ..Listener::default() };
        let mut agent = plugin.create(0, &Rules::default(), "{}", host).unwrap();
        assert_eq!(first_decision(&mut agent).unwrap().nodes, u64::from(is_stopping));
    }
}

/// A host that remembers the lines of log, and says whether to stop.
#[derive(Clone, Default)]
struct Listener {
    lines: Rc<RefCell<Vec<(Level, String)>>>,
    is_stopping: bool,
}

impl Callbacks for Listener {
    fn log(&self, level: Level, line: &str) {
        self.lines.borrow_mut().push((level, line.to_owned()));
    }

    fn should_stop(&self) -> bool {
        self.is_stopping
    }
}

fn open(file: &Path) -> Plugin {
    plugin::open(file).unwrap_or_else(|error| panic!("{error}"))
}

fn adversarial() -> Rules {
    Rules { spawn: Spawning::Adversarial, ..Rules::default() }
}

fn ids(plugin: &Plugin) -> Vec<&str> {
    plugin.agents().iter().map(|agent| agent.id.as_str()).collect()
}

fn create(plugin: &Plugin) -> LoadedAgent {
    plugin.create(0, &Rules::default(), "{}", Silent).unwrap_or_else(|error| panic!("{error}"))
}

/// The directions of a whole game, by their letters.
fn play(agent: &mut LoadedAgent, number: u64) -> String {
    let mut game = Game::new(&Rules::default(), TileSeed::derive(2048, number));
    agent.new_game(AgentSeed::derive(2048, number)).unwrap();
    let mut directions = String::new();
    while game.ending().is_none() {
        let direction = agent.choose_move(&Position::of_game(&game, Budget::None)).unwrap().direction;
        game.play(direction).unwrap();
        directions.push(direction.letter());
    }
    directions
}

fn first_decision(agent: &mut LoadedAgent) -> Result<Decision, PlayError> {
    agent.new_game(AgentSeed(1)).unwrap();
    agent.choose_move(&Position::of_game(&Game::new(&Rules::default(), TileSeed(1)), Budget::None))
}

/// What an agent with these faults answers to the first position of a game.
fn answer(name: &str, faults: &[&str]) -> Result<Decision, PlayError> {
    first_decision(&mut create(&open(&compile_plugin(MISBEHAVING, name, faults))))
}

fn run_other_host(host: &Path, plugin: &Path, sizes: &str) -> Result<(), String> {
    let output = Command::new(host).arg(plugin).arg(sizes).output().unwrap();
    let said = || format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    if output.status.success() { Ok(()) } else { Err(said()) }
}

fn assert_conforms(plugin: &Plugin) {
    for agent in plugin.agents() {
        let report = conformance::check(plugin, agent, &Options::default());
        assert!(report.passed(), "{report}");
    }
}

/// Asserts that an agent with these faults fails first in the step with this demand, and how.
fn assert_found(faults: &[&str], demand: &str, seen: &[&str], remedy: &str) {
    let name: String = faults.concat().chars().filter(char::is_ascii_alphanumeric).collect();
    let plugin = open(&compile_plugin(MISBEHAVING, &name, faults));
    let report = conformance::check(&plugin, &plugin.agents()[0], &Options::default());
    let failed = report.steps.iter().find(|step| !step.passed);
    let failed = failed.unwrap_or_else(|| panic!("{faults:?} went unnoticed:\n{report}"));
    assert_eq!(failed.demand, demand, "{report}");
    let place = failed.place.as_ref().map(|place| format!("{place}, ")).unwrap_or_default();
    assert_has(&format!("{place}{}", failed.seen), seen);
    assert_has(failed.remedy.as_deref().unwrap(), &[remedy]);
}

/// Asserts that a file is refused by such an error, whose message names the file and has all of these words.
#[track_caller]
fn assert_refusal(file: &Path, is_expected: fn(&OpenError) -> bool, words: &[&str]) {
    let error = plugin::open(file).map(|_| ()).expect_err("the file must be refused");
    assert!(is_expected(&error), "{}: {error:?}", file.display());
    assert_has(&error.to_string(), words);
    assert_has(&error.to_string(), &[file.file_name().and_then(|name| name.to_str()).unwrap()]);
}

/// The unsafe blocks of a source, its unsafe functions, and its other unsafe items, without its tests.
fn count_unsafe(source: &str) -> [usize; 3] {
    let tested = source.split("\n#[cfg(test)]\nmod ").next().unwrap();
    let code: String = tested.lines().filter_map(|line| line.split("//").next()).collect();
    let count =
        |forms: &[&str]| forms.iter().map(|form| code.matches(&format!("unsafe {form}")).count()).sum();
    let items = count(&["impl ", "trait "]) + code.matches("#[unsafe(").count();
    [count(&["{"]), count(&["fn ", "extern \"C\" fn "]), items]
}

#[test]
fn unsafe_code_is_where_the_guide_for_contributors_counts_it() {
    let mut table = Vec::new();
    let is_product =
        |name: &str| !["/tests/", "/benches/", "/examples/"].iter().any(|part| name.contains(part));
    for (name, text) in ["engine", "agents", "pipeline"].into_iter().flat_map(sources) {
        let counts = count_unsafe(&text);
        if let [blocks, functions, others] = counts
            && counts != [0; 3]
            && is_product(&name)
        {
            table.push(format!("| `{name}` | {blocks} | {functions} | {others} |"));
        }
    }
    table.sort();
    let page = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let section = page.split("\n## Unsafe code\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let told: Vec<&str> = section.lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(told, table, "write into CONTRIBUTING.md:\n{}", table.join("\n"));
}
