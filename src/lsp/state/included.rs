//! State of the client's knowledge of included files.

/// The results of `chatls/included` that the client has.
#[derive(Debug, Default)]
pub struct IncludedFiles {
    /// True if it has some.
    pub(crate) is_known: bool,
    /// True if they may have changed since the last turn of the main loop.
    pub(crate) may_have_changed: bool,
}
