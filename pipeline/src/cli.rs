//! The command line: one struct of arguments per command. [`crate::commands`] acts on them.

#![allow(missing_docs, reason = "the help texts of arguments are their documentation")]

mod agents;
mod cluster;
mod jobs;
mod results;

use std::path::PathBuf;

use clap::builder::{OsStringValueParser, Resettable, TypedValueParser};
use clap::{Arg, Args, Parser, Subcommand};

pub use agents::{
    AgentsArgs, AskArgs, CheckArgs, CompareArgs, CompletionsArgs, EvalArgs, Language, NewAgentArgs, PlayArgs,
    Setting,
};
pub use cluster::{
    CancelArgs, ClusterAction, ClusterArgs, ClusterStatusArgs, CollectArgs, RetryArgs, SubmitArgs, WorkArgs,
};
pub use jobs::{
    ExplainArgs, JobOptions, MergeArgs, PlanArgs, ReproduceArgs, RunArgs, ShrinkArgs, StudyArgs, TrainArgs,
};
pub use results::{
    ArtefactsArgs, BundleArgs, ClaimsArgs, DiffArgs, FailOn, GamesArgs, GamesOrder, RenderArgs, ReplayArgs,
    ResultsPlaces, UnbundleArgs, VerifyArgs,
};

use workers::plugin;

/// Re-runs the published claims about 2048-playing programs, and keeps every game as a record that anyone can
/// replay.
#[derive(Debug, Parser)]
#[command(name = "pipeline", version, arg_required_else_help = true, after_help = help("pipeline"))]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The texts at the end of the help: examples, and notes on a command.
const HELP: &str = include_str!("cli/help.txt");

/// The text at the end of a command's help.
fn help(command: &str) -> &'static str {
    let mut sections = HELP.split("== ").filter_map(|section| section.split_once(" ==\n"));
    sections.find(|(name, _)| *name == command).map_or("", |(_, text)| text.trim_end())
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play what is missing or stale, verify everything, and report what was done
    #[command(mut_arg("out", written_to), after_help = help("reproduce"))]
    Reproduce(ReproduceArgs),
    /// Play what is missing or stale
    #[command(mut_arg("out", written_to), after_help = help("run"))]
    Run(RunArgs),
    /// Search for better parameters: run or resume the studies of papers, then play their winners again
    #[command(mut_arg("out", written_to), after_help = help("study"))]
    Study(StudyArgs),
    /// Train agents and store their weights; interrupted trainings resume
    #[command(mut_arg("out", written_to), after_help = help("train"))]
    Train(TrainArgs),
    /// Show what would run, and how long it may take
    #[command(mut_arg("fresh", |fresh| fresh.help("Plan as if nothing were stored")), after_help = help("plan"))]
    Plan(PlanArgs),
    /// Show what is stored, missing or stale, and why; with a name, print its full identity
    #[command(after_help = help("explain"))]
    Explain(ExplainArgs),
    /// Replay stored records and check them
    #[command(after_help = help("verify"))]
    Verify(VerifyArgs),
    /// Show the verdict on every published claim
    #[command(after_help = help("claims"))]
    Claims(ClaimsArgs),
    /// Draw tables, figures and the report from stored records
    #[command(after_help = help("render"))]
    Render(RenderArgs),
    /// Show what changed between two sets of results, with intervals
    #[command(after_help = help("diff"))]
    Diff(DiffArgs),
    /// Find out which of two or more agents is stronger, in as few games as possible
    #[command(after_help = help("compare"))]
    Compare(CompareArgs),
    /// Pack manifests, records, everything rendered, and the source into one file
    #[command(after_help = help("bundle"))]
    Bundle(BundleArgs),
    /// Check a bundle's checksums and unpack it
    #[command(after_help = help("unbundle"))]
    Unbundle(UnbundleArgs),
    /// Join the parts of experiments and studies that were played with --shard
    #[command(mut_arg("out", written_to), after_help = help("merge"))]
    Merge(MergeArgs),
    /// Play on a cluster with Slurm: submit what is missing, watch it, retry it, and collect the records
    #[command(after_help = help("cluster"))]
    Cluster(ClusterArgs),
    /// Compress stored records further, before they are committed or archived
    #[command(after_help = help("shrink"))]
    Shrink(ShrinkArgs),
    /// List the available agents
    #[command(after_help = help("agents"))]
    Agents(AgentsArgs),
    /// List the weights and other files that agents load: which experiments need them, and their states
    #[command(after_help = help("artefacts"))]
    Artefacts(ArtefactsArgs),
    /// Run the conformance suite on the agents of a plugin or program
    #[command(after_help = help("check"))]
    Check(CheckArgs),
    /// List the games of an experiment
    #[command(after_help = help("games"))]
    Games(GamesArgs),
    /// Step through a stored game
    #[command(after_help = help("replay"))]
    Replay(ReplayArgs),
    /// Print the JSON schema of manifests, for editors
    #[command(after_help = help("schema"))]
    Schema,
    /// Print completions for a shell
    #[command(after_help = help("completions"))]
    Completions(CompletionsArgs),
    #[command(hide = true)]
    Worker(WorkerArgs),
    /// Ask an agent for its move on a board
    #[command(after_help = help("ask"))]
    Ask(AskArgs),
    /// Play some games with an agent and see how it does, without a config
    #[command(mut_arg("out", ranked_in), after_help = help("eval"))]
    Eval(EvalArgs),
    /// Watch an agent play in the terminal, or play yourself with its advice
    #[command(after_help = help("play"))]
    Play(PlayArgs),
    /// Make a new agent: sources, build file, test, README and config
    #[command(after_help = help("new-agent"))]
    NewAgent(NewAgentArgs),
}

