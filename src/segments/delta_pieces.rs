//! The delta text of a stream log in a fence: the texts of its `text-delta` records, joined in
//! order, are parsed for inline blocks with the segment of the fence, and not kept.

use std::cell::RefCell;
use std::ops::Range;

use crate::call::{Block, Call};
use crate::config::Settings;
use crate::diagnostic::SegmentDiagnostic;
use crate::dialect::inline_of;
use crate::json;
use crate::json::SourceMap;
use crate::messages::tool_lists::ToolLists;
use crate::segments::block_unit::ReadContext;
use crate::segments::data::SegmentAttachment;
use crate::segments::language::Language;
use crate::segments::read::{read_segment, visit_calls};
use crate::segments::reader::SegmentReader;
use crate::syntax::{MappedContent, Tree, parse};
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
    pub(crate) fn new(range: Range<usize>, offset: usize, text: &str, literal: Span) -> Self {
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

/// One `text-delta` of a fenced log.
#[derive(Clone, Debug)]
pub(crate) struct DeltaPiece {
    /// The decoded text.
    pub text: String,
    /// The span of its JSON string in the fence's content.
    pub literal: Span,
}

/// Parses the delta text of a fenced log. Blocks and diagnostics are relative to its segment.
pub(crate) fn read_delta_pieces(
    deltas: &[DeltaPiece],
    content: &MappedContent<'_>,
    context: ReadContext<'_>,
) -> (Vec<Block>, Vec<SegmentDiagnostic>) {
    let pieces = FencedDeltaText::new(deltas, content, context.settings);
    let mut blocks = Vec::new();
    let mut diagnostics = Vec::new();
    for located in pieces.tree.iter() {
        let place = |span| pieces.span_in_fence(located.offset, span);
        blocks.extend(located.data().blocks.iter().map(|block| block.moved(place)));
        let found = located.data().rare().diagnostics.iter();
        diagnostics.extend(found.map(|diagnostic| diagnostic.moved(place)));
    }
    (blocks, diagnostics)
}

/// Passes each call in the delta text of a fenced log to `visit`, with its span relative to the
/// segment of the fence.
pub(crate) fn visit_delta_pieces(
    deltas: &[DeltaPiece],
    content: &MappedContent<'_>,
    context: ReadContext<'_>,
    visit: &mut dyn FnMut(Span, &Call<'_>),
) {
    let pieces = FencedDeltaText::new(deltas, content, context.settings);
    for located in pieces.tree.iter() {
        visit_calls(pieces.context(), &located, &mut |span, call| {
            visit(pieces.span_in_fence(located.offset, span), call)
        });
    }
}

/// The delta text of a fenced log, parsed, and the map from it to the segment of the fence.
pub(crate) struct FencedDeltaText<'a> {
    pieces: &'a [DeltaPiece],
    /// Start offset of each piece in the joined text.
    starts: Vec<usize>,
    content: &'a MappedContent<'a>,
    settings: &'a Settings,
    text: Text,
    tree: Tree<SegmentAttachment>,
    tool_lists: ToolLists,
    /// The last used piece: lookups come in order.
    last: RefCell<Option<DeltaRecord>>,
}

impl<'a> FencedDeltaText<'a> {
    pub(crate) fn new(
        pieces: &'a [DeltaPiece],
        content: &'a MappedContent<'a>,
        settings: &'a Settings,
    ) -> Self {
        let mut joined = String::new();
        let mut starts = Vec::with_capacity(pieces.len());
        for piece in pieces {
            starts.push(joined.len());
            joined.push_str(&piece.text);
        }
        let text = Text::new(&joined);
        let tree = parse(&text, &inline_of(settings).markdown);
        let (tool_lists, last) = (ToolLists::default(), RefCell::default());
        let mut read = Self { pieces, starts, content, settings, text, tree, tool_lists, last };
        let mut reader = SegmentReader::default();
        let segments = read.tree.iter();
        let attached = segments.map(|located| read_segment(read.context(), &located, &mut reader)).collect();
        read.tree.attach(0, attached);
        read
    }

    /// The context in which the segments of the joined text are parsed.
    pub(crate) fn context(&self) -> ReadContext<'_> {
        ReadContext {
            tree: &self.tree,
            text: &self.text,
            language: Language::Markdown,
            settings: self.settings,
            tool_lists: &self.tool_lists,
            protocol: None,
            reads_fences: false,
        }
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
