//! The built-in forms of calls and results that lost a member: servers reject them, and a repair
//! completes them.

use crate::forms::form::ValueTest::{Absent, Any, Object, Text};
use crate::forms::form::{Form, NamePath};
use crate::forms::names::{ANTHROPIC, BEDROCK, GEMINI, OPENAI, RESPONSES};
use crate::forms::rows::{at, call, encoded, ends, flag, is, result, value};

/// The statuses of a call of Gemini CLI (`CoreToolCallStatus`).
const GEMINI_STATUSES: &[&str] =
    &["validating", "scheduled", "executing", "awaiting_approval", "success", "error", "cancelled"];

const ANTHROPIC_CALLS: &[&str] = &["tool_use", "server_tool_use", "mcp_tool_use"];

/// The damaged parts of tool uses of APIs.
pub(super) fn damaged() -> Vec<Form> {
    vec![
        // A call without an input.
        call(
            ANTHROPIC,
            &[
                ("type", is(ANTHROPIC_CALLS)),
                ("id", Text),
                ("name", Text),
                ("input", Absent),
                ("arguments", Absent),
                ("args", Absent),
            ],
            &["id"],
            at("name"),
            &[],
        ),
        // A call without arguments. The members of an id distinguish it from a tool definition,
        // which has none.
        call(
            OPENAI,
            &[
                ("type", is(&["function"])),
                ("id", Text),
                ("function", Object),
                ("function.name", Text),
                ("function.arguments", Absent),
                ("function.parameters", Absent),
                ("function.description", Absent),
            ],
            &["id"],
            at("function.name"),
            &[],
        ),
        call(
            RESPONSES,
            &[("type", is(&["function_call"])), ("call_id", Text), ("name", Text), ("arguments", Absent)],
            &["call_id"],
            at("name"),
            &[],
        )
        .needing("arguments")
        .into_message(),
        // Calls of Gemini CLI and of Bedrock without an id.
        call(
            GEMINI,
            &[("name", Text), ("args", Object), ("status", is(GEMINI_STATUSES)), ("id", Absent)],
            &[],
            at("name"),
            &[value("args")],
        ),
        call(
            BEDROCK,
            &[
                ("toolUse", Object),
                ("toolUse.name", Text),
                ("toolUse.input", Object),
                ("toolUse.toolUseId", Absent),
            ],
            &[],
            at("toolUse.name"),
            &[value("toolUse.input")],
        )
        .needing("toolUse.toolUseId"),
        // A call of Gemini without a name. In a stream, pieces of arguments have none, either.
        call(
            GEMINI,
            &[("functionCall", Object), ("functionCall.args", Object), ("functionCall.name", Absent)],
            &["functionCall.id"],
            NamePath::None,
            &[value("functionCall.args")],
        )
        .needing("functionCall.name"),
        // Calls without a name.
        call(
            ANTHROPIC,
            &[("type", is(ANTHROPIC_CALLS)), ("id", Text), ("input", Object), ("name", Absent)],
            &["id"],
            NamePath::None,
            &[value("input")],
        )
        .needing("name"),
        call(
            OPENAI,
            &[
                ("type", is(&["function"])),
                ("id", Text),
                ("index", Absent),
                ("function", Object),
                ("function.arguments", Text),
                ("function.name", Absent),
            ],
            &["id"],
            NamePath::None,
            &[encoded("function.arguments")],
        )
        .needing("function.name"),
        call(
            RESPONSES,
            &[("type", is(&["function_call"])), ("call_id", Text), ("arguments", Text), ("name", Absent)],
            &["call_id"],
            NamePath::None,
            &[encoded("arguments")],
        )
        .needing("name")
        .into_message(),
        // A call without an id. In Cursor's logs, calls never have one.
        call(
            ANTHROPIC,
            &[
                ("type", is(&["tool_use"])),
                ("name", Text),
                ("input", Object),
                ("id", Absent),
                ("toolUseId", Absent),
                ("tool_use_id", Absent),
            ],
            // Some programs write each part as a record with an id of its own.
            &["id", "uuid"],
            at("name"),
            &[value("input")],
        ),
        // A result without an id.
        result(
            ANTHROPIC,
            &[
                ("type", ends("tool_result")),
                ("content", Any),
                ("tool_use_id", Absent),
                ("toolUseId", Absent),
                ("tool_call_id", Absent),
                ("toolCallId", Absent),
                ("call_id", Absent),
                ("id", Absent),
                ("name", Absent),
            ],
            &["tool_use_id"],
            &["content"],
        )
        .failing(&[flag("is_error")]),
        // A result without a content.
        result(
            OPENAI,
            &[
                ("role", is(&["tool"])),
                ("tool_call_id", Text),
                ("content", Absent),
                ("output", Absent),
                ("result", Absent),
            ],
            &["tool_call_id"],
            &[],
        )
        .named(at("name"))
        .into_message(),
    ]
}
