//! The built-in forms of the logs of applications with agents, with their sources.

use crate::call::CallPart::Both;
use crate::forms::form::Speech;
use crate::forms::form::Speech::Reasoning;
use crate::forms::form::ValueTest::{Absent, Any, Array, Boolean, Number, Object, Text};
use crate::forms::form::{Form, InputPath, NamePath};
use crate::forms::names::{AI_SDK, ANTHROPIC, GEMINI, RESPONSES, VSCODE};
use crate::forms::rows::{
    at, before, call, encoded, error, fails_is, flag, is, key, other, part, result, shown, starts, value,
};

const AGENTS_JS: &str = "openai-agents-js";
const AUGGIE: &str = "auggie";
const BROWSER_USE: &str = "browser-use";
const CURSOR: &str = "cursor";
const CURSOR_CLI: &str = "cursor-cli";
const CODEX: &str = "codex";
const KIRO: &str = "kiro";
const TANSTACK: &str = "tanstack";
const TARKO: &str = "agent-tars";

/// The thoughts of a step of browser-use.
const THOUGHTS: &[(Speech, &str)] = &[
    (Reasoning, "model_output.thinking"),
    (Reasoning, "model_output.evaluation_previous_goal"),
    (Reasoning, "model_output.memory"),
    (Reasoning, "model_output.next_goal"),
];

