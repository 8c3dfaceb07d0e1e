//! The host as an agent sees it.

use std::cell::Cell;
use std::rc::Rc;

use crate::abi::memory::{read_sized, sized, zeroed};
use crate::abi::raw;
use crate::agent::Level;

/// The host as an agent sees it.
///
/// If an agent stores its host somewhere that outlives the agent, the host is silent afterwards.
pub struct Host {
    table: raw::Host,
    is_valid: Rc<Cell<bool>>,
}

/// The period in which a host may be called: until this is dropped.
pub(super) struct Lease(Rc<Cell<bool>>);

impl Drop for Lease {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

impl Host {
    /// A host without a log or files that never asks to stop, for tests of an agent's inner parts.
    pub fn silent() -> Self {
        Self { table: zeroed(), is_valid: Rc::default() }
    }

    pub(super) fn leased(table: raw::Host) -> (Self, Lease) {
        let is_valid = Rc::new(Cell::new(true));
        (Self { table, is_valid: is_valid.clone() }, Lease(is_valid))
    }

    /// The host's table, until the lease ends.
    fn table(&self) -> Option<&raw::Host> {
        self.is_valid.get().then_some(&self.table)
    }

    /// Writes a line to the host's log.
    pub fn log(&self, level: Level, line: &str) {
        if let Some(table) = self.table()
            && let Some(log) = table.log
        {
            // SAFETY: the header keeps the table's functions and context valid for the agent's life, which
            // the lease does not outlast; the line lives through the call.
            unsafe { log(table.context, level as u32, raw::Str::of(line)) };
        }
    }

    /// Whether the host wants the agent to return soon. The game does not count after that.
    pub fn should_stop(&self) -> bool {
        let Some(table) = self.table() else { return false };
        // SAFETY: as for `log`.
        table.should_stop.is_some_and(|should_stop| unsafe { should_stop(table.context) } != 0)
    }

    /// The file in this role, for as long as the process lives; `None` if the agent does not name the role in
    /// [`crate::agent::Agent::FILES`], or the host is of a version without files.
    pub fn file(&self, role: &str) -> Option<&'static [u8]> {
        let table = self.table()?;
        let get = table.get_extension?;
        // SAFETY: as for `log`.
        let extension = unsafe { get(table.context, raw::Str::of(raw::EXT_FILES)) }.cast::<raw::ExtFiles>();
        // SAFETY: under this id the header promises this struct, which begins with its size.
        let load = unsafe { read_sized(extension) }?.file?;
        let mut file: raw::File = sized();
        // SAFETY: the extension's function with the context of its host; role and file live through the call.
        let status = unsafe { load(table.context, raw::Str::of(role), &raw mut file) };
        // No slice is longer than this.
        let len = isize::try_from(file.len).ok()?.unsigned_abs();
        if status != raw::status::OK || (file.data.is_null() && len > 0) {
            return None;
        }
        // SAFETY: the header says that files stay valid until the process ends, and that nobody writes to
        // them.
        Some(if len == 0 { &[] } else { unsafe { std::slice::from_raw_parts(file.data, len) } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::c_void;

    unsafe extern "C" fn count(context: *mut c_void, _: u32, _: raw::Str) {
        // SAFETY: the test gives a counter that lives through the call.
        unsafe { &*context.cast::<Cell<u32>>() }.update(|lines| lines + 1);
    }

    unsafe extern "C" fn always(_: *mut c_void) -> u32 {
        1
    }

    #[test]
    fn a_host_that_outlives_its_agent_is_not_called_any_more() {
        let lines = Cell::new(0);
        let context = (&raw const lines).cast_mut().cast();
        let table = raw::Host { context, log: Some(count), should_stop: Some(always), ..zeroed() };
        let (host, lease) = Host::leased(table);
        host.log(Level::Info, "heard");
        assert!((lines.get(), host.should_stop()) == (1, true));
        drop(lease);
        host.log(Level::Info, "not heard");
        assert!((lines.get(), host.should_stop(), host.file("weights")) == (1, false, None));
    }
}
