//! Workspace symbols: calls searched by tool and arguments, in many documents.
//!
//! LSP 3.17: "Clients are encouraged to … filter" and servers to match in a relaxed way: a name
//! must contain each word of a query, or at least its characters in order.

use std::ops::Range;

use super::{OutlineSymbol, SymbolKind, document_symbols};
use crate::document::Document;

/// A call of a document, as a symbol that is searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolEntry {
    /// The searched text, in one line.
    pub name: String,
    /// The message that contains it; may be empty.
    pub container: String,
    /// The range, in document offsets.
    pub range: Range<usize>,
}

/// The rank of a match; the smallest is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// The name begins with the query.
    Beginning,
    /// A word of the name begins with the query.
    Word,
    /// The name contains the query.
    Inside,
    /// The name contains the characters of the query in order.
    Scattered,
}

impl Rank {
    /// All ranks, the best first.
    pub const ALL: [Self; 4] = [Self::Beginning, Self::Word, Self::Inside, Self::Scattered];
}

/// The searchable symbols of `document`, in document order. Calls `is_wanted` from time to time.
pub fn entries(document: &Document, is_wanted: impl FnMut() -> bool) -> Vec<SymbolEntry> {
    let mut entries = Vec::new();
    add(document_symbols(document, is_wanted), "", &mut entries);
    entries
}

fn add(symbols: Vec<OutlineSymbol>, container: &str, entries: &mut Vec<SymbolEntry>) {
    for symbol in symbols {
        let name = symbol.label();
        let within = match symbol.kind {
            SymbolKind::Message => symbol.name,
            SymbolKind::Conversation | SymbolKind::Batch | SymbolKind::Call => container.to_owned(),
        };
        if symbol.kind == SymbolKind::Call {
            entries.push(SymbolEntry { name, container: container.to_owned(), range: symbol.range });
        }
        add(symbol.children, &within, entries);
    }
}

/// A parsed query.
#[derive(Clone, Debug)]
pub struct SymbolFilter {
    /// Its words, in lower case.
    words: Vec<String>,
}

impl SymbolFilter {
    /// Parses the query `text`; an empty one matches everything.
    pub fn new(text: &str) -> Self {
        Self { words: text.split_whitespace().map(str::to_lowercase).collect() }
    }

    /// The rank of `name`, which is the rank of its worst word. `None` if it does not match.
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
    fn ranks() {
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
        // Of several occurrences the best one counts.
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
