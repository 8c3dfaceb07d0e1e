//! Trainings, and the files that experiments and studies take from them or name by their hash.

use engine::abi::host::{AgentInfo, TrainingInfo};
use jobs::Key;

use super::with_agents::{mdp, pure};
use super::*;

const SHA256: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
const KEYS: &str = r#"
[[training]]
id = "learned"
agent = "mdp"
params = { depth = 2 }
games = 20000
seed = "0x10"
rules = { four = "1/3" }
curve_every = 500
sha256 = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
set = "extra"
note = "A small one."
conditional_on = ["D-2"]
points = [{ games = 100000, mean = 51321, label = "Table 2" }]
"#;

/// The example with a training, one piece of which is replaced.
fn with(old: &str, new: &str) -> String {
    assert_eq!(KEYS.matches(old).count(), 1, "{old:?} stands once in the training");
    format!("{EXAMPLE}{}", KEYS.replace(old, new))
}

/// The example with a training, and with files of an experiment.
fn with_files(files: &str) -> String {
    format!("{}{KEYS}", EXAMPLE.replace("games = 100\n", &format!("games = 100\nfiles = {files}\n")))
}

/// Asserts that the training with one piece replaced is refused for one reason alone, at the line that begins
/// so.
#[track_caller]
fn training_refused(start: &str, old: &str, new: &str, problem: &str) {
    let text = with(old, new);
    let from = text.find("[[training]]").unwrap();
    let within = text[from..].lines().position(|line| line.starts_with(start)).expect("the line is there");
    let number = text[..from].lines().count() + within + 1;
    let error = read(&text).expect_err(new).to_string();
    assert_eq!(error, format!("{FILE}:{number}: training `learned`: {problem}"));
}

#[track_caller]
fn files_refused(files: &str, problem: &str) {
    let error = read(&with_files(files)).expect_err(files).to_string();
    assert_eq!(error, format!("{FILE}:27: experiment `pure`: {problem}"));
}

fn training(key: &str) -> FileSource {
    let (paper, training) = key.split_once('/').unwrap();
    FileSource::Training(Key::new(paper, training))
}

#[test]
fn a_training_is_read_with_all_its_keys() {
    let paper = read(&format!("{EXAMPLE}{KEYS}")).unwrap_or_else(|error| panic!("{error}"));
    let expected = Training {
        id: "learned".into(),
        agent: "mdp".into(),
        params: object(json!({"depth": 2})),
        games: 20_000,
        seed: 16,
        rules: Rules { four: Odds::new(1, 3).unwrap(), ..paper_rules() },
        curve_every: 500,
        sha256: Some(SHA256.into()),
        set: Set::Extra,
        note: Some("A small one.".into()),
        conditional_on: vec![note_id("D-2")],
        points: vec![LearningPoint { games: 100_000, mean: 51_321.0, label: "Table 2".into() }],
    };
    assert_eq!(paper.trainings, [expected]);
    assert_eq!(paper.training("learned"), paper.trainings.first());
}

#[test]
fn a_training_has_defaults_for_all_but_agent_and_games() {
    let text = format!("{EXAMPLE}\n[[training]]\nid = \"t\"\nagent = \"mdp\"\ngames = 5\n");
    let paper = read(&text).unwrap();
    let training = paper.training("t").unwrap();
    assert_eq!((training.seed, training.curve_every, training.set), (2048, 1000, Set::Default));
    assert_eq!((&training.rules, &training.sha256), (&paper.rules, &None));
    assert!(training.params.is_empty() && training.points.is_empty() && training.note.is_none());
}

