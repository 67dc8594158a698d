//! Hover: documentation of a tool, field, state or parameter; the decoded text of a string; a call
//! with its batch.
//!
//! Only the construct that contains the byte is shown; white space and commas have no hover.
//! Incomplete payloads are parsed as far as possible.

use std::ops::Range;

use crate::call::shape::{FieldRole, FieldShape};
use crate::call::{CallData, Field, UseData, json_of_argument};
use crate::dialect::arguments;
use crate::document::Document;
use crate::guide;
use crate::json::{JsonKind, PathEntry, Value};
use crate::json_repair::payload::ParsedPayload;
use crate::messages::content::TextKind;
use crate::never::OrNever;
use crate::places::call_position::CallPosition;
use crate::prose::{RichText, quoted_thinking};
use crate::schema::ValueStep;
use crate::syntax::SegmentKind;
use crate::text::Span;

mod calls;

/// Maximum number of bytes of the text of a message.
const MESSAGE: usize = 4_000;

/// The content of a hover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The range, in document offsets.
    pub range: Range<usize>,
    /// The content.
    pub prose: RichText,
}

/// The hover at the byte `at` of `document`. Takes time linear in its block; for a call with its
/// batch also linear in the document's number of segments, for pairing.
pub fn hover(document: &Document, at: usize) -> Option<Hover> {
    if !document.is_active() {
        return None;
    }
    let found = document.call_position_at(at, |position| of_spot(document, position, at));
    let hover = found.unwrap_or_else(|| of_log_fence(document, at)).or_else(|| of_message(document, at))?;
    // Prefixes of containers at the start of a line are not part of the hover.
    let is_here = hover.range.start <= at && at <= hover.range.end;
    (is_here && !hover.prose.is_empty()).then_some(hover)
}

fn of_spot(document: &Document, position: &CallPosition<'_>, at: usize) -> Option<Hover> {
    let Some(place) = position.offset else {
        let is_opening = position.opening.start <= at && at <= position.opening.end;
        return is_opening.then(|| of_call(document, position, position.opening.clone())).flatten();
    };
    match position.call.payload {
        Some(payload) => in_payload(document, position, payload, place),
        None => in_text(document, position, place, at),
    }
}

/// The hover of the opening line of a fenced log, which is outside of its records.
fn of_log_fence(document: &Document, at: usize) -> Option<Hover> {
    let located = document.tree().segment_at(at)?;
    let is_opening = matches!(located.segment.kind, SegmentKind::Fence(_));
    let first = located.data().blocks.first().filter(|_| is_opening)?;
    let head = document.tree().fence_at(&located)?.head;
    let range = located.absolute(Span { start: head.fence.start, end: head.info.end.max(head.fence.end) });
    let start = located.offset + first.span?.start as usize;
    let prose = calls::page(document, located.index, start)?;
    range.contains(&at).then_some(Hover { range, prose })
}

/// The hover of a message of a log: the text under the cursor, or in a line of a log all of them.
fn of_message(document: &Document, at: usize) -> Option<Hover> {
    let (message, text) = document.message_at(at)?;
    let range = text.as_ref().map_or(message.range.clone(), |text| text.range.clone());
    let texts = text.as_slice().first().map_or(message.texts.as_slice(), std::slice::from_ref);
    let mut left = MESSAGE;
    let mut prose = RichText::default().title(&message.name(), "");
    for text in texts {
        if left == 0 {
            break;
        }
        let shown = document.message_text(text, left);
        left = left.saturating_sub(shown.len().max(1));
        prose = prose.text(match text.kind {
            TextKind::Thinking => quoted_thinking(&shown),
            _ => shown,
        });
    }
    Some(Hover { range, prose })
}

/// The hover of a whole call, at `range` of the document.
fn of_call(document: &Document, position: &CallPosition<'_>, range: Range<usize>) -> Option<Hover> {
    let prose = calls::page(document, position.segment, position.range.start)?;
    Some(Hover { range, prose })
}

