//! Reads only the edited part of a long payload in a fence.
//!
//! A payload is read as a whole. Its input or output may have megabytes, of which an edit changes
//! one object or array. If the payload has no faults, and that object or array has none after the
//! edit, only the object or array is read again, and all other data are moved.

use std::ops::Range;

use super::{LongText, secrets_after};
use crate::call::{Block, Conversation, JsonContainer, is_shown_result, text_parts};
use crate::dialect::{BlockSource, by_index, fence};
use crate::json::{parse, parse_prefix, skip_plain};
use crate::never::OrNever;
use crate::segments::block_unit::{BlockUnit, ReadContext};
use crate::segments::data::{RareSegmentData, SegmentAttachment, SegmentData};
use crate::segments::kept::KeptReads;
use crate::segments::reader::SegmentReader;
use crate::syntax::{LocatedSegment, MappedContent, SegmentKind};
use crate::text::{Span, Splice, Text};

/// The text before an object or array that is read alone, as the input of a call.
const ALONE: &str = "{\"input\":";
/// Maximum number of bytes of the beginning of a payload that is read for a label.
const MOST_READ: usize = 8 << 10;
/// Maximum number of bytes of an object or array that is searched in a line.
const MOST_IN_LINE: usize = 1 << 20;
/// Maximum number of bytes of a key, with the white space around it.
const MOST_OF_KEY: usize = 256;
const BLANK: [char; 4] = [' ', '\t', '\n', '\r'];

/// The index of the head of the fence `long`, with its data after the edit `splice` of its payload;
/// `None` if it must be read as a whole.
pub(super) fn edited_payload(
    old: ReadContext<'_>,
    new: ReadContext<'_>,
    long: &LongText<'_>,
    splice: Splice,
) -> Option<(usize, SegmentAttachment)> {
    let LocatedSegment { index, offset, segment, .. } = long.segment;
    let data = segment.attachment.data();
    let (rare, [block]) = (data.rare.as_deref()?, &*data.blocks) else { return None };
    let SegmentKind::Fence(head) = &segment.kind else { return None };
    let is_payload = by_index(block.dialect).is_some_and(|it| it.name == fence::DIALECT.name);
    // Schemas are for the input and output as a whole.
    let has_schema = block.name().is_some_and(|name| old.settings.registry.tools.contains_key(name));
    let is_fine = block.is_readable && rare.diagnostics.is_empty();
    // All bytes of other fences may be at other places in their payloads.
    let is_bare = segment.start.is_none() && head.fence.start == 0 && head.indent == 0;
    if !is_payload || has_schema || !is_fine || !is_bare || !old.settings.texts.is_empty() {
        return None;
    }
    let in_segment = Splice { start: splice.start.checked_sub(offset)?, ..splice };
    let edit = PayloadEdit::find((old.text, offset), &rare.containers, in_segment, long.range.len())?;
    let [before, after] = edit.piece_ranges().map(|range| offset + range.start..offset + range.end);
    let texts = [old.text.slice(before), new.text.slice(after)];
    let read = edit.read(new, &texts[1])?;
    let member_start = offset + edit.member.span.start as usize;
    let is_same_label = match key_before(new.text, member_start)? {
        PayloadKey::Input => edit.has_same_arguments(old, block, head.content as usize, offset),
        PayloadKey::Output => edit.has_same_result(&texts, new.text.byte(member_start)),
    };
    if !is_same_label {
        return None;
    }
    let rare = RareSegmentData {
        containers: edit.containers(&read).into(),
        secrets: secrets_after(old, new, long, splice),
        diagnostics: Box::default(),
        directives: rare.directives.clone(),
        message_starts: rare.message_starts.clone(),
        messages: rare.messages.clone(),
        blank_texts: rare.blank_texts.clone(),
        summarized: None,
        ..*rare
    };
    let blocks = [block.placed(|span| edit.placed(span))].into();
    let data = SegmentData { blocks, rare: rare.shared(), ..*data };
    let attachment = &segment.attachment;
    Some((index, SegmentAttachment { data: Some(data.into()), kept: KeptReads::default(), ..*attachment }))
}

/// The members whose objects and arrays are read in parts.
enum PayloadKey {
    Input,
    Output,
}

/// The key of the member of a valid object whose value is at the byte `at`.
fn key_before(text: &Text, at: usize) -> Option<PayloadKey> {
    let before = text.slice(text.floor_boundary(at.saturating_sub(MOST_OF_KEY))..at);
    let before = before.trim_end_matches(BLANK).strip_suffix(':')?.trim_end_matches(BLANK);
    let is_key = |key: &str| {
        let outer = before.strip_suffix(key).map(|outer| outer.trim_end_matches(BLANK));
        outer.is_some_and(|outer| outer.ends_with(['{', ',']))
    };
    let keys = [("\"input\"", PayloadKey::Input), ("\"output\"", PayloadKey::Output)];
    keys.into_iter().find(|(key, _)| is_key(key)).map(|(_, key)| key)
}

