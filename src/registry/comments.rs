//! Comments in a registry's text, which people add to JSON files.
//!
//! They are replaced by spaces, so that all offsets stay the same.

/// `text` with its comments replaced by spaces; `None` if it has none.
pub(crate) fn blanked(text: &str) -> Option<String> {
    let mut blanked = String::with_capacity(text.len());
    let (mut rest, mut any) = (text, false);
    while let Some(at) = rest.find(['"', '/']) {
        let (before, behind) = rest.split_at(at);
        blanked.push_str(before);
        let len = if behind.starts_with('"') { string_len(behind) } else { comment_len(behind) };
        let (piece, after) = behind.split_at(len.unwrap_or(1));
        if len.is_some() && piece.starts_with('/') {
            any = true;
            // One space per byte of a character.
            blanked.extend(
                piece.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' }),
            );
        } else {
            blanked.push_str(piece);
        }
        rest = after;
    }
    blanked.push_str(rest);
    any.then_some(blanked)
}

/// The length of the string at the start of `text`, up to its closing quote or the end of the text.
fn string_len(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    let end = text.bytes().enumerate().skip(1).find(|(_, byte)| {
        let ends = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        ends
    });
    Some(end.map_or(text.len(), |(at, _)| at + 1))
}

/// The length of the comment at the start of `text`.
fn comment_len(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find(['\n', '\r']).unwrap_or(text.len()));
    }
    let inner = text.strip_prefix("/*")?;
    Some(inner.find("*/")? + 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_blanked() {
        let check =
            |text: &str, expected: Option<&str>| assert_eq!(blanked(text).as_deref(), expected, "{text}");
        check("[1] // é\n", Some("[1]      \n"));
        check("/* a\r\nb */[]", Some("    \r\n    []"));
        check(r#"["//", "\"/*", 1]//"#, Some(r#"["//", "\"/*", 1]  "#));
        check(r#"{"a": "http://x"}"#, None);
        check("[1 / 2] /* ", None);
        check("\"// no end", None);
    }
}
