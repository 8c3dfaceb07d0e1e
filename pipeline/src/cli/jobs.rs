//! The arguments of the commands for jobs: running and planning them, and joining their parts.

use std::path::PathBuf;

use clap::Args;

use super::{Places, PlayOptions};
use manifest::limits::MOST_GAMES;
use records::Shard;

/// The jobs that a command is about.
#[derive(Clone, Debug, Args)]
pub struct JobOptions {
    /// Papers or jobs, as PAPER or PAPER/NAME, or a manifest's file [default: all papers]
    pub names: Vec<String>,
    /// Include the jobs of the extra sets
    #[arg(long)]
    pub extra: bool,
    /// Run everything again, and compare it with what is stored
    #[arg(long)]
    pub fresh: bool,
}

#[derive(Debug, Args)]
pub struct ReproduceArgs {
    #[command(flatten)]
    pub jobs: JobOptions,
    /// Also run the trainings that are not done, which may take hours; with --fresh, all of them
    #[arg(long, conflicts_with = "smoke")]
    pub train: bool,
    /// Play a few games with small budgets and train for a moment, in a scratch folder, without touching any
    /// results
    #[arg(long, conflicts_with = "fresh")]
    pub smoke: bool,
    /// Play the games of a bundle, packed or unpacked, again in a scratch folder and compare them with it;
    /// every trial of its studies is verified from those before it, and a study is run again only if it is
    /// named as PAPER/STUDY
    #[arg(long, value_name = "BUNDLE", conflicts_with_all = ["fresh", "smoke", "extra"])]
    pub from: Option<PathBuf>,
    /// With --from: play only the first N games of each experiment
    #[arg(long, value_name = "N", requires = "from", value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    pub games: Option<u64>,
    /// With --from: build the agents from the bundle's source and use them instead of your own; this runs the
    /// bundle's code
    #[arg(long, requires = "from")]
    pub trust: bool,
    /// Accept agents that are not deterministic; their games are stored without a signature and marked as not
    /// repeatable. Studies still need deterministic agents
    #[arg(long, conflicts_with = "from")]
    pub nondeterministic: bool,
    #[command(flatten)]
    pub playing: PlayOptions,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub jobs: JobOptions,
    /// The number of games of each experiment, instead of the manifest's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    pub games: Option<u64>,
    /// Play only part M of N, counting from 1
    #[arg(long, value_name = "M/N", value_parser = parse_shard)]
    pub shard: Option<Shard>,
    /// Accept agents that are not deterministic; their games are stored without a signature and marked as not
    /// repeatable
    #[arg(long)]
    pub nondeterministic: bool,
    #[command(flatten)]
    pub playing: PlayOptions,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
pub struct PlanArgs {
    #[command(flatten)]
    pub jobs: JobOptions,
    /// The number of games of each experiment, instead of the manifest's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    pub games: Option<u64>,
    #[command(flatten)]
    pub playing: PlayOptions,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// Jobs to explain in full, as PAPER or PAPER/NAME [default: a table of all, including extra sets]
    pub names: Vec<String>,
    /// Print it as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Files with the parts of experiments, journals of the parts of studies, or folders with any of these,
    /// whole experiments and studies included
    #[arg(required = true)]
    pub parts: Vec<PathBuf>,
    /// The results folder
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
}

#[derive(Debug, Args)]
pub struct ShrinkArgs {
    /// The results folder
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
}

pub(super) fn parse_shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    match parts {
        Some((_, of)) if of > MOST_GAMES => Err(format!(
            "there are at most {MOST_GAMES} parts, one for each game that an experiment may have"
        )),
        Some((part, of)) if part >= 1 && part <= of => Ok(Shard { part, of, games: 0 }),
        _ => Err("a part is M/N with M from 1 to N, such as 1/4".to_owned()),
    }
}

#[derive(Debug, Args)]
pub struct StudyArgs {
    #[command(flatten)]
    pub jobs: JobOptions,
    /// Play only part M of N of every batch, counting from 1; all parts share the results folder
    #[arg(long, value_name = "M/N", value_parser = parse_shard)]
    pub shard: Option<Shard>,
    /// Do not play the winners again on games that the study never saw
    #[arg(long)]
    pub no_winners: bool,
    #[command(flatten)]
    pub playing: PlayOptions,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
pub struct TrainArgs {
    #[command(flatten)]
    pub jobs: JobOptions,
    /// Show what would be trained, and train nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Minutes between two checkpoints
    #[arg(long, value_name = "MINUTES", default_value_t = 5.0, value_parser = minutes)]
    pub checkpoint_minutes: f64,
    #[command(flatten)]
    pub playing: PlayOptions,
    #[command(flatten)]
    pub places: Places,
}

/// Reads a number of minutes, of which parts may be given.
fn minutes(text: &str) -> Result<f64, String> {
    let minutes: f64 = text.parse().map_err(|_| "write a number of minutes, such as 5 or 0.5".to_owned())?;
    match minutes > 0.0 && minutes <= 1440.0 {
        true => Ok(minutes),
        false => Err("write more than 0 minutes, and not more than 1440".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read_strictly() {
        assert_eq!(parse_shard("2/4"), Ok(Shard { part: 2, of: 4, games: 0 }));
        assert_eq!(parse_shard("2/10000000").map(|shard| shard.of), Ok(10_000_000));
        let error = parse_shard("1/10000001").unwrap_err();
        assert_eq!(error, "there are at most 10000000 parts, one for each game that an experiment may have");
        for wrong in ["0/4", "5/4", "4", "a/b", "1/0"] {
            assert!(parse_shard(wrong).is_err(), "{wrong}");
        }
    }
}
