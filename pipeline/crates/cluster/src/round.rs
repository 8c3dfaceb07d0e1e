//! Rounds: shards that are submitted together, as arrays. A later round has the shards that are still
//! missing.

use platform::{ConfinedPath, atomic};
use serde::{Deserialize, Serialize};

use crate::script::script;
use crate::slurm::{self, QueuePlace};
use crate::{ClusterError, Request, Submission, WorkFolder};

/// A round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Its number, from 1.
    pub round: u32,
    /// The shards, by their place in the round's list.
    pub shards: Vec<usize>,
    /// The resources of each.
    pub request: Request,
    /// The arrays that the shards are submitted in.
    pub arrays: Vec<Array>,
}

/// An array of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Array {
    /// The place of its first shard in the round's list.
    pub first: usize,
    /// How many shards it has.
    pub count: usize,
    /// How often it is submitted, each time to follow the one before.
    pub links: u64,
}

impl Round {
    /// A round of some shards, in arrays that are no larger than the site allows. The parts of a job whose
    /// arrays follow each other form arrays of their own.
    pub fn new(
        submission: &Submission,
        round: u32,
        shards: Vec<usize>,
        request: Request,
        array_size: u64,
    ) -> Self {
        let size = usize::try_from(array_size).unwrap_or(usize::MAX).max(1);
        let mut arrays: Vec<Array> = Vec::new();
        for group in shards.chunk_by(|&one, &next| submission.chain_of(one) == submission.chain_of(next)) {
            let links = submission.chain_of(group[0]).map_or(1, |job| submission.jobs[job].links);
            for array in group.chunks(size) {
                let first = arrays.last().map_or(0, |last| last.first + last.count);
                arrays.push(Array { first, count: array.len(), links });
            }
        }
        Self { round, shards, request, arrays }
    }

    /// All rounds of a work folder, in order.
    pub fn all(folder: &WorkFolder, id: &str) -> Result<Vec<Self>, ClusterError> {
        let read = |round| Self::read(folder, round, id).transpose();
        folder.rounds().into_iter().filter_map(read).collect()
    }

    /// A round of the submission with this id; `None` if it does not exist.
    pub fn read(folder: &WorkFolder, round: u32, id: &str) -> Result<Option<Self>, ClusterError> {
        let path = Self::path(folder, round);
        let read = WorkFolder::read_sealed::<Self>(&path, &Self::sealed_as(round, id))?;
        match read.as_ref().and_then(|round| round.request.problem()) {
            Some(what) => Err(WorkFolder::wrong(&path, &what)),
            None => Ok(read),
        }
    }

    fn path(folder: &WorkFolder, round: u32) -> ConfinedPath {
        folder.round(round).join("round.json")
    }

    /// The owner in the seal of a round.
    fn sealed_as(round: u32, id: &str) -> String {
        format!("round {round} of submission {id}")
    }

    fn write_sealed(&self, folder: &WorkFolder, id: &str) -> Result<(), ClusterError> {
        let path = Self::path(folder, self.round);
        WorkFolder::write_sealed(&path, &Self::sealed_as(self.round, id), self)
    }

    /// The name of an array's Slurm job, by which it is found again although its number is not stored.
    fn name(&self, id: &str, array: Array, link: u64) -> String {
        let link = if array.links > 1 { format!("-{link}") } else { String::new() };
        format!("retile-{id}-{}-{}{link}", self.round, array.first)
    }

    /// The names of all Slurm jobs of an array, in the order in which they run.
    fn names_of(&self, id: &str, array: Array) -> impl Iterator<Item = String> {
        (1..=array.links).map(move |link| self.name(id, array, link))
    }

    /// The names of all Slurm jobs of these rounds.
    pub fn names(rounds: &[Self], id: &str) -> Vec<String> {
        let arrays = rounds.iter().flat_map(|round| round.arrays.iter().map(move |&array| (round, array)));
        arrays.flat_map(|(round, array)| round.names_of(id, array)).collect()
    }

    /// Where a shard may be in the queue, by the name and the number in the array; the last round last.
    pub fn places(rounds: &[Self], id: &str, shard: usize) -> Vec<QueuePlace> {
        let in_round = |round: &Self| {
            let place = round.shards.iter().position(|&other| other == shard)?;
            let array = *round.arrays.iter().find(|array| place < array.first + array.count)?;
            let number = (place - array.first) as u64;
            Some(round.names_of(id, array).map(|name| (name, number)).collect::<Vec<_>>())
        };
        rounds.iter().filter_map(in_round).flatten().collect()
    }

    /// Writes the round and its script, before anything is submitted, since its jobs read them.
    pub fn write(&self, folder: &WorkFolder, id: &str) -> Result<(), ClusterError> {
        let own = folder.round(self.round);
        own.make_folder().and_then(|()| folder.logs().make_folder()).map_err(ClusterError::io(&own))?;
        atomic::write(&own.join("array.sh"), self.script(folder, id).as_bytes())?;
        self.write_sealed(folder, id)
    }

