//! Numbers as papers print them.

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A number as it is printed, with all its digits: `9869.20` is not `9869.2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// The digits without the point.
    pub units: u64,
    /// How many of them follow the point.
    pub places: u32,
}

impl Decimal {
    /// The number.
    pub fn value(self) -> f64 {
        self.units as f64 / self.scale() as f64
    }

    /// How many units make 1.
    pub const fn scale(self) -> u64 {
        10_u64.pow(self.places)
    }

    /// Half a unit of the last digit: how far the number may be from what was rounded to it.
    pub(crate) fn half_unit(self) -> f64 {
        0.5 / self.scale() as f64
    }
}

/// A text that is not a printed number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a printed number: write digits and at most one point, such as \"9869.20\"")]
pub struct DecimalError {
    /// The text.
    pub text: String,
}

impl FromStr for Decimal {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        let error = || DecimalError { text: text.to_owned() };
        let (whole, behind) = text.split_once('.').unwrap_or((text, ""));
        let digits = format!("{whole}{behind}");
        let is_number = !whole.is_empty()
            && digits.len() <= 18
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && !text.ends_with('.');
        let units = digits.parse().ok().filter(|_| is_number).ok_or_else(error)?;
        Ok(Self { units, places: u32::try_from(behind.len()).map_err(|_| error())? })
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, behind) = (self.units / self.scale(), self.units % self.scale());
        match self.places {
            0 => write!(f, "{whole}"),
            places => write!(f, "{whole}.{behind:0width$}", width = places as usize),
        }
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for Decimal {
    /// The schema of a check becomes a part of another one, which has no definitions of its own.
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Decimal".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number as it is printed, as text.",
            "type": "string",
            "pattern": r"^[0-9]+(\.[0-9]+)?$",
            "examples": ["9869.20"],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_numbers_keep_their_digits() {
        let average: Decimal = "9869.20".parse().unwrap();
        assert_eq!(average, Decimal { units: 986_920, places: 2 });
        assert_eq!(average.to_string(), "9869.20");
        assert_eq!("0.05".parse::<Decimal>().unwrap().to_string(), "0.05");
        assert!((average.value() - 9869.2).abs() < 1e-9);
        for wrong in ["", ".5", "5.", "1.2.3", "-1", "1e5", "1,000"] {
            assert!(wrong.parse::<Decimal>().is_err(), "{wrong}");
        }
    }
}
