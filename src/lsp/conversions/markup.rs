//! Texts for people on the wire.

use lsp_types::{Documentation, MarkupContent, MarkupKind};

use crate::prose::RichText;

/// `prose` in the format that the client prefers.
pub fn markup(prose: &RichText, is_markdown: bool) -> MarkupContent {
    match is_markdown {
        true => MarkupContent { kind: MarkupKind::Markdown, value: prose.to_markdown() },
        false => MarkupContent { kind: MarkupKind::PlainText, value: prose.to_plain() },
    }
}

/// `prose` as documentation; `None` if it is empty.
pub fn documentation(prose: &RichText, is_markdown: bool) -> Option<Documentation> {
    (!prose.is_empty()).then(|| Documentation::MarkupContent(markup(prose, is_markdown)))
}
