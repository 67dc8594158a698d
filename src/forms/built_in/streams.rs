//! The built-in forms of streams that write the input of a call in pieces, with their sources.
//!
//! A piece belongs to the call with its id, or else to the last one before it: the calls of an
//! answer are written one after the other.

use super::events::AG_UI;
use crate::call::CallPart::Delta;
use crate::forms::form::ValueTest::{Absent, Any, Empty, Number, Object, Piece, Prose, Text};
use crate::forms::form::{Form, NamePath, ValueTest};
use crate::forms::names::{ANTHROPIC, BEDROCK, GEMINI, OPENAI};
use crate::forms::rows::{at, call, ends, flag, is, part, piece, result, value};

const COHERE: &str = "cohere";

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
        // Cohere: https://docs.cohere.com/docs/streaming
        call(
            COHERE,
            &[
                ("type", is(&["tool-call-start"])),
                ("delta", Object),
                ("delta.message.tool_calls.function.name", Text),
            ],
            &["delta.message.tool_calls.id"],
            at("delta.message.tool_calls.function.name"),
            &[piece("delta.message.tool_calls.function.arguments")],
        )
        .into_message(),
        pieces(
            COHERE,
            &[
                ("type", is(&["tool-call-delta"])),
                ("delta", Object),
                ("delta.message.tool_calls.function.arguments", Text),
            ],
            "delta.message.tool_calls.function.arguments",
        )
        .into_message(),
        // Interactions of Gemini; a stream has the arguments of a call in pieces:
        // https://ai.google.dev/gemini-api/docs/interactions
        call(
            GEMINI,
            &[
                ("type", is(&["function_call"])),
                ("id", Text),
                ("name", Text),
                ("arguments", Object),
                ("call_id", Absent),
            ],
            &["id"],
            at("name"),
            &[value("arguments")],
        ),
        result(
            GEMINI,
            &[("type", is(&["function_result"])), ("call_id", Text), ("result", Any)],
            &["call_id"],
            &["result"],
        )
        .named(at("name"))
        .failing(&[flag("is_error")]),
        pieces(GEMINI, &[("type", is(&["arguments_delta"])), ("arguments", Text)], "arguments"),
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
