//! `chatls/transcript`: the document as a chat, for previews (docs/extensions.md).

use std::ops;

use serde_json::{Value, json};

use crate::call::{ExpandedToolUse, MessageRole};
use crate::features::transcript as feature;
use crate::features::transcript::{MessagePart, TranscriptMessage};
use crate::prose::quoted_thinking;

use crate::lsp::conversions::locations::PartParams;
use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::snapshot::Snapshot;

/// Maximum number of bytes of text of a message log: more than people read, and little enough for a
/// webview.
const LONGEST: usize = 4 << 20;

/// Handles `chatls/transcript`.
pub fn transcript(params: PartParams, request: &ActiveRequest) -> HandlerResult {
    let mut messages = feature::messages_up_to(&request.document, LONGEST);
    let mut answer = json!({"version": request.version});
    if let Some(range) = params.range {
        let byte = |position| request.byte(position);
        // The number of batches before the first one in the result.
        answer["before"] = feature::keep_part(&mut messages, &(byte(range.start)..byte(range.end))).into();
    }
    answer["messages"] = messages.iter().map(|message| wire(message, request)).collect();
    request.respond(answer)
}

fn wire(message: &TranscriptMessage, snapshot: &Snapshot) -> Value {
    let place = |range: &ops::Range<usize>| snapshot.range(range);
    let entry = |tool: &ExpandedToolUse| {
        let mut entry = json!({
            "toolName": tool.name,
            "call": tool.call,
            "status": tool.status.name(),
            "result": tool.result,
            "inline": tool.is_inline,
            "more": tool.more,
        });
        if let Some(changes) = &tool.changes {
            entry["changes"] = json!(changes);
        }
        entry["range"] = json!(place(&tool.range));
        entry
    };
    let item = |item: &MessagePart| match item {
        MessagePart::Text(text, range) => json!({"kind": "text", "text": text, "range": place(range)}),
        MessagePart::Thinking(text, range) => {
            json!({"kind": "text", "text": quoted_thinking(text), "range": place(range)})
        }
        MessagePart::Tools(tools) => json!({
            "kind": "tools",
            "label": tools.label,
            "range": place(&tools.range),
            "failed": tools.counts.failed,
            "pending": tools.counts.pending,
            "entries": tools.entries.iter().map(entry).collect::<Value>(),
        }),
    };
    json!({
        "role": message.role.map(MessageRole::key),
        "name": Some(&message.name).filter(|name| !name.is_empty()),
        "range": place(&message.range),
        "items": message.items.iter().map(item).collect::<Value>(),
    })
}
