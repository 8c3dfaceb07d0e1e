//! Slurm's own programs, called with a timeout, and never believed about what is done.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use platform::{open, plain};

use crate::{Cause, ClusterError};

/// How long to wait for a reply. A full queue has `sbatch` try again for much longer.
const TIMEOUT: Duration = Duration::from_secs(40);
/// The most bytes of a reply: enough for a queue of hundreds of thousands of jobs.
const LARGEST_REPLY: u64 = 64 << 20;
/// The most bytes of an error message to keep.
const LARGEST_ERROR: u64 = 64 << 10;
/// The most elements of an array if the site does not say: Slurm's own default.
const ARRAY_SIZE: u64 = 1001;

/// A job, or an element of an array, that Slurm knows: by its name and its number in the array.
pub type QueuePlace = (String, u64);

/// The state of a job in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Queued {
    /// It runs, or is just ending.
    Running,
    /// It waits for its turn.
    Waiting,
}

/// The jobs of this user that are in the queue.
pub type Queue = BTreeMap<QueuePlace, Queued>;

/// The most elements of an array, as the site is configured.
pub fn array_size() -> u64 {
    let config = ask("scontrol", ["show", "config"]).unwrap_or_default();
    let size = config.lines().find_map(|line| {
        let (name, value) = line.split_once('=')?;
        (name.trim() == "MaxArraySize").then(|| value.trim().parse().ok())?
    });
    size.filter(|&size| size > 0).unwrap_or(ARRAY_SIZE)
}

/// Submits a script as an array, and returns the job's number.
pub fn submit(options: &[String], script: &Path, arguments: &[String]) -> Result<String, ClusterError> {
    let mut words: Vec<&OsStr> = vec!["--parsable".as_ref()];
    words.extend(options.iter().map(OsStr::new));
    words.push(script.as_os_str());
    words.extend(arguments.iter().map(OsStr::new));
    let printed = ask("sbatch", words)?;
    // The name of the cluster may follow.
    let number = printed.trim().split(';').next().unwrap_or_default();
    match !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
        true => Ok(number.to_owned()),
        false => Err(refused("sbatch", &format!("it printed no job number: {printed}"))),
    }
}

/// The jobs of this user that are in the queue, by name and number; `None` if Slurm does not answer.
pub fn queue() -> Option<Queue> {
    let printed = ask("squeue", ["--me", "--noheader", "--array", "--format=%j|%K|%T"]).ok()?;
    Some(printed.lines().filter_map(queued).collect())
}

fn queued(line: &str) -> Option<(QueuePlace, Queued)> {
    let mut fields = line.trim().split('|');
    let (name, number, state) = (fields.next()?, fields.next()?, fields.next()?);
    let state = match state {
        "RUNNING" | "COMPLETING" | "CONFIGURING" | "STAGE_OUT" | "SIGNALING" | "SUSPENDED" | "STOPPED" => {
            Queued::Running
        }
        "PENDING" | "REQUEUED" | "REQUEUE_HOLD" | "REQUEUE_FED" | "SPECIAL_EXIT" | "RESV_DEL_HOLD" => {
            Queued::Waiting
        }
        // It is over, and only still listed.
        _ => return None,
    };
    Some(((name.to_owned(), number.parse().unwrap_or(0)), state))
}

/// Why jobs of these names ended, as far as Slurm remembers: for some minutes by itself, and for long where
/// it keeps accounts.
pub fn causes(names: &[String]) -> BTreeMap<QueuePlace, Cause> {
    let mut causes = BTreeMap::new();
    let format = "--format=JobID%40,JobName%80,State%40";
    let listed = format!("--name={}", names.join(","));
    let accounts = ask("sacct", ["-X", "-n", "-P", "--starttime=now-30days", format, listed.as_str()]);
    for line in accounts.unwrap_or_default().lines() {
        let fields: Vec<&str> = line.split('|').collect();
        if let [id, name, state] = fields[..]
            && let Some(cause) = cause(state)
        {
            let number = id.split_once('_').and_then(|(_, number)| number.parse().ok()).unwrap_or(0);
            causes.insert((name.to_owned(), number), cause);
        }
    }
    for line in ask("scontrol", ["--oneliner", "show", "job"]).unwrap_or_default().lines() {
        let value = |key: &str| line.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
        let known = value("JobName").filter(|name| names.iter().any(|known| known == name));
        if let (Some(name), Some(cause)) = (known, value("JobState").and_then(cause)) {
            let number = value("ArrayTaskId").and_then(|number| number.parse().ok()).unwrap_or(0);
            causes.insert((name.to_owned(), number), cause);
        }
    }
    causes
}

/// The cause that a job's state gives, if it has failed.
fn cause(state: &str) -> Option<Cause> {
    Some(match state.split(' ').next()? {
        "TIMEOUT" | "DEADLINE" => Cause::Time,
        "OUT_OF_MEMORY" => Cause::Memory,
        "NODE_FAIL" | "BOOT_FAIL" | "PREEMPTED" => Cause::Node,
        "CANCELLED" | "REVOKED" => Cause::Cancelled,
        _ => return None,
    })
}

