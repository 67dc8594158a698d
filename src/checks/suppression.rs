//! Applies suppression comments, and finds comments that suppress nothing.
//!
//! Comments are parsed with their segments and applied in one sweep over them and the diagnostics,
//! both in document order. A comment is reported as unused only if that is certain: not for a code
//! that is off or not checked, not while a block that it covers cannot be parsed, and not before
//! something follows it.

mod sweep;

use std::ops::Range;

use self::sweep::{LocatedDirective, SuppressionSweep};
use crate::checks::problem::{Cause, Problem};
use crate::diagnostic::directive::{DirectiveKind, NamedCode, is_incomplete, suppressible};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Document;
use crate::nearest::{did_you_mean, nearest};
use crate::text::Span;

/// Codes of blocks that cannot be parsed: other diagnostics of such a block are unknown.
const UNREAD: [Code; 5] =
    [Code::InvalidJson, Code::NotAnObject, Code::UnclosedFence, Code::UnclosedMarker, Code::UnclosedTag];

/// A suppression comment without effect, or one code of such a comment.
#[derive(Clone, Debug)]
pub struct UnusedSuppression {
    /// The range of the comment.
    pub comment: Range<usize>,
    /// True if no part of the comment has an effect.
    pub is_whole: bool,
    /// The name or code to write instead, if that is misspelled.
    pub suggestion: Option<&'static str>,
}

impl Document {
    /// Splits `problems`, all in document order, into the problems that are not suppressed, and the
    /// problems of unused suppressions.
    pub(super) fn suppress(&self, problems: Vec<Problem>) -> (Vec<Problem>, Vec<Problem>) {
        if !self.tree().summary().attachment.directives {
            return (problems, Vec::new());
        }
        let directives = self.directives();
        let mut sweep = SuppressionSweep::new(&directives);
        let mut unread = self.unreadable_fences().into_iter().peekable();
        let mut remaining = Vec::new();
        for problem in problems {
            let Diagnostic { code, range, .. } = &problem.diagnostic;
            while let Some(at) = unread.next_if(|at| *at <= range.start) {
                sweep.mark_unreadable(at);
            }
            if !sweep.suppresses(*code, range.start) {
                remaining.push(problem);
            }
        }
        unread.for_each(|at| sweep.mark_unreadable(at));
        let used = sweep.used;
        let mut unused: Vec<Problem> =
            directives.iter().zip(&used).flat_map(|(directive, used)| self.unused(directive, used)).collect();
        let mut sweep = SuppressionSweep::new(&directives);
        unused.retain(|it| !sweep.suppresses(it.diagnostic.code, it.diagnostic.range.start));
        (remaining, unused)
    }

    /// The code that a suppression comment names at the byte `at`, and its range.
    pub fn suppressed_code_at(&self, at: usize) -> Option<(Range<usize>, Code)> {
        let head = self.tree().head_of(self.tree().segment_at(at).filter(|_| self.is_active())?.index);
        let located = self.tree().locate(head)?;
        let directives = &located.data().rare().directives;
        let named = directives.iter().flat_map(|directive| &directive.codes);
        let mut codes = named.filter_map(|named| Some((located.absolute(named.span), named.code?)));
        codes.find(|(range, _)| range.start <= at && at <= range.end)
    }

