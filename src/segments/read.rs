//! Parses one segment: finds its blocks and passes each to its dialect.
//!
//! The result is relative to the segment, so it is stored with the segment and not affected by
//! edits elsewhere.

use crate::call::{Call, CallSink, Conversation};
use crate::dialect::{BlockSource, DIALECTS, ReadOutcome, inline_of, tagged};
use crate::forms::around;
use crate::messages::outline::outline;
use crate::messages::thread::ThreadMark;
use crate::never::OrNever;
use crate::segments::block_unit::{BlockUnit, ReadContext, VisitBlock};
use crate::segments::data::{DocumentSegment, SegmentAttachment};
use crate::segments::delta_pieces::{self, DeltaPiece};
use crate::segments::json_objects;
use crate::segments::json_objects::JsonCursor;
use crate::segments::message_starts;
use crate::segments::program_lines::ProgramLines;
use crate::segments::reader::SegmentReader;
use crate::syntax::{MappedContent, SegmentKind, TextParts, region_content};
use crate::text::{Span, saturate};

/// Number of bytes of a fence that are parsed at first: most are shorter, and an unclosed one may
/// contain a whole document.
const FIRST_WINDOW: usize = 8 << 10;

/// Parses a segment and searches it for secrets. Its delta text is appended to the delta text of
/// `reader`.
pub(crate) fn read_segment(
    context: ReadContext<'_>,
    located: &DocumentSegment<'_>,
    reader: &mut SegmentReader,
) -> SegmentAttachment {
    if matches!(located.segment.kind, SegmentKind::Blank | SegmentKind::Summarized) {
        return reader.finish(located.segment.kind == SegmentKind::Summarized);
    }
    // A line may have many megabytes: its text is put together once.
    let text = &*context.text.slice(located.range());
    reader.secrets(text);
    if matches!(located.segment.kind, SegmentKind::Body { .. }) {
        return reader.finish(false);
    }
    let content = text.get(..located.segment.content_len as usize).or_never();
    if let SegmentKind::Html { kind: 2, closed: true } = located.segment.kind
        && context.reads_fences
    {
        reader.comment(content);
        return reader.finish(true);
    }
    let SegmentKind::Text(parts) = &located.segment.kind else {
        let mut cursor = std::mem::take(&mut reader.cursor);
        let is_json = matches!(located.segment.kind, SegmentKind::Json(_));
        let is_broken = is_json && cursor.is_broken(context, located);
        let read = &mut |unit: &BlockUnit<'_>| reader.read(context, unit);
        let ends_in_text = whole_units(context, located, content, &mut cursor, read);
        let messages = std::mem::take(&mut cursor.messages);
        reader.cursor = cursor;
        let is_checked = !is_json && !messages.messages.is_empty();
        reader.messages(messages);
        if is_json {
            reader.json_piece(is_broken);
        }
        if located.segment.kind == SegmentKind::Line {
            reader.line_faults(text);
        }
        if is_checked {
            let fence = context.tree.fence_at(located);
            let of_fence = fence.map(|fence| json_objects::fence_text(context, &fence));
            reader.check_requests(of_fence.as_deref().unwrap_or(text), context.settings.api);
        }
        return reader.finish(ends_in_text);
    };
    let read = &mut |unit: &BlockUnit<'_>| reader.read(context, unit);
    let ends_in_text = text_units(context, content, parts, read);
    if let Some(at) = parts.left_out() {
        reader.leaves_out(at, content);
    }
    if context.reads_fences {
        let lines = ProgramLines::of(content, parts);
        reader.lines(message_starts::read(content, parts, &context.settings.turns), lines);
    }
    reader.finish(ends_in_text)
}

