//! The built-in forms of the messages that Cline and Roo Code show (`ui_messages.json`):
//! `ClineMessage` in `src/shared/ExtensionMessage.ts`.

use crate::call::CallPart::Both;
use crate::forms::form::Form;
use crate::forms::form::InputPath::Object;
use crate::forms::form::Speech::{Assistant, Reasoning, User};
use crate::forms::form::ValueTest::{Absent, Array, Number, Prose};
use crate::forms::rows::{call, encoded, error, is, message, part, result, shown, starts, value};

const CLINE: &str = "cline";

/// The parts of their tool uses, and their messages. A message asks the user, or says what was
/// allowed before.
pub(super) fn cline() -> Vec<Form> {
    let said = |kind, texts: &[&'static str], speech| {
        message(&[("ts", Number), ("type", is(&[kind])), (kind, is(texts)), ("text", Prose)])
            .saying(&[(speech, "text")])
    };
    // Only the task, which may be a text, and answers of the user have a list of images.
    let task = message(&[
        ("ts", Number),
        ("say", is(&["text"])),
        ("text", Prose),
        ("images", Array),
        ("partial", Absent),
    ]);
    let messages = [
        task.saying(&[(User, "text")]),
        said("say", &["task", "user_feedback"], User),
        said("say", &["text", "completion_result"], Assistant),
        said("say", &["reasoning"], Reasoning),
        said("ask", &["followup", "plan_mode_respond", "completion_result"], Assistant),
    ];
    ["ask", "say"].into_iter().flat_map(shown_as).chain(messages).collect()
}

fn shown_as(kind: &'static str) -> Vec<Form> {
    vec![
        // A tool of the editor; its content is the result, if there is one.
        part(
            CLINE,
            Both,
            &[("type", is(&[kind])), (kind, is(&["tool"])), ("text", starts("{"))],
            (&[], shown(&["tool"])),
            &[Object],
            &["content"],
            &[],
        )
        .encoded_in("text")
        .into_message(),
        call(
            CLINE,
            &[("type", is(&[kind])), (kind, is(&["command"])), ("text", Prose)],
            &[],
            shown(&[kind]),
            &[value("text")],
        )
        .into_message(),
        call(
            CLINE,
            &[("type", is(&[kind])), (kind, is(&["use_mcp_server"])), ("text", starts("{"))],
            &[],
            shown(&["toolName", "type"]),
            &[encoded("arguments"), Object],
        )
        .encoded_in("text")
        .into_message(),
        result(
            CLINE,
            &[
                ("type", is(&[kind])),
                (kind, is(&["command_output", "mcp_server_response", "browser_action_result"])),
                ("text", Prose),
            ],
            &[],
            &["text"],
        )
        .failing(&[error("error")])
        .of_last()
        .into_message(),
    ]
}
