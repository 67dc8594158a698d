//! The texts of violation messages.
//!
//! A sentence names the value, the expected and the found value; long values are cut.

use std::borrow::Cow;

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use serde_json::Value;

use crate::nearest::nearest;
use crate::never::OrNever;
use crate::schema::ValueStep;
use crate::schema::names::{applicable, schemas_at};

/// Maximum number of characters of a value or name in a message.
const SHOWN: usize = 40;
/// Maximum number of characters of a description in a message.
const DESCRIBED: usize = 80;
/// Maximum number of alternatives listed in a message.
const LISTED: usize = 10;

/// The names of a value and its owner in messages.
#[derive(Clone, Copy, Debug)]
pub struct ValueNames<'a> {
    /// The name of the root value: "the input".
    pub root: &'a str,
    /// The owner of its properties: "`read_file`".
    pub owner: &'a str,
    /// The noun for its properties: "parameter".
    pub property: &'a str,
}

impl ValueNames<'_> {
    /// The name of the value at `path`: "`limit`", "`paths[1]`", "the input".
    pub fn name(&self, path: &[ValueStep]) -> String {
        let last = path.iter().rposition(|step| matches!(step, ValueStep::Key(_)));
        let indices = |from: usize| -> String {
            let steps = path.get(from..).or_never().iter();
            steps
                .filter_map(
                    |step| if let ValueStep::Index(at) = step { Some(format!("[{at}]")) } else { None },
                )
                .collect()
        };
        match last.and_then(|last| Some((last, path.get(last)?))) {
            Some((last, ValueStep::Key(key))) => format!("`{}{}`", cut(key, SHOWN), indices(last + 1)),
            _ if path.is_empty() => self.root.to_owned(),
            _ => format!("{}{}", self.root, indices(0)),
        }
    }

    /// The owner of the properties of the object at `path`.
    pub fn owner(&self, path: &[ValueStep]) -> String {
        if path.is_empty() { self.owner.to_owned() } else { self.name(path) }
    }

    /// The sentence for an object at `path` that only accepts `known`.
    pub fn accepts(&self, path: &[ValueStep], known: &[&str]) -> String {
        let names: Vec<String> = known.iter().map(|name| code(name)).collect();
        match names.as_slice() {
            [] => format!("{} takes none", self.owner(path)),
            _ => format!("{} takes only {}", self.owner(path), list(&names, names.len(), "and")),
        }
    }

    /// The sentence for an object at `path` that accepts only other names.
    pub fn has_no_such(&self, path: &[ValueStep]) -> String {
        format!("{} has no such {}", self.owner(path), self.kind(path))
    }

    /// The sentence for the property `key`, which the object at `path` allows but does not name.
    pub fn unknown(&self, path: &[ValueStep], key: &str, near: &[String]) -> String {
        format!("{} names no {} {}{}", self.owner(path), self.kind(path), code(key), did_you_mean(near))
    }

    fn kind(&self, path: &[ValueStep]) -> &str {
        if path.is_empty() { self.property } else { "property" }
    }
}

/// `, did you mean …?` with the similar names.
pub(super) fn did_you_mean(near: &[String]) -> String {
    crate::nearest::did_you_mean(&near.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A name, formatted for messages.
pub(super) fn code(name: &str) -> String {
    format!("`{}`", cut(name, SHOWN))
}

/// A value, formatted for messages: a string without quotes, anything else as JSON.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if text.is_empty() => "an empty string".to_owned(),
        Value::String(text) => code(text),
        Value::Array(_) | Value::Object(_) if value.to_string().len() > SHOWN => kind(value).to_owned(),
        _ => code(&value.to_string()),
    }
}

/// The kind of `value`: "a string".
pub fn kind(value: &Value) -> &'static str {
    with_article(type_of_value(value))
}

/// The type of a value in a JSON Schema.
pub fn type_of_value(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The name of a type, with its article.
pub(super) fn with_article(name: &str) -> &'static str {
    match name {
        "null" => "`null`",
        "boolean" => "a boolean",
        "integer" => "an integer",
        "number" => "a number",
        "string" => "a string",
        "array" => "an array",
        _ => "an object",
    }
}

