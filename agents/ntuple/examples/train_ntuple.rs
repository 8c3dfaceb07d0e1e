//! Trains a network, and goes on from its last checkpoint if there is one.

#[path = "../../../engine/tuples/examples/driver/mod.rs"]
mod driver;

use std::error::Error;

use clap::Parser;
use ntuple::training::{Recipe, Restart, Trainer};
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
    /// Sum of tiles from which on games are begun again; without it none is.
    #[arg(long)]
    restart_late: Option<u32>,
    /// Most moves of a late part that is not begun again.
    #[arg(long, default_value_t = 10)]
    restart_short: usize,
    /// First game that is not begun again.
    #[arg(long, default_value_t = u64::MAX)]
    restart_until: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let (short, until) = (args.restart_short, args.restart_until);
    let recipe = Recipe {
        network: Network::new(args.tuples, Sampling::Symmetric, CellValues::Sixteen),
        alpha: 1.0,
        lambda: 0.5,
        optimistic_start: args.optimistic_start,
        restart: args.restart_late.map(|late| Restart { late, short, until }),
        seed: args.seed,
    };
    args.drive.run(Trainer::new(recipe)?)
}
