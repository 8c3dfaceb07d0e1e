//! Progress of a contest: a line that changes on a terminal, and plain lines elsewhere.

use indicatif::ProgressBar;

use super::words::{brief_lead, letter};
use crate::contest::Standing;
use crate::output::status_line::StatusLine;
use crate::run::Display;
use platform::console::note;
use platform::plain::line;
use stats::elo;
use text::counted;

/// Shows the standing of a contest on standard error.
pub(super) struct ContestProgress {
    display: Display,
    limit: u64,
    status: StatusLine,
}

impl ContestProgress {
    pub(super) fn new(display: Display, limit: u64) -> Self {
        let form = "{human_pos} of at most {human_len} seeds, {elapsed}: {wide_msg}";
        Self { display, limit, status: StatusLine::new(display, || ProgressBar::new(limit), form) }
    }

    /// Names the contestants, and counts the games of an earlier run.
    pub(super) fn begin(&self, labels: &[&str], known: u64) {
        if self.display == Display::Lines {
            let names = labels.iter().enumerate();
            let names: Vec<String> =
                names.map(|(place, name)| format!("{} {}", letter(place), line(name))).collect();
            note(names.join(", "));
        }
        if known > 0 {
            self.status.note(&format!("reusing {} of an earlier run", counted(known, "game")));
        }
    }

    /// Shows the standing after a seed.
    pub(super) fn show(&self, standing: &Standing) {
        let is_last = standing.is_decided() || standing.seeds == self.limit;
        let seeds = format!("{}: ", counted(standing.seeds, "seed"));
        self.status.update(standing.seeds, &seeds, || words(standing), is_last);
    }

    pub(super) fn end(&self) {
        self.status.clear();
    }
}

/// The standing in a line.
fn words(standing: &Standing) -> String {
    if let [only] = &standing.pairs[..] {
        let tally = only.tally;
        let (won, lost, tied) = (tally.losses, tally.wins, tally.ties);
        return format!("A won {won}, B won {lost}, {tied} tied; B over A {}", brief_lead(&elo(tally)));
    }
    let open = standing.pairs.iter().filter(|pair| pair.decision.is_none());
    let open: Vec<String> =
        open.map(|pair| format!("{}{}", letter(pair.first), letter(pair.second))).collect();
    let decided = standing.pairs.len() - open.len();
    let all = counted(standing.pairs.len() as u64, "pair");
    match open.len() {
        0 => format!("all of {all} decided"),
        1..=8 => format!("{decided} of {all} decided; open: {}", open.join(" ")),
        _ => format!("{decided} of {all} decided"),
    }
}
