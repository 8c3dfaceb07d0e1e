//! A small neural network: two hidden layers, trained on all that is known by Adam until it fits, the same on
//! every machine.

use crate::Place;
use crate::matrix::dot;

/// How many units each hidden layer has.
const WIDTH: usize = 32;
/// The learning rate, and what Adam remembers of slopes and of their squares.
const RATE: f64 = 0.01;
const MEMORY: [f64; 2] = [0.9, 0.999];
const EPSILON: f64 = 1e-8;

/// A network with one output.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Network {
    layers: [Layer; 3],
}

/// Weights and a bias for each unit: the bias is the last number of its row.
#[derive(Clone, Debug, PartialEq)]
struct Layer {
    rows: Vec<Vec<f64>>,
}

impl Layer {
    fn new(place: Place, inputs: usize, units: usize) -> Self {
        let spread = (1.0 / inputs as f64).sqrt();
        let weight = |unit: usize, input: usize| {
            if input == inputs { 0.0 } else { spread * place.at(unit).at(input).normal() }
        };
        Self {
            rows: (0..units).map(|unit| (0..=inputs).map(|input| weight(unit, input)).collect()).collect(),
        }
    }

    fn of(&self, inputs: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|row| dot(&row[..inputs.len()], inputs) + row[inputs.len()]).collect()
    }

    /// A layer of the same shape, all zeros.
    fn zeros(&self) -> Self {
        Self { rows: self.rows.iter().map(|row| vec![0.0; row.len()]).collect() }
    }

    /// Adds the slope of the loss by every weight, for one example; gives the slope by every input.
    fn add_slopes(&self, slopes: &mut Self, inputs: &[f64], by_output: &[f64]) -> Vec<f64> {
        let mut by_input = vec![0.0; inputs.len()];
        for ((row, slopes), &by_output) in self.rows.iter().zip(&mut slopes.rows).zip(by_output) {
            for (number, &input) in inputs.iter().enumerate() {
                slopes[number] += by_output * input;
                by_input[number] += by_output * row[number];
            }
            slopes[inputs.len()] += by_output;
        }
        by_input
    }
}

impl Network {
    /// An untrained network for this many inputs.
    pub(crate) fn new(place: Place, inputs: usize) -> Self {
        Self {
            layers: [
                Layer::new(place.at(0), inputs, WIDTH),
                Layer::new(place.at(1), WIDTH, WIDTH),
                Layer::new(place.at(2), WIDTH, 1),
            ],
        }
    }

    /// What it says of an input.
    pub(crate) fn of(&self, input: &[f64]) -> f64 {
        self.activations(input).2
    }

    /// The two hidden layers and the output.
    fn activations(&self, input: &[f64]) -> (Vec<f64>, Vec<f64>, f64) {
        let bend = |sums: Vec<f64>| sums.into_iter().map(libm::tanh).collect::<Vec<f64>>();
        let first = bend(self.layers[0].of(input));
        let second = bend(self.layers[1].of(&first));
        let output = self.layers[2].of(&second)[0];
        (first, second, output)
    }

    /// Learns examples until the root of the mean squared error on them is at most `target`, or it has seen
    /// them `most` times. Returns how often it has.
    pub(crate) fn train(&mut self, inputs: &[Vec<f64>], outputs: &[f64], target: f64, most: usize) -> usize {
        let mut adam = Adam::of(self);
        let mut epochs = 0;
        while epochs < most && !inputs.is_empty() {
            let (slopes, squared_error) = self.slopes(inputs, outputs);
            if squared_error.sqrt() <= target {
                break;
            }
            adam.step(self, &slopes);
            epochs += 1;
        }
        epochs
    }

