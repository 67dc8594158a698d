//! Semantic tokens for the parts of a tool use, with the same types in every dialect.
//!
//! Tokens are in document order, within one line each, without blank lines, and do not overlap.
//! Text outside of tool uses has no tokens; the editor highlights it as Markdown.

use std::ops::Range;

use crate::call::pairing::Pairing;
use crate::call::shape::{FieldRole, FieldType};
use crate::call::{Call, CallData, CallPart, Field};
use crate::dialect::arguments;
use crate::document::Document;
use crate::json::{JsonKind, Value};
use crate::json_repair::payload::ParsedPayload;
use crate::never::OrNever;
use crate::places::call_position::CallPosition;
use crate::text::{Span, saturate};

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    /// The range, in document offsets.
    pub range: Range<usize>,
    /// The kind.
    pub kind: SemanticTokenKind,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SemanticTokenKind {
    /// A delimiter or keyword of a dialect: a fence's language, a marker, a tag, the type of a
    /// record.
    Mark,
    /// A tool name.
    Tool,
    /// A key of the block's own object, documented or not.
    Field,
    /// The name of a tool's parameter.
    Parameter,
    /// A nested key.
    Property,
    /// An id.
    Id,
    /// A state.
    State,
    /// Any other string, including text results.
    String,
    /// A number.
    Number,
    /// `true`, `false` or `null`.
    Constant,
    /// A [`Mark`](Self::Mark) of an outdated form.
    OutdatedMark,
    /// The error text of a failed tool use.
    Error,
}

impl SemanticTokenKind {
    /// All kinds, in the order of declaration.
    pub const ALL: [Self; 12] = [
        Self::Mark,
        Self::Tool,
        Self::Field,
        Self::Parameter,
        Self::Property,
        Self::Id,
        Self::State,
        Self::String,
        Self::Number,
        Self::Constant,
        Self::OutdatedMark,
        Self::Error,
    ];
}

/// The tokens of `document` that touch the byte range `range`; none if `include` and `exclude`
/// exclude the document. Stops early, with the tokens so far, when `is_wanted` returns false.
pub fn semantic_tokens(
    document: &Document,
    range: Range<usize>,
    is_wanted: &dyn Fn() -> bool,
) -> Vec<SemanticToken> {
    let mut tokens = TokenCollector { range: range.clone(), tokens: Vec::new() };
    if !document.is_active() {
        return tokens.tokens;
    }
    document.all_call_positions_at(&range, is_wanted, &mut |position| tokens.add_call(document, position));
    tokens.tokens
}

struct TokenCollector {
    range: Range<usize>,
    tokens: Vec<SemanticToken>,
}

impl TokenCollector {
    fn add_call(&mut self, document: &Document, position: &CallPosition<'_>) {
        if let Some(language) = position.source.language {
            self.add_language(document, position.opening.clone(), language);
        }
        match position.call.payload {
            Some(payload) => self.add_payload(position, payload),
            None => self.add_text(position),
        }
    }

    /// Adds the first word of a fence's info string, once per fence.
    fn add_language(&mut self, document: &Document, opening: Range<usize>, language: &str) {
        let line = document.text().slice(opening.clone());
        let info = line.trim_start_matches(['`', '~']).trim_start_matches([' ', '\t']);
        let start = opening.start + line.len() - info.len();
        self.push(start..start + language.len(), SemanticTokenKind::Mark);
    }

