//! The built-in forms of data sets and evaluations, with their sources.

use crate::call::CallPart::Both;
use crate::forms::form::Speech::User;
use crate::forms::form::ValueTest::{Absent, Any, Array, Object, Prose, Text};
use crate::forms::form::{Form, MessageScope, ValueTest};
use crate::forms::results;
use crate::forms::rows::{at, call, encoded, error, flag, is, is_not, part, result, starts, text, value};

pub(super) const SHAREGPT: &str = "sharegpt";
const TAU2: &str = "tau2-bench";
const XLAM: &str = "xlam";
const STABLE_TOOL_BENCH: &str = "stabletoolbench";
const API_BANK: &str = "api-bank";
const AIMOCK: &str = "aimock";
const ATIF: &str = "atif";

/// The parts of their tool uses, and their messages.
pub(super) fn datasets() -> Vec<Form> {
    let answers = |[called, given]: [(&'static str, ValueTest); 2], name, input| {
        let signature = [("query", Any), ("tools", Any), ("answers", Array), called, given];
        call(XLAM, &signature, &[], at(name), &[encoded(input)])
            .encoded_in("answers")
            .saying(&[(User, "query")])
            .within(MessageScope::Own)
    };
    vec![
        // tau2-bench: `src/tau2/data_model/message.py`. `raw_data` repeats the message as the API
        // returned it; it also keeps other messages with `tool_calls` from being read for this.
        call(
            TAU2,
            &[
                ("role", Text),
                ("raw_data", Any),
                ("tool_calls", Array),
                ("tool_calls.0.name", Text),
                ("tool_calls.0.requestor", Text),
            ],
            &["id"],
            at("name"),
            &[value("arguments")],
        )
        .encoded_in("tool_calls")
        .into_message(),
        result(
            TAU2,
            &[("role", is(&["tool"])), ("id", Text), ("requestor", Text), ("content", Any)],
            &["id"],
            &["content"],
        )
        .failing(&[flag("error")])
        .into_message(),
        text(&[("role", Text), ("content", Prose), ("raw_data", Object)]).into_message().opaque(),
        // xLAM: `Salesforce/xlam-function-calling-60k`, and sets made like it, in which the answers
        // are a list instead of a string.
        call(
            XLAM,
            &[("query", Any), ("tools", Any), ("answers", starts("[")), ("answers", is_not(&["[]"]))],
            &[],
            at("name"),
            &[encoded("arguments")],
        )
        .encoded_in("answers")
        .saying(&[(User, "query")])
        .within(MessageScope::Own),
        answers([("answers.0.name", Text), ("answers.0.arguments", Any)], "name", "arguments"),
        // Seal-Tools (https://github.com/fairyshine/Seal-Tools).
        answers([("answers.0.tool", Text), ("answers.0.parameters", Any)], "tool", "parameters"),
        // AIMock: https://github.com/CopilotKit/aimock
        call(
            AIMOCK,
            &[
                ("match", Object),
                ("response", Object),
                ("response.toolCalls", Array),
                ("response.toolCalls.0.name", Text),
                ("response.toolCalls.0.id", Absent),
            ],
            &[],
            at("name"),
            &[encoded("arguments")],
        )
        .encoded_in("response.toolCalls")
        .saying(&[(User, "match.userMessage")])
        .within(MessageScope::Own),
        // ATIF: harbor's `docs/rfcs/0001-trajectory-format.md`
        call(
            ATIF,
            &[("tool_call_id", Text), ("function_name", Text), ("arguments", Any)],
            &["tool_call_id"],
            at("function_name"),
            &[value("arguments")],
        )
        .with_result(&results::ATIF),
        result(ATIF, &[("source_call_id", Text), ("content", Any)], &["source_call_id"], &["content"]),
        // StableToolBench: `model_predictions_converted`.
        part(
            STABLE_TOOL_BENCH,
            Both,
            &[
                ("role", is(&["tool"])),
                ("message", Object),
                ("message.name", Text),
                ("message.arguments", Any),
                ("next", Array),
            ],
            (&[], at("message.name")),
            &[encoded("message.arguments")],
            &["message.response"],
            &[],
        )
        .around("next")
        .within(MessageScope::Around),
        // ShareGPT as LLaMA-Factory reads it: `data/README.md`
        call(
            SHAREGPT,
            &[("from", is(&["function_call"])), ("value", Text)],
            &["id"],
            at("name"),
            &[encoded("arguments"), encoded("parameters")],
        )
        .with_result(&results::OBSERVATION)
        .encoded_in("value")
        .into_message(),
        call(
            SHAREGPT,
            &[("from", is(&["tool_call"])), ("value", Text)],
            &["id"],
            at("name"),
            &[encoded("arguments"), encoded("parameters")],
        )
        .with_result(&results::TOOL_RESPONSE)
        .encoded_in("value")
        .into_message(),
        result(
            SHAREGPT,
            &[
                ("from", is(&["observation", "tool", "function", "function_response", "tool_response"])),
                ("value", Any),
            ],
            &[],
            &["value"],
        )
        .into_message(),
        // API-Bank: `api-bank/lv1-lv2-samples` in `AlibabaResearch/DAMO-ConvAI`.
        part(
            API_BANK,
            Both,
            &[("role", is(&["API"])), ("api_name", Text), ("param_dict", Object)],
            (&[], at("api_name")),
            &[value("param_dict")],
            &["result.output"],
            &[error("result.exception")],
        )
        .into_message(),
    ]
}
