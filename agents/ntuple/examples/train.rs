//! Trains a network, and goes on from its last checkpoint if there is one.
//!
//! In the folder it keeps `checkpoint`, replaced every few minutes, and `curve.csv` with a line for every 1,000 games.

use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Parser;
use ntuple::training::{Played, Recipe, Restart, Trainer};
use tuples::{CellValues, Network, Sampling, Tuple};

/// Games that a line of the learning curve sums up.
const WINDOW: u64 = 1000;

/// Train a network.
#[derive(Parser)]
struct Args {
    /// Folder of the checkpoint and the learning curve.
    folder: PathBuf,
    /// Cells of each tuple as hexadecimal digits.
    #[arg(long, value_delimiter = ' ', default_value = "012345 456789 012456 45689a")]
    tuples: Vec<Tuple>,
    /// Games to train in all.
    #[arg(long)]
    games: u64,
    /// Seed of the tiles.
    #[arg(long, default_value_t = 1)]
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
    /// Minutes between checkpoints.
    #[arg(long, default_value_t = 5)]
    checkpoint_minutes: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let mut trainer = Trainer::new(recipe(&args))?;
    fs::create_dir_all(&args.folder)?;
    let checkpoint = args.folder.join("checkpoint");
    if checkpoint.exists() {
        trainer.load(BufReader::new(File::open(&checkpoint)?))?;
        println!("going on after {} games", trainer.progress().games);
    }
    let mut curve = open_curve(&args.folder.join("curve.csv"), trainer.progress().games)?;
    let mut saved = Instant::now();
    while trainer.progress().games < args.games {
        let (began, moves) = (Instant::now(), trainer.progress().moves);
        let window: Vec<Played> = (0..WINDOW).map(|_| trainer.play_and_learn()).collect();
        let speed = (trainer.progress().moves - moves) as f64 / began.elapsed().as_secs_f64();
        report(&trainer, &window, speed, &mut curve)?;
        if saved.elapsed() >= Duration::from_secs(60 * args.checkpoint_minutes)
            || trainer.progress().games >= args.games
        {
            save(&trainer, &checkpoint)?;
            saved = Instant::now();
        }
    }
    Ok(())
}

fn recipe(args: &Args) -> Recipe {
    let restart =
        args.restart_late.map(|late| Restart { late, short: args.restart_short, until: args.restart_until });
    Recipe {
        network: Network::new(args.tuples.clone(), Sampling::Symmetric, CellValues::Sixteen),
        alpha: 1.0,
        lambda: 0.5,
        optimistic_start: args.optimistic_start,
        restart,
        seed: args.seed,
    }
}

/// Opens the curve without the lines after the checkpoint, which will be written again.
fn open_curve(path: &Path, games: u64) -> std::io::Result<File> {
    let old = fs::read_to_string(path).unwrap_or_default();
    let is_past =
        |line: &&str| line.split(',').next().and_then(|n| n.parse().ok()).is_some_and(|n: u64| n <= games);
    let mut file = OpenOptions::new().create(true).write(true).truncate(true).open(path)?;
    writeln!(file, "games,moves,mean_score,rate_2048,rate_8192,rate_16384,rate_32768")?;
    old.lines().filter(is_past).try_for_each(|line| writeln!(file, "{line}"))?;
    Ok(file)
}

fn report(trainer: &Trainer, window: &[Played], speed: f64, curve: &mut File) -> std::io::Result<()> {
    let count = window.len() as f64;
    let mean = window.iter().map(|played| f64::from(played.score)).sum::<f64>() / count;
    let rate = |rank| window.iter().filter(|played| played.max_rank >= rank).count() as f64 / count;
    let (games, moves) = (trainer.progress().games, trainer.progress().moves);
    let rates = [11, 13, 14, 15].map(|rank| rate(rank).to_string()).join(",");
    writeln!(curve, "{games},{moves},{mean},{rates}")?;
    println!(
        "{games} games, {} M moves, {:.0} k moves/s, mean {mean:.0}, 2048 in {:.1} %, 16384 in {:.1} %",
        moves / 1_000_000,
        speed / 1e3,
        100.0 * rate(11),
        100.0 * rate(14),
    );
    Ok(())
}

/// Replaces the checkpoint at one stroke.
fn save(trainer: &Trainer, path: &Path) -> std::io::Result<()> {
    let began = Instant::now();
    let fresh = path.with_extension("new");
    let mut file = BufWriter::new(File::create(&fresh)?);
    trainer.save(&mut file)?;
    file.into_inner().map_err(|error| error.into_error())?.sync_all()?;
    fs::rename(&fresh, path)?;
    println!(
        "checkpoint after {} games, in {:.1} s",
        trainer.progress().games,
        began.elapsed().as_secs_f64()
    );
    Ok(())
}
