//! The arguments of `pipeline cluster`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use records::store::Shard;

use super::Places;
use super::jobs::{Chosen, parse_shard};
use crate::cluster::script::is_option;

#[derive(Debug, Args)]
pub struct Cluster {
    #[command(subcommand)]
    pub action: ClusterAction,
}

/// What to do with a cluster.
#[derive(Debug, Subcommand)]
pub enum ClusterAction {
    /// Cut what is missing or stale into shards, and submit them as an array
    #[command(
        mut_arg("out", super::written_to),
        after_help = "The program, the plugins and all that determines the games are copied first: a rebuild changes nothing meanwhile. \
Options of sbatch stand behind `--`. A study is submitted where it is named, as a chain of arrays, one for each batch.

Examples:
  pipeline cluster submit --dry-run                              show the script, submit nothing
  pipeline cluster submit baselines --games 10000 --at-most 50   at most 50 shards at once
  pipeline cluster submit --cores 4 --wait -- --partition=long --account=me
  pipeline cluster submit ripstein2023/bayes-1 --cores 8         the batches of a study"
    )]
    Submit(Submit),
    /// Show what is done, running, waiting and failed, and why
    #[command(
        after_help = "What is done is known from the files. Where Slurm does not answer, the rest is judged by signs of life.

Examples:
  pipeline cluster status
  pipeline cluster status --watch          every 30 seconds, until nothing is under way
  pipeline cluster status --json"
    )]
    Status(ClusterStatus),
    /// Submit again exactly what is missing, with more time or memory if that was the cause
    #[command(after_help = "Example:
  pipeline cluster retry --yes")]
    Retry(Retry),
    /// Put together what is complete, as the records that one machine would have written
    #[command(
        mut_arg("out", super::written_to),
        after_help = "Gaps, games of another identity, program or plugin, and attempts that contradict each other are refused. Once \
everything is put together, the work folder is removed.

Example:
  pipeline cluster collect"
    )]
    Collect(Collect),
    /// Cancel all jobs, and forget what was submitted and not collected
    #[command(after_help = "Example:
  pipeline cluster cancel --yes")]
    Cancel(Cancel),
    #[command(hide = true)]
    Work(Work),
    #[command(hide = true)]
    WorkStudy(WorkStudy),
}

#[derive(Debug, Args)]
pub struct Submit {
    #[command(flatten)]
    pub chosen: Chosen,
    /// Play everything again and compare it with the stored records
    #[arg(long)]
    pub fresh: bool,
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
    /// How many shards may be played at once
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u32).range(1..))]
    pub at_most: Option<u32>,
    /// Show the script and submit nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,
    /// Wait until nothing is under way, then collect
    #[arg(long, conflicts_with = "dry_run")]
    pub wait: bool,
    #[command(flatten)]
    pub places: Places,
    /// Options of sbatch, such as --partition=long
    #[arg(last = true, value_name = "SBATCH OPTIONS", value_parser = parse_option)]
    pub options: Vec<String>,
}

#[derive(Debug, Args)]
pub struct ClusterStatus {
    /// The results folder
    #[arg(long = "results", alias = "out", value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
    /// Print it again and again, so many seconds apart, until nothing is under way
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "30", value_parser = clap::value_parser!(u64).range(1..))]
    pub watch: Option<u64>,
}

#[derive(Debug, Args)]
pub struct Retry {
    /// The time limit of a shard, such as 2h or 90m [default: as before, doubled if time ran out]
    #[arg(long, value_name = "T", value_parser = parse_time)]
    pub time: Option<Duration>,
    /// The memory limit of each process of an agent, in MiB [default: as before, doubled if memory ran out]
    #[arg(long, value_name = "MIB")]
    pub memory: Option<u64>,
    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,
    /// Wait until nothing is under way, then collect
    #[arg(long)]
    pub wait: bool,
    /// The results folder
    #[arg(long = "results", alias = "out", value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
}

#[derive(Debug, Args)]
pub struct Collect {
    /// Keep the work folder
    #[arg(long)]
    pub keep: bool,
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
    /// The results folder
    #[arg(long = "results", alias = "out", value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
}

#[derive(Debug, Args)]
pub struct Cancel {
    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,
    /// The results folder
    #[arg(long = "results", alias = "out", value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
}

#[derive(Debug, Args)]
pub struct Work {
    pub folder: PathBuf,
    pub round: u32,
    pub place: usize,
}

#[derive(Debug, Args)]
pub struct WorkStudy {
    pub folder: PathBuf,
    pub study: String,
    #[arg(value_parser = parse_shard)]
    pub part: Shard,
    #[arg(long)]
    pub memory: u64,
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
