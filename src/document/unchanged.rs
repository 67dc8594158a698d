//! The extent of a document that edits leave unchanged: testing a fix costs only what its edits
//! damage.

/// The unchanged prefix and suffix of an edit, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnchangedExtent {
    pub(crate) prefix: usize,
    pub(crate) suffix: usize,
    /// The unchanged prefix and suffix of the delta text.
    pub(crate) delta_text: (usize, usize),
}

impl UnchangedExtent {
    /// No change.
    pub(crate) const ALL: Self =
        Self { prefix: usize::MAX, suffix: usize::MAX, delta_text: (usize::MAX, usize::MAX) };

    /// The extent that is unchanged in both.
    pub(crate) fn min(self, other: Self) -> Self {
        let delta_text =
            (self.delta_text.0.min(other.delta_text.0), self.delta_text.1.min(other.delta_text.1));
        Self { prefix: self.prefix.min(other.prefix), suffix: self.suffix.min(other.suffix), delta_text }
    }
}
