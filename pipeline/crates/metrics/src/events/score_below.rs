//! `score-below.NUMBER`: the score stays below a number.

use text::thousands;

use super::{EventKind, Parameter};

pub(super) static SCORE_BELOW: EventKind = EventKind {
    name: "score-below",
    parameter: Parameter::Number,
    words: |score| format!("share below {} points", thousands(f64::from(score))),
    happens: |outcome, score| outcome.score < score,
};
