//! The lexer: JSON's own tokens on a fast path, and tokens for all other text.
//!
//! It visits every byte once, and every token ends after its start, so reading all tokens takes
//! linear time.

use crate::never::OrNever;

/// A token and its bytes `[start, end)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JsonToken {
    pub kind: JsonTokenKind,
    pub start: usize,
    pub end: usize,
}

/// The kind of a token. White space between tokens is not a token. Has no fields, so that it is
/// passed in a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsonTokenKind {
    OpenObject,
    OpenArray,
    CloseObject,
    CloseArray,
    Colon,
    Comma,
    /// A valid JSON string without a `\`.
    String,
    /// A valid JSON string with a `\`.
    EscapedString,
    /// A string that is not valid JSON; [`Lexer::string_token`] has the details.
    OddString,
    Number,
    Bool,
    Null,
    /// Text that is not a JSON token: a word or an invalid number.
    Word,
    /// `=`, `==`, `=>`.
    Equals,
    Semicolon,
    Comment,
    /// A `/*` without its `*/`.
    UnclosedComment,
    /// White space that JSON does not allow.
    Space,
    /// A run of characters that begin no token.
    Junk,
    /// The end of the text.
    End,
}

/// The details of a string token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StringToken {
    pub quote: Quote,
    /// True if it contains a `\`.
    pub escaped: bool,
    /// True if it contains a raw control character or an invalid escape.
    pub dirty: bool,
    /// True if it has a closing quote. A string ends with its line.
    pub closed: bool,
}

/// The opening quote of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quote {
    Double,
    Single,
    Smart,
}

impl StringToken {
    #[inline(always)]
    fn kind(self) -> JsonTokenKind {
        match self {
            Self { quote: Quote::Double, escaped, dirty: false, closed: true } if escaped => {
                JsonTokenKind::EscapedString
            }
            Self { quote: Quote::Double, dirty: false, closed: true, .. } => JsonTokenKind::String,
            _ => JsonTokenKind::OddString,
        }
    }
}

