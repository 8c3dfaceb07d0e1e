//! How to mend what the suite finds, in the author's terms: those of `agent2048.h` for a plugin, those of the
//! JSON protocol for a program.

use crate::abi::host::{PlayError, Plugin};

/// How to mend something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remedy {
    of_plugin: &'static str,
    of_program: &'static str,
}

impl Remedy {
    const fn new(words: &[&'static str]) -> Self {
        Self { of_plugin: words[0], of_program: words[words.len() - 1] }
    }

    /// The remedy in the words of a plugin's author.
    pub const fn words(self, plugin: &Plugin) -> &'static str {
        self.words_of(plugin.is_remote())
    }

    /// The remedy in words for the author of a program, or of a plugin.
    pub const fn words_of(self, is_program: bool) -> &'static str {
        if is_program { self.of_program } else { self.of_plugin }
    }

    /// What to do if an agent gives no move, or fails to begin or end a game.
    pub const fn of_play(error: &PlayError) -> Self {
        match error {
            PlayError::Gone { .. } => STAY,
            _ => ANSWER,
        }
    }
}

/// Declares remedies: for the author of a plugin, then for the author of a program if that differs.
macro_rules! remedies {
    ($($(#[$doc:meta])* $visibility:vis $name:ident: $plugin:literal $(, $program:literal)?;)+) => {
        $($(#[$doc])* $visibility const $name: Remedy = Remedy::new(&[$plugin $(, $program)?]);)+
    };
}

remedies! {
    STAY: "make sure that the agent never crashes, exits or loops forever: that ends the game",
        "make sure that the program runs until it reads quit, or its standard input ends";
    /// What to do where a position has no answer that is one.
    pub ANSWER: "answer every position with a legal direction",
        r#"answer every position with one line such as {"type":"move","direction":"D"}, with one of the letters in its "legal""#;
    pub(super) NAME: "fill in the descriptor's name and version",
        r#"give a "version" in the hello, and a "name" that is not empty or none"#;
    pub(super) DEFAULTS: "give every property of the schema a \"default\"",
        r#"give every parameter in "params" of the hello a "default""#;
    pub(super) BUDGETS: "set at least one of the AGENT2048_CAP_ bits of budgets",
        r#"list at least one kind in "budgets" of the hello"#;
    pub(super) COUNTED_BUDGETS: "set one of the AGENT2048_CAP_ bits of count budgets",
        r#"list "none", "plies", "nodes" or "playouts" in "budgets" of the hello"#;
    pub(super) OWN_DEFAULTS: "accept {} and the defaults of the schema",
        r#"answer {"type":"ready"} to a setup with the defaults that the hello gives"#;
    pub(super) BAD_PARAMS: "return AGENT2048_BAD_PARAMS for parameters that the schema does not allow",
        r#"answer {"type":"refused","what":"params","reason":"…"} to a setup with parameters that the hello does not allow"#;
    pub(super) BAD_CODES: "return AGENT2048_BAD_RULES from create for every code that agent2048.h does not list",
        r#"answer {"type":"refused","what":"rules","reason":"…"} to a setup with rules that you do not know"#;
    pub(super) ACCEPT_OR_REFUSE: "accept the rules or return AGENT2048_BAD_RULES",
        r#"answer every setup with {"type":"ready"}, or with {"type":"refused","what":"rules","reason":"…"}"#;
    pub(super) SOME_RULES: "play at least one rule set with these parameters";
    pub(super) MADE_BEFORE: "let create succeed for rules that it accepted before",
        r#"answer {"type":"ready"} to every setup with rules that you accepted before"#;
    /// The remedy for an agent that is not deterministic.
    pub SEED: "take chance only from the seed of new_game, and nothing from clocks, addresses or globals",
        r#"take chance only from the "seed" of new-game, and nothing from clocks, unseeded generators or the order of a set"#;
    pub(super) FORGET: "clear all memory of earlier games in new_game, tables included",
        "clear all memory of earlier games at new-game, tables included";
    pub(super) EVERY_POSITION: "answer every position, however full the board and whatever its tiles";
    pub(super) OVERRUN: "stop at the budget, or set AGENT2048_CAP_OVERRUNS and say why",
        r#"stop at the budget, or say "overruns":true in the hello"#;
    pub(super) SPENT: "set `spent` of the decision, in the unit of the budget",
        r#"give "spent" in every move, in the unit of the budget"#;
    pub(super) OTHER_BUDGET: "return AGENT2048_BAD_BUDGET from choose_move, or add the capability",
        r#"list the kind in "budgets" of the hello"#;
    pub(super) FINITE_VALUE: "give finite values, or clear has_value",
        r#"give a finite "value" in every move, or none"#;
    pub(super) FINITE_VALUES: "give finite values, or leave the move out of `known`",
        r#"give finite "values" in every move, or leave those out that are not"#;
    pub(super) LEGAL: "choose among the bits of position->legal",
        r#"choose one of the letters in "legal" of the position"#;
    pub(super) TILE: "place a 2 or a 4 that the odds allow in an empty cell";
    pub(super) EVERY_SLIDE: "answer every slide with a tile, or clear AGENT2048_CAP_SPAWNER",
        r#"answer every afterstate with a tile, or leave "places_tiles" out of the hello"#;
    pub(super) ONE_ANSWER: "give one answer to each position, and nothing else";
}
