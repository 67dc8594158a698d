//! The built-in forms of events that agents, and protocols between them and their clients, write
//! one a line, with their sources.

use super::frameworks::CONTINUE;
use crate::call::CallPart::Both;
use crate::forms::form::Form;
use crate::forms::form::Speech::{Assistant, Reasoning};
use crate::forms::form::ValueTest::{Any, Array, Boolean, Object, Text};
use crate::forms::names::{GEMINI, OPENHANDS, VSCODE};
use crate::forms::rows::{
    at, call, encoded, error, fails_is, flag, is, no_success, part, piece, repetition, result, shown, value,
};

const ACP: &str = "acp";
pub(super) const AG_UI: &str = "ag-ui";
const ANTIGRAVITY: &str = "antigravity";
const CLAUDE_HOOKS: &str = "claude-hooks";
const DSH: &str = "dsh";
const DROID: &str = "droid";
const KIMI: &str = "kimi";
const MANAGED_AGENTS: &str = "managed-agents";
const OH_MY_OPENCODE: &str = "oh-my-opencode";
const OPENCLAW: &str = "openclaw";

/// The events of Claude Code after a call.
const HOOKS_BEHIND: &[&str] = &["PostToolUse", "PostToolUseFailure"];

/// The types of the calls of managed agents, and of their results.
const MANAGED_CALLS: [&str; 3] = ["agent.tool_use", "agent.mcp_tool_use", "agent.custom_tool_use"];
const MANAGED_RESULTS: [&str; 3] = ["agent.tool_result", "agent.mcp_tool_result", "user.custom_tool_result"];

/// The members of the Agent Client Protocol that stand for a tool name, in order of preference.
const ACP_NAME: &[&str] = &["_meta.claudeCode.toolName", "kind", "title"];
/// The statuses of a call of the Agent Client Protocol that has ended.
const ACP_ENDED: &[&str] = &["completed", "failed"];

/// The parts of their tool uses.
pub(super) fn events() -> Vec<Form> {
    [agents(), protocols()].concat()
}