/// Reads tokens from `pos` on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexer<'a> {
    pub text: &'a str,
    /// The byte at which the next token is searched.
    pub pos: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, pos: 0 }
    }

    /// The byte at `pos`.
    #[inline]
    pub(super) fn byte(&self, pos: usize) -> Option<u8> {
        self.text.as_bytes().get(pos).copied()
    }

    /// The first byte at or after `pos` that is not JSON white space.
    #[inline(always)]
    pub(super) fn skip_space(&self, mut pos: usize) -> usize {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.byte(pos) {
            pos += 1;
        }
        pos
    }

    /// The end of the line that contains `pos`, before its line end.
    pub(super) fn line_end(&self, pos: usize) -> usize {
        let rest = self.text.as_bytes().get(pos..).or_never();
        memchr::memchr2(b'\n', b'\r', rest).map_or(self.text.len(), |at| pos + at)
    }

    /// True if a word continues at `pos`.
    pub(super) fn is_word_at(&self, pos: usize) -> bool {
        match self.byte(pos) {
            Some(byte) if byte.is_ascii() => is_word_byte(byte),
            Some(_) => self.is_foreign_word_at(pos),
            None => false,
        }
    }

    /// The next token.
    #[inline(always)]
    pub(super) fn next(&mut self) -> JsonToken {
        let start = self.skip_space(self.pos);
        let Some(byte) = self.byte(start) else {
            self.pos = start;
            return JsonToken { kind: JsonTokenKind::End, start, end: start };
        };
        let (kind, end) = match byte {
            b'"' => {
                let (string, end) = self.string(start);
                (string.kind(), end)
            }
            b'{' => (JsonTokenKind::OpenObject, start + 1),
            b'}' => (JsonTokenKind::CloseObject, start + 1),
            b'[' => (JsonTokenKind::OpenArray, start + 1),
            b']' => (JsonTokenKind::CloseArray, start + 1),
            b':' => (JsonTokenKind::Colon, start + 1),
            b',' => (JsonTokenKind::Comma, start + 1),
            b'-' | b'0'..=b'9' => self.number(start),
            b't' => self.literal(start, "true", JsonTokenKind::Bool),
            b'f' => self.literal(start, "false", JsonTokenKind::Bool),
            b'n' => self.literal(start, "null", JsonTokenKind::Null),
            _ => self.foreign(start, byte),
        };
        self.pos = end;
        JsonToken { kind, start, end }
    }

    #[inline(always)]
    fn literal(&self, start: usize, word: &str, kind: JsonTokenKind) -> (JsonTokenKind, usize) {
        let end = start + word.len();
        let rest = self.text.as_bytes().get(start..).or_never();
        if rest.starts_with(word.as_bytes()) && !self.is_word_at(end) {
            (kind, end)
        } else {
            (JsonTokenKind::Word, self.word_end(start))
        }
    }

    /// RFC 8259 §6: `-? (0 | [1-9] [0-9]*) ("." [0-9]+)? ([eE] [+-]? [0-9]+)?`.
    #[inline(always)]
    fn number(&self, start: usize) -> (JsonTokenKind, usize) {
        let mut pos = start + usize::from(self.byte(start) == Some(b'-'));
        let integer = pos;
        pos = self.digits(pos);
        let mut valid = pos > integer && (self.byte(integer) != Some(b'0') || pos == integer + 1);
        if self.byte(pos) == Some(b'.') {
            let fraction = pos + 1;
            pos = self.digits(fraction);
            valid &= pos > fraction;
        }
        if let Some(b'e' | b'E') = self.byte(pos) {
            let exponent = pos + 1 + usize::from(matches!(self.byte(pos + 1), Some(b'+' | b'-')));
            pos = self.digits(exponent);
            valid &= pos > exponent;
        }
        if valid && !self.is_word_at(pos) {
            (JsonTokenKind::Number, pos)
        } else {
            (JsonTokenKind::Word, self.word_end(start))
        }
    }

    #[inline]
    fn digits(&self, mut pos: usize) -> usize {
        while let Some(b'0'..=b'9') = self.byte(pos) {
            pos += 1;
        }
        pos
    }

    /// Scans a string in double quotes from its quote at `start`.
    #[inline(always)]
    pub(super) fn string(&self, start: usize) -> (StringToken, usize) {
        let bytes = self.text.as_bytes();
        let (mut escaped, mut dirty) = (false, false);
        let mut pos = start + 1;
        let closed = loop {
            pos = skip_plain(bytes, pos);
            match self.byte(pos) {
                Some(b'"') => break true,
                Some(b'\\') => {
                    escaped = true;
                    let (length, known) = self.escape(pos);
                    dirty |= !known;
                    pos += length;
                }
                None | Some(b'\n' | b'\r') => break false,
                Some(_) => {
                    dirty = true;
                    pos += 1;
                }
            }
        };
        let string = StringToken { quote: Quote::Double, escaped, dirty, closed };
        (string, pos + usize::from(closed))
    }

    /// The length of the escape whose `\` is at `pos`, and whether it is valid. Of an invalid
    /// escape only the `\` is counted. An escape that is cut off by the end of the text is valid.
    pub(super) fn escape(&self, pos: usize) -> (usize, bool) {
        match self.byte(pos + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => (2, true),
            Some(b'u') => {
                let rest = self.text.as_bytes().get(pos + 2..).or_never();
                let digits = rest.iter().take(4).take_while(|byte| byte.is_ascii_hexdigit()).count();
                let known = digits == 4 || digits == rest.len();
                (if known { 2 + digits } else { 1 }, known)
            }
            Some(_) => (1, false),
            None => (1, true),
        }
    }
}

/// True if an ASCII character belongs to words, and so cannot follow a literal or number.
#[inline]
pub(super) fn is_word_byte(byte: u8) -> bool {
    const WORD: u128 = {
        let mut set = 0u128;
        let mut byte = 0u8;
        while byte < 128 {
            let word = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'-' | b'+');
            set |= (word as u128) << byte;
            byte += 1;
        }
        set
    };
    byte < 128 && WORD >> byte & 1 == 1
}

/// The first byte at or after `pos` that is not plain string content: `"`, `\`, a control
/// character, or the end. Checks eight bytes at a time.
pub fn skip_plain(bytes: &[u8], mut pos: usize) -> usize {
    const ONES: u64 = u64::from_le_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    // The high bit of each byte that is zero; exact up to the first such byte, which suffices here.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    let rest = bytes.get(pos..).or_never();
    let (chunks, tail) = rest.as_chunks::<8>();
    for chunk in chunks {
        let word = u64::from_le_bytes(*chunk);
        let control = word.wrapping_sub(ONES * 0x20) & !word & HIGH;
        let quote = zeros(word ^ (ONES * u64::from(b'"')));
        let escape = zeros(word ^ (ONES * u64::from(b'\\')));
        let stops = control | quote | escape;
        if stops != 0 {
            return pos + (stops.trailing_zeros() / 8) as usize;
        }
        pos += 8;
    }
    let stop = tail.iter().position(|&byte| byte < 0x20 || byte == b'"' || byte == b'\\');
    pos + stop.unwrap_or(tail.len())
}
