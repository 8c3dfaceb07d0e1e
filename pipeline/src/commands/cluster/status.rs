//! `pipeline cluster status`: what is done, running, waiting and failed, and why.

use std::time::Duration;

use serde_json::json;

use super::super::{Failure, print_json, print_text};
use super::{submitted, words};
use crate::cli;
use crate::cluster::standing::Standing;
use records::layout::Layout;

pub(super) fn status(arguments: &cli::ClusterStatus) -> Result<(), Failure> {
    let layout = Layout::new(&arguments.out);
    loop {
        let (workplace, submission) = submitted(&layout)?;
        let standing = Standing::look(&workplace, &submission)?;
        if arguments.json {
            print_json(&json!({ "id": submission.id, "folder": workplace.root(), "standing": standing }))?;
        } else {
            print_text(&words::text(&workplace, &submission, &standing))?;
        }
        match arguments.watch.filter(|_| standing.is_under_way()) {
            Some(seconds) => std::thread::sleep(Duration::from_secs(seconds)),
            None => return Ok(()),
        }
    }
}
