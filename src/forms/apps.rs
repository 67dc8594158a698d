//! The built-in forms of the logs of applications with agents, with their sources.

use super::form::Speech::Reasoning;
use super::form::ValueTest::{Absent, Any, Array, Boolean, Number, Object, Text};
use super::form::{Form, InputPath, NamePath};
use super::names::{ANTHROPIC, GEMINI, VSCODE};
use super::rows::{at, call, encoded, error, fails_is, flag, is, key, other, part, result, value};
use crate::call::CallPart::Both;

const AGENTS_JS: &str = "openai-agents-js";
const BROWSER_USE: &str = "browser-use";
const CURSOR_CLI: &str = "cursor-cli";
const CODEX: &str = "codex";
const KIRO: &str = "kiro";

/// The parts of their tool uses.
pub(super) fn apps() -> Vec<Form> {
    vec![
        // Cursor CLI: `--output-format stream-json`,
        // https://cursor.com/docs/cli/reference/output-format
        cursor_cli("started", false),
        cursor_cli("completed", true),
        // Codex: `codex exec --json`, `codex-rs/exec/src/exec_events.rs`.
        codex_item(&["item.started"], "command_execution", (at("item.type"), other("item.command")), &[]),
        codex_item(&["item.started"], "mcp_tool_call", (at("item.tool"), value("item.arguments")), &[]),
        codex_item(
            &["item.completed"],
            "command_execution",
            (at("item.type"), other("item.command")),
            &["item.aggregated_output"],
        ),
        codex_item(
            &["item.completed"],
            "mcp_tool_call",
            (at("item.tool"), value("item.arguments")),
            &["item.result.content", "item.result"],
        ),
        codex_item(
            &["item.completed"],
            "file_change",
            (at("item.type"), other("item.changes")),
            &["item.status"],
        ),
        codex_item(
            &["item.completed"],
            "web_search",
            (at("item.type"), other("item.query")),
            &["item.action", "item.type"],
        ),
        // Kiro CLI: sessions.
        call(
            KIRO,
            &[("kind", is(&["toolUse"])), ("data", Object), ("data.toolUseId", Text), ("data.name", Text)],
            &["data.toolUseId"],
            at("data.name"),
            &[value("data.input")],
        ),
        result(
            KIRO,
            &[("kind", is(&["toolResult"])), ("data", Object), ("data.toolUseId", Text)],
            &["data.toolUseId"],
            &["data.content"],
        )
        .failing(&[fails_is("data.status", "error")]),
        // OpenAI's Agents SDK for JavaScript: `packages/agents-core/src/types/protocol.ts`.
        call(
            AGENTS_JS,
            &[("type", is(&["function_call"])), ("callId", Text), ("name", Text), ("arguments", Any)],
            &["callId"],
            at("name"),
            &[encoded("arguments")],
        )
        .into_message(),
        result(
            AGENTS_JS,
            &[("type", is(&["function_call_result"])), ("callId", Text), ("output", Any)],
            &["callId"],
            &["output.text", "output"],
        )
        .named(at("name"))
        .into_message(),
        // Copilot: prompts that VS Code exports as `*.chatreplay.json`, and their requests.
        part(
            VSCODE,
            Both,
            &[("kind", is(&["toolCall"])), ("tool", Text), ("args", Any)],
            (&["id"], at("tool")),
            &[encoded("args")],
            &["response"],
            &[],
        ),
        result(
            VSCODE,
            &[("role", Number), ("toolCallId", Text), ("content", Any)],
            &["toolCallId"],
            &["content"],
        )
        .into_message(),
        // claude.ai: `conversations.json` of a data export.
        result(
            ANTHROPIC,
            &[
                ("type", is(&["tool_result"])),
                ("name", Text),
                ("content", Array),
                ("is_error", Boolean),
                ("tool_use_id", Absent),
            ],
            &[],
            &["content"],
        )
        .named(at("name"))
        .failing(&[flag("is_error")]),
        // Live API of Gemini: the results in a message of the client. Its calls are flat.
        result(
            GEMINI,
            &[("functionResponses", Array), ("functionResponses.0.name", Text)],
            &["id"],
            &["response"],
        )
        .named(at("name"))
        .failing(&[error("response.error")])
        .encoded_in("functionResponses"),
        // browser-use: `browser_use/agent/views.py`, `AgentHistory`.
        call(
            BROWSER_USE,
            &[("model_output", Object), ("model_output.action", Array), ("result", Array), ("state", Object)],
            &[],
            key("", ""),
            &[value("*")],
        )
        .encoded_in("model_output.action")
        .saying(&[
            (Reasoning, "model_output.thinking"),
            (Reasoning, "model_output.evaluation_previous_goal"),
            (Reasoning, "model_output.memory"),
            (Reasoning, "model_output.next_goal"),
        ])
        .into_message(),
    ]
}

/// An event of an item of Codex, which is a call of the kind `kind`.
fn codex_item(
    event: &[&'static str],
    kind: &'static str,
    (name, input): (NamePath, InputPath),
    output: &[&'static str],
) -> Form {
    let signature = [("type", is(event)), ("item", Object), ("item.type", is(&[kind]))];
    let row = match output.is_empty() {
        true => call(CODEX, &signature, &["item.id"], name, &[input]),
        false => {
            let failure = [error("item.error.message"), fails_is("item.status", "failed")];
            part(CODEX, Both, &signature, (&["item.id"], name), &[input], output, &failure)
        }
    };
    row.into_message()
}

/// An event of a call of Cursor CLI, in which the key of its input and its result shows the tool.
fn cursor_cli(event: &'static str, has_result: bool) -> Form {
    let signature = [
        ("type", is(&["tool_call"])),
        ("subtype", is(&[event])),
        ("call_id", Text),
        ("tool_call", Object),
        ("tool_call.*.args", Object),
    ];
    let (id, name, input) = (["call_id"], key("tool_call", "ToolCall"), [value("tool_call.*.args")]);
    let row = match has_result {
        false => call(CURSOR_CLI, &signature, &id, name, &input),
        true => part(
            CURSOR_CLI,
            Both,
            &signature,
            (&id, name),
            &input,
            &["tool_call.*.result.success", "tool_call.*.result"],
            &[error("tool_call.*.result.error"), error("tool_call.*.result.rejected")],
        ),
    };
    row.into_message()
}
