//! The syntactic context of a position in an incomplete `chatls.toml`: a key, a value, or the
//! header of a table.

use std::ops::Range;

use crate::never::OrNever;

/// The context of a position. Ranges cover the text typed so far.
#[derive(Debug)]
pub(super) enum ConfigCompletionContext<'t> {
    /// The header of a table, with its brackets.
    Header { range: Range<usize> },
    /// A key of the table at a path.
    Key {
        table: Vec<&'t str>,
        range: Range<usize>,
        /// The keys of the table on other lines.
        set: Vec<&'t str>,
        /// True if it is the first text on its line.
        is_line_start: bool,
    },
    /// The value of the key at a path.
    Value {
        path: Vec<&'t str>,
        range: Range<usize>,
        /// True if it is an item of a list.
        in_list: bool,
    },
}

/// Maximum number of lines of a value that are scanned.
const MOST_LINES: usize = 500;

/// The context at the byte `at` of `text`; `None` in comments.
pub(super) fn context_at(text: &str, at: usize) -> Option<ConfigCompletionContext<'_>> {
    let start = line_start(text, at);
    let line = text.get(start..at)?;
    let indent = line.len() - line.trim_start().len();
    let assignment = assignment_before(text, at);
    if assignment.is_none() && line.trim_start().starts_with('[') {
        let closed = text.get(at..)?.bytes().take_while(|byte| *byte == b']').count();
        return (!line.contains(']'))
            .then_some(ConfigCompletionContext::Header { range: start + indent..at + closed });
    }
    let header = header_before(text, start);
    match assignment {
        Some((key, value)) => {
            let path = header.into_iter().chain(segments(key)).collect();
            context_in_value(text, path, value..at)
        }
        None if line.contains('#') => None,
        None => {
            let table = header;
            let set = keys_around(text, start, at);
            Some(context_of_key(text, table, start + indent..at, set, true))
        }
    }
}

/// The word at the byte `at`.
pub(super) fn word_at(text: &str, at: usize) -> Option<Range<usize>> {
    let before = text.get(..at)?.bytes().rev().take_while(|byte| is_word(*byte)).count();
    let behind = text.get(at..)?.bytes().take_while(|byte| is_word(*byte)).count();
    (before + behind > 0).then_some(at - before..at + behind)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
}

/// The segments of `a.b."c"`.
fn segments(key: &str) -> impl Iterator<Item = &str> {
    key.split('.').map(|name| name.trim().trim_matches(['"', '\'']))
}

/// The key that `line` sets, and the start of its value.
fn assignment(line: &str) -> Option<(&str, usize)> {
    let (key, _) = line.split_once('=')?;
    let is_key = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '"' | '\'' | ' ' | '\t');
    (!key.trim().is_empty() && key.chars().all(is_key)).then_some((key.trim(), key.len() + 1))
}

/// The key whose value contains the byte `at`, and the start of that value.
fn assignment_before(text: &str, at: usize) -> Option<(&str, usize)> {
    let this_line = line_start(text, at);
    let mut start = this_line;
    if let Some((key, value)) = assignment(text.get(start..at)?) {
        return Some((key, start + value));
    }
    for _ in 0..MOST_LINES {
        let end = start.checked_sub(1)?;
        start = line_start(text, end);
        let line = text.get(start..end)?;
        if let Some((key, value)) = assignment(line) {
            let value = start + value;
            return (!scan(text.get(value..this_line)?).open.is_empty()).then_some((key, value));
        }
        if line.trim_start().starts_with('[') {
            return None;
        }
    }
    None
}

/// The segments of the last header that begins before `start`.
fn header_before(text: &str, start: usize) -> Vec<&str> {
    let header = |line: &&str| line.trim_start().starts_with('[') && line.contains(']');
    let found = text.get(..start).and_then(|before| before.lines().rev().find(header));
    let name = found.map(|line| line.trim().trim_start_matches('['));
    name.and_then(|name| name.split(']').next()).map(|name| segments(name).collect()).unwrap_or_default()
}

