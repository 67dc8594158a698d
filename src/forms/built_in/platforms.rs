//! The built-in forms of the data of chat apps, platforms and evaluation tools, with their sources.

use crate::call::CallPart::Both;
use crate::forms::form::Speech::{Answer, Assistant, User};
use crate::forms::form::ValueTest::{Absent, Any, Array, Empty, Flag, Object, Prose, Text};
use crate::forms::form::{Form, MessageScope};
use crate::forms::rows::{
    at, call, display, encoded, error, fails_is, flag, is, key, message, part, result, starts, value,
};

const AGENTDOJO: &str = "agentdojo";
const AGNO: &str = "agno";
const AMAZON_Q: &str = "amazon-q";
const BFCL: &str = "bfcl";
const CHERRY_STUDIO: &str = "cherry-studio";
const COHERE: &str = "cohere-chat";
const DEEPEVAL: &str = "deepeval";
const DIFY: &str = "dify";
const FLOWISE: &str = "flowise";
const LANGFLOW: &str = "langflow";
const MISTRAL: &str = "mistral";
const N8N: &str = "n8n";
const SILLYTAVERN: &str = "sillytavern";
const TOOLTALK: &str = "tooltalk";
const ULTRAVOX: &str = "ultravox";

/// The parts of their tool uses.
pub(super) fn platforms() -> Vec<Form> {
    [apps(), builders(), evaluations()].concat()
}

/// Chat apps and agents.
fn apps() -> Vec<Form> {
    vec![
        // Cherry Studio: `ToolMessageBlock` in `src/renderer/src/types/newMessage.ts`.
        part(
            CHERRY_STUDIO,
            Both,
            &[("type", is(&["tool"])), ("toolId", Text), ("toolName", Text), ("messageId", Any)],
            (&["toolId"], at("toolName")),
            &[value("arguments")],
            &["content"],
            &[flag("content.isError"), fails_is("status", "error")],
        ),
        // Amazon Q CLI: `/save`, `crates/chat-cli/src/cli/chat/message.rs` of
        // `aws/amazon-q-developer-cli`.
        result(
            AMAZON_Q,
            &[("tool_use_id", Text), ("content", Array), ("status", is(&["Success", "Error"]))],
            &["tool_use_id"],
            &["content.0.Text", "content.0.Json", "content"],
        )
        .failing(&[fails_is("status", "Error")]),
        // SillyTavern: `ToolInvocation` in `public/scripts/tool-calling.js`.
        part(
            SILLYTAVERN,
            Both,
            &[
                ("id", Text),
                ("displayName", Text),
                ("name", Text),
                ("parameters", starts("{")),
                ("result", Text),
            ],
            (&["id"], at("name")),
            &[encoded("parameters")],
            &["result"],
            &[],
        ),
    ]
}

/// Platforms and frameworks to build agents.
fn builders() -> Vec<Form> {
    vec![
        // Dify: `agent_thoughts` of messages, https://docs.dify.ai.
        part(
            DIFY,
            Both,
            &[("thought", Text), ("tool", Prose), ("tool_input", Any), ("observation", Any), ("log", Absent)],
            (&["id"], at("tool")),
            &[encoded("tool_input")],
            &["observation"],
            &[],
        ),
        // Flowise: `IUsedTool` in `packages/components/src/Interface.ts`.
        part(
            FLOWISE,
            Both,
            &[("tool", Text), ("toolInput", Object), ("toolOutput", Any)],
            (&[], at("tool")),
            &[encoded("toolInput")],
            &["toolOutput"],
            &[error("error")],
        ),
        // Langflow: `ToolContent` in `lfx/schema/content_types.py`.
        part(
            LANGFLOW,
            Both,
            &[("type", is(&["tool_use"])), ("name", Text), ("tool_input", Any), ("output", Any)],
            (&[], at("name")),
            &[value("tool_input")],
            &["output"],
            &[error("error")],
        ),
        // The same, by the alias of its input.
        part(
            LANGFLOW,
            Both,
            &[
                ("type", is(&["tool_use"])),
                ("id", Absent),
                ("name", Text),
                ("input", Any),
                ("output", Any),
                ("error", Any),
            ],
            (&[], at("name")),
            &[value("input")],
            &["output"],
            &[error("error")],
        ),
        // n8n: `intermediateSteps` of its agents, and LangChain's for JavaScript.
        part(
            N8N,
            Both,
            &[("action", Object), ("action.tool", Text), ("action.toolInput", Any), ("observation", Any)],
            (&["action.toolCallId"], at("action.tool")),
            &[display("action.toolInput")],
            &["observation"],
            &[],
        ),
        // Agno: `ToolExecution` in `agno/models/response.py`; events have it before it ran, too.
        part(
            AGNO,
            Both,
            &[("tool_call_id", Text), ("tool_name", Text), ("tool_args", Any), ("result", Any)],
            (&["tool_call_id"], at("tool_name")),
            &[value("tool_args")],
            &["result"],
            &[flag("tool_call_error")],
        ),
        call(
            AGNO,
            &[("tool_call_id", Text), ("tool_name", Text), ("tool_args", Any), ("result", Absent)],
            &["tool_call_id"],
            at("tool_name"),
            &[value("tool_args")],
        ),
        // Mistral: entries of conversations, https://docs.mistral.ai/agents.
        call(
            MISTRAL,
            &[("type", is(&["function.call"])), ("tool_call_id", Text), ("name", Text)],
            &["tool_call_id"],
            at("name"),
            &[encoded("arguments")],
        )
        .into_message(),
        result(
            MISTRAL,
            &[("type", is(&["function.result"])), ("tool_call_id", Text)],
            &["tool_call_id"],
            &["result"],
        )
        .into_message(),
        // Cohere: version 1 of its chat, whose calls have no ids.
        call(
            COHERE,
            &[("role", is(&["CHATBOT"])), ("tool_calls", Array), ("tool_calls.0.parameters", Object)],
            &[],
            at("name"),
            &[value("parameters")],
        )
        .encoded_in("tool_calls")
        .saying(&[(Assistant, "message")])
        .into_message(),
        result(
            COHERE,
            &[("role", is(&["TOOL"])), ("tool_results", Array), ("tool_results.0.call", Object)],
            &[],
            &["outputs"],
        )
        .named(at("call.name"))
        .encoded_in("tool_results")
        .into_message(),
        // Ultravox: https://docs.ultravox.ai, messages of a call.
        call(
            ULTRAVOX,
            &[("role", is(&["MESSAGE_ROLE_TOOL_CALL"])), ("toolName", Text)],
            &["invocationId"],
            at("toolName"),
            &[encoded("text")],
        )
        .into_message(),
        result(
            ULTRAVOX,
            &[("role", is(&["MESSAGE_ROLE_TOOL_RESULT"])), ("toolName", Text)],
            &["invocationId"],
            &["text"],
        )
        .named(at("toolName"))
        .into_message(),
    ]
}

