//! The text of added results.

use super::ADDED_RESULT;
use crate::call::{ChatApi, UseOutcome};
use crate::json::quote;

/// The result of a call, in a form that servers accept.
#[derive(Clone, Debug)]
pub(super) struct WrittenResult {
    /// The JSON string of its text.
    content: String,
    is_error: bool,
}

impl WrittenResult {
    /// The text for a call whose result was not recorded.
    pub(super) fn unrecorded() -> Self {
        Self { content: quote(ADDED_RESULT), is_error: true }
    }

    /// The result for `outcome`: servers accept any value as its text.
    pub(super) fn of(outcome: &UseOutcome) -> Self {
        Self { content: quote(&outcome.to_text()), is_error: matches!(outcome, UseOutcome::Error(_)) }
    }

    /// A block of a message that answers the call with the quoted id `id`.
    pub(super) fn anthropic(&self, id: &str) -> String {
        let content = &self.content;
        let flag = if self.is_error { r#","is_error":true"# } else { "" };
        format!(r#"{{"type":"tool_result","tool_use_id":{id},"content":{content}{flag}}}"#)
    }

    /// The message that answers the call with the quoted id `id`; `is_custom` if it calls a custom
    /// tool.
    pub(super) fn message(&self, api: ChatApi, id: &str, is_custom: bool) -> String {
        let content = &self.content;
        match api {
            ChatApi::Anthropic => format!(r#"{{"role":"user","content":[{}]}}"#, self.anthropic(id)),
            ChatApi::OpenAi => format!(r#"{{"role":"tool","tool_call_id":{id},"content":{content}}}"#),
            ChatApi::Responses => {
                let kind = if is_custom { "custom_tool_call_output" } else { "function_call_output" };
                format!(r#"{{"type":"{kind}","call_id":{id},"output":{content}}}"#)
            }
        }
    }
}
