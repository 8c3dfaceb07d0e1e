//! The command line: one struct of arguments per command. [`crate::commands`] acts on them.

#![allow(missing_docs, reason = "the help texts of arguments are their documentation")]

mod agents;
mod cluster;
mod jobs;
mod results;

use std::path::PathBuf;

use clap::builder::{OsStringValueParser, Resettable, TypedValueParser};
use clap::{Arg, Args, Parser, Subcommand};

pub use agents::{Agents, Ask, Check, Compare, Completions, Eval, Language, NewAgent, Play, Setting};
pub use cluster::{Cancel, Cluster, ClusterAction, ClusterStatus, Collect, Retry, Submit, Work};
pub use jobs::{Chosen, Explain, Merge, Plan, Reproduce, Run, Shrink, Study, Train};
pub use results::{
    Artefacts, Bundle, Claims, Diff, DiffForm, FailOn, Games, GamesOrder, Render, Replay, ResultsPlaces,
    Unbundle, Verify,
};

use workers::plugin;

/// Re-runs the published claims about 2048-playing programs, and keeps every game as a record that anyone can
/// replay.
#[derive(Debug, Parser)]
#[command(name = "pipeline", version, arg_required_else_help = true, after_help = EXIT_CODES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 done, 1 a check failed, 2 bad usage or manifest, 3 an agent faulted, 4 a temporary I/O error.

Plugins and programs are native code and run with your permissions, each in its own process. Only those next to this program, in \
its build folder, in the folders of RETILE_AGENT_PATH, and files that you name are opened, and never anything that comes with results.";

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play what is missing or stale, verify everything, and report what was done
    #[command(
        mut_arg("out", written_to),
        after_help = "Examples:
  pipeline reproduce                 everything in the default sets
  pipeline reproduce baselines       one paper
  pipeline reproduce --fresh         play every game again and compare with what is stored
  pipeline reproduce --smoke         a few quick games in a scratch folder, as a test
  pipeline reproduce --from B.tar.zst --games 3    play games of a bundle again, and compare"
    )]
    Reproduce(Reproduce),
    /// Play what is missing or stale
    #[command(
        mut_arg("out", written_to),
        after_help = "Examples:
  pipeline run                                   the default sets of all papers
  pipeline run baselines/random --games 5000     one experiment, topped up to 5000 games
  pipeline run baselines --shard 1/4 --out part  a quarter of the games, for `pipeline merge`"
    )]
    Run(Run),
    /// Search for better parameters: run or resume the studies of papers, then play their winners again
    #[command(
        mut_arg("out", written_to),
        after_help = "A study that is stopped or killed goes on where it was. Its winners are played again on games that it never saw, \
beside the agent's default.

Examples:
  pipeline study                                        the default sets of all papers
  pipeline study middleton_schmidt                      one paper's studies
  pipeline study ripstein2023/bayes-1 --jobs 4          one study
  pipeline study ripstein2023/bayes-1 --shard 1/2       half of every batch; 2/2 plays the rest"
    )]
    Study(Study),
    /// Train agents and store their weights; interrupted trainings resume
    #[command(
        mut_arg("out", written_to),
        after_help = "A training that is stopped or killed goes on from its last checkpoint, to the same file. One training takes one core. \
The file goes to artefacts/, under the SHA-256 of its content; its learning curve to results/trainings/.

