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
mod work;

pub use compile::{SchemaError, compile};
pub use instance::to_value;
pub use names::{PropertyNames, UnknownProperty};
pub use parameters::{Parameter, ValueDescription, about, parameters};
pub use violation::{Violation, ViolationKind};
pub use words::{ValueNames, or, shown};
pub use work::with_budget;

/// The most that is said of one value.
pub const MAX_VIOLATIONS: usize = 20;

/// One step down into a JSON value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ValueStep {
    /// To the member of this key.
    Key(String),
    /// To the item of this index.
    Index(usize),
}

/// A schema made ready to judge by; nothing where it cannot be.
#[derive(Clone, Default)]
pub struct CompiledSchema(Option<Arc<CompiledValidator>>);

struct CompiledValidator {
    validator: jsonschema::Validator,
    /// How many values the schema holds.
    nodes: u64,
}

impl fmt::Debug for CompiledSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Compiled" } else { "not compiled" })
    }
}

/// What was made of a schema is told by the schema, which stands beside it.
impl PartialEq for CompiledSchema {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A schema and what was made of it.
#[derive(Clone, Copy, Debug)]
pub struct Schema<'a> {
    value: &'a Value,
    validator: &'a jsonschema::Validator,
    nodes: u64,
}

/// Judging a value takes too much work: the alternatives of the schema nest too deeply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooComplex;

impl<'a> Schema<'a> {
    /// The schema `value`, of which `compiled` was made; `None` where it is there to look at, not to judge by.
    pub fn new(value: &'a Value, compiled: &'a CompiledSchema) -> Option<Self> {
        let judge = compiled.0.as_deref()?;
        Some(Self { value, validator: &judge.validator, nodes: judge.nodes })
    }

    /// Whether `instance` is as it asks; `None` where that takes too much work.
    pub fn accepts(&self, instance: &Value) -> Option<bool> {
        self.run_validator(instance, || self.validator.is_valid(instance))
    }

    /// What `instance` violates, each once, by place: at most [`MAX_VIOLATIONS`]. Where the places take too much work, one that
    /// only says that something is wrong.
    ///
    /// # Errors
    ///
    /// [`TooComplex`] where it cannot even be said whether something is wrong.
    pub fn violations(
        &self,
        instance: &Value,
        speaker: &ValueNames<'_>,
    ) -> Result<Vec<Violation>, TooComplex> {
        if self.accepts(instance).ok_or(TooComplex)? {
            return Ok(Vec::new());
        }
        let collect =
            || violation::collect(self.validator.iter_errors(instance), self.value, instance, speaker);
        Ok(self.run_validator(instance, collect).unwrap_or_else(|| vec![Violation::unplaced(speaker)]))
    }

    /// What `work` makes of `instance`; `None` where it takes too much.
    fn run_validator<T>(&self, instance: &Value, work: impl FnOnce() -> T) -> Option<T> {
        work::run_within(work::limit(work::nodes(instance), self.nodes), work)
    }

    /// The work that [`trying`] values in the place of others in `instance` may take.
    pub fn allowance(&self, instance: &Value) -> u64 {
        4 * work::limit(work::nodes(instance), self.nodes)
    }

    /// The properties in `instance` that it allows and does not name, though it names others beside them.
    pub fn unknown(&self, instance: &Value) -> Vec<UnknownProperty<'a>> {
        names::unknown_properties(self.value, instance)
    }

    /// The names that it has for the properties of the value itself; `None` where it allows any.
    pub fn names(&self) -> Option<PropertyNames<'a>> {
        PropertyNames::of(self.value, &[self.value])
    }

    /// Whether nothing were wrong at `path` of `instance` with `value` in the place of what is there; `instance` is as before
    /// afterwards.
    pub fn fits(&self, instance: &mut Value, path: &[ValueStep], value: &Value) -> bool {
        placeholder::fits(self, instance, path, value)
    }

    /// Values for the properties `keys` that the object at `path` of `instance` lacks, with none of which anything is wrong.
    pub fn placeholders(
        &self,
        instance: &mut Value,
        path: &[ValueStep],
        keys: &[String],
    ) -> Option<Vec<Value>> {
        placeholder::find_all(self, instance, path, keys)
    }
}
