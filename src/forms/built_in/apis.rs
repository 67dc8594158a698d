//! The built-in forms of APIs and frameworks for them, and repetitions, with their sources.

use super::datasets::SHAREGPT;
use super::programs::INSPECT;
use crate::call::CallPart::Both;
use crate::forms::form::ValueTest::{Absent, Any, Array, Object, Text};
use crate::forms::form::{Form, Layout};
use crate::forms::names::{
    AI_SDK, ANTHROPIC, BEDROCK, GEMINI, OPENAI, OWN_OUTPUT, RESPONSES, SEPARATE_OUTPUT, VSCODE,
};
use crate::forms::results;
use crate::forms::rows::{
    after, at, before, call, encoded, ends, error, fails_is, flag, is, other, part, repetition, result,
    starts, value,
};

const LANGCHAIN: &str = "langchain";
const CLAUDE_CODE: &str = "claude-code";

/// Repetitions, and the rows of Anthropic, LangChain and OpenAI.
pub(super) fn apis_and_repetitions() -> Vec<Form> {
    [repetitions(), anthropic(), langchain(), openai(), responses()].concat()
}

/// The rows of Gemini, the AI SDK and Bedrock, after those of programs.
pub(super) fn apis_after_programs() -> Vec<Form> {
    [gemini(), ai_sdk(), bedrock()].concat()
}

/// Objects that repeat others, before all that they repeat.
fn repetitions() -> Vec<Form> {
    vec![
        // Claude Code: progress of tools and sub-agents, which repeats their messages.
        repetition(CLAUDE_CODE, &[("type", is(&["progress"])), ("data", Object), ("toolUseID", Text)]),
        // Responses: the beginning of an item in a stream, whose end repeats all of it.
        repetition(RESPONSES, &[("type", is(&["response.output_item.added"])), ("item", Object)]),
        // VS Code: the requests to the model, in which tool invocations of the response have other
        // ids and names.
        call(VSCODE, &[("toolCallRounds", Array)], &["id"], at("name"), &[encoded("arguments")])
            .laid_out(Layout::Rounds)
            .of_last(),
        // SWE-agent: steps, which repeat the messages of the history.
        repetition(
            "swe-agent",
            &[("action", Text), ("observation", Text), ("response", Text), ("thought", Text)],
        ),
        // mini-swe-agent: data beside a message, with the answer of the server.
        repetition(
            "swe-agent",
            &[("actions", Array), ("response", Object), ("response.choices.0.message", Object)],
        ),
        // Inspect: events, which repeat the messages of their sample.
        repetition(INSPECT, &[("event", Text), ("timestamp", Text)]),
    ]
}

/// Anthropic's Messages API.
fn anthropic() -> Vec<Form> {
    vec![
        // Messages API: https://docs.anthropic.com/en/api/messages
        call(
            ANTHROPIC,
            &[
                ("type", is(&["tool_use", "server_tool_use", "mcp_tool_use"])),
                ("id", Text),
                ("name", Text),
                ("input", Any),
            ],
            &["id"],
            at("name"),
            &[value("input")],
        ),
        result(
            ANTHROPIC,
            &[("type", ends("tool_result")), ("tool_use_id", Text)],
            &["tool_use_id"],
            &["content"],
        )
        .failing(&[flag("is_error"), error("content.error_code")]),
    ]
}

/// LLaMA-Factory and LangChain.
fn langchain() -> Vec<Form> {
    vec![
        // LLaMA-Factory: a call as a part of a message.
        call(
            SHAREGPT,
            &[("type", is(&["tool_call"])), ("value", Text)],
            &["id"],
            at("name"),
            &[encoded("arguments"), encoded("parameters")],
        )
        .with_result(&results::LLAMA_FACTORY)
        .encoded_in("value"),
        // LangChain: `ToolCall` and `ToolMessage`.
        call(
            LANGCHAIN,
            &[("type", is(&["tool_call"])), ("name", Text), ("args", Object)],
            &["id"],
            at("name"),
            &[value("args")],
        )
        .with_result(&results::LANGCHAIN),
        result(
            LANGCHAIN,
            &[("type", is(&["tool", "ToolMessage"])), ("tool_call_id", Text), ("content", Any)],
            &["tool_call_id"],
            &["content"],
        )
        .named(at("name"))
        .failing(&[fails_is("status", "error")])
        .into_message(),
        result(LANGCHAIN, &[("type", is(&["ToolMessage"])), ("content", Any)], &[], &["content"])
            .named(at("tool_name"))
            .into_message(),
    ]
}

