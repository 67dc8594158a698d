//! The sweep from a document's start to its end that knows what is suppressed where.
//!
//! It goes forwards only, and costs what the comments and problems cost that it is asked about.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::rules::Code;
use crate::rules::suppression::{Directive, DirectiveKind, suppressible};
use crate::text::Span;

/// A comment of ours in the document.
pub(super) struct LocatedDirective<'d> {
    pub directive: &'d Directive,
    /// What its spans are relative to.
    pub offset: usize,
    /// The next block behind it.
    pub next: Option<Range<usize>>,
}

impl LocatedDirective<'_> {
    pub fn range(&self, span: Span) -> Range<usize> {
        self.offset + span.start as usize..self.offset + span.end as usize
    }

    /// What it holds for, as the start of a sentence.
    pub fn scope(&self) -> &'static str {
        if self.directive.order == DirectiveKind::DisableNext { "the next block" } else { "what follows" }
    }
}

/// One code of one comment: their indices, 0 for a comment without codes.
type DirectiveIndex = (usize, usize);

/// Goes through a document from its start to its end and knows what is suppressed there.
pub(super) struct SuppressionSweep<'d> {
    directives: &'d [LocatedDirective<'d>],
    /// The first comment that is not reached.
    next_directive: usize,
    /// The codes that are disabled, and by which comments that are not known to be of use.
    disabled: BTreeMap<Code, Vec<DirectiveIndex>>,
    /// The comments that hold for one block which is not over.
    next: Vec<usize>,
    /// Of each comment which of its codes suppress something.
    pub used: Vec<Vec<bool>>,
}

impl<'d> SuppressionSweep<'d> {
    pub fn new(directives: &'d [LocatedDirective<'d>]) -> Self {
        let used =
            directives.iter().map(|located| vec![false; located.directive.codes.len().max(1)]).collect();
        Self { directives, next_directive: 0, disabled: BTreeMap::new(), next: Vec::new(), used }
    }

    /// Whether a problem of `code` at `offset` is suppressed.
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

    /// At `offset` stands something of which it is not known what is wrong with it: every comment that holds there may be of use.
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

    /// The comments whose one block `offset` is in.
    fn next_at(&self, offset: usize) -> Vec<usize> {
        let holds = |at: &usize| {
            let next = self.directives.get(*at).and_then(|located| located.next.as_ref());
            next.is_some_and(|next| next.contains(&offset))
        };
        self.next.iter().copied().filter(holds).collect()
    }

    /// The codes of the comment at `at`. All codes are all but the one that is said of comments: it would hide itself.
    fn codes_of(&self, at: usize) -> impl Iterator<Item = (Code, DirectiveIndex)> + use<> {
        let named = self.directives.get(at).map_or(&[][..], |located| &located.directive.codes);
        let all = named.is_empty().then(|| suppressible().filter(|code| *code != Code::UnusedSuppression));
        let named: Vec<_> =
            named.iter().zip(0..).filter_map(|(named, by)| Some((named.code?, (at, by)))).collect();
        all.into_iter().flatten().map(move |code| (code, (at, 0))).chain(named)
    }

    /// Obeys the comments that end before `offset`.
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
