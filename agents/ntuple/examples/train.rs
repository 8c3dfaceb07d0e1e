use ntuple::training::{Recipe, Restart, Trainer};
use engine::tuples::{Network, Sampling, CellValues};
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let tuples = args[1].split_whitespace().map(|t| t.parse().unwrap()).collect();
    let moves: u64 = args[2].parse().unwrap();
    let start: f32 = args[3].parse().unwrap();
    let short: usize = args[4].parse().unwrap();
    let network = Network::new(tuples, Sampling::Symmetric, CellValues::Sixteen);
    let recipe = Recipe { network, alpha: 1.0, lambda: 0.5, optimistic_start: start, restart: (short>0).then_some(Restart { short, until: u64::MAX }), seed: 1 };
    let mut trainer = Trainer::new(recipe).unwrap();
    let t = Instant::now();
    let mut last = (0, t);
    let mut scores = 0u64; let mut wins = 0;
    while trainer.moves() < moves {
        let played = trainer.play_and_learn();
        scores += u64::from(played.score);
        wins += u32::from(played.max_rank >= 11);
        if trainer.games() % 1000 == 0 {
            println!("{} games {} M moves {:.0} k/s mean {} wins {:.3}", trainer.games(), trainer.moves() / 1_000_000, (trainer.moves()-last.0) as f64 / last.1.elapsed().as_secs_f64() / 1e3, scores / 1000, f64::from(wins)/1e3);
            scores = 0; wins = 0; last = (trainer.moves(), Instant::now());
        }
    }
    println!("{:.0} k/s, {:.1}% touched", trainer.moves() as f64 / t.elapsed().as_secs_f64() / 1e3, 100.0 * trainer.cells().iter().filter(|c| c.size > 0.0).count() as f64 / trainer.cells().len() as f64);
}
