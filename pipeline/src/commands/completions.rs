//! `pipeline completions`: what a shell completes, the names of agents, experiments and papers included.
//!
//! Names are written into the script, so that a key press starts no process. clap's scripts complete the options; of positional arguments bash
//! gets only the first from them and fish none, so both are told here.

use std::collections::BTreeSet;

use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory as _};
use clap_complete::Shell;

use super::{Failure, print_text};
use crate::cli::{self, Cli};
use crate::lookup::finder::Finder;
use platform::console::note;

/// What is named on a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Agents and experiments.
    Agents,
    /// Papers and experiments.
    Experiments,
    /// Papers and studies.
    Studies,
    /// Papers and trainings.
    Trainings,
    /// Papers, experiments and studies.
    Played,
    /// Papers and claims.
    Claims,
    /// Papers.
    Papers,
    /// Experiments alone.
    Single,
}

/// Where each kind of name stands: the command, or the commands that it is below and it, its argument, and the kind.
const PLACES: [(&str, &str, Kind); 22] = [
    ("ask", "agent", Kind::Agents),
    ("ask", "rules", Kind::Experiments),
    ("eval", "agent", Kind::Agents),
    ("eval", "against", Kind::Agents),
    ("eval", "rules", Kind::Experiments),
    ("play", "agent", Kind::Agents),
    ("play", "rules", Kind::Experiments),
    ("compare", "agents", Kind::Agents),
    ("compare", "rules", Kind::Experiments),
    ("check", "name", Kind::Agents),
    ("agents", "name", Kind::Agents),
    ("run", "names", Kind::Experiments),
    ("plan", "names", Kind::Experiments),
    ("explain", "names", Kind::Played),
    ("reproduce", "names", Kind::Played),
    ("study", "names", Kind::Studies),
    ("train", "names", Kind::Trainings),
    ("cluster submit", "names", Kind::Played),
    ("claims", "names", Kind::Claims),
    ("claims", "papers", Kind::Papers),
    ("games", "experiment", Kind::Single),
    ("replay", "experiment", Kind::Single),
];

/// All names that there are.
#[derive(Debug, Default)]
struct Names {
    agents: Vec<String>,
    papers: Vec<String>,
    experiments: Vec<String>,
    studies: Vec<String>,
    trainings: Vec<String>,
    claims: Vec<String>,
}

pub(crate) fn completions(arguments: &cli::Completions) -> Result<(), Failure> {
    let mut finder = Finder::new(&arguments.places)?;
    let names = Names::of(&mut finder);
    print_text(&script(arguments.shell, &names))
}

fn script(shell: Shell, names: &Names) -> String {
    let mut command = with_names(offered(&Cli::command()), names);
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, "pipeline", &mut text);
    let mut text = String::from_utf8_lossy(&text).into_owned();
    match shell {
        Shell::Bash => text.push_str(&bash(&command, names)),
        Shell::Fish => text.push_str(&fish(&command, names)),
        _ => {}
    }
    text
}

/// The command line without the commands that only the program itself uses, which clap's scripts would offer.
fn offered(command: &Command) -> Command {
    let shown = command
        .get_subcommands()
        .filter(|sub| !sub.is_hide_set())
        .map(|sub| if sub.has_subcommands() { offered(sub) } else { sub.clone() });
    // clap keeps literals only, and the program ends when the script is printed.
    let name: &'static str = command.get_name().to_owned().leak();
    Command::new(name)
        .about(command.get_about().cloned().unwrap_or_default())
        .args(command.get_arguments().cloned())
        .subcommands(shown)
}

impl Names {
    /// What can be found. Options are worth completing where agents or manifests are broken.
    fn of(finder: &mut Finder) -> Self {
        let mut names = Self::default();
        match finder.catalogue() {
            Ok(catalogue) => names.agents = catalogue.agents().into_iter().map(|agent| agent.id).collect(),
            Err(failure) => note(format!("no agents are completed: {}", failure.message())),
        }
        match finder.papers() {
            Ok(papers) => {
                for paper in papers {
                    let full = |id: &String| format!("{}/{id}", paper.id);
                    names.papers.push(paper.id.clone());
                    names.experiments.extend(paper.experiments.iter().map(|experiment| full(&experiment.id)));
                    names.studies.extend(paper.studies.iter().map(|study| full(&study.id)));
                    names.trainings.extend(paper.trainings.iter().map(|training| full(&training.id)));
                    names.claims.extend(paper.claims.iter().map(|claim| full(&claim.id)));
                }
            }
            Err(failure) => note(format!("no papers are completed: {}", failure.message())),
        }
        names.agents.sort();
        names.agents.dedup();
        names
    }

    fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &str> {
        let Self { agents, papers, experiments, studies, trainings, claims } = self;
        let lists: [&[String]; 3] = match kind {
            Kind::Agents => [agents, experiments, &[]],
            Kind::Experiments => [papers, experiments, &[]],
            Kind::Studies => [papers, studies, &[]],
            Kind::Trainings => [papers, trainings, &[]],
            Kind::Played => [papers, experiments, studies],
            Kind::Claims => [papers, claims, &[]],
            Kind::Papers => [papers, &[], &[]],
            Kind::Single => [experiments, &[], &[]],
        };
        lists.into_iter().flatten().map(String::as_str)
    }
}