/// OpenAI's Assistants and Chat Completions.
fn openai() -> Vec<Form> {
    vec![
        // Assistants: a call in the details of a step of a run, with its output.
        part(
            OPENAI,
            Both,
            &[("type", is(&["function"])), ("function.name", Text), ("function.output", Text)],
            (&["id"], at("function.name")),
            &[encoded("function.arguments")],
            &["function.output"],
            &[],
        ),
        // Chat Completions: https://platform.openai.com/docs/api-reference/chat
        call(
            OPENAI,
            &[("function", Object), ("function.name", Text), ("function.arguments", Any)],
            &["id"],
            at("function.name"),
            &[encoded("function.arguments")],
        ),
        call(
            OPENAI,
            &[("type", is(&["custom"])), ("custom", Object), ("custom.name", Text), ("custom.input", Text)],
            &["id"],
            at("custom.name"),
            &[value("custom.input")],
        ),
        call(
            OPENAI,
            &[("role", Text), ("function_call", Object), ("function_call.name", Text)],
            &[],
            at("function_call.name"),
            &[encoded("function_call.arguments")],
        )
        .with_result(&results::FUNCTION)
        .into_message(),
        result(
            OPENAI,
            &[("role", is(&["tool"])), ("tool_call_id", Any), ("content", Any)],
            &["tool_call_id"],
            &["content"],
        )
        .named(at("name"))
        .failing(&[error("error.message"), error("error")])
        .into_message(),
        result(
            OPENAI,
            &[
                ("role", is(&["tool"])),
                ("content", Text),
                ("tool_call_id", Absent),
                ("toolCallId", Absent),
                // tau2-bench, Void.
                ("requestor", Absent),
                ("rawParams", Absent),
            ],
            &["tool_call_ids.0"],
            &["content"],
        )
        .named(at("name"))
        .into_message(),
        result(
            OPENAI,
            &[
                ("role", is(&["tool"])),
                ("content", Array),
                ("content.0.type", is(&["text"])),
                ("tool_call_id", Absent),
                ("toolCallId", Absent),
            ],
            &["tool_call_ids.0"],
            &["content"],
        )
        .named(at("name"))
        .into_message(),
        result(
            OPENAI,
            &[
                ("role", is(&["function"])),
                ("name", Text),
                ("content", Any),
                // AnythingLLM.
                ("originalFunctionCall", Absent),
            ],
            &[],
            &["content"],
        )
        .named(at("name"))
        .into_message(),
    ]
}

/// OpenAI's Responses.
fn responses() -> Vec<Form> {
    vec![
        // Responses: https://platform.openai.com/docs/api-reference/responses
        call(
            RESPONSES,
            &[("type", is(&["function_call"])), ("name", Text), ("arguments", Any)],
            &["call_id", "id"],
            at("name"),
            &[encoded("arguments")],
        )
        .needing("call_id")
        .into_message(),
        call(
            RESPONSES,
            &[("type", is(&["custom_tool_call"])), ("name", Text), ("input", Text)],
            &["call_id", "id"],
            at("name"),
            &[value("input")],
        )
        .needing("call_id")
        .into_message(),
        part(
            RESPONSES,
            Both,
            &[("type", is(&["mcp_call"])), ("name", Text), ("arguments", Any)],
            (&["id"], at("name")),
            &[encoded("arguments")],
            &["output"],
            &[error("error")],
        )
        .into_message(),
        part(
            RESPONSES,
            Both,
            &[("type", is(OWN_OUTPUT)), ("status", Text)],
            (&["id"], before("type", "_call")),
            &[value("action"), value("queries"), value("code")],
            &["results", "outputs", "result", "status"],
            &[fails_is("status", "failed")],
        )
        .into_message(),
        call(
            RESPONSES,
            &[("type", is(SEPARATE_OUTPUT)), ("status", Text)],
            &["call_id", "id"],
            before("type", "_call"),
            &[value("action"), value("actions"), value("operation"), value("arguments")],
        )
        .into_message(),
        result(
            RESPONSES,
            &[("type", ends("_call_output")), ("output", Any)],
            &["call_id", "id"],
            &["output"],
        )
        .into_message(),
        // A search of the server has no id in common with it.
        result(
            RESPONSES,
            &[("type", is(&["tool_search_output"])), ("tools", Array)],
            &["call_id"],
            &["tools"],
        )
        .into_message(),
    ]
}

