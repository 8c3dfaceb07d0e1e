//! Studies against their agents.

use engine::agent::Capabilities;

use super::super::with_agents::{agent, mdp, pure};
use super::*;

/// What is said of the example's study, with another parameter in the place of one.
fn checked(old: &str, new: &str) -> Result<(), String> {
    let paper = read(&with(old, new)).unwrap();
    let studies = paper.studies.iter().map(|study| (&paper, study));
    check_study_agents(studies, &[pure(), mdp()]).map_err(|error| error.to_string())
}

#[test]
fn an_agent_takes_every_value_that_its_study_could_come_to() {
    const DEPTH: &str = "depth = { from = 1, to = 9, integer = true }";
    assert_eq!(checked(DEPTH, DEPTH), Ok(()));
    let line = EXAMPLE.lines().position(|line| line == DEPTH).unwrap() + 1;
    for (new, problem) in [
        (
            "deep = { from = 1, to = 9, integer = true }",
            "`space` has `deep`, which agent `mdp` does not know; known: corner, ",
        ),
        (
            "depth = { from = 0, to = 9, integer = true }",
            "`depth` is 0, must be at least 1; give another range, or `choices`",
        ),
        (
            "depth = { from = 1, to = 10, integer = true }",
            "`depth` is 10, must be at most 9; give another range, or `choices`",
        ),
        (
            "mode = { from = 1, to = 9, integer = true }",
            "`mode` is 1, must be text; give another range, or `choices`",
        ),
        (
            "mode = { choices = [\"fast\", \"quick\"] }",
            "`mode` is \"quick\", must be \"fast\" or \"slow\"; remove this choice",
        ),
    ] {
        let error = checked(DEPTH, new).unwrap_err();
        assert!(
            error.lines().all(|said| said.starts_with(&format!("{FILE}:{line}: study `tuned`: `space` "))),
            "{error}"
        );
        assert!(error.contains(problem), "{error}");
    }
    let real = checked(DEPTH, "depth = { from = 1, to = 9, digits = 0 }").unwrap_err();
    assert!(
        real.contains(
            "`depth` is 1.0, must be a whole number; give `integer = true` in the place of `digits`"
        ),
        "{real}"
    );
    assert_eq!(real.lines().count(), 2, "{real}");
}

#[test]
fn agents_budgets_and_fixed_parameters_of_studies_are_checked_and_told_once() {
    let text = with("memo = false", "memo = 5").replace("{ plies = 2 }", "{ nodes = 2 }");
    let paper = read(&text).unwrap();
    let at = |start: &str| {
        text[..text.find("[[study]]").unwrap()].lines().count()
            + study_keys().lines().position(|line| line.starts_with(start)).unwrap()
            + 1
    };
    let expected = format!(
        "{FILE}:{}: study `tuned`: parameter `memo` is 5, must be true or false\n{FILE}:{}: study `tuned`: `budget` is 2 nodes, \
         which agent `mdp` does not take; it takes: {{ plies = … }}, {{ playouts = … }}",
        at("params"),
        at("budget")
    );
    let studies = || paper.studies.iter().map(|study| (&paper, study));
    assert_eq!(check_study_agents(studies(), &[mdp()]).unwrap_err().to_string(), expected);
    let experiments = paper.experiments.iter().map(|experiment| (&paper, experiment));
    assert_eq!(check_agents(experiments, &[pure(), mdp()]).unwrap_err().to_string(), expected);
    let unknown = check_study_agents(studies(), &[pure()]).unwrap_err().to_string();
    assert!(
        unknown.contains(": study `tuned`: `agent` is `mdp`, which no plugin offers; known: pure-mcts."),
        "{unknown}"
    );
}

#[test]
fn what_is_searched_needs_no_default_but_the_default_does() {
    let schema = json!({
        "properties": {"memo": {}, "top": {}, "tie": {}, "depth": {"type": "integer"}},
        "required": ["depth"],
    });
    let strict = agent("mdp", Capabilities::PLIES, schema);
    let paper = read(EXAMPLE).unwrap();
    let studies = paper.studies.iter().map(|study| (&paper, study));
    check_study_agents(studies, std::slice::from_ref(&strict)).unwrap();
    let of =
        |id: &str| check_agents([(&paper, paper.experiment(id).unwrap())], std::slice::from_ref(&strict));
    of("tuned-best-1").unwrap();
    let error = of("tuned-default").unwrap_err().to_string();
    assert!(
        error.ends_with(
            "study `tuned`: `params` lacks `depth`, for which agent `mdp` has no default: give it"
        ),
        "{error}"
    );
}
