//! The document that `textDocument/didOpen` brings.

use serde::Deserialize;

use crate::document::{Language, begins_laid_out};
use crate::lsp::wire::document_uri::{DocumentUri, last_segment};
use crate::text::{Text, TextChange};

/// The number of lines at the start of a document whose changes may change its language.
const FIRST_LINES: u32 = 16;
/// The length in bytes of texts whose language changes only with most of their text.
const LONG_TEXT: usize = 1 << 20;
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
    /// The name and the language id that its language depends on.
    pub kind: DocumentKind,
    /// Its language.
    pub language: Language,
    /// Its text.
    pub text: Text,
}

/// The values that the language of a document depends on beside its text.
#[derive(Clone, Debug, Default)]
pub struct DocumentKind {
    language_id: String,
    /// The last segment of its path.
    name: String,
}

impl DocumentKind {
    /// True if its language id declares it as a transcript.
    pub fn is_chat(&self) -> bool {
        self.language_id == CHAT_MARKDOWN
    }

    /// The language of `text`, if it is not `now` any more after `edits`.
    pub fn changed_language(&self, now: Language, text: &Text, edits: &[TextChange]) -> Option<Language> {
        let is_near = |edit: &TextChange| edit.range.is_none_or(|range| range.start.line < FIRST_LINES);
        // To look at a long text for each key would take long.
        let is_cheap = |edit: &TextChange| text.len() <= LONG_TEXT || edit.text.len() >= text.len() / 2;
        let language = || Language::of(&self.language_id, &self.name, text);
        let language = edits.iter().any(|edit| is_near(edit) && is_cheap(edit)).then(language)?;
        // An incomplete record is a record, too, and so is a value in several lines.
        let is_begun = match language {
            Language::Markdown => begins_with_record(text),
            Language::Log => now == Language::Json && begins_laid_out(text),
            _ => false,
        };
        (language != now && !is_begun).then_some(language)
    }
}

/// True if `text` begins like a record of a log or like JSON, which may be incomplete.
fn begins_with_record(text: &Text) -> bool {
    let start = text.slice(0..text.floor_boundary(text.len().min(1 << 10)));
    let start = start.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
    start.starts_with(['{', '[']) || ["data:", "event:"].iter().any(|field| start.starts_with(field))
}

impl From<DidOpenParams> for OpenedDocument {
    fn from(params: DidOpenParams) -> Self {
        let TextDocumentItem { uri, language_id, version, text } = params.text_document;
        let text = Text::new(&text);
        let name = last_segment(&uri).to_owned();
        let language = Language::of(&language_id, &name, &text);
        Self { version, language, kind: DocumentKind { language_id, name }, text, uri }
    }
}
