//! The forward sweep over a document that tracks which codes are suppressed.
//!
//! Its cost is linear in the number of comments and diagnostics.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::diagnostic::Code;
use crate::diagnostic::directive::{Directive, DirectiveKind, suppressible};
use crate::text::Span;

/// A suppression comment in the document.
pub(super) struct LocatedDirective<'d> {
    pub directive: &'d Directive,
    /// The document offset that its spans are relative to.
    pub offset: usize,
    /// The range of the next block after it.
    pub next: Option<Range<usize>>,
}

impl LocatedDirective<'_> {
    pub fn range(&self, span: Span) -> Range<usize> {
        span.range_at(self.offset)
    }

    /// The scope of the comment, as the start of a sentence.
    pub fn scope(&self) -> &'static str {
        if self.directive.order == DirectiveKind::DisableNext { "the next block" } else { "what follows" }
    }
}

/// A code of a comment, by the indices of both; the second is 0 for a comment without codes.
type DirectiveIndex = (usize, usize);

/// Visits a document from start to end and tracks the suppressed codes.
pub(super) struct SuppressionSweep<'d> {
    directives: &'d [LocatedDirective<'d>],
    /// The first comment that is not reached yet.
    next_directive: usize,
    /// The disabled codes, and the comments that disable them and are not known to be used.
    disabled: BTreeMap<Code, Vec<DirectiveIndex>>,
    /// The comments that apply to one block which has not ended yet.
    next: Vec<usize>,
    /// For each comment, which of its codes suppress something.
    pub used: Vec<Vec<bool>>,
}

impl<'d> SuppressionSweep<'d> {
    pub fn new(directives: &'d [LocatedDirective<'d>]) -> Self {
        let used =
            directives.iter().map(|located| vec![false; located.directive.codes.len().max(1)]).collect();
        Self { directives, next_directive: 0, disabled: BTreeMap::new(), next: Vec::new(), used }
    }

    /// True if a diagnostic of `code` at `offset` is suppressed.
    pub fn suppresses(&mut self, code: Code, offset: usize) -> bool {
        self.advance_to(offset);
        let by_region = self.disabled.get_mut(&code).map(std::mem::take);
        let mut is_hidden = by_region.is_some();
        self.mark(by_region.unwrap_or_default());
        for at in self.next_at(offset) {
            let by: Vec<DirectiveIndex> =
                self.codes_of(at).filter(|(named, _)| *named == code).map(|(_, by)| by).collect();
            is_hidden |= !by.is_empty();
            self.mark(by);
        }
        is_hidden
    }

    /// Marks all comments in effect at `offset` as used: a block there could not be parsed, so its
    /// diagnostics are unknown.
    pub fn mark_unreadable(&mut self, offset: usize) {
        self.advance_to(offset);
        let by: Vec<DirectiveIndex> = self.disabled.values_mut().flat_map(std::mem::take).collect();
        self.mark(by);
        for at in self.next_at(offset) {
            let by: Vec<DirectiveIndex> = self.codes_of(at).map(|(_, by)| by).collect();
            self.mark(by);
        }
    }

    fn mark(&mut self, by: Vec<DirectiveIndex>) {
        for (directive, code) in by {
            if let Some(used) = self.used.get_mut(directive).and_then(|used| used.get_mut(code)) {
                *used = true;
            }
        }
    }

    /// The comments that apply to the block at `offset`.
    fn next_at(&self, offset: usize) -> Vec<usize> {
        let holds = |at: &usize| {
            let next = self.directives.get(*at).and_then(|located| located.next.as_ref());
            next.is_some_and(|next| next.contains(&offset))
        };
        self.next.iter().copied().filter(holds).collect()
    }

    /// The codes of the comment at `at`. "All" excludes `unused-suppression`, which would hide
    /// itself.
    fn codes_of(&self, at: usize) -> impl Iterator<Item = (Code, DirectiveIndex)> + use<> {
        let named = self.directives.get(at).map_or(&[][..], |located| &located.directive.codes);
        let all = named.is_empty().then(|| suppressible().filter(|code| *code != Code::UnusedSuppression));
        let named: Vec<_> =
            named.iter().zip(0..).filter_map(|(named, by)| Some((named.code?, (at, by)))).collect();
        all.into_iter().flatten().map(move |code| (code, (at, 0))).chain(named)
    }

    /// Applies the comments that end before `offset`.
    fn advance_to(&mut self, offset: usize) {
        while let Some(located) = self.directives.get(self.next_directive)
            && located.range(located.directive.span).end <= offset
        {
            let at = self.next_directive;
            self.next_directive += 1;
            match located.directive.order {
                DirectiveKind::Disable => {
                    for (code, by) in self.codes_of(at) {
                        self.disabled.entry(code).or_default().push(by);
                    }
                }
                DirectiveKind::Enable => {
                    for (code, _) in self.codes_of(at) {
                        self.disabled.remove(&code);
                    }
                }
                DirectiveKind::DisableNext => self.next.push(at),
                DirectiveKind::Unrecognized => {}
            }
        }
        let directives = self.directives;
        self.next.retain(|at| {
            let next = directives.get(*at).and_then(|located| located.next.as_ref());
            next.is_some_and(|next| next.end > offset)
        });
    }
}
