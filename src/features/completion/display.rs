//! Completions in a call in display form: the name, and the arguments `key=value`.

use serde_json::Value as Any;
use smol_str::SmolStr;

use super::values::ValueExpectation;
use super::{Completion, CompletionBase, CompletionKind as Kind, CompletionSubject, ReplacedText, Snippet};
use crate::dialect::arguments::{self, ArgumentContext};
use crate::dialect::draft::Display;
use crate::document::Document;
use crate::never::OrNever;
use crate::places::block_position::BlockPosition;
use crate::registry::Tool;
use crate::rules::is_plain;
use crate::schema::{Parameter, ValueDescription, ValueStep, about, parameters};
use crate::text::Span;

/// Maximum number of characters of a displayed value (formats.md §3.3).
const MOST_CHARS: usize = 250;

/// The completions in the call `display` at `position`; `None` if there are none.
pub(super) fn offer(
    offer: &CompletionBase<'_>,
    position: &BlockPosition<'_>,
    display: &Display,
) -> Option<Vec<Completion>> {
    let start = display.call.start as usize;
    let call = display.call.of(position.source.text);
    let at = position.offset.checked_sub(start)?;
    let (name, place, keys) = arguments::at(call, at)?;
    let tool = position.source.settings.registry.tool(name);
    let written = |span: Span| {
        let typed = call.get(span.start as usize..at).or_never();
        ReplacedText { span: span.shifted(start), typed }
    };
    match place {
        ArgumentContext::Name { span, has_arguments } => {
            let is_asked = offer.is_triggered_by(">");
            let has_lines = is_first_on_line(offer.document, position.range_of(Span::empty(0)).start)
                && call.get(span.end as usize..).is_some_and(|rest| rest.trim().is_empty());
            let display = if has_lines { *display } else { Display { before_result: "", ..*display } };
            let display = (!has_arguments).then_some(&display);
            Some(if is_asked { names(offer, written(span), display, "") } else { Vec::new() })
        }
        ArgumentContext::Key { span, has_value, lead, trail } => {
            let is_asked = offer.is_triggered_by("(");
            let tool = tool.filter(|_| is_asked)?;
            let others: Vec<&str> = keys.iter().filter(|key| **key != span).map(|key| key.of(call)).collect();
            let schema = tool.input_schema.as_ref()?;
            let missing = parameters(schema, &[]).into_iter().filter(|it| !others.contains(&it.name));
            let item = |parameter: Parameter<'_>| {
                let name = parameter.name;
                let snippet = match has_value {
                    true => Snippet::text(name),
                    false => Snippet::text(format!("{lead}{name}="))
                        .then(value_of(&parameter, tool, display.escape))
                        .and(trail),
                };
                let item = offer.item(written(span), Kind::Parameter, name, &snippet);
                item.of_parameter(&parameter, subject(tool, name))
            };
            Some(missing.filter(|it| is_plain(it.name)).map(item).collect())
        }
        ArgumentContext::Value { key, span } => {
            let tool = tool.filter(|_| offer.is_triggered_by("="))?;
            let key = key.of(call);
            let about = about(tool.input_schema.as_ref()?, &[ValueStep::Key(key.to_owned())]);
            let item = |(text, kind): (String, Kind)| {
                let text = (display.escape)(&text)?;
                Some(offer.item(written(span), kind, &text, &Snippet::text(&text)).about(subject(tool, key)))
            };
            Some(values(&about).into_iter().filter_map(item).collect())
        }
    }
}

/// Completions of a tool name alone, as in results.
pub(super) fn offer_name(
    offer: &CompletionBase<'_>,
    position: &BlockPosition<'_>,
    span: Span,
    closer: &'static str,
) -> Option<Vec<Completion>> {
    let typed = position.source.text.get(span.start as usize..position.offset).never_none()?;
    // `<invoke name="` and `<function=` begin a name, too.
    let is_asked = offer.is_triggered_by(">\"=");
    Some(if is_asked { names(offer, ReplacedText { span, typed }, None, closer) } else { Vec::new() })
}