    /// The suppression comments, in order.
    fn directives(&self) -> Vec<LocatedDirective<'_>> {
        let mut found = Vec::new();
        for located in self.tree().attached(|summary| summary.directives) {
            let next = self.next_block(located.index + 1);
            found.extend(located.data().rare().directives.iter().map(|directive| LocatedDirective {
                directive,
                offset: located.offset,
                next: next.clone(),
            }));
        }
        found
    }

    /// The range of the first block in the segments from `from` on.
    fn next_block(&self, from: usize) -> Option<Range<usize>> {
        let at = self.tree().next_attached(from, |summary| summary.blocks || summary.has_diagnostics)?;
        if let Some(fence) = self.tree().fence(at) {
            return Some(fence.range);
        }
        let located = self.tree().locate(at)?;
        let data = located.data();
        let blocks = data.blocks.iter().filter_map(|block| block.span);
        let first = blocks
            .chain(data.rare().diagnostics.iter().map(|diagnostic| diagnostic.span))
            .map(|span| span.start)
            .min()?;
        let region = located.segment.regions().iter().find(|region| region.span.end > first)?;
        Some(located.absolute(region.span))
    }

    /// The offsets of blocks that cannot be parsed, in order, even if that is not reported while
    /// they are typed.
    fn unreadable_fences(&self) -> Vec<usize> {
        let mut found = Vec::new();
        for located in self.tree().attached(|summary| summary.has_diagnostics) {
            let diagnostics = located.data().rare().diagnostics.iter();
            let unread = diagnostics.filter(|diagnostic| UNREAD.contains(&diagnostic.code));
            found.extend(unread.map(|diagnostic| located.absolute(diagnostic.span).start));
        }
        found
    }

    /// The problems of the unused parts of one comment; `used` has a flag for each of its codes.
    fn unused(&self, located: &LocatedDirective<'_>, used: &[bool]) -> Vec<Problem> {
        let Some(severity) = self.settings().severity(Code::UnusedSuppression) else { return Vec::new() };
        let directive = located.directive;
        let useless = match directive.order {
            DirectiveKind::Unrecognized => vec![self.unknown_name(located)],
            // A comment that is in effect up to the document's end may still get something to
            // suppress.
            _ if directive.codes.is_empty() => {
                let is_used = located.next.is_none()
                    || used.contains(&true)
                    || directive.order == DirectiveKind::Enable;
                let message = format!("{} suppresses nothing: remove this comment", located.scope());
                if is_used {
                    Vec::new()
                } else {
                    vec![UnusedDirective { span: directive.span, message, suggestion: None }]
                }
            }
            _ => {
                let codes = directive.codes.iter().zip(used);
                codes.filter_map(|(named, used)| self.unused_codes(located, named, *used)).collect()
            }
        };
        // Without its codes the comment would apply to all codes.
        let is_whole =
            directive.order == DirectiveKind::Unrecognized || useless.len() >= directive.codes.len();
        let problem = |UnusedDirective { span, message, suggestion }| {
            let range = located.range(span);
            let diagnostic = Diagnostic::new(Code::UnusedSuppression, severity, range, message);
            let comment = located.range(directive.span);
            let cause = Cause::UnusedSuppression(UnusedSuppression { comment, is_whole, suggestion });
            Problem { diagnostic, cause }
        };
        useless.into_iter().map(problem).collect()
    }

    fn unknown_name(&self, located: &LocatedDirective<'_>) -> UnusedDirective {
        let span = located.directive.name;
        let written = self.text().slice(located.range(span));
        let known = "`chatls-disable`, `chatls-enable` and `chatls-disable-next`";
        let message = format!("`{written}` suppresses nothing; there are {known}");
        UnusedDirective {
            span,
            message,
            suggestion: nearest(&written, DirectiveKind::names()).first().copied(),
        }
    }

    /// Reports a code of a comment, unless it is `used`.
    fn unused_codes(
        &self,
        located: &LocatedDirective<'_>,
        named: &NamedCode,
        used: bool,
    ) -> Option<UnusedDirective> {
        let written = self.text().slice(located.range(named.span));
        let (message, meant) = match named.code {
            Some(code) => {
                let waits = located.next.is_none() || located.directive.order == DirectiveKind::Enable;
                if used || waits || !self.is_code_checked(code) {
                    return None;
                }
                (format!("{} has no `{written}` to suppress", located.scope()), None)
            }
            None if is_incomplete(&written, suppressible().map(Code::name)) => return None,
            None if Code::from_name(&written).is_some() => {
                (format!("`{written}` is not reported in documents; configure it under `[lint]`"), None)
            }
            None => {
                let near = nearest(&written, suppressible().map(Code::name));
                (format!("there is no code `{written}`{}", did_you_mean(&near)), near.first().copied())
            }
        };
        Some(UnusedDirective { span: named.span, message, suggestion: meant })
    }

    /// True if `code` is checked here at all.
    fn is_code_checked(&self, code: Code) -> bool {
        let registry = &self.settings().registry;
        let needs_registry = matches!(code, Code::UnknownTool | Code::InvalidInput | Code::UnknownParameter);
        let has_tools = registry.configured && registry.broken.is_empty() && registry.unasked.is_empty();
        // Suppressions of this code itself cannot be checked without a cycle, and a call is pending
        // only once more is written.
        !matches!(code, Code::UnusedSuppression | Code::PendingCall)
            && self.settings().severity(code).is_some()
            && (has_tools || !needs_registry)
    }
}

/// An unused part of a comment.
struct UnusedDirective {
    /// Relative to the same offset as the comment's spans.
    span: Span,
    message: String,
    /// The suggested code, if it is misspelled.
    suggestion: Option<&'static str>,
}
