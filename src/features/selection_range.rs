//! Selection ranges: a selection grows from the word under the cursor over strings, members and
//! payloads to the block, its batch, its message and its sections.
//!
//! Each range contains the previous one and is longer. Computed on request: batches and sections
//! are searched in the whole document, once for all positions.

use std::ops::Range;

use crate::call::Call;
use crate::dialect::arguments;
use crate::document::{Document, Language, LocatedBatch, SectionKind};
use crate::json::{self, JsonTape, Value};
use crate::never::OrNever;
use crate::places::call_position::CallPosition;
use crate::syntax::SegmentKind;
use crate::text::Span;

/// Maximum number of ranges for one position. Of more, as in very deep JSON, the middle ones are
/// omitted.
const MOST: usize = 128;

/// For each of `places` the ranges around it, in document offsets, the smallest first; the last is
/// the whole document.
pub fn selection_ranges(document: &Document, places: &[usize]) -> Vec<Vec<Range<usize>>> {
    if !document.is_active() {
        return Vec::new();
    }
    let places: Vec<_> = places.iter().map(|at| document.text().floor_boundary(*at)).collect();
    let mut calls = vec![InCall::default(); places.len()];
    document.call_positions_at(&places, &mut |index, position| {
        add_call(position, &mut calls[index].ranges);
        calls[index].has_json = Some(position.call.payload.is_some());
    });
    let (batches, sections) = (batches(document), sections(document));
    // The line that was read last: the next place is often in the same one.
    let mut last = None;
    let ranges = places.into_iter().zip(calls);
    ranges.map(|(at, call)| ranges_at(document, at, call, &batches, &sections, &mut last)).collect()
}

/// The ranges around a position in its call, if it is in one, and whether the call is in JSON.
#[derive(Clone, Default)]
struct InCall {
    ranges: Vec<Range<usize>>,
    has_json: Option<bool>,
}

/// The JSON of a line, at the document offset `start`.
struct LineJson {
    segment: usize,
    start: usize,
    body: String,
    json: JsonTape,
}

fn ranges_at(
    document: &Document,
    at: usize,
    call: InCall,
    batches: &[Range<usize>],
    sections: &[Range<usize>],
    last: &mut Option<LineJson>,
) -> Vec<Range<usize>> {
    let holds = |range: &&Range<usize>| range.start <= at && at <= range.end;
    let mut found: Vec<_> = batches.iter().chain(sections).filter(holds).cloned().collect();
    found.extend(call.ranges);
    let line = document.text().line_content(document.text().line_of_byte(at));
    let is_in_call = call.has_json.is_some();
    let is_json = call.has_json.unwrap_or(document.language() == Language::Log);
    found.extend(word(document, at, &line, is_json));
    if !is_in_call {
        found.push(line);
    }
    // A message may begin and end within a paragraph.
    let around = |mut range: Range<usize>| {
        for section in sections.iter().filter(holds) {
            range = range.start.max(section.start)..range.end.min(section.end);
        }
        range
    };
    found.extend(block_at(document, at, is_in_call, last).into_iter().map(around));
    let mut found: Vec<_> = found.into_iter().map(|range| trimmed(document, range)).collect();
    found.retain(|range| holds(&range) && !range.is_empty());
    found.push(0..document.text().len());
    // A range that overlaps another without containing it is left out.
    found.sort_by_key(Range::len);
    let mut grown: Vec<Range<usize>> = Vec::new();
    for range in found {
        let is_more =
            |last: &Range<usize>| range.start <= last.start && last.end <= range.end && range != *last;
        if grown.last().is_none_or(is_more) {
            grown.push(range);
        }
    }
    if grown.len() > MOST {
        grown.drain(MOST / 2..grown.len() - MOST / 2);
    }
    grown
}

/// The letters, digits and `_` around a position in its line; in JSON without the letters of an
/// escape sequence: `\ntwo`.
fn word(document: &Document, at: usize, line: &Range<usize>, is_json: bool) -> Option<Range<usize>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let (before, behind) =
        (document.text().slice(line.start..at), document.text().slice(at..line.end.max(at)));
    let head = before.trim_end_matches(is_part);
    let end = behind.len() - behind.trim_start_matches(is_part).len();
    let word = line.start + head.len()..at + end;
    let slashes = head.len() - head.trim_end_matches('\\').len();
    let escape = match document.text().byte(word.start) {
        _ if !is_json || slashes.is_multiple_of(2) => 0,
        Some(b'u') => 5,
        _ => 1,
    };
    let word = word.start + escape..word.end;
    (word.start <= at && !word.is_empty()).then_some(word)
}

