//! The report: one HTML page that holds all that the pipeline has found, and replays recorded games by itself.
//!
//! A caller fills a [`Page`], the tables and texts ready to print; [`render`] checks that nothing in it points to nowhere and
//! gives the page's text. Markup stands in `templates/`, one file a section; style and scripts in `assets/`, put into the page
//! as they are, so that it needs no network and opens from a folder. The same page is the same bytes: nothing here knows the
//! time, and a replay's verdict is found in the reader's browser, by a second implementation of the rules
//! (`assets/replay.js`).

mod bounds;
mod check;
mod claim;
pub mod compose;
mod experiment;
mod figure;
mod finding;
mod page;
mod replay;
mod study;
mod table;
mod templates;
mod training;

pub use check::PageError;
pub use claim::{Claim, Kind};
pub use experiment::{Experiment, Origin};
pub use figure::PageFigure;
pub use finding::{Fares, Finding, Interpretation, Need};
pub use page::{Page, Paper, RuleSet, Totals};
pub use replay::{Pick, Replay};
pub use study::{Offer, PageStudy, StudySection};
pub use table::{Cell, Column, PageTable, Row};
pub use training::{PageTraining, TrainingSection};

use surroundings::plain;

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The page contradicts itself.
    #[error("the report's page contradicts itself")]
    Page(#[from] PageError),
    /// A template asks for what the page does not have.
    #[error("a template of the report does not fit its page")]
    Template(#[from] minijinja::Error),
}

/// The page as HTML: one file, whole by itself. Of thousands of claims or experiments it has the first, and says where all are.
///
/// # Errors
/// Where the page names something that it does not hold, or a template asks for what is not there.
pub fn render(page: &Page) -> Result<String, ReportError> {
    check::check(page)?;
    // Texts are escaped by the templates; what is left are marks that HTML has no use for, and that would turn its words round.
    Ok(plain::text(&templates::render(page)?).into_owned())
}