/// The keys on the other lines of the table that contains the line at `start`.
fn keys_around(text: &str, start: usize, at: usize) -> Vec<&str> {
    let is_header = |line: &str| line.trim_start().starts_with('[');
    let before = text.get(..start).into_iter().flat_map(str::lines).rev().take_while(|line| !is_header(line));
    let behind = text.get(at..).into_iter().flat_map(str::lines).skip(1).take_while(|line| !is_header(line));
    before.chain(behind).filter_map(|line| assignment(line).map(|(key, _)| key)).collect()
}

fn context_of_key<'t>(
    text: &'t str,
    mut table: Vec<&'t str>,
    written: Range<usize>,
    set: Vec<&'t str>,
    is_line_start: bool,
) -> ConfigCompletionContext<'t> {
    let key = text.get(written.clone()).or_never();
    let (tables, start) = match key.rsplit_once('.') {
        Some((tables, _)) => (Some(tables), written.start + tables.len() + 1),
        None => (None, written.start),
    };
    let last = text.get(start..written.end).or_never();
    let start = start + last.len() - last.trim_start_matches([' ', '\t', '"', '\'']).len();
    table.extend(tables.into_iter().flat_map(segments));
    let is_line_start = is_line_start && tables.is_none();
    ConfigCompletionContext::Key { table, range: start..written.end, set, is_line_start }
}

/// The context at the end of `value`, which begins after the `=` of the key at `path`.
fn context_in_value<'t>(
    text: &'t str,
    mut path: Vec<&'t str>,
    value: Range<usize>,
) -> Option<ConfigCompletionContext<'t>> {
    let written = text.get(value.clone())?;
    let ValueScan { open, string, item, is_after_value, is_comment } = scan(written);
    if is_comment || is_after_value {
        return None;
    }
    if open.last() == Some(&'{') {
        let inner = written.get(item..)?;
        let blank = inner.len() - inner.trim_start().len();
        match assignment(inner) {
            Some((key, _)) => path.extend(segments(key)),
            None => {
                let range = value.start + item + blank..value.end;
                return Some(context_of_key(text, path, range, Vec::new(), false));
            }
        }
    }
    let word = written.bytes().rev().take_while(|byte| is_word(*byte)).count();
    let start = value.start + string.unwrap_or(written.len() - word);
    // Editors insert closing quotes automatically.
    let behind = text.get(value.end..)?;
    let closed = string.is_some() && behind.starts_with(['"', '\'']);
    Some(ConfigCompletionContext::Value {
        path,
        range: start..value.end + usize::from(closed),
        in_list: open.contains(&'['),
    })
}

/// The open constructs at the end of a value.
struct ValueScan {
    /// The brackets, outermost first.
    open: Vec<char>,
    /// The start of an open string, with its quote.
    string: Option<usize>,
    /// The start of the last item in the innermost bracket.
    item: usize,
    /// True after the end of a string, a list or a table, before the next comma.
    is_after_value: bool,
    is_comment: bool,
}

fn scan(value: &str) -> ValueScan {
    let mut found =
        ValueScan { open: Vec::new(), string: None, item: 0, is_after_value: false, is_comment: false };
    let mut quote = None;
    for (at, c) in value.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open || c == '\n' => {
                (quote, found.string) = (None, None);
                found.is_after_value = c == open;
            }
            (Some(_), _) => {}
            (None, '\n') => found.is_comment = false,
            (None, _) if found.is_comment => {}
            (None, '#') => found.is_comment = true,
            (None, '"' | '\'') => {
                (quote, found.string) = (Some(c), Some(at));
                found.is_after_value = false;
            }
            (None, '[' | '{') => {
                found.open.push(c);
                (found.item, found.is_after_value) = (at + 1, false);
            }
            (None, ']' | '}') => {
                found.open.pop();
                found.is_after_value = true;
            }
            (None, ',') => (found.item, found.is_after_value) = (at + 1, false),
            (None, _) => {}
        }
    }
    found
}
