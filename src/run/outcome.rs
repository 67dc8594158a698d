//! The result of a tool as the outcome of its call, which a dialect can write.

use super::{Content, ToolOutput};
use crate::call::{UseData, UseOutcome};

impl From<&ToolOutput> for UseOutcome {
    /// Uses the structured content, or else the text. Images, sounds and resources become short
    /// references, because a transcript contains text.
    fn from(output: &ToolOutput) -> Self {
        let text = || output.content.iter().map(text_of).collect::<Vec<_>>().join("\n");
        match &output.structured {
            Some(json) if output.is_error => Self::Error(UseData::Json(json.clone()).to_text()),
            Some(json) if json.starts_with('"') => {
                Self::Output(UseData::Text(UseData::Json(json.clone()).to_text()))
            }
            Some(json) => Self::Output(UseData::Json(json.clone())),
            None if output.is_error && output.content.is_empty() => Self::Error("the tool failed".to_owned()),
            None if output.is_error => Self::Error(text()),
            None if output.content.is_empty() => Self::Empty,
            None => Self::Output(UseData::Text(text())),
        }
    }
}

fn text_of(content: &Content) -> String {
    match content {
        Content::Text(text) | Content::Resource { text: Some(text), .. } => text.clone(),
        Content::Media { kind, media_type, size } => format!("[{kind}: {media_type}, {size} bytes]"),
        Content::Resource { uri, text: None } => format!("[resource: {uri}]"),
        Content::Other(value) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[track_caller]
    fn check(result: &Value, expected: &UseOutcome) {
        assert_eq!(UseOutcome::from(&ToolOutput::from_mcp(result)), *expected);
    }

    #[test]
    fn outcomes() {
        let text = |text: &str| json!({"type": "text", "text": text});
        let output = |text: &str| UseOutcome::Output(UseData::Text(text.to_owned()));
        check(&json!({"content": [text("a"), text("b")]}), &output("a\nb"));
        let both = json!({"content": [text("{}")], "structuredContent": {"n": 1}});
        check(&both, &UseOutcome::Output(UseData::Json("{\"n\":1}".to_owned())));
        let image = json!({"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"});
        check(&json!({"content": [text("a"), image]}), &output("a\n[image: image/png, 5 bytes]"));
        check(&json!({"content": [text("no")], "isError": true}), &UseOutcome::Error("no".to_owned()));
        check(&json!({"isError": true}), &UseOutcome::Error("the tool failed".to_owned()));
        check(&json!({"content": []}), &UseOutcome::Empty);
    }
}
