//! Waiting for a cluster: for the files, whatever its scheduler says.

use std::time::{Duration, Instant};

use super::super::{Failure, print_text};
use super::{collect, words};
use crate::cluster::standing::Standing;
use crate::cluster::submission::Submission;
use crate::cluster::workplace::Workplace;
use platform::console::note;
use records::layout::Layout;

/// How often the files are looked at, at first.
const FIRST: Duration = Duration::from_secs(1);
/// How often they are looked at after a while.
const LAST: Duration = Duration::from_secs(30);
/// How often what has not come to its end is looked at once more.
const LAST_LOOKS: u32 = 5;
/// How long between these looks.
const BETWEEN_LAST_LOOKS: Duration = Duration::from_secs(4);
/// How often progress is told.
const TELL_EVERY: Duration = Duration::from_secs(30);

/// Waits, says how it stands, and puts together what is complete.
pub(super) fn to_the_end(
    workplace: &Workplace,
    submission: &Submission,
    layout: &Layout,
) -> Result<(), Failure> {
    let standing = wait(workplace, submission)?;
    print_text(&words::text(workplace, submission, &standing))?;
    let _lock = layout.lock()?;
    collect::put_together(workplace, submission, layout, false, false)
}

/// Waits until everything is done, or nothing is under way any more.
fn wait(workplace: &Workplace, submission: &Submission) -> Result<Standing, Failure> {
    let (mut pause, mut told) = (FIRST, Instant::now());
    loop {
        std::thread::sleep(pause);
        let standing = Standing::look(workplace, submission)?;
        if standing.is_done() || !standing.is_under_way() {
            return last_look(workplace, submission, standing);
        }
        if told.elapsed() >= TELL_EVERY {
            note(words::summary(&standing).trim_end());
            told = Instant::now();
        }
        pause = (pause * 3 / 2).min(LAST);
    }
}

/// What was just ending may have ended well: a network file system takes a while to show it.
fn last_look(
    workplace: &Workplace,
    submission: &Submission,
    mut standing: Standing,
) -> Result<Standing, Failure> {
    for _ in 0..LAST_LOOKS {
        if standing.is_done() {
            break;
        }
        std::thread::sleep(BETWEEN_LAST_LOOKS);
        standing = Standing::look(workplace, submission)?;
    }
    Ok(standing)
}