/// Passes each call of a segment, parsed in full, to `visit`; its span is relative to the segment.
pub(crate) fn visit_calls(
    context: ReadContext<'_>,
    located: &DocumentSegment<'_>,
    visit: &mut dyn FnMut(Span, &Call<'_>),
) {
    units(context, located, &mut |unit| {
        let mut sink = CallVisitor { unit, visit: &mut *visit, delta_text: Vec::new() };
        let outcome = (unit.dialect.read)(&unit.source, &mut sink);
        let deltas = sink.delta_text;
        if !deltas.is_empty() && unit.is_fence() {
            delta_pieces::visit_delta_pieces(&deltas, unit.content, context, visit);
        }
        outcome
    });
}

/// The delta texts of a segment, each with the span of its string in the segment.
pub(crate) fn delta_texts_in(context: ReadContext<'_>, located: &DocumentSegment<'_>) -> Vec<(Span, String)> {
    let mut pieces = Vec::new();
    units(context, located, &mut |unit| {
        let mut sink = CallVisitor { unit, visit: &mut |_, _| {}, delta_text: Vec::new() };
        let outcome = (unit.dialect.read)(&unit.source, &mut sink);
        let place = |piece: DeltaPiece| (unit.content.to_segment(piece.literal), piece.text);
        pieces.extend(sink.delta_text.into_iter().map(place));
        outcome
    });
    pieces
}

/// Passes calls on and collects delta text; ignores everything else.
struct CallVisitor<'s> {
    unit: &'s BlockUnit<'s>,
    visit: &'s mut dyn FnMut(Span, &Call<'_>),
    delta_text: Vec<DeltaPiece>,
}

impl CallSink for CallVisitor<'_> {
    fn call(&mut self, call: Call<'_>) {
        let span = call.span.map_or(self.unit.full_span, |span| self.unit.content.to_segment(span));
        (self.visit)(span, &call);
    }

    fn text_delta(&mut self, text: &str, literal: Span) {
        self.delta_text.push(DeltaPiece { text: text.to_owned(), literal });
    }
}

/// Passes each block of a segment to `visit`; returns whether text follows the last one.
pub(crate) fn units(
    context: ReadContext<'_>,
    located: &DocumentSegment<'_>,
    visit: &mut VisitBlock<'_>,
) -> bool {
    let content = context.text.slice(located.content());
    match &located.segment.kind {
        SegmentKind::Text(parts) => text_units(context, &content, parts, visit),
        _ => whole_units(context, located, &content, &mut JsonCursor::default(), visit),
    }
}

/// Passes each block of a fence, of a line of a log or of a piece of JSON to `visit`; returns
/// whether text follows the last block. `content` is the content of the segment.
fn whole_units(
    context: ReadContext<'_>,
    located: &DocumentSegment<'_>,
    content: &str,
    cursor: &mut JsonCursor,
    visit: &mut VisitBlock<'_>,
) -> bool {
    match &located.segment.kind {
        SegmentKind::Fence(_) if context.reads_fences => fence_unit(context, located, cursor, visit),
        SegmentKind::Json(_) => Some(cursor.read(context, located, visit)),
        SegmentKind::Line => line_unit(context, content, cursor, visit),
        _ => None,
    }
    .unwrap_or(true)
}

fn text_units(context: ReadContext<'_>, text: &str, parts: &TextParts, visit: &mut VisitBlock<'_>) -> bool {
    if parts.regions().is_empty() {
        return true;
    }
    let is_blank_between = |start: u32, end: u32| {
        let between = Span { start, end }.of(text);
        is_blank(around::before(around::behind(between)))
    };
    let (mut behind, table) = (0, inline_of(context.settings));
    for region in parts.regions() {
        let origin = table.origins.get(region.rule as usize);
        let dialect = origin.and_then(|origin| DIALECTS.get(origin.dialect));
        let rule = table.markdown.inline.get(region.rule as usize);
        let Some(((origin, dialect), rule)) = origin.zip(dialect).zip(rule).never_none() else { continue };
        let content =
            region_content(text, region.span, parts.containers_of(region), (dialect.colours)(origin.rule));
        let opener = rule.openers.iter().filter(|opener| content.text.starts_with(**opener));
        let start = region.span.start as usize;
        visit(&BlockUnit {
            dialect,
            source: BlockSource {
                rule: origin.rule,
                closed: region.closed,
                ..BlockSource::new(&content.text, context.settings)
            },
            content: &content,
            opening: Span::new(start, start + opener.map(|opener| opener.len()).max().unwrap_or(0)),
            full_span: region.span,
            after_text: !is_blank_between(behind, region.span.start),
            is_line: false,
            conversation: Conversation::default(),
        });
        behind = region.span.end;
    }
    !is_blank_between(behind, saturate(text.len()))
}

