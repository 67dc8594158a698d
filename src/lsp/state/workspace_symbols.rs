//! State of `workspace/symbol`: waiting requests and the cache of closed files.

use crate::config::Settings;
use crate::files::Stamp;
use crate::lsp::wire::pending::PendingRequest;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The params of `workspace/symbol`, as far as they are used.
#[derive(Deserialize)]
pub struct WorkspaceSymbolParams {
    pub(crate) query: String,
}

/// A request for symbols.
pub struct SymbolQuery {
    /// The pending response.
    pub pending: PendingRequest,
    /// The text to search for.
    pub text: String,
}

/// The waiting requests, and the cached symbols of files.
#[derive(Default)]
pub struct WorkspaceSymbols {
    pub(crate) waiting: Vec<SymbolQuery>,
    /// True if requests are being processed: one after the other, because they would read the same
    /// files.
    pub(crate) searching: bool,
    pub(crate) cache: SymbolCache,
}

/// The symbols of files, by path.
pub(crate) type SymbolCache = HashMap<PathBuf, CachedSymbols>;

/// The symbols of a file, with its state.
pub(crate) struct CachedSymbols {
    pub(crate) stamp: Stamp,
    pub(crate) settings: Arc<Settings>,
    pub(crate) symbols: Vec<CachedSymbol>,
}

/// A symbol of a document.
pub(crate) struct CachedSymbol {
    pub(crate) name: String,
    pub(crate) container: String,
    pub(crate) range: lsp_types::Range,
}
