//! Reads only the edited part of a long payload in a fence.
//!
//! A payload is read as a whole. Its input or output may have megabytes, of which an edit changes
//! one object or array, or some words of a long string. If the payload has no faults, and that
//! piece has none after the edit, only the piece is read again, and all other data are moved.

use std::borrow::Cow;
use std::ops::Range;

use super::{LongText, secrets_after};
use crate::call::{Block, Conversation, JsonContainer, is_shown_result, may_have_note, text_parts};
use crate::dialect::{BlockSource, by_index, fence};
use crate::json::{Value, parse, parse_prefix, skip_plain};
use crate::rules::edits::reads_strings_of;
use crate::segments::block_unit::{BlockUnit, ReadContext};
use crate::segments::data::{RareSegmentData, SegmentAttachment, SegmentData, shared};
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
/// Maximum number of bytes between an edit in a long string and the ends of the piece around it.
const MOST_OF_WORD: usize = 256;
/// Maximum number of bytes at the end of a result that show whether it is truncated.
const MOST_OF_NOTE: usize = 1 << 10;
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
    let read = edit.read(new, &texts)?;
    let member_start = offset + edit.member.span.start as usize;
    let is_same_label = match key_before(new.text, member_start)? {
        PayloadKey::Input => {
            let is_read_whole = edit.string.is_some() && block.name().is_some_and(reads_strings_of);
            !is_read_whole && edit.has_same_arguments(old, block, head.content as usize, offset)
        }
        PayloadKey::Output => edit.has_same_result(&texts, (old.text, offset)),
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
        blank_texts: rare.blank_texts.clone(),
        summarized: None,
        ..*rare
    };
    let blocks = [block.placed(|span| edit.placed(span))].into();
    let data = SegmentData { blocks, log: data.log.clone(), rare: shared(rare), ..*data };
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

/// An edit inside of an object, array or long string in the input or output of a payload. Offsets
/// are relative to the segment.
struct PayloadEdit<'d> {
    splice: Splice,
    /// The known objects, arrays and other values of the payload before the edit.
    containers: &'d [JsonContainer],
    /// The object or array before the edit, or a part of the string.
    piece: JsonContainer,
    /// The long string around the piece.
    string: Option<Span>,
    /// The value of the payload's member around it.
    member: JsonContainer,
}

