//! Exports a document as a chat: as one HTML page, or as Markdown that any renderer shows.
//!
//! Both show the same as the preview (formats.md §4). A page loads and runs nothing: the
//! transcript's content is text in it, never markup, scripts or images.

use std::borrow::Cow;

use crate::call::MessageRole;
use crate::document::Document;
use crate::features::transcript::{TranscriptMessage, messages};

mod html;
mod markdown;

pub use html::{begin, body, end, heading};
pub use markdown::markdown;

/// `document` as one HTML page with this title.
pub fn html(document: &Document, title: &str) -> String {
    [begin(title), body(&messages(document)), end()].concat()
}

/// The heading of a message; empty if it has none.
fn name_of(message: &TranscriptMessage) -> &str {
    match (message.name.as_str(), message.role) {
        ("", Some(MessageRole::Assistant)) => "Assistant",
        (name, _) => name,
    }
}

/// `text` with visible escapes instead of control characters (except tabs and line ends) and of
/// characters that reorder text.
fn visible(text: &str) -> Cow<'_, str> {
    let is_hidden = |c: char| {
        (c.is_control() && !matches!(c, '\t' | '\n' | '\r'))
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match is_hidden(character) {
            true => shown.extend(character.escape_unicode()),
            false => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests;
