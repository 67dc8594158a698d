//! Fixes of strings that are invalid in JSON; only quotes and escapes are changed.

use crate::diagnostic::Fix;
use crate::json::string::content;
use crate::json::{JsonKind, JsonNode};
use crate::json_repair::{BLANK, ContentEdits, JsonRepair};
use crate::never::OrNever;
use crate::text::Span;

/// The maximum number of lines of a string that should be one line.
const MOST_LINES: usize = 200;

impl JsonRepair<'_> {
    /// Replaces the quotes around a string, and escapes those inside. A single character is only
    /// the closing quote.
    pub(super) fn quotes(&self) -> Option<Fix> {
        let span = self.error.span;
        let found = span.of(self.body);
        let mut characters = found.char_indices();
        let (_, open) = characters.next()?;
        let at = |from: usize, to: usize| Span::new(from, to).shifted(span.start as usize);
        let edits = match characters.next_back() {
            None => vec![(span, "\"".to_owned())],
            Some((close, _)) => {
                let mut edits = vec![(at(0, open.len_utf8()), "\"".to_owned())];
                let inner = found.get(open.len_utf8()..close).never_none()?;
                if ends_inside(inner) {
                    // Its opening quote belongs to a double quote in it.
                    return Some(Fix::new("Write double quotes", edits).preferred());
                }
                edits.extend(inner_quotes(inner, at(open.len_utf8(), close).start as usize, open == '\''));
                edits.push((at(close, found.len()), "\"".to_owned()));
                edits
            }
        };
        Some(Fix::new("Write double quotes", edits).preferred().safe())
    }

    pub(super) fn bad_escape(&self) -> Fix {
        let span = self.error.span;
        let backslash = Span::new(span.start as usize, span.start as usize + 1);
        if span.of(self.body) == "\\'" {
            return Fix::replace("Remove the backslash", backslash, "").preferred().safe();
        }
        // Its meaning in a lenient reader is unknown: `\x41` may be an `A`.
        Fix::replace("Escape the backslash", backslash, "\\\\").preferred()
    }

    /// Escapes every quote inside the string that contains the error's quote. If that quote may
    /// begin another key or value, closes the string before it instead.
    pub(super) fn inner_quotes(&self) -> Vec<Fix> {
        let Some(node) = self.string_at(self.error.span) else { return Vec::new() };
        let inner = content(self.body, node);
        let escaped = inner_quotes(inner.of(self.body), inner.start as usize, false).collect();
        let escape = Fix::new("Escape the quotes inside", escaped);
        let is_key = matches!(node.kind, JsonKind::Key { .. });
        let quote = self.error.span;
        let before = Span { end: quote.start, ..inner }.of(self.body).trim_end();
        let text = match is_key {
            true => before.trim_end_matches(['{', '[', ' ', '\t']).strip_suffix(':'),
            false => before.strip_suffix(',').filter(|_| self.begins_key(quote.end as usize)),
        };
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            // An unclosed key reports the quote of the next key, so it is only a guess that this
            // belongs to it.
            return vec![if is_key { escape } else { escape.preferred() }];
        };
        let title = if is_key { "Close the key" } else { "Close the string" };
        let place = Span::empty(inner.start as usize + text.len());
        vec![Fix::replace(title, place, "\"").preferred(), escape]
    }

    /// Closes the string before the error. The string lacks its closing quote, so it ends at the
    /// opening quote of the next key: `"a, "b": 1`.
    pub(super) fn torn_string(&self) -> Option<Fix> {
        let end = self.behind_value().start as usize;
        let text = self.body.get(..end)?.strip_suffix('"')?.trim_end().strip_suffix(',')?;
        let fix = || Fix::replace("Close the string", Span::empty(text.len()), "\"").preferred();
        self.begins_key(end).then(fix)
    }

    /// True if the text from `start` on, the byte after a quote, ends with a quote and a colon.
    fn begins_key(&self, start: usize) -> bool {
        let behind = self.body.get(start..).or_never().split_once('"');
        behind.is_some_and(|(key, behind)| !key.contains('\n') && behind.trim_start().starts_with(':'))
    }

    /// The string or key on the tape that contains `span`.
    fn string_at(&self, span: Span) -> Option<JsonNode> {
        let holds = |node: &&JsonNode| node.span.start < span.start && span.end < node.span.end;
        let is_string =
            |node: &&JsonNode| matches!(node.kind, JsonKind::String { .. } | JsonKind::Key { .. });
        self.payload.json.nodes.iter().filter(is_string).find(holds).copied()
    }

    /// Closes the string: by a quote at the expected position, or, if the following lines up to a
    /// quote continue its text, by escaping their line breaks.
    pub(super) fn unclosed(&self) -> Vec<Fix> {
        let span = self.error.span;
        let found = span.of(self.body);
        let Some(open) = found.chars().next() else { return Vec::new() };
        let mut edits = Vec::new();
        if open != '"' {
            let start = span.start as usize;
            edits.push((Span::new(start, start + open.len_utf8()), "\"".to_owned()));
        }
        let behind = self.body.get(span.end as usize..).or_never().trim_start();
        // A quote that a colon follows ends a key.
        let inner = self.body.get(span.start as usize + open.len_utf8()..).or_never();
        let ends_key = inner.trim_start().starts_with(':');
        let mut fixes = Vec::new();
        for close in ["\"", "\","] {
            // If another string follows, a comma may be missing too.
            if close == "\"" || behind.starts_with('"') {
                let mut edits = edits.clone();
                edits.push((Span::empty(span.end as usize), close.to_owned()));
                let fix = Fix::new("Close the string", edits);
                fixes.push(if ends_key { fix } else { fix.preferred() });
            }
        }
        if open == '"' {
            let joined = self.joined_lines();
            fixes.extend(joined.map(|edits| Fix::new("Write the line breaks as `\\n`", edits).preferred()));
        }
        fixes
    }

    /// Escapes the line breaks of a string on several lines, and the quotes in it. White space
    /// after a line break is replaced with it, and so are container prefixes in between.
    fn joined_lines(&self) -> Option<ContentEdits> {
        let start = self.error.span.start as usize + 1;
        let text = self.body.get(start..).never_none()?;
        let (mut edits, mut at) = (ContentEdits::new(), 0);
        for number in 0..MOST_LINES {
            let rest = text.get(at..).never_none()?;
            let line = rest.split(['\n', '\r']).next()?;
            let from = if number == 0 { line.len() } else { 0 };
            let close = closing_quote(line, from);
            let inner = line.get(..close.unwrap_or(line.len())).never_none()?;
            let first = if number == 0 { 0 } else { inner.chars().next().map_or(0, char::len_utf8) };
            edits.extend(inner_quotes(inner.get(first..).never_none()?, start + at + first, false));
            if close.is_some() {
                return Some(edits);
            }
            let line_end = at + line.len();
            let behind = text.get(line_end..).never_none()?;
            let next = behind.trim_start_matches(['\n', '\r']);
            let breaks = behind.get(..behind.len() - next.len()).never_none()?;
            let first = next.chars().next()?;
            at = line_end + breaks.len();
            let replaced = match first {
                '"' if closing_quote(next.split(['\n', '\r']).next()?, 0) == Some(0) => String::from("\""),
                '"' => String::from("\\\""),
                '\\' => return None,
                first => String::from(first),
            };
            let escaped = "\\n".repeat(breaks.replace("\r\n", "\n").len());
            let span = Span::new(start + line_end, start + at + first.len_utf8());
            edits.push((span, escaped + &replaced));
        }
        None
    }
}

