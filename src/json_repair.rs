//! Quick fixes for `invalid-json`, the JSON errors in a payload.
//!
//! An error carries the data of its fix besides its span, so that an edit only touches the error.
//! Fixes are tested on a copy of the document before they are offered, so they may be wrong here.

pub mod brackets;
pub mod members;
pub mod payload;
pub mod strings;

use crate::diagnostic::{AtDocumentEnd, CallDiagnostic, Code, Fix};
use crate::json::error::{JsonError, JsonErrorKind, NumberError};
use crate::json::non_json::is_quote;
use crate::json::parse;
use crate::json_repair::payload::ParsedPayload;
use crate::never::OrNever;
use crate::text::Span;

pub(super) use crate::json_repair::brackets::completion;

/// Edits of the block's content.
pub(super) type ContentEdits = Vec<(Span, String)>;

/// The fixes of `fault` in `payload`, best first.
pub(super) fn json_fixes(fault: &JsonError, payload: &ParsedPayload<'_>) -> Vec<Fix> {
    let mut fixes = JsonRepair { payload, body: payload.body(), error: fault }.fixes();
    for (span, _) in fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
        *span = span.shifted(payload.start);
    }
    fixes
}

/// One fix that applies the best fix of each error to `text`, a JSON file. `None` if some error has
/// no preferred fix, or if fixes overlap.
pub(crate) fn json_file_fixes(text: &str) -> Option<Fix> {
    let json = &parse(text);
    let payload = ParsedPayload { text, start: 0, json, closed: true, closer: "", growing: false };
    let best = |fault: &JsonError| json_fixes(fault, &payload).into_iter().find(|fix| fix.is_preferred);
    let found: Vec<Fix> = json.errors.iter().map(best).collect::<Option<_>>()?;
    let title = match found.as_slice() {
        [] => return None,
        [one] => one.title.clone(),
        _ => format!("Fix {} JSON errors", found.len()),
    };
    let is_safe = found.iter().all(|fix| fix.is_safe);
    let mut edits: ContentEdits = found.into_iter().flat_map(|fix| fix.edits).collect();
    edits.sort_by_key(|(span, _)| (span.start, span.end));
    let apart = edits.windows(2).all(|two| matches!(two, [one, next] if one.0.end <= next.0.start));
    apart.then_some(Fix { is_safe, ..Fix::new(title, edits).preferred() })
}

/// An error and its payload; spans are bytes of the payload's text.
struct JsonRepair<'p> {
    payload: &'p ParsedPayload<'p>,
    body: &'p str,
    error: &'p JsonError,
}

