//! What every agent must pass, whatever language it is written in.
//!
//! The suite drives an agent through the C boundary as the pipeline does. Each step either passes with what was seen, or
//! fails with what was seen and how to mend it. That nothing is written to standard output only the process around it can
//! see: `pipeline check` adds that step.

mod remedy;
mod report;
mod rule_sets;
mod transcript;

use std::cell::RefCell;

use serde_json::{Map, Value, json};

pub use remedy::{ANSWER, Remedy};
use report::Wrong;
pub use report::{Finding, Report, Step};
pub use rule_sets::{adversarial_rule_sets, rule_sets};
use transcript::{Transcript, same};

use crate::abi::host::{AgentInfo, CreateError, LoadedAgent, PlayError, Plugin, Silent};
use crate::abi::raw;
use crate::agent::{Budget, Capabilities, Position};
use crate::game::{Game, TurnError};
use crate::rules::Rules;
use crate::seed::{AgentSeed, TileSeed};
use crate::signature::Set;
use crate::slide::Slide;

/// How much of an agent is looked at.
#[derive(Clone, Debug)]
pub struct Options {
    /// The parameters with which the agent plays; those left out have their defaults.
    pub params: Map<String, Value>,
    /// The most moves of a game; slow agents want fewer.
    pub moves: u32,
    /// The budget to play with; absent: a small one that the agent takes.
    pub budget: Option<Budget>,
}

impl Default for Options {
    fn default() -> Self {
        Self { params: Map::new(), moves: 200, budget: None }
    }
}

/// What is asked of an agent, in the order of the steps.
pub const DEMANDS: [&str; 8] = [
    "describes itself",
    "validates its parameters",
    "refuses rules that it cannot model",
    "plays legal moves only",
    "same seed, same game",
    "game 7 alone equals game 7 after games 0 to 6",
    "keeps its budget",
    "decides the same on the frozen positions",
];

/// Puts one agent of a plugin through all steps.
#[must_use]
pub fn check(plugin: &Plugin, agent: &AgentInfo, options: &Options) -> Report {
    let mut report = Report::default();
    check_told(plugin, agent, options, |event| report.steps.extend(event.step()));
    report
}

/// What happens while an agent is put through the steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// It decided something.
    Decided,
    /// A step is done.
    Step(Step),
}

impl Event {
    /// The step that is done, if it is one.
    #[must_use]
    pub fn step(self) -> Option<Step> {
        match self {
            Self::Decided => None,
            Self::Step(step) => Some(step),
        }
    }
}

/// The same; `told` hears of each decision, and of each step when it is done: an agent may take the process down in the next one.
pub fn check_told(plugin: &Plugin, agent: &AgentInfo, options: &Options, mut told: impl FnMut(Event)) {
    let subject = Subject { plugin, agent, options, told: RefCell::new(&mut told) };
    type Demanded = fn(&Subject<'_>) -> Result<String, Wrong>;
    let steps: [Demanded; DEMANDS.len()] = [
        |subject| subject.describes_itself(),
        |subject| subject.validates_parameters(),
        |subject| subject.refuses_unknown_rules(),
        |subject| subject.plays_legal_moves(),
        |subject| subject.repeats_itself(),
        |subject| subject.forgets_earlier_games(),
        |subject| subject.keeps_its_budget(),
        |subject| subject.has_a_signature(),
    ];
    for (demand, step) in DEMANDS.into_iter().zip(steps) {
        let outcome = step(&subject).map_err(|wrong| wrong.for_author_of(plugin));
        subject.tell(Event::Step(Step { demand, outcome }));
    }
}

/// The master seed of the suite's games.
const MASTER_SEED: u64 = 2048;

struct Subject<'a> {
    plugin: &'a Plugin,
    agent: &'a AgentInfo,
    options: &'a Options,
    told: RefCell<&'a mut dyn FnMut(Event)>,
}

