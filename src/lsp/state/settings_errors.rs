//! Errors of the editor's settings that were shown already.

use std::collections::HashSet;

/// What the user has been told.
#[derive(Debug, Default)]
pub struct ShownSettingsErrors {
    /// By the settings: different folders may have their own.
    pub(crate) messages: HashSet<(String, String)>,
}
