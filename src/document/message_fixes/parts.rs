//! Results that are parts of messages, as Gemini and the AI SDK have them.

use std::ops::Range;

use super::{DocumentEdit, MessageFixer};
use crate::call::{UseData, UseOutcome};
use crate::json::{self, Value, quote};

/// The forms of such parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartForm {
    /// `functionResponse` (<https://ai.google.dev/api/caching#FunctionResponse>), or
    /// `function_response` as the Python SDK writes it.
    Gemini {
        /// True if names have underscores.
        is_snake: bool,
    },
    /// `tool-result` of the AI SDK's `ModelMessage`
    /// (<https://ai-sdk.dev/docs/reference/ai-sdk-core/model-message>), or of the `CoreMessage` of
    /// its version 4, in which calls have `args`.
    AiSdk {
        /// True if it is that of version 4.
        is_v4: bool,
    },
}

impl PartForm {
    /// The form of the results of `call`; `None` if they are no parts.
    pub fn of_call(call: Value<'_>) -> Option<Self> {
        let is_v4 = call.get("args").is_some();
        Self::of(call, ["functionCall", "function_call"], "\"tool-call\"", is_v4)
    }

    /// The form of `result`; `None` if it is no such part.
    pub fn of_result(result: Value<'_>) -> Option<Self> {
        let is_v4 = result.get("result").is_some();
        Self::of(result, ["functionResponse", "function_response"], "\"tool-result\"", is_v4)
    }

    fn of(part: Value<'_>, keys: [&str; 2], kind: &str, is_v4: bool) -> Option<Self> {
        let has = |key| part.get(key).and_then(|it| it.get("name")).is_some();
        match keys.map(has) {
            [true, _] => Some(Self::Gemini { is_snake: false }),
            [_, true] => Some(Self::Gemini { is_snake: true }),
            _ if part.get("type").is_some_and(|it| it.raw() == kind) && part.get("toolCallId").is_some() => {
                Some(Self::AiSdk { is_v4 })
            }
            _ => None,
        }
    }

    /// The value of `result` that an outcome is written over.
    pub fn value_in(self, result: Value<'_>) -> Option<Value<'_>> {
        match self {
            Self::Gemini { .. } => result.get(self.result_key())?.get("response"),
            Self::AiSdk { .. } => result.get(self.result_key()),
        }
    }

    /// That value for `outcome`, as JSON.
    pub fn value_of(self, outcome: &UseOutcome) -> String {
        let text = || quote(&outcome.to_text());
        match (self, outcome) {
            (Self::Gemini { .. }, UseOutcome::Error(_)) => format!(r#"{{"error":{}}}"#, text()),
            (Self::Gemini { .. }, UseOutcome::Output(UseData::Json(json))) if is_response(json) => {
                json.clone()
            }
            (Self::Gemini { .. }, UseOutcome::Output(output)) => {
                format!(r#"{{"output":{}}}"#, output.to_json())
            }
            (Self::Gemini { .. }, UseOutcome::Empty) => r#"{"output":""}"#.to_owned(),
            (Self::AiSdk { is_v4: false }, UseOutcome::Error(_)) => {
                format!(r#"{{"type":"error-text","value":{}}}"#, text())
            }
            (Self::AiSdk { is_v4: false }, UseOutcome::Output(UseData::Json(json))) => {
                format!(r#"{{"type":"json","value":{json}}}"#)
            }
            (Self::AiSdk { is_v4: false }, _) => format!(r#"{{"type":"text","value":{}}}"#, text()),
            (Self::AiSdk { is_v4: true }, UseOutcome::Output(output)) => output.to_json(),
            (Self::AiSdk { is_v4: true }, _) => text(),
        }
    }

    /// The member of a result that is true if the call has failed; `None` if its value shows that.
    pub fn failure_key(self) -> Option<&'static str> {
        (self == Self::AiSdk { is_v4: true }).then_some("isError")
    }

    fn result_key(self) -> &'static str {
        match self {
            Self::Gemini { is_snake: false } => "functionResponse",
            Self::Gemini { is_snake: true } => "function_response",
            Self::AiSdk { is_v4: false } => "output",
            Self::AiSdk { is_v4: true } => "result",
        }
    }

    /// The key of the parts of a message.
    fn list_key(self) -> &'static str {
        if matches!(self, Self::Gemini { .. }) { "parts" } else { "content" }
    }

    /// The part that answers `call`.
    fn part(self, call: Value<'_>, outcome: &UseOutcome) -> Option<String> {
        let value = self.value_of(outcome);
        let key = self.result_key();
        if let Self::Gemini { is_snake } = self {
            let call = call.get(if is_snake { "function_call" } else { "functionCall" })?;
            let id = call.get("id").filter(|id| id.as_str().is_some());
            let id = id.map(|id| format!("\"id\":{},", id.raw())).unwrap_or_default();
            let name = call.get("name")?.raw();
            return Some(format!(r#"{{"{key}":{{{id}"name":{name},"response":{value}}}}}"#));
        }
        let (id, name) = (call.get("toolCallId")?.raw(), call.get("toolName")?.raw());
        let failure = self.failure_key().filter(|_| matches!(outcome, UseOutcome::Error(_)));
        let failure = failure.map(|key| format!(",\"{key}\":true")).unwrap_or_default();
        Some(format!(
            r#"{{"type":"tool-result","toolCallId":{id},"toolName":{name},"{key}":{value}{failure}}}"#
        ))
    }

    /// The message with the one part `part`.
    fn message(self, part: &str) -> String {
        let role = if matches!(self, Self::Gemini { .. }) { "user" } else { "tool" };
        format!(r#"{{"role":"{role}","{}":[{part}]}}"#, self.list_key())
    }
}

/// True if Gemini takes the JSON value `json` as a result: an object in which no member has another
/// meaning.
fn is_response(json: &str) -> bool {
    let tape = json::parse(json);
    let root = tape.root(json).filter(|root| root.is_object());
    root.is_some_and(|root| ["output", "error"].iter().all(|key| root.get(key).is_none()))
}

impl MessageFixer<'_, '_> {
    /// The edits that add the result of the call at `call`, a part of the message at `index`: as a
    /// part of the next message if that has results, else as a message. `None` if the results of
    /// its form are no parts.
    pub(super) fn added_part(
        &self,
        index: usize,
        call: &Range<usize>,
        outcome: &UseOutcome,
    ) -> Option<Vec<DocumentEdit>> {
        let text = self.document.json_slice(call.clone());
        let json = json::parse_prefix(&text);
        let root = json.root(&text)?;
        let form = PartForm::of_call(root)?;
        // A record of a stream looks like such a call.
        if !self.items(index, form.list_key()).contains(call) {
            return None;
        }
        let part = form.part(root, outcome)?;
        let parts = self.items(index + 1, form.list_key());
        let is_result = |part: &Range<usize>| {
            let text = self.document.json_slice(part.clone());
            let json = json::parse_prefix(&text);
            json.root(&text).and_then(PartForm::of_result).is_some()
        };
        if let Some(last) = parts.iter().rposition(is_result) {
            let end = parts.get(last)?.end;
            let between = self.separator(&parts, last).unwrap_or_else(|| ", ".to_owned());
            return Some(vec![(end..end, between + &part)]);
        }
        self.message_behind(index, &form.message(&part))
    }
}
