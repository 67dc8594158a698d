//! The built-in forms of the session logs of single agents, with their sources.

use crate::forms::form::ValueTest::{Absent, Any, Array, Boolean, Object, Text};
use crate::forms::form::{Form, ValueTest};
use crate::forms::results;
use crate::forms::rows::{at, call, encoded, error, flag, is, no_success, repetition, result, value};

const COPILOT: &str = "copilot";
const PI: &str = "pi";
const AMP: &str = "amp";
const GOOSE: &str = "goose";
const GROK: &str = "grok";
const JEAN_CLAUDE: &str = "jean-claude";
const MCP: &str = "mcp";
const TRAE_AGENT: &str = "trae-agent";

/// The parts of their tool uses.
pub(super) fn agents() -> Vec<Form> {
    vec![
        // Copilot CLI: events of sessions, as in `github/copilot-sdk`.
        call(
            COPILOT,
            &[("type", is(&["tool.execution_start"])), ("data", Object), ("data.toolCallId", Text)],
            &["data.toolCallId"],
            at("data.toolName"),
            &[value("data.arguments")],
        )
        .into_message(),
        result(
            COPILOT,
            &[("type", is(&["tool.execution_complete"])), ("data", Object), ("data.toolCallId", Text)],
            &["data.toolCallId"],
            &["data.result.content", "data.result"],
        )
        .failing(&[error("data.error.message"), no_success("data.success")])
        .into_message(),
        // pi: `packages/coding-agent/docs/session-format.md`, `ToolCall` and `ToolResultMessage`.
        call(
            PI,
            &[("type", is(&["toolCall"])), ("id", Text), ("name", Text), ("arguments", Object)],
            &["id"],
            at("name"),
            &[value("arguments")],
        )
        .with_result(&results::PI),
        // `pi --mode json`: `AgentEvent` in `packages/agent/src/types.ts`. Messages are complete at
        // their ends.
        repetition(
            PI,
            &[
                ("type", is(&["message_start", "message_update", "turn_end"])),
                ("message", Object),
                ("message.type", Absent),
            ],
        ),
        repetition(PI, &[("type", is(&["agent_end"])), ("messages", Array)]),
        call(
            PI,
            &[("type", is(&["tool_execution_start"])), ("toolCallId", Text), ("toolName", Text)],
            &["toolCallId"],
            at("toolName"),
            &[value("args")],
        ),
        result(
            PI,
            &[("type", is(&["tool_execution_end"])), ("toolCallId", Text), ("result", Any)],
            &["toolCallId"],
            &["result.content", "result"],
        )
        .named(at("toolName"))
        .failing(&[flag("isError")]),
        // `packages/coding-agent/examples/extensions/subagent`: with the messages of sub-agents.
        pi_result(&[("details", Object), ("details.results.0.messages", Array)]).around("details"),
        pi_result(&[]),
        // Amp: threads; their calls have Anthropic's form.
        result(
            AMP,
            &[("type", is(&["tool_result"])), ("toolUseID", Text)],
            &["toolUseID"],
            &["run.result", "output"],
        )
        .failing(&[error("run.error.message"), error("run.error")]),
        // Grok Build: `chat_history.jsonl`, whose messages have their role as `type`.
        call(
            GROK,
            &[("id", Text), ("name", Text), ("arguments", Text), ("type", Absent)],
            &["id"],
            at("name"),
            &[encoded("arguments")],
        ),
        result(
            GROK,
            &[("type", is(&["tool_result"])), ("tool_call_id", Text), ("content", Any)],
            &["tool_call_id"],
            &["content"],
        )
        .into_message(),
        // goose: `crates/goose/src/conversation/message.rs`, `ToolRequest` and `ToolResponse`.
        call(
            GOOSE,
            &[
                ("type", is(&["toolRequest"])),
                ("id", Text),
                ("toolCall", Object),
                ("toolCall.value.name", Text),
            ],
            &["id"],
            at("toolCall.value.name"),
            &[value("toolCall.value.arguments")],
        )
        .with_result(&results::GOOSE),
        result(
            GOOSE,
            &[("type", is(&["toolResponse"])), ("id", Text), ("toolResult", Object)],
            &["id"],
            &["toolResult.value.content", "toolResult.value"],
        )
        .failing(&[flag("toolResult.value.isError"), error("toolResult.error")]),
        // Model Context Protocol: requests to a server, and its answers. Those to other requests
        // have no such content.
        call(
            MCP,
            &[("jsonrpc", Text), ("method", is(&["tools/call"])), ("params", Object), ("params.name", Text)],
            &["id"],
            at("params.name"),
            &[value("params.arguments")],
        ),
        result(
            MCP,
            &[("jsonrpc", Text), ("result", Object), ("result.content", Array), ("method", Absent)],
            &["id"],
            &["result.content"],
        )
        .failing(&[flag("result.isError")]),
        // jean-claude: the parts of its messages.
        call(
            JEAN_CLAUDE,
            &[("type", is(&["tool-use"])), ("toolId", Text), ("toolName", Text)],
            &["toolId"],
            at("toolName"),
            &[value("input")],
        ),
        // trae-agent: `trae_agent/utils/trajectory_recorder.py`.
        call(
            TRAE_AGENT,
            &[
                ("call_id", Text),
                ("name", Text),
                ("arguments", Object),
                ("type", Absent),
                ("role", Absent),
                ("content", Absent),
            ],
            &["call_id"],
            at("name"),
            &[value("arguments")],
        ),
        result(
            TRAE_AGENT,
            &[("call_id", Text), ("success", Boolean), ("result", Any), ("type", Absent)],
            &["call_id"],
            &["result"],
        )
        .failing(&[error("error"), no_success("success")]),
    ]
}

/// A result of pi, with these further members.
fn pi_result(more: &[(&'static str, ValueTest)]) -> Form {
    let own = [("role", is(&["toolResult"])), ("toolCallId", Text), ("content", Any)];
    result(PI, &[&own, more].concat(), &["toolCallId"], &["content"])
        .named(at("toolName"))
        .failing(&[flag("isError")])
        .into_message()
}
