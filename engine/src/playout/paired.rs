//! A row table for lanes: what a row becomes at either end, in one entry.

use std::sync::LazyLock;

use super::bits::SlidPairs;
use crate::row_table::RowTable;
use crate::rules::Merging;
use crate::slide::Slides;

/// Every row slid to its low end, and in the upper half slid to its high end.
///
/// One load serves both ends, and the choice between them is arithmetic: in lanes it can be no branch.
pub(super) struct PairedRows(RowTable<u32>);

static ONCE: LazyLock<PairedRows> = LazyLock::new(|| PairedRows::build(Merging::Once));
static CASCADING: LazyLock<PairedRows> = LazyLock::new(|| PairedRows::build(Merging::Cascading));

impl PairedRows {
    /// The table for a way of merging, built at the first call.
    pub(super) fn of(merging: Merging) -> &'static Self {
        match merging {
            Merging::Once => &ONCE,
            Merging::Cascading => &CASCADING,
        }
    }

    fn build(merging: Merging) -> Self {
        let slides = Slides::of(merging);
        Self(RowTable::from_rows(|row| {
            u32::from(slides.row_towards_low(row)) | u32::from(slides.row_towards_high(row)) << 16
        }))
    }

    /// The rows of a packed board, slid to either end.
    #[inline(always)]
    pub(super) fn slide(&self, board: u64) -> SlidPairs {
        let row = |shift: u32| u64::from(self.0.get((board >> shift) as u16));
        SlidPairs { even: row(0) | row(32) << 32, odd: row(16) | row(48) << 32 }
    }
}
