//! The dialects: their list, and the interface that each one implements.
//!
//! A dialect defines how its blocks open ([`Dialect::fence`], [`Dialect::inline`],
//! [`Dialect::lines`]) and parses a block into the model. Only the blocks of [`log`] have no
//! openers: they are the objects of known forms that `segments/json_objects.rs` finds. Dialects do
//! not know each other; the dialects with a JSON object as payload share [`object`]. A new dialect
//! is one file that defines a [`Dialect`], and one entry in [`DIALECTS`].

use std::fmt;
use std::sync::{LazyLock, Mutex};

use crate::config::Settings;
use crate::forms::OwnText;
use crate::never::{OrNever, lock};
use crate::syntax::{InlineRules, Mode};

pub mod arguments;
pub mod draft;
mod element_draft;
pub mod elements;
pub mod fence;
pub mod hermes;
mod interface;
pub mod legacy;
pub mod log;
pub mod marker;
pub mod object;
pub mod stream;
pub mod tag;
pub mod tagged;
pub mod tool_block;

pub use interface::{BlockSource, Dialect, DialectWriter, ReadOutcome};

/// All dialects. A fenced code block belongs to the first one that accepts it.
pub const DIALECTS: &[&Dialect] = &[
    &fence::DIALECT,
    &marker::DIALECT,
    &tag::DIALECT,
    &legacy::DIALECT,
    &stream::DIALECT,
    &hermes::DIALECT,
    &tagged::DIALECT,
    &elements::DIALECT,
    &log::DIALECT,
];

impl fmt::Debug for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Dialect {
    /// Its index in [`DIALECTS`], by a linear search of the short list.
    pub fn index(&self) -> u8 {
        DIALECTS
            .iter()
            .zip(0..)
            .find_map(|(known, at)| (known.name == self.name).then_some(at))
            .or_never_but(u8::MAX)
    }
}

/// The dialect at `index` in [`DIALECTS`].
pub fn by_index(index: u8) -> Option<&'static Dialect> {
    DIALECTS.get(usize::from(index)).copied().never_none()
}

/// The name of the dialect at `index` in [`DIALECTS`].
pub fn name_of(index: u8) -> &'static str {
    by_index(index).map_or("", |dialect| dialect.name)
}

/// The number of a group of dialects whose results are paired with each other's calls.
pub fn pairing_group(index: u8) -> u8 {
    let other = by_index(index).and_then(|dialect| dialect.results_of);
    let known = |name| DIALECTS.iter().find(|dialect| dialect.name == name);
    other.and_then(known).map_or(index, |dialect| dialect.index())
}

/// The origin of an inline rule.
#[derive(Clone, Copy, Debug)]
pub struct InlineOrigin {
    /// Index in [`DIALECTS`].
    pub dialect: usize,
    /// Index in the dialect's `inline`.
    pub rule: usize,
}

/// The inline rules of all dialects in the form that the syntax takes, with their origins.
pub struct InlineTable {
    /// For Markdown documents.
    pub markdown: InlineRules,
    /// The origin of each rule of `markdown`.
    pub origins: Vec<InlineOrigin>,
    /// The rows of `tagged` that a configuration adds.
    pub own: &'static [tagged::Row],
}

/// The table of inline rules, built once.
pub static INLINE: LazyLock<InlineTable> = LazyLock::new(|| table_with(&[]));

/// The maximum number of different sets of forms that a process reads: each set stays in memory and
/// takes up to 200 kB, and a repository may have any number of configurations.
const MOST_SETS: usize = 256;

/// The tables with the forms of configurations, which live as long as the program.
static OWN: Mutex<OwnTables> = Mutex::new(OwnTables(Vec::new()));

struct OwnTables(Vec<(Vec<OwnText>, &'static InlineTable)>);

impl OwnTables {
    /// The table with these forms; `None` if there are too many other tables.
    fn table_of(&mut self, texts: &[OwnText]) -> Option<&'static InlineTable> {
        if let Some((_, table)) = self.0.iter().find(|(known, _)| known == texts) {
            return Some(table);
        }
        let table = (self.0.len() < MOST_SETS).then(|| &*Box::leak(Box::new(table_with(texts))))?;
        self.0.push((texts.to_vec(), table));
        Some(table)
    }
}

/// The table of inline rules for documents with `settings`.
pub fn inline_of(settings: &Settings) -> &'static InlineTable {
    if settings.texts.is_empty() {
        return &INLINE;
    }
    let mut own = lock(&OWN);
    own.table_of(&settings.texts).unwrap_or(&INLINE)
}

fn table_with(texts: &[OwnText]) -> InlineTable {
    let own = tagged::rows_of(texts);
    let mut rules = Vec::new();
    let mut origins = Vec::new();
    for (dialect, known) in DIALECTS.iter().enumerate() {
        for (rule, inline) in known.inline.iter().enumerate() {
            rules.push(*inline);
            origins.push(InlineOrigin { dialect, rule });
        }
        if known.name == tagged::DIALECT.name {
            for (rule, inline) in tagged::rules_of(own, texts) {
                rules.push(inline);
                origins.push(InlineOrigin { dialect, rule });
            }
        }
    }
    InlineTable { markdown: InlineRules::new(Mode::Markdown, rules.leak()), origins, own }
}

/// The dialect of fenced code blocks with the first word `language` and the rest `info` in their
/// info string.
pub fn for_fence(language: &str, info: &str, settings: &Settings) -> Option<&'static Dialect> {
    DIALECTS
        .iter()
        .copied()
        .find(|dialect| dialect.fence.is_some_and(|wants| wants(language, info, settings)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::CallPart;
    use crate::forms::TextPiece;

    #[test]
    fn the_number_of_own_tables_is_limited() {
        let texts = |number: usize| {
            let first = TextPiece::all_of(&format!("Tool {number}: {{name}}")).unwrap();
            let (name, part, languages) = (number.to_string(), CallPart::Call, Vec::new());
            vec![OwnText { name, part, first, input: None, output: None, error: None, languages }]
        };
        let mut tables = OwnTables(Vec::new());
        assert!((0..MOST_SETS).all(|number| tables.table_of(&texts(number)).is_some()));
        assert!(tables.table_of(&texts(MOST_SETS)).is_none());
        assert!(tables.table_of(&texts(7)).is_some(), "known ones are found");
    }
}
