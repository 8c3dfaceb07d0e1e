//! A whole manifest read to its values, and every rejection by the text that an author sees.

mod interpretations;
mod limits;
mod rejections;
mod studies;
mod trainings;
mod with_agents;

use std::path::Path;
use std::{env, fs};

use engine::agent::Budget;
use engine::{Merging, Odds, Rules, Scatter, Spawning, Start};
use serde_json::{Value, json};

use figures::{AveragesKeys, Group, NodesKeys};

use super::*;

const EXAMPLE: &str = include_str!("example.toml");
const FILE: &str = "paper-configs/x.toml";

fn read(text: &str) -> Result<Paper, ManifestError> {
    let file = Path::new(FILE);
    check::paper(file, check::paper_id(file)?, text)
}

/// The message about the example with one piece of its text replaced.
fn message(old: &str, new: &str) -> String {
    assert_eq!(EXAMPLE.matches(old).count(), 1, "{old:?} stands once in the example");
    read(&EXAMPLE.replace(old, new)).expect_err(new).to_string()
}

/// Asserts that the example with one piece replaced is refused with this message, after the file's name and a
/// line of it. What rests on the piece may be refused with it.
#[track_caller]
fn refused(old: &str, new: &str, problem: &str) {
    let message = message(old, new);
    let lines = EXAMPLE.replace(old, new).lines().count();
    let is_it = |line: &str| {
        let rest = line.strip_prefix(FILE).and_then(|rest| rest.strip_prefix(':')).unwrap_or_default();
        let (number, rest) = rest.split_once(": ").unwrap_or_default();
        number.parse().is_ok_and(|number: usize| (1..=lines).contains(&number)) && rest == problem
    };
    assert!(message.lines().any(is_it), "{message}\n\nhas no line: {problem}");
}

/// The example's claim with this id, up to the next one, so that keys that many claims have can be replaced.
fn claim_keys(id: &str) -> &'static str {
    let start = EXAMPLE.find(&format!("id = \"{id}\"")).unwrap();
    let rest = &EXAMPLE[start..];
    &rest[..rest.find("\n[[").unwrap_or(rest.len())]
}

#[test]
fn a_paper_is_read_with_its_citation_rules_and_notes() {
    let paper = read(EXAMPLE).unwrap();
    assert_eq!((paper.id.as_str(), paper.file.as_path()), ("x", Path::new(FILE)));
    assert_eq!(
        paper.citation,
        Citation {
            title: "An Example".into(),
            authors: vec!["A. Author".into(), "B. Author".into()],
            year: Some(2023),
            venue: Some("Journal of Examples".into()),
            url: Some("https://example.org/paper".into()),
            doi: Some("10.1000/example".into()),
            unpublished_sha256: None,
        }
    );
    assert_eq!(paper.summary.as_deref(), Some("Playouts from every move."));
    assert_eq!(paper.rules, paper_rules());
    assert_eq!(paper.notes.iter().map(|note| note.id.as_str()).collect::<Vec<_>>(), ["D-1", "D-2"]);
    assert_eq!(paper.note(&note_id("D-2")).unwrap().text, "The seed is not said.");
}

fn paper_rules() -> Rules {
    Rules { four: Odds::new(1, 4).unwrap(), stop_at: Some(2048.try_into().unwrap()), ..Rules::default() }
}

