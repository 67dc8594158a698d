//! The JSON of whole documents: comments are accepted, and also several values, which some programs
//! write one per line.

use std::ops::Range;

use serde::de::IgnoredAny;

use super::error::is_cut_off;
use super::lexer::{JsonTokenKind, Lexer};
use crate::never::OrNever;

/// The first place at which a document is not JSON.
#[derive(Debug, PartialEq, Eq)]
pub struct DocumentFault {
    /// Its byte.
    pub at: usize,
    /// The reason.
    pub reason: String,
}

/// The ranges of the values in `text`, each with the space and the comments before it.
///
/// # Errors
///
/// The first place at which `text` is not JSON.
pub fn values_of_document(text: &str) -> Result<Vec<Range<usize>>, DocumentFault> {
    let json = without_comments(text);
    let fault = |at: usize, reason: String| DocumentFault { at: text.floor_char_boundary(at), reason };
    let mut values = serde_json::Deserializer::from_str(&json).into_iter::<IgnoredAny>();
    let (mut found, mut start) = (Vec::new(), 0);
    while let Some(value) = values.next() {
        let rest = json.get(start..).or_never().trim_start();
        match value {
            _ if start > 0 && !rest.starts_with(['{', '[']) => {
                return Err(fault(json.len() - rest.len(), "the document goes on after its JSON".to_owned()));
            }
            Ok(_) => {
                found.push(start..values.byte_offset());
                start = values.byte_offset();
            }
            Err(error) if is_cut_off(rest.trim_end(), &error) => {
                let reason = "the document ends in the middle of its JSON".to_owned();
                return Err(fault(json.trim_end().len() - 1, reason));
            }
            Err(error) => {
                let line: usize = json.split_inclusive('\n').take(error.line() - 1).map(str::len).sum();
                let message = error.to_string();
                let words = message.split(" at line ").next().unwrap_or_default();
                let reason = format!("from here on, the document is not JSON ({words})");
                return Err(fault(line + error.column().saturating_sub(1), reason));
            }
        }
    }
    Ok(found)
}

/// `text` with spaces in place of its comments and its byte order mark.
fn without_comments(text: &str) -> String {
    let (mut json, mut end) = (String::with_capacity(text.len()), 0);
    let mut lexer = Lexer::new(text);
    loop {
        let token = lexer.next();
        let found = text.get(token.start..token.end).or_never();
        let is_mark = token.start == 0 && found == "\u{feff}";
        if is_mark || token.kind == JsonTokenKind::Comment && found.starts_with('/') {
            json.push_str(text.get(end..token.start).or_never());
            json.extend(found.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
            end = token.end;
        }
        if token.kind == JsonTokenKind::End {
            return json + text.get(end..).or_never();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_several_values_are_accepted() {
        let check = |text: &str, expected: &[&str]| {
            let found = values_of_document(text).expect("values");
            let found: Vec<_> = found.into_iter().filter_map(|range| text.get(range)).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("", &[]);
        check("\u{feff}{\"a\": 1}\n", &["\u{feff}{\"a\": 1}"]);
        check("// é\n{\"a\": /* b */ \"//\"} // c", &["// é\n{\"a\": /* b */ \"//\"}"]);
        check("{}\n// a\n[]\n/*\n*/", &["{}", "\n// a\n[]"]);
    }

    #[test]
    fn the_first_fault_is_found_behind_comments_and_values() {
        let check = |marked: &str, expected: &str| {
            let at = marked.find('¦').expect("a mark");
            let fault = values_of_document(&marked.replacen('¦', "", 1)).expect_err("a fault");
            assert_eq!(fault.at, at, "{marked}: {fault:?}");
            assert!(fault.reason.contains(expected), "{fault:?}");
        };
        check("// é\n{\"a\": [{} ¦{}]}", "expected `,` or `]`");
        check("{\"a\": 1}\n{\"a\": [1¦,", "ends in the middle");
        check("{\"a\": 1}\n{\"a\": 1,¦,}", "key must be a string");
        check("{\"a\": 1}\n¦a", "goes on");
        check("{\"a\": 1}\n¦1", "goes on");
        check("{\"a\": 1}\n¦/* a", "goes on");
        check("{\"a\": 1}\n¦# a", "goes on");
    }
}
