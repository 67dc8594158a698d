//! Selects the intended branch of alternatives (`anyOf`, `oneOf`).
//!
//! The intended branch matches in its type, then in its constants (which usually distinguish
//! alternatives); then the fewest violations decide, then the deepest. If all branches differ only
//! in the property that the value lacks, in their types or in their constants, the message lists
//! these for all branches.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use super::ValueStep;
use super::violation::{ViolationReporter, path_of};
use crate::schema::wording;

type Branch = [ValidationError<'static>];

/// Reports the violations of `value`, at `path`, for the closest of `branches`.
pub(super) fn report_branches(
    reporter: &mut ViolationReporter<'_>,
    path: Vec<ValueStep>,
    value: &Value,
    branches: &[Vec<ValidationError<'static>>],
) {
    let depth = path.len();
    if let Some(keys) = all(branches, |branch| required(branch, reporter.instance, depth)) {
        return reporter.missing(path, unique(keys));
    }
    if let Some(types) = all(branches, |branch| types(branch, reporter.instance, depth)) {
        return reporter.types(path, value, unique(types.into_iter().flatten().collect()));
    }
    let of_type: Vec<&Branch> = branches
        .iter()
        .map(Vec::as_slice)
        .filter(|branch| types(branch, reporter.instance, depth).is_none())
        .collect();
    if let Some((place, found, options)) = discriminator(&of_type, reporter.instance, depth) {
        return reporter.choice(place, found, &unique(options));
    }
    let closest = of_type.into_iter().min_by_key(|branch| {
        let is_other = branch.iter().any(|error| {
            is_constant(error)
                && path_of(error.instance_path().as_str(), reporter.instance).len() <= depth + 1
        });
        let deepest = branch.iter().map(|error| error.instance_path().as_str().matches('/').count()).max();
        (is_other, branch.len(), std::cmp::Reverse(deepest))
    });
    for error in closest.into_iter().flatten() {
        reporter.report(error);
    }
}

/// The results of `of` for all `branches`; `None` if it returns `None` for any.
fn all<T>(branches: &[Vec<ValidationError<'static>>], of: impl Fn(&Branch) -> Option<T>) -> Option<Vec<T>> {
    branches.iter().map(|branch| of(branch)).collect()
}

/// The single property of the value that a branch lacks, if that is its only violation.
fn required(branch: &Branch, instance: &Value, depth: usize) -> Option<String> {
    match branch {
        [error] if path_of(error.instance_path().as_str(), instance).len() == depth => match error.kind() {
            Kind::Required { property } => property.as_str().map(str::to_owned),
            _ => None,
        },
        _ => None,
    }
}

/// The types that a branch accepts, if the value itself has none of them.
fn types(branch: &Branch, instance: &Value, depth: usize) -> Option<Vec<&'static str>> {
    branch.iter().find_map(|error| match error.kind() {
        Kind::Type { kind } if path_of(error.instance_path().as_str(), instance).len() == depth => {
            Some(wording::types_of(kind))
        }
        _ => None,
    })
}

/// If all branches require another constant at the same location, or one of several: the location,
/// the value there, and the constants.
fn discriminator<'b>(
    branches: &[&'b Branch],
    instance: &Value,
    depth: usize,
) -> Option<(Vec<ValueStep>, &'b Value, Vec<Value>)> {
    let first = branches.first()?.iter().find(|error| is_constant(error))?;
    let place = first.instance_path().as_str();
    let path = path_of(place, instance);
    if path.len() > depth + 1 {
        return None;
    }
    let mut options = Vec::new();
    for branch in branches {
        let constant =
            branch.iter().find(|error| is_constant(error) && error.instance_path().as_str() == place)?;
        match constant.kind() {
            Kind::Constant { expected_value } => options.push((**expected_value).clone()),
            Kind::Enum { options: some } => options.extend(some.as_array().into_iter().flatten().cloned()),
            _ => {}
        }
    }
    Some((path, first.instance().as_ref(), options))
}

fn is_constant(error: &ValidationError<'_>) -> bool {
    matches!(error.kind(), Kind::Constant { .. } | Kind::Enum { .. })
}

fn unique<T: PartialEq>(values: Vec<T>) -> Vec<T> {
    let mut unique = Vec::new();
    for value in values {
        if !unique.contains(&value) {
            unique.push(value);
        }
    }
    unique
}
