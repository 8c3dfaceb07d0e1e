//! Trains a network, and goes on from its last checkpoint if there is one.

#[path = "../../../engine/tuples/examples/driver/mod.rs"]
mod driver;

use std::error::Error;

use clap::Parser;
use ntuple::training::{Place, Recipe, Restart, Trainer};
use tuples::{CellValues, Network, Sampling, Tuple};

/// Train a network by temporal coherence learning.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    drive: driver::Drive,
    /// Cells of each tuple as hexadecimal digits.
    #[arg(long, value_delimiter = ' ', default_value = "012345 456789 012456 45689a")]
    tuples: Vec<Tuple>,
    /// Seed of the tiles.
    #[arg(long, default_value_t = 2048)]
    seed: u64,
    /// Value that every afterstate begins with.
    #[arg(long, default_value_t = 0.0)]
    optimistic_start: f32,
    /// Games to begin again, as SUM:SHORT:UNTIL, from halfway through what they have from this sum of tiles on, unless that is so
    /// short, until this game of the training; or as SUM:xTIMES:UNTIL, so often from the first afterstate with this sum. May be
    /// given more than once, for one way after the other.
    #[arg(long, value_parser = restart)]
    restart: Vec<Restart>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let recipe = Recipe {
        network: Network::new(args.tuples, Sampling::Symmetric, CellValues::Sixteen),
        alpha: 1.0,
        lambda: 0.5,
        optimistic_start: args.optimistic_start,
        restarts: args.restart,
        seed: args.seed,
    };
    args.drive.run(Trainer::new(recipe)?)
}

fn restart(text: &str) -> Result<Restart, Box<dyn Error + Send + Sync>> {
    let [late, from, until] = text.split(':').collect::<Vec<_>>()[..] else {
        return Err("write SUM:SHORT:UNTIL or SUM:xTIMES:UNTIL, such as 16384:10:1000000".into());
    };
    let from = match from.strip_prefix('x') {
        Some(times) => Place::Beginning { times: times.parse()? },
        None => Place::Halfway { short: from.parse()? },
    };
    Ok(Restart { late: late.parse()?, from, until: until.parse()? })
}
