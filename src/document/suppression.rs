//! What comments suppress in a document, and which of them suppress nothing.
//!
//! Comments were read with their segments; what they do is found in one sweep over them and the problems, both in the order of
//! the text. A comment is blamed only where it is sure that nothing is there for it: not for a code that is off or not judged, not while what it
//! covers cannot be read, and not before something stands behind it.

mod comment;
mod sweep;

use std::ops::Range;

use self::sweep::{LocatedDirective, SuppressionSweep};
use super::Document;
use crate::nearest::{did_you_mean, nearest};
use crate::rules::suppression::{DirectiveKind, NamedCode, is_incomplete, suppressible};
use crate::rules::{Code, Diagnostic, Fix};
use crate::text::Span;

/// What could not be read has hidden what else is wrong with it.
const UNREAD: [Code; 5] =
    [Code::InvalidJson, Code::NotAnObject, Code::UnclosedFence, Code::UnclosedMarker, Code::UnclosedTag];

/// A comment that suppresses nothing, or not all that it names: the finding, and what would mend it in document offsets.
pub type UnusedSuppression = (Diagnostic, Vec<Fix<Range<usize>>>);

impl Document {
    /// `problems`, all that is found in the order of the text, without those that comments suppress; and what there is to be
    /// said of these comments.
    pub(super) fn suppress(&self, problems: Vec<Diagnostic>) -> (Vec<Diagnostic>, Vec<UnusedSuppression>) {
        if !self.tree.summary().attachment.directives {
            return (problems, Vec::new());
        }
        let directives = self.directives();
        let mut sweep = SuppressionSweep::new(&directives);
        let mut unread = self.unreadable_fences().into_iter().peekable();
        let mut kept = Vec::new();
        for problem in problems {
            while let Some(at) = unread.next_if(|at| *at <= problem.range.start) {
                sweep.mark_unreadable(at);
            }
            if !sweep.suppresses(problem.code, problem.range.start) {
                kept.push(problem);
            }
        }
        unread.for_each(|at| sweep.mark_unreadable(at));
        let used = sweep.used;
        let mut unused: Vec<UnusedSuppression> =
            directives.iter().zip(&used).flat_map(|(directive, used)| self.unused(directive, used)).collect();
        let mut sweep = SuppressionSweep::new(&directives);
        unused.retain(|(problem, _)| !sweep.suppresses(problem.code, problem.range.start));
        (kept, unused)
    }

    /// The code that a comment of ours names at the byte `at`, and where.
    pub fn suppressed_code_at(&self, at: usize) -> Option<(Range<usize>, Code)> {
        let head = self.tree.head_of(self.tree.segment_at(at).filter(|_| self.is_active())?.index);
        let located = self.tree.locate(head)?;
        let directives = located.segment.attachment.data.as_deref()?.directives();
        let named = directives.iter().flat_map(|directive| &directive.codes);
        let mut codes = named.filter_map(|named| Some((located.absolute(named.span), named.code?)));
        codes.find(|(range, _)| range.start <= at && at <= range.end)
    }

