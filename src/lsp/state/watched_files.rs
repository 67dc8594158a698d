//! The files that the client is asked to watch.

use std::collections::BTreeSet;

/// The registries that the client was asked to watch.
#[derive(Debug, Default)]
pub struct WatchedRegistries {
    /// As globs.
    pub(crate) globs: BTreeSet<String>,
    /// The number of the registration that holds; 0 where there is none.
    pub(crate) registration: usize,
}
