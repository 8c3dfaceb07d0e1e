//! The script of an array, which Slurm starts for each shard.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use crate::{Request, WorkFolder};

/// The script of a round. Its first argument is the place of the array's first shard in the round's list. It
/// replaces itself by the program, so that the scheduler's signals reach the program and nothing else.
pub fn script(folder: &WorkFolder, request: &Request, name: &str, round: u32) -> String {
    let Request { cores, limit_seconds, warning_seconds, options, .. } = request;
    let log = format!("{}/%A_%a.log", pattern(text_of(folder.logs().path())));
    let minutes = limit_seconds.div_ceil(60).max(1);
    let mut text = "#!/bin/bash\n".to_owned();
    let mut ask = |option: String| {
        let _ = writeln!(text, "#SBATCH {option}");
    };
    ask(format!("--job-name={name}"));
    ask(format!("--cpus-per-task={cores}"));
    if let Some(memory) = request.memory_mib() {
        ask(format!("--mem={memory}M"));
    }
    ask(format!("--time={minutes}"));
    ask(format!("--signal=B:USR1@{warning_seconds}"));
    ask("--requeue".to_owned());
    ask("--open-mode=append".to_owned());
    ask(quoted_option(&format!("--output={log}")));
    options.iter().for_each(|option| ask(quoted_option(option)));
    let [program, root] = [folder.program().path(), folder.root().path()].map(|path| shell(text_of(path)));
    // Slurm ends a job by a signal to all of its processes: agents that it reached first would seem to have
    // crashed. Rows are stored one by one, so the kill that follows costs nothing else.
    text.push_str("trap '' TERM INT HUP\n");
    let _ =
        writeln!(text, "exec {program} cluster work {root} {round} $(( ${{1:-0}} + SLURM_ARRAY_TASK_ID ))");
    text
}

/// How long before the limit Slurm sends its warning: long enough to finish the game in progress, and at most
/// half of the time.
pub fn warning(limit: Duration, game: Duration) -> Duration {
    /// Slurm looks at limits about once in half a minute.
    const LEAST: Duration = Duration::from_secs(60);
    (LEAST + game * 2).min(limit / 2).max(Duration::from_secs(1))
}

/// A path below the work folder, which has already been checked to be UTF-8.
pub fn text_of(path: &Path) -> &str {
    path.to_str().unwrap_or_default()
}

/// Escapes a folder for a name in which Slurm replaces letters after `%`.
fn pattern(folder: &str) -> String {
    folder.replace('%', "%%")
}

/// Whether a text can be an `sbatch` option, on a line of its own.
pub fn is_option(text: &str) -> bool {
    text.starts_with('-') && !text.contains(char::is_control)
}

/// An option as one word of an `#SBATCH` line, which Slurm parses, not a shell. Blanks end a word. `#` begins
/// a comment; in old versions, even between quotes. A backslash escapes the next letter.
fn quoted_option(option: &str) -> String {
    let is_special = |letter: char| letter.is_whitespace() || "'\"\\#".contains(letter);
    if !option.contains(is_special) {
        return option.to_owned();
    }
    let escaped =
        |letter: char| if "\"\\#".contains(letter) { format!("\\{letter}") } else { letter.to_string() };
    format!("\"{}\"", option.chars().map(escaped).collect::<String>())
}

