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
    let registry = match tool.source.strip_prefix("preset:") {
        Some(name) => {
            let uri = snapshot.pages.preset(name)?.to_owned();
            DeclaredTool { uri, version: None, text: Text::new(preset(name)?), places: Vec::new() }
        }
        None => file(snapshot, snapshot.document.settings().registry.files.get(&tool.source)?)?,
    };
    let text = registry.text.to_string();
    let places: Vec<_> = declarations(&text).into_iter().filter(|it| it.name == tool.name).collect();
    (!places.is_empty()).then_some(DeclaredTool { places, ..registry })
}

/// The registry at `path`, with its text in the editor, or else on disk.
fn file(snapshot: &Snapshot, path: &Path) -> Option<DeclaredTool> {
    let is_registry = |other: &&OtherDocument| {
        other.path.as_ref().is_some_and(|it| snapshot.files.real_path(it) == snapshot.files.real_path(path))
    };
    let registry = match snapshot.others.iter().find(is_registry) {
        Some(open) => DeclaredTool {
            uri: open.uri.spelling().to_string(),
            version: Some(open.version),
            text: open.document.text().clone(),
            places: Vec::new(),
        },
        None => DeclaredTool {
            uri: file_uri(path)?.into(),
            version: None,
            text: Text::new(&snapshot.files.read(path).ok()?),
            places: Vec::new(),
        },
    };
    Some(registry)
}
