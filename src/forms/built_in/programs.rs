//! The built-in forms of opencode, VS Code, Inspect and OpenHands, with their sources.

use crate::call::CallPart::Both;
use crate::forms::form::Form;
use crate::forms::form::InputPath::Object as WholeObject;
use crate::forms::form::ValueTest::{Absent, Any, Object, Text};
use crate::forms::names::{NO_ACTIONS, NO_OBSERVATIONS, OPENHANDS, VSCODE};
use crate::forms::results;
use crate::forms::rows::{
    at, call, display, error, fails_is, flag, is, is_not, no_success, other, part, result, value,
};

const OPENCODE: &str = "opencode";
pub(super) const INSPECT: &str = "inspect";

/// The rows of this file.
pub(super) fn programs() -> Vec<Form> {
    vec![
        // opencode: `packages/opencode/src/session/message-v2.ts`
        part(
            OPENCODE,
            Both,
            &[("type", is(&["tool"])), ("callID", Text), ("tool", Text), ("state", Object)],
            (&["callID"], at("tool")),
            &[value("state.input")],
            &["state.output"],
            &[error("state.error")],
        ),
        // VS Code: `src/vs/workbench/contrib/chat/common/chatService.ts`
        part(
            VSCODE,
            Both,
            &[("kind", is(&["toolInvocationSerialized"])), ("toolId", Text), ("toolCallId", Text)],
            (&["toolCallId"], at("toolId")),
            &[display("resultDetails.input"), other("toolSpecificData.rawInput"), other("toolSpecificData")],
            &["resultDetails.output", "resultDetails"],
            &[flag("resultDetails.isError")],
        ),
        // Inspect: `src/inspect_ai/tool/_tool_call.py`
        call(
            INSPECT,
            &[("id", Text), ("function", Text), ("arguments", Object)],
            &["id"],
            at("function"),
            &[value("arguments")],
        )
        .with_result(&results::INSPECT),
        // OpenHands: `openhands/events/serialization`
        call(
            OPENHANDS,
            &[("action", is_not(NO_ACTIONS)), ("args", Object), ("source", is(&["agent"]))],
            &["id"],
            at("action"),
            &[value("args")],
        )
        .into_message(),
        call(
            OPENHANDS,
            &[
                ("action", is_not(NO_ACTIONS)),
                ("thought", Text),
                ("args", Absent),
                ("action_input", Absent),
                ("observation", Absent),
                // SWE-agent's messages repeat their call so, or have only a line of a shell.
                ("role", Absent),
            ],
            &[],
            at("action"),
            &[WholeObject],
        )
        .into_message(),
        result(
            OPENHANDS,
            &[("observation", is_not(NO_OBSERVATIONS)), ("content", Any), ("extras", Object)],
            &["cause"],
            &["content"],
        )
        .failing(&[no_success("success"), fails_is("observation", "error")])
        .into_message(),
        result(
            OPENHANDS,
            &[
                ("observation", is_not(NO_OBSERVATIONS)),
                ("content", Text),
                ("extras", Absent),
                ("action", Absent),
            ],
            &[],
            &["content"],
        )
        .failing(&[fails_is("observation", "error")])
        .into_message(),
    ]
}
