//! Lines from a pipe, with a limit on their length and a timeout.

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use crate::pipe::Pipe;

/// The most bytes of a line.
pub(super) const LONGEST: usize = 1 << 20;

/// A pipe that is read line by line.
pub(super) struct Lines<R> {
    pipe: Pipe<R>,
}

/// The outcome of waiting for a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// A line, without its end.
    Text(&'a [u8]),
    /// None came in time.
    Late,
    /// More than a line may have.
    TooLong,
    /// The other side closed its end; an unfinished line is dropped.
    Closed,
}

impl<R: Read + AsFd> Lines<R> {
    pub(super) fn new(from: R) -> Self {
        Self { pipe: Pipe::new(from) }
    }

    /// The next line, within the limit if there is one.
    pub(super) fn next(&mut self, limit: Option<Duration>) -> io::Result<Line<'_>> {
        let deadline = limit.map(|limit| Instant::now() + limit);
        let mut searched = 0;
        loop {
            let here = self.pipe.here();
            if let Some(length) = memchr::memchr(b'\n', &here[searched..]) {
                let end = searched + length;
                return Ok(Line::Text(&self.pipe.take(end + 1)[..end]));
            }
            if here.len() > LONGEST {
                return Ok(Line::TooLong);
            }
            searched = here.len();
            if let Some(deadline) = deadline
                && !self.pipe.wait(deadline)?
            {
                return Ok(Line::Late);
            }
            if self.pipe.fill()? == 0 {
                return Ok(Line::Closed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    const SOON: Option<Duration> = Some(Duration::from_millis(20));

    #[test]
    fn lines_come_whole_late_too_long_or_not_at_all() {
        let (read, mut write) = io::pipe().unwrap();
        let mut lines = Lines::new(read);
        assert_eq!(lines.next(SOON).unwrap(), Line::Late);
        write.write_all(b"one\ntwo\nthr").unwrap();
        assert_eq!(lines.next(SOON).unwrap(), Line::Text(b"one"));
        assert_eq!(lines.next(None).unwrap(), Line::Text(b"two"));
        assert_eq!(lines.next(SOON).unwrap(), Line::Late);
        write.write_all(b"ee\n").unwrap();
        assert_eq!(lines.next(SOON).unwrap(), Line::Text(b"three"));
        let writer = std::thread::spawn(move || {
            let _ = write.write_all(&vec![b'x'; 2 * LONGEST]);
        });
        assert_eq!(lines.next(None).unwrap(), Line::TooLong);
        drop(lines);
        writer.join().unwrap();
    }

    #[test]
    fn an_unfinished_line_is_dropped() {
        let (read, mut write) = io::pipe().unwrap();
        write.write_all(b"half").unwrap();
        drop(write);
        assert_eq!(Lines::new(read).next(None).unwrap(), Line::Closed);
    }
}
