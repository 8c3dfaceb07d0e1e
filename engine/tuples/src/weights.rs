//! Files of weights: what a training leaves behind for players.
//!
//! A file is a header that says what the network is, then every table in full, so that a player can map it
//! into memory and look the weights up where they are. The README of this crate is its specification, with
//! test vectors.
//!
//! A weight that the training never looked up is 0. A weight too large for its number has the largest there
//! is.

use std::fmt;

use engine::Grid;
use engine::agent::{Host, Refusal};
use thiserror::Error;

use crate::network::{CellValues, Network, Sampling};
use crate::tuple::{MAX_CELLS, Tuple};

/// The first bytes of every file.
const MAGIC: [u8; 8] = *b"RTLTUPLE";
/// The version of the form.
const VERSION: u32 = 1;
/// Where the tuples begin.
const TUPLES: usize = 32;
/// The bytes of a tuple: the number of its cells, and the cells.
const TUPLE: usize = 1 + MAX_CELLS;
/// The most tuples.
const MAX_TUPLES: u32 = 64;
/// Stands where a tuple has no more cells.
const NO_CELL: u8 = 255;
/// Tables begin at a multiple of this.
const ALIGNMENT: usize = 64;

/// The role of the file of weights: trainings make it, agents load it.
pub const WEIGHTS: &str = "weights";

/// The file of weights that the host provides, for as long as the process lives.
pub fn load(host: &Host) -> Result<&'static [u8], Refusal> {
    host.file(WEIGHTS).ok_or_else(|| {
        Refusal::Failed(format!(
            "the agent needs a file in the role `{WEIGHTS}`, and this host provides none"
        ))
    })
}

/// The weights of a network, in the bytes of a file.
#[derive(Clone)]
pub struct Weights<B> {
    network: Network,
    step: f32,
    bytes: B,
    /// Where the tables begin.
    tables: usize,
}

/// The number of a weight in a table.
fn quantised(weight: f32, step: f32) -> i16 {
    // Such a conversion stops at the largest and the smallest number.
    (weight / step).round() as i16
}

/// Writes the file of a network whose weights are given in the order of their indices.
///
/// # Panics
/// Panics if the step is not a positive number, there are too many tuples, or not as many weights as the
/// network has.
pub fn encode(network: &Network, step: f32, weights: impl ExactSizeIterator<Item = f32>) -> Vec<u8> {
    assert!(step.is_finite() && step > 0.0, "the step is a positive number");
    assert_eq!(weights.len(), network.weights(), "a network has a certain number of weights");
    let mut file = header(network, step);
    file.reserve_exact(2 * weights.len());
    for weight in weights {
        file.extend_from_slice(&quantised(weight, step).to_le_bytes());
    }
    file
}

fn header(network: &Network, step: f32) -> Vec<u8> {
    let tuples = network.tuples().len() as u32;
    assert!((1..=MAX_TUPLES).contains(&tuples), "a file has 1 to {MAX_TUPLES} tuples");
    let (values, sampling) = (network.values() as u32, network.sampling() as u32);
    let mut header = MAGIC.to_vec();
    for number in [VERSION, values, sampling, step.to_bits(), tuples, 0] {
        header.extend_from_slice(&number.to_le_bytes());
    }
    for tuple in network.tuples() {
        let mut entry = [NO_CELL; TUPLE];
        entry[0] = tuple.cells().len() as u8;
        entry[1..=tuple.cells().len()].copy_from_slice(tuple.cells());
        header.extend_from_slice(&entry);
    }
    header.resize(header.len().next_multiple_of(ALIGNMENT), 0);
    header
}

