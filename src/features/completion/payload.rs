//! Completions in a JSON object: fields of its dialect, parameters of its tool, and their values.

use serde_json::Value as Any;

use super::values::{ValueExpectation, ValueLayout, members, object, output_of, string};
use super::{
    Completion, CompletionBase, CompletionKind as Kind, CompletionSubject, ReplacedText, Snippet, calls,
};
use crate::call::CallPart;
use crate::call::shape::{FieldRole, FieldShape, FieldType, swallowed_fence};
use crate::dialect::draft::{DraftObject, ObjectForm};
use crate::features::completion::documentation::describe;
use crate::json::{self, CursorExpectation, JsonCursor, Value, ValueStep, quote};
use crate::never::OrNever;
use crate::places::block_position::BlockPosition;
use crate::prose::RichText;
use crate::registry::Tool;
use crate::schema::{Parameter, about, parameters};
use crate::text::Span;
use crate::{config, guide, rules};

/// Maximum number of listed values.
const MOST_VALUES: usize = 500;

/// The completions in `object` at `position`; `None` if there are none.
pub(super) fn offer(
    offer: &CompletionBase<'_>,
    position: &BlockPosition<'_>,
    object: &DraftObject,
) -> Option<Vec<Completion>> {
    let mut found = in_payload(offer, position, object, |place| place.all())?;
    // Tools that the text lists are unknown when the documentation is requested.
    if !std::ptr::eq(position.source.settings, &**offer.document.settings()) {
        found.iter_mut().for_each(|item| item.page = page_of(position, item.subject.take()));
    }
    Some(found)
}

fn page_of(position: &BlockPosition<'_>, subject: Option<CompletionSubject>) -> RichText {
    subject.map(|subject| describe(position.source.settings, &subject)).unwrap_or_default()
}

/// A whole call of the tool `name`, known or not, if the object is still empty.
pub(super) fn named(
    offer: &CompletionBase<'_>,
    position: &BlockPosition<'_>,
    object: &DraftObject,
    name: &str,
) -> Option<Completion> {
    let call = object.forms.iter().find_map(|form| calls::named(offer.nearby, *form, name))?;
    in_payload(offer, position, object, |place| place.item_of(call)).flatten()
}

/// The result of `look` in `object` at `position`.
fn in_payload<T>(
    offer: &CompletionBase<'_>,
    position: &BlockPosition<'_>,
    object: &DraftObject,
    visit: impl FnOnce(&PayloadCompleter<'_>) -> T,
) -> Option<T> {
    let text = object.span.of(position.source.text);
    let start = object.span.start as usize;
    let at = position.offset.checked_sub(start)?;
    let cursor = json::cursor(text, at)?;
    let json = json::parse(text);
    let typed = text.get(cursor.written.start as usize..at).never_none()?;
    let written = ReplacedText { span: cursor.written.shifted(start), typed };
    let place = PayloadCompleter {
        offer,
        position,
        object,
        form: object.form.and_then(|form| object.forms.get(form)).copied(),
        root: json.root(text).filter(|root| root.is_object()),
        written,
        layout: if object.is_line { ValueLayout::Compact } else { ValueLayout::Line },
        is_tight: typed.is_empty() && text.get(..at).never_none()?.ends_with([':', ',']),
        cursor,
    };
    Some(visit(&place))
}

struct PayloadCompleter<'a> {
    offer: &'a CompletionBase<'a>,
    position: &'a BlockPosition<'a>,
    object: &'a DraftObject,
    form: Option<ObjectForm>,
    root: Option<Value<'a>>,
    cursor: JsonCursor,
    written: ReplacedText<'a>,
    layout: ValueLayout,
    /// True if a space is missing after the colon or comma before the position.
    is_tight: bool,
}

