//! Rules based on a tool's JSON Schema: `invalid-input`, `unknown-parameter`.
//!
//! Only valid payloads are validated. For display text (tags) only parameter names are checked,
//! because values may be truncated; the values of elements are whole. Missing members of incomplete
//! input are not reported.

use std::borrow::Cow;

use serde_json::{Map, Value as Any};

use crate::call::shape::FieldRole;
use crate::call::{Call, CallData, CallPart, UseStatus};
use crate::config::Settings;
use crate::diagnostic::{CallDiagnostic, Code, DiagnosticTarget};
use crate::json::{JsonKind, Value, parse};
use crate::nearest::nearest;
use crate::never::OrNever;
use crate::registry::Tool;
use crate::rules::encoded::fix_in_content;
use crate::rules::secrets::first_secrets;
use crate::schema::budget::with_budget;
use crate::schema::wording::ValueNames;
use crate::schema::{MAX_VIOLATIONS, Schema, ValueStep, Violation, ViolationKind, to_value};
use crate::text::Span;

mod elements;
mod fixes;
mod output;
#[cfg(test)]
mod tests;

use fixes::SchemaFixes;

/// Validates the input, or output, of `call` against the schemas of its tool.
pub fn check(call: &Call<'_>, settings: &Settings, diagnostics: &mut Vec<CallDiagnostic>) {
    let tool = call.name.as_ref().and_then(|name| settings.registry.tools.get(&*name.text));
    let is_asked = |code| settings.severity(code).is_some();
    let Some(tool) = tool.filter(|_| is_asked(Code::InvalidInput) || is_asked(Code::UnknownParameter)) else {
        return;
    };
    let before = diagnostics.len();
    if !call.valid {
        return;
    }
    if call.checks_tool
        && call.part.has_call()
        && let Some(schema) = tool.input()
    {
        match &call.input {
            Some(CallData::Arguments(arguments)) => {
                names(call, arguments, tool, schema, diagnostics);
                // In display text, values may be truncated.
                if call.arguments_span.is_none() {
                    elements::check(call, arguments, tool, schema, diagnostics);
                }
            }
            Some(CallData::Json(input)) => json(call, Some(*input), tool, schema, diagnostics),
            Some(CallData::Text(_)) => {}
            None => json(call, None, tool, schema, diagnostics),
        }
    }
    if matches!(call.part, CallPart::Result | CallPart::Both) {
        output::check(call, tool, diagnostics);
    }
    diagnostics.truncate(before + MAX_VIOLATIONS);
}

/// An input and its location.
struct CheckedInput<'c> {
    /// The payload's object.
    object: Value<'c>,
    /// The input's value; absent and `null` count as `{}`.
    given: Option<Value<'c>>,
    /// Its key in the payload.
    key: &'static str,
}

fn json(
    call: &Call<'_>,
    given: Option<Value<'_>>,
    tool: &Tool,
    schema: Schema<'_>,
    diagnostics: &mut Vec<CallDiagnostic>,
) {
    let (Some(payload), Some(object)) = (call.input_payload(), call.object) else { return };
    // A value that is being typed is not there yet.
    let given = given.filter(|given| !given.is_null() && given.kind() != JsonKind::Missing);
    // An object without a documented shape has no key to insert an input for.
    if call.shape.is_none() && !given.is_some_and(|given| payload.has_no_error_in(given.span())) {
        return;
    }
    let field = call.shape.and_then(|shape| shape.of_role(FieldRole::Input));
    let key = field.map_or("input", |field| field.key);
    if !must_match_schema(call, given, key, diagnostics) {
        return;
    }
    let input = CheckedInput { object, given, key };
    let Some(mut instance) = given.map_or_else(|| Some(Any::Object(Map::new())), to_value) else { return };
    let owner = format!("`{}`", tool.name);
    let speaker = ValueNames { root: "the input", owner: &owner, property: "parameter" };
    let Ok(mut violations) = schema.violations(&instance, &speaker) else {
        let place = call.input_span(given.map_or(object.span(), |given| given.span()));
        return diagnostics.push(unchecked_input(place, "the input", &tool.name));
    };
    if call.state.as_ref().is_some_and(|state| state.text == "input-streaming") {
        // Types and names are already valid in objects that are completed later.
        violations.retain(|violation| {
            matches!(violation.kind, ViolationKind::Type(_) | ViolationKind::NotAllowed(..))
        });
    }
    let unknown = schema.unknown(&instance);
    let mut allowance = schema.allowance(&instance);
    let before = diagnostics.len();
    for violation in &violations {
        let place = call.input_span(input.place(violation));
        let message =
            violation.message_with(unless_secret(violation.actual.as_deref(), place.of(call.content)));
        let fixes =
            SchemaFixes { schema: &schema, input: &input, violations: &violations, unknown: &unknown };
        let fixes = with_budget(&mut allowance, || fixes.of(violation, &mut instance));
        let fixes = fixes.into_iter().map(|fix| fix_in_content(call, fix));
        diagnostics.push(CallDiagnostic::new(Code::InvalidInput, place, message).fixes(fixes));
    }
    for unknown in &unknown {
        let object = input.at(&unknown.path);
        let Some((key, _)) = object.and_then(|object| object.get_entry(&unknown.key)).never_none() else {
            continue;
        };
        let place = call.input_span(key.span());
        let is_reported = diagnostics
            .iter()
            .skip(before)
            .any(|diagnostic| diagnostic.target == DiagnosticTarget::Span(place));
        if !is_reported {
            let near = near(&unknown.key, unknown.known.iter().copied());
            let message = speaker.unknown(&unknown.path, &unknown.key, &near);
            let mut diagnostic = CallDiagnostic::new(Code::UnknownParameter, place, message);
            let rename = fixes::rename(key.span(), &near, object);
            diagnostic.fixes.extend(rename.map(|fix| fix_in_content(call, fix)));
            diagnostics.push(diagnostic);
        }
    }
}