impl JsonRepair<'_> {
    fn fixes(&self) -> Vec<Fix> {
        let span = self.error.span;
        let found = span.of(self.body);
        match self.error.kind {
            JsonErrorKind::TrailingComma | JsonErrorKind::ExtraComma => {
                vec![Fix::replace("Remove the comma", span, "").preferred().safe()]
            }
            JsonErrorKind::MissingComma(_) => vec![self.missing_comma()],
            JsonErrorKind::MissingColon => vec![self.missing_colon()],
            JsonErrorKind::WrongColon => {
                vec![Fix::replace("Write a colon", span, ":").preferred().safe()]
            }
            JsonErrorKind::WrongComma => vec![self.semicolon()],
            JsonErrorKind::MissingValue => self.missing_value(),
            JsonErrorKind::UnquotedKey => {
                let span = self.with_closing_quote(|behind| behind.starts_with(':'));
                let fix = Fix::replace("Quote the key", span, quoted(found)).preferred();
                // Several words may be prose, and so may one after a block that was not closed.
                let is_word = !found.contains(|c: char| !c.is_alphanumeric() && !"_-.$".contains(c));
                vec![if is_word && self.payload.closed { fix.safe() } else { fix }]
            }
            // Text without quotes may be part of something else.
            JsonErrorKind::UnquotedValue => {
                let ends =
                    |behind: &str| behind.is_empty() || behind.starts_with([',', ']', '}', '\n', '\r']);
                let span = self.with_closing_quote(ends);
                vec![Fix::replace("Quote the text", span, quoted(found)).preferred()]
            }
            JsonErrorKind::ForeignWord(json) => {
                let fix = Fix::replace(format!("Write `{json}`"), span, json).preferred();
                // `undefined` and `NaN` carry a little more information than `null`.
                let same = found.eq_ignore_ascii_case(json) || matches!(found, "None" | "nil");
                vec![if same { fix.safe() } else { fix }]
            }
            JsonErrorKind::BadNumber(fault) => number(fault, span, found),
            JsonErrorKind::Comment => vec![self.comment()],
            JsonErrorKind::BadSpace => vec![self.space()],
            // Brackets and punctuation; text that could be a value is kept.
            JsonErrorKind::Unexpected(_)
                if !found.contains(|c: char| c.is_alphanumeric() || matches!(c, '"' | ':')) =>
            {
                vec![Fix::replace(format!("Remove {}", quoted_excerpt(found)), span, "")]
            }
            JsonErrorKind::NotJson => self.preamble().into_iter().collect(),
            JsonErrorKind::SingleQuotes | JsonErrorKind::SmartQuotes => self.quotes().into_iter().collect(),
            JsonErrorKind::RawControl => {
                let escaped: String = found.chars().map(strings::control).collect();
                let title = if escaped == "\\t" { "Write `\\t`" } else { "Escape the control characters" };
                vec![Fix::replace(title, span, escaped).preferred().safe()]
            }
            JsonErrorKind::BadEscape => vec![self.bad_escape()],
            JsonErrorKind::UnescapedQuote => self.inner_quotes(),
            JsonErrorKind::UnclosedString => self.unclosed(),
            JsonErrorKind::UnclosedBracket { before } => vec![self.unclosed_bracket(before as usize)],
            JsonErrorKind::WrongClose(expected) => {
                let title = format!("Write `{expected}`");
                vec![Fix::replace(title, span, expected.to_string()).preferred()]
            }
            JsonErrorKind::SurplusClose => vec![self.surplus_close()],
            JsonErrorKind::MissingOpen => vec![self.missing_open()],
            JsonErrorKind::EndedTooSoon(part) => self.ended_too_soon(part).into_iter().collect(),
            JsonErrorKind::Unexpected(_) => self.torn_string().into_iter().collect(),
            JsonErrorKind::MissingKey | JsonErrorKind::UnclosedComment => Vec::new(),
        }
    }

    /// The span of the error, and of a quote behind it if only the opening quote is missing: if
    /// `is_end` accepts the text behind the quote.
    fn with_closing_quote(&self, is_end: impl Fn(&str) -> bool) -> Span {
        let span = self.error.span;
        let behind = self.body.get(span.end as usize..).or_never().strip_prefix('"');
        let is_closed = behind.is_some_and(|behind| is_end(behind.trim_start_matches([' ', '\t'])));
        Span { end: span.end + u32::from(is_closed), ..span }
    }

    /// The empty span after the value or key before the error, even if a comment follows it.
    fn behind_value(&self) -> Span {
        Span::empty(self.end_before(self.error.span.start as usize))
    }

    /// The end of the text before `at`, except white space and comments.
    fn end_before(&self, at: usize) -> usize {
        let mut end = at;
        loop {
            end = self.body.get(..end).or_never().trim_end_matches(BLANK).len();
            let comments =
                self.payload.json.errors.iter().filter(|fault| fault.kind == JsonErrorKind::Comment);
            match comments.map(|comment| comment.span).find(|span| span.end as usize == end) {
                Some(comment) if !comment.is_empty() => end = comment.start as usize,
                _ => return end,
            }
        }
    }

    /// A comma, or the removal of a second quote at the end of a value: `"a"",`, `1"]`.
    fn missing_comma(&self) -> Fix {
        let is_end = |string: &str| {
            let inner = string.split('"').next().or_never();
            !inner.is_empty() && inner.chars().all(|c| BLANK.contains(&c) || matches!(c, ',' | ']' | '}'))
        };
        let value = self.body.get(..self.behind_value().start as usize).or_never();
        // A word without quotes may lack its opening quote.
        let is_whole = value.ends_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | ']' | '}'));
        match self.without_quote(is_end).filter(|_| is_whole) {
            Some(fix) => fix.preferred().safe(),
            None => self.insertion("Insert the comma", ","),
        }
    }

    /// A colon; or the removal of a second quote at the end of a key (`"a"":`); or the missing
    /// quote (`"a: "b"`).
    fn missing_colon(&self) -> Fix {
        let is_end = |string: &str| string.trim_start_matches(BLANK).starts_with(':');
        let key = self.body.get(..self.behind_value().start as usize).or_never().strip_suffix('"');
        if let Some(fix) = self.without_quote(is_end).filter(|_| key.is_some()) {
            return fix.preferred().safe();
        }
        let text = key.map(|key| key.trim_end_matches(BLANK)).filter(|key| key.ends_with(':'));
        match text {
            Some(text) => Fix::replace("Close the key", Span::empty(text.len() - 1), "\"").preferred(),
            None => self.insertion("Insert the colon", ":"),
        }
    }

    /// Inserts `mark` after the value or key before the error. It is only a guess before a closing
    /// bracket, and between a quote and a word: there a quote may be missing or surplus.
    fn insertion(&self, title: &str, mark: &str) -> Fix {
        let place = self.behind_value();
        let (before, behind) = self.body.split_at_checked(place.start as usize).or_never();
        let is_torn = (before.ends_with(is_quote) && behind.starts_with(char::is_alphabetic))
            || (before.ends_with(char::is_alphabetic) && behind.starts_with('"'));
        let is_last = self.error.span.of(self.body).starts_with(['}', ']']);
        let fix = Fix::replace(title, place, mark).preferred();
        if is_torn || is_last { fix } else { fix.safe() }
    }

    /// Removes the quote after the value or key before the error, if `is_end` accepts the string
    /// that it begins.
    fn without_quote(&self, is_end: impl Fn(&str) -> bool) -> Option<Fix> {
        let at = self.behind_value().start as usize;
        let string = self.body.get(at..)?.strip_prefix('"')?;
        is_end(string).then(|| Fix::replace("Remove the quote", Span::new(at, at + 1), ""))
    }

    /// A `;` before a closing bracket is redundant. Otherwise it becomes a comma, and the next key
    /// gets its quotes: its error only appears once the comma exists.
    fn semicolon(&self) -> Fix {
        let span = self.error.span;
        let behind = self.body.get(span.end as usize..).or_never().trim_start_matches(BLANK);
        let mut fix = match behind.starts_with(['}', ']']) {
            true => Fix::replace("Remove the semicolon", span, ""),
            false => Fix::replace("Write a comma", span, ","),
        };
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let rest = behind.trim_start_matches(is_word);
        let key = behind.get(..behind.len() - rest.len()).or_never();
        if !key.is_empty() && rest.trim_start().starts_with([':', '=']) {
            let start = self.body.len() - behind.len();
            fix.edits.push((Span::new(start, start + key.len()), quoted(key)));
        }
        fix.preferred().safe()
    }

    fn missing_value(&self) -> Vec<Fix> {
        let span = self.error.span;
        let before = Span::empty(span.start as usize);
        match span.of(self.body) {
            // The next member's key.
            found if found.starts_with('"') => {
                vec![Fix::replace("Write `null` as the value", self.behind_value(), " null,")]
            }
            _ => vec![Fix::replace("Write `null` as the value", before, "null")],
        }
    }

    fn comment(&self) -> Fix {
        let Span { start, end } = self.error.span;
        let (start, end) = (start as usize, end as usize);
        let before = self.body.get(..start).or_never().trim_end_matches([' ', '\t']);
        let behind = self.body.get(end..).or_never().trim_start_matches([' ', '\t']);
        let is_last = behind.is_empty() || behind.starts_with(['\n', '\r']);
        let start = match line_break_before(before) {
            // The only text on its line: a blank line would end a marker.
            Some(line_break) if is_last => line_break,
            _ if is_last => before.len(),
            _ => start,
        };
        Fix::replace("Remove the comment", Span::new(start, end), "").preferred()
    }

    /// Invisible characters are removed, others become a space.
    fn space(&self) -> Fix {
        let span = self.error.span;
        let is_seen = span.of(self.body).contains(char::is_whitespace);
        let fix = match is_seen {
            true => Fix::replace("Write a space", span, " "),
            false => Fix::replace("Remove the invisible character", span, ""),
        };
        fix.preferred().safe()
    }

    fn preamble(&self) -> Option<Fix> {
        let root = self.payload.root()?.span();
        let before = Span { start: self.error.span.start, end: root.start };
        (before.start < before.end).then(|| Fix::replace("Remove the text before the object", before, ""))
    }
}

