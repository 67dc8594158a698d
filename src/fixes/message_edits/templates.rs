//! Results that are written by the template of their call's form.

use std::ops::Range;

use super::MessageEditor;
use crate::call::{Block, UseOutcome};
use crate::document::Document;
use crate::fixes::DocumentEdit;
use crate::forms::form::{Failure, at};
use crate::forms::results::{CallValues, ResultPlace, ResultTemplate};
use crate::forms::{result_form, result_template};
use crate::json::{self, Value, quote};
use crate::json_repair::members;
use crate::messages::exchange::inner_message;

impl Document {
    /// The template for results of the call at `call`, a range of the document.
    pub(super) fn template_of(&self, call: &Range<usize>) -> Option<&'static ResultTemplate> {
        self.with_json(call.clone(), result_template)
    }

    /// The edits that replace `result`, an object at `start` that answers `call` at `place`, by
    /// `outcome`: its output and the members that indicate a failure, or the whole object if the
    /// template writes another form. `None` if the template does not write results of its family.
    pub(super) fn replaced_by_template(
        &self,
        (result, start): (Value<'_>, usize),
        (call, place): (&Block, &Range<usize>),
        outcome: &UseOutcome,
    ) -> Option<Vec<DocumentEdit>> {
        let (template, (family, paths)) = (self.template_of(place)?, result_form(result)?);
        let new = template.result(&values_of(call, None), outcome);
        let tape = json::parse(&new);
        let root = tape.root(&new)?;
        let (_, own) = result_form(root).filter(|(own, _)| *own == family)?;
        let is_same_form = std::ptr::eq(own, paths);
        let old = paths.output.iter().find_map(|path| Some((path.as_ref(), at(result, path)?)));
        let old = old.filter(|_| is_same_form).and_then(|(path, old)| Some((path, old, at(root, path)?)));
        let Some((path, old, value)) = old else { return Some(vec![(result.span().range_at(start), new)]) };
        let mut edits = vec![(old.span().range_at(start), value.raw().to_owned())];
        let is_error = matches!(outcome, UseOutcome::Error(_));
        let mut signs: Vec<_> = paths.failure.iter().map(sign).collect();
        signs.sort_by_key(|(path, _)| path.len());
        let mut written = vec![path];
        for (path, none) in signs {
            let is_in =
                |around: &&str| path.strip_prefix(*around).is_some_and(|it| !it.starts_with(|c| c != '.'));
            let (parent, key) = path.rsplit_once('.').unwrap_or(("", path));
            let parent = if parent.is_empty() { Some(result) } else { at(result, parent) };
            let Some(parent) = parent.filter(|parent| parent.is_object() && !written.iter().any(is_in))
            else {
                continue;
            };
            written.push(path);
            match (parent.get(key), at(root, path).map(Value::raw)) {
                (Some(sign), value) => {
                    let value = value.or(none.filter(|_| !is_error)).filter(|value| sign.raw() != *value);
                    edits.extend(value.map(|value| (sign.span().range_at(start), value.to_owned())));
                }
                (None, Some(value)) if is_error => {
                    let (place, text) = members::append(parent, &format!("{}:{value}", quote(key)));
                    let at = start + place.start as usize;
                    edits.push((at..at, text));
                }
                _ => {}
            }
        }
        Some(edits)
    }
}

/// The path of a sign of a failure, and its value if there is none.
fn sign(failure: &Failure) -> (&str, Option<&'static str>) {
    match failure {
        Failure::Flag(path) => (path, Some("false")),
        Failure::NoSuccess(path) => (path, Some("true")),
        Failure::Is(path, _) => (path, None),
        Failure::Error(path) => (path, Some("null")),
    }
}

fn values_of<'a>(call: &Block, message: Option<Value<'a>>) -> CallValues<'a> {
    CallValues { id: call.id().map(quote), name: call.name().map(quote), message }
}

