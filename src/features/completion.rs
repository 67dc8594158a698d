//! Completion: items for a position, each with its edit.
//!
//! Nothing is offered in prose, and no item breaks the surrounding text: commas, colons and quotes
//! are part of the edit. Required members come first, then members and values that are used nearby.

pub mod documentation;
pub mod nearby;
pub mod while_typing;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::dialect::draft::Draft;
use crate::document::Document;
use crate::features::completion::documentation::detail_of_tool;
use crate::never::OrNever;
use crate::places::block_position::BlockPosition;
use crate::prose::RichText;
use crate::registry::Tool;
use crate::schema::{Parameter, ValueStep};
use crate::text::Span;

mod calls;
mod display;
mod elements;
mod fenced;
mod openings;
mod payload;
mod snippet;
#[cfg(test)]
mod tests;
mod values;

pub use self::calls::ANY;
pub use self::fenced::fenced_calls;
use self::snippet::Snippet;
use crate::features::completion::nearby::NearbyBlocks;

/// Trigger characters: the characters that begin a string, a marker's object, and the parts of a
/// tag. Not `{` and `,`: a line break follows them as often as a key, and many editors accept an
/// item by Enter. Not space, `<` and backtick, which are common in prose.
pub const TRIGGERS: [char; 5] = ['"', ':', '>', '(', '='];

/// The trigger of a completion request and the capabilities of the client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompletionRequest {
    /// The trigger character, if it is the only reason for the request.
    pub trigger: Option<char>,
    /// True if the client supports snippets.
    pub snippets: bool,
    /// True if the client indents the lines of a snippet to match the current line.
    pub indents: bool,
}

/// A completion item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The label in the list.
    pub label: String,
    /// The kind.
    pub kind: CompletionKind,
    /// The type or a short description.
    pub detail: Option<String>,
    /// True if it is deprecated.
    pub is_deprecated: bool,
    /// The subject that [`documentation::describe`] documents.
    pub subject: Option<CompletionSubject>,
    /// The documentation of an item without a subject.
    pub page: RichText,
    /// The replaced range, in document offsets, and the new text. The range is within one line and
    /// contains the position or touches it.
    pub edit: (Range<usize>, String),
    /// An additional edit at another position.
    pub more: Option<(Range<usize>, String)>,
    /// True if the edit's text is a snippet.
    pub is_snippet: bool,
    /// The text to filter by; it begins like the replaced text.
    pub filter: String,
}

/// The kind of a completion item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A whole call or record.
    Call,
    /// A tool name.
    Tool,
    /// A field of a dialect.
    Field,
    /// A parameter of a tool.
    Parameter,
    /// One of a fixed set of values.
    Choice,
    /// Any other value.
    Value,
    /// The id of a tool use.
    Id,
    /// The language of a fence.
    Language,
}

/// The subject of a completion, documented on request. Clients keep it in the meantime, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum CompletionSubject {
    /// A tool.
    Tool {
        /// The name.
        name: String,
    },
    /// A value that a tool's schema describes.
    Value {
        /// The tool's name.
        tool: String,
        /// True if it is part of the output instead of the input.
        is_output: bool,
        /// The path from the input or output.
        path: Vec<ValueStep>,
    },
    /// A state.
    State {
        /// The name.
        name: String,
    },
    /// A type of records.
    Record {
        /// The name.
        name: String,
    },
}

/// The completions at the byte `at` of `document`, best first.
pub fn completions(document: &Document, at: usize, request: CompletionRequest) -> Vec<Completion> {
    if !document.is_active() {
        return first_calls(document, at, request);
    }
    let in_block = look_at_drafts(document, at, request, &mut |offer, position, draft| match draft {
        // The records of other programs are no records of a stream of the AI SDK.
        Draft::Object(_) if position.dialect.lines && document.is_message_log() => None,
        Draft::Object(object) => payload::offer(offer, position, object),
        Draft::Display(display) => display::offer(offer, position, display),
        Draft::Element(call) => elements::offer(offer, position, call),
        Draft::Name { span, closer } => display::offer_name(offer, position, *span, closer),
    });
    in_block.unwrap_or_else(|| openings::offer(document, at, request))
}

