//! Rules on the fields of an object: `wrong-type`, `bad-state`, `misnamed-field`, `missing-name`,
//! `empty-name`, `empty-id`.

use smallvec::SmallVec;

use super::payload::with_article;
use crate::call::shape::{FieldRole, FieldShape, FieldType};
use crate::call::{Call, CallPart, Field, ObjectShape};
use crate::config::{Protocol, Settings};
use crate::diagnostic::{CallDiagnostic, Code, Fix};
use crate::json::{JsonKind, Value, parse, quote, to_compact};
use crate::json_repair::members;
use crate::json_repair::payload::ParsedPayload;
use crate::nearest::{nearest, words_of};
use crate::never::OrNever;
use crate::text::Span;

const STATES: &[&str] = &["input-streaming", "input-available", "output-available", "output-error"];
const STATES_OF_V6: &[&str] = &["approval-requested", "approval-responded", "output-denied"];

/// Common misnomers of states, with the state that they mean.
const MEANT_STATES: &[(&str, &str)] = &[
    ("done", "output-available"),
    ("completed", "output-available"),
    ("complete", "output-available"),
    ("success", "output-available"),
    ("result", "output-available"),
    ("error", "output-error"),
    ("failed", "output-error"),
    ("failure", "output-error"),
    ("pending", "input-available"),
    ("running", "input-available"),
    ("call", "input-available"),
    ("streaming", "input-streaming"),
    ("partial-call", "input-streaming"),
];

/// Common misnomers of documented keys, by the field that they mean.
const OTHER_KEYS: &[(FieldRole, &[&str])] = &[
    (FieldRole::Id, &["id", "toolCallId", "tool_call_id", "callId", "call_id", "toolUseId", "tool_use_id"]),
    (FieldRole::Name, &["name", "toolName", "tool", "tool_name"]),
    (FieldRole::Input, &["input", "args", "arguments", "params", "parameters"]),
    (FieldRole::Output, &["output", "result"]),
    (FieldRole::Error, &["errorText", "error"]),
    (FieldRole::Delta, &["delta", "inputTextDelta", "argsTextDelta"]),
];

/// The states that readers of `protocol` accept.
pub fn states(protocol: Protocol) -> impl Iterator<Item = &'static str> {
    let newer: &[&str] = if protocol >= Protocol::V6 { STATES_OF_V6 } else { &[] };
    STATES.iter().chain(newer).copied()
}

/// True if `text` is a state of any protocol.
pub fn is_state(text: &str) -> bool {
    STATES.iter().chain(STATES_OF_V6).any(|known| *known == text)
}

/// True if `object` has a misnamed key or a wrong type where `role` was intended, which other
/// checks report.
pub fn has_misnamed_field(object: Value<'_>, shape: &ObjectShape, role: FieldRole) -> bool {
    let Some(field) = shape.of_role(role) else { return false };
    match object.get(field.key) {
        Some(value) => !is_accepted(field.takes, value),
        None => object.entries().any(|(key, _)| {
            key.as_str().and_then(|key| intended_field(&key, shape)).is_some_and(|field| field.role == role)
        }),
    }
}

/// True if a call without a result may have a result that readers do not recognize.
pub fn may_hide_result(call: &Call<'_>) -> bool {
    let mistaken = |role| {
        call.object.zip(call.shape).is_some_and(|(object, shape)| has_misnamed_field(object, shape, role))
    };
    call.part == CallPart::Call
        && [FieldRole::State, FieldRole::Output, FieldRole::Error].into_iter().any(mistaken)
}

/// Checks the fields of `call`.
pub fn check(call: &Call<'_>, settings: &Settings, diagnostics: &mut Vec<CallDiagnostic>) {
    empty(call, diagnostics);
    state(call, settings, diagnostics);
    let (Some(object), Some(shape), Some(payload)) = (call.object, call.shape, &call.payload) else { return };
    let start = payload.start;
    let mut present = PresentFields::default();
    let mut any_other = false;
    for (key, value) in object.entries() {
        let name = key.as_str().or_never();
        match shape.field(&name) {
            Some(field) => {
                // An object may have a key any number of times.
                if !present.roles.contains(&field.role) {
                    present.roles.push(field.role);
                }
                wrong_type(field, (key, value), object, payload, diagnostics);
            }
            None => any_other = true,
        }
    }
    if any_other && shape.extra_is_misplaced {
        let input = object.get(input_key(shape)).filter(|input| input.is_object());
        present.insertion_point = input.map(|input| members::append(input, ""));
    }
    for (key, value) in object.entries().filter(|_| any_other) {
        let name = key.as_str().or_never();
        // Keys that overlap a syntax error are skipped.
        let is_sure = value.kind() != JsonKind::Missing && payload.has_no_error_in(key.span());
        if is_sure && shape.field(&name).is_none() {
            misnamed(&name, (key, value), object, start, shape, &present, diagnostics);
        }
    }
    // A syntax error may hide the name, so payloads with errors are skipped.
    if shape.needs_name && !present.roles.contains(&FieldRole::Name) && payload.json.errors.is_empty() {
        let field = shape.of_role(FieldRole::Name).map_or("toolName", |field| field.key);
        let brace = Span::new(object.span().start as usize, object.span().start as usize + 1);
        let message = format!("{} needs `{field}`, the name of the called tool", shape.description);
        let fixes = name_fixes(object, shape, field, settings);
        let fixes = fixes.into_iter().map(|fix| Fix { edits: members::shifted(fix.edits, start), ..fix });
        diagnostics.push(CallDiagnostic::new(Code::MissingName, brace.shifted(start), message).fixes(fixes));
    }
}

