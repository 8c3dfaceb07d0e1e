//! The report: an HTML page with all findings, which replays recorded games by itself.
//!
//! A caller fills a [`Page`] with tables and texts ready to print. [`render`] returns the page's text, after
//! it has checked that every reference in it has its target. `templates/` holds the markup, one file per
//! section. `assets/` holds style and scripts, which are copied into the page; figures are linked from the
//! folder beside it, so that it opens without a network. The same page is the same bytes: nothing here knows
//! the time, and a second implementation of the rules (`assets/replay.js`) checks replays in the reader's
//! browser.

mod bounds;
mod claim;
pub mod compose;
mod links;
mod page;
mod replay;
mod templates;

pub(crate) use claim::kind_name;
pub use claim::{CLAIM_KINDS, Claim};
pub use links::PageError;
pub use page::{
    Experiment, Finding, Interpretation, JobSection, Need, Offer, Origin, Page, PageFigure, PageJob, Paper,
    RuleSet,
};
pub use replay::{PageReplay, Pick};

use platform::plain;

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

/// The page as HTML: one file, whole by itself. Of thousands of claims or experiments it has the first, and
/// says where all are.
pub fn render(page: &Page) -> Result<String, ReportError> {
    // Texts are escaped by the templates; what is left are marks that HTML has no use for, and that would
    // turn its words round.
    let html = plain::text(&templates::render(page)?).into_owned();
    links::check(&html)?;
    Ok(html)
}
