//! A worker's answers other than whole games: single positions and the conformance suite.

use std::io::Write as _;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use engine::abi::host::{LoadedAgent, PlayError, Plugin, Silent};
use engine::agent::{Budget, Decision, Position};
use engine::conformance::{self, Finding, Options, Remedy, StepResult};
use engine::game::IllegalMove;
use engine::{AgentSeed, Board, Game, Rules, TileSeed};
use serde_json::Value;

use super::{Server, WorkerError, failed, info_of, result};
use crate::worker::protocol::Reply;
use crate::worker::questions::STEP_MARK;
use crate::{CheckSetup, Question};

/// How long an agent plays to measure its speed.
const SPEED_TEST_TIME: Duration = Duration::from_secs(1);

impl Server {
    pub(super) fn new_game(&mut self, seed: AgentSeed) -> Result<Value, WorkerError> {
        result(self.setup()?.agent.new_game(seed)?)
    }

    pub(super) fn ask(&mut self, question: Question) -> Result<Value, WorkerError> {
        let setup = self.setup()?;
        let board = Board::from_packed(question.board);
        let position = Position {
            board,
            legal: board.legal_moves(),
            score: question.score,
            move_number: question.move_number,
            budget: setup.budget,
        };
        let decision = setup.agent.choose_move(&position)?;
        // Numbers that are not finite become null in JSON, and are read as `None`.
        result(Decision { values: setup.agent.move_values(), ..decision })
    }

    /// Runs the suite. Each step is reported at once, since the next may take this process down.
    pub(super) fn check(&mut self, setup: CheckSetup) -> Result<Value, WorkerError> {
        let CheckSetup { agent: id, params, moves, budget, files } = setup;
        let (options, plugin) = (Options { params, moves, budget }, &self.plugin_with(&files)?);
        let info = info_of(plugin, &id)?;
        let mut reported = Ok(());
        self.heartbeat.moves.store(0, Ordering::Relaxed);
        conformance::check_with(plugin, info, &options, |step| match step {
            None => {
                self.heartbeat.moves.fetch_add(1, Ordering::Relaxed);
            }
            Some(step) => {
                self.heartbeat.moves.store(0, Ordering::Relaxed);
                mark_step();
                let sent = self.replies.send(&Reply::Step(step));
                reported = std::mem::replace(&mut reported, Ok(())).and(sent);
            }
        });
        let budget = options.budget.unwrap_or_else(|| small_budget(info.capabilities));
        let speed = measure(plugin, info.index, &Value::Object(options.params).to_string(), budget);
        mark_step();
        let reported = reported.and_then(|()| self.replies.send(&Reply::Step(speed)));
        reported.map_err(|error| failed(format!("the steps cannot be reported: {error}")))?;
        result(())
    }
}

/// Marks the end of a step on standard error. If that is closed, nobody reads it.
fn mark_step() {
    let _ = std::io::stderr().write_all(STEP_MARK);
}

/// A small budget of the first kind that the agent takes, for the measurement of its speed.
fn small_budget(capabilities: engine::agent::Capabilities) -> Budget {
    let tried = [Budget::None, Budget::Plies(3), Budget::Nodes(1000), Budget::Playouts(100)];
    tried.into_iter().find(|&budget| capabilities.takes(budget)).unwrap_or(Budget::None)
}

/// How many moves a second the agent plays. The step fails only if there is no move at all.
fn measure(plugin: &Plugin, index: u32, params: &str, budget: Budget) -> StepResult {
    let mut accepted = conformance::rule_sets()
        .into_iter()
        .filter_map(|(_, rules)| Some((plugin.create(index, &rules, params, Silent).ok()?, rules)));
    let measured = match accepted.next() {
        Some((mut agent, rules)) => play_for_a_while(&mut agent, &rules, budget),
        None => Err(SpeedError::Refuses),
    };
    let outcome = measured.map_err(|error| {
        let remedy = match &error {
            SpeedError::Fails(error) => Remedy::of_play(error),
            SpeedError::Refuses | SpeedError::Illegal(_) => conformance::ANSWER,
        };
        Finding { place: None, seen: error.to_string(), remedy: remedy.words(plugin) }
    });
    StepResult::new("moves a second", outcome)
}

/// Why the speed of an agent cannot be measured.
#[derive(Debug, thiserror::Error)]
enum SpeedError {
    #[error("it refuses all rules")]
    Refuses,
    #[error(transparent)]
    Fails(#[from] PlayError),
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

fn play_for_a_while(agent: &mut LoadedAgent, rules: &Rules, budget: Budget) -> Result<String, SpeedError> {
    let (mut moves, mut games) = (0_u64, 0);
    let start = Instant::now();
    while start.elapsed() < SPEED_TEST_TIME {
        let mut game = Game::new(rules, TileSeed::derive(2048, games));
        agent.new_game(AgentSeed::derive(2048, games))?;
        while game.ending().is_none() && start.elapsed() < SPEED_TEST_TIME {
            let decision = agent.choose_move(&Position::of_game(&game, budget))?;
            game.play(decision.direction)?;
            moves += 1;
        }
        games += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    let per_second = moves as f64 / seconds;
    let digits = if per_second < 100.0 { 1 } else { 0 };
    Ok(format!("{per_second:.digits$} with {budget}, on one core of this machine"))
}
