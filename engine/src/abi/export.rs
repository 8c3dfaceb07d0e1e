//! The plugin's side of the boundary: safe agents behind C functions.

use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use super::memory::{read_field, with_sized, write_prefix, write_text, zeroed};
use super::{params, raw};
use crate::agent::{
    About, Agent, Budget, Capabilities, Decision, Failure, Level, MoveValues, Position, Refusal,
    SlidPosition, TileDecision,
};
use crate::board::{Afterstate, Board};
use crate::direction::{Direction, Directions};
use crate::rules::Rules;
use crate::seed::AgentSeed;

/// Makes a crate a plugin: exports these agents under the one symbol of the ABI.
///
/// It also defines `plugin()`, the crate's own agents as a host sees them, for its tests.
///
/// ```
/// use engine::agent::{About, Agent, Capabilities, Decision, Failure, Host, Position, Refusal};
/// use engine::{AgentSeed, Rules};
///
/// struct First;
///
/// impl Agent for First {
///     type Params = ();
///     const ABOUT: About = About {
///         id: "first",
///         name: "First legal direction",
///         version: "1.0.0",
///         paper: "",
///         licence: "MIT",
///         capabilities: Capabilities::NO_BUDGET,
///     };
///
///     fn create(_: &Rules, (): (), _: Host) -> Result<Self, Refusal> {
///         Ok(Self)
///     }
///
///     fn new_game(&mut self, _: AgentSeed) {}
///
///     fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
///         position.legal.iter().next().map(Decision::new).ok_or("no legal move".into())
///     }
/// }
///
/// engine::export_agents![First];
/// # fn main() {
/// assert_eq!(plugin().agents()[0].id, "first");
/// # }
/// ```
#[macro_export]
macro_rules! export_agents {
    ($($agent:ty),+ $(,)?) => {
        /// This crate's agents, seen through the C boundary as a host sees them.
        #[must_use]
        pub fn plugin() -> $crate::abi::host::Plugin {
            $crate::abi::host::Plugin::of_export::<Exported>()
        }

        #[doc(hidden)]
        pub enum Exported {}

        impl $crate::abi::export::Export for Exported {
            const AGENTS: &'static [$crate::abi::export::Factory] =
                &[$($crate::abi::export::Factory::of::<$agent>()),+];

            fn descriptors() -> &'static ::std::sync::OnceLock<$crate::abi::export::Descriptors> {
                static DESCRIPTORS: ::std::sync::OnceLock<$crate::abi::export::Descriptors> =
                    ::std::sync::OnceLock::new();
                &DESCRIPTORS
            }
        }

        #[doc(hidden)]
        #[allow(unsafe_code)]
        // SAFETY: the name belongs to this ABI, and a plugin is the only one to define it.
        #[unsafe(no_mangle)]
        pub extern "C" fn agent2048_plugin_v1() -> *const $crate::abi::raw::Plugin {
            $crate::abi::export::table::<Exported>()
        }
    };
}

/// The agents of one plugin. `export_agents!` implements it.
pub trait Export: 'static {
    /// How to describe and make each agent, by its index.
    const AGENTS: &'static [Factory];

    /// Where the plugin keeps its descriptors.
    fn descriptors() -> &'static OnceLock<Descriptors>;
}

/// The descriptors of a plugin's agents, made at their first reading and kept until the process ends.
pub struct Descriptors(Vec<raw::Descriptor>);

// SAFETY: the texts that a descriptor points to are static or leaked, and nobody writes to them.
unsafe impl Send for Descriptors {}
// SAFETY: as above.
unsafe impl Sync for Descriptors {}

/// How to describe and make one kind of agent.
pub struct Factory {
    about: &'static About,
    schema: fn() -> String,
    create: CreatePlayer,
}

/// Makes an agent from the rules and its parameters' JSON.
type CreatePlayer = fn(&Rules, &[u8], Host) -> Result<Box<dyn Player>, Refusal>;

impl Factory {
    /// The factory of a type of agent.
    #[must_use]
    pub const fn of<A: Agent>() -> Self {
        Self {
            about: &A::ABOUT,
            schema: || params::schema::<A>().to_string(),
            create: |rules, json, host| {
                let agent = A::create(rules, params::parse::<A>(json)?, host)?;
                Ok(Box::new(agent))
            },
        }
    }

