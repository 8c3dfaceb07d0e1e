//! What every training of a network is: one game after another, with a checkpoint between any two, and
//! weights at the end. [`Hosted`] is the form in which a host runs it.

use std::io::{self, Read, Write};

use engine::Rules;
use engine::agent::{Failure, Host, Params, Refusal};
use engine::training::{Trained, Training};

use crate::checkpoint::{CheckpointError, Progress};
use crate::network::Network;
use crate::weights::{self, WEIGHTS};

/// A training in progress: a pure function of its recipe and the number of games.
pub trait Learner: Sized + 'static {
    /// All that determines what is learned, apart from the number of games.
    type Recipe;

    /// A training that has not begun.
    fn new(recipe: Self::Recipe) -> io::Result<Self>;

    /// Plays the next game and learns from it.
    fn play_and_learn(&mut self) -> Trained;

    /// How far it has come.
    fn progress(&self) -> Progress;

    /// What it trains.
    fn network(&self) -> &Network;

    /// The weights in the order of their indices, with 0 for those that moved less than this in all: they
    /// belong to boards that are hardly ever seen, and a file without them is much smaller. Weights that were
    /// never visited are 0 in any case.
    fn weights(&self, least_moved: f32) -> impl ExactSizeIterator<Item = f32>;

    /// Writes a checkpoint.
    fn save(&self, file: impl Write) -> io::Result<()>;

    /// Resumes from what [`Learner::save`] wrote.
    ///
    /// # Errors
    /// Returns an error if the file is not a whole checkpoint of this recipe; the learner is then unusable.
    fn load(&mut self, file: impl Read) -> Result<(), CheckpointError>;
}

/// The parameters of a training, from which [`Hosted`] makes it.
pub trait LearnerParams: Params {
    /// What they train.
    type Learner: Learner;

    /// The recipe that they describe.
    fn recipe(&self, seed: u64) -> Result<<Self::Learner as Learner>::Recipe, Refusal>;

    /// The step between two neighbouring weights in the file.
    fn step(&self) -> f64;

    /// How far a weight must have moved to be in the file.
    fn least_moved(&self) -> f64;
}

/// A training as a host runs it.
pub struct Hosted<P: LearnerParams> {
    learner: P::Learner,
    params: P,
}

impl<P: LearnerParams> Training for Hosted<P> {
    type Params = P;

    const ROLE: &'static str = WEIGHTS;
    const VERSION: &'static str = "1.0.0";

    fn create(rules: &Rules, params: P, seed: u64, _host: Host) -> Result<Self, Refusal> {
        if *rules != Rules::default() {
            return Err(Refusal::Rules("the training is of the standard game".to_owned()));
        }
        let step = params.step();
        if !(step > 0.0 && step.is_finite()) {
            return Err(Refusal::Params(format!("parameter `step` is {step}: it must be a positive number")));
        }
        let learner = P::Learner::new(params.recipe(seed)?);
        let learner = learner.map_err(|error| {
            Refusal::Failed(format!("there is not enough memory for the network: {error}"))
        })?;
        Ok(Self { learner, params })
    }

    fn next_game(&mut self) -> Result<Trained, Failure> {
        Ok(self.learner.play_and_learn())
    }

    fn save(&self, checkpoint: &mut dyn Write) -> io::Result<()> {
        self.learner.save(checkpoint)
    }

    fn load(&mut self, checkpoint: &mut dyn Read) -> Result<(), Failure> {
        self.learner.load(checkpoint).map_err(|error| error.to_string().into())
    }

    fn artefact(&self, file: &mut dyn Write) -> io::Result<()> {
        let weights = self.learner.weights(self.params.least_moved() as f32);
        file.write_all(&weights::encode(self.learner.network(), self.params.step() as f32, weights))
    }
}
