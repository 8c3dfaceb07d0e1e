//! Safe trainings behind C functions.

use std::ffi::c_void;
use std::io::{self, Read, Write};

use super::{CallError, Descriptors, Export, Host, destroy_handle, guarded, hand_out};
use crate::abi::memory::{sized, with_sized, write_prefix};
use crate::abi::{params, raw};
use crate::agent::{Failure, Refusal};
use crate::rules::Rules;
use crate::training::{Trained, Training};

/// How to describe and make one kind of training.
pub(super) struct TrainingFactory {
    role: &'static str,
    version: &'static str,
    schema: fn() -> String,
    create: CreateTraining,
}

/// Makes a training from the rules, its parameters' JSON and its seed.
type CreateTraining = fn(&Rules, &[u8], u64, Host) -> Result<Box<dyn ErasedTraining>, Refusal>;

impl TrainingFactory {
    pub(super) const fn of<T: Training>() -> Self {
        Self {
            role: T::ROLE,
            version: T::VERSION,
            schema: || params::schema::<T::Params>().to_string(),
            create: |rules, json, seed, host| {
                Ok(Box::new(T::create(rules, params::parse::<T::Params>(json)?, seed, host)?))
            },
        }
    }

    pub(super) fn describe(&self) -> raw::TrainingDescriptor {
        let schema: &'static str = (self.schema)().leak();
        raw::TrainingDescriptor {
            role: raw::Str::of(self.role),
            version: raw::Str::of(self.version),
            params_schema: raw::Str::of(schema),
            ..sized()
        }
    }
}

erased! {
    /// A training whose type is forgotten.
    ErasedTraining of Training {
        fn next_game() -> Result<Trained, Failure>;
        fn save(checkpoint: &mut dyn Write) -> io::Result<()>;
        fn load(checkpoint: &mut dyn Read) -> Result<(), Failure>;
        fn artefact(file: &mut dyn Write) -> io::Result<()>;
    }
}

/// The extension of a plugin that trains its agents.
pub(super) fn table<E: Export>() -> *const raw::ExtTraining {
    const {
        &raw::ExtTraining {
            describe: Some(describe::<E>),
            create: Some(create::<E>),
            next_game: Some(next_game),
            save: Some(save),
            load: Some(load),
            artefact: Some(artefact),
            destroy: Some(destroy),
            ..sized()
        }
    }
}

unsafe extern "C" fn describe<E: Export>(index: u32) -> *const raw::TrainingDescriptor {
    let found = Descriptors::of::<E>(index).and_then(|(_, training)| training.as_ref());
    found.map_or(std::ptr::null(), std::ptr::from_ref)
}

unsafe extern "C" fn create<E: Export>(
    host: *const raw::Host,
    index: u32,
    rules: *const raw::Rules,
    params: raw::Str,
    seed: u64,
    error: *mut raw::Text,
    training: *mut *mut c_void,
) -> i32 {
    let make = |rules: &Rules, params: &[u8], host: Host| {
        let factory = E::AGENTS.get(index as usize).and_then(|agent| agent.training.as_ref());
        let factory = factory.ok_or_else(|| Refusal::Failed(format!("agent {index} is not trained")))?;
        (factory.create)(rules, params, seed, host)
    };
    // SAFETY: rules and parameters are valid during the call, and the host's table for the training's life.
    // The host gives a place for the handle, and room for a text, or null.
    unsafe { hand_out((rules, params, host), error, training, make) }
}

unsafe extern "C" fn next_game(
    training: *mut c_void,
    trained: *mut raw::Trained,
    error: *mut raw::Text,
) -> i32 {
    let play = |training: &mut Box<dyn ErasedTraining>| {
        let Trained { score, max_rank, moves } = training.next_game()?;
        let raw = raw::Trained { max_rank: max_rank.into(), score, moves, ..sized() };
        // SAFETY: the host gives a struct that begins with its size.
        unsafe { write_prefix(trained, raw) };
        Ok(())
    };
    // SAFETY: the handle is one that `create` made; the host gives room for a text, or null.
    unsafe { guarded(training, error, play) }
}

unsafe extern "C" fn save(training: *mut c_void, sink: *const raw::Sink, error: *mut raw::Text) -> i32 {
    // SAFETY: `create` made the handle. The sink and the text, which may be null, stay valid during the call.
    unsafe { write_to(training, sink, error, |training, sink| training.save(sink)) }
}

unsafe extern "C" fn artefact(training: *mut c_void, sink: *const raw::Sink, error: *mut raw::Text) -> i32 {
    // SAFETY: as for `save`.
    unsafe { write_to(training, sink, error, |training, sink| training.artefact(sink)) }
}

/// # Safety
/// The handle must be null or come from `create`. During the call, the sink must be valid, and the text null
/// or valid.
unsafe fn write_to(
    training: *mut c_void,
    sink: *const raw::Sink,
    error: *mut raw::Text,
    write: impl FnOnce(&mut dyn ErasedTraining, &mut dyn Write) -> io::Result<()>,
) -> i32 {
    let write = |training: &mut Box<dyn ErasedTraining>| {
        // SAFETY: the caller says so.
        let mut sink = HostSink(unsafe { with_sized(sink, |sink| *sink) });
        write(&mut **training, &mut sink).map_err(|error| CallError(raw::status::FAILED, error.to_string()))
    };
    // SAFETY: the caller says so.
    unsafe { guarded(training, error, write) }
}

unsafe extern "C" fn load(training: *mut c_void, source: *const raw::Source, error: *mut raw::Text) -> i32 {
    let load = |training: &mut Box<dyn ErasedTraining>| {
        // SAFETY: the source is valid during the call.
        let mut source = HostSource(unsafe { with_sized(source, |source| *source) });
        Ok(training.load(&mut source)?)
    };
    // SAFETY: the handle is one that `create` made; the host gives room for a text, or null.
    unsafe { guarded(training, error, load) }
}

unsafe extern "C" fn destroy(training: *mut c_void) {
    // SAFETY: the handle is one that `create` made, and the host destroys it once.
    unsafe { destroy_handle::<Box<dyn ErasedTraining>>(training) };
}

/// The host's sink, during a call.
struct HostSink(raw::Sink);

impl Write for HostSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let write = self.0.write.ok_or_else(|| io::Error::other("the host takes no bytes"))?;
        // SAFETY: calls the host's function with its own context, within the call that provided both. The
        // bytes live through it.
        match unsafe { write(self.0.context, bytes.as_ptr(), bytes.len() as u64) } {
            raw::status::OK => Ok(bytes.len()),
            _ => Err(io::Error::other("the host could not write")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The host's source, during a call.
struct HostSource(raw::Source);

impl Read for HostSource {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read.ok_or_else(|| io::Error::other("the host gives no bytes"))?;
        // SAFETY: calls the host's function with its own context, within the call that provided both. The
        // buffer lives through it.
        let given = unsafe { read(self.0.context, room.as_mut_ptr(), room.len() as u64) };
        let given = usize::try_from(given).map_err(|_| io::Error::other("the host could not read"))?;
        if given <= room.len() {
            Ok(given)
        } else {
            Err(io::Error::other("the host gave more than there is room for"))
        }
    }
}
