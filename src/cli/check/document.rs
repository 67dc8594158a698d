//! The diagnostics of one document, with fixes applied if requested.

use super::{CheckArgs, whole_json};
use crate::diagnostic::Diagnostic;
use crate::document::{Document, Language};
use crate::fixes::FixableDiagnostic;
use crate::text::Text;

/// A document that was checked.
pub(super) struct CheckedDocument {
    pub text: Text,
    pub diagnostics: Vec<FixableDiagnostic>,
    /// The text before fixes were applied, if they were requested.
    pub before: Option<String>,
    /// The diagnostics before fixes were applied.
    pub before_fixes: Vec<Diagnostic>,
    /// Number of diagnostics that were fixed.
    pub fixed_count: usize,
    /// Number of remaining diagnostics that unsafe fixes would resolve.
    pub left_unsafe: usize,
    /// Number of diagnostics that no comment could suppress, if that was requested.
    pub left_unsuppressed: usize,
    /// True if the document is a log, which cannot have comments.
    pub is_log: bool,
}

/// Checks `document`; includes fixes in the diagnostics if `shows_fixes`.
pub(super) fn check_document(document: Document, command: &CheckArgs, shows_fixes: bool) -> CheckedDocument {
    let plain = |problem| FixableDiagnostic { problem, fixes: Vec::new() };
    let (mut document, mut before, mut before_fixes, mut fixed_count) = (document, None, Vec::new(), 0);
    let (mut left_unsafe, mut left_unsuppressed) = (0, 0);
    if command.rewrites() {
        let edits = match () {
            () if command.add_suppressions => document.suppress_all(),
            () if command.unsafe_fixes => document.fix_all_unsafe(),
            () => document.fix_all(None),
        };
        let after = document.edited(&edits);
        before_fixes = document.diagnostics();
        let left = after.diagnostics().len();
        fixed_count = before_fixes.len().saturating_sub(left);
        if command.add_suppressions && document.language() == Language::Markdown {
            left_unsuppressed = left;
        }
        if left > 0 && !command.add_suppressions && !command.unsafe_fixes {
            let unsafely = after.edited(&after.fix_all_unsafe());
            left_unsafe = left.saturating_sub(unsafely.diagnostics().len());
        }
        before = Some(document.text().to_string());
        document = after;
    }
    let mut diagnostics: Vec<_> = match shows_fixes {
        true => document.fixes_in_range(0..document.text().len()),
        false => document.diagnostics().into_iter().map(plain).collect(),
    };
    if let Some(fault) = whole_json::fault_of(&document) {
        let behind = diagnostics.partition_point(|it| it.problem.range.start < fault.range.start);
        diagnostics.insert(behind, plain(fault));
    }
    let is_log = document.language() == Language::Log;
    CheckedDocument {
        text: document.text().clone(),
        diagnostics,
        before,
        before_fixes,
        fixed_count,
        left_unsafe,
        left_unsuppressed,
        is_log,
    }
}
