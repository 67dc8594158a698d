//! Text and positions: the only module that uses ropey and UTF-16.
//!
//! Every offset inside of `chatls` is a byte offset into UTF-8 text: a `usize` from the document's
//! start, or a [`Span`] (`u32`) relative to its segment. Client positions exist only at the edges
//! and are converted by [`position`], by name.

pub mod abbreviate;
pub mod buffer;
mod client_cursor;
pub mod edit;
pub mod escapes;
pub mod line_diff;
pub mod patch;
pub mod position;
mod source;
mod span;
mod splice;
#[cfg(test)]
pub mod tests;
mod text_cursor;
mod unescaped;
pub mod visible;
mod whole;

pub use abbreviate::cut;
pub use buffer::Text;
pub use client_cursor::ClientCursor;
pub use edit::{DocumentEdit, TextChange};
pub use position::{ClientPosition, ClientRange, Encoding};
pub use source::TextSource;
pub use span::Span;
pub(crate) use span::saturate;
pub use splice::Splice;
pub(crate) use splice::{move_range, moved};
pub use text_cursor::TextCursor;
pub use unescaped::Unescaped;

/// The number of items that `one` and `other` have in common from their beginning on.
pub fn shared_prefix<T: PartialEq>(one: impl Iterator<Item = T>, other: impl Iterator<Item = T>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

/// `text` with the line ends of Unix.
pub fn with_plain_line_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}
