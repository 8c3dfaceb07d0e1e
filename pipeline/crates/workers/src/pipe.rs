//! The reading end of a pipe, with a buffer and a deadline.

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// The room for the next read.
const CHUNK: usize = 64 * 1024;

/// The outcome of waiting for a message.
#[derive(Debug, PartialEq, Eq)]
pub enum Incoming<T> {
    /// A message.
    Message(T),
    /// None came in time.
    Late,
    /// The other side closed its end; an unfinished message is dropped.
    Closed,
}

/// The reading end of a pipe.
pub(crate) struct Pipe<R> {
    from: R,
    /// `buffer[taken..filled]` was read and not taken; the rest is room.
    buffer: Vec<u8>,
    taken: usize,
    filled: usize,
}

impl<R: Read + AsFd> Pipe<R> {
    pub(crate) fn new(from: R) -> Self {
        Self { from, buffer: Vec::new(), taken: 0, filled: 0 }
    }

    /// Waits for the next message until the deadline, or for ever without one. From what was read and not
    /// taken, `parse` returns the message and the bytes that it takes; `None` if it is not complete.
    pub(crate) fn next<T>(
        &mut self,
        deadline: Option<Instant>,
        mut parse: impl FnMut(&[u8]) -> io::Result<Option<(T, usize)>>,
    ) -> io::Result<Incoming<T>> {
        loop {
            if let Some((message, length)) = parse(&self.buffer[self.taken..self.filled])? {
                self.taken += length;
                return Ok(Incoming::Message(message));
            }
            if let Some(deadline) = deadline
                && !self.wait(deadline)?
            {
                return Ok(Incoming::Late);
            }
            if self.fill()? == 0 {
                return Ok(Incoming::Closed);
            }
        }
    }

    /// Waits for something to read or the end of the pipe; false if the deadline comes first.
    fn wait(&self, deadline: Instant) -> io::Result<bool> {
        loop {
            let timeout = timespec(deadline.saturating_duration_since(Instant::now()));
            match poll(&mut [PollFd::new(&self.from, PollFlags::IN)], Some(&timeout)) {
                Ok(0) => return Ok(false),
                Ok(_) => return Ok(true),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Reads up to a chunk, and waits if there is nothing; 0 bytes are the end.
    fn fill(&mut self) -> io::Result<usize> {
        self.buffer.copy_within(self.taken..self.filled, 0);
        self.filled -= self.taken;
        self.taken = 0;
        if self.buffer.len() < self.filled + CHUNK {
            self.buffer.resize(self.filled + CHUNK, 0);
        }
        let read = loop {
            match self.from.read(&mut self.buffer[self.filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.filled += read;
        Ok(read)
    }
}

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: duration.subsec_nanos().into(),
    }
}
