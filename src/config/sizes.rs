//! The sizes at which documents are read in another way. Users cannot configure them. Tests pass
//! small sizes, so that short texts are read in the ways of long texts.

/// Sizes in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Objects and arrays of a JSON document begin a new segment after this many bytes.
    pub json_segment: usize,
    /// Minimum length of a line or fence in which an edit reads only a part of it.
    pub long_text: usize,
    /// Minimum length of the parts in which a long log is read.
    pub log_part: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Self { json_segment: 4 << 10, long_text: 8 << 10, log_part: 256 << 10 }
    }
}