/// An edit inside of an object or array in the input or output of a payload. Offsets are relative
/// to the segment.
struct PayloadEdit<'d> {
    splice: Splice,
    /// The objects and arrays on several lines of the payload before the edit.
    containers: &'d [JsonContainer],
    /// The object or array before the edit.
    piece: JsonContainer,
    /// The value of the payload's member around it.
    member: JsonContainer,
}

impl<'d> PayloadEdit<'d> {
    /// Finds the object or array that `splice` edits in a payload of `len` bytes. `offset` is that
    /// of the segment in `text`, the document before the edit.
    fn find(
        (text, offset): (&Text, usize),
        containers: &'d [JsonContainer],
        splice: Splice,
        len: usize,
    ) -> Option<Self> {
        let before = containers.partition_point(|it| (it.span.start as usize) < splice.start);
        let is_around = |it: &JsonContainer| splice.old_end() < it.span.end as usize;
        let index = containers.get(..before)?.iter().rposition(is_around)?;
        let outer = containers.get(index)?;
        let mut outwards = std::iter::once(outer).chain(around(containers, index));
        let member = *outwards.find(|it| it.depth == 1)?;
        let piece = piece_in_line((text, offset), outer, splice).unwrap_or(*outer);
        // Reading it alone saves little if it is most of the payload.
        let is_small = piece.span.len() * 2 < len;
        (piece.depth > 1 && is_small).then_some(Self { splice, containers, piece, member })
    }

    /// The range of the piece before and after the edit.
    fn piece_ranges(&self) -> [Range<usize>; 2] {
        [self.piece.span, self.placed(self.piece.span)].map(Span::range)
    }

    /// The containers of the piece on several lines after the edit, with the text `text`, in the
    /// coordinates of [`ALONE`]; `None` if the piece has a fault, is no longer one value, or
    /// changed between one line and several lines: then the containers around it may have changed,
    /// too.
    fn read(&self, context: ReadContext<'_>, text: &str) -> Option<Vec<JsonContainer>> {
        let data = read_alone(context, &format!("{ALONE}{text}}}"));
        let is_fine = data.blocks.first()?.is_readable && data.rare().diagnostics.is_empty();
        let is_whole = is_fine && parse_prefix(text).end as usize == text.len();
        let inner = data.rare().containers.get(1..).unwrap_or_default();
        let known = self.containers.get(self.count_before(self.piece.span.start));
        let had_lines = known.is_some_and(|it| it.span == self.piece.span);
        (is_whole && had_lines != inner.is_empty()).then(|| inner.to_vec())
    }

    /// The number of containers that start before `at`.
    fn count_before(&self, at: u32) -> usize {
        self.containers.partition_point(|it| it.span.start < at)
    }

    /// All containers after the edit; `read` are the containers of the piece.
    fn containers(&self, read: &[JsonContainer]) -> Vec<JsonContainer> {
        let Span { start, end } = self.piece.span;
        let moved = |it: &JsonContainer| JsonContainer { span: self.placed(it.span), ..*it };
        let inside = |it: &JsonContainer| JsonContainer {
            span: Span::new(it.span.start as usize - ALONE.len(), it.span.end as usize - ALONE.len())
                .shifted(start as usize),
            depth: (it.depth - 1).saturating_add(self.piece.depth),
            ..*it
        };
        let before = self.containers.iter().take(self.count_before(start)).map(moved);
        let behind = self.containers.iter().skip(self.count_before(end)).map(moved);
        before.chain(read.iter().map(inside)).chain(behind).collect()
    }

    /// Moves a span that is not inside of the piece.
    fn placed(&self, span: Span) -> Span {
        let moved = |at: u32| self.splice.moved(at as usize).unwrap_or(at as usize);
        Span::new(moved(span.start), moved(span.end))
    }