/// The parts of their tool uses.
pub(super) fn apps() -> Vec<Form> {
    vec![
        // Chatbox: `MessageToolCallPart` in `src/shared/types.ts`.
        part(
            "chatbox",
            Both,
            &[("type", is(&["tool-call"])), ("state", Text), ("toolCallId", Text), ("toolName", Text)],
            (&["toolCallId"], at("toolName")),
            &[value("args")],
            &["result"],
            &[fails_is("state", "error")],
        ),
        // TanStack AI: `ToolCallPart` and `ToolResultPart` in `packages/ai/src/types.ts`.
        part(
            TANSTACK,
            Both,
            &[
                ("type", is(&["tool-call"])),
                ("id", Text),
                ("name", Text),
                ("arguments", Text),
                ("state", Text),
            ],
            (&["id"], at("name")),
            &[encoded("arguments")],
            &["output"],
            &[],
        ),
        result(
            TANSTACK,
            &[("type", is(&["tool-result"])), ("toolCallId", Text), ("content", Any), ("state", Text)],
            &["toolCallId"],
            &["content"],
        )
        .failing(&[error("error"), fails_is("state", "error")]),
        // Agent TARS: `AgentEventStream` in `multimodal/tarko/agent-interface`.
        call(
            TARKO,
            &[("type", is(&["tool_call"])), ("toolCallId", Text), ("name", Text), ("arguments", Any)],
            &["toolCallId"],
            at("name"),
            &[encoded("arguments")],
        )
        .into_message(),
        result(
            TARKO,
            &[("type", is(&["tool_result"])), ("toolCallId", Text), ("name", Text), ("content", Any)],
            &["toolCallId"],
            &["content"],
        )
        .failing(&[error("error")])
        .into_message(),
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
        // Codex: the events of `codex app-server` and of its older protocol.
        codex_served(
            "commandExecution",
            (at("params.item.type"), other("params.item.command")),
            &["params.item.aggregatedOutput", "params.item.exitCode"],
        ),
        codex_served(
            "mcpToolCall",
            (at("params.item.tool"), value("params.item.arguments")),
            &["params.item.result.content", "params.item.result"],
        ),
        codex_event(
            "exec_command_begin",
            (before("params.msg.type", "_begin"), other("params.msg.command")),
            &[],
        ),
        codex_event(
            "exec_command_end",
            (NamePath::None, InputPath::Object),
            &["params.msg.aggregated_output", "params.msg.formatted_output", "params.msg.stdout"],
        ),
        codex_event(
            "mcp_tool_call_begin",
            (at("params.msg.invocation.tool"), value("params.msg.invocation.arguments")),
            &[],
        ),
        codex_event(
            "mcp_tool_call_end",
            (NamePath::None, InputPath::Object),
            &["params.msg.result.Ok.content", "params.msg.result"],
        ),
        // Auggie: sessions.
        call(
            AUGGIE,
            &[("tool_use", Object), ("tool_use.tool_use_id", Text), ("tool_use.tool_name", Text)],
            &["tool_use.tool_use_id"],
            at("tool_use.tool_name"),
            &[encoded("tool_use.input_json")],
        ),
        result(
            AUGGIE,
            &[("tool_result_node", Object), ("tool_result_node.tool_use_id", Text)],
            &["tool_result_node.tool_use_id"],
            &["tool_result_node.content"],
        )
        .failing(&[flag("tool_result_node.is_error")]),
        // Cursor: the bubbles of its database, exported.
        part(
            CURSOR,
            Both,
            &[("toolFormerData", Object), ("toolFormerData.toolCallId", Text), ("toolFormerData.name", Text)],
            (&["toolFormerData.toolCallId"], at("toolFormerData.name")),
            &[encoded("toolFormerData.rawArgs"), encoded("toolFormerData.params")],
            &["toolFormerData.result"],
            &[error("toolFormerData.error"), fails_is("toolFormerData.status", "error")],
        )
        .into_message(),
        // assistant-ui: `packages/core/src/types/message.ts`, `ToolCallMessagePart`.
        part(
            AI_SDK,
            Both,
            &[("type", is(&["tool-call"])), ("toolCallId", Text), ("toolName", Text), ("argsText", Text)],
            (&["toolCallId"], at("toolName")),
            &[value("args"), encoded("argsText")],
            &["result"],
            &[flag("isError")],
        )
        .inside(),
        // xAI: a search of its server, https://docs.x.ai/docs/guides/tools/overview
        part(
            RESPONSES,
            Both,
            &[("type", is(&["x_search_call"])), ("name", Text), ("arguments", Any), ("status", Text)],
            (&["id"], shown(&["name"])),
            &[encoded("arguments")],
            &["output", "status"],
            &[fails_is("status", "failed")],
        )
        .into_message(),
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
        // browser-use: `browser_use/agent/views.py`, `AgentHistory`. Each action has a result,
        // unless the step ended before it.
        part(
            BROWSER_USE,
            Both,
            &[("model_output", Object), ("model_output.action", Array), ("result", Array), ("state", Object)],
            (&[], key("", "")),
            &[value("*")],
            &["^result.#.extracted_content", "^result.#"],
            &[error("^result.#.error")],
        )
        .encoded_in("model_output.action")
        .saying(THOUGHTS)
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

/// An event of `codex app-server` of an item, which is a call of the kind `kind`.
fn codex_served(kind: &'static str, (name, input): (NamePath, InputPath), output: &[&'static str]) -> Form {
    let signature = [
        ("method", is(&["item/started", "item/completed"])),
        ("params", Object),
        ("params.item.type", is(&[kind])),
    ];
    let failure = [
        error("params.item.error.message"),
        fails_is("params.item.status", "failed"),
        fails_is("params.item.status", "declined"),
    ];
    part(CODEX, Both, &signature, (&["params.item.id"], name), &[input], output, &failure).into_message()
}

/// A notification of Codex that a call begins, or one with its output.
fn codex_event(kind: &'static str, (name, input): (NamePath, InputPath), output: &[&'static str]) -> Form {
    let signature = [("method", starts("codex/event")), ("params", Object), ("params.msg.type", is(&[kind]))];
    let id = ["params.msg.call_id"];
    let row = match output.is_empty() {
        true => call(CODEX, &signature, &id, name, &[input]),
        false => result(CODEX, &signature, &id, output).failing(&[error("params.msg.result.Err")]),
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
