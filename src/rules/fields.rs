//! Rules on the fields of an object: `wrong-type`, `bad-state`, `misnamed-field`, `missing-name`, `empty-name`,
//! `empty-id`.

use super::payload::with_article;
use super::{Code, Remark};
use crate::call::shape::{FieldShape, Slot, Takes};
use crate::call::{Call, Field, Payload, Shape};
use crate::config::{Protocol, Settings};
use crate::json::{Kind, Value};
use crate::nearest::{nearest, words_of};

const STATES: &[&str] = &["input-streaming", "input-available", "output-available", "output-error"];
const STATES_OF_V6: &[&str] = &["approval-requested", "approval-responded", "output-denied"];

/// What authors write instead of a state, and the state that they mean.
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

/// What authors write instead of a documented key, by what they mean.
const OTHER_KEYS: &[(Slot, &[&str])] = &[
    (Slot::Id, &["id", "toolCallId", "tool_call_id", "callId", "call_id", "toolUseId", "tool_use_id"]),
    (Slot::Name, &["name", "toolName", "tool", "tool_name"]),
    (Slot::Input, &["input", "args", "arguments", "params", "parameters"]),
    (Slot::Output, &["output", "result"]),
    (Slot::Error, &["errorText", "error"]),
    (Slot::Delta, &["delta", "inputTextDelta", "argsTextDelta"]),
];

/// Whether any reader knows the state `text`.
pub fn is_state(text: &str) -> bool {
    STATES.iter().chain(STATES_OF_V6).any(|known| *known == text)
}

/// Judges the fields of `call`.
pub fn check(call: &Call<'_>, settings: &Settings, remarks: &mut Vec<Remark>) {
    empty(call, remarks);
    state(call, settings, remarks);
    let (Some(object), Some(shape), Some(payload)) = (call.object, call.shape, &call.payload) else { return };
    let start = payload.start;
    let mut present = Present::default();
    let mut any_other = false;
    for (key, value) in object.entries() {
        let name = key.as_str().unwrap_or_default();
        match shape.field(&name) {
            Some(field) => {
                present.add(field.slot);
                wrong_type(field, value, payload, remarks);
            }
            None => any_other = true,
        }
    }
    for (key, value) in object.entries().filter(|_| any_other) {
        let name = key.as_str().unwrap_or_default();
        // What a fault made of the text is no key of its author's.
        let is_sure = value.kind() != Kind::Missing && payload.is_sound(key.span());
        if is_sure && shape.field(&name).is_none() {
            misnamed(&name, key, start, shape, &present, remarks);
        }
    }
    // A fault may hide the name, so that only a readable payload misses it.
    if shape.needs_name && !present.has(Slot::Name) && payload.json.faults.is_empty() {
        let field = shape.slot(Slot::Name).map_or("toolName", |field| field.key);
        let brace = crate::text::Span::new(object.span().start as usize, object.span().start as usize + 1);
        let message = format!("{} needs `{field}`, the name of the tool that it calls", shape.what);
        remarks.push(Remark::new(Code::MissingName, brace.shifted(start), message));
    }
}

/// Which documented fields an object has, whatever their values.
#[derive(Default)]
struct Present {
    slots: [bool; Slot::COUNT],
}

impl Present {
    fn add(&mut self, slot: Slot) {
        if let Some(present) = self.slots.get_mut(slot as usize) {
            *present = true;
        }
    }

    fn has(&self, slot: Slot) -> bool {
        self.slots.get(slot as usize).copied().unwrap_or_default()
    }
}

fn empty(call: &Call<'_>, remarks: &mut Vec<Remark>) {
    let mut say = |field: &Option<Field<'_>>, code: Code, message: &str| {
        if let Some(field) = field.as_ref().filter(|field| field.text.is_empty()) {
            remarks.push(Remark::new(code, field.span, message));
        }
    };
    say(&call.name, Code::EmptyName, "the tool's name is empty: write the name of the tool that is called");
    say(&call.id, Code::EmptyId, "the call's id is empty: give it an id");
}

fn state(call: &Call<'_>, settings: &Settings, remarks: &mut Vec<Remark>) {
    let Some(state) = &call.state else { return };
    let newer: &[&str] = if settings.protocol >= Protocol::V6 { STATES_OF_V6 } else { &[] };
    let allowed = || STATES.iter().chain(newer).copied();
    if allowed().any(|known| known == state.text) {
        return;
    }
    let value = cut_value(&state.text);
    let mut message = if value.is_empty() {
        "the state is empty; the states are ".to_owned()
    } else if STATES_OF_V6.contains(&&*state.text) {
        format!("`{value}` is a state of AI SDK 6 and later: set `protocol = \"v6\"`, or use one of ")
    } else {
        match nearest_state(&state.text, allowed()) {
            Some(near) => format!("`{value}` is not a state; did you mean `{near}`? The states are "),
            None => format!("`{value}` is not a state; the states are "),
        }
    };
    let names: Vec<_> = allowed().map(|name| format!("`{name}`")).collect();
    message.push_str(&names.join(", "));
    remarks.push(Remark::new(Code::BadState, state.span, message));
}

fn nearest_state(written: &str, allowed: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let plain = words_of(written);
    if let Some((_, meant)) = MEANT_STATES.iter().find(|(other, _)| words_of(other) == plain) {
        return Some(meant);
    }
    nearest(written, allowed).first().copied()
}

fn wrong_type(field: &FieldShape, value: Value<'_>, payload: &Payload<'_>, remarks: &mut Vec<Remark>) {
    let (fits, wanted) = match (field.takes, value.kind()) {
        (_, Kind::Missing) | (Takes::Any, _) => return,
        (Takes::String, kind) => (matches!(kind, Kind::String { .. }), "a string"),
        (Takes::Object, kind) => (matches!(kind, Kind::Object | Kind::Null), "an object"),
    };
    // What is no JSON at all is `invalid-json`.
    let span = value.span();
    if fits || !payload.is_sound(span) {
        return;
    }
    let message = format!(
        "`{}` is {}, but readers accept only {wanted} and ignore anything else",
        field.key,
        with_article(value)
    );
    remarks.push(Remark::new(Code::WrongType, span.shifted(payload.start), message));
}

/// The documented field that the undocumented `key` means.
fn meant(key: &str, shape: &Shape) -> Option<&'static FieldShape> {
    let by_table =
        OTHER_KEYS.iter().find(|(_, keys)| keys.contains(&key)).and_then(|(slot, _)| shape.slot(*slot));
    by_table.or_else(|| {
        let plain = words_of(key);
        shape.fields.iter().find(|field| words_of(field.key) == plain)
    })
}

fn misnamed(
    name: &str,
    key: Value<'_>,
    start: usize,
    shape: &Shape,
    present: &Present,
    remarks: &mut Vec<Remark>,
) {
    let shown = cut_value(name);
    let message = match meant(name, shape) {
        Some(field) if !present.has(field.slot) => {
            format!("`{shown}` should be `{}`: readers of {} look for that", field.key, shape.what)
        }
        Some(_) | None if shape.extra_is_misplaced => {
            let input = shape.slot(Slot::Input).map_or("parameters", |field| field.key);
            format!("`{shown}` is outside `{input}`, where no reader looks; put it into `{input}`")
        }
        _ => return,
    };
    remarks.push(Remark::new(Code::MisnamedField, key.span().shifted(start), message));
}

fn cut_value(text: &str) -> String {
    crate::call::cut(text, 40)
}
