//! An agent's settings, read by its own schema: what it takes, and in the command line's words what it does
//! not.

use std::collections::BTreeMap;

use engine::abi::host::AgentInfo;
use engine::agent::Budget;
use serde_json::{Map, Value};

use super::budget::forms;
use super::{BudgetError, BudgetText, SettingText, perhaps};
use manifest::{AgentMismatch, Experiment, check_budget, check_params, resolved_params};
use platform::plain::line;
use rendering::settings::{budget_argument, setting};

/// The settings that an agent plays with.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentSettings {
    /// All of its parameters.
    pub params: Map<String, Value>,
    /// The budget, if one is given, by an experiment or on the command line.
    pub budget: Option<Budget>,
    /// Files that the command line gives, by role, as they are written there.
    pub files: BTreeMap<String, String>,
}

impl AgentSettings {
    /// The settings of the experiment that is named, if one is.
    pub fn of(experiment: Option<&Experiment>) -> Self {
        let params = experiment.map(|experiment| experiment.params.clone()).unwrap_or_default();
        Self { params, budget: experiment.map(|experiment| experiment.budget), files: BTreeMap::new() }
    }

    /// Lays the settings for an agent over these: those of options for several agents, then those behind the
    /// agent's own name.
    pub fn read(
        self,
        agent: &AgentInfo,
        params: &[(String, String)],
        budget: Option<BudgetText>,
        own: &[SettingText],
    ) -> Result<Self, String> {
        let mut reader = SettingsReader { agent, settings: self, problems: Vec::new() };
        params.iter().for_each(|(key, text)| reader.param(key, text));
        budget.into_iter().for_each(|budget| reader.budget(budget));
        own.iter().for_each(|setting| reader.setting(setting));
        reader.finish()
    }
}

struct SettingsReader<'a> {
    agent: &'a AgentInfo,
    settings: AgentSettings,
    problems: Vec<String>,
}

impl SettingsReader<'_> {
    fn setting(&mut self, setting: &SettingText) {
        match setting {
            SettingText::Bare(text) => match text.parse() {
                Ok(budget) => self.budget(budget),
                Err(BudgetError) => {
                    let known = self.known(text);
                    self.problem(format!("`{}` is neither KEY=VALUE nor a budget{known}", line(text)));
                }
            },
            SettingText::Named { key, value } => {
                let is_param = self.has_param(key);
                match BudgetText::of_kind(key, value) {
                    // A parameter may be called as a budget that the agent does not take.
                    Some(Ok(budget)) if self.takes(budget) || !is_param => self.budget(budget),
                    Some(Err(error)) if !is_param => {
                        self.problem(format!("`{}={}`: {error}", line(key), line(value)));
                    }
                    _ => self.param(key, value),
                }
            }
        }
    }

    fn takes(&self, budget: BudgetText) -> bool {
        budget.of_agent(self.agent).is_some_and(|budget| self.agent.capabilities.takes(budget))
    }

    fn budget(&mut self, text: BudgetText) {
        match (text.of_agent(self.agent), text) {
            (Some(budget), _) => self.settings.budget = Some(budget),
            (None, BudgetText::Amount(amount)) => match &forms(self.agent)[..] {
                ["none"] => self.problem(format!("it takes no budget, so not {amount} of anything either")),
                forms => {
                    let forms = forms.join(", ");
                    self.problem(format!("a budget of {amount} does not say of what; it takes: {forms}"));
                }
            },
            (None, BudgetText::Exact(_)) => unreachable!("what is exact is a budget"),
        }
    }

    fn param(&mut self, key: &str, text: &str) {
        if self.has_param(key) {
            self.settings.params.insert(key.to_owned(), typed(self.agent, key, text));
        } else if self.agent.files.iter().any(|role| role == key) {
            self.settings.files.insert(key.to_owned(), text.to_owned());
        } else {
            self.problem(format!("there is no parameter `{}`{}", line(key), self.known(key)));
        }
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let properties = self.agent.params_schema.get("properties").and_then(Value::as_object);
        properties.into_iter().flat_map(Map::keys).map(String::as_str)
    }

    fn has_param(&self, key: &str) -> bool {
        self.names().any(|name| name == key)
    }

    /// A suggestion, and all names that there are.
    fn known(&self, word: &str) -> String {
        let names: Vec<&str> = self.names().collect();
        let listed = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let kinds = ["plies", "nodes", "playouts", "milliseconds"];
        let roles = self.agent.files.iter().map(String::as_str);
        let near = perhaps(word, names.into_iter().chain(kinds).chain(roles));
        let files = match &self.agent.files[..] {
            [] => String::new(),
            files => format!("; files: {}", files.join(", ")),
        };
        format!(".{near} Parameters: {listed}; budgets: {}{files}", forms(self.agent).join(", "))
    }

    fn problem(&mut self, problem: String) {
        self.problems.push(format!("agent `{}`: {problem}", self.agent.id));
    }

    fn finish(mut self) -> Result<AgentSettings, String> {
        let agent = self.agent;
        for mismatch in check_params(agent, &self.settings.params) {
            self.problem(match mismatch {
                AgentMismatch::MissingParameter { parameter, .. } => {
                    let parameter = line(&parameter);
                    format!("parameter `{parameter}` has no default: write {},{parameter}=VALUE", agent.id)
                }
                other => other.to_string(),
            });
        }
        if let Some(budget) = self.settings.budget.filter(|&budget| check_budget(agent, budget).is_some()) {
            let forms = forms(agent).join(", ");
            self.problem(format!("it does not take a budget of {budget}; it takes: {forms}"));
        }
        if !self.problems.is_empty() {
            return Err(self.problems.join("\n"));
        }
        Ok(AgentSettings { params: resolved_params(agent, &self.settings.params), ..self.settings })
    }
}

