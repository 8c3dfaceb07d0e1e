//! What a command line calls an agent: `NAME[,KEY=VALUE…]`, one grammar for every command that takes an
//! agent.
//!
//! The name is an agent's id, a file, `FILE:ID`, or an experiment as `PAPER/EXPERIMENT`. The settings behind
//! commas belong to that agent alone: a budget, or parameters that are read by the agent's own schema.
//! `lookup` finds the agent.

mod budget;
mod rules;
mod settings;
mod spec;

pub use budget::{BudgetError, BudgetText, forms};
pub use rules::RuleText;
pub use settings::{AgentSettings, no_budget, shown_params};
pub use spec::{AgentSpec, SettingText};

/// How alike two words must be for one to be offered in the place of the other: that much of Jaro and
/// Winkler's measure.
const ALIKE: f64 = 0.85;

/// The word that is most like another, if one is like it at all; of equals the first.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let rated = known.into_iter().map(|other| (strsim::jaro_winkler(word, other), other));
    let best = rated.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.filter(|&(likeness, _)| likeness >= ALIKE).map(|(_, word)| word)
}

/// The words ` Did you mean …?` where something is alike, else nothing.
pub fn perhaps<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_alike_is_offered() {
        let known = ["depth_counts", "heuristics", "plies"];
        assert_eq!(nearest("depth-count", known), Some("depth_counts"));
        assert_eq!(nearest("heuristic", known), Some("heuristics"));
        assert_eq!(nearest("zzz", known), None);
        assert_eq!(perhaps("plie", known), " Did you mean `plies`?");
        assert_eq!(perhaps("plie", []), "");
    }
}
