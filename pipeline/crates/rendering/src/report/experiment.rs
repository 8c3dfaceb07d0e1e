//! Experiments and where their records come from, as they are printed.

use manifest::{Set, Variant};
use records::provenance::Provenance;
use serde::Serialize;

/// An experiment, with all that is needed to get its records again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Experiment {
    /// `paper/experiment`, unique in the page.
    pub key: String,
    /// The agent's id.
    pub agent: String,
    /// The agent's version.
    pub agent_version: String,
    /// Parameters and budget beyond the agent's defaults, as the command line takes them; empty where there
    /// are none.
    pub settings: String,
    /// All parameters, as text; empty where it has none.
    pub params: String,
    /// The games in the records.
    pub games: u64,
    /// What the manifest asks for instead, where these games are not the ones that it asks for: `seed 2049`.
    pub stale: Option<String>,
    /// The master seed, as text.
    pub seed: String,
    /// Which form of the paper's method it is.
    pub variant: Option<Variant>,
    /// The set that it belongs to.
    pub set: Set,
    /// A remark of its config.
    pub note: Option<String>,
    /// The hash of everything that determines its records; `None` if they are not repeatable.
    pub identity: Option<String>,
    /// The digest of its records.
    pub digest: String,
    /// The command that plays its agent on new games, or on the same.
    pub eval: String,
    /// The file of its records, from the results folder.
    pub records: String,
    /// The mean score, with its interval.
    pub mean_score: String,
    /// How many games an agent's fault cut short.
    pub faults: u64,
}

/// Where and by what the records of some experiments were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// The keys of the experiments.
    pub experiments: Vec<String>,
    /// What the records say; its date is a day.
    #[serde(flatten)]
    pub provenance: Provenance,
}