    /// True if `block` certainly shows the same arguments after the edit: their display is cut, and
    /// a beginning of the payload before the piece has the same. The payload starts at `start` of
    /// the segment, whose offset is `offset`.
    fn has_same_arguments(&self, old: ReadContext<'_>, block: &Block, start: usize, offset: usize) -> bool {
        let end = (self.piece.span.start as usize).min(start + MOST_READ);
        let text = old.text.slice(offset + start..old.text.floor_boundary(offset + end));
        let Some((comma, _)) = structure(&text).filter(|(_, byte)| *byte == b',').last() else {
            return false;
        };
        let mut beginning = text.get(..comma).or_never().to_owned();
        for open in open_brackets(&beginning).into_iter().rev() {
            beginning.push(if text.as_bytes().get(open) == Some(&b'{') { '}' } else { ']' });
        }
        let read = read_alone(old, &beginning);
        let shown = block.arguments();
        shown.ends_with('…')
            && read.blocks.first().is_some_and(|it| it.is_readable && it.arguments() == shown)
    }

    /// True if the label of the result is certainly the same after the edit: it only has the number
    /// of lines, and the piece, with these texts before and after the edit, is no part of text. The
    /// output begins with the byte `bracket`.
    fn has_same_result(&self, texts: &[impl AsRef<str>; 2], bracket: Option<u8>) -> bool {
        let lens = [self.member.span, self.placed(self.member.span)].map(Span::len);
        let is_text = |text: &str| {
            let part = format!("[{text}]");
            let json = parse(&part);
            json.root(&part).is_some_and(|array| !text_parts(array).is_empty())
        };
        let is_item = bracket == Some(b'[') && self.piece.depth == 2;
        let may_be_text = is_item && texts.iter().any(|it| is_text(it.as_ref()));
        !may_be_text && !lens.into_iter().any(is_shown_result)
    }
}

/// The innermost object or array around `splice` that is on one line, inside of `outer`.
fn piece_in_line(
    (text, offset): (&Text, usize),
    outer: &JsonContainer,
    splice: Splice,
) -> Option<JsonContainer> {
    let (at, outer_start) = (offset + splice.start, offset + outer.span.start as usize);
    let line = text.line_content(text.line_of_byte(at));
    // No string of valid JSON has several lines.
    let known = line.start.max(outer_start);
    let open = open_brackets(&text.slice(known..at));
    let mut inner = open.iter().map(|open| known + open).filter(|open| *open > outer_start);
    let depth = u16::try_from(inner.clone().count()).ok()?.checked_add(outer.depth)?;
    let start = inner.next_back()?;
    let limit = text.floor_boundary(line.end.min(start + MOST_IN_LINE));
    let json = parse_prefix(&text.slice(start..limit));
    let span = Span::new(start - offset, start - offset + json.end as usize);
    let is_whole = json.errors.is_empty() && splice.old_end() < span.end as usize;
    is_whole.then_some(JsonContainer { span, depth, closed: true })
}

/// The brackets and commas outside of strings in `json`, with their offsets.
fn structure(json: &str) -> impl Iterator<Item = (usize, u8)> {
    let bytes = json.as_bytes();
    let mut next = 0;
    std::iter::from_fn(move || {
        loop {
            let (at, byte) = (next, *bytes.get(next)?);
            next += 1;
            match byte {
                b'"' => loop {
                    bytes.get(next)?;
                    next = skip_plain(bytes, next);
                    let byte = *bytes.get(next)?;
                    next += if byte == b'\\' { 2 } else { 1 };
                    if byte == b'"' {
                        break;
                    }
                },
                b'{' | b'}' | b'[' | b']' | b',' => return Some((at, byte)),
                _ => {}
            }
        }
    })
}

/// The offsets of the brackets that are open at the end of `json`, the outermost first.
fn open_brackets(json: &str) -> Vec<usize> {
    let mut open = Vec::new();
    for (at, byte) in structure(json) {
        match byte {
            b'{' | b'[' => open.push(at),
            b'}' | b']' => drop(open.pop()),
            _ => {}
        }
    }
    open
}

/// The containers around the one at `index`, the innermost first.
fn around(containers: &[JsonContainer], index: usize) -> impl Iterator<Item = &JsonContainer> {
    let inner = containers.get(index).map_or(0, |inner| inner.depth);
    let mut depth = inner;
    let before = containers.iter().take(index).rev();
    let outer = before.filter(move |it| {
        it.depth < depth && {
            depth = it.depth;
            true
        }
    });
    outer.take(usize::from(inner))
}

/// The data of the payload `text` in a fence of its own.
fn read_alone(context: ReadContext<'_>, text: &str) -> SegmentData {
    let mut reader = SegmentReader::default();
    reader.read(
        context,
        &BlockUnit {
            dialect: &fence::DIALECT,
            source: BlockSource { language: Some(""), ..BlockSource::new(text, context.settings) },
            content: &MappedContent::from(text),
            opening: Span::default(),
            full_span: Span::new(0, text.len()),
            after_text: false,
            is_line: false,
            conversation: Conversation::default(),
        },
    );
    reader.finish(false).data().clone()
}
