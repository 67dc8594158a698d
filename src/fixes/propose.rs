//! Fixes that rules and dialects propose for the diagnostics of segments, in document offsets. The
//! segments are parsed again for this.
//!
//! Proposals are mapped like diagnostics. New lines get the prefix of the block's containers, and
//! text inserted into delta text is escaped for the JSON string that contains it.

use std::collections::HashMap;
use std::ops::Range;

use crate::call::{Call, CallSink};
use crate::config::Settings;
use crate::diagnostic::{CallDiagnostic, Code, Fix};
use crate::document::{Document, touches};
use crate::json::escaped;
use crate::places::BlockBoundary;
use crate::rules;
use crate::segments::data::DocumentSegment;
use crate::segments::{DeltaPiece, FencedDeltaText, ReadContext, units};
use crate::syntax::MappedContent;
use crate::text::Span;

/// The proposed fixes for one diagnostic; `S` is the type of ranges.
#[derive(Clone, Debug)]
pub struct Proposal<S> {
    /// The code of the diagnostic.
    pub code: Code,
    /// The range of the diagnostic.
    pub place: S,
    /// The message of the diagnostic.
    pub message: String,
    /// The fixes, best first.
    pub fixes: Vec<Fix<S>>,
}

impl<S> Proposal<S> {
    /// Converts the proposal to other coordinates; leaves out fixes with an edit that has no
    /// equivalent there.
    fn moved<T>(
        self,
        place: impl Fn(&S) -> T,
        edit: impl Fn((S, String)) -> Option<(T, String)>,
    ) -> Proposal<T> {
        let fix = |mut fix: Fix<S>| {
            let edits = fix.edits.drain(..).map(&edit).collect::<Option<_>>()?;
            Some(fix.with_edits(edits))
        };
        Proposal {
            code: self.code,
            place: place(&self.place),
            message: self.message,
            fixes: self.fixes.into_iter().filter_map(fix).collect(),
        }
    }
}

/// The proposals for the segments with a diagnostic that touches `range`, except diagnostics in
/// delta text.
pub(super) fn proposals_in(
    context: ReadContext<'_>,
    range: &Range<usize>,
    only: Option<Code>,
) -> Vec<Proposal<Range<usize>>> {
    let wanted = |code: Code| only.is_none_or(|only| only == code);
    let mut proposals = Vec::new();
    for located in context.tree.attached(|summary| summary.has_diagnostics) {
        let diagnostics = located.data().rare().diagnostics.iter();
        let mut places = diagnostics.filter(|it| wanted(it.code)).map(|it| located.absolute(it.span));
        if places.any(|place| touches(&place, range)) {
            proposals.extend(propose(context, &located, range));
        }
    }
    proposals
}

impl Document {
    /// The proposals for diagnostics in delta text. Fixes that span several records are left out.
    pub(super) fn proposals_in_delta_text(
        &self,
        range: &Range<usize>,
        only: Option<Code>,
    ) -> Vec<Proposal<Range<usize>>> {
        let Some(document) = self.delta_text() else { return Vec::new() };
        let diagnostics: Vec<_> = document
            .segment_data()
            .flat_map(|(offset, data)| {
                data.rare().diagnostics.iter().map(move |diagnostic| (offset, diagnostic))
            })
            .filter(|(_, diagnostic)| only.is_none_or(|only| only == diagnostic.code))
            .map(|(offset, diagnostic)| diagnostic.span.range_at(offset))
            .collect();
        let places = self.ranges_of_delta_text(diagnostics.iter().cloned());
        let wanted: Vec<_> =
            diagnostics.into_iter().zip(places).filter(|(_, place)| touches(place, range)).collect();
        let start = wanted.iter().map(|(range, _)| range.start).min();
        let end = wanted.iter().map(|(range, _)| range.end).max();
        let Some((start, end)) = start.zip(end) else { return Vec::new() };
        let place_of: HashMap<_, _> = wanted.into_iter().collect();
        let in_record = |proposal: Proposal<Range<usize>>| {
            let place = place_of.get(&proposal.place)?;
            Some(proposal.moved(|_| place.clone(), |edit| self.edit_in_delta_text(edit)))
        };
        proposals_in(document.context(), &(start..end), only).into_iter().filter_map(in_record).collect()
    }

    /// Converts an edit of the delta text to an edit of its record; `None` if it spans several
    /// records.
    fn edit_in_delta_text(&self, (range, text): (Range<usize>, String)) -> Option<(Range<usize>, String)> {
        let record = self.record_of_delta_text(range.start)?;
        Some((record.span_inside(&range)?.range_at(record.offset), escaped(&text)))
    }
}

/// The proposals for diagnostics of the segment `located` that touch `range`.
fn propose(
    context: ReadContext<'_>,
    located: &DocumentSegment<'_>,
    range: &Range<usize>,
) -> Vec<Proposal<Range<usize>>> {
    let mut proposals = Vec::new();
    units(context, located, &mut |unit| {
        let mut sink =
            ProposalSink { settings: unit.source.settings, diagnostics: Vec::new(), delta_text: Vec::new() };
        let outcome = (unit.dialect.read)(&unit.source, &mut sink);
        let absolute = |span: Span| located.absolute(span);
        let is_wanted =
            |diagnostic: &CallDiagnostic| touches(&absolute(unit.target_span(diagnostic.target)), range);
        proposals.extend(sink.diagnostics.into_iter().filter(is_wanted).map(|diagnostic| {
            let place = unit.target_span(diagnostic.target);
            let CallDiagnostic { code, message, fixes, .. } = diagnostic;
            // Positions in the block's content, except the range of the diagnostic, which is
            // relative to the segment.
            let proposal = Proposal { code, place: Span::default(), message, fixes };
            let edit = |edit| Some(BlockBoundary { context, located, unit }.edit(edit));
            proposal.moved(|_| absolute(place), edit)
        }));
        if !sink.delta_text.is_empty() && unit.is_fence() {
            let in_deltas = propose_pieces(&sink.delta_text, unit.content, context);
            let edit = |(span, text)| Some((absolute(span), text));
            proposals.extend(in_deltas.into_iter().map(|it| it.moved(|place| absolute(*place), edit)));
        }
        outcome
    });
    proposals
}

/// The proposals for the delta pieces of one block, relative to its segment.
fn propose_pieces(
    deltas: &[DeltaPiece],
    content: &MappedContent<'_>,
    context: ReadContext<'_>,
) -> Vec<Proposal<Span>> {
    let pieces = FencedDeltaText::new(deltas, content, context.settings);
    let proposals = proposals_in(pieces.context(), &(0..usize::MAX), None);
    let place = |range: &Range<usize>| pieces.span_in_fence(0, Span::new(range.start, range.end));
    let edit = |(range, text): (Range<usize>, String)| {
        let span = pieces.record_at(range.start)?.span_inside(&range)?;
        Some((content.to_segment(span), escaped(&text)))
    };
    proposals.into_iter().map(|proposal| proposal.moved(place, edit)).collect()
}

/// Collects diagnostics with their proposed fixes, and delta text.
struct ProposalSink<'u> {
    settings: &'u Settings,
    diagnostics: Vec<CallDiagnostic>,
    delta_text: Vec<DeltaPiece>,
}

impl CallSink for ProposalSink<'_> {
    fn call(&mut self, call: Call<'_>) {
        rules::check_call(&call, self.settings, &mut self.diagnostics);
    }

    fn diagnostic(&mut self, diagnostic: CallDiagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn text_delta(&mut self, text: &str, literal: Span) {
        self.delta_text.push(DeltaPiece { text: text.to_owned(), literal });
    }
}
