//! The grammar itself: a name, and settings behind commas.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use platform::plain::line;
use workers::plugin::is_file_name;

/// An agent as it is named: who, and with which settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentSpec {
    /// An id, a file, `FILE:ID` or `PAPER/EXPERIMENT`.
    pub name: String,
    /// What stands behind it, in its order.
    pub settings: Vec<SettingText>,
}

/// One setting of an agent, not read yet: what it means is the agent's to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingText {
    /// `KEY=VALUE`.
    Named {
        /// A parameter, or the kind of a budget.
        key: String,
        /// Its value.
        value: String,
    },
    /// Without a key: a budget, as `3` or `3 plies`.
    Bare(String),
}

impl FromStr for AgentSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A file may have any name, commas included.
        if is_file_name(text) && Path::new(text).is_file() {
            return Ok(Self { name: text.to_owned(), settings: Vec::new() });
        }
        let shown = line(text);
        let pieces = pieces(text)
            .ok_or_else(|| format!("`{shown}` opens a bracket or a quote that it does not close"))?;
        let (name, settings) = (pieces[0], &pieces[1..]);
        if name.is_empty() {
            return Err(
                "an agent needs a name before the first comma, such as random or ./mine.so".to_owned()
            );
        }
        let setting = |piece: &&str| match piece.split_once('=') {
            _ if piece.is_empty() => Err(format!(
                "there is nothing between two commas of `{shown}`: write NAME,KEY=VALUE,KEY=VALUE"
            )),
            Some((key, _)) if key.trim().is_empty() => {
                Err(format!("`{}` has a value without a key: write KEY=VALUE", line(piece)))
            }
            Some((key, value)) => {
                Ok(SettingText::Named { key: key.trim().to_owned(), value: value.trim().to_owned() })
            }
            None => Ok(SettingText::Bare((*piece).to_owned())),
        };
        Ok(Self { name: name.to_owned(), settings: settings.iter().map(setting).collect::<Result<_, _>>()? })
    }
}

/// The text between commas outside brackets and quotes; `None` if those do not match.
fn pieces(text: &str) -> Option<Vec<&str>> {
    let (mut pieces, mut open) = (Vec::new(), Vec::new());
    let (mut from, mut in_quotes, mut is_escaped) = (0, false, false);
    for (place, letter) in text.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if in_quotes => is_escaped = true,
            '"' => in_quotes = !in_quotes,
            _ if in_quotes => {}
            '[' => open.push(']'),
            '{' => open.push('}'),
            ']' | '}' if open.pop() != Some(letter) => return None,
            ',' if open.is_empty() => {
                pieces.push(text[from..place].trim());
                from = place + 1;
            }
            _ => {}
        }
    }
    pieces.push(text[from..].trim());
    (open.is_empty() && !in_quotes).then_some(pieces)
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.settings.iter().try_for_each(|setting| match setting {
            SettingText::Named { key, value } => write!(f, ",{key}={value}"),
            SettingText::Bare(text) => write!(f, ",{text}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(key: &str, value: &str) -> SettingText {
        SettingText::Named { key: key.to_owned(), value: value.to_owned() }
    }

    fn read(text: &str) -> (String, Vec<SettingText>) {
        let spec: AgentSpec = text.parse().unwrap();
        (spec.name, spec.settings)
    }

    #[test]
    fn settings_follow_a_name_behind_commas() {
        assert_eq!(read("random"), ("random".to_owned(), vec![]));
        assert_eq!(
            read("ms-expectimax,depth_counts=moves,plies=3"),
            ("ms-expectimax".to_owned(), vec![named("depth_counts", "moves"), named("plies", "3")])
        );
        assert_eq!(
            read("cross/ms-expectimax, 3 plies"),
            ("cross/ms-expectimax".to_owned(), vec![SettingText::Bare("3 plies".to_owned())])
        );
        assert_eq!(read("./old.so:mine,depth=2"), ("./old.so:mine".to_owned(), vec![named("depth", "2")]));
        assert_eq!(read("a,x=").1, [named("x", "")], "a value may be empty: the schema judges it");
        assert_eq!(read("a,x=b=c").1, [named("x", "b=c")]);
    }

    #[test]
    fn commas_in_brackets_and_quotes_do_not_split() {
        assert_eq!(
            read(r#"a,weights=[1,[2,3]],top={"x":1,"y":2},cycle="U,\",R",n=1"#).1,
            [
                named("weights", "[1,[2,3]]"),
                named("top", r#"{"x":1,"y":2}"#),
                named("cycle", r#""U,\",R""#),
                named("n", "1")
            ]
        );
    }

    #[test]
    fn a_text_that_names_no_agent_is_refused() {
        for (text, word) in [
            ("", "needs a name"),
            (",plies=3", "needs a name"),
            ("a,", "nothing between"),
            ("a,,b=1", "nothing between"),
            ("a,=3", "without a key"),
            ("a,x=[1,2", "does not close"),
            ("a,x=1]", "does not close"),
            ("a,x=[1}", "does not close"),
            ("a,x=\"1", "does not close"),
        ] {
            let error = text.parse::<AgentSpec>().unwrap_err();
            assert!(error.contains(word), "{text}: {error}");
        }
    }

    #[test]
    fn a_file_that_is_there_may_have_commas_in_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a,b=1.so");
        std::fs::write(&file, "").unwrap();
        let text = file.to_str().unwrap();
        assert_eq!(read(text), (text.to_owned(), vec![]));
        assert_eq!(text.parse::<AgentSpec>().unwrap().to_string(), text);
        assert_eq!("a, 3 plies,x=[1, 2]".parse::<AgentSpec>().unwrap().to_string(), "a,3 plies,x=[1, 2]");
    }
}
