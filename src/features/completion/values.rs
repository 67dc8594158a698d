//! Values for tab stops: the members that a tool's schema requires, formatted as text.
//!
//! Defaults are values that the schema proposes or accepts, so that they violate no rule of the
//! schema.

use serde_json::{Map, Value};

use super::snippet::Snippet;
use crate::json::quote;
use crate::never::OrNever;
use crate::registry::Tool;
use crate::rules::search_replace;
use crate::schema::{Schema, ValueDescription, ValueStep, about, parameters};

/// The layout of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueLayout {
    /// Like `JSON.stringify`.
    Compact,
    /// On one line, with spaces.
    Line,
    /// One line per member, indented by this many spaces per level.
    Lines(usize),
}

/// Maximum number of choices that are tested for one property.
const MOST_TRIED: usize = 20;

/// The values that a schema expects.
#[derive(Clone, Copy)]
pub(super) struct ValueExpectation<'s> {
    pub root: &'s Value,
    /// The compiled schema, if it is valid.
    validator: Option<Schema<'s>>,
}

impl<'s> ValueExpectation<'s> {
    /// The expectation for the input or the output of `tool`.
    pub(super) fn of(tool: &'s Tool, is_output: bool) -> Option<Self> {
        let (root, schema) = match is_output {
            true => (tool.output_schema.as_ref()?, tool.output()),
            false => (tool.input_schema.as_ref()?, tool.input()),
        };
        Some(Self { root, validator: schema })
    }

    /// The object at `path` with its required members.
    pub(super) fn object(&self, path: &[ValueStep], layout: ValueLayout, level: usize) -> Snippet {
        let required = parameters(self.root, path).into_iter().filter(|parameter| parameter.is_required);
        let names: Vec<String> = required.map(|parameter| parameter.name.to_owned()).collect();
        let proposed =
            self.validator.and_then(|schema| schema.placeholders(&mut instance_of(path), path, &names));
        let values =
            proposed.unwrap_or_else(|| names.iter().map(|name| self.simplest_value(path, name)).collect());
        let mut members: Map<String, Value> = names.into_iter().zip(values).collect();
        if path.is_empty() {
            self.choose(&mut members);
        }
        self.laid_out(path, &Value::Object(members), layout, level)
    }

    /// If one choice requires members that are missing, another may not.
    fn choose(&self, members: &mut Map<String, Value>) {
        let Some(schema) = self.validator else { return };
        let accepts =
            |members: &Map<String, Value>| schema.accepts(&Value::Object(members.clone())).unwrap_or(true);
        if accepts(members) {
            return;
        }
        for name in members.keys().cloned().collect::<Vec<_>>() {
            let about = about(self.root, &[ValueStep::Key(name.clone())]);
            for choice in about.values.iter().take(MOST_TRIED) {
                let before = members.insert(name.clone(), (*choice).clone());
                if accepts(members) {
                    return;
                }
                members.extend(before.map(|before| (name.clone(), before)));
            }
        }
    }

    /// The whole value.
    fn whole(&self, layout: ValueLayout, level: usize) -> Snippet {
        match plainest_of(&about(self.root, &[])) {
            Value::Object(members) if members.is_empty() => self.object(&[], layout, level),
            value => self.laid_out(&[], &value, layout, level),
        }
    }

    /// A value for the property `key` of the object at `path`.
    pub(super) fn property(&self, path: &[ValueStep], key: &str, layout: ValueLayout) -> Snippet {
        let names = [key.to_owned()];
        let proposed =
            self.validator.and_then(|schema| schema.placeholders(&mut instance_of(path), path, &names));
        let value = proposed.and_then(|values| values.into_iter().next());
        let value = value.unwrap_or_else(|| self.simplest_value(path, key));
        self.laid_out(&below(path, ValueStep::Key(key.to_owned())), &value, layout, 0)
    }

    /// The simplest value of the type, used if no value is known to be valid.
    fn simplest_value(&self, path: &[ValueStep], key: &str) -> Value {
        plainest_of(&about(self.root, &below(path, ValueStep::Key(key.to_owned()))))
    }

    /// `value`, which is at `path`, formatted with tab stops.
    fn laid_out(&self, path: &[ValueStep], value: &Value, layout: ValueLayout, level: usize) -> Snippet {
        match value {
            Value::Object(members) => {
                let member = |(key, value): (&String, &Value)| {
                    let path = below(path, ValueStep::Key(key.clone()));
                    (key.clone(), self.laid_out(&path, value, layout, level + 1))
                };
                object(members.iter().map(member), layout, level)
            }
            Value::Array(items) if items.is_empty() => Snippet::text("[").then(Snippet::stop("")).and("]"),
            Value::Array(items) => {
                let mut snippet = Snippet::text("[");
                for (index, item) in items.iter().enumerate() {
                    let comma = if index == 0 { "" } else { comma_of(layout) };
                    let path = below(path, ValueStep::Index(index));
                    snippet = snippet.and(comma).then(self.laid_out(&path, item, ValueLayout::Line, 0));
                }
                snippet.and("]")
            }
            _ => scalar(value, &about(self.root, path)),
        }
    }
}

