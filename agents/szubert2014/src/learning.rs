//! The training as a host drives it: what a manifest can set about it.

use std::io::{self, Read, Write};

use engine::Rules;
use engine::agent::{Failure, Host, Refusal};
use engine::training::{Trained, Training};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tuples::Hosted;

use crate::agent::WEIGHTS;
use crate::networks;
use crate::training::{Recipe, Trainer};

/// The training of a [`crate::Szubert`].
pub struct Learning(Hosted<Trainer>);

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

/// What determines what is learned.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Params {
    /// Which of the paper's networks is trained.
    pub network: NetworkName,
    /// The learning rate: the share of the error by which every weight moves.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub rate: f64,
    /// The step between two neighbouring weights in the file.
    #[schemars(range(min = 0.001, max = 1000.0))]
    pub step: f64,
    /// How large a weight must be to be in the file.
    #[schemars(range(min = 0.0))]
    pub least_moved: f64,
}

impl Default for Params {
    fn default() -> Self {
        Self { network: NetworkName::default(), rate: 0.0025, step: 1.0, least_moved: 0.0 }
    }
}

impl Training for Learning {
    type Params = Params;

    const ROLE: &'static str = WEIGHTS;
    const VERSION: &'static str = "1.0.0";

    fn create(rules: &Rules, params: Params, seed: u64, _host: Host) -> Result<Self, Refusal> {
        if *rules != Rules::default() {
            return Err(Refusal::Rules("the training is of the standard game".to_owned()));
        }
        if !(0.0..=1.0).contains(&params.rate) {
            return Err(Refusal::Params(format!("parameter `rate`: {} is not from 0 to 1", params.rate)));
        }
        if !(params.step > 0.0 && params.step.is_finite()) {
            return Err(Refusal::Params(format!(
                "parameter `step`: {} is not a positive number",
                params.step
            )));
        }
        let network = match params.network {
            NetworkName::StraightAndSquare => networks::straight_and_square(),
            NetworkName::RowsAndRectangles => networks::rows_and_rectangles(),
        };
        let trainer = Trainer::new(Recipe { network, rate: params.rate as f32, seed }).map_err(|error| {
            Refusal::Failed(format!("there is not enough memory for the network: {error}"))
        })?;
        Ok(Self(Hosted::new(trainer, params.step as f32, params.least_moved as f32)))
    }

    fn next_game(&mut self) -> Result<Trained, Failure> {
        Ok(self.0.next_game())
    }

    fn save(&self, checkpoint: &mut dyn Write) -> io::Result<()> {
        self.0.save(checkpoint)
    }

    fn load(&mut self, checkpoint: &mut dyn Read) -> Result<(), Failure> {
        self.0.load(checkpoint)
    }

    fn artefact(&self, file: &mut dyn Write) -> io::Result<()> {
        self.0.artefact(file)
    }
}
