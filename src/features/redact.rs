//! Redacts a document: makes a copy that can be shared, with stable pseudonyms for secrets, for the
//! names of home folders and other occurrences of these names, for mail addresses, and for matches
//! of configured patterns.
//!
//! First all documents are searched for names and for the pseudonyms that they already contain
//! ([`Seen`]), so that a name from one of them is replaced in all. A pseudonym is plain ASCII
//! without quotes and backslashes, so it is valid in a string however often it is quoted. The
//! result is searched again, until a search finds nothing.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use serde::de::IgnoredAny;

use crate::document::{Document, Language};
use crate::never::OrNever;
use crate::text::Text;
use crate::text::edit::{DocumentEdit, applied};

mod find;
mod names;
mod pieces;
#[cfg(test)]
mod tests;
mod words;

use find::{Found, Rules, Search, is_extension};
use names::Names;
pub use names::Seen;

/// Maximum number of passes over a text: a replacement may create a new match of a pattern.
const ROUNDS: usize = 4;

/// A kind of replaced text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// A name that a home folder has, anywhere else.
    Name,
    /// The name in the path of a home folder.
    Home,
    Mail,
    Secret,
    /// A match of a pattern of the configuration.
    Pattern,
}

/// Numbers of replacements by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RedactionCounts(BTreeMap<Kind, usize>);

impl fmt::Display for RedactionCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            (Kind::Secret, "secret", "secrets"),
            (Kind::Home, "home folder", "home folders"),
            (Kind::Name, "user name", "user names"),
            (Kind::Mail, "mail address", "mail addresses"),
            (Kind::Pattern, "match of a pattern", "matches of patterns"),
        ];
        let mut before = "";
        for (kind, one, several) in words {
            let Some(count) = self.0.get(&kind) else { continue };
            write!(f, "{before}{count} {}", if *count == 1 { one } else { several })?;
            before = ", ";
        }
        if before.is_empty() { f.write_str("nothing") } else { Ok(()) }
    }
}

/// A text with pseudonyms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedactedText {
    /// The text.
    pub text: String,
    /// The words that were not replaced, if any.
    pub left: Option<LeftWords>,
}

/// Words that would be replaced, and stay because they are names of members or tools, or ids of
/// calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftWords {
    /// The line of the first one, from 0.
    pub line: usize,
    count: usize,
}

impl LeftWords {
    fn of(text: &str, offsets: &[usize]) -> Option<Self> {
        let first = *offsets.iter().min()?;
        Some(Self { line: line_of(text, first), count: offsets.len() })
    }
}

impl fmt::Display for LeftWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            1 => f.write_str("1 word is left that is the name of a member or a tool, or the id of a call"),
            count => write!(f, "{count} words are left that are names of members or tools, or ids of calls"),
        }
    }
}

/// The reason why a document cannot be redacted, with its line from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedactionError {
    /// A pattern of the configuration is invalid, for this reason.
    Pattern(String),
    /// Something is left that would be replaced.
    Left(usize),
    /// The line is JSON, and would not be any more.
    NoJson(usize),
}

impl RedactionError {
    /// Its line from 0, if it has one.
    pub fn line(&self) -> Option<usize> {
        match self {
            Self::Pattern(_) => None,
            Self::Left(line) | Self::NoJson(line) => Some(*line),
        }
    }
}

impl fmt::Display for RedactionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pattern(reason) => write!(f, "in `[redact]`, {reason}"),
            Self::Left(_) => {
                f.write_str("something is left that would be replaced; `keep` in `[redact]` allows it")
            }
            Self::NoJson(_) => {
                f.write_str("this would not be JSON any more; a pattern in `[redact]` matches too much")
            }
        }
    }
}

/// A document of an editor with pseudonyms.
#[derive(Clone, Debug)]
pub struct RedactedDocument {
    /// The document.
    pub document: Document,
    /// Its name.
    pub name: String,
    /// A sentence without a full stop on the words that it still has, if any.
    pub left: Option<String>,
    /// The numbers of replacements in its text.
    pub counts: RedactionCounts,
}