/// A tab stop for the output of `tool`, of the type that its schema requires; a string if the
/// schema is unknown.
pub(super) fn output_of(tool: Option<&Tool>, layout: ValueLayout, level: usize) -> Snippet {
    match tool.and_then(|tool| ValueExpectation::of(tool, true)) {
        Some(asks) => asks.whole(layout, level),
        None => string("", []),
    }
}

/// An object of `members`, with a tab stop if it has none.
pub(super) fn object(
    members: impl IntoIterator<Item = (String, Snippet)>,
    layout: ValueLayout,
    level: usize,
) -> Snippet {
    let inner = self::members(members, layout, level + 1);
    let Some(inner) = inner else { return Snippet::text("{").then(Snippet::stop("")).and("}") };
    match layout {
        ValueLayout::Lines(indent) => {
            let (inside, outside) = (" ".repeat(indent * (level + 1)), " ".repeat(indent * level));
            Snippet::text(format!("{{\n{inside}")).then(inner).and(format!("\n{outside}}}"))
        }
        _ => Snippet::text("{").then(inner).and("}"),
    }
}

/// `members` without braces; `None` if there are none.
pub(super) fn members(
    members: impl IntoIterator<Item = (String, Snippet)>,
    layout: ValueLayout,
    level: usize,
) -> Option<Snippet> {
    let gap = match layout {
        ValueLayout::Lines(indent) => format!(",\n{}", " ".repeat(indent * level)),
        _ => comma_of(layout).to_owned(),
    };
    let colon = if layout == ValueLayout::Compact { ":" } else { ": " };
    members.into_iter().fold(None, |before, (key, value)| {
        let member = Snippet::text(quote(&key)).and(colon).then(value);
        Some(match before {
            Some(before) => Snippet::and(before, gap.as_str()).then(member),
            None => member,
        })
    })
}

fn comma_of(layout: ValueLayout) -> &'static str {
    if layout == ValueLayout::Compact { "," } else { ", " }
}

/// A string as a tab stop, with `choices` if there are any.
pub(super) fn string(default: &str, choices: impl IntoIterator<Item = String>) -> Snippet {
    let inner = |text: &str| {
        let quoted = quote(text);
        quoted.get(1..quoted.len() - 1).or_never().to_owned()
    };
    let choices: Vec<_> = choices.into_iter().map(|choice| inner(&choice)).collect();
    if choices.is_empty() && default.starts_with(search_replace::SEARCH) {
        let filled = fill_empty_lines(default, inner);
        return Snippet::text("\"").then(filled).and("\"");
    }
    let place = if choices.is_empty() { Snippet::stop(inner(default)) } else { Snippet::choice(choices) };
    Snippet::text("\"").then(place).and("\"")
}

/// `template` with a tab stop on each empty line: the old and the new text of an edit.
fn fill_empty_lines(template: &str, inner: impl Fn(&str) -> String) -> Snippet {
    let mut parts = template.split("\n\n");
    let first = Snippet::text(inner(parts.next().unwrap_or_default()));
    parts.fold(first, |snippet, part| {
        snippet.and(inner("\n")).then(Snippet::stop("")).and(inner(&format!("\n{part}")))
    })
}

fn plainest_of(about: &ValueDescription<'_>) -> Value {
    let proposed = about.values.first().copied().or(about.default).or(about.examples.first().copied());
    proposed.cloned().unwrap_or_else(|| match about.types.first() {
        Some(&("number" | "integer")) => 0.into(),
        Some(&"boolean") => false.into(),
        Some(&"array") => Vec::<Value>::new().into(),
        Some(&"object") => Map::new().into(),
        Some(&"null") => Value::Null,
        _ => "".into(),
    })
}

fn scalar(value: &Value, about: &ValueDescription<'_>) -> Snippet {
    let mut choices: Vec<&Value> = about.values.clone();
    if choices.is_empty() && value.is_boolean() {
        choices = vec![&Value::Bool(true), &Value::Bool(false)];
    }
    // The default is the value that is known to be valid.
    choices.sort_by_key(|choice| *choice != value);
    if choices.first() != Some(&value) {
        choices.clear();
    }
    let strings: Option<Vec<&str>> = choices.iter().map(|choice| choice.as_str()).collect();
    match (value, strings) {
        (Value::String(text), Some(strings)) => string(text, strings.into_iter().map(str::to_owned)),
        (_, _) if choices.is_empty() => Snippet::stop(value.to_string()),
        _ => Snippet::choice(choices.into_iter().map(Value::to_string)),
    }
}

fn below(path: &[ValueStep], step: ValueStep) -> Vec<ValueStep> {
    path.iter().cloned().chain([step]).collect()
}

/// A value that contains an object at `path`.
fn instance_of(path: &[ValueStep]) -> Value {
    path.iter().rev().fold(Value::Object(Map::new()), |inner, step| match step {
        ValueStep::Key(key) => Value::Object([(key.clone(), inner)].into_iter().collect()),
        ValueStep::Index(at) => {
            // Only the values on the path.
            let mut items = vec![Value::Null; (*at).min(1000)];
            items.push(inner);
            Value::Array(items)
        }
    })
}
