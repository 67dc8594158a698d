//! The built-in forms of messages and of texts.

use crate::forms::form::Speech::{Answer, Assistant, Reasoning, System, User};
use crate::forms::form::ValueTest::{Absent, Any, Array, Blank, Boolean, Number, Object, Prose, Text};
use crate::forms::form::{Form, MessageScope, ValueTest};
use crate::forms::rows::{blank, ends, is, message, starts, text};

/// The messages of all families, which are the elements of conversations, and their texts.
pub(super) fn messages() -> Vec<Form> {
    vec![
        blank(&[("type", is(&["text"])), ("text", Blank)]),
        text(&[("type", is(&["text", "output_text", "input_text"])), ("text", Prose)]),
        text(&[("type", is(&["text"])), ("value", Prose)]),
        // Parts of OpenTelemetry's messages, and of Pydantic AI's.
        text(&[("type", is(&["text"])), ("content", Prose)]),
        text(&[("part_kind", is(&["user-prompt", "system-prompt", "text"])), ("content", Prose)]),
        // API-Bank.
        text(&[("role", Text), ("text", Prose), ("type", Absent), ("kind", Absent)]).into_message(),
        // claude.ai: `conversations.json` of a data export.
        message(&[("sender", is(&["human", "assistant"])), ("content", Array)]),
        // Gemini CLI: sessions. opencode: `opencode run --format json`.
        message(&[("type", is(&["gemini"])), ("content", Any), ("timestamp", Text)]),
        message(&[("type", is(&["text"])), ("part", Object), ("part.text", Prose)]),
        // Codex: `codex exec --json`.
        text(&[("type", is(&["agent_message"])), ("text", Prose)]).into_message(),
        // LibreChat.
        message(&[("messageId", Text), ("sender", Text), ("isCreatedByUser", Boolean)]),
        // Langflow.
        message(&[("sender", is(&["User"])), ("text", Text), ("content_blocks", Any)])
            .saying(&[(User, "text")]),
        message(&[("sender", is(&["Machine", "AI"])), ("text", Text), ("content_blocks", Array)])
            .saying(&[(Answer, "text")]),
        // Spring AI.
        message(&[("messageType", is(&["USER"])), ("text", Text)]).saying(&[(User, "text")]),
        message(&[("messageType", is(&["ASSISTANT"])), ("text", Any)]).saying(&[(Assistant, "text")]),
        // A part of Gemini; a part of a response in VS Code.
        text(&[("text", Prose), ("type", Absent), ("kind", Absent)]).inside(),
        text(&[("value", Prose), ("kind", Absent), ("supportThemeIcons", Any)]).inside(),
        // Zed.
        text(&[("Text", Prose), ("type", Absent)]).inside(),
        text(&[("role", Text), ("content", Prose)]).into_message(),
        text(&[("from", Text), ("value", Prose)]).into_message(),
        text(&[("source", Text), ("action", is(&["message"]))]).into_message(),
        text(&[("source", Text), ("step_id", Any), ("message", Prose)]).into_message(),
        // LM Studio: a version of a message.
        message(&[("type", is(&["singleStep", "multiStep"])), ("role", Text)]).within(MessageScope::Around),
        message(&[("role", Text), ("content", Any)]),
        message(&[("role", Text), ("parts", Array)]),
        message(&[("role", Text), ("contents", Array)]),
        message(&[("role", Text), ("tool_calls", Array)]),
        // ComplexFuncBench.
        message(&[("role", Text), ("function_call", Array)]),
        message(&[("role", Text), ("toolCalls", Array)]),
        message(&[("kind", is(&["request", "response"])), ("parts", Array)]),
        message(&[("from", Text), ("value", Any)]),
        // Copilot, in requests that VS Code exports.
        message(&[("role", Number), ("content", Array)]),
        // ChatGPT, Letta, ElevenLabs, Vapi, LM Studio, LlamaIndex.
        message(&[("author", Object), ("author.role", Text), ("content", Object)]),
        message(&[("message_type", is(&["user_message", "assistant_message"])), ("content", Any)]),
        // Agent TARS: `AgentEventStream`.
        message(&[
            ("type", is(&["user_message", "assistant_message"])),
            ("id", Text),
            ("timestamp", Number),
            ("content", Any),
        ]),
        message(&[("role", is(&["user", "agent", "bot", "assistant", "system"])), ("message", Text)]),
        message(&[("role", Text), ("steps", Array)]),
        message(&[("role", Text), ("blocks", Array)]),
        // Semantic Kernel, LangChain4j.
        message(&[("Role", Object), ("Items", Array)]),
        message(&[("type", is(&["SYSTEM", "USER", "AI"])), ("text", Text)]),
        message(&[("type", is(&["USER"])), ("contents", Array)]),
        message(&[("type", is(&["AI"])), ("toolExecutionRequests", Array)]),
        message(&[("versions", Array), ("currentlySelected", Number)]),
        // CAMEL, smolagents, trae-agent, prompts that VS Code exports, Antigravity.
        message(&[("user", Text), ("assistant", Text), ("tool_calls", Array)])
            .saying(&[(User, "user"), (Answer, "assistant")]),
        message(&[("task", Prose), ("task_images", Any)]).saying(&[(User, "task")]),
        message(&[("step_number", Number), ("model_output", Any), ("model_output_message", Absent)])
            .saying(&[(Assistant, "model_output")]),
        message(&[("input_messages", Array), ("response", Object), ("response.content", Prose)])
            .saying(&[(Assistant, "response.content")])
            .within(MessageScope::Around),
        message(&[("prompt", Prose), ("logs", Array)]).saying(&[(User, "prompt")]),
        message(&[("step_index", Number), ("type", is(&["USER_INPUT"])), ("content", Prose)])
            .saying(&[(User, "content")]),
        message(&[("step_index", Number), ("type", is(&["PLANNER_RESPONSE"]))])
            .saying(&[(Reasoning, "thinking"), (Assistant, "content")]),
        // Codex: `codex app-server`, and its older protocol.
        message(&codex_item("agentMessage")).saying(&[(Assistant, "params.item.text")]),
        message(&codex_item("userMessage")).saying(&[(User, "params.item.content")]),
        message(&codex_event("user_message")).saying(&[(User, "params.msg.message")]),
        message(&codex_event("agent_message")).saying(&[(Assistant, "params.msg.message")]),
        // Claude Code's hooks, Auggie.
        message(&[("hook_event_name", is(&["UserPromptSubmit"])), ("prompt", Prose)])
            .saying(&[(User, "prompt")]),
        message(&[
            ("exchange", Object),
            ("exchange.request_message", Text),
            ("exchange.response_text", Text),
        ])
        .saying(&[(User, "exchange.request_message"), (Assistant, "exchange.response_text")]),
        // OpenHands.
        message(&[("kind", is(&["SystemPromptEvent"])), ("system_prompt.text", Prose)])
            .saying(&[(System, "system_prompt.text")]),
        // StableToolBench.
        message(&[("query", Text), ("answer", Object), ("answer.answer_details", Array)])
            .saying(&[(User, "query"), (Answer, "answer.final_answer")])
            .within(MessageScope::Own),
        // Managed agents of Anthropic, droid.
        message(&[("type", is(&["user.message", "agent.message"])), ("content", Any)]),
        message(&[("type", is(&["message"])), ("role", Text), ("text", Prose), ("session_id", Text)]),
        // Cursor.
        message(&[("role", Text), ("message", Object), ("message.role", Absent), ("message.content", Any)]),
        // Copilot CLI.
        message(&[("type", ends(".message")), ("data", Object), ("data.content", Prose)]),
        // Kiro CLI.
        message(&[
            ("kind", is(&["Prompt", "AssistantMessage", "ToolResults"])),
            ("data", Object),
            ("data.content", Array),
        ]),
        // Kimi Code.
        message(&[("type", is(&["turn.prompt"])), ("input", Array)]),
        message(&[
            ("type", is(&["context.append_loop_event"])),
            ("event", Object),
            ("event.type", is(&["content.part"])),
        ]),
        // Pieces of the text and the reasoning of an answer: Chat Completions, ConverseStream of
        // Bedrock, Anthropic, AG-UI, the Responses API, the Agent Client Protocol.
        chunk("choices.0.delta.content"),
        chunk("choices.0.delta.reasoning_content"),
        chunk("choices.0.delta.reasoning"),
        message(&[("delta", Object), ("delta.text", Prose), ("contentBlockIndex", Any)]),
        message(&[
            ("delta", Object),
            ("delta.reasoningContent", Object),
            ("delta.reasoningContent.text", Prose),
            ("contentBlockIndex", Any),
        ]),
        message(&[("type", is(&["content_block_delta"])), ("delta", Object), ("delta.text", Prose)]),
        message(&[("type", is(&["content_block_delta"])), ("delta", Object), ("delta.thinking", Prose)]),
        message(&[("type", is(DELTAS)), ("delta", Prose)]),
        message(&[("sessionUpdate", is(ACP)), ("content", Object), ("content.text", Prose)]),
        // LangChain's `messages_to_dict`, Grok Build; notes of Claude Code, and its summaries.
        message(&[("type", is(&["human", "ai", "system", "user", "assistant"])), ("content", Any)]),
        // LangChain's messages under the names of their classes.
        message(&[("type", is(CLASSES)), ("content", Any)]),
        message(&[("type", is(&["summary"])), ("summary", Prose), ("leafUuid", Text)]),
        message(&[("type", is(&["reasoning"])), ("summary", Array)]),
        message(&[("type", Text), ("message", Object)]),
        message(&[("type", Text), ("payload", Object)]),
        message(&[("info", Object), ("parts", Array)]),
        message(&[("requestId", Text), ("response", Array)]),
        message(&[("source", Text), ("type", is(&["TextMessage"])), ("content", Text)]),
        message(&[("source", Text), ("action", Text)]),
        message(&[("source", Text), ("observation", Text)]),
        message(&[("source", Text), ("step_id", Any)]),
    ]
}

