//! Both methods again, slow and plain, as the paper's algorithms read: random games one by one, every
//! state's results in a list of its own, sorted as a whole, and their means weighed by probabilities.
//!
//! They share with the agents the game and the random games (`engine`), and the order in which seeds are
//! drawn. Tests hold the agents' values against them; the benchmark takes from them the random games that an
//! agent plays.

#![allow(dead_code, unreachable_pub)]

use engine::agent::Position;
use engine::{Afterstate, Board, Direction, Playouts, Rng, Rules, Slide, Slides, spawn};

/// The order of the directions.
pub const ORDER: [Direction; 4] = [Direction::Right, Direction::Left, Direction::Up, Direction::Down];

/// The plain methods under some rules, in the game with this agent seed.
pub struct Reference<'a> {
    pub rules: &'a Rules,
    pub seed: u64,
}

/// What the MDP needs to know.
#[derive(Clone, Copy)]
pub struct Mdp<'a> {
    /// Random games with a spawned 2 and a spawned 4, by the number of empty cells.
    pub games: [&'a [u32; 15]; 2],
    pub top: f64,
    /// The ranks that stand for a 2 and a 4.
    pub ranks: [u8; 2],
    /// Of Bellman's equation, if that is used.
    pub gamma: Option<f64>,
}

/// A state, its probability after a move, and the seeds of its random games.
pub struct State {
    pub board: Board,
    pub probability: f64,
    pub seeds: Vec<u64>,
}

impl Reference<'_> {
    fn rng(&self, position: &Position) -> Rng {
        Rng::from_seed(self.seed.wrapping_add(position.move_number))
    }

    pub fn slide(&self, board: Board, direction: Direction) -> Option<Slide> {
        Slides::of(self.rules.merging).slide(board, direction)
    }

    pub fn ends_game(&self, slide: &Slide) -> bool {
        slide.makes_cap || self.rules.stop_at.is_some_and(|stop| slide.afterstate.max_rank() >= stop.rank())
    }

    fn probability(&self, tile: usize) -> f64 {
        let four = self.rules.four.probability();
        [1.0 - four, four][tile]
    }

    /// The legal moves with their states, none if the move ends the game.
    pub fn states(&self, mdp: &Mdp, position: &Position) -> Vec<(Direction, Slide, Vec<State>)> {
        let mut rng = self.rng(position);
        let slides = ORDER.into_iter().filter_map(|to| Some((to, self.slide(position.board, to)?)));
        let states = slides.map(|(direction, slide)| {
            let states =
                if self.ends_game(&slide) { vec![] } else { self.of(mdp, slide.afterstate, &mut rng) };
            (direction, slide, states)
        });
        states.collect()
    }

    fn of(&self, mdp: &Mdp, afterstate: Afterstate, rng: &mut Rng) -> Vec<State> {
        let empty = afterstate.empty_count() as usize;
        let mut states = Vec::new();
        for tile in [0, 1].into_iter().filter(|&tile| self.probability(tile) > 0.0) {
            for cell in afterstate.empty_cells() {
                let games = mdp.games[tile][empty - 1];
                states.push(State {
                    board: afterstate.with_spawn(cell, mdp.ranks[tile]),
                    probability: self.probability(tile) / empty as f64,
                    seeds: (0..games).map(|_| rng.next_u64()).collect(),
                });
            }
        }
        states
    }

    /// The value of every direction, none if it is illegal.
    pub fn mdp(&self, mdp: &Mdp, position: &Position) -> [Option<f64>; 4] {
        let playouts = Playouts::new(self.rules);
        let mut values = [None; 4];
        for (direction, slide, states) in self.states(mdp, position) {
            let score = (position.score + u64::from(slide.reward)) as f64;
            let expected = if self.ends_game(&slide) {
                score
            } else {
                let value = |state: &State| {
                    let result = |&seed| score + f64::from(playouts.random(state.board, seed).reward);
                    mean_of_top(state.seeds.iter().map(result).collect(), mdp.top)
                };
                states.iter().map(|state| state.probability * value(state)).sum()
            };
            let value = match mdp.gamma {
                Some(gamma) => f64::from(slide.reward) + gamma * expected,
                None => expected,
            };
            values[direction as usize] = Some(value);
        }
        values
    }

    /// Algorithm 1: every direction with the boards and seeds of its random games.
    pub fn pure_games(
        &self,
        position: &Position,
        n: usize,
        shared: bool,
    ) -> Vec<(Direction, Vec<(Board, u64)>)> {
        let mut rng = self.rng(position);
        let legal = ORDER.into_iter().filter_map(|to| Some((to, self.slide(position.board, to)?)));
        let open: Vec<_> = legal.filter(|(_, slide)| !self.ends_game(slide)).collect();
        let draw = |slide: &Slide, rng: &mut Rng| spawn::spawn(slide.afterstate, self.rules.four, rng);
        let shared: Vec<Board> =
            open.iter().filter(|_| shared).map(|(_, slide)| draw(slide, &mut rng)).collect();
        let mut games = Vec::new();
        for (index, (direction, slide)) in open.iter().enumerate() {
            let mut game = || {
                let board = shared.get(index).copied().unwrap_or_else(|| draw(slide, &mut rng));
                (board, rng.next_u64())
            };
            games.push((*direction, (0..n).map(|_| game()).collect()));
        }
        games
    }

    /// Algorithm 1: the mean score of every direction by its top games, none if it is illegal or ends the
    /// game.
    pub fn pure_mcts(&self, position: &Position, n: usize, shared: bool, top: f64) -> [Option<f64>; 4] {
        let playouts = Playouts::new(self.rules);
        let mut values = [None; 4];
        for (direction, games) in self.pure_games(position, n, shared) {
            let reward = self.slide(position.board, direction).expect("a legal move").reward;
            let score = (position.score + u64::from(reward)) as f64;
            let results =
                games.into_iter().map(|(board, seed)| score + f64::from(playouts.random(board, seed).reward));
            values[direction as usize] = Some(mean_of_top(results.collect(), top));
        }
        values
    }
}

/// The mean of the top share of the results, rounded up, at least one.
pub fn mean_of_top(mut results: Vec<f64>, top: f64) -> f64 {
    results.sort_by(|a, b| b.total_cmp(a));
    let kept = ((top * results.len() as f64).ceil() as usize).max(1);
    results.truncate(kept);
    results.iter().sum::<f64>() / kept as f64
}
