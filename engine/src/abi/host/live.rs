//! A live agent or training of a plugin: its handle, the room for its error messages, and its end.

use std::ffi::c_void;

use super::callbacks::HostContext;
use super::error::{CreateError, PlayError};
use crate::abi::raw;

/// The room for an error message.
const ERROR_CAPACITY: usize = 1024;

/// A handle that a plugin gave out. Raw pointers keep it in the thread that created it.
pub(super) struct Live {
    handle: *mut c_void,
    destroy: raw::DestroyFn,
    error: ErrorText,
    /// Where the plugin's host pointer leads. It outlives the handle, which `drop` ends before any field is
    /// dropped.
    _context: HostContext,
}

impl Live {
    /// Calls a `create` of the plugin with a host, a text for its error and a place for the handle.
    ///
    /// # Safety
    /// `create` must be called as the header specifies, and `destroy` must end what it creates.
    pub(super) unsafe fn create(
        what: &str,
        context: HostContext,
        destroy: raw::DestroyFn,
        create: impl FnOnce(*const raw::Host, *mut raw::Text, *mut *mut c_void) -> i32,
    ) -> Result<Self, CreateError> {
        let (mut error, mut handle) = (ErrorText::new(), std::ptr::null_mut());
        match create(context.table(), error.reset(), &raw mut handle) {
            raw::status::OK if handle.is_null() => {
                Err(CreateError::Broken(format!("create returned OK without {what}")))
            }
            raw::status::OK => Ok(Self { handle, destroy, error, _context: context }),
            status => Err(CreateError::of_status(status, error.text())),
        }
    }

    /// Calls a function on the handle, with a text for its error.
    #[inline]
    pub(super) fn call(
        &mut self,
        function: impl FnOnce(*mut c_void, *mut raw::Text) -> i32,
    ) -> Result<(), PlayError> {
        match function(self.handle, self.error.reset()) {
            raw::status::OK => Ok(()),
            status => Err(self.fault(status)),
        }
    }

    #[cold]
    fn fault(&self, status: i32) -> PlayError {
        PlayError::of_status(status, self.error.text())
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        // SAFETY: the handle is live, and this is the only place that ends it.
        unsafe { (self.destroy)(self.handle) };
    }
}

/// Room for error messages, kept between calls so that no move allocates any.
struct ErrorText {
    bytes: Box<[u8; ERROR_CAPACITY]>,
    text: raw::Text,
}

impl ErrorText {
    fn new() -> Self {
        let text = raw::Text { data: std::ptr::null_mut(), capacity: 0, len: 0 };
        Self { bytes: Box::new([0; ERROR_CAPACITY]), text }
    }

    /// Empties the text, for one call.
    fn reset(&mut self) -> *mut raw::Text {
        self.text = raw::Text { data: self.bytes.as_mut_ptr(), capacity: ERROR_CAPACITY as u64, len: 0 };
        &raw mut self.text
    }

    fn text(&self) -> String {
        let len = usize::try_from(self.text.len).unwrap_or(usize::MAX).min(ERROR_CAPACITY);
        let text = String::from_utf8_lossy(&self.bytes[..len]).into_owned();
        if text.is_empty() { "without a message".to_owned() } else { text }
    }
}
