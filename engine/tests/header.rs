//! `agent2048.h` compiles as C and as C++, and says the same as its Rust form: no field or constant is in one
//! only.

#[path = "common/skip.rs"]
mod skip;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use engine::Direction;
use engine::abi::raw::{self, LAYOUT, budget, merging, spawn, start, status};
use engine::agent::{Capabilities, Level};
use skip::skip;

const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];
const INCLUDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/include");

/// Macros that are there for the header itself.
const INTERNAL_MACROS: [&str; 2] = ["AGENT2048_H", "AGENT2048_STATIC_ASSERT"];

#[test]
fn the_header_compiles_as_c11_and_may_be_included_twice() {
    let source = write_source("twice.c", "#include \"agent2048.h\"\n#include \"agent2048.h\"\n");
    let errors = compile("cc", &["-x", "c", "-std=c11"], &source);
    assert_eq!(errors, Ok(()));
}

#[test]
fn the_header_compiles_as_cpp17() {
    let standard = ["-x", "c++", "-std=c++17"];
    let empty = write_source("empty.cpp", "int nothing();\n");
    let Some(compiler) =
        ["c++", "g++", "clang++"].into_iter().find(|name| compile(name, &standard, &empty).is_ok())
    else {
        skip("there is no C++ compiler here");
        return;
    };
    let source = write_source("header.cpp", "#include \"agent2048.h\"\n");
    assert_eq!(compile(compiler, &standard, &source), Ok(()));
}

#[test]
fn sizes_offsets_and_constants_are_those_of_rust() {
    let mut asserts = String::from("#include \"agent2048.h\"\n");
    for field in LAYOUT {
        let raw::FieldLayout { record, size, field, offset } = field;
        writeln!(asserts, "_Static_assert(sizeof({record}) == {size}, \"size of {record}\");").unwrap();
        writeln!(asserts, "_Static_assert(offsetof({record}, {field}) == {offset}, \"{record}.{field}\");")
            .unwrap();
    }
    for (name, value) in numbers() {
        writeln!(asserts, "_Static_assert({name} == UINT64_C({value}), \"{name} is {value} in Rust\");")
            .unwrap();
    }
    let source = write_source("layout.c", &asserts);
    assert_eq!(compile("cc", &["-x", "c", "-std=c11"], &source), Ok(()));
}

#[test]
fn a_wrong_assertion_would_be_seen() {
    let wrong =
        "#include \"agent2048.h\"\n_Static_assert(sizeof(agent2048_rules) == 57, \"size of rules\");\n";
    let errors = compile("cc", &["-x", "c", "-std=c11"], &write_source("wrong.c", wrong)).unwrap_err();
    assert!(errors.contains("size of rules"), "{errors}");
}

#[test]
fn both_sides_know_the_same_fields_in_the_same_order() {
    let in_rust: Vec<(String, String)> =
        LAYOUT.iter().map(|field| (field.record.to_owned(), field.field.to_owned())).collect();
    assert_eq!(fields_of(&header()), in_rust);
}

#[test]
fn both_sides_know_the_same_constants() {
    let mut in_rust: BTreeMap<String, Option<String>> =
        numbers().into_iter().map(|(name, _)| (name.to_owned(), None)).collect();
    for (name, text) in [
        ("AGENT2048_SYMBOL", raw::SYMBOL),
        ("AGENT2048_EXT_MOVE_VALUES", raw::EXT_MOVE_VALUES),
        ("AGENT2048_EXT_SPAWNER", raw::EXT_SPAWNER),
        ("AGENT2048_EXT_FILES", raw::EXT_FILES),
        ("AGENT2048_EXT_TRAINING", raw::EXT_TRAINING),
    ] {
        in_rust.insert(name.to_owned(), Some(text.to_owned()));
    }
    assert_eq!(macros_of(&header()), in_rust);
}

#[test]
fn the_declared_function_is_the_symbol() {
    assert!(header().contains(&format!("const agent2048_plugin *{}(void);", raw::SYMBOL)));
}

#[test]
fn the_magic_number_spells_its_bytes() {
    assert_eq!(&raw::MAGIC.to_le_bytes(), b"AGNT2048");
}

