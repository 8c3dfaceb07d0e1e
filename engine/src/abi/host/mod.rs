//! The host's side of the boundary: a foreign table of functions, made safe to use.

mod agent;
mod callbacks;
mod error;
mod info;
mod live;
mod training;

pub use agent::{AgentHandle, LoadedAgent, RemoteAgents};
pub use callbacks::{Callbacks, HostFile, HostFiles, Silent};
pub use error::{CreateError, PlayError, PluginError};
pub use info::{AgentInfo, TrainingInfo, is_identifier, is_plain};
pub use training::LoadedTraining;

use std::sync::Arc;

use agent::{Extensions, TableAgent};
use callbacks::HostContext;
use live::Live;

use super::export::{self, Export};
use super::memory::{Plain, read_prefix, read_sized};
use super::raw;
use crate::agent::{Capabilities, Refusal};
use crate::rules::Rules;

/// The most agents that a plugin may offer.
const MOST_AGENTS: u32 = 1024;

/// A plugin whose description has been checked.
#[derive(Clone)]
pub struct Plugin {
    source: AgentSource,
    agents: Vec<AgentInfo>,
    /// The files that its agents load.
    files: HostFiles,
}

/// What makes a plugin's agents.
#[derive(Clone)]
enum AgentSource {
    /// A table of functions.
    Table { raw: raw::Plugin, functions: Functions },
    /// Anything else.
    Remote(Arc<dyn RemoteAgents>),
}

/// The functions that every plugin must have.
#[derive(Clone, Copy)]
struct Functions {
    create: raw::CreateFn,
    new_game: raw::NewGameFn,
    choose_move: raw::ChooseMoveFn,
    destroy: raw::DestroyFn,
}

impl Plugin {
    /// Checks the table that a library's entry function returns, and reads its descriptors.
    ///
    /// # Safety
    /// `entry` must be the function [`raw::SYMBOL`] of a library that keeps to `agent2048.h` and is never
    /// unloaded. What it returns is checked as far as one can; a pointer that leads nowhere cannot be.
    ///
    /// # Errors
    /// Returns an error if the table is foreign, of another version, or incomplete.
    pub unsafe fn from_entry(entry: raw::EntryFn) -> Result<Self, PluginError> {
        // SAFETY: the caller says what `entry` is.
        let table = unsafe { entry() };
        // SAFETY: as above.
        unsafe { Self::from_table(table) }
    }

    /// The plugin that `export_agents!` makes of the crate it stands in.
    ///
    /// # Panics
    /// Panics if an agent's description breaks the contract, such as an id with blanks.
    pub fn of_export<E: Export>() -> Self {
        // SAFETY: `table` returns a static table of this version, whose functions follow the header.
        unsafe { Self::from_table(export::table::<E>()) }.unwrap_or_else(|error| panic!("{error}"))
    }

    /// # Safety
    /// `table` must be null or point to a table whose plugin follows `agent2048.h` and is never unloaded.
    unsafe fn from_table(table: *const raw::Plugin) -> Result<Self, PluginError> {
        let host = format!("{}.{}", raw::ABI_MAJOR, raw::ABI_MINOR);
        if table.is_null() {
            let name = raw::SYMBOL;
            Err(format!("{name} returned null: let it return the address of a static agent2048_plugin"))?;
        }
        // Magic, versions and size are read one after the other: only each gives reason to believe in the
        // next.
        // SAFETY: the caller says that it is a table; its first eight bytes are the magic number.
        let magic = unsafe { (&raw const (*table).magic).read() };
        if magic != raw::MAGIC {
            Err(format!(
                "the table begins with {magic:#018x} instead of the magic number {:#018x}: the library exports {}, \
                 but was not built with agent2048.h",
                raw::MAGIC,
                raw::SYMBOL
            ))?;
        }
        // SAFETY: the magic number says that it is a table of some version, and all begin alike.
        let major = unsafe { (&raw const (*table).abi_major).read() };
        if major != raw::ABI_MAJOR {
            Err(format!(
                "the plugin speaks major version {major} of the ABI, this host version {host}: rebuild it with \
                 this host's agent2048.h"
            ))?;
        }
        // SAFETY: it is a table of this major version, whose size stands here.
        let size = unsafe { (&raw const (*table).struct_size).read() };
        let whole = size_of::<raw::Plugin>();
        if (size as usize) < whole {
            Err(format!(
                "the table has {size} bytes, version 1.0 of the ABI has {whole}: set struct_size to \
                 sizeof(agent2048_plugin)"
            ))?;
        }
        // SAFETY: the table has `size` bytes.
        let raw = unsafe { read_prefix(table, size) };
        Self::from_raw(raw)
    }

