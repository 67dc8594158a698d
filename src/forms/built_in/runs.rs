//! The built-in forms of records that frameworks make of the runs of agents, with their sources.

use crate::call::CallPart::Both;
use crate::forms::form::Speech::{Answer, Assistant, User};
use crate::forms::form::ValueTest::{Absent, Any, Array, Object, Text};
use crate::forms::form::{Form, Layout, MessageScope, NamePath};
use crate::forms::rows::{at, call, display, encoded, flag, is, message, other, part, result, shown, value};

const A2A: &str = "a2a";
const BEDROCK_AGENTS: &str = "bedrock-agents";
const DSPY: &str = "dspy";
const LANGCHAIN: &str = "langchain";
const LLAMA_STACK: &str = "llama-stack";
const MASTRA: &str = "mastra";
const SPRING_AI: &str = "spring-ai";
const TAPEAGENTS: &str = "tapeagents";

/// The parts of their tool uses.
pub(super) fn runs() -> Vec<Form> {
    let part_of_a2a = |kind| [("data", Object), ("metadata", Object), ("metadata.adk_type", is(&[kind]))];
    vec![
        // Agent2Agent, from ADK: `google/adk/a2a/converters/part_converter.py`.
        call(A2A, &part_of_a2a("function_call"), &["data.id"], at("data.name"), &[value("data.args")]),
        result(A2A, &part_of_a2a("function_response"), &["data.id"], &["data.response"])
            .named(at("data.name")),
        // Spring AI: `AssistantMessage` and `ToolResponseMessage`.
        call(
            SPRING_AI,
            &[("messageType", is(&["ASSISTANT"])), ("toolCalls", Array), ("toolCalls.0.name", Text)],
            &["id"],
            at("name"),
            &[encoded("arguments")],
        )
        .encoded_in("toolCalls")
        .saying(&[(Assistant, "text")])
        .into_message(),
        result(SPRING_AI, &[("id", Text), ("name", Text), ("responseData", Any)], &["id"], &["responseData"])
            .named(at("name")),
        // TapeAgents: `tapeagents/core.py` and `dialog_tape.py`.
        call(
            TAPEAGENTS,
            &[("kind", is(&["assistant"])), ("tool_calls", Array), ("tool_calls.0.function.name", Text)],
            &["id"],
            at("function.name"),
            &[encoded("function.arguments")],
        )
        .encoded_in("tool_calls")
        .saying(&[(Assistant, "content")])
        .into_message(),
        result(
            TAPEAGENTS,
            &[("kind", is(&["tool"])), ("tool_call_id", Text), ("content", Any)],
            &["tool_call_id"],
            &["content"],
        )
        .into_message(),
        // Mastra: spans of its traces, `packages/core/src/observability/types/tracing.ts`.
        part(
            MASTRA,
            Both,
            &[
                ("traceId", Text),
                ("type", is(&["tool_call", "mcp_tool_call"])),
                ("input", Any),
                ("attributes", Object),
                ("attributes.toolId", Text),
            ],
            (&["id"], at("attributes.toolId")),
            &[value("input")],
            &["output"],
            &[flag("errorInfo")],
        ),
        // LangChain: what `AgentExecutor` returns, pairs of an action and its observation.
        part(
            LANGCHAIN,
            Both,
            &[("intermediate_steps", Array), ("intermediate_steps.0.0.tool", Text)],
            (&["0.tool_call_id"], at("0.tool")),
            &[display("0.tool_input")],
            &["1"],
            &[],
        )
        .encoded_in("intermediate_steps")
        .saying(&[(User, "input"), (Answer, "output")])
        .within(MessageScope::Own),
        // DSPY: the trajectory of `dspy.ReAct`, whose keys are numbered.
        call(DSPY, &[("=tool_name_0", Text), ("=tool_args_0", Any)], &[], NamePath::None, &[])
            .laid_out(Layout::Flat),
        // Agents of Bedrock: `OrchestrationTrace`,
        // https://docs.aws.amazon.com/bedrock/latest/userguide/trace-orchestration.html
        call(
            BEDROCK_AGENTS,
            &[("traceId", Text), ("invocationType", Text), ("actionGroupInvocationInput", Object)],
            &["traceId"],
            shown(&["actionGroupInvocationInput.function", "actionGroupInvocationInput.apiPath"]),
            &[
                other("actionGroupInvocationInput.parameters"),
                other("actionGroupInvocationInput.requestBody"),
            ],
        ),
        result(
            BEDROCK_AGENTS,
            &[("traceId", Text), ("type", is(&["ACTION_GROUP"])), ("actionGroupInvocationOutput", Object)],
            &["traceId"],
            &["actionGroupInvocationOutput.text"],
        ),
        // Llama Stack: turns of its agents. The step that runs a call repeats it.
        call(
            LLAMA_STACK,
            &[
                ("call_id", Text),
                ("tool_name", Text),
                ("arguments", Any),
                ("result", Absent),
                ("output", Absent),
            ],
            &["call_id"],
            at("tool_name"),
            &[encoded("arguments")],
        ),
        result(
            LLAMA_STACK,
            &[("call_id", Text), ("tool_name", Text), ("content", Any), ("type", Absent)],
            &["call_id"],
            &["content"],
        )
        .named(at("tool_name")),
    ]
}

/// Their messages.
pub(super) fn run_messages() -> Vec<Form> {
    vec![
        // Spring AI, TapeAgents.
        message(&[("messageType", is(&["TOOL"])), ("responses", Array)]),
        message(&[("kind", is(&["user", "assistant", "system"])), ("content", Any)]),
    ]
}
