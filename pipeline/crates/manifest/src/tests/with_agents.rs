//! What is refused once the agents are known.

use engine::abi::host::AgentInfo;
use engine::agent::Capabilities;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::*;

/// Parameters of every shape that schemars derives a keyword of its own for.
#[derive(Serialize, JsonSchema)]
struct Params {
    top: f64,
    tables: Vec<u16>,
    mode: Mode,
    seed: Option<u32>,
    fallback: Option<Mode>,
    corner: [i8; 2],
    #[schemars(range(min = 1, max = 9))]
    depth: u32,
    tie: Tie,
    weights: Weights,
    memo: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Mode {
    /// Described, so that schemars derives `oneOf` with constants.
    Fast,
    /// Described too.
    Slow,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Tie {
    First,
    Last,
    Nth(u8),
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Weights {
    empty: f32,
}

pub(super) fn mdp() -> AgentInfo {
    let defaults = Params {
        top: 1.0,
        tables: vec![1],
        mode: Mode::Fast,
        seed: None,
        fallback: Some(Mode::Slow),
        corner: [0, 0],
        depth: 3,
        tie: Tie::First,
        weights: Weights { empty: 1.0 },
        memo: true,
    };
    let mut schema = schemars::schema_for!(Params).to_value();
    let defaults = serde_json::to_value(defaults).unwrap();
    for (name, default) in defaults.as_object().unwrap() {
        schema["properties"][name]["default"] = default.clone();
    }
    schema.as_object_mut().unwrap().remove("required");
    agent("mdp", Capabilities::PLAYOUTS.with(Capabilities::PLIES), schema)
}

pub(super) fn agent(id: &str, capabilities: Capabilities, params_schema: Value) -> AgentInfo {
    AgentInfo {
        index: 0,
        id: id.into(),
        name: id.into(),
        version: "1.0.0".into(),
        paper: String::new(),
        licence: "MIT".into(),
        capabilities,
        params_schema,
        files: Vec::new(),
        training: None,
    }
}

pub(super) fn pure() -> AgentInfo {
    agent("pure-mcts", Capabilities::NO_BUDGET, json!({"type": "object", "properties": {}}))
}

const GIVEN: &str = "{ top = 0.25, tables = [500, 250], mode = \"fast\" }";

/// What is said of all experiments of a paper.
fn checked(paper: &Paper, agents: &[AgentInfo]) -> Result<(), String> {
    let experiments = paper.experiments.iter().map(|experiment| (paper, experiment));
    check_agents(experiments, agents).map_err(|error| error.to_string())
}

/// What is said of the example with other parameters for the agent `mdp`.
fn check(params: &str) -> Result<(), String> {
    checked(&read(&EXAMPLE.replace(GIVEN, params)).unwrap(), &[pure(), mdp()])
}

#[track_caller]
fn refused(params: &str, problem: &str) {
    assert_eq!(check(params), Err(format!("{FILE}:31: experiment `mdp-25`: {problem}")));
}

#[test]
fn parameters_that_the_schema_allows_are_taken() {
    let allowed = [
        GIVEN,
        "{}",
        "{ top = 1 }",
        "{ seed = 7, fallback = \"fast\", corner = [-128, 127], depth = 9, memo = false }",
        "{ tie = \"last\", weights = { empty = 2 } }",
        "{ tie = { nth = 3 }, tables = [] }",
    ];
    for params in allowed {
        assert_eq!(check(params), Ok(()), "{params}");
    }
}

#[test]
fn values_that_the_schema_does_not_allow_are_refused() {
    refused("{ top = \"high\" }", "parameter `top` is \"high\", must be a number");
    refused("{ tables = 5 }", "parameter `tables` is 5, must be a list");
    refused("{ tables = [1, 2.0] }", "parameter `tables[1]` is 2.0, must be a whole number");
    refused("{ tables = [-1] }", "parameter `tables[0]` is -1, must be at least 0");
    refused("{ tables = [65536] }", "parameter `tables[0]` is 65536, must be at most 65535");
    refused("{ mode = \"medium\" }", "parameter `mode` is \"medium\", must be \"fast\" or \"slow\"");
    refused("{ fallback = \"none\" }", "parameter `fallback` is \"none\", must be \"fast\" or \"slow\"");
    refused("{ seed = \"x\" }", "parameter `seed` is \"x\", must be a whole number");
    refused("{ seed = -1 }", "parameter `seed` is -1, must be at least 0");
    refused("{ corner = [1] }", "parameter `corner` is [1], must be a list of at least 2");
    refused("{ corner = [1, 2, 3] }", "parameter `corner` is [1,2,3], must be a list of at most 2");
    refused("{ depth = 0 }", "parameter `depth` is 0, must be at least 1");
    refused("{ depth = 10 }", "parameter `depth` is 10, must be at most 9");
    refused("{ tie = \"none\" }", "parameter `tie` is \"none\", must be \"first\" or \"last\" or a table");
    refused("{ tie = { nth = 256 } }", "parameter `tie.nth` is 256, must be at most 255");
    refused("{ weights = {} }", "parameter `weights.empty` is missing: add it");
    refused("{ weights = { empty = 1, full = 2 } }", "parameter `weights.full` is unknown; known: empty");
    refused("{ memo = 1 }", "parameter `memo` is 1, must be true or false");
}

#[test]
fn unknown_parameters_are_refused_with_those_that_there_are() {
    refused(
        "{ topp = 0.5 }",
        "`params` has `topp`, which agent `mdp` does not know; known: corner, depth, fallback, memo, mode, seed, tables, tie, \
         top, weights",
    );
    let paper = read(&EXAMPLE.replace("games = 100", "games = 100\nparams = { depth = 1 }")).unwrap();
    assert_eq!(
        checked(&paper, &[pure(), mdp()]),
        Err(format!(
            "{FILE}:27: experiment `pure`: `params` has `depth`, which agent `pure-mcts` does not know; known: none"
        ))
    );
}

#[test]
fn parameters_without_a_default_are_needed() {
    let schema = json!({"properties": {"depth": {"type": "integer"}}, "required": ["depth"]});
    let strict = agent("pure-mcts", Capabilities::NO_BUDGET, schema);
    let problem = "`params` lacks `depth`, for which agent `pure-mcts` has no default: give it";
    assert_eq!(
        checked(&read(EXAMPLE).unwrap(), &[strict, mdp()]),
        Err(format!("{FILE}:23: experiment `pure`: {problem}"))
    );
}

#[test]
fn a_schema_that_refers_to_itself_is_an_error_and_no_endless_loop() {
    let schema = json!({"properties": {"top": {"$ref": "#/properties/top"}}});
    let endless = agent("mdp", Capabilities::PLAYOUTS, schema);
    let paper = read(&EXAMPLE.replace(GIVEN, "{ top = 1 }")).unwrap();
    let error = checked(&paper, &[pure(), endless]).unwrap_err();
    assert!(error.contains("refer to itself"), "{error}");
}

#[test]
fn one_of_and_any_of_both_bind() {
    let top = json!({"oneOf": [{"type": "number"}], "anyOf": [{"maximum": 1}, {"exclusiveMinimum": 5}]});
    let both = agent("mdp", Capabilities::PLAYOUTS, json!({"properties": {"top": top}}));
    let paper = read(&EXAMPLE.replace(GIVEN, "{ top = 5 }")).unwrap();
    let error = checked(&paper, &[pure(), both]).unwrap_err();
    assert!(error.contains("parameter `top` is 5, must be at most 1 or above 5\n"), "{error}");
}

#[test]
fn unknown_agents_are_refused_with_those_that_there_are_and_how_to_add_more() {
    let paper = read(EXAMPLE).unwrap();
    let problem = "experiment `pure`: `agent` is `pure-mcts`, which no plugin offers; known: mdp, random. Build the plugins \
                   with `cargo build --release`, or add the folder of your own to RETILE_AGENT_PATH";
    let random = agent("random", Capabilities::NO_BUDGET, json!({}));
    assert_eq!(checked(&paper, &[random, mdp()]), Err(format!("{FILE}:25: {problem}")));
    let error = checked(&paper, &[]).unwrap_err();
    assert!(error.contains("known: none."), "{error}");
}

#[test]
fn budgets_that_the_agent_does_not_take_are_refused_with_those_that_it_takes() {
    let with_budget = |budget: &str| {
        let paper = read(&EXAMPLE.replace("{ playouts = 1000 }", budget)).unwrap();
        checked(&paper, &[pure(), mdp()])
    };
    let takes = "which agent `mdp` does not take; it takes: { plies = … }, { playouts = … }";
    let refused =
        |budget: &str| Err(format!("{FILE}:32: experiment `mdp-25`: `budget` is {budget}, {takes}"));
    assert_eq!(with_budget("{ plies = 3 }"), Ok(()));
    assert_eq!(with_budget("{ nodes = 1000 }"), refused("1000 nodes"));
    assert_eq!(with_budget("\"none\""), refused("no budget"));
}

#[test]
fn each_parameter_that_agents_refuse_comes_with_its_line() {
    let last = "method = \"MDP top 25%\"";
    let params = "[experiment.params]\ntop = \"high\"\ntopp = 1\ntables = [-1, 2.5]";
    let text = EXAMPLE
        .replace("agent = \"pure-mcts\"", "agent = \"pure\"")
        .replace("{ playouts = 1000 }", "{ nodes = 2 }")
        .replace(&format!("params = {GIVEN}\n"), "")
        .replace(last, &format!("{last}\n{params}"));
    let error = checked(&read(&text).unwrap(), &[pure(), mdp()]).unwrap_err();
    let said: Vec<(&str, &str)> = error
        .lines()
        .filter_map(|line| line.strip_prefix(&format!("{FILE}:"))?.split_once(": experiment "))
        .collect();
    let line = |start: &str| text.lines().position(|line| line.starts_with(start)).unwrap() + 1;
    let expected = [
        ("agent = \"pure\"", "`pure`: `agent` is `pure`, "),
        ("budget", "`mdp-25`: `budget` is 2 nodes, "),
        ("top = ", "`mdp-25`: parameter `top` is \"high\", "),
        ("topp", "`mdp-25`: `params` has `topp`, "),
        ("tables", "`mdp-25`: parameter `tables[0]` is -1, "),
    ];
    assert_eq!(said.len(), expected.len(), "{error}");
    for ((number, problem), (start, begins)) in said.into_iter().zip(expected) {
        assert_eq!(number, line(start).to_string(), "{error}");
        assert!(problem.starts_with(begins), "{problem}");
    }
}

#[test]
fn resolved_parameters_are_the_defaults_with_the_given_ones_over_them() {
    let given = object(json!({"top": 0.25, "weights": {"empty": 2.0}}));
    let resolved = resolved_params(&mdp(), &given);
    assert_eq!(
        Value::Object(resolved),
        json!({
            "top": 0.25, "tables": [1], "mode": "fast", "seed": null, "fallback": "slow", "corner": [0, 0], "depth": 3,
            "tie": "first", "weights": {"empty": 2.0}, "memo": true,
        })
    );
}
