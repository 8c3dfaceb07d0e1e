//! The rules that agents are tried with.

use crate::board::Board;
use crate::rules::{Merging, Odds, Rules, Scatter, Spawning, Start};

/// The rule sets that agents are tried with: every variant that a paper plays, and some near their ends.
pub fn rule_sets() -> Vec<(&'static str, Rules)> {
    let standard = Rules::default();
    let quarter = Odds::new(1, 4).unwrap_or_default();
    let course = Start::Scatter(Scatter { empty: 16, two: 4, four: 2, eight: 1 });
    let shared = Start::Board(Board::from_packed(0x0000_0010_0000_0200));
    let near_cap = Start::Board(Board::from_packed(0x0000_0000_0000_ddef));
    let stop = |tile: u32| tile.try_into().ok();
    vec![
        ("standard", standard.clone()),
        ("fours 1/4", Rules { four: quarter, ..standard.clone() }),
        ("scatter", Rules { four: quarter, start: course, ..standard.clone() }),
        ("shared board", Rules { start: shared, ..standard.clone() }),
        ("cascading", Rules { merging: Merging::Cascading, ..standard.clone() }),
        ("stop at 128", Rules { stop_at: stop(128), ..standard.clone() }),
        ("near 65536", Rules { start: near_cap.clone(), ..standard.clone() }),
        ("cascading near 65536", Rules { merging: Merging::Cascading, start: near_cap, ..standard }),
    ]
}

/// The rule sets for agents that place the tiles themselves, which no other is made for.
pub fn adversarial_rule_sets() -> Vec<(&'static str, Rules)> {
    let adversarial = Rules { spawn: Spawning::Adversarial, ..Rules::default() };
    let no_fours = Odds::new(0, 1).unwrap_or_default();
    vec![
        ("adversarial", adversarial.clone()),
        ("adversarial, stop at 32", Rules { stop_at: 32.try_into().ok(), ..adversarial.clone() }),
        ("adversarial without fours", Rules { four: no_fours, ..adversarial }),
    ]
}
