//! The names of users, found as the names of home folders.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use percent_encoding::percent_decode_str;
use regex::{Regex, RegexBuilder};

use super::words::{begins_inside_word, is_inside_word, is_joined, is_letter};
use crate::document::{Document, Language};
use crate::never::OrNever;
use crate::text::Unescaped;

/// Names of accounts that belong to no person, and names of pages and folders that stand in the
/// same places; `all users` is one, too.
const NOBODY: &str = "\
    about admin administrator agent anonymous app assistant bar builder circleci claude coder \
    codespace codex container dashboard data datasets default deploy dev developer docker ec2-user \
    example false foo function git gitpod guest home index jenkins jovyan linuxbrew login me message \
    model name nobody node node_modules none null oai openhands page person project public root \
    runner runneradmin sandbox server service settings share shared someone src sysadmin system test \
    testuser text tool true ubuntu user username users vagrant vscode work workspace you your-name \
    your-user your-username yourname yourusername";
/// File extensions: `/home/index.html` is a page of a site.
const FILES: &[&str] =
    &[".css", ".html", ".js", ".json", ".jsx", ".md", ".php", ".py", ".ts", ".tsx", ".vue"];
/// Folders that have the homes of a system.
const MOUNTS: &[&str] = &["://file", "/Volumes/Data", "/export", "/host", "/mnt", "/rootfs", "/var"];
/// Minimum number of letters of a name that is also replaced elsewhere.
const LEAST: usize = 3;
/// Minimum number of letters of a name that is also replaced within an identifier such as
/// `name_tool`: shorter ones are parts of many words.
const LEAST_IN_IDENTIFIER: usize = 5;

/// The first letter of a user's name with the path before it: of Unix, also encoded as in URLs; of
/// Windows, with a drive, in any case, or without one; the folder of a project, named by its path;
/// a path of another machine.
static HOME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let slash = r"(?:[\\/]|%5[Cc]|%2[Ff])";
    // A class of all letters would make a repetition large, and the search slow.
    let host = r"[0-9A-Za-z_.$\-[^\x00-\x7F]]{1,64}";
    let folder = r"[0-9A-Za-z_.$ \-[^\x00-\x7F]]{1,64}";
    let unix = r"/home/|/Users/|%2[Ff](?:home|Users)%2[Ff]|/(?:mnt|cygdrive)/[A-Za-z]/users/";
    let windows = format!(r"[A-Za-z](?::|%3[Aa]){slash}(?i-u:Users){slash}|\\Users\\");
    let project = r#"[\\/"](?:(?:[A-Za-z]-)?-(?:home|Users)|[A-Za-z]--users)-"#;
    let remote = format!(r"\\{host}\\(?:{folder}\\)?(?:home|Users)\\");
    let letter = r"[\p{L}\p{N}_]|%[C-Fc-f][0-9A-Fa-f]";
    let pattern = format!("(?:({unix})|({windows})|({project})|({remote}))({letter})");
    Regex::new(&pattern).never_none()
});
/// Maximum number of letters of the name of a home folder.
const MOST: usize = 64;
/// Maximum number of bytes that are searched for the end of emphasis.
const LONGEST_PATH: usize = 512;

static PSEUDONYM: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern = r"(?:(?-u:\b)|_)user([0-9]{1,6})(?:(?-u:\b)|_)|\[(secret|redacted)-([0-9]{1,6})\]";
    Regex::new(pattern).never_none()
});

/// The names, ids and pseudonyms of a document, which matter for all of them.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The names of home folders, in order; true if the name is certainly one.
    pub(super) names: Vec<(String, bool)>,
    /// Ids of calls and names of tools.
    pub(super) words: HashSet<String>,
    /// The numbers of pseudonyms.
    pub(super) people: HashSet<usize>,
    pub(super) secrets: HashSet<usize>,
    pub(super) texts: HashSet<usize>,
}

impl Seen {
    /// Collects them from `document`.
    pub fn of(document: &Document) -> Self {
        let mut seen = Self::default();
        seen.read_all(&document.text().to_string(), document.language() != Language::Markdown);
        if let Some(joined) = document.delta_text() {
            seen.read_all(&joined.text().to_string(), false);
        }
        document
            .for_each_tool_use(|tool_use| seen.words.extend(tool_use.id.into_iter().chain(tool_use.name)));
        seen
    }

    /// Collects them from `text`, such as the name of a file.
    pub fn read(&mut self, text: &str) {
        self.read_all(text, false);
    }

