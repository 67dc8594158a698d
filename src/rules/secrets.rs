//! Rules on content that should not be in a transcript: `secret`.
//!
//! Only tokens of well-known, specific formats are reported, and only tokens that may be live: no
//! placeholders or examples of documentation. One pass over the text finds the prefixes, and the
//! search after each prefix is bounded. All text of a transcript is searched, not only its tool
//! uses (`checks/secrets.rs`). Messages never contain the token.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use memchr::memmem::Finder;

use crate::never::OrNever;
use crate::text::Unescaped;
use crate::text::escapes::{ends_in_terminal_escape, url_escape_len};

/// The number of bytes checked after a prefix: more than the longest of these tokens has.
const LONGEST: usize = 512;
/// The number of bytes before and after a place that contain every secret there, with its escapes,
/// and the text that shows where it begins, if [`is_shown_nearby`].
pub const NEARBY: usize = 8 << 10;
/// Beginnings of text of any length before a secret or in it: escaped marks, which may be parts of
/// a path with an earlier separator; backslashes of repeated escapes; marks of emphasis; and
/// repeated percent-encodings.
const UNBOUNDED: [&str; 5] = ["\\_", "\\@", "\\\\\\\\\\\\\\\\", "____", "25252525"];
/// The minimum number of distinct characters of a token after its prefix.
const VARIETY: u32 = 8;
/// The text that takes the place of a secret.
pub const REDACTED: &str = "[redacted]";
/// Words that only made-up tokens contain, in lower case.
const MADE_UP: &[&str] = &["example", "placeholder", "redacted", "your", "fake", "dummy", "sample"];

/// A kind of token: its prefix and the characters after it.
struct TokenPattern {
    prefix: &'static str,
    description: &'static str,
    characters: TokenCharacters,
    least: usize,
    most: usize,
}

/// The characters of a token after its prefix.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TokenCharacters {
    /// `A-Z2-7`
    Base32,
    /// `A-Za-z0-9`
    Letters,
    /// `A-Za-z0-9_`
    Words,
    /// `A-Za-z0-9_-`
    Url,
    /// `A-Za-z0-9-`, beginning with the number of a workspace or an app
    Slack,
    /// The rest of a PEM header and the text of a key.
    Pem,
}

const fn shape(
    prefix: &'static str,
    what: &'static str,
    characters: TokenCharacters,
    least: usize,
    most: usize,
) -> TokenPattern {
    TokenPattern { prefix, description: what, characters, least, most }
}

use TokenCharacters::{Base32, Letters, Pem, Slack, Url, Words};

const SHAPES: &[TokenPattern] = &[
    shape("AKIA", "an AWS access key id", Base32, 16, 16),
    shape("ASIA", "an AWS access key id", Base32, 16, 16),
    shape("ghp_", "a GitHub token", Letters, 36, 255),
    shape("gho_", "a GitHub token", Letters, 36, 255),
    shape("ghu_", "a GitHub token", Letters, 36, 255),
    shape("ghs_", "a GitHub token", Letters, 36, 255),
    shape("ghr_", "a GitHub token", Letters, 36, 255),
    shape("github_pat_", "a GitHub token", Words, 82, 255),
    shape("sk-", "an OpenAI key", Letters, 48, 48),
    shape("sk-proj-", "an OpenAI key", Url, 40, 255),
    shape("sk-svcacct-", "an OpenAI key", Url, 40, 255),
    shape("sk-admin-", "an OpenAI key", Url, 40, 255),
    shape("sk-ant-", "an Anthropic key", Url, 80, 255),
    shape("xoxb-", "a Slack token", Slack, 30, 255),
    shape("xoxp-", "a Slack token", Slack, 30, 255),
    shape("xoxa-", "a Slack token", Slack, 30, 255),
    shape("xoxr-", "a Slack token", Slack, 30, 255),
    shape("xoxs-", "a Slack token", Slack, 30, 255),
    shape("AIza", "a Google API key", Url, 35, 35),
    shape("sk_live_", "a live Stripe key", Letters, 24, 255),
    shape("rk_live_", "a live Stripe key", Letters, 24, 255),
    shape("npm_", "an npm token", Letters, 36, 36),
    shape("-----BEGIN ", "a private key", Pem, 40, LONGEST),
];

static PREFIXES: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let prefixes = SHAPES.iter().map(|shape| shape.prefix);
    AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(prefixes).never_none()
});
/// The escapes that can hide a character of a prefix. They are searched for on their own: beside
/// strings of two bytes, the search for the prefixes would take several times as long.
static ESCAPES: LazyLock<[Finder<'static>; 2]> = LazyLock::new(|| ["\\u", "\\_"].map(Finder::new));

/// A secret in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret {
    /// The kind of credential that it looks like.
    pub description: &'static str,
    /// The range to report: of a private key, the header.
    pub range: Range<usize>,
    /// The range of all of it.
    pub whole: Range<usize>,
    /// The text that equal secrets have in common, however they are escaped.
    pub token: String,
}

