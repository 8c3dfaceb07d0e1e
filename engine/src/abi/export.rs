//! The plugin's side of the boundary: safe agents behind C functions.

/// Declares the trait of agents or trainings whose type is forgotten: it forwards to the methods of theirs.
macro_rules! erased {
    (
        $(#[$doc:meta])*
        $erased:ident of $of:ident {
            $(fn $method:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)+
        }
    ) => {
        $(#[$doc])*
        trait $erased {
            $(fn $method(&mut self, $($argument: $type),*) $(-> $result)?;)+
        }

        impl<T: $of> $erased for T {
            $(fn $method(&mut self, $($argument: $type),*) $(-> $result)? {
                $of::$method(self, $($argument),*)
            })+
        }
    };
}

mod host;
mod training;

use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use super::memory::{read_field, sized, with_sized, write_prefix, write_text};
use super::{params, raw};
use crate::agent::{
    About, Agent, Budget, Capabilities, Decision, Failure, MoveValues, Position, Refusal, SlidPosition,
    TileDecision,
};
use crate::board::{Afterstate, Board};
use crate::direction::{Direction, Directions};
use crate::rules::Rules;
use crate::seed::AgentSeed;
use crate::training::Training;
pub use host::Host;
use host::Lease;
use training::TrainingFactory;

/// Makes a crate a plugin: exports these agents under the one symbol of the ABI.
///
/// It also defines `plugin()`, the crate's own agents as a host sees them, for its tests. An agent that
/// learns is named with its [`Training`]: `export_agents![Player => Learning]`.
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
    ($($agent:ty $(=> $training:ty)?),+ $(,)?) => {
        /// This crate's agents, seen through the C boundary as a host sees them.
        pub fn plugin() -> $crate::abi::host::Plugin {
            $crate::abi::host::Plugin::of_export::<Exported>()
        }

        #[doc(hidden)]
        pub enum Exported {}

        impl $crate::abi::export::Export for Exported {
            const AGENTS: &'static [$crate::abi::export::Factory] =
                &[$($crate::abi::export::Factory::of::<$agent>()$(.trained_by::<$training>())?),+];

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

/// The descriptors of a plugin's agents and of their trainings, made when first read and kept until the
/// process ends.
pub struct Descriptors(Vec<AgentDescriptors>);

/// The descriptors of an agent and of its training.
type AgentDescriptors = (raw::Descriptor, Option<raw::TrainingDescriptor>);

impl Descriptors {
    fn of<E: Export>(index: u32) -> Option<&'static AgentDescriptors> {
        let describe =
            |agent: &Factory| (agent.describe(), agent.training.as_ref().map(TrainingFactory::describe));
        let describe_all = || Self(E::AGENTS.iter().map(describe).collect());
        catch_unwind(|| E::descriptors().get_or_init(describe_all)).ok()?.0.get(index as usize)
    }
}

// SAFETY: the texts that a descriptor points to are static or leaked, so any thread may read and drop the
// pointers.
unsafe impl Send for Descriptors {}
// SAFETY: nothing writes to these texts, or to a descriptor after it is made.
unsafe impl Sync for Descriptors {}

/// How to describe and make one kind of agent.
pub struct Factory {
    about: &'static About,
    files: &'static [&'static str],
    schema: fn() -> String,
    create: CreateAgent,
    training: Option<TrainingFactory>,
}

/// Makes an agent from the rules and its parameters' JSON.
type CreateAgent = fn(&Rules, &[u8], Host) -> Result<Box<dyn ErasedAgent>, Refusal>;

impl Factory {
    /// The factory of a type of agent.
    pub const fn of<A: Agent>() -> Self {
        Self {
            about: &A::ABOUT,
            files: A::FILES,
            schema: || params::schema::<A::Params>().to_string(),
            create: |rules, json, host| {
                let agent = A::create(rules, params::parse::<A::Params>(json)?, host)?;
                Ok(Box::new(agent))
            },
            training: None,
        }
    }

    /// The same with what trains such agents.
    #[must_use]
    pub const fn trained_by<T: Training>(self) -> Self {
        Self { training: Some(TrainingFactory::of::<T>()), ..self }
    }

    fn describe(&self) -> raw::Descriptor {
        let schema: &'static str = (self.schema)().leak();
        let files: &'static str = self.files.join(" ").leak();
        raw::Descriptor {
            capabilities: self.about.capabilities.bits(),
            id: raw::Str::of(self.about.id),
            name: raw::Str::of(self.about.name),
            version: raw::Str::of(self.about.version),
            paper: raw::Str::of(self.about.paper),
            licence: raw::Str::of(self.about.licence),
            params_schema: raw::Str::of(schema),
            files: raw::Str::of(files),
            ..sized()
        }
    }
}

erased! {
    /// An agent whose type is forgotten.
    ErasedAgent of Agent {
        fn new_game(seed: AgentSeed);
        fn choose_move(position: &Position) -> Result<Decision, Failure>;
        fn place_tile(slid: &SlidPosition) -> Result<TileDecision, Failure>;
        fn move_values() -> Option<MoveValues>;
    }
}

/// What the host's handle points to.
struct Handle<T> {
    inner: T,
    /// Set by a panic: whatever state the agent is in, nobody looks at it again.
    is_poisoned: bool,
    /// Dropped after `inner`, whose own drop may still call the host.
    _lease: Lease,
}

/// What a handle of an agent holds.
struct Instance {
    player: Box<dyn ErasedAgent>,
    capabilities: Capabilities,
    /// The move values of the last decision, if it came with them.
    values: Option<MoveValues>,
}

/// A status and a message for the host.
struct CallError(i32, String);

impl From<Failure> for CallError {
    fn from(Failure(message): Failure) -> Self {
        Self(raw::status::FAILED, message)
    }
}

impl From<Refusal> for CallError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Params(message) => Self(raw::status::BAD_PARAMS, message),
            Refusal::Rules(message) => Self(raw::status::BAD_RULES, message),
            Refusal::Failed(message) => Self(raw::status::FAILED, message),
        }
    }
}

