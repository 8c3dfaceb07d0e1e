//! The host as an agent sees it.

use crate::abi::memory::{read_prefix, zeroed};
use crate::abi::raw;
use crate::agent::Level;

/// The host as an agent sees it.
pub struct Host(pub(super) raw::Host);

impl Host {
    /// A host that hears nothing, lends nothing and never asks to stop, for tests of an agent's inner parts.
    #[must_use]
    pub fn silent() -> Self {
        Self(zeroed())
    }

    /// Writes a line to the host's log.
    pub fn log(&self, level: Level, line: &str) {
        if let Some(log) = self.0.log {
            // SAFETY: the header keeps the host table valid for the agent's life, and the line lives through the call.
            unsafe { log(self.0.context, level as u32, raw::Str::lend(line)) };
        }
    }

    /// Whether the host wants the agent to return soon. The game does not count after that.
    #[must_use]
    pub fn should_stop(&self) -> bool {
        // SAFETY: as for `log`.
        self.0.should_stop.is_some_and(|should_stop| unsafe { should_stop(self.0.context) } != 0)
    }

    /// The file that the host lends in this role, for as long as the process lives. None where the agent does not name the role in
    /// [`crate::agent::Agent::FILES`], or the host is of a version that lends none.
    #[must_use]
    pub fn file(&self, role: &str) -> Option<&'static [u8]> {
        let get = self.0.get_extension?;
        // SAFETY: as for `log`.
        let extension =
            unsafe { get(self.0.context, raw::Str::lend(raw::EXT_FILES)) }.cast::<raw::ExtFiles>();
        if extension.is_null() {
            return None;
        }
        // SAFETY: under this id the header promises this struct, which begins with its size.
        let size = unsafe { extension.cast::<u32>().read() };
        // SAFETY: as above, with as many bytes as it says.
        let lend = unsafe { read_prefix(extension, size) }.file?;
        let mut file = raw::File { struct_size: size_of::<raw::File>() as u32, ..zeroed() };
        // SAFETY: the extension's function with the context of its host; role and file live through the call.
        let status = unsafe { lend(self.0.context, raw::Str::lend(role), &raw mut file) };
        let len = usize::try_from(file.len).ok()?;
        if status != raw::status::OK || (file.data.is_null() && len > 0) {
            return None;
        }
        // SAFETY: the header says that a host lends its files until the process ends, and that nobody writes to them.
        Some(if len == 0 { &[] } else { unsafe { std::slice::from_raw_parts(file.data, len) } })
    }
}
