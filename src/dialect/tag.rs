//! `tag`: `<tool>` … `</tool>` with HTML-escaped display text, and the older `<validation>`
//! (formats.md §3.3).

use std::borrow::Cow;

use crate::dialect::tool_block::{TOOL, block_of, escape, unescape};
use crate::never::OrNever;

use super::arguments;
use super::draft::{Display, Draft, OpenerBody, Start};
use super::interface::{BlockSource, Dialect, DialectWriter, ReadOutcome};
use crate::call::pairing::{Pairing, PairingOrder};
use crate::call::{
    Call, CallData, CallPart, CallSink, Field, ToolUse, UseData, UseOutcome, UseStatus, arguments_of_object,
};
use crate::config::Settings;
use crate::diagnostic::{AtDocumentEnd, CallDiagnostic, Code, Fix};
use crate::json::{self, MAX_FAULTS, Value};
use crate::syntax::{InlineRule, OpenerPlace, RegionEnd};
use crate::text::Span;

/// The dialect.
pub const DIALECT: Dialect = Dialect {
    name: "tag",
    form: "`<tool>read_file(path=a.py)` … `</tool>`",
    inline: INLINE,
    pairing: Pairing::EarlierCall { order: PairingOrder::NearestFirst, orphans_are_text: false },
    complete,
    unify: Some(unify),
    starts: &[Start { opener: TOOL.0, least: 3, body: OpenerBody::Display(NEW) }],
    draft,
    write_name: escape,
    writer: Some(DialectWriter { description: "a `<tool>` tag", write }),
    read,
    ..Dialect::BASE
};

const VALIDATION: (&str, &str) = ("<validation>", "</validation>");

const INLINE: &[InlineRule] = &[
    InlineRule {
        openers: &[TOOL.0],
        place: OpenerPlace::Anywhere,
        accept: &|_, _| true,
        end: RegionEnd::Closer { closer: TOOL.1, before: None, barred_by: &[TOOL.0] },
    },
    InlineRule {
        openers: &[VALIDATION.0],
        place: OpenerPlace::Anywhere,
        accept: &|_, _| true,
        end: RegionEnd::Closer { closer: VALIDATION.1, before: None, barred_by: &[TOOL.0, VALIDATION.0] },
    },
    InlineRule {
        openers: &[TOOL.1],
        place: OpenerPlace::Anywhere,
        accept: &|_, _| true,
        end: RegionEnd::Line(&|_| Some(0)),
    },
];

const NEW: Display =
    Display { call: Span { start: 0, end: 0 }, escape: escape_argument, closer: TOOL.1, before_result: "\n" };

fn read(source: &BlockSource<'_>, sink: &mut dyn CallSink) -> ReadOutcome {
    match source.rule {
        0 => read_tool(source, sink),
        1 => read_validation(source, sink),
        _ => {
            sink.diagnostic(report_stray(source.text));
            sink.text();
        }
    }
    ReadOutcome::Done
}

fn read_tool(source: &BlockSource<'_>, sink: &mut dyn CallSink) {
    let inner = inner_of(source, TOOL);
    let (call_line, result) = split_line(inner);
    // A name at the end of the text is still being typed.
    let is_written = source.closed || result.is_some() || call_line.contains('(');
    let name = is_written.then(|| name_field(call_line, TOOL.0.len()));
    let name = name.filter(|name| source.closed || !name.text.is_empty());
    let mut call = part_of(source, CallPart::Call, name);
    call.is_evidence |= source.closed && arguments::is_call(call_line);
    let arguments = arguments::of_call(call_line);
    if !arguments.is_empty() {
        call.input = arguments::input_of(arguments, unescape);
        call.arguments = Some(unescape(arguments));
        call.arguments_span = Some(source.span_of(arguments));
    }
    // "No line break inside the tag: pending. A line break, even with nothing after it: completed."
    if let (Some(result), true) = (result, source.closed) {
        call.part = CallPart::Both;
        call.status = UseStatus::Done;
        call.output = Some(CallData::Text(unescape(result)));
        call.output_span = Some(source.span_of(result));
    }
    sink.call(call);
    report_markup(source, inner, sink);
    report_unclosed(source, TOOL, sink);
}

/// The construct at `at`: the call on the first line of a tag, or a bare tool name.
fn draft(source: &BlockSource<'_>, at: usize, _: &str) -> Option<Draft> {
    let tag = [TOOL, VALIDATION].into_iter().nth(source.rule)?;
    let inner = inner_of(source, tag);
    // An unclosed tag extends to the end of the next tag in running text.
    let own = inner.split(TOOL.0).next().unwrap_or_default();
    let (line, _) = split_line(own);
    let span = Span::new(tag.0.len(), tag.0.len() + line.len());
    let closer = if source.closed && own.len() == inner.len() { "" } else { tag.1 };
    let draft = match source.rule {
        0 => Draft::Display(Display { call: span, escape: escape_argument, closer, before_result: "\n" }),
        _ => Draft::Name { span, closer: "" },
    };
    (span.start as usize <= at && at <= span.end as usize).then_some(draft)
}

