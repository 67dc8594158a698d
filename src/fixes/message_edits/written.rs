//! The text of added results, in the forms of APIs. Servers accept any value as the text of a
//! result.

use crate::call::{ChatApi, UseOutcome};
use crate::json::quote;

/// A part of a message to Anthropic's API that answers the call with the quoted id `id`.
pub(super) fn part_of_anthropic(result: &UseOutcome, id: &str) -> String {
    let content = quote(&result.to_text());
    let flag = if matches!(result, UseOutcome::Error(_)) { r#","is_error":true"# } else { "" };
    format!(r#"{{"type":"tool_result","tool_use_id":{id},"content":{content}{flag}}}"#)
}

/// The message that answers the call with the quoted id `id`; `is_custom` if it calls a custom
/// tool.
pub(super) fn written_message(result: &UseOutcome, api: ChatApi, id: &str, is_custom: bool) -> String {
    let content = quote(&result.to_text());
    match api {
        ChatApi::Anthropic => {
            format!(r#"{{"role":"user","content":[{}]}}"#, part_of_anthropic(result, id))
        }
        ChatApi::OpenAi => format!(r#"{{"role":"tool","tool_call_id":{id},"content":{content}}}"#),
        ChatApi::Responses => {
            let kind = if is_custom { "custom_tool_call_output" } else { "function_call_output" };
            format!(r#"{{"type":"{kind}","call_id":{id},"output":{content}}}"#)
        }
    }
}
