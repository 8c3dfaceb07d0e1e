//! What every agent must pass, whatever language it is written in.
//!
//! The suite drives an agent through the C boundary as the pipeline does. Each step either passes with what was seen, or
//! fails with what was seen and how to mend it. That nothing is written to standard output only the process around it can
//! see: `pipeline check` adds that step.

mod report;
mod transcript;

use serde_json::{Map, Value, json};

pub use report::{Finding, Report, Step};
use transcript::{Transcript, same};

use crate::abi::host::{AgentInfo, CreateError, LoadedAgent, PlayError, Plugin, Silent};
use crate::abi::raw;
use crate::agent::{Budget, Capabilities, Position};
use crate::board::Board;
use crate::game::{Game, TurnError};
use crate::rules::{Merging, Odds, Rules, Scatter, Spawning, Start};
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

/// The rule sets that agents are tried with: every variant that a paper plays, and some near their ends.
#[must_use]
pub fn rule_sets() -> Vec<(&'static str, Rules)> {
    let standard = Rules::default();
    let quarter = Odds::new(1, 4).unwrap_or_default();
    let course = Start::Scatter(Scatter { empty: 16, two: 4, four: 2, eight: 1 });
    let shared = Start::Board(Board::from_packed(0x0000_0010_0000_0200));
    let near_cap = Start::Board(Board::from_packed(0x0000_0000_0000_ddef));
    let stop = |tile: u32| tile.try_into().ok();
    vec![
        ("standard", standard.clone()),
        ("fours 1/4", Rules { four: quarter, ..standard.clone() }),
        ("scatter", Rules { four: quarter, start: course, ..standard.clone() }),
        ("shared board", Rules { start: shared, ..standard.clone() }),
        ("cascading", Rules { merging: Merging::Cascading, ..standard.clone() }),
        ("stop at 128", Rules { stop_at: stop(128), ..standard.clone() }),
        ("near 65536", Rules { start: near_cap.clone(), ..standard.clone() }),
        ("cascading near 65536", Rules { merging: Merging::Cascading, start: near_cap, ..standard }),
    ]
}

/// The rule sets for agents that place the tiles themselves, which no other is made for.
#[must_use]
pub fn adversarial_rule_sets() -> Vec<(&'static str, Rules)> {
    let adversarial = Rules { spawn: Spawning::Adversarial, ..Rules::default() };
    let no_fours = Odds::new(0, 1).unwrap_or_default();
    vec![
        ("adversarial", adversarial.clone()),
        ("adversarial, stop at 32", Rules { stop_at: 32.try_into().ok(), ..adversarial.clone() }),
        ("adversarial without fours", Rules { four: no_fours, ..adversarial }),
    ]
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
    check_told(plugin, agent, options, |step| report.steps.push(step));
    report
}

/// The same; `told` hears of each step when it is done: an agent may take the process down in the next one.
pub fn check_told(plugin: &Plugin, agent: &AgentInfo, options: &Options, mut told: impl FnMut(Step)) {
    let subject = Subject { plugin, agent, options };
    type Demanded = fn(&Subject<'_>) -> Result<String, Finding>;
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
        told(Step { demand, outcome: step(&subject) });
    }
}

/// The master seed of the suite's games.
const MASTER_SEED: u64 = 2048;

struct Subject<'a> {
    plugin: &'a Plugin,
    agent: &'a AgentInfo,
    options: &'a Options,
}