/// The types that a schema allows.
pub(super) fn types_of(kind: &TypeKind) -> Vec<&'static str> {
    match kind {
        TypeKind::Single(one) => vec![one.as_str()],
        TypeKind::Multiple(set) => {
            let mut names: Vec<_> = set.iter().map(|one| one.as_str()).collect();
            // Sorted as in "an integer or `null`", which is idiomatic.
            names.sort_by_key(|name| *name == "null");
            names
        }
    }
}

/// `a`, `b` or `c`; at most ten of them.
pub fn or(names: &[String]) -> String {
    or_others(names, names.len())
}

/// Like [`or`], for the first ten of `count` names.
pub(super) fn or_others(names: &[String], count: usize) -> String {
    list(names, count, "or")
}

/// The list of `names`, the first ten of `count`.
fn list(names: &[String], count: usize, word: &str) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        _ if count > LISTED => {
            let first = names.get(..LISTED - 1).or_never().join(", ");
            format!("{first} {word} {} others", count + 1 - LISTED)
        }
        [rest @ .., last] => format!("{} {word} {last}", rest.join(", ")),
    }
}

/// The description that a schema has for the value at `path`, in parentheses: its type and the
/// first sentence of its description.
pub(super) fn about(schema: &Value, path: &[ValueStep]) -> String {
    let schemas = applicable(schema, &schemas_at(schema, path)).unwrap_or_default();
    let name = schemas.iter().find_map(|schema| schema.get("type")?.as_str());
    let description = schemas.iter().find_map(|schema| schema.get("description")?.as_str());
    let description =
        description.map(|text| cut(first_sentence(text), DESCRIBED)).filter(|text| !text.is_empty());
    match (name, description) {
        (Some(name), Some(description)) => format!(" ({name}: {description})"),
        (Some(one), None) => format!(" ({one})"),
        (None, Some(one)) => format!(" ({one})"),
        (None, None) => String::new(),
    }
}

fn first_sentence(text: &str) -> &str {
    let line = text.trim().lines().next().unwrap_or_default();
    let end = line.find(". ").unwrap_or(line.len());
    line.get(..end).unwrap_or(line).trim_end_matches('.')
}

/// The first ten of `options`, the most similar to `value` first, and whether `value` is probably a
/// typo of the most similar one.
pub(super) fn nearest_first<'v>(value: &Value, options: &'v [Value]) -> (Vec<&'v Value>, bool) {
    let text_of = |value: &'v Value| match value {
        Value::String(text) => Cow::Borrowed(text.as_str()),
        _ => Cow::Owned(value.to_string()),
    };
    let written = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let texts: Vec<Cow<'_, str>> = options.iter().map(text_of).collect();
    let mut near = nearest(&written, texts.iter().map(Cow::as_ref));
    // Numbers with similar digits are not similar.
    near.retain(|name| value.is_string() || *name == written);
    let rank = |text: &str| near.iter().position(|name| *name == text);
    let (mut first, mut others) = (Vec::new(), Vec::new());
    for (option, text) in options.iter().zip(&texts) {
        match rank(text) {
            Some(rank) => first.push((rank, option)),
            None if others.len() < LISTED => others.push(option),
            None => {}
        }
    }
    first.sort_by_key(|(rank, _)| *rank);
    let all = first.into_iter().map(|(_, option)| option).chain(others);
    (all.take(LISTED).collect(), !near.is_empty())
}

