//! The script of an array: what a scheduler starts for each shard.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use super::submission::{Request, Submission};
use super::workplace::Workplace;

/// What each element of an array does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element<'a> {
    /// It plays the shard whose place in the round's list is the element's number, and the script's first argument added to it.
    Shard {
        /// The round.
        round: u32,
    },
    /// It plays a part of the next batches of a study.
    Study {
        /// The study, as `paper/study`.
        study: &'a str,
        /// Of how many parts.
        parts: u64,
    },
}

/// The script. It replaces itself by the program, so that the scheduler's signals reach that, and nothing else.
#[must_use]
pub fn script(workplace: &Workplace, request: &Request, name: &str, element: Element<'_>) -> String {
    let Request { cores, limit_seconds, warning_seconds, options, .. } = request;
    let log = pattern(workplace.logs().join("%A_%a.log").path());
    let minutes = limit_seconds.div_ceil(60).max(1);
    let mut text = "#!/bin/bash\n".to_owned();
    let mut ask = |option: String| {
        let _ = writeln!(text, "#SBATCH {option}");
    };
    ask(format!("--job-name={name}"));
    ask(format!("--cpus-per-task={cores}"));
    if let Some(memory) = Submission::memory_mib(request) {
        ask(format!("--mem={memory}M"));
    }
    ask(format!("--time={minutes}"));
    ask(format!("--signal=B:USR1@{warning_seconds}"));
    ask("--requeue".to_owned());
    ask("--open-mode=append".to_owned());
    ask(format!("--output={log}"));
    options.iter().for_each(|option| ask(quoted_option(option)));
    let (program, root) = (shell(workplace.program().path()), shell(workplace.root().path()));
    let call = match element {
        Element::Shard { round } => {
            format!("cluster work {root} {round} $(( ${{1:-0}} + SLURM_ARRAY_TASK_ID ))")
        }
        Element::Study { study, parts } => {
            let memory = request.agent_mib;
            format!(
                "cluster work-study {root} {study} $(( SLURM_ARRAY_TASK_ID + 1 ))/{parts} --memory {memory}"
            )
        }
    };
    // Slurm ends a job by a signal to all of its processes: agents that it reached first would seem to have crashed. What is played is written
    // down game by game, so that the kill that follows costs nothing else.
    text.push_str("trap '' TERM INT HUP\n");
    let _ = writeln!(text, "exec {program} {call}");
    text
}

/// How long before the limit the scheduler is to say so: long enough for the game in progress to come to its end, and at most half of
/// the time.
#[must_use]
pub fn warning(limit: Duration, game: Duration) -> Duration {
    /// Slurm looks at limits about once in half a minute.
    const LEAST: Duration = Duration::from_secs(60);
    (LEAST + game * 2).min(limit / 2).max(Duration::from_secs(1))
}

/// A path in which the letters that Slurm replaces stand for themselves, but those of the log's own name.
fn pattern(log: &Path) -> String {
    let text = log.display().to_string();
    let (folder, name) = text.rsplit_once('/').unwrap_or(("", &text));
    quoted_option(&format!("{}/{name}", folder.replace('%', "%%")))
}

/// An option as a line of a script has it: blanks would end it.
fn quoted_option(option: &str) -> String {
    match option.contains(|letter: char| letter.is_whitespace() || "'\"\\#".contains(letter)) {
        true => format!("\"{}\"", option.replace('\\', "\\\\").replace('"', "\\\"")),
        false => option.to_owned(),
    }
}

/// A path as one word of a shell.
pub(crate) fn shell(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use surroundings::confined::ConfinedPath;

    fn request() -> Request {
        Request {
            cores: 2,
            agent_mib: 1024,
            limit_seconds: 601,
            warning_seconds: 90,
            at_most: Some(5),
            options: vec!["--partition=long".to_owned(), "--comment=two words".to_owned()],
        }
    }

    #[test]
    fn the_script_asks_for_what_a_shard_needs_and_becomes_the_program() {
        let workplace = Workplace::new(ConfinedPath::root("/home/a b/50%/results/.cluster"));
        let text = script(&workplace, &request(), "retile-x-1-0", Element::Shard { round: 1 });
        assert_eq!(
            text,
            "#!/bin/bash\n\
             #SBATCH --job-name=retile-x-1-0\n\
             #SBATCH --cpus-per-task=2\n\
             #SBATCH --mem=2560M\n\
             #SBATCH --time=11\n\
             #SBATCH --signal=B:USR1@90\n\
             #SBATCH --requeue\n\
             #SBATCH --open-mode=append\n\
             #SBATCH --output=\"/home/a b/50%%/results/.cluster/logs/%A_%a.log\"\n\
             #SBATCH --partition=long\n\
             #SBATCH \"--comment=two words\"\n\
             trap '' TERM INT HUP\n\
             exec '/home/a b/50%/results/.cluster/program/pipeline' cluster work '/home/a b/50%/results/.cluster' 1 \
             $(( ${1:-0} + SLURM_ARRAY_TASK_ID ))\n"
        );
        let unlimited = Request { agent_mib: 0, ..request() };
        let study = Element::Study { study: "p/s", parts: 3 };
        let text = script(&Workplace::new(ConfinedPath::root("/it's")), &unlimited, "n", study);
        assert!(!text.contains("--mem="), "{text}");
        assert!(
            text.ends_with(
                "cluster work-study '/it'\\''s' p/s $(( SLURM_ARRAY_TASK_ID + 1 ))/3 --memory 0\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn the_warning_leaves_time_for_a_game_and_no_more_than_half_of_all() {
        let seconds = Duration::from_secs;
        assert_eq!(warning(seconds(3600), seconds(10)), seconds(80));
        assert_eq!(warning(seconds(60), seconds(10)), seconds(30));
        assert_eq!(warning(seconds(600), seconds(1000)), seconds(300));
    }
}
