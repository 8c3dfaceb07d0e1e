//! An agent's settings, read by its own schema: what it takes, and in the command line's words what it does not.

use std::collections::BTreeMap;
use std::fmt;

use engine::abi::host::AgentInfo;
use engine::agent::Budget;
use serde_json::{Map, Value};

use super::budget::forms;
use super::{BudgetText, NoBudget, SettingText, perhaps};
use manifest::{AgentMismatch, check_budget, check_params, resolved_params};
use platform::plain::line;
use rendering::settings::{budget_argument, setting};

/// All that is said of how one agent plays, the weightier later: an experiment's word, then options for several agents, then what stands
/// behind the agent's own name.
#[derive(Clone, Debug, Default)]
pub struct Given<'a> {
    /// The parameters of the experiment that is named.
    pub experiment: Map<String, Value>,
    /// Its budget.
    pub experiment_budget: Option<Budget>,
    /// Parameters of `--param`, name and text.
    pub params: &'a [(String, String)],
    /// The budget of `--budget`.
    pub budget: Option<BudgetText>,
    /// What stands behind the name.
    pub own: &'a [SettingText],
}

/// What an agent plays with.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// All of its parameters.
    pub params: Map<String, Value>,
    /// The budget, if one is given, by an experiment or on the command line.
    pub budget: Option<Budget>,
    /// Files that the command line gives, by role: as they are written there.
    pub files: BTreeMap<String, String>,
}

/// What an agent does not take of its settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError(Vec<String>);

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for SettingsError {}

/// Reads what is given for an agent.
///
/// # Errors
/// All that the agent does not take, each with what it takes instead.
pub fn settle(agent: &AgentInfo, given: &Given<'_>) -> Result<Settled, SettingsError> {
    let (params, budget) = (given.experiment.clone(), given.experiment_budget);
    let mut reading = Reading { agent, params, budget, files: BTreeMap::new(), wrong: vec![] };
    for (key, text) in given.params {
        reading.param(key, text);
    }
    if let Some(budget) = given.budget {
        reading.budget(budget);
    }
    given.own.iter().for_each(|setting| reading.setting(setting));
    reading.end()
}

struct Reading<'a> {
    agent: &'a AgentInfo,
    params: Map<String, Value>,
    budget: Option<Budget>,
    files: BTreeMap<String, String>,
    wrong: Vec<String>,
}

