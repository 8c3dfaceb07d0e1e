//! What an agent can call: the host table, and the callbacks and files behind it.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::path::PathBuf;
use std::sync::Arc;

use crate::abi::memory::{sized, write_prefix};
use crate::abi::raw;
use crate::agent::Level;

/// The most bytes of one line of log that are heard.
const LONGEST_LOG_LINE: usize = 4096;

/// What a host does when an agent calls it.
pub trait Callbacks {
    /// Takes a line of log.
    fn log(&self, level: Level, line: &str) {
        let _ = (level, line);
    }

    /// Whether the agent is to return soon.
    fn should_stop(&self) -> bool {
        false
    }
}

/// A host that drops every line of log and never asks to stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Callbacks for Silent {}

/// A file for agents, whose content the host has checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostFile {
    /// Where it is, for agents that read it themselves.
    pub path: PathBuf,
    /// What is in it, for as long as the process lives.
    pub bytes: &'static [u8],
    /// The SHA-256 of that, in hexadecimal.
    pub sha256: String,
}

/// Files for agents, by their roles.
pub type HostFiles = Arc<BTreeMap<String, HostFile>>;

/// The host table that an agent holds on to, and the callbacks behind it, at a fixed place in memory.
pub(super) struct HostContext(*mut HostParts);

struct HostParts {
    table: raw::Host,
    callbacks: Box<dyn Callbacks>,
    files: HostFiles,
}

impl HostContext {
    pub(super) fn new(callbacks: Box<dyn Callbacks>, files: HostFiles) -> Self {
        let table = raw::Host {
            abi_minor: raw::ABI_MINOR,
            log: Some(host_log),
            should_stop: Some(host_should_stop),
            get_extension: Some(host_extension),
            ..sized()
        };
        let parts = Box::into_raw(Box::new(HostParts { table, callbacks, files }));
        // SAFETY: the pointer comes straight from a box, and nothing else has it yet.
        unsafe { (*parts).table.context = parts.cast() };
        Self(parts)
    }

    pub(super) fn table(&self) -> *const raw::Host {
        // SAFETY: the parts live until `drop`; only an address is taken.
        unsafe { &raw const (*self.0).table }
    }
}

impl Drop for HostContext {
    fn drop(&mut self) {
        // SAFETY: the pointer comes from a box in `new`, and no agent is left that holds it.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

/// # Safety
/// `context` must come from a host table that lives as long as `'a`.
unsafe fn callbacks<'a>(context: *mut c_void) -> &'a dyn Callbacks {
    // SAFETY: the caller says so; the parts are only ever read.
    unsafe { &*(*context.cast::<HostParts>()).callbacks }
}

unsafe extern "C" fn host_log(context: *mut c_void, level: u32, line: raw::Str) {
    let level = match level {
        0 => Level::Debug,
        1 => Level::Info,
        2 => Level::Warn,
        _ => Level::Error,
    };
    let cut = raw::Str { len: line.len.min(LONGEST_LOG_LINE as u64), ..line };
    // SAFETY: the line is valid during the call.
    if let Some(bytes) = unsafe { cut.bytes(LONGEST_LOG_LINE) } {
        // SAFETY: agents pass the context from the table, which lives as long as they do.
        unsafe { callbacks(context) }.log(level, &String::from_utf8_lossy(bytes));
    }
}

unsafe extern "C" fn host_should_stop(context: *mut c_void) -> u32 {
    // SAFETY: as in `host_log`.
    u32::from(unsafe { callbacks(context) }.should_stop())
}

unsafe extern "C" fn host_extension(_: *mut c_void, id: raw::Str) -> *const c_void {
    static FILES: raw::ExtFiles = raw::ExtFiles { file: Some(host_file), ..sized() };
    const LONGEST_ID: usize = 64;
    // SAFETY: the id is valid during the call.
    match unsafe { id.bytes(LONGEST_ID) } {
        Some(id) if id == raw::EXT_FILES.as_bytes() => (&raw const FILES).cast(),
        _ => std::ptr::null(),
    }
}

unsafe extern "C" fn host_file(context: *mut c_void, role: raw::Str, file: *mut raw::File) -> i32 {
    const LONGEST_ROLE: usize = 64;
    // SAFETY: as in `host_log`; the parts are only ever read.
    let files = unsafe { &(*context.cast::<HostParts>()).files };
    // SAFETY: the role is valid during the call.
    let role = unsafe { role.bytes(LONGEST_ROLE) }.and_then(|role| std::str::from_utf8(role).ok());
    let Some(found) = role.and_then(|role| files.get(role)) else { return raw::status::FAILED };
    let found = raw::File {
        data: found.bytes.as_ptr(),
        len: found.bytes.len() as u64,
        sha256: raw::Str::of(&found.sha256),
        ..sized()
    };
    // SAFETY: the agent gives a struct that begins with its size.
    unsafe { write_prefix(file, found) };
    raw::status::OK
}
