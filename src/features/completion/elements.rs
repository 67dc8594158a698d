//! Completions in a call as an element: parameters, and their values.

use super::display::{subject, value_of, values};
use super::{Completion, CompletionBase, CompletionKind as Kind, ReplacedText, Snippet};
use crate::dialect::draft::{ElementCall, ElementPlace};
use crate::places::block_position::BlockPosition;
use crate::schema::{Parameter, ValueStep, about, parameters};

/// The completions in `call` at `position`; `None` if there are none.
pub(super) fn offer(
    offer: &CompletionBase<'_>,
    position: &BlockPosition<'_>,
    call: &ElementCall,
) -> Option<Vec<Completion>> {
    let text = position.source.text;
    let tool = position.source.settings.registry.tool(call.tool.of(text))?;
    let schema = tool.input_schema.as_ref()?;
    match call.place {
        ElementPlace::Name { span, is_ended } => {
            if !offer.is_triggered_by("=\">") {
                return Some(Vec::new());
            }
            let written: Vec<&str> = call.written.iter().map(|key| key.of(text)).collect();
            let typed = text.get(span.start as usize..position.offset)?;
            let opener = if is_ended { "" } else { call.form.parameter };
            let item = |parameter: Parameter<'_>| {
                let name = parameter.name;
                let snippet = match is_ended {
                    true => Snippet::text(name),
                    false => Snippet::text(format!("{opener}{name}{}", call.form.end))
                        .then(value_of(&parameter, tool, |text| Some(text.to_owned())))
                        .and(call.form.closer_of(name)),
                };
                let item = offer.item(ReplacedText { span, typed }, Kind::Parameter, name, &snippet);
                let filter = if typed.starts_with('<') { format!("{opener}{name}") } else { name.to_owned() };
                Completion { filter, ..item }.of_parameter(&parameter, subject(tool, name))
            };
            let missing = parameters(schema, &[]).into_iter().filter(|it| !written.contains(&it.name));
            let missing = missing.filter(|it| call.form.takes(it.name));
            Some(missing.map(item).collect())
        }
        ElementPlace::Value { key, span } => {
            let is_asked = offer.is_triggered_by(">") && !span.of(text).contains(['\r', '\n']);
            let key = key.of(text);
            let about = about(schema, &[ValueStep::Key(key.to_owned())]);
            let written = ReplacedText { span, typed: text.get(span.start as usize..position.offset)? };
            let item = |(value, kind): (String, Kind)| {
                offer.item(written, kind, &value, &Snippet::text(&*value)).about(subject(tool, key))
            };
            Some(if is_asked { values(&about).into_iter().map(item).collect() } else { Vec::new() })
        }
    }
}