/// A text as one word of a shell command.
pub fn shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::ConfinedPath;

    fn request() -> Request {
        let options = ["--partition=long", "--comment=two words"].map(str::to_owned).to_vec();
        let (limit_seconds, warning_seconds) = (601, 90);
        Request { cores: 2, agent_mib: 1024, limit_seconds, warning_seconds, at_most: Some(5), options }
    }

    #[test]
    fn the_script_asks_for_what_a_shard_needs_and_becomes_the_program() {
        let folder = WorkFolder::new(ConfinedPath::root("/home/a b/50%/results/.cluster"));
        let text = script(&folder, &request(), "retile-x-1-0", 1);
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
             #SBATCH \"--output=/home/a b/50%%/results/.cluster/logs/%A_%a.log\"\n\
             #SBATCH --partition=long\n\
             #SBATCH \"--comment=two words\"\n\
             trap '' TERM INT HUP\n\
             exec '/home/a b/50%/results/.cluster/program/pipeline' cluster work '/home/a b/50%/results/.cluster' 1 \
             $(( ${1:-0} + SLURM_ARRAY_TASK_ID ))\n"
        );
        let unlimited = Request { agent_mib: 0, ..request() };
        let text = script(&WorkFolder::new(ConfinedPath::root("/it's")), &unlimited, "n", 2);
        assert!(!text.contains("--mem="), "{text}");
        assert!(
            text.ends_with("cluster work '/it'\\''s' 2 $(( ${1:-0} + SLURM_ARRAY_TASK_ID ))\n"),
            "{text}"
        );
    }

    /// Names that a shell or Slurm could misread.
    const HOSTILE: [&str; 16] = [
        "it's",
        "\"a\" 'b'",
        "$(touch PWNED)",
        "`touch PWNED`",
        "a;touch PWNED",
        "a && touch PWNED",
        "100%j%%A",
        "#SBATCH --wrap=x",
        "a # b",
        "  blanks  ",
        "a\tb",
        "-x",
        "--help",
        "* ? [a-z] ~",
        "$HOME ${PATH} !!",
        "\\'\"\\",
    ];

    #[test]
    fn a_shell_takes_every_text_for_one_word_and_runs_none_of_it() {
        let folder = tempfile::tempdir().unwrap();
        for shell_program in ["sh", "bash"] {
            let words: Vec<String> = HOSTILE.iter().map(|text| shell(text)).collect();
            let script = format!("printf '%s\\n' {}", words.join(" "));
            let mut command = std::process::Command::new(shell_program);
            let ran = command.args(["-c", &script]).current_dir(folder.path()).output().unwrap();
            let printed = String::from_utf8(ran.stdout).unwrap();
            assert_eq!(printed.lines().collect::<Vec<_>>(), HOSTILE, "{shell_program}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was run");
    }

    /// The first word of an `#SBATCH` line, as Slurm's own `_get_argument` reads it. Old versions end it at
    /// every bare `#`.
    fn first_word(line: &str, is_old: bool) -> String {
        let (mut word, mut quote, mut is_escaped) = (String::new(), None, false);
        for letter in line.chars() {
            match letter {
                _ if is_escaped => is_escaped = false,
                '\\' => {
                    is_escaped = true;
                    continue;
                }
                '#' if is_old || quote.is_none() => break,
                letter if quote == Some(letter) => {
                    quote = None;
                    continue;
                }
                '"' | '\'' if quote.is_none() && (letter == '"' || !is_old) => {
                    quote = Some(letter);
                    continue;
                }
                letter if quote.is_none() && letter.is_whitespace() => break,
                _ => {}
            }
            word.push(letter);
        }
        assert_eq!(quote, None, "{line}");
        word
    }

    #[test]
    fn slurm_takes_every_option_for_one_word() {
        for text in HOSTILE {
            let option = format!("--comment={text}");
            for is_old in [false, true] {
                assert_eq!(first_word(&quoted_option(&option), is_old), option, "{}", quoted_option(&option));
            }
        }
        assert_eq!(pattern("/100%/%A"), "/100%%/%%A");
    }

    #[test]
    fn a_folder_whose_path_cannot_stand_in_a_script_is_refused() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;
        let wrong: [(&[u8], &str); 5] = [
            (b"/nl\ntouch PWNED\nx", "control character"),
            (b"/a\rb", "control character"),
            (b"/tab\t", "control character"),
            (b"/\xff", "not UTF-8"),
            (b"/back\\slash", "a backslash"),
        ];
        for (path, words) in wrong {
            let told =
                WorkFolder::for_scripts(ConfinedPath::root(OsStr::from_bytes(path))).unwrap_err().to_string();
            assert!(told.contains(words) && !told.contains('\n'), "{told}");
        }
        let plain = HOSTILE.iter().filter(|text| !text.contains(['\t', '\\']));
        plain.for_each(|text| {
            assert!(WorkFolder::for_scripts(ConfinedPath::root(format!("/{text}"))).is_ok(), "{text}")
        });
    }

    #[test]
    fn the_warning_leaves_time_for_a_game_and_no_more_than_half_of_all() {
        let seconds = Duration::from_secs;
        assert_eq!(warning(seconds(3600), seconds(10)), seconds(80));
        assert_eq!(warning(seconds(60), seconds(10)), seconds(30));
        assert_eq!(warning(seconds(600), seconds(1000)), seconds(300));
    }
}
