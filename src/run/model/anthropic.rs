//! The stream of the Messages API: <https://docs.anthropic.com/en/api/messages-streaming>.

use serde_json::Value;

use super::answer::{AnswerEnd, ModelAnswer};

/// Reads the data of an event. Events and blocks of unknown types are passed over, as the
/// documentation asks.
///
/// # Errors
///
/// The reason, in words.
pub(super) fn read(data: &str, answer: &mut ModelAnswer) -> Result<(), String> {
    let event: Value = serde_json::from_str(data)
        .map_err(|error| format!("the server sent an event that is not JSON: {error}"))?;
    let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let index = event.get("index").and_then(Value::as_u64).unwrap_or_default();
    match text("/type") {
        "content_block_start" => match text("/content_block/type") {
            "text" => answer.add_text(text("/content_block/text")),
            "tool_use" => {
                answer.begin_call(index, text("/content_block/id"), text("/content_block/name"));
            }
            _ => {}
        },
        "content_block_delta" => match text("/delta/type") {
            "text_delta" => answer.add_text(text("/delta/text")),
            "input_json_delta" => {
                // Tools that the server runs itself have no call here.
                if let Some(call) = answer.call_at(index) {
                    call.input.push_str(text("/delta/partial_json"));
                }
            }
            _ => {}
        },
        "message_delta" => {
            let end = match text("/delta/stop_reason") {
                "" => return Ok(()),
                "end_turn" | "tool_use" | "stop_sequence" => AnswerEnd::Complete,
                "max_tokens" | "model_context_window_exceeded" => AnswerEnd::Length,
                other => AnswerEnd::Other(other.to_owned()),
            };
            answer.end = Some(end);
        }
        "message_stop" => {
            answer.end.get_or_insert(AnswerEnd::Complete);
        }
        "error" => return Err(format!("the server reported an error: {}", text("/error/message"))),
        _ => {}
    }
    Ok(())
}
