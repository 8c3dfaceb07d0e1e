//! The agent under test: how the steps make it, which rules and budgets it is tried with, and how it plays a
//! game.

use std::cell::RefCell;

use serde_json::{Map, Value};

use super::remedy::{self, Remedy};
use super::{Finding, Options, StepResult, adversarial_rule_sets, rule_sets};
use crate::abi::host::{AgentInfo, CreateError, LoadedAgent, PlayError, Plugin, Silent};
use crate::agent::{Budget, Capabilities, Decision, Position, TileDecision};
use crate::game::{Game, TurnError};
use crate::rules::Rules;
use crate::seed::{AgentSeed, TileSeed};
use crate::slide::Slide;

/// The master seed of the suite's games.
const MASTER_SEED: u64 = 2048;

/// An agent that is put through the suite, and how it is made and driven.
pub(super) struct TestedAgent<'a> {
    pub(super) plugin: &'a Plugin,
    pub(super) agent: &'a AgentInfo,
    pub(super) options: &'a Options,
    pub(super) report: RefCell<&'a mut dyn FnMut(Option<StepResult>)>,
}

impl TestedAgent<'_> {
    pub(super) fn report(&self, step: Option<StepResult>) {
        (self.report.borrow_mut())(step);
    }

    /// What is wrong, with its remedy in the terms of the agent's author.
    pub(super) fn finding(&self, seen: impl Into<String>, remedy: Remedy) -> Finding {
        Finding { place: None, seen: seen.into(), remedy: remedy.words(self.plugin) }
    }

    /// Demands something of the agent. If it is not met, `seen` says what was seen instead.
    pub(super) fn demand(
        &self,
        is_met: bool,
        remedy: Remedy,
        seen: impl FnOnce() -> String,
    ) -> Result<(), Finding> {
        if is_met { Ok(()) } else { Err(self.finding(seen(), remedy)) }
    }

    /// All rule sets that the agent may be made for.
    pub(super) fn rule_sets(&self) -> Vec<(&'static str, Rules)> {
        let mut sets = rule_sets();
        if self.agent.capabilities.contains(Capabilities::SPAWNER) {
            sets.extend(adversarial_rule_sets());
        }
        sets
    }

    /// The rules under which the agent has to repeat itself: the first that it plays, and the first under
    /// which it places tiles.
    pub(super) fn repeated_rules(&self) -> Result<Vec<Rules>, Finding> {
        let mut rules = vec![self.some_rules()?];
        let is_played =
            |rules: &Rules| !rules.spawn.is_random() && self.create(rules, &self.options.params).is_ok();
        rules.extend(self.rule_sets().into_iter().map(|(_, rules)| rules).find(is_played));
        Ok(rules)
    }

    /// Plays these games under all rules under which the agent has to repeat itself.
    pub(super) fn play_all(&self, games: &[u64]) -> Result<Vec<Transcript>, Finding> {
        let budget = self.small_budget()?;
        let mut played = Vec::new();
        for rules in self.repeated_rules()? {
            played.extend(self.play(&rules, budget, games)?);
        }
        Ok(played)
    }

    /// Plays these games one after the other with one agent.
    pub(super) fn play(
        &self,
        rules: &Rules,
        budget: Budget,
        games: &[u64],
    ) -> Result<Vec<Transcript>, Finding> {
        let mut agent = self.create_again(rules)?;
        games.iter().map(|&game| self.play_game(&mut agent, rules, budget, game)).collect()
    }

    fn play_game(
        &self,
        agent: &mut LoadedAgent,
        rules: &Rules,
        budget: Budget,
        number: u64,
    ) -> Result<Transcript, Finding> {
        let mut game = Game::new(rules, TileSeed::derive(MASTER_SEED, number));
        let mut transcript = Transcript::default();
        let failed = |game: &Game, seen: String, remedy| {
            let place = format!("game {number}, move {}, board {}", game.moves() + 1, game.board());
            Finding { place: Some(place), ..self.finding(seen, remedy) }
        };
        let begun = agent.new_game(AgentSeed::derive(MASTER_SEED, number));
        begun.map_err(|error| failed(&game, error.to_string(), Remedy::of_play(&error)))?;
        while game.ending().is_none() && game.moves() < self.options.moves {
            let position = Position::of_game(&game, budget);
            let decision = agent
                .choose_move(&position)
                .map_err(|error| failed(&game, error.to_string(), Remedy::of_play(&error)))?;
            self.report(None);
            if decision.value.is_some_and(|value| !value.is_finite()) {
                let seen = format!("its value is {:?}", decision.value);
                return Err(failed(&game, seen, remedy::FINITE_VALUE));
            }
            let values = agent.move_values().unwrap_or_default().value;
            if values.iter().flatten().any(|value| !value.is_finite()) {
                let seen = format!("its values for the moves are {values:?}");
                return Err(failed(&game, seen, remedy::FINITE_VALUES));
            }
            let place = |slide: &Slide| {
                let placed = agent.place_tile(&position.slid(slide))?;
                transcript.tiles.push(placed);
                Ok(placed.tile)
            };
            game.play_with(decision.direction, place).map_err(|error: TurnError<PlayError>| {
                let remedy = match error {
                    TurnError::Move(_) => remedy::LEGAL,
                    TurnError::Tile(_) => remedy::TILE,
                    TurnError::Unplaced(_) => remedy::EVERY_SLIDE,
                };
                failed(&game, error.to_string(), remedy)
            })?;
            transcript.directions.push(decision.direction.letter());
            transcript.decisions.push(decision);
        }
        agent.end_game().map_err(|error| failed(&game, error.to_string(), remedy::ONE_ANSWER))?;
        Ok(transcript)
    }

    pub(super) fn create(
        &self,
        rules: &Rules,
        params: &Map<String, Value>,
    ) -> Result<LoadedAgent, CreateError> {
        let params = Value::Object(params.clone()).to_string();
        self.plugin.create(self.agent.index, rules, &params, Silent)
    }

    /// Makes the agent for rules that it accepted before.
    pub(super) fn create_again(&self, rules: &Rules) -> Result<LoadedAgent, Finding> {
        self.create(rules, &self.options.params)
            .map_err(|error| self.finding(error.to_string(), remedy::MADE_BEFORE))
    }

    /// The first rule set that the agent plays.
    pub(super) fn some_rules(&self) -> Result<Rules, Finding> {
        let mut refusal = None;
        for (_, rules) in rule_sets() {
            match self.create(&rules, &self.options.params) {
                Ok(_) => return Ok(rules),
                Err(error) => refusal = refusal.or(Some(error)),
            }
        }
        let reason = refusal.map_or_else(String::new, |error| error.to_string());
        Err(self.finding(
            format!("it refuses all {} rule sets; the first: {reason}", rule_sets().len()),
            remedy::SOME_RULES,
        ))
    }

    /// The count budgets that the suite tries, of the kinds that the agent takes.
    pub(super) fn budgets(&self) -> Vec<Budget> {
        self.options.budget.map_or_else(|| small_budgets(self.agent), |budget| vec![budget])
    }

    pub(super) fn small_budget(&self) -> Result<Budget, Finding> {
        self.budgets().first().copied().ok_or_else(|| {
            self.finding("it takes no budget that the suite tries".to_owned(), remedy::COUNTED_BUDGETS)
        })
    }
}

