//! The text of a `<tool>` block; shared by the dialects `tag` and `legacy`.

use std::borrow::Cow;

use crate::never::OrNever;

/// The characters that writers of tags escape, with their entities.
const ENTITIES: [(&str, &str); 5] =
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x27;", "'"), ("&amp;", "&")];

/// The opening and the closing tag.
pub(super) const TOOL: (&str, &str) = ("<tool>", "</tool>");

/// The `<tool>` block of a call and its result in plain text.
pub(super) fn block_of(call: &str, result: Option<&str>) -> String {
    let result = result.map(|result| format!("\n{}", escape(result))).unwrap_or_default();
    format!("{}{}{result}{}", TOOL.0, escape(call), TOOL.1)
}

/// Escapes text for a tag, whose content is text to HTML (formats.md §3.3).
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match ENTITIES.iter().find(|(_, plain)| plain.chars().eq([character])) {
            Some((entity, _)) => escaped.push_str(entity),
            None => escaped.push(character),
        }
    }
    escaped
}

/// Reverses the escaping of tag writers (formats.md §3.3); other entities stay as they are.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') && !text.contains("@\u{200B}") {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['&', '\u{200B}']) {
        let (before, found) = rest.split_at(at);
        plain.push_str(before);
        if let Some((entity, character)) = ENTITIES.iter().find(|(entity, _)| found.starts_with(entity)) {
            plain.push_str(character);
            rest = found.get(entity.len()..).or_never();
        } else if let Some(after) = found.strip_prefix('\u{200B}') {
            // Writers insert only the first one after `@`; any other belongs to the text.
            if !before.ends_with('@') {
                plain.push('\u{200B}');
            }
            rest = after;
        } else {
            plain.push('&');
            rest = found.get(1..).or_never();
        }
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}