const BLANK: [char; 4] = [' ', '\t', '\n', '\r'];

/// The start of the line break at the end of `text`.
fn line_break_before(text: &str) -> Option<usize> {
    let rest = text.strip_suffix("\r\n").or_else(|| text.strip_suffix(['\n', '\r']))?;
    Some(rest.len())
}

fn number(fault: NumberError, span: Span, found: &str) -> Vec<Fix> {
    let (sign, digits) = match found.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", found.strip_prefix('+').unwrap_or(found)),
    };
    let mended = match fault {
        NumberError::NoInteger => Some(format!("{sign}0{digits}")),
        NumberError::NoFraction => Some(format!("{sign}{}", digits.replacen('.', ".0", 1))),
        NumberError::Plus => Some(digits.to_owned()),
        NumberError::Separator => Some(format!("{sign}{}", digits.replace('_', ""))),
        NumberError::Radix => decimal(digits).map(|number| format!("{sign}{number}")),
        NumberError::LeadingZero => {
            let bare = digits.trim_start_matches('0');
            let zero = if bare.starts_with(|c: char| c.is_ascii_digit()) { "" } else { "0" };
            let plain = format!("{sign}{zero}{bare}");
            // It may also be a code with leading zeros, or an octal number.
            return vec![
                Fix::replace("Remove the leading zeros", span, plain),
                Fix::replace("Quote the number", span, quoted(found)),
            ];
        }
        NumberError::NoDigits | NumberError::NoExponent => None,
    };
    mended
        .map(|number| Fix::replace(format!("Write `{number}`"), span, number).preferred().safe())
        .into_iter()
        .collect()
}