fn in_payload(
    document: &Document,
    position: &CallPosition<'_>,
    payload: ParsedPayload<'_>,
    place: usize,
) -> Option<Hover> {
    if position.call.shape.is_none()
        && let Some(hover) = in_call(position, place)
    {
        return Some(hover);
    }
    let Some(at) = place.checked_sub(payload.start) else {
        let start = position.call.span.unwrap_or_default().start as usize;
        let mark = Span::new(start, payload.start).of(position.source.text);
        return of_call(
            document,
            position,
            position.range_of(Span::new(start, start + mark.trim_end().len())),
        );
    };
    let root = payload.root()?;
    let holds = |value: &Value<'_>| value.span().range().contains(&at);
    let entries = root.entries_at(at);
    let Some(entry) = entries.last() else {
        let bracket = Span::new(at, at + 1);
        let is_bracket = holds(&root) && matches!(payload.body().as_bytes().get(at), Some(b'{' | b'}'));
        let range = position.range_of(bracket.shifted(payload.start));
        return is_bracket.then(|| of_call(document, position, range)).flatten();
    };
    let value = Some(entry.value).filter(holds);
    let hovered = entry.key.filter(holds).or(value)?;
    if matches!(hovered.kind(), JsonKind::Object | JsonKind::Array | JsonKind::Missing) {
        return None;
    }
    let range = position.range_of(hovered.span().shifted(payload.start));
    let shape = position.call.shape.filter(|_| root.is_object());
    let top = entries.first()?.key.and_then(Value::as_str).unwrap_or_default();
    let field = shape.and_then(|shape| shape.field(&top));
    let prose = match entries.get(1..) {
        Some([]) if shape.is_some() => {
            if is_record_type(field, hovered) {
                return of_call(document, position, range);
            }
            of_field(position, &top, field, hovered)
        }
        inner => of_value(position, field, inner.unwrap_or_default(), hovered),
    };
    Some(Hover { range, prose })
}

/// The hover of the name or the input of a call in an object without a documented shape.
fn in_call(position: &CallPosition<'_>, place: usize) -> Option<Hover> {
    let call = position.call;
    if let Some(name) = call.name.as_ref().filter(|name| name.span.range().contains(&place)) {
        return Some(of_name(position, name));
    }
    let Some(CallData::Json(input)) = &call.input else { return None };
    let at = call.input_offset(place)?;
    let holds = |value: &Value<'_>| value.span().range().contains(&at);
    let entries = input.entries_at(at);
    let entry = entries.last()?;
    let hovered = entry.key.filter(holds).or(Some(entry.value).filter(holds))?;
    let path: Vec<ValueStep> = entries.iter().map(step_of).collect();
    let documentation = if call.is_invalid { RichText::default() } else { parameter(position, &path) };
    let prose = match hovered.kind() {
        JsonKind::Object | JsonKind::Array | JsonKind::Missing => return None,
        JsonKind::String { .. } => documentation.then(guide::decoded(&hovered.as_str().unwrap_or_default())),
        _ => documentation,
    };
    Some(Hover { range: position.range_of(call.input_span(hovered.span())), prose })
}

fn of_name(position: &CallPosition<'_>, name: &Field<'_>) -> Hover {
    Hover { range: position.range_of(name.span), prose: guide::tool(position.source.settings, &name.text) }
}

fn step_of(entry: &PathEntry<'_>) -> ValueStep {
    match entry.key {
        Some(key) => ValueStep::Key(key.as_str().or_never().into_owned()),
        None => ValueStep::Index(entry.index),
    }
}

/// True if the value is the string that makes an object a record.
fn is_record_type(field: Option<&FieldShape>, hovered: Value<'_>) -> bool {
    field.is_some_and(|field| field.role == FieldRole::PassedOver && field.key == "type")
        && matches!(hovered.kind(), JsonKind::String { .. })
}

/// The documentation of the key `key` of the block's own object.
fn page(position: &CallPosition<'_>, key: &str) -> RichText {
    position.call.shape.map(|shape| guide::field(position.source.settings, shape, key)).unwrap_or_default()
}

/// The documentation of the value at `path` of the input, from the tool's schema.
fn parameter(position: &CallPosition<'_>, path: &[ValueStep]) -> RichText {
    position.tool().map(|tool| guide::value(tool, false, path)).unwrap_or_default()
}

