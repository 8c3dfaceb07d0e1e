//! Studies: searches for better parameters of an agent. A study says where it searches, by which method, on
//! which games a point is tried, and how its winners are played again on games that it never saw.

use std::collections::BTreeMap;

use engine::agent::Budget;
use engine::{Odds, Rules};
use schemars::JsonSchema;
use search::{Point, SearchMethod, Space, TrialEvaluation};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::limits::{MOST_GAMES, MOST_WINNERS};
use super::winners::{default_id, winner_id};
use super::{FileSource, NoteId, Set, Variant, seed};

/// A search for better parameters, with all that determines what it finds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Study {
    /// What it is called within its paper; no experiment has the same name.
    pub id: String,
    /// The name of what is searched, in tables and figures; absent: the id is the name.
    pub name: Option<String>,
    /// The id of the agent that plays.
    pub agent: String,
    /// The parameters that stay as they are.
    pub params: Map<String, Value>,
    /// The files that the agent needs, by the roles that it gives them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, FileSource>,
    /// What the agent may use for a move.
    pub budget: Budget,
    /// The paper's rules, with the study's own laid over them.
    pub rules: Rules,
    /// Where its proposals and its games have their chance from.
    #[serde(with = "seed")]
    pub seed: u64,
    /// The parameters that are searched.
    pub space: Space,
    /// For each parameter that is one of a list, the list.
    pub choices: BTreeMap<String, Vec<Value>>,
    /// What is to be made better, the first one first.
    pub objectives: Vec<Objective>,
    /// On which games a point is tried.
    pub evaluation: TrialEvaluation,
    /// How it searches.
    pub method: SearchMethod,
    /// How the best are played again.
    pub winners: Winners,
    /// Whether it is run without being asked for.
    pub set: Set,
    /// What there is to say about it.
    pub note: Option<String>,
    /// The notes that it rests on.
    pub conditional_on: Vec<NoteId>,
    /// How long a move may take before the agent counts as hanging. It determines no result.
    pub move_limit_ms: u64,
    /// The share of trials that may fault before the study is stopped. It determines no result.
    pub fault_share: Odds,
    /// Which of the two forms of a paper's method it plays, where they differ.
    pub variant: Option<Variant>,
}

/// What a study makes better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// The mean score, the higher the better.
    Score,
    /// What a move costs, in the nodes or playouts that the agent counts, the lower the better. Time decides
    /// nothing.
    Cost,
}

/// How the best points of a study are played again, on games that it never saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Winners {
    /// How many of the best; the agent's defaults always are beside them.
    #[schemars(range(min = 1, max = MOST_WINNERS))]
    pub best: usize,
    /// How many games each of them plays.
    #[schemars(range(min = 1, max = MOST_GAMES))]
    pub games: u64,
    /// The master seed of these games. It is not the study's: the search never saw these games.
    #[serde(with = "seed")]
    #[schemars(with = "seed::Seed")]
    pub seed: u64,
}

/// A place among a study's best, whose parameters an experiment takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Winner {
    /// The study.
    pub study: String,
    /// The place, from 1.
    pub place: usize,
}

impl Study {
    /// Its name in tables and figures.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.id)
    }

    /// What its method knows of it.
    pub fn to_search(&self) -> search::SearchProblem {
        search::SearchProblem { space: self.space.clone(), seed: self.seed, evaluation: self.evaluation }
    }

    /// A point of its space as parameters of the agent, with those that stay as they are.
    pub fn params_at(&self, point: &Point) -> Map<String, Value> {
        let mut params = self.params.clone();
        for (dimension, &value) in self.space.dimensions().iter().zip(point.values()) {
            params.insert(dimension.name.clone(), self.param(dimension, value));
        }
        params
    }

    fn param(&self, dimension: &search::Dimension, value: f64) -> Value {
        match dimension.range {
            search::Range::Real { .. } => value.into(),
            // Ranges of whole numbers end within 32 bits.
            search::Range::Integer { .. } => (value as i64).into(),
            search::Range::Choice { .. } => self.choices[&dimension.name][value as usize].clone(),
        }
    }

    /// The name of the experiment that plays its best points again, by their place from 1.
    pub fn winner_id(&self, place: usize) -> String {
        winner_id(&self.id, place)
    }

    /// The name of the experiment that plays the agent's defaults on the same games.
    pub fn default_id(&self) -> String {
        default_id(&self.id)
    }
}
