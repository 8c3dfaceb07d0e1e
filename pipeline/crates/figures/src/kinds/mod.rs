//! Kinds of figures that a manifest can ask for.
//!
//! A kind is one file. It holds the chart and how it is drawn, and a struct of the keys that the kind takes
//! in a manifest: serde reads them, their comments are the schema that an author sees, and [`FigureKeys`]
//! adds the kind's name, its checks and how its chart follows from a paper's results. To add a kind, write
//! its file and add it to the registry below.

mod bars;
mod ecdf;
mod max_tiles;
mod nodes;
mod pareto;
mod scores;
mod survival;

use metrics::{Games, Metric, Variant};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use stats::Estimate;
use text::Scale;

use crate::Chart;

pub use bars::{AveragesKeys, Bar, Bars, RatiosKeys};
pub use ecdf::{Ecdf, EcdfKeys, EcdfSeries, ProfilesKeys, Tail};
pub use max_tiles::{MaxTilesKeys, TileRow, Tiles};
pub use nodes::{NodeCounts, NodesKeys};
pub use pareto::{CostPoint, ParetoKeys, TimeCosts};
pub use scores::{ScoreRow, Scores, ScoresKeys};

/// The keys of a kind.
pub(super) trait FigureKeys: for<'de> Deserialize<'de> + Serialize + JsonSchema {
    /// The kind's name.
    const NAME: &'static str;

    /// What stands at each key, in the order in which it is checked.
    fn values(&self) -> Vec<(&'static str, KeyValue<'_>)>;

    /// Checks what the schema and the values cannot express.
    fn check(&self) -> Result<(), KeyError> {
        Ok(())
    }

    /// What the figure shows; none if nothing of it was played.
    fn content(&self, context: &dyn FigureContext) -> Option<Content>;
}

/// Keys that are a list of experiments alone; `content` makes the figure of those that were played, at least
/// one.
macro_rules! of_experiments {
    ($(#[$doc:meta])* $keys:ident, $name:literal, $content:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        pub struct $keys {
            /// The experiments.
            pub experiments: Vec<String>,
        }

        impl $crate::kinds::FigureKeys for $keys {
            const NAME: &'static str = $name;

            fn values(&self) -> Vec<(&'static str, $crate::kinds::KeyValue<'_>)> {
                vec![("experiments", $crate::kinds::KeyValue::Experiments(&self.experiments))]
            }

            fn content(&self, context: &dyn FigureContext) -> Option<Content> {
                let shown = context.experiments(&self.experiments);
                if shown.is_empty() {
                    return None;
                }
                let (description, chart) = $content(&shown, context)?;
                Some(Content::of(&shown, description, chart))
            }
        }
    };
}
use of_experiments;

macro_rules! registry {
    ($($kind:ident($keys:ty);)+) => {
        /// A figure's kind with its keys.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs)]
        pub enum FigureKind { $($kind($keys)),+ }

        impl FigureKind {
            /// The names of all kinds.
            pub const NAMES: &'static [&'static str] = &[$(<$keys>::NAME),+];

            /// Reads the keys of the kind with this name.
            pub fn read<'de, D: Deserializer<'de>>(name: &str, deserializer: D) -> Result<Self, D::Error> {
                $(if name == <$keys>::NAME {
                    return <$keys>::deserialize(deserializer).map(Self::$kind);
                })+
                Err(D::Error::unknown_variant(name, Self::NAMES))
            }

            /// The schema of each kind's keys.
            pub fn schemas(generator: &mut SchemaGenerator) -> Vec<(&'static str, Schema)> {
                vec![$((<$keys>::NAME, <$keys>::json_schema(generator))),+]
            }

            /// What stands at each key, in the order in which it is checked.
            pub fn values(&self) -> Vec<(&'static str, KeyValue<'_>)> {
                match self { $(Self::$kind(keys) => keys.values()),+ }
            }

            /// Checks what the schema and the values cannot express.
            pub fn check(&self) -> Result<(), KeyError> {
                match self { $(Self::$kind(keys) => keys.check()),+ }
            }

            /// What the figure shows; none if nothing of it was played.
            pub fn content(&self, context: &dyn FigureContext) -> Option<Content> {
                match self { $(Self::$kind(keys) => keys.content(context)),+ }
            }
        }

        impl Serialize for FigureKind {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self { $(Self::$kind(keys) => NamedKeys { kind: <$keys>::NAME, keys }.serialize(serializer)),+ }
            }
        }
    };
}

registry! {
    Scores(scores::ScoresKeys);
    Averages(bars::AveragesKeys);
    Nodes(nodes::NodesKeys);
    Ratios(bars::RatiosKeys);
    Pareto(pareto::ParetoKeys);
    Ecdf(ecdf::EcdfKeys);
    Profiles(ecdf::ProfilesKeys);
    MaxTiles(max_tiles::MaxTilesKeys);
    Survival(survival::SurvivalKeys);
}

#[derive(Serialize)]
struct NamedKeys<'a, K> {
    kind: &'static str,
    #[serde(flatten)]
    keys: &'a K,
}

/// Experiments that belong together in a figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// What they have in common.
    #[schemars(length(max = text::LONGEST_NAME))]
    pub name: String,
    /// The experiments.
    pub experiments: Vec<String>,
}

