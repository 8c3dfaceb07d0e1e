//! Boards as text: what is printed is read back as the same, and what is read was a board.

use std::fmt;

use engine::text::{parse_tiles, write_tiles};

use crate::prelude::*;

struct Ranks([u8; 16]);

impl fmt::Display for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tiles(f, &self.0)
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn every_board_is_read_back_from_both_of_its_forms(ranks in any::<[u8; 16]>()) {
        let ranks = Ranks(ranks.map(|rank| rank % 17));
        prop_assert_eq!(parse_tiles(&ranks.to_string()), Ok(ranks.0));
        prop_assert_eq!(parse_tiles(&format!("{ranks:#}")), Ok(ranks.0));
    }

    #[test]
    fn any_text_is_a_board_or_none_and_never_a_panic(text in ".{0,200}") {
        let _ = parse_tiles(&text);
    }

    #[test]
    fn a_text_that_looks_like_a_board_means_one_board(text in "([.0-9]{1,5}[ \t]{1,3}){3}[.0-9]{1,5}( ?[/\n] ?([.0248]{1,2} ){3}[.0248]{1,2}){3}") {
        if let Ok(ranks) = parse_tiles(&text) {
            prop_assert!(ranks.iter().all(|&rank| rank <= 16));
            prop_assert_eq!(parse_tiles(&Ranks(ranks).to_string()), Ok(ranks));
        }
    }
}
