//! Rules on a command line: one rule by name, or all those of an experiment.

use std::convert::Infallible;
use std::str::FromStr;

use engine::Rules;
use serde_json::Value;

/// What one `--rules` says.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleText {
    /// The rules of a paper or an experiment, as `PAPER` or `PAPER/EXPERIMENT`.
    Of(String),
    /// One rule, as `NAME=VALUE`; the value is JSON, or else text.
    Set(String, Value),
}

impl FromStr for RuleText {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text.split_once('=') {
            Some((name, value)) => {
                let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
                Self::Set(name.to_owned(), value)
            }
            None => Self::Of(text.to_owned()),
        })
    }
}

impl RuleText {
    /// Lays one rule over others.
    pub fn lay(name: &str, value: &Value, over: &Rules) -> Result<Rules, String> {
        let mut rules = serde_json::to_value(over).map_err(|error| error.to_string())?;
        rules[name] = value.clone();
        serde_json::from_value(rules).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_laid_over_others_and_a_word_names_an_experiment() {
        assert_eq!("devdoc/iteration-4".parse(), Ok(RuleText::Of("devdoc/iteration-4".to_owned())));
        assert_eq!("four=1/4".parse(), Ok(RuleText::Set("four".to_owned(), "1/4".into())));
        assert_eq!("stop_at=2048".parse(), Ok(RuleText::Set("stop_at".to_owned(), 2048.into())));
        let four = RuleText::lay("four", &"1/4".into(), &Rules::default()).unwrap();
        let both = RuleText::lay("stop_at", &2048.into(), &four).unwrap();
        assert_eq!((both.four.to_string(), both.stop_at.is_some()), ("1/4".to_owned(), true));
        assert!(RuleText::lay("fours", &"1/4".into(), &Rules::default()).unwrap_err().contains("fours"));
    }
}
