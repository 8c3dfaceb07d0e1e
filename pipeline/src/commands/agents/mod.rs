//! `pipeline agents`: the agents that there are, and all of one.

mod agent_details;

use std::fmt::Write as _;

use engine::abi::host::AgentInfo;

use super::{Failure, print_json, print_text};
use crate::cli;
use crate::lookup::finder::{Finder, paper_of};
use crate::naming::forms;
use crate::output::style::Style;
use agent_details::AgentDetails;
use manifest::Paper;
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
    let rows: Vec<[String; 4]> = agents.map(|agent| row(agent, papers)).collect();
    let mut text = fitted(["agent", "paper", "budgets", "what it is"], &rows);
    for plugin in &catalogue.broken {
        let _ = writeln!(text, "cannot be used: {}", plugin.reason);
    }
    for (agent, one, other) in catalogue.clashes() {
        let _ =
            writeln!(text, "agent `{agent}` is in two plugins: {} and {}", one.display(), other.display());
    }
    text.push_str("\n`pipeline agents NAME` shows parameters, files and experiments of one.\n");
    text
}

fn row(agent: &AgentInfo, papers: &[Paper]) -> [String; 4] {
    let paper = paper_of(agent, papers).map_or("-", |paper| paper.id.as_str()).to_owned();
    let short = |form: &'static str| match form.trim_end_matches("=N") {
        "milliseconds" => "time",
        kind => kind,
    };
    let budgets: Vec<&str> = forms(agent).into_iter().map(short).collect();
    [agent.id.clone(), paper, budgets.join(", "), agent.name.clone()]
}

/// A table whose last column is cut where lines would be too long.
fn fitted(header: [&str; 4], rows: &[[String; 4]]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([header[column].len()]).max().unwrap_or(0)
    };
    let widths = [width(0), width(1), width(2)];
    let left = COLUMNS.saturating_sub(widths.iter().sum::<usize>() + 3 * 2).max(20);
    let line = |cells: [&str; 4]| {
        let [id, paper, budgets, what] = cells;
        let [first, second, third] = widths;
        let line = format!("{id:<first$}  {paper:<second$}  {budgets:<third$}  {}", shortened(what, left));
        format!("{}\n", line.trim_end())
    };
    let rows = rows.iter().map(|row| line([&row[0], &row[1], &row[2], &row[3]]));
    std::iter::once(line(header)).chain(rows).collect()
}

/// A text of no more letters than this.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 1).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_fits_whatever_agents_are_called() {
        let row = |id: &str, what: &str| [id, "some_paper", "none, plies, playouts", what].map(str::to_owned);
        let rows =
            [row("short", "What it is"), row("a-rather-long-name-of-an-agent", &"very long ".repeat(20))];
        let text = fitted(["agent", "paper", "budgets", "what it is"], &rows);
        assert!(text.lines().all(|line| line.chars().count() <= COLUMNS), "{text}");
        assert!(text.lines().nth(2).unwrap().ends_with('…'), "{text}");
        let columns = |line: &str| line.find("some_paper");
        assert_eq!(text.lines().nth(1).and_then(columns), text.lines().nth(2).and_then(columns));
    }
}
