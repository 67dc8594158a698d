//! The part of a call that is being typed, in dialects with elements.

use super::draft::{Draft, ElementCall, ElementPlace};
use crate::forms::element_forms::{ELEMENT_FORMS, ElementForm};
use crate::text::Span;

/// The elements of tools that are called by their names; a tool closes its element.
const NAMED: ElementForm = ElementForm {
    opener: "<",
    end: ">",
    closer: "",
    parameter: "<",
    parameter_closer: None,
    has_objects: false,
};

/// The part at the byte `at` of `text`, a call of `tool` by its name.
pub fn of_tool(text: &str, at: usize, tool: &str) -> Option<Draft> {
    let name = Span::new(NAMED.opener.len(), NAMED.opener.len() + tool.len());
    in_call(text, at, &NAMED, name)
}

/// The part at the byte `at` of `text`, in the last call that begins before it.
pub fn of_last(text: &str, at: usize) -> Option<Draft> {
    let before = text.get(..at)?;
    let of_form = |form: &'static ElementForm| Some((before.rfind(form.opener)? + form.opener.len(), form));
    let (start, form) = ELEMENT_FORMS.iter().filter_map(of_form).max_by_key(|(start, _)| *start)?;
    let rest = text.get(start..)?;
    let len = rest.find(|c: char| c.is_whitespace() || "\"<>".contains(c)).unwrap_or(rest.len());
    let name = Span::new(start, start + len);
    if at <= name.end as usize {
        let is_ended = rest.get(len..).is_some_and(|rest| rest.starts_with(form.end));
        return Some(Draft::Name { span: name, closer: if is_ended { "" } else { form.end } });
    }
    in_call(text, at, form, name)
}

/// The part at the byte `at`, after the name of a call with parameters and nothing else.
fn in_call(text: &str, at: usize, form: &'static ElementForm, tool: Span) -> Option<Draft> {
    let mut next = tool.end as usize + form.end.len();
    let (mut place, mut written) = (None, Vec::new());
    while let Some(rest) = text.get(next..) {
        let start = next + rest.len() - rest.trim_start().len();
        if place.is_none() && (next..=start).contains(&at) {
            place = Some(ElementPlace::Name { span: Span::empty(at), is_ended: false });
        }
        let Some(behind) = text.get(start..).and_then(|rest| rest.strip_prefix(form.parameter)) else {
            if place.is_some() {
                break;
            }
            place = Some(begun(text, form.parameter, start, at)?);
            next = line_end(text, at);
            continue;
        };
        // The end of a call whose element has the tool's name.
        if behind.starts_with('/') {
            break;
        }
        let key_start = start + form.parameter.len();
        let len = behind.find(|c: char| !is_name(c)).unwrap_or(behind.len());
        let key = Span::new(key_start, key_start + len);
        let is_ended = text.get(key.end as usize..)?.starts_with(form.end);
        let is_here = place.is_none() && (start + 1..=key.end as usize).contains(&at);
        if is_here {
            let span = if is_ended { key } else { Span::new(start, key.end as usize) };
            place = (span.start as usize <= at).then_some(ElementPlace::Name { span, is_ended });
        } else {
            written.push(key);
        }
        if !is_ended {
            if !is_here {
                break;
            }
            next = line_end(text, at);
            continue;
        }
        let value = key.end as usize + form.end.len();
        let closer = form.closer_of(key.of(text));
        let rest = text.get(value..)?;
        let end = rest.find(&*closer).map(|len| value + len);
        if place.is_none() && (value..=end.unwrap_or(text.len())).contains(&at) {
            // Without an end, the value is the rest of the line.
            let span = Span::new(value, end.unwrap_or_else(|| line_end(text, value)));
            place = Some(ElementPlace::Value { key, span });
        }
        let Some(end) = end else { break };
        next = end + closer.len();
    }
    Some(Draft::Element(ElementCall { form, tool, place: place?, written }))
}

/// The beginning of a parameter: a part of `opener`, or of a name.
fn begun(text: &str, opener: &str, start: usize, at: usize) -> Option<ElementPlace> {
    let typed = text.get(start..at)?;
    let is_begun = opener.starts_with(typed) || typed.chars().all(is_name);
    is_begun.then_some(ElementPlace::Name { span: Span::new(start, at), is_ended: false })
}

fn line_end(text: &str, from: usize) -> usize {
    text.get(from..).and_then(|rest| rest.find(['\r', '\n'])).map_or(text.len(), |len| from + len)
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}