/// Puts a job back into the queue, from within it.
pub fn requeue(job: &str) -> Result<(), ClusterError> {
    ask("scontrol", ["requeue", job]).map(drop)
}

/// Cancels the jobs of these names.
pub fn cancel(names: &[String]) -> Result<(), ClusterError> {
    names.iter().try_for_each(|name| ask("scancel", ["--name", name.as_str()]).map(drop))
}

/// The output of one of Slurm's programs.
fn ask<S: AsRef<OsStr>>(program: &str, words: impl IntoIterator<Item = S>) -> Result<String, ClusterError> {
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => ClusterError::Usage(format!(
            "there is no `{program}` here: run this on a login node of the cluster, where Slurm is installed"
        )),
        _ => ClusterError::Temporary(format!("`{program}` cannot be run: {source}")),
    };
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().map_err(failed)?;
    let process = Pid::from_child(&child);
    let (sender, reply) = mpsc::channel();
    std::thread::spawn(move || sender.send(output(child)));
    let Output { status, stdout, stderr } = match reply.recv_timeout(TIMEOUT) {
        Ok(output) => output.map_err(failed)?,
        Err(_) => {
            let _ = kill_process(process, Signal::KILL);
            return Err(ClusterError::Temporary(format!(
                "`{program}` has not answered for {} s: the queue may be full, or its controller down; \
                 `squeue --me` shows whether the last job was taken",
                TIMEOUT.as_secs()
            )));
        }
    };
    match status.success() {
        true => Ok(String::from_utf8_lossy(&stdout).into_owned()),
        false => {
            let text = String::from_utf8_lossy(&stderr).replace(&format!("{program}: error: "), "");
            let text = text.trim().replace('\n', "; ");
            Err(refused(program, if text.is_empty() { status.to_string() } else { text }.as_str()))
        }
    }
}

/// A refusal. A wrong partition or option stays wrong; a full queue may have room later.
fn refused(program: &str, reason: &str) -> ClusterError {
    let text = format!("`{program}` refused: {}", plain::line(reason));
    let reason = reason.to_lowercase();
    let is_wrong = |word: &&str| reason.contains(*word);
    match ["invalid", "unrecognized option", "unrecognised option"].iter().any(is_wrong) {
        true => ClusterError::Usage(text),
        false => ClusterError::Temporary(text),
    }
}

/// The output of a program until it ends. If it prints more than a reply may have, it is ended.
fn output(mut child: Child) -> io::Result<Output> {
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let errors = std::thread::spawn(move || -> io::Result<Vec<u8>> {
        let (mut stderr, mut first) = (stderr.ok_or(io::ErrorKind::BrokenPipe)?, Vec::new());
        (&mut stderr).take(LARGEST_ERROR).read_to_end(&mut first)?;
        io::copy(&mut stderr, &mut io::sink())?;
        Ok(first)
    });
    let reply = open::bounded(stdout.ok_or(io::ErrorKind::BrokenPipe)?, LARGEST_REPLY);
    if reply.is_err() {
        let _ = child.kill();
    }
    let status = child.wait()?;
    let too_long = |error: io::Error| match error.kind() {
        io::ErrorKind::FileTooLarge => {
            io::Error::other(format!("it printed more than {} MiB", LARGEST_REPLY >> 20))
        }
        _ => error,
    };
    let stderr = errors.join().unwrap_or_else(|_| Ok(Vec::new()))?;
    Ok(Output { status, stdout: reply.map_err(too_long)?, stderr })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_queue_says_of_a_job_is_that_it_runs_or_waits_or_nothing() {
        let of = |state: &str| queued(&format!("retile-x-1-0|7|{state}")).map(|(_, queued)| queued);
        assert_eq!(of("RUNNING"), Some(Queued::Running));
        assert_eq!(of("PENDING"), Some(Queued::Waiting));
        assert_eq!(of("TIMEOUT"), None);
        assert_eq!(queued("n|N/A|PENDING"), Some((("n".to_owned(), 0), Queued::Waiting)));
        assert_eq!(queued("n|7|RUNNING").unwrap().0, ("n".to_owned(), 7));
        assert_eq!(queued(""), None);
    }

    #[test]
    fn an_answer_without_an_end_is_cut_off_and_a_long_complaint_is_shortened() {
        let error = ask("sh", ["-c", "while :; do echo ppppppppppppppppppppppppppppppppppppppppp; done"]);
        assert!(error.unwrap_err().to_string().contains("it printed more than 64 MiB"));
        let refused = ask("sh", ["-c", "head -c 1000000 /dev/zero | tr '\\0' x >&2; exit 3"]);
        let text = refused.unwrap_err().to_string();
        assert!(text.contains("xxx") && text.len() < 1000, "{} bytes", text.len());
        assert_eq!(ask("sh", ["-c", "echo 7"]).unwrap(), "7\n");
    }

    #[test]
    fn a_state_that_is_no_failure_of_the_cluster_says_nothing() {
        assert_eq!(cause("CANCELLED by 1000"), Some(Cause::Cancelled));
        assert_eq!(cause("TIMEOUT"), Some(Cause::Time));
        assert_eq!((cause("COMPLETED"), cause("FAILED"), cause("")), (None, None, None));
    }
}