/// A document of an editor, and its `name`, with pseudonyms.
///
/// # Errors
///
/// The errors of [`Redactor::redact`], in words.
pub fn redacted(document: &Document, name: &str) -> Result<RedactedDocument, String> {
    let mut seen = Seen::of(document);
    seen.read(&format!("/{name}"));
    let mut redactor = Redactor::new(seen);
    let RedactedText { text, left } = redactor.redact(document).map_err(|error| match error.line() {
        Some(line) => format!("line {}: {error}", line + 1),
        None => error.to_string(),
    })?;
    let name = redactor.redact_name(document, name);
    let settings = document.settings().clone();
    let document = Document::new(Text::new(&text), document.language(), settings);
    let left = left.map(|left| format!("line {}: {left}", left.line + 1));
    Ok(RedactedDocument { document, name, left, counts: redactor.counts() })
}

/// Replaces by pseudonyms, which are the same in all documents.
#[derive(Debug)]
pub struct Redactor {
    names: Names,
    /// Ids of calls and names of tools.
    words: HashSet<String>,
    people: Numbers,
    secrets: Numbers,
    texts: Numbers,
    /// The numbers of people whose mail addresses have pseudonyms.
    with_mail: HashSet<usize>,
    counts: RedactionCounts,
}

/// Assigns numbers of pseudonyms.
#[derive(Debug, Default)]
struct Numbers {
    known: HashMap<String, usize>,
    /// The numbers that are already used in the documents.
    used: HashSet<usize>,
    last: usize,
}

impl Numbers {
    fn of(&mut self, original: &str) -> usize {
        if let Some(number) = self.known.get(original) {
            return *number;
        }
        let number = self.free();
        self.known.insert(original.to_owned(), number);
        number
    }

    fn free(&mut self) -> usize {
        loop {
            self.last += 1;
            if !self.used.contains(&self.last) {
                return self.last;
            }
        }
    }
}

impl Redactor {
    /// A redactor for the documents from which `seen` was collected.
    pub fn new(seen: Seen) -> Self {
        let numbers = |used| Numbers { used, ..Numbers::default() };
        let mut people = numbers(seen.people);
        let names = Names::new(seen.names);
        names.in_order().for_each(|name| _ = people.of(name));
        Self {
            names,
            words: seen.words,
            people,
            secrets: numbers(seen.secrets),
            texts: numbers(seen.texts),
            with_mail: HashSet::new(),
            counts: RedactionCounts::default(),
        }
    }

    /// The numbers of replacements so far.
    pub fn counts(&self) -> RedactionCounts {
        self.counts.clone()
    }

    /// The text of `document` with pseudonyms.
    ///
    /// # Errors
    ///
    /// If a match cannot be replaced and is neither the name of a member or tool nor an id, or if
    /// valid JSON would become invalid.
    pub fn redact(&mut self, document: &Document) -> Result<RedactedText, RedactionError> {
        let rules = Rules::of(&document.settings().redact).map_err(RedactionError::Pattern)?;
        let before = document.text().to_string();
        let mut text = before.clone();
        let mut parted = document.delta_text().is_some().then(|| document.clone());
        let mut round = 0;
        loop {
            let mut left = Vec::new();
            let edits = self.edits(&text, document.language(), &rules, parted.as_ref(), &mut left);
            let Some((range, _)) = edits.first() else {
                return match first_broken(&before, &text, document.language()) {
                    None => Ok(RedactedText { left: LeftWords::of(&text, &left), text }),
                    Some(line) => Err(RedactionError::NoJson(line)),
                };
            };
            if round == ROUNDS {
                return Err(RedactionError::Left(line_of(&text, range.start)));
            }
            round += 1;
            text = applied(&text, &edits).or_never();
            if parted.is_some() {
                let settings = document.settings().clone();
                parted = Some(Document::new(Text::new(&text), document.language(), settings));
            }
        }
    }

    /// `name`, the name of the file of `document`, with pseudonyms. Its extensions stay: they may
    /// look like the end of an address.
    pub fn redact_name(&mut self, document: &Document, name: &str) -> String {
        let rules = Rules::of(&document.settings().redact).unwrap_or_default();
        let (stem, extensions) = name.split_at(stem_of(name).len());
        let counts = self.counts.clone();
        let edits = self.edits(stem, Language::Markdown, &rules, None, &mut Vec::new());
        self.counts = counts;
        applied(stem, &edits).or_never() + extensions
    }

