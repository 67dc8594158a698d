//! Completion: what can be written at a place, with the edit that writes it.
//!
//! Nothing is offered in prose, nor what would break what is there: commas, colons and quotes are part of the edit. In an order
//! as people want it: what is needed first, what is near first.

use std::ops::Range;

use crate::dialect::draft::Draft;
use crate::document::{BlockPosition, Document};
use crate::prose::RichText;
use crate::schema::ValueStep;
use crate::text::Span;

mod calls;
mod display;
mod fenced;
mod near;
mod openings;
mod payload;
mod snippet;
#[cfg(test)]
mod tests;
mod typed;
mod values;
mod words;

pub use self::calls::ANY;
pub use self::fenced::fenced_calls;
use self::near::NearbyBlocks;
use self::snippet::Snippet;
pub use self::typed::completions_while_typing;
pub use self::words::describe;

/// The characters behind which editors ask by themselves: those that begin a string, a marker's object, and the parts of a tag.
/// Not `{` and `,`: behind these comes a line break as often as a key, and accepts what is offered in many editors. Not those
/// that prose is full of, a space, `<` and a backtick.
pub const TRIGGERS: [char; 5] = ['"', ':', '>', '(', '='];

/// What asks for completions, and what is done with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompletionRequest {
    /// The character that was typed, where that alone is why it asks.
    pub trigger: Option<char>,
    /// Whether it knows snippets.
    pub snippets: bool,
    /// Whether it indents the lines of a snippet like the one that it goes to.
    pub indents: bool,
}

/// One thing that can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What it is called in the list.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// Its type, or more of what it is, in a few words.
    pub detail: Option<String>,
    /// Whether it should no longer be used.
    pub is_deprecated: bool,
    /// What [`describe`] tells more of.
    pub subject: Option<CompletionSubject>,
    /// All that there is to say, of what has no name to be described by.
    pub page: RichText,
    /// What is replaced, in document offsets: on one line, with the place in it or at its ends; and by what.
    pub edit: (Range<usize>, String),
    /// An edit elsewhere that goes with it.
    pub more: Option<(Range<usize>, String)>,
    /// Whether the edit's text is a snippet.
    pub is_snippet: bool,
    /// What it is found by: begins as what is replaced does.
    pub filter: String,
}

/// What a completion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A whole call or record.
    Call,
    /// The name of a tool.
    Tool,
    /// A field of a dialect.
    Field,
    /// A parameter of a tool.
    Parameter,
    /// One of a few values.
    Choice,
    /// Any other value.
    Value,
    /// The id of a tool use.
    Id,
    /// The language of a fence.
    Language,
}

/// What a completion is about, to be described when somebody asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompletionSubject {
    /// The tool of that name.
    Tool(String),
    /// What a tool's schema says of a value.
    Value {
        /// The tool's name.
        tool: String,
        /// Whether it is of its output.
        is_output: bool,
        /// The way there from the input or output.
        path: Vec<ValueStep>,
    },
    /// The state of that name.
    State(String),
    /// Records of that type.
    Record(String),
}

/// What can be written at the byte `at` of `document`, the best first.
pub fn completions(document: &Document, at: usize, asked: CompletionRequest) -> Vec<Completion> {
    if !document.is_active() {
        return Vec::new();
    }
    let in_block = look_at_drafts(document, at, asked, &mut |offer, spot, draft| match draft {
        Draft::Object(object) => payload::offer(offer, spot, object),
        Draft::Display(display) => display::offer(offer, spot, display),
        Draft::Name { span, closer } => display::offer_name(offer, spot, *span, closer),
    });
    in_block.unwrap_or_else(|| openings::offer(document, at, asked))
}

/// A whole call of `tool`, known or not, at the byte `at` of `document`, where an object can be written.
fn named_call(document: &Document, at: usize, tool: &str, asked: CompletionRequest) -> Option<Completion> {
    look_at_drafts(document, at, asked, &mut |offer, spot, draft| match draft {
        Draft::Object(object) => payload::named(offer, spot, object, tool),
        _ => None,
    })
}

/// Looks at what is being written in the blocks at the byte `at`, until `look` finds something.
fn look_at_drafts<T>(
    document: &Document,
    at: usize,
    asked: CompletionRequest,
    look: &mut dyn FnMut(&CompletionBase<'_>, &BlockPosition<'_>, &Draft) -> Option<T>,
) -> Option<T> {
    document.block_positions_at(at, &mut |spot| {
        let draft = spot.draft()?;
        let near = NearbyBlocks::new(document, at);
        let edit = |span: Span, text: String| spot.edit(span, text);
        look(&CompletionBase { document, nearby: &near, request: asked, edit: &edit }, spot, &draft)
    })
}

/// What all completions at a place have in common.
struct CompletionBase<'a> {
    document: &'a Document,
    nearby: &'a NearbyBlocks<'a>,
    request: CompletionRequest,
    /// Makes of an edit of the block's text one of the document.
    edit: &'a dyn Fn(Span, String) -> (Range<usize>, String),
}

/// What is replaced.
#[derive(Clone, Copy)]
struct ReplacedText<'a> {
    span: Span,
    /// What of it stands before the place.
    typed: &'a str,
}

impl CompletionBase<'_> {
    /// Whether only `characters`, or the user, may have asked.
    fn is_triggered_by(&self, characters: &str) -> bool {
        self.request.trigger.is_none_or(|trigger| characters.contains(trigger))
    }

    /// The completion `name` that writes `snippet`.
    fn item(
        &self,
        written: ReplacedText<'_>,
        kind: CompletionKind,
        name: &str,
        snippet: &Snippet,
    ) -> Completion {
        let is_snippet = self.request.snippets && snippet.has_stops();
        let text = if is_snippet { snippet.written() } else { snippet.plain() };
        let (range, text) = (self.edit)(written.span, text);
        let unindents = is_snippet && self.request.indents;
        let text = if unindents { unindented(self.document, &range, &text) } else { text };
        let quote = written.typed.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '“' | '”'));
        Completion {
            label: name.to_owned(),
            kind,
            detail: None,
            is_deprecated: false,
            subject: None,
            page: RichText::default(),
            edit: (range, text),
            more: None,
            is_snippet,
            filter: quote.into_iter().chain(name.chars()).collect(),
        }
    }
}

/// `text` without the indentation that the client adds to all lines but the first.
fn unindented(document: &Document, range: &Range<usize>, text: &str) -> String {
    let lines = document.text();
    let start = lines.byte_of_line(lines.line_of_byte(range.start));
    let line = lines.slice(start..range.start);
    let indent = line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).unwrap_or_default();
    if indent.is_empty() { text.to_owned() } else { text.replace(&format!("\n{indent}"), "\n") }
}

impl Completion {
    fn detail(self, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self { detail: (!detail.is_empty()).then_some(detail), ..self }
    }

    fn about(self, subject: CompletionSubject) -> Self {
        Self { subject: Some(subject), ..self }
    }
}
