//! Reading and writing memory that the other side of the boundary owns.

use super::raw;

/// Plain structs of the header: every byte pattern is a valid value, including all zeros, and there is no
/// padding. All except [`raw::Plugin`] begin with their `struct_size`.
///
/// # Safety
/// The type may contain only integers, floats, raw pointers and nullable functions, or structs and arrays of
/// these. It must have no padding.
pub(super) unsafe trait Plain: Copy {}

macro_rules! plain {
    ($($name:ident)+) => {
        $(
            // SAFETY: each is a struct of `raw` made of integers, floats, raw pointers and nullable
            // functions; `raw` asserts that none has padding.
            unsafe impl Plain for raw::$name {}
        )+
    };
}

plain!(Rules Position Decision Descriptor Host Plugin MoveValues ExtMoveValues Afterstate Tile ExtSpawner
    File ExtFiles TrainingDescriptor Trained Sink Source ExtTraining);

/// A struct of zeros, which the header defines to mean "nothing set".
pub(super) const fn zeroed<T: Plain>() -> T {
    // SAFETY: `Plain` says that all zeros are a value.
    unsafe { std::mem::zeroed() }
}

/// A struct of zeros except for its size. Not for [`raw::Plugin`], whose size is not at its beginning.
pub(super) const fn sized<T: Plain>() -> T {
    let mut value = zeroed::<T>();
    // SAFETY: `Plain` says that it begins with its size.
    unsafe { (&raw mut value).cast::<u32>().write(size_of::<T>() as u32) };
    value
}

/// Copies a foreign struct that begins with its size, or returns `None` for null. Fields beyond its size are
/// zero.
///
/// # Safety
/// `source` must be null or point to a struct that begins with its size, and has that many bytes.
pub(super) unsafe fn read_sized<T: Plain>(source: *const T) -> Option<T> {
    if source.is_null() {
        return None;
    }
    // SAFETY: the caller says that it begins with its size, and has that many bytes.
    Some(unsafe { read_prefix(source, source.cast::<u32>().read()) })
}

/// Copies as much of a foreign struct as both sides know; the rest reads as zero.
///
/// # Safety
/// `source` must point to at least `source_size` readable bytes, unless `source_size` is 0. It need not be
/// aligned.
pub(super) unsafe fn read_prefix<T: Plain>(source: *const T, source_size: u32) -> T {
    let mut local = zeroed::<T>();
    let size = size_of::<T>().min(source_size as usize);
    // SAFETY: the caller vouches for the source. The target is a local of `size_of::<T>()` bytes, so they do
    // not overlap. `Plain` guarantees that any copied bytes are a valid value.
    unsafe { std::ptr::copy_nonoverlapping(source.cast::<u8>(), (&raw mut local).cast::<u8>(), size) };
    local
}

/// Reads a foreign struct that begins with its size: in place if it is whole, as nearly always, and from a
/// copy of [`read_prefix`] if it is shorter than ours. Null reads as all zeros.
///
/// A copy would cost more than all else at the boundary: it loads in wide words what the other side has just
/// stored in narrow ones, and a processor waits for such stores to reach the cache.
///
/// # Safety
/// `source` must be null or point to an aligned struct that begins with its size. The struct must have that
/// many bytes, and must not change while `read` runs.
#[inline]
pub(super) unsafe fn with_sized<T: Plain, R>(source: *const T, read: impl FnOnce(&T) -> R) -> R {
    // SAFETY: the caller says that it is null or begins with its size.
    let size = if source.is_null() { 0 } else { unsafe { source.cast::<u32>().read() } };
    if size as usize >= size_of::<T>() {
        // SAFETY: it has as many bytes as it says, and `Plain` says that any bytes are a value.
        read(unsafe { &*source })
    } else {
        // SAFETY: it has as many bytes as its size field states, or 0 if it is null.
        read(&unsafe { read_prefix(source, size) })
    }
}

/// Reads one field of a struct that the other side has just written, by a load of its own.
///
/// Left to itself the compiler reads neighbours at once, by the wide loads that [`with_sized`] is there to
/// avoid.
#[inline(always)]
pub(super) fn read_field<T: Copy>(field: &T) -> T {
    // SAFETY: a reference can be read, and `Copy` allows reading it twice.
    unsafe { std::ptr::from_ref(field).read_volatile() }
}