/// A value as the agent's schema has it: JSON where that fits, else the text itself.
fn typed(agent: &AgentInfo, key: &str, text: &str) -> Value {
    let as_text = Value::String(text.to_owned());
    let Ok(read) = serde_json::from_str::<Value>(text) else { return as_text };
    let fits = |value: &Value| {
        let given = std::iter::once((key.to_owned(), value.clone())).collect();
        let is_wrong = |mismatch: &AgentMismatch| matches!(mismatch, AgentMismatch::Parameter { .. });
        !check_params(agent, &given).iter().any(is_wrong)
    };
    if !fits(&read) && fits(&as_text) { as_text } else { read }
}

/// The parameters that are not an agent's defaults, and the budget, as they stand behind its name:
/// `depth_counts=moves,plies=3`.
pub fn shown_params(agent: &AgentInfo, params: &Map<String, Value>, budget: Budget) -> Vec<String> {
    let defaults = agent.default_params();
    let differing = params.iter().filter(|(name, value)| defaults.get(*name) != Some(*value));
    differing.map(|(name, value)| setting(name, value)).chain(budget_argument(budget)).collect()
}

/// The problem of an agent that needs a budget and is given none.
pub fn no_budget(agent: &AgentInfo) -> String {
    let (id, forms) = (&agent.id, forms(agent));
    let example = forms.first().copied().unwrap_or("plies=N");
    let listed = forms.join(", ");
    format!(
        "agent `{id}` needs a budget, and no experiment says which: write {id},{example}; it takes: {listed}"
    )
}

#[cfg(test)]
mod tests {
    use super::super::AgentSpec;
    use super::*;
    use engine::agent::Capabilities;
    use serde_json::json;

    fn agent(capabilities: Capabilities) -> AgentInfo {
        let schema = json!({ "properties": {
            "depth_counts": { "type": "string", "enum": ["layers", "moves"], "default": "layers" },
            "weights": { "type": "array", "items": { "type": "number" }, "default": [1.0] },
            "label": { "type": "string", "default": "x" },
            "top": { "type": "number", "maximum": 1, "default": 0.5 },
            "nodes": { "type": "integer", "default": 1 },
        }});
        crate::test_setup::agent("a", capabilities, schema)
    }

    fn read(text: &str, capabilities: Capabilities) -> Result<AgentSettings, String> {
        let spec: AgentSpec = text.parse().unwrap();
        AgentSettings::of(None).read(&agent(capabilities), &[], None, &spec.settings)
    }