    /// The slopes of the mean squared error by all weights, and that error.
    fn slopes(&self, inputs: &[Vec<f64>], outputs: &[f64]) -> ([Layer; 3], f64) {
        let mut slopes = [0, 1, 2].map(|layer| self.layers[layer].zeros());
        let mut squared_error = 0.0;
        for (input, expected) in inputs.iter().zip(outputs) {
            let (first, second, output) = self.activations(input);
            let error = output - expected;
            squared_error += error * error / inputs.len() as f64;
            let unbend = |by_output: Vec<f64>, bent: &[f64]| -> Vec<f64> {
                by_output.iter().zip(bent).map(|(slope, bent)| slope * (1.0 - bent * bent)).collect()
            };
            let by_output = [2.0 * error / inputs.len() as f64];
            let by_second = self.layers[2].add_slopes(&mut slopes[2], &second, &by_output);
            let by_first = self.layers[1].add_slopes(&mut slopes[1], &first, &unbend(by_second, &second));
            self.layers[0].add_slopes(&mut slopes[0], input, &unbend(by_first, &first));
        }
        (slopes, squared_error)
    }
}

/// What Adam remembers of every weight: its slopes, and their squares.
struct Adam {
    slopes: [Layer; 3],
    squares: [Layer; 3],
    /// What is left of the zeros that the memory began with.
    beginning: [f64; 2],
}

impl Adam {
    fn of(network: &Network) -> Self {
        let zeros = || [0, 1, 2].map(|layer| network.layers[layer].zeros());
        Self { slopes: zeros(), squares: zeros(), beginning: [1.0; 2] }
    }

    fn step(&mut self, network: &mut Network, slopes: &[Layer; 3]) {
        for (left, memory) in self.beginning.iter_mut().zip(MEMORY) {
            *left *= memory;
        }
        for (layer, slopes) in slopes.iter().enumerate() {
            for (unit, row) in slopes.rows.iter().enumerate() {
                for (number, slope) in row.iter().enumerate() {
                    let mean = &mut self.slopes[layer].rows[unit][number];
                    *mean = MEMORY[0] * *mean + (1.0 - MEMORY[0]) * slope;
                    let square = &mut self.squares[layer].rows[unit][number];
                    *square = MEMORY[1] * *square + (1.0 - MEMORY[1]) * slope * slope;
                    let (mean, square) =
                        (*mean / (1.0 - self.beginning[0]), *square / (1.0 - self.beginning[1]));
                    network.layers[layer].rows[unit][number] -= RATE * mean / (square.sqrt() + EPSILON);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples(count: usize) -> (Vec<Vec<f64>>, Vec<f64>) {
        let root = Place::of("test", 5);
        let inputs: Vec<Vec<f64>> =
            (0..count).map(|number| (0..2).map(|gene| root.at(number).at(gene).unit()).collect()).collect();
        let outputs = inputs.iter().map(|x| libm::sin(4.0 * x[0]) * x[1]).collect();
        (inputs, outputs)
    }

    #[test]
    fn slopes_are_those_that_small_steps_give() {
        let (inputs, outputs) = examples(7);
        let network = Network::new(Place::of("test", 6), 2);
        let (slopes, error) = network.slopes(&inputs, &outputs);
        for (layer, unit, number) in [(0, 3, 1), (0, 31, 2), (1, 0, 0), (1, 17, 32), (2, 0, 5), (2, 0, 32)] {
            let mut moved = network.clone();
            moved.layers[layer].rows[unit][number] += 1e-6;
            let slope = (moved.slopes(&inputs, &outputs).1 - error) / 1e-6;
            let known = slopes[layer].rows[unit][number];
            assert!(
                (slope - known).abs() < 1e-4 * (1.0 + known.abs()),
                "{layer} {unit} {number}: {slope} {known}"
            );
        }
    }

    #[test]
    fn it_learns_to_the_stated_error_and_knows_what_lies_between() {
        let (inputs, outputs) = examples(60);
        let mut network = Network::new(Place::of("test", 7), 2);
        let epochs = network.train(&inputs, &outputs, 0.02, 3000);
        assert!(network.slopes(&inputs, &outputs).1.sqrt() <= 0.02 && epochs > 10, "{epochs}");
        assert!((network.of(&[0.4, 0.6]) - libm::sin(1.6) * 0.6).abs() < 0.1);
    }

    #[test]
    fn it_gives_up_after_so_many_epochs() {
        let (inputs, outputs) = examples(20);
        let mut network = Network::new(Place::of("test", 8), 2);
        assert_eq!(network.train(&inputs, &outputs, 0.0, 5), 5);
    }
}