    fn read_all(&mut self, text: &str, is_json: bool) {
        let plain = Unescaped::new(text);
        let mut known = HashSet::new();
        for home in homes(&plain, is_json).filter(|home| home.is_free) {
            if known.insert((home.key.clone(), home.is_certain)) {
                self.names.push((home.key, home.is_certain));
            }
        }
        for found in PSEUDONYM.iter().flat_map(|pattern| pattern.captures_iter(text)) {
            let number = |group| found.get(group).and_then(|it| it.as_str().parse::<usize>().ok());
            self.people.extend(number(1));
            match found.get(2).map(|it| it.as_str()) {
                Some("secret") => self.secrets.extend(number(3)),
                _ => self.texts.extend(number(3)),
            }
        }
    }

    /// Adds the names of a later document.
    pub fn add(&mut self, other: Self) {
        self.names.extend(other.names);
        self.words.extend(other.words);
        self.people.extend(other.people);
        self.secrets.extend(other.secrets);
        self.texts.extend(other.texts);
    }
}

/// A home folder in a text without escapes.
pub(super) struct HomeFolder {
    /// The name of its user.
    pub name: Range<usize>,
    /// The name in lower case, decoded.
    pub key: String,
    /// True if a path may begin at its start; otherwise it may be a folder within a project.
    pub is_free: bool,
    /// True if it is hardly a page of a site or the like.
    pub is_certain: bool,
}

/// The home folders in a text without escapes, in order.
pub(super) fn homes<'t>(text: &'t Unescaped<'_>, is_json: bool) -> impl Iterator<Item = HomeFolder> + 't {
    let plain = text.text();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let found = HOME.as_ref()?.captures_at(plain, at)?;
            let [start, name] = [found.get(0)?, found.get(5)?].map(|it| it.start());
            let path = plain.get(start..name)?;
            let [is_windows, is_dashed, is_remote] = [2, 3, 4].map(|group| found.get(group).is_some());
            let before = plain.get(..start)?;
            let is_share = path.starts_with('/') && ends_in_share(before);
            let (letters, rest) = letters_of_name(plain.get(name..)?);
            let may_have_spaces = is_windows || is_remote || is_share;
            let range = name..name + name_len(letters, rest, may_have_spaces, is_dashed);
            at = range.end.max(start + 1);
            while !plain.is_char_boundary(at) {
                at += 1;
            }
            let key = decoded(plain.get(range.clone())?).to_lowercase();
            let behind = plain.get(range.end..)?;
            let is_path = begins_with_slash(behind);
            // An option of a program may look like the folder of a project.
            let is_option = is_dashed && path.starts_with('"') && !behind.starts_with('-');
            // The path of another machine begins with twice the backslashes that separate folders.
            let backslashes = |at: usize| text.source_range(&(at..at + 1)).len();
            let is_whole_remote = is_remote && backslashes(start) == 2 * backslashes(name - 1);
            let is_line_end = is_json && text.begins_in_escape(range.start);
            if is_nobody(&key)
                || is_option
                || is_line_end
                || (!is_path
                    && (is_remote && !is_whole_remote || FILES.iter().any(|ending| key.ends_with(ending))))
            {
                continue;
            }
            let is_unix = !is_windows && !is_dashed;
            // A relative path may also lead to a folder of a project.
            let is_certain = !is_unix
                || (is_path || is_whole_remote || path.starts_with("/Users")) && !before.ends_with('.');
            let is_free_behind = || is_free_path(before_emphasis(before, plain.get(name..).or_never()));
            let is_free = match path.starts_with('%') {
                true => is_free_path(&decoded(tail(before))),
                // Routes of a site are `/users/`, and `\Users\` may be within another path.
                false if is_windows => !path.starts_with('\\') && path.contains("Users") || is_free_behind(),
                false => !is_unix || is_share || is_free_behind() && !(is_remote && before.ends_with(':')),
            };
            return Some(HomeFolder { name: range, key, is_free, is_certain });
        }
    })
}

/// The letters of the name that `text` begins with, which may be more than the name, and the rest.
fn letters_of_name(text: &str) -> (&str, &str) {
    let mut behind = text;
    for _ in 0..MOST {
        let mut rest = behind.chars();
        behind = match rest.next() {
            Some('%') if is_encoded(behind) => behind.get(3..).or_never(),
            Some(c) if is_letter(c) || matches!(c, '.' | ' ' | '-') => rest.as_str(),
            _ => break,
        };
    }
    text.split_at(text.len() - behind.len())
}

