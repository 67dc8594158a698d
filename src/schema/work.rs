//! How much work judging a value may be: schemas come from strangers, and alternatives that nest take time and memory that
//! grow exponentially with the depth of a value.
//!
//! The crate `jsonschema` has no limit of its own. Each subschema is given a keyword that counts its evaluations, and leaves the
//! validator by unwinding where there are too many. What is counted depends on the schema and the value alone, so that the same
//! document gets the same findings everywhere.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use jsonschema::{Keyword, ValidationError};
use serde_json::{Map, Value};

/// The keyword that counts.
pub(super) const KEYWORD: &str = "chatls-work";

/// Evaluations for each node of a value, and of a schema: ordinary schemas need a tenth of it.
const PER_NODE: u64 = 64;
const PER_SCHEMA_NODE: u64 = 8;

/// Values of an `enum`, and properties, that are looked through in the time of one evaluation.
const NAMES_PER_STEP: u64 = 64;

thread_local! {
    /// What the validation that is running may still evaluate.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    /// What all validations of a [`trying`] may still evaluate.
    static ALLOWED: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// What leaves the validator.
struct ValidationLimit;

/// What `work` gives, which evaluates subschemas; `None` where it would evaluate more than `limit`, or than is allowed.
pub(super) fn run_within<T>(limit: u64, work: impl FnOnce() -> T) -> Option<T> {
    let allowed = ALLOWED.get();
    let given = limit.min(allowed);
    if given == 0 {
        return None;
    }
    let outer = LEFT.replace(given);
    let worked = catch_unwind(AssertUnwindSafe(work));
    let left = LEFT.replace(outer);
    ALLOWED.set(allowed.saturating_sub(given - left));
    match worked {
        Ok(result) => Some(result),
        Err(panic) if panic.is::<ValidationLimit>() => None,
        Err(panic) => resume_unwind(panic),
    }
}

/// What `work` gives, whose validations may take `allowance` together, and leave what is left of it: where nothing is, no value
/// fits.
pub fn with_budget<T>(allowance: &mut u64, work: impl FnOnce() -> T) -> T {
    struct RestoreBudget(u64);
    impl Drop for RestoreBudget {
        fn drop(&mut self) {
            ALLOWED.set(self.0);
        }
    }
    let _restore = RestoreBudget(ALLOWED.replace(*allowance));
    let result = work();
    *allowance = ALLOWED.get();
    result
}

/// The evaluations that judging a value of `nodes` nodes by a schema of `schema_nodes` may take.
pub(super) fn limit(nodes: u64, schema_nodes: u64) -> u64 {
    PER_NODE + PER_SCHEMA_NODE * schema_nodes + PER_NODE * nodes
}

/// How many values `value` holds, with itself.
pub(super) fn nodes(value: &Value) -> u64 {
    let mut count = 0;
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        count += 1;
        match value {
            Value::Array(items) => stack.extend(items),
            Value::Object(members) => stack.extend(members.values()),
            _ => {}
        }
    }
    count
}

/// `schema` with the keyword in each of its subschemas.
pub(super) fn counted(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            // It comes first: keywords are judged in their order.
            let first = (KEYWORD.to_owned(), Value::Bool(true));
            let rest = members.iter().map(|(key, member)| (key.clone(), counted_member(key, member)));
            Value::Object(std::iter::once(first).chain(rest).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(counted).collect()),
        _ => schema.clone(),
    }
}

fn counted_member(key: &str, member: &Value) -> Value {
    const BY_NAME: [&str; 6] =
        ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];
    // What is compared, or has a form of its own.
    const OTHER: [&str; 7] =
        ["const", "enum", "default", "examples", "dependentRequired", "$vocabulary", "discriminator"];
    match member {
        Value::Object(schemas) if BY_NAME.contains(&key) => {
            let schemas = schemas.iter().map(|(name, schema)| (name.clone(), counted(schema)));
            Value::Object(schemas.collect())
        }
        _ if OTHER.contains(&key) => member.clone(),
        _ => counted(member),
    }
}

/// Counts the evaluations of one subschema.
struct EvaluationCounter {
    /// What an evaluation of it counts for.
    weight: u64,
    /// How many patterns each property of an object is held against.
    patterns: u64,
}

impl EvaluationCounter {
    fn count(&self, instance: &Value) {
        let members = instance.as_object().map_or(0, |members| members.len() as u64);
        let weight = self.weight + self.patterns.saturating_mul(members);
        match LEFT.get().checked_sub(weight) {
            Some(left) => LEFT.set(left),
            None => resume_unwind(Box::new(ValidationLimit)),
        }
    }
}

impl<'i> Keyword<'i> for EvaluationCounter {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        self.count(instance);
        Ok(())
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        self.count(instance);
        true
    }
}

/// The keyword in the subschema `parent`.
pub(super) fn counter(parent: &Map<String, Value>) -> Box<dyn for<'i> Keyword<'i>> {
    let len = |key: &str| match parent.get(key) {
        Some(Value::Object(members)) => members.len() as u64,
        Some(Value::Array(items)) => items.len() as u64,
        _ => 0,
    };
    let names = len("enum") + len("properties") + len("required");
    Box::new(EvaluationCounter { weight: 1 + names / NAMES_PER_STEP, patterns: len("patternProperties") })
}
