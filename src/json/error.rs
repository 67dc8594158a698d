//! Errors in a payload, with the data that fixes need.
//!
//! A [`JsonError`] is small and contains no text: its message is built on request from its kind and
//! the text at its span.

use serde::de::IgnoredAny;

use crate::text::Span;

/// True if `json`, which serde_json rejected with `error`, ends inside of its value. A number
/// without its last digits, such as `-` and `1.`, is invalid for serde_json wherever it stands.
pub fn is_cut_off(json: &str, error: &serde_json::Error) -> bool {
    let goes_on =
        || serde_json::from_str::<IgnoredAny>(&format!("{json}0")).is_err_and(|error| error.is_eof());
    error.is_eof() || json.ends_with(['-', '+', '.', 'e', 'E']) && goes_on()
}

/// Maximum number of characters of the found text in a message.
const SHOWN: usize = 20;

/// An error in a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// The kind of the error.
    pub kind: JsonErrorKind,
    /// The smallest invalid part of the text: the token found instead of the expected one, or the
    /// opening of a construct that is never closed.
    pub span: Span,
}

/// The kind of an error, with all data that a fix needs besides the span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonErrorKind {
    /// The text ends inside of the value. The span is the unfinished part: the innermost open
    /// bracket, the string, number or word; empty at the end of blank text.
    EndedTooSoon(UnfinishedPart),
    /// An unexpected token that was skipped; the value is the expected one.
    Unexpected(ExpectedToken),
    /// A member or item begins where `,` or the end of the container was expected.
    MissingComma(ExpectedToken),
    /// The span is a `,` followed by a closing bracket.
    TrailingComma,
    /// The span is a `,` without a member or item before it.
    ExtraComma,
    /// No `:` between a key and the found token.
    MissingColon,
    /// No value after `:`.
    MissingValue,
    /// A value or `:` where a key was expected.
    MissingKey,
    /// The text begins with a member: its `{` is missing. The span is the first key.
    MissingOpen,
    /// The span is a key without quotes.
    UnquotedKey,
    /// The span is text without quotes.
    UnquotedValue,
    /// The span is a key or string in single quotes.
    SingleQuotes,
    /// The span is a key or string in typographic quotes, or the typographic quote that ends it.
    SmartQuotes,
    /// The span is a run of raw control characters inside of a string.
    RawControl,
    /// The span is a `\` and the following characters, which are not a JSON escape.
    BadEscape,
    /// The span is a `"` inside of a string.
    UnescapedQuote,
    /// The span is a string or key that does not end on its line; its end is the expected position
    /// of the quote.
    UnclosedString,
    /// The span is an unmatched bracket: another one closed the container around it.
    UnclosedBracket {
        /// The byte at which the matching bracket was expected.
        before: u32,
    },
    /// The span is a closing bracket that should be this one.
    WrongClose(char),
    /// The span is a `}` that closes the root object before its last member.
    SurplusClose,
    /// The span is a comment.
    Comment,
    /// The span is a `/*` comment that never ends.
    UnclosedComment,
    /// The span is white space that JSON does not allow.
    BadSpace,
    /// The span is a foreign word; the value is its JSON equivalent.
    ForeignWord(&'static str),
    /// The span is an invalid number.
    BadNumber(NumberError),
    /// The span is `=` or `=>` in place of `:`.
    WrongColon,
    /// The span is `;` in place of `,`.
    WrongComma,
    /// The text is not JSON at all. The span is its first word.
    NotJson,
}

/// The construct that is incomplete at the end of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnfinishedPart {
    /// Nothing: there is no value.
    Empty,
    /// An array or object.
    Container,
    /// A string or key.
    String,
    /// `true`, `false` or `null`.
    Word,
    /// A number.
    Number,
}

/// The error in a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// A sign alone.
    NoDigits,
    /// `01`.
    LeadingZero,
    /// `.5`.
    NoInteger,
    /// `1.`.
    NoFraction,
    /// `1e`.
    NoExponent,
    /// `+1`.
    Plus,
    /// `0x1F`.
    Radix,
    /// `1_000`.
    Separator,
}

/// The next expected token: the parser's position within a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedToken {
    /// The value itself.
    Root,
    /// The first key of an object, or its end.
    FirstKey,
    /// A key after `,`.
    Key,
    /// `:` after a key.
    Colon,
    /// A value after `:`.
    Value,
    /// The first item of an array, or its end.
    FirstItem,
    /// An item after `,`.
    Item,
    /// `,` or the end of the object.
    MemberEnd,
    /// `,` or the end of the array.
    ItemEnd,
}

impl ExpectedToken {
    /// The description for messages.
    fn words(self) -> &'static str {
        match self {
            Self::Root => "a JSON value",
            Self::FirstKey => "a key in double quotes or `}`",
            Self::Key => "a key in double quotes after `,`",
            Self::Colon => "`:` after this key",
            Self::Value => "a value after `:`",
            Self::FirstItem => "a value or `]`",
            Self::Item => "a value after `,`",
            Self::MemberEnd => "`,` or `}` after this value",
            Self::ItemEnd => "`,` or `]` after this value",
        }
    }
}

impl JsonErrorKind {
    /// True if the only error is that the text ends: more text could resolve it.
    pub fn is_end(self) -> bool {
        matches!(self, Self::EndedTooSoon(_))
    }
}

