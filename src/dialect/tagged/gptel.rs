//! Tool uses of gptel (<https://github.com/karthink/gptel>), as `gptel--display-tool-results`
//! writes them: a code block with the printed call, a blank line and the result.

use super::elisp::Printed;
use super::row::split_line;
use super::{Outcome, set_outcome, shown_arguments};
use crate::call::pairing::Pairing;
use crate::call::{Call, CallData, CallPart, Field, UseStatus};
use crate::dialect::interface::{BlockSource, CallSink, ReadOutcome};

/// The language of its code blocks.
const LANGUAGE: &str = "tool";
/// The beginning of the result of a tool that there is not.
const FAILURE: &str = "Error: Tool '";

/// True if a code block of this language is one: `info` is the call, cut to the window's width.
pub fn is_block(language: &str, info: &str) -> bool {
    language == LANGUAGE && info.starts_with('(')
}

/// Reads a code block. Without an end, or without a whole call, it is text.
pub fn read(source: &BlockSource<'_>, sink: &mut dyn CallSink) -> ReadOutcome {
    if source.cut {
        return ReadOutcome::MoreText;
    }
    match call_of(source).filter(|_| source.closed) {
        Some(call) => sink.call(call),
        None => sink.text(),
    }
    ReadOutcome::Done
}

fn call_of<'a>(source: &BlockSource<'a>) -> Option<Call<'a>> {
    let (printed, end) = Printed::read(source.text)?;
    let fields = printed.properties()?;
    let field = |key: &str| fields.iter().find_map(|(known, value)| (*known == key).then_some(*value));
    let (Some(Printed::Text(name, span)), Some(arguments)) = (field("name"), field("args")) else {
        return None;
    };
    let mut call = Call::new(CallPart::Call, source.text);
    call.pairing = Some(Pairing::SelfContained);
    call.name = Some(Field { text: name.clone().into(), span: *span }).filter(|_| !name.is_empty());
    let argument = |(key, value): &(&str, &Printed)| (key.to_string().into(), value.shown().into());
    let input = match arguments.properties() {
        Some(pairs) => CallData::Arguments(pairs.iter().map(argument).collect()),
        None => CallData::Text(arguments.to_json().into()),
    };
    call.arguments = shown_arguments(&input);
    call.input = Some(input);
    if let Some(text) = result_of(source.text.get(end..)?) {
        let failed = text.starts_with(FAILURE);
        let status = if failed { UseStatus::Failed } else { UseStatus::Done };
        call.part = CallPart::Both;
        set_outcome(&mut call, source, &Outcome { status, text: Some(text) });
        call.is_evidence = true;
    }
    call.is_example = true;
    Some(call)
}

/// The result in `behind`, the text behind the call: below a blank line.
fn result_of(behind: &str) -> Option<&str> {
    let (own, below) = split_line(behind);
    let (blank, result) = split_line(below);
    let is_below = own.trim().is_empty() && blank.is_empty() && below.len() > result.len();
    let result = result.strip_suffix('\n').unwrap_or(result);
    is_below.then(|| result.strip_suffix('\r').unwrap_or(result))
}
