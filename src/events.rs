//! What a tool use becomes in the UI message stream of the AI SDK (formats.md §5).

use crate::call::{Said, ToolUse};
use crate::json::quote;

/// What readers are told of a failed call that does not say why.
const UNKNOWN_ERROR: &str = "An unknown tool error occurred.";

/// The events that `tool_use`, which holds a call, becomes: one JSON object each.
pub fn events_of(tool_use: &ToolUse) -> Vec<String> {
    let id = quote(tool_use.id.as_deref().unwrap_or_default());
    let name = quote(tool_use.name.as_deref().unwrap_or("tool"));
    let input = tool_use.input.as_ref().map(Said::to_json).filter(|input| input != "null");
    let input = input.unwrap_or_else(|| "{}".to_owned());
    let call = format!(
        "{{\"type\":\"tool-input-available\",\"toolCallId\":{id},\"toolName\":{name},\"input\":{input}}}"
    );
    let says = |state: &str| tool_use.state.as_deref() == Some(state);
    let result = if tool_use.error_text.is_some() || says("output-error") {
        let text = quote(tool_use.error_text.as_deref().unwrap_or(UNKNOWN_ERROR));
        Some(format!("{{\"type\":\"tool-output-error\",\"toolCallId\":{id},\"errorText\":{text}}}"))
    } else if tool_use.output.is_some() || says("output-available") {
        let output = tool_use.output.as_ref().map_or_else(|| "null".to_owned(), Said::to_json);
        Some(format!("{{\"type\":\"tool-output-available\",\"toolCallId\":{id},\"output\":{output}}}"))
    } else {
        None
    };
    std::iter::once(call).chain(result).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::Settings;
    use crate::document::{Document, Language};
    use crate::text::Text;

    /// The events of the first tool use of `text`, without what all have.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let document = Document::new(Text::new(text), Language::Markdown, Arc::new(Settings::default()));
        let uses = document.tool_uses();
        let events = events_of(&uses[0]);
        assert_eq!(events, expected, "{text}");
        for event in events {
            assert!(serde_json::from_str::<serde_json::Value>(&event).unwrap().is_object());
        }
    }

    #[test]
    fn a_call_comes_first_and_then_one_result_at_most() {
        let call =
            r#"{"type":"tool-input-available","toolCallId":"tool-call-1","toolName":"tool","input":{}}"#;
        let error = r#"{"type":"tool-output-error","toolCallId":"tool-call-1","errorText":"An unknown tool error occurred."}"#;
        let output = r#"{"type":"tool-output-available","toolCallId":"tool-call-1","output":null}"#;
        check("```tool\n{}\n```\n", &[call]);
        check("```tool\n{\"input\": null, \"state\": \"input-streaming\"}\n```\n", &[call]);
        check("```tool\n{\"state\": \"output-error\", \"output\": 1}\n```\n", &[call, error]);
        check("```tool\n{\"state\": \"output-available\"}\n```\n", &[call, output]);
        check(
            "```tool\n{\"toolCallId\": \"a\\\"\", \"toolName\": \"rd\", \"input\": [1.50], \"output\": {\"b\": 1, \"a\": 2}}\n```\n",
            &[
                r#"{"type":"tool-input-available","toolCallId":"a\"","toolName":"rd","input":[1.50]}"#,
                r#"{"type":"tool-output-available","toolCallId":"a\"","output":{"b":1,"a":2}}"#,
            ],
        );
        check(
            "<tool>rd(p=a &lt; b, n=1)\nfine\n</tool>\n",
            &[
                r#"{"type":"tool-input-available","toolCallId":"tag-call-1","toolName":"rd","input":{"p":"a < b","n":1}}"#,
                r#"{"type":"tool-output-available","toolCallId":"tag-call-1","output":"fine\n"}"#,
            ],
        );
    }
}
