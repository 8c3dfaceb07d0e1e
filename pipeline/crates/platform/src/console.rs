//! Standard output and standard error. Whoever reads them may be gone at any time: a pipe to `head`, a
//! terminal whose connection broke. That is no error of a command, and never a reason to lose games, so
//! nothing else prints; the lints of this crate forbid the macros that panic where nobody listens.

use std::borrow::Cow;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, IsTerminal, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::fs::FileTypeExt as _;

use crate::plain;

/// Whether what is written there may be set off: it is a terminal, and `NO_COLOR` is not set.
pub fn is_coloured(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// A text without anything that would command the terminal it goes to, our own colours aside.
fn harmless<'a>(text: &'a str, stream: &impl IsTerminal) -> Cow<'a, str> {
    if is_coloured(stream) { plain::screen(text) } else { plain::text(text) }
}

/// Writes a line to standard error. Where nobody reads it, it is lost, and all else goes on.
pub fn note(line: impl Display) {
    let stderr = io::stderr();
    let line = format!("{line}\n");
    // In one piece: other threads, and other processes, write there too.
    let _ = stderr.lock().write_all(harmless(&line, &stderr).as_bytes());
}

/// Writes a text to standard output. A reader that has seen enough, such as `head`, is no error, and neither
/// is a terminal that is gone.
pub fn print(text: &str) -> io::Result<()> {
    let stdout = io::stdout();
    let text = harmless(text, &stdout);
    let mut out = stdout.lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe || is_hung_up(&error) => Ok(()),
        written => written,
    }
}

/// Whether an error says that the terminal behind standard output is gone. The same of a file is a fault of
/// the disk.
fn is_hung_up(error: &io::Error) -> bool {
    let is_terminal = || -> io::Result<bool> {
        let out = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        Ok(out.metadata()?.file_type().is_char_device())
    };
    error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error()) && is_terminal().unwrap_or(false)
}
