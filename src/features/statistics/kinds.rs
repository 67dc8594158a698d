//! Classifies failures: the kind of a failure is its message without variable parts.
//!
//! Quoted text, JSON, paths, ids and numbers are replaced by placeholders. Numbers that identify an
//! error are preserved: exit codes and HTTP statuses.

use serde_json::{Map, Value};

use crate::never::OrNever;
use crate::text::cut;

/// Maximum number of characters that are examined, and maximum length of a kind.
const LOOK: usize = 600;
const KIND: usize = 160;

const ANY: char = '…';
/// Words after which a number is a code.
const NAMES_OF_CODES: [&str; 7] = ["code", "status", "exit", "http", "error", "errno", "signal"];

/// Returns the kind of a failure with the message `text`, in one line; empty if there is no
/// message. For a JSON object, it is the kind of the message in it, or else the keys.
pub fn kind_of(text: &str) -> String {
    let object = text.trim_start().starts_with('{').then(|| serde_json::from_str(text).ok()).flatten();
    match object {
        Some(Value::Object(object)) => message_in(&object).map_or_else(|| keys_of(&object), kind_of_message),
        _ => kind_of_message(text),
    }
}

fn kind_of_message(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let line = cut(line, LOOK);
    let mut message = line.as_str();
    while let Some(rest) = message.strip_prefix("Error:").filter(|rest| !rest.trim().is_empty()) {
        message = rest.trim_start();
    }
    let message = without_quoted(message);
    let mut words: Vec<String> = Vec::new();
    let mut before = "";
    for word in message.split_whitespace() {
        words.push(general(word, before));
        before = word;
    }
    cut(&words.join(" "), KIND)
}

/// Finds the message in an object such as `{"error": {"message": "no"}}`.
fn message_in(object: &Map<String, Value>) -> Option<&str> {
    const KEYS: [&str; 6] = ["message", "error", "errorText", "errors", "detail", "reason"];
    KEYS.iter().find_map(|key| match object.get(*key)? {
        Value::String(text) if !text.trim().is_empty() => Some(text.as_str()),
        Value::Object(object) => message_in(object),
        Value::Array(values) => message_in(values.first()?.as_object()?),
        _ => None,
    })
}

fn keys_of(object: &Map<String, Value>) -> String {
    let keys: Vec<_> = object.keys().map(String::as_str).collect();
    cut(&format!("{{{}}}", keys.join(", ")), KIND)
}

/// Replaces the content of quotes and braces in `line` by placeholders.
fn without_quoted(line: &str) -> String {
    let mut replaced = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let behind = rest.get(first.len_utf8()..).or_never();
        let inside = match first {
            // An apostrophe is inside of a word or after it.
            '\'' | '"' | '`' | '“' | '‘' if !replaced.ends_with(char::is_alphanumeric) => {
                len_of_quoted(behind, closing(first)).map(|len| (len, closing(first)))
            }
            '{' => Some((len_of_braced(behind), '}')),
            _ => None,
        };
        replaced.push(first);
        rest = behind;
        if let Some((len, closer)) = inside {
            replaced.extend([ANY, closer]);
            let after = behind.get(len..).or_never();
            rest = after.strip_prefix(closer).unwrap_or(after);
        }
    }
    replaced
}

fn closing(quote: char) -> char {
    match quote {
        '“' => '”',
        '‘' => '’',
        other => other,
    }
}

/// Number of bytes of `text` up to the closing quote `closer`, which is not an apostrophe; `None`
/// if the quote is not closed.
fn len_of_quoted(text: &str, closer: char) -> Option<usize> {
    text.match_indices(closer).map(|(at, _)| at).find(|at| {
        let behind = text.get(at + closer.len_utf8()..).or_never();
        *at > 0 && !behind.starts_with(char::is_alphanumeric)
    })
}

