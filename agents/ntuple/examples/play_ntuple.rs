//! Plays games with a file of weights, and says how they went.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use clap::Parser;
use engine::{Direction, Game, Rules, TileSeed};
use ntuple::search::Search;
use tuples::Weights;

/// Play games with a file of weights.
#[derive(Parser)]
struct Args {
    /// File of weights.
    weights: PathBuf,
    /// Moves of the player's own to look ahead.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    plies: u32,
    /// Games to play.
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Number of the first game.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Seed of the tiles: not that of the training.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let file = fs::read(&args.weights)?;
    let weights =
        Weights::parse(&file[..]).map_err(|error| format!("{}: {error}", args.weights.display()))?;
    let mut search = Search::new(weights, &Rules::default());
    let began = Instant::now();
    let (mut scores, mut ranks, mut moves) = (Vec::new(), Vec::new(), 0);
    for number in args.first..args.first + args.games {
        let mut game = Game::new(&Rules::default(), TileSeed::derive(args.seed, number));
        while game.ending().is_none() {
            let values = search.move_values(game.board(), args.plies - 1);
            let (direction, _) = values.first_best(Direction::ALL).ok_or("there is no legal move")?;
            game.play(direction)?;
        }
        scores.push(f64::from(game.score()));
        ranks.push(game.max_rank());
        moves += u64::from(game.moves());
    }
    let count = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / count;
    let variance = scores.iter().map(|score| (score - mean) * (score - mean)).sum::<f64>() / (count - 1.0);
    println!(
        "{} games of {} plies: mean {mean:.0}, standard error {:.0}",
        args.games,
        args.plies,
        (variance / count).sqrt()
    );
    scores.sort_by(f64::total_cmp);
    let quantile = |percent: usize| scores[(scores.len() - 1) * percent / 100];
    println!("median {}, 90 % {}, 99 % {}, most {}", quantile(50), quantile(90), quantile(99), quantile(100));
    for rank in 11..=16 {
        let reached = ranks.iter().filter(|&&largest| largest >= rank).count() as f64;
        println!("{} in {:.2} %", 1_u32 << rank, 100.0 * reached / count);
    }
    println!("{:.0} moves a second", moves as f64 / began.elapsed().as_secs_f64());
    Ok(())
}
