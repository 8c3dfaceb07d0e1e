//! The arguments of `pipeline train`.

use clap::Args;

use super::{Places, Playing};

#[derive(Debug, Args)]
pub struct Train {
    /// Papers or trainings, as PAPER or PAPER/TRAINING, or a manifest's file [default: all papers]
    pub names: Vec<String>,
    /// Include the trainings of the extra sets
    #[arg(long)]
    pub extra: bool,
    /// Train again what is done, and compare the hashes
    #[arg(long)]
    pub fresh: bool,
    /// Show what would be trained, and train nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Minutes between two checkpoints
    #[arg(long, value_name = "MINUTES", default_value_t = 5.0, value_parser = minutes)]
    pub checkpoint_minutes: f64,
    #[command(flatten)]
    pub playing: Playing,
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
