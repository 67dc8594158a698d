//! The built-in forms of conversations that clients of several models and editors keep, with their
//! sources.

use crate::call::CallPart::Both;
use crate::forms::form::Speech::{Assistant, User};
use crate::forms::form::ValueTest::{Absent, Any, Array, Object, Text};
use crate::forms::form::{Form, MessageScope, ValueTest};
use crate::forms::rows::{at, call, encoded, error, fails_is, flag, is, message, part, result, value};

const ANYTHINGLLM: &str = "anythingllm";
const BIG_AGI: &str = "big-agi";
const CRUSH: &str = "crush";
const HUGGINGCHAT: &str = "huggingchat";
const JAN: &str = "jan";
const LOBECHAT: &str = "lobechat";
const VOID: &str = "void";
const ZED: &str = "zed";

/// The parts of their tool uses.
pub(super) fn clients() -> Vec<Form> {
    vec![
        // LobeChat: `ChatToolPayload` in `packages/types/src/message`. Its results have OpenAI's
        // form.
        call(
            LOBECHAT,
            &[("id", Text), ("identifier", Text), ("apiName", Text), ("arguments", Any)],
            &["id"],
            at("apiName"),
            &[encoded("arguments")],
        ),
        // Jan: `metadata.tool_calls` of a message, in `web-app/src/lib/completion.ts`.
        part(
            JAN,
            Both,
            &[("tool", Object), ("state", Text), ("tool.id", Text), ("tool.function.name", Text)],
            (&["tool.id"], at("tool.function.name")),
            &[encoded("tool.function.arguments")],
            &["response.content", "response"],
            &[error("response.error")],
        ),
        // AnythingLLM: `server/utils/agents/aibitat`. A result has its call.
        part(
            ANYTHINGLLM,
            Both,
            &[
                ("role", is(&["function"])),
                ("content", Any),
                ("originalFunctionCall", Object),
                ("originalFunctionCall.name", Text),
            ],
            (&["originalFunctionCall.id"], at("originalFunctionCall.name")),
            &[encoded("originalFunctionCall.arguments")],
            &["content"],
            &[],
        )
        .into_message(),
        // Void: `ToolMessage` in `src/vs/workbench/contrib/void/common/chatThreadServiceTypes.ts`.
        part(
            VOID,
            Both,
            &[("role", is(&["tool"])), ("name", Text), ("rawParams", Any), ("content", Any)],
            (&["id"], at("name")),
            &[value("rawParams")],
            &["content"],
            &[
                fails_is("type", "tool_error"),
                fails_is("type", "invalid_params"),
                fails_is("type", "rejected"),
            ],
        )
        .into_message(),
        // big-AGI: `DMessageFragment` in `src/common/stores/chat/chat.fragments.ts`.
        call(
            BIG_AGI,
            &[("pt", is(&["tool_invocation"])), ("id", Text), ("invocation", Object)],
            &["id"],
            at("invocation.name"),
            &[encoded("invocation.args")],
        ),
        result(
            BIG_AGI,
            &[("pt", is(&["tool_response"])), ("id", Text), ("response", Object)],
            &["id"],
            &["response.result"],
        )
        .named(at("response.name"))
        .failing(&[error("error")]),
        // HuggingChat: `MessageToolUpdate` in `src/lib/types/MessageUpdate.ts`.
        call(
            HUGGINGCHAT,
            &[("type", is(&["tool"])), ("subtype", is(&["call"])), ("uuid", Text), ("call", Object)],
            &["uuid"],
            at("call.name"),
            &[value("call.parameters")],
        ),
        result(
            HUGGINGCHAT,
            &[("type", is(&["tool"])), ("subtype", is(&["result"])), ("uuid", Text), ("result", Object)],
            &["uuid"],
            &["result.outputs", "result.message"],
        )
        .named(at("result.call.name"))
        .failing(&[fails_is("result.status", "error")]),
        // Crush: `internal/message/message.go`, parts of messages.
        call(
            CRUSH,
            &[("type", is(&["tool_call"])), ("data", Object), ("data.id", Text), ("data.name", Text)],
            &["data.id"],
            at("data.name"),
            &[encoded("data.input")],
        ),
        result(
            CRUSH,
            &[("type", is(&["tool_result"])), ("data", Object), ("data.tool_call_id", Text)],
            &["data.tool_call_id"],
            &["data.content"],
        )
        .named(at("data.name"))
        .failing(&[flag("data.is_error")]),
        // Zed: threads, `crates/agent/src/thread.rs`, and older ones, whose calls are flat.
        call(
            ZED,
            &[("ToolUse", Object), ("ToolUse.id", Text), ("ToolUse.name", Text), ("ToolUse.input", Any)],
            &["ToolUse.id"],
            at("ToolUse.name"),
            &[value("ToolUse.input")],
        ),
        result(
            ZED,
            &[("tool_use_id", Text), ("is_error", Any), ("content", Any), ("type", Absent), ("role", Absent)],
            &["tool_use_id"],
            &["content.Text", "content"],
        )
        .named(at("tool_name"))
        .failing(&[flag("is_error")]),
    ]
}

/// Their messages.
pub(super) fn client_messages() -> Vec<Form> {
    vec![
        // Void, big-AGI, HuggingChat.
        message(&[("role", is(&["assistant"])), ("displayContent", Text)])
            .saying(&[(Assistant, "displayContent")]),
        message(&[("role", Text), ("fragments", Array)]),
        message(&[("from", is(&["user", "assistant", "system"])), ("content", Text)]),
        // Zed: messages of current and of older threads.
        message(&[("content", Array), ("tool_results", Object)])
            .saying(&[(Assistant, "content")])
            .within(MessageScope::Around),
        zed_user("content.0.Text", Text),
        zed_user("content.0.Mention", Object),
        zed_user("content.0.Image", Object),
        message(&[("role", Text), ("segments", Array)]),
    ]
}

/// A message of a user of Zed, whose first part is at `path`.
fn zed_user(path: &'static str, test: ValueTest) -> Form {
    message(&[("id", Text), ("content", Array), ("role", Absent), (path, test)])
        .saying(&[(User, "content")])
        .within(MessageScope::Around)
}
