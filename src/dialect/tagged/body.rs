//! The lines of a form after its first one, as labelled parts with their fenced code blocks, and
//! the values in them.

use std::borrow::Cow;

use crate::call::CallData;
use crate::json::{self, Value};
use crate::never::OrNever;
use crate::syntax::{fence_language, label_of};

/// The maximum length of a name and of an id, in bytes.
pub const MOST_NAME: usize = 100;

/// A label with its text and code block; the label of the first part is empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct Part<'a> {
    /// The label.
    pub label: &'static str,
    /// The text after the label, up to the last code block.
    pub text: &'a str,
    /// The content of the last code block.
    pub fence: Option<&'a str>,
}

/// The parts of `text`; a line with one of `labels` begins a part, and so does a code block in one
/// of the languages `fences`.
pub fn parts_of<'a>(
    text: &'a str,
    labels: &'static [&'static str],
    fences: &'static [&'static str],
) -> Vec<Part<'a>> {
    let mut parts = vec![Part::default()];
    let (mut rest, mut start) = (text, text);
    while !rest.is_empty() {
        let (line, behind) = split_line(rest);
        let Some(part) = parts.last_mut() else { break };
        if let Some(fence) = Fence::of(line) {
            part.text = until(start, rest);
            let (content, below) = fence.content(behind);
            rest = below;
            match fences.iter().find(|language| **language == fence_language(line)) {
                Some(label) => {
                    parts.push(Part { label, text: "", fence: Some(content) });
                    start = rest;
                }
                // A code block that is a label takes no further code block.
                None if fences.contains(&part.label) => {
                    parts.push(Part { fence: Some(content), ..Part::default() });
                    start = rest;
                }
                None => part.fence = Some(content),
            }
            continue;
        }
        if let Some((label, behind)) = label_of(line, labels) {
            if part.fence.is_none() {
                part.text = until(start, rest);
            }
            start = text_from(behind, rest);
            parts.push(Part { label, ..Part::default() });
        }
        rest = behind;
    }
    if let Some(part) = parts.last_mut().filter(|part| part.fence.is_none()) {
        part.text = until(start, rest);
    }
    parts
}

/// The lines of `text` that are not empty, without their ends.
fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\r']).filter(|line| !line.is_empty())
}

/// The content of `text` if it is one code block of JSON, else `text`.
pub fn bare_json(text: &str) -> &str {
    let content = text.strip_prefix("```json").and_then(|rest| rest.strip_suffix("```"));
    content.filter(|content| !content.contains("```")).map_or(text, str::trim)
}

/// The text from the start of `piece` to the end of `text`, which contains it.
pub fn text_from<'a>(piece: &'a str, text: &'a str) -> &'a str {
    text.get(piece.as_ptr() as usize - text.as_ptr() as usize..).or_never()
}

/// The beginning of `text` up to `rest`, its end.
fn until<'a>(text: &'a str, rest: &str) -> &'a str {
    text.get(..text.len() - rest.len()).or_never().trim()
}

/// The opening of a fenced code block.
struct Fence {
    marker: char,
    length: usize,
}

impl Fence {
    fn of(line: &str) -> Option<Self> {
        let own = line.trim_start_matches(' ');
        let marker = own.chars().next().filter(|first| matches!(first, '`' | '~'))?;
        let info = own.trim_start_matches(marker);
        let length = own.len() - info.len();
        let is_inline = marker == '`' && info.contains('`');
        (line.len() - own.len() <= 3 && length >= 3 && !is_inline).then_some(Self { marker, length })
    }

    /// The content of the code block that begins with `text`, and the text after it.
    fn content<'a>(&self, text: &'a str) -> (&'a str, &'a str) {
        let mut rest = text;
        while !rest.is_empty() {
            let (line, behind) = split_line(rest);
            if self.ends_at(line) {
                let content = text.get(..text.len() - rest.len()).or_never();
                return (content.strip_suffix('\n').unwrap_or(content).trim_end_matches('\r'), behind);
            }
            rest = behind;
        }
        (text, "")
    }

    fn ends_at(&self, line: &str) -> bool {
        let own = line.trim_start_matches(' ');
        let behind = own.trim_start_matches(self.marker);
        line.len() - own.len() <= 3 && own.len() - behind.len() >= self.length && behind.trim().is_empty()
    }
}

/// The key and the value of a line `key: value`.
fn pair_of(line: &str) -> Option<(Cow<'_, str>, Cow<'_, str>)> {
    line.split_once(": ").map(|(key, value)| (key.trim_start().into(), value.into()))
}

/// The arguments in a list that begins with an item `* **key**: value`, or else in lines
/// `key: value`.
pub fn arguments_of(text: &str) -> Vec<(Cow<'_, str>, Cow<'_, str>)> {
    match item_of(split_line(text.trim_start()).0) {
        Some(_) => items_of(text),
        None => lines_of(text).filter_map(pair_of).collect(),
    }
}

/// The key and the value of an item `* **key**: value`.
fn item_of(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix(['*', '-'])?.trim_start().strip_prefix("**")?.split_once("**:")
}

