//! The JSON Schemas of tools: errors in schemas, and the violations of values, with messages.
//!
//! The crate `jsonschema` validates (drafts 4 to 2020-12); this module adds messages and the
//! property names of schemas. Nothing is ever fetched: a `$ref` must stay inside of its schema.
//! Values are `serde_json` values; parts of a payload that `serde_json` cannot represent (see
//! [`to_value`]) are not validated.

pub mod budget;
pub mod wording;

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

mod branches;
mod compile;
mod instance;
mod names;
mod parameters;
mod placeholder;
#[cfg(test)]
mod tests;
mod violation;

pub use crate::json::ValueStep;
pub use crate::schema::budget::with_budget;
pub use crate::schema::wording::{ValueNames, or, shown};
pub use compile::{SchemaError, compile};
pub use instance::to_value;
pub use names::{PropertyNames, UnknownProperty};
pub use parameters::{Parameter, ValueDescription, about, parameters};
pub use violation::{Violation, ViolationKind};

/// Maximum number of violations reported per value.
pub const MAX_VIOLATIONS: usize = 20;

/// A compiled schema; empty if it could not be compiled.
#[derive(Clone, Default)]
pub struct CompiledSchema(Option<Arc<CompiledValidator>>);

struct CompiledValidator {
    validator: jsonschema::Validator,
    /// Number of values in the schema.
    nodes: u64,
}

impl fmt::Debug for CompiledSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Compiled" } else { "not compiled" })
    }
}

/// Always equal: the schema itself, which is stored beside it, is compared instead.
impl PartialEq for CompiledSchema {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A schema and its compiled form.
#[derive(Clone, Copy, Debug)]
pub struct Schema<'a> {
    value: &'a Value,
    validator: &'a jsonschema::Validator,
    nodes: u64,
}

/// Validation takes too much work: the alternatives of the schema nest too deeply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooComplex;

impl<'a> Schema<'a> {
    /// The schema `value` with its compiled form; `None` if it was not compiled for validation.
    pub fn new(value: &'a Value, compiled: &'a CompiledSchema) -> Option<Self> {
        let compiled = compiled.0.as_deref()?;
        Some(Self { value, validator: &compiled.validator, nodes: compiled.nodes })
    }

    /// True if `instance` is valid; `None` if that takes too much work.
    pub fn accepts(&self, instance: &Value) -> Option<bool> {
        self.run_validator(instance, || self.validator.is_valid(instance))
    }

    /// The schema violations of `instance`, without duplicates, in document order; at most
    /// [`MAX_VIOLATIONS`]. If locating them takes too much work, a single violation without a
    /// location.
    ///
    /// # Errors
    ///
    /// [`TooComplex`] if even validity cannot be decided within the limit.
    pub fn violations(&self, instance: &Value, names: &ValueNames<'_>) -> Result<Vec<Violation>, TooComplex> {
        if self.accepts(instance).ok_or(TooComplex)? {
            return Ok(Vec::new());
        }
        let collect =
            || violation::collect(self.validator.iter_errors(instance), self.value, instance, names);
        Ok(self.run_validator(instance, collect).unwrap_or_else(|| vec![Violation::unplaced(names)]))
    }

    /// Runs `work`, which validates `instance`; `None` if it takes too much.
    fn run_validator<T>(&self, instance: &Value, work: impl FnOnce() -> T) -> Option<T> {
        budget::run_within(budget::limit(budget::nodes(instance), self.nodes), work)
    }

    /// The budget for validations of `instance` with replaced values, for [`with_budget`].
    pub fn allowance(&self, instance: &Value) -> u64 {
        4 * budget::limit(budget::nodes(instance), self.nodes)
    }

    /// The property names of the root value; `None` if it allows any.
    pub fn names(&self) -> Option<PropertyNames<'a>> {
        PropertyNames::of(self.value, &[self.value])
    }
}