#[test]
fn values_that_no_training_can_have_are_refused() {
    let (upper, games) = (SHA256.to_uppercase(), "games = 20000");
    for (start, old, new, problem) in [
        ("games", games, "games = 0", "`games` is 0, must be at least 1"),
        ("curve", "curve_every = 500", "curve_every = 0", "`curve_every` is 0, must be at least 1"),
        ("games", games, "games = 1000000001", "`games` is 1000000001, must be at most 1000000000"),
        (
            "curve",
            games,
            "games = 100000000",
            "`curve_every` is 500, which makes more than 100000 rows of 100000000 games: sum up at least 1000",
        ),
        (
            "sha256",
            SHA256,
            &upper,
            "`sha256` is no SHA-256: write 64 lower-case hexadecimal digits, as `sha256sum` prints them",
        ),
        ("points", "51321", "-1.5", "`points[0].mean` is -1.5, must be at least 0.0"),
        ("points", "games = 100000,", "games = 0,", "`points[0].games` is 0, must be at least 1"),
        ("points", "\"Table 2\"", "\" \"", "`points[0].label` is empty: fill it in"),
        (
            "conditional_on",
            "[\"D-2\"]",
            "[\"D-3\"]",
            "`conditional_on` names note `D-3`, which does not exist; known: D-1, D-2",
        ),
        (
            "game =",
            games,
            "game = 20000",
            "`game` is unknown; known: agent, conditional_on, curve_every, games, id, note, params, points, rules, \
             seed, set, sha256",
        ),
        ("[[training]]", "games = 20000\n", "", "`games` is missing: add it"),
    ] {
        training_refused(start, old, new, problem);
    }
}

#[test]
fn a_training_shares_its_id_with_no_experiment_and_no_study() {
    for taken in ["pure", "tuned", "tuned-default"] {
        let error = read(&with("id = \"learned\"", &format!("id = \"{taken}\""))).unwrap_err().to_string();
        assert!(
            error.contains("is given twice: rename one") || error.contains("that id is taken"),
            "{error}"
        );
    }
}

#[test]
fn files_come_from_trainings_or_are_named_by_their_hash() {
    let text = with_files(&format!("{{ weights = \"learned\", other = \"y/t\", table = \"{SHA256}\" }}"));
    let paper = read(&text).unwrap_or_else(|error| panic!("{error}"));
    let files = &paper.experiment("pure").unwrap().files;
    let expected = [
        ("other", training("y/t")),
        ("table", FileSource::Sha256(SHA256.into())),
        ("weights", training("x/learned")),
    ];
    assert_eq!(*files, expected.map(|(role, source)| (role.to_owned(), source)).into());
    let json = serde_json::to_value(files).unwrap();
    assert_eq!(json, json!({"other": "y/t", "table": SHA256, "weights": "x/learned"}));
    assert_eq!(serde_json::from_value::<BTreeMap<String, FileSource>>(json).unwrap(), *files);
    assert_eq!(
        read(&with_files("{ weights = \"x/learned\" }")).unwrap().experiment("pure").unwrap().files.len(),
        1
    );
}

#[test]
fn an_experiment_without_files_says_nothing_of_them() {
    let stored = serde_json::to_value(read(EXAMPLE).unwrap().experiment("pure").unwrap()).unwrap();
    assert_eq!(stored.get("files"), None, "stored submissions stay as they are");
    assert!(serde_json::from_value::<Experiment>(stored).unwrap().files.is_empty());
}

#[test]
fn winners_have_the_files_of_their_study() {
    let text = EXAMPLE
        .replace("params = { memo = false }", "params = { memo = false }\nfiles = { weights = \"learned\" }");
    let paper = read(&format!("{text}{KEYS}")).unwrap();
    for id in ["tuned-best-1", "tuned-default"] {
        assert_eq!(paper.experiment(id).unwrap().files["weights"], training("x/learned"));
    }
}

#[test]
fn files_that_name_nothing_are_refused_each_with_its_line() {
    files_refused(
        "{ weights = \"lerned\" }",
        "`files` names training `lerned` as `weights`, which `x` does not have; its trainings: learned",
    );
    files_refused(
        "{ weights = \"some file.bin\" }",
        "`files.weights`: `some file.bin` names no file: write the id of a training, PAPER/TRAINING, or a SHA-256 of 64 lower-case \
         hexadecimal digits",
    );
    files_refused(
        "{ Weights = \"learned\" }",
        "`files` has the role `Weights`: write 1 to 64 lower-case letters, digits, - and _",
    );
    files_refused("{ weights = 5 }", "`files.weights` is 5, must be text");
}

#[test]
fn trainings_of_other_papers_are_looked_up_when_all_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    let told = || match load_folder(folder.path()) {
        Ok(papers) => papers.iter().map(|paper| paper.id.clone()).collect(),
        Err(error) => error.to_string().replace(&format!("{}/", folder.path().display()), ""),
    };
    write("x.toml", with_files("{ weights = \"y/far\" }"));
    assert_eq!(
        told(),
        "x.toml:27: experiment `pure`: `files` names training `far` of `y` as `weights`, and there is no manifest y.toml in \
         this folder"
    );
    write("y.toml", format!("{EXAMPLE}{KEYS}"));
    assert_eq!(
        told(),
        "x.toml:27: experiment `pure`: `files` names training `far` as `weights`, which `y` does not have; its trainings: learned"
    );
    write("y.toml", with("\"learned\"", "\"far\""));
    assert_eq!(told(), "xy");
}

