//! Finds the parts of a text that are to be replaced.
//!
//! Everything except the patterns of the configuration is searched in the text without its escapes,
//! so it is also found in JSON that is quoted in other JSON. Patterns are searched in each string
//! of JSON by itself, so their matches never include the syntax around it.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::Kind;
use super::names::{Names, homes};
use super::pieces::{PieceKind, for_each_piece, is_number};
use super::words::{decoded_end, is_of_word};
use crate::config::{EXTENSIONS, RedactSettings};
use crate::document::Language;
use crate::never::OrNever;
use crate::rules::secrets::secrets;
use crate::text::Unescaped;

/// Maximum number of characters of the word that is examined on each side of a match.
const WORD: usize = 256;
/// Maximum number of bytes of a pseudonym.
const LONGEST: usize = 40;
/// Maximum number of characters of the local part of a mail address, and of bytes of its domain.
const LOCAL: usize = 64;
/// Maximum number of characters of a path that are searched for its drive.
const PATH: usize = 256;
const LONGEST_DOMAIN: usize = 256;
/// Local parts of addresses that belong to no person.
const NO_PERSON: &[&str] = &["git", "no-reply", "noreply", "donotreply", "do-not-reply"];
/// Domains of examples (RFC 2606).
const EXAMPLES: &[&str] =
    &["example.com", "example.net", "example.org", "example", "invalid", "localhost", "test"];
/// Endings of files that are no domains.
const FILES: &[&str] = &[
    "avif", "bmp", "bz2", "cfg", "cjs", "conf", "css", "dylib", "exe", "gif", "go", "gz", "html", "ico",
    "jar", "java", "jpeg", "jpg", "js", "json", "jsx", "lock", "log", "mjs", "mp4", "pdf", "php", "png",
    "scss", "service", "sock", "socket", "svg", "tar", "tgz", "timer", "toml", "ts", "tsx", "txt", "vue",
    "webp", "whl", "xml", "xz", "yaml", "yml",
];

/// The domain of a mail address, and its ending. Text in a script without spaces may follow it.
static DOMAIN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let label = r"[\p{L}\p{M}\p{N}-]+";
    let ending = r"xn--[A-Za-z0-9-]+|[A-Za-z]{2,24}|[\p{L}&&[^A-Za-z]][\p{L}\p{M}&&[^A-Za-z]]+";
    Regex::new(&format!(r"^({label}(?:\.{label})*\.({ending}))(?:[^0-9A-Za-z]|$)")).never_none()
});
/// Words end by ASCII: the fast engines of `regex` do not find their ends by Unicode.
static PSEUDONYM: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern = r"\[(?:secret|redacted)-[0-9]+\]|(?-u:\b)user[0-9]+(?:@example\.com)?(?-u:\b)";
    Regex::new(pattern).never_none()
});

/// True for the extensions of transcripts, and for extensions of other files that are no ends of
/// domains.
pub(super) fn is_extension(text: &str) -> bool {
    let text = text.to_lowercase();
    [FILES, &EXTENSIONS, &["chat", "messages", "traj", "trajectory"]].iter().any(|all| all.contains(&&*text))
}

/// Something to replace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub kind: Kind,
    /// Its place in the text, with escapes.
    pub range: Range<usize>,
    /// The text that equal occurrences have in common.
    pub original: String,
    /// True if it is a number of JSON, which is replaced by a number.
    pub is_number: bool,
}

/// The patterns and exceptions of a configuration.
#[derive(Debug, Default)]
pub(super) struct Rules {
    patterns: Vec<Regex>,
    /// The texts that stay, in lower case.
    keep: HashSet<String>,
}

impl Rules {
    /// The patterns of `settings`. The error is the reason why a pattern is invalid.
    pub fn of(settings: &RedactSettings) -> Result<Self, String> {
        Ok(Self {
            patterns: settings
                .patterns
                .iter()
                .map(|it| RedactSettings::pattern(it))
                .collect::<Result<_, _>>()?,
            keep: settings.keep.iter().map(|text| text.to_lowercase()).collect(),
        })
    }
}

/// A mail address in a text.
struct MailAddress<'t> {
    range: Range<usize>,
    /// The place of its `@`.
    sign: Range<usize>,
    /// The last part of the domain.
    ending: &'t str,
}