/// Their messages.
pub(super) fn platform_messages() -> Vec<Form> {
    vec![
        // Amazon Q CLI: each turn is an array of a prompt, or of results, and an answer.
        message(&[("additional_context", Any), ("content", Object), ("content.Prompt", Object)])
            .saying(&[(User, "content.Prompt.prompt")])
            .within(MessageScope::Around),
        message(&[("ToolUse", Object), ("ToolUse.tool_uses", Array)])
            .saying(&[(Assistant, "ToolUse.content")])
            .within(MessageScope::Around),
        message(&[("Response", Object), ("Response.message_id", Any), ("Response.content", Text)])
            .saying(&[(Assistant, "Response.content")])
            .within(MessageScope::Around),
        // Chatbox, SillyTavern, Cohere.
        message(&[("role", Text), ("contentParts", Array)]),
        message(&[("mes", Text), ("is_user", Flag(true)), ("is_system", Flag(false))])
            .saying(&[(User, "mes")]),
        message(&[("mes", Text), ("is_user", Flag(false)), ("is_system", Flag(false))])
            .saying(&[(Assistant, "mes")]),
        message(&[("role", is(&["USER"])), ("message", Text)]).saying(&[(User, "message")]),
        message(&[("role", is(&["CHATBOT"])), ("message", Text)]).saying(&[(Assistant, "message")]),
        // Dify, n8n, Agno.
        message(&[("query", Text), ("answer", Text), ("agent_thoughts", Array)])
            .saying(&[(User, "query"), (Answer, "answer")]),
        message(&[("output", Text), ("intermediateSteps", Array), ("intermediateSteps.0.action", Object)])
            .saying(&[(Answer, "output")]),
        message(&[
            ("run_id", Text),
            ("content", Text),
            ("tools", Array),
            ("tools.0.tool_name", Text),
            ("messages", Empty),
        ])
        .saying(&[(Answer, "content")]),
    ]
}

/// Evaluations and data sets.
fn evaluations() -> Vec<Form> {
    vec![
        // Berkeley Function-Calling Leaderboard: results of models that call functions.
        call(
            BFCL,
            &[("id", Text), ("result", Array), ("latency", Any), ("result.0.*", starts("{"))],
            &[],
            key("", ""),
            &[encoded("*")],
        )
        .encoded_in("result"),
        // AgentDojo: `FunctionCall` in `src/agentdojo/functions_runtime.py`.
        call(
            AGENTDOJO,
            &[("function", Text), ("args", Object), ("id", Text), ("placeholder_args", Any)],
            &["id"],
            at("function"),
            &[value("args")],
        ),
        // DeepEval: `ToolCall` in `deepeval/test_case/llm_test_case.py`.
        part(
            DEEPEVAL,
            Both,
            &[("tools_called", Array), ("tools_called.0.name", Text)],
            (&[], at("name")),
            &[value("input_parameters")],
            &["output"],
            &[],
        )
        .encoded_in("tools_called")
        .saying(&[(User, "input"), (Answer, "actual_output")])
        .within(MessageScope::Own),
        // ToolTalk (https://github.com/microsoft/ToolTalk).
        part(
            TOOLTALK,
            Both,
            &[("request", Object), ("request.api_name", Text), ("response", Any), ("exception", Any)],
            (&[], at("request.api_name")),
            &[value("request.parameters")],
            &["response"],
            &[error("exception")],
        ),
    ]
}
