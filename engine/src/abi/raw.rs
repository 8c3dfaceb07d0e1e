//! `agent2048.h` in Rust, field by field. The header says what everything means; tests hold the two together.

use std::ffi::c_void;
use std::mem::{offset_of, size_of};

/// The major version of the ABI.
pub const ABI_MAJOR: u32 = 1;
/// The minor version of the ABI.
pub const ABI_MINOR: u32 = 2;
/// The bytes `AGNT2048`.
pub const MAGIC: u64 = u64::from_le_bytes(*b"AGNT2048");
/// The one symbol that a plugin exports.
pub const SYMBOL: &str = "agent2048_plugin_v1";
/// The extension that gives the values of all moves.
pub const EXT_MOVE_VALUES: &str = "agent2048.move-values/1";
/// The extension that places the tiles of adversarial games.
pub const EXT_SPAWNER: &str = "agent2048.spawner/1";
/// The host's extension from which agents load files.
pub const EXT_FILES: &str = "agent2048.files/1";
/// The extension that trains agents.
pub const EXT_TRAINING: &str = "agent2048.training/1";

/// What a plugin's functions return.
pub mod status {
    #![allow(missing_docs)]
    pub const OK: i32 = 0;
    pub const FAILED: i32 = 1;
    pub const BAD_PARAMS: i32 = 2;
    pub const BAD_RULES: i32 = 3;
    pub const BAD_BUDGET: i32 = 4;
    pub const PANICKED: i32 = 5;
}

/// The codes of `Rules::merging`.
pub mod merging {
    #![allow(missing_docs)]
    pub const ONCE: u32 = 0;
    pub const CASCADING: u32 = 1;
}

/// The codes of `Rules::start`.
pub mod start {
    #![allow(missing_docs)]
    pub const TWO_TILES: u32 = 0;
    pub const SCATTER: u32 = 1;
    pub const BOARD: u32 = 2;
}

/// The codes of `Rules::spawn`.
pub mod spawn {
    #![allow(missing_docs)]
    pub const RANDOM: u32 = 0;
    pub const ADVERSARIAL: u32 = 1;
}

/// The codes of `Position::budget_kind`; the capability bit of code `k` is `1 << k`.
pub mod budget {
    #![allow(missing_docs)]
    pub const NONE: u32 = 0;
    pub const PLIES: u32 = 1;
    pub const NODES: u32 = 2;
    pub const PLAYOUTS: u32 = 3;
    pub const TIME: u32 = 4;
}

/// One field as the header and this file must both lay it out.
pub struct FieldLayout {
    /// The struct's name in C.
    pub record: &'static str,
    /// The struct's size.
    pub size: usize,
    /// The field's name.
    pub field: &'static str,
    /// The field's offset.
    pub offset: usize,
}

