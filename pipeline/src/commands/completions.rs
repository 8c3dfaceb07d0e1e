//! `pipeline completions`: completions for a shell, with the names of agents, experiments and papers.
//!
//! The names stand in the script, so a key press starts no process. clap's scripts complete the options; they
//! give bash only the first positional argument and fish none, so both are added here.

use std::collections::BTreeSet;

use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory as _};
use clap_complete::Shell;

use super::{Failure, print_text};
use crate::cli::{self, Cli};
use crate::lookup::finder::Finder;
use NameList::{Agents, Claims, Experiments, Papers, Studies, Trainings};
use platform::console::note;

/// A list of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameList {
    Agents,
    Papers,
    Experiments,
    Studies,
    Trainings,
    Claims,
}

/// The names that arguments take, each argument behind its command.
const ARGUMENTS: [(&[NameList], &str); 7] = [
    (
        &[Agents, Experiments],
        "ask agent, eval agent, eval against, play agent, compare agents, check name, agents name",
    ),
    (&[Papers, Experiments], "ask rules, eval rules, play rules, compare rules"),
    (
        &[Papers, Experiments, Studies, Trainings],
        "run names, plan names, explain names, reproduce names, cluster submit names",
    ),
    (&[Papers, Studies], "study names"),
    (&[Papers, Trainings], "train names"),
    (&[Papers, Claims], "claims names"),
    (&[Experiments], "games experiment, replay experiment"),
];

/// All names that there are, by list.
#[derive(Debug, Default)]
struct NameLists([Vec<String>; 6]);

pub(crate) fn completions(arguments: &cli::CompletionsArgs) -> Result<(), Failure> {
    let mut finder = Finder::new(&arguments.places)?;
    let names = NameLists::of(&mut finder);
    print_text(&script(arguments.shell, &names))
}

fn script(shell: Shell, names: &NameLists) -> String {
    let mut command = offered(&Cli::command(), "", names);
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, "pipeline", &mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    match shell {
        Shell::Bash => text + &bash(&command, names),
        Shell::Fish => text + &fish(&command, names),
        _ => text,
    }
}

/// The command line with names as the values of its arguments, and without the commands that only the program
/// itself uses, which clap's scripts would offer.
fn offered(command: &Command, path: &str, names: &NameLists) -> Command {
    // clap keeps literals only, and the program ends when the script is printed.
    let literal = |text: &str| -> &'static str { text.to_owned().leak() };
    let arguments = command.get_arguments().map(|argument| {
        let values = names.of_argument(path, argument.get_id().as_str()).into_iter().map(literal);
        let values: Vec<&'static str> = values.collect();
        match values.is_empty() {
            true => argument.clone(),
            false => argument.clone().value_parser(PossibleValuesParser::new(values)),
        }
    });
    let shown = command.get_subcommands().filter(|below| !below.is_hide_set());
    let shown = shown.map(|below| offered(below, format!("{path} {}", below.get_name()).trim(), names));
    Command::new(literal(command.get_name()))
        .about(command.get_about().cloned().unwrap_or_default())
        .args(arguments)
        .subcommands(shown)
}

impl NameLists {
    /// All names that can be found. Options are worth completing even if agents or manifests are broken.
    fn of(finder: &mut Finder) -> Self {
        let mut names = Self::default();
        match finder.catalogue() {
            Ok(catalogue) => {
                let ids: BTreeSet<String> = catalogue.agents().into_iter().map(|agent| agent.id).collect();
                names.0[Agents as usize].extend(ids);
            }
            Err(failure) => note(format!("no agents are completed: {}", failure.message())),
        }
        match finder.papers() {
            Ok(papers) => {
                for paper in papers {
                    let full = |id: &String| format!("{}/{id}", paper.id);
                    let mut add = |list: NameList, ids: Vec<String>| names.0[list as usize].extend(ids);
                    add(Papers, vec![paper.id.clone()]);
                    add(Experiments, paper.experiments.iter().map(|one| full(&one.id)).collect());
                    add(Studies, paper.studies.iter().map(|one| full(&one.id)).collect());
                    add(Trainings, paper.trainings.iter().map(|one| full(&one.id)).collect());
                    add(Claims, paper.claims.iter().map(|one| full(&one.id)).collect());
                }
            }
            Err(failure) => note(format!("no papers are completed: {}", failure.message())),
        }
        names
    }

