//! The command line: what can be asked for. What is done about it is in [`crate::commands`].

mod agents;
mod bundle;
mod compare;
mod diff;
mod experiments;
mod results;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory as _, Parser, Subcommand};

pub use agents::{Agents, Ask, Check, Eval, Language, NewAgent, Play, Setting};
pub use bundle::{Bundle, Unbundle};
pub use compare::Compare;
pub use diff::{Diff, DiffForm, FailOn, ResultsPlaces};
pub use experiments::{Chosen, Explain, Merge, Plan, Reproduce, Run};
pub use results::{Claims, Games, GamesOrder, Render, Replay, Verify};

use crate::commands;

/// Re-runs the published claims about 2048-playing programs, and keeps every game as a record that anyone can replay.
#[derive(Debug, Parser)]
#[command(name = "pipeline", version, arg_required_else_help = true, after_help = EXIT_CODES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 done, 1 a check failed, 2 bad usage or manifest, 3 an agent faulted, 4 an I/O error that may pass.

Plugins and programs are native code and run with your rights: only those beside this program, in its build folder, in the \
folders of RETILE_AGENT_PATH, and files that you name are opened, each in a process of its own. What comes with results never is.";

/// What to do.
#[derive(Debug, Subcommand)]
#[allow(missing_docs)]
pub enum Command {
    /// Play what is missing or stale, verify everything, and say what was done
    #[command(after_help = "Examples:
  pipeline reproduce                 everything in the default sets
  pipeline reproduce baselines       one paper
  pipeline reproduce --fresh         play every game again and compare with what is stored
  pipeline reproduce --smoke         a few quick games in a scratch folder, to see that all works
  pipeline reproduce --from B.tar.zst --games 3    play games of a bundle again, and compare")]
    Reproduce(Reproduce),
    /// Play what is missing or stale
    #[command(after_help = "Examples:
  pipeline run                                   the default sets of all papers
  pipeline run baselines/random --games 5000     one experiment, topped up to 5000 games
  pipeline run baselines --shard 1/4 --out part  a quarter of the games, for `pipeline merge`")]
    Run(Run),
    /// Say what would run, and how long it may take
    #[command(after_help = "Examples:
  pipeline plan                      what `pipeline run` would play now
  pipeline plan --fresh --extra      everything, as if nothing were stored")]
    Plan(Plan),
    /// Print an experiment's identity, and whether the stored records match it
    #[command(after_help = "Example:
  pipeline explain baselines/cycle   which part of the identity makes its records stale, if any does")]
    Explain(Explain),
    /// Replay stored records and check them
    #[command(after_help = "Examples:
  pipeline verify                    every records file below results/records
  pipeline verify --recompute 2      also play two games of each experiment again
  pipeline verify --current          also require that nothing is missing or stale
  pipeline verify a.parquet          one file; needs neither configs nor agents
  pipeline verify retile-….tar.zst   a bundle, packed or unpacked; needs nothing but the bundle")]
    Verify(Verify),
    /// Say what came of every published claim
    #[command(after_help = "Examples:
  pipeline claims                                all papers
  pipeline claims devdoc                         one paper
  pipeline claims --gate results/claims.json     fail where a verdict differs from the committed one")]
    Claims(Claims),
    /// Draw tables, figures and the report from stored records
    #[command(after_help = "Examples:
  pipeline render                    everything below results/: tables, figures, report, claims.json
  pipeline render my.toml            with a manifest of one's own beside the others")]
    Render(Render),
    /// Say what changed between two sets of results, with intervals
    #[command(
        after_help = "A and B are git revisions, bundles, folders of results, or folders with such a folder in them. Exit codes: 0 nothing changed, \
1 something did, 2 the two cannot be compared.

Examples:
  pipeline diff                              the last commit and the work tree
  pipeline diff main HEAD --markdown         two revisions, for a pull request
  pipeline diff v1.0 --fail-on loss          fail only where a score is worse beyond its interval
  pipeline diff results other/results --figures figures   two folders, and overlays of what changed"
    )]
    Diff(Diff),
    /// Say which of two agents is stronger, with as few games as that takes
    #[command(
        after_help = "Both play the same seeds, under the standard rules, until a sequential test on who scores higher decides between two \
differences in Elo, B over A. Exit codes: 0 elo1 is accepted, 1 elo0 is, or the limit was reached, 3 an agent faulted.

