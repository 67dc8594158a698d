//! What one document comes to.

use super::Check;
use crate::document::{Document, Fixable};
use crate::rules::Problem;
use crate::text::Text;

/// A document that was looked at.
pub(super) struct Judged {
    pub text: Text,
    pub findings: Vec<Fixable>,
    /// What it was before fixes were made, where they were to be.
    pub before: Option<String>,
    /// What was wrong then.
    pub unmended: Vec<Problem>,
    /// How many findings they mend.
    pub mended: usize,
}

/// What is to be said of `document`; with what mends it, if `shows_fixes`.
pub(super) fn judged(document: Document, command: &Check, shows_fixes: bool) -> Judged {
    let plain = |problem| Fixable { problem, fixes: Vec::new() };
    let (mut document, mut before, mut unmended, mut mended) = (document, None, Vec::new(), 0);
    if command.fix || command.diff {
        let after = document.edited(&document.fix_all(None));
        unmended = document.problems();
        mended = unmended.len().saturating_sub(after.problems().len());
        before = Some(document.text().to_string());
        document = after;
    }
    let findings = match shows_fixes {
        true => document.fixes_in(0..document.text().len()),
        false => document.problems().into_iter().map(plain).collect(),
    };
    Judged { text: document.text().clone(), findings, before, unmended, mended }
}
