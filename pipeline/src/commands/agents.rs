//! `pipeline agents`: a list of the agents, or the details of one: its parameters, its file, and the
//! experiments that use it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use engine::abi::host::AgentInfo;
use engine::agent::Capabilities;
use serde::Serialize;
use serde_json::Value;

use super::{Failure, print_json, print_result, print_text};
use crate::cli;
use crate::lookup::finder::{Finder, first_use, paper_of};
use crate::naming::{forms, shown_params};
use crate::output::style::Style;
use crate::output::{indented, table};
use manifest::{Experiment, Paper};
use platform::plain::shortened;
use text::counted;
use workers::Catalogue;

/// How many experiments are listed at most.
const MOST_LISTED: usize = 40;

/// The most columns of the list.
const COLUMNS: usize = 100;

pub(crate) fn agents(arguments: &cli::AgentsArgs) -> Result<(), Failure> {
    let mut finder = Finder::new(&arguments.places)?;
    if let Some(name) = &arguments.name {
        let one = AgentDetails::of(&mut finder, name)?;
        return print_result(arguments.json, &one, || one.text(Style::of_stdout()));
    }
    let catalogue = finder.catalogue()?.clone();
    if arguments.json {
        return print_json(&catalogue);
    }
    // A list of agents is worth having where a manifest is broken.
    let papers = finder.papers().unwrap_or_default();
    print_text(&text(&catalogue, papers))
}

fn text(catalogue: &Catalogue, papers: &[Paper]) -> String {
    let agents = catalogue.plugins.iter().flat_map(|plugin| &plugin.agents);
    let mut text = fitted(agents.map(|agent| row(agent, papers)).collect());
    for plugin in &catalogue.broken {
        text += &format!("cannot be used: {}\n", plugin.reason);
    }
    for (agent, one, other) in catalogue.clashes() {
        text += &format!("agent `{agent}` is in two plugins: {} and {}\n", one.display(), other.display());
    }
    text + "\n`pipeline agents NAME` shows parameters, files and experiments of one.\n"
}

fn row(agent: &AgentInfo, papers: &[Paper]) -> Vec<String> {
    let paper = paper_of(agent, papers).map_or("-", |paper| paper.id.as_str()).to_owned();
    let budgets = forms(agent).join(", ").replace("=N", "").replace("milliseconds", "time");
    vec![agent.id.clone(), paper, budgets, agent.name.clone()]
}

/// A table whose last column is shortened so that lines fit.
fn fitted(mut rows: Vec<Vec<String>>) -> String {
    let header = ["agent", "paper", "budgets", "what it is"];
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([header[column].len()]).max().unwrap_or(0)
    };
    let left = COLUMNS.saturating_sub((0..3).map(width).sum::<usize>() + 3 * 2).max(20);
    rows.iter_mut().for_each(|row| row[3] = shortened(&row[3], left - 1));
    table(&header, rows)
}

/// All of one agent.
#[derive(Serialize)]
struct AgentDetails {
    agent: AgentInfo,
    file: PathBuf,
    sha256: String,
    /// The SHA-256 of each file of data that its decisions depend on, by role.
    files: BTreeMap<String, String>,
    /// The paper that uses it, in which it is described.
    used_in: Option<String>,
    budgets: Vec<&'static str>,
    /// The budget that it gets where none is given, and the experiment whose it is.
    default_budget: Option<(String, String)>,
    experiments: Vec<Used>,
}

/// An experiment that uses it.
#[derive(Serialize)]
struct Used {
    experiment: String,
    /// Its settings behind the agent's name, on a command line.
    settings: String,
    games: u64,
}

