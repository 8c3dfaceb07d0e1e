//! The arguments of the commands for experiments: playing them, saying what there is to play, and joining their parts.

use std::path::PathBuf;

use clap::Args;

use super::{Places, Playing};

/// Which experiments, and how many games of each.
#[derive(Clone, Debug, Args)]
pub struct Chosen {
    /// Papers or experiments, as PAPER or PAPER/EXPERIMENT, or a manifest's file; by default all papers
    pub names: Vec<String>,
    /// Another number of games for each experiment
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// Also the experiments of the extra sets
    #[arg(long)]
    pub extra: bool,
}

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct Reproduce {
    /// Papers or experiments, as PAPER or PAPER/EXPERIMENT; by default all papers
    pub names: Vec<String>,
    /// Play everything again and compare it with what is stored
    #[arg(long)]
    pub fresh: bool,
    /// Play a few games with small budgets in a scratch folder, and touch no results
    #[arg(long, conflicts_with = "fresh")]
    pub smoke: bool,
    /// Play the games of a bundle again, packed or unpacked, in a scratch folder, and compare them with it
    #[arg(long, value_name = "BUNDLE", conflicts_with_all = ["fresh", "smoke", "extra"])]
    pub from: Option<PathBuf>,
    /// With --from: only so many games of each experiment, the first ones
    #[arg(long, value_name = "N", requires = "from", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// With --from: build the agents from the bundle's source and use them, not those at hand; this runs the bundle's code
    #[arg(long, requires = "from")]
    pub trust: bool,
    /// Also the experiments of the extra sets
    #[arg(long)]
    pub extra: bool,
    #[command(flatten)]
    pub playing: Playing,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct Run {
    #[command(flatten)]
    pub chosen: Chosen,
    /// Play everything again and compare it with what is stored
    #[arg(long)]
    pub fresh: bool,
    /// Play only part M of N, counted from 1
    #[arg(long, value_name = "M/N", value_parser = parse_shard)]
    pub shard: Option<(u64, u64)>,
    #[command(flatten)]
    pub playing: Playing,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct Plan {
    #[command(flatten)]
    pub chosen: Chosen,
    /// Plan as if nothing were stored
    #[arg(long)]
    pub fresh: bool,
    #[command(flatten)]
    pub playing: Playing,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct Explain {
    /// Papers or experiments, as PAPER or PAPER/EXPERIMENT; by default all, extra sets included
    pub names: Vec<String>,
    /// Print it as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct Merge {
    /// The parts
    #[arg(required = true)]
    pub parts: Vec<PathBuf>,
    /// The folder with the results
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
}

fn parse_shard(text: &str) -> Result<(u64, u64), String> {
    let wrong = || "a part is M/N with M from 1 to N, such as 1/4".to_owned();
    let (part, of) = text.split_once('/').ok_or_else(wrong)?;
    let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
    let (part, of) = (number(part)?, number(of)?);
    if part >= 1 && part <= of { Ok((part, of)) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read_strictly() {
        assert_eq!(parse_shard("2/4"), Ok((2, 4)));
        for wrong in ["0/4", "5/4", "4", "a/b", "1/0"] {
            assert!(parse_shard(wrong).is_err(), "{wrong}");
        }
    }
}
