//! The memory limit of a worker and of everything below it.

use std::io;

use rustix::process::{Rlimit, getrlimit, setrlimit};

use crate::process_tree::MEMORY;

/// Limits this process and all that it starts. No agent can raise the limit again.
pub(super) fn limit_memory(limit: Option<u64>) -> io::Result<()> {
    let Some(limit) = limit else { return Ok(()) };
    let limit = getrlimit(MEMORY).maximum.map_or(limit, |maximum| limit.min(maximum));
    setrlimit(MEMORY, Rlimit { current: Some(limit), maximum: Some(limit) })?;
    give_up_raising();
    Ok(())
}

/// Gives up root's right to raise limits, here and in programs that are started. Must run before there is a
/// second thread, since each has its own rights.
#[cfg(target_os = "linux")]
fn give_up_raising() {
    use rustix::thread::{
        CapabilitySet, capabilities, remove_capability_from_bounding_set, set_capabilities,
    };
    // Fails without the right, which is fine.
    let _ = remove_capability_from_bounding_set(CapabilitySet::SYS_RESOURCE);
    if let Ok(mut rights) = capabilities(None) {
        rights.effective.remove(CapabilitySet::SYS_RESOURCE);
        rights.permitted.remove(CapabilitySet::SYS_RESOURCE);
        rights.inheritable.remove(CapabilitySet::SYS_RESOURCE);
        let _ = set_capabilities(None, rights);
    }
}

#[cfg(not(target_os = "linux"))]
fn give_up_raising() {}
