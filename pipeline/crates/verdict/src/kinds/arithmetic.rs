//! Arithmetic claims: a computation of the paper, done again.

use super::{Grounds, GroundsTexts, Judgement, Ruling};
use manifest::{Check, StatedValue};

pub(super) fn judge(check: &Check, stated: &StatedValue) -> Judgement {
    let computed = check.compute(stated);
    let (value, because) = (computed.value, computed.because);
    let (ruling, reason) = if computed.is_right {
        (Ruling::Right, format!("Right: {because}."))
    } else {
        let reason = format!("Wrong: the paper says {stated}, but the right value is {value}; {because}.");
        (Ruling::Wrong, reason)
    };
    let texts = GroundsTexts { reproduced: value.clone(), ..GroundsTexts::default() };
    Judgement { ruling, grounds: Grounds::Arithmetic { value, because }, reason, texts }
}
