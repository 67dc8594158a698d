//! The stream of chat completions:
//! <https://platform.openai.com/docs/api-reference/chat-streaming>.

use serde_json::Value;

use super::answer::{AnswerEnd, ModelAnswer};

/// Reads the data of an event.
///
/// # Errors
///
/// The reason, in words.
pub(super) fn read(data: &str, answer: &mut ModelAnswer) -> Result<(), String> {
    if data.trim() == "[DONE]" {
        answer.end.get_or_insert(AnswerEnd::Complete);
        return Ok(());
    }
    let event: Value = serde_json::from_str(data)
        .map_err(|error| format!("the server sent an event that is not JSON: {error}"))?;
    if let Some(error) = event.get("error") {
        let message = error.get("message").and_then(Value::as_str);
        return Err(format!("the server reported an error: {}", message.unwrap_or("unknown")));
    }
    // The last chunk with the usage has no choices.
    let Some(choice) = event.pointer("/choices/0") else { return Ok(()) };
    if let Some(delta) = choice.get("delta") {
        for key in ["content", "refusal"] {
            answer.add_text(delta.get(key).and_then(Value::as_str).unwrap_or_default());
        }
        let calls = delta.get("tool_calls").and_then(Value::as_array);
        for (place, piece) in calls.into_iter().flatten().enumerate() {
            // Some compatible servers leave the index out.
            let index = piece.get("index").and_then(Value::as_u64).unwrap_or(place as u64);
            let text = |pointer: &str| piece.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
            // Some begin each call at the same index, with another id.
            let id = text("/id");
            if answer.call_at(index).is_none_or(|call| !id.is_empty() && call.id != id) {
                answer.begin_call(index, id, "");
            }
            if let Some(call) = answer.call_at(index) {
                call.name.push_str(text("/function/name"));
                call.input.push_str(text("/function/arguments"));
            }
        }
    }
    answer.end = match choice.get("finish_reason").and_then(Value::as_str) {
        None => return Ok(()),
        Some("stop" | "tool_calls") => Some(AnswerEnd::Complete),
        Some("length") => Some(AnswerEnd::Length),
        Some(other) => Some(AnswerEnd::Other(other.to_owned())),
    };
    Ok(())
}
