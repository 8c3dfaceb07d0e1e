//! What is sent to a cluster, made ready: copied, timed, and cut into shards.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use super::super::Failure;
use super::super::context::{Context, processors};
use super::submit::remove;
use crate::cli;
use crate::cluster::cost::Cost;
use crate::cluster::cut::{Missing, SHORTEST, cut, shard_time};
use crate::cluster::pilot::{self, Shown};
use crate::cluster::script::warning;
use crate::cluster::sending::{copy, copy_confined, copy_plugin, copy_program};
use crate::cluster::slurm;
use crate::cluster::study;
use crate::cluster::submission::{
    FORM, ID_DIGITS, Request, SentExperiment, SentPlugin, SentStudy, Submission,
};
use crate::cluster::workplace::Workplace;
use crate::plan::Planned;
use crate::plan::PlannedStudy;
use platform::console::note;
use platform::hash::sha256;
use records::store::read_timing;
use text::counted;
use workers::catalogue::PluginEntry;

/// The time limit of a part of a study's batch, where no other is given.
const STUDY_LIMIT: Duration = Duration::from_secs(2 * 60 * 60);
/// How much of a time limit that was given a shard may take.
const SHARE_OF_LIMIT: f64 = 0.5;

/// Copies everything, sees what games take, and cuts them into shards. Also gives what all take, in seconds of a processor.
pub(super) fn prepare(
    context: &Context,
    (to_play, studies): (&[&Planned], &[PlannedStudy]),
    arguments: &cli::Submit,
    copies: &Workplace,
) -> Result<(Submission, f64), Failure> {
    let mut submission = skeleton(context, (to_play, studies), arguments, copies)?;
    let costs = costs(context, &submission, to_play, copies)?;
    let missing: Vec<Option<Missing>> = submission
        .experiments
        .iter()
        .zip(&costs)
        .map(|(sent, cost)| cost.map(|cost| Missing { games: sent.games - sent.first, cost }))
        .collect();
    let known: f64 = missing.iter().flatten().map(Missing::seconds).sum();
    let length = length(arguments, known);
    // A game that takes longer than anybody waited for it is a shard of its own.
    let missing: Vec<Missing> = missing
        .into_iter()
        .zip(&submission.experiments)
        .map(|(missing, sent)| {
            let each = length.as_secs_f64() * f64::from(arguments.cores);
            missing
                .unwrap_or(Missing { games: sent.games - sent.first, cost: Cost { mean: each, high: each } })
        })
        .collect();
    let cuts = cut(&missing, arguments.cores, length);
    for (sent, parts) in submission.experiments.iter_mut().zip(&cuts.parts) {
        sent.parts = *parts;
    }
    submission.shards = cuts.shards;
    let limit =
        arguments.time.unwrap_or(if studies.is_empty() { cuts.limit } else { cuts.limit.max(STUDY_LIMIT) });
    let longest = missing.iter().map(|missing| missing.cost.high).fold(0.0, f64::max);
    submission.request.limit_seconds = limit.as_secs();
    submission.request.warning_seconds = warning(limit, Duration::from_secs_f64(longest)).as_secs().max(1);
    Ok((submission, missing.iter().map(Missing::seconds).sum()))
}

/// What is sent, before it is cut into shards.
fn skeleton(
    context: &Context,
    (to_play, studies): (&[&Planned], &[PlannedStudy]),
    arguments: &cli::Submit,
    copies: &Workplace,
) -> Result<Submission, Failure> {
    let program_sha256 = copy_program(copies)?;
    let mut plugins = Copies::default();
    let mut experiments = Vec::new();
    for planned in to_play {
        let place = plugins.place_of(&planned.plugin, copies)?;
        experiments.push(SentExperiment::of(planned, place, arguments.fresh));
    }
    let mut sent_studies = Vec::new();
    for planned in studies {
        plugins.place_of(&planned.plugin, copies)?;
        let shortest = arguments.shard_time.unwrap_or(SHORTEST);
        let parts = study::parts(planned, arguments.cores, shortest, slurm::array_size());
        let batches = planned.study.method.most_batches();
        sent_studies.push(SentStudy { key: planned.key.clone(), parts, batches });
    }
    if !studies.is_empty() {
        copy_for_studies(context, arguments, copies)?;
    }
    let origin = context.origin();
    let request = Request {
        cores: arguments.cores,
        agent_mib: arguments.places.loading.memory,
        limit_seconds: 0,
        warning_seconds: 0,
        at_most: arguments.at_most,
        options: arguments.options.clone(),
    };
    let (host, moment) = (copies.root().display(), platform::clock::now());
    let id = sha256(format!("{host} {moment} {}", std::process::id()))[..ID_DIGITS].to_owned();
    Ok(Submission {
        form: FORM,
        id,
        program_sha256,
        commit: origin.commit,
        dirty: origin.dirty,
        is_fresh: arguments.fresh,
        request,
        plugins: plugins.sent,
        experiments,
        shards: Vec::new(),
        studies: sent_studies,
    })
}

