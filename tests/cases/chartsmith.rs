//! Logs in chartsmith's documents, and as written by its code.

use chatls::call::UseStatus;
use chatls::config::Protocol;
use chatls::document::{Document, Language};
use serde_json::{Value, json};

use super::reading::{document, events, fields, text_of};
use super::table::{Case, check, recorded};

#[test]
fn logs_have_the_same_tool_uses() {
    let cases = recorded("chartsmith").into_iter().map(|case| {
        let text = case.get("text").cloned().unwrap_or_else(|| "".into());
        Case {
            name: case["name"].as_str().unwrap().to_owned(),
            reference: json!({ "text": text, "calls": case["calls"] }),
            chatls: said(&document(case["log"].as_str().unwrap(), Language::Log, Protocol::Auto)),
        }
    });
    check("chartsmith", &cases.collect::<Vec<_>>());
}

fn said(document: &Document) -> Value {
    let call = |it: &chatls::call::ToolUse| {
        let mut fields = fields(it);
        fields.remove("state");
        // The output contains it.
        fields.remove("errorText");
        if fields.contains_key("output") {
            fields.insert("failed".to_owned(), (it.status == UseStatus::Failed).into());
        }
        fields
    };
    let calls: Vec<_> = document.tool_uses().iter().map(call).collect();
    json!({ "text": text_of(&events(document)), "calls": calls })
}