/// The mail addresses in `text`, in order; also with `%40`, as in URLs.
fn mails(text: &str) -> impl Iterator<Item = MailAddress<'_>> {
    let mut last = 0;
    memchr::memchr2_iter(b'@', b'%', text.as_bytes()).filter_map(move |at| {
        let sign = ["@", "%40"].into_iter().find(|sign| text.get(at..).or_never().starts_with(sign))?;
        let start = at - local_len(text.get(last..at)?)?;
        let behind = text.get(at + sign.len()..)?;
        let found = DOMAIN.as_ref()?.captures(behind.get(..behind.floor_char_boundary(LONGEST_DOMAIN))?)?;
        let [domain, ending] = [found.get(1)?, found.get(2)?].map(|it| it.as_str());
        last = at + sign.len() + domain.len();
        Some(MailAddress { range: start..last, sign: at..at + sign.len(), ending })
    })
}

/// The length of the local part of a mail address at the end of `before`. One that is encoded as
/// in URLs may have a `+`, but no quote before it. A `_` before it is a mark of emphasis.
fn local_len(before: &str) -> Option<usize> {
    let is_local = |c: &char| is_of_word(*c) || matches!(c, '.' | '%' | '+' | '-');
    let len: usize = before.chars().rev().take(LOCAL).take_while(is_local).map(char::len_utf8).sum();
    let local = before.get(before.len() - len..)?;
    // A part of an encoded letter is no other character.
    let ends_in_other = |end: String| {
        end.chars().next_back().is_some_and(|last| !is_local(&last) && last != char::REPLACEMENT_CHARACTER)
    };
    let is_other = |at: &usize| local.get(..*at).and_then(decoded_end).is_some_and(ends_in_other);
    let local = local.get((1..=len).rev().find(is_other).unwrap_or(0)..)?;
    Some(local.len() - local.find(char::is_alphanumeric)?)
}

/// A search of texts.
pub(super) struct Search<'a> {
    pub names: &'a Names,
    /// Ids of calls and names of tools.
    pub words: &'a HashSet<String>,
    pub rules: &'a Rules,
}