/// A small count budget of each kind that an agent accepts.
pub fn small_budgets(agent: &AgentInfo) -> Vec<Budget> {
    let tried = [Budget::None, Budget::Plies(3), Budget::Nodes(200), Budget::Playouts(20)];
    tried.into_iter().filter(|&budget| agent.capabilities.takes(budget)).collect()
}

/// What an agent did in one game, which it is to repeat to the letter.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Transcript {
    pub(super) directions: String,
    pub(super) decisions: Vec<Decision>,
    /// The tiles that it placed, if that was its to do.
    pub(super) tiles: Vec<TileDecision>,
}

impl Transcript {
    /// The most that one decision used of the budget.
    pub(super) fn most_spent(&self) -> u64 {
        let moves = self.decisions.iter().map(|decision| decision.spent);
        moves.chain(self.tiles.iter().map(|placed| placed.spent)).max().unwrap_or(0)
    }
}

/// The first difference between two plays of the same games, if there is one.
pub(super) fn difference(first: &[Transcript], second: &[Transcript]) -> Option<String> {
    let (one, other) = first.iter().zip(second).find(|(one, other)| one != other)?;
    let differs = one.directions.bytes().zip(other.directions.bytes()).position(|(a, b)| a != b);
    Some(match differs {
        Some(index) => format!(
            "move {} is {} the first time and {} the second",
            index + 1,
            &one.directions[index..=index],
            &other.directions[index..=index]
        ),
        None if one.tiles != other.tiles => {
            let mut pairs = (1..).zip(one.tiles.iter().zip(&other.tiles));
            let differs = pairs.find(|(_, (one, other))| one != other);
            format!("the moves are the same, but not the tiles that the agent places: {differs:?}")
        }
        None => {
            let mut pairs = one.decisions.iter().zip(&other.decisions);
            let differs = pairs.find(|(one, other)| one != other);
            format!("the moves are the same, but what the agent says about them is not: {differs:?}")
        }
    })
}
