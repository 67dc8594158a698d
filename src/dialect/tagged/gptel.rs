//! Tool uses of gptel (<https://github.com/karthink/gptel>), as `gptel--display-tool-results`
//! writes them: a code block with the printed call, a blank line and the result; in Org a block
//! `#+begin_tool`, whose text is escaped.

use std::borrow::Cow;

use super::body::split_line;
use super::elisp::{self, Printed};
use crate::call::pairing::Pairing;
use crate::call::{Call, CallData, CallPart, CallSink, Field, ToolUse, UseData, UseStatus};
use crate::config::Settings;
use crate::dialect::interface::{BlockSource, ReadOutcome};
use crate::json;
use crate::text::cut;

/// The language of its code blocks in Markdown, and in Org.
const MARKDOWN: &str = "tool";
const ORG: &str = "begin_tool";
/// The beginning of the result if the tool does not exist.
const FAILURE: &str = "Error: Tool '";
/// The maximum number of characters of a call in an info string.
const TITLE: usize = 60;

/// True if a code block of this language is a tool use; `info` is the call, cut to the window's
/// width.
pub fn is_block(language: &str, info: &str) -> bool {
    (language == MARKDOWN || language.eq_ignore_ascii_case(ORG)) && info.starts_with('(')
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
    let is_org = source.language != Some(MARKDOWN);
    let text = if is_org { org_unescaped(source.text) } else { source.text.into() };
    let (printed, end) = Printed::read(&text)?;
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
    call.arguments = input.shown_arguments();
    call.input = Some(input);
    if let Some(result) = result_of(text.get(end..)?) {
        call.part = CallPart::Both;
        call.status = if result.starts_with(FAILURE) { UseStatus::Failed } else { UseStatus::Done };
        match call.status {
            UseStatus::Failed => call.error_text = Some(result.to_owned().into()),
            _ => call.output = Some(CallData::Text(result.to_owned().into())),
        }
        let is_as_written = matches!(text, Cow::Borrowed(_)) && call.output.is_some();
        call.output_span = is_as_written.then(|| source.span_of(result));
        call.is_evidence = true;
    }
    call.is_example = true;
    Some(call)
}

/// Writes a tool use as a code block of Markdown.
pub fn write(tool_use: &ToolUse, _: &Settings) -> Option<String> {
    let name = tool_use.name.as_deref().filter(|name| !name.is_empty())?;
    let input = tool_use.input.as_ref().map_or_else(|| "{}".to_owned(), UseData::to_json);
    let json = json::parse(&input);
    let root = json.root(&input).filter(|root| root.is_object() && json.errors.is_empty())?;
    let arguments = elisp::print(root)?;
    let mut block = format!("(:name {} :args {arguments})", elisp::print_text(name));
    if let Some(outcome) = tool_use.outcome() {
        block.extend(["\n\n", &outcome.to_text()]);
    }
    // The call in short, on one line and without backticks, which would end the info string.
    let inner = arguments.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or_default();
    let title = format!("{name} {inner}").replace(['\n', '\r', '`'], " ");
    let fence = fence_around(&block);
    Some(format!("{fence} {MARKDOWN} ({})\n{block}\n{fence}", cut(title.trim_end(), TITLE)))
}

/// A fence of more backticks than any line of `text` begins with.
fn fence_around(text: &str) -> String {
    let run = |line: &str| line.len() - line.trim_start_matches('`').len();
    let longest = text.lines().map(|line| run(line.trim_start())).max().unwrap_or_default();
    "`".repeat(3.max(longest + 1))
}

/// The text of a block of Org without the commas before stars and `#+` at the start of a line.
fn org_unescaped(text: &str) -> Cow<'_, str> {
    let is_escaped = |line: &str| {
        let own = line.trim_start_matches([' ', '\t']);
        let behind = own.trim_start_matches(',');
        behind.len() < own.len() && (behind.starts_with('*') || behind.starts_with("#+"))
    };
    if !text.lines().any(is_escaped) {
        return text.into();
    }
    let own = |line: &str| if is_escaped(line) { line.replacen(',', "", 1) } else { line.to_owned() };
    text.split_inclusive('\n').map(own).collect::<String>().into()
}

/// The result in `behind`, the text behind the call: below a blank line.
fn result_of(behind: &str) -> Option<&str> {
    let (own, below) = split_line(behind);
    let (blank, result) = split_line(below);
    let is_below = own.trim().is_empty() && blank.is_empty() && below.len() > result.len();
    let result = result.strip_suffix('\n').unwrap_or(result);
    is_below.then(|| result.strip_suffix('\r').unwrap_or(result))
}
