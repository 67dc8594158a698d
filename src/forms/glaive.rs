//! Calls of Glaive's data sets for fine-tuning: an object after `<functioncall>`, whose arguments
//! may be an object in single quotes.

use std::ops::Range;

use super::element::{Element, ElementBody, is_name, names_tool, whole_value};

/// The beginning of a call.
pub(super) const CALL: &str = "<functioncall>";
/// The beginning of its object, the text between name and arguments, and the end.
const OBJECT: &str = "{\"name\": \"";
const ARGUMENTS: &str = "\", \"arguments\": '";
const END: &str = "'}";
/// The end of a message, and the beginning and the end of a result below it.
const END_OF_MESSAGE: &str = "<|endoftext|>";
const RESULT: &str = "FUNCTION RESPONSE:";
const END_OF_RESULT: &str = "\n\n\n";

/// The call at `at` in `text`, with the result below it. `next` finds a string from an offset on.
pub(super) fn call(
    text: &str,
    at: usize,
    next: &mut dyn FnMut(&str, usize) -> Option<usize>,
) -> Option<Element> {
    let start = behind_space(text, at + CALL.len())?;
    let name = behind(text, start, OBJECT)?;
    let name = name..name + text.get(name..)?.find('"')?;
    if !text.get(name.clone()).is_some_and(is_name) {
        return None;
    }
    let Some(input) = behind(text, name.end, ARGUMENTS) else {
        let limit = next(CALL, start).unwrap_or(text.len());
        let object = whole_value(text, start..limit)?;
        let is_call = names_tool(text.get(object.clone())?);
        let body = ElementBody::Call(object.clone());
        return is_call.then_some(Element { range: at..object.end, name: None, body });
    };
    let input = input..next(END, input)?;
    let end = input.end + END.len();
    let output = result(text, end).map(|start| start..next(END_OF_RESULT, start).unwrap_or(text.len()));
    let range = at..output.as_ref().map_or(end, |output: &Range<usize>| output.end);
    Some(Element { range, name: Some(name), body: ElementBody::Step(input, output) })
}

/// The start of the result after a call that ends at `end`.
fn result(text: &str, end: usize) -> Option<usize> {
    let message = behind(text, behind_space(text, end)?, END_OF_MESSAGE)?;
    behind_space(text, behind(text, behind_space(text, message)?, RESULT)?)
}

/// The end of `wanted`, if it stands at `at`.
fn behind(text: &str, at: usize, wanted: &str) -> Option<usize> {
    text.get(at..)?.starts_with(wanted).then_some(at + wanted.len())
}

fn behind_space(text: &str, at: usize) -> Option<usize> {
    Some(text.len() - text.get(at..)?.trim_start().len())
}