Examples:
  pipeline train --dry-run              what is not done, and what it would take
  pipeline train szubert2014/small      one training
  pipeline train my.toml                the trainings of a manifest of your own
  pipeline train cross/ntuple-small --fresh    train again, and compare the file"
    )]
    Train(Train),
    /// Show what would run, and how long it may take
    #[command(after_help = "Examples:
  pipeline plan                      what is missing of all experiments, studies and trainings
  pipeline plan szubert2014/small    one training
  pipeline plan --fresh --extra      everything, as if nothing were stored")]
    Plan(Plan),
    /// Show what is stored, missing or stale, and why; with a name, print its full identity
    #[command(after_help = "Examples:
  pipeline explain                   a table: what is missing or stale, and why
  pipeline explain baselines/cycle   one experiment: its identity, and what makes it stale
  pipeline explain szubert2014/small a training, likewise")]
    Explain(Explain),
    /// Replay stored records and check them
    #[command(after_help = "Examples:
  pipeline verify                    every game and every file below results
  pipeline verify --recompute 2      also play two games of each experiment again
  pipeline verify --recompute all    play every game again
  pipeline verify --current          also require that nothing is missing or stale
  pipeline verify a.parquet          one file; needs neither configs nor agents
  pipeline verify retile-….tar.zst   a bundle, packed or unpacked; needs nothing but the bundle")]
    Verify(Verify),
    /// Show the verdict on every published claim
    #[command(after_help = "Examples:
  pipeline claims                                all papers
  pipeline claims devdoc                         one paper, as with --paper devdoc
  pipeline claims --verdict contradicted         the claims that came to this verdict
  pipeline claims devdoc/average-4               one claim: why, with its numbers and games
  pipeline claims --gate results/claims.json     fail if a verdict differs from the committed one")]
    Claims(Claims),
    /// Draw tables, figures and the report from stored records
    #[command(after_help = "Examples:
  pipeline render                    everything below results/: tables, figures, report, claims.json
  pipeline render my.toml            with a manifest of your own beside the others")]
    Render(Render),
    /// Show what changed between two sets of results, with intervals
    #[command(
        after_help = "A and B are git revisions, bundles, results folders, or folders that contain one. Exit codes: 0 nothing changed, \
1 something changed, 2 the two cannot be compared.

Examples:
  pipeline diff                              the last commit and the work tree
  pipeline diff main HEAD --markdown         two revisions, for a pull request
  pipeline diff v1.0 --fail-on loss          fail only if a score is worse beyond its interval
  pipeline diff results other/results --figures figures   two folders, with figures of what changed"
    )]
    Diff(Diff),
    /// Find out which of two or more agents is stronger, in as few games as possible
    #[command(
        after_help = "All play the same seeds until a sequential test on who scores higher decides for each two of them: one is stronger, the \
other is, or there is no difference worth --worth Elo. With --elo0 or --elo1 the test is one-sided, as for a patch: is B stronger than A by \
elo1 rather than by elo0? Games are journalled: the same command goes on where it was stopped. docs/compare.md says more.

Exit codes: 0 decided (one-sided: elo1 is accepted), 1 the limit was reached, or it was stopped (one-sided: or elo0 is accepted), 3 an \
agent faulted.

Examples:
  pipeline compare random score-greedy
  pipeline compare cross/ms-expectimax ms-expectimax,plies=2        experiments, settings
  pipeline compare random score-greedy fixed-cycle --limit 200      a round robin, with ratings
  pipeline compare random ./mine.so --starts docs/starts.txt --keep kept --export outcome.md
  pipeline compare old.so:mine new.so:mine --elo0 0 --elo1 10       two builds of one agent
  pipeline compare old.so:mine new.so:mine --elo0=-10 --elo1 0      that a change does no harm"
    )]
    Compare(Compare),
    /// Pack manifests, records, everything rendered, and the source into one file
    #[command(after_help = "Examples:
  pipeline bundle                    retile-<commit>.tar.zst here, and its SHA-256 beside it
  pipeline bundle --to ~/bundles     in another folder
  SOURCE_DATE_EPOCH=0 pipeline bundle    with a time other than the commit's")]
    Bundle(Bundle),
    /// Check a bundle's checksums and unpack it
    #[command(after_help = "Example:
  pipeline unbundle retile-0123456789ab.tar.zst    into the folder retile-0123456789ab")]
    Unbundle(Unbundle),
    /// Join the parts of experiments and studies that were played with --shard
    #[command(
        mut_arg("out", written_to),
        after_help = "Parts that cannot be merged are reported and left unchanged; the rest is merged.

Examples:
  pipeline merge part-1 part-2                                   folders, with everything in them
  pipeline merge part*/records/baselines/random.part-*.parquet   the parts of one experiment"
    )]
    Merge(Merge),
    /// Play on a cluster with Slurm: submit what is missing, watch it, retry it, and collect the records
    #[command(after_help = "docs/cluster.md leads from a laptop to a cluster.

