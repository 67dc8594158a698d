//! The output of a tool, as a server or a program gave it.

use serde_json::Value;

/// The output of a tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolOutput {
    /// The structured output as JSON (MCP: `structuredContent`; a program: what it wrote, with its
    /// numbers as they are).
    pub structured: Option<String>,
    /// The content, in order.
    pub content: Vec<Content>,
    /// True if the tool failed (MCP: `isError`; a program: its exit status).
    pub is_error: bool,
}

/// A part of the content of an output (MCP: "Tool Result").
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Text.
    Text(String),
    /// An image or sound. Its data is not kept.
    Media {
        /// `image` or `audio`.
        kind: String,
        /// The media type, as the server gave it.
        media_type: String,
        /// The size of the data in bytes.
        size: usize,
    },
    /// A text resource.
    Resource {
        /// The address.
        uri: String,
        /// The text; `None` for a link, or data.
        text: Option<String>,
    },
    /// Content of a kind that MCP does not have, as JSON.
    Other(Value),
}

impl ToolOutput {
    /// The output in a `tools/call` result of MCP. Missing and wrong members count as absent.
    pub fn from_mcp(result: &Value) -> Self {
        let content = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        Self {
            structured: result
                .get("structuredContent")
                .filter(|value| !value.is_null())
                .map(Value::to_string),
            content: content.iter().map(Content::from_mcp).collect(),
            is_error: result["isError"].as_bool().unwrap_or_default(),
        }
    }

    /// The texts of the content, joined by line ends.
    pub fn text(&self) -> String {
        let texts = self.content.iter().filter_map(|content| match content {
            Content::Text(text) | Content::Resource { text: Some(text), .. } => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

impl Content {
    fn from_mcp(value: &Value) -> Self {
        let text = |value: &Value, key: &str| value[key].as_str().map(str::to_owned);
        let known = match value["type"].as_str() {
            Some("text") => text(value, "text").map(Self::Text),
            Some(kind @ ("image" | "audio")) => value["data"].as_str().map(|data| Self::Media {
                kind: kind.to_owned(),
                media_type: text(value, "mimeType").unwrap_or_default(),
                size: decoded_size(data),
            }),
            Some("resource_link") => text(value, "uri").map(|uri| Self::Resource { uri, text: None }),
            Some("resource") => {
                let resource = &value["resource"];
                text(resource, "uri").map(|uri| Self::Resource { uri, text: text(resource, "text") })
            }
            _ => None,
        };
        known.unwrap_or_else(|| Self::Other(value.clone()))
    }
}

/// The decoded length of the base64 text `data` (RFC 4648).
fn decoded_size(data: &str) -> usize {
    data.bytes().filter(|byte| !matches!(byte, b'=' | b'\n' | b'\r')).count() * 3 / 4
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn content_of_each_kind_is_read() {
        let output =
            ToolOutput::from_mcp(&json!({"isError": true, "structuredContent": {"n": 1}, "content": [
                {"type": "text", "text": "a"},
                {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"},
                {"type": "resource_link", "uri": "file:///a", "name": "a"},
                {"type": "resource", "resource": {"uri": "file:///b", "text": "b"}},
                {"type": "hologram"}, {"type": "text"},
            ]}));
        assert!(output.is_error);
        assert_eq!(output.structured.as_deref(), Some("{\"n\":1}"));
        assert_eq!(output.text(), "a\nb");
        let image = Content::Media { kind: "image".to_owned(), media_type: "image/png".to_owned(), size: 5 };
        assert_eq!(output.content[1], image);
        assert_eq!(
            output.content[4..],
            [json!({"type": "hologram"}), json!({"type": "text"})].map(Content::Other)
        );
        assert_eq!(ToolOutput::from_mcp(&json!({"content": 3})), ToolOutput::default());
    }
}