    /// Adds a JSON payload, and the delimiter before it in its block or line.
    fn add_payload(&mut self, position: &CallPosition<'_>, payload: ParsedPayload<'_>) {
        let block = position.call.span.unwrap_or_default().start as usize;
        // Of several calls in an object, each begins after the start of the object.
        if block < payload.start {
            self.add_mark(position, Span::new(block, payload.start), &[]);
        }
        let Some(root) = payload.root() else { return };
        let Some(shape) = position.call.shape.filter(|_| root.is_object()) else {
            return self.add_undocumented(position, payload, root);
        };
        for (key, value) in root.entries() {
            self.add(position, key.span().shifted(payload.start), SemanticTokenKind::Field);
            let field = shape.field(&key.as_str().or_never());
            let kind = match field.map(|field| (field.role, field.takes)) {
                Some((FieldRole::Id, _)) => SemanticTokenKind::Id,
                Some((FieldRole::Name, _)) => SemanticTokenKind::Tool,
                Some((FieldRole::State, _)) => SemanticTokenKind::State,
                Some((FieldRole::PassedOver, FieldType::String)) => SemanticTokenKind::Mark,
                Some((FieldRole::Error, _)) => SemanticTokenKind::Error,
                _ => SemanticTokenKind::String,
            };
            if matches!(value.kind(), JsonKind::String { .. }) {
                self.add(position, value.span().shifted(payload.start), kind);
            } else {
                let is_input = field.is_some_and(|field| field.role == FieldRole::Input);
                self.add_values(position, payload, value, is_input);
            }
        }
    }

    /// Adds an object without a documented shape: a name, an id and an input may stand anywhere in
    /// it, the input in a string of JSON.
    fn add_undocumented(&mut self, position: &CallPosition<'_>, payload: ParsedPayload<'_>, root: Value<'_>) {
        let call = position.call;
        let input = match &call.input {
            Some(CallData::Json(input)) => Some(*input),
            _ => None,
        };
        let encoded = call.encoded.filter(|_| input.is_some());
        let literal = encoded.map(|it| it.string.span(Span::new(0, it.payload.body().len())));
        let own_input = input.filter(|_| encoded.is_none());
        for node in own_nodes_of(call, payload, root) {
            let span = node.span().shifted(payload.start);
            let holds = |inner: Span| span.start <= inner.start && inner.end <= span.end;
            let is_string = matches!(node.kind(), JsonKind::String { .. });
            if is_string && call.span.is_some_and(|inner| inner != span && holds(inner)) {
                self.add_in_text(position, input);
            } else if is_string && literal.is_some_and(holds) {
                let tokens = encoded_tokens(call, input);
                tokens.into_iter().for_each(|(span, kind)| self.add(position, span, kind));
            } else if let Some(kind) = kind_of(call, node, span, own_input) {
                self.add(position, span, kind);
            }
        }
    }

    /// Adds the id, the name and the input of a call in the text of a string. The text around it
    /// has no tokens.
    fn add_in_text(&mut self, position: &CallPosition<'_>, input: Option<Value<'_>>) {
        let call = position.call;
        let mut parts = encoded_tokens(call, input);
        let fields = [(&call.id, SemanticTokenKind::Id), (&call.name, SemanticTokenKind::Tool)];
        let field = |(field, kind): (&Option<Field<'_>>, SemanticTokenKind)| {
            field.as_ref().map(|field| (field.span, kind))
        };
        parts.extend(fields.into_iter().filter_map(field));
        for (key, value) in arguments::spans_in(call) {
            parts.push((key, SemanticTokenKind::Parameter));
            parts.push((value, value_kind(value.of(position.source.text))));
        }
        parts.sort_by_key(|(span, _)| span.start);
        parts.into_iter().for_each(|(span, kind)| self.add(position, span, kind));
    }

    /// Adds a value and its contents. The keys of an input are parameter names.
    fn add_values(
        &mut self,
        position: &CallPosition<'_>,
        payload: ParsedPayload<'_>,
        value: Value<'_>,
        is_input: bool,
    ) {
        let mut parameters = value.entries().filter(|_| is_input).map(|(key, _)| key.index()).peekable();
        for node in value.nodes() {
            let kind = match parameters.next_if_eq(&node.index()) {
                Some(_) => Some(SemanticTokenKind::Parameter),
                None => kind_of_json(node.kind()),
            };
            if let Some(kind) = kind {
                self.add(position, node.span().shifted(payload.start), kind);
            }
        }
    }

