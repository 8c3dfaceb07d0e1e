//! Seeds of 64 bits. TOML's integers have a sign, so the upper half is written as text; JSON has all of them
//! as text.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serializer};

/// The master seed of experiments that name none.
pub const DEFAULT_SEED: u64 = 2048;

pub(super) const fn default() -> u64 {
    DEFAULT_SEED
}

pub(super) fn serialize<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{seed:#x}"))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "write a whole number, 0 or more, or text such as \"0xffffffffffffffff\"")]
    enum RawSeed {
        Number(u64),
        Text(String),
    }
    match RawSeed::deserialize(deserializer)? {
        RawSeed::Number(seed) => Ok(seed),
        RawSeed::Text(text) => text
            .strip_prefix("0x")
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|digits| u64::from_str_radix(digits, 16).ok())
            .ok_or_else(|| {
                let example = "\"0xffffffffffffffff\"";
                D::Error::custom(format!(
                    "`{text}` is no seed: write a whole number, or text such as {example}"
                ))
            }),
    }
}

/// A seed of 64 bits; as text where it is larger than TOML's integers.
pub(super) enum Seed {}

impl JsonSchema for Seed {
    fn schema_name() -> Cow<'static, str> {
        "Seed".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A seed of 64 bits; as text where it is larger than TOML's integers.",
            "anyOf": [
                {"type": "integer", "minimum": 0},
                {"type": "string", "pattern": "^0x[0-9a-fA-F]{1,16}$"},
            ],
        })
    }
}
