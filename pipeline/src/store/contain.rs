//! Turns a polars panic on corrupt input into an error.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use polars::error::PolarsResult;

use super::error::StoreError;

/// Runs `decode`, reporting both its errors and its panics as errors of `path`.
///
/// Needs `panic = "unwind"`. Whatever `decode` borrows mutably must be thrown
/// away or be valid at any point: here that is only a file handle.
pub(super) fn contained<T>(
    path: &Path,
    action: &'static str,
    decode: impl FnOnce() -> PolarsResult<T>,
) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(decode))
        .map_err(|payload| StoreError::Corrupt {
            path: path.to_owned(),
            action,
            panic: message(payload.as_ref()),
        })?
        .map_err(StoreError::parquet(path, action))
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
