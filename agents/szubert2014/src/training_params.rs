//! What a manifest can set about the training.

use engine::prelude::*;
use tuples::LearnerParams;

use crate::networks;
use crate::trainer::{TdRecipe, Trainer};

/// The paper's two networks.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NetworkName {
    /// 17 straight and square 4-tuples.
    #[default]
    StraightAndSquare,
    /// Two 4-tuples and two 6-tuples, with symmetric sampling.
    RowsAndRectangles,
}

engine::params! {
    /// What determines what is learned.
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    pub struct Params {
        /// Which of the paper's networks is trained.
        pub network: NetworkName = NetworkName::default(),
        /// The learning rate: the share of the error by which every weight moves.
        #[schemars(range(min = 0.0, max = 1.0))]
        pub rate: f64 = 0.0025,
        /// The step between two neighbouring weights in the file.
        #[schemars(range(min = 0.001, max = 1000.0))]
        pub step: f64 = 1.0,
        /// How large a weight must be to be in the file.
        #[schemars(range(min = 0.0))]
        pub least_moved: f64 = 0.0,
    }
}

impl LearnerParams for Params {
    type Learner = Trainer;

    fn recipe(&self, seed: u64) -> Result<TdRecipe, Refusal> {
        Refusal::out_of_range("rate", self.rate, 0.0..=1.0)?;
        let network = match self.network {
            NetworkName::StraightAndSquare => networks::straight_and_square(),
            NetworkName::RowsAndRectangles => networks::rows_and_rectangles(),
        };
        Ok(TdRecipe { network, rate: self.rate as f32, seed })
    }

    fn step(&self) -> f64 {
        self.step
    }

    fn least_moved(&self) -> f64 {
        self.least_moved
    }
}
