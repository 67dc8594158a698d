//! Characters that a reader does not see, or that change how the text around them is seen.

use std::borrow::Cow;

/// True if `character` moves the cursor, or breaks or reorders output: C0 and C1, line and
/// paragraph separators, and Unicode's `Bidi_Control` characters.
pub fn is_command(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

/// Escapes the characters of `text` that look like something else: [commands](is_command),
/// characters without a glyph, and blanks other than U+0020. Used for one-line texts on which a
/// user bases a decision.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, is_unseen)
}

/// Escapes the characters of `text` that `is_hidden` chooses.
pub fn escaped(text: &str, is_hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(2 * text.len());
    for character in text.chars() {
        match is_hidden(character) {
            true => escaped.extend(character.escape_default()),
            false => escaped.push(character),
        }
    }
    Cow::Owned(escaped)
}

/// True if [`visible`] escapes `character`. Source: Unicode, `White_Space` and
/// `Default_Ignorable_Code_Point`; and the braille pattern without dots.
pub fn is_unseen(character: char) -> bool {
    is_command(character)
        || character != ' ' && character.is_whitespace()
        || matches!(
            character,
            '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}'
                | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
                | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_unseen() {
        for (text, expected) in [
            ("a b-é漢💻 \"\\\"", "a b-é漢💻 \"\\\""),
            ("\u{1b}[31m\na\t\u{7f}", "\\u{1b}[31m\\na\\t\\u{7f}"),
            ("\u{9b}\u{202e}\u{2028}", "\\u{9b}\\u{202e}\\u{2028}"),
            ("a\u{3000}b\u{a0}c\u{2800}", "a\\u{3000}b\\u{a0}c\\u{2800}"),
            ("\u{200b}\u{2060}\u{feff}\u{3164}\u{ad}", "\\u{200b}\\u{2060}\\u{feff}\\u{3164}\\u{ad}"),
        ] {
            assert_eq!(visible(text), expected);
        }
    }
}
