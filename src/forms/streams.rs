//! The built-in forms of streams that write the input of a call in pieces, with their sources.
//!
//! A piece belongs to the call with its id, or else to the last one before it: the calls of an
//! answer are written one after the other.

use super::events::AG_UI;
use super::form::ValueTest::{Absent, Empty, Number, Object, Piece, Prose, Text};
use super::form::{Form, NamePath, ValueTest};
use super::rows::{at, call, ends, is, part, piece, value};
use super::table::{ANTHROPIC, BEDROCK, OPENAI};
use crate::call::CallPart::Delta;

/// The parts of their tool uses.
pub(super) fn streams() -> Vec<Form> {
    vec![
        // Chat Completions of OpenAI and others: `tool_calls` in `delta` of a chunk.
        call(
            OPENAI,
            &[
                ("index", Number),
                ("function", Object),
                ("function.name", Prose),
                ("function.arguments", Piece),
            ],
            &["id"],
            at("function.name"),
            &[piece("function.arguments")],
        ),
        pieces(
            OPENAI,
            &[
                ("index", Number),
                ("function", Object),
                ("function.name", Empty),
                ("function.arguments", Text),
            ],
            "function.arguments",
        ),
        // Messages API: https://docs.anthropic.com/en/docs/build-with-claude/streaming
        call(
            ANTHROPIC,
            &[
                ("type", is(&["content_block_start"])),
                ("content_block", Object),
                ("content_block.type", ends("tool_use")),
                ("content_block.id", Text),
                ("content_block.name", Text),
            ],
            &["content_block.id"],
            at("content_block.name"),
            &[value("content_block.input")],
        ),
        pieces(ANTHROPIC, &[("type", is(&["input_json_delta"])), ("partial_json", Text)], "partial_json"),
        // Bedrock: `ContentBlockDelta` of ConverseStream.
        pieces(
            BEDROCK,
            &[
                ("toolUse", Object),
                ("toolUse.input", Text),
                ("toolUse.name", Absent),
                ("toolUse.toolUseId", Absent),
            ],
            "toolUse.input",
        ),
        // AG-UI: https://docs.ag-ui.com/concepts/events
        part(
            AG_UI,
            Delta,
            &[
                ("type", is(&["TOOL_CALL_ARGS", "TOOL_CALL_CHUNK"])),
                ("delta", Text),
                ("toolCallName", Absent),
            ],
            (&["toolCallId"], NamePath::None),
            &[piece("delta")],
            &[],
            &[],
        )
        .into_message(),
    ]
}

fn pieces(family: &'static str, signature: &[(&'static str, ValueTest)], path: &'static str) -> Form {
    part(family, Delta, signature, (&[], NamePath::None), &[piece(path)], &[], &[])
}
