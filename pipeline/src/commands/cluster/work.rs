//! What the elements of an array run: one shard, or one part of a study's next batches.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;

use super::super::Failure;
use super::super::context::{Context, launcher};
use crate::cli::{self, ARTEFACTS};
use crate::cluster::attempt::{Attempt, Begun, Cause, Ended, SIGN_EVERY};
use crate::cluster::sending::Round;
use crate::cluster::slurm;
use crate::cluster::study;
use crate::cluster::submission::Submission;
use crate::cluster::work::{Tools, WorkError, Worked, check, origin, work as play};
use crate::cluster::workplace::Workplace;
use crate::plan::Selection;
use crate::progress::{Display, Progress};
use crate::run::Options;
use platform::clock::now;
use platform::confined::ConfinedPath;
use platform::console::note;
use platform::interrupt::Playing;
use records::provenance::Provenance;
use trainings::Artefacts;
use workers::catalogue::Catalogue;
use workers::worker::Launcher;

/// The job that the scheduler has given this process, as its environment has it.
struct Job {
    /// Its number.
    number: Option<String>,
    /// How often it was begun again.
    restarts: u32,
    cores: Option<u16>,
}

impl Job {
    fn here() -> Self {
        let variable = |name: &str| std::env::var(name).ok();
        Self {
            number: variable("SLURM_JOB_ID"),
            restarts: variable("SLURM_RESTART_COUNT").and_then(|text| text.parse().ok()).unwrap_or(0),
            cores: variable("SLURM_CPUS_PER_TASK").and_then(|text| text.parse().ok()),
        }
    }

    /// What its attempt is called: no other process has the same.
    fn name(&self, host: &str) -> String {
        let number = self.number.as_deref().unwrap_or("local");
        let is_plain = |letter: char| letter.is_ascii_alphanumeric();
        let host: String = host.chars().map(|letter| if is_plain(letter) { letter } else { '-' }).collect();
        format!("{number}-{}-{host}-{}", self.restarts, std::process::id())
    }
}

pub(super) fn work(arguments: &cli::Work) -> Result<(), Failure> {
    let workplace = Workplace::new(ConfinedPath::file(&arguments.folder));
    let (submission, round) = sent(&workplace, arguments.round)?;
    let shard = round.shards.get(arguments.place).copied().filter(|&shard| shard < submission.shards.len());
    let shard = shard.ok_or_else(|| {
        Failure::usage(format!("round {} has no shard at {}", arguments.round, arguments.place))
    })?;
    let job = Job::here();
    let (host, made) = (host(), Provenance::now(None));
    let cores = job.cores.unwrap_or(round.request.cores);
    let begun = Begun {
        date: now(),
        job: job.number.clone(),
        host: host.clone(),
        process: std::process::id(),
        cores,
        cpu: made.cpu,
        kernel: made.kernel,
    };
    note(format_args!("{}: shard {shard} on {host}, {cores} at once", begun.date));
    let attempt = Attempt::begin(&workplace.shard(shard), &job.name(&host), &begun).map_err(Failure::io)?;
    let playing = Playing::begin().map_err(Failure::io)?;
    let launcher = launcher(round.request.agent_mib)?;
    let outcome = with_signs_of_life(&attempt, || {
        let progress = Progress::new(Display::Lines);
        let tools = tools(cores, &launcher, playing.stop(), &progress);
        play(&workplace, &submission, shard, &attempt, &tools)
    });
    let outcome = outcome.map(|worked| (worked, playing.is_out_of_time()));
    conclude(&attempt, outcome, &job)
}

fn tools<'a>(cores: u16, launcher: &'a Launcher, stop: &'a AtomicBool, progress: &'a Progress) -> Tools<'a> {
    Tools { jobs: cores.into(), launcher, stop, progress }
}

/// There is no submission here any more.
fn gone(workplace: &Workplace) -> Failure {
    let text = "there is no such submission: it was collected or cancelled meanwhile";
    Failure::usage(format!("{}: {text}", workplace.root().display()))
}

/// What was sent.
fn submission(workplace: &Workplace) -> Result<Submission, Failure> {
    Submission::read(workplace)?.ok_or_else(|| gone(workplace))
}

/// What was sent, and the round that this job is of.
fn sent(workplace: &Workplace, round: u32) -> Result<(Submission, Round), Failure> {
    let submission = submission(workplace)?;
    let round = Round::read(workplace, round, &submission.id)?.ok_or_else(|| gone(workplace))?;
    Ok((submission, round))
}

