//! The final choices on moves whose figures are given: value, visits, and what each criterion makes of them.

use chen2023::final_choice::FinalChoice;
use chen2023::uct::Arms;

/// Moves by their visits and the value of each rollout.
fn arms(moves: &[(u32, u32)]) -> (Arms, usize) {
    let mut arms = Arms::new(moves.len());
    for (number, &(visits, value)) in moves.iter().enumerate() {
        (0..visits).for_each(|_| arms.add(number, value));
    }
    (arms, moves.len())
}

fn choices(moves: &[(u32, u32)]) -> [usize; 5] {
    use FinalChoice::{AsReleased, Max, MaxRobust, Robust, Secure};
    let (arms, legal) = arms(moves);
    [AsReleased, Max, Robust, MaxRobust, Secure].map(|choice| choice.choose(&arms, legal, 100.0, 2.0))
}

#[test]
fn the_criteria_differ() {
    // By value/(n + 1): 50, 75, 80.0, 79.2; by mean: 100, 90, 80.8, 80; by the lower bound: -91, -6.6, 60.1,
    // 59.3.
    assert_eq!(choices(&[(1, 100), (5, 90), (100, 81), (101, 80)]), [2, 0, 3, 3, 2]);
}

#[test]
fn a_move_that_leads_in_both_respects_is_max_robust() {
    let (settled, legal) = arms(&[(10, 50), (80, 60), (10, 40)]);
    assert!(FinalChoice::MaxRobust.is_settled(&settled, legal));
    assert_eq!(choices(&[(10, 50), (80, 60), (10, 40)]), [1; 5]);
    let (unsettled, legal) = arms(&[(10, 70), (80, 60), (10, 40)]);
    assert!(!FinalChoice::MaxRobust.is_settled(&unsettled, legal));
    for other in [FinalChoice::AsReleased, FinalChoice::Max, FinalChoice::Robust, FinalChoice::Secure] {
        assert!(other.is_settled(&unsettled, legal), "only the max-robust child may be missing");
    }
}

#[test]
fn of_equals_the_last_is_played() {
    assert_eq!(choices(&[(10, 50), (10, 50), (10, 50)]), [2; 5]);
    assert_eq!(choices(&[(10, 50), (10, 50), (9, 40)]), [1; 5]);
}

#[test]
fn moves_that_were_never_tried_come_last() {
    assert_eq!(choices(&[(1, 5), (0, 0), (0, 0)])[1..4], [0; 3]);
    assert_eq!(choices(&[(0, 0), (0, 0)]), [1; 5]);
}