impl Instance {
    /// Reads a budget, of a kind that the agent takes.
    fn read_budget(&self, kind: u32, amount: u64) -> Result<Budget, CallError> {
        let problem = match Budget::from_code(kind, amount) {
            Some(budget) if self.capabilities.takes(budget) => return Ok(budget),
            Some(budget) => format!("the agent does not take a budget of {budget}"),
            None => format!("unknown kind of budget {kind}"),
        };
        Err(CallError(raw::status::BAD_BUDGET, problem))
    }

    #[inline]
    fn read_afterstate(&self, raw: &raw::Afterstate) -> Result<SlidPosition, CallError> {
        Ok(SlidPosition {
            afterstate: Afterstate::from_packed(read_field(&raw.board)),
            score: read_field(&raw.score),
            move_number: read_field(&raw.move_number),
            budget: self.read_budget(raw.budget_kind, raw.budget)?,
        })
    }

    #[inline]
    fn read_position(&self, raw: &raw::Position) -> Result<Position, CallError> {
        Ok(Position {
            board: Board::from_packed(read_field(&raw.board)),
            legal: Directions::from_mask(raw.legal as u8),
            score: read_field(&raw.score),
            move_number: read_field(&raw.move_number),
            budget: self.read_budget(raw.budget_kind, raw.budget)?,
        })
    }
}

/// The table of functions of a plugin. Used by `export_agents!`.
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
            get_extension: Some(get_extension::<E>),
        }
    }
}

unsafe extern "C" fn descriptor<E: Export>(index: u32) -> *const raw::Descriptor {
    Descriptors::of::<E>(index).map_or(std::ptr::null(), |(agent, _)| std::ptr::from_ref(agent))
}

