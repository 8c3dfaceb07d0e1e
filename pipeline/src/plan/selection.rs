//! Which jobs a command is about: by name, by paper, by set.

use std::collections::BTreeSet;

use manifest::{Paper, Set};
use records::Shard;

use super::{Determinism, PlanError};
use crate::kinds;

/// The jobs that a command is about, and how they are to run.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// `PAPER` or `PAPER/NAME`; empty: the default set of every paper.
    pub names: Vec<String>,
    /// Also the jobs of the extra set.
    pub with_extra: bool,
    /// Another number of games for every experiment.
    pub games: Option<u64>,
    /// Only one part of the rows.
    pub shard: Option<Shard>,
    /// Run everything again, whatever is stored.
    pub is_fresh: bool,
    /// How to treat agents that are not deterministic.
    pub determinism: Determinism,
}

/// A job as a manifest lists it.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'a> {
    /// Its id in the paper.
    pub id: &'a str,
    /// Its set.
    pub set: Set,
    /// Another job of the paper whose name selects this one too: the study whose winner it plays.
    pub with: Option<&'a str>,
}

impl Selection {
    /// Whether a job is selected.
    pub fn takes(&self, paper: &Paper, job: Listed<'_>) -> bool {
        let is_named = |name: &str| self.names.iter().any(|named| named == name);
        let is_job = |id: &str| is_named(&format!("{}/{id}", paper.id));
        let is_of_set = self.with_extra || job.set == Set::Default;
        let is_all = self.names.is_empty() || is_named(&paper.id);
        is_all && is_of_set || is_job(job.id) || job.with.is_some_and(is_job)
    }

    /// Fails if a name is neither a paper's nor a job's.
    pub(super) fn check_names(&self, papers: &[Paper]) -> Result<(), PlanError> {
        if self.names.is_empty() {
            return Ok(());
        }
        let known: BTreeSet<String> = kinds::all_names(papers).into_iter().collect();
        let is_known = |name: &String| known.contains(name) || papers.iter().any(|paper| paper.id == *name);
        match self.names.iter().find(|name| !is_known(name)) {
            Some(name) => Err(PlanError::Unknown { name: name.clone(), known: known_beside(papers, name) }),
            None => Ok(()),
        }
    }
}

/// What an unknown name could mean: a job of its paper, or else a paper.
fn known_beside(papers: &[Paper], name: &str) -> String {
    let paper = name.split_once('/').map(|(paper, _)| paper);
    let known: Vec<String> = match papers.iter().find(|known| Some(known.id.as_str()) == paper) {
        Some(paper) => kinds::all_names(std::slice::from_ref(paper)),
        None => papers.iter().map(|paper| paper.id.clone()).collect(),
    };
    known.join(", ")
}