    /// Adds a block that is text: a name, arguments and a result, with their delimiters.
    fn add_text(&mut self, position: &CallPosition<'_>) {
        let call = position.call;
        let whole = call.span.unwrap_or(Span::new(0, position.source.text.len()));
        // In AutoGen's console, the name stands after the output.
        let leads = |end: u32| call.output_span.is_none_or(|output| end <= output.start);
        let is_first = |name: &&Field<'_>| !name.text.is_empty() && leads(name.span.end);
        let Some(name) = call.name.as_ref().filter(is_first) else {
            return match call.error_text {
                Some(_) => self.add(position, whole, SemanticTokenKind::Error),
                None if whole.start == 0 => self.push(position.opening.clone(), mark(position)),
                None => {}
            };
        };
        self.add_mark(position, Span { start: whole.start, end: name.span.start }, &[]);
        self.add(position, name.span, SemanticTokenKind::Tool);
        let mut behind = name.span.end;
        if let Some(span) = call.arguments_span {
            behind = span.end;
        }
        self.add_arguments(position, &mut behind);
        if let Some(output) = call.output_span {
            if call.part == CallPart::Result {
                self.add_mark(position, Span { start: behind, end: output.start }, &[':']);
            }
            self.add(position, output, SemanticTokenKind::String);
            behind = output.end;
        }
        if position.source.closed {
            self.add_end(position, Span { start: behind, end: whole.end });
        }
    }

    /// Adds the arguments, which end at or after `behind`.
    fn add_arguments(&mut self, position: &CallPosition<'_>, behind: &mut u32) {
        let arguments = arguments::spans_in(position.call);
        if let Some(span) = position.call.arguments_span.filter(|_| arguments.is_empty()) {
            self.add(position, span, SemanticTokenKind::String);
        }
        for (key, value) in arguments {
            self.add(position, key, SemanticTokenKind::Parameter);
            *behind = value.end.max(*behind);
            self.add(position, value, value_kind(value.of(position.source.text)));
        }
    }

    /// Adds the end of a text block. In an error message that contains a tool name, this is the
    /// text after the name.
    fn add_end(&mut self, position: &CallPosition<'_>, span: Span) {
        if position.call.error_text.is_some() {
            return self.add(position, span, SemanticTokenKind::Error);
        }
        // Text after the closing parenthesis of a call is not a delimiter.
        let tag = span.of(position.source.text).rfind("</").unwrap_or(0);
        self.add_mark(position, Span { start: span.start + saturate(tag), end: span.end }, &['(', ')']);
    }

    /// Adds `span` as a delimiter, without white space and without the characters `around` at its
    /// ends.
    fn add_mark(&mut self, position: &CallPosition<'_>, span: Span, around: &[char]) {
        let text = span.of(position.source.text);
        let is_around = |c: char| c.is_whitespace() || around.contains(&c);
        let start = span.start as usize + text.len() - text.trim_start_matches(is_around).len();
        let end = start + text.trim_matches(is_around).len();
        self.add(position, Span::new(start, end), mark(position));
    }

    /// Adds a part of the call's content, line by line.
    fn add(&mut self, position: &CallPosition<'_>, span: Span, kind: SemanticTokenKind) {
        let mut start = span.start as usize;
        for line in span.of(position.source.text).split(['\n', '\r']) {
            if !line.trim().is_empty() {
                self.push(position.range_of(Span::new(start, start + line.len())), kind);
            }
            start += line.len() + 1;
        }
    }

    fn push(&mut self, range: Range<usize>, kind: SemanticTokenKind) {
        let last = self.tokens.last().map_or(0, |last| last.range.end);
        let is_wanted = range.start < self.range.end && self.range.start < range.end;
        if range.start >= last && is_wanted && !range.is_empty() {
            self.tokens.push(SemanticToken { range, kind });
        }
    }
}

