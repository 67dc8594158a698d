//! `legacy`: the Markdown lines that preceded tags: `` 🔧 **Tool Call:** `CALL` `` and `` ✅ **`NAME`
//! result:** `` (formats.md §3.3).

use super::arguments;
use super::draft::{Display, Draft};
use super::interface::{BlockSource, Dialect, ReadOutcome};
use crate::call::pairing::{Pairing, PairingOrder};
use crate::call::{Call, CallData, CallPart, CallSink, Field, UseStatus};
use crate::diagnostic::Code;
use crate::never::OrNever;
use crate::syntax::{InlineRule, OpenerPlace, RegionEnd};
use crate::text::Span;

/// The dialect.
pub const DIALECT: Dialect = Dialect {
    name: "legacy",
    form: "the lines that tags replaced: `` 🔧 **Tool Call:** `read_file(path=a.py)` ``",
    inline: INLINE,
    pairing: Pairing::EarlierCall { order: PairingOrder::NearestFirst, orphans_are_text: false },
    outdated: Some(Code::LegacyMarkdown),
    unify: Some(unify),
    draft,
    read,
    ..Dialect::BASE
};

const CALL: &str = "🔧 **Tool Call:** `";
const RESULT: &str = "✅ **`";
const RESULT_NAME_END: &str = " result:**";

const INLINE: &[InlineRule] = &[
    InlineRule {
        openers: &[CALL],
        place: OpenerPlace::Anywhere,
        accept: &|_, _| true,
        end: RegionEnd::Line(&call_len),
    },
    InlineRule { openers: &[RESULT], place: OpenerPlace::Anywhere, accept: &is_result, end: RegionEnd::Run },
];

fn read(source: &BlockSource<'_>, sink: &mut dyn CallSink) -> ReadOutcome {
    for (start, block) in blocks(source.text) {
        read_block(source, block, start, sink);
    }
    ReadOutcome::Done
}

/// The calls and results in `text` with their offsets: a result extends to the next blank line,
/// except for lines that are blocks themselves.
fn blocks(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let end = next_block(rest).unwrap_or(rest.len());
        let at = start;
        start += end;
        Some((at, rest.get(..end)?.trim_end()))
    })
}

fn draft(source: &BlockSource<'_>, at: usize, _: &str) -> Option<Draft> {
    let (start, block) = blocks(source.text).filter(|(start, _)| *start <= at).last()?;
    let in_code = |opener: &str| {
        let code = block.strip_prefix(opener)?.split_once('`')?.0;
        let span = Span::new(0, code.len()).shifted(start + opener.len());
        (span.start as usize <= at && at <= span.end as usize).then_some(span)
    };
    // A backtick would end the code span.
    let escape = |text: &str| (!text.contains(['`', '\n', '\r'])).then(|| text.to_owned());
    let call =
        in_code(CALL).map(|call| Draft::Display(Display { call, escape, closer: "", before_result: "" }));
    call.or_else(|| in_code(RESULT).map(|span| Draft::Name { span, closer: "" }))
}

/// Parses one call or result, which begins at byte `start` of the source's text.
fn read_block<'a>(source: &BlockSource<'a>, block: &'a str, start: usize, sink: &mut dyn CallSink) {
    if let Some(text) = block.strip_prefix(CALL).and_then(|rest| rest.split_once('`')).map(|(call, _)| call) {
        let mut call = Call::new(CallPart::Call, source.text);
        call.span = Some(Span::new(start, start + CALL.len() + text.len() + 1));
        call.name = Some(name_field(text, start + CALL.len()));
        call.checks_tool = true;
        call.is_evidence = true;
        let shown = arguments::of_call(text);
        if !shown.is_empty() {
            call.input = arguments::input_of(shown, |text| text.into());
            call.arguments = Some(shown.into());
            call.arguments_span = Some(source.span_of(shown));
        }
        sink.call(call);
    } else if let Some((name, result)) = result_of(block) {
        let mut call = Call::new(CallPart::Result, source.text);
        let line = result.find(['\n', '\r']).unwrap_or(result.len());
        let (same_line, below) = result.split_at(line);
        // "… or on the same line": the rest of that line is the result, and the following lines are
        // text.
        let (result, is_all) = if same_line.trim().is_empty() { (below, true) } else { (same_line, false) };
        let end = if is_all { block.len() } else { block.len() - below.len() };
        call.span = Some(Span::new(start, start + end));
        call.name = Some(name_field(name, start + RESULT.len()));
        call.status = UseStatus::Done;
        call.output = Some(CallData::Text(result.trim().into()));
        call.output_span = Some(source.span_of(result.trim()));
        sink.call(call);
        if !is_all && !below.trim().is_empty() {
            sink.text();
        }
    }
}

/// Writes the equivalent `<tool>` block.
fn unify(call: Option<&str>, result: Option<&str>) -> Option<String> {
    let result = match result {
        Some(block) => Some(result_of(block)?),
        None => None,
    };
    let call = match call {
        Some(block) => block.strip_prefix(CALL)?.strip_suffix('`')?,
        None => result?.0,
    };
    Some(crate::dialect::tool_block::block_of(call, result.map(|(_, text)| text.trim())))
}

/// The start of the next line that is itself a call or result.
fn next_block(text: &str) -> Option<usize> {
    let breaks = text.match_indices(['\n', '\r']).map(|(at, _)| at + 1);
    breaks.into_iter().find(|at| {
        let line = text.get(*at..).or_never();
        let line = line.trim_start_matches([' ', '\t']);
        line.strip_prefix(CALL).is_some_and(|rest| call_len(rest).is_some()) || result_of(line).is_some()
    })
}

fn name_field(text: &str, start: usize) -> Field<'_> {
    let (name, at) = arguments::name_of(text);
    Field { text: name.into(), span: Span::new(start + at, start + at + name.len()) }
}

/// A call ends with the backtick that closes its code span, on the same line.
fn call_len(rest: &str) -> Option<usize> {
    let end = rest.find(['`', '\n', '\r'])?;
    (end > 0 && rest.get(end..)?.starts_with('`')).then_some(end + 1)
}

/// The name and the text of a result.
fn result_of(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.strip_prefix(RESULT)?.split_once('`')?;
    let result = rest.strip_prefix(RESULT_NAME_END)?;
    (!name.is_empty() && !name.contains(['\n', '\r'])).then_some((name, result))
}

fn is_result(_: Option<char>, behind: &str) -> bool {
    let name = behind.find(['`', '\n', '\r']).filter(|end| *end > 0);
    name.and_then(|end| behind.get(end + 1..)).is_some_and(|rest| rest.starts_with(RESULT_NAME_END))
}