/// The value of a key, for the checks that it passes in every kind.
#[derive(Clone, Copy, Debug)]
pub enum KeyValue<'a> {
    /// A name in one line.
    Name(&'a str),
    /// Numbers.
    Numbers(&'a [f64]),
    /// Experiments of the paper.
    Experiments(&'a [String]),
    /// Groups of them.
    Groups(&'a [Group]),
    /// Claims of the paper.
    Claims(&'a [String]),
}

/// A key with a wrong value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyError {
    /// The key.
    pub key: &'static str,
    /// What is wrong, and what to write instead.
    pub problem: String,
}

/// The results of a paper, as far as figures show them.
pub trait FigureContext {
    /// An experiment with its games; none if it has fewer than two.
    fn experiment(&self, id: &str) -> Option<PlayedExperiment<'_>>;

    /// The number that the paper publishes of an experiment.
    fn published(&self, experiment: &str, metric: Metric) -> Option<f64>;

    /// What the verdict on a numeric claim rests on; none if it was not tested.
    fn ratio(&self, claim: &str) -> Option<JudgedRatio>;

    /// What it cost to train the weights that an experiment plays with, in words; none if it plays with none.
    fn training_cost(&self, experiment: &str) -> Option<String>;
}

impl dyn FigureContext + '_ {
    /// The experiments that were played, in this order.
    pub(super) fn experiments(&self, ids: &[String]) -> Vec<PlayedExperiment<'_>> {
        ids.iter().filter_map(|id| self.experiment(id)).collect()
    }
}

/// An experiment with its games.
#[derive(Clone, Copy, Debug)]
pub struct PlayedExperiment<'a> {
    /// Its id.
    pub id: &'a str,
    /// The method's name.
    pub method: &'a str,
    /// The form of the paper's method that it plays.
    pub variant: Option<Variant>,
    /// Its games.
    pub games: &'a Games,
}

impl PlayedExperiment<'_> {
    /// The scores, in the order of the games.
    pub(super) fn scores(&self) -> Vec<u64> {
        self.games.outcomes.iter().map(|outcome| u64::from(outcome.score)).collect()
    }

    /// Method and form.
    pub(super) fn label(&self) -> String {
        match self.variant {
            Some(variant) => format!("{}, {}", self.method, variant.words()),
            None => self.method.to_owned(),
        }
    }
}

/// A ratio that a paper claims, and ours.
#[derive(Clone, Debug)]
pub struct JudgedRatio {
    /// The method by whose number is divided.
    pub label: String,
    /// Our ratio.
    pub ours: Estimate,
    /// The published one, if it is a number.
    pub published: Option<f64>,
    /// The experiments that it is about.
    pub experiments: Vec<String>,
}

/// What a figure shows.
pub struct Content {
    /// What is to be seen, for readers who cannot see it.
    pub description: String,
    /// The experiments whose games it shows.
    pub experiments: Vec<String>,
    /// The chart.
    pub chart: Box<dyn Chart>,
}

impl Content {
    /// A chart of experiments.
    pub(super) fn of(
        shown: &[PlayedExperiment<'_>],
        description: String,
        chart: impl Chart + 'static,
    ) -> Self {
        let experiments = shown.iter().map(|played| played.id.to_owned()).collect();
        Self { description, experiments, chart: Box::new(chart) }
    }
}

/// Names and means, for readers who cannot see a figure.
pub(super) fn describe<'a>(
    what: &str,
    rows: impl Iterator<Item = (&'a str, Option<Variant>, Estimate)>,
) -> String {
    let text = |(label, variant, mean): (&str, Option<Variant>, Estimate)| {
        let variant = variant.map(|variant| format!(" ({})", variant.words())).unwrap_or_default();
        format!("{label}{variant} {}", Scale::Points.text(mean.point))
    };
    format!("{what}: {}.", rows.map(text).collect::<Vec<_>>().join("; "))
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::json;

    use super::*;

    /// Experiments by their ids.
    pub(crate) struct Results(Vec<(&'static str, Games)>);

    impl Results {
        /// Games with these moves, each move worth 4 points.
        pub(crate) fn of_moves(experiments: &[(&'static str, &[u32])]) -> Self {
            let games = |moves: &[u32]| {
                let mut games =
                    fixtures::games(fixtures::identity(2048), moves.iter().map(|moves| 4 * moves));
                games.outcomes.iter_mut().zip(moves).for_each(|(outcome, moves)| outcome.moves = *moves);
                games
            };
            Self(experiments.iter().map(|(id, moves)| (*id, games(moves))).collect())
        }
    }

    impl FigureContext for Results {
        fn experiment(&self, id: &str) -> Option<PlayedExperiment<'_>> {
            let (id, games) = self.0.iter().find(|(known, _)| *known == id)?;
            Some(PlayedExperiment { id, method: id, variant: None, games })
        }

        fn published(&self, _: &str, _: Metric) -> Option<f64> {
            None
        }

        fn ratio(&self, _: &str) -> Option<JudgedRatio> {
            None
        }

        fn training_cost(&self, _: &str) -> Option<String> {
            None
        }
    }

    #[test]
    fn a_kind_is_read_by_its_name_and_written_with_it() {
        let keys = json!({"experiments": ["a"], "id": "x"});
        for name in ["scores", "pareto", "ecdf", "profiles", "max-tiles"] {
            let kind = FigureKind::read(name, keys.clone()).unwrap();
            assert_eq!(serde_json::to_value(&kind).unwrap(), json!({"kind": name, "experiments": ["a"]}));
        }
        assert!(FigureKind::read("violins", keys).unwrap_err().to_string().contains("`violins`"));
    }

    #[test]
    fn a_figure_names_the_experiments_that_were_played() {
        let results = Results::of_moves(&[("a", &[10, 20]), ("b", &[30, 40])]);
        let experiments = ["a", "lost", "b"].map(str::to_owned).to_vec();
        let content = FigureKind::Scores(ScoresKeys { experiments }).content(&results).unwrap();
        assert_eq!(content.experiments, ["a", "b"]);
        assert_eq!(content.description, "Scores: a 60; b 140.");
        let experiments = vec!["lost".to_owned()];
        assert!(FigureKind::Scores(ScoresKeys { experiments }).content(&results).is_none());
    }
}
