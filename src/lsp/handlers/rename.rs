//! `textDocument/prepareRename` and `textDocument/rename`.
//!
//! An id is renamed in its document, and so is a tool. If the tool's registry is a file of the
//! workspace, the tool is also renamed there and in all open documents that use that registry. If
//! the new name belongs to another tool, only the calls in the document are renamed.

use lsp_types::PrepareRenameResponse;
use serde::Deserialize;

use crate::features::rename::{renamable, rename_id, rename_tool};
use crate::json::quote;
use crate::places::name_occurrences::{NameOccurrence, NamedItem};

use crate::lsp::conversions::edits::workspace_edits;
use crate::lsp::conversions::locations::PositionParams;
use crate::lsp::conversions::tool_locations;
use crate::lsp::conversions::tool_locations::DeclaredTool;
use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::snapshot::{EditedDocument, OtherDocument, Snapshot};
use crate::lsp::wire::document_uri::file_path;
use crate::lsp::wire::message::failed;

/// The params of `textDocument/rename`, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenameParams {
    #[serde(flatten)]
    at: PositionParams,
    new_name: String,
}

/// Handles `textDocument/prepareRename`.
pub fn prepare_rename(params: PositionParams, request: &ActiveRequest) -> HandlerResult {
    let found = renamable(&request.document, request.byte(params.position));
    let prepared = found.map(|found| PrepareRenameResponse::RangeWithPlaceholder {
        range: request.range(&found.range),
        placeholder: found.text.to_owned(),
    });
    request.respond(prepared)
}

/// Handles `textDocument/rename`.
pub fn rename(params: RenameParams, request: &ActiveRequest) -> HandlerResult {
    let at = request.byte(params.at.position);
    let new = params.new_name.as_str();
    // It must outlive its edits.
    let registry;
    let edited = match request.document.name_occurrence_at(at) {
        None => Err("there is no id or tool name here".to_owned()),
        Some(NameOccurrence { named: NamedItem::Tool, text, .. }) => {
            registry = registry_of(request, text, new);
            tool(request, registry.as_ref(), text, new)
        }
        Some(_) => rename_id(&request.document, at, new).map(|edits| vec![request.edited(edits)]),
    };
    let edited = edited.map_err(|reason| failed(&reason))?;
    let edited = edited.into_iter().filter(|edited| !edited.edits.is_empty());
    request.respond(workspace_edits(edited, &request.client))
}

/// The edits that rename a tool in all documents that have it from `registry`.
fn tool<'s>(
    snapshot: &'s Snapshot,
    registry: Option<&'s DeclaredTool>,
    old: &str,
    new: &str,
) -> Result<Vec<EditedDocument<'s>>, String> {
    let mut edited = vec![snapshot.edited(rename_tool(&snapshot.document, old, new)?)];
    let Some(registry) = registry else { return Ok(edited) };
    for other in snapshot.others.iter().filter(|other| has_same_tool(snapshot, other, old)) {
        let edits = rename_tool(&other.document, old, new)
            .map_err(|why| format!("{}: {why}", other.uri.spelling()))?;
        edited.push(other.edited(edits));
    }
    let edits = registry.places.iter().map(|place| (place.written.clone(), quote(new))).collect();
    edited.push(EditedDocument {
        uri: &registry.uri,
        version: registry.version,
        text: &registry.text,
        edits,
    });
    Ok(edited)
}

/// The registry that declares the tool `old`, if it is to be renamed there too.
fn registry_of(snapshot: &Snapshot, old: &str, new: &str) -> Option<DeclaredTool> {
    let registry = &snapshot.document.settings().registry;
    let tool = registry.tools.get(old).filter(|_| !registry.tools.contains_key(new))?;
    let path = snapshot.files.real_path(registry.files.get(&tool.source)?);
    let folders = snapshot.folders.iter().filter_map(file_path);
    let is_in_workspace =
        folders.map(|folder| snapshot.files.real_path(&folder)).any(|folder| path.starts_with(folder));
    let declared = tool_locations::declared(snapshot, tool).filter(|_| is_in_workspace)?;
    declared.places.iter().all(|place| place.is_free).then_some(declared)
}

/// True if `other` has the tool `name` from the same file, and is not excluded.
fn has_same_tool(snapshot: &Snapshot, other: &OtherDocument, name: &str) -> bool {
    let file = |document: &crate::document::Document| {
        let registry = &document.settings().registry;
        registry.files.get(&registry.tool(name)?.source).cloned()
    };
    other.document.settings().enabled
        && file(&other.document).is_some_and(|path| file(&snapshot.document) == Some(path))
}