/// The keys and values of such items: a value in a code span, `*true*`, or a code block below its
/// key, whose first line goose indents.
fn items_of(text: &str) -> Vec<(Cow<'_, str>, Cow<'_, str>)> {
    let mut items: Vec<(Cow<'_, str>, Cow<'_, str>)> = Vec::new();
    let mut code: Option<Vec<&str>> = None;
    let mut rest = text;
    while !rest.is_empty() {
        let (line, behind) = split_line(rest);
        rest = behind;
        let is_fence = line.trim_start().starts_with("```");
        if let Some(lines) = &mut code {
            if line.trim() != "```" {
                lines.push(line);
            } else if let Some((_, value)) = items.last_mut() {
                let lines = code.take().unwrap_or_default().join("\n");
                *value = lines.strip_prefix("    ").map(str::to_owned).unwrap_or(lines).into();
            }
        } else if let Some((key, value)) = item_of(line) {
            let value = value.trim();
            let inner = |mark| value.strip_prefix(mark).and_then(|value| value.strip_suffix(mark));
            items.push((key.into(), inner('`').or_else(|| inner('*')).unwrap_or(value).into()));
        } else if is_fence {
            code = Some(Vec::new());
        }
    }
    items
}

/// The arguments in `text`, if each line has one.
pub fn pairs_of(text: &str) -> Option<CallData<'_>> {
    lines_of(text)
        .map(pair_of)
        .collect::<Option<Vec<_>>>()
        .filter(|it| !it.is_empty())
        .map(CallData::Arguments)
}

/// The text that may be an input in JSON.
pub fn json_of<'a>(input: &Option<CallData<'a>>) -> &'a str {
    match input {
        Some(CallData::Text(Cow::Borrowed(text))) if text.starts_with('{') => text,
        _ => "",
    }
}

/// The object of JSON in an input that is a string of JSON, or an empty text: CrewAI encodes it
/// twice.
pub fn decoded_of(input: &Option<CallData<'_>>) -> String {
    let Some(CallData::Text(text)) = input else { return String::new() };
    let tape = json::parse(if text.starts_with("\"{") { text } else { "" });
    let value = tape.root(text).filter(|_| tape.errors.is_empty() && tape.extra(text).is_none());
    let object = value.and_then(Value::as_str).filter(|text| json::parse(text).errors.is_empty());
    object.map(Cow::into_owned).unwrap_or_default()
}

/// The texts above and below the first blank line of `text`.
pub fn blank_line_of(text: &str) -> Option<(&str, &str)> {
    let mut rest = text;
    while !rest.is_empty() {
        let (line, below) = split_line(rest);
        if line.trim().is_empty() {
            return Some((text.get(..text.len() - rest.len()).or_never().trim(), below.trim()));
        }
        rest = below;
    }
    None
}

/// The texts up to the summary of an element with details, and below it.
pub fn details_of(text: &str) -> (&str, &str) {
    text.split_once("</summary>").map_or((text, ""), |(summary, below)| (summary, below.trim()))
}

/// The lines of `text` without the frame around them.
pub fn unboxed(text: &str) -> String {
    let own = |line: &str| {
        let line = line.trim().trim_start_matches(['│', '⋮']).trim_end_matches('│').trim_end();
        line.strip_prefix(' ').unwrap_or(line).to_owned()
    };
    let lines = lines_of(text).filter(|line| !line.trim_start().starts_with('╰'));
    lines.map(own).collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned()
}

/// The first line of `text`, and the text after its end.
pub fn split_line(text: &str) -> (&str, &str) {
    let Some(end) = text.find(['\n', '\r']) else { return (text, "") };
    let (line, rest) = text.split_at(end);
    (line, rest.strip_prefix("\r\n").unwrap_or(rest.get(1..).or_never()))
}

/// True if `name` may be the name of a tool: up to five words, and no placeholder.
pub fn is_name(name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/' | ' ');
    !name.is_empty()
        && name.len() <= MOST_NAME
        && name.chars().all(is_part)
        && name.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        && name.split(' ').all(|word| !word.is_empty())
        && name.split(' ').count() <= 5
}

/// True if `id` may be the id of a call.
pub fn is_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= MOST_NAME && id.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The arguments of a call that ends with a parenthesis, or with a time limit or model after one.
pub fn wrapped(text: &str) -> Option<&str> {
    const ENDS: [&str; 4] = [") timeout: ", ") Haiku ", ") Sonnet ", ") Opus "];
    let mut ends = ENDS.iter().filter_map(|end| text.trim_end().rsplit_once(end));
    let cut = ends.find(|(_, rest)| !rest.contains(')')).map(|(arguments, _)| arguments);
    cut.or_else(|| text.trim_end().strip_suffix(')'))
}

/// The content of `text`, a string as Python shows it.
pub fn unquoted(text: &str) -> &str {
    let inner = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('\'').or_else(|| inner('"')).unwrap_or(text)
}

/// The lines of `text` without the strings `without` and the bold `name`, one below the other.
pub fn prose_of(text: &str, without: &[&str], name: &str) -> String {
    let name = format!("**{name}**");
    let own = |line: &str| {
        let line = without.iter().fold(line.replacen(&name, "", 1), |line, it| line.replace(it, ""));
        line.trim_matches([' ', '\t', '•']).to_owned()
    };
    let lines: Vec<_> = lines_of(text).map(own).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}