    /// The edits for all matches in `text`, and in the delta text of `parted`, a log. Adds the
    /// offsets of words that are not replaced to `left`.
    fn edits(
        &mut self,
        text: &str,
        language: Language,
        rules: &Rules,
        parted: Option<&Document>,
        left: &mut Vec<usize>,
    ) -> Vec<DocumentEdit> {
        let search = Search { names: &self.names, words: &self.words, rules };
        let found = search.find(text, language, left);
        let joined = parted.and_then(|log| Some((log, log.delta_text()?.text().to_string())));
        let in_joined =
            joined.map(|(log, joined)| (log, search.find(&joined, Language::Markdown, &mut Vec::new())));
        let mut edits: Vec<DocumentEdit> =
            found.into_iter().map(|it| (it.range.clone(), self.pseudonym(&it))).collect();
        if let Some((log, found)) = in_joined {
            let mut of_parts = Vec::new();
            let locations = log.delta_text_locations();
            for it in found {
                if !locations.is_in_one_record(&it.range) {
                    let pseudonym = self.pseudonym(&it);
                    of_parts.extend(log.edits_in_delta_text(&it.range, &pseudonym));
                    continue;
                }
                // A match within one record is already found in the record's own text.
                let place = locations.locate(it.range.clone());
                let next = edits.partition_point(|(range, _)| range.end <= place.start);
                let known = edits.get(next).filter(|(range, _)| range.start <= place.start);
                if known.is_none_or(|(range, _)| range.end < place.end) {
                    of_parts.push((place, self.pseudonym(&it)));
                }
            }
            of_parts.sort_by_key(|(range, _)| range.start);
            edits.retain(|(range, _)| {
                let next = of_parts.partition_point(|(part, _)| part.end <= range.start);
                of_parts.get(next).is_none_or(|(part, _)| range.end <= part.start)
            });
            edits.extend(of_parts);
            edits.sort_by_key(|(range, _)| range.start);
        }
        edits
    }

    /// The pseudonym for `found`, which is counted.
    fn pseudonym(&mut self, found: &Found) -> String {
        *self.counts.0.entry(found.kind).or_default() += 1;
        match found.kind {
            _ if found.is_number => "0".to_owned(),
            Kind::Secret => format!("[secret-{}]", self.secrets.of(&found.original)),
            Kind::Pattern => format!("[redacted-{}]", self.texts.of(&found.original)),
            Kind::Home | Kind::Name => format!("user{}", self.people.of(&found.original)),
            Kind::Mail => format!("user{}@example.com", self.number_of_mail(&found.original)),
        }
    }

    /// The number of the person with this address: if the local part is a known name, the number of
    /// the person with that name.
    fn number_of_mail(&mut self, address: &str) -> usize {
        if let Some(number) = self.people.known.get(address) {
            return *number;
        }
        let local = address.split('@').next().unwrap_or_default();
        let named = self.people.known.get(local).copied().filter(|number| self.with_mail.insert(*number));
        let number = named.unwrap_or_else(|| self.people.free());
        self.people.known.insert(address.to_owned(), number);
        number
    }
}

/// The name of a file without its extensions, such as `.chat.md`. An extension that is the only
/// ending of a mail address is part of the name.
fn stem_of(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, extension)) if is_extension(extension) && stem.rfind('@') <= stem.rfind('.') => {
            stem_of(stem)
        }
        _ => name,
    }
}

/// The line of the byte `at` of `text`, from 0.
fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count()
}

/// The first line of `before` that is JSON, or holds all of it, and is not in `after`.
fn first_broken(before: &str, after: &str, language: Language) -> Option<usize> {
    let is_json = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_ok();
    let is_broken = |(before, after): (&str, &str)| before != after && is_json(before) && !is_json(after);
    match language {
        Language::Markdown | Language::Org => None,
        Language::Json => is_broken((before, after)).then_some(0),
        Language::Log => {
            let record = |line| pieces::record_of(line);
            let mut lines = before.lines().map(record).zip(after.lines().map(record));
            lines.position(is_broken)
        }
    }
}