/// True if `message` at `start` is the object at `call`, or has it in a list.
fn holds(message: Value<'_>, start: usize, call: &Range<usize>) -> bool {
    let is_call = |value: Value<'_>| value.span().range_at(start) == *call;
    is_call(message) || message.entries().any(|(_, value)| value.items().any(is_call))
}

impl MessageEditor<'_> {
    /// The edits that add the result of `call` at `place`, which is in the message at `index`.
    /// `None` if results of its form are not written by a template.
    pub(super) fn added_by_template(
        &self,
        index: usize,
        (call, place): (&Block, &Range<usize>),
        outcome: &UseOutcome,
    ) -> Option<Vec<DocumentEdit>> {
        let template = self.document.template_of(place)?;
        self.with_message(index, |root, start| {
            let inner = inner_message(root);
            // Only in lines are the surroundings of a message known.
            if inner.span() != root.span() && !self.is_lines() {
                return None;
            }
            // A record of a stream may look like such a call.
            if !holds(inner, start, place) {
                return None;
            }
            let values = values_of(call, Some(inner));
            let result = template.result(&values, outcome);
            match template.place {
                ResultPlace::Message => self.message_behind(self.last_result(index), &result),
                ResultPlace::Part { list, message } => match self.part_behind(index + 1, list, &result) {
                    Some(edit) => Some(vec![edit]),
                    None => self.message_behind(index, &values.message_with(message, &result)),
                },
                ResultPlace::Member { key, list, behind } => {
                    let edit = self.in_member((inner, start), (key, list, behind), &result);
                    edit.map(|edit| vec![edit])
                }
            }
        })
    }

    /// The edit that adds `result` after the results in the list `list` of the message at `index`.
    fn part_behind(&self, index: usize, list: &str, result: &str) -> Option<DocumentEdit> {
        let parts = self.items(index, list);
        let is_result = |part: &Range<usize>| {
            self.document.with_json(part.clone(), |part| Some(result_form(part).is_some())) == Some(true)
        };
        let last = parts.iter().rposition(is_result)?;
        let end = parts.get(last)?.end;
        let between = self.separator(&parts, last);
        Some((end..end, between + result))
    }

    /// The edit that adds `result` to the list `list` of the object `key` of `message` at `start`.
    /// If there is no such object, it is inserted after the member `behind`.
    fn in_member(
        &self,
        (message, start): (Value<'_>, usize),
        (key, list, behind): (&str, &str, &str),
        result: &str,
    ) -> Option<DocumentEdit> {
        let own = message.get(key).filter(|own| !own.is_null());
        let written = format!("[{result}]");
        if let Some(known) = own.and_then(|own| own.get(list)) {
            let items: Vec<_> = known.items().map(|item| item.span().range_at(start)).collect();
            let Some(last) = items.last() else {
                let is_empty = known.is_null() || known.raw().starts_with('[');
                return is_empty.then(|| (known.span().range_at(start), written));
            };
            let between = self.separator(&items, items.len() - 1);
            return Some((last.end..last.end, between + result));
        }
        let written = format!("{}:{written}", quote(list));
        if let Some(own) = own {
            let (place, text) = own.is_object().then(|| members::append(own, &written))?;
            let at = start + place.start as usize;
            return Some((at..at, text));
        }
        let written = format!("{{{written}}}");
        if let Some(null) = message.get(key) {
            return Some((null.span().range_at(start), written));
        }
        let entries: Vec<_> = message.entries().collect();
        let at = entries.iter().position(|(name, _)| name.as_str().is_some_and(|name| name == behind))?;
        let (name, value) = entries.get(at)?;
        let gap = |from: Value<'_>, to: Value<'_>| {
            let gap = from.span().range_at(start).end..to.span().range_at(start).start;
            self.document.text().slice(gap).into_owned()
        };
        let before = at.checked_sub(1).and_then(|before| entries.get(before));
        let between = before.map_or_else(|| ", ".to_owned(), |(_, before)| gap(*before, *name));
        let end = value.span().range_at(start).end;
        Some((end..end, format!("{between}{}{}{written}", quote(key), gap(*name, *value))))
    }
}
