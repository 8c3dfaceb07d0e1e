//! Progress of a contest: a line that changes on a terminal, and plain lines elsewhere.

use super::words::{lead, letter};
use crate::contest::{ContestScore, PairScore};
use crate::progress::{Display, Progress, ProgressLine};
use platform::console::note;
use platform::plain;
use stats::elo;
use text::counted;

/// The line of a contest, after the names of its contestants and the number of games from earlier runs.
pub(super) fn line(display: Display, limit: u64, labels: &[&str], known: u64) -> ProgressLine {
    let line = Progress::new(display).line("contest", Some(limit), "seed");
    line.start();
    if display == Display::Lines {
        let names =
            labels.iter().enumerate().map(|(place, name)| format!("{} {}", letter(place), plain::line(name)));
        note(names.collect::<Vec<_>>().join(", "));
    }
    if known > 0 {
        line.remark(&format!("reusing {} of an earlier run", counted(known, "game")));
    }
    line
}

/// Shows the score after a seed.
pub(super) fn show(line: &ProgressLine, score: &ContestScore) {
    line.describe(&words(score));
    line.rows(score.seeds.saturating_sub(line.played()));
}

/// The score in a line.
fn words(score: &ContestScore) -> String {
    if let [only] = &score.pairs[..] {
        let (won, lost, tied) = (only.tally.losses, only.tally.wins, only.tally.ties);
        let lead = lead(&elo(only.tally)).replace("95 % interval ", "");
        return format!("A won {won}, B won {lost}, {tied} tied; B over A {lead}");
    }
    let name = |pair: &PairScore| letter(pair.first) + &letter(pair.second);
    let open: Vec<String> = score.pairs.iter().filter(|pair| pair.decision.is_none()).map(name).collect();
    let decided = score.pairs.len() - open.len();
    let all = counted(score.pairs.len() as u64, "pair");
    match open.len() {
        0 => format!("all of {all} decided"),
        1..=8 => format!("{decided} of {all} decided; open: {}", open.join(" ")),
        _ => format!("{decided} of {all} decided"),
    }
}