/// The calls at the byte `at` of a document that has none yet: in an empty fence for tool calls, if
/// the configuration names tools.
fn first_calls(document: &Document, at: usize, request: CompletionRequest) -> Vec<Completion> {
    let settings = document.settings();
    if !settings.enabled || !settings.registry.configured || settings.registry.tools.is_empty() {
        return Vec::new();
    }
    let mut is_fence = false;
    let assumed = document.assume_transcript();
    let offered = look_at_drafts(&assumed, at, request, &mut |offer, position, draft| match draft {
        Draft::Object(object) => {
            is_fence = position.dialect.name == "fence";
            payload::offer(offer, position, object)
        }
        _ => None,
    });
    offered.filter(|_| is_fence).unwrap_or_default()
}

/// A whole call of `tool`, known or not, at the byte `at` of `document`; `None` if no object can be
/// written there.
fn named_call(document: &Document, at: usize, tool: &str, request: CompletionRequest) -> Option<Completion> {
    look_at_drafts(document, at, request, &mut |offer, position, draft| match draft {
        Draft::Object(object) => payload::named(offer, position, object, tool),
        _ => None,
    })
}

/// Calls `look` on the constructs being typed at the byte `at` until it returns something.
fn look_at_drafts<T>(
    document: &Document,
    at: usize,
    request: CompletionRequest,
    visit: &mut dyn FnMut(&CompletionBase<'_>, &BlockPosition<'_>, &Draft) -> Option<T>,
) -> Option<T> {
    document.block_positions_at(at, &mut |position| {
        // In the prefix of a container, an edit of the block's text would not touch the position.
        if position.range_of(Span::empty(position.offset)).start > at {
            return None;
        }
        // On the opening line of a fence at the end of the document, nothing is its content.
        let closer = position.source.closer;
        if position.source.text.is_empty() && closer.starts_with(['`', '~']) {
            let line = document.text().byte_of_line(document.text().line_of_byte(at));
            if document.text().slice(line..at).contains(closer) {
                return None;
            }
        }
        let draft = position.draft()?;
        let near = NearbyBlocks::new(document, at, &position.source.settings.registry);
        let edit = |span: Span, text: String| position.edit(span, text);
        let written = |span: Span, text: &str| position.written(span, text);
        visit(
            &CompletionBase { document, nearby: &near, request, edit: &edit, written: &written },
            position,
            &draft,
        )
    })
}

/// Data shared by all completions at a position.
struct CompletionBase<'a> {
    document: &'a Document,
    nearby: &'a NearbyBlocks<'a>,
    request: CompletionRequest,
    /// Maps an edit of the block's text to one of the document.
    edit: &'a dyn Fn(Span, String) -> (Range<usize>, String),
    /// Adds the escapes that a text needs in place of a span.
    written: &'a dyn Fn(Span, &str) -> String,
}

/// The text that a completion replaces.
#[derive(Clone, Copy)]
struct ReplacedText<'a> {
    span: Span,
    /// The part before the cursor.
    typed: &'a str,
}

impl CompletionBase<'_> {
    /// True if the user requested the completion, or one of `characters` triggered it.
    fn is_triggered_by(&self, characters: &str) -> bool {
        self.request.trigger.is_none_or(|trigger| characters.contains(trigger))
    }

    /// A completion item with the label `name` that inserts `snippet`.
    fn item(
        &self,
        written: ReplacedText<'_>,
        kind: CompletionKind,
        name: &str,
        snippet: &Snippet,
    ) -> Completion {
        let snippet = snippet.mapped(|text| (self.written)(written.span, text));
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
            filter: (self.written)(written.span, &quote.map(String::from).unwrap_or_default()) + name,
        }
    }
}

/// `text` without the indentation that the client adds to all lines except the first.
fn unindented(document: &Document, range: &Range<usize>, text: &str) -> String {
    let lines = document.text();
    let start = lines.byte_of_line(lines.line_of_byte(range.start));
    let line = lines.slice(start..range.start);
    let indent = line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).or_never();
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

    /// The item of the parameter `subject`.
    fn of_parameter(self, parameter: &Parameter<'_>, subject: CompletionSubject) -> Self {
        let is_deprecated = parameter.about.is_deprecated;
        Self { is_deprecated, ..self.detail(parameter.words()).about(subject) }
    }

    /// The item of the tool `tool`, if that is known.
    fn of_tool(self, tool: Option<&Tool>) -> Self {
        let Some(tool) = tool else { return self };
        self.detail(detail_of_tool(tool)).about(CompletionSubject::Tool { name: tool.name.to_string() })
    }
}