Examples:
  pipeline cluster submit --dry-run    show the script, and what it would take
  pipeline cluster submit --wait       submit what is missing, wait, and collect the records
  pipeline cluster status              what is done, running, waiting and failed, and why")]
    Cluster(Cluster),
    /// Compress stored records further, before they are committed or archived
    #[command(
        after_help = "The games and their digests stay the same. It takes about a second for each megabyte.

Example:
  pipeline shrink                    all records below results/"
    )]
    Shrink(Shrink),
    /// List the available agents
    #[command(after_help = "Examples:
  pipeline agents                    all, one a line
  pipeline agents ms-expectimax      parameters, budgets, files and experiments of one
  RETILE_AGENT_PATH=~/agents pipeline agents --json")]
    Agents(Agents),
    /// List the weights and other files that agents load: which experiments need them, and their states
    #[command(
        after_help = "An artefact is kept under the SHA-256 of its content, packed by zstd. Those of up to 32 MB are for git; \
`pipeline train` makes the others on demand.

States: present; missing, though an experiment needs it; orphaned, since nothing needs it; damaged; not trained, since its training has \
not run yet.

Examples:
  pipeline artefacts                 all, one a line
  pipeline artefacts --check         also hold the content of each against its hash
  pipeline artefacts --json          with whole hashes, for scripts"
    )]
    Artefacts(Artefacts),
    /// Run the conformance suite on the agents of a plugin or program
    #[command(after_help = "The file is opened and run with your permissions, in its own process.

Examples:
  pipeline check target/release/librandom.so
  pipeline check ./corner.agent
  pipeline check my.so --agent mine --moves 50 --param depth=2
  pipeline check ./slow.agent --budget plies=1 --limit 1800   more time for each step")]
    Check(Check),
    /// List the games of an experiment
    #[command(after_help = "Examples:
  pipeline games baselines/random --sort score --limit 10
  pipeline games results/records/baselines/random.parquet --json")]
    Games(Games),
    /// Step through a stored game
    #[command(
        after_help = "In a terminal: right or space steps forward, left steps back, Home and End jump, p plays and pauses, q quits. \
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
    #[command(
        after_help = "They know the agents, experiments and papers of the moment: print them again after adding one.

Examples:
  pipeline completions bash > ~/.local/share/bash-completion/completions/pipeline
  pipeline completions fish > ~/.config/fish/completions/pipeline.fish"
    )]
    Completions(Completions),
    #[command(hide = true)]
    Worker(Worker),
    /// Ask an agent for its move on a board
    #[command(after_help = "Examples:
  pipeline ask score-greedy '2 2 4 8 / . . . . / . . . . / . . . .'
  pipeline ask ms-expectimax,depth_counts=moves,plies=3 '2 2 4 8 / . . . . / . . . . / . . . .'
  pipeline ask ./corner.agent,order=DLRU - < board.txt")]
    Ask(Ask),
    /// Play some games with an agent and see how it does, without a config
    #[command(
        mut_arg("out", ranked_in),
        after_help = "Examples:
  pipeline eval random --games 1000
  pipeline eval cross/ms-expectimax --games 20       with its parameters, budget and rules
  pipeline eval ./libmine.so,depth=2 --against random ms-expectimax,plies=2
  pipeline eval mine --plugin ./mine.agent --budget playouts=100 --rules four=1/4 --out my-results"
    )]
    Eval(Eval),
    /// Watch an agent play in the terminal, or play yourself with its advice
    #[command(after_help = "Keys:
  arrows or wasd   move yourself: you take over from the agent
  space            the agent plays on, or pauses
  n or Enter       the agent makes one move
  + and -          faster, slower
  u                undo a move
  r                start the next game
  q                quit

Examples:
  pipeline play                      alone
  pipeline play score-greedy         watch
  pipeline play ms-expectimax,plies=3 --advise --seed 7")]
    Play(Play),
    /// Make a new agent: sources, build file, test, README and config
    #[command(after_help = "Examples:
  pipeline new-agent corner --lang python
  pipeline new-agent corner --lang c --dir ~/agents/corner
  pipeline new-agent corner                a Rust crate, in a Retile work tree under agents/")]
    NewAgent(NewAgent),
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
    pub loading: Loading,
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
pub struct Loading {
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
pub struct Playing {
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
pub struct Worker {
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
