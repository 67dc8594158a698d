//! Lines of a log that are not one JSON object, and characters at which some readers split lines.
//!
//! A line is read with its segment; the diagnostics are shown in message logs only, because streams
//! and other logs have lines of text, and training sets have a rule of their own.

use serde::de::IgnoredAny;

use crate::diagnostic::{AtDocumentEnd, Code, SegmentDiagnostic};
use crate::json::error::is_cut_off;
use crate::text::Span;

/// The characters at which some readers split lines, and which JSON allows in strings.
pub const SEPARATORS: [char; 3] = ['\u{2028}', '\u{2029}', '\u{85}'];

/// The fault of a line that begins an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineFault {
    /// The line ends inside its object.
    CutOff,
    /// Another object begins at this byte.
    SecondRecord(usize),
    /// It is not JSON from this byte on.
    Invalid(usize),
}

impl LineFault {
    /// The fault of `line`, given without its line end; `None` if the line does not begin with an
    /// object, or is one object.
    pub fn of(line: &str) -> Option<Self> {
        let json = line.trim_start_matches(['\u{FEFF}', ' ', '\t']);
        let start = line.len() - json.len();
        json.starts_with('{').then_some(())?;
        let mut values = serde_json::Deserializer::from_str(json).into_iter::<IgnoredAny>();
        match values.next()? {
            Ok(_) => {
                let rest = json.get(values.byte_offset()..).unwrap_or_default();
                let fault = rest.trim_start_matches([' ', '\t', '\r']);
                let text = fault.trim_start();
                let at = |rest: &str| start + json.len() - rest.len();
                match text.starts_with('{') {
                    true => Some(Self::SecondRecord(at(text))),
                    false => (!fault.is_empty()).then(|| Self::Invalid(at(fault))),
                }
            }
            Err(error) if is_cut_off(json, &error) => Some(Self::CutOff),
            // serde_json's columns count bytes, from 1.
            Err(error) => Some(Self::Invalid(start + error.column().saturating_sub(1))),
        }
    }
}

/// The position of the first of the [`SEPARATORS`], in bytes.
pub fn first_separator(text: &str) -> Option<usize> {
    // Their first bytes: lines may have many megabytes, most of them in other characters.
    let mut starts = memchr::memchr2_iter(0xC2, 0xE2, text.as_bytes());
    starts.find(|at| text.get(*at..).is_some_and(|rest| rest.starts_with(SEPARATORS)))
}

/// True if `line`, which begins an object, has no fault.
pub(crate) fn is_valid_line(line: &str) -> bool {
    LineFault::of(line).is_none() && first_separator(line).is_none()
}

/// The diagnostics of `line`, which includes its line end if it has one.
pub(crate) fn check(line: &str) -> Vec<SegmentDiagnostic> {
    let text = line.trim_end_matches(['\n', '\r']);
    let mut found = Vec::new();
    let fault = LineFault::of(text);
    if let Some(fault) = fault {
        let (at, message, at_end) = match fault {
            LineFault::CutOff if text.len() == line.len() => (
                text.len(),
                "the last line ends in the middle of its record: if nothing writes it any more, `chatls repair` \
                 closes or removes it",
                AtDocumentEnd::Information,
            ),
            LineFault::CutOff => (
                text.len(),
                "this line ends in the middle of its record, so readers lose it or stop here: `chatls repair` \
                 joins it with the next lines, closes it or removes it",
                // The last line may be a record that is still being typed.
                AtDocumentEnd::Information,
            ),
            LineFault::SecondRecord(at) => (
                at,
                "another record begins on the same line, so readers lose both or stop here: `chatls repair` \
                 writes it on a line of its own",
                AtDocumentEnd::AsAnywhere,
            ),
            LineFault::Invalid(at) => (
                at,
                "the line is not JSON from here on, so readers lose it or stop here",
                AtDocumentEnd::AsAnywhere,
            ),
        };
        found.push(diagnostic(text, at, Code::BrokenLine, message, at_end));
    }
    // Outside of strings it is not JSON.
    if let Some(at) = first_separator(text).filter(|at| fault != Some(LineFault::Invalid(*at))) {
        let message = "readers that split lines at this character (`readline` of Node.js, `splitlines` of Python) \
                       lose the record: write it as an escape, which `chatls repair` does";
        found.push(diagnostic(text, at, Code::LineSeparator, message, AtDocumentEnd::AsAnywhere));
    }
    found
}

/// A diagnostic of the character at the byte `at` of `text`, or of the last one.
fn diagnostic(
    text: &str,
    at: usize,
    code: Code,
    message: &'static str,
    at_end: AtDocumentEnd,
) -> SegmentDiagnostic {
    let last = text.char_indices().next_back().map_or(0, |(last, _)| last);
    let start = text.floor_char_boundary(at).min(last);
    let len = text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    SegmentDiagnostic {
        code,
        span: Span::new(start, start + len),
        message: message.into(),
        at_end,
        related: Box::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_one_object_or_have_a_fault() {
        let check =
            |line: &str, expected: Option<LineFault>| assert_eq!(LineFault::of(line), expected, "{line}");
        check(r#"{"a": 1}"#, None);
        check("\u{FEFF}{} ", None);
        check("text", None);
        check(r#"{"a": "b"#, Some(LineFault::CutOff));
        for number in ["-", "1", "1.", "1e", "1E", "1e+", "1e-"] {
            check(&format!(r#"{{"a": {number}"#), Some(LineFault::CutOff));
        }
        check(r#"{"a": x-"#, Some(LineFault::Invalid(6)));
        check(r#"{"a": 1-"#, Some(LineFault::Invalid(7)));
        check(r#"{"a": 1} {"b": 2}"#, Some(LineFault::SecondRecord(9)));
        check("{\"a\": 1}\u{2028}{\"b\": 2}", Some(LineFault::SecondRecord(11)));
        check(r#" {"a": 1}]"#, Some(LineFault::Invalid(9)));
        for space in ["\u{a0}", "\u{3000}", "\u{85}", "\u{2028}"] {
            check(&format!("{{\"a\": 1}} {space}"), Some(LineFault::Invalid(9)));
        }
        check("{\"é\": \"a\tb\"}", Some(LineFault::Invalid(8)));
        check(&format!("{}1{}", r#"{"a":"#.repeat(1000), "}".repeat(1000)), None);
    }
}
