//! What the speaker of a stream log says: the texts of its `text-delta` records, joined in order, are a document
//! inside of the document, read for inline blocks.
//!
//! Joined text is edited and read incrementally like any other; what is found in it stands at the record where it
//! begins.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use super::reading::ReadContext;
use super::{Document, Language};
use crate::call::{Block, Call};
use crate::config::Settings;
use crate::json::{self, SourceMap};
use crate::rules::SegmentDiagnostic;
use crate::syntax::MappedContent;
use crate::text::{Span, Text};

/// Tells where in a log something is said. The record that was last asked for is kept, as reading it again costs all of it.
pub struct DeltaTextLocations<'d> {
    document: &'d Document,
    /// Which bytes of all that is said the record says, where it begins, and the way back from what it says.
    last: RefCell<Option<(Range<usize>, usize, StringLiteralMap)>>,
}

impl DeltaTextLocations<'_> {
    /// The range in the log of the range `said` of [`Document::speech`], in the record where it begins.
    pub fn locate(&self, said: Range<usize>) -> Range<usize> {
        let mut last = self.last.borrow_mut();
        if last.as_ref().is_none_or(|(bytes, ..)| !bytes.contains(&said.start)) {
            *last = self.document.record_of_delta_text(said.start);
        }
        let Some((bytes, offset, literal)) = last.as_ref() else { return 0..0 };
        let from = said.start.saturating_sub(bytes.start);
        let span = literal.span_of(from..said.end.saturating_sub(bytes.start));
        offset + span.start as usize..offset + span.end as usize
    }
}

impl Document {
    /// Tells where in this log it is said what [`Document::speech`] holds.
    pub fn delta_text_locations(&self) -> DeltaTextLocations<'_> {
        DeltaTextLocations { document: self, last: RefCell::new(None) }
    }
}

/// One piece of what is said.
#[derive(Clone, Debug)]
pub(super) struct DeltaPiece {
    /// The decoded text.
    pub text: String,
    /// Where its JSON string stands in the block's content.
    pub literal: Span,
}

/// Reads the pieces that are said in one block: blocks and findings relative to its segment.
pub(super) fn read_delta_pieces(
    said: &[DeltaPiece],
    content: &MappedContent<'_>,
    context: ReadContext<'_>,
) -> (Vec<Block>, Vec<SegmentDiagnostic>) {
    let pieces = DeltaText::new(said, content);
    let speech = pieces.document(context);
    let mut blocks = Vec::new();
    let mut findings = Vec::new();
    for (offset, reading) in speech.segment_data() {
        blocks.extend(
            reading.blocks.iter().map(|block| block.moved(|span| pieces.range_in_segment(offset, span))),
        );
        let place = |span| pieces.range_in_segment(offset, span);
        findings.extend(reading.diagnostics().iter().map(|finding| finding.moved(place)));
    }
    (blocks, findings)
}

/// Hands each call in the pieces that are said in one block to `visit`, its span relative to the block's segment.
pub(super) fn visit_delta_pieces(
    said: &[DeltaPiece],
    content: &MappedContent<'_>,
    context: ReadContext<'_>,
    visit: &mut dyn FnMut(Span, &Call<'_>),
) {
    let pieces = DeltaText::new(said, content);
    let speech = pieces.document(context);
    for located in speech.tree().iter() {
        speech.visit_calls(located.index, &mut |span, call| {
            visit(pieces.range_in_segment(located.offset, span), call)
        });
    }
}

/// The pieces of one block, and the way back from their joined text to the block's segment.
pub(super) struct DeltaText<'a> {
    text: &'a [DeltaPiece],
    /// Where each begins in the joined text.
    starts: Vec<usize>,
    content: &'a MappedContent<'a>,
    /// The string that was last asked for: what is found comes in order.
    last: RefCell<Option<(usize, StringLiteralMap)>>,
}

impl<'a> DeltaText<'a> {
    pub(super) fn new(said: &'a [DeltaPiece], content: &'a MappedContent<'a>) -> Self {
        let mut end = 0;
        let mut starts = Vec::with_capacity(said.len());
        for piece in said {
            starts.push(end);
            end += piece.text.len();
        }
        Self { text: said, starts, content, last: RefCell::new(None) }
    }

    pub(super) fn document(&self, context: ReadContext<'_>) -> Document {
        let joined: String = self.text.iter().map(|piece| piece.text.as_str()).collect();
        delta_text_document(Text::new(&joined), Arc::new(context.settings.clone()))
    }

    /// The piece that holds the byte `at` of the joined text, or the last one: where it begins, how long it is, and its
    /// string.
    pub(super) fn piece_at(&self, at: usize) -> Option<(usize, usize, StringLiteralMap)> {
        let index = self.starts.partition_point(|begins| *begins <= at).checked_sub(1)?;
        let (begins, piece) = (self.starts.get(index)?, self.text.get(index)?);
        Some((*begins, piece.text.len(), StringLiteralMap::new(&self.content.text, piece.literal)))
    }

    pub(super) fn range_in_segment(&self, offset: usize, span: Span) -> Span {
        let (start, end) = (offset + span.start as usize, offset + span.end as usize);
        let index = self.starts.partition_point(|begins| *begins <= start).saturating_sub(1);
        let begins = self.starts.get(index).copied().unwrap_or_default();
        let mut last = self.last.borrow_mut();
        if last.as_ref().is_none_or(|(known, _)| *known != index) {
            let literal = self.text.get(index).map_or_else(Span::default, |piece| piece.literal);
            *last = Some((index, StringLiteralMap::new(&self.content.text, literal)));
        }
        let said = start.saturating_sub(begins)..end.saturating_sub(begins);
        last.as_ref()
            .map_or_else(Span::default, |(_, literal)| self.content.to_segment(literal.span_of(said)))
    }
}

/// The joined text as a document.
pub(super) fn delta_text_document(text: Text, settings: Arc<Settings>) -> Document {
    Document::read(text, Language::Markdown, settings, super::DocumentRole::DeltaText)
}

/// A JSON string, and the way back from what it says to the text that holds it.
pub(super) struct StringLiteralMap {
    span: Span,
    map: Option<SourceMap>,
}

impl StringLiteralMap {
    /// The string at `span` of `text`.
    pub(super) fn new(text: &str, span: Span) -> Self {
        let written = span.of(text);
        let json = json::parse_prefix(written);
        let decoded = json.root(written).and_then(json::Value::as_str_with_map);
        Self { span, map: decoded.map(|(_, map)| map) }
    }

    /// Where in the text stand the bytes `said` of what it says; what lies behind its end is at its closing quote.
    pub(super) fn span_of(&self, said: Range<usize>) -> Span {
        match &self.map {
            Some(map) => map.to_source_span(said.start, said.end).shifted(self.span.start as usize),
            None => self.span,
        }
    }
}