/// The command line with names as the values of its arguments: what shells complete that clap's scripts serve well.
fn with_names(mut command: Command, names: &Names) -> Command {
    for (name, argument, kind) in PLACES {
        // clap keeps literals only, and the program ends when the script is printed.
        let values: Vec<&'static str> = names.of_kind(kind).map(|name| &*name.to_owned().leak()).collect();
        let has = |command: &Command| command.get_arguments().any(|known| known.get_id() == argument);
        if values.is_empty() || !find(&command, name).is_some_and(has) {
            continue;
        }
        command = change(command, name, |sub| {
            sub.mut_arg(argument, |known| known.value_parser(PossibleValuesParser::new(values)))
        });
    }
    command
}

/// The command of this name, which has a word for each that it is below.
fn find<'a>(command: &'a Command, name: &str) -> Option<&'a Command> {
    name.split(' ').try_fold(command, |command, word| command.find_subcommand(word))
}

/// Changes the command of this name.
fn change(command: Command, name: &str, how: impl FnOnce(Command) -> Command) -> Command {
    match name.split_once(' ') {
        Some((first, rest)) => command.mut_subcommand(first, |sub| change_boxed(sub, rest, Box::new(how))),
        None => command.mut_subcommand(name, how),
    }
}

/// The same, one command further down.
fn change_boxed<'a>(command: Command, name: &str, how: Box<dyn FnOnce(Command) -> Command + 'a>) -> Command {
    change(command, name, how)
}

/// The commands with positional names, by kind.
fn positional(command: &Command) -> impl Iterator<Item = (&'static str, Kind)> {
    let is_positional = |&(name, argument, _): &(&str, &str, Kind)| {
        let known = find(command, name).into_iter().flat_map(Command::get_positionals);
        known.into_iter().any(|known| known.get_id() == argument)
    };
    PLACES.into_iter().filter(is_positional).map(|(command, _, kind)| (command, kind))
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

/// Names at every place of a command, where clap's own function has nothing to offer. Of `--option=value` bash makes three words.
fn bash(command: &Command, names: &Names) -> String {
    let valued = valued(command);
    let cases = positional(command).map(|(command, kind)| {
        let words: Vec<&str> = names.of_kind(kind).collect();
        let command = if command.contains(' ') { format!("\"{command}\"") } else { command.to_owned() };
        format!("        {command}) words=\"{}\" ;;\n", words.join(" "))
    });
    let cases: String = cases.collect();
    format!(
        r#"
_pipeline_names() {{
    local cur="$2" prev="$3" words=""
    if [[ ${{prev}} == "=" ]]; then
        prev="${{COMP_WORDS[COMP_CWORD-2]}}"
    fi
    _pipeline "$1" "${{cur}}" "${{prev}}"
    case "${{prev}}" in
        {valued}) return 0 ;;
    esac
    if [[ ${{#COMPREPLY[@]}} -gt 0 || ${{cur}} == -* || ${{COMP_CWORD}} -lt 2 ]]; then
        return 0
    fi
    local command="${{COMP_WORDS[1]}}"
    if [[ ${{command}} == cluster && ${{COMP_CWORD}} -gt 2 ]]; then
        command="cluster ${{COMP_WORDS[2]}}"
    fi
    case "${{command}}" in
{cases}    esac
    COMPREPLY=( $(compgen -W "${{words}}" -- "${{cur}}") )
}}

complete -F _pipeline_names -o bashdefault -o default pipeline
"#
    )
}

/// Names behind the commands that take them.
fn fish(command: &Command, names: &Names) -> String {
    let line = |(command, kind): (&str, Kind)| {
        let words: Vec<&str> = names.of_kind(kind).collect();
        let (first, rest) = command.split_once(' ').unwrap_or((command, ""));
        let below =
            if rest.is_empty() { String::new() } else { format!("; and __fish_seen_subcommand_from {rest}") };
        format!(
            "complete -c pipeline -n \"__fish_pipeline_using_subcommand {first}{below}\" -a \"{}\"\n",
            words.join(" ")
        )
    };
    positional(command).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        Names {
            agents: words(&["random", "ms-expectimax"]),
            papers: words(&["cross"]),
            experiments: words(&["cross/uct"]),
            studies: words(&["cross/search"]),
            trainings: words(&["cross/net"]),
            claims: words(&["cross/order"]),
        }
    }

    /// A command that is renamed, or an argument, would lose its names in silence.
    #[test]
    fn every_place_of_names_is_on_the_command_line() {
        let command = Cli::command();
        for (name, argument, _) in PLACES {
            let sub = find(&command, name).unwrap_or_else(|| panic!("{name}"));
            assert!(sub.get_arguments().any(|known| known.get_id() == argument), "{name} {argument}");
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
                    "explain) words=\"cross cross/uct cross/search\" ;;",
                    "\"cluster submit\") words=\"cross cross/uct cross/search\" ;;",
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
        assert!(!script(Shell::Elvish, &Names::default()).is_empty());
    }
}
