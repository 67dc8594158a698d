//! The built-in forms: a row per form, by family, with its source.

use super::form::Failure::{Error, Flag, Is as FailsIs, NoSuccess};
use super::form::InputPath::{Display, Encoded, Object as WholeObject, Other, Value};
use super::form::NamePath::{After, At, Before};
use super::form::ValueTest::{Absent, Any, Array, Blank, Ends, Is, IsNot, Object, Prose, Starts, Text};
use super::form::{Form, NamePath};
use super::names::{NO_ACTIONS, NO_OBSERVATIONS, OWN_OUTPUT, SEPARATE_OUTPUT};
use super::rows::{blank, call, message, part, repetition, result, text};
use crate::call::CallPart::Both;

/// The Messages API of Anthropic.
pub const ANTHROPIC: &str = "anthropic";
/// Chat Completions of OpenAI.
pub const OPENAI: &str = "openai-chat";
/// The Responses API of OpenAI.
pub const RESPONSES: &str = "openai-responses";
const OPENCODE: &str = "opencode";
const VSCODE: &str = "vscode-chat";
const SHAREGPT: &str = "sharegpt";
const INSPECT: &str = "inspect";
const OPENHANDS: &str = "openhands";
const GEMINI: &str = "gemini";
const AI_SDK: &str = "ai-sdk";
const ATIF: &str = "atif";
const BEDROCK: &str = "bedrock";
const LANGCHAIN: &str = "langchain";
const CLAUDE_CODE: &str = "claude-code";
const COPILOT: &str = "copilot";
const PI: &str = "pi";
const AMP: &str = "amp";
const GOOSE: &str = "goose";