    fn from_raw(raw: raw::Plugin) -> Result<Self, PluginError> {
        if raw.must_understand != 0 {
            Err(format!(
                "the plugin needs features {:#x} that this host (ABI {}.{}) does not have: use a newer host",
                raw.must_understand,
                raw::ABI_MAJOR,
                raw::ABI_MINOR
            ))?;
        }
        let count = raw.agent_count;
        if !(1..=MOST_AGENTS).contains(&count) {
            Err(format!("the plugin offers {count} agents; it must offer 1 to {MOST_AGENTS}"))?;
        }
        let missing = |name: &str| format!("the table has no {name} function: set that pointer");
        let functions = Functions {
            create: raw.create.ok_or_else(|| missing("create"))?,
            new_game: raw.new_game.ok_or_else(|| missing("new_game"))?,
            choose_move: raw.choose_move.ok_or_else(|| missing("choose_move"))?,
            destroy: raw.destroy.ok_or_else(|| missing("destroy"))?,
        };
        let descriptor = raw.descriptor.ok_or_else(|| missing("descriptor"))?;
        // SAFETY: under this id the header promises this struct.
        let trainings = unsafe { extension::<raw::ExtTraining>(&raw, raw::EXT_TRAINING) };
        let agents = (0..raw.agent_count).map(|index| {
            // SAFETY: the table's function, called as the header says.
            let described = unsafe { descriptor(index) };
            let describe = trainings.as_ref().and_then(|trainings| trainings.describe);
            // SAFETY: the extension's function, called as the header says.
            let trained = describe.map_or(std::ptr::null(), |describe| unsafe { describe(index) });
            // SAFETY: both are null or descriptors that live until the process ends.
            let info = unsafe { AgentInfo::read(index, described, trained) };
            info.map_err(|problem| format!("agent {index}: {problem}"))
        });
        let agents: Vec<AgentInfo> = agents.collect::<Result<_, _>>()?;
        let is_repeated =
            |(place, agent): &(usize, &AgentInfo)| agents[..*place].iter().any(|other| other.id == agent.id);
        if let Some((_, agent)) = agents.iter().enumerate().find(is_repeated) {
            Err(format!("two agents are called `{}`: give each an id of its own", agent.id))?;
        }
        Ok(Self { source: AgentSource::Table { raw, functions }, agents, files: HostFiles::default() })
    }

    /// A plugin with one agent that is no table of functions.
    ///
    /// # Errors
    /// Returns an error if the agent's id cannot be one, or another text of its description cannot be
    /// printed.
    pub fn of_remote(agent: AgentInfo, maker: Arc<dyn RemoteAgents>) -> Result<Self, PluginError> {
        agent.check().map_err(|problem| format!("agent {}: {problem}", agent.index))?;
        Ok(Self { source: AgentSource::Remote(maker), agents: vec![agent], files: HostFiles::default() })
    }

    /// The same plugin, whose agents load these files.
    #[must_use]
    pub fn with_files(self, files: HostFiles) -> Self {
        Self { files, ..self }
    }

    /// Whether its agents are at the other end of something else than a table of functions.
    pub const fn is_remote(&self) -> bool {
        matches!(self.source, AgentSource::Remote(_))
    }

    /// The minor version of the ABI that the plugin was built with.
    pub const fn abi_minor(&self) -> u32 {
        match &self.source {
            AgentSource::Table { raw, .. } => raw.abi_minor,
            AgentSource::Remote(_) => raw::ABI_MINOR,
        }
    }

    /// The agents on offer, by their index.
    pub fn agents(&self) -> &[AgentInfo] {
        &self.agents
    }