/// The events of agents.
fn agents() -> Vec<Form> {
    vec![
        // Gemini CLI: `--output-format stream-json`, `docs/cli/headless.md`.
        call(
            GEMINI,
            &[("type", is(&["tool_use"])), ("tool_name", Text), ("tool_id", Text)],
            &["tool_id"],
            at("tool_name"),
            &[value("parameters")],
        )
        .into_message(),
        result(
            GEMINI,
            &[("type", is(&["tool_result"])), ("tool_id", Text), ("status", Text)],
            &["tool_id"],
            &["output"],
        )
        .failing(&[error("error.message"), fails_is("status", "error")])
        .into_message(),
        // Claude Code: what its hooks get, which programs keep as `logs/post_tool_use.json`,
        // https://code.claude.com/docs/en/hooks
        call(
            CLAUDE_HOOKS,
            &[("hook_event_name", is(&["PreToolUse"])), ("tool_name", Text), ("tool_input", Any)],
            &["tool_use_id"],
            at("tool_name"),
            &[value("tool_input")],
        )
        .into_message(),
        part(
            CLAUDE_HOOKS,
            Both,
            &[("hook_event_name", is(HOOKS_BEHIND)), ("tool_name", Text), ("tool_input", Any)],
            (&["tool_use_id"], at("tool_name")),
            &[value("tool_input")],
            &["tool_response", "tool_output"],
            &[error("error")],
        )
        .into_message(),
        // oh-my-opencode (https://github.com/code-yeongyu/oh-my-opencode): its transcripts, without
        // ids.
        call(
            OH_MY_OPENCODE,
            &[("type", is(&["tool_use"])), ("tool_name", Text), ("tool_input", Any)],
            &["tool_use_id"],
            at("tool_name"),
            &[value("tool_input")],
        )
        .into_message(),
        result(
            OH_MY_OPENCODE,
            &[("type", is(&["tool_result"])), ("tool_name", Text), ("tool_output", Any)],
            &["tool_use_id"],
            &["tool_output.output", "tool_output"],
        )
        .named(at("tool_name"))
        .into_message(),
        // Managed agents of Anthropic: https://platform.claude.com/docs/en/managed-agents/events
        call(
            MANAGED_AGENTS,
            &[("type", is(&MANAGED_CALLS)), ("id", Text), ("name", Text), ("input", Any)],
            &["id"],
            at("name"),
            &[value("input")],
        )
        .into_message(),
        result(
            MANAGED_AGENTS,
            &[("type", is(&MANAGED_RESULTS)), ("content", Any)],
            &["tool_use_id", "mcp_tool_use_id", "custom_tool_use_id"],
            &["content"],
        )
        .failing(&[flag("is_error")])
        .into_message(),
        // VS Code: the debug logs of Copilot.
        part(
            VSCODE,
            Both,
            &[("type", is(&["tool_call"])), ("name", Text), ("spanId", Text), ("attrs", Object)],
            (&["spanId"], at("name")),
            &[encoded("attrs.args")],
            &["attrs.result"],
            &[fails_is("status", "error")],
        )
        .into_message(),
        // Continue: `packages/config-yaml/src/schemas/data/toolUsage`; its versions have different
        // names for the arguments.
        part(
            CONTINUE,
            Both,
            &[("eventName", is(&["toolUsage"])), ("toolCallId", Text), ("functionName", Text)],
            (&["toolCallId"], at("functionName")),
            &[encoded("toolCallArgs"), encoded("functionArgs"), value("functionParams"), value("parsedArgs")],
            &["output"],
            &[no_success("succeeded")],
        )
        .into_message(),
        // DSH: sessions as JSON Lines.
        call(
            DSH,
            &[("type", is(&["tool/call"])), ("data", Object), ("data.callId", Text), ("data.name", Text)],
            &["data.callId"],
            at("data.name"),
            &[encoded("data.arguments")],
        )
        .into_message(),
        result(
            DSH,
            &[("type", is(&["tool/result"])), ("data", Object), ("data.message.content", Array)],
            &["data.message.source.callId"],
            &["data.message.content.0.content"],
        )
        .failing(&[flag("data.message.content.0.isError")])
        .into_message(),
        // Kimi Code: `wire.jsonl`.
        call(
            KIMI,
            &[
                ("type", is(&["context.append_loop_event"])),
                ("event", Object),
                ("event.type", is(&["tool.call"])),
                ("event.toolCallId", Text),
            ],
            &["event.toolCallId"],
            at("event.name"),
            &[value("event.args")],
        )
        .into_message(),
        result(
            KIMI,
            &[
                ("type", is(&["context.append_loop_event"])),
                ("event", Object),
                ("event.type", is(&["tool.result"])),
                ("event.toolCallId", Text),
            ],
            &["event.toolCallId"],
            &["event.result.output", "event.result"],
        )
        .failing(&[flag("event.result.isError")])
        .into_message(),
        // OpenHands' SDK: `openhands/sdk/event/llm_convertible`.
        call(
            OPENHANDS,
            &[("kind", is(&["ActionEvent"])), ("tool_name", Text), ("tool_call_id", Text)],
            &["tool_call_id"],
            at("tool_name"),
            &[encoded("tool_call.arguments"), value("action")],
        )
        .into_message(),
        result(
            OPENHANDS,
            &[("kind", is(&["ObservationEvent"])), ("tool_call_id", Text), ("observation", Object)],
            &["tool_call_id"],
            &["observation.content", "observation"],
        )
        .named(at("tool_name"))
        .failing(&[flag("observation.is_error")])
        .into_message(),
        result(
            OPENHANDS,
            &[("kind", is(&["AgentErrorEvent", "UserRejectObservation"])), ("tool_call_id", Text)],
            &["tool_call_id"],
            &["rejection_reason"],
        )
        .named(at("tool_name"))
        .failing(&[error("error"), fails_is("kind", "UserRejectObservation")])
        .into_message(),
        // Factory's droid: `droid exec --output-format stream-json`.
        call(
            DROID,
            &[("type", is(&["tool_call"])), ("toolName", Text), ("parameters", Object)],
            &["toolCallId", "id"],
            at("toolName"),
            &[value("parameters")],
        )
        .into_message(),
        result(
            DROID,
            &[("type", is(&["tool_result"])), ("toolId", Text), ("isError", Boolean), ("value", Any)],
            &["toolCallId", "id"],
            &["value"],
        )
        .failing(&[flag("isError")])
        .into_message(),
        // OpenClaw: telemetry of its plugin, in which a result belongs to the call before it.
        call(
            OPENCLAW,
            &[("type", is(&["tool.start"])), ("toolName", Text), ("params", Object)],
            &[],
            at("toolName"),
            &[value("params")],
        )
        .into_message(),
        result(OPENCLAW, &[("type", is(&["tool.end"])), ("toolName", Text)], &[], &["result"])
            .failing(&[error("error"), no_success("success")])
            .into_message(),
        repetition(OPENCLAW, &[("type", is(&["agent.start"])), ("messages", Array)]),
        // Antigravity: the steps of its transcripts. Steps with results do not name their call.
        call(
            ANTIGRAVITY,
            &[("type", is(&["PLANNER_RESPONSE"])), ("tool_calls", Array), ("tool_calls.0.name", Text)],
            &[],
            at("name"),
            &[value("args")],
        )
        .encoded_in("tool_calls")
        .saying(&[(Reasoning, "thinking"), (Assistant, "content")])
        .into_message(),
    ]
}

/// The events of protocols.
fn protocols() -> Vec<Form> {
    vec![
        // AG-UI: https://docs.ag-ui.com/concepts/events
        call(
            AG_UI,
            &[
                ("type", is(&["TOOL_CALL_START", "TOOL_CALL_CHUNK"])),
                ("toolCallId", Text),
                ("toolCallName", Text),
            ],
            &["toolCallId"],
            at("toolCallName"),
            &[piece("delta")],
        )
        .into_message(),
        result(
            AG_UI,
            &[("type", is(&["TOOL_CALL_RESULT"])), ("toolCallId", Text), ("content", Any)],
            &["toolCallId"],
            &["content"],
        )
        .into_message(),
        // The event of the program after it repeats the call.
        repetition(AG_UI, &[("type", is(&["TOOL_CALL_END"])), ("rawEvent", Any)]),
        // Agent Client Protocol: https://agentclientprotocol.com/protocol/tool-calls
        part(
            ACP,
            Both,
            &[("sessionUpdate", is(&["tool_call"])), ("toolCallId", Text), ("status", is(ACP_ENDED))],
            (&["toolCallId"], shown(ACP_NAME)),
            &[value("rawInput")],
            &["rawOutput", "content"],
            &[fails_is("status", "failed")],
        )
        .into_message(),
        call(
            ACP,
            &[("sessionUpdate", is(&["tool_call"])), ("toolCallId", Text)],
            &["toolCallId"],
            shown(ACP_NAME),
            &[value("rawInput")],
        )
        .into_message(),
        result(
            ACP,
            &[("sessionUpdate", is(&["tool_call_update"])), ("toolCallId", Text), ("status", is(ACP_ENDED))],
            &["toolCallId"],
            &["rawOutput", "content"],
        )
        .failing(&[fails_is("status", "failed")])
        .into_message(),
    ]
}
