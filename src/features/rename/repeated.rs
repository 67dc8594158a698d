//! Further places of a tool's name, outside of the blocks' own names: in JSON beside the calls, and
//! in the opening line of a call of Lisp.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use crate::call::CallData;
use crate::call::pairing::Pairing;
use crate::document::{Document, Language};
use crate::json::{self, JsonKind, Value, quote};
use crate::never::OrNever;
use crate::places::name_occurrences::NameOccurrence;
use crate::text::DocumentEdit;

/// Keys that hold the name of a tool in every object.
const NAMES: [&str; 3] = ["toolName", "tool_name", "toolId"];
/// Keys that hold the name of a tool beside one of the keys of [`CALLS`].
const NAMES_OF_CALLS: [&str; 3] = ["name", "function", "tool"];
/// The keys of calls and results.
const CALLS: [&str; 10] = [
    "arguments",
    "args",
    "input",
    "parameters",
    "params",
    "tool_call_id",
    "toolCallId",
    "tool_use_id",
    "callId",
    "call_id",
];
/// The member of a request that may require one tool; the name in it has no arguments beside it.
const CHOICES: [&str; 2] = ["tool_choice", "toolChoice"];

/// The ranges of the name `old` besides `mentions`, in document order; strings of JSON with their
/// quotes. Names in inputs and outputs are not included.
pub(super) fn repeated_names(
    document: &Document,
    mentions: &[NameOccurrence<'_>],
    old: &str,
) -> Vec<Range<usize>> {
    let known: HashSet<usize> = mentions.iter().map(|mention| mention.written.start).collect();
    let mut found: BTreeSet<(usize, usize)> = BTreeSet::new();
    for range in json_ranges(document, mentions, old) {
        let text = document.json_slice(range.clone());
        let names =
            names_in(&text, old).into_iter().map(|name| range.start + name.start..range.start + name.end);
        let names: Vec<_> = names.filter(|name| !known.contains(&name.start)).collect();
        if !names.is_empty() {
            let data = data_in(document, &range);
            let is_data = |name: &Range<usize>| {
                let before = data.get(..data.partition_point(|data| data.start <= name.start)).or_never();
                before.last().is_some_and(|data| name.end <= data.end)
            };
            found.extend(names.iter().filter(|name| !is_data(name)).map(|name| (name.start, name.end)));
        }
    }
    let heads = mentions.iter().filter_map(|mention| name_in_head(document, mention));
    found.extend(heads.map(|head| (head.start, head.end)));
    found.into_iter().map(|(start, end)| start..end).collect()
}

/// The lines or documents of JSON in which the string `old` may be a name.
fn json_ranges(document: &Document, mentions: &[NameOccurrence<'_>], old: &str) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut add = |at: usize| {
        if ranges.last().is_none_or(|last| last.end <= at) {
            ranges.push(document.json_range(at));
        }
    };
    match document.language() {
        Language::Log | Language::Json => {
            let text = document.text().slice(0..document.text().len());
            memchr::memmem::find_iter(text.as_bytes(), quote(old).as_bytes()).for_each(add);
        }
        Language::Markdown => {
            let of_log = |mention: &&NameOccurrence<'_>| mention.at.block.pairing == Pairing::InConversation;
            mentions.iter().filter(of_log).for_each(|mention| add(mention.written.start));
        }
        Language::Org => {}
    }
    ranges
}

/// The strings `old` of `text` that are names of tools by their keys.
fn names_in(text: &str, old: &str) -> Vec<Range<usize>> {
    let json = json::parse_prefix(text);
    let (mut open, mut names): (Vec<(Value<'_>, bool)>, _) = (Vec::new(), Vec::new());
    let mut is_in_choice = false;
    let mut nodes = json.root(text).into_iter().flat_map(Value::nodes).peekable();
    while let Some(value) = nodes.next() {
        while open.pop_if(|(last, _)| last.span().end <= value.span().start).is_some() {}
        let is_inner = open.last().is_some_and(|(_, is_choice)| *is_choice);
        match value.kind() {
            JsonKind::Object | JsonKind::Array => open.push((value, is_inner || is_in_choice)),
            JsonKind::Key { .. } => {
                let key = value.as_str().unwrap_or_default();
                is_in_choice = CHOICES.contains(&&*key);
                let object = open.last().map(|(object, _)| *object);
                let of_call = || CALLS.iter().any(|known| object.is_some_and(|it| it.get(known).is_some()));
                let is_name =
                    NAMES.contains(&&*key) || NAMES_OF_CALLS.contains(&&*key) && (is_inner || of_call());
                let named = nodes.peek().filter(|it| is_name && it.as_str().is_some_and(|name| name == old));
                names.extend(named.map(|named| named.span().range()));
            }
            _ => {}
        }
    }
    names
}

/// The inputs and outputs of the calls in `range`, in order and without overlaps.
fn data_in(document: &Document, range: &Range<usize>) -> Vec<Range<usize>> {
    let mut data = Vec::new();
    document.all_call_positions_at(range, &|| true, &mut |position| {
        if let Some(CallData::Json(input)) = position.call.input {
            data.push(position.range_of(position.call.input_span(input.span())));
        }
        if let (Some(CallData::Json(output)), Some(payload)) = (&position.call.output, position.call.payload)
        {
            data.push(position.range_of(output.span().shifted(payload.start)));
        }
    });
    data.sort_by_key(|data| (data.start, data.end));
    data.dedup_by(|next, last| next.end <= last.end);
    data
}

/// The name in the opening line of a call of Lisp: `(NAME :key "value")` above `(:name "NAME"`.
fn name_in_head(document: &Document, mention: &NameOccurrence<'_>) -> Option<Range<usize>> {
    let line = document.text().line_of_byte(mention.written.start).checked_sub(1)?;
    let is_printed = document.text().slice(document.text().line_content(line + 1)).contains("(:name ");
    let head = document.text().line_content(line);
    let text = document.text().slice(head.clone());
    let start = text.find(&format!("({}", mention.text)).filter(|_| is_printed)? + 1;
    let behind = text.get(start + mention.text.len()..).or_never();
    let start = head.start + start;
    behind.starts_with([' ', ')']).then_some(start..start + mention.text.len())
}

/// The line, from 0, in which the text of `blocks` has `old` besides the `edits`.
pub(super) fn line_of_other(
    document: &Document,
    blocks: Vec<Range<usize>>,
    edits: &[DocumentEdit],
    old: &str,
) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let in_block = |block: Range<usize>| {
        let text = document.text().slice(block.clone());
        text.match_indices(old).map(|(at, _)| at).find_map(|at| {
            let (before, behind) = (text.get(..at)?, text.get(at + old.len()..)?);
            let is_whole = !before.ends_with(is_word) && !behind.starts_with(is_word);
            let at = block.start + at;
            let is_edited = edits.iter().any(|(range, _)| range.start <= at && at < range.end);
            (is_whole && !is_edited).then(|| document.text().line_of_byte(at))
        })
    };
    blocks.into_iter().find_map(in_block)
}
