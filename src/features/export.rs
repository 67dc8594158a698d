//! Exports a document as a chat: as one HTML page, or as Markdown that any renderer shows.
//!
//! Both show the same as the preview (formats.md §4). A page loads and runs nothing: the
//! transcript's content is text in it, never markup, scripts or images.

use std::borrow::Cow;

use crate::document::Document;
use crate::features::transcript::messages;
use crate::text::visible::{escaped, is_command};

mod html;
mod markdown;

pub use html::{begin, body, end, heading};
pub use markdown::markdown;

/// `document` as one HTML page with this title.
pub fn html(document: &Document, title: &str) -> String {
    [begin(title), body(&messages(document)), end()].concat()
}

/// Escapes the [commands](is_command) in `text`, except tabs and line ends.
fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |character| is_command(character) && !matches!(character, '\t' | '\n' | '\r'))
}

#[cfg(test)]
mod tests;
