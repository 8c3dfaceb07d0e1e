//! What is refused of a study while it is read.

use super::super::super::limits::{MOST_DIGITS, MOST_STUDIES};
use super::*;

#[test]
fn no_experiment_can_be_written_as_a_winner() {
    let role = schema()["$defs"]["Role"].to_string();
    assert!(!role.contains("\"winner\""), "{role}");
}

#[test]
fn too_many_studies_are_refused_before_they_are_read() {
    let studies: String = (0..=MOST_STUDIES).map(|_| "[[study]]\n").collect();
    let error = said(&format!("{EXAMPLE}\n{studies}"));
    assert!(error[0].ends_with("the paper: `study` has 1002 entries: write at most 1000"), "{error:?}");
}

#[test]
fn what_search_takes_of_digits_is_what_manifests_take() {
    let space = |digits| {
        let range = Range::Real { from: 0.0, to: 1.0, scale: Scale::Linear, digits };
        search::Space::new(vec![Dimension { name: "x".to_owned(), range }])
    };
    assert!(space(MOST_DIGITS).is_ok() && space(MOST_DIGITS + 1).is_err());
}