    /// The names that an argument of a command takes.
    fn of_argument(&self, command: &str, argument: &str) -> Vec<&str> {
        let argument = format!("{command} {argument}");
        let lists = ARGUMENTS.iter().filter(|(_, takers)| takers.split(", ").any(|taker| taker == argument));
        lists
            .flat_map(|(lists, _)| *lists)
            .flat_map(|list| &self.0[*list as usize])
            .map(String::as_str)
            .collect()
    }
}

/// The commands with positional names, each with its names.
fn positional(command: &Command, path: &str, names: &NameLists) -> Vec<(String, String)> {
    let own = command.get_positionals().map(|known| names.of_argument(path, known.get_id().as_str()));
    let own = own.filter(|words| !words.is_empty()).map(|words| (path.to_owned(), words.join(" ")));
    let below = command.get_subcommands().flat_map(|below| {
        let path = format!("{path} {}", below.get_name());
        positional(below, path.trim(), names)
    });
    own.chain(below).collect()
}

/// All options that are followed by a value, as a pattern of bash.
fn valued(command: &Command) -> String {
    let subcommands = || command.get_subcommands();
    let all = subcommands().chain(subcommands().flat_map(Command::get_subcommands));
    let arguments = all.flat_map(Command::get_arguments);
    let options = arguments.filter(|known| !known.is_positional() && known.get_action().takes_values());
    let spelled: BTreeSet<String> = options
        .flat_map(|known| {
            let long = known.get_long().map(|name| format!("--{name}"));
            long.into_iter().chain(known.get_short().map(|letter| format!("-{letter}")))
        })
        .collect();
    spelled.into_iter().collect::<Vec<_>>().join("|")
}

/// Names at every place of a command, where clap's own function has nothing to offer. Of `--option=value`
/// bash makes three words.
fn bash(command: &Command, names: &NameLists) -> String {
    let case = |(command, words): (String, String)| {
        let command = if command.contains(' ') { format!("\"{command}\"") } else { command };
        format!("        {command}) words=\"{words}\" ;;\n")
    };
    let cases: String = positional(command, "", names).into_iter().map(case).collect();
    format!(include_str!("completions.bash"), valued = valued(command), cases = cases)
}

/// Names behind the commands that take them.
fn fish(command: &Command, names: &NameLists) -> String {
    let line = |(command, words): (String, String)| {
        let seen = command.replace(' ', "; and __fish_seen_subcommand_from ");
        format!("complete -c pipeline -n \"__fish_pipeline_using_subcommand {seen}\" -a \"{words}\"\n")
    };
    positional(command, "", names).into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> NameLists {
        let lists =
            ["random ms-expectimax", "cross", "cross/uct", "cross/search", "cross/net", "cross/order"];
        NameLists(lists.map(|list| list.split(' ').map(str::to_owned).collect()))
    }

    /// A command that is renamed, or an argument, would lose its names in silence.
    #[test]
    fn every_argument_with_names_is_on_the_command_line() {
        let command = Cli::command();
        for taker in ARGUMENTS.into_iter().flat_map(|(_, takers)| takers.split(", ")) {
            let (path, argument) = taker.rsplit_once(' ').unwrap();
            let of = path.split(' ').try_fold(&command, |command, word| command.find_subcommand(word));
            assert!(
                of.is_some_and(|of| of.get_arguments().any(|known| known.get_id() == argument)),
                "{taker}"
            );
        }
    }

    #[test]
    fn the_scripts_of_three_shells_have_the_names() {
        for (shell, lines) in [
            (
                Shell::Bash,
                &[
                    "compare) words=\"random ms-expectimax cross/uct\" ;;",
                    "claims) words=\"cross cross/order\" ;;",
                    "train) words=\"cross cross/net\" ;;",
                    "explain) words=\"cross cross/uct cross/search cross/net\" ;;",
                    "\"cluster submit\") words=\"cross cross/uct cross/search cross/net\" ;;",
                    "|--games|",
                    "|--shard-time|",
                ][..],
            ),
            (Shell::Zsh, &["(random ms-expectimax cross/uct)", "(cross cross/search)"]),
            (
                Shell::Fish,
                &[
                    "-n \"__fish_pipeline_using_subcommand compare\" -a \"random ms-expectimax cross/uct\"",
                    "-l against",
                ],
            ),
        ] {
            let script = script(shell, &names());
            for line in lines {
                assert!(script.contains(line), "{shell}: no {line}");
            }
            for own in ["worker", "work-study"] {
                assert!(!script.contains(own), "{shell}: {own} is the program's own");
            }
        }
        assert!(script(Shell::Fish, &names()).contains("function __fish_pipeline_using_subcommand"));
        assert!(!script(Shell::Elvish, &NameLists::default()).is_empty());
    }
}
