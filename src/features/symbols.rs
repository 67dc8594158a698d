//! Document symbols: messages, which contain batches, which contain calls with their status. Of
//! several conversations in one log, each contains its messages. Headings are left to Markdown
//! servers.
//!
//! Text of messages and payloads is cut to one short line. A document with thousands of calls shows
//! only batches, and one with thousands of batches only messages, because editors request symbols
//! again after every change.

use std::cmp::Reverse;
use std::ops::Range;

use crate::call::template::without_tokens;
use crate::call::{MessageRole, UseCounts, label_of_batch};
use crate::document::message_text::headline_of;
use crate::document::{
    Document, LocatedBatch, Message, Messages, PairedUse, PairedUses, Section, SectionKind,
};
use crate::text::{TextCursor, cut};

mod search;

pub use search::{Rank, SymbolEntry, SymbolFilter, entries};

/// A document symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineSymbol {
    /// The kind.
    pub kind: SymbolKind,
    /// The name; never empty.
    pub name: String,
    /// Additional text; may be empty.
    pub detail: String,
    /// The range, in document offsets. Contains all `children`.
    pub range: Range<usize>,
    /// The range to select, inside `range`.
    pub selection: Range<usize>,
    /// Nested symbols, in document order.
    pub children: Vec<OutlineSymbol>,
}

impl OutlineSymbol {
    /// A symbol without children; the selection is the start of `range`.
    fn new(kind: SymbolKind, name: String, detail: String, range: Range<usize>) -> Self {
        let selection = range.start..range.start;
        Self { kind, name, detail, range, selection, children: Vec::new() }
    }

    /// Name and detail in one line: `read_file(path=a.py) → 42 lines`.
    pub fn label(&self) -> String {
        let between = match self.kind {
            _ if self.detail.is_empty() => "",
            SymbolKind::Call => "",
            SymbolKind::Conversation | SymbolKind::Message => ": ",
            SymbolKind::Batch => " · ",
        };
        [&self.name, between, &self.detail].concat()
    }
}

/// The kind of a document symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// One of several conversations in a message log.
    Conversation,
    /// A message.
    Message,
    /// A batch of tool uses.
    Batch,
    /// One tool use.
    Call,
}

/// Maximum number of characters of a title, and of a message's first line.
const TITLE: usize = 120;
const FIRST_LINE: usize = 80;

/// Maximum number of bytes between the author of a message and its first call, if it has no text.
const MOST_MARKS: usize = 16;

/// Maximum number of symbols. Calls are left out first, then batches, then the remaining symbols
/// from the end.
const MOST: usize = 2000;

/// The symbols of `document`. Takes time linear in its number of segments. Calls `is_wanted` from
/// time to time; once it returns false, the result is incomplete.
pub fn document_symbols(document: &Document, mut is_wanted: impl FnMut() -> bool) -> Vec<OutlineSymbol> {
    let sections = document.sections();
    let cursor = &mut document.cursor();
    let mut symbols: Vec<OutlineSymbol> =
        sections.iter().filter_map(|section| of_section(cursor, section)).take(MOST).collect();
    let messages = document.messages();
    symbols.extend(conversations(document, cursor, messages));
    symbols.extend(shown(messages).iter().map(|message| of_message(document, cursor, message)));
    let mut wanted = true;
    add_uses(document, &mut symbols, &mut || {
        wanted = wanted && is_wanted();
        wanted
    });
    nested(cursor, symbols)
}

/// The symbol of a message; `None` for headings.
fn of_section(cursor: &mut TextCursor<'_>, section: &Section) -> Option<OutlineSymbol> {
    let SectionKind::Message(_, text) = section.kind else { return None };
    let content = text..section.range.end.max(text);
    let name = cut(section.author(cursor).trim(), TITLE);
    let detail = headline_of(cursor, content, FIRST_LINE, |text| without_tokens(text.to_owned()).into());
    let symbol = OutlineSymbol::new(SymbolKind::Message, name, detail, section.range.clone());
    Some(OutlineSymbol { selection: section.title.clone(), ..symbol })
}

/// The messages of a log that may have symbols.
fn shown(messages: &Messages) -> &[Message] {
    let all = messages.of_log();
    all.get(..MOST).unwrap_or(all)
}

/// The symbols of conversations, by the runs of the messages in one array; none if there is only
/// one array. The number is the number of the first message's conversation.
fn conversations(
    document: &Document,
    cursor: &mut TextCursor<'_>,
    messages: &Messages,
) -> Vec<OutlineSymbol> {
    if !messages.has_arrays() {
        return Vec::new();
    }
    let start_of = |message: &Message| messages.array_of(message).map(|array| array.start);
    let of_run = |run: &[Message]| {
        let (first, last) = (run.first()?, run.last()?);
        let number = start_of(first).map(|_| first.conversation)?;
        let asks = run.iter().find(|message| message.role == MessageRole::User).unwrap_or(first);
        let name = format!("Conversation {number}");
        let detail = document.headline(cursor, asks, FIRST_LINE);
        let range = first.range.start..last.range.end;
        Some(OutlineSymbol::new(SymbolKind::Conversation, name, detail, range))
    };
    shown(messages).chunk_by(|one, next| start_of(one) == start_of(next)).filter_map(of_run).collect()
}

