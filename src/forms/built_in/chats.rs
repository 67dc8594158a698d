//! The built-in forms of conversations that applications for chats and voice agents keep, with
//! their sources.

use crate::call::CallPart::Both;
use crate::forms::form::Form;
use crate::forms::form::ValueTest::{Any, Array, Object, Text};
use crate::forms::rows::{at, call, display, encoded, fails_is, flag, is, is_not, part, result, value};

const CHATGPT: &str = "chatgpt";
const ELEVENLABS: &str = "elevenlabs";
const LETTA: &str = "letta";
const LM_STUDIO: &str = "lm-studio";
const LIBRECHAT: &str = "librechat";
const RETELL: &str = "retell";
const VAPI: &str = "vapi";

/// The parts of their tool uses.
pub(super) fn chats() -> Vec<Form> {
    vec![
        // ChatGPT: `conversations.json` of a data export. A result follows its call.
        call(
            CHATGPT,
            &[
                ("message", Object),
                ("message.author.role", is(&["assistant"])),
                ("message.recipient", is_not(&["all"])),
                ("children", Array),
            ],
            &["id"],
            at("message.recipient"),
            &[display("message.content.text"), display("message.content.parts.0")],
        )
        .into_message(),
        result(
            CHATGPT,
            &[("message", Object), ("message.author.role", is(&["tool"])), ("children", Array)],
            &["parent"],
            &["message.content.text", "message.content.result", "message.content.parts.0"],
        )
        .named(at("message.author.name"))
        .failing(&[fails_is("message.content.content_type", "system_error")])
        .into_message(),
        // Letta: `letta/schemas/letta_message.py`.
        call(
            LETTA,
            &[("message_type", Text), ("tool_call", Object), ("tool_call.name", Text)],
            &["tool_call.tool_call_id"],
            at("tool_call.name"),
            &[encoded("tool_call.arguments")],
        )
        .into_message(),
        result(
            LETTA,
            &[("message_type", is(&["tool_return_message"])), ("tool_return", Any)],
            &["tool_call_id"],
            &["tool_return"],
        )
        .failing(&[fails_is("status", "error")])
        .into_message(),
        // LM Studio: `*.conversation.json`.
        call(
            LM_STUDIO,
            &[("type", is(&["toolCallRequest"])), ("name", Text)],
            &["toolCallRequestId", "callId"],
            at("name"),
            &[value("parameters"), value("arguments")],
        ),
        result(
            LM_STUDIO,
            &[("type", is(&["toolCallResult"])), ("content", Any)],
            &["toolCallRequestId", "toolCallId"],
            &["content"],
        ),
        // ElevenLabs: https://elevenlabs.io/docs/api-reference/conversations/get
        call(
            ELEVENLABS,
            &[("tool_name", Text), ("params_as_json", Text)],
            &["request_id"],
            at("tool_name"),
            &[encoded("params_as_json")],
        ),
        result(ELEVENLABS, &[("tool_name", Text), ("result_value", Any)], &["request_id"], &["result_value"])
            .named(at("tool_name"))
            .failing(&[flag("is_error")]),
        // Retell: https://docs.retellai.com/api-references/get-call
        call(
            RETELL,
            &[("role", is(&["tool_call_invocation"])), ("name", Text)],
            &["tool_call_id"],
            at("name"),
            &[encoded("arguments")],
        )
        .into_message(),
        result(
            RETELL,
            &[("role", is(&["tool_call_result"])), ("content", Any)],
            &["tool_call_id"],
            &["content"],
        )
        .into_message(),
        // Vapi: https://docs.vapi.ai/server-url/events. Its calls have OpenAI's form.
        result(
            VAPI,
            &[("role", is(&["tool_call_result"])), ("toolCallId", Text), ("result", Any)],
            &["toolCallId"],
            &["result"],
        )
        .named(at("name"))
        .into_message(),
        // LibreChat: exported conversations, `packages/data-provider/src/types/assistants.ts`.
        part(
            LIBRECHAT,
            Both,
            &[("type", is(&["tool_call"])), ("tool_call", Object), ("tool_call.name", Text)],
            (&["tool_call.id"], at("tool_call.name")),
            &[encoded("tool_call.args")],
            &["tool_call.output"],
            &[],
        ),
    ]
}