impl Search<'_> {
    /// The parts of `text` to replace, in order and without overlaps. Adds the offsets of names and
    /// ids that are not replaced to `left`.
    pub fn find(&self, text: &str, language: Language, left: &mut Vec<usize>) -> Vec<Found> {
        let plain = Unescaped::new(text);
        let mut found: Vec<_> =
            secrets(text).into_iter().map(|it| found(Kind::Secret, it.whole, it.token)).collect();
        self.find_homes(&plain, !language.is_prose(), &mut found);
        self.find_names(&plain, language, left, &mut found);
        self.find_mails(&plain, &mut found);
        self.find_patterns(text, language, left, &mut found);
        let mut found = without_overlaps(found, text);
        if !language.is_prose() {
            found.retain_mut(|it| clear_of_escapes(text, &mut it.range));
        }
        found
    }

    fn find_homes(&self, plain: &Unescaped<'_>, is_json: bool, to: &mut Vec<Found>) {
        for home in homes(plain, is_json) {
            if (home.is_free || self.names.has(&home.key)) && !self.is_kept(&home.key) {
                to.push(found(Kind::Home, plain.source_range(&home.name), home.key));
            }
        }
    }

    fn find_names(
        &self,
        plain: &Unescaped<'_>,
        language: Language,
        left: &mut Vec<usize>,
        to: &mut Vec<Found>,
    ) {
        for range in self.names.words_in(plain.text()) {
            let name = plain.text().get(range.clone()).or_never();
            if self.is_kept(name) || may_be_escape(plain, language, &range) {
                continue;
            }
            if self.is_syntax(plain.text(), &range) {
                left.push(plain.source_range(&range).start);
                continue;
            }
            to.push(found(Kind::Name, plain.source_range(&range), name.to_lowercase()));
        }
    }

    fn find_mails(&self, plain: &Unescaped<'_>, to: &mut Vec<Found>) {
        let text = plain.text();
        for MailAddress { range: Range { mut start, end }, sign, ending } in mails(text) {
            // The letter of a line end is no part of an address.
            if text.get(..start).or_never().ends_with('\\')
                && text.get(start..).or_never().starts_with(['b', 'f', 'n', 'r', 't'])
            {
                start += 1;
            }
            // Nor is the sign of a line in a diff, before a decorator, or a mark of emphasis.
            let local = text.get(start..sign.start).or_never();
            start += local.len() - local.trim_start_matches(['-', '+', '.', '%', '_']).len();
            let local = text.get(start..sign.start).or_never().to_lowercase();
            let domain = text.get(sign.end..end).or_never().to_lowercase();
            let address = format!("{local}@{domain}");
            let is_example = EXAMPLES.iter().any(|example| {
                domain.strip_suffix(example).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            });
            let is_file = FILES.contains(&ending.to_lowercase().as_str());
            if local.is_empty()
                || NO_PERSON.contains(&local.as_str())
                || is_example
                || is_file
                || self.is_kept(&address)
            {
                continue;
            }
            to.push(found(Kind::Mail, plain.source_range(&(start..end)), address));
        }
    }

    fn find_patterns(&self, text: &str, language: Language, left: &mut Vec<usize>, to: &mut Vec<Found>) {
        if self.rules.patterns.is_empty() {
            return;
        }
        let mut search = |range: Range<usize>, kind: PieceKind| {
            let plain = Unescaped::new(text.get(range.clone()).or_never());
            for it in self.rules.patterns.iter().flat_map(|pattern| pattern.find_iter(plain.text())) {
                let place = it.range();
                if place.is_empty() || is_pseudonym(plain.text(), &place) || self.is_kept(it.as_str()) {
                    continue;
                }
                let source = plain.source_range(&place);
                let source = range.start + source.start..range.start + source.end;
                if let Some(number) = number_around(text, &source, kind) {
                    let is_zero = text.get(number.clone()) == Some("0");
                    let zero = Found { is_number: true, ..found(Kind::Pattern, number, String::new()) };
                    to.extend((!is_zero).then_some(zero));
                } else if self.is_syntax(plain.text(), &place) || is_key(text, &range, kind) {
                    left.push(source.start);
                } else {
                    to.push(found(Kind::Pattern, source, it.as_str().to_owned()));
                }
            }
        };
        match language {
            Language::Markdown | Language::Org => search(0..text.len(), PieceKind::Text),
            _ => for_each_piece(text, &mut search),
        }
    }

    fn is_kept(&self, text: &str) -> bool {
        !self.rules.keep.is_empty() && self.rules.keep.contains(&text.to_lowercase())
    }

    /// True if the word around `range` is the name of a member or of a tool, or the id of a call.
    fn is_syntax(&self, plain: &str, range: &Range<usize>) -> bool {
        let is_word = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '$' | ':');
        let [before, behind] = [plain.get(..range.start).or_never(), plain.get(range.end..).or_never()];
        let ahead: usize = before.chars().rev().take(WORD).take_while(is_word).map(char::len_utf8).sum();
        let after: usize = behind.chars().take(WORD).take_while(is_word).map(char::len_utf8).sum();
        let word = plain.get(range.start - ahead..range.end + after).or_never();
        if self.words.contains(word) {
            return true;
        }
        let is_name = word.chars().all(|c| is_word(&c)) && !word.starts_with('-');
        let [before, behind] = [&before[..before.len() - ahead], &behind[after..]];
        let is_followed =
            || behind.strip_prefix('"').is_some_and(|rest| rest.trim_start_matches(' ').starts_with(':'));
        is_name && before.ends_with('"') && is_followed()
    }
}

fn found(kind: Kind, range: Range<usize>, original: String) -> Found {
    Found { kind, range, original, is_number: false }
}

/// True if the first letter of the word at `range` may belong to an escape such as `\n`: not if it
/// is a folder in a path, which in prose is not escaped.
fn may_be_escape(plain: &Unescaped<'_>, language: Language, range: &Range<usize>) -> bool {
    let (text, before) = (plain.text(), plain.text().get(..range.start).or_never());
    if !before.ends_with('\\') {
        return false;
    }
    let is_folder = text.get(range.end..).or_never().starts_with('\\');
    if is_folder && language.is_prose() && ends_in_windows_path(before) {
        return false;
    }
    plain.begins_in_escape(range.start)
        || (!is_folder && text.get(range.start..).or_never().starts_with(['b', 'f', 'n', 'r', 't', 'u']))
}

/// True if `before` ends in a path that begins with a drive.
fn ends_in_windows_path(before: &str) -> bool {
    let is_of_path = |c: &char| c.is_alphanumeric() || matches!(c, '\\' | ':' | '_' | '.' | '-' | ' ');
    let len: usize = before.chars().rev().take(PATH).take_while(is_of_path).map(char::len_utf8).sum();
    let path = before.get(before.len() - len..).or_never();
    path.match_indices(":\\")
        .any(|(at, _)| path.get(..at).or_never().ends_with(|c: char| c.is_ascii_alphabetic()))
}