/// Declares the structs of the header and collects the layout of their fields.
macro_rules! structs {
    ($($(#[$doc:meta])* $name:ident = $c_name:literal { $($field:ident: $type:ty,)+ })+) => {
        $(
            $(#[$doc])*
            #[allow(missing_docs)]
            #[repr(C)]
            #[derive(Clone, Copy)]
            pub struct $name { $(pub $field: $type,)+ }

            // Without padding every byte belongs to a field, so structs can be read and written byte by byte.
            const _: () = assert!(size_of::<$name>() == 0 $(+ size_of::<$type>())+);
        )+

        /// Every field of every struct, for the test that compiles the header.
        pub const LAYOUT: &[FieldLayout] = &[
            $($(FieldLayout {
                record: $c_name,
                size: size_of::<$name>(),
                field: stringify!($field),
                offset: offset_of!($name, $field),
            },)+)+
        ];
    };
}

/// The function that a plugin exports under [`SYMBOL`].
pub type EntryFn = unsafe extern "C" fn() -> *const Plugin;
/// `agent2048_plugin.create`
pub type CreateFn = unsafe extern "C" fn(
    host: *const Host,
    index: u32,
    rules: *const Rules,
    params: Str,
    error: *mut Text,
    agent: *mut *mut c_void,
) -> i32;
/// `agent2048_plugin.new_game`
pub type NewGameFn = unsafe extern "C" fn(agent: *mut c_void, seed: u64, error: *mut Text) -> i32;
/// `agent2048_plugin.choose_move`
pub type ChooseMoveFn = unsafe extern "C" fn(
    agent: *mut c_void,
    position: *const Position,
    decision: *mut Decision,
    error: *mut Text,
) -> i32;
/// `agent2048_plugin.destroy`
pub type DestroyFn = unsafe extern "C" fn(agent: *mut c_void);
/// `agent2048_ext_move_values.move_values`
pub type MoveValuesFn = unsafe extern "C" fn(agent: *mut c_void, values: *mut MoveValues) -> i32;
/// `agent2048_ext_spawner.place_tile`
pub type PlaceTileFn = unsafe extern "C" fn(
    agent: *mut c_void,
    afterstate: *const Afterstate,
    tile: *mut Tile,
    error: *mut Text,
) -> i32;
/// `agent2048_ext_training.create`
pub type CreateTrainingFn = unsafe extern "C" fn(
    host: *const Host,
    index: u32,
    rules: *const Rules,
    params: Str,
    seed: u64,
    error: *mut Text,
    training: *mut *mut c_void,
) -> i32;
/// `agent2048_ext_training.next_game`
pub type NextGameFn =
    unsafe extern "C" fn(training: *mut c_void, trained: *mut Trained, error: *mut Text) -> i32;
/// `agent2048_ext_training.save` and `artefact`
pub type WriteTrainingFn =
    unsafe extern "C" fn(training: *mut c_void, sink: *const Sink, error: *mut Text) -> i32;
/// `agent2048_ext_training.load`
pub type LoadTrainingFn =
    unsafe extern "C" fn(training: *mut c_void, source: *const Source, error: *mut Text) -> i32;

structs! {
    /// UTF-8 that somebody else owns.
    Str = "agent2048_str" {
        data: *const u8,
        len: u64,
    }

    /// Room for a text, owned by the caller.
    Text = "agent2048_text" {
        data: *mut u8,
        capacity: u64,
        len: u64,
    }

    /// The rules of the games that an agent is made for.
    Rules = "agent2048_rules" {
        struct_size: u32,
        four_numerator: u32,
        four_denominator: u32,
        merging: u32,
        start: u32,
        scatter_empty: u32,
        scatter_two: u32,
        scatter_four: u32,
        scatter_eight: u32,
        stop_rank: u32,
        cap_rank: u32,
        reserved: u32,
        start_board: u64,
        spawn: u32,
        reserved_1: u32,
    }

    /// A board that awaits a move.
    Position = "agent2048_position" {
        struct_size: u32,
        rows: u32,
        cols: u32,
        legal: u32,
        board: u64,
        score: u64,
        move_number: u64,
        cells: *const u8,
        budget_kind: u32,
        reserved: u32,
        budget: u64,
    }

    /// What an agent decides.
    Decision = "agent2048_decision" {
        struct_size: u32,
        direction: u32,
        nodes: u64,
        spent: u64,
        depth: u32,
        has_value: u32,
        value: f64,
    }

    /// One agent of a plugin.
    Descriptor = "agent2048_descriptor" {
        struct_size: u32,
        reserved: u32,
        capabilities: u64,
        id: Str,
        name: Str,
        version: Str,
        paper: Str,
        licence: Str,
        params_schema: Str,
        files: Str,
    }

    /// What a host offers to an agent.
    Host = "agent2048_host" {
        struct_size: u32,
        abi_minor: u32,
        context: *mut c_void,
        log: Option<unsafe extern "C" fn(context: *mut c_void, level: u32, line: Str)>,
        should_stop: Option<unsafe extern "C" fn(context: *mut c_void) -> u32>,
        get_extension: Option<unsafe extern "C" fn(context: *mut c_void, id: Str) -> *const c_void>,
    }

    /// The table that a plugin's symbol returns.
    Plugin = "agent2048_plugin" {
        magic: u64,
        abi_major: u32,
        abi_minor: u32,
        struct_size: u32,
        agent_count: u32,
        must_understand: u64,
        descriptor: Option<unsafe extern "C" fn(index: u32) -> *const Descriptor>,
        create: Option<CreateFn>,
        new_game: Option<NewGameFn>,
        choose_move: Option<ChooseMoveFn>,
        destroy: Option<DestroyFn>,
        get_extension: Option<unsafe extern "C" fn(id: Str) -> *const c_void>,
    }

    /// The values of all moves behind a decision.
    MoveValues = "agent2048_move_values" {
        struct_size: u32,
        known: u32,
        value: [f64; 4],
        nodes: [u64; 4],
    }

    /// The extension [`EXT_MOVE_VALUES`].
    ExtMoveValues = "agent2048_ext_move_values" {
        struct_size: u32,
        reserved: u32,
        move_values: Option<MoveValuesFn>,
    }

    /// A board that awaits a tile.
    Afterstate = "agent2048_afterstate" {
        struct_size: u32,
        rows: u32,
        cols: u32,
        budget_kind: u32,
        board: u64,
        score: u64,
        move_number: u64,
        cells: *const u8,
        budget: u64,
    }

    /// The tile that an agent places.
    Tile = "agent2048_tile" {
        struct_size: u32,
        cell: u32,
        rank: u32,
        reserved: u32,
        nodes: u64,
        spent: u64,
    }

    /// The extension [`EXT_SPAWNER`].
    ExtSpawner = "agent2048_ext_spawner" {
        struct_size: u32,
        reserved: u32,
        place_tile: Option<PlaceTileFn>,
    }

    /// A file that an agent loads.
    File = "agent2048_file" {
        struct_size: u32,
        reserved: u32,
        data: *const u8,
        len: u64,
        sha256: Str,
    }

    /// The host's extension [`EXT_FILES`].
    ExtFiles = "agent2048_ext_files" {
        struct_size: u32,
        reserved: u32,
        file: Option<unsafe extern "C" fn(context: *mut c_void, role: Str, file: *mut File) -> i32>,
    }

    /// How an agent is trained.
    TrainingDescriptor = "agent2048_training_descriptor" {
        struct_size: u32,
        reserved: u32,
        role: Str,
        version: Str,
        params_schema: Str,
    }

    /// A game of a training.
    Trained = "agent2048_trained" {
        struct_size: u32,
        max_rank: u32,
        score: u64,
        moves: u64,
    }

    /// Where a training writes to.
    Sink = "agent2048_sink" {
        struct_size: u32,
        reserved: u32,
        context: *mut c_void,
        write: Option<unsafe extern "C" fn(context: *mut c_void, data: *const u8, len: u64) -> i32>,
    }

    /// What a training reads from.
    Source = "agent2048_source" {
        struct_size: u32,
        reserved: u32,
        context: *mut c_void,
        read: Option<unsafe extern "C" fn(context: *mut c_void, data: *mut u8, capacity: u64) -> i64>,
    }

    /// The extension [`EXT_TRAINING`].
    ExtTraining = "agent2048_ext_training" {
        struct_size: u32,
        reserved: u32,
        describe: Option<unsafe extern "C" fn(index: u32) -> *const TrainingDescriptor>,
        create: Option<CreateTrainingFn>,
        next_game: Option<NextGameFn>,
        save: Option<WriteTrainingFn>,
        load: Option<LoadTrainingFn>,
        artefact: Option<WriteTrainingFn>,
        destroy: Option<DestroyFn>,
    }
}

/// The bytes of a descriptor of version 1.0, which is the least that there is.
pub const DESCRIPTOR_1_0: usize = offset_of!(Descriptor, files);

const _: () = assert!(DESCRIPTOR_1_0 == 112);