unsafe extern "C" fn create<E: Export>(
    host: *const raw::Host,
    index: u32,
    rules: *const raw::Rules,
    params: raw::Str,
    error: *mut raw::Text,
    agent: *mut *mut c_void,
) -> i32 {
    let make = |rules: &Rules, params: &[u8], host: Host| {
        let factory = E::AGENTS.get(index as usize);
        let factory = factory.ok_or_else(|| Refusal::Failed(format!("there is no agent {index}")))?;
        let player = (factory.create)(rules, params, host)?;
        Ok(Instance { player, capabilities: factory.about.capabilities, values: None })
    };
    // SAFETY: rules and parameters are valid during the call, and the host's table for the agent's life. The
    // host gives a place for the handle, and room for a text, or null.
    unsafe { hand_out((rules, params, host), error, agent, make) }
}

/// Makes an agent or a training, and gives the host a handle to it, or a status and a message.
///
/// # Safety
/// Rules and parameters must be valid during the call, the host's table for as long as the handle. `error`
/// must be null or a text with room, `handle` a place for a handle.
unsafe fn hand_out<T>(
    (rules, params, host): (*const raw::Rules, raw::Str, *const raw::Host),
    error: *mut raw::Text,
    handle: *mut *mut c_void,
    make: impl FnOnce(&Rules, &[u8], Host) -> Result<T, Refusal>,
) -> i32 {
    const LARGEST_PARAMS: usize = 1 << 20;
    let make = || {
        // SAFETY: the caller says so.
        let rules = Rules::try_from(unsafe { with_sized(rules, |rules| *rules) })?;
        // SAFETY: as above.
        let (host, lease) = unsafe { with_sized(host, |host| Host::leased(*host)) };
        // SAFETY: as above.
        let params = unsafe { params.bytes(LARGEST_PARAMS) };
        let params = params.ok_or_else(|| Refusal::Params("the parameters are too long".to_owned()))?;
        Ok(Handle { inner: make(&rules, params, host)?, is_poisoned: false, _lease: lease })
    };
    // SAFETY: the caller says so.
    match unsafe { report(error, make) } {
        Err(status) => status,
        Ok(made) => {
            // SAFETY: the caller gives a place for the handle.
            unsafe { handle.write(Box::into_raw(Box::new(made)).cast()) };
            raw::status::OK
        }
    }
}

/// Runs an agent's code. An error or a panic becomes a status, and a message in the host's text.
///
/// # Safety
/// `error` must be null or a text with room.
unsafe fn report<T>(error: *mut raw::Text, call: impl FnOnce() -> Result<T, CallError>) -> Result<T, i32> {
    let CallError(status, message) = match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(result)) => return Ok(result),
        Ok(Err(error)) => error,
        Err(panic) => CallError(raw::status::PANICKED, panic_message(&*panic)),
    };
    // SAFETY: the caller vouches for the text.
    unsafe { write_text(error, &message) };
    Err(status)
}

unsafe extern "C" fn new_game(agent: *mut c_void, seed: u64, error: *mut raw::Text) -> i32 {
    let begin = |instance: &mut Instance| {
        instance.values = None;
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
        // SAFETY: the position is valid during the call.
        let position = unsafe { with_sized(position, |raw| instance.read_position(raw)) }?;
        let chosen = instance.player.choose_move(&position)?;
        // SAFETY: the host gives a decision that begins with its size.
        unsafe { write_prefix(decision, raw::Decision::from(&chosen)) };
        // Most agents have none: nothing is copied for them.
        if chosen.values.is_some() || instance.values.is_some() {
            instance.values = chosen.values;
        }
        Ok(())
    };
    // SAFETY: the handle is one that `create` made; the host gives room for a text, or null.
    unsafe { guarded(agent, error, choose) }
}

unsafe extern "C" fn destroy(agent: *mut c_void) {
    // SAFETY: the handle is one that `create` made, and the host destroys it once.
    unsafe { destroy_handle::<Instance>(agent) };
}

/// # Safety
/// `handle` must be null or one that [`hand_out`] gave for this type, and not be used again.
unsafe fn destroy_handle<T>(handle: *mut c_void) {
    if !handle.is_null() {
        // SAFETY: the caller says so.
        let handle = unsafe { Box::from_raw(handle.cast::<Handle<T>>()) };
        // A panic in an agent's drop has nowhere to be reported but the hook's standard error.
        drop(catch_unwind(AssertUnwindSafe(|| drop(handle))));
    }
}

