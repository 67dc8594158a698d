//! Reads tool uses that stand as elements in the text of a message, through the escapes of its
//! string.

use std::borrow::Cow;
use std::ops::Range;

use super::read::{UseReader, encoded};
use crate::call::{Call, CallData, CallPart, CallSink, EncodedInput, Field, UseStatus};
use crate::forms::around::shares;
use crate::forms::details::unescaped;
use crate::forms::element::{Element, ElementBody, calls_of};
use crate::forms::markup::{FAILED, Markup};
use crate::json::{self, EncodedString, JsonTape, SourceMap, Value};
use crate::text::Span;

/// A text with elements.
struct ElementReader<'a> {
    reader: &'a UseReader<'a>,
    text: &'a str,
    map: &'a SourceMap<'a>,
}

/// Reads the elements in `value`, the text of a message.
pub(super) fn read(reader: &UseReader<'_>, markup: Markup, value: Value<'_>, sink: &mut dyn CallSink) {
    let Some((text, map)) = value.as_str_with_map() else { return };
    let elements = ElementReader { reader, text: &text, map: &map };
    let mut end = 0;
    for element in markup.elements(&text) {
        if text.get(end..element.range.start).is_some_and(|before| !before.trim().is_empty()) {
            sink.text();
        }
        end = element.range.end;
        elements.read(&element, sink);
    }
}

impl<'a> ElementReader<'a> {
    fn read(&self, element: &Element, sink: &mut dyn CallSink) {
        let span = self.span(&element.range);
        let call = Call { span: Some(span), name: self.name(element), ..self.reader.empty() };
        match &element.body {
            ElementBody::Call(range) => {
                let (inner, string) = self.part(range);
                let tape = json::parse(inner);
                let Some(root) = tape.root(inner) else { return };
                let reader = self.reader.inside(within(inner, &tape, string));
                let starts = calls_of(root).map(|one| one.span().shifted(range.start).range().start);
                for (one, share) in calls_of(root).zip(shares(&element.range, starts)) {
                    reader.read(one, Some(self.span(&share)), sink);
                }
            }
            ElementBody::Arguments(range) => {
                let (inner, string) = self.part(range);
                let tape = json::parse(inner);
                let encoded = Some(within(inner, &tape, string));
                sink.call(Call { input: tape.root(inner).map(CallData::Json), encoded, ..call });
            }
            ElementBody::Parameters(parameters) => {
                let parameter = |(key, value): &(_, _)| (self.of(key).into(), self.of(value).into());
                let input = CallData::Arguments(parameters.iter().map(parameter).collect());
                sink.call(Call { arguments: input.shown_arguments(), input: Some(input), ..call });
            }
            ElementBody::Text(range) => {
                sink.call(Call { input: Some(CallData::Text(self.of(range).into())), ..call });
            }
            ElementBody::Step(input, output) => {
                let (inner, string) = self.part(input);
                let tape = json::parse(inner);
                // Models also write objects of Python there, and text.
                let is_json = tape.errors.is_empty() && tape.extra(inner).is_none();
                let object = tape.root(inner).filter(|it| it.is_object() && is_json);
                sink.call(Call {
                    part: if output.is_some() { CallPart::Both } else { CallPart::Call },
                    encoded: object.map(|_| within(inner, &tape, string)),
                    input: Some(object.map_or_else(|| CallData::Text(inner.into()), CallData::Json)),
                    output: output.as_ref().map(|output| CallData::Text(self.of(output).into())),
                    output_span: output.as_ref().map(|output| self.span(output)),
                    status: if output.is_some() { UseStatus::Done } else { UseStatus::Pending },
                    ..call
                });
            }
            ElementBody::Escaped(values) => {
                let field =
                    |range: &Range<usize>| Field { text: self.of(range).into(), span: self.span(range) };
                let input = values.input.as_ref().map(|input| unescaped(self.of(input))).unwrap_or_default();
                let tape = json::parse(&input);
                let object = tape.root(&input).filter(|it| it.is_object() && tape.errors.is_empty());
                let output = values.output.as_ref().map(|output| unescaped(self.of(output)));
                let is_done = output.is_some();
                sink.call(Call {
                    part: if is_done { CallPart::Both } else { CallPart::Call },
                    id: values.id.as_ref().map(field),
                    input: Some(object.map_or_else(|| CallData::Text(input.as_str().into()), CallData::Json)),
                    output: output.map(|output| CallData::Text(output.into())),
                    status: if is_done { UseStatus::Done } else { UseStatus::Pending },
                    ..call
                });
            }
            ElementBody::Output(range) => {
                let output = self.of(range);
                let tape = json::parse_prefix(output);
                let name = tape.root(output).and_then(|root| root.get("name"));
                let of_output = self.part(range).1;
                let name = name.and_then(|name| {
                    let text = name.as_str()?.into_owned();
                    Some(Field { text: text.into(), span: of_output.span(name.span()) })
                });
                let failed = output.starts_with(FAILED);
                sink.call(Call {
                    name: call.name.or(name),
                    output: Some(CallData::Text(output.into())),
                    output_span: Some(self.span(range)),
                    error_text: failed.then_some(output.into()),
                    status: if failed { UseStatus::Failed } else { UseStatus::Done },
                    ..call
                });
            }
        }
    }

    fn name(&self, element: &Element) -> Option<Field<'a>> {
        let range = element.name.as_ref()?;
        Some(Field { text: Cow::Borrowed(self.of(range)), span: self.span(range) })
    }

    fn of(&self, range: &Range<usize>) -> &'a str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    fn span(&self, range: &Range<usize>) -> Span {
        self.map.to_source_span(range.start, range.end)
    }

    /// A part of the text, and its place.
    fn part(&self, range: &Range<usize>) -> (&'a str, EncodedString<'a>) {
        (self.of(range), EncodedString::part(self.map, range.start))
    }
}

fn within<'a>(text: &'a str, tape: &'a JsonTape, string: EncodedString<'a>) -> EncodedInput<'a> {
    encoded(text, tape, string, true)
}
