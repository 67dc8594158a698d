//! The secrets in all text of a document: prose, code, messages, results and their copies.
//!
//! Each segment is searched when it is read, so an edit costs no more than its segment. Segments
//! end at line ends, so they split no credential except private keys, which are found by their
//! headers. The delta text of a stream log is searched as well, because records may split a
//! credential.

use std::ops::Range;

use super::Document;
use super::segment_data::DocumentSegment;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::json::MAX_FAULTS;
use crate::rules::secrets::{first_secrets, message};
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
pub(super) fn secrets_of(text: &str, start: usize) -> Box<[SecretSpan]> {
    let place = |found: Range<usize>| Span::new(start + found.start, start + found.end);
    let found = first_secrets(text, MAX_FAULTS).into_iter();
    found.map(|it| SecretSpan { span: place(it.range), description: it.description }).collect()
}

/// The diagnostics of the secrets in a segment.
pub(super) fn diagnostics(
    located: &DocumentSegment<'_>,
    severity: Severity,
) -> impl Iterator<Item = Diagnostic> {
    located.data().rare().secrets.iter().map(move |secret| {
        let range = located.absolute(secret.span);
        Diagnostic::new(Code::Secret, severity, range, message(secret.description))
    })
}

impl Document {
    /// True if there is text that looks like a secret, reported or not.
    pub fn has_secrets(&self) -> bool {
        self.tree.summary().attachment.secrets || self.delta_text().is_some_and(Self::has_secrets)
    }
}