/// The paragraph, fence or record at a position, unless it is the call itself.
fn block_at(
    document: &Document,
    at: usize,
    is_in_call: bool,
    last: &mut Option<LineJson>,
) -> Vec<Range<usize>> {
    let tree = document.tree();
    let Some(located) = tree.segment_at(at).and_then(|here| tree.locate(document.head_of(here.index))) else {
        return Vec::new();
    };
    match &located.segment.kind {
        SegmentKind::Fence(_) | SegmentKind::Line if is_in_call => Vec::new(),
        SegmentKind::Fence(_) => {
            tree.fence_at(&located).into_iter().flat_map(|fence| [fence.content, fence.range]).collect()
        }
        SegmentKind::Line => {
            let segment = located.index;
            let read = || {
                let text = document.text().slice(located.content());
                let start = text.find('{').unwrap_or(text.len());
                let body = text.get(start..).or_never().to_owned();
                LineJson { segment, start: located.offset + start, json: json::parse(&body), body }
            };
            let line = last.take().filter(|line| line.segment == segment).unwrap_or_else(read);
            let LineJson { start, body, json, .. } = last.insert(line);
            let mut found = Vec::new();
            if let (Some(root), Some(at)) = (json.root(body), at.checked_sub(*start)) {
                add_value(root, at, &mut |span| found.push(span.range_at(*start)));
            }
            found
        }
        // Where JSON is split into pieces depends on the edits before.
        SegmentKind::Json(_) => Vec::new(),
        _ => vec![located.content()],
    }
}

/// Adds the parts of a call, and the call.
fn add_call(position: &CallPosition<'_>, found: &mut Vec<Range<usize>>) {
    let mut add = |span| found.push(position.range_of(span));
    if let Some(at) = position.offset {
        let call = position.call;
        [call.id.as_ref(), call.name.as_ref()].into_iter().flatten().for_each(|field| add(field.span));
        call.output_span.into_iter().for_each(&mut add);
        add_arguments(call, at, &mut add);
        if let Some(encoded) = &call.encoded
            && let Some(inner) = encoded.string.decoded(at)
            && let Some(root) = encoded.payload.root()
        {
            add_value(root, inner, &mut |span| add(call.input_span(span)));
        }
        if let Some((payload, at)) = call.payload.zip(at.checked_sub(call.payload.map_or(0, |it| it.start)))
            && let Some(root) = payload.root()
        {
            add_value(root, at, &mut |span| add(span.shifted(payload.start)));
        }
        add(Span::new(0, call.content.len()));
    }
    found.push(position.range.clone());
}

/// Adds the values around the byte `at` of the text that `root` was parsed from, with their
/// members, and the content of strings.
fn add_value(root: Value<'_>, at: usize, add: &mut dyn FnMut(Span)) {
    let mut add_both = |value: Value<'_>| {
        add(value.content_span());
        add(value.span());
    };
    let mut members = Vec::new();
    for entry in root.entries_at(at) {
        entry.key.into_iter().for_each(&mut add_both);
        add_both(entry.value);
        let start = entry.key.unwrap_or(entry.value).span().start;
        members.push(Span { start, end: entry.value.span().end });
    }
    add_both(root);
    members.into_iter().for_each(add);
}

/// Adds the ranges of a call's arguments in text form: value, argument, all arguments, call.
fn add_arguments(call: &Call<'_>, at: usize, add: &mut dyn FnMut(Span)) {
    for (key, value) in arguments::spans_in(call) {
        let argument = Span { start: key.start, end: value.end };
        if (argument.start as usize..=argument.end as usize).contains(&at) {
            [key, value, argument].into_iter().for_each(&mut *add);
        }
    }
    let Some((name, written)) = call.name.as_ref().zip(call.arguments_span) else { return };
    add(written);
    let is_closed = call.content.get(written.end as usize..).is_some_and(|rest| rest.starts_with(')'));
    add(Span { start: name.span.start, end: written.end + u32::from(is_closed) });
}

fn batches(document: &Document) -> Vec<Range<usize>> {
    let uses = document.paired_uses();
    let range_of = |batch: &LocatedBatch| uses.range_of_blocks(&batch.blocks, |at| document.range_of(at));
    uses.batches.iter().filter_map(range_of).collect()
}

/// Sections and messages, and the content of messages.
fn sections(document: &Document) -> Vec<Range<usize>> {
    let content_of = |kind: SectionKind, end: usize| match kind {
        SectionKind::Message(_, text) => Some(text.min(end)..end),
        SectionKind::Heading => None,
    };
    let ranges = document.sections().iter().flat_map(|section| {
        content_of(section.kind, section.range.end).into_iter().chain([section.range.clone()])
    });
    ranges.collect()
}

/// `range` without line ends at both ends.
fn trimmed(document: &Document, mut range: Range<usize>) -> Range<usize> {
    let is_break = |at: usize| matches!(document.text().byte(at), Some(b'\n' | b'\r'));
    while range.start < range.end && is_break(range.end - 1) {
        range.end -= 1;
    }
    while range.start < range.end && is_break(range.start) {
        range.start += 1;
    }
    range
}

#[cfg(test)]
mod tests;
