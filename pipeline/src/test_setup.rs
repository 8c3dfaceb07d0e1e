//! What unit tests of several modules need: an agent, and a machine without processes.

use engine::abi::host::AgentInfo;
use engine::agent::Capabilities;
use serde_json::Value;
use workers::{Launcher, Limits};

/// A launcher whose workers cannot be started, as on a machine that has no process left.
pub(crate) fn broken_launcher() -> Launcher {
    Launcher { program: "/nowhere/pipeline".into(), limits: Limits::default() }
}

pub(crate) fn agent(id: &str, capabilities: Capabilities, params_schema: Value) -> AgentInfo {
    AgentInfo {
        files: Vec::new(),
        training: None,
        index: 0,
        id: id.to_owned(),
        name: id.to_owned(),
        version: "1.0.0".to_owned(),
        paper: String::new(),
        licence: "MIT".to_owned(),
        capabilities,
        params_schema,
    }
}