impl<B: AsRef<[u8]>> Weights<B> {
    /// Reads the header, and leaves the tables where they are.
    pub fn parse(bytes: B) -> Result<Self, WeightsError> {
        let file = bytes.as_ref();
        if !file.starts_with(&MAGIC) {
            return Err(WeightsError("not a file of weights: it does not begin with RTLTUPLE".to_owned()));
        }
        let mut numbers = [0; 6];
        for (number, place) in numbers.iter_mut().zip((MAGIC.len()..).step_by(4)) {
            *number = u32_at(file, place)?;
        }
        let [version, values, sampling, step, tuples, zero] = numbers;
        if version != VERSION {
            let reads = format!("this program reads version {VERSION}");
            return Err(WeightsError(format!("the file of weights has version {version}; {reads}")));
        }
        let values = match values {
            15 => CellValues::Fifteen,
            16 => CellValues::Sixteen,
            other => return Err(WeightsError::field("ranks a cell tells apart", other, "15 or 16")),
        };
        let sampling = match sampling {
            0 => Sampling::Single,
            1 => Sampling::Symmetric,
            2 => Sampling::Distinct,
            other => return Err(WeightsError::field("images", other, "0, 1 or 2")),
        };
        let step = f32::from_bits(step);
        if !step.is_finite() || step <= 0.0 {
            return Err(WeightsError::field("step", step, "a positive number"));
        }
        if !(1..=MAX_TUPLES).contains(&tuples) {
            return Err(WeightsError::field("number of tuples", tuples, "from 1 to 64"));
        }
        if zero != 0 {
            return Err(WeightsError::field("number at byte 28", zero, "zero"));
        }
        let tuples = (0..tuples as usize).map(|number| tuple_at(file, number)).collect::<Result<_, _>>()?;
        Self::with_tables(Network::new(tuples, sampling, values), step, bytes)
    }

    fn with_tables(network: Network, step: f32, bytes: B) -> Result<Self, WeightsError> {
        let end = TUPLES + TUPLE * network.tuples().len();
        let tables = end.next_multiple_of(ALIGNMENT);
        let (wanted, found) = (tables + 2 * network.weights(), bytes.as_ref().len());
        if wanted != found {
            let bytes = format!("the file of weights has {found} bytes, its tables need {wanted}");
            return Err(WeightsError(format!("{bytes}: copy it again")));
        }
        if bytes.as_ref()[end..tables].iter().any(|&byte| byte != 0) {
            return Err(WeightsError::damaged("there must be zeros before its tables"));
        }
        Ok(Self { network, step, bytes, tables })
    }

    /// The network.
    pub const fn network(&self) -> &Network {
        &self.network
    }

    /// The step between two neighbouring weights.
    pub const fn step(&self) -> f32 {
        self.step
    }

    /// The value of a grid. The numbers in the tables are integers, so it does not depend on the order in
    /// which they are added.
    #[inline]
    pub fn value(&self, grid: Grid) -> f64 {
        let (tables, _) = self.bytes.as_ref()[self.tables..].as_chunks();
        let mut sum = 0;
        self.network.visit(grid, |index| sum += i32::from(i16::from_le_bytes(tables[index])));
        f64::from(sum) * f64::from(self.step)
    }
}

fn u32_at(file: &[u8], place: usize) -> Result<u32, WeightsError> {
    Ok(u32::from_le_bytes(*chunk_at(file, place)?))
}

/// Some bytes of the header.
fn chunk_at<const N: usize>(file: &[u8], place: usize) -> Result<&[u8; N], WeightsError> {
    let cut_off = || WeightsError("the file of weights ends within its header: copy it again".to_owned());
    file.get(place..).and_then(<[u8]>::first_chunk).ok_or_else(cut_off)
}

fn tuple_at(file: &[u8], number: usize) -> Result<Tuple, WeightsError> {
    let entry: &[u8; TUPLE] = chunk_at(file, TUPLES + TUPLE * number)?;
    let cells = entry[1..].split_at_checked(entry[0].into());
    let cells = cells.filter(|(_, rest)| rest.iter().all(|&cell| cell == NO_CELL));
    let tuple = cells.and_then(|(cells, _)| Tuple::new(cells.to_vec()).ok());
    let wrong = || format!("tuple {number} must be 1 to {MAX_CELLS} rising cells");
    tuple.ok_or_else(|| WeightsError::damaged(wrong()))
}

/// Why bytes are not a file of weights.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct WeightsError(String);

impl From<WeightsError> for Refusal {
    fn from(error: WeightsError) -> Self {
        Self::Failed(format!("file `{WEIGHTS}`: {error}"))
    }
}

impl WeightsError {
    fn damaged(problem: impl fmt::Display) -> Self {
        Self(format!("the file of weights is damaged: {problem}"))
    }

    /// A field of the header is out of range.
    fn field(name: &str, found: impl fmt::Display, wanted: &str) -> Self {
        Self::damaged(format_args!("its {name} is {found}, must be {wanted}"))
    }
}

#[cfg(test)]
mod tests;
