//! The reading end of a pipe, with a buffer and a deadline.

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// The room for the next read.
const CHUNK: usize = 64 * 1024;

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

    /// What was read and not taken.
    pub(crate) fn here(&self) -> &[u8] {
        &self.buffer[self.taken..self.filled]
    }

    /// Takes the first bytes of what is here.
    pub(crate) fn take(&mut self, count: usize) -> &[u8] {
        let start = self.taken;
        self.taken += count;
        &self.buffer[start..self.taken]
    }

    /// Waits for something to read or the end of the pipe; false if the deadline comes first.
    pub(crate) fn wait(&self, deadline: Instant) -> io::Result<bool> {
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
    pub(crate) fn fill(&mut self) -> io::Result<usize> {
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
