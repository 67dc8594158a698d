//! Calls in objects below the first line of a form, which have the name and the input.

use super::row::Strength;
use super::{Form, pairing, shared_spans};
use crate::call::{Call, CallData, CallSink, Field};
use crate::json;
use crate::json_repair::payload::ParsedPayload;
use crate::never::OrNever;
use crate::text::Span;

/// The action of LangChain that gives the answer.
const FINAL: &str = "Final Answer";

/// Reads calls from the objects below the first line, with names and inputs under the keys `keys`.
pub(super) fn read_objects<'a>(form: &Form<'_, 'a>, keys: (&str, &str), sink: &mut dyn CallSink) {
    let source = form.source;
    // Gemini CLI writes no line end after a code block, so the next form may follow it directly.
    let between = format!("```{}", form.row.opener());
    let parts = form.under("").unwrap_or_default().split(&*between).enumerate();
    let object_in = |part: &'a str| part.get(part.find('{')?..=part.rfind('}')?);
    let objects = parts.filter_map(|(nth, part)| if nth == 0 { Some(part) } else { object_in(part) });
    let objects: Vec<_> = objects.collect();
    let starts: Vec<_> = objects.iter().map(|object| source.span_of(object).start as usize).collect();
    for (object, span) in objects.into_iter().zip(shared_spans(starts.into_iter(), source.text.len())) {
        read_object(form, object, span, keys, sink);
    }
}

fn read_object(
    form: &Form<'_, '_>,
    object: &str,
    span: Option<Span>,
    (name, input): (&str, &str),
    sink: &mut dyn CallSink,
) {
    let source = form.source;
    let (json, end) = (json::parse(object), source.span_of(object).end as usize);
    let (text, start) = (source.text.get(..end).or_never(), end - object.len());
    let payload = ParsedPayload { text, start, json: &json, closed: true, closer: "", growing: false };
    let member = |key: &str| payload.root().filter(|_| payload.is_valid())?.get(key);
    let named = member(name).and_then(|name| Some((name.as_str()?, name.span().shifted(start))));
    let Some((text, name)) = named.filter(|(text, _)| text != FINAL) else { return sink.text() };
    let mut call = Call::new(form.row.part, source.text);
    call.pairing = Some(pairing(form.row.order));
    call.name = Some(Field { text, span: name });
    (call.input, call.payload) = (member(input).map(CallData::Json), Some(payload));
    call.is_evidence = form.row.evidence == Strength::Sure && call.input.is_some();
    (call.checks_tool, call.is_example, call.span) = (true, true, span);
    sink.call(call);
}
