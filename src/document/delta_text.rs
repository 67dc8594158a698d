//! The delta text of a stream log: the texts of its `text-delta` records, joined in order, are
//! parsed for inline blocks as a document inside of the document.
//!
//! A log that is the whole document keeps that document and edits it incrementally
//! ([`Document::delta_text`], [`LogDeltaText`]). The delta text of a log in a fence is parsed anew
//! with its segment and not kept (`FencedDeltaText`). In both, diagnostics and blocks are located
//! at the record in which they begin.

use std::cell::{RefCell, RefMut};
use std::ops::Range;
use std::sync::Arc;

use crate::call::{Block, Call};
use crate::config::Settings;
use crate::diagnostic::SegmentDiagnostic;
use crate::document::block_unit::ReadContext;
use crate::document::{Document, Language};
use crate::json;
use crate::json::SourceMap;
use crate::never::OrNever;
use crate::syntax::MappedContent;
use crate::text::{Span, Text};

/// A record of delta text.
pub(crate) struct DeltaRecord {
    /// Its part of the delta text.
    pub range: Range<usize>,
    /// The offset that its spans are relative to: the start of its segment in a log, 0 in a fence.
    pub offset: usize,
    /// The span of its JSON string.
    literal: Span,
    /// The map from its decoded text to the text of its string.
    map: Option<SourceMap<'static>>,
}

impl DeltaRecord {
    /// The record with the part `range` of the delta text, whose JSON string is at `literal` of
    /// `text`, a text at `offset`.
    pub(super) fn new(range: Range<usize>, offset: usize, text: &str, literal: Span) -> Self {
        let written = literal.of(text);
        let json = json::parse_prefix(written);
        let decoded = json.root(written).and_then(json::Value::as_str_with_map);
        Self { range, offset, literal, map: decoded.map(|(_, map)| map.into_owned()) }
    }

    /// The span in its string of `range` of the delta text, which begins in the record; offsets
    /// past its end map to the closing quote.
    pub fn span_of(&self, range: &Range<usize>) -> Span {
        let Some(map) = &self.map else { return self.literal };
        let decoded = |at: usize| at.saturating_sub(self.range.start);
        map.to_source_span(decoded(range.start), decoded(range.end)).shifted(self.literal.start as usize)
    }

    /// The span of `range` if all of it is in the record.
    pub fn span_inside(&self, range: &Range<usize>) -> Option<Span> {
        (self.range.start <= range.start && range.end <= self.range.end).then(|| self.span_of(range))
    }
}

/// Converts ranges of the delta text to ranges of the log. Caches the last record, because parsing
/// a record costs its whole length.
pub struct LogDeltaText<'d> {
    document: &'d Document,
    last: RefCell<Option<DeltaRecord>>,
}

impl LogDeltaText<'_> {
    /// Converts `range` of [`Document::delta_text`] to a range of the log, in the record
    /// in which it begins.
    pub fn locate(&self, range: Range<usize>) -> Range<usize> {
        let place = |record: &DeltaRecord| record.span_of(&range).range_at(record.offset);
        self.record(range.start).as_ref().never_none().map_or(0..0, place)
    }

    /// True if one record has all of `range`.
    pub fn is_in_one_record(&self, range: &Range<usize>) -> bool {
        self.record(range.start).as_ref().is_some_and(|record| range.end <= record.range.end)
    }

    fn record(&self, at: usize) -> RefMut<'_, Option<DeltaRecord>> {
        let mut last = self.last.borrow_mut();
        if last.as_ref().is_none_or(|last| !last.range.contains(&at)) {
            *last = self.document.record_of_delta_text(at);
        }
        last
    }
}

impl Document {
    /// Returns a converter from ranges of [`Document::delta_text`] to ranges of this log.
    pub fn delta_text_locations(&self) -> LogDeltaText<'_> {
        LogDeltaText { document: self, last: RefCell::new(None) }
    }

    /// The edits that replace `range` of the delta text by `new`: `new` is written into the first
    /// record, and the other records lose their parts of the range.
    pub fn edits_in_delta_text(&self, range: &Range<usize>, new: &str) -> Vec<(Range<usize>, String)> {
        let mut edits = Vec::new();
        let mut at = range.start;
        while at < range.end
            && let Some(record) = self.record_of_delta_text(at)
            && at < record.range.end
        {
            let end = range.end.min(record.range.end);
            let text = if edits.is_empty() { new } else { "" };
            edits.push((record.span_of(&(at..end)).range_at(record.offset), text.to_owned()));
            at = end;
        }
        edits
    }
}

