//! Settings: what an experiment's games were played with beyond the agent's defaults, as the command line
//! writes it, so that a row of a table can be played again.

use engine::agent::Budget;
use manifest::{Experiment, Paper};
use records::Identity;
use serde_json::Value;

/// The parameters that the manifest gives, the files and the budget, each as `name=value`, in the order of
/// the command line. Values are those of the games, which may be older than the manifest.
fn parts(experiment: &Experiment, identity: &Identity) -> Vec<String> {
    let played = |(name, asked): (&String, &Value)| setting(name, identity.params.get(name).unwrap_or(asked));
    let files = experiment.files.iter().map(|(role, source)| format!("{role}={source}"));
    experiment.params.iter().map(played).chain(files).chain(budget_argument(identity.budget)).collect()
}

/// The settings for people: `depth_counts=moves, plies=3`; empty where the agent plays as it is.
pub fn settings(experiment: &Experiment, identity: &Identity) -> String {
    parts(experiment, identity).join(", ")
}

/// The agent with its settings in one word: `ms-expectimax,depth_counts=moves,plies=3`.
pub fn spec(experiment: &Experiment, identity: &Identity) -> String {
    behind(&identity.agent, parts(experiment, identity))
}

/// An agent's name with settings behind commas, as every command takes it.
pub(crate) fn behind(agent: &str, settings: impl IntoIterator<Item = String>) -> String {
    std::iter::once(agent.to_owned()).chain(settings).collect::<Vec<_>>().join(",")
}

/// The command that plays an experiment's agent as the experiment does: its parameters, budget and rules.
pub fn eval_command(paper: &Paper, experiment: &Experiment) -> String {
    format!("pipeline eval {}/{}", paper.id, experiment.id)
}

/// What a budget counts; none if there is none.
pub(crate) const fn budget_kind(budget: Budget) -> Option<&'static str> {
    match budget {
        Budget::None => None,
        Budget::Plies(_) => Some("plies"),
        Budget::Nodes(_) => Some("nodes"),
        Budget::Playouts(_) => Some("playouts"),
        Budget::TimeNs(_) => Some("time-ns"),
    }
}

/// A budget as the command line takes it; none if there is none.
pub fn budget_argument(budget: Budget) -> Option<String> {
    match budget {
        Budget::TimeNs(count) if count % 1_000_000 == 0 => {
            Some(format!("milliseconds={}", count / 1_000_000))
        }
        budget => budget_kind(budget).map(|kind| format!("{kind}={}", budget.amount())),
    }
}

/// A parameter or a rule as the command line takes it: `name=value`.
pub fn setting(name: &str, value: &Value) -> String {
    match value {
        Value::String(text) if stands_as_it_is(text) => format!("{name}={text}"),
        value => format!("{name}={value}"),
    }
}

/// Whether a text needs no quotes behind an agent's name: it is read as text, and commas or brackets in it
/// end nothing.
fn stands_as_it_is(text: &str) -> bool {
    let is_grammar = |letter: char| ",[]{}\"\\".contains(letter);
    text.trim() == text && !text.contains(is_grammar) && serde_json::from_str::<Value>(text).is_err()
}

#[cfg(test)]
mod tests {
    use engine::Rules;
    use serde_json::{Map, json};

    use super::*;

    fn experiment(text: &str) -> Experiment {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("p.toml");
        let head = "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\n[[experiment]]\nid = \"e\"\nagent = \"a\"\ngames = 2\n";
        std::fs::write(&file, format!("{head}{text}")).unwrap();
        manifest::load(&file).unwrap().experiments.remove(0)
    }

    fn identity(params: Value, budget: Budget) -> Identity {
        let params: Map<String, Value> = serde_json::from_value(params).unwrap();
        Identity::new(Rules::default(), ("a", "1"), params, budget, 1, None)
    }

    #[test]
    fn what_is_given_stands_as_the_command_line_takes_it_and_defaults_do_not() {
        let given =
            experiment("params = { depth_counts = \"moves\", share = 0.25 }\nbudget = { plies = 3 }\n");
        let played = identity(json!({"depth_counts": "moves", "share": 0.25, "weight": 7}), Budget::Plies(3));
        assert_eq!(settings(&given, &played), "depth_counts=moves, share=0.25, plies=3");
        assert_eq!(spec(&given, &played), "a,depth_counts=moves,share=0.25,plies=3");
        let hash = "ab".repeat(32);
        let learned = experiment(&format!("files.weights = \"{hash}\"\nbudget = {{ plies = 1 }}\n"));
        let spec_of_learned = spec(&learned, &identity(json!({}), Budget::Plies(1)));
        assert_eq!(spec_of_learned, format!("a,weights={hash},plies=1"));
        let plain = experiment("");
        assert_eq!(settings(&plain, &identity(json!({"weight": 7}), Budget::None)), "");
        assert_eq!(spec(&plain, &identity(json!({}), Budget::None)), "a");
    }

    #[test]
    fn games_that_are_older_than_the_manifest_keep_their_own_values() {
        let asked = experiment("params = { share = 0.5 }\nbudget = { nodes = 9 }\n");
        let played = identity(json!({"share": 0.25}), Budget::Nodes(8));
        assert_eq!(settings(&asked, &played), "share=0.25, nodes=8");
    }

    #[test]
    fn a_text_that_looks_like_a_number_stays_a_text() {
        assert_eq!(
            [json!("moves"), json!("3"), json!(3), json!(true)].map(|value| setting("x", &value)),
            ["x=moves", "x=\"3\"", "x=3", "x=true"]
        );
    }

    #[test]
    fn a_text_that_would_end_its_setting_is_quoted() {
        assert_eq!(
            [json!("U,R"), json!("a]"), json!(" a"), json!(""), json!("1/4"), json!("a b")]
                .map(|value| setting("x", &value)),
            [r#"x="U,R""#, r#"x="a]""#, r#"x=" a""#, "x=", "x=1/4", "x=a b"]
        );
    }
}
