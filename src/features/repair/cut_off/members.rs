//! The members that a cut-off line needs so that its agent reads it.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Closing;
use crate::document::Document;
use crate::fixes::uuid_after;
use crate::json::{self, JsonTape, Value, quote};
use crate::messages::exchange::inner_message;

/// Maximum number of lines before a line that show which members lines have.
const MOST_LINES: usize = 64;

/// The members that lines of Claude Code have in common.
const OF_SESSION: &[&str] = &[
    "timestamp",
    "sessionId",
    "isSidechain",
    "agentId",
    "userType",
    "entrypoint",
    "cwd",
    "version",
    "gitBranch",
];

/// The text that closes a line, with the members that would have followed; `None` if the result
/// would not be a complete record.
pub(super) fn completed(document: &Document, line: &Range<usize>, closing: &Closing) -> Option<String> {
    let text = format!("{}{}", document.text().slice(line.start..line.start + closing.kept), closing.end);
    let tape = json::parse(&text);
    let record = tape.root(&text)?;
    let inner = record.get("payload").unwrap_or_else(|| inner_message(record));
    let last = record.get("messages").map(|messages| messages.items().last());
    if closing.closes_inner || inner.span() == record.span() {
        is_said(last.unwrap_or(Some(inner))?).then_some(())?;
    }
    let lines = lines_before(document, line.start);
    let earlier: Vec<_> = lines.iter().filter_map(|(text, tape)| tape.root(text)).collect();
    let (of_inner, of_record) = match record.get("parentUuid") {
        Some(parent) => (
            lost_of_message(&earlier, inner, closing),
            lost_of_line(&earlier, record, parent, next_parent(document, line.end)),
        ),
        None => (Some(String::new()), has_members(&earlier, record, inner).then(String::new)),
    };
    let (of_inner, of_record) = (of_inner?, of_record?);
    let rest = closing.end.strip_suffix('}')?;
    Some(match rest.strip_suffix('}').filter(|_| closing.closes_inner) {
        Some(rest) => format!("{rest}{of_inner}}}{of_record}}}"),
        None => format!("{rest}{of_record}}}"),
    })
}

/// The JSON of the parent of the line after the offset `end`.
fn next_parent(document: &Document, end: usize) -> Option<String> {
    let text = document.text();
    let next = text.line_of_byte(end) + 1;
    let line = (next < text.line_count()).then(|| text.slice(text.line_content(next)))?;
    let tape = json::parse(&line);
    Some(tape.root(&line)?.get("parentUuid")?.raw().to_owned())
}

/// The lines before the byte `start`, as JSON, the last one first.
fn lines_before(document: &Document, start: usize) -> Vec<(String, JsonTape)> {
    let text = document.text();
    let lines = (0..text.line_of_byte(start)).rev().take(MOST_LINES);
    let parsed = |line: usize| {
        let line = text.slice(text.line_content(line)).into_owned();
        let tape = json::parse(&line);
        (line, tape)
    };
    lines.map(parsed).collect()
}