impl<'d> PayloadEdit<'d> {
    /// Finds the piece that `splice` edits in a payload of `len` bytes. `offset` is that of the
    /// segment in `text`, the document before the edit.
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
        let is_string = text.byte(offset + outer.span.start as usize) == Some(b'"');
        let string = is_string.then_some(outer.span);
        let piece = match string {
            Some(string) => {
                JsonContainer { span: piece_of_string((text, offset), string, splice)?, ..*outer }
            }
            None => {
                let last = containers.get(before - 1).filter(|last| last.span.end as usize <= splice.start);
                let known = last.map_or(outer.span.start, |last| last.span.end.max(outer.span.start));
                piece_in_line((text, offset), outer, known as usize, splice).unwrap_or(*outer)
            }
        };
        // Reading it alone saves little if it is most of the payload.
        let is_small = piece.span.len() * 2 < len;
        let is_inner = piece.depth > 1 || is_string;
        (is_inner && is_small).then_some(Self { splice, containers, piece, string, member })
    }

    /// The range of the piece before and after the edit.
    fn piece_ranges(&self) -> [Range<usize>; 2] {
        [self.piece.span, self.placed(self.piece.span)].map(Span::range)
    }

    /// The known values in the piece after the edit, in the coordinates of [`ALONE`]. `texts` are
    /// the texts of the piece before and after the edit. `None` if the piece has a fault, is no
    /// longer one value, or changed between one line and several lines: then the containers around
    /// it may have changed, too.
    fn read(
        &self,
        context: ReadContext<'_>,
        [before, after]: &[Cow<'_, str>; 2],
    ) -> Option<Vec<JsonContainer>> {
        let alone = match self.string {
            Some(_) => Cow::Owned(format!("[\"{after}\"]")),
            None => Cow::Borrowed(&**after),
        };
        let data = read_alone(context, &format!("{ALONE}{alone}}}"));
        let is_fine = data.blocks.first()?.is_readable && data.rare().diagnostics.is_empty();
        let json = parse_prefix(&alone);
        let is_whole = is_fine && json.end as usize == alone.len();
        let has_lines = [before, after].map(|text| text.contains(['\n', '\r']));
        if !is_whole || has_lines[0] != has_lines[1] {
            return None;
        }
        if self.string.is_some() {
            return (json.nodes.len() == 2).then(Vec::new);
        }
        Some(data.rare().containers.get(1..).unwrap_or_default().to_vec())
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
    /// a beginning of the payload before the piece, up to a comma or in a string, has the same. The
    /// payload starts at `start` of the segment, whose offset is `offset`.
    fn has_same_arguments(&self, old: ReadContext<'_>, block: &Block, start: usize, offset: usize) -> bool {
        let end = (self.piece.span.start as usize).min(start + MOST_READ);
        let text = old.text.slice(offset + start..old.text.floor_boundary(offset + end));
        let shown = block.arguments();
        let is_shown = |beginning: &str| {
            let mut closed = beginning.to_owned();
            for open in open_brackets(beginning).into_iter().rev() {
                closed.push(match beginning.as_bytes().get(open) {
                    Some(b'{') => '}',
                    Some(b'[') => ']',
                    _ => '"',
                });
            }
            let read = read_alone(old, &closed);
            read.blocks.first().is_some_and(|it| it.is_readable && it.arguments() == shown)
        };
        let comma = structure(&text).filter(|(_, byte)| *byte == b',').last();
        let up_to_comma = comma.and_then(|(comma, _)| text.get(..comma));
        shown.ends_with('…') && (up_to_comma.is_some_and(is_shown) || is_shown(&text))
    }

    /// True if the label of the result is certainly the same after the edit: it only has the number
    /// of lines, and the piece, with these texts before and after the edit, is no part of text, or
    /// a part of a string with as many line ends. `text` and `offset` are those of
    /// [`PayloadEdit::find`].
    fn has_same_result(&self, texts: &[Cow<'_, str>; 2], (text, offset): (&Text, usize)) -> bool {
        if let Some(string) = self.string {
            let is_shown = [string, self.placed(string)].map(Span::len).into_iter().any(is_shown_result);
            let line_ends = |text: &str| {
                let part = format!("[\"{text}.\"]");
                parse(&part).root(&part)?.items().next().map(Value::inner_line_ends)
            };
            let is_counted = line_ends(&texts[0]) == line_ends(&texts[1]);
            // The end of the string may show that it is truncated.
            let end = offset + string.end as usize;
            let note = text.floor_boundary(end - MOST_OF_NOTE.min(string.len()));
            let is_before = offset + (self.piece.span.end as usize) < note;
            return !is_shown && is_counted && is_before && !may_have_note(&text.slice(note..end));
        }
        let lens = [self.member.span, self.placed(self.member.span)].map(Span::len);
        let is_text = |text: &str| {
            let part = format!("[{text}]");
            let json = parse(&part);
            json.root(&part).is_some_and(|array| !text_parts(array).is_empty())
        };
        let bracket = text.byte(offset + self.member.span.start as usize);
        let is_item = bracket == Some(b'[') && self.piece.depth == 2;
        let may_be_text = is_item && texts.iter().any(|it| is_text(it));
        !may_be_text && !lens.into_iter().any(is_shown_result)
    }
}

/// The part of a long string around `splice` that can be read alone: from and up to characters that
/// are no part of an escape, or of a run of backticks.
fn piece_of_string((text, offset): (&Text, usize), string: Span, splice: Splice) -> Option<Span> {
    let inner = offset + string.start as usize + 1..offset + string.end as usize - 1;
    let (start, end) = (offset + splice.start, offset + splice.old_end());
    let is_end = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '\\' | '"' | '/' | '`');
    if start < inner.start || end > inner.end {
        return None;
    }
    let from = text.floor_boundary(start.saturating_sub(MOST_OF_WORD)).max(inner.start);
    let before = text.slice(from..start);
    let piece_start = match before.rfind(is_end) {
        Some(at) => from + at,
        None => Some(from).filter(|from| *from == inner.start)?,
    };
    let to = text.floor_boundary((end + MOST_OF_WORD).min(inner.end));
    let behind = text.slice(end..to);
    let piece_end = match behind.char_indices().find(|(_, c)| is_end(*c)) {
        Some((at, c)) => end + at + c.len_utf8(),
        // What is typed at the very end of the piece would be outside of it.
        None => Some(to).filter(|to| *to == inner.end && *to > end)?,
    };
    Some(Span::new(piece_start - offset, piece_end - offset))
}

/// The innermost object or array around `splice` that is on one line, inside of `outer`. `known` is
/// the last boundary of a known value before the edit.
fn piece_in_line(
    (text, offset): (&Text, usize),
    outer: &JsonContainer,
    known: usize,
    splice: Splice,
) -> Option<JsonContainer> {
    let (at, outer_start) = (offset + splice.start, offset + outer.span.start as usize);
    let line = text.line_content(text.line_of_byte(at));
    // No string of valid JSON has several lines.
    let known = line.start.max(offset + known);
    let before = text.slice(known..at);
    let open = open_brackets(&before).into_iter().filter(|open| before.as_bytes().get(*open) != Some(&b'"'));
    let mut inner = open.map(|open| known + open).filter(|open| *open > outer_start);
    let depth = u16::try_from(inner.clone().count()).ok()?.checked_add(outer.depth)?;
    let start = inner.next_back()?;
    let limit = text.floor_boundary(line.end.min(start + MOST_IN_LINE));
    let json = parse_prefix(&text.slice(start..limit));
    let span = Span::new(start - offset, start - offset + json.end as usize);
    let is_whole = json.errors.is_empty() && splice.old_end() < span.end as usize;
    is_whole.then_some(JsonContainer { span, depth, closed: true })
}

/// The brackets and commas outside of strings in `json`, and the start of a string without an end,
/// with their offsets.
fn structure(json: &str) -> impl Iterator<Item = (usize, u8)> {
    let bytes = json.as_bytes();
    let mut next = 0;
    std::iter::from_fn(move || {
        loop {
            let (at, byte) = (next, *bytes.get(next)?);
            next += 1;
            match byte {
                b'"' => loop {
                    next = skip_plain(bytes, next.min(bytes.len()));
                    let Some(found) = bytes.get(next) else { return Some((at, byte)) };
                    next += if *found == b'\\' { 2 } else { 1 };
                    if *found == b'"' {
                        break;
                    }
                },
                b'{' | b'}' | b'[' | b']' | b',' => return Some((at, byte)),
                _ => {}
            }
        }
    })
}

/// The offsets of the brackets, and of the string, that are open at the end of `json`, outermost
/// first.
fn open_brackets(json: &str) -> Vec<usize> {
    let mut open = Vec::new();
    for (at, byte) in structure(json) {
        match byte {
            b'{' | b'[' | b'"' => open.push(at),
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
