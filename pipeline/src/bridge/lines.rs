//! Lines from a pipe: bounded in length, and waited for no longer than asked.

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// The most bytes of a line.
pub(super) const LONGEST: usize = 1 << 20;

/// A pipe that is read line by line.
pub(super) struct Lines<R> {
    from: R,
    /// What has been read and not handed out is `buffer[taken..filled]`; the rest is room.
    buffer: Vec<u8>,
    taken: usize,
    filled: usize,
}

/// What came of waiting for a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// A line, without its end.
    Text(&'a [u8]),
    /// None came in time.
    Late,
    /// More than a line may have.
    TooLong,
    /// The other side has closed its end; what it left unfinished is dropped.
    Closed,
}

impl<R: Read + AsFd> Lines<R> {
    pub(super) fn new(from: R) -> Self {
        Self { from, buffer: vec![0; 4096], taken: 0, filled: 0 }
    }

    /// The next line. Without a limit it is waited for as long as it takes.
    pub(super) fn next(&mut self, limit: Option<Duration>) -> io::Result<Line<'_>> {
        let deadline = limit.map(|limit| Instant::now() + limit);
        let mut searched = self.taken;
        loop {
            let rest = &self.buffer[searched..self.filled];
            if let Some(length) = memchr::memchr(b'\n', rest) {
                let (start, end) = (self.taken, searched + length);
                self.taken = end + 1;
                return Ok(Line::Text(&self.buffer[start..end]));
            }
            if self.filled - self.taken > LONGEST {
                return Ok(Line::TooLong);
            }
            if deadline.is_some_and(|deadline| !self.is_ready(deadline)) {
                return Ok(Line::Late);
            }
            self.make_room();
            searched = self.filled;
            match self.from.read(&mut self.buffer[self.filled..]) {
                Ok(0) => return Ok(Line::Closed),
                Ok(read) => self.filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn make_room(&mut self) {
        self.buffer.copy_within(self.taken..self.filled, 0);
        self.filled -= self.taken;
        self.taken = 0;
        if self.filled == self.buffer.len() {
            self.buffer.resize(2 * self.buffer.len(), 0);
        }
    }

    /// Whether there is something to read before the deadline.
    fn is_ready(&self, deadline: Instant) -> bool {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let timeout = Timespec {
                tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
                tv_nsec: left.subsec_nanos().into(),
            };
            match poll(&mut [PollFd::new(&self.from, PollFlags::IN)], Some(&timeout)) {
                Ok(0) => return false,
                Err(rustix::io::Errno::INTR) => {}
                _ => return true,
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
    fn an_unfinished_line_is_none() {
        let (read, mut write) = io::pipe().unwrap();
        write.write_all(b"half").unwrap();
        drop(write);
        assert_eq!(Lines::new(read).next(None).unwrap(), Line::Closed);
    }
}
