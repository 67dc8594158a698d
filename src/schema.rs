//! The JSON Schemas of tools: what is wrong with one, and what a value violates, in words for people.
//!
//! The crate `jsonschema` judges (drafts 4 to 2020-12); here are only its verdicts in words, and the names that a schema
//! knows. Nothing is ever fetched: a `$ref` leads within its schema. Values are `serde_json`'s; what of a payload has no
//! place there (see [`to_value`]) is not judged.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

mod branches;
mod compile;
mod describe;
mod instance;
mod names;
mod parameters;
mod placeholder;
#[cfg(test)]
mod tests;
mod violation;
mod words;

pub use compile::{SchemaFault, compile};
pub use instance::to_value;
pub use names::{Names, Unknown};
pub use parameters::{About, Parameter, about, parameters};
pub use violation::{Fault, Violation};
pub use words::{Speaker, or, shown};

/// The most that is said of one value.
pub const MAX_VIOLATIONS: usize = 20;

/// One step down into a JSON value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// To the member of this key.
    Key(String),
    /// To the item of this index.
    Index(usize),
}

/// A schema made ready to judge by; nothing where it cannot be.
#[derive(Clone, Default)]
pub struct Compiled(Option<Arc<jsonschema::Validator>>);

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Compiled" } else { "not compiled" })
    }
}

/// What was made of a schema is told by the schema, which stands beside it.
impl PartialEq for Compiled {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A schema and what was made of it.
#[derive(Clone, Copy, Debug)]
pub struct Schema<'a> {
    value: &'a Value,
    validator: &'a jsonschema::Validator,
}

impl<'a> Schema<'a> {
    /// The schema `value`, of which `compiled` was made; `None` where it is there to look at, not to judge by.
    pub fn new(value: &'a Value, compiled: &'a Compiled) -> Option<Self> {
        Some(Self { value, validator: compiled.0.as_deref()? })
    }

    /// Whether `instance` is as it asks.
    pub fn accepts(&self, instance: &Value) -> bool {
        self.validator.is_valid(instance)
    }

    /// What `instance` violates, each once, by place: at most [`MAX_VIOLATIONS`].
    pub fn violations(&self, instance: &Value, speaker: &Speaker<'_>) -> Vec<Violation> {
        if self.accepts(instance) {
            return Vec::new();
        }
        violation::collect(self.validator.iter_errors(instance), self.value, instance, speaker)
    }

    /// The properties in `instance` that it allows and does not name, though it names others beside them.
    pub fn unknown(&self, instance: &Value) -> Vec<Unknown<'a>> {
        names::unknown(self.value, instance)
    }

    /// The names that it has for the properties of the value itself; `None` where it allows any.
    pub fn names(&self) -> Option<Names<'a>> {
        Names::of(self.value, &[self.value])
    }

    /// Whether nothing were wrong at `path` of `instance` with `value` in the place of what is there; `instance` is as before
    /// afterwards.
    pub fn fits(&self, instance: &mut Value, path: &[Step], value: &Value) -> bool {
        placeholder::fits(self, instance, path, value)
    }

    /// Values for the properties `keys` that the object at `path` of `instance` lacks, with none of which anything is wrong.
    pub fn placeholders(&self, instance: &mut Value, path: &[Step], keys: &[String]) -> Option<Vec<Value>> {
        placeholder::find_all(self, instance, path, keys)
    }
}