/// Every constant of the header that is a number, with its value in Rust.
fn numbers() -> Vec<(&'static str, u64)> {
    let codes = [
        ("AGENT2048_ABI_MAJOR", raw::ABI_MAJOR),
        ("AGENT2048_ABI_MINOR", raw::ABI_MINOR),
        ("AGENT2048_UP", Direction::Up as u32),
        ("AGENT2048_RIGHT", Direction::Right as u32),
        ("AGENT2048_DOWN", Direction::Down as u32),
        ("AGENT2048_LEFT", Direction::Left as u32),
        ("AGENT2048_MERGE_ONCE", merging::ONCE),
        ("AGENT2048_MERGE_CASCADING", merging::CASCADING),
        ("AGENT2048_START_TWO_TILES", start::TWO_TILES),
        ("AGENT2048_START_SCATTER", start::SCATTER),
        ("AGENT2048_START_BOARD", start::BOARD),
        ("AGENT2048_SPAWN_RANDOM", spawn::RANDOM),
        ("AGENT2048_SPAWN_ADVERSARIAL", spawn::ADVERSARIAL),
        ("AGENT2048_BUDGET_NONE", budget::NONE),
        ("AGENT2048_BUDGET_PLIES", budget::PLIES),
        ("AGENT2048_BUDGET_NODES", budget::NODES),
        ("AGENT2048_BUDGET_PLAYOUTS", budget::PLAYOUTS),
        ("AGENT2048_BUDGET_TIME", budget::TIME),
        ("AGENT2048_LOG_DEBUG", Level::Debug as u32),
        ("AGENT2048_LOG_INFO", Level::Info as u32),
        ("AGENT2048_LOG_WARN", Level::Warn as u32),
        ("AGENT2048_LOG_ERROR", Level::Error as u32),
    ];
    let statuses = [
        ("AGENT2048_OK", status::OK),
        ("AGENT2048_FAILED", status::FAILED),
        ("AGENT2048_BAD_PARAMS", status::BAD_PARAMS),
        ("AGENT2048_BAD_RULES", status::BAD_RULES),
        ("AGENT2048_BAD_BUDGET", status::BAD_BUDGET),
        ("AGENT2048_PANICKED", status::PANICKED),
    ];
    let bits = [
        ("AGENT2048_MAGIC", raw::MAGIC),
        ("AGENT2048_CAP_NO_BUDGET", Capabilities::NO_BUDGET.bits()),
        ("AGENT2048_CAP_PLIES", Capabilities::PLIES.bits()),
        ("AGENT2048_CAP_NODES", Capabilities::NODES.bits()),
        ("AGENT2048_CAP_PLAYOUTS", Capabilities::PLAYOUTS.bits()),
        ("AGENT2048_CAP_TIME", Capabilities::TIME.bits()),
        ("AGENT2048_CAP_OVERRUNS", Capabilities::OVERRUNS.bits()),
        ("AGENT2048_CAP_SPAWNER", Capabilities::SPAWNER.bits()),
    ];
    let codes = codes.map(|(name, code)| (name, u64::from(code)));
    let statuses = statuses.map(|(name, code)| (name, u64::try_from(code).expect("no status is negative")));
    codes.into_iter().chain(statuses).chain(bits).collect()
}

fn header() -> String {
    without_comments(&fs::read_to_string(Path::new(INCLUDE).join("agent2048.h")).unwrap())
}

fn without_comments(text: &str) -> String {
    let mut pieces = text.split("/*");
    let before_the_first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(before_the_first, |code, piece| {
        let (_, behind) = piece.split_once("*/").expect("a comment is closed");
        code + behind
    })
}

/// The constants that a header defines: the text of those that are strings, nothing for the others.
fn macros_of(header: &str) -> BTreeMap<String, Option<String>> {
    let definitions = header.lines().filter_map(|line| line.trim().strip_prefix("#define "));
    let named = definitions.map(|definition| {
        let name_end = definition.find(|byte| !is_name(byte)).unwrap_or(definition.len());
        let (name, value) = definition.split_at(name_end);
        let text = value.trim().strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        (name.to_owned(), text.map(str::to_owned))
    });
    named.filter(|(name, _)| !INTERNAL_MACROS.contains(&name.as_str())).collect()
}

/// The fields of every struct that a header defines, each with the struct's name.
fn fields_of(header: &str) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    for definition in header.split("typedef struct ").skip(1) {
        // A type that is only named, such as agent2048_agent, ends before any brace opens.
        let Some((record, body)) = definition.split_once('{').filter(|(record, _)| !record.contains(';'))
        else {
            continue;
        };
        let (body, _) = body.split_once('}').expect("a struct is closed");
        for declaration in body.split(';').filter(|declaration| !declaration.trim().is_empty()) {
            fields.push((record.trim().to_owned(), field_name(declaration).to_owned()));
        }
    }
    fields
}

/// The name that a declaration such as `uint64_t nodes[4]` or `void (*log)(void *context)` declares.
fn field_name(declaration: &str) -> &str {
    let name = match declaration.split_once("(*") {
        Some((_, function)) => function.split(')').next(),
        None => declaration.split('[').next().and_then(|start| start.rsplit(|byte| !is_name(byte)).next()),
    };
    name.unwrap_or_default()
}

fn is_name(byte: char) -> bool {
    byte.is_ascii_alphanumeric() || byte == '_'
}

fn write_source(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("header-{name}"));
    fs::write(&path, text).unwrap();
    path
}

/// Compiles a file without making anything of it; where that fails, the error is what the compiler said.
fn compile(compiler: &str, language: &[&str], source: &Path) -> Result<(), String> {
    let mut command = Command::new(compiler);
    command.args(language).args(WARNINGS).args(["-fsyntax-only", "-I", INCLUDE]).arg(source);
    let output = command.output().map_err(|error| format!("{compiler}: {error}"))?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}