/// True if `text` begins with a space or a byte of a letter beyond ASCII, encoded as in URLs.
fn is_encoded(text: &str) -> bool {
    let is_hex = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_hexdigit);
    let is_high = matches!(text.as_bytes().get(1), Some(b'8' | b'9' | b'A'..=b'F' | b'a'..=b'f'));
    text.starts_with("%20") || is_high && is_hex(2)
}

/// The end of `text`, as far as [`is_free_path`] looks.
fn tail(text: &str) -> &str {
    text.get(text.floor_char_boundary(text.len().saturating_sub(64))..).or_never()
}

/// `text` without the encoding of URLs.
fn decoded(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8_lossy()
}

fn begins_with_slash(text: &str) -> bool {
    ["/", "\\", "%2F", "%2f", "%5C", "%5c"].iter().any(|slash| text.starts_with(slash))
}

/// The length of the name that `text` begins with, where `rest` follows.
fn name_len(text: &str, rest: &str, is_windows: bool, is_dashed: bool) -> usize {
    let end = |ends: fn(char) -> bool| text.find(ends).unwrap_or(text.len());
    let word = end(|c| c == ' ');
    let behind_word = if word < text.len() { "" } else { rest };
    // Only the following characters show whether a name contains spaces.
    let len = match () {
        () if is_dashed => end(|c| matches!(c, ' ' | '-' | '.')),
        () if is_windows && begins_with_slash(rest) => text.len(),
        () if begins_with_slash(behind_word) => word,
        () => {
            let word = text.get(..word).or_never();
            // A sentence may go on after the name without a space, and emphasis may end there.
            let sentence = word.find(is_joined).filter(|at| *at > 0);
            let word = word.get(..word.find("%20").or(sentence).unwrap_or(word.len())).or_never();
            word.trim_end_matches(['_', '.', '-']).len()
        }
    };
    text.get(..len).or_never().trim_end_matches(['.', '-', ' ']).len()
}

/// True if a path may begin after `before`.
fn is_free_path(before: &str) -> bool {
    let is_option = || {
        let mut last = before.chars().rev();
        last.next().is_some_and(|c| c.is_ascii_alphabetic())
            && last.next() == Some('-')
            && last.next().is_none_or(|c| c.is_whitespace() || c == '"')
    };
    let is_drive = || {
        let drive = before.strip_suffix(|c: char| c.is_ascii_alphabetic());
        let folder = drive.and_then(|folder| folder.strip_suffix('/'));
        folder.is_some_and(|folder| {
            ["/mnt", "/cygdrive"].iter().any(|mount| folder.ends_with(mount)) || !is_inside_word(folder)
        })
    };
    let is_in_path =
        is_inside_word(before) || before.ends_with(['.', '-', '_', '~', '}', ')', '%', '*', '$']);
    !is_in_path
        || MOUNTS.iter().any(|mount| before.ends_with(mount))
        || is_option()
        || is_drive()
        || is_climb(before)
}

/// True if `before` is the beginning of a path such as `../../home`. In quotes and links, that is
/// mostly one of the same project, unless it is a value of JSON.
fn is_climb(before: &str) -> bool {
    let start = before.trim_end_matches(['.', '/']);
    let climb = before.get(start.len()..).or_never();
    let is_value = || [r#"":""#, r#"": ""#].iter().any(|quote| start.ends_with(quote));
    climb.ends_with("../..")
        && climb.split('/').all(|step| step == "..")
        && !is_inside_word(start)
        && (is_value() || !start.ends_with(['"', '\'', '(', '<', '=']))
}

/// `before`, the text before the path of a home, without the marks of bold or italic Markdown at
/// its end; `name` is the text after the path. The marks stay if they belong to a glob such as
/// `**/home/a/**`.
fn before_emphasis<'t>(before: &'t str, name: &str) -> &'t str {
    let outside = before.trim_end_matches(['*', '_']);
    let marks = before.get(outside.len()..).or_never();
    if marks.is_empty() {
        return before;
    }
    let name = name.get(..name.floor_char_boundary(LONGEST_PATH)).or_never();
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '\\' | ',' | ')');
    let (path, behind) = name.split_at(name.find(ends).unwrap_or(name.len()));
    let inside = path.split_once(marks).map(|(inside, _)| inside);
    let is_glob = match inside {
        Some(inside) => inside.ends_with('/') || inside.contains('*'),
        None => {
            let quote = outside.chars().next_back().filter(|c| matches!(c, '"' | '\'' | '`'));
            path.contains('*') || quote.is_some_and(|quote| behind.starts_with(quote))
        }
    };
    if is_glob || outside.ends_with(['/', '!']) { before } else { outside }
}