/// Completions of tool names, as whole calls in dialects that display arguments; `closer` follows
/// each.
pub(super) fn names(
    offer: &CompletionBase<'_>,
    written: ReplacedText<'_>,
    display: Option<&Display>,
    closer: &str,
) -> Vec<Completion> {
    let registry = &offer.document.settings().registry;
    let item = |name: SmolStr| {
        let tool = registry.tool(&name);
        let snippet = match display {
            None => Snippet::text(name.as_str()).and(closer),
            Some(display) => {
                let has_result = !display.before_result.is_empty() && !display.closer.is_empty();
                let result = has_result.then(|| Snippet::text(display.before_result).then(Snippet::stop("")));
                let call = call_of(&name, tool, display).then(result.unwrap_or_default());
                call.and(display.closer).end()
            }
        };
        let kind = if display.is_some() { Kind::Call } else { Kind::Tool };
        offer.item(written, kind, &name, &snippet).of_tool(tool)
    };
    offer.nearby.names().into_iter().filter(|name| is_plain(name)).map(item).collect()
}

/// True if only prefixes of quotes and lists precede the byte `start` on its line.
pub(super) fn is_first_on_line(document: &Document, start: usize) -> bool {
    let text = document.text();
    let line = text.byte_of_line(text.line_of_byte(start));
    // A longer prefix is not text that users edit.
    start - line <= MOST_CHARS
        && text.slice(line..start).trim_matches([' ', '\t', '>', '-', '*', '+']).is_empty()
}

/// The call of a tool with its required arguments.
pub(super) fn call_of(name: &str, tool: Option<&Tool>, display: &Display) -> Snippet {
    let call = Snippet::text(format!("{name}("));
    let Some(schema) = tool.and_then(|tool| Some((tool, tool.input_schema.as_ref()?))) else {
        return call.then(Snippet::stop("")).and(")");
    };
    let (tool, schema) = schema;
    let required = parameters(schema, &[]).into_iter().filter(|it| it.is_required && is_plain(it.name));
    let arguments = required.enumerate().fold(call, |call, (index, parameter)| {
        let comma = if index == 0 { "" } else { ", " };
        call.and(format!("{comma}{}=", parameter.name)).then(value_of(&parameter, tool, display.escape))
    });
    arguments.and(")")
}

/// The initial value of an argument: empty, which is read as a string, or one of its allowed
/// values.
pub(super) fn value_of(
    parameter: &Parameter<'_>,
    tool: &Tool,
    escape: fn(&str) -> Option<String>,
) -> Snippet {
    let proposed = ValueExpectation::of(tool, false).filter(|_| !parameter.about.types.contains(&"string"));
    let choices: Vec<String> =
        values(&parameter.about).into_iter().filter_map(|(it, _)| escape(&it)).collect();
    match (choices.is_empty(), proposed) {
        (false, _) if !parameter.about.values.is_empty() || parameter.about.types == ["boolean"] => {
            Snippet::choice(choices)
        }
        (_, Some(asks)) => {
            let text = asks.property(&[], parameter.name, super::values::ValueLayout::Line).plain();
            Snippet::stop(escape(&text).unwrap_or_default())
        }
        _ => Snippet::stop(""),
    }
}

/// The values of an argument in display form or of a parameter: strings bare, other values as JSON.
pub(super) fn values(about: &ValueDescription<'_>) -> Vec<(String, Kind)> {
    let mut found: Vec<(String, Kind)> = Vec::new();
    let mut add = |value: &Any, kind| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if text.chars().count() <= MOST_CHARS
            && !text.is_empty()
            && !found.iter().any(|(known, _)| *known == text)
        {
            found.push((text, kind));
        }
    };
    about.values.iter().for_each(|value| add(value, Kind::Choice));
    about.default.into_iter().for_each(|value| add(value, Kind::Value));
    if about.values.is_empty() {
        about.examples.iter().for_each(|value| add(value, Kind::Value));
        if about.types.contains(&"boolean") {
            [true, false].iter().for_each(|value| add(&Any::Bool(*value), Kind::Choice));
        }
    }
    found
}

pub(super) fn subject(tool: &Tool, key: &str) -> CompletionSubject {
    let path = vec![ValueStep::Key(key.to_owned())];
    CompletionSubject::Value { tool: tool.name.to_string(), is_output: false, path }
}