/// Number of bytes of `text`, the text after an opening brace, up to the closing brace; all of it
/// if there is none.
fn len_of_braced(text: &str) -> usize {
    let mut depth = 1;
    for (at, brace) in text.match_indices(['{', '}']) {
        depth = if brace == "{" { depth + 1 } else { depth - 1 };
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// Generalizes `word`, which follows `before`, to its placeholder.
fn general(word: &str, before: &str) -> String {
    let core = word.trim_start_matches(['(', '[', '<', '"', '\'']);
    let head = word.len() - core.len();
    let core = core.trim_end_matches([')', ']', '>', '"', '\'', '.', ',', ';', ':', '!', '?', ANY]);
    let (head, tail) = (word.get(..head), word.get(head + core.len()..));
    let shown = match core {
        _ if is_path(core) || is_id(core) => ANY.to_string(),
        _ if core.starts_with("0x") => "#".to_owned(),
        _ if core.trim_start_matches(['-', '+', '~', '$']).starts_with(|it: char| it.is_ascii_digit()) => {
            if is_code(core, before) {
                core.to_owned()
            } else {
                without_digits(core)
            }
        }
        _ => match core.split_once(':') {
            // The position in a file.
            Some((name, place)) if place.starts_with(|it: char| it.is_ascii_digit()) => {
                format!("{name}:{}", without_digits(place))
            }
            _ => core.to_owned(),
        },
    };
    [head.unwrap_or_default(), &shown, tail.unwrap_or_default()].concat()
}

/// True if `word` is a path or URL: `/a/b`, `./a`, `~/a`, `C:\a`, `https://a`, `src/a.rs`; not
/// `and/or`.
fn is_path(word: &str) -> bool {
    let last = word.rsplit('/').next().unwrap_or_default();
    let has_extension = last
        .rsplit_once('.')
        .is_some_and(|(_, extension)| extension.starts_with(|it: char| it.is_ascii_alphabetic()));
    let slashes = word.matches('/').count();
    word.contains('\\')
        || word.contains("://")
        || word.len() > 1 && ["/", "./", "../", "~/"].iter().any(|start| word.starts_with(start))
        || slashes > 1
        || slashes == 1 && has_extension
}

/// True if `word` is an id, such as `toolu_01A09q90qw90lq917835lq9`, a UUID or a hash.
fn is_id(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let is_plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let is_hash = word.len() >= 7 && digits > 0 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_plain && letters > 0 && (is_hash || word.len() >= 12 && digits >= 3)
}

/// True if a number identifies an error.
fn is_code(number: &str, before: &str) -> bool {
    let is_http = number.len() == 3 && number.parse().is_ok_and(|number: u16| (400..600).contains(&number));
    let before = before.trim_matches(|it: char| !it.is_alphanumeric());
    is_http || NAMES_OF_CODES.iter().any(|name| name.eq_ignore_ascii_case(before))
}

/// Replaces each number in `word` by `#`: `30.5s` becomes `#s`.
fn without_digits(word: &str) -> String {
    let mut replaced = String::new();
    let mut characters = word.chars().peekable();
    while let Some(character) = characters.next() {
        if !character.is_ascii_digit() {
            replaced.push(character);
            continue;
        }
        replaced.push('#');
        while characters.next_if(|next| next.is_ascii_digit() || matches!(next, '.' | ',')).is_some() {}
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(kind_of(text), expected, "of {text}");
    }

    #[test]
    fn variable_parts_become_placeholders() {
        check(
            "ENOENT: no such file or directory, open '/a/b c.txt'",
            "ENOENT: no such file or directory, open '…'",
        );
        check("no such file: src/main.rs", "no such file: …");
        check("cannot read C:\\x\\y.txt (line 12)", "cannot read … (line #)");
        check("fetch https://a.b/c?d=1 failed", "fetch … failed");
        check("Timed out after 30001 ms", "Timed out after # ms");
        check("Timed out after 30.5s", "Timed out after #s");
        check("main.rs:12:5: expected `;`", "main.rs:#:#: expected `…`");
        check("request 7b0e5a1c-9f7e-4c55-8a36-1de1ce7a1b4d is gone", "request … is gone");
        check("bad commit e83c516", "bad commit …");
        check("at 0x7ffdeadbeef", "at #");
        check("Text: {\"query\":{\"a\":1}} and {\"b\"", "Text: {…} and {…}");
        check("unknown tool “a b” or ‘c’", "unknown tool “…” or ‘…’");
    }

    #[test]
    fn codes_and_words_are_preserved() {
        check("exit code: 127", "exit code: 127");
        check("exited with status -1.", "exited with status -1.");
        check("MCP error -32602: Input/output failed", "MCP error -32602: Input/output failed");
        check("404 Not Found", "404 Not Found");
        check("HTTP/1.1 is not spoken", "HTTP/1.1 is not spoken");
        check("don't know the users' sha256 of 'x'", "don't know the users' sha256 of '…'");
        check("it is 'open", "it is 'open");
        check("no text/html and/or utf-8", "no text/html and/or utf-8");
    }

    #[test]
    fn json_is_classified_by_its_message() {
        check(r#"{"code":1,"error":{"message":"Error: no 'x'"}}"#, "no '…'");
        check(" {\"errors\":[{\"detail\":\"a\\nb\"}]}\n", "a");
        check(r#"{"code":404,"ok":false}"#, "{code, ok}");
        check(r#"{"error":1}"#, "{error}");
        check(r#"{"error":"#, "{…}");
    }

    #[test]
    fn kinds_are_one_short_line() {
        check("\n  Error: Error: boom\n  at x.js:1\n", "boom");
        check("Error:", "Error:");
        check(" \n", "");
        check("a \t  b\u{a0}c", "a b c");
        assert_eq!(kind_of(&"é ".repeat(100_000)).chars().count(), KIND);
        check("''", "''");
        check("{}", "{}");
    }
}