/// False if the secrets in `source` may depend on text more than [`NEARBY`] bytes away.
pub fn is_shown_nearby(source: &str) -> bool {
    !UNBOUNDED.iter().any(|beginning| source.contains(beginning))
}

/// The message for something that looks like `description`.
pub fn message(description: &str) -> String {
    format!("this looks like {description}: remove it, and revoke it if it is live")
}

/// False if `source` has no prefix of a token, escaped or not. The text without escapes may take
/// more memory than the text itself.
fn may_have_secrets(source: &str) -> bool {
    let has_prefix = PREFIXES.as_ref().is_some_and(|prefixes| prefixes.is_match(source));
    has_prefix || ESCAPES.iter().any(|escape| escape.find(source.as_bytes()).is_some())
}

/// The secrets in any text.
pub fn secrets(source: &str) -> Vec<Secret> {
    first_secrets(source, usize::MAX)
}

/// The first secrets in any text, at most `most`.
pub fn first_secrets(source: &str, most: usize) -> Vec<Secret> {
    if !may_have_secrets(source) {
        return Vec::new();
    }
    let text = Unescaped::new(source);
    found(&text).take(most).map(|secret| secret.in_source(&text)).collect()
}

/// `text` with `[redacted]` in place of each secret.
pub fn redacted(text: &str) -> Cow<'_, str> {
    let mut kept = String::new();
    let mut at = 0;
    for secret in secrets(text) {
        // The text of a private key may look like another secret.
        if let Some(before) = text.get(at..secret.whole.start) {
            kept.push_str(before);
            kept.push_str(REDACTED);
            at = secret.whole.end;
        }
    }
    if at == 0 {
        return Cow::Borrowed(text);
    }
    kept.push_str(text.get(at..).or_never());
    Cow::Owned(kept)
}

/// A secret in a text without escapes.
struct FoundSecret {
    shape: &'static TokenPattern,
    range: Range<usize>,
}

impl FoundSecret {
    fn in_source(self, text: &Unescaped<'_>) -> Secret {
        let Self { shape, range } = self;
        let end = end_of(shape, text.text(), range.end);
        let token = match shape.characters {
            Pem => pem_key(text.text().get(range.end..end).or_never()),
            _ => text.text().get(range.clone()).or_never().to_owned(),
        };
        Secret {
            description: shape.description,
            whole: text.source_range(&(range.start..end)),
            range: text.source_range(&range),
            token,
        }
    }
}

fn found<'t>(text: &'t Unescaped<'_>) -> impl Iterator<Item = FoundSecret> + 't {
    let plain = text.text();
    let found = PREFIXES.iter().flat_map(move |prefixes| prefixes.find_iter(plain));
    found.filter_map(move |found| {
        let shape = SHAPES.get(found.pattern().as_usize())?;
        let before = plain.get(..found.start()).never_none()?;
        let outside = before.trim_end_matches('_');
        is_start(outside.as_bytes()).then_some(())?;
        let rest = plain.as_bytes().get(found.end()..).never_none()?;
        let len = shape.token_len(rest, before.len() - outside.len())?;
        // The letter of a line end is not part of the word after it.
        (!text.begins_in_escape(found.start()))
            .then(|| FoundSecret { shape, range: found.start()..found.end() + len })
    })
}

/// The first characters of a private key; `text` is the text after its header.
fn pem_key(text: &str) -> String {
    let lines = text.split(['\n', '\r', ' ', '\t', '>', '\\']);
    // Line ends may be `\n` in one copy, and `\\n` in another.
    lines.map(|line| line.trim_start_matches(['n', 'r'])).collect::<String>().chars().take(64).collect()
}

/// The end in `text` of the content whose reported range ends at `reported`: of a private key, that
/// is only the header.
fn end_of(shape: &TokenPattern, text: &str, reported: usize) -> usize {
    let rest = text.get(reported..).or_never();
    if shape.characters != Pem {
        return reported;
    }
    const END: &str = "-----END ";
    let mut len = 0;
    while let Some(next) = rest.as_bytes().get(len) {
        match next {
            b'\\' if matches!(rest.as_bytes().get(len + 1), Some(b'n' | b'r')) => len += 2,
            b'\n' | b'\r' | b' ' | b'\t' | b'>' => len += 1,
            byte if Pem.has(*byte) => len += 1,
            _ => break,
        }
    }
    let footer = rest.get(len..).filter(|rest| rest.starts_with(END));
    let footer = footer.and_then(|rest| {
        let kind = rest.get(END.len()..)?;
        let len = kind.find(|c: char| !c.is_ascii_uppercase() && c != ' ')?;
        kind.get(len..)?.starts_with("-----").then_some(END.len() + len + 5)
    });
    // White space after an unterminated key is not part of it.
    let key = rest.get(..len).or_never().trim_end_matches(['\n', '\r', ' ', '\t', '>']).len();
    reported + footer.map_or(key, |footer| len + footer)
}

