//! A contest: agents play the same seeds until sequential tests decide between each pair of them.
//!
//! Seeds count in the order of their numbers, whatever order they end in, so the number of threads does not
//! change the result. Every game is journalled at once: a contest that was killed resumes, and ends the same
//! way.

mod games;
mod score;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

pub use games::ContestantGames;
pub use score::{ContestScore, PairDecision, PairScore, PairTest};

use crate::player::{GamePlayer, GameSetup, SetupError};
use crate::run::RunError;
use platform::plain;
use score::SeedCounter;
use workers::{Launcher, Played};

/// The arguments of a contest.
pub struct Contest<'a> {
    /// The games of each contestant, from each start. All have equally many starts, at least one.
    pub games: &'a [Vec<ContestantGames<'a>>],
    /// The test of each pair.
    pub test: PairTest,
    /// The most seeds.
    pub limit: u64,
    /// How many seeds are played at once.
    pub jobs: usize,
    /// How to start workers.
    pub launcher: &'a Launcher,
    /// Set from outside to stop after the games in flight.
    pub stop: &'a AtomicBool,
    /// Called after every seed, in order.
    pub on_seed: &'a (dyn Fn(&ContestScore) + Sync),
}

impl Contest<'_> {
    /// Plays until all tests decide, or the limit is reached, or it is stopped.
    pub fn play(&self) -> Result<ContestScore, RunError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs).build()?;
        let (next, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
        let counter = Mutex::new(SeedCounter::new(self.games.len(), self.test));
        pool.broadcast(|_| {
            let mut players: Vec<GamePlayer<'_>> =
                self.games.iter().map(|_| GamePlayer::new(self.launcher, 1)).collect();
            while !is_over.load(Ordering::Relaxed) && !self.stop.load(Ordering::Relaxed) {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= self.limit {
                    break;
                }
                let scores = self.play_seed(&mut players, seed);
                let has_failed = scores.is_err();
                let mut counter = counter.lock().unwrap_or_else(PoisonError::into_inner);
                if counter.add(seed, scores, self.on_seed) {
                    is_over.store(true, Ordering::Relaxed);
                }
                drop(counter);
                if has_failed {
                    break;
                }
            }
        });
        counter.into_inner().unwrap_or_else(PoisonError::into_inner).end()
    }

    /// The scores of all contestants on a seed. With several starts the seeds take them in turn.
    fn play_seed(&self, players: &mut [GamePlayer<'_>], seed: u64) -> Result<Vec<u32>, RunError> {
        let score = |(starts, player): (&Vec<ContestantGames<'_>>, &mut GamePlayer<'_>)| {
            let (start, game) = place(seed, starts.len());
            match starts[start].score(game) {
                Some(known) => Ok(known),
                None => self.play_game(&starts[start], player, start, game),
            }
        };
        self.games.iter().zip(players).map(score).collect()
    }

    /// Plays a game and journals it. A worker starts with the first game, and re-creates its agent for each
    /// start.
    fn play_game(
        &self,
        games: &ContestantGames<'_>,
        player: &mut GamePlayer<'_>,
        start: usize,
        game: u64,
    ) -> Result<u32, RunError> {
        let setup = games.planned.setup();
        let (plugin, agent) = (&setup.agent.plugin.file, setup.agent.agent);
        player.prepare(start as u64, &setup).map_err(|error| match error {
            SetupError::Start(error) => error.into(),
            SetupError::Plugin(source) | SetupError::Agent(source) => {
                RunError::Agent { plugin: plugin.clone(), agent: agent.to_owned(), source }
            }
        })?;
        let played = play(player, &setup, game).map_err(|reason| RunError::Fault {
            plugin: plugin.clone(),
            agent: agent.to_owned(),
            game,
            reason,
        })?;
        games.keep(&played)?;
        Ok(played.record.score)
    }
}

/// The start of a seed, and the game's number among those from there.
pub(crate) const fn place(seed: u64, starts: usize) -> (usize, u64) {
    ((seed % starts as u64) as usize, seed / starts as u64)
}

/// Plays one game and replays it. Returns the reason if it faults.
fn play(player: &mut GamePlayer<'_>, setup: &GameSetup<'_>, game: u64) -> Result<Played, String> {
    let (played, error, _) = player.play_one(setup, game, false, None);
    error.map_or(Ok(()), |error| Err(error.to_string()))?;
    let played = played.filter(|played| played.record.game == game);
    let played = played.ok_or("the worker played a different game")?;
    let record = &played.record;
    if record.ending.is_fault() {
        let complaint = played.complaint.as_deref().map(plain::line).unwrap_or_default();
        return Err(format!("ended by {}: {complaint}", record.ending));
    }
    record.replay(setup.agent.rules, setup.seed).map_err(|error| error.to_string())?;
    Ok(played)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_take_the_starts_in_turn() {
        assert_eq!([0, 1, 2, 3, 7].map(|seed| place(seed, 1)), [(0, 0), (0, 1), (0, 2), (0, 3), (0, 7)]);
        assert_eq!([0, 1, 2, 3, 7].map(|seed| place(seed, 3)), [(0, 0), (1, 0), (2, 0), (0, 1), (1, 2)]);
    }
}
