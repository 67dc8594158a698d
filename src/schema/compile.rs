//! Compiles a schema, or reports its errors with their locations.
//!
//! `$schema` names the draft; the default is 2020-12. A schema without `$schema` that is valid only
//! in draft 7 or 4 is compiled with that draft.

use std::sync::Arc;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, ReferencingError, ValidationError};
use serde_json::Value;

use super::names::resolve;
use super::violation::{self, path_of};
use super::{CompiledSchema, CompiledValidator, ValueStep, ViolationKind};
use crate::schema::budget;
use crate::schema::wording::{ValueNames, shown};

/// Maximum number of errors reported per schema: the first ones explain the others.
const MAX_FAULTS: usize = 5;

/// Maximum number of steps of a regular expression; harmless ones need fewer.
const BACKTRACK_LIMIT: usize = 100_000;

/// An error in a schema.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaError {
    /// Its location in the schema.
    pub path: Vec<ValueStep>,
    /// The message: the error, and how to correct it.
    pub message: String,
    /// The kind of the error.
    pub kind: ViolationKind,
}

/// Compiles `schema`.
///
/// # Errors
///
/// The errors of the schema: violations of its draft, an invalid regular expression, a `$ref`
/// without a target or to another document.
pub fn compile(schema: &Value) -> Result<CompiledSchema, Vec<SchemaError>> {
    let named = schema.get("$schema").and_then(Value::as_str).map(Draft::from_schema_uri);
    let drafts: &[Draft] = match &named {
        Some(draft) if *draft != Draft::Unknown => std::slice::from_ref(draft),
        _ => &[Draft::Draft202012, Draft::Draft7, Draft::Draft4],
    };
    let mut first = None;
    for draft in drafts {
        match build(&budget::counted(schema, *draft), *draft) {
            Ok(validator) => {
                return Ok(CompiledSchema(Some(Arc::new(CompiledValidator {
                    validator,
                    nodes: budget::nodes(schema),
                }))));
            }
            Err(error) => first = first.or(Some((*draft, error))),
        }
    }
    Err(first.map(|(draft, error)| errors_of(schema, draft, &error)).unwrap_or_default())
}

fn build(schema: &Value, draft: Draft) -> Result<jsonschema::Validator, ValidationError<'static>> {
    jsonschema::options()
        .offline()
        .with_draft(draft)
        .should_validate_formats(true)
        .with_keyword(budget::KEYWORD, |parent, _, _| Ok(budget::counter(parent)))
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACK_LIMIT))
        .build(schema)
}

fn errors_of(schema: &Value, draft: Draft, error: &ValidationError<'_>) -> Vec<SchemaError> {
    let fault = |path: Vec<ValueStep>, message: String| {
        vec![SchemaError { path, message, kind: ViolationKind::Other }]
    };
    let meta = match draft {
        Draft::Draft4 => jsonschema::draft4::meta::validator(),
        Draft::Draft6 => jsonschema::draft6::meta::validator(),
        Draft::Draft7 => jsonschema::draft7::meta::validator(),
        Draft::Draft201909 => jsonschema::draft201909::meta::validator(),
        _ => jsonschema::draft202012::meta::validator(),
    };
    if !meta.is_valid(schema) {
        let names = ValueNames { root: "a JSON Schema", owner: "a JSON Schema", property: "keyword" };
        let violations = violation::collect(meta.iter_errors(schema), &Value::Null, schema, &names);
        let say = |violation: violation::Violation| {
            let message =
                format!("not a valid JSON Schema, so calls are not checked: {}", violation.message());
            SchemaError { path: violation.path, message, kind: violation.kind }
        };
        return violations.into_iter().take(MAX_FAULTS).map(say).collect();
    }
    match error.kind() {
        ValidationErrorKind::Referencing(referencing) => {
            let (path, target) = reference(schema, referencing).unwrap_or_default();
            let target = shown(&Value::String(target));
            let reason = match referencing {
                ReferencingError::Unretrievable { .. } => {
                    format!("{target} is outside of this schema and is not fetched; put it into `$defs`")
                }
                _ if path.is_empty() => format!("a reference in this schema does not resolve: {referencing}"),
                _ => format!("{target} is not in this schema"),
            };
            fault(path, format!("{reason}; until then, calls are not checked"))
        }
        ValidationErrorKind::Format { format } if format == "regex" => {
            let path = path_of(error.instance_path().as_str(), schema);
            let pattern = shown(error.instance());
            fault(path, format!("{pattern} is not a regular expression, so calls are not checked"))
        }
        _ => {
            let path = path_of(error.instance_path().as_str(), schema);
            fault(path, format!("not a valid JSON Schema, so calls are not checked: {error}"))
        }
    }
}

/// The first reference of `schema` that `error` may be about, and its location.
fn reference(schema: &Value, error: &ReferencingError) -> Option<(Vec<ValueStep>, String)> {
    let is_wrong = |target: &str| {
        let (document, fragment) = target.split_once('#').unwrap_or((target, ""));
        match error {
            ReferencingError::Unretrievable { uri, .. } => !document.is_empty() && uri.ends_with(document),
            ReferencingError::NoSuchAnchor { anchor } | ReferencingError::InvalidAnchor { anchor } => {
                fragment == anchor
            }
            _ => target.contains("#/") && resolve(schema, target).is_none(),
        }
    };
    let mut stack = vec![(Vec::new(), schema)];
    while let Some((path, value)) = stack.pop() {
        let below = |step: ValueStep| {
            let mut below: Vec<ValueStep> = path.clone();
            below.push(step);
            below
        };
        match value {
            Value::Object(members) => {
                for (key, member) in members.iter().rev().filter(|(key, _)| !budget::is_data(key)) {
                    let path = below(ValueStep::Key(key.clone()));
                    match member {
                        Value::String(target)
                            if matches!(&**key, "$ref" | "$dynamicRef") && is_wrong(target) =>
                        {
                            return Some((path, target.clone()));
                        }
                        _ => stack.push((path, member)),
                    }
                }
            }
            Value::Array(items) => {
                stack.extend(
                    items.iter().enumerate().rev().map(|(at, item)| (below(ValueStep::Index(at)), item)),
                );
            }
            _ => {}
        }
    }
    None
}
