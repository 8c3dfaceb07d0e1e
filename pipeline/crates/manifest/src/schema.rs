//! The JSON schema of a manifest. Editors have it, and every entry is checked by it before it is read, so the
//! comments and the bounds on the types below are what an author sees.

use std::sync::LazyLock;

use schemars::{JsonSchema, schema_for};
use serde::Deserialize;
use serde_json::{Value, json};

use super::figure::RawFigure;
use super::forms::Text;
use super::limits;
use super::raw_claim::RawClaim;
use super::raw_study::RawStudy;
use super::{Citation, Conclusion, Exhibit, Experiment, Interpretation, Note, Rules, Training};

/// The JSON schema of a manifest, for editors.
pub fn schema() -> Value {
    SCHEMA.clone()
}

pub(super) static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let mut schema = schema_for!(Manifest).to_value();
    bound_budgets(&mut schema);
    // An entry's own rules may take back that the paper's games stop at a tile.
    let tiles = (3..=15).map(|rank| json!(1 << rank));
    let stops: Vec<Value> = [json!("none")].into_iter().chain(tiles).collect();
    schema["$defs"]["Rules"]["properties"]["stop_at"] = json!({
        "description": "The tile whose making ends the game; \"none\": the game goes on until no move is left.",
        "enum": stops,
    });
    schema
});

/// The engine knows what budgets there are, and manifests how large one may be.
fn bound_budgets(schema: &mut Value) {
    let kinds = schema.pointer_mut("/$defs/Budget/oneOf").and_then(Value::as_array_mut);
    for kind in kinds.into_iter().flatten() {
        let amounts = kind.get_mut("properties").and_then(Value::as_object_mut);
        for (name, amount) in amounts.into_iter().flatten() {
            let most = if name == "time-ns" { limits::LONGEST_MOVE_NS } else { limits::MOST_BUDGET };
            amount["minimum"] = 1.into();
            amount["maximum"] = most.into();
        }
    }
}

/// What one paper on 2048 claims, and how that is tested.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "lists are read entry by entry; here they are for the schema, and for what is not a list"
)]
pub(super) struct Manifest {
    /// Where the paper is found.
    pub(super) citation: Citation,
    /// The method in a few sentences.
    #[schemars(with = "Option<Text>")]
    pub(super) summary: Option<String>,
    /// The rules of all experiments that do not say otherwise; absent: the standard game.
    #[serde(default)]
    pub(super) rules: Rules,
    /// What is played.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    experiment: Vec<Experiment>,
    /// Searches for better parameters of an agent.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_STUDIES))]
    study: Vec<RawStudy>,
    /// Trainings of agents, whose weights experiments can load.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_TRAININGS))]
    training: Vec<Training>,
    /// What the paper says.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    claim: Vec<RawClaim>,
    /// How open questions about the paper were decided.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    note: Vec<Note>,
    /// Whole ways to read the paper; absent: there is one, which covers every claim.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_INTERPRETATIONS))]
    interpretation: Vec<Interpretation>,
    /// What a reader takes home, the most important first.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    finding: Vec<Conclusion>,
    /// What was claimed, what holds, what does not, and why, in a paragraph.
    pub(super) account: Option<Conclusion>,
    /// The paper's own tables and figures, and what shows the same here.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    exhibit: Vec<Exhibit>,
    /// Figures beside those that every paper gets.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    figure: Vec<RawFigure>,
    /// Whether this is no paper, but a comparison of methods of several papers on one game; absent: false.
    #[serde(default)]
    pub(super) comparison: bool,
}