/// The classes of LangChain's messages.
const CLASSES: &[&str] = &["HumanMessage", "AIMessage", "AIMessageChunk", "SystemMessage"];

/// The types of events of AG-UI and of the Responses API with a piece of text or of reasoning.
const DELTAS: &[&str] = &[
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_CHUNK",
    "REASONING_MESSAGE_CONTENT",
    "REASONING_MESSAGE_CHUNK",
    "THINKING_TEXT_MESSAGE_CONTENT",
    "response.output_text.delta",
    "response.refusal.delta",
    "response.reasoning_text.delta",
    "response.reasoning_summary_text.delta",
];

/// The updates of the Agent Client Protocol with a piece of text or of reasoning.
const ACP: &[&str] = &["user_message_chunk", "agent_message_chunk", "agent_thought_chunk"];

/// An item of Codex with a text.
fn codex_item(kind: &'static str) -> [(&'static str, ValueTest); 3] {
    [("method", is(&["item/completed"])), ("params", Object), ("params.item.type", is(&[kind]))]
}

/// An event of Codex with a text.
fn codex_event(kind: &'static str) -> [(&'static str, ValueTest); 3] {
    [("method", starts("codex/event")), ("params.msg.type", is(&[kind])), ("params.msg.message", Prose)]
}

/// A chunk of Chat Completions with a piece of text at `path`.
fn chunk(path: &'static str) -> Form {
    message(&[("object", is(&["chat.completion.chunk"])), ("choices", Array), (path, Prose)])
}