    fn describe(&self) -> raw::Descriptor {
        let schema: &'static str = (self.schema)().leak();
        raw::Descriptor {
            struct_size: size_of::<raw::Descriptor>() as u32,
            reserved: 0,
            capabilities: self.about.capabilities.bits(),
            id: raw::Str::lend(self.about.id),
            name: raw::Str::lend(self.about.name),
            version: raw::Str::lend(self.about.version),
            paper: raw::Str::lend(self.about.paper),
            licence: raw::Str::lend(self.about.licence),
            params_schema: raw::Str::lend(schema),
        }
    }
}

/// An agent whose type is forgotten.
trait Player {
    fn new_game(&mut self, seed: AgentSeed);
    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure>;
    fn place_tile(&mut self, slid: &SlidPosition) -> Result<TileDecision, Failure>;
    fn move_values(&self) -> Option<MoveValues>;
}

impl<A: Agent> Player for A {
    fn new_game(&mut self, seed: AgentSeed) {
        Agent::new_game(self, seed);
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        Agent::choose_move(self, position)
    }

    fn place_tile(&mut self, slid: &SlidPosition) -> Result<TileDecision, Failure> {
        Agent::place_tile(self, slid)
    }

    fn move_values(&self) -> Option<MoveValues> {
        Agent::move_values(self)
    }
}

/// What the host's handle points to.
struct Instance {
    player: Box<dyn Player>,
    capabilities: Capabilities,
    /// Set by a panic: whatever state the agent is in, nobody looks at it again.
    is_poisoned: bool,
}

impl Instance {
    fn check_budget(&self, budget: Budget) -> Result<(), (i32, String)> {
        if self.capabilities.takes(budget) {
            return Ok(());
        }
        Err((raw::status::BAD_BUDGET, format!("the agent does not take a budget of {budget}")))
    }
}

/// The host as an agent sees it.
pub struct Host(raw::Host);

impl Host {
    /// A host that hears nothing and never asks to stop, for tests of an agent's inner parts.
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
}

/// The table of functions of a plugin. Used by `export_agents!`.
#[must_use]
pub fn table<E: Export>() -> *const raw::Plugin {
    const {
        &raw::Plugin {
            magic: raw::MAGIC,
            abi_major: raw::ABI_MAJOR,
            abi_minor: raw::ABI_MINOR,
            struct_size: size_of::<raw::Plugin>() as u32,
            agent_count: E::AGENTS.len() as u32,
            must_understand: 0,
            descriptor: Some(descriptor::<E>),
            create: Some(create::<E>),
            new_game: Some(new_game),
            choose_move: Some(choose_move),
            destroy: Some(destroy),
            get_extension: Some(get_extension),
        }
    }
}

unsafe extern "C" fn descriptor<E: Export>(index: u32) -> *const raw::Descriptor {
    let describe = || Descriptors(E::AGENTS.iter().map(Factory::describe).collect());
    let all = catch_unwind(|| E::descriptors().get_or_init(describe));
    let found = all.ok().and_then(|descriptors| descriptors.0.get(index as usize));
    found.map_or(std::ptr::null(), std::ptr::from_ref)
}

