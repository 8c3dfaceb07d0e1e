//! `pipeline agents`: the agents that there are, and all of one.

mod agent_details;

use engine::abi::host::AgentInfo;

use super::{Failure, print_json, print_text};
use crate::cli;
use crate::lookup::finder::{Finder, paper_of};
use crate::naming::forms;
use crate::output::style::Style;
use crate::output::table::table;
use agent_details::AgentDetails;
use manifest::Paper;
use platform::plain::shortened;
use workers::catalogue::Catalogue;

/// The most columns of the list.
const COLUMNS: usize = 100;

pub(crate) fn agents(arguments: &cli::Agents) -> Result<(), Failure> {
    let mut finder = Finder::new(&arguments.places)?;
    if let Some(name) = &arguments.name {
        let one = AgentDetails::of(&mut finder, name)?;
        return if arguments.json { print_json(&one) } else { print_text(&one.text(Style::of_stdout())) };
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
    table(&header, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
