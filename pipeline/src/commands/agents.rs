//! `pipeline agents`: the agents that there are.

use std::fmt::Write as _;

use serde_json::Value;

use super::context::launcher;
use super::table::table;
use super::{Failure, print_json, print_text};
use crate::cli;
use workers::catalogue::Catalogue;

pub(crate) fn agents(arguments: &cli::Agents) -> Result<(), Failure> {
    let loading = &arguments.places.loading;
    let launcher = launcher(loading.memory)?;
    let catalogue = Catalogue::discover(&launcher, &loading.plugins)?;
    if arguments.json {
        return print_json(&catalogue);
    }
    print_text(&text(&catalogue))
}

fn text(catalogue: &Catalogue) -> String {
    let mut rows = Vec::new();
    for plugin in &catalogue.plugins {
        for agent in &plugin.agents {
            let file = plugin.file.display().to_string();
            let paper = if agent.paper.is_empty() { "-".to_owned() } else { agent.paper.clone() };
            rows.push(vec![
                agent.id.clone(),
                agent.version.clone(),
                paper,
                params(&agent.params_schema),
                file,
            ]);
        }
    }
    let mut text = table(&["agent", "version", "paper", "parameters", "file"], &rows);
    for plugin in &catalogue.plugins {
        let _ = writeln!(text, "{}  SHA-256 {}", plugin.file.display(), plugin.sha256);
    }
    for plugin in &catalogue.broken {
        let _ = writeln!(text, "cannot be used: {}", plugin.reason);
    }
    for (agent, one, other) in catalogue.clashes() {
        let _ =
            writeln!(text, "agent `{agent}` is in two plugins: {} and {}", one.display(), other.display());
    }
    text
}

/// The parameters with their defaults.
fn params(schema: &Value) -> String {
    let properties = schema.get("properties").and_then(Value::as_object);
    let one = |(name, property): (&String, &Value)| format!("{name}={}", property["default"]);
    let all: Vec<String> = properties.into_iter().flatten().map(one).collect();
    if all.is_empty() { "-".to_owned() } else { all.join(" ") }
}
