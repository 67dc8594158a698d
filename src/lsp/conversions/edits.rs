//! LSP edits of documents and files, with the version of the document that they were made from, for
//! clients that support versions.

use std::collections::BTreeMap;
use std::ops::Range;

use lsp_types::{AnnotatedTextEdit, ChangeAnnotation, TextEdit, Url};
use serde::Serialize;
use serde_json::{Value, json};

use crate::text::Text;

use crate::lsp::client_capabilities::SessionCapabilities;
use crate::lsp::conversions::locations::lsp_range;
use crate::lsp::snapshot::{EditedDocument, Snapshot};

/// Converts `edits`, in bytes of the document.
pub fn text_edits(snapshot: &Snapshot, edits: Vec<(Range<usize>, String)>) -> Vec<TextEdit> {
    edits_of(snapshot.document.text(), edits, &snapshot.client)
}

/// Converts `edits`, in bytes of the document, for a code action or command: a `WorkspaceEdit`.
pub fn workspace_edit(snapshot: &Snapshot, edits: Vec<(Range<usize>, String)>) -> Value {
    workspace_edits([snapshot.edited(edits)], &snapshot.client)
}

/// Converts the edits of several texts.
pub fn workspace_edits<'a>(
    edited: impl IntoIterator<Item = EditedDocument<'a>>,
    client: &SessionCapabilities,
) -> Value {
    let edited = edited
        .into_iter()
        .map(|EditedDocument { uri, version, text, edits }| (uri, version, edits_of(text, edits, client)));
    match client.actions.versioned_edits {
        true => {
            let changes = edited.map(|(uri, version, edits)| document_edit(uri, version, edits));
            json!({"documentChanges": changes.collect::<Vec<_>>()})
        }
        false => {
            let changes = edited.map(|(uri, _, edits)| (uri, edits));
            json!({"changes": changes.collect::<BTreeMap<_, _>>()})
        }
    }
}

/// Converts `edits`, in bytes of the document, and a new file `uri` with the content `text`. An
/// existing file is left unchanged.
pub fn with_new_file(
    snapshot: &Snapshot,
    edits: Vec<(Range<usize>, String)>,
    uri: &Url,
    text: String,
) -> Value {
    let insertion = TextEdit { range: lsp_types::Range::default(), new_text: text };
    json!({"documentChanges": [
        {"kind": "create", "uri": uri},
        document_edit(uri.as_str(), None, vec![insertion]),
        document_edit(snapshot.uri.spelling(), snapshot.version, text_edits(snapshot, edits)),
    ]})
}

/// Converts `edits`, in bytes of the document, with one annotation that needs confirmation: the
/// client shows it before it applies the edits.
pub fn annotated_edit(
    snapshot: &Snapshot,
    edits: Vec<(Range<usize>, String)>,
    label: String,
    description: String,
) -> Value {
    const ID: &str = "all";
    let annotation =
        ChangeAnnotation { label, needs_confirmation: Some(true), description: Some(description) };
    let annotated = |text_edit| AnnotatedTextEdit { text_edit, annotation_id: ID.to_owned() };
    let edits = text_edits(snapshot, edits).into_iter().map(annotated).collect();
    json!({
        "documentChanges": [document_edit(snapshot.uri.spelling(), snapshot.version, edits)],
        "changeAnnotations": {ID: annotation},
    })
}

/// LSP 3.17, `TextDocumentEdit`; `version` is `None` for documents that are not open.
fn document_edit(uri: &str, version: Option<i32>, edits: Vec<impl Serialize>) -> Value {
    json!({"textDocument": {"uri": uri, "version": version}, "edits": edits})
}

fn edits_of(text: &Text, edits: Vec<(Range<usize>, String)>, client: &SessionCapabilities) -> Vec<TextEdit> {
    let edit = |(range, new_text)| TextEdit { range: lsp_range(text, &range, client.encoding), new_text };
    edits.into_iter().map(edit).collect()
}