impl PayloadCompleter<'_> {
    fn all(&self) -> Vec<Completion> {
        // A quote after a string ends it; a line break, a comma or a bracket follows, not a
        // completion.
        let is_ended = self.written.typed.is_empty() && self.offer.request.trigger == Some('"');
        if is_ended || !self.offer.is_triggered_by("\"") {
            return Vec::new();
        }
        match self.cursor.expects {
            CursorExpectation::Root => self.complete_calls(),
            CursorExpectation::Value => self.values(),
            CursorExpectation::Member | CursorExpectation::KeyAndColon | CursorExpectation::Key => {
                self.keys()
            }
        }
    }

    /// Whole calls, as objects or as their members.
    fn complete_calls(&self) -> Vec<Completion> {
        let calls = calls::all(self.offer, &self.object.forms);
        calls.into_iter().filter_map(|call| self.item_of(call)).collect()
    }

    fn item_of(&self, call: calls::CompleteCall<'_>) -> Option<Completion> {
        let settings = self.position.source.settings;
        let is_root = self.cursor.expects == CursorExpectation::Root;
        let is_pretty = settings.format.payload != config::PayloadLayout::Compact;
        let layout = match is_root && is_pretty && !self.object.is_line {
            true => ValueLayout::Lines(settings.format.indent),
            false => self.layout,
        };
        let snippet = match is_root {
            true => {
                let object = object(call.members(layout, 1), layout, 0);
                Snippet::text(call.prefix).then(object).and(self.missing_end()).end()
            }
            false => self.framed(members(call.members(layout, 1), layout, 1)?),
        };
        let item = self.offer.item(self.written, Kind::Call, &call.label, &snippet).detail(call.detail);
        Some(Completion { subject: call.subject, more: self.comma(), ..item })
    }

    /// The closing fence to add after the object, if the fence has no end of its own; with its line
    /// break, because text after the fence on its line would open it again.
    fn missing_end(&self) -> String {
        let source = self.position.source;
        let closes_itself = source.closed && swallowed_fence(source.text).is_none();
        match source.closer {
            "" => String::new(),
            _ if closes_itself || self.object.is_line => String::new(),
            closer => format!("\n{closer}\n"),
        }
    }

    fn keys(&self) -> Vec<Completion> {
        match self.cursor.path.split_first() {
            None => {
                let is_empty =
                    self.cursor.siblings.is_empty() && self.cursor.expects == CursorExpectation::Member;
                let is_bare = !self.written.typed.starts_with(['"', '\'', '“', '”']);
                let is_new = self.form.is_none_or(|form| form.tag.is_none());
                let whole = is_empty && is_bare && is_new;
                let calls = if whole { self.complete_calls() } else { Vec::new() };
                // With nothing typed, whole calls come before keys.
                let (first, second) = if self.written.typed.is_empty() {
                    (calls, self.fields())
                } else {
                    (self.fields(), calls)
                };
                first.into_iter().chain(second).collect()
            }
            Some((field, path)) => self.parameters(field, path),
        }
    }

    /// The missing fields of the dialect's object.
    fn fields(&self) -> Vec<Completion> {
        let is_there = |key: &str| self.cursor.siblings.iter().any(|known| known == key);
        let mut offered = Vec::new();
        let tag = self.object.forms.iter().find_map(|form| form.tag).map(|(key, _)| key);
        if let Some(key) = tag.filter(|key| !is_there(key)) {
            let names = self.object.forms.iter().filter_map(|form| form.tag);
            let value = string("", names.map(|(_, name)| name.to_owned()));
            offered.push(self.member(key, Kind::Field, &value).detail("string"));
        }
        let Some(form) = self.form else { return offered };
        let keeps = |role| form.shape.of_role(role).is_some_and(|field| is_there(field.key));
        let is_wanted = |field: &&FieldShape| {
            // A call has an output or an error, not both.
            let is_contrary = form.shape.of_role(FieldRole::State).is_some()
                && match field.role {
                    FieldRole::Output => keeps(FieldRole::Error),
                    FieldRole::Error => keeps(FieldRole::Output),
                    _ => false,
                };
            !is_there(field.key) && !is_contrary && Some(field.key) != tag && !is_tag(field)
        };
        let mut fields: Vec<&FieldShape> = form.shape.fields.iter().filter(is_wanted).collect();
        fields.sort_by_key(|field| !(form.shape.needs_name && field.role == FieldRole::Name));
        for field in fields {
            let item = self.member(field.key, Kind::Field, &self.value_of(field, form));
            let page = guide::field(self.position.source.settings, form.shape, field.key);
            offered.push(Completion { page, ..item.detail(takes(field)) });
        }
        offered
    }

    /// The initial value of a field.
    fn value_of(&self, field: &FieldShape, form: ObjectForm) -> Snippet {
        let near = self.offer.nearby;
        match field.role {
            FieldRole::Id => match near.open(form.part) {
                open if open.is_empty() => Snippet::text(quote(&near.fresh_id())),
                open => string("", open.into_iter().map(|it| it.id.to_owned())),
            },
            FieldRole::Name => string("tool", near.names().into_iter().map(String::from)),
            FieldRole::State => string("", self.states().into_iter().map(str::to_owned)),
            FieldRole::Output => output_of(self.tool(), self.layout, 0),
            FieldRole::Input | FieldRole::PassedOver => {
                match self.tool().and_then(|tool| ValueExpectation::of(tool, false)) {
                    Some(asks) => asks.object(&[], self.layout, 0),
                    None => Snippet::text("{").then(Snippet::stop("")).and("}"),
                }
            }
            FieldRole::Error | FieldRole::Delta | FieldRole::Other => string("", []),
        }
    }

    /// The missing parameters, or the missing parts of the output.
    fn parameters(&self, field: &ValueStep, path: &[ValueStep]) -> Vec<Completion> {
        let Some((tool, is_output)) = self.tool_of(field) else { return Vec::new() };
        let Some(asks) = ValueExpectation::of(tool, is_output) else { return Vec::new() };
        let missing = parameters(asks.root, path)
            .into_iter()
            .filter(|parameter| !self.cursor.siblings.iter().any(|known| known == parameter.name));
        let item = |parameter: Parameter<'_>| {
            let value = asks.property(path, parameter.name, self.layout);
            let path = path.iter().cloned().chain([ValueStep::Key(parameter.name.to_owned())]).collect();
            let subject = CompletionSubject::Value { tool: tool.name.to_string(), is_output, path };
            self.member(parameter.name, Kind::Parameter, &value).of_parameter(&parameter, subject)
        };
        missing.map(item).collect()
    }

    fn values(&self) -> Vec<Completion> {
        let Some((first, path)) = self.cursor.path.split_first() else { return Vec::new() };
        let ValueStep::Key(key) = first else { return Vec::new() };
        let field = self.form.and_then(|form| Some((form.shape.field(key)?, form)));
        if let (Some((tag, _)), []) = (self.object.forms.iter().find_map(|form| form.tag), path)
            && tag == key
        {
            let names = self.object.forms.iter().filter_map(|form| form.tag.map(|(_, name)| name));
            let item = |name: &str| {
                self.string(Kind::Choice, name).about(CompletionSubject::Record { name: name.to_owned() })
            };
            return names.map(item).collect();
        }
        let Some((field, form)) = field else { return Vec::new() };
        match (field.role, path) {
            (FieldRole::Id, []) => self.ids(form),
            (FieldRole::Name, []) => self.names(),
            (FieldRole::State, []) => {
                let item = |name: &str| {
                    self.string(Kind::Choice, name).about(CompletionSubject::State { name: name.to_owned() })
                };
                self.states().into_iter().map(item).collect()
            }
            _ => self.values_at(first, path),
        }
    }

    fn ids(&self, form: ObjectForm) -> Vec<Completion> {
        let open = self.offer.nearby.open(form.part).into_iter();
        let open = open.map(|it| self.string(Kind::Id, it.id).detail(it.name.unwrap_or_default()));
        let starts = matches!(form.part, CallPart::Start | CallPart::Call | CallPart::Both);
        let fresh = starts.then(|| self.string(Kind::Id, &self.offer.nearby.fresh_id()).detail("a new id"));
        open.chain(fresh).collect()
    }

    fn names(&self) -> Vec<Completion> {
        let registry = &self.position.source.settings.registry;
        let item = |name: smol_str::SmolStr| self.string(Kind::Tool, &name).of_tool(registry.tool(&name));
        self.offer.nearby.names().into_iter().map(item).collect()
    }

    /// The states; the state that fits the present fields comes first.
    fn states(&self) -> Vec<&'static str> {
        let is_there = |key: &str| self.root.is_some_and(|root| root.get(key).is_some());
        let has = |role| {
            let field = self.form.and_then(|form| form.shape.of_role(role));
            field.is_some_and(|field| is_there(field.key))
        };
        let (output, error) = (has(FieldRole::Output), has(FieldRole::Error));
        let mut states: Vec<_> = rules::states(self.position.source.settings.protocol).collect();
        let first = match (output, error) {
            (_, true) => "output-error",
            (true, false) => "output-available",
            (false, false) => "input-available",
        };
        states.sort_by_key(|state| *state != first);
        states
    }

    /// The values at `path` of `field` from the tool's schema.
    fn values_at(&self, field: &ValueStep, path: &[ValueStep]) -> Vec<Completion> {
        let Some((tool, is_output)) = self.tool_of(field) else { return Vec::new() };
        let Some(asks) = ValueExpectation::of(tool, is_output) else { return Vec::new() };
        let about = about(asks.root, path);
        let mut values: Vec<(Any, Kind, &str)> = Vec::new();
        let mut add = |value: &Any, kind, what| {
            if values.len() < MOST_VALUES && !values.iter().any(|(known, ..)| known == value) {
                values.push((value.clone(), kind, what));
            }
        };
        about.values.iter().for_each(|value| add(value, Kind::Choice, ""));
        about.default.into_iter().for_each(|value| add(value, Kind::Value, "default"));
        if about.values.is_empty() {
            about.examples.iter().for_each(|value| add(value, Kind::Value, "example"));
            for name in &about.types {
                match *name {
                    "boolean" => [true, false].iter().for_each(|it| add(&Any::Bool(*it), Kind::Choice, "")),
                    "null" => add(&Any::Null, Kind::Choice, ""),
                    _ => {}
                }
            }
        }
        let quoted = self.written.typed.starts_with(['"', '\'', '“', '”']);
        let subject =
            CompletionSubject::Value { tool: tool.name.to_string(), is_output, path: path.to_vec() };
        let item = |(value, kind, what): (Any, Kind, &str)| match value.as_str() {
            Some(text) => Some(self.string(kind, text).detail(what).about(subject.clone())),
            None if quoted => None,
            None => {
                let text = value.to_string();
                let snippet = self.framed(Snippet::text(text.as_str()));
                Some(self.value(kind, &text, &snippet).detail(what).about(subject.clone()))
            }
        };
        let mut offered: Vec<_> = values.into_iter().filter_map(item).collect();
        if self.written.span.is_empty() && about.values.is_empty() {
            let container = |name: &str| match name {
                "object" => Some(("{…}", asks.object(path, self.layout, 0))),
                "array" => Some(("[…]", Snippet::text("[").then(Snippet::stop("")).and("]"))),
                _ => None,
            };
            let types = if path.is_empty() && !is_output { &["object"][..] } else { &about.types };
            for (label, snippet) in types.iter().filter_map(|name| container(name)) {
                let item = self.value(Kind::Value, label, &self.framed(snippet));
                offered.push(item.about(subject.clone()));
            }
        }
        offered
    }

    /// The tool whose input or output `field` is, and whether it is the output.
    fn tool_of(&self, field: &ValueStep) -> Option<(&Tool, bool)> {
        let (ValueStep::Key(key), Some(form)) = (field, self.form) else { return None };
        let field = form.shape.field(key)?;
        let is_output = match field.role {
            FieldRole::Output => true,
            FieldRole::Input | FieldRole::PassedOver if !is_tag(field) => false,
            _ => return None,
        };
        Some((self.tool()?, is_output))
    }

    /// The tool named in the object, or in other records with its id.
    fn tool(&self) -> Option<&Tool> {
        let written = |role| {
            let field = self.form?.shape.of_role(role)?;
            self.root?.get(field.key).filter(|value| value.is_closed())?.as_str()
        };
        let name = match (written(FieldRole::Name), written(FieldRole::Id)) {
            (Some(name), _) => name,
            (None, Some(id)) => self.offer.nearby.name_of(&id)?.to_owned().into(),
            (None, None) => return None,
        };
        self.position.source.settings.registry.tool(&name)
    }

    /// The string `text` as a value.
    fn string(&self, kind: Kind, text: &str) -> Completion {
        self.value(kind, text, &self.framed(Snippet::text(quote(text))))
    }

    fn value(&self, kind: Kind, label: &str, framed: &Snippet) -> Completion {
        Completion { more: self.comma(), ..self.offer.item(self.written, kind, label, framed) }
    }

    /// The member `key`, without the parts that are already there.
    fn member(&self, key: &str, kind: Kind, value: &Snippet) -> Completion {
        let colon = if self.layout == ValueLayout::Compact { ":" } else { ": " };
        let key_text = Snippet::text(quote(key));
        let snippet = match self.cursor.expects {
            CursorExpectation::Key => key_text,
            CursorExpectation::KeyAndColon => {
                Snippet::text(self.spaced(self.cursor.missing_before)).then(key_text).and(colon)
            }
            _ => self.framed(key_text.and(colon).then(value.clone())),
        };
        self.value(kind, key, &snippet)
    }

    /// `inner` with the missing commas and colons around it.
    fn framed(&self, inner: Snippet) -> Snippet {
        let gap = if self.is_tight && self.layout != ValueLayout::Compact { " " } else { "" };
        let (lead, trail) = (self.spaced(self.cursor.missing_before), self.spaced(self.cursor.trail));
        Snippet::text(format!("{gap}{lead}")).then(inner).and(trail)
    }

    fn spaced(&self, punctuation: &'static str) -> &'static str {
        if self.layout == ValueLayout::Compact { punctuation.trim_end() } else { punctuation }
    }

    /// The edit that adds a missing comma after the previous value.
    fn comma(&self) -> Option<(std::ops::Range<usize>, String)> {
        let at = self.cursor.comma_at? + self.object.span.start as usize;
        Some((self.offer.edit)(Span::empty(at), ",".to_owned()))
    }
}

/// True if a field only distinguishes one form from others.
fn is_tag(field: &FieldShape) -> bool {
    field.role == FieldRole::PassedOver && field.takes == FieldType::String
}

fn takes(field: &FieldShape) -> &'static str {
    match field.takes {
        FieldType::String => "string",
        FieldType::Object => "object",
        FieldType::Any => "any JSON",
    }
}
