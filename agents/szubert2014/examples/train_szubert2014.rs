//! Trains one of the paper's networks, and goes on from its last checkpoint if there is one.

#[path = "../../../engine/tuples/examples/driver/mod.rs"]
mod driver;

use std::error::Error;

use clap::{Parser, ValueEnum};
use szubert2014::networks;
use szubert2014::training::{Recipe, Trainer};

/// Train a network by temporal difference learning.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    drive: driver::Drive,
    /// Which of the paper's networks.
    #[arg(long)]
    network: Name,
    /// Seed of the tiles.
    #[arg(long, default_value_t = 2048)]
    seed: u64,
    /// Learning rate.
    #[arg(long, default_value_t = 0.0025)]
    rate: f32,
}

#[derive(Clone, Copy, ValueEnum)]
enum Name {
    /// 17 rows, columns and squares of four cells.
    StraightAndSquare,
    /// Two rows and two rectangles, symmetrically sampled.
    RowsAndRectangles,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let network = match args.network {
        Name::StraightAndSquare => networks::straight_and_square(),
        Name::RowsAndRectangles => networks::rows_and_rectangles(),
    };
    args.drive.run(Trainer::new(Recipe { network, rate: args.rate, seed: args.seed })?)
}