    #[test]
    fn settings_are_typed_by_the_schema() {
        let read = |text: &str| read(text, Capabilities::PLIES).unwrap();
        let settings = read("a,depth_counts=moves,weights=[1,2.5],label=3,top=0.25,plies=3");
        assert_eq!(
            Value::Object(settings.params),
            json!({ "depth_counts": "moves", "weights": [1, 2.5], "label": "3", "top": 0.25, "nodes": 1 })
        );
        assert_eq!(settings.budget, Some(Budget::Plies(3)));
        assert_eq!(read("a,label=\"3\"").params["label"], "3", "quotes are JSON's");
        for text in ["a,3", "a,3 plies", "a,budget=3", "a,budget=3 plies"] {
            assert_eq!(read(text).budget, Some(Budget::Plies(3)), "{text}");
        }
        assert_eq!(read("a").budget, None);
    }

    #[test]
    fn a_parameter_that_is_called_as_a_kind_of_budget_is_one_where_the_agent_takes_no_such_budget() {
        let settings = read("a,nodes=7", Capabilities::PLIES).unwrap();
        assert_eq!((settings.params["nodes"].clone(), settings.budget), (json!(7), None));
        let settings = read("a,nodes=7", Capabilities::NODES).unwrap();
        assert_eq!((settings.params["nodes"].clone(), settings.budget), (json!(1), Some(Budget::Nodes(7))));
    }

    #[test]
    fn what_stands_behind_the_name_weighs_more_than_options_and_these_more_than_the_experiment() {
        let spec: AgentSpec = "a,top=0.3".parse().unwrap();
        let experiment = json!({ "top": 0.1, "label": "e", "nodes": 4 });
        let params = [("top".to_owned(), "0.2".to_owned()), ("label".to_owned(), "o".to_owned())];
        let experiment = AgentSettings {
            params: experiment.as_object().unwrap().clone(),
            budget: Some(Budget::Plies(5)),
            files: BTreeMap::new(),
        };
        let budget = Some(BudgetText::Amount(2));
        let settings = experiment.read(&agent(Capabilities::PLIES), &params, budget, &spec.settings).unwrap();
        let of = |name: &str| settings.params[name].clone();
        assert_eq!((of("top"), of("label"), of("nodes")), (json!(0.3), json!("o"), json!(4)));
        assert_eq!(settings.budget, Some(Budget::Plies(2)));
    }

    #[test]
    fn errors_name_the_agent_the_key_what_is_allowed_and_what_is_near() {
        let both = Capabilities::PLIES.with(Capabilities::PLAYOUTS);
        for (text, words) in [
            (
                "a,depth_count=moves",
                &["agent `a`", "`depth_count`", "Did you mean `depth_counts`?", "top"][..],
            ),
            ("a,zzz=1", &["no parameter `zzz`. Parameters: ", "budgets: plies=N, playouts=N"]),
            (
                "a,depth_counts=steps",
                &["agent `a`", "`depth_counts` is \"steps\"", "\"layers\" or \"moves\""],
            ),
            ("a,top=2", &["`top` is 2, must be at most 1"]),
            ("a,playout", &["`playout` is neither KEY=VALUE nor a budget. Did you mean `playouts`?"]),
            ("a,plies=x", &["`plies=x`", "plies=N"]),
            ("a,3", &["a budget of 3 does not say of what; it takes: plies=N, playouts=N"]),
            ("a,milliseconds=3", &["does not take a budget of 3000000 ns; it takes: plies=N, playouts=N"]),
        ] {
            let error = read(text, both).unwrap_err();
            assert!(words.iter().all(|word| error.contains(word)), "{text}: {error}");
            assert!(!error.contains("{ ") && !error.contains("`params`"), "that is TOML: {error}");
        }
        let error = read("a,top=2,zzz=1,label=x", both).unwrap_err();
        assert_eq!(error.lines().count(), 2, "all at once: {error}");
    }

    #[test]
    fn settings_are_shown_as_they_are_written() {
        let agent = agent(Capabilities::PLIES);
        let settings = read("a,depth_counts=moves,weights=[1,2],label=3,3", Capabilities::PLIES).unwrap();
        let shown = shown_params(&agent, &settings.params, Budget::Plies(3));
        assert_eq!(shown, ["depth_counts=moves", "label=\"3\"", "weights=[1,2]", "plies=3"]);
        let again = read(&format!("a,{}", shown.join(",")), Capabilities::PLIES).unwrap();
        assert_eq!(again, AgentSettings { budget: Some(Budget::Plies(3)), ..settings });
        assert!(shown_params(&agent, &agent.default_params(), Budget::None).is_empty());
    }
}