/// The hover of a key of the block's own object, or of its value.
fn of_field(
    position: &CallPosition<'_>,
    key: &str,
    field: Option<&FieldShape>,
    hovered: Value<'_>,
) -> RichText {
    let is_string = matches!(hovered.kind(), JsonKind::String { .. });
    let text = hovered.as_str().filter(|_| is_string);
    match (field.map(|field| field.role), text) {
        (Some(FieldRole::Name), Some(name)) => guide::tool(position.source.settings, &name),
        (Some(FieldRole::State), Some(state)) => {
            guide::state(position.source.settings, &state).unwrap_or_else(|| page(position, key))
        }
        (Some(FieldRole::Id), Some(_)) | (_, None) => page(position, key),
        (_, Some(text)) => guide::decoded(&text),
    }
}

/// The hover of a value in an input, an output or another field.
fn of_value(
    position: &CallPosition<'_>,
    field: Option<&FieldShape>,
    inner: &[PathEntry<'_>],
    hovered: Value<'_>,
) -> RichText {
    let path: Vec<ValueStep> = inner.iter().map(step_of).collect();
    let documentation = match field.map(|field| field.role) {
        Some(FieldRole::Input) => parameter(position, &path),
        Some(FieldRole::Output) => {
            position.tool().map(|tool| guide::value(tool, true, &path)).unwrap_or_default()
        }
        _ => RichText::default(),
    };
    match hovered.kind() {
        JsonKind::String { .. } => documentation.then(guide::decoded(&hovered.as_str().unwrap_or_default())),
        _ => documentation,
    }
}

/// The hover in a block that is text: a name, arguments and a result, with their delimiters.
fn in_text(document: &Document, position: &CallPosition<'_>, place: usize, at: usize) -> Option<Hover> {
    let call = position.call;
    let holds = |span: &Span| span.range().contains(&place);
    let name = call.name.as_ref().filter(|name| !name.text.is_empty());
    let whole = call.span.unwrap_or(Span::new(0, position.source.text.len()));
    if let Some(name) = name.filter(|name| holds(&name.span)) {
        return Some(of_name(position, name));
    }
    if let Some(hover) = in_arguments(position, place) {
        return Some(hover);
    }
    if let (Some(span), Some(CallData::Text(text))) = (call.output_span.filter(holds), &call.output) {
        return Some(Hover { range: position.range_of(span), prose: guide::decoded(text) });
    }
    // The text before the name makes it a tool use; an error may have no name.
    let end = match name {
        Some(name) => name.span.start,
        None if call.error_text.is_some() => whole.end,
        None => whole.start,
    };
    let mark = Span { start: whole.start, end };
    let len = mark.of(position.source.text).trim_end().len();
    let mark = Span::new(mark.start as usize, mark.start as usize + len);
    let range = if len > 0 { position.range_of(mark) } else { position.opening.clone() };
    range.contains(&at).then(|| of_call(document, position, range)).flatten()
}

fn in_arguments(position: &CallPosition<'_>, place: usize) -> Option<Hover> {
    let holds = |span: &Span| span.range().contains(&place);
    let Some(CallData::Arguments(decoded)) = &position.call.input else {
        let span = position.call.arguments_span.filter(holds)?;
        let prose = guide::decoded(position.call.arguments.as_deref().unwrap_or_default());
        return Some(Hover { range: position.range_of(span), prose });
    };
    let written = arguments::spans_in(position.call).into_iter();
    let ((key, value), (name, text)) =
        written.zip(decoded).find(|((key, value), _)| holds(key) || holds(value))?;
    let documentation = parameter(position, &[ValueStep::Key(name.to_string())]);
    let text = match json_of_argument(text).filter(|json| json.starts_with('"')) {
        Some(json) => UseData::Json(json).to_text(),
        None => text.to_string(),
    };
    let (span, prose) =
        if holds(&key) { (key, documentation) } else { (value, documentation.then(guide::decoded(&text))) };
    Some(Hover { range: position.range_of(span), prose })
}

#[cfg(test)]
mod tests;