/// The symbol of a message of a log.
fn of_message(document: &Document, cursor: &mut TextCursor<'_>, message: &Message) -> OutlineSymbol {
    let (name, detail) = (cut(&message.name(), TITLE), document.headline(cursor, message, FIRST_LINE));
    OutlineSymbol::new(SymbolKind::Message, name, detail, message.range.clone())
}

fn add_uses(document: &Document, symbols: &mut Vec<OutlineSymbol>, is_wanted: &mut dyn FnMut() -> bool) {
    let uses = document.paired_uses();
    if symbols.len() + uses.batches.len() > MOST {
        return;
    }
    for LocatedBatch { blocks, counts } in &uses.batches {
        let range = uses.range_of_blocks(blocks, |at| document.range_of(at));
        symbols.extend(range.map(|range| of_batch(*counts, range)));
    }
    if symbols.len() + uses.uses.len() > MOST {
        return;
    }
    // Finds all blocks at once instead of one by one.
    uses.blocks();
    for (number, tool_use) in uses.uses.iter().enumerate() {
        if number.is_multiple_of(256) && !is_wanted() {
            return;
        }
        symbols.extend(of_use(document, &uses, tool_use));
    }
    if let Some(delta_text) = document.delta_text() {
        let delta_uses = delta_text.paired_uses();
        if symbols.len() + delta_uses.uses.len() > MOST {
            return;
        }
        let delta_symbols: Vec<_> =
            delta_uses.uses.iter().filter_map(|it| of_use(delta_text, &delta_uses, it)).collect();
        let places = document.ranges_of_delta_text(delta_symbols.iter().map(|symbol| symbol.range.clone()));
        symbols.extend(delta_symbols.into_iter().zip(places).map(|(symbol, range)| OutlineSymbol {
            selection: range.clone(),
            range,
            ..symbol
        }));
    }
}

fn of_batch(counts: UseCounts, range: Range<usize>) -> OutlineSymbol {
    let label = label_of_batch(counts);
    let (name, detail) = label.split_once(" · ").unwrap_or((&label, ""));
    let name = name.trim_start_matches("🔧 ").to_owned();
    OutlineSymbol::new(SymbolKind::Batch, name, detail.to_owned(), range)
}

fn of_use(document: &Document, uses: &PairedUses<'_>, tool_use: &PairedUse) -> Option<OutlineSymbol> {
    let (range, selection) = document.place_of(uses, tool_use)?;
    let name = cut(uses.name_of(tool_use), TITLE);
    let name = if name.trim().is_empty() { "tool".to_owned() } else { name };
    let detail = uses.label_of(tool_use).summary();
    Some(OutlineSymbol { selection, ..OutlineSymbol::new(SymbolKind::Call, name, detail, range) })
}

/// Nests each symbol in the smallest symbol that contains its start, and cuts it at the end of that
/// symbol.
fn nested(cursor: &mut TextCursor<'_>, mut symbols: Vec<OutlineSymbol>) -> Vec<OutlineSymbol> {
    for symbol in &mut symbols {
        symbol.range = cursor.without_line_ends(symbol.range.clone());
    }
    // Symbols with equal ranges stay in the order of creation: a conversation contains a message,
    // which contains a batch, which contains a call.
    symbols.sort_by_key(|symbol| (symbol.range.start, Reverse(symbol.range.end)));
    let mut outline = Vec::new();
    let mut open: Vec<OutlineSymbol> = Vec::new();
    for mut symbol in symbols {
        while let Some(done) = open.pop_if(|top| top.range.end <= symbol.range.start) {
            close(done, &mut open, &mut outline);
        }
        if let Some(top) = open.last_mut() {
            if top.kind == SymbolKind::Message && is_blank(cursor, top.selection.end..symbol.range.start) {
                top.detail.clear();
            }
            symbol.range.end = symbol.range.end.min(top.range.end);
            symbol.selection.end = symbol.selection.end.min(symbol.range.end);
            symbol.selection.start = symbol.selection.start.min(symbol.selection.end);
        }
        // A call contains no symbols: two that begin at one position are siblings.
        if open.last().is_some_and(|top| top.kind == SymbolKind::Call)
            && let Some(done) = open.pop()
        {
            close(done, &mut open, &mut outline);
        }
        open.push(symbol);
    }
    while let Some(done) = open.pop() {
        close(done, &mut open, &mut outline);
    }
    outline
}

/// True if only marks stand in `range`, between an author and a call: the headline of that message
/// would be the syntax of the call.
fn is_blank(cursor: &mut TextCursor<'_>, range: Range<usize>) -> bool {
    let is_mark = |c: char| c.is_ascii_punctuation() || c.is_whitespace();
    !range.is_empty() && range.len() < MOST_MARKS && cursor.read(range).chars().all(is_mark)
}

fn close(done: OutlineSymbol, open: &mut [OutlineSymbol], outline: &mut Vec<OutlineSymbol>) {
    match open.last_mut() {
        Some(parent) => parent.children.push(done),
        None => outline.push(done),
    }
}

#[cfg(test)]
mod tests;