    /// The script of the round.
    pub fn script(&self, folder: &WorkFolder, id: &str) -> String {
        script(folder, &self.request, &format!("retile-{id}-{}-0", self.round), self.round)
    }

    /// The options of `sbatch` for a link of an array. Links follow each other; with a limit on how many
    /// shards run at once, arrays do so too.
    pub fn options(&self, id: &str, array: Array, link: u64, after: Option<&str>) -> Vec<String> {
        let limit = self.request.at_most.map_or_else(String::new, |most| format!("%{most}"));
        let mut options = vec![
            format!("--array=0-{}{limit}", array.count - 1),
            format!("--job-name={}", self.name(id, array, link)),
        ];
        let after = after.filter(|_| link > 1 || self.request.at_most.is_some());
        options.extend(after.map(|after| format!("--dependency=afterany:{after}")));
        options
    }

    /// Submits the round's arrays, and returns the numbers of their jobs. If a later link of an array is
    /// refused, its chain is shorter.
    ///
    /// # Errors
    /// Returns an error if an array is refused. Those before it stay submitted, and the round keeps only
    /// their shards.
    pub fn submit(&mut self, folder: &WorkFolder, id: &str) -> Result<Vec<String>, ClusterError> {
        let own = folder.round(self.round);
        let script = own.join("array.sh");
        let mut jobs: Vec<String> = Vec::new();
        for (place, array) in self.arrays.clone().into_iter().enumerate() {
            for link in 1..=array.links {
                let options = self.options(id, array, link, jobs.last().map(String::as_str));
                match slurm::submit(&options, script.path(), &[array.first.to_string()]) {
                    Ok(job) => jobs.push(job),
                    Err(_) if link > 1 => break,
                    Err(error) => {
                        let all = self.shards.len();
                        self.shards.truncate(array.first);
                        self.arrays.truncate(place);
                        if self.shards.is_empty() {
                            // A round without shards is not taken for the last one.
                            let _ = own.remove_all();
                            return Err(error.after("nothing is submitted"));
                        }
                        self.write_sealed(folder, id)?;
                        return Err(error.after(&format!("{} of {all} shards are submitted", array.first)));
                    }
                }
            }
        }
        Ok(jobs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::submission::tests::{request, sent, submission};
    use crate::{JobPart, SubmissionJob, SubmissionShard};

    #[test]
    fn no_array_is_larger_than_the_site_takes_and_every_shard_has_a_place() {
        // A job of many shards, and one of three parts whose arrays form a chain.
        let jobs = vec![sent(0, 100, 40), SubmissionJob { links: 2, ..sent(0, 100, 3) }];
        let shard = |job, part| SubmissionShard { pieces: vec![JobPart { job, part }], seconds: 1 };
        let all = (1..=40).map(|part| shard(0, part)).chain((1..=3).map(|part| shard(1, part)));
        let submission = submission(jobs, all.collect());
        let shards = vec![3, 5, 8, 9, 11, 20, 21, 22, 30, 40, 41, 42];
        let round = Round::new(&submission, 2, shards, request(Some(2)), 4);
        let arrays: Vec<_> =
            round.arrays.iter().map(|array| (array.first, array.count, array.links)).collect();
        assert_eq!(arrays, [(0, 4, 1), (4, 4, 1), (8, 1, 1), (9, 3, 2)]);
        let places = |shard| Round::places(std::slice::from_ref(&round), "x", shard);
        assert_eq!(places(3), [("retile-x-2-0".to_owned(), 0)]);
        assert_eq!(places(20), [("retile-x-2-4".to_owned(), 1)]);
        assert_eq!(places(30), [("retile-x-2-8".to_owned(), 0)]);
        assert_eq!(places(4), []);
        assert_eq!(places(41), [("retile-x-2-9-1".to_owned(), 1), ("retile-x-2-9-2".to_owned(), 1)]);
        let options = round.options("x", round.arrays[1], 1, Some("17"));
        assert_eq!(options, ["--array=0-3%2", "--job-name=retile-x-2-4", "--dependency=afterany:17"]);
        let free = Round::new(&submission, 2, vec![1, 40, 41, 42], request(None), 10);
        let options = |array: usize, link| free.options("x", free.arrays[array], link, Some("17"));
        assert_eq!(options(0, 1), ["--array=0-0", "--job-name=retile-x-2-0"]);
        assert_eq!(options(1, 1), ["--array=0-2", "--job-name=retile-x-2-1-1"]);
        let last = ["--array=0-2", "--job-name=retile-x-2-1-2", "--dependency=afterany:17"];
        assert_eq!(options(1, 2), last, "the links of a chain follow each other");
    }
}