/// The JSON number around `range`; `None` if it is not a number.
fn number_around(text: &str, range: &Range<usize>, kind: PieceKind) -> Option<Range<usize>> {
    let has_digit = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-');
    let bytes = text.as_bytes();
    if !bytes.get(range.clone())?.iter().all(has_digit) {
        return None;
    }
    let ahead = bytes.get(..range.start)?.iter().rev().take(WORD).take_while(|it| has_digit(it)).count();
    let after = bytes.get(range.end..)?.iter().take(WORD).take_while(|it| has_digit(it)).count();
    let whole = range.start - ahead..range.end + after;
    if !is_number(text.get(whole.clone())?) {
        return None;
    }
    let before = text.get(..whole.start)?.trim_end_matches(' ');
    let behind = text.get(whole.end..)?.trim_start_matches(' ');
    let is_value = || before.ends_with([':', '[', ',']) && behind.starts_with([',', '}', ']', '\n', '\r']);
    (kind == PieceKind::Number || is_value()).then_some(whole)
}

/// True if `string`, the content of a string, is the name of a member.
fn is_key(text: &str, string: &Range<usize>, kind: PieceKind) -> bool {
    let content = text.get(string.clone()).or_never();
    let is_name =
        content.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'$'));
    let behind = || text.get(string.end + 1..).unwrap_or_default().trim_start_matches([' ', '\t']);
    kind == PieceKind::String && is_name && behind().starts_with(':')
}

/// True if `range` of `plain` is part of a pseudonym, or has no words but pseudonyms.
fn is_pseudonym(plain: &str, range: &Range<usize>) -> bool {
    let from = plain.floor_char_boundary(range.start.saturating_sub(LONGEST));
    let to = plain.floor_char_boundary(range.end.saturating_add(LONGEST));
    let around = plain.get(from..to).or_never();
    let mut at = range.start;
    let mut is_any = false;
    for found in PSEUDONYM.iter().flat_map(|pattern| pattern.find_iter(around)) {
        let (start, end) = (from + found.start(), from + found.end());
        if start <= range.start && range.end <= end {
            return true;
        }
        if end <= range.start || start >= range.end {
            continue;
        }
        is_any = true;
        if plain.get(at..start.max(at)).or_never().contains(char::is_alphanumeric) {
            return false;
        }
        at = end.min(range.end);
    }
    is_any && !plain.get(at..range.end).or_never().contains(char::is_alphanumeric)
}

/// `found` in order, with overlapping ranges joined.
fn without_overlaps(mut found: Vec<Found>, text: &str) -> Vec<Found> {
    found.sort_by_key(|it| (it.range.start, it.range.end));
    let mut merged: Vec<Found> = Vec::with_capacity(found.len());
    for it in found {
        match merged.last_mut() {
            // A token before the host of a URL looks like a mail address.
            Some(Found { kind: Kind::Secret, range, .. })
                if it.kind == Kind::Mail && range.start == it.range.start => {}
            Some(last) if it.range.start < last.range.end => {
                let range = last.range.start..last.range.end.max(it.range.end);
                if it.kind > last.kind {
                    *last = it;
                }
                if last.range != range {
                    (last.original, last.is_number) = (String::new(), false);
                }
                last.range = range;
            }
            _ => merged.push(it),
        }
    }
    for it in merged.iter_mut().filter(|it| it.original.is_empty()) {
        text.get(it.range.clone()).or_never().clone_into(&mut it.original);
    }
    merged
}

/// Moves the ends of `range` out of escapes. Returns false if nothing is left.
fn clear_of_escapes(text: &str, range: &mut Range<usize>) -> bool {
    if let Some(escape) = escape_around(text.as_bytes(), range.start) {
        range.start = escape.end;
    }
    if let Some(escape) = escape_around(text.as_bytes(), range.end) {
        range.end = escape.start;
    }
    range.start < range.end
}

/// The escape that has `at` in it, after its backslash.
fn escape_around(text: &[u8], at: usize) -> Option<Range<usize>> {
    let start = (at.saturating_sub(5)..at).rev().find(|start| text.get(*start) == Some(&b'\\'))?;
    let run = text.get(..=start)?.iter().rev().take_while(|byte| **byte == b'\\').count();
    let len = match text.get(start + 1)? {
        b'u' if text.get(start + 2..start + 6)?.iter().all(u8::is_ascii_hexdigit) => 6,
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => 2,
        _ => return None,
    };
    (run % 2 == 1 && at < start + len).then_some(start..(start + len).min(text.len()))
}