/// Escapes an argument: "Line breaks as spaces", and markup as entities.
fn escape_argument(text: &str) -> Option<String> {
    Some(escape(&text.replace("\r\n", " ").replace(['\n', '\r'], " ")))
}

/// Adds a result: "A line break, even with nothing after it: completed."
fn complete(call: &Call<'_>, outcome: &UseOutcome) -> Vec<(Span, String)> {
    let Some(inner) = call.content.strip_suffix(TOOL.1) else { return Vec::new() };
    let result = format!("\n{}", escape(&escape_mentions(&outcome.to_text())));
    let start = inner.find(['\n', '\r']).unwrap_or(inner.len());
    vec![(Span::new(start, inner.len()), result)]
}

/// Moves a result from its own tag into the tag of its call.
fn unify(call: Option<&str>, result: Option<&str>) -> Option<String> {
    fn report_content<'b>(block: &'b str, tag: (&str, &str)) -> Option<&'b str> {
        block.strip_prefix(tag.0)?.strip_suffix(tag.1)
    }
    let (name, result) = split_line(report_content(result?, VALIDATION)?);
    let call = call.map_or(Some(name), |call| report_content(call, TOOL))?;
    Some(format!("{}{call}\n{}{}", TOOL.0, result.unwrap_or_default(), TOOL.1))
}

/// Writes a block with the display of the call and its result (formats.md §3.3), without
/// truncation.
fn write(tool_use: &ToolUse, _: &Settings) -> Option<String> {
    let name = tool_use.name.as_deref().filter(|name| !name.is_empty())?;
    let arguments = match (&tool_use.arguments, &tool_use.input) {
        (Some(shown), None) => shown.clone(),
        (Some(shown), Some(input)) if reads_as(shown, input) => shown.clone(),
        (_, Some(input)) => display(&input.to_json()),
        (None, None) => String::new(),
    };
    let call = format!("{name}({})", escape_mentions(&arguments));
    let result = tool_use.outcome().map(|outcome| escape_mentions(&outcome.to_text()));
    Some(block_of(&call, result.as_deref()))
}

/// True if the arguments `shown` read as `input`: values of elements may have lines, or a comma
/// before what looks like a key.
fn reads_as(shown: &str, input: &UseData) -> bool {
    let UseData::Arguments(arguments) = input else { return false };
    let read = arguments::split(shown, Cow::Borrowed);
    let is_same = |((key, value), known): (&(_, _), &(String, String))| *key == known.0 && *value == known.1;
    !shown.contains(['\n', '\r']) && read.len() == arguments.len() && read.iter().zip(arguments).all(is_same)
}

/// An input as displayed arguments, which read as the same input.
fn display(input: &str) -> String {
    let json = json::parse(input);
    let Some(root) = json.root(input) else { return String::new() };
    if !root.is_object() {
        return arguments_of_object(root, usize::MAX);
    }
    let shown = |(key, value): (Value<'_>, Value<'_>)| {
        let key = key.as_str().or_never();
        let bare = value.as_str().filter(|text| arguments::is_bare(text)).map(Cow::into_owned);
        format!("{key}={}", bare.unwrap_or_else(|| json::to_display(value, usize::MAX)))
    };
    root.entries().map(shown).collect::<Vec<_>>().join(", ")
}

/// "`@` is followed by U+200B so that it mentions nobody."
fn escape_mentions(text: &str) -> String {
    text.replace('@', "@\u{200B}")
}

fn read_validation(source: &BlockSource<'_>, sink: &mut dyn CallSink) {
    let inner = inner_of(source, VALIDATION);
    let (name, result) = split_line(inner);
    let is_written = source.closed || result.is_some();
    let name = is_written.then(|| name_field(name, VALIDATION.0.len()));
    let name = name.filter(|name| source.closed || !name.text.is_empty());
    let mut call = part_of(source, CallPart::Result, name);
    if source.closed {
        call.status = UseStatus::Done;
        call.output = Some(CallData::Text(unescape(result.unwrap_or_default())));
        call.output_span = result.map(|result| source.span_of(result));
    }
    sink.call(call);
    if source.closed {
        let message = "`<validation>` was replaced: write the result into its `<tool>` block";
        sink.diagnostic(CallDiagnostic::at_opening(
            Code::LegacyValidation,
            message,
            AtDocumentEnd::AsAnywhere,
        ));
    }
    report_markup(source, inner, sink);
    report_unclosed(source, VALIDATION, sink);
}

