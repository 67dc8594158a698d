//! The bounds of words: a name counts only as a whole word, and the path of a home folder only if
//! no word continues after it.

use crate::never::OrNever;
use crate::text::escapes::{ends_in_terminal_escape, url_escape_len};
use percent_encoding::percent_decode_str;

/// Maximum number of bytes of the encoded characters before a word.
const ENCODED: usize = 24;

/// True if `before` ends inside of a word. The letter of an escaped line end is no part of a word,
/// nor is the end of a terminal's escape, or an encoded character such as `%20`. A `_` is part of a
/// word only between letters; otherwise it is a mark of emphasis.
pub(super) fn is_inside_word(before: &str) -> bool {
    let before = before.trim_end_matches('_');
    let Some(last) = before.chars().next_back().filter(|last| is_of_word(*last)) else { return false };
    let rest = before.get(..before.len() - last.len_utf8()).or_never();
    let is_line_end = matches!(last, 'b' | 'f' | 'n' | 'r' | 't') && rest.ends_with('\\');
    !is_line_end
        && !ends_in_terminal_escape(before.as_bytes())
        && decoded_end(before).is_none_or(|end| is_inside_word(&end))
}

/// True if `behind` goes on with a word that ends before it.
pub(super) fn begins_inside_word(behind: &str) -> bool {
    behind.trim_start_matches('_').starts_with(is_of_word)
}

/// True for the letters of scripts with spaces between words, digits and `_`.
pub(super) fn is_of_word(c: char) -> bool {
    is_letter(c) && !is_joined(c)
}

/// True for letters, combining accents, digits and `_`.
pub(super) fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\u{300}'..='\u{36f}')
}

/// True for the letters of scripts without spaces between words, or between a name and its
/// particles: the scripts of South-East Asia, Tibetan, Chinese, Japanese and Korean.
pub(super) fn is_joined(c: char) -> bool {
    matches!(
        c,
        '\u{e00}'..='\u{109f}'
            | '\u{1100}'..='\u{11ff}'
            | '\u{1780}'..='\u{17ff}'
            | '\u{2e80}'..='\u{a4cf}'
            | '\u{ac00}'..='\u{d7ff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff66}'..='\u{ffdc}'
            | '\u{20000}'..='\u{3ffff}'
    )
}

/// The characters at the end of `before` that are encoded as in URLs, decoded.
pub(super) fn decoded_end(before: &str) -> Option<String> {
    let mut start = before.len();
    while let len @ 1.. = url_escape_len(before.get(..start)?.as_bytes()) {
        start -= len;
        if before.len() - start >= ENCODED {
            break;
        }
    }
    let encoded = before.get(start..).filter(|encoded| !encoded.is_empty())?;
    Some(percent_decode_str(encoded).decode_utf8_lossy().into_owned())
}