/// True if `record`, with the message `inner`, has all members that the lines of its kind have
/// in common.
fn has_members(earlier: &[Value<'_>], record: Value<'_>, inner: Value<'_>) -> bool {
    let is_message =
        inner.span() == record.span() && (record.get("role").is_some() || record.get("messages").is_some());
    let same: Vec<_> = earlier.iter().copied().filter(|it| kind(*it) == kind(record)).collect();
    if same.is_empty() {
        return is_message || record.get("payload").is_some() && record.get("timestamp").is_some();
    }
    has_all(record, &same) && {
        let messages: Vec<_> = same.iter().map(|it| inner_of(*it)).collect();
        has_all(inner, &messages)
    }
}

/// The members that follow the message in lines of Claude Code, as far as `record` lacks them.
fn lost_of_line(
    earlier: &[Value<'_>],
    record: Value<'_>,
    parent: Value<'_>,
    next: Option<String>,
) -> Option<String> {
    let role = record.get("message")?.get("role")?;
    let before = earlier.iter().copied().find(|it| it.get("parentUuid").is_some());
    let mut lost = String::new();
    let mut add = |key: &str, value: &str| {
        if record.get(key).is_none() {
            lost.push_str(&format!(",\"{key}\":{value}"));
        }
    };
    add("type", role.raw());
    // The next line may be linked to this one.
    let is_known = |uuid: &str| earlier.iter().any(|it| it.get("uuid").is_some_and(|it| it.raw() == uuid));
    let own = next.filter(|uuid| uuid.starts_with('"') && !is_known(uuid));
    add("uuid", &own.unwrap_or_else(|| quote(&uuid_after(parent.raw()))));
    let known = |key: &str| record.get(key).or_else(|| before?.get(key));
    known("timestamp")?;
    OF_SESSION.iter().filter_map(|key| Some((key, known(key)?))).for_each(|(key, it)| add(key, it.raw()));
    Some(lost)
}

/// The members that follow the content of a Claude Code message, as far as `message` lacks
/// them; their values are empty.
fn lost_of_message(earlier: &[Value<'_>], message: Value<'_>, closing: &Closing) -> Option<String> {
    let is_same = |it: &Value<'_>| kind(*it) == kind(message) && it.get("content").is_some();
    let before = earlier.iter().copied().map(inner_of).find(is_same);
    let Some(before) = before.filter(|_| closing.closes_inner) else { return Some(String::new()) };
    let mut lost = String::new();
    for (key, value) in before.entries() {
        let key = key.as_str()?;
        if message.get(&key).is_some() {
            continue;
        }
        let value = match &*key {
            "usage" => "{\"input_tokens\":0,\"output_tokens\":0}",
            _ if value.is_null() || key.starts_with("stop_") => "null",
            _ => return None,
        };
        lost.push_str(&format!(",{}:{value}", quote(&key)));
    }
    Some(lost)
}

fn inner_of(record: Value<'_>) -> Value<'_> {
    record.get("payload").unwrap_or_else(|| inner_message(record))
}

/// The types and roles that a record and its message show.
fn kind(record: Value<'_>) -> Vec<Option<String>> {
    let shown = |it: Value<'_>, key: &str| it.get(key).and_then(Value::as_str).map(String::from);
    let inner = inner_of(record);
    vec![shown(record, "type"), shown(inner, "type"), shown(inner, "role")]
}

/// True if `record` has the members that all of `others` have.
fn has_all(record: Value<'_>, others: &[Value<'_>]) -> bool {
    let key = |(key, _): (Value<'_>, Value<'_>)| Some(key.as_str()?.into_owned());
    let mut all = others.iter().map(|it| it.entries().filter_map(key).collect::<BTreeSet<_>>());
    let common = all.next().unwrap_or_default();
    let common = all.fold(common, |common, it| &common & &it);
    common.iter().all(|key| record.get(key).is_some())
}

/// True if the message or item has content, and the last part of it is whole.
fn is_said(inner: Value<'_>) -> bool {
    let text =
        |it: Value<'_>, key: &str| it.get(key).is_some_and(|text| text.is_text() && !text.is_blank_text());
    let is_whole = |part: Value<'_>| match part.get("type").and_then(Value::as_str).as_deref() {
        Some("text" | "input_text" | "output_text") => text(part, "text"),
        Some("tool_use") => {
            text(part, "id") && text(part, "name") && part.get("input").is_some_and(Value::is_object)
        }
        Some("tool_result") => part.get("content").is_some() && text(part, "tool_use_id"),
        Some("thinking") => part.get("thinking").is_some() && text(part, "signature"),
        Some("image") => part.get("source").is_some(),
        _ => false,
    };
    let has = |key: &str| {
        text(inner, key) || inner.get(key).is_some_and(|it| it.items().last().is_some_and(is_whole))
    };
    let calls = || inner.get("tool_calls").is_some_and(|calls| calls.items().next().is_some());
    let kind = inner.get("type").and_then(Value::as_str);
    match kind.as_deref() {
        Some(kind) if kind.ends_with("_call_output") => text(inner, "call_id") && has("output"),
        Some(kind) if kind.ends_with("_call") => false,
        _ => match inner.get("role").and_then(Value::as_str).as_deref() {
            Some("tool") => text(inner, "tool_call_id") && has("content"),
            Some("assistant") => has("content") || calls(),
            Some(_) => has("content"),
            None => false,
        },
    }
}