unsafe extern "C" fn get_extension<E: Export>(id: raw::Str) -> *const c_void {
    static MOVE_VALUES: raw::ExtMoveValues = raw::ExtMoveValues { move_values: Some(move_values), ..sized() };
    static SPAWNER: raw::ExtSpawner = raw::ExtSpawner { place_tile: Some(place_tile), ..sized() };
    const LONGEST_ID: usize = 64;
    // SAFETY: the id is valid during the call.
    match unsafe { id.bytes(LONGEST_ID) } {
        Some(id) if id == raw::EXT_MOVE_VALUES.as_bytes() => (&raw const MOVE_VALUES).cast(),
        Some(id) if id == raw::EXT_SPAWNER.as_bytes() => (&raw const SPAWNER).cast(),
        Some(id) if id == raw::EXT_TRAINING.as_bytes() => training::table::<E>().cast(),
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
        // SAFETY: the afterstate is valid during the call.
        let slid = unsafe { with_sized(afterstate, |raw| instance.read_afterstate(raw)) }?;
        let placed = instance.player.place_tile(&slid)?;
        let raw = raw::Tile {
            cell: placed.tile.cell() as u32,
            rank: placed.tile.rank().into(),
            nodes: placed.nodes,
            spent: placed.spent,
            ..sized()
        };
        // SAFETY: the host gives a tile that begins with its size.
        unsafe { write_prefix(tile, raw) };
        Ok(())
    };
    // SAFETY: the handle is one that `create` made; the host gives room for a text, or null.
    unsafe { guarded(agent, error, place) }
}

unsafe extern "C" fn move_values(agent: *mut c_void, values: *mut raw::MoveValues) -> i32 {
    let ask = |instance: &mut Instance| {
        let found = instance.values.or_else(|| instance.player.move_values()).unwrap_or_default();
        let is_known = |&direction: &Direction| found.value[direction as usize].is_some();
        let known: Directions = Direction::ALL.into_iter().filter(is_known).collect();
        let raw = raw::MoveValues {
            known: u32::from(known.mask()),
            value: found.value.map(|value| value.unwrap_or(0.0)),
            nodes: found.nodes,
            ..sized()
        };
        // SAFETY: the host gives a struct that begins with its size.
        unsafe { write_prefix(values, raw) };
        Ok(())
    };
    // SAFETY: the handle is one that `create` made.
    unsafe { guarded(agent, std::ptr::null_mut(), ask) }
}

/// Calls into an agent or a training: a panic becomes a status and poisons it; an error is written to the
/// host's text.
///
/// # Safety
/// `handle` must be null or one that [`hand_out`] gave for this type; `error` null or a text with room.
unsafe fn guarded<T>(
    handle: *mut c_void,
    error: *mut raw::Text,
    call: impl FnOnce(&mut T) -> Result<(), CallError>,
) -> i32 {
    // SAFETY: the caller guarantees the handle. By the header, no two calls for one handle overlap, so this
    // is the only reference.
    let handle = match unsafe { handle.cast::<Handle<T>>().as_mut() } {
        Some(handle) if !handle.is_poisoned => handle,
        _ => return raw::status::PANICKED,
    };
    // SAFETY: the caller says so.
    let status = unsafe { report(error, || call(&mut handle.inner)) }.err().unwrap_or(raw::status::OK);
    handle.is_poisoned = status == raw::status::PANICKED;
    status
}

impl From<&Decision> for raw::Decision {
    fn from(decision: &Decision) -> Self {
        Self {
            direction: decision.direction as u32,
            nodes: decision.nodes,
            spent: decision.spent,
            depth: decision.depth,
            has_value: u32::from(decision.value.is_some()),
            value: decision.value.unwrap_or(0.0),
            ..sized()
        }
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text =
        panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("the agent panicked: {}", text.unwrap_or("without a message"))
}
