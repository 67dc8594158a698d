//! Escapes characters that terminals, logs and spreadsheets interpret.
//!
//! All output for people, and all annotations, pass through this file or through [`printable`] and
//! [`printable_text`]: documents, configurations and file names must not send commands to the
//! terminal that shows them.
//!
//! [`printable`]: super::console::printable
//! [`printable_text`]: super::console::printable_text

use std::borrow::Cow;
use std::io::{self, Write};

use crate::never::OrNever;
use crate::text::visible::is_command;

/// Number of bytes that are tested for control characters at once.
const RUN: usize = 64;

/// A writer that escapes terminal control characters.
///
/// Each write must consist of whole characters, as the writes of `serde_json` and `write!` do.
pub(super) struct Escaping<W> {
    out: W,
    style: EscapeStyle,
}

#[derive(Clone, Copy)]
enum EscapeStyle {
    /// `\u009b`: preserves the JSON value.
    Json,
    /// `\u{9b}`: for plain text of one or more lines.
    Text,
}

impl<W: Write> Escaping<W> {
    /// Creates a writer for JSON; values are preserved.
    pub fn json(out: W) -> Self {
        Self { out, style: EscapeStyle::Json }
    }

    /// Creates a writer for plain text.
    pub fn text(out: W) -> Self {
        Self { out, style: EscapeStyle::Text }
    }
}

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while let Some((at, command)) = next_command(rest, self.style) {
            let (before, after) = rest.split_at(at);
            self.out.write_all(before)?;
            self.out.write_all(self.style.escape(command).as_bytes())?;
            rest = after.get(command.len_utf8()..).or_never();
        }
        self.out.write_all(rest)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl EscapeStyle {
    fn escape(self, command: char) -> String {
        match self {
            Self::Json => format!("\\u{:04x}", command as u32),
            Self::Text => command.escape_default().to_string(),
        }
    }

    /// True if `character` is written unchanged although it moves the cursor.
    fn is_allowed(self, character: char) -> bool {
        match self {
            // White space between tokens; in strings, these are already escaped.
            Self::Json => matches!(character, '\n' | '\t' | '\r'),
            Self::Text => matches!(character, '\n' | '\t'),
        }
    }
}

/// Finds the first control character in `bytes`, with its offset.
fn next_command(bytes: &[u8], style: EscapeStyle) -> Option<(usize, char)> {
    // First bytes of all control characters: C0, DEL, C1, U+061C, and U+200E to U+2069.
    let begins = |byte: &u8| matches!(byte, 0..0x20 | 0x7f | 0xc2 | 0xd8 | 0xe2);
    let mut from = 0;
    loop {
        // A whole run is tested without a branch per byte.
        let rest = bytes.get(from..)?;
        let skipped =
            rest.chunks(RUN).take_while(|run| !run.iter().fold(false, |any, byte| any | begins(byte)));
        from += skipped.map(<[u8]>::len).sum::<usize>();
        let at = from + bytes.get(from..)?.iter().position(begins)?;
        let character = first_character(bytes.get(at..)?);
        match character.filter(|character| is_command(*character) && !style.is_allowed(*character)) {
            Some(command) => return Some((at, command)),
            None => from = at + 1,
        }
    }
}

fn first_character(bytes: &[u8]) -> Option<char> {
    let length = match bytes.first()? {
        ..0x80 => 1,
        0x80..0xe0 => 2,
        _ => 3,
    };
    std::str::from_utf8(bytes.get(..length)?).ok()?.chars().next()
}

/// Escapes `text` for a CSV cell: no control characters, and no formula that a spreadsheet runs.
pub(super) fn csv_text(text: &str) -> Cow<'_, str> {
    let escaped = escape_cell(text, EscapeStyle::Text);
    if begins_formula(&escaped) { Cow::Owned(format!("'{escaped}")) } else { escaped }
}

/// Escapes the JSON value `json` for a CSV cell. The value is unchanged, unless a spreadsheet would
/// run it.
pub(super) fn csv_json(json: &str) -> Cow<'_, str> {
    let escaped = escape_cell(json, EscapeStyle::Json);
    // A negative number is not a formula.
    match begins_formula(&escaped) && escaped.parse::<f64>().is_err() {
        true => Cow::Owned(format!("'{escaped}")),
        false => escaped,
    }
}

/// Escapes the control characters of `text`, except line ends and tabs.
fn escape_cell(text: &str, style: EscapeStyle) -> Cow<'_, str> {
    if next_command(text.as_bytes(), style).is_none() {
        return Cow::Borrowed(text);
    }
    let mut characters = text.chars().peekable();
    let mut escaped = String::with_capacity(text.len() + 16);
    while let Some(character) = characters.next() {
        let ends_line = character == '\r' && characters.peek() == Some(&'\n');
        match is_command(character) && !style.is_allowed(character) && !ends_line {
            true => escaped.push_str(&style.escape(character)),
            false => escaped.push(character),
        }
    }
    Cow::Owned(escaped)
}

/// True if spreadsheets interpret `cell` as a formula. Source: OWASP, "CSV Injection".
fn begins_formula(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str, escaping: impl Fn(Vec<u8>) -> Escaping<Vec<u8>>) -> String {
        let mut out = escaping(Vec::new());
        out.write_all(text.as_bytes()).unwrap();
        String::from_utf8(out.out).unwrap()
    }

    const ALL: &str = "\0\u{1b}]52;c;a\u{7}\u{7f}\u{80}\u{9f}\u{61c}\u{200e}\u{2028}\u{202e}\u{2069}";

    #[test]
    fn json_values_are_preserved() {
        let value = serde_json::json!({ "k\u{202e}": ["é漢👩\u{200d}💻 ¢ Ø \u{2010}", ALL] });
        let json = written(&value.to_string(), Escaping::json);
        assert!(!json.contains(is_command), "{json:?}");
        assert!(json.contains("é漢👩\u{200d}💻 ¢ Ø \u{2010}"), "{json}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), value);
        assert_eq!(written("[\r\n\t1]\n", Escaping::json), "[\r\n\t1]\n");
    }

    #[test]
    fn text_keeps_its_line_ends() {
        let text = written(&format!("a\tb\n{ALL}é\r\n"), Escaping::text);
        assert!(!text.replace(['\n', '\t'], "").contains(is_command), "{text:?}");
        assert!(text.starts_with("a\tb\n\\u{0}\\u{1b}]52;c;a\\u{7}\\u{7f}\\u{80}"), "{text}");
        assert!(text.ends_with("\\u{2069}é\\r\n"), "{text}");
    }

    #[test]
    fn cells_are_not_formulas() {
        for (text, expected) in [
            ("plain, é", "plain, é"),
            ("=1+1", "'=1+1"),
            ("-5", "'-5"),
            ("@SUM(1)", "'@SUM(1)"),
            ("\tx", "'\tx"),
            ("a=1", "a=1"),
            ("a\r\nb\rc", "a\r\nb\\rc"),
            ("\u{1b}[2J\u{202e}", "\\u{1b}[2J\\u{202e}"),
        ] {
            assert_eq!(csv_text(text), expected);
        }
        for (json, expected) in
            [("-5", "-5"), ("{\"a\":\"\u{202e}\"}", "{\"a\":\"\\u202e\"}"), ("\"=1\"", "\"=1\"")]
        {
            assert_eq!(csv_json(json), expected);
        }
    }
}
