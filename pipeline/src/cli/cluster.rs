//! The arguments of `pipeline cluster`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::jobs::JobOptions;
use super::{ARTEFACTS, Places};
use cluster::script::is_option;
use manifest::limits::MOST_GAMES;

#[derive(Debug, Args)]
pub struct ClusterArgs {
    #[command(subcommand)]
    pub action: ClusterAction,
}

/// What to do with a cluster.
#[derive(Debug, Subcommand)]
pub enum ClusterAction {
    /// Cut missing and stale jobs into shards, and submit them as an array
    #[command(mut_arg("out", super::written_to), after_help = super::help("cluster submit"))]
    Submit(SubmitArgs),
    /// Show the shards that are complete, running, waiting and failed, and why
    #[command(after_help = super::help("cluster status"))]
    Status(ClusterStatusArgs),
    /// Submit the missing shards again, with more time or memory if that was the cause
    #[command(after_help = super::help("cluster retry"))]
    Retry(RetryArgs),
    /// Put complete jobs together, as the results that one machine would have written
    #[command(mut_arg("out", super::written_to), after_help = super::help("cluster collect"))]
    Collect(CollectArgs),
    /// Cancel all jobs, and forget the submission
    #[command(after_help = super::help("cluster cancel"))]
    Cancel(CancelArgs),
    #[command(hide = true)]
    Work(WorkArgs),
}

#[derive(Debug, Args)]
pub struct SubmitArgs {
    #[command(flatten)]
    pub jobs: JobOptions,
    /// The number of games of each experiment, instead of the manifest's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    pub games: Option<u64>,
    /// Accept agents that are not deterministic; their games are stored without a signature and marked as not
    /// repeatable
    #[arg(long)]
    pub nondeterministic: bool,
    /// How many games a shard plays at once, each on its own core
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub cores: u16,
    /// The time limit of a shard, such as 2h or 90m [default: from the times of earlier games]
    #[arg(long, value_name = "T", value_parser = parse_time)]
    pub time: Option<Duration>,
    /// How long a shard should take [default: 10 to 60 minutes, so that there are enough of them]
    #[arg(long, value_name = "T", value_parser = parse_time)]
    pub shard_time: Option<Duration>,
    /// How many shards may run at once
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u32).range(1..))]
    pub at_most: Option<u32>,
    /// Show the script and submit nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,
    /// Wait until no shard is running or waiting, then collect
    #[arg(long, conflicts_with = "dry_run")]
    pub wait: bool,
    #[command(flatten)]
    pub places: Places,
    /// Options of sbatch, such as --partition=long
    #[arg(last = true, value_name = "SBATCH OPTIONS", value_parser = parse_option)]
    pub options: Vec<String>,
}

#[derive(Debug, Args)]
pub struct ClusterStatusArgs {
    /// The results folder
    #[arg(long = "results", alias = "out", value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
    /// Print it every SECONDS seconds, until no shard is running or waiting
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "30", value_parser = clap::value_parser!(u64).range(1..))]
    pub watch: Option<u64>,
}

#[derive(Debug, Args)]
pub struct RetryArgs {
    /// The time limit of a shard, such as 2h or 90m [default: as before, doubled if time ran out]
    #[arg(long, value_name = "T", value_parser = parse_time)]
    pub time: Option<Duration>,
    /// The memory limit of each process of an agent, in MiB [default: as before, doubled if memory ran out]
    #[arg(long, value_name = "MIB")]
    pub memory: Option<u64>,
    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,
    /// Wait until no shard is running or waiting, then collect
    #[arg(long)]
    pub wait: bool,
    /// The folder that trained weights are stored in
    #[arg(long, value_name = "DIR", default_value = ARTEFACTS)]
    pub artefacts: PathBuf,
    /// The results folder
    #[arg(long = "results", alias = "out", value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
}

#[derive(Debug, Args)]
pub struct CollectArgs {
    /// Keep the work folder
    #[arg(long)]
    pub keep: bool,
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
    /// The folder that trained weights are stored in
    #[arg(long, value_name = "DIR", default_value = ARTEFACTS)]
    pub artefacts: PathBuf,
    /// The results folder
    #[arg(long = "results", alias = "out", value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
}

#[derive(Debug, Args)]
pub struct CancelArgs {
    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,
    /// The results folder
    #[arg(long = "results", alias = "out", value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
}

#[derive(Debug, Args)]
pub struct WorkArgs {
    pub folder: PathBuf,
    pub round: u32,
    pub place: usize,
}

/// Reads a time such as `90m`, which is no shorter than a second.
fn parse_time(text: &str) -> Result<Duration, &'static str> {
    let time = humantime::parse_duration(text).ok().filter(|&time| time >= Duration::from_secs(1));
    time.ok_or("write a time such as 90m or 2h, of a second at least")
}

/// Parses an option of `sbatch`.
fn parse_option(text: &str) -> Result<String, &'static str> {
    let wrong = "an option of sbatch begins with a hyphen and is one word, such as --partition=long";
    is_option(text).then(|| text.to_owned()).ok_or(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_options_are_read_strictly() {
        assert_eq!(parse_time("90m").unwrap(), Duration::from_secs(5400));
        assert_eq!(parse_time("1h 30s").unwrap(), Duration::from_secs(3630));
        for wrong in ["", "5", "0s", "-1h", "soon"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_option("--comment=a b").unwrap(), "--comment=a b");
        for wrong in ["", "long", "--a\n#SBATCH --b"] {
            assert!(parse_option(wrong).is_err(), "{wrong:?}");
        }
    }
}