/// The values in `root` that `call` has tokens for: of several calls in an object, the first has
/// tokens for all values of the object, and each other call only for its own values.
fn own_nodes_of<'v>(
    call: &Call<'_>,
    payload: ParsedPayload<'v>,
    root: Value<'v>,
) -> impl Iterator<Item = Value<'v>> {
    let own = call.span.filter(|_| call.is_further);
    let start_of = move |span: Span| span.shifted(payload.start).start;
    // The last value that begins before the call may be the string that holds it.
    let first = own.map_or(0, |own| {
        payload.json.nodes.partition_point(|node| start_of(node.span) < own.start).saturating_sub(1)
    });
    let first = saturate(first).max(root.index());
    let nodes =
        (first..root.node().next).map_while(move |index| Value::at(payload.json, payload.body(), index));
    nodes.take_while(move |node| own.is_none_or(|own| start_of(node.span()) < own.end))
}

/// The kind of an argument that is written as text.
fn value_kind(text: &str) -> SemanticTokenKind {
    match text.trim() {
        "true" | "false" | "null" => SemanticTokenKind::Constant,
        number if number.parse::<f64>().is_ok() => SemanticTokenKind::Number,
        _ => SemanticTokenKind::String,
    }
}

/// The tokens of an input that is written as JSON in a string, or in a text.
fn encoded_tokens(call: &Call<'_>, input: Option<Value<'_>>) -> Vec<(Span, SemanticTokenKind)> {
    let Some(encoded) = call.encoded.filter(|_| input.is_some()) else { return Vec::new() };
    let nodes = encoded.payload.root().into_iter().flat_map(Value::nodes);
    let tokens = nodes.filter_map(|node| {
        let span = call.input_span(node.span());
        Some((span, kind_of(call, node, span, input)?))
    });
    tokens.collect()
}

/// The kind of a node of an object without a documented shape, at `span` of the content.
fn kind_of(
    call: &Call<'_>,
    node: Value<'_>,
    span: Span,
    input: Option<Value<'_>>,
) -> Option<SemanticTokenKind> {
    let holds = |field: &Option<Field<'_>>| {
        field.as_ref().is_some_and(|field| span.start <= field.span.start && field.span.end <= span.end)
    };
    let is_parameter = || {
        let mut keys = input.into_iter().flat_map(Value::entries).map(|(key, _)| key.index());
        keys.any(|key| key == node.index())
    };
    match node.kind() {
        JsonKind::Key { .. } if is_parameter() => Some(SemanticTokenKind::Parameter),
        JsonKind::String { .. } if holds(&call.name) => Some(SemanticTokenKind::Tool),
        JsonKind::String { .. } if holds(&call.id) => Some(SemanticTokenKind::Id),
        kind => kind_of_json(kind),
    }
}

/// The kind of a value or key without a special meaning; `None` for containers.
fn kind_of_json(kind: JsonKind) -> Option<SemanticTokenKind> {
    match kind {
        JsonKind::Key { .. } => Some(SemanticTokenKind::Property),
        JsonKind::String { .. } => Some(SemanticTokenKind::String),
        JsonKind::Number => Some(SemanticTokenKind::Number),
        JsonKind::Null | JsonKind::Bool => Some(SemanticTokenKind::Constant),
        JsonKind::Array | JsonKind::Object | JsonKind::Missing => None,
    }
}

fn mark(position: &CallPosition<'_>) -> SemanticTokenKind {
    if is_outdated(position) { SemanticTokenKind::OutdatedMark } else { SemanticTokenKind::Mark }
}

/// True if a newer form replaced the form of the block: if calls and results are paired by name, a
/// result belongs in the block of its call.
fn is_outdated(position: &CallPosition<'_>) -> bool {
    let Call { part, .. } = position.call;
    position.dialect.outdated.is_some()
        || (matches!(position.dialect.pairing, Pairing::EarlierCall { orphans_are_text: false, .. })
            && *part == CallPart::Result)
}

#[cfg(test)]
mod tests;