impl JsonError {
    /// The message: the expected and the found token. `text` is the parsed text.
    pub fn message(&self, text: &str) -> String {
        let found = quoted_excerpt(self.span.of(text));
        match self.kind {
            JsonErrorKind::EndedTooSoon(unfinished) => ended(unfinished, &found),
            JsonErrorKind::Unexpected(expected) | JsonErrorKind::MissingComma(expected) => {
                format!("expected {}, found {found}", expected.words())
            }
            JsonErrorKind::TrailingComma => {
                "unexpected `,` after the last value: JSON has no trailing commas".into()
            }
            JsonErrorKind::ExtraComma => "expected a value before this `,`, found none".into(),
            JsonErrorKind::MissingColon => format!("expected `:` after this key, found {found}"),
            JsonErrorKind::MissingValue => format!("expected a value after `:`, found {found}"),
            JsonErrorKind::MissingKey => format!("expected a key in double quotes, found {found}"),
            JsonErrorKind::MissingOpen => format!("expected `{{` before the first key, found {found}"),
            JsonErrorKind::UnquotedKey => format!("expected a key in double quotes, found {found}"),
            JsonErrorKind::UnquotedValue => {
                format!("expected a value, found {found}: a string is written in double quotes")
            }
            JsonErrorKind::SingleQuotes => format!("expected double quotes, found single quotes: {found}"),
            JsonErrorKind::SmartQuotes => {
                format!("expected straight double quotes `\"`, found typographic ones: {found}")
            }
            JsonErrorKind::RawControl => {
                format!("expected an escape inside of this string, found {}", control(self.span.of(text)))
            }
            JsonErrorKind::BadEscape => {
                format!("expected an escape such as `\\n`, `\\\\` or `\\u0041`, found {found}")
            }
            JsonErrorKind::UnescapedQuote => "expected `\\\"` inside of this string, found `\"`".into(),
            JsonErrorKind::UnclosedString => {
                "expected `\"` at the end of this string, found the end of its line".into()
            }
            JsonErrorKind::UnclosedBracket { .. } => format!("this {found} is never closed"),
            JsonErrorKind::WrongClose(expected) => format!("expected `{expected}`, found {found}"),
            JsonErrorKind::SurplusClose => {
                "expected `,` or the end of the payload, found a surplus `}` before more members".into()
            }
            JsonErrorKind::Comment => "expected JSON, found a comment: JSON has no comments".into(),
            JsonErrorKind::UnclosedComment => {
                "expected JSON, found an unclosed comment: JSON has no comments".into()
            }
            JsonErrorKind::BadSpace => {
                format!("expected a space or a line break, found {}", control(self.span.of(text)))
            }
            JsonErrorKind::ForeignWord(json) => format!("expected `{json}`, found {found}"),
            JsonErrorKind::BadNumber(fault) => format!("{}, found {found}", number(fault)),
            JsonErrorKind::WrongColon => format!("expected `:` after this key, found {found}"),
            JsonErrorKind::WrongComma => format!("expected `,` after this value, found {found}"),
            JsonErrorKind::NotJson => format!("expected a JSON value, found {found}"),
        }
    }
}

fn ended(unfinished: UnfinishedPart, found: &str) -> String {
    match unfinished {
        UnfinishedPart::Empty => "expected a JSON value, found nothing".into(),
        UnfinishedPart::Container => format!("this {found} is never closed"),
        UnfinishedPart::String => {
            "expected `\"` at the end of this string, found the end of the payload".into()
        }
        UnfinishedPart::Word => {
            format!("expected `true`, `false` or `null`, found {found} and the end of the payload")
        }
        UnfinishedPart::Number => format!("expected a digit after {found}, found the end of the payload"),
    }
}

fn number(fault: NumberError) -> &'static str {
    match fault {
        NumberError::NoDigits => "expected a digit after the sign",
        NumberError::LeadingZero => "expected a number without leading zeros",
        NumberError::NoInteger => "expected a digit before `.`",
        NumberError::NoFraction => "expected a digit after `.`",
        NumberError::NoExponent => "expected a digit in the exponent",
        NumberError::Plus => "expected a number without `+`",
        NumberError::Radix => "expected a decimal number",
        NumberError::Separator => "expected a number without `_`",
    }
}

/// `found` in backticks: its first line, at most [`SHOWN`] characters.
fn quoted_excerpt(found: &str) -> String {
    let line = found.split(['\n', '\r']).next().unwrap_or_default();
    let end = line.char_indices().nth(SHOWN).map_or(line.len(), |(at, _)| at);
    let cut = if end < found.len() { "…" } else { "" };
    let text: String =
        line.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if found.is_empty() { "nothing".into() } else { format!("`{text}{cut}`") }
}

/// The name of the first character of `found`, which is invisible.
fn control(found: &str) -> String {
    match found.chars().next() {
        Some('\t') => "a raw tab".into(),
        Some('\u{a0}') => "a no-break space (U+00A0)".into(),
        Some('\u{feff}') => "a byte order mark (U+FEFF)".into(),
        Some(c) if c.is_control() => format!("a raw control character (U+{:04X})", u32::from(c)),
        Some(c) => format!("U+{:04X}", u32::from(c)),
        None => "nothing".into(),
    }
}
