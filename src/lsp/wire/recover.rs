//! The usable parts of a body that does not parse: texts cut within a character, the id of a
//! request, and the messages swallowed by a length that was too large.

use std::borrow::Cow;

use memchr::{memchr_iter, memchr2_iter, memmem};
use serde::Deserialize;
use serde_json::value::RawValue;
use tower_lsp::jsonrpc::Id;

/// `body` with U+FFFD for every escaped lone surrogate, which JavaScript writes for a string cut
/// within a character; `None` if there is none. Both count one in UTF-16, so positions stay valid.
pub fn lone_surrogates(body: &[u8]) -> Option<Vec<u8>> {
    let mut mended = Cow::Borrowed(body);
    let mut next = 0;
    for at in memchr_iter(b'\\', body) {
        if at < next {
            continue;
        }
        next = at
            + match (surrogate(body, at), surrogate(body, at + 6)) {
                (Some(SurrogateEscape::High), Some(SurrogateEscape::Low)) => 12,
                (Some(_), _) => {
                    if let Some(digits) = mended.to_mut().get_mut(at + 2..at + 6) {
                        digits.copy_from_slice(b"fffd");
                    }
                    6
                }
                (None, _) => 2,
            };
    }
    match mended {
        Cow::Borrowed(_) => None,
        Cow::Owned(mended) => Some(mended),
    }
}

/// The id of the request in `body`, if that is JSON except for its values: nested too deeply, or
/// with a number that is too large.
pub fn request_id(body: &[u8]) -> Option<Id> {
    #[derive(Deserialize)]
    struct MessageEnvelope<'a> {
        id: Id,
        #[serde(borrow, rename = "method")]
        _method: &'a RawValue,
        #[serde(borrow, rename = "params")]
        _params: Option<&'a RawValue>,
    }
    serde_json::from_slice(body).ok().map(|envelope: MessageEnvelope<'_>| envelope.id)
}

/// True if an edit is lost with `body`: then the client's text differs from the server's.
pub fn is_change(body: &[u8]) -> bool {
    memmem::find(body, b"\"textDocument/didChange\"").is_some()
}

/// The start in `body`, which is not a message, of the header of another message, or of a part of
/// such a header. Text contains none: in JSON its line end would be escaped.
pub fn swallowed_header(body: &[u8]) -> Option<usize> {
    memchr2_iter(b'c', b'C', body).find(|at| is_header(body.get(*at..).unwrap_or_default()))
}

enum SurrogateEscape {
    High,
    Low,
}

/// The surrogate whose escape begins at `at`.
fn surrogate(body: &[u8], at: usize) -> Option<SurrogateEscape> {
    let escape = body.get(at..at + 6)?;
    let [b'\\', b'u', b'd' | b'D', second, third, fourth] = escape else { return None };
    if !(third.is_ascii_hexdigit() && fourth.is_ascii_hexdigit()) {
        return None;
    }
    match second {
        b'8' | b'9' | b'a' | b'A' | b'b' | b'B' => Some(SurrogateEscape::High),
        b'c'..=b'f' | b'C'..=b'F' => Some(SurrogateEscape::Low),
        _ => None,
    }
}

/// True if `bytes` begin with a line `Content-Length: N`, or with the beginning of one.
fn is_header(bytes: &[u8]) -> bool {
    const NAME: &[u8] = b"content-length:";
    let (name, rest) = bytes.split_at(bytes.len().min(NAME.len()));
    if !name.eq_ignore_ascii_case(NAME.get(..name.len()).unwrap_or_default()) {
        return false;
    }
    let value = rest.trim_ascii_start();
    let end = value.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(value.len());
    match value.split_at(end) {
        (_, [] | [b'\r'] | [b'\n', ..] | [b'\r', b'\n', ..]) => true,
        (_, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surrogates_that_stand_alone_are_replaced() {
        for (body, expected) in [
            (r#""a""#, None),
            (r#""\ud83d\ude00""#, None),
            (r#""\\ud83d""#, None),
            (r#""\ud83d""#, Some(r#""\ufffd""#)),
            (r#""\uDE00""#, Some(r#""\ufffd""#)),
            (r#""\\\ud83dx\ud83D\ude00""#, Some(r#""\\\ufffdx\ud83D\ude00""#)),
            (r#""\ud83d\ud83d\ude00\ude00""#, Some(r#""\ufffd\ud83d\ude00\ufffd""#)),
            (r#""\ud83d\n\u00e9""#, Some(r#""\ufffd\n\u00e9""#)),
            (r#""\ud8"#, None),
        ] {
            let mended = lone_surrogates(body.as_bytes());
            assert_eq!(mended.as_deref(), expected.map(str::as_bytes), "{body}");
        }
    }

    #[test]
    fn a_header_is_found_in_a_body() {
        for (body, expected) in [
            ("{}", None),
            ("{}Content-Length: 2\r\n\r\n{", Some(2)),
            ("{}content-length:2\n\n{", Some(2)),
            (r#"{"text": "Content-Length: 2"}C"#, Some(29)),
            (r#"{"text": "Content-Length: 2\r\n"}"#, None),
            ("{}Conte", Some(2)),
            ("{}Content-Length: 1", Some(2)),
            ("{}Content-Length: 17\r", Some(2)),
            ("{}Content-Type: 1", None),
        ] {
            assert_eq!(swallowed_header(body.as_bytes()), expected, "{body}");
        }
    }

    #[test]
    fn an_id_is_read_where_the_params_cannot_be() {
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        for (body, expected) in [
            (format!(r#"{{"id":5,"method":"m","params":{deep}}}"#), Some(Id::Number(5))),
            (format!(r#"{{"method":"m","params":{deep},"id":"a"}}"#), Some(Id::String("a".to_owned()))),
            (r#"{"id":5,"method":"m","params":1e999}"#.to_owned(), Some(Id::Number(5))),
            (format!(r#"{{"id":5,"result":{deep}}}"#), None),
            (format!(r#"{{"method":"m","params":{deep}}}"#), None),
            (r#"{"id":5,"method":"m","params":["#.to_owned(), None),
        ] {
            assert_eq!(request_id(body.as_bytes()), expected, "{body}");
        }
    }
}