fn note_id(text: &str) -> NoteId {
    NoteId::new(text).unwrap()
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[test]
fn an_experiment_has_defaults_for_all_but_agent_and_games() {
    assert_eq!(
        *read(EXAMPLE).unwrap().experiment("pure").unwrap(),
        Experiment {
            id: "pure".into(),
            agent: "pure-mcts".into(),
            params: Map::new(),
            files: BTreeMap::new(),
            budget: Budget::None,
            games: 100,
            seed: 2048,
            rules: paper_rules(),
            set: Set::Default,
            note: None,
            conditional_on: vec![],
            move_limit_ms: 60_000,
            fault_share: Odds::new(1, 10).unwrap(),
            variant: None,
            method: None,
            role: Role::Play,
            acknowledged_faults: 0,
            compared: false,
            winner: None,
        }
    );
}

#[test]
fn an_experiments_rules_are_laid_over_its_papers() {
    assert_eq!(
        *read(EXAMPLE).unwrap().experiment("mdp-25").unwrap(),
        Experiment {
            id: "mdp-25".into(),
            agent: "mdp".into(),
            params: object(json!({"top": 0.25, "tables": [500, 250], "mode": "fast"})),
            files: BTreeMap::new(),
            budget: Budget::Playouts(1000),
            games: 50,
            seed: u64::MAX,
            rules: Rules {
                four: Odds::new(1, 4).unwrap(),
                merging: Merging::Cascading,
                start: Start::Scatter(Scatter { empty: 16, two: 4, four: 2, eight: 1 }),
                stop_at: None,
                spawn: Spawning::Random,
            },
            set: Set::Extra,
            note: Some("The best quarter.".into()),
            conditional_on: vec![note_id("D-1"), note_id("D-2")],
            move_limit_ms: 5000,
            fault_share: Odds::new(1, 20).unwrap(),
            variant: Some(Variant::AsReleased),
            method: Some("MDP top 25%".to_owned()),
            role: Role::Play,
            acknowledged_faults: 0,
            compared: false,
            winner: None,
        }
    );
}

#[test]
fn each_kind_of_budget_and_seed_is_read() {
    let experiment = |keys: &str| {
        let paper = read(&EXAMPLE.replace("games = 100", &format!("games = 100\n{keys}"))).unwrap();
        paper.experiment("pure").unwrap().clone()
    };
    assert_eq!(experiment("budget = \"none\"").budget, Budget::None);
    assert_eq!(experiment("budget = { plies = 3 }").budget, Budget::Plies(3));
    assert_eq!(experiment("budget = { nodes = 1000 }").budget, Budget::Nodes(1000));
    assert_eq!(experiment("budget = { time-ns = 50000000 }").budget, Budget::TimeNs(50_000_000));
    assert_eq!(experiment("seed = 0").seed, 0);
    assert_eq!(experiment("seed = \"0x2A\"").seed, 42);
}

#[test]
fn claims_are_read_by_kind() {
    let claims = read(EXAMPLE).unwrap().claims;
    let kind = |id: &str| claims.iter().find(|claim| claim.id == id).unwrap().kind.clone();
    let score = |statistic| Metric::summary(Quantity::SCORE, statistic);
    assert_eq!(
        claims[0],
        Claim {
            id: "mean".into(),
            text: "The mean score is 31011.".into(),
            place: "Table 1".into(),
            conditional_on: vec![note_id("D-1")],
            under: None,
            reading_of: None,
            audit: false,
            kind: ClaimKind::Numeric {
                metric: score(Statistic::Mean),
                experiment: "pure".into(),
                reference: None,
                published: Published::Number(31011.0),
                chosen: None,
                unit: Some("points".into()),
                n: PublishedN::Assumed(100),
                rounding: 1.0,
            },
        }
    );
    let ClaimKind::Numeric { published, n, rounding, .. } = kind("win") else { panic!("win is numeric") };
    assert_eq!((published, n, rounding), (Published::Range(0.75, 0.85), PublishedN::Known(10), 0.0));
    let ClaimKind::Numeric { metric, reference, .. } = kind("speed") else { panic!("speed is numeric") };
    assert_eq!((metric, reference.as_deref()), (Metric::CpuPerMoveRatio, Some("pure")));
    let ordinal = |statistic, better: &str, worse: &str, wins| ClaimKind::Ordinal {
        metric: score(statistic),
        better: better.into(),
        worse: worse.into(),
        wins,
    };
    assert_eq!(kind("beats"), ordinal(Statistic::Mean, "mdp-25", "pure", Wins::Higher));
    assert_eq!(kind("steadier"), ordinal(Statistic::Sd, "pure", "mdp-25", Wins::Lower));
    assert_eq!(
        kind("one-of-three"),
        ClaimKind::Arithmetic {
            check: serde_json::from_value(
                serde_json::json!({"check": "binomial-point", "args": {"n": 3, "k": 1, "p": 0.6}})
            )
            .unwrap(),
            published: StatedValue::Text("0.375".into()),
        }
    );
}

#[test]
fn less_time_wins_where_an_ordinal_claim_does_not_say() {
    let keys = claim_keys("beats");
    let text = EXAMPLE.replace(keys, &keys.replace("score.mean", "cpu-per-move.ratio"));
    let claims = read(&text).unwrap().claims;
    assert!(matches!(claims[3].kind, ClaimKind::Ordinal { wins: Wins::Lower, .. }));
}

#[test]
fn a_folder_gives_its_manifests_by_id_and_passes_over_other_files() {
    let folder = env::temp_dir().join(format!("retile-manifests-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for name in ["b.toml", "a_2.toml", "README.md"] {
        fs::write(folder.join(name), EXAMPLE).unwrap();
    }
    let papers = load_folder(&folder).unwrap();
    assert_eq!(papers.iter().map(|paper| paper.id.as_str()).collect::<Vec<_>>(), ["a_2", "b"]);
    assert_eq!(papers[0].file, folder.join("a_2.toml"));
    fs::write(folder.join("Upper.toml"), EXAMPLE).unwrap();
    fs::write(folder.join("b.toml"), EXAMPLE.replace("games = 100", "games = 0")).unwrap();
    let error = load_folder(&folder).unwrap_err().to_string();
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), 2, "{error}");
    assert!(lines[0].ends_with(
        "Upper.toml: the file's name must be the paper's id, 1 to 64 lower-case letters, digits, - and _ before `.toml`; rename it"
    ));
    assert!(lines[1].ends_with("b.toml:26: experiment `pure`: `games` is 0, must be at least 1"), "{error}");
    fs::remove_dir_all(&folder).unwrap();
    let error = load_folder(&folder).unwrap_err();
    assert_eq!(error.file(), folder);
    assert!(error.to_string().contains(": cannot be read: "), "{error}");
}