/// One `text-delta` of a fenced log.
#[derive(Clone, Debug)]
pub(crate) struct DeltaPiece {
    /// The decoded text.
    pub text: String,
    /// The span of its JSON string in the fence's content.
    pub literal: Span,
}

/// Parses the delta text of a fenced log. Blocks and diagnostics are relative to its segment.
pub(super) fn read_delta_pieces(
    deltas: &[DeltaPiece],
    content: &MappedContent<'_>,
    context: ReadContext<'_>,
) -> (Vec<Block>, Vec<SegmentDiagnostic>) {
    let pieces = FencedDeltaText::new(deltas, content);
    let document = pieces.document(context);
    let mut blocks = Vec::new();
    let mut diagnostics = Vec::new();
    for (offset, data) in document.segment_data() {
        blocks.extend(data.blocks.iter().map(|block| block.moved(|span| pieces.span_in_fence(offset, span))));
        let place = |span| pieces.span_in_fence(offset, span);
        diagnostics.extend(data.rare().diagnostics.iter().map(|diagnostic| diagnostic.moved(place)));
    }
    (blocks, diagnostics)
}

/// Passes each call in the delta text of a fenced log to `visit`, with its span relative to the
/// segment of the fence.
pub(super) fn visit_delta_pieces(
    deltas: &[DeltaPiece],
    content: &MappedContent<'_>,
    context: ReadContext<'_>,
    visit: &mut dyn FnMut(Span, &Call<'_>),
) {
    let pieces = FencedDeltaText::new(deltas, content);
    let document = pieces.document(context);
    for located in document.tree().iter() {
        document.visit_calls(located.index, &mut |span, call| {
            visit(pieces.span_in_fence(located.offset, span), call)
        });
    }
}

/// The delta text of a fenced log, and the map from it to the segment of the fence.
pub(crate) struct FencedDeltaText<'a> {
    pieces: &'a [DeltaPiece],
    /// Start offset of each piece in the joined text.
    starts: Vec<usize>,
    content: &'a MappedContent<'a>,
    /// The last used piece: lookups come in order.
    last: RefCell<Option<DeltaRecord>>,
}

impl<'a> FencedDeltaText<'a> {
    pub(crate) fn new(pieces: &'a [DeltaPiece], content: &'a MappedContent<'a>) -> Self {
        let mut end = 0;
        let mut starts = Vec::with_capacity(pieces.len());
        for piece in pieces {
            starts.push(end);
            end += piece.text.len();
        }
        Self { pieces, starts, content, last: RefCell::new(None) }
    }

    pub(crate) fn document(&self, context: ReadContext<'_>) -> Document {
        let joined: String = self.pieces.iter().map(|piece| piece.text.as_str()).collect();
        delta_text_document(Text::new(&joined), Arc::new(context.settings.clone()))
    }

    /// The piece that contains the byte `at` of the joined text, or the last one.
    pub(crate) fn record_at(&self, at: usize) -> Option<DeltaRecord> {
        let index = self.starts.partition_point(|begins| *begins <= at).checked_sub(1)?;
        let (start, piece) = (*self.starts.get(index)?, self.pieces.get(index)?);
        let range = start..start + piece.text.len();
        Some(DeltaRecord::new(range, 0, &self.content.text, piece.literal))
    }

    /// Converts `span` of a segment that begins at the byte `offset` of the joined text to a span
    /// of the fence's segment, in the piece in which it begins.
    pub(crate) fn span_in_fence(&self, offset: usize, span: Span) -> Span {
        let range = span.range_at(offset);
        let mut last = self.last.borrow_mut();
        if last.as_ref().is_none_or(|last| !last.range.contains(&range.start)) {
            *last = self.record_at(range.start);
        }
        last.as_ref().map_or_else(Span::default, |last| self.content.to_segment(last.span_of(&range)))
    }
}

/// Parses the joined text as a document.
pub(super) fn delta_text_document(text: Text, settings: Arc<Settings>) -> Document {
    Document::read(text, Language::Markdown, settings, crate::document::DocumentRole::DeltaText)
}
