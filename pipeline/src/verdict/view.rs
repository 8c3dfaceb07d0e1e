//! Verdicts as they are stored in `results/claims.json`, with no more digits than mean something.

use serde::Serialize;
use serde_json::{Number, Value};

use super::{Finding, Grounds, Summary, Verdict};
use crate::format::rounded;
use crate::manifest::Claim;

/// The version of the file's form.
const FORM: u32 = 1;

/// All verdicts, as they are stored.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimsFile {
    form: u32,
    summary: Value,
    claims: Vec<VerdictView>,
}

/// One verdict, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VerdictView {
    paper: String,
    claim: Value,
    finding: Finding,
    rests_on_timing: bool,
    grounds: Value,
    sentence: String,
}

impl ClaimsFile {
    /// The form of these verdicts.
    #[must_use]
    pub fn of(verdicts: &[Verdict<'_>]) -> Self {
        let claims = verdicts.iter().map(VerdictView::of).collect();
        Self { form: FORM, summary: plain(&Summary::of(verdicts)), claims }
    }
}

impl VerdictView {
    fn of(verdict: &Verdict<'_>) -> Self {
        let claim: &Claim = verdict.claim;
        Self {
            paper: verdict.paper.id.clone(),
            claim: plain(claim),
            finding: verdict.finding,
            rests_on_timing: verdict.rests_on_timing,
            grounds: grounds(&verdict.grounds),
            sentence: verdict.sentence.clone(),
        }
    }
}

fn grounds(grounds: &Grounds) -> Value {
    #[derive(Serialize)]
    #[serde(tag = "kind", rename_all = "kebab-case")]
    enum View<'a, T: Serialize> {
        Numeric { ours: T, prediction: T, sizes: T, effect: T },
        Ordinal { better: T, worse: T, lead: T, visible: T, effect: T },
        Arithmetic { value: &'a str, because: &'a str },
        Nothing { reason: &'a str },
    }
    plain(&match grounds {
        Grounds::Numeric { ours, prediction, sizes, effect } => View::Numeric {
            ours: plain(ours),
            prediction: plain(prediction),
            sizes: plain(sizes),
            effect: plain(effect),
        },
        Grounds::Ordinal { better, worse, lead, visible, effect } => View::Ordinal {
            better: plain(better),
            worse: plain(worse),
            lead: plain(lead),
            visible: plain(visible),
            effect: plain(effect),
        },
        Grounds::Arithmetic { value, because } => View::Arithmetic { value, because },
        Grounds::Nothing(reason) => View::Nothing { reason },
    })
}

/// A value as JSON, its numbers rounded to the digits that are the same on every machine.
fn plain(value: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(value).unwrap_or_default();
    round(&mut value);
    value
}

fn round(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let short = number.as_f64().map(rounded).and_then(Number::from_f64);
            if let Some(short) = short {
                *number = short;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(round),
        Value::Object(fields) => fields.values_mut().for_each(round),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_rounded_wherever_they_stand() {
        let mut value = json!({"a": [1.234_567_89, 3], "b": {"c": 0.333_333_333}, "d": "1.234567890"});
        round(&mut value);
        assert_eq!(value, json!({"a": [1.23457, 3], "b": {"c": 0.333_333}, "d": "1.234567890"}));
    }
}
