//! What is asked of an agent: one function for each step, which returns what was seen or what is wrong.

use serde_json::{Map, Value, json};

use super::Finding;
use super::remedy::{self, Remedy};
use super::tested_agent::{TestedAgent, Transcript, difference};
use crate::abi::host::{AgentInfo, CreateError, LoadedAgent, PlayError, Silent};
use crate::abi::raw;
use crate::agent::{Budget, Capabilities, Position};
use crate::game::Game;
use crate::rules::Rules;
use crate::seed::{AgentSeed, TileSeed};
use crate::signature::Set;

impl TestedAgent<'_> {
    pub(super) fn describes_itself(&self) -> Result<String, Finding> {
        let AgentInfo { id, name, version, params_schema, .. } = self.agent;
        let is_named = !name.is_empty() && !version.is_empty();
        self.demand(is_named, remedy::NAME, || format!("its name is {name:?}, its version {version:?}"))?;
        let properties = params_schema.get("properties").and_then(Value::as_object);
        let without_default =
            properties.into_iter().flatten().find(|(_, property)| property.get("default").is_none());
        if let Some((name, _)) = without_default {
            return Err(self.finding(format!("its parameter `{name}` has no default"), remedy::DEFAULTS));
        }
        let bits = self.agent.capabilities.bits();
        self.demand(!self.budgets().is_empty(), remedy::BUDGETS, || {
            format!("its capabilities are {bits:#x}: it takes no budget, not even none")
        })?;
        let parameters = match properties.map_or(0, Map::len) {
            1 => "1 parameter".to_owned(),
            count => format!("{count} parameters"),
        };
        Ok(format!("{name} ({id}), version {version}, {parameters}"))
    }

    pub(super) fn validates_parameters(&self) -> Result<String, Finding> {
        let rules = self.some_rules()?;
        for (what, params) in [("no parameters", Map::new()), ("all defaults", self.agent.default_params())] {
            self.create(&rules, &params)
                .map_err(|error| self.finding(format!("it refuses {what}: {error}"), remedy::OWN_DEFAULTS))?;
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
            let made = self.plugin.create(self.agent.index, &rules, params, Silent);
            let is_refused = matches!(made, Err(CreateError::BadParams(_)));
            self.demand(is_refused, remedy::BAD_PARAMS, || format!("{what} ({params}): {}", created(&made)))?;
        }
        Ok(format!("defaults accepted, {} wrong forms refused", wrong.len()))
    }

    pub(super) fn refuses_unknown_rules(&self) -> Result<String, Finding> {
        let standard = raw::Rules::from(&self.some_rules()?);
        let params = Value::Object(self.options.params.clone()).to_string();
        for (what, rules) in [
            ("an unknown merging", raw::Rules { merging: 1000, ..standard }),
            ("an unknown start", raw::Rules { start: 1000, ..standard }),
            ("an impossible stop rank", raw::Rules { stop_rank: 1000, ..standard }),
            ("another cap", raw::Rules { cap_rank: 17, ..standard }),
            ("an unknown spawn", raw::Rules { spawn: 1000, ..standard }),
        ] {
            let made = self.plugin.create_raw(self.agent.index, &rules, &params, Box::new(Silent));
            let is_refused = matches!(made, Err(CreateError::BadRules(_)));
            self.demand(is_refused, remedy::BAD_CODES, || format!("{what}: {}", created(&made)))?;
        }
        let mut accepted = Vec::new();
        for (name, rules) in self.rule_sets() {
            match self.create(&rules, &self.options.params) {
                Ok(_) => accepted.push(name),
                Err(CreateError::BadRules(_)) => {}
                Err(error) => {
                    return Err(self.finding(format!("rules `{name}`: {error}"), remedy::ACCEPT_OR_REFUSE));
                }
            }
        }
        Ok(format!("unknown rules refused; plays {}", accepted.join(", ")))
    }

    pub(super) fn plays_legal_moves(&self) -> Result<String, Finding> {
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

    pub(super) fn repeats_itself(&self) -> Result<String, Finding> {
        let first = self.play_all(&[0, 1, 2])?;
        let second = self.play_all(&[0, 1, 2])?;
        self.same(&first, &second, remedy::SEED)
    }

    pub(super) fn forgets_earlier_games(&self) -> Result<String, Finding> {
        const GAMES: [u64; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
        let alone = self.play_all(&GAMES[7..])?;
        let after_others = self.play_all(&GAMES)?;
        let last: Vec<Transcript> = after_others.into_iter().skip(7).step_by(GAMES.len()).collect();
        self.same(&alone, &last, remedy::FORGET)
    }

    fn same(&self, first: &[Transcript], second: &[Transcript], remedy: Remedy) -> Result<String, Finding> {
        if let Some(seen) = difference(first, second) {
            return Err(self.finding(seen, remedy));
        }
        let moves: usize = first.iter().map(|transcript| transcript.directions.len()).sum();
        Ok(format!("{moves} moves repeated"))
    }

    pub(super) fn has_a_signature(&self) -> Result<String, Finding> {
        let budget = self.small_budget()?;
        let sign = |set: Set, rules: &Rules| {
            let mut agent = self.create_again(rules)?;
            set.decisions(&mut agent, rules, budget, |_| self.report(None)).map_err(|error| {
                let is_gone = matches!(error, PlayError::Gone { .. });
                let remedy = if is_gone { Remedy::of_play(&error) } else { remedy::EVERY_POSITION };
                self.finding(error.to_string(), remedy)
            })
        };
        let mut signatures = Vec::new();
        let every_rules = self.repeated_rules()?;
        for (rules, set) in every_rules.iter().flat_map(|rules| Set::ALL.map(|set| (rules, set))) {
            let (first, second) = (sign(set, rules)?, sign(set, rules)?);
            let differs = first.bytes().zip(second.bytes()).position(|(one, other)| one != other);
            self.demand(differs.is_none(), remedy::SEED, || {
                let number = differs.map_or(0, |index| index + 1);
                format!("position {number} of {} is decided in two ways", set.version())
            })?;
            signatures.push(set.sign(&first));
        }
        Ok(format!("{} under {budget}", signatures.join(", ")))
    }

    pub(super) fn keeps_its_budget(&self) -> Result<String, Finding> {
        let every_rules = self.repeated_rules()?;
        let rules = &every_rules[0];
        let may_overrun = self.agent.capabilities.contains(Capabilities::OVERRUNS);
        let mut kept = Vec::new();
        for (budget, rules) in
            self.budgets().into_iter().flat_map(|budget| every_rules.iter().map(move |rules| (budget, rules)))
        {
            let transcript = self.play(rules, budget, &[3])?.remove(0);
            let most = transcript.most_spent();
            let is_kept = budget == Budget::None || most <= budget.amount() || may_overrun;
            self.demand(is_kept, remedy::OVERRUN, || format!("it spent {most} of {budget}"))?;
            let is_reported = budget == Budget::None || most > 0 || transcript.decisions.is_empty();
            self.demand(is_reported, remedy::SPENT, || format!("it never says what it spent of {budget}"))?;
            kept.push(format!("{budget} (at most {most} spent)"));
        }
        self.refuses_other_budgets(rules)?;
        kept.dedup();
        Ok(kept.join(", "))
    }

    fn refuses_other_budgets(&self, rules: &Rules) -> Result<(), Finding> {
        let kinds = [Budget::None, Budget::Plies(3), Budget::Nodes(1000), Budget::Playouts(10)];
        for budget in kinds.into_iter().filter(|&budget| !self.agent.capabilities.takes(budget)) {
            let mut agent = self.create_again(rules)?;
            let mut seen = agent.new_game(AgentSeed(0)).map(|()| None);
            if seen.is_ok() {
                seen =
                    agent.choose_move(&Position::of_game(&Game::new(rules, TileSeed(0)), budget)).map(Some);
            }
            let is_refused = matches!(seen, Err(PlayError::BadBudget(_)));
            self.demand(is_refused, remedy::OTHER_BUDGET, || {
                format!("it does not list {budget} among its capabilities, yet answers {seen:?}")
            })?;
        }
        Ok(())
    }
}

fn created(made: &Result<LoadedAgent, CreateError>) -> String {
    match made {
        Ok(_) => "it was made".to_owned(),
        Err(error) => error.to_string(),
    }
}
