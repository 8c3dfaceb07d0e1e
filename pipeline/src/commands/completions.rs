//! `pipeline completions`: what a shell completes, the names of agents, experiments and papers included.
//!
//! Names are written into the script, so that a key press starts no process. clap's scripts complete the options; of positional arguments bash
//! gets only the first from them and fish none, so both are told here.

use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory as _};
use clap_complete::Shell;

use super::finder::Finder;
use super::{Failure, print_text};
use crate::cli::{self, Cli};
use surroundings::console::note;

/// What is named on a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Agents and experiments.
    Agents,
    /// Papers and experiments.
    Experiments,
    /// Papers and studies.
    Studies,
    /// Papers.
    Papers,
    /// Experiments alone.
    Single,
}

/// Where each kind of name stands: the command, its argument, and the kind.
const PLACES: [(&str, &str, Kind); 14] = [
    ("ask", "agent", Kind::Agents),
    ("eval", "agent", Kind::Agents),
    ("eval", "against", Kind::Agents),
    ("play", "agent", Kind::Agents),
    ("compare", "agents", Kind::Agents),
    ("agents", "name", Kind::Agents),
    ("run", "names", Kind::Experiments),
    ("plan", "names", Kind::Experiments),
    ("explain", "names", Kind::Experiments),
    ("reproduce", "names", Kind::Experiments),
    ("study", "names", Kind::Studies),
    ("claims", "names", Kind::Papers),
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
}

pub(crate) fn completions(arguments: &cli::Completions) -> Result<(), Failure> {
    let mut finder = Finder::of_places(&arguments.places)?;
    let names = Names::of(&mut finder);
    print_text(&script(arguments.shell, &names))
}

fn script(shell: Shell, names: &Names) -> String {
    let mut command = with_names(Cli::command(), names);
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, "pipeline", &mut text);
    let mut text = String::from_utf8_lossy(&text).into_owned();
    match shell {
        Shell::Bash => text.push_str(&bash(names)),
        Shell::Fish => text.push_str(&fish(names)),
        _ => {}
    }
    text
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
                }
            }
            Err(failure) => note(format!("no papers are completed: {}", failure.message())),
        }
        names.agents.sort();
        names.agents.dedup();
        names
    }

    fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &str> {
        let Self { agents, papers, experiments, studies } = self;
        let (first, second): (&[String], &[String]) = match kind {
            Kind::Agents => (agents, experiments),
            Kind::Experiments => (papers, experiments),
            Kind::Studies => (papers, studies),
            Kind::Papers => (papers, &[]),
            Kind::Single => (experiments, &[]),
        };
        first.iter().chain(second).map(String::as_str)
    }
}

/// The command line with names as the values of its arguments: what shells complete that clap's scripts serve well.
fn with_names(mut command: Command, names: &Names) -> Command {
    for (name, argument, kind) in PLACES {
        // clap keeps literals only, and the program ends when the script is printed.
        let values: Vec<&'static str> = names.of_kind(kind).map(|name| &*name.to_owned().leak()).collect();
        let has = |command: &Command| command.get_arguments().any(|known| known.get_id() == argument);
        if values.is_empty() || !command.find_subcommand(name).is_some_and(has) {
            continue;
        }
        command = command.mut_subcommand(name, |sub| {
            sub.mut_arg(argument, |known| known.value_parser(PossibleValuesParser::new(values)))
        });
    }
    command
}

/// The commands with positional names, by kind.
fn positional() -> impl Iterator<Item = (&'static str, Kind)> {
    PLACES
        .into_iter()
        .filter(|&(_, argument, _)| argument != "against")
        .map(|(command, _, kind)| (command, kind))
}

/// Names at every place of a command, where clap's own function has nothing to offer.
fn bash(names: &Names) -> String {
    let cases = positional().map(|(command, kind)| {
        let words: Vec<&str> = names.of_kind(kind).collect();
        format!("        {command}) words=\"{}\" ;;\n", words.join(" "))
    });
    let cases: String = cases.collect();
    format!(
        r#"
_pipeline_names() {{
    _pipeline "$@"
    local cur="${{COMP_WORDS[COMP_CWORD]}}" prev="${{COMP_WORDS[COMP_CWORD-1]}}" words=""
    case "${{prev}}" in
        --json|-q|--quiet|--extra|--fresh|--advise) ;;
        -*) return 0 ;;
    esac
    if [[ ${{#COMPREPLY[@]}} -gt 0 || ${{cur}} == -* || ${{COMP_CWORD}} -lt 2 ]]; then
        return 0
    fi
    case "${{COMP_WORDS[1]}}" in
{cases}    esac
    COMPREPLY=( $(compgen -W "${{words}}" -- "${{cur}}") )
}}

complete -F _pipeline_names -o bashdefault -o default pipeline
"#
    )
}

/// Names behind the commands that take them.
fn fish(names: &Names) -> String {
    let line = |(command, kind): (&str, Kind)| {
        let words: Vec<&str> = names.of_kind(kind).collect();
        format!(
            "complete -c pipeline -n \"__fish_pipeline_using_subcommand {command}\" -a \"{}\"\n",
            words.join(" ")
        )
    };
    positional().map(line).collect()
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
        }
    }

    /// A command that is renamed, or an argument, would lose its names in silence.
    #[test]
    fn every_place_of_names_is_on_the_command_line() {
        let command = Cli::command();
        for (name, argument, _) in PLACES {
            let sub = command.find_subcommand(name).unwrap_or_else(|| panic!("{name}"));
            assert!(sub.get_arguments().any(|known| known.get_id() == argument), "{name} {argument}");
        }
    }

    #[test]
    fn the_scripts_of_three_shells_have_the_names() {
        for (shell, lines) in [
            (
                Shell::Bash,
                &["compare) words=\"random ms-expectimax cross/uct\" ;;", "claims) words=\"cross\" ;;"][..],
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
        }
        assert!(script(Shell::Fish, &names()).contains("function __fish_pipeline_using_subcommand"));
        assert!(!script(Shell::Elvish, &Names::default()).is_empty());
    }
}
