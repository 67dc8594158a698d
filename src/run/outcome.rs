//! The result of a tool as the outcome of its call, which a dialect can write.

use serde_json::Value;

use crate::call::{UseData, UseOutcome};

/// The outcome in a `tools/call` result of MCP: its structured content, or else its text. Images,
/// sounds and resources become short references, because a transcript contains text. Missing and
/// wrong members count as absent.
pub(super) fn outcome_of_mcp(result: &Value) -> UseOutcome {
    let is_error = result["isError"].as_bool().unwrap_or_default();
    let structured = &result["structuredContent"];
    if !structured.is_null() {
        return outcome_of_json(structured.to_string(), is_error);
    }
    let content: Vec<_> = result["content"].as_array().into_iter().flatten().map(text_of).collect();
    match (content.is_empty(), is_error) {
        (true, true) => UseOutcome::Error("the tool failed".to_owned()),
        (true, false) => UseOutcome::Empty,
        (false, true) => UseOutcome::Error(content.join("\n")),
        (false, false) => UseOutcome::Output(UseData::Text(content.join("\n"))),
    }
}

/// The outcome of a tool with the output `json`.
pub(super) fn outcome_of_json(json: String, is_error: bool) -> UseOutcome {
    let is_text = json.starts_with('"');
    match UseData::Json(json) {
        output if is_error => UseOutcome::Error(output.to_text()),
        output if is_text => UseOutcome::Output(UseData::Text(output.to_text())),
        output => UseOutcome::Output(output),
    }
}

/// A part of the content of a result (MCP: "Tool Result") as text; of an unknown kind, its JSON.
fn text_of(content: &Value) -> String {
    let text = |value: &Value, key: &str| value[key].as_str().map(str::to_owned);
    let reference = |uri: String| format!("[resource: {uri}]");
    let known = match content["type"].as_str() {
        Some("text") => text(content, "text"),
        Some(kind @ ("image" | "audio")) => content["data"].as_str().map(|data| {
            let media_type = content["mimeType"].as_str().unwrap_or_default();
            format!("[{kind}: {media_type}, {} bytes]", decoded_size(data))
        }),
        Some("resource_link") => text(content, "uri").map(reference),
        Some("resource") => {
            let resource = &content["resource"];
            text(resource, "uri").map(|uri| text(resource, "text").unwrap_or_else(|| reference(uri)))
        }
        _ => None,
    };
    known.unwrap_or_else(|| content.to_string())
}

/// The decoded length of the base64 text `data` (RFC 4648).
fn decoded_size(data: &str) -> usize {
    data.bytes().filter(|byte| !matches!(byte, b'=' | b'\n' | b'\r')).count() * 3 / 4
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(result: &Value, expected: &UseOutcome) {
        assert_eq!(outcome_of_mcp(result), *expected);
    }

    #[test]
    fn outcomes() {
        let text = |text: &str| json!({"type": "text", "text": text});
        let output = |text: &str| UseOutcome::Output(UseData::Text(text.to_owned()));
        check(&json!({"content": [text("a"), text("b")]}), &output("a\nb"));
        let both = json!({"content": [text("{}")], "structuredContent": {"n": 1}});
        check(&both, &UseOutcome::Output(UseData::Json("{\"n\":1}".to_owned())));
        check(&json!({"structuredContent": "a"}), &output("a"));
        check(&json!({"structuredContent": "a", "isError": true}), &UseOutcome::Error("a".to_owned()));
        check(&json!({"content": [text("no")], "isError": true}), &UseOutcome::Error("no".to_owned()));
        check(&json!({"isError": true}), &UseOutcome::Error("the tool failed".to_owned()));
        check(&json!({"content": []}), &UseOutcome::Empty);
        check(&json!({"content": 3}), &UseOutcome::Empty);
    }

    #[test]
    fn content_of_each_kind_is_read() {
        let content = json!([
            {"type": "text", "text": "a"},
            {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"},
            {"type": "resource_link", "uri": "file:///a", "name": "a"},
            {"type": "resource", "resource": {"uri": "file:///b", "text": "b"}},
            {"type": "resource", "resource": {"uri": "file:///c"}},
            {"type": "hologram"}, {"type": "text"},
        ]);
        let text = "a\n[image: image/png, 5 bytes]\n[resource: file:///a]\nb\n[resource: file:///c]\n\
                    {\"type\":\"hologram\"}\n{\"type\":\"text\"}";
        check(&json!({ "content": content }), &UseOutcome::Output(UseData::Text(text.to_owned())));
    }
}