unsafe extern "C" fn create<E: Export>(
    host: *const raw::Host,
    index: u32,
    rules: *const raw::Rules,
    params: raw::Str,
    error: *mut raw::Text,
    agent: *mut *mut c_void,
) -> i32 {
    const LARGEST_PARAMS: usize = 1 << 20;
    let made = catch_unwind(AssertUnwindSafe(|| {
        let factory = E::AGENTS.get(index as usize);
        let factory = factory.ok_or_else(|| Refusal::Failed(format!("there is no agent {index}")))?;
        // SAFETY: the host lends a rules struct for the duration of the call.
        let rules = Rules::try_from(unsafe { with_sized(rules, |rules| *rules) })?;
        // SAFETY: the host keeps its table valid for the agent's life.
        let host = Host(unsafe { with_sized(host, |host| *host) });
        // SAFETY: the host lends the parameters for the duration of the call.
        let params = unsafe { params.bytes(LARGEST_PARAMS) };
        let params = params.ok_or_else(|| Refusal::Params("the parameters are too long".to_owned()))?;
        let player = (factory.create)(&rules, params, host)?;
        Ok(Instance { player, capabilities: factory.about.capabilities, is_poisoned: false })
    }));
    let (status, message) = match made {
        Ok(Ok(instance)) => {
            // SAFETY: the host gives a place for the handle.
            unsafe { agent.write(Box::into_raw(Box::new(instance)).cast()) };
            return raw::status::OK;
        }
        Ok(Err(Refusal::Params(message))) => (raw::status::BAD_PARAMS, message),
        Ok(Err(Refusal::Rules(message))) => (raw::status::BAD_RULES, message),
        Ok(Err(Refusal::Failed(message))) => (raw::status::FAILED, message),
        Err(panic) => (raw::status::PANICKED, panic_message(&*panic)),
    };
    // SAFETY: the host gives room for a text, or null.
    unsafe { write_text(error, &message) };
    status
}

unsafe extern "C" fn new_game(agent: *mut c_void, seed: u64, error: *mut raw::Text) -> i32 {
    let begin = |instance: &mut Instance| {
        instance.player.new_game(AgentSeed(seed));
        Ok(())
    };
    // SAFETY: the handle is one that `create` made; the host gives room for a text, or null.
    unsafe { guarded(agent, error, begin) }
}

unsafe extern "C" fn choose_move(
    agent: *mut c_void,
    position: *const raw::Position,
    decision: *mut raw::Decision,
    error: *mut raw::Text,
) -> i32 {
    let choose = |instance: &mut Instance| {
        // SAFETY: the host lends a position for the duration of the call.
        let position = unsafe { with_sized(position, read_position) }?;
        instance.check_budget(position.budget)?;
        let chosen = instance.player.choose_move(&position);
        let chosen = chosen.map_err(|Failure(message)| (raw::status::FAILED, message))?;
        // SAFETY: the host lends a decision that begins with its size.
        unsafe { write_prefix(decision, raw::Decision::from(&chosen)) };
        Ok(())
    };
    // SAFETY: the handle is one that `create` made; the host gives room for a text, or null.
    unsafe { guarded(agent, error, choose) }
}

unsafe extern "C" fn destroy(agent: *mut c_void) {
    if !agent.is_null() {
        // SAFETY: the handle is one that `create` made, and the host destroys it once.
        let instance = unsafe { Box::from_raw(agent.cast::<Instance>()) };
        // A panic in an agent's drop has nowhere to be reported but the hook's standard error.
        drop(catch_unwind(AssertUnwindSafe(|| drop(instance))));
    }
}

unsafe extern "C" fn get_extension(id: raw::Str) -> *const c_void {
    static MOVE_VALUES: raw::ExtMoveValues = raw::ExtMoveValues {
        struct_size: size_of::<raw::ExtMoveValues>() as u32,
        reserved: 0,
        move_values: Some(move_values),
    };
    static SPAWNER: raw::ExtSpawner = raw::ExtSpawner {
        struct_size: size_of::<raw::ExtSpawner>() as u32,
        reserved: 0,
        place_tile: Some(place_tile),
    };
    const LONGEST_ID: usize = 64;
    // SAFETY: the host lends the id for the duration of the call.
    match unsafe { id.bytes(LONGEST_ID) } {
        Some(id) if id == raw::EXT_MOVE_VALUES.as_bytes() => (&raw const MOVE_VALUES).cast(),
        Some(id) if id == raw::EXT_SPAWNER.as_bytes() => (&raw const SPAWNER).cast(),
        _ => std::ptr::null(),
    }
}

unsafe extern "C" fn place_tile(
    agent: *mut c_void,
    afterstate: *const raw::Afterstate,
    tile: *mut raw::Tile,
    error: *mut raw::Text,
) -> i32 {
    let place = |instance: &mut Instance| {
        // SAFETY: the host lends an afterstate for the duration of the call.
        let slid = unsafe { with_sized(afterstate, read_afterstate) }?;
        instance.check_budget(slid.budget)?;
        let placed = instance.player.place_tile(&slid);
        let placed = placed.map_err(|Failure(message)| (raw::status::FAILED, message))?;
        // SAFETY: the host lends a tile that begins with its size.
        unsafe { write_prefix(tile, raw::Tile::from(&placed)) };
        Ok(())
    };
    // SAFETY: the handle is one that `create` made; the host gives room for a text, or null.
    unsafe { guarded(agent, error, place) }
}

