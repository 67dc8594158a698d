//! The diagnostics of a document: of single segments, and of several blocks together.
//!
//! This module joins and orders what the segments store, what `Links` has of several blocks, and
//! what other modules find on request, and applies the configured severities. It omits diagnostics
//! that do not hold for this kind of log or before what follows. Of the checks, only the one for
//! pending calls in fences is here.

use std::ops::Range;

use crate::call::SpeakerCounts;
use crate::checks::problem::{Cause, Problem};
use crate::checks::secrets;
use crate::diagnostic::{AtDocumentEnd, Code, Diagnostic, RelatedTarget, SegmentDiagnostic, Severity};
use crate::document::LocatedBlock;
use crate::document::links::locate_key;
use crate::document::{Document, Language, UnchangedExtent};
use crate::never::OrNever;
use crate::rules::links::{BlockKey, BlockPart, CrossBlockFact, CrossBlockIssue};
use crate::segments::data::{DocumentSegment, SegmentData, SegmentDataSummary};
use crate::text::Span;

impl Document {
    /// The diagnostics, in document order; unless the document is [active](Document::is_active), at
    /// most that its calls are not read.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.problems().into_iter().map(|problem| problem.diagnostic).collect()
    }

    /// The [diagnostics](Document::diagnostics) with their causes.
    pub fn problems(&self) -> Vec<Problem> {
        let unread = self.unread_diagnostic().map(Problem::own);
        if !self.is_active() {
            return self.suppress(unread.into_iter().collect()).0;
        }
        let mut problems = self.problems_outside(None, true);
        if let Some(unread) = unread {
            let start = unread.diagnostic.range.start;
            problems.insert(problems.partition_point(|it| it.diagnostic.range.start < start), unread);
        }
        let (mut problems, unused) = self.suppress(problems);
        if !unused.is_empty() {
            problems.extend(unused);
            problems.sort_by_key(Problem::place);
        }
        problems
    }

    /// The problems outside of the extent `unchanged`; all if it is `None`. A fence whose body
    /// changed counts from its head. Includes all problems of several blocks or messages if
    /// `with_links`. Does not apply suppression comments.
    pub(crate) fn problems_outside(
        &self,
        unchanged: Option<UnchangedExtent>,
        with_links: bool,
    ) -> Vec<Problem> {
        let end = self.last_block();
        let segments = self.segments_outside(unchanged.map(|it| (it.prefix, it.suffix)));
        let mut problems = self.problems_of_segments(segments, with_links, Some(end));
        if let Some(delta_text) = self.delta_text() {
            // The last block of the delta text is unfinished only if nothing else follows it.
            let is_last = self.last_delta_text().is_some_and(|(index, _)| index == end);
            let segments = delta_text.segments_outside(unchanged.map(|it| it.delta_text));
            let found =
                delta_text.problems_of_segments(segments, true, is_last.then(|| delta_text.last_block()));
            let found = found.into_iter().map(|problem| problem.diagnostic).collect();
            problems.extend(self.map_delta_text_diagnostics(found).into_iter().map(Problem::own));
            problems.sort_by_key(Problem::place);
        }
        problems
    }

    /// The segment in which the last block begins.
    pub(super) fn last_block(&self) -> usize {
        self.tree().head_of(self.tree().len().saturating_sub(1))
    }

    /// The problems of the segments `range`, without those of the delta text; with all problems of
    /// several blocks or messages if `with_links`. Does not apply suppression comments.
    fn problems_of_segments(
        &self,
        range: Range<usize>,
        with_links: bool,
        end: Option<usize>,
    ) -> Vec<Problem> {
        let own = self.own_diagnostics_of_segments(range.clone(), end);
        let mut problems: Vec<_> = own.into_iter().map(Problem::own).collect();
        let local = problems.len();
        problems.extend(self.pending_fences(range, end));
        if with_links {
            problems.extend(self.link_problems(end));
            problems.extend(self.request_problems());
            problems.extend(self.lost_parent_problems());
        }
        if problems.len() > local {
            problems.sort_by_key(Problem::place);
        }
        problems
    }

    /// The diagnostics of the segments `range` by themselves.
    fn own_diagnostics_of_segments(&self, range: Range<usize>, end: Option<usize>) -> Vec<Diagnostic> {
        let mut problems = Vec::new();
        let has_records = self.is_message_log() && !self.is_training_set();
        let is_wanted = |summary: &SegmentDataSummary| summary.has_diagnostics || summary.secrets;
        let segments = self.tree().attached_from(range.start, is_wanted);
        for located in segments.take_while(|located| located.index < range.end) {
            let data = located.data();
            let before = problems.len();
            problems.extend(data.rare().diagnostics.iter().filter_map(|diagnostic| {
                // "Once, at the first such record": the log is the whole document.
                if diagnostic.code == Code::MixedProtocol
                    && self.language() == Language::Log
                    && self.tree().next_attached(0, |sum| sum.mixed) != Some(located.index)
                {
                    return None;
                }
                if matches!(diagnostic.code, Code::BrokenLine | Code::LineSeparator) && !has_records {
                    return None;
                }
                if diagnostic.code == Code::LeakedMarkup && !self.goes_on_after(located.index) {
                    return None;
                }
                let unfinished = Some(located.index) == end && data.ends_with(diagnostic);
                Some(new_diagnostic(diagnostic, self.severity(diagnostic, unfinished)?, &located))
            }));
            if let Some(severity) = self.settings().severity(Code::Secret)
                && !data.rare().secrets.is_empty()
            {
                problems.extend(secrets::diagnostics(&located, severity));
                let own = problems.get_mut(before..).or_never();
                own.sort_by_key(|problem| (problem.range.start, problem.range.end));
            }
        }
        problems
    }

    /// True if a call or a message begins after the segment `index`: until then, an element in it
    /// may still be written.
    fn goes_on_after(&self, index: usize) -> bool {
        let begins = |sum: &SegmentDataSummary| sum.blocks || sum.speaker_counts != SpeakerCounts::default();
        self.tree().next_attached(index + 1, begins).is_some()
    }

    /// The calls in the tool fences of the segments `range` that never get a result.
    fn pending_fences(&self, range: Range<usize>, end: Option<usize>) -> Vec<Problem> {
        let mut found = Vec::new();
        if self.settings().severity(Code::PendingCall).is_none() {
            return found;
        }
        let last_batch = end.map(|_| self.last_batch());
        let segments = self.tree().attached_from(range.start, |summary| summary.has_pending_fence);
        for located in segments.take_while(|located| located.index < range.end) {
            let pending = self
                .fence_block(located.index)
                .filter(|at| last_batch.is_none_or(|batch| (at.segment, at.index) < batch));
            found.extend(pending.and_then(|at| self.problem_of_issue(CrossBlockFact::NoResult, &at, None)));
        }
        found
    }

    /// The problems of several blocks.
    fn link_problems(&self, end: Option<usize>) -> Vec<Problem> {
        let last_batch = end.map(|_| self.last_batch());
        let problem_of = |issue: CrossBlockIssue| {
            let at = self.locate_block(issue.block)?;
            let waits = issue.fact == CrossBlockFact::NoResult
                && last_batch.is_some_and(|batch| (at.segment, at.index) >= batch);
            let other = || issue.other.and_then(|other| self.locate_block(other));
            if waits { None } else { self.problem_of_issue(issue.fact, &at, other()) }
        };
        let is_known = |issue: &CrossBlockIssue| {
            !matches!(issue.fact, CrossBlockFact::Unpaired | CrossBlockFact::LostParent)
        };
        let known = self.links().group_issues().filter(is_known);
        let mut found: Vec<_> = known.chain(self.conversation_issues()).filter_map(problem_of).collect();
        found.extend(self.links().fallback_id_collisions(self.tree()).into_iter().filter_map(
            |(index, other)| {
                self.problem_of_issue(
                    CrossBlockFact::DuplicateFallbackId,
                    &self.fence_block(index)?,
                    self.locate_block(other),
                )
            },
        ));
        found
    }

    fn problem_of_issue(
        &self,
        fact: CrossBlockFact,
        at: &LocatedBlock<'_>,
        other: Option<LocatedBlock<'_>>,
    ) -> Option<Problem> {
        let code = fact.code(at.block);
        let severity = self.settings().severity(code)?.min(fact.most_severe());
        let message = fact.message(at.block, other.as_ref().map(|other| other.block));
        let range = self.range_of_block_part(at, fact.part());
        let mut diagnostic = Diagnostic::new(code, severity, range, message);
        diagnostic.related.extend(other.map(|other| {
            let part = if fact == CrossBlockFact::DuplicateFallbackId { BlockPart::Id } else { fact.part() };
            RelatedTarget {
                place: self.range_of_block_part(&other, part),
                message: fact.message_of_other().to_owned(),
            }
        }));
        Some(Problem { diagnostic, cause: Cause::Link { fact, segment: at.segment, block: at.index } })
    }

    /// The range of the part `part` of a block; if that part does not exist, the range of its name,
    /// of its object's brace, or of its opening.
    fn range_of_block_part(&self, at: &LocatedBlock<'_>, part: BlockPart) -> Range<usize> {
        let written = match part {
            BlockPart::Block => None,
            BlockPart::Id => at.block.id_span().or(at.block.name_span()),
            BlockPart::Name => at.block.name_span(),
        };
        let brace = at.block.brace.map(|brace| Span { start: brace, end: brace + 1 });
        if let Some(span) = written.or(brace).filter(|span| !span.is_empty()) {
            return at.absolute(span);
        }
        let line = || self.tree().get(at.segment).map_or(0, |segment| segment.content_len);
        let range = at.absolute(at.block.span.unwrap_or_else(|| Span { start: 0, end: line() }));
        let covered = self.text().slice(range.clone());
        range.start..range.start + covered.find(['\n', '\r']).unwrap_or(covered.len())
    }

    /// The block with this key.
    pub(crate) fn locate_block(&self, key: BlockKey) -> Option<LocatedBlock<'_>> {
        LocatedBlock::new(&locate_key(self.tree(), key.segment)?, key.index as usize)
    }

    /// The tool fence in the segment at `index`.
    fn fence_block(&self, index: usize) -> Option<LocatedBlock<'_>> {
        LocatedBlock::new(&self.tree().locate(index)?, 0)
    }

    /// The first block of the batch at the end of the document, by its segment and its index in it.
    fn last_batch(&self) -> (usize, usize) {
        let Some(segment) = self.tree().previous_attached(self.tree().len(), |summary| summary.text) else {
            return (0, 0);
        };
        let data = self.tree().get(segment).map(|segment| segment.attachment.data());
        let index = data
            .filter(|data| !data.ends_in_text)
            .and_then(|data| data.blocks.iter().rposition(|block| block.after_text));
        match index {
            Some(index) => (segment, index),
            None => (segment + 1, 0),
        }
    }

    /// Converts `diagnostics` of [`Document::delta_text`] to ranges of this document.
    fn map_delta_text_diagnostics(&self, mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        // A secret within one record is already reported in the record's own text.
        let locations = self.delta_text_locations();
        diagnostics
            .retain(|problem| problem.code != Code::Secret || !locations.is_in_one_record(&problem.range));
        let places = diagnostics.iter().flat_map(|problem| {
            std::iter::once(&problem.range).chain(problem.related.iter().map(|related| &related.place))
        });
        let mut ranges = self.ranges_of_delta_text(places.cloned()).into_iter();
        for problem in &mut diagnostics {
            problem.range = ranges.next().or_never();
            for related in &mut problem.related {
                related.place = ranges.next().or_never();
            }
        }
        diagnostics
    }

    /// The severity of a diagnostic here; `None` if it is not reported.
    fn severity(&self, diagnostic: &SegmentDiagnostic, unfinished: bool) -> Option<Severity> {
        let severity = self.settings().severity(diagnostic.code)?;
        match diagnostic.at_end {
            AtDocumentEnd::Suppressed if unfinished => None,
            AtDocumentEnd::Information if unfinished => Some(severity.min(Severity::Information)),
            _ => Some(severity),
        }
    }
}

impl SegmentData {
    /// True if nothing follows the block or line of `diagnostic` in the document.
    fn ends_with(&self, diagnostic: &SegmentDiagnostic) -> bool {
        // An unclosed fence contains everything that follows; it is reported at its opening.
        let last = self.blocks.last().and_then(|block| block.span).map_or(0, |span| span.start);
        let is_last = diagnostic.span.start >= last || diagnostic.code == Code::UnclosedFence;
        is_last && !self.ends_in_text || diagnostic.code == Code::BrokenLine
    }
}

fn new_diagnostic(
    diagnostic: &SegmentDiagnostic,
    severity: Severity,
    located: &DocumentSegment<'_>,
) -> Diagnostic {
    let related = |related: &RelatedTarget| RelatedTarget {
        place: located.absolute(related.place),
        message: related.message.clone(),
    };
    Diagnostic {
        code: diagnostic.code,
        severity,
        range: located.absolute(diagnostic.span),
        message: diagnostic.message.to_string(),
        related: diagnostic.related.iter().map(related).collect(),
    }
}
