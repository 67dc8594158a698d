//! `chatls/transcript`: the document as a chat, for previews (docs/extensions.md).

use std::borrow::Cow;
use std::ops;

use lsp_types::Range;
use serde::Serialize;

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

#[derive(Serialize)]
struct Transcript<'a> {
    version: Option<i32>,
    /// The number of batches before the first one in the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<usize>,
    messages: Vec<WireMessage<'a>>,
}

#[derive(Serialize)]
struct WireMessage<'a> {
    role: Option<&'static str>,
    name: Option<&'a str>,
    range: Range,
    items: Vec<WireMessagePart<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum WireMessagePart<'a> {
    Text { text: Cow<'a, str>, range: Range },
    Tools { label: &'a str, range: Range, failed: usize, pending: usize, entries: Vec<WireEntry<'a>> },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WireEntry<'a> {
    tool_name: &'a str,
    call: &'a str,
    status: &'static str,
    result: &'a str,
    inline: bool,
    more: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<&'a str>,
    range: Range,
}

/// Handles `chatls/transcript`.
pub fn transcript(params: PartParams, request: &ActiveRequest) -> HandlerResult {
    let mut messages = feature::messages_up_to(&request.document, LONGEST);
    let before = params.range.map(|range| {
        let byte = |position| request.byte(position);
        feature::keep_part(&mut messages, &(byte(range.start)..byte(range.end)))
    });
    let messages = messages.iter().map(|message| wire(message, request)).collect();
    request.respond(Transcript { version: request.version, before, messages })
}

fn wire<'m>(message: &'m TranscriptMessage, snapshot: &Snapshot) -> WireMessage<'m> {
    let place = |range: &ops::Range<usize>| snapshot.range(range);
    let entry = |tool: &'m ExpandedToolUse| WireEntry {
        tool_name: &tool.name,
        call: &tool.call,
        status: tool.status.name(),
        result: &tool.result,
        inline: tool.is_inline,
        more: tool.more.as_deref(),
        changes: tool.changes.as_deref(),
        range: place(&tool.range),
    };
    let item = |item: &'m MessagePart| match item {
        MessagePart::Text(text, range) => WireMessagePart::Text { text: text.into(), range: place(range) },
        MessagePart::Thinking(text, range) => {
            WireMessagePart::Text { text: quoted_thinking(text).into(), range: place(range) }
        }
        MessagePart::Tools(tools) => WireMessagePart::Tools {
            label: &tools.label,
            range: place(&tools.range),
            failed: tools.counts.failed,
            pending: tools.counts.pending,
            entries: tools.entries.iter().map(entry).collect(),
        },
    };
    WireMessage {
        role: message.role.map(MessageRole::key),
        name: Some(message.name.as_str()).filter(|name| !name.is_empty()),
        range: place(&message.range),
        items: message.items.iter().map(item).collect(),
    }
}
