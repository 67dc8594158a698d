//! The document that `textDocument/didOpen` brings.

use serde::Deserialize;

use crate::document::Language;
use crate::lsp::wire::document_uri::DocumentUri;
use crate::text::Text;

/// The language id of Markdown documents that are transcripts, chosen for documents without a file.
const CHAT_MARKDOWN: &str = "chat-markdown";

/// The params of `textDocument/didOpen`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DidOpenParams {
    text_document: TextDocumentItem,
}

/// LSP 3.17, `TextDocumentItem`, with the client's spelling of the URI.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TextDocumentItem {
    uri: DocumentUri,
    language_id: String,
    version: i32,
    text: String,
}

/// An opened document.
pub struct OpenedDocument {
    /// Its URI.
    pub uri: DocumentUri,
    /// The client's version.
    pub version: i32,
    /// Its language.
    pub language: Language,
    /// True if its language id declares it as a transcript.
    pub is_chat: bool,
    /// Its text.
    pub text: Text,
}

impl From<DidOpenParams> for OpenedDocument {
    fn from(params: DidOpenParams) -> Self {
        let TextDocumentItem { uri, language_id, version, text } = params.text_document;
        let text = Text::new(&text);
        let name = uri.path().rsplit('/').next().unwrap_or_default();
        let language = Language::of(&language_id, name, &text);
        Self { version, language, is_chat: language_id == CHAT_MARKDOWN, text, uri }
    }
}
