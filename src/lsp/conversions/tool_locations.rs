//! The declarations of tools in registries: in files, or in presets, which are written into files
//! to be shown.
//!
//! Open registries are read from the editor's text. Files are read in the pool.

use std::path::Path;

use crate::lsp::wire::document_uri::file_uri;
use crate::registry::{Tool, ToolDeclaration, declarations, preset};
use crate::text::Text;

use crate::lsp::snapshot::{OtherDocument, Snapshot};

/// A tool in its registry.
pub struct DeclaredTool {
    /// The registry's URI.
    pub uri: String,
    /// Its version, if it is open.
    pub version: Option<i32>,
    /// Its text.
    pub text: Text,
    /// The declarations of the tool in it; of several declarations, the last one counts.
    pub places: Vec<ToolDeclaration>,
}

/// The registry of the document that declares `tool`.
pub fn declared(snapshot: &Snapshot, tool: &Tool) -> Option<DeclaredTool> {
    let (uri, version, text) = match tool.source.strip_prefix("preset:") {
        Some(name) => (snapshot.pages.preset(name)?.to_owned(), None, Text::new(preset(name)?)),
        None => file(snapshot, snapshot.document.settings().registry.files.get(&tool.source)?)?,
    };
    let mut places = declarations(&text.to_string());
    places.retain(|it| it.name == tool.name);
    (!places.is_empty()).then_some(DeclaredTool { uri, version, text, places })
}

/// The registry at `path`: its URI, its version if it is open, and its text in the editor, or else
/// on disk.
fn file(snapshot: &Snapshot, path: &Path) -> Option<(String, Option<i32>, Text)> {
    let is_registry = |other: &&OtherDocument| {
        other.path.as_ref().is_some_and(|it| snapshot.files.real_path(it) == snapshot.files.real_path(path))
    };
    Some(match snapshot.others.iter().find(is_registry) {
        Some(open) => (open.uri.spelling().to_string(), Some(open.version), open.document.text().clone()),
        None => (file_uri(path)?.into(), None, Text::new(&snapshot.files.read(path).ok()?)),
    })
}