impl Reading<'_> {
    fn setting(&mut self, setting: &SettingText) {
        let is_param = |key: &str| self.names().any(|name| name == key);
        match setting {
            SettingText::Bare(text) => match text.parse() {
                Ok(budget) => self.budget(budget),
                Err(NoBudget) => self.tell(format!(
                    "`{}` is neither KEY=VALUE nor a budget{}",
                    line(text),
                    self.known(text)
                )),
            },
            SettingText::Named { key, value } => match BudgetText::of_kind(key, value) {
                // A parameter may be called as a budget that the agent does not take.
                Some(Ok(budget)) if self.takes(budget) || !is_param(key) => self.budget(budget),
                Some(Err(no_budget)) if !is_param(key) => {
                    self.tell(format!("`{}={}`: {no_budget}", line(key), line(value)));
                }
                _ => self.param(key, value),
            },
        }
    }

    fn takes(&self, budget: BudgetText) -> bool {
        budget.of_agent(self.agent).is_some_and(|budget| self.agent.capabilities.takes(budget))
    }

    fn budget(&mut self, text: BudgetText) {
        match (text.of_agent(self.agent), text) {
            (Some(budget), _) => self.budget = Some(budget),
            (None, BudgetText::Amount(amount)) => match &forms(self.agent)[..] {
                ["none"] => self.tell(format!("it takes no budget, so not {amount} of anything either")),
                forms => {
                    let forms = forms.join(", ");
                    self.tell(format!("a budget of {amount} does not say of what; it takes: {forms}"));
                }
            },
            (None, BudgetText::Exact(_)) => unreachable!("what is exact is a budget"),
        }
    }

    fn param(&mut self, key: &str, text: &str) {
        let is_param = self.names().any(|name| name == key);
        if !is_param && self.agent.files.iter().any(|role| role == key) {
            self.files.insert(key.to_owned(), text.to_owned());
            return;
        }
        if !is_param {
            self.tell(format!("there is no parameter `{}`{}", line(key), self.known(key)));
            return;
        }
        self.params.insert(key.to_owned(), typed(self.agent, key, text));
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let properties = self.agent.params_schema.get("properties").and_then(Value::as_object);
        properties.into_iter().flat_map(Map::keys).map(String::as_str)
    }

    /// What could be meant, and all that there is.
    fn known(&self, word: &str) -> String {
        let names: Vec<&str> = self.names().collect();
        let listed = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let kinds = ["plies", "nodes", "playouts", "milliseconds"];
        let files = self.agent.files.iter().map(String::as_str);
        let near = perhaps(word, names.iter().copied().chain(kinds).chain(files));
        let files = match &self.agent.files[..] {
            [] => String::new(),
            files => format!("; files: {}", files.join(", ")),
        };
        format!(".{near} Parameters: {listed}; budgets: {}{files}", forms(self.agent).join(", "))
    }

    fn tell(&mut self, wrong: String) {
        self.wrong.push(format!("agent `{}`: {wrong}", self.agent.id));
    }

    fn end(mut self) -> Result<Settled, SettingsError> {
        for mismatch in check_params(self.agent, &self.params) {
            let told = match mismatch {
                AgentMismatch::MissingParameter { parameter, .. } => {
                    let parameter = line(&parameter);
                    format!(
                        "parameter `{parameter}` has no default: write {},{parameter}=VALUE",
                        self.agent.id
                    )
                }
                other => other.to_string(),
            };
            self.tell(told);
        }
        if let Some(budget) = self.budget.filter(|&budget| check_budget(self.agent, budget).is_some()) {
            let forms = forms(self.agent).join(", ");
            self.tell(format!("it does not take a budget of {budget}; it takes: {forms}"));
        }
        if !self.wrong.is_empty() {
            return Err(SettingsError(self.wrong));
        }
        let params = resolved_params(self.agent, &self.params);
        Ok(Settled { params, budget: self.budget, files: self.files })
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

/// The parameters that are not an agent's defaults, and the budget, as they stand behind its name: `depth_counts=moves,plies=3`.
#[must_use]
pub fn shown_params(agent: &AgentInfo, params: &Map<String, Value>, budget: Budget) -> Vec<String> {
    let defaults = agent.default_params();
    let differing = params.iter().filter(|(name, value)| defaults.get(*name) != Some(*value));
    differing.map(|(name, value)| setting(name, value)).chain(budget_argument(budget)).collect()
}

impl SettingsError {
    /// The error of an agent that needs a budget and is given none.
    #[must_use]
    pub fn no_budget(agent: &AgentInfo) -> Self {
        let forms = forms(agent);
        let example = forms.first().map_or("plies=N", |form| *form);
        let listed = forms.join(", ");
        let id = &agent.id;
        Self(vec![format!(
            "agent `{id}` needs a budget, and no experiment says which: write {id},{example}; it takes: {listed}"
        )])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naming::AgentSpec;
    use engine::agent::Capabilities;
    use serde_json::json;

    fn agent(capabilities: Capabilities) -> AgentInfo {
        AgentInfo {
            files: Vec::new(),
            training: None,
            index: 0,
            id: "a".to_owned(),
            name: "A".to_owned(),
            version: "1".to_owned(),
            paper: String::new(),
            licence: "MIT".to_owned(),
            capabilities,
            params_schema: json!({ "properties": {
                "depth_counts": { "type": "string", "enum": ["layers", "moves"], "default": "layers" },
                "weights": { "type": "array", "items": { "type": "number" }, "default": [1.0] },
                "label": { "type": "string", "default": "x" },
                "top": { "type": "number", "maximum": 1, "default": 0.5 },
                "nodes": { "type": "integer", "default": 1 },
            }}),
        }
    }

    fn read(text: &str, capabilities: Capabilities) -> Result<Settled, SettingsError> {
        let spec: AgentSpec = text.parse().unwrap();
        settle(&agent(capabilities), &Given { own: &spec.settings, ..Given::default() })
    }

    #[test]
    fn settings_are_typed_by_the_schema() {
        let read = |text: &str| read(text, Capabilities::PLIES).unwrap();
        let settled = read("a,depth_counts=moves,weights=[1,2.5],label=3,top=0.25,plies=3");
        assert_eq!(
            Value::Object(settled.params),
            json!({ "depth_counts": "moves", "weights": [1, 2.5], "label": "3", "top": 0.25, "nodes": 1 })
        );
        assert_eq!(settled.budget, Some(Budget::Plies(3)));
        assert_eq!(read("a,label=\"3\"").params["label"], "3", "quotes are JSON's");
        for text in ["a,3", "a,3 plies", "a,budget=3", "a,budget=3 plies"] {
            assert_eq!(read(text).budget, Some(Budget::Plies(3)), "{text}");
        }
        assert_eq!(read("a").budget, None);
    }

    #[test]
    fn a_parameter_that_is_called_as_a_kind_of_budget_is_one_where_the_agent_takes_no_such_budget() {
        let settled = read("a,nodes=7", Capabilities::PLIES).unwrap();
        assert_eq!((settled.params["nodes"].clone(), settled.budget), (json!(7), None));
        let settled = read("a,nodes=7", Capabilities::NODES).unwrap();
        assert_eq!((settled.params["nodes"].clone(), settled.budget), (json!(1), Some(Budget::Nodes(7))));
    }

    #[test]
    fn what_stands_behind_the_name_weighs_more_than_options_and_these_more_than_the_experiment() {
        let spec: AgentSpec = "a,top=0.3".parse().unwrap();
        let experiment = json!({ "top": 0.1, "label": "e", "nodes": 4 });
        let params = [("top".to_owned(), "0.2".to_owned()), ("label".to_owned(), "o".to_owned())];
        let given = Given {
            experiment: experiment.as_object().unwrap().clone(),
            experiment_budget: Some(Budget::Plies(5)),
            params: &params,
            budget: Some(BudgetText::Amount(2)),
            own: &spec.settings,
        };
        let settled = settle(&agent(Capabilities::PLIES), &given).unwrap();
        let of = |name: &str| settled.params[name].clone();
        assert_eq!((of("top"), of("label"), of("nodes")), (json!(0.3), json!("o"), json!(4)));
        assert_eq!(settled.budget, Some(Budget::Plies(2)));
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
            let told = read(text, both).unwrap_err().to_string();
            assert!(words.iter().all(|word| told.contains(word)), "{text}: {told}");
            assert!(!told.contains("{ ") && !told.contains("`params`"), "that is TOML: {told}");
        }
        let told = read("a,top=2,zzz=1,label=x", both).unwrap_err().to_string();
        assert_eq!(told.lines().count(), 2, "all at once: {told}");
    }

    #[test]
    fn settings_are_shown_as_they_are_written() {
        let agent = agent(Capabilities::PLIES);
        let settled = read("a,depth_counts=moves,weights=[1,2],label=3,3", Capabilities::PLIES).unwrap();
        let shown = shown_params(&agent, &settled.params, Budget::Plies(3));
        assert_eq!(shown, ["depth_counts=moves", "label=\"3\"", "weights=[1,2]", "plies=3"]);
        let again = read(&format!("a,{}", shown.join(",")), Capabilities::PLIES).unwrap();
        assert_eq!(again, Settled { budget: Some(Budget::Plies(3)), ..settled });
        assert!(shown_params(&agent, &agent.default_params(), Budget::None).is_empty());
    }
}
