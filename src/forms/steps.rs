//! Steps of ReAct in the text of a message: calls at the start of a line, and observations.

use std::ops::Range;

use memchr::memmem::find_iter;

use super::element::{Element, ElementBody, behind_thoughts, is_fence, is_name, trimmed, whole_value};

/// The labels in a text of ReAct.
const LABELS: [&str; 7] = [ACTION, INPUT, OBSERVATION, "Thought", "Question", "Answer", "Final Answer"];
const ACTION: &str = "Action";
const INPUT: &str = "Action Input";
const OBSERVATION: &str = "Observation";
/// The beginnings of results in texts of ReAct, SWE-agent and OpenHands.
pub(super) const OBSERVATIONS: [&str; 3] = [OBSERVATION, LOUD, EXECUTED];
const LOUD: &str = "OBSERVATION";
const EXECUTED: &str = "EXECUTION RESULT of [";

/// The result in `Observation: …`, in `EXECUTION RESULT of [run]: …` or the like.
pub(super) fn observation(text: &str) -> Option<Element> {
    let start = text.len() - text.trim_start().len();
    let own = text.get(start..)?;
    let (name, output) = match [OBSERVATION, LOUD].iter().find_map(|label| label_len(own, label)) {
        Some(len) => (None, start + len),
        None => {
            let name = own.strip_prefix(EXECUTED)?.split_once("]:")?.0;
            if !is_name(name) {
                return None;
            }
            let at = start + EXECUTED.len();
            (Some(at..at + name.len()), at + name.len() + "]:".len())
        }
    };
    let body = ElementBody::Output(trimmed(text, output..text.len()));
    Some(Element { range: start..text.trim_end().len(), name, body })
}

/// False if `text` has no call.
pub(super) fn may_have_steps(text: &str) -> bool {
    find_iter(text.as_bytes(), ACTION)
        .any(|at| text.get(at..).is_some_and(|rest| label_len(rest, ACTION).is_some()))
}

/// The calls of ReAct in `text`: `Action: search[…]`, or `Action: search` above `Action Input: …`.
pub(super) fn steps(text: &str) -> Vec<Element> {
    let pieces = labelled(text);
    let mut found = Vec::new();
    let mut rest = pieces.as_slice();
    while let Some((action, below)) = rest.split_first() {
        rest = below;
        if action.label != ACTION {
            continue;
        }
        let value = text.get(action.value.clone()).unwrap_or_default();
        let (name, input, below) = match below.split_first() {
            Some((input, below)) if input.label == INPUT => (value, input.value.clone(), below),
            _ => {
                let call = value.strip_suffix(']').and_then(|call| call.split_once('['));
                let Some((name, input)) = call else { continue };
                let start = action.value.start + name.len() + 1;
                (name, start..start + input.len(), below)
            }
        };
        if !is_name(name) {
            continue;
        }
        let output = below.first().filter(|it| it.label == OBSERVATION && !it.value.is_empty());
        let output = output.map(|it| it.value.clone());
        let input = match output {
            None => object_in(text, input.clone()).unwrap_or(input),
            Some(_) => input,
        };
        let end = output.as_ref().map_or(action.value.end.max(input.end), |output| output.end);
        let name = action.value.start..action.value.start + name.len();
        found.push(Element {
            range: action.start..end,
            name: Some(name),
            body: ElementBody::Step(input, output),
        });
    }
    found
}

/// The object at the start of an input, if text goes on below it.
fn object_in(text: &str, input: Range<usize>) -> Option<Range<usize>> {
    let begins = text.get(input.clone())?.starts_with('{');
    let object = whole_value(text, input.clone()).filter(|_| begins)?;
    let rest = text.get(object.end..input.end)?.trim_start_matches([' ', '\t']);
    rest.starts_with(['\n', '\r']).then_some(object)
}

/// A piece of a text of ReAct, up to the next one.
struct Labelled {
    label: &'static str,
    start: usize,
    value: Range<usize>,
}

/// The pieces of `text` that begin with a label at the start of a line, outside of code.
fn labelled(text: &str) -> Vec<Labelled> {
    let mut starts = Vec::new();
    let (mut at, mut is_code) = (behind_thoughts(text), false);
    for line in text.get(at..).unwrap_or_default().split_inclusive('\n') {
        is_code ^= is_fence(line);
        let label =
            LABELS.iter().filter(|_| !is_code).find_map(|label| Some((*label, label_len(line, label)?)));
        starts.extend(label.map(|(label, len)| (label, at, at + len)));
        at += line.len();
    }
    let ends = starts.iter().skip(1).map(|(_, start, _)| *start).chain([text.len()]);
    let piece = |((label, start, value), end): (&(&'static str, usize, usize), usize)| Labelled {
        label,
        start: *start,
        value: trimmed(text, *value..end),
    };
    starts.iter().zip(ends).map(piece).collect()
}

/// The length of `label` at the start of `line`, with its number and colon.
fn label_len(line: &str, label: &str) -> Option<usize> {
    let behind = line.strip_prefix(label)?;
    let value = behind.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()).strip_prefix(':')?;
    Some(line.len() - value.len())
}