impl Subject<'_> {
    fn describes_itself(&self) -> Result<String, Finding> {
        let AgentInfo { id, name, version, params_schema, .. } = self.agent;
        if name.is_empty() || version.is_empty() {
            return Err(Finding {
                seen: format!("its name is {name:?}, its version {version:?}"),
                remedy: "fill in the descriptor's name and version",
            });
        }
        let properties = params_schema.get("properties").and_then(Value::as_object);
        let without_default =
            properties.into_iter().flatten().find(|(_, property)| property.get("default").is_none());
        if let Some((name, _)) = without_default {
            return Err(Finding {
                seen: format!("its parameter `{name}` has no default"),
                remedy: "give every property of the schema a \"default\"",
            });
        }
        if self.budgets().is_empty() {
            return Err(Finding {
                seen: format!(
                    "its capabilities are {:#x}: it takes no budget, not even none",
                    self.agent.capabilities.bits()
                ),
                remedy: "set at least one of the AGENT2048_CAP_ bits of budgets",
            });
        }
        let parameters = match properties.map_or(0, Map::len) {
            1 => "1 parameter".to_owned(),
            count => format!("{count} parameters"),
        };
        Ok(format!("{name} ({id}), version {version}, {parameters}"))
    }

    fn validates_parameters(&self) -> Result<String, Finding> {
        let rules = self.some_rules()?;
        for (what, params) in [("no parameters", Map::new()), ("all defaults", self.agent.default_params())] {
            self.create(&rules, &params).map_err(|error| Finding {
                seen: format!("it refuses {what}: {error}"),
                remedy: "accept {} and the defaults of the schema",
            })?;
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
                    return Err(Finding {
                        seen: format!("{what} ({params}): {}", created(&other)),
                        remedy: "return AGENT2048_BAD_PARAMS for parameters that the schema does not allow",
                    });
                }
            }
        }
        Ok(format!("defaults accepted, {} wrong forms refused", wrong.len()))
    }

    fn refuses_unknown_rules(&self) -> Result<String, Finding> {
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
                return Err(Finding {
                    seen: format!("{what}: {}", created(&made)),
                    remedy: "return AGENT2048_BAD_RULES from create for every code that agent2048.h does not list",
                });
            }
        }
        let mut accepted = Vec::new();
        for (name, rules) in self.rule_sets() {
            match self.create(&rules, &self.options.params) {
                Ok(_) => accepted.push(name),
                Err(CreateError::BadRules(_)) => {}
                Err(error) => {
                    return Err(Finding {
                        seen: format!("rules `{name}`: {error}"),
                        remedy: "accept the rules or return AGENT2048_BAD_RULES",
                    });
                }
            }
        }
        Ok(format!("unknown rules refused; plays {}", accepted.join(", ")))
    }

    fn plays_legal_moves(&self) -> Result<String, Finding> {
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

    fn repeats_itself(&self) -> Result<String, Finding> {
        let first = self.play_all(&[0, 1, 2])?;
        let second = self.play_all(&[0, 1, 2])?;
        same(
            &first,
            &second,
            "take chance only from the seed of new_game, and nothing from clocks, addresses or globals",
        )
    }

    fn forgets_earlier_games(&self) -> Result<String, Finding> {
        const GAMES: [u64; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
        let alone = self.play_all(&GAMES[7..])?;
        let after_others = self.play_all(&GAMES)?;
        let last: Vec<Transcript> = after_others.into_iter().skip(7).step_by(GAMES.len()).collect();
        same(&alone, &last, "clear all memory of earlier games in new_game, tables included")
    }

    fn has_a_signature(&self) -> Result<String, Finding> {
        let budget = self.small_budget()?;
        let sign = |set: Set, rules: &Rules| {
            let mut agent = self.create(rules, &self.options.params).map_err(not_made)?;
            set.decisions(&mut agent, rules, budget).map_err(|error| Finding {
                seen: error.to_string(),
                remedy: "answer every position, however full the board and whatever its tiles",
            })
        };
        let mut signatures = Vec::new();
        let every_rules = self.repeated_rules()?;
        for (rules, set) in every_rules.iter().flat_map(|rules| Set::ALL.map(|set| (rules, set))) {
            let (first, second) = (sign(set, rules)?, sign(set, rules)?);
            if let Some(differs) = first.bytes().zip(second.bytes()).position(|(one, other)| one != other) {
                return Err(Finding {
                    seen: format!("position {} of {} is decided in two ways", differs + 1, set.version()),
                    remedy: "take chance only from the seed of new_game, and nothing from clocks, addresses or globals",
                });
            }
            signatures.push(set.sign(&first));
        }
        Ok(format!("{} under {budget}", signatures.join(", ")))
    }

    fn keeps_its_budget(&self) -> Result<String, Finding> {
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
                return Err(Finding {
                    seen: format!("it spent {most} of {budget}"),
                    remedy: "stop at the budget, or set AGENT2048_CAP_OVERRUNS and say why",
                });
            }
            if budget != Budget::None && most == 0 && !transcript.decisions.is_empty() {
                return Err(Finding {
                    seen: format!("it never says what it spent of {budget}"),
                    remedy: "set `spent` of the decision, in the unit of the budget",
                });
            }
            kept.push(format!("{budget} (at most {most} spent)"));
        }
        self.refuses_other_budgets(rules)?;
        kept.dedup();
        Ok(kept.join(", "))
    }

    fn refuses_other_budgets(&self, rules: &Rules) -> Result<(), Finding> {
        let kinds = [Budget::None, Budget::Plies(3), Budget::Nodes(1000), Budget::Playouts(10)];
        for budget in kinds.into_iter().filter(|&budget| !self.agent.capabilities.takes(budget)) {
            let mut agent = self.create(rules, &self.options.params).map_err(not_made)?;
            let mut seen = agent.new_game(AgentSeed(0)).map(|()| None);
            if seen.is_ok() {
                seen =
                    agent.choose_move(&Position::of_game(&Game::new(rules, TileSeed(0)), budget)).map(Some);
            }
            if !matches!(seen, Err(PlayError::BadBudget(_))) {
                return Err(Finding {
                    seen: format!("it does not list {budget} among its capabilities, yet answers {seen:?}"),
                    remedy: "return AGENT2048_BAD_BUDGET from choose_move, or add the capability",
                });
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
    fn repeated_rules(&self) -> Result<Vec<Rules>, Finding> {
        let mut rules = vec![self.some_rules()?];
        let is_played =
            |rules: &Rules| !rules.spawn.is_random() && self.create(rules, &self.options.params).is_ok();
        rules.extend(self.rule_sets().into_iter().map(|(_, rules)| rules).find(is_played));
        Ok(rules)
    }

    /// Plays these games under all rules under which the agent has to repeat itself.
    fn play_all(&self, games: &[u64]) -> Result<Vec<Transcript>, Finding> {
        let budget = self.small_budget()?;
        let mut played = Vec::new();
        for rules in self.repeated_rules()? {
            played.extend(self.play(&rules, budget, games)?);
        }
        Ok(played)
    }

    /// Plays these games one after the other with one agent.
    fn play(&self, rules: &Rules, budget: Budget, games: &[u64]) -> Result<Vec<Transcript>, Finding> {
        let mut agent = self.create(rules, &self.options.params).map_err(not_made)?;
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
        let failed = |game: &Game, seen: String, remedy| Finding {
            seen: format!("game {number}, move {}, board {}: {seen}", game.moves() + 1, game.board()),
            remedy,
        };
        let begun = agent.new_game(AgentSeed::derive(MASTER_SEED, number));
        begun.map_err(|error| failed(&game, format!("new_game: {error}"), "let new_game succeed"))?;
        while game.ending().is_none() && game.moves() < self.options.moves {
            let position = Position::of_game(&game, budget);
            let decision = agent.choose_move(&position).map_err(|error| {
                failed(&game, error.to_string(), "answer every position with a legal direction")
            })?;
            if decision.value.is_some_and(|value| !value.is_finite()) {
                let seen = format!("its value is {:?}", decision.value);
                return Err(failed(&game, seen, "give finite values, or clear has_value"));
            }
            let values = agent.move_values().unwrap_or_default().value;
            if values.iter().flatten().any(|value| !value.is_finite()) {
                let seen = format!("its values for the moves are {values:?}");
                return Err(failed(&game, seen, "give finite values, or leave the move out of `known`"));
            }
            let place = |slide: &Slide| {
                let placed = agent.place_tile(&position.slid(slide))?;
                transcript.tiles.push(placed);
                Ok(placed.tile)
            };
            game.play_with(decision.direction, place).map_err(|error: TurnError<PlayError>| {
                let remedy = match error {
                    TurnError::Move(_) => "choose among the bits of position->legal",
                    TurnError::Tile(_) => "place a 2 or a 4 that the odds allow in an empty cell",
                    TurnError::Unplaced(_) => {
                        "answer every slide with a tile, or clear AGENT2048_CAP_SPAWNER"
                    }
                };
                failed(&game, error.to_string(), remedy)
            })?;
            transcript.directions.push(decision.direction.letter());
            transcript.decisions.push(decision);
        }
        agent.end_game().map_err(|error| {
            failed(&game, error.to_string(), "give one answer to each position, and nothing else")
        })?;
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
    fn some_rules(&self) -> Result<Rules, Finding> {
        let mut refusal = None;
        for (_, rules) in rule_sets() {
            match self.create(&rules, &self.options.params) {
                Ok(_) => return Ok(rules),
                Err(error) => refusal = refusal.or(Some(error)),
            }
        }
        let reason = refusal.map_or_else(String::new, |error| error.to_string());
        Err(Finding {
            seen: format!("it refuses all {} rule sets; the first: {reason}", rule_sets().len()),
            remedy: "play at least one rule set with these parameters",
        })
    }

    /// The count budgets that the suite tries, of the kinds that the agent takes.
    fn budgets(&self) -> Vec<Budget> {
        let tried = [Budget::None, Budget::Plies(3), Budget::Nodes(200), Budget::Playouts(20)];
        match self.options.budget {
            Some(budget) => vec![budget],
            None => tried.into_iter().filter(|&budget| self.agent.capabilities.takes(budget)).collect(),
        }
    }

    fn small_budget(&self) -> Result<Budget, Finding> {
        self.budgets().first().copied().ok_or_else(|| Finding {
            seen: "it takes no budget that the suite tries".to_owned(),
            remedy: "set one of the AGENT2048_CAP_ bits of count budgets",
        })
    }
}

fn not_made(error: CreateError) -> Finding {
    Finding { seen: error.to_string(), remedy: "let create succeed for rules that it accepted before" }
}

fn created(made: &Result<LoadedAgent, CreateError>) -> String {
    match made {
        Ok(_) => "it was made".to_owned(),
        Err(error) => error.to_string(),
    }
}
