//! The built-in forms of the messages that frameworks and their traces store, with their sources.

use crate::call::CallPart::Both;
use crate::forms::form::Form;
use crate::forms::form::Speech::Assistant;
use crate::forms::form::ValueTest::{Absent, Any, Array, Boolean, Number, Object, Text};
use crate::forms::results;
use crate::forms::rows::{at, call, display, encoded, error, fails_is, flag, is, part, result, value};

const ADK: &str = "adk";
const AUTOGEN: &str = "autogen";
const CAMEL: &str = "camel";
pub(super) const CONTINUE: &str = "continue";
const GENKIT: &str = "genkit";
const HAYSTACK: &str = "haystack";
pub(super) const LANGFUSE: &str = "langfuse";
const LANGCHAIN4J: &str = "langchain4j";
const MICROSOFT: &str = "microsoft-extensions-ai";
const OPENTELEMETRY: &str = "opentelemetry";
const LLAMAINDEX: &str = "llamaindex";
const PYDANTIC_AI: &str = "pydantic-ai";
const SEMANTIC_KERNEL: &str = "semantic-kernel";
const SMOLAGENTS: &str = "smolagents";

/// The parts of their tool uses.
pub(super) fn frameworks() -> Vec<Form> {
    vec![
        // OpenTelemetry: `gen_ai.input.messages` and `gen_ai.output.messages` of the semantic
        // conventions for generative AI; older ones had `result`.
        call(
            OPENTELEMETRY,
            &[("type", is(&["tool_call"])), ("id", Text), ("name", Text), ("input", Absent)],
            &["id"],
            at("name"),
            &[encoded("arguments")],
        )
        .with_result(&results::OPENTELEMETRY),
        result(
            OPENTELEMETRY,
            &[("type", is(&["tool_call_response"])), ("id", Text)],
            &["id"],
            &["response", "result"],
        ),
        // Langfuse: messages of exported traces, `IORepresentation/chatML` in `packages/shared`.
        call(
            LANGFUSE,
            &[
                ("type", is(&["function"])),
                ("id", Text),
                ("name", Text),
                ("arguments", Any),
                ("function", Absent),
            ],
            &["id"],
            at("name"),
            &[encoded("arguments")],
        )
        .with_result(&results::LANGFUSE),
        // Pydantic AI: `pydantic_ai/messages.py`, `ToolCallPart`, `ToolReturnPart`,
        // `RetryPromptPart`.
        call(
            PYDANTIC_AI,
            &[("part_kind", is(&["tool-call", "builtin-tool-call"])), ("tool_name", Text)],
            &["tool_call_id"],
            at("tool_name"),
            &[encoded("args")],
        )
        .with_result(&results::PYDANTIC_AI),
        result(
            PYDANTIC_AI,
            &[("part_kind", is(&["tool-return", "builtin-tool-return"])), ("tool_name", Text)],
            &["tool_call_id"],
            &["content"],
        )
        .named(at("tool_name"))
        .failing(&[fails_is("outcome", "failed"), fails_is("outcome", "denied")]),
        result(
            PYDANTIC_AI,
            &[("part_kind", is(&["retry-prompt"])), ("tool_name", Text)],
            &["tool_call_id"],
            &["content"],
        )
        .named(at("tool_name"))
        .failing(&[fails_is("part_kind", "retry-prompt")]),
        // Agent Development Kit of Google: sets for evaluation, `IntermediateData` in
        // `google/adk/evaluation/eval_case.py`.
        call(
            ADK,
            &[("tool_uses", Array), ("tool_uses.0.name", Text), ("tool_uses.0.args", Object)],
            &["id"],
            at("name"),
            &[value("args")],
        )
        .encoded_in("tool_uses"),
        // Its older sets.
        call(
            ADK,
            &[("expected_tool_use", Array), ("expected_tool_use.0.tool_name", Text)],
            &[],
            at("tool_name"),
            &[value("tool_input")],
        )
        .encoded_in("expected_tool_use"),
        // Microsoft.Extensions.AI: `FunctionCallContent` and `FunctionResultContent`.
        call(
            MICROSOFT,
            &[("$type", is(&["functionCall"])), ("callId", Text), ("name", Text)],
            &["callId"],
            at("name"),
            &[value("arguments")],
        )
        .with_result(&results::MICROSOFT),
        result(MICROSOFT, &[("$type", is(&["functionResult"])), ("callId", Text)], &["callId"], &["result"]),
        // Semantic Kernel: `ChatMessageContent`, `FunctionCallContent` and `FunctionResultContent`.
        call(
            SEMANTIC_KERNEL,
            &[("$type", is(&["FunctionCallContent"])), ("FunctionName", Text)],
            &["Id"],
            at("FunctionName"),
            &[value("Arguments")],
        ),
        result(
            SEMANTIC_KERNEL,
            &[("$type", is(&["FunctionResultContent"])), ("CallId", Text)],
            &["CallId"],
            &["Result"],
        )
        .named(at("FunctionName")),
        // LangChain4j: `ChatMessageSerializer`. Its calls have the form of Grok Build's.
        result(
            LANGCHAIN4J,
            &[("type", is(&["TOOL_EXECUTION_RESULT"])), ("toolName", Text)],
            &["id"],
            &["text", "contents"],
        )
        .named(at("toolName"))
        .failing(&[flag("isError")])
        .into_message(),
        // CAMEL, and OWL: the history of a chat.
        part(
            CAMEL,
            Both,
            &[("tool_name", Text), ("tool_call_id", Text), ("args", Any), ("result", Any)],
            (&["tool_call_id"], at("tool_name")),
            &[encoded("args")],
            &["result"],
            &[],
        ),
        // smolagents: `ActionStep.dict`, of a step with one call.
        part(
            SMOLAGENTS,
            Both,
            &[
                ("step_number", Number),
                ("tool_calls", Array),
                ("observations", Text),
                ("model_input_messages", Absent),
                ("tool_calls.0.function.name", Text),
                ("tool_calls.1", Absent),
            ],
            (&["id"], at("function.name")),
            &[display("function.arguments")],
            &["^observations"],
            &[error("^error.message")],
        )
        .encoded_in("tool_calls")
        .saying(&[(Assistant, "model_output")])
        .into_message(),
        // AutoGen: `FunctionExecutionResult`. Its calls have the form of Grok Build's.
        result(
            AUTOGEN,
            &[("call_id", Text), ("content", Any), ("name", Text), ("is_error", Boolean), ("type", Absent)],
            &["call_id"],
            &["content"],
        )
        .named(at("name"))
        .failing(&[flag("is_error")]),
        // Haystack: `haystack/dataclasses/chat_message.py`, `ToolCall` and `ToolCallResult`.
        call(
            HAYSTACK,
            &[("tool_call", Object), ("tool_call.tool_name", Text), ("tool_call.arguments", Object)],
            &["tool_call.id"],
            at("tool_call.tool_name"),
            &[value("tool_call.arguments")],
        ),
        result(
            HAYSTACK,
            &[
                ("tool_call_result", Object),
                ("tool_call_result.origin", Object),
                ("tool_call_result.origin.tool_name", Text),
            ],
            &["tool_call_result.origin.id"],
            &["tool_call_result.result"],
        )
        .named(at("tool_call_result.origin.tool_name"))
        .failing(&[flag("tool_call_result.error")]),
        // LlamaIndex: `packages/core/src/llms/type.ts` of `run-llama/LlamaIndexTS`,
        // `ToolCallLLMMessageOptions`.
        call(
            LLAMAINDEX,
            &[
                ("role", Text),
                ("options", Object),
                ("options.toolCall", Array),
                ("options.toolCall.0.name", Text),
            ],
            &["id"],
            at("name"),
            &[encoded("input")],
        )
        .encoded_in("options.toolCall")
        .into_message(),
        result(
            LLAMAINDEX,
            &[
                ("role", Text),
                ("options", Object),
                ("options.toolResult", Object),
                ("options.toolResult.id", Text),
            ],
            &["options.toolResult.id"],
            &["options.toolResult.result"],
        )
        .failing(&[flag("options.toolResult.isError")])
        .into_message(),
        // `llama-index-core/llama_index/core/base/llms/types.py`, `ToolCallBlock`.
        call(
            LLAMAINDEX,
            &[("block_type", is(&["tool_call"])), ("tool_name", Text)],
            &["tool_call_id"],
            at("tool_name"),
            &[encoded("tool_kwargs")],
        ),
        result(
            LLAMAINDEX,
            &[
                ("role", is(&["tool"])),
                ("additional_kwargs", Object),
                ("additional_kwargs.tool_call_id", Text),
                ("blocks", Array),
            ],
            &["additional_kwargs.tool_call_id"],
            &["blocks.0.text", "blocks"],
        )
        .into_message(),
        // Genkit: `js/ai/src/parts.ts`, `ToolRequestPart` and `ToolResponsePart`.
        call(
            GENKIT,
            &[("toolRequest", Object), ("toolRequest.name", Text)],
            &["toolRequest.ref"],
            at("toolRequest.name"),
            &[value("toolRequest.input")],
        ),
        result(
            GENKIT,
            &[("toolResponse", Object), ("toolResponse.name", Text)],
            &["toolResponse.ref"],
            &["toolResponse.output"],
        )
        .named(at("toolResponse.name")),
        // Continue: `core/index.d.ts`, `ToolCallState` and `ToolResultChatMessage`. The calls in
        // `toolCalls` have OpenAI's form.
        result(
            CONTINUE,
            &[("toolCallId", Text), ("toolCall", Object), ("status", is(&["done", "errored", "canceled"]))],
            &["toolCallId"],
            &["output"],
        )
        .failing(&[fails_is("status", "errored"), fails_is("status", "canceled")]),
        result(
            CONTINUE,
            &[("role", is(&["tool"])), ("toolCallId", Text), ("content", Any)],
            &["toolCallId"],
            &["content"],
        )
        .into_message(),
    ]
}
