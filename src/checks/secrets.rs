//! The secrets in all text of a document: prose, code, messages, results and their copies.
//!
//! Each segment is searched when it is read, so an edit costs no more than its segment. Segments
//! end at line ends, so they split no credential except private keys, which are found by their
//! headers. The delta text of a stream log is searched as well, because records may split a
//! credential.

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::document::Document;
use crate::rules::secrets::message;
use crate::segments::data::DocumentSegment;

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
        self.tree().summary().attachment.secrets || self.delta_text().is_some_and(Self::has_secrets)
    }
}