/// Reports markup: "`<` or a bare `&` inside a tag: readers stop there". Text in an unclosed tag
/// may not belong to it and is skipped.
fn report_markup(source: &BlockSource<'_>, inner: &str, sink: &mut dyn CallSink) {
    if !source.closed {
        return;
    }
    let start = source.span_of(inner).start as usize;
    let found = memchr::memchr2_iter(b'<', b'&', inner.as_bytes());
    let found = found.filter(|at| inner.get(*at..).is_some_and(|rest| !is_entity(rest)));
    for at in found.take(MAX_FAULTS) {
        let (mark, entity) = if inner.get(at..).is_some_and(|rest| rest.starts_with('<')) {
            ("<", "&lt;")
        } else {
            ("&", "&amp;")
        };
        let message = format!("`{mark}` inside a tag is parsed as markup: write `{entity}`");
        let span = Span::new(start + at, start + at + 1);
        let fix = Fix::replace(format!("Write `{entity}`"), span, entity).preferred().safe();
        sink.diagnostic(CallDiagnostic::new(Code::UnescapedMarkup, span, message).fix(fix));
    }
}

/// True if `text` begins with an HTML character reference: `&amp;`, `&#39;`, `&#x27;`.
fn is_entity(text: &str) -> bool {
    // The longest name has 31 characters.
    let Some(rest) = text.strip_prefix('&') else { return false };
    let name = rest.as_bytes().iter().take(32).position(|byte| *byte == b';').and_then(|end| rest.get(..end));
    let all =
        |digits: &str, is_one: fn(&u8) -> bool| !digits.is_empty() && digits.as_bytes().iter().all(is_one);
    name.is_some_and(|name| match name.strip_prefix('#') {
        Some(number) => match number.strip_prefix(['x', 'X']) {
            Some(digits) => all(digits, u8::is_ascii_hexdigit),
            None => all(number, u8::is_ascii_digit),
        },
        None => {
            name.starts_with(|first: char| first.is_ascii_alphabetic())
                && all(name, u8::is_ascii_alphanumeric)
        }
    })
}

/// Reports an unclosed tag. Its content is text, so anything is a valid beginning.
fn report_unclosed(source: &BlockSource<'_>, tag: (&str, &str), sink: &mut dyn CallSink) {
    if !source.closed {
        let message = format!("this `{}` is never closed: add `{}`", tag.0, tag.1);
        let end = Span::empty(source.text.trim_end().len());
        let fix = Fix::replace(format!("Insert `{}`", tag.1), end, tag.1).preferred();
        sink.diagnostic(
            CallDiagnostic::at_opening(Code::UnclosedTag, message, AtDocumentEnd::Information).fix(fix),
        );
    }
}

fn part_of<'a>(source: &BlockSource<'a>, part: CallPart, name: Option<Field<'a>>) -> Call<'a> {
    let mut call = Call::new(part, source.text);
    call.valid = source.closed;
    call.checks_tool = source.closed && part == CallPart::Call;
    call.is_evidence = source.closed && name.as_ref().is_some_and(|name| is_known(source, &name.text));
    call.name = name;
    call
}

/// True if the registry has the tool `name`.
fn is_known(source: &BlockSource<'_>, name: &str) -> bool {
    source.settings.registry.tools.contains_key(name)
}

fn inner_of<'a>(source: &BlockSource<'a>, tag: (&str, &str)) -> &'a str {
    let inner = source.text.strip_prefix(tag.0).or_never();
    if source.closed { inner.strip_suffix(tag.1).or_never_but(inner) } else { inner }
}

/// The first line, and the text after its line end, if it has one.
fn split_line(text: &str) -> (&str, Option<&str>) {
    match text.find(['\n', '\r']) {
        None => (text, None),
        Some(at) => {
            let (line, rest) = text.split_at(at);
            let rest = rest.strip_prefix("\r\n").or_else(|| rest.get(1..)).or_never();
            (line, Some(rest))
        }
    }
}

/// The name at the start of `text`, which begins at byte `start` of the block; an empty name is
/// placed at the block's tag.
fn name_field(text: &str, start: usize) -> Field<'_> {
    let (name, at) = arguments::name_of(text);
    let span =
        if name.is_empty() { Span::new(0, start) } else { Span::new(start + at, start + at + name.len()) };
    Field { text: unescape(name), span }
}

fn report_stray(closer: &str) -> CallDiagnostic {
    let message = "this `</tool>` has no opening tag: remove it, or write it in a code span if it is text";
    let span = Span::new(0, closer.len());
    CallDiagnostic::new(Code::StrayTag, span, message)
        .fix(Fix::replace("Remove the tag", span, "").preferred())
}
