//! Escapes of terminals and of URLs at the end of a text: they are no part of the word that
//! follows.

/// The spellings of the character that begins a terminal escape, in strings of JSON, Python and
/// shells.
const ESC: [&[u8]; 7] = [b"\x1b", b"\\u001b", b"\\u001B", b"\\x1b", b"\\x1B", b"\\033", b"\\e"];
/// Maximum number of bytes of the parameters of an escape, such as `38;5;186`.
const PARAMETERS: usize = 32;

/// True if `before` ends in a terminal escape (ECMA-48), such as one that sets a color or clears a
/// line. `[0m` and `[K` count without their first character, too: logs often lack it.
pub fn ends_in_terminal_escape(before: &[u8]) -> bool {
    let Some((last, rest)) = before.split_last().filter(|(last, _)| last.is_ascii_alphanumeric()) else {
        return false;
    };
    let is_esc = |text: &[u8]| ESC.iter().any(|esc| text.ends_with(esc));
    let is_parameter = |byte: &&u8| (b'0'..=b'?').contains(byte);
    let parameters = rest.iter().rev().take(PARAMETERS).take_while(is_parameter).count();
    match rest.get(..rest.len() - parameters) {
        Some([esc @ .., b'[']) if last.is_ascii_alphabetic() => matches!(last, b'm' | b'K') || is_esc(esc),
        // The choice of a character set, and escapes of one character.
        Some([esc @ .., b'(']) if parameters == 0 => is_esc(esc),
        _ => is_esc(rest),
    }
}

/// The length of the percent-encoded character at the end of `before`, such as `%20`, or `%2520` if
/// it is encoded twice; 0 if there is none.
pub fn url_escape_len(before: &[u8]) -> usize {
    let [rest @ .., one, other] = before else { return 0 };
    let mut rest = rest;
    if !one.is_ascii_hexdigit() || !other.is_ascii_hexdigit() {
        return 0;
    }
    while let Some(outer) = rest.strip_suffix(b"25") {
        rest = outer;
    }
    if rest.ends_with(b"%") { before.len() - rest.len() + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_terminals_end_before_words() {
        for text in [
            "\u{1b}[0m",
            "\u{1b}[K",
            "\u{1b}[2J",
            "\u{1b}[?25h",
            "\u{1b}[1;1H",
            "\u{1b}(B",
            "\u{1b}7",
            "\u{1b}M",
            r"\u001b[38;5;186m",
            r"\u001B[K",
            r"\x1b[1A",
            r"\e[38:2:1:2:3m",
            r"\033[G",
            "[32m",
            "[K",
        ] {
            assert!(ends_in_terminal_escape(text.as_bytes()), "{text}");
        }
        for text in ["", "m", "am", "[1;a", "x[A", "[1", "(B", "\u{1b}[1;", "\u{1b}[1", r"\n"] {
            assert!(!ends_in_terminal_escape(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn escapes_of_urls_have_a_length() {
        for (text, len) in
            [("a%20", 3), ("%3D", 3), ("%253d", 5), ("%25253D", 7), ("%3", 0), ("20", 0), ("%g0", 0)]
        {
            assert_eq!(url_escape_len(text.as_bytes()), len, "{text}");
        }
    }
}
