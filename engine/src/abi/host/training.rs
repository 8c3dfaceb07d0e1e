//! A training behind the boundary, as the host drives it.

use std::ffi::c_void;
use std::io::{self, Read, Write};
use std::slice;

use super::callbacks::HostContext;
use super::error::{CreateError, PlayError};
use super::live::Live;
use super::{AgentSource, Callbacks, Plugin, extension};
use crate::abi::memory::sized;
use crate::abi::raw;
use crate::rules::Rules;
use crate::training::Trained;

/// The functions of the extension, all of which it must have.
#[derive(Clone, Copy)]
struct Functions {
    create: raw::CreateTrainingFn,
    next_game: raw::NextGameFn,
    save: raw::WriteTrainingFn,
    load: raw::LoadTrainingFn,
    artefact: raw::WriteTrainingFn,
    destroy: raw::DestroyFn,
}

impl Functions {
    fn of(raw: raw::ExtTraining) -> Option<Self> {
        Some(Self {
            create: raw.create?,
            next_game: raw.next_game?,
            save: raw.save?,
            load: raw.load?,
            artefact: raw.artefact?,
            destroy: raw.destroy?,
        })
    }
}

/// A training that lives behind the boundary.
pub struct LoadedTraining {
    functions: Functions,
    live: Live,
}

impl Plugin {
    /// Makes a training of an agent. `params` is a JSON object.
    ///
    /// # Errors
    /// Returns an error if the agent is not trained, the training refuses rules or parameters, or the plugin
    /// breaks the contract.
    pub fn train(
        &self,
        index: u32,
        rules: &Rules,
        params: &str,
        seed: u64,
        callbacks: impl Callbacks + 'static,
    ) -> Result<LoadedTraining, CreateError> {
        let is_trained = self.agents.get(index as usize).is_some_and(|agent| agent.training.is_some());
        let AgentSource::Table { raw: table, .. } = &self.source else {
            return Err(CreateError::Failed("a program is not trained by a host".to_owned()));
        };
        // SAFETY: under this id the header promises this struct.
        let functions =
            unsafe { extension::<raw::ExtTraining>(table, raw::EXT_TRAINING) }.filter(|_| is_trained);
        let functions =
            functions.ok_or_else(|| CreateError::Failed("the agent is not trained".to_owned()))?;
        let functions = Functions::of(functions)
            .ok_or_else(|| CreateError::Broken(format!("a function of {} is missing", raw::EXT_TRAINING)))?;
        let context = HostContext::new(Box::new(callbacks), self.files.clone());
        let (rules, params) = (raw::Rules::from(rules), raw::Str::of(params));
        // SAFETY: calls the extension's function as the header specifies. Rules, parameters, text and place
        // live through the call. The new training receives the context, which outlives it.
        let live = unsafe {
            Live::create("a training", context, functions.destroy, |host, error, handle| {
                (functions.create)(host, index, &raw const rules, params, seed, error, handle)
            })
        }?;
        Ok(LoadedTraining { functions, live })
    }
}

impl LoadedTraining {
    /// Plays the next game and learns from it.
    pub fn next_game(&mut self) -> Result<Trained, PlayError> {
        let (mut trained, next_game) = (sized::<raw::Trained>(), self.functions.next_game);
        // SAFETY: the extension's function on a live handle, in the thread that made it.
        self.live.call(|handle, error| unsafe { next_game(handle, &raw mut trained, error) })?;
        let raw::Trained { max_rank, score, moves, .. } = trained;
        let max_rank = u8::try_from(max_rank).ok().filter(|rank| *rank <= 16);
        let max_rank = max_rank
            .ok_or_else(|| PlayError::Failed("the training reports a tile that no game has".to_owned()))?;
        Ok(Trained { score, max_rank, moves })
    }

    /// Writes a checkpoint.
    pub fn save(&mut self, checkpoint: &mut dyn Write) -> Result<(), PlayError> {
        self.write(self.functions.save, checkpoint)
    }

    /// Writes what was learned.
    pub fn artefact(&mut self, file: &mut dyn Write) -> Result<(), PlayError> {
        self.write(self.functions.artefact, file)
    }

    /// Goes on from a checkpoint. The training is of no more use where that fails.
    pub fn load(&mut self, checkpoint: &mut dyn Read) -> Result<(), PlayError> {
        let mut reading = Transfer::new(checkpoint);
        let source = raw::Source { context: (&raw mut reading).cast(), read: Some(read), ..sized() };
        let load = self.functions.load;
        // SAFETY: as in `next_game`; the source lives through the call.
        let loaded = self.live.call(|handle, error| unsafe { load(handle, &raw const source, error) });
        reading.outcome(loaded)
    }

    fn write(&mut self, write_out: raw::WriteTrainingFn, target: &mut dyn Write) -> Result<(), PlayError> {
        let mut writing = Transfer::new(target);
        let sink = raw::Sink { context: (&raw mut writing).cast(), write: Some(write), ..sized() };
        // SAFETY: as in `next_game`; the sink lives through the call.
        let written = self.live.call(|handle, error| unsafe { write_out(handle, &raw const sink, error) });
        writing.outcome(written)
    }
}

/// What a sink or a source leads to, and why writing or reading failed.
struct Transfer<T> {
    stream: T,
    failure: Option<io::Error>,
}

impl<T> Transfer<T> {
    const fn new(stream: T) -> Self {
        Self { stream, failure: None }
    }

    /// The result of the call that wrote or read: a failure here is the reason.
    fn outcome(self, called: Result<(), PlayError>) -> Result<(), PlayError> {
        self.failure.map_or(called, |failure| Err(PlayError::Failed(failure.to_string())))
    }

    fn fail(&mut self, failure: io::Error) {
        self.failure.get_or_insert(failure);
    }
}

unsafe extern "C" fn write(context: *mut c_void, data: *const u8, len: u64) -> i32 {
    // SAFETY: trainings give back the context that the sink holds, during the call that it is valid for.
    let writing = unsafe { &mut *context.cast::<Transfer<&mut dyn Write>>() };
    let bytes = raw::Str { data, len };
    // SAFETY: the bytes are valid during the call.
    let written = match unsafe { bytes.bytes(isize::MAX as usize) } {
        Some(bytes) => writing.stream.write_all(bytes),
        None => Err(io::Error::other("the training wrote from nowhere")),
    };
    match written {
        Ok(()) => raw::status::OK,
        Err(failure) => {
            writing.fail(failure);
            raw::status::FAILED
        }
    }
}

unsafe extern "C" fn read(context: *mut c_void, data: *mut u8, capacity: u64) -> i64 {
    // SAFETY: trainings give back the context that the source holds, during the call that it is valid for.
    let reading = unsafe { &mut *context.cast::<Transfer<&mut dyn Read>>() };
    // No more at once than a host has had reason to give, whatever room there is.
    const MOST: u64 = 1 << 20;
    let capacity = capacity.min(MOST) as usize;
    if capacity == 0 || data.is_null() {
        return 0;
    }
    // SAFETY: the training has as much room as it says, and looks at it only after the call. Zeros make it
    // bytes that can be read.
    let room = unsafe {
        data.write_bytes(0, capacity);
        slice::from_raw_parts_mut(data, capacity)
    };
    match reading.stream.read(room) {
        // If a reader reported more bytes than fit, the training would read past the buffer.
        Ok(given) => given.min(capacity) as i64,
        Err(failure) => {
            reading.fail(failure);
            -1
        }
    }
}
