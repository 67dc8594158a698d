//! Symbols looked for by name, in many documents: calls by their tools and arguments.
//!
//! LSP 3.17: "Clients are encouraged to … filter" and servers to match in a relaxed way: each word of a query must be there,
//! or at least its characters in their order.

use std::ops::Range;

use super::{OutlineSymbol, SymbolKind, document_symbols};
use crate::document::Document;

/// What can be found in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolEntry {
    /// A call.
    pub kind: SymbolKind,
    /// What it is found by, in one line.
    pub name: String,
    /// The message that it is in; may be empty.
    pub container: String,
    /// Where it is, in document offsets.
    pub range: Range<usize>,
}

/// How well an entry fits a query; the least fits best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// The name begins with it.
    Beginning,
    /// A word of the name begins with it.
    Word,
    /// It is in the name.
    Inside,
    /// Its characters are in the name, in their order.
    Scattered,
}

impl Rank {
    /// All, the best first.
    pub const ALL: [Self; 4] = [Self::Beginning, Self::Word, Self::Inside, Self::Scattered];
}

/// What can be found in `document`, in order. Whether it is still wanted is asked now and then.
pub fn entries(document: &Document, is_wanted: impl FnMut() -> bool) -> Vec<SymbolEntry> {
    let mut entries = Vec::new();
    add(document_symbols(document, is_wanted), "", &mut entries);
    entries
}

fn add(symbols: Vec<OutlineSymbol>, container: &str, entries: &mut Vec<SymbolEntry>) {
    for symbol in symbols {
        let name = symbol.label();
        let within = match symbol.kind {
            SymbolKind::Turn => symbol.name,
            SymbolKind::Batch | SymbolKind::Call => container.to_owned(),
        };
        if symbol.kind == SymbolKind::Call {
            let (kind, range) = (symbol.kind, symbol.range);
            entries.push(SymbolEntry { kind, name, container: container.to_owned(), range });
        }
        add(symbol.children, &within, entries);
    }
}

/// What somebody looks for.
#[derive(Clone, Debug)]
pub struct SymbolFilter {
    /// Its words, in lower case.
    words: Vec<String>,
}

impl SymbolFilter {
    /// The query `text`; an empty one fits all.
    pub fn new(text: &str) -> Self {
        Self { words: text.split_whitespace().map(str::to_lowercase).collect() }
    }

    /// How well `name` fits: as its worst word does. `None` where it does not.
    pub fn rank(&self, name: &str) -> Option<Rank> {
        let name = name.to_lowercase();
        let ranks: Option<Vec<_>> = self.words.iter().map(|word| rank(word, &name)).collect();
        ranks.map(|ranks| ranks.into_iter().max().unwrap_or(Rank::Beginning))
    }
}

fn rank(word: &str, name: &str) -> Option<Rank> {
    let begins_word = |at: usize| {
        let before = name.get(..at).and_then(|before| before.chars().next_back());
        before.is_none_or(|before| !before.is_alphanumeric())
    };
    if name.starts_with(word) {
        return Some(Rank::Beginning);
    }
    let mut places = name.match_indices(word).map(|(at, _)| at).peekable();
    if places.peek().is_some() {
        return Some(if places.any(begins_word) { Rank::Word } else { Rank::Inside });
    }
    let mut rest = name.chars();
    word.chars().all(|wanted| rest.any(|found| found == wanted)).then_some(Rank::Scattered)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::Settings;
    use crate::document::Language;
    use crate::text::Text;

    #[test]
    fn names_fit_queries() {
        let check = |query: &str, name: &str, expected: Option<Rank>| {
            assert_eq!(SymbolFilter::new(query).rank(name), expected, "{query:?} in {name:?}");
        };
        check("", "read_file()", Some(Rank::Beginning));
        check("READ", "read_file()", Some(Rank::Beginning));
        check("file", "read_file()", Some(Rank::Word));
        check("ile", "read_file()", Some(Rank::Inside));
        check("rdf", "read_file()", Some(Rank::Scattered));
        check("fdr", "read_file()", None);
        check("read app", "read_file(path=src/App.tsx)", Some(Rank::Word));
        check("read nope", "read_file(path=src/App.tsx)", None);
        check("ünal", "Ünal", Some(Rank::Beginning));
        // Of several places the best one counts.
        check("a", "ba a", Some(Rank::Word));
    }

    #[test]
    fn calls_are_found() {
        let text = "# Chat\n\nUser: hi\n\n## Part\n\n```tool\n{\"toolName\": \"a\", \"input\": {\"x\": 1}}\n```\n\n```tool\n{\"toolName\": \"b\", \"output\": 2}\n```\n";
        let document = Document::new(Text::new(text), Language::Markdown, Arc::new(Settings::default()));
        let found = entries(&document, || true);
        let shown: Vec<_> = found.iter().map(|it| format!("{} in {}", it.name, it.container)).collect();
        assert_eq!(shown, ["a(x=1) ⏳ in User", "b() → 2 in User"]);
    }
}
