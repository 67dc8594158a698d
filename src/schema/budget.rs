//! Limits the work of validation: schemas come from untrusted sources, and nested alternatives take
//! time and memory exponential in the depth of a value.
//!
//! The crate `jsonschema` has no limit of its own. Each subschema gets a keyword that counts its
//! evaluations, and unwinds out of the validator at the limit. The count depends only on the schema
//! and the value, so that a document gets the same diagnostics everywhere. The validator recurses,
//! so the keyword also limits the use of the stack; only schemas that are written for it meet that
//! limit, which depends on the build.

use std::cell::Cell;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use jsonschema::{Draft, Keyword, ValidationError};
use serde_json::{Map, Value};

/// The counting keyword.
pub(super) const KEYWORD: &str = "chatls-work";

/// Maximum number of evaluations per node of a value and of a schema: ordinary schemas need a tenth
/// of it.
const PER_NODE: u64 = 64;
const PER_SCHEMA_NODE: u64 = 8;

/// Number of `enum` values and properties that cost as much as one evaluation.
const NAMES_PER_STEP: u64 = 64;

/// Maximum number of bytes of the stack: ordinary schemas need a tenth of it for the deepest value.
const MOST_STACK: usize = 512 << 10;

/// Keywords with schemas for the same value.
const IN_PLACE: [&str; 11] = [
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
    "unevaluatedItems",
];

/// Members beside a `$ref` of older drafts that it does not replace.
const BESIDE_REFERENCES: [&str; 5] = ["$schema", "$id", "id", "$defs", "definitions"];

thread_local! {
    /// The address in the stack at which the current validation began.
    static STACK: Cell<usize> = const { Cell::new(0) };
    /// Remaining evaluations of the current validation.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    /// Remaining evaluations of all validations of a [`with_budget`].
    static ALLOWED: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// The panic payload that leaves the validator.
struct ValidationLimit;

/// Runs `work`, which evaluates subschemas; `None` if it exceeds `limit`, or the budget.
pub(super) fn run_within<T>(limit: u64, work: impl FnOnce() -> T) -> Option<T> {
    let allowed = ALLOWED.get();
    let given = limit.min(allowed);
    if given == 0 {
        return None;
    }
    let outer = (LEFT.replace(given), STACK.replace(stack_address()));
    let worked = catch_unwind(AssertUnwindSafe(work));
    let left = LEFT.replace(outer.0);
    STACK.set(outer.1);
    ALLOWED.set(allowed.saturating_sub(given - left));
    match worked {
        Ok(result) => Some(result),
        Err(panic) if panic.is::<ValidationLimit>() => None,
        Err(panic) => resume_unwind(panic),
    }
}

/// Runs `work`, whose validations share the budget `allowance`; stores the remaining budget there.
/// Without budget, no value is accepted.
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

/// An address in the part of the stack that is in use.
#[inline(never)]
fn stack_address() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(black_box(&here)).addr()
}

/// The evaluation limit for a value of `nodes` nodes and a schema of `schema_nodes`.
pub(super) fn limit(nodes: u64, schema_nodes: u64) -> u64 {
    PER_NODE + PER_SCHEMA_NODE * schema_nodes + PER_NODE * nodes
}

/// Number of values in `value`, including itself.
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

/// `schema` of `draft` with the counting keyword in each of its subschemas.
///
/// The validator evaluates keywords of its own first, so a subschema that others are evaluated for
/// at the same value also counts in its `allOf`, which precedes them.
pub(super) fn counted(schema: &Value, draft: Draft) -> Value {
    match schema {
        Value::Object(members) => {
            let entry = Value::Object(counting());
            // In older drafts, `$ref` replaces all members beside it.
            let is_alone = draft <= Draft::Draft7 && members.contains_key("$ref");
            let is_kept = |key: &str| !is_alone || BESIDE_REFERENCES.contains(&key);
            let kept = members.iter().filter(|(key, _)| is_kept(key));
            let mut all = counting();
            all.extend(kept.map(|(key, member)| (key.clone(), counted_member(key, member, draft))));
            if is_alone {
                let reference = members.iter().filter(|(key, _)| *key == "$ref");
                let reference = reference.map(|(key, member)| (key.clone(), member.clone())).collect();
                all.insert("allOf".to_owned(), Value::Array(vec![entry, Value::Object(reference)]));
            } else if IN_PLACE.iter().any(|key| members.contains_key(*key)) {
                all.entry("allOf").or_insert(Value::Array(vec![entry]));
            }
            Value::Object(all)
        }
        Value::Array(items) => Value::Array(items.iter().map(|item| counted(item, draft)).collect()),
        _ => schema.clone(),
    }
}

/// The members of a subschema that only counts.
fn counting() -> Map<String, Value> {
    std::iter::once((KEYWORD.to_owned(), Value::Bool(true))).collect()
}

fn counted_member(key: &str, member: &Value, draft: Draft) -> Value {
    const BY_NAME: [&str; 6] =
        ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];
    match member {
        Value::Object(schemas) if BY_NAME.contains(&key) => {
            let schemas = schemas.iter().map(|(name, schema)| (name.clone(), counted(schema, draft)));
            Value::Object(schemas.collect())
        }
        _ if is_data(key) => member.clone(),
        // Nothing precedes `true`, so it counts, too.
        Value::Array(items) if key == "allOf" => {
            let counts = |item: &Value| match item {
                Value::Bool(true) => Value::Object(counting()),
                item => counted(item, draft),
            };
            Value::Array(items.iter().map(counts).collect())
        }
        _ => counted(member, draft),
    }
}

/// True if the value of the keyword `key` is compared, or its content is not a schema.
pub(super) fn is_data(key: &str) -> bool {
    const DATA: [&str; 7] =
        ["const", "enum", "default", "examples", "dependentRequired", "$vocabulary", "discriminator"];
    DATA.contains(&key)
}

/// Counts the evaluations of one subschema.
struct EvaluationCounter {
    /// The cost of one evaluation.
    weight: u64,
    /// Number of patterns that each property of an object is matched against.
    patterns: u64,
}

impl EvaluationCounter {
    fn count(&self, instance: &Value) {
        let members = instance.as_object().map_or(0, |members| members.len() as u64);
        let weight = self.weight + self.patterns.saturating_mul(members);
        let is_deep = STACK.get().abs_diff(stack_address()) > MOST_STACK;
        match LEFT.get().checked_sub(weight).filter(|_| !is_deep) {
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

/// Creates the keyword for the subschema `parent`.
pub(super) fn counter(parent: &Map<String, Value>) -> Box<dyn for<'i> Keyword<'i>> {
    let len = |key: &str| match parent.get(key) {
        Some(Value::Object(members)) => members.len() as u64,
        Some(Value::Array(items)) => items.len() as u64,
        _ => 0,
    };
    let names = len("enum") + len("properties") + len("required");
    Box::new(EvaluationCounter { weight: 1 + names / NAMES_PER_STEP, patterns: len("patternProperties") })
}