/// Does something, and gives signs of life meanwhile.
fn with_signs_of_life<T>(attempt: &Attempt, act: impl FnOnce() -> T) -> T {
    std::thread::scope(|threads| {
        let (done, over) = mpsc::channel::<()>();
        threads.spawn(move || {
            while over.recv_timeout(SIGN_EVERY) == Err(mpsc::RecvTimeoutError::Timeout) {
                let _ = attempt.give_sign();
            }
        });
        let outcome = act();
        drop(done);
        outcome
    })
}

/// Says how the attempt ended. One that the time limit cut short and that has got on goes back into the queue.
fn conclude(attempt: &Attempt, outcome: Result<(Worked, bool), WorkError>, job: &Job) -> Result<(), Failure> {
    let end = |cause: Cause, words: &str, played: u64| {
        note(format_args!("{}: {}{}{words}", now(), cause.words(), if words.is_empty() { "" } else { ": " }));
        let ended = Ended { date: now(), cause, words: words.to_owned(), played };
        attempt.end(&ended).map_err(Failure::from)
    };
    match outcome {
        Err(error) => {
            let words = platform::errors::chain(&error);
            end(Cause::Files, &words, 0)?;
            Err(error.into())
        }
        Ok((Worked { cause: Some(cause), words, played }, _)) => {
            end(cause, &words, played)?;
            match cause {
                Cause::Done => Ok(()),
                _ => Err(Failure::agent(words)),
            }
        }
        // The game in progress has come to its end, and all are kept.
        Ok((Worked { played, .. }, true)) => match &job.number {
            Some(number) if played > 0 => {
                end(Cause::Requeued, "", played)?;
                slurm::requeue(number).or_else(|error| end(Cause::Time, &error.to_string(), played))
            }
            _ => {
                end(Cause::Time, "not one game was over before the time limit", played)?;
                Err(Failure::check("not one game was over before the time limit"))
            }
        },
        Ok((Worked { played, .. }, false)) => {
            end(Cause::Cancelled, "", played)?;
            Err(Failure::check("stopped before the end"))
        }
    }
}

/// The node's name.
fn host() -> String {
    let name = fs::read_to_string(Path::new("/proc/sys/kernel/hostname"));
    name.map_or_else(|_| "unknown".to_owned(), |name| name.trim().to_owned())
}

/// Plays a part of the next batches of a study, as far as the other parts let it.
pub(super) fn work_study(arguments: &cli::WorkStudy) -> Result<(), Failure> {
    let workplace = Workplace::new(ConfinedPath::file(&arguments.folder));
    let submission = submission(&workplace)?;
    require_sent(&workplace, &submission)?;
    let job = Job::here();
    let attempt = job.name(&host());
    let cores = job.cores.unwrap_or(submission.request.cores);
    note(format_args!(
        "{}: part {}/{} of {} on {}",
        now(),
        arguments.part.part,
        arguments.part.of,
        arguments.study,
        host()
    ));
    let launcher = launcher(arguments.memory)?;
    let files = submission
        .plugins
        .iter()
        .map(|plugin| workplace.root().join(&plugin.file).path().to_owned())
        .collect();
    let catalogue = Catalogue::of_files(&launcher, files)?;
    let papers = manifest::load_folder(workplace.configs().path())?;
    let layout = study::layout(&workplace);
    // Jobs run where they were submitted.
    let artefacts = Artefacts::new(ARTEFACTS);
    let context = Context::of(papers, catalogue, launcher, layout.clone(), artefacts);
    let selection = Selection {
        names: vec![arguments.study.clone()],
        shard: Some(arguments.part),
        ..Selection::default()
    };
    let plan = context.plan_studies(&selection)?;
    let playing = Playing::begin().map_err(Failure::io)?;
    let options = Options {
        shard: Some(arguments.part),
        attempt: Some(&attempt),
        ..Options::new(cores.into(), &context.launcher, origin(&submission), playing.stop())
    };
    let report = crate::study::run(&plan.jobs, &layout, &options, &Progress::new(Display::Lines))?;
    super::super::run::outcome(&report)
}

/// Fails where the program or a plugin is not the one that was sent.
fn require_sent(workplace: &Workplace, submission: &Submission) -> Result<(), Failure> {
    Ok(check(workplace, submission, (0..submission.plugins.len()).collect())?)
}