/// The documented fields of an object, whatever their values.
#[derive(Default)]
struct PresentFields {
    roles: SmallVec<[FieldRole; 8]>,
    /// The position for a further member of the input, with the text before it; computed once,
    /// because many members may be moved there.
    insertion_point: Option<(Span, String)>,
}

fn empty(call: &Call<'_>, diagnostics: &mut Vec<CallDiagnostic>) {
    let mut say = |field: &Option<Field<'_>>, code: Code, message: &str| {
        if let Some(field) = field.as_ref().filter(|field| field.text.is_empty()) {
            diagnostics.push(CallDiagnostic::new(code, field.span, message));
        }
    };
    say(&call.name, Code::EmptyName, "the tool's name is empty: write the name of the called tool");
    say(&call.id, Code::EmptyId, "the call's id is empty: give it an id");
}

fn state(call: &Call<'_>, settings: &Settings, diagnostics: &mut Vec<CallDiagnostic>) {
    let Some(state) = call.state.as_ref().filter(|state| call.is_complete(state)) else { return };
    let allowed = || states(settings.protocol);
    if allowed().any(|known| known == state.text) {
        return;
    }
    let (value, near) = (cut_value(&state.text), nearest_state(&state.text, allowed()));
    let mut message = if value.is_empty() {
        "the state is empty; the states are ".to_owned()
    } else if STATES_OF_V6.contains(&&*state.text) {
        format!("`{value}` is a state of AI SDK 6 and later: set `protocol = \"v6\"`, or use one of ")
    } else {
        match near {
            Some(near) => format!("`{value}` is not a state; did you mean `{near}`? The states are "),
            None => format!("`{value}` is not a state; the states are "),
        }
    };
    let names: Vec<_> = allowed().map(|name| format!("`{name}`")).collect();
    message.push_str(&names.join(", "));
    let others = allowed().filter(|name| Some(*name) != near);
    let fixes = near.into_iter().chain(others).map(|name| {
        let fix = Fix::replace(format!("Set the state `{name}`"), state.span, quote(name));
        if Some(name) == near { fix.preferred() } else { fix }
    });
    diagnostics.push(CallDiagnostic::new(Code::BadState, state.span, message).fixes(fixes));
}

fn nearest_state(written: &str, allowed: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let plain = words_of(written);
    if let Some((_, meant)) = MEANT_STATES.iter().find(|(other, _)| words_of(other) == plain) {
        return Some(meant);
    }
    nearest(written, allowed).first().copied()
}

/// True if readers accept `value`, or it is still missing.
fn is_accepted(takes: FieldType, value: Value<'_>) -> bool {
    match (takes, value.kind()) {
        (_, JsonKind::Missing) | (FieldType::Any, _) => true,
        (FieldType::String, kind) => matches!(kind, JsonKind::String { .. }),
        (FieldType::Object, kind) => matches!(kind, JsonKind::Object | JsonKind::Null),
    }
}

fn wrong_type(
    field: &FieldShape,
    (key, value): (Value<'_>, Value<'_>),
    object: Value<'_>,
    payload: &ParsedPayload<'_>,
    diagnostics: &mut Vec<CallDiagnostic>,
) {
    // Invalid JSON is reported as `invalid-json`.
    let span = value.span();
    if is_accepted(field.takes, value) || !payload.has_no_error_in(span) {
        return;
    }
    let wanted = if field.takes == FieldType::Object { "an object" } else { "a string" };
    let message = format!(
        "`{}` is {}, but readers accept only {wanted} and ignore anything else",
        field.key,
        with_article(value)
    );
    let fix = match (field.takes, value.kind()) {
        (_, JsonKind::Null) => {
            let member = members::without(object, key);
            Some(Fix::replace(format!("Remove `{}`", field.key), member, ""))
        }
        (FieldType::Object, _) => {
            object_in(value).map(|text| Fix::replace("Write it as an object", span, text))
        }
        (_, JsonKind::Number | JsonKind::Bool) => Some(Fix::replace("Quote it", span, quote(value.raw()))),
        (_, JsonKind::Object | JsonKind::Array) if field.role == FieldRole::Error => {
            Some(Fix::replace("Write it as a string", span, quote(&to_compact(value))))
        }
        _ => None,
    };
    let fix = fix.map(|fix| Fix { edits: members::shifted(fix.edits, payload.start), ..fix }.preferred());
    diagnostics.push(CallDiagnostic::new(Code::WrongType, span.shifted(payload.start), message).fixes(fix));
}