impl AgentDetails {
    fn of(finder: &mut Finder, name: &str) -> Result<Self, Failure> {
        let (plugin, agent) = finder.agent(name)?;
        let papers = finder.papers()?;
        let used = papers.iter().flat_map(|paper| used_in(paper, &agent));
        let default = first_use(papers, &agent).map(|(key, budget)| (budget.to_string(), key.to_string()));
        let needs_budget = !agent.capabilities.contains(Capabilities::NO_BUDGET);
        Ok(Self {
            file: plugin.file.clone(),
            sha256: plugin.sha256.clone(),
            files: plugin.files.clone(),
            used_in: paper_of(&agent, papers).map(|paper| paper.id.clone()),
            budgets: forms(&agent),
            default_budget: default.filter(|_| needs_budget),
            experiments: used.collect(),
            agent,
        })
    }

    fn text(&self, style: Style) -> String {
        let Style { bold, dim, plain, .. } = style;
        let AgentInfo { id, name, version, paper, licence, .. } = &self.agent;
        let mut rows = vec![("paper", if paper.is_empty() { "none".to_owned() } else { paper.clone() })];
        rows.extend(self.used_in.iter().map(|used_in| ("manifest", used_in.clone())));
        rows.push(("licence", licence.clone()));
        rows.push(("file", self.file.display().to_string()));
        rows.push(("SHA-256", self.sha256.clone()));
        rows.extend(self.files.iter().map(|(role, sha256)| (role.as_str(), format!("SHA-256 {sha256}"))));
        if !self.agent.files.is_empty() {
            rows.push(("needs", format!("files: {}", self.agent.files.join(", "))));
        }
        rows.push(("budgets", self.budget_words()));
        rows.push(("can", can(self.agent.capabilities)));
        let rows = rows.iter().map(|(what, value)| format!("  {dim}{what:<10}{plain} {value}\n"));
        let mut text = format!("{bold}{id}{plain} {version}: {name}\n\n{}", rows.collect::<String>());
        text += &params_text("parameters", &self.agent.params_schema, style);
        if let Some(training) = &self.agent.training {
            let title = format!("parameters of a training, which gives `{}`", training.role);
            text += &params_text(&title, &training.params_schema, style);
        }
        text + &self.experiments_text(style)
    }

    fn budget_words(&self) -> String {
        let forms = self.budgets.join(", ");
        match &self.default_budget {
            Some((budget, of)) => format!("{forms}; without one {budget}, as in {of}"),
            None => forms,
        }
    }

    fn experiments_text(&self, Style { bold, plain, .. }: Style) -> String {
        let count = self.experiments.len();
        if count == 0 {
            return "\nno experiment uses it\n".to_owned();
        }
        let row = |used: &Used| vec![used.experiment.clone(), used.games.to_string(), used.settings.clone()];
        let rows = self.experiments.iter().take(MOST_LISTED).map(row);
        let listed = indented(&table(&["experiment", "games", "settings"], rows));
        let count_text = counted(count as u64, "experiment");
        let mut text = format!("\n{bold}used by {count_text}{plain}\n{listed}");
        if count > MOST_LISTED {
            text += &format!("  and {} more: --json lists all\n", count - MOST_LISTED);
        }
        text
    }
}

/// The parameters of a schema, each with its default, what it may be, and what it is for.
fn params_text(title: &str, schema: &Value, style: Style) -> String {
    let Style { bold, plain, .. } = style;
    let properties = schema.get("properties").and_then(Value::as_object);
    let Some(properties) = properties.filter(|properties| !properties.is_empty()) else {
        return format!("\nno {title}\n");
    };
    let mut text = format!("\n{bold}{title}{plain}\n");
    for (name, property) in properties {
        let default = property.get("default").map_or("needed".to_owned(), |value| format!("{name}={value}"));
        let allowed = allowed(schema, property);
        text.push_str(format!("  {default:<32} {allowed}").trim_end());
        text.push('\n');
        let about = property.get("description").and_then(Value::as_str).unwrap_or_default();
        for line in about.lines().filter(|line| !line.trim().is_empty()) {
            text.push_str(&format!("      {}\n", platform::plain::line(line)));
        }
    }
    text
}

