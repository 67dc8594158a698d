//! Code actions: quick fixes for the diagnostics in a range, actions that apply all safe fixes, and
//! suppression comments.
//!
//! Actions on the whole document only have a title here; their edits are computed when requested.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::document::Document;
use crate::fixes::FixableDiagnostic;

/// Maximum number of suppression comments offered at one position.
const MOST_SUPPRESSIONS: usize = 4;

/// A code action offered to an editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeAction {
    /// One fix of one diagnostic.
    Fix {
        /// The diagnostic that it fixes.
        problem: Diagnostic,
        /// The edits, in document offsets.
        fix: Fix<Range<usize>>,
    },
    /// Inserts a comment that suppresses one diagnostic.
    Suppress {
        /// The suppressed diagnostic.
        problem: Diagnostic,
        /// The insertion, in document offsets.
        edit: (Range<usize>, String),
    },
    /// All safe fixes of one code.
    FixAllOf(Code),
    /// All safe fixes.
    FixAll,
}

/// The kinds of code actions that the client requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionFilter {
    /// Fixes of diagnostics in the range, and [`CodeAction::FixAllOf`] their codes.
    pub fixes: bool,
    /// [`CodeAction::FixAll`].
    pub fix_all: bool,
}

impl CodeAction {
    /// The title, as a command.
    pub fn title(&self) -> String {
        match self {
            Self::Fix { fix, .. } => fix.title.clone(),
            Self::Suppress { problem, .. } => format!("Suppress `{}` for this block", problem.code.name()),
            Self::FixAllOf(code) => format!("Fix all `{}` in the document", code.name()),
            Self::FixAll => "Apply all safe fixes in the document".to_owned(),
        }
    }

    /// The edits, in document offsets and document order.
    pub fn edits(&self, document: &Document) -> Vec<(Range<usize>, String)> {
        match self {
            Self::Fix { fix, .. } => fix.edits.clone(),
            Self::Suppress { edit, .. } => vec![edit.clone()],
            Self::FixAllOf(code) => document.fix_all(Some(*code)),
            Self::FixAll => document.fix_all(None),
        }
    }
}

/// The code actions for the byte range `range` of `document`: the fixes in document order, the best
/// fix of each diagnostic first; then the actions that fix all diagnostics of a code, if a fix of
/// the code is offered here and the document has several; then suppression comments, one per code;
/// then the fix for everything.
pub fn code_actions(document: &Document, range: Range<usize>, wanted: ActionFilter) -> Vec<CodeAction> {
    let fixables = if wanted.fixes { document.fixes_in_range(range) } else { Vec::new() };
    let is_safe =
        |fixable: &&FixableDiagnostic| fixable.fixes.iter().any(|fix| fix.is_safe && fix.is_preferred);
    let safe: BTreeSet<Code> = fixables.iter().filter(is_safe).map(|fixable| fixable.problem.code).collect();
    let suppressions = suppressions(document, &fixables);
    let mut actions = fix_actions(fixables);
    let several = safe.into_iter().filter(|code| document.has_safe_fixes(Some(*code), 1));
    actions.extend(several.map(CodeAction::FixAllOf));
    actions.extend(suppressions);
    if wanted.fix_all && document.has_safe_fixes(None, 0) {
        actions.push(CodeAction::FixAll);
    }
    actions
}

/// Suppression comments for the diagnostics of `fixables`. Each is tested on a copy of the
/// document, so only the first few are offered.
fn suppressions(document: &Document, fixables: &[FixableDiagnostic]) -> Vec<CodeAction> {
    let mut seen = BTreeSet::new();
    let first_of_code = fixables.iter().filter(|fixable| seen.insert(fixable.problem.code));
    let suppress = |fixable: &FixableDiagnostic| {
        let edit = document.suppression_of(&fixable.problem)?;
        Some(CodeAction::Suppress { problem: fixable.problem.clone(), edit })
    };
    first_of_code.take(MOST_SUPPRESSIONS).filter_map(suppress).collect()
}

/// One action for each fix of `fixables`.
pub fn fix_actions(fixables: Vec<FixableDiagnostic>) -> Vec<CodeAction> {
    let of_one = |FixableDiagnostic { problem, fixes }: FixableDiagnostic| {
        fixes.into_iter().map(move |fix| CodeAction::Fix { problem: problem.clone(), fix })
    };
    fixables.into_iter().flat_map(of_one).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::Settings;
    use crate::document::Language;
    use crate::text::Text;

    /// Compares the titles of the actions offered at `|` of `marked`.
    #[track_caller]
    fn check(marked: &str, wanted: ActionFilter, expected: &[&str]) {
        let at = marked.find('|').expect("a position");
        let text = Text::new(&marked.replacen('|', "", 1));
        let document = Document::new(text, Language::Markdown, Arc::new(Settings::default()));
        let actions = code_actions(&document, at..at, wanted);
        let titles: Vec<_> = actions.iter().map(CodeAction::title).collect();
        assert_eq!(titles, expected, "{marked}");
        assert!(actions.iter().all(|action| !action.edits(&document).is_empty()), "{marked}");
    }

    #[test]
    fn filter_selects_actions() {
        let (all, fixes) =
            (ActionFilter { fixes: true, fix_all: true }, ActionFilter { fixes: true, fix_all: false });
        let fix_all = ActionFilter { fixes: false, fix_all: true };
        let source = "Apply all safe fixes in the document";
        let one = "```tool\n{\"a\": |True}\n```\n";
        let suppress = "Suppress `invalid-json` for this block";
        check(one, all, &["Write `true`", suppress, source]);
        check(one, fixes, &["Write `true`", suppress]);
        check(one, fix_all, &[source]);
        let two = "```tool\n{\"a\": |True, b: 1, \"state\": \"done\"}\n```\n";
        check(two, fixes, &["Write `true`", "Fix all `invalid-json` in the document", suppress]);
        let elsewhere = "|```tool\n{\"a\": True, \"b\": 1}\n```\n";
        check(elsewhere, all, &[source]);
        let unsafe_ones = "```tool\n{\"a\": 1, \"|b\": undefined, \"c\": undefined}\n```\n";
        check(unsafe_ones, all, &[]);
        check("```tool\n{\"a\": |undefined, \"b\": undefined}\n```\n", all, &["Write `null`", suppress]);
        check("|right\n", all, &[]);
    }
}