/// Gemini and Gemini CLI.
fn gemini() -> Vec<Form> {
    vec![
        // Gemini: https://ai.google.dev/api/caching#FunctionCall
        call(
            GEMINI,
            &[("functionCall", Object), ("functionCall.name", Text)],
            &["functionCall.id"],
            at("functionCall.name"),
            &[value("functionCall.args")],
        )
        .with_result(&results::GEMINI),
        result(
            GEMINI,
            &[("functionResponse", Object), ("functionResponse.name", Text)],
            &["functionResponse.id"],
            &["functionResponse.response"],
        )
        .named(at("functionResponse.name"))
        .failing(&[error("functionResponse.response.error")]),
        call(
            GEMINI,
            &[("function_call", Object), ("function_call.name", Text), ("function_call.args", Any)],
            &["function_call.id"],
            at("function_call.name"),
            &[value("function_call.args")],
        )
        .with_result(&results::GEMINI_SNAKE),
        result(
            GEMINI,
            &[("function_response", Object), ("function_response.name", Text)],
            &["function_response.id"],
            &["function_response.response"],
        )
        .named(at("function_response.name"))
        .failing(&[error("function_response.response.error")]),
        // Gemini CLI: `packages/core/src/services/chatRecordingTypes.ts`, `ToolCallRecord`.
        part(
            GEMINI,
            Both,
            &[("id", Text), ("name", Text), ("args", Object), ("status", Text)],
            (&["id"], at("name")),
            &[value("args")],
            &["result.0.functionResponse.response", "result"],
            &[error("result.0.functionResponse.response.error"), fails_is("status", "error")],
        ),
    ]
}

/// The AI SDK.
fn ai_sdk() -> Vec<Form> {
    vec![
        // AI SDK: `UIMessage` parts, `ToolInvocation` of AI SDK 4, and parts of `ModelMessage`.
        part(
            AI_SDK,
            Both,
            &[("type", starts("tool-")), ("toolCallId", Text), ("state", Text)],
            (&["toolCallId"], after("type", "tool-")),
            &[value("input"), other("rawInput")],
            &["output"],
            &[error("errorText"), fails_is("state", "output-denied")],
        ),
        part(
            AI_SDK,
            Both,
            &[("type", is(&["dynamic-tool"])), ("toolName", Text), ("toolCallId", Text), ("state", Text)],
            (&["toolCallId"], at("toolName")),
            &[value("input"), other("rawInput")],
            &["output"],
            &[error("errorText"), fails_is("state", "output-denied")],
        ),
        part(
            AI_SDK,
            Both,
            &[("toolCallId", Text), ("toolName", Text), ("state", is(&["call", "partial-call", "result"]))],
            (&["toolCallId"], at("toolName")),
            &[value("args")],
            &["result"],
            &[],
        ),
        call(
            AI_SDK,
            &[("type", is(&["tool-call"])), ("toolCallId", Text), ("toolName", Text), ("args", Any)],
            &["toolCallId"],
            at("toolName"),
            &[value("input"), value("args")],
        )
        .with_result(&results::AI_SDK_4)
        .inside(),
        call(
            AI_SDK,
            &[("type", is(&["tool-call"])), ("toolCallId", Text), ("toolName", Text)],
            &["toolCallId"],
            at("toolName"),
            &[value("input")],
        )
        .with_result(&results::AI_SDK)
        .inside(),
        result(
            AI_SDK,
            &[("type", is(&["tool-result"])), ("toolCallId", Text), ("toolName", Text)],
            &["toolCallId"],
            &["output", "result"],
        )
        .named(at("toolName"))
        .failing(&[
            flag("isError"),
            fails_is("output.type", "error-text"),
            fails_is("output.type", "error-json"),
            fails_is("output.type", "execution-denied"),
        ])
        .inside(),
    ]
}

/// Amazon Bedrock.
fn bedrock() -> Vec<Form> {
    vec![
        // Bedrock Converse: `ToolUseBlock` and `ToolResultBlock`.
        call(
            BEDROCK,
            &[("toolUse", Object), ("toolUse.toolUseId", Text), ("toolUse.name", Text)],
            &["toolUse.toolUseId"],
            at("toolUse.name"),
            &[value("toolUse.input")],
        )
        .with_result(&results::BEDROCK),
        result(
            BEDROCK,
            &[("toolResult", Object), ("toolResult.toolUseId", Text)],
            &["toolResult.toolUseId"],
            &["toolResult.content"],
        )
        .failing(&[fails_is("toolResult.status", "error")]),
    ]
}