/// The JSON object that a string contains as text.
fn object_in(value: Value<'_>) -> Option<String> {
    let text = value.as_str()?;
    let json = parse(&text);
    let object = json.root(&text).filter(|root| root.is_object() && json.errors.is_empty())?;
    json.extra(&text).is_none().then(|| to_compact(object))
}

/// Fixes for a missing name: rename the misnamed field, or insert a new one, with a fix for each
/// tool of a small registry.
fn name_fixes(object: Value<'_>, shape: &ObjectShape, field: &str, settings: &Settings) -> Vec<Fix> {
    const FEW: usize = 5;
    let is_name = |key: &Value<'_>| {
        let meant = key.as_str().and_then(|key| intended_field(&key, shape));
        meant.is_some_and(|field| field.role == FieldRole::Name)
    };
    if let Some(key) = object.entries().map(|(key, _)| key).find(is_name) {
        return vec![Fix::replace(rename_to(field), key.span(), quote(field)).preferred()];
    }
    let tools = &settings.registry.tools;
    let names = match tools.len() {
        0 => vec!["tool"],
        1..=FEW => tools.keys().map(|name| name.as_str()).collect(),
        _ => Vec::new(),
    };
    let fix = |name| {
        let edit = members::prepend(object, &format!("{}: {}", quote(field), quote(name)));
        Fix::new(format!("Insert `{field}` as `{name}`"), vec![edit])
    };
    names.into_iter().map(fix).collect()
}

fn rename_to(field: &str) -> String {
    format!("Rename it to `{field}`")
}

/// The documented field for which the undocumented `key` was probably written.
fn intended_field(key: &str, shape: &ObjectShape) -> Option<&'static FieldShape> {
    let by_table =
        OTHER_KEYS.iter().find(|(_, keys)| keys.contains(&key)).and_then(|(role, _)| shape.of_role(*role));
    by_table.or_else(|| {
        let plain = words_of(key);
        shape.fields.iter().find(|field| words_of(field.key) == plain)
    })
}

fn misnamed(
    name: &str,
    (key, value): (Value<'_>, Value<'_>),
    object: Value<'_>,
    start: usize,
    shape: &ObjectShape,
    present: &PresentFields,
    diagnostics: &mut Vec<CallDiagnostic>,
) {
    let shown = cut_value(name);
    let (message, fix) = match intended_field(name, shape) {
        Some(field) if !present.roles.contains(&field.role) => (
            format!("`{shown}` should be `{}`: readers of {} expect that name", field.key, shape.description),
            Fix::replace(rename_to(field.key), key.span(), quote(field.key)),
        ),
        Some(_) | None if shape.extra_is_misplaced => {
            let input = input_key(shape);
            (
                format!("`{shown}` is outside `{input}`, so readers ignore it; move it into `{input}`"),
                Fix::new(format!("Move it into `{input}`"), move_into(input, present, object, (key, value))),
            )
        }
        _ => return,
    };
    let fix = Fix { edits: members::shifted(fix.edits, start), ..fix }.preferred();
    diagnostics.push(CallDiagnostic::new(Code::MisnamedField, key.span().shifted(start), message).fix(fix));
}

fn input_key(shape: &ObjectShape) -> &'static str {
    shape.of_role(FieldRole::Input).map_or("parameters", |field| field.key)
}

/// Moves a member into the sibling object `input`, or wraps it in a new object of that name.
fn move_into(
    input: &str,
    present: &PresentFields,
    object: Value<'_>,
    (key, value): (Value<'_>, Value<'_>),
) -> Vec<(Span, String)> {
    match &present.insertion_point {
        Some((position, gap)) => {
            let member = format!("{gap}{}: {}", key.raw(), value.raw());
            vec![(members::without(object, key), String::new()), (*position, member)]
        }
        None => vec![
            (Span::empty(key.span().start as usize), format!("{}: {{", quote(input))),
            (Span::empty(value.span().end as usize), "}".to_owned()),
        ],
    }
}

fn cut_value(text: &str) -> String {
    crate::text::cut(text, 40)
}