Examples:
  pipeline compare random score-greedy
  pipeline compare old.so:mine new.so:mine --elo0 0 --elo1 10       two builds of one agent
  pipeline compare old.so:mine new.so:mine --elo0=-10 --elo1 0      that a change does no harm
  pipeline compare ms-expectimax ms-expectimax --budget plies=2 --param-b heuristics=initial"
    )]
    Compare(Compare),
    /// Put manifests, records, all that is rendered, and the source into one file
    #[command(after_help = "Examples:
  pipeline bundle                    retile-<commit>.tar.zst here, and its SHA-256 beside it
  pipeline bundle --to ~/bundles     in another folder
  SOURCE_DATE_EPOCH=0 pipeline bundle    with another time than the commit's")]
    Bundle(Bundle),
    /// Unpack a bundle, once its checksums are right
    #[command(after_help = "Example:
  pipeline unbundle retile-0123456789ab.tar.zst    into the folder retile-0123456789ab")]
    Unbundle(Unbundle),
    /// Join the parts of an experiment that were played with --shard
    #[command(after_help = "Example:
  pipeline merge part*/records/baselines/random.part-*.parquet")]
    Merge(Merge),
    /// List the agents that there are
    #[command(after_help = "Examples:
  pipeline agents
  RETILE_AGENT_PATH=~/agents pipeline agents --json")]
    Agents(Agents),
    /// Put the agents of a plugin or program through the conformance suite
    #[command(after_help = "The file is opened and run with your rights, in a process of its own.

Examples:
  pipeline check target/release/librandom.so
  pipeline check ./corner.agent
  pipeline check my.so --agent mine --moves 50 --param depth=2")]
    Check(Check),
    /// List the games of an experiment
    #[command(after_help = "Examples:
  pipeline games baselines/random --sort score --limit 10
  pipeline games results/records/baselines/random.parquet --json")]
    Games(Games),
    /// Step through a stored game
    #[command(
        after_help = "In a terminal: right or space goes on, left goes back, Home and End jump, p plays by itself, q quits. \
Elsewhere, or with --move, the boards are printed.

Examples:
  pipeline replay baselines/random 7
  pipeline replay baselines/random 7 --move 100"
    )]
    Replay(Replay),
    /// Print the JSON schema of manifests, for editors
    #[command(after_help = "Example:
  pipeline schema > manifest.schema.json     `#:schema manifest.schema.json` in a manifest names it")]
    Schema,
    /// Print completions for a shell
    #[command(after_help = "Examples:
  pipeline completions bash > ~/.local/share/bash-completion/completions/pipeline
  pipeline completions fish > ~/.config/fish/completions/pipeline.fish")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    #[command(hide = true)]
    Worker(Worker),
    /// Ask an agent for its move on a board
    #[command(after_help = "Examples:
  pipeline ask score-greedy '2 2 4 8 / . . . . / . . . . / . . . .'
  pipeline ask ./corner.agent - --param order=DLRU < board.txt")]
    Ask(Ask),
    /// Play some games with an agent and see how it does, without a config
    #[command(after_help = "Examples:
  pipeline eval random --games 1000
  pipeline eval ./libmine.so --against random score-greedy
  pipeline eval mine --plugin ./mine.agent --budget playouts=100 --rules four=1/4 --out my-results")]
    Eval(Eval),
    /// Watch an agent play in the terminal, or play yourself with its advice
    #[command(after_help = "Keys:
  arrows or wasd   move yourself: you take over from the agent
  space            the agent plays on, or pauses
  n or Enter       the agent makes one move
  + and -          faster, slower
  u                take a move back
  r                begin the next game
  q                quit

Examples:
  pipeline play                      alone
  pipeline play score-greedy         watch
  pipeline play ms-expectimax --budget plies=3 --advise --seed 7")]
    Play(Play),
    /// Make a new agent: sources, build file, test, README and config
    #[command(after_help = "Examples:
  pipeline new-agent corner --lang python
  pipeline new-agent corner --lang c --dir ~/agents/corner
  pipeline new-agent corner                a Rust crate, in a Retile work tree under agents/")]
    NewAgent(NewAgent),
}