/// True if a token may begin after `before`: not inside a word, but after an escape such as `\n`,
/// the color of a terminal, or `%3D`.
fn is_start(before: &[u8]) -> bool {
    match before {
        [.., b'\\', b'b' | b'f' | b'n' | b'r' | b't'] => true,
        [.., last] => !Url.has(*last) || url_escape_len(before) > 0 || ends_in_terminal_escape(before),
        [] => true,
    }
}

impl TokenPattern {
    /// The length of the token in `rest`, the text after the prefix; `marks` are the `_` before
    /// it. As many at its end are marks of emphasis, too, unless it is only a token with them, and
    /// so are all of them if it is no token with any.
    fn token_len(&self, rest: &[u8], marks: usize) -> Option<usize> {
        let rest = rest.get(..rest.len().min(LONGEST)).never_none()?;
        if self.characters == Pem {
            return pem_len(rest, self.least);
        }
        let word = rest.get(..rest.iter().position(|byte| !Url.has(*byte)).unwrap_or(rest.len()))?;
        let marks_behind = word.iter().rev().take_while(|byte| **byte == b'_').count();
        let lengths = [marks.min(marks_behind), 0, marks_behind].map(|marks| word.len() - marks);
        lengths.into_iter().find(|len| word.get(..*len).is_some_and(|token| self.is_token(token)))
    }

    /// True if `token` can follow the prefix.
    fn is_token(&self, token: &[u8]) -> bool {
        let digits = token.iter().filter(|byte| byte.is_ascii_digit()).count();
        let is_mixed = match self.characters {
            // Access key ids are too short to require a digit: one in thirty has none.
            Base32 => true,
            Slack => digits >= 10,
            _ => digits > 0 && token.iter().any(u8::is_ascii_alphabetic),
        };
        let has_form = token.iter().all(|byte| self.characters.has(*byte));
        (self.least..=self.most).contains(&token.len()) && has_form && is_mixed && !is_placeholder(token)
    }
}

impl TokenCharacters {
    fn has(self, byte: u8) -> bool {
        match self {
            Base32 => matches!(byte, b'A'..=b'Z' | b'2'..=b'7'),
            Letters => byte.is_ascii_alphanumeric(),
            Words => byte.is_ascii_alphanumeric() || byte == b'_',
            Url => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Slack => byte.is_ascii_alphanumeric() || byte == b'-',
            Pem => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='),
        }
    }
}

/// The length of the rest of a private key's header, if at least `least` characters of a key
/// follow.
fn pem_len(rest: &[u8], least: usize) -> Option<usize> {
    const KINDS: [&str; 5] = ["", "RSA ", "EC ", "DSA ", "OPENSSH "];
    const END: &[u8] = b"PRIVATE KEY-----";
    let header = KINDS.iter().find_map(|kind| {
        rest.strip_prefix(kind.as_bytes())?.starts_with(END).then_some(kind.len() + END.len())
    })?;
    let mut key = rest.get(header..)?;
    while let [b'\\', b'n' | b'r', behind @ ..] | [b'\n' | b'\r' | b' ' | b'\t' | b'>', behind @ ..] = key {
        key = behind;
    }
    let key = key.get(..least)?;
    (key.iter().all(|byte| Pem.has(*byte)) && !is_placeholder(key)).then_some(header)
}

/// True if `token` is a placeholder: few distinct characters, a repeated character, a sequence such
/// as `123456`, or a word like `example`.
fn is_placeholder(token: &[u8]) -> bool {
    let seen = token.iter().fold(0u128, |seen, byte| seen | 1u128.checked_shl(u32::from(*byte)).unwrap_or(0));
    let has_run = |len: usize, step: u8| {
        let goes_on = |two: &[u8]| matches!(two, [one, next] if one.checked_add(step) == Some(*next));
        token.windows(len).any(|run| run.windows(2).all(goes_on))
    };
    let has_word = |word: &&str| token.windows(word.len()).any(|w| w.eq_ignore_ascii_case(word.as_bytes()));
    seen.count_ones() < VARIETY || has_run(4, 0) || has_run(6, 1) || MADE_UP.iter().any(has_word)
}
