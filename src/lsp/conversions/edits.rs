//! LSP edits of documents and files, with the version of the document that they were made from, for
//! clients that support versions.

use std::collections::BTreeMap;
use std::ops::Range;

use lsp_types::{AnnotatedTextEdit, ChangeAnnotation, TextEdit, Url};
use serde::Serialize;

use crate::text::Text;

use crate::lsp::client_capabilities::SessionCapabilities;
use crate::lsp::conversions::locations::lsp_range;
use crate::lsp::snapshot::{EditedDocument, Snapshot};

/// LSP 3.17, `WorkspaceEdit`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub enum WorkspaceEdit {
    /// For clients without support for versions: by URI.
    Changes(BTreeMap<String, Vec<TextEdit>>),
    /// With the versions.
    DocumentChanges(Vec<TextDocumentEdit>),
    /// With a new file.
    #[serde(rename = "documentChanges")]
    WithNewFile((CreateFile, TextDocumentEdit, TextDocumentEdit)),
}

/// LSP 3.17, `CreateFile`; an existing file is left unchanged.
#[derive(Serialize)]
pub struct CreateFile {
    kind: &'static str,
    uri: Url,
}

/// LSP 3.17, `TextDocumentEdit`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TextDocumentEdit<E = TextEdit> {
    text_document: VersionedDocument,
    edits: Vec<E>,
}

/// LSP 3.17, `WorkspaceEdit` with annotations, which the client shows before it applies the edits.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AnnotatedEdit {
    document_changes: [TextDocumentEdit<AnnotatedTextEdit>; 1],
    change_annotations: BTreeMap<&'static str, ChangeAnnotation>,
}

/// LSP 3.17, `OptionalVersionedTextDocumentIdentifier`: `null` for documents that are not open.
#[derive(Serialize)]
struct VersionedDocument {
    uri: String,
    version: Option<i32>,
}

/// Converts `edits`, in bytes of the document.
pub fn text_edits(snapshot: &Snapshot, edits: Vec<(Range<usize>, String)>) -> Vec<TextEdit> {
    edits_of(snapshot.document.text(), edits, &snapshot.client)
}

/// Converts `edits`, in bytes of the document, for a code action or command.
pub fn workspace_edit(snapshot: &Snapshot, edits: Vec<(Range<usize>, String)>) -> WorkspaceEdit {
    workspace_edits([snapshot.edited(edits)], &snapshot.client)
}

/// Converts the edits of several texts.
pub fn workspace_edits<'a>(
    edited: impl IntoIterator<Item = EditedDocument<'a>>,
    client: &SessionCapabilities,
) -> WorkspaceEdit {
    let edited = edited.into_iter().map(|EditedDocument { uri, version, text, edits }| {
        (VersionedDocument { uri: uri.to_owned(), version }, edits_of(text, edits, client))
    });
    match client.actions.versioned_edits {
        true => WorkspaceEdit::DocumentChanges(
            edited.map(|(text_document, edits)| TextDocumentEdit { text_document, edits }).collect(),
        ),
        false => WorkspaceEdit::Changes(edited.map(|(document, edits)| (document.uri, edits)).collect()),
    }
}

/// Converts `edits`, in bytes of the document, and a new file `uri` with the content `text`.
pub fn with_new_file(
    snapshot: &Snapshot,
    edits: Vec<(Range<usize>, String)>,
    uri: Url,
    text: String,
) -> WorkspaceEdit {
    let insertion = TextEdit { range: lsp_types::Range::default(), new_text: text };
    let new = VersionedDocument { uri: uri.to_string(), version: None };
    WorkspaceEdit::WithNewFile((
        CreateFile { kind: "create", uri },
        TextDocumentEdit { text_document: new, edits: vec![insertion] },
        TextDocumentEdit { text_document: document_of(snapshot), edits: text_edits(snapshot, edits) },
    ))
}

/// Converts `edits`, in bytes of the document, with one annotation that needs confirmation.
pub fn annotated_edit(
    snapshot: &Snapshot,
    edits: Vec<(Range<usize>, String)>,
    label: String,
    description: String,
) -> AnnotatedEdit {
    const ID: &str = "all";
    let annotation =
        ChangeAnnotation { label, needs_confirmation: Some(true), description: Some(description) };
    let annotated = |text_edit| AnnotatedTextEdit { text_edit, annotation_id: ID.to_owned() };
    let edits = text_edits(snapshot, edits).into_iter().map(annotated).collect();
    AnnotatedEdit {
        document_changes: [TextDocumentEdit { text_document: document_of(snapshot), edits }],
        change_annotations: BTreeMap::from([(ID, annotation)]),
    }
}

fn document_of(snapshot: &Snapshot) -> VersionedDocument {
    VersionedDocument { uri: snapshot.uri.spelling().to_string(), version: snapshot.version }
}

fn edits_of(text: &Text, edits: Vec<(Range<usize>, String)>, client: &SessionCapabilities) -> Vec<TextEdit> {
    let edit = |(range, new_text)| TextEdit { range: lsp_range(text, &range, client.encoding), new_text };
    edits.into_iter().map(edit).collect()
}