/// All built-in forms.
pub static FORMS: &[Form] = &[
    // Claude Code: progress of tools and sub-agents, which repeats their messages.
    repetition(CLAUDE_CODE, &[("type", Is(&["progress"])), ("data", Object), ("toolUseID", Text)]),
    // Responses: the beginning of an item in a stream, whose end repeats all of it.
    repetition(RESPONSES, &[("type", Is(&["response.output_item.added"])), ("item", Object)]),
    // VS Code: the requests to the model, which repeat the tool invocations of the response.
    repetition(VSCODE, &[("toolCallRounds", Array)]),
    // SWE-agent: steps, which repeat the messages of the history.
    repetition(
        "swe-agent",
        &[("action", Text), ("observation", Text), ("response", Text), ("thought", Text)],
    ),
    // Inspect: events, which repeat the messages of their sample.
    repetition(INSPECT, &[("event", Text), ("timestamp", Text)]),
    // Messages API: https://docs.anthropic.com/en/api/messages
    call(
        ANTHROPIC,
        &[
            ("type", Is(&["tool_use", "server_tool_use", "mcp_tool_use"])),
            ("id", Text),
            ("name", Text),
            ("input", Any),
        ],
        &["id"],
        At("name"),
        &[Value("input")],
    ),
    result(
        ANTHROPIC,
        &[("type", Ends("tool_result")), ("tool_use_id", Text)],
        &["tool_use_id"],
        NamePath::None,
        &["content"],
        &[Flag("is_error"), Error("content.error_code")],
    ),
    // LLaMA-Factory: a call as a part of a message.
    call(
        SHAREGPT,
        &[("type", Is(&["tool_call"])), ("value", Text)],
        &["id"],
        At("name"),
        &[Encoded("arguments"), Encoded("parameters")],
    )
    .encoded_in("value"),
    // LangChain: `ToolCall` and `ToolMessage`.
    call(
        LANGCHAIN,
        &[("type", Is(&["tool_call"])), ("name", Text), ("args", Object)],
        &["id"],
        At("name"),
        &[Value("args")],
    ),
    result(
        LANGCHAIN,
        &[("type", Is(&["tool"])), ("tool_call_id", Text), ("content", Any)],
        &["tool_call_id"],
        At("name"),
        &["content"],
        &[FailsIs("status", "error")],
    )
    .into_message(),
    // Chat Completions: https://platform.openai.com/docs/api-reference/chat
    call(
        OPENAI,
        &[("function", Object), ("function.name", Text), ("function.arguments", Any)],
        &["id"],
        At("function.name"),
        &[Encoded("function.arguments")],
    ),
    call(
        OPENAI,
        &[("type", Is(&["custom"])), ("custom", Object), ("custom.name", Text), ("custom.input", Text)],
        &["id"],
        At("custom.name"),
        &[Value("custom.input")],
    ),
    call(
        OPENAI,
        &[("role", Text), ("function_call", Object), ("function_call.name", Text)],
        &[],
        At("function_call.name"),
        &[Encoded("function_call.arguments")],
    )
    .into_message(),
    result(
        OPENAI,
        &[("role", Is(&["tool"])), ("tool_call_id", Text), ("content", Any)],
        &["tool_call_id"],
        At("name"),
        &["content"],
        &[Error("error.message"), Error("error")],
    )
    .into_message(),
    result(
        OPENAI,
        &[("role", Is(&["tool"])), ("content", Text), ("tool_call_id", Absent)],
        &["tool_call_ids.0"],
        At("name"),
        &["content"],
        &[],
    )
    .into_message(),
    result(
        OPENAI,
        &[
            ("role", Is(&["tool"])),
            ("content", Array),
            ("content.0.type", Is(&["text"])),
            ("tool_call_id", Absent),
        ],
        &["tool_call_ids.0"],
        At("name"),
        &["content"],
        &[],
    )
    .into_message(),
    result(
        OPENAI,
        &[("role", Is(&["function"])), ("name", Text), ("content", Any)],
        &[],
        At("name"),
        &["content"],
        &[],
    )
    .into_message(),
    // Responses: https://platform.openai.com/docs/api-reference/responses
    call(
        RESPONSES,
        &[("type", Is(&["function_call"])), ("name", Text), ("arguments", Any)],
        &["call_id", "id"],
        At("name"),
        &[Encoded("arguments")],
    )
    .into_message(),
    call(
        RESPONSES,
        &[("type", Is(&["custom_tool_call"])), ("name", Text), ("input", Text)],
        &["call_id", "id"],
        At("name"),
        &[Value("input")],
    )
    .into_message(),
    part(
        RESPONSES,
        Both,
        &[("type", Is(&["mcp_call"])), ("name", Text), ("arguments", Any)],
        (&["id"], At("name")),
        &[Encoded("arguments")],
        &["output"],
        &[Error("error")],
    )
    .into_message(),
    part(
        RESPONSES,
        Both,
        &[("type", Is(OWN_OUTPUT)), ("status", Text)],
        (&["id"], Before("type", "_call")),
        &[Value("action"), Value("queries"), Value("code")],
        &["results", "outputs", "result", "status"],
        &[FailsIs("status", "failed")],
    )
    .into_message(),
    call(
        RESPONSES,
        &[("type", Is(SEPARATE_OUTPUT)), ("status", Text)],
        &["call_id", "id"],
        Before("type", "_call"),
        &[Value("action"), Value("actions"), Value("operation")],
    )
    .into_message(),
    result(
        RESPONSES,
        &[("type", Ends("_call_output")), ("output", Any)],
        &["call_id", "id"],
        NamePath::None,
        &["output"],
        &[],
    )
    .into_message(),
    // opencode: `packages/opencode/src/session/message-v2.ts`
    part(
        OPENCODE,
        Both,
        &[("type", Is(&["tool"])), ("callID", Text), ("tool", Text), ("state", Object)],
        (&["callID"], At("tool")),
        &[Value("state.input")],
        &["state.output"],
        &[Error("state.error")],
    ),
    // VS Code: `src/vs/workbench/contrib/chat/common/chatService.ts`
    part(
        VSCODE,
        Both,
        &[("kind", Is(&["toolInvocationSerialized"])), ("toolId", Text), ("toolCallId", Text)],
        (&["toolCallId"], At("toolId")),
        &[Display("resultDetails.input"), Other("toolSpecificData.rawInput"), Other("toolSpecificData")],
        &["resultDetails.output", "resultDetails"],
        &[Flag("resultDetails.isError")],
    ),
    // ShareGPT as LLaMA-Factory reads it: `data/README.md`
    call(
        SHAREGPT,
        &[("from", Is(&["function_call", "tool_call"])), ("value", Text)],
        &["id"],
        At("name"),
        &[Encoded("arguments"), Encoded("parameters")],
    )
    .encoded_in("value")
    .into_message(),
    result(
        SHAREGPT,
        &[("from", Is(&["observation", "tool", "function_response", "tool_response"])), ("value", Any)],
        &[],
        NamePath::None,
        &["value"],
        &[],
    )
    .into_message(),
    // Inspect: `src/inspect_ai/tool/_tool_call.py`
    call(
        INSPECT,
        &[("id", Text), ("function", Text), ("arguments", Object)],
        &["id"],
        At("function"),
        &[Value("arguments")],
    ),
    // OpenHands: `openhands/events/serialization`
    call(
        OPENHANDS,
        &[("action", IsNot(NO_ACTIONS)), ("args", Object), ("source", Is(&["agent"]))],
        &["id"],
        At("action"),
        &[Value("args")],
    )
    .into_message(),
    call(
        OPENHANDS,
        &[("action", IsNot(NO_ACTIONS)), ("thought", Text), ("args", Absent), ("observation", Absent)],
        &[],
        At("action"),
        &[WholeObject],
    )
    .into_message(),
    result(
        OPENHANDS,
        &[("observation", IsNot(NO_OBSERVATIONS)), ("content", Any), ("extras", Object)],
        &["cause"],
        NamePath::None,
        &["content"],
        &[NoSuccess("success"), FailsIs("observation", "error")],
    )
    .into_message(),
    result(
        OPENHANDS,
        &[("observation", IsNot(NO_OBSERVATIONS)), ("content", Text), ("extras", Absent), ("action", Absent)],
        &[],
        NamePath::None,
        &["content"],
        &[FailsIs("observation", "error")],
    )
    .into_message(),
    // Gemini: https://ai.google.dev/api/caching#FunctionCall
    call(
        GEMINI,
        &[("functionCall", Object), ("functionCall.name", Text)],
        &["functionCall.id"],
        At("functionCall.name"),
        &[Value("functionCall.args")],
    ),
    result(
        GEMINI,
        &[("functionResponse", Object), ("functionResponse.name", Text)],
        &["functionResponse.id"],
        At("functionResponse.name"),
        &["functionResponse.response"],
        &[Error("functionResponse.response.error")],
    ),
    call(
        GEMINI,
        &[("function_call", Object), ("function_call.name", Text), ("function_call.args", Any)],
        &["function_call.id"],
        At("function_call.name"),
        &[Value("function_call.args")],
    ),
    result(
        GEMINI,
        &[("function_response", Object), ("function_response.name", Text)],
        &["function_response.id"],
        At("function_response.name"),
        &["function_response.response"],
        &[Error("function_response.response.error")],
    ),
    // Gemini CLI: `packages/core/src/services/chatRecordingTypes.ts`, `ToolCallRecord`.
    part(
        GEMINI,
        Both,
        &[("id", Text), ("name", Text), ("args", Object), ("status", Text)],
        (&["id"], At("name")),
        &[Value("args")],
        &["result.0.functionResponse.response", "result"],
        &[Error("result.0.functionResponse.response.error"), FailsIs("status", "error")],
    ),
    // Copilot CLI: events of sessions, as in `github/copilot-sdk`.
    call(
        COPILOT,
        &[("type", Is(&["tool.execution_start"])), ("data", Object), ("data.toolCallId", Text)],
        &["data.toolCallId"],
        At("data.toolName"),
        &[Value("data.arguments")],
    )
    .into_message(),
    result(
        COPILOT,
        &[("type", Is(&["tool.execution_complete"])), ("data", Object), ("data.toolCallId", Text)],
        &["data.toolCallId"],
        NamePath::None,
        &["data.result.content", "data.result"],
        &[Error("data.error.message"), NoSuccess("data.success")],
    )
    .into_message(),
    // pi: `packages/coding-agent/docs/session-format.md`, `ToolCall` and `ToolResultMessage`.
    call(
        PI,
        &[("type", Is(&["toolCall"])), ("id", Text), ("name", Text), ("arguments", Object)],
        &["id"],
        At("name"),
        &[Value("arguments")],
    ),
    result(
        PI,
        &[("role", Is(&["toolResult"])), ("toolCallId", Text), ("content", Any)],
        &["toolCallId"],
        At("toolName"),
        &["content"],
        &[Flag("isError")],
    )
    .into_message(),
    // Amp: threads, whose calls are those of Anthropic.
    result(
        AMP,
        &[("type", Is(&["tool_result"])), ("toolUseID", Text)],
        &["toolUseID"],
        NamePath::None,
        &["run.result", "output"],
        &[Error("run.error.message"), Error("run.error")],
    ),
    // goose: `crates/goose/src/conversation/message.rs`, `ToolRequest` and `ToolResponse`.
    call(
        GOOSE,
        &[("type", Is(&["toolRequest"])), ("id", Text), ("toolCall", Object), ("toolCall.value.name", Text)],
        &["id"],
        At("toolCall.value.name"),
        &[Value("toolCall.value.arguments")],
    ),
    result(
        GOOSE,
        &[("type", Is(&["toolResponse"])), ("id", Text), ("toolResult", Object)],
        &["id"],
        NamePath::None,
        &["toolResult.value.content", "toolResult.value"],
        &[Flag("toolResult.value.isError"), Error("toolResult.error")],
    ),
    // AI SDK: `UIMessage` parts, `ToolInvocation` of AI SDK 4, and parts of `ModelMessage`.
    part(
        AI_SDK,
        Both,
        &[("type", Starts("tool-")), ("toolCallId", Text), ("state", Text)],
        (&["toolCallId"], After("type", "tool-")),
        &[Value("input"), Other("rawInput")],
        &["output"],
        &[Error("errorText")],
    ),
    part(
        AI_SDK,
        Both,
        &[("type", Is(&["dynamic-tool"])), ("toolName", Text), ("toolCallId", Text), ("state", Text)],
        (&["toolCallId"], At("toolName")),
        &[Value("input"), Other("rawInput")],
        &["output"],
        &[Error("errorText")],
    ),
    part(
        AI_SDK,
        Both,
        &[("toolCallId", Text), ("toolName", Text), ("state", Is(&["call", "partial-call", "result"]))],
        (&["toolCallId"], At("toolName")),
        &[Value("args")],
        &["result"],
        &[],
    ),
    call(
        AI_SDK,
        &[("type", Is(&["tool-call"])), ("toolCallId", Text), ("toolName", Text)],
        &["toolCallId"],
        At("toolName"),
        &[Value("input"), Value("args")],
    )
    .inside(),
    result(
        AI_SDK,
        &[("type", Is(&["tool-result"])), ("toolCallId", Text), ("toolName", Text)],
        &["toolCallId"],
        At("toolName"),
        &["output", "result"],
        &[Flag("isError"), FailsIs("output.type", "error-text"), FailsIs("output.type", "error-json")],
    )
    .inside(),
    // ATIF: harbor's `docs/rfcs/0001-trajectory-format.md`
    call(
        ATIF,
        &[("tool_call_id", Text), ("function_name", Text), ("arguments", Any)],
        &["tool_call_id"],
        At("function_name"),
        &[Value("arguments")],
    ),
    result(
        ATIF,
        &[("source_call_id", Text), ("content", Any)],
        &["source_call_id"],
        NamePath::None,
        &["content"],
        &[],
    ),
    // Bedrock Converse: `ToolUseBlock` and `ToolResultBlock`.
    call(
        BEDROCK,
        &[("toolUse", Object), ("toolUse.toolUseId", Text), ("toolUse.name", Text)],
        &["toolUse.toolUseId"],
        At("toolUse.name"),
        &[Value("toolUse.input")],
    ),
    result(
        BEDROCK,
        &[("toolResult", Object), ("toolResult.toolUseId", Text)],
        &["toolResult.toolUseId"],
        NamePath::None,
        &["toolResult.content"],
        &[FailsIs("toolResult.status", "error")],
    ),
    // Messages of all families, which are the elements of conversations.
    text(&[("type", Is(&["text", "output_text", "input_text"])), ("text", Prose)]),
    blank(&[("type", Is(&["text"])), ("text", Blank)]),
    text(&[("type", Is(&["text"])), ("value", Prose)]),
    // A part of Gemini; a part of a response in VS Code.
    text(&[("text", Prose), ("type", Absent), ("kind", Absent)]).inside(),
    text(&[("value", Prose), ("kind", Absent), ("supportThemeIcons", Any)]).inside(),
    text(&[("role", Text), ("content", Prose)]).into_message(),
    text(&[("from", Text), ("value", Prose)]).into_message(),
    text(&[("source", Text), ("action", Is(&["message"]))]).into_message(),
    text(&[("source", Text), ("step_id", Any), ("message", Prose)]).into_message(),
    message(&[("role", Text), ("content", Any)]),
    message(&[("role", Text), ("parts", Array)]),
    message(&[("role", Text), ("tool_calls", Array)]),
    message(&[("from", Text), ("value", Any)]),
    // LangChain's `messages_to_dict`; notes of Claude Code, and its summaries.
    message(&[("type", Is(&["human", "ai", "system"])), ("content", Any)]),
    message(&[("type", Is(&["summary"])), ("summary", Prose), ("leafUuid", Text)]),
    message(&[("type", Is(&["reasoning"])), ("summary", Array)]),
    message(&[("type", Text), ("message", Object)]),
    message(&[("type", Text), ("payload", Object)]),
    message(&[("info", Object), ("parts", Array)]),
    message(&[("requestId", Text), ("response", Array)]),
    message(&[("source", Text), ("action", Text)]),
    message(&[("source", Text), ("observation", Text)]),
    message(&[("source", Text), ("step_id", Any)]),
];