/// The position in `line`, at or after `from`, of a `"` followed by text that may follow a value.
fn closing_quote(line: &str, from: usize) -> Option<usize> {
    let ends = |at: usize| {
        let rest = line.get(at + 1..).or_never().trim_start_matches([' ', '\t']);
        rest.is_empty() || rest.starts_with([',', '}', ']'])
    };
    memchr::memchr_iter(b'"', line.as_bytes())
        .filter(|at| *at >= from && !is_escaped(line, *at))
        .find(|at| ends(*at))
}

/// True if a quote in `inner` seems to end the string: one of an odd number, with the structure of
/// JSON behind it.
fn ends_inside(inner: &str) -> bool {
    let quotes = || memchr::memchr_iter(b'"', inner.as_bytes()).filter(|at| !is_escaped(inner, *at));
    let is_end = |at: usize| {
        let behind = inner.get(at + 1..).or_never().trim_start_matches(BLANK);
        behind.starts_with([',', ':', '}', ']'])
    };
    quotes().count() % 2 == 1 && quotes().any(is_end)
}

/// Inserts a `\` before each unescaped quote in `inner`. In a string that had single quotes,
/// removes the `\` before them.
fn inner_quotes(inner: &str, start: usize, single: bool) -> impl Iterator<Item = (Span, String)> {
    memchr::memchr2_iter(b'"', b'\'', inner.as_bytes()).filter_map(move |at| {
        let is_double = inner.as_bytes().get(at) == Some(&b'"');
        match (is_double, is_escaped(inner, at)) {
            (true, false) => Some((Span::empty(start + at), "\\".to_owned())),
            (false, true) if single => Some((Span::new(start + at - 1, start + at), String::new())),
            _ => None,
        }
    })
}

/// True if an odd number of `\` precedes the byte at `at`.
fn is_escaped(text: &str, at: usize) -> bool {
    let before = text.as_bytes().get(..at).or_never();
    before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// A control character as a JSON escape.
pub(super) fn control(character: char) -> String {
    match character {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        '\u{8}' => "\\b".to_owned(),
        '\u{c}' => "\\f".to_owned(),
        other => format!("\\u{:04x}", u32::from(other)),
    }
}
