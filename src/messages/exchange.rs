//! The kinds of messages by which an exchange ends or continues. An exchange is the messages from
//! one message of the user to the next.

use super::thread::ThreadMark;
use crate::call::Thread;
use crate::json::Value;

/// The kind of a message with respect to exchanges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// Results of tools, which continue the exchange of their calls.
    Results,
    /// A call that is a message of its own, or a text beside such calls.
    Call,
    /// A message of the user or the assistant.
    Speech,
    /// Anything else.
    Other,
}

/// The properties of a message that decide whether another message continues its exchange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageMark {
    /// Its part.
    pub kind: MessageKind,
    /// Its thread.
    pub thread: Option<Thread>,
    /// The id that all lines of a streamed message share (Claude Code).
    pub id: Option<String>,
}

impl MessageMark {
    /// The mark of `value`, which may be the envelope of a message. `thread_of` returns the thread
    /// that a mark shows there: in a line, or in an array.
    pub fn of(value: Value<'_>, thread_of: fn(ThreadMark) -> Thread) -> Self {
        let thread = ThreadMark::of_value(value).map(thread_of);
        let message = inner_message(value);
        let id = message.get("id").filter(|_| message.get("role").is_some());
        let text = value.get("type").and_then(Value::as_str);
        let kind = match (kind_of(message), text.as_deref()) {
            // A recorded stream lacks the messages that were sent between its answers.
            (MessageKind::Speech, Some("message_start")) => MessageKind::Call,
            (kind, _) => kind,
        };
        Self { kind, thread, id: id.and_then(Value::as_str).map(std::borrow::Cow::into_owned) }
    }
}

/// The message in an envelope, or the value itself.
pub fn inner_message(value: Value<'_>) -> Value<'_> {
    let inner =
        ["message", "payload"].iter().find_map(|key| value.get(key).filter(|inner| inner.is_object()));
    inner.unwrap_or(value)
}

/// Decides whether the messages after a call begin another exchange.
#[derive(Clone, Debug)]
pub struct ExchangeScan {
    own: MessageMark,
    has_results: bool,
}

impl ExchangeScan {
    /// A scan from the message `own`.
    pub fn new(own: MessageMark) -> Self {
        Self { own, has_results: false }
    }

    /// True if `next`, the next message, begins another exchange.
    pub fn is_over(&mut self, next: &MessageMark) -> bool {
        let continues = next.id.is_some() && next.id == self.own.id;
        if continues || next.thread != self.own.thread {
            return false;
        }
        match next.kind {
            MessageKind::Speech => true,
            MessageKind::Call => self.has_results,
            MessageKind::Results => {
                self.has_results = true;
                false
            }
            MessageKind::Other => false,
        }
    }
}

fn kind_of(message: Value<'_>) -> MessageKind {
    let text = |key| message.get(key).and_then(Value::as_str);
    match (text("role").as_deref(), text("type").as_deref()) {
        (Some("tool" | "function"), _) => MessageKind::Results,
        (Some("user"), _) if has_results(message) => MessageKind::Results,
        // An item of a Responses API answer, beside which calls may stand.
        (Some("assistant"), Some("message")) if text("status").is_some() => MessageKind::Call,
        // A choice of an answer, beside which other choices may stand.
        (Some("assistant"), _) if message.get("finish_reason").is_some() => MessageKind::Call,
        (Some("user" | "assistant"), _) if has_content(message) => MessageKind::Speech,
        (None, Some("tool_search_output")) => MessageKind::Results,
        (None, Some(kind)) if kind.ends_with("_call_output") => MessageKind::Results,
        (None, Some("function_call" | "custom_tool_call" | "tool_search_call")) => MessageKind::Call,
        _ => MessageKind::Other,
    }
}

fn has_results(message: Value<'_>) -> bool {
    let is_result =
        |part: Value<'_>| part.get("type").and_then(Value::as_str).is_some_and(|kind| kind == "tool_result");
    message.get("content").is_some_and(|content| content.items().any(is_result))
}

fn has_content(message: Value<'_>) -> bool {
    let is_filled =
        |value: Value<'_>| value.as_str().map_or(value.items().next().is_some(), |text| !text.is_empty());
    ["content", "tool_calls"].iter().any(|key| message.get(key).is_some_and(is_filled))
}
