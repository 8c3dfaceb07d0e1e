//! The end of a process's standard error, which is read all the time.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How many bytes are kept: enough for a long stack trace.
const KEPT_STDERR: usize = 16 << 10;

/// The end of a process's standard error. It is read all the time, so that no amount of it blocks the
/// process.
pub(crate) struct StderrTail {
    kept: Arc<Mutex<VecDeque<u8>>>,
    reader: Option<JoinHandle<()>>,
}

impl StderrTail {
    pub(crate) fn collect(from: impl Read + Send + 'static) -> Self {
        Self::forward(from, io::sink())
    }

    /// The same, and copies everything to `to`.
    pub(crate) fn forward(mut from: impl Read + Send + 'static, mut to: impl Write + Send + 'static) -> Self {
        let kept = Arc::new(Mutex::new(VecDeque::new()));
        let shared = Arc::clone(&kept);
        let reader = std::thread::spawn(move || {
            let mut chunk = [0; 8192];
            while let Ok(read @ 1..) = from.read(&mut chunk) {
                let _ = to.write_all(&chunk[..read]);
                let mut kept = shared.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(&chunk[..read]);
                let surplus = kept.len().saturating_sub(KEPT_STDERR);
                kept.drain(..surplus);
            }
        });
        Self { kept, reader: Some(reader) }
    }

    /// Waits briefly until everything is read: a process that left the ended group may hold the pipe open.
    pub(crate) fn join(&mut self) {
        let deadline = Instant::now() + Duration::from_millis(200);
        while self.reader.as_ref().is_some_and(|reader| !reader.is_finished()) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.reader = None;
    }

    pub(crate) fn text(&self) -> String {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Takes what was written before a mark, and the mark. If no mark comes in time, takes everything.
    pub(crate) fn take_until(&mut self, mark: &[u8], timeout: Duration) -> String {
        let deadline = Instant::now() + timeout;
        loop {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            let place = kept.make_contiguous().windows(mark.len()).position(|bytes| bytes == mark);
            if let Some(place) = place {
                let bytes: Vec<u8> = kept.drain(..place + mark.len()).take(place).collect();
                return String::from_utf8_lossy(&bytes).into_owned();
            }
            drop(kept);
            if Instant::now() >= deadline {
                let text = self.text();
                self.kept.lock().unwrap_or_else(PoisonError::into_inner).clear();
                return text;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn what_stands_before_a_mark_is_told_from_what_comes_after_it() {
        let mut tail = StderrTail::collect(Cursor::new(b"one\ntwo\n<MARK>three\n".to_vec()));
        assert_eq!(tail.take_until(b"<MARK>", Duration::from_secs(60)), "one\ntwo\n");
        assert_eq!(tail.take_until(b"<MARK>", Duration::from_millis(5)), "three\n");
        assert_eq!(tail.text(), "");
    }
}