/// Reports that a value was not validated.
fn unchecked_input(place: Span, what: &str, tool: &str) -> CallDiagnostic {
    let message = format!(
        "{what} is not checked: the alternatives in the schema of `{tool}` combine in too many ways; reduce its nested \
         `allOf`, `anyOf` and `$ref`"
    );
    CallDiagnostic::new(Code::NotChecked, place, message)
}

fn near<'n>(key: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    nearest(key, known).into_iter().map(str::to_owned).collect()
}

/// True if the input has to match the schema.
fn must_match_schema(
    call: &Call<'_>,
    given: Option<Value<'_>>,
    key: &str,
    diagnostics: &[CallDiagnostic],
) -> bool {
    // "with `invalid: true` its `input` may be anything and is not validated"; "`args: {}` followed
    // by deltas is filled by them", and so are absent `args`.
    if call.is_invalid || call.is_open || (key == "args" && given.is_none()) {
        return false;
    }
    // A call may have failed because its input was invalid, and a diagnostic on another field may
    // concern this one.
    let is_elsewhere = || {
        call.status == UseStatus::Failed
            || diagnostics
                .iter()
                .any(|diagnostic| matches!(diagnostic.code, Code::MisnamedField | Code::WrongType))
    };
    given.is_some() || !is_elsewhere()
}

/// The value `found`, for a message, unless `written`, its text, contains a secret.
fn unless_secret<'f>(found: Option<&'f str>, written: &str) -> Option<&'f str> {
    let has_secret = !first_secrets(written, 1).is_empty();
    if has_secret { found.map(|_| "what looks like a secret") } else { found }
}

impl<'c> CheckedInput<'c> {
    /// The value at `path`; of duplicate keys, the last.
    fn at(&self, path: &[ValueStep]) -> Option<Value<'c>> {
        path.iter().try_fold(self.given?, Value::child)
    }

    /// The span to mark, in the payload's text: the key of a property that is not allowed, the
    /// opening brace of an object that lacks a property, or else the value.
    fn place(&self, violation: &Violation) -> Span {
        place(self.given.unwrap_or(self.object), violation)
    }
}

fn place(root: Value<'_>, violation: &Violation) -> Span {
    let value = violation.path.iter().try_fold(root, Value::child).unwrap_or(root);
    let span = value.span();
    match &violation.kind {
        ViolationKind::NotAllowed(key, _) => value.get_entry(key).map_or(span, |(key, _)| key.span()),
        ViolationKind::Missing(_) => Span { start: span.start, end: span.end.min(span.start + 1) },
        _ => span,
    }
}

/// Checks the names of display arguments. A comma in a bare value may look like the start of
/// another argument, so names after one are reported only if they resemble an unused parameter.
fn names(
    call: &Call<'_>,
    arguments: &[(Cow<'_, str>, Cow<'_, str>)],
    tool: &Tool,
    schema: Schema<'_>,
    diagnostics: &mut Vec<CallDiagnostic>,
) {
    let Some(names) = schema.names() else { return };
    let mut is_sure = true;
    for (key, value) in arguments {
        let is_known = names.known.contains_key(&**key);
        let absent = names.known.keys().copied().filter(|name| arguments.iter().all(|(key, _)| key != name));
        let near = near(key, absent);
        if !is_known
            && (is_sure || (!near.is_empty() && key.chars().count() > 3))
            && let Some(span) = Span::of_slice(key, call.content)
        {
            let owner = format!("`{}`", tool.name);
            let speaker = ValueNames { root: "the input", owner: &owner, property: "parameter" };
            let message = speaker.unknown(&[], key, &near);
            let mut diagnostic = CallDiagnostic::new(Code::UnknownParameter, span, message);
            diagnostic.fixes.extend(fixes::rename_bare(span, &near));
            diagnostics.push(diagnostic);
        }
        // The closing tag ends an element's value with certainty.
        is_sure &= call.arguments_span.is_none() || is_json(value);
    }
}

/// True if a displayed value is JSON, so that its end is certain.
fn is_json(value: &str) -> bool {
    parse(value).valid_root(value).is_some()
}