/// The expected value for a violation of a simple limit, and the found value; `None` if the
/// violation is not caused by the value itself.
pub(super) fn plain(kind: &Kind, value: &Value) -> Option<(String, Option<String>)> {
    let show = Some(shown(value));
    let many =
        |count: u64, one: &str| if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") };
    let length = || value.as_str().map_or(0, |text| text.chars().count()).to_string();
    let items = || value.as_array().map_or(0, Vec::len).to_string();
    let properties = || value.as_object().map_or(0, serde_json::Map::len).to_string();
    Some(match kind {
        Kind::MinLength { limit: 1 } => ("must not be empty".to_owned(), None),
        Kind::MinLength { limit } => {
            (format!("must have at least {}", many(*limit, "character")), Some(length()))
        }
        Kind::MaxLength { limit } => {
            (format!("must have at most {}", many(*limit, "character")), Some(length()))
        }
        Kind::Minimum { limit } => (format!("must be at least `{limit}`"), show),
        Kind::Maximum { limit } => (format!("must be at most `{limit}`"), show),
        Kind::ExclusiveMinimum { limit } => (format!("must be more than `{limit}`"), show),
        Kind::ExclusiveMaximum { limit } => (format!("must be less than `{limit}`"), show),
        Kind::MultipleOf { multiple_of } => (format!("must be a multiple of `{multiple_of}`"), show),
        Kind::MinItems { limit: 1 } => ("must not be empty".to_owned(), None),
        Kind::MinItems { limit } => (format!("must have at least {}", many(*limit, "item")), Some(items())),
        Kind::MaxItems { limit } => (format!("must have at most {}", many(*limit, "item")), Some(items())),
        Kind::AdditionalItems { limit } => {
            (format!("must have at most {}", many(*limit as u64, "item")), Some(items()))
        }
        Kind::UnevaluatedItems { .. } => ("has items that are not allowed".to_owned(), None),
        Kind::UniqueItems => ("must not contain duplicate items".to_owned(), None),
        Kind::Contains => ("must contain an item of the required kind".to_owned(), None),
        Kind::MinProperties { limit: 1 } => ("must not be empty".to_owned(), None),
        Kind::MinProperties { limit } => {
            (format!("must have at least {}", many(*limit, "member")), Some(properties()))
        }
        Kind::MaxProperties { limit } => {
            (format!("must have at most {}", many(*limit, "member")), Some(properties()))
        }
        Kind::Pattern { pattern } => (format!("must match the pattern {}", code(pattern)), show),
        Kind::Format { format } => (format!("must be {}", format_name(format)), show),
        Kind::ContentEncoding { content_encoding } => {
            (format!("must be encoded in {}", code(content_encoding)), None)
        }
        Kind::ContentMediaType { content_media_type } => {
            (format!("must contain text of the type {}", code(content_media_type)), None)
        }
        Kind::Not { .. } => ("has a form that is not allowed".to_owned(), None),
        Kind::OneOfMultipleValid { .. } => {
            ("matches several alternatives but must match exactly one".to_owned(), None)
        }
        _ => return None,
    })
}

fn format_name(format: &str) -> String {
    match format {
        "date-time" => "a date and time (`2024-05-31T12:00:00Z`)".to_owned(),
        "date" => "a date (`2024-05-31`)".to_owned(),
        "time" => "a time with its zone (`12:00:00Z`)".to_owned(),
        "duration" => "a duration (`P1DT12H`)".to_owned(),
        "email" | "idn-email" => "an email address".to_owned(),
        "hostname" | "idn-hostname" => "a host name".to_owned(),
        "ipv4" => "an IPv4 address".to_owned(),
        "ipv6" => "an IPv6 address".to_owned(),
        "uri" | "iri" => "a URI with its scheme (`https://…`)".to_owned(),
        "uri-reference" | "iri-reference" => "a URI or relative reference".to_owned(),
        "uuid" => "a UUID".to_owned(),
        "json-pointer" => "a JSON pointer".to_owned(),
        "regex" => "a regular expression".to_owned(),
        other => format!("in the format {}", code(other)),
    }
}

/// `text` on one line, cut to `limit` characters, including the closing `…`.
fn cut(text: &str, limit: usize) -> String {
    let mut line: String =
        text.chars().take(limit + 1).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if let Some((end, _)) =
        line.char_indices().nth(limit.saturating_sub(1)).filter(|_| line.chars().count() > limit)
    {
        line.truncate(end);
        line.push('…');
    }
    line
}