    /// The agent with this id.
    pub fn agent(&self, id: &str) -> Option<&AgentInfo> {
        self.agents.iter().find(|agent| agent.id == id)
    }

    /// Whether an agent says that it places tiles, and its plugin has the function for it.
    fn places_tiles(&self, index: u32) -> bool {
        let agent = self.agents.get(index as usize);
        agent.is_some_and(|agent| agent.capabilities.contains(Capabilities::SPAWNER))
            && match &self.source {
                AgentSource::Table { raw, .. } => Extensions::of(raw).place_tile.is_some(),
                AgentSource::Remote(_) => true,
            }
    }

    /// Makes an agent for games under these rules. `params` is a JSON object.
    ///
    /// # Errors
    /// Returns an error if the agent refuses rules or parameters, or breaks the contract.
    pub fn create(
        &self,
        index: u32,
        rules: &Rules,
        params: &str,
        callbacks: impl Callbacks + 'static,
    ) -> Result<LoadedAgent, CreateError> {
        self.create_raw(index, &raw::Rules::from(rules), params, Box::new(callbacks))
    }

    /// Makes an agent for rules in their raw form, which may be of a version yet to come.
    pub(crate) fn create_raw(
        &self,
        index: u32,
        rules: &raw::Rules,
        params: &str,
        callbacks: Box<dyn Callbacks>,
    ) -> Result<LoadedAgent, CreateError> {
        if rules.spawn != raw::spawn::RANDOM && !self.places_tiles(index) {
            return Err(CreateError::BadRules(format!(
                "`spawn = \"adversarial\"` needs an agent that places the tiles, and this one does not offer {}",
                raw::EXT_SPAWNER
            )));
        }
        let needed = self.agents.get(index as usize).into_iter().flat_map(|agent| &agent.files);
        if let Some(role) = needed.into_iter().find(|role| !self.files.contains_key(*role)) {
            return Err(CreateError::NoFile { role: role.clone() });
        }
        let (plugin, functions) = match &self.source {
            AgentSource::Table { raw, functions } => (raw, *functions),
            AgentSource::Remote(maker) => {
                // Rules that this version does not know are refused for the agent.
                let rules = Rules::try_from(*rules).map_err(|refusal| match refusal {
                    Refusal::Rules(text) => CreateError::BadRules(text),
                    Refusal::Params(text) | Refusal::Failed(text) => CreateError::Failed(text),
                })?;
                return maker.create(&rules, params, &self.files, callbacks);
            }
        };
        let (context, params) = (HostContext::new(callbacks, self.files.clone()), raw::Str::of(params));
        // SAFETY: calls the table's function as the header specifies. Rules, parameters, text and place live
        // through the call. The new agent receives the context, which outlives it.
        let live = unsafe {
            Live::create("an agent", context, functions.destroy, |host, error, handle| {
                (functions.create)(host, index, rules, params, error, handle)
            })
        }?;
        Ok(Box::new(TableAgent { functions, extensions: Extensions::of(plugin), live }))
    }
}

impl Extensions {
    fn of(plugin: &raw::Plugin) -> Self {
        Self {
            // SAFETY: for this id, the header specifies this struct.
            move_values: unsafe { extension::<raw::ExtMoveValues>(plugin, raw::EXT_MOVE_VALUES) }
                .and_then(|extension| extension.move_values),
            // SAFETY: as above.
            place_tile: unsafe { extension::<raw::ExtSpawner>(plugin, raw::EXT_SPAWNER) }
                .and_then(|extension| extension.place_tile),
        }
    }
}

/// Asks a plugin for an extension.
///
/// # Safety
/// `T` must be the struct that the header promises under this id.
unsafe fn extension<T: Plain>(plugin: &raw::Plugin, id: &str) -> Option<T> {
    let get = plugin.get_extension?;
    // SAFETY: the table's function, called as the header says.
    let extension = unsafe { get(raw::Str::of(id)) }.cast::<T>();
    // SAFETY: the caller says what it is; it lives until the process ends, and begins with its size.
    unsafe { read_sized(extension) }
}
