//! Turns a polars panic on corrupt input into an error.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

use polars::error::PolarsResult;

use jobs::StoreError;
use platform::ConfinedPath;

/// Runs `decode`, reporting both its errors and its panics as errors of `path`.
///
/// Needs `panic = "unwind"`. Whatever `decode` borrows mutably must be thrown
/// away or be valid at any point: here that is only a file handle.
pub(super) fn guarded<T>(
    path: &ConfinedPath,
    action: &'static str,
    decode: impl FnOnce() -> PolarsResult<T>,
) -> Result<T, StoreError> {
    let quiet = Quiet::begin();
    let decoded = catch_unwind(AssertUnwindSafe(decode));
    drop(quiet);
    decoded
        .map_err(|payload| StoreError::Corrupt {
            path: path.to_owned(),
            action,
            panic: message(payload.as_ref()),
        })?
        .map_err(StoreError::parquet(path, action))
}

/// While this is there, a panic of this thread, or of those that decode for it, is told by nobody but the
/// error it becomes.
struct Quiet;

thread_local! {
    /// How many guards this thread is under.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// How many guards there are in all threads.
static GUARDS: AtomicU32 = AtomicU32::new(0);

impl Quiet {
    fn begin() -> Self {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let tell = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                if !is_guarded() {
                    tell(panic);
                }
            }));
        });
        DEPTH.set(DEPTH.get() + 1);
        GUARDS.fetch_add(1, Ordering::Relaxed);
        Self
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
        GUARDS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Whether a panic of this thread will be caught above. Polars has threads of its own, known by their name,
/// and hands their panics on to the thread that waits for them.
fn is_guarded() -> bool {
    let is_of_polars = || std::thread::current().name().is_some_and(|name| name.starts_with("polars"));
    DEPTH.get() > 0 || (GUARDS.load(Ordering::Relaxed) > 0 && is_of_polars())
}

fn message(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "panic without a message".to_owned()
    }
}