fn fence_unit(
    context: ReadContext<'_>,
    located: &DocumentSegment<'_>,
    cursor: &mut JsonCursor,
    visit: &mut VisitBlock<'_>,
) -> Option<bool> {
    let fence = context.tree.fence_at(located)?;
    let info = context.text.slice(located.absolute(fence.head.info));
    let language = info.split([' ', '\t']).next().unwrap_or_default();
    let rest = info.get(language.len()..).or_never().trim();
    let is_own = !context.settings.texts.is_empty() && {
        let first = context.tree.fence_content(context.text, &fence, FIRST_WINDOW);
        tagged::row_of_fence(&first.text, language, context.settings).is_some()
    };
    let dialect = match is_own {
        true => Some(&tagged::DIALECT),
        false => crate::dialect::for_fence(language, rest, context.settings),
    };
    // Stream logs and message logs stand in fences of the same languages.
    if dialect.is_none_or(|dialect| dialect.lines)
        && let Some(ends_in_text) = json_objects::fence_units(context, &fence, language, cursor, visit)
    {
        return Some(ends_in_text);
    }
    let dialect = dialect?;
    let closer = context.text.slice(located.absolute(fence.head.fence));
    let mut window = FIRST_WINDOW;
    loop {
        let content = context.tree.fence_content(context.text, &fence, window);
        let unit = BlockUnit {
            dialect,
            source: BlockSource {
                language: Some(language),
                closed: fence.closed,
                closer: &closer,
                cut: content.is_cut,
                ..BlockSource::new(&content.text, context.settings)
            },
            content: &content,
            opening: Span {
                start: fence.head.fence.start,
                end: fence.head.info.end.max(fence.head.fence.end),
            },
            full_span: Span::new(fence.head.fence.start as usize, fence.range.len()),
            after_text: false,
            is_line: false,
            conversation: Conversation::default(),
        };
        if visit(&unit) == ReadOutcome::Done {
            return Some(false);
        }
        window = window.saturating_mul(64);
    }
}

fn line_unit(
    context: ReadContext<'_>,
    text: &str,
    cursor: &mut JsonCursor,
    visit: &mut VisitBlock<'_>,
) -> Option<bool> {
    let outline = outline(text, &context.settings.forms);
    if let Some(ends_in_text) = cursor.read_text(context, text, &outline, ThreadMark::in_line, visit) {
        return Some(ends_in_text);
    }
    let content = MappedContent::from(text);
    visit(&BlockUnit {
        dialect: DIALECTS.iter().find(|dialect| dialect.lines)?,
        source: BlockSource { protocol: context.protocol, ..BlockSource::new(text, context.settings) },
        content: &content,
        opening: Span::default(),
        full_span: Span::new(0, text.len()),
        after_text: false,
        is_line: true,
        conversation: Conversation::default(),
    });
    Some(false)
}

/// True if `text` consists of white space and container prefixes: `>`, and markers of list items.
fn is_blank(text: &str) -> bool {
    text.split(['\n', '\r']).all(|line| without_prefix(line).is_empty())
}

/// `line` without leading white space and container prefixes.
pub(crate) fn without_prefix(line: &str) -> &str {
    let mut rest = line;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '>', '\u{FEFF}']);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let marker = match rest.as_bytes().get(digits) {
            Some(b'-' | b'+' | b'*') if digits == 0 => 1,
            Some(b'.' | b')') if (1..=9).contains(&digits) => digits + 1,
            _ => return rest,
        };
        let behind = rest.get(marker..).or_never();
        if !behind.is_empty() && !behind.starts_with([' ', '\t']) {
            return rest;
        }
        rest = behind;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_of_containers_are_blank() {
        let check = |text: &str, expected: bool| assert_eq!(is_blank(text), expected, "{text:?}");
        check("", true);
        check(" \t\r\n > \n", true);
        check("\n- ", true);
        check("\n> 12. ", true);
        check("\n-x", false);
        check("and", false);
        check("1", false);
    }
}