/// The value of `0x1F`, `0o17` or `0b11`.
fn decimal(digits: &str) -> Option<u128> {
    let lower = digits.to_ascii_lowercase().replace('_', "");
    let (radix, digits) = [("0x", 16), ("0o", 8), ("0b", 2)]
        .into_iter()
        .find_map(|(prefix, radix)| Some((radix, lower.strip_prefix(prefix)?)))?;
    u128::from_str_radix(digits, radix).ok()
}

/// `text` as a JSON string; existing escapes are kept.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => match characters.next() {
                Some(escaped @ ('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't')) => {
                    out.extend(['\\', escaped])
                }
                Some(other) => out.extend(['\\', '\\', other]),
                None => out.push_str("\\\\"),
            },
            '\u{0}'..='\u{1f}' => out.push_str(&strings::control(character)),
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

/// `text` in backticks, cut, for a title.
pub(super) fn quoted_excerpt(text: &str) -> String {
    let line = text.split(['\n', '\r']).next().unwrap_or_default();
    format!("`{}`", crate::text::cut(line, 20))
}

/// The JSON errors of `payload`.
pub fn check_json(payload: &ParsedPayload<'_>) -> Vec<CallDiagnostic> {
    let mut diagnostics = Vec::new();
    push_json_errors(payload, &mut diagnostics);
    diagnostics
}

/// Adds all errors except the premature end of an unclosed block, which is reported for the block.
pub(crate) fn push_json_errors(payload: &ParsedPayload<'_>, diagnostics: &mut Vec<CallDiagnostic>) {
    for fault in payload.json.errors.iter().filter(|fault| payload.closed || !is_end(fault)) {
        let span = fault.span.shifted(payload.start);
        let at_end = if payload.growing && is_end(fault) {
            AtDocumentEnd::Suppressed
        } else {
            AtDocumentEnd::AsAnywhere
        };
        let diagnostic =
            CallDiagnostic::new(Code::InvalidJson, span, fault.message(payload.body())).at_end(at_end);
        diagnostics.push(diagnostic.fixes(json_fixes(fault, payload)));
    }
}

pub(crate) fn is_end(fault: &JsonError) -> bool {
    fault.kind.is_end()
}