    /// The comments of ours, in order.
    fn directives(&self) -> Vec<LocatedDirective<'_>> {
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(at) = self.tree.next_attached(from, |readings| readings.directives)
            && let Some(located) = self.tree.locate(at)
        {
            from = at + 1;
            let directives =
                located.segment.attachment.data.as_deref().map_or(&[][..], |reading| reading.directives());
            let next = self.next_block(from);
            found.extend(directives.iter().map(|directive| LocatedDirective {
                directive,
                offset: located.offset,
                next: next.clone(),
            }));
        }
        found
    }

    /// The first block in the segments from `from` on: its bytes.
    fn next_block(&self, from: usize) -> Option<Range<usize>> {
        let at = self.tree.next_attached(from, |readings| readings.blocks || readings.has_diagnostics)?;
        if let Some(fence) = self.tree.fence(at) {
            return Some(fence.range);
        }
        let located = self.tree.locate(at)?;
        let reading = located.segment.attachment.data.as_deref()?;
        let blocks = reading.blocks.iter().filter_map(|block| block.span);
        let first = blocks
            .chain(reading.diagnostics().iter().map(|finding| finding.span))
            .map(|span| span.start)
            .min()?;
        let region = located.segment.regions().iter().find(|region| region.span.end > first)?;
        Some(located.absolute(region.span))
    }

    /// Where something stands that could not be read, in order; what is not said while it is being written, too.
    fn unreadable_fences(&self) -> Vec<usize> {
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(at) = self.tree.next_attached(from, |readings| readings.has_diagnostics)
            && let Some(located) = self.tree.locate(at)
        {
            from = at + 1;
            let findings =
                located.segment.attachment.data.as_deref().map_or(&[][..], |reading| reading.diagnostics());
            let faults = findings.iter().filter(|finding| UNREAD.contains(&finding.code));
            found.extend(faults.map(|finding| located.absolute(finding.span).start));
        }
        found
    }

    /// What is to be said of one comment, with what mends it; `used` says which of its codes suppress something.
    fn unused(&self, located: &LocatedDirective<'_>, used: &[bool]) -> Vec<UnusedSuppression> {
        let Some(severity) = self.settings.severity(Code::UnusedSuppression) else { return Vec::new() };
        let directive = located.directive;
        let useless = match directive.order {
            DirectiveKind::Unrecognized => vec![self.unknown_name(located)],
            // What is open to the document's end is still waiting for what it is to suppress.
            _ if directive.codes.is_empty() => {
                let is_used = located.next.is_none()
                    || used.contains(&true)
                    || directive.order == DirectiveKind::Enable;
                let message = format!("{} has nothing to suppress: remove this comment", located.scope());
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
        // Without its codes a comment would hold for all.
        let is_all = directive.order == DirectiveKind::Unrecognized || useless.len() >= directive.codes.len();
        let problem = |useless: UnusedDirective| {
            let place = located.range(useless.span);
            let fixes = self.fixes(located, &useless, is_all);
            (Diagnostic::new(Code::UnusedSuppression, severity, place, useless.message), fixes)
        };
        useless.into_iter().map(problem).collect()
    }

    fn unknown_name(&self, located: &LocatedDirective<'_>) -> UnusedDirective {
        let span = located.directive.name;
        let written = self.text.slice(located.range(span));
        let known = "`chatls-disable`, `chatls-enable` and `chatls-disable-next`";
        let message = format!("`{written}` suppresses nothing; there are {known}");
        UnusedDirective {
            span,
            message,
            suggestion: nearest(&written, DirectiveKind::names()).first().copied(),
        }
    }

    /// What is to be said of a code in a comment that is `used` or not.
    fn unused_codes(
        &self,
        located: &LocatedDirective<'_>,
        named: &NamedCode,
        used: bool,
    ) -> Option<UnusedDirective> {
        let written = self.text.slice(located.range(named.span));
        let (message, meant) = match named.code {
            Some(code) => {
                let waits = located.next.is_none() || located.directive.order == DirectiveKind::Enable;
                if used || waits || !self.is_code_checked(code) {
                    return None;
                }
                (format!("{} has no `{written}`: there is nothing to suppress", located.scope()), None)
            }
            None if is_incomplete(&written, suppressible().map(Code::name)) => return None,
            None if Code::from_name(&written).is_some() => {
                (format!("`{written}` is never said of a document; it is configured under `[lint]`"), None)
            }
            None => {
                let near = nearest(&written, suppressible().map(Code::name));
                (format!("there is no code `{written}`{}", did_you_mean(&near)), near.first().copied())
            }
        };
        Some(UnusedDirective { span: named.span, message, suggestion: meant })
    }

    /// What mends `useless`, the best first; where `is_all`, nothing of the comment is of use.
    fn fixes(
        &self,
        located: &LocatedDirective<'_>,
        useless: &UnusedDirective,
        is_all: bool,
    ) -> Vec<Fix<Range<usize>>> {
        // None is safe: what is not found today may be found again, as a tool that is unknown while its registry is mended.
        let fix = |title, place, text: &str, is_preferred| Fix {
            title,
            edits: vec![(place, text.to_owned())],
            is_preferred,
            is_safe: false,
        };
        let place = located.range(useless.span);
        let replace = useless
            .suggestion
            .map(|meant| fix(format!("Replace with `{meant}`"), place.clone(), meant, true));
        let (title, gone) = if is_all {
            ("Remove the comment".to_owned(), self.lines_of_comment(&located.range(located.directive.span)))
        } else {
            (format!("Remove `{}`", self.text.slice(place.clone())), self.word_with_gap(&place))
        };
        let remove = fix(title, gone, "", replace.is_none());
        replace.into_iter().chain([remove]).collect()
    }

    /// Whether `code` would be found here if something were wrong.
    fn is_code_checked(&self, code: Code) -> bool {
        let registry = &self.settings.registry;
        let needs_registry = matches!(code, Code::UnknownTool | Code::InvalidInput | Code::UnknownParameter);
        let has_tools = registry.configured && registry.broken.is_empty();
        // Whether a suppression of this very finding is needed cannot be told without going round in circles, and a call is
        // pending only once more is written.
        !matches!(code, Code::UnusedSuppression | Code::PendingCall)
            && self.settings.severity(code).is_some()
            && (has_tools || !needs_registry)
    }

    /// What goes with the comment at `comment`: its whole lines where it has them for itself and no two paragraphs would become one.
    fn lines_of_comment(&self, comment: &Range<usize>) -> Range<usize> {
        let text = &self.text;
        let (first, last) = (text.line_of_byte(comment.start), text.line_of_byte(comment.end));
        let is_blank = |range: Range<usize>| text.slice(range).trim().is_empty();
        let lines = text.byte_of_line(first)..text.byte_of_line(last + 1);
        let is_alone = is_blank(lines.start..comment.start) && is_blank(comment.end..lines.end);
        let is_apart = first == 0
            || is_blank(text.line_content(first - 1))
            || last + 1 >= text.line_count()
            || is_blank(text.line_content(last + 1));
        if is_alone && is_apart { lines } else { comment.clone() }
    }

    /// The word at `word` with what parts it from the one before it, which at least the comment's name is.
    fn word_with_gap(&self, word: &Range<usize>) -> Range<usize> {
        let line = self.text.byte_of_line(self.text.line_of_byte(word.start));
        let before = self.text.slice(line..word.start);
        let gap = before.len() - before.trim_end_matches([' ', '\t', ',']).len();
        let comma = usize::from(self.text.byte(word.end) == Some(b','));
        word.start - gap..word.end + comma
    }
}

/// What a comment holds that suppresses nothing.
struct UnusedDirective {
    /// Relative to what the comment's spans are relative to.
    span: Span,
    message: String,
    /// What its author may have meant.
    suggestion: Option<&'static str>,
}