/// The plugins that are copied, each once.
#[derive(Default)]
struct Copies {
    files: Vec<PathBuf>,
    sent: Vec<SentPlugin>,
}

impl Copies {
    /// The place of a plugin in the list, which is copied where it is not yet.
    fn place_of(&mut self, plugin: &PluginEntry, copies: &Workplace) -> Result<usize, Failure> {
        if let Some(place) = self.files.iter().position(|file| *file == plugin.file) {
            return Ok(place);
        }
        self.sent.push(copy_plugin(copies, self.files.len(), plugin)?);
        self.files.push(plugin.file.clone());
        Ok(self.files.len() - 1)
    }
}

/// Copies what the parts of a study read: the manifests, and what is known of signatures.
fn copy_for_studies(context: &Context, arguments: &cli::Submit, copies: &Workplace) -> Result<(), Failure> {
    let own = arguments.chosen.names.iter().map(PathBuf::from).filter(|file| file.is_file());
    let folder = fs::read_dir(&arguments.places.configs).into_iter().flatten().flatten();
    let manifests = folder.map(|entry| entry.path()).chain(own);
    for file in manifests.filter(|file| file.extension().is_some_and(|extension| extension == "toml")) {
        if let Some(name) = file.file_name() {
            copy(&file, &copies.configs().join(name))?;
        }
    }
    let (signatures, copied) = (context.layout.signatures(), study::layout(copies).signatures());
    if signatures.is_file() {
        copy_confined(&signatures, &copied)?;
    }
    Ok(())
}

/// What games take: from those that were timed before, or from a pilot. None where not even a pilot tells.
fn costs(
    context: &Context,
    submission: &Submission,
    to_play: &[&Planned],
    copies: &Workplace,
) -> Result<Vec<Option<Cost>>, Failure> {
    let mut costs = Vec::new();
    for planned in to_play {
        costs.push(Cost::of(&read_timing(&context.layout.timing(&planned.key, None))?));
    }
    let untimed: Vec<usize> = (0..costs.len()).filter(|&place| costs[place].is_none()).collect();
    if untimed.is_empty() {
        return Ok(costs);
    }
    note(format_args!(
        "{} never timed: a few games are played here first, for {} s at most",
        match untimed.len() as u64 {
            1 => "1 experiment was".to_owned(),
            count => format!("{} were", counted(count, "experiment")),
        },
        pilot::PATIENCE.as_secs() * untimed.len().div_ceil(processors()) as u64
    ));
    let flown = pilot::fly(submission, &untimed, copies)?;
    remove(&copies.root().join("pilot"));
    for (place, shown) in untimed.into_iter().zip(flown) {
        let key = &submission.experiments[place].key;
        costs[place] = match shown {
            Shown::Cost(cost) => Some(cost),
            Shown::Slow => {
                note(format_args!("{key}: no game was over in that time: each is a shard of its own"));
                None
            }
            Shown::Failed(reason) => {
                return Err(Failure::agent(format!(
                    "{key}: what would be sent cannot play a game: {reason}; a program over the bridge must list the files that it needs"
                )));
            }
        };
    }
    Ok(costs)
}

/// How long a shard should take.
fn length(arguments: &cli::Submit, seconds: f64) -> Duration {
    let wanted = arguments.shard_time;
    let length = wanted.unwrap_or_else(|| shard_time(seconds, arguments.cores, arguments.at_most));
    arguments.time.map_or(length, |limit| length.min(limit.mul_f64(SHARE_OF_LIMIT)))
}