/// Copies a struct into one of the other side's, no further than that one reaches, and keeps its
/// `struct_size`.
///
/// # Safety
/// `target` must point to an aligned struct that begins with its size and has that many writable bytes.
#[inline]
pub(super) unsafe fn write_prefix<T: Plain>(target: *mut T, mut value: T) {
    // SAFETY: the caller says that the struct begins with its size.
    let target_size = unsafe { target.cast::<u32>().read() };
    // SAFETY: ours has the same type, so it also begins with its size.
    unsafe { (&raw mut value).cast::<u32>().write(target_size) };
    if target_size as usize >= size_of::<T>() {
        // SAFETY: the caller vouches for as many bytes as the target says.
        unsafe { target.write(value) };
    } else {
        // SAFETY: the target has as many bytes as its size field states, which is fewer than ours.
        unsafe { write_short(target, &value, target_size as usize) };
    }
}

/// The rare part of [`write_prefix`], kept apart so that the other stays a handful of stores.
///
/// # Safety
/// `target` must have `size` writable bytes, fewer than `T` has.
#[cold]
#[inline(never)]
unsafe fn write_short<T: Plain>(target: *mut T, value: &T, size: usize) {
    // SAFETY: the caller vouches for the target. `value` is a local of `write_prefix`, so the two do not
    // overlap, and it has no padding.
    unsafe {
        std::ptr::copy_nonoverlapping(std::ptr::from_ref(value).cast::<u8>(), target.cast::<u8>(), size)
    };
}

impl raw::Str {
    /// A text for the other side, which must not use it after this one ends.
    pub(super) const fn of(text: &str) -> Self {
        Self { data: text.as_ptr(), len: text.len() as u64 }
    }

    /// The bytes of the other side's text; `None` if there are more than `limit`, or a length without data.
    ///
    /// # Safety
    /// For as long as `'a`, `data` must be null or point to `len` readable bytes that nothing writes to.
    /// `limit` must not exceed [`isize::MAX`].
    pub(super) unsafe fn bytes<'a>(self, limit: usize) -> Option<&'a [u8]> {
        if self.len == 0 {
            return Some(&[]);
        }
        let len = usize::try_from(self.len).ok().filter(|&len| len <= limit)?;
        // SAFETY: the caller vouches for data, len and limit; null is refused here.
        (!self.data.is_null()).then(|| unsafe { std::slice::from_raw_parts(self.data, len) })
    }
}

/// Writes as much of a message as fits into the caller's text, cut at a character.
///
/// # Safety
/// `text` must be null or point to a text that nothing else uses during the call. Its `data` must be null or
/// have `capacity` writable bytes.
pub(super) unsafe fn write_text(text: *mut raw::Text, message: &str) {
    // SAFETY: the caller says that it is null or a text of theirs.
    let Some(text) = (unsafe { text.as_mut() }) else { return };
    let capacity = usize::try_from(text.capacity).unwrap_or(usize::MAX);
    let len = message.floor_char_boundary(capacity);
    if !text.data.is_null() {
        // SAFETY: `len` is at most the capacity that the caller vouches for.
        unsafe { std::ptr::copy_nonoverlapping(message.as_ptr(), text.data, len) };
        text.len = len as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shorter_struct_reads_with_zeros_behind_it() {
        let rules = raw::Rules { four_numerator: 1, start_board: 7, ..zeroed() };
        // SAFETY: the source is larger than what is read of it.
        let read = unsafe { read_prefix(&raw const rules, 48) };
        assert_eq!((read.four_numerator, read.start_board), (1, 0));
        // SAFETY: sizes beyond ours are cut to ours.
        let read = unsafe { read_prefix(&raw const rules, 4000) };
        assert_eq!(read.start_board, 7);
    }

    #[test]
    fn nothing_is_written_behind_a_shorter_struct() {
        let mut target = raw::Decision { struct_size: 32, value: 1.5, ..zeroed() };
        let ours = raw::Decision { struct_size: 40, direction: 3, value: 9.0, ..zeroed() };
        // SAFETY: the target has 40 bytes, and says 32.
        unsafe { write_prefix(&raw mut target, ours) };
        assert_eq!((target.struct_size, target.direction, target.value), (32, 3, 1.5));
    }

    #[test]
    fn a_message_is_cut_at_a_character() {
        let mut bytes = [0; 4];
        let mut text = raw::Text { data: bytes.as_mut_ptr(), capacity: 4, len: 0 };
        // SAFETY: the text has room for four bytes.
        unsafe { write_text(&raw mut text, "abcé") };
        assert_eq!((text.len, &bytes), (3, b"abc\0"));
    }

    #[test]
    fn a_length_without_data_or_beyond_the_limit_is_no_text() {
        let null = raw::Str { data: std::ptr::null(), len: 3 };
        // SAFETY: null is allowed.
        assert_eq!(unsafe { null.bytes(10) }, None);
        // SAFETY: the text is ours.
        assert_eq!(unsafe { raw::Str::of("long").bytes(3) }, None);
        // SAFETY: as above.
        assert_eq!(unsafe { raw::Str::of("long").bytes(4) }, Some(&b"long"[..]));
    }
}
