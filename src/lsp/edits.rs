//! Edits of one document, as LSP has them: with the version that they were made from, for clients that take that.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use lsp_types::Url;
use serde::Serialize;

use crate::text::position::bytes_to_client_range;

use super::convert::client_range_to_lsp;
use super::requests::Snapshot;

/// LSP 3.17, `WorkspaceEdit`, of one document.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub enum WorkspaceEdit<'a> {
    /// For clients that know no versions: by URI.
    Changes(HashMap<&'a str, Vec<TextEdit>>),
    /// With the version.
    DocumentChanges([TextDocumentEdit<'a>; 1]),
    /// With a file that is new.
    #[serde(rename = "documentChanges")]
    WithNewFile((CreateFile, TextDocumentEdit<'static>, TextDocumentEdit<'a>)),
}

/// LSP 3.17, `CreateFile`: of one that is there nothing is done.
#[derive(Serialize)]
pub struct CreateFile {
    kind: &'static str,
    uri: Url,
}

/// LSP 3.17, `TextDocumentEdit`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TextDocumentEdit<'a> {
    text_document: VersionedDocument<'a>,
    edits: Vec<TextEdit>,
}

/// LSP 3.17, `OptionalVersionedTextDocumentIdentifier`: `null` for what is not open.
#[derive(Serialize)]
struct VersionedDocument<'a> {
    uri: Cow<'a, str>,
    version: Option<i32>,
}

/// LSP 3.17, `TextEdit`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TextEdit {
    range: lsp_types::Range,
    new_text: String,
}

/// `edits`, in bytes of the document, as the client has them.
pub fn text_edits(snapshot: &Snapshot, edits: Vec<(Range<usize>, String)>) -> Vec<TextEdit> {
    let (text, encoding) = (snapshot.document.text(), snapshot.client.encoding);
    let edit = |(range, new_text)| TextEdit {
        range: client_range_to_lsp(bytes_to_client_range(text, range, encoding)),
        new_text,
    };
    edits.into_iter().map(edit).collect()
}

/// `edits`, in bytes of the document, for a code action or command.
pub fn workspace_edit(snapshot: &Snapshot, edits: Vec<(Range<usize>, String)>) -> WorkspaceEdit<'_> {
    let uri = &*snapshot.spelling;
    let edits = text_edits(snapshot, edits);
    match snapshot.client.actions.versioned_edits {
        true => {
            let text_document = VersionedDocument { uri: uri.into(), version: snapshot.version };
            WorkspaceEdit::DocumentChanges([TextDocumentEdit { text_document, edits }])
        }
        false => WorkspaceEdit::Changes(HashMap::from([(uri, edits)])),
    }
}

/// The same with a new file `uri` that holds `text`.
pub fn with_new_file(
    snapshot: &Snapshot,
    edits: Vec<(Range<usize>, String)>,
    uri: Url,
    text: String,
) -> WorkspaceEdit<'_> {
    let start = lsp_types::Position::default();
    let insertion = TextEdit { range: lsp_types::Range { start, end: start }, new_text: text };
    let new = VersionedDocument { uri: uri.to_string().into(), version: None };
    let old = VersionedDocument { uri: (&*snapshot.spelling).into(), version: snapshot.version };
    WorkspaceEdit::WithNewFile((
        CreateFile { kind: "create", uri },
        TextDocumentEdit { text_document: new, edits: vec![insertion] },
        TextDocumentEdit { text_document: old, edits: text_edits(snapshot, edits) },
    ))
}