unsafe extern "C" fn move_values(agent: *mut c_void, values: *mut raw::MoveValues) -> i32 {
    let ask = |instance: &mut Instance| {
        let known = instance.player.move_values().unwrap_or_default();
        // SAFETY: the host lends a struct that begins with its size.
        unsafe { write_prefix(values, raw::MoveValues::from(&known)) };
        Ok(())
    };
    // SAFETY: the handle is one that `create` made.
    unsafe { guarded(agent, std::ptr::null_mut(), ask) }
}

/// Calls into an agent: a panic becomes a status and poisons it; an error is written to the host's text.
///
/// # Safety
/// `agent` must be null or a handle that `create` made; `error` null or a text with room.
unsafe fn guarded(
    agent: *mut c_void,
    error: *mut raw::Text,
    call: impl FnOnce(&mut Instance) -> Result<(), (i32, String)>,
) -> i32 {
    // SAFETY: the caller says so, and the header says that no two calls for one agent overlap.
    let instance = match unsafe { agent.cast::<Instance>().as_mut() } {
        Some(instance) if !instance.is_poisoned => instance,
        _ => return raw::status::PANICKED,
    };
    let (status, message) = match catch_unwind(AssertUnwindSafe(|| call(instance))) {
        Ok(Ok(())) => return raw::status::OK,
        Ok(Err(failed)) => failed,
        Err(panic) => {
            instance.is_poisoned = true;
            (raw::status::PANICKED, panic_message(&*panic))
        }
    };
    // SAFETY: the caller vouches for the text.
    unsafe { write_text(error, &message) };
    status
}

fn read_budget(kind: u32, amount: u64) -> Result<Budget, (i32, String)> {
    Budget::from_code(kind, amount)
        .ok_or_else(|| (raw::status::BAD_BUDGET, format!("unknown kind of budget {kind}")))
}

fn read_afterstate(raw: &raw::Afterstate) -> Result<SlidPosition, (i32, String)> {
    Ok(SlidPosition {
        afterstate: Afterstate::from_packed(read_field(&raw.board)),
        score: read_field(&raw.score),
        move_number: read_field(&raw.move_number),
        budget: read_budget(raw.budget_kind, raw.budget)?,
    })
}

fn read_position(raw: &raw::Position) -> Result<Position, (i32, String)> {
    let budget = read_budget(raw.budget_kind, raw.budget)?;
    Ok(Position {
        board: Board::from_packed(read_field(&raw.board)),
        legal: Directions::from_mask(raw.legal as u8),
        score: read_field(&raw.score),
        move_number: read_field(&raw.move_number),
        budget,
    })
}

impl From<&Decision> for raw::Decision {
    fn from(decision: &Decision) -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            direction: decision.direction as u32,
            nodes: decision.nodes,
            spent: decision.spent,
            depth: decision.depth,
            has_value: u32::from(decision.value.is_some()),
            value: decision.value.unwrap_or(0.0),
        }
    }
}

impl From<&TileDecision> for raw::Tile {
    fn from(placed: &TileDecision) -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            cell: placed.tile.cell() as u32,
            rank: placed.tile.rank().into(),
            reserved: 0,
            nodes: placed.nodes,
            spent: placed.spent,
        }
    }
}

impl From<&MoveValues> for raw::MoveValues {
    fn from(values: &MoveValues) -> Self {
        let known: Directions = Direction::ALL
            .into_iter()
            .filter(|&direction| values.value[direction as usize].is_some())
            .collect();
        Self {
            struct_size: size_of::<Self>() as u32,
            known: u32::from(known.mask()),
            value: values.value.map(|value| value.unwrap_or(0.0)),
            nodes: values.nodes,
        }
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text =
        panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("the agent panicked: {}", text.unwrap_or("without a message"))
}
