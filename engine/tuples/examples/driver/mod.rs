//! Drives a training from the command line, with its checkpoint and learning curve in a folder.

use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tuples::{Played, Training, weights};

/// Games that a line of the learning curve sums up.
const WINDOW: u64 = 1000;

/// Where a training is kept, and how long it goes on.
#[derive(clap::Args)]
pub(crate) struct Drive {
    /// Folder of `checkpoint`, which is replaced every few minutes, and `curve.csv`, with a line for every 1,000 games.
    folder: PathBuf,
    /// Games to train in all, in thousands; where the checkpoint has as many, nothing is trained.
    #[arg(long)]
    thousands: u64,
    /// Minutes between checkpoints.
    #[arg(long, default_value_t = 5)]
    checkpoint_minutes: u64,
    /// File for the weights; written when all games are played.
    #[arg(long)]
    export: Option<PathBuf>,
    /// Step between two neighbouring weights in that file.
    #[arg(long, default_value_t = 8.0)]
    step: f32,
    /// How far a weight must have moved in all to be in that file.
    #[arg(long, default_value_t = 0.0)]
    least_moved: f32,
}

impl Drive {
    /// Goes on from the last checkpoint, if there is one, to the last game.
    pub(crate) fn run(&self, mut training: impl Training) -> Result<(), Box<dyn Error>> {
        fs::create_dir_all(&self.folder)?;
        let checkpoint = self.folder.join("checkpoint");
        if checkpoint.exists() {
            let file = BufReader::new(File::open(&checkpoint)?);
            training.load(file).map_err(|error| format!("{}: {error}", checkpoint.display()))?;
            println!("going on after {} games", training.progress().games);
        }
        let games = WINDOW * self.thousands;
        let mut curve = open_curve(&self.folder.join("curve.csv"), training.progress().games)?;
        let mut saved = Instant::now();
        while training.progress().games < games {
            window(&mut training, &mut curve)?;
            let is_due = saved.elapsed() >= Duration::from_secs(60 * self.checkpoint_minutes);
            if is_due || training.progress().games >= games {
                replace(&checkpoint, |file| training.save(file))?;
                saved = Instant::now();
                println!("checkpoint after {} games", training.progress().games);
            }
        }
        if let Some(path) = &self.export {
            let file = weights::encode(training.network(), self.step, training.weights(self.least_moved));
            replace(path, |out| out.write_all(&file))?;
            println!("{}: {} bytes, {} games", path.display(), file.len(), training.progress().games);
        }
        Ok(())
    }
}

/// Trains so many games, and reports on them.
fn window(training: &mut impl Training, curve: &mut File) -> io::Result<()> {
    let (began, before) = (Instant::now(), training.progress().moves);
    let played: Vec<Played> = (0..WINDOW).map(|_| training.play_and_learn()).collect();
    let progress = training.progress();
    let speed = (progress.moves - before) as f64 / began.elapsed().as_secs_f64() / 1e3;
    let mean = played.iter().map(|played| f64::from(played.score)).sum::<f64>() / WINDOW as f64;
    let rate = |rank| played.iter().filter(|played| played.max_rank >= rank).count() as f64 / WINDOW as f64;
    let rates = [11, 13, 14, 15].map(|rank| rate(rank).to_string()).join(",");
    writeln!(curve, "{},{},{mean},{rates}", progress.games, progress.moves)?;
    println!(
        "{} games, {} M moves, {speed:.0} k moves/s, mean {mean:.0}, 2048 in {:.1} %, 16384 in {:.1} %",
        progress.games,
        progress.moves / 1_000_000,
        100.0 * rate(11),
        100.0 * rate(14),
    );
    Ok(())
}

/// Opens the curve without the lines after the checkpoint, which will be written again.
fn open_curve(path: &Path, games: u64) -> io::Result<File> {
    let old = fs::read_to_string(path).unwrap_or_default();
    let number = |line: &str| line.split(',').next().and_then(|number| number.parse::<u64>().ok());
    let mut file = OpenOptions::new().create(true).write(true).truncate(true).open(path)?;
    writeln!(file, "games,moves,mean_score,rate_2048,rate_8192,rate_16384,rate_32768")?;
    let past = old.lines().filter(|line| number(line).is_some_and(|number| number <= games));
    past.for_each(|line| drop(writeln!(file, "{line}")));
    Ok(file)
}

/// Writes a file beside the old one, then replaces it at one stroke.
fn replace(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let fresh = path.with_added_extension("new");
    let mut file = BufWriter::new(File::create(&fresh)?);
    write(&mut file)?;
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    fs::rename(&fresh, path)
}