impl Subject<'_> {
    fn tell(&self, event: Event) {
        (self.told.borrow_mut())(event);
    }

    fn describes_itself(&self) -> Result<String, Wrong> {
        let AgentInfo { id, name, version, params_schema, .. } = self.agent;
        if name.is_empty() || version.is_empty() {
            return Err(Wrong::new(format!("its name is {name:?}, its version {version:?}"), remedy::NAME));
        }
        let properties = params_schema.get("properties").and_then(Value::as_object);
        let without_default =
            properties.into_iter().flatten().find(|(_, property)| property.get("default").is_none());
        if let Some((name, _)) = without_default {
            return Err(Wrong::new(format!("its parameter `{name}` has no default"), remedy::DEFAULTS));
        }
        if self.budgets().is_empty() {
            return Err(Wrong::new(
                format!(
                    "its capabilities are {:#x}: it takes no budget, not even none",
                    self.agent.capabilities.bits()
                ),
                remedy::BUDGETS,
            ));
        }
        let parameters = match properties.map_or(0, Map::len) {
            1 => "1 parameter".to_owned(),
            count => format!("{count} parameters"),
        };
        Ok(format!("{name} ({id}), version {version}, {parameters}"))
    }

    fn validates_parameters(&self) -> Result<String, Wrong> {
        let rules = self.some_rules()?;
        for (what, params) in [("no parameters", Map::new()), ("all defaults", self.agent.default_params())] {
            self.create(&rules, &params)
                .map_err(|error| Wrong::new(format!("it refuses {what}: {error}"), remedy::OWN_DEFAULTS))?;
        }
        let mut wrong = vec![
            ("broken JSON".to_owned(), "{".to_owned()),
            ("an array".to_owned(), "[]".to_owned()),
            ("an unknown parameter".to_owned(), json!({"no-such-parameter": 1}).to_string()),
        ];
        let properties = self.agent.params_schema.get("properties").and_then(Value::as_object);
        for name in properties.into_iter().flatten().map(|(name, _)| name) {
            wrong.push((format!("`{name}` of the wrong type"), json!({name: {"wrong": [null]}}).to_string()));
        }
        for (what, params) in &wrong {
            match self.plugin.create(self.agent.index, &rules, params, Silent) {
                Err(CreateError::BadParams(_)) => {}
                other => {
                    return Err(Wrong::new(
                        format!("{what} ({params}): {}", created(&other)),
                        remedy::BAD_PARAMS,
                    ));
                }
            }
        }
        Ok(format!("defaults accepted, {} wrong forms refused", wrong.len()))
    }

    fn refuses_unknown_rules(&self) -> Result<String, Wrong> {
        let standard = raw::Rules::from(&self.some_rules()?);
        for (what, rules) in [
            ("an unknown merging", raw::Rules { merging: 1000, ..standard }),
            ("an unknown start", raw::Rules { start: 1000, ..standard }),
            ("an impossible stop rank", raw::Rules { stop_rank: 1000, ..standard }),
            ("another cap", raw::Rules { cap_rank: 17, ..standard }),
            ("an unknown spawn", raw::Rules { spawn: 1000, ..standard }),
        ] {
            let made = self.plugin.create_raw(self.agent.index, &rules, &self.params(), Box::new(Silent));
            if !matches!(made, Err(CreateError::BadRules(_))) {
                return Err(Wrong::new(format!("{what}: {}", created(&made)), remedy::BAD_CODES));
            }
        }
        let mut accepted = Vec::new();
        for (name, rules) in self.rule_sets() {
            match self.create(&rules, &self.options.params) {
                Ok(_) => accepted.push(name),
                Err(CreateError::BadRules(_)) => {}
                Err(error) => {
                    return Err(Wrong::new(format!("rules `{name}`: {error}"), remedy::ACCEPT_OR_REFUSE));
                }
            }
        }
        Ok(format!("unknown rules refused; plays {}", accepted.join(", ")))
    }

    fn plays_legal_moves(&self) -> Result<String, Wrong> {
        let (mut games, mut moves) = (0, 0);
        for (_, rules) in self.rule_sets() {
            if self.create(&rules, &self.options.params).is_err() {
                continue;
            }
            for transcript in self.play(&rules, self.small_budget()?, &[0, 1])? {
                games += 1;
                moves += transcript.directions.len();
            }
        }
        Ok(format!("{moves} moves in {games} games"))
    }

    fn repeats_itself(&self) -> Result<String, Wrong> {
        let first = self.play_all(&[0, 1, 2])?;
        let second = self.play_all(&[0, 1, 2])?;
        same(&first, &second, remedy::SEED)
    }

    fn forgets_earlier_games(&self) -> Result<String, Wrong> {
        const GAMES: [u64; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
        let alone = self.play_all(&GAMES[7..])?;
        let after_others = self.play_all(&GAMES)?;
        let last: Vec<Transcript> = after_others.into_iter().skip(7).step_by(GAMES.len()).collect();
        same(&alone, &last, remedy::FORGET)
    }

    fn has_a_signature(&self) -> Result<String, Wrong> {
        let budget = self.small_budget()?;
        let sign = |set: Set, rules: &Rules| {
            let mut agent = self.create(rules, &self.options.params).map_err(not_made)?;
            let told = |_| self.tell(Event::Decided);
            set.decisions_told(&mut agent, rules, budget, told).map_err(|error| {
                let is_gone = matches!(error, PlayError::Gone { .. });
                let remedy = if is_gone { Remedy::of_play(&error) } else { remedy::EVERY_POSITION };
                Wrong::new(error.to_string(), remedy)
            })
        };
        let mut signatures = Vec::new();
        let every_rules = self.repeated_rules()?;
        for (rules, set) in every_rules.iter().flat_map(|rules| Set::ALL.map(|set| (rules, set))) {
            let (first, second) = (sign(set, rules)?, sign(set, rules)?);
            if let Some(differs) = first.bytes().zip(second.bytes()).position(|(one, other)| one != other) {
                return Err(Wrong::new(
                    format!("position {} of {} is decided in two ways", differs + 1, set.version()),
                    remedy::SEED,
                ));
            }
            signatures.push(set.sign(&first));
        }
        Ok(format!("{} under {budget}", signatures.join(", ")))
    }

    fn keeps_its_budget(&self) -> Result<String, Wrong> {
        let every_rules = self.repeated_rules()?;
        let rules = &every_rules[0];
        let may_overrun = self.agent.capabilities.contains(Capabilities::OVERRUNS);
        let mut kept = Vec::new();
        for (budget, rules) in
            self.budgets().into_iter().flat_map(|budget| every_rules.iter().map(move |rules| (budget, rules)))
        {
            let transcript = self.play(rules, budget, &[3])?.remove(0);
            let most = transcript.most_spent();
            if budget != Budget::None && most > budget.amount() && !may_overrun {
                return Err(Wrong::new(format!("it spent {most} of {budget}"), remedy::OVERRUN));
            }
            if budget != Budget::None && most == 0 && !transcript.decisions.is_empty() {
                return Err(Wrong::new(format!("it never says what it spent of {budget}"), remedy::SPENT));
            }
            kept.push(format!("{budget} (at most {most} spent)"));
        }
        self.refuses_other_budgets(rules)?;
        kept.dedup();
        Ok(kept.join(", "))
    }

    fn refuses_other_budgets(&self, rules: &Rules) -> Result<(), Wrong> {
        let kinds = [Budget::None, Budget::Plies(3), Budget::Nodes(1000), Budget::Playouts(10)];
        for budget in kinds.into_iter().filter(|&budget| !self.agent.capabilities.takes(budget)) {
            let mut agent = self.create(rules, &self.options.params).map_err(not_made)?;
            let mut seen = agent.new_game(AgentSeed(0)).map(|()| None);
            if seen.is_ok() {
                seen =
                    agent.choose_move(&Position::of_game(&Game::new(rules, TileSeed(0)), budget)).map(Some);
            }
            if !matches!(seen, Err(PlayError::BadBudget(_))) {
                return Err(Wrong::new(
                    format!("it does not list {budget} among its capabilities, yet answers {seen:?}"),
                    remedy::OTHER_BUDGET,
                ));
            }
        }
        Ok(())
    }

    /// All rule sets that the agent may be made for.
    fn rule_sets(&self) -> Vec<(&'static str, Rules)> {
        let mut sets = rule_sets();
        if self.agent.capabilities.contains(Capabilities::SPAWNER) {
            sets.extend(adversarial_rule_sets());
        }
        sets
    }

    /// The rules under which the agent has to repeat itself: the first that it plays, and the first under which it places tiles.
    fn repeated_rules(&self) -> Result<Vec<Rules>, Wrong> {
        let mut rules = vec![self.some_rules()?];
        let is_played =
            |rules: &Rules| !rules.spawn.is_random() && self.create(rules, &self.options.params).is_ok();
        rules.extend(self.rule_sets().into_iter().map(|(_, rules)| rules).find(is_played));
        Ok(rules)
    }

    /// Plays these games under all rules under which the agent has to repeat itself.
    fn play_all(&self, games: &[u64]) -> Result<Vec<Transcript>, Wrong> {
        let budget = self.small_budget()?;
        let mut played = Vec::new();
        for rules in self.repeated_rules()? {
            played.extend(self.play(&rules, budget, games)?);
        }
        Ok(played)
    }

    /// Plays these games one after the other with one agent.
    fn play(&self, rules: &Rules, budget: Budget, games: &[u64]) -> Result<Vec<Transcript>, Wrong> {
        let mut agent = self.create(rules, &self.options.params).map_err(not_made)?;
        games.iter().map(|&game| self.play_game(&mut agent, rules, budget, game)).collect()
    }

    fn play_game(
        &self,
        agent: &mut LoadedAgent,
        rules: &Rules,
        budget: Budget,
        number: u64,
    ) -> Result<Transcript, Wrong> {
        let mut game = Game::new(rules, TileSeed::derive(MASTER_SEED, number));
        let mut transcript = Transcript::default();
        let failed = |game: &Game, seen: String, remedy| {
            let place = format!("game {number}, move {}, board {}", game.moves() + 1, game.board());
            Wrong::new(seen, remedy).at(place)
        };
        let begun = agent.new_game(AgentSeed::derive(MASTER_SEED, number));
        begun.map_err(|error| failed(&game, error.to_string(), Remedy::of_play(&error)))?;
        while game.ending().is_none() && game.moves() < self.options.moves {
            let position = Position::of_game(&game, budget);
            let decision = agent
                .choose_move(&position)
                .map_err(|error| failed(&game, error.to_string(), Remedy::of_play(&error)))?;
            self.tell(Event::Decided);
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

    fn create(&self, rules: &Rules, params: &Map<String, Value>) -> Result<LoadedAgent, CreateError> {
        let params = Value::Object(params.clone()).to_string();
        self.plugin.create(self.agent.index, rules, &params, Silent)
    }

    fn params(&self) -> String {
        Value::Object(self.options.params.clone()).to_string()
    }

    /// The first rule set that the agent plays.
    fn some_rules(&self) -> Result<Rules, Wrong> {
        let mut refusal = None;
        for (_, rules) in rule_sets() {
            match self.create(&rules, &self.options.params) {
                Ok(_) => return Ok(rules),
                Err(error) => refusal = refusal.or(Some(error)),
            }
        }
        let reason = refusal.map_or_else(String::new, |error| error.to_string());
        Err(Wrong::new(
            format!("it refuses all {} rule sets; the first: {reason}", rule_sets().len()),
            remedy::SOME_RULES,
        ))
    }

    /// The count budgets that the suite tries, of the kinds that the agent takes.
    fn budgets(&self) -> Vec<Budget> {
        let tried = [Budget::None, Budget::Plies(3), Budget::Nodes(200), Budget::Playouts(20)];
        match self.options.budget {
            Some(budget) => vec![budget],
            None => tried.into_iter().filter(|&budget| self.agent.capabilities.takes(budget)).collect(),
        }
    }

    fn small_budget(&self) -> Result<Budget, Wrong> {
        self.budgets().first().copied().ok_or_else(|| {
            Wrong::new("it takes no budget that the suite tries".to_owned(), remedy::COUNTED_BUDGETS)
        })
    }
}

fn not_made(error: CreateError) -> Wrong {
    Wrong::new(error.to_string(), remedy::MADE_BEFORE)
}

fn created(made: &Result<LoadedAgent, CreateError>) -> String {
    match made {
        Ok(_) => "it was made".to_owned(),
        Err(error) => error.to_string(),
    }
}