/// Where things are.
#[derive(Clone, Debug, Args)]
pub struct Places {
    /// The folder with the papers' manifests
    #[arg(long, value_name = "DIR", default_value = "paper-configs")]
    pub configs: PathBuf,
    /// The folder with the results
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
    /// Where agents are.
    #[command(flatten)]
    pub loading: Loading,
}

/// Where agents are.
#[derive(Clone, Debug, Args)]
pub struct Loading {
    /// A plugin or program to use beside those that are found. It is run with your rights
    #[arg(long = "plugin", value_name = "FILE")]
    pub plugins: Vec<PathBuf>,
    /// The most memory of an agent's process, in MiB; 0 for no limit
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: u64,
}

/// How games are played.
#[derive(Clone, Debug, Args)]
pub struct Playing {
    /// How many games are played at once; by default as many as there are processors
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Show no progress
    #[arg(short, long)]
    pub quiet: bool,
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct Worker {
    #[arg(long)]
    pub memory_bytes: Option<u64>,
    #[arg(long)]
    pub stdout_to: Option<PathBuf>,
}

fn parse_param(text: &str) -> Result<(String, serde_json::Value), String> {
    let (name, value) = text.split_once('=').ok_or("a parameter is NAME=VALUE, such as depth=3")?;
    let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
    Ok((name.to_owned(), value))
}

/// Reads the command line and does what it asks.
#[must_use]
pub fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Reproduce(arguments) => commands::reproduce::reproduce(&arguments),
        Command::Run(arguments) => commands::run::run(&arguments),
        Command::Plan(arguments) => commands::plan::plan(&arguments),
        Command::Explain(arguments) => commands::explain::explain(&arguments),
        Command::Verify(arguments) => commands::verify::verify(&arguments),
        Command::Claims(arguments) => commands::claims::claims(&arguments),
        Command::Render(arguments) => commands::render::render(&arguments),
        Command::Diff(arguments) => commands::diff::diff(&arguments),
        Command::Compare(arguments) => commands::compare::compare(&arguments),
        Command::Bundle(arguments) => commands::bundle::bundle(&arguments),
        Command::Unbundle(arguments) => commands::unbundle::unbundle(&arguments),
        Command::Merge(arguments) => commands::merge::merge(&arguments),
        Command::Agents(arguments) => commands::agents::agents(&arguments),
        Command::Check(arguments) => commands::check::check(&arguments),
        Command::Games(arguments) => commands::games::games(&arguments),
        Command::Replay(arguments) => commands::replay::replay(&arguments),
        Command::Schema => commands::schema(),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "pipeline", &mut std::io::stdout());
            Ok(())
        }
        Command::Worker(arguments) => commands::worker(&arguments),
        Command::Ask(arguments) => commands::ask::ask(&arguments),
        Command::Eval(arguments) => commands::eval::eval(&arguments),
        Command::Play(arguments) => commands::play::play(&arguments),
        Command::NewAgent(arguments) => commands::new_agent::new_agent(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    /// Help is wrapped at 100 columns where there is no terminal to fit.
    #[test]
    fn help_has_examples_that_can_be_pasted_and_paragraphs_that_are_not_broken() {
        for command in Cli::command().get_subcommands().filter(|command| !command.is_hide_set()) {
            let (name, help) = (command.get_name(), command.get_after_help().map(ToString::to_string));
            let help = help.unwrap_or_default();
            assert!(help.contains("Example"), "{name}");
            let lines: Vec<&str> = help.lines().collect();
            let is_paragraph = |line: &str| !line.is_empty() && !line.starts_with(' ');
            for pair in lines.windows(2) {
                assert!(!(is_paragraph(pair[0]) && is_paragraph(pair[1])), "{name}: {}", pair[1]);
            }
            for line in lines.iter().filter(|line| !is_paragraph(line)) {
                assert!(line.chars().count() <= 100, "{name}: {line}");
            }
        }
    }

    #[test]
    fn parameters_are_read_strictly() {
        assert_eq!(parse_param("depth=3"), Ok(("depth".into(), 3.into())));
        assert_eq!(parse_param("order=URDL"), Ok(("order".into(), "URDL".into())));
        assert!(parse_param("depth").is_err());
    }
}
