//! The values of a call as elements. They are texts: whether a text is a number depends on the
//! schema.

use std::borrow::Cow;

use serde_json::{Map, Value as Any};

use super::fixes::MAX_CHOICES;
use super::{is_json, unchecked_input, unless_secret};
use crate::call::Call;
use crate::diagnostic::{CallDiagnostic, Code, Fix};
use crate::json::parse;
use crate::registry::Tool;
use crate::schema::{Schema, ValueNames, ValueStep, Violation, ViolationKind, about, shown, to_value};
use crate::text::Span;

/// Checks the values of `arguments`, and that no required argument is missing. Does not check their
/// names.
pub(super) fn check(
    call: &Call<'_>,
    arguments: &[(Cow<'_, str>, Cow<'_, str>)],
    tool: &Tool,
    schema: Schema<'_>,
    diagnostics: &mut Vec<CallDiagnostic>,
) {
    let (Some(name), Some(root)) = (&call.name, &tool.input_schema) else { return };
    let typed =
        |(key, text): &(Cow<'_, str>, Cow<'_, str>)| Some((key.to_string(), value_of(root, key, text)?));
    let Some(members) = arguments.iter().map(typed).collect::<Option<Map<_, _>>>() else { return };
    let instance = Any::Object(members);
    let owner = format!("`{}`", tool.name);
    let speaker = ValueNames { root: "the input", owner: &owner, property: "parameter" };
    let Ok(violations) = schema.violations(&instance, &speaker) else {
        return diagnostics.push(unchecked_input(name.span, "the input", &tool.name));
    };
    for violation in violations {
        if matches!(violation.kind, ViolationKind::NotAllowed(..)) && violation.path.is_empty() {
            continue;
        }
        let value = match violation.path.first() {
            Some(ValueStep::Key(key)) => arguments.iter().rfind(|(name, _)| name == key),
            _ => None,
        };
        let place = match value {
            // An empty value has no text to mark.
            Some((key, value)) => Span::of_slice(if value.is_empty() { key } else { value }, call.content),
            None => Some(name.span),
        };
        let Some(place) = place else { continue };
        // Every value is written as text, so naming its type would not help.
        let is_type = matches!(violation.kind, ViolationKind::Type(_)) && violation.path.len() == 1;
        let text = value.filter(|_| is_type).map(|(_, value)| shown(&Any::String(value.to_string())));
        let found = text.as_deref().or(violation.actual.as_deref());
        let found = unless_secret(found, place.of(call.content));
        let diagnostic = CallDiagnostic::new(Code::InvalidInput, place, violation.message_with(found));
        let is_whole = value.is_some_and(|(_, value)| !value.is_empty());
        let fixes = if is_whole { choices(&violation, place) } else { Vec::new() };
        diagnostics.push(diagnostic.fixes(fixes));
    }
}

/// Interprets the value of the parameter `key`: as a string if the schema expects one, or else as
/// JSON or Python's `True`. `None` if it is nested too deeply for validation.
fn value_of(schema: &Any, key: &str, text: &str) -> Option<Any> {
    let about = about(schema, &[ValueStep::Key(key.to_owned())]);
    let has_strings = about.types.is_empty() || about.types.contains(&"string");
    let is_json_here = !has_strings || about.values.iter().any(|value| !value.is_string());
    if is_json_here && let Ok(value) = text.to_ascii_lowercase().parse::<bool>() {
        return Some(Any::Bool(value));
    }
    if !is_json_here || !is_json(text) {
        return Some(Any::String(text.to_owned()));
    }
    parse(text).root(text).and_then(to_value)
}

/// The fixes for a parameter's value that is not among the allowed values.
fn choices(violation: &Violation, place: Span) -> Vec<Fix> {
    let ViolationKind::Choice(values, is_near) = &violation.kind else { return Vec::new() };
    if violation.path.len() > 1 {
        return Vec::new();
    }
    let is_sure = *is_near || values.len() == 1;
    let fix = |(index, value): (usize, &Any)| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let fix = Fix::replace(format!("Write {}", shown(value)), place, text);
        if index == 0 && is_sure { fix.preferred() } else { fix }
    };
    values.iter().take(MAX_CHOICES).enumerate().map(fix).collect()
}