/// True if `before` ends in a folder of another machine, such as `//server` or `//wsl$/Ubuntu`. A
/// name with a dot may be the site of a link without a scheme.
fn ends_in_share(before: &str) -> bool {
    let inside = tail(before).rsplit_once("//").map(|(_, inside)| inside);
    let outside = inside.and_then(|inside| before.strip_suffix(inside)?.strip_suffix("//"));
    let Some((inside, outside)) = inside.zip(outside) else { return false };
    let (host, folder) = inside.split_once('/').unwrap_or((inside, ""));
    let is_host = !host.is_empty() && host.chars().all(|c| is_letter(c) || matches!(c, '$' | '%' | '-'));
    (is_host || host == "wsl.localhost")
        && !folder.contains('/')
        && (["file:", "vscode-remote:"].iter().any(|scheme| outside.ends_with(scheme))
            || !is_inside_word(outside) && !outside.ends_with([':', '/', '.', ')']))
}

/// True for a name that identifies no person.
fn is_nobody(name: &str) -> bool {
    let name = name.to_lowercase();
    let is_numbered =
        || name.strip_prefix("user").is_some_and(|rest| rest.bytes().all(|it| it.is_ascii_digit()));
    !name.contains(char::is_alphabetic)
        || NOBODY.split(' ').any(|known| known == name)
        || name == "all users"
        || is_numbered()
}

/// The names of users in all documents.
#[derive(Debug)]
pub(super) struct Names {
    in_order: Vec<String>,
    all: HashSet<String>,
    search: Option<AhoCorasick>,
    /// The search for names with letters that are not ASCII.
    search_others: Option<Regex>,
}

impl Names {
    pub fn new(seen: Vec<(String, bool)>) -> Self {
        let is_long = |name: &str| name.chars().filter(|c| c.is_alphanumeric()).count() >= LEAST;
        let certain = seen.iter().filter(|(name, is_certain)| *is_certain && is_long(name));
        let words: BTreeSet<_> = certain.map(|(name, _)| name.as_str()).collect();
        let (words, others): (Vec<_>, Vec<_>) = words.into_iter().partition(|name| name.is_ascii());
        let mut builder = AhoCorasick::builder();
        builder.match_kind(MatchKind::LeftmostLongest).ascii_case_insensitive(true);
        let search = builder.build(&words).never_none().filter(|_| !words.is_empty());
        let search_others = in_any_case(others);
        let mut all = HashSet::new();
        let in_order =
            seen.into_iter().map(|(name, _)| name).filter(|name| all.insert(name.clone())).collect();
        Self { in_order, all, search, search_others }
    }

    pub fn in_order(&self) -> impl Iterator<Item = &str> {
        self.in_order.iter().map(String::as_str)
    }

    /// True if a home folder in any document has the name `name`.
    pub fn has(&self, name: &str) -> bool {
        self.all.contains(&name.to_lowercase())
    }

    /// The places in `plain` that have a name as a whole word; a longer one also beside `_`, and
    /// with the digits after it.
    pub fn words_in<'t>(&'t self, plain: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
        let found = self.search.iter().flat_map(move |search| search.find_iter(plain)).map(|it| it.range());
        let others =
            self.search_others.iter().flat_map(move |search| search.find_iter(plain)).map(|it| it.range());
        found.chain(others).filter_map(move |Range { start, mut end }| {
            let letters = plain.get(start..end).or_never().chars().filter(|c| c.is_alphabetic());
            let is_long = letters.count() >= LEAST_IN_IDENTIFIER;
            if is_long {
                end += plain.get(end..).or_never().bytes().take_while(u8::is_ascii_digit).count();
            }
            let before = plain.get(..start).or_never();
            let behind = plain.get(end..).or_never();
            let is_start = !is_inside_word(before) || is_long && before.ends_with('_');
            let is_end = !begins_inside_word(behind) || is_long && behind.starts_with('_');
            (is_start && is_end).then_some(start..end)
        })
    }
}

/// A search for `names` in any case; of two that begin at one place, it finds the longer one.
fn in_any_case(mut names: Vec<&str>) -> Option<Regex> {
    if names.is_empty() {
        return None;
    }
    names.sort_by_key(|name| Reverse(name.len()));
    let names: Vec<_> = names.into_iter().map(regex::escape).collect();
    RegexBuilder::new(&names.join("|")).case_insensitive(true).size_limit(usize::MAX).build().never_none()
}
