//! Quick fixes of `invalid-input` and `unknown-parameter`.
//!
//! Each proposed value is valid at its position.

use serde_json::{Map, Value as Any};

use super::CheckedInput;
use crate::diagnostic::Fix;
use crate::json::{JsonKind, Value, parse, quote};
use crate::json_repair::members;
use crate::nearest::nearest;
use crate::schema::wording::{or, shown};
use crate::schema::{Schema, UnknownProperty, ValueStep, Violation, ViolationKind};
use crate::text::Span;

/// The maximum number of values proposed for one violation.
pub(super) const MAX_CHOICES: usize = 10;

/// The input and schema that fixes are made of; spans are in the payload's text.
pub(super) struct SchemaFixes<'f> {
    pub schema: &'f Schema<'f>,
    pub input: &'f CheckedInput<'f>,
    /// All violations of the input.
    pub violations: &'f [Violation],
    /// Properties of the input that the schema does not name.
    pub unknown: &'f [UnknownProperty<'f>],
}

impl SchemaFixes<'_> {
    /// The fixes of `violation`, the best first. `instance` is the input as the validator sees it.
    pub(super) fn of(&self, violation: &Violation, instance: &mut Any) -> Vec<Fix> {
        let path = &violation.path;
        match &violation.kind {
            ViolationKind::Missing(_) => {
                let renamed = self.misspelled(path, violation);
                let insert = self.insert(path, instance);
                let insert = insert.map(|fix| Fix { is_preferred: renamed.is_none(), ..fix });
                renamed.into_iter().chain(insert).collect()
            }
            ViolationKind::NotAllowed(key, near) => {
                let object = self.input.at(path);
                let key = object.and_then(|object| object.get_entry(key));
                key.and_then(|(key, _)| rename(key.span(), near, object)).into_iter().collect()
            }
            ViolationKind::Choice(options, is_near) => {
                let Some(value) = self.input.at(path) else { return Vec::new() };
                let fits = options
                    .iter()
                    .take(MAX_CHOICES)
                    .filter(|option| self.schema.fits(instance, path, option));
                let fixes = fits.map(|option| {
                    Fix::replace(format!("Write {}", shown(option)), value.span(), option.to_string())
                });
                let mut fixes: Vec<Fix> = fixes.collect();
                if *is_near || options.len() == 1 {
                    fixes = fixes
                        .into_iter()
                        .enumerate()
                        .map(|(at, fix)| if at == 0 { fix.preferred() } else { fix })
                        .collect();
                }
                fixes
            }
            ViolationKind::Type(wanted) => self.other_type(path, wanted, instance).into_iter().collect(),
            ViolationKind::Other => Vec::new(),
        }
    }

    /// Renames a misspelled property to the missing one of the object at `path`.
    fn misspelled(&self, path: &[ValueStep], violation: &Violation) -> Option<Fix> {
        let ViolationKind::Missing(missing) = &violation.kind else { return None };
        let unknown = self.unknown.iter().filter(|unknown| unknown.path == path);
        let not_allowed = self.violations.iter().filter(|other| other.path == path);
        let keys: Vec<&str> = unknown
            .map(|unknown| unknown.key.as_str())
            .chain(not_allowed.filter_map(|other| match &other.kind {
                ViolationKind::NotAllowed(key, _) => Some(key.as_str()),
                _ => None,
            }))
            .collect();
        let object = self.input.at(path)?;
        missing.iter().find_map(|name| {
            let (key, _) = object.get_entry(nearest(name, keys.iter().copied()).first()?)?;
            let written = key.as_str()?;
            let title = format!("Rename {} to {}", shown_name(&written), shown_name(name));
            Some(Fix::replace(title, key.span(), Any::from(name.as_str()).to_string()).preferred())
        })
    }

    /// Inserts the properties that the object at `path` lacks.
    fn insert(&self, path: &[ValueStep], instance: &mut Any) -> Option<Fix> {
        let lacking = self.violations.iter().filter(|other| other.path == path);
        let mut keys: Vec<String> = Vec::new();
        for other in lacking {
            // Of alternatives, the first is inserted.
            if let ViolationKind::Missing(alternatives) = &other.kind
                && let Some(key) = alternatives.first()
                && !keys.contains(key)
            {
                keys.push(key.clone());
            }
        }
        let values = self.schema.placeholders(instance, path, &keys)?;
        let members = || keys.iter().map(String::as_str).zip(&values);
        let edit = match self.input.at(path).filter(|_| self.input.given.is_some()) {
            Some(object) => {
                let members: Vec<String> =
                    members().map(|(key, value)| format!("{}: {value}", quote(key))).collect();
                members::append(object, &members.join(", "))
            }
            // `null` counts as absent.
            None => {
                let input: Map<_, _> =
                    members().map(|(key, value)| (key.to_owned(), value.clone())).collect();
                members::set(self.input.object, self.input.key, &Any::Object(input).to_string())
            }
        };
        let names: Vec<String> = keys.iter().map(|key| shown_name(key)).collect();
        let title = format!("Insert {}", names.join(", "));
        Some(Fix::new(title, vec![edit]).preferred())
    }

    /// Rewrites the value at `path` as one of the types `wanted`, by adding or removing quotes.
    fn other_type(&self, path: &[ValueStep], wanted: &[&'static str], instance: &mut Any) -> Option<Fix> {
        let value = self.input.at(path)?;
        let (written, title) = match value.kind() {
            JsonKind::Number | JsonKind::Bool if wanted.contains(&"string") => {
                (Any::from(value.raw()).to_string(), "Quote it".to_owned())
            }
            JsonKind::String { .. } => {
                let text = value.as_str()?;
                let json = parse(&text);
                let root = json.valid_root(&text)?;
                // A value on several lines would need the prefixes of its containers.
                let raw = root.raw();
                if raw.contains(['\n', '\r']) || matches!(root.kind(), JsonKind::String { .. }) {
                    return None;
                }
                (
                    raw.to_owned(),
                    format!("Write {} without quotes", or(&[shown(&serde_json::from_str(raw).ok()?)])),
                )
            }
            _ => return None,
        };
        let mended: Any = serde_json::from_str(&written).ok()?;
        let fits = self.schema.fits(instance, path, &mended);
        fits.then(|| Fix::replace(title, value.span(), written).preferred())
    }
}

/// Renames the key at `span` of `object` to the nearest unused name.
pub(super) fn rename(span: Span, near: &[String], object: Option<Value<'_>>) -> Option<Fix> {
    let name = near.iter().find(|name| object.is_none_or(|object| object.get(name).is_none()))?;
    Some(
        Fix::replace(format!("Rename to {}", shown_name(name)), span, Any::from(name.as_str()).to_string())
            .preferred(),
    )
}

/// Renames the key at `span` of a display to the nearest name.
pub(super) fn rename_bare(span: Span, near: &[String]) -> Option<Fix> {
    let name = near.first()?;
    Some(Fix::replace(format!("Rename to {}", shown_name(name)), span, name.as_str()).preferred())
}

fn shown_name(name: &str) -> String {
    shown(&Any::from(name))
}
