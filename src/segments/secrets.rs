//! The secrets in the text of a segment.

use std::ops::Range;

use crate::json::MAX_FAULTS;
use crate::rules::secrets::first_secrets;
use crate::text::Span;

/// A secret in a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecretSpan {
    /// Its span in the segment; for a private key, the span of the header.
    pub span: Span,
    /// The kind of credential that it looks like.
    pub description: &'static str,
}

/// The secrets in a part of a segment: its text, which begins at the byte `start` of the segment.
pub(crate) fn secrets_of(text: &str, start: usize) -> Box<[SecretSpan]> {
    let place = |found: Range<usize>| Span::new(start + found.start, start + found.end);
    let found = first_secrets(text, MAX_FAULTS).into_iter();
    found.map(|it| SecretSpan { span: place(it.range), description: it.description }).collect()
}
