//! `WorkspaceEdit`: edits of documents and files, in the client's own terms.
//!
//! Edits carry the version of the document that they were made from, where the client takes versions.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Serialize;

use crate::text::Text;
use crate::text::position::bytes_to_client_range;

use super::capabilities::Client;
use super::convert::client_range_to_lsp;

/// The edits of one text.
pub struct Edited<'a> {
    /// Its URI, as the client spells it.
    pub uri: &'a str,
    /// Its version; `None` of what is not open.
    pub version: Option<i32>,
    /// The text.
    pub text: &'a Text,
    /// Edits in its bytes, in its order.
    pub edits: Vec<(Range<usize>, String)>,
}

/// LSP 3.17, `WorkspaceEdit`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub enum WorkspaceEdit<'a> {
    /// For clients that take no versions.
    Changes(BTreeMap<&'a str, Vec<TextEdit>>),
    /// For all others.
    DocumentChanges(Vec<TextDocumentEdit<'a>>),
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
    uri: &'a str,
    version: Option<i32>,
}

/// LSP 3.17, `TextEdit`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TextEdit {
    range: lsp_types::Range,
    new_text: String,
}

impl<'a> WorkspaceEdit<'a> {
    /// The edits of several texts.
    pub fn new(edited: impl IntoIterator<Item = Edited<'a>>, client: &Client) -> Self {
        let edits = |edited: &mut Edited<'_>| {
            let of_one = |(range, new_text)| TextEdit {
                range: client_range_to_lsp(bytes_to_client_range(edited.text, range, client.encoding)),
                new_text,
            };
            std::mem::take(&mut edited.edits).into_iter().map(of_one).collect()
        };
        let edited = edited.into_iter();
        match client.actions.versioned_edits {
            true => Self::DocumentChanges(
                edited
                    .map(|mut edited| TextDocumentEdit {
                        edits: edits(&mut edited),
                        text_document: VersionedDocument { uri: edited.uri, version: edited.version },
                    })
                    .collect(),
            ),
            false => Self::Changes(edited.map(|mut edited| (edited.uri, edits(&mut edited))).collect()),
        }
    }
}