fn used_in<'a>(paper: &'a Paper, agent: &'a AgentInfo) -> impl Iterator<Item = Used> + 'a {
    // What plays a study's winner has its settings from there.
    let is_own = |experiment: &&Experiment| experiment.agent == agent.id && experiment.winner.is_none();
    let uses = paper.experiments.iter().filter(is_own);
    uses.map(|experiment: &Experiment| Used {
        experiment: format!("{}/{}", paper.id, experiment.id),
        settings: shown_params(agent, &experiment.params, experiment.budget).join(","),
        games: experiment.games,
    })
}

/// What an agent can do beyond choosing moves.
fn can(capabilities: Capabilities) -> String {
    let abilities = [
        (Capabilities::SPAWNER, "place the tiles of adversarial games"),
        (Capabilities::OVERRUNS, "spend a little more than its budget"),
    ];
    let can = abilities.into_iter().filter(|&(ability, _)| capabilities.contains(ability));
    let can: Vec<&str> = can.map(|(_, words)| words).collect();
    if can.is_empty() { "choose moves".to_owned() } else { format!("choose moves, {}", can.join(", ")) }
}

/// The values that a parameter's schema allows, as far as a line can show them.
fn allowed(root: &Value, property: &Value) -> String {
    let target = property.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix('#'));
    let property = target.and_then(|pointer| root.pointer(pointer)).unwrap_or(property);
    let list = |keyword: &str| property.get(keyword).and_then(Value::as_array);
    let joined = |words: Vec<String>| words.join(" or ");
    if let Some(values) = list("enum") {
        return joined(values.iter().map(word).collect());
    }
    if let Some(branches) = list("oneOf").or_else(|| list("anyOf")) {
        let each = branches.iter().map(|one| one.get("const").map_or_else(|| allowed(root, one), word));
        return joined(each.filter(|text| !text.is_empty()).collect());
    }
    let kind = match list("type") {
        Some(kinds) => Some(joined(kinds.iter().map(word).collect())),
        None => property.get("type").and_then(Value::as_str).map(str::to_owned),
    };
    let bounds = [
        ("minimum", "at least"),
        ("exclusiveMinimum", "above"),
        ("maximum", "at most"),
        ("exclusiveMaximum", "below"),
    ];
    let bounds = bounds.iter().filter_map(|(key, words)| Some(format!("{words} {}", property.get(*key)?)));
    kind.into_iter().chain(bounds).collect::<Vec<_>>().join(", ")
}

fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_list_fits_whatever_agents_are_called() {
        let row = |id: &str, what: &str| [id, "some_paper", "none, plies", what].map(str::to_owned).to_vec();
        let long = row("a-rather-long-name-of-an-agent", &"very long ".repeat(20));
        let text = fitted(vec![row("short", "What it is"), long]);
        assert!(text.lines().all(|line| line.chars().count() <= COLUMNS), "{text}");
        assert!(text.lines().nth(2).unwrap().ends_with('…'), "{text}");
        let columns = |line: &str| line.find("some_paper");
        assert_eq!(text.lines().nth(1).and_then(columns), text.lines().nth(2).and_then(columns));
    }

    #[test]
    fn what_a_parameter_may_be_is_read_from_its_schema() {
        let root =
            json!({ "$defs": { "Counts": { "oneOf": [{ "const": "layers" }, { "const": "moves" }] } } });
        for (property, words) in [
            (json!({ "type": "number", "minimum": 0, "maximum": 1 }), "number, at least 0, at most 1"),
            (json!({ "type": "integer", "exclusiveMinimum": 0 }), "integer, above 0"),
            (json!({ "type": "string", "enum": ["a", "b"] }), "a or b"),
            (json!({ "$ref": "#/$defs/Counts", "default": "layers" }), "layers or moves"),
            (json!({ "anyOf": [{ "type": "integer" }, { "type": "null" }] }), "integer or null"),
            (json!({ "type": ["number", "null"] }), "number or null"),
            (json!({}), ""),
        ] {
            assert_eq!(allowed(&root, &property), words, "{property}");
        }
    }
}