#[test]
fn the_manifests_of_this_repository_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../paper-configs");
    let papers = load_folder(&folder).unwrap();
    let baselines = papers.iter().find(|paper| paper.id == "baselines").unwrap();
    assert_eq!(baselines.experiment("random").unwrap().rules, Rules::default());
    let course = Rules {
        four: Odds::new(1, 4).unwrap(),
        start: Start::Scatter(Scatter { empty: 16, two: 4, four: 2, eight: 1 }),
        ..Rules::default()
    };
    assert_eq!(baselines.experiment("cycle-course").unwrap().rules, course);
}

/// Our own comparison and the baselines are no papers.
#[test]
fn every_paper_of_this_repository_says_where_it_is_or_which_text_was_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../paper-configs");
    let papers = load_folder(&folder).unwrap();
    let claiming: Vec<&Paper> =
        papers.iter().filter(|paper| !paper.comparison && !paper.claims.is_empty()).collect();
    assert_eq!(claiming.len(), 6);
    for Paper { id, citation, .. } in claiming {
        assert!(citation.doi.is_some() || citation.url.is_some() || citation.unpublished().is_some(), "{id}");
    }
}

#[test]
fn exhibits_and_figures_are_read() {
    let paper = read(EXAMPLE).unwrap();
    assert_eq!(paper.exhibits[0].shown_by, ["tables/x-results.md"]);
    assert!(!paper.comparison);
    let both = || vec!["pure".to_owned(), "mdp-25".to_owned()];
    let group = |name: &str| vec![Group { name: name.to_owned(), experiments: both() }];
    assert_eq!(paper.figures[0].kind, FigureKind::Averages(AveragesKeys { groups: group("All") }));
    let nodes = FigureKind::Nodes(NodesKeys {
        axis: "share kept".into(),
        x: vec![1.0, 4.0],
        published: vec![100.0, 200.0],
        groups: group("Measured"),
    });
    assert_eq!(paper.figures[1].kind, nodes);
}

#[test]
fn the_schema_has_every_key_of_the_example() {
    let schema = schema();
    assert_eq!(schema["title"], "Manifest");
    let example: Value = toml::from_str(EXAMPLE).unwrap();
    assert_keys_in_schema(&schema, &schema, &example, "");
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(
        schema["$defs"]["Experiment"]["properties"]["games"]["description"],
        "How many games are played, at least 1."
    );
}

#[test]
fn the_schema_requires_of_a_claim_what_every_kind_has() {
    assert_eq!(schema()["$defs"]["Claim"]["required"], serde_json::json!(["id", "kind", "text", "place"]));
}

/// The manifest's own tables: parameters and arguments are anyone's, and enum tables have branches.
fn assert_keys_in_schema(root: &Value, schema: &Value, value: &Value, path: &str) {
    let resolve = |schema: &Value| -> Value {
        let reference = schema.get("$ref").and_then(Value::as_str);
        reference.map_or_else(|| schema.clone(), |text| root.pointer(&text[1..]).unwrap().clone())
    };
    let schema = resolve(schema);
    match value {
        Value::Array(items) => {
            for item in items {
                assert_keys_in_schema(root, &schema["items"], item, path);
            }
        }
        Value::Object(fields) if schema.get("properties").is_some() => {
            for (name, field) in fields {
                let property = schema["properties"].get(name);
                let property = property.unwrap_or_else(|| panic!("{path}.{name} is in the schema"));
                assert_keys_in_schema(root, property, field, &format!("{path}.{name}"));
            }
        }
        _ => {}
    }
}

#[test]
fn a_paper_as_json_has_its_seeds_as_text_that_a_manifest_takes() {
    let paper = serde_json::to_value(read(EXAMPLE).unwrap()).unwrap();
    assert_eq!(paper["experiments"][0]["seed"], "0x800");
    assert_eq!(paper["claims"][0]["kind"], "numeric");
    assert_eq!(paper["claims"][0]["metric"], "score.mean");
    assert_eq!(paper["claims"][0]["n"], json!({"assumed": 100}));
    assert_eq!(paper["claims"][1]["published"], json!([0.75, 0.85]));
}