/// The default folder of the files that agents load.
pub(crate) const ARTEFACTS: &str = "artefacts";

/// Where things are.
#[derive(Clone, Debug, Args)]
pub struct Places {
    /// The folder with the papers' manifests
    #[arg(long, value_name = "DIR", default_value = "paper-configs")]
    pub configs: PathBuf,
    /// The results folder
    #[arg(long = "results", alias = "out", value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
    /// Where agents are.
    #[command(flatten)]
    pub loading: AgentOptions,
}

/// The results folder of a command that writes into it: there `--out` says more than `--results`, which is
/// taken all the same.
fn written_to(results: Arg) -> Arg {
    results.long("out").alias(Resettable::Reset).alias("results")
}

/// The results folder of `eval`, which only reads it: there `--out` is another folder.
fn ranked_in(results: Arg) -> Arg {
    results.alias(Resettable::Reset).help("The results folder, in which the agent is ranked")
}

/// Where agents are.
#[derive(Clone, Debug, Args)]
pub struct AgentOptions {
    /// A plugin or program to use in addition to those found. It runs with your permissions
    #[arg(long = "plugin", value_name = "FILE", value_parser = plugin_file())]
    pub plugins: Vec<PathBuf>,
    /// The folder with the files that agents load, each under the SHA-256 of its content
    #[arg(long, value_name = "DIR", default_value = ARTEFACTS)]
    pub artefacts: PathBuf,
    /// The memory limit of each process of an agent, in MiB; 0 for no limit. Files mapped read-only do not
    /// count
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: u64,
}

/// How games are played.
#[derive(Clone, Debug, Args)]
pub struct PlayOptions {
    /// How many games, or seeds of a comparison, to play at once [default: the number of processors]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Do not show progress
    #[arg(short, long)]
    pub quiet: bool,
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

/// Options that `eval` and `compare` share.
#[derive(Clone, Debug, Args)]
pub struct ContestOptions {
    /// Start games from the boards in FILE, one per line, as NAME: 2 . . . / . . . . / . . . . / . . . 4.
    /// `eval` plays --games from each, `compare` takes them in turn
    #[arg(long, value_name = "FILE")]
    pub starts: Option<PathBuf>,
    /// Write the outcome to this file, as CSV, Markdown or JSON by its extension
    #[arg(long, value_name = "FILE")]
    pub export: Option<PathBuf>,
    /// Accept agents that are not deterministic; their games are marked as not repeatable
    #[arg(long)]
    pub nondeterministic: bool,
}

#[derive(Debug, Args)]
pub struct WorkerArgs {
    #[arg(long)]
    pub memory_bytes: Option<u64>,
    #[arg(long)]
    pub stdout_to: Option<PathBuf>,
}

/// Reads the name of a plugin's file. A bare word could be an agent's id, and is no reason to start what is
/// called so here.
fn plugin_file() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().try_map(|text| {
        if plugin::is_file_name(&text.to_string_lossy()) {
            return Ok(PathBuf::from(text));
        }
        Err(format!("name a file by its path: ./{}", text.display()))
    })
}

/// A parameter whose value only the agent's schema can tell from text.
fn param_text(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("a parameter is NAME=VALUE, such as depth=3")?;
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    /// What a command reads is `--results`, and what it writes `--out`; each takes the other's word too,
    /// unseen.
    #[test]
    fn the_results_folder_has_one_name_in_help_and_both_on_the_command_line() {
        let writing = ["run", "study", "train", "reproduce", "merge"];
        let reading =
            ["plan", "explain", "verify", "claims", "render", "diff", "bundle", "agents", "games", "replay"];
        for (names, shown, hidden) in [(&writing[..], "out", "results"), (&reading[..], "results", "out")] {
            for name in names {
                let command = Cli::command().find_subcommand(name).unwrap().clone();
                let argument = command.get_arguments().find(|argument| argument.get_id() == "out").unwrap();
                assert_eq!(argument.get_long(), Some(shown), "{name}");
                assert_eq!(argument.get_visible_aliases().unwrap_or_default(), Vec::<&str>::new(), "{name}");
                assert_eq!(argument.get_all_aliases().unwrap_or_default(), [hidden], "{name}");
            }
        }
        let cluster = Cli::command().find_subcommand("cluster").unwrap().clone();
        for (name, shown) in [
            ("submit", "out"),
            ("collect", "out"),
            ("status", "results"),
            ("retry", "results"),
            ("cancel", "results"),
        ] {
            let command = cluster.find_subcommand(name).unwrap();
            let argument = command.get_arguments().find(|argument| argument.get_id() == "out").unwrap();
            assert_eq!(argument.get_long(), Some(shown), "cluster {name}");
        }
        for flag in ["--out", "--results"] {
            let Command::Run(run) = Cli::parse_from(["pipeline", "run", flag, "x"]).command else { panic!() };
            assert_eq!(run.places.out, PathBuf::from("x"));
            let Command::Verify(verify) = Cli::parse_from(["pipeline", "verify", flag, "x"]).command else {
                panic!()
            };
            assert_eq!(verify.places.out, PathBuf::from("x"));
        }
    }

    /// Help is wrapped at 100 columns where there is no terminal to fit.
    #[test]
    fn help_has_examples_that_can_be_pasted_and_paragraphs_that_are_not_broken() {
        let all = Cli::command();
        let below = all.get_subcommands().flat_map(clap::Command::get_subcommands);
        for command in all.get_subcommands().chain(below).filter(|command| !command.is_hide_set()) {
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
        assert_eq!(param_text("depth=3"), Ok(("depth".to_owned(), "3".to_owned())));
        assert!(param_text("depth").is_err());
    }
}