#[test]
fn the_schema_knows_trainings_and_files() {
    let schema = schema();
    let training = &schema["$defs"]["Training"];
    assert_eq!(training["properties"]["sha256"]["pattern"], "^[0-9a-f]{64}$");
    assert_eq!(schema["properties"]["training"]["items"]["$ref"], "#/$defs/Training");
    let files = schema["$defs"]["Experiment"]["properties"]["files"].to_string();
    assert!(files.contains("PAPER/TRAINING"), "{files}");
}

/// An agent that learns its weights.
fn learner() -> AgentInfo {
    let params_schema = json!({
        "properties": { "alpha": { "type": "number", "minimum": 0, "default": 1 }, "depth": { "type": "integer" } },
        "required": ["depth"],
    });
    let training = TrainingInfo { role: "weights".into(), version: "1.0.0".into(), params_schema };
    AgentInfo { files: vec!["weights".into()], training: Some(training), ..pure() }
}

#[track_caller]
fn agents_told(text: &str, agents: &[AgentInfo]) -> String {
    let paper = read(text).unwrap_or_else(|error| panic!("{error}"));
    let experiments = paper.experiments.iter().map(|experiment| (&paper, experiment));
    let told = check_agents(experiments, agents).err().map(|error| error.to_string());
    told.unwrap_or_default().replace(&format!("{FILE}:"), "")
}

#[test]
fn an_agent_gets_the_files_that_it_needs_and_no_others() {
    let (given, other) = (with_files("{ weights = \"learned\" }"), with_files("{ weigths = \"learned\" }"));
    assert_eq!(agents_told(&given, &[learner(), mdp()]), "");
    assert_eq!(
        agents_told(&given, &[pure(), mdp()]),
        "27: experiment `pure`: `files` has `weights`, which agent `pure-mcts` does not need; it needs: none"
    );
    let lacks = "experiment `pure`: `files` lacks `weights`, which agent `pure-mcts` needs: name a training or a SHA-256, such as \
                 `files.weights = \"PAPER/TRAINING\"`; `pipeline artefacts` lists what there is";
    assert_eq!(agents_told(EXAMPLE, &[learner(), mdp()]), format!("23: {lacks}"));
    let unknown =
        "experiment `pure`: `files` has `weigths`, which agent `pure-mcts` does not need; it needs: weights";
    assert_eq!(agents_told(&other, &[learner(), mdp()]), format!("27: {lacks}\n27: {unknown}"));
}

#[test]
fn a_training_asks_an_agent_that_learns_for_what_it_takes() {
    let told = |params: &str, agent: AgentInfo| {
        let paper = read(&with("params = { depth = 2 }", &format!("params = {params}"))).unwrap();
        let trainings = paper.trainings.iter().map(|training| (&paper, training));
        let told = check_training_agents(trainings, &[agent, pure()]).err().map(|error| error.to_string());
        told.unwrap_or_default().replace(&format!("{FILE}:"), "")
    };
    let mdp_learner = || AgentInfo { id: "mdp".into(), ..learner() };
    assert_eq!(told("{ depth = 2, alpha = 0.5 }", mdp_learner()), "");
    assert_eq!(
        told("{ depth = 2, top = 1 }", mdp_learner()),
        "207: training `learned`: `params` has `top`, which agent `mdp` does not know; known: alpha, depth"
    );
    assert_eq!(
        told("{ alpha = -1 }", mdp_learner()),
        "207: training `learned`: parameter `alpha` is -1, must be at least 0\n\
         207: training `learned`: `params` lacks `depth`, for which agent `mdp` has no default: give it"
    );
    assert_eq!(
        told("{}", mdp()),
        "206: training `learned`: `agent` is `mdp`, which cannot be trained; those that can: none"
    );
    let unknown = told("{}", AgentInfo { id: "other".into(), ..learner() });
    assert!(
        unknown.starts_with("206: training `learned`: `agent` is `mdp`, which no plugin offers;"),
        "{unknown}"
    );
}
