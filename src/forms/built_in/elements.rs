//! The built-in forms of messages whose text has tool uses as elements, with their sources.

use crate::call::MessageRole;
use crate::forms::form::ValueTest::{self, Absent, Any, Empty, Markup as Has, Text};
use crate::forms::form::{Form, Layout};
use crate::forms::markup::Markup::{Calls, Results, Steps};
use crate::forms::rows::{at, call, encoded, is, result};

/// Models of Hermes and Qwen, and others that write calls as text.
const ELEMENTS: &str = "elements";

/// The roles of messages with calls, and with results.
const ASSISTANT: &[&str] = &["assistant", "model"];
const GPT: &[&str] = &["gpt", "assistant", "model", "chatgpt", "bot"];
const ANSWERS: &[&str] = &["tool", "user", "function", "ipython"];
const OBSERVATIONS: &[&str] =
    &["tool", "human", "user", "observation", "function_response", "tool_response", "ipython"];

/// The parts of their tool uses.
pub(super) fn elements() -> Vec<Form> {
    vec![
        // https://github.com/NousResearch/Hermes-Function-Calling, chat templates of Qwen's models.
        calls(&[
            ("role", is(ASSISTANT)),
            ("content", Has(Calls)),
            ("tool_calls", Empty),
            ("function_call", Empty),
        ])
        .encoded_in("content")
        .into_message(),
        calls(&[("from", is(GPT)), ("value", Has(Calls))]).encoded_in("value").into_message(),
        results(&[("role", is(ANSWERS)), ("content", Has(Results)), ("tool_call_id", Absent)])
            .encoded_in("content")
            .into_message(),
        results(&[("from", is(OBSERVATIONS)), ("value", Has(Results))]).encoded_in("value").into_message(),
        // Parts of messages: of Anthropic, in which Cline keeps what its models write; of Gemini.
        calls(&[("type", is(&["text", "output_text"])), ("text", Has(Calls))])
            .encoded_in("text")
            .of(MessageRole::Assistant),
        calls(&[("text", Has(Calls)), ("type", Absent), ("kind", Absent)])
            .encoded_in("text")
            .of(MessageRole::Assistant)
            .inside(),
        results(&[("type", is(&["text", "input_text"])), ("text", Has(Results))])
            .encoded_in("text")
            .of(MessageRole::User),
        // ReAct (https://github.com/ysymyth/ReAct): messages, and data sets for fine-tuning, as in
        // FireAct (https://github.com/anchen1011/FireAct).
        steps(&[
            ("role", is(ASSISTANT)),
            ("content", Has(Steps)),
            ("tool_calls", Empty),
            ("function_call", Empty),
        ])
        .encoded_in("content")
        .into_message(),
        steps(&[("from", is(GPT)), ("value", Has(Steps))]).encoded_in("value").into_message(),
        steps(&[("type", is(&["text", "output_text"])), ("text", Has(Steps))])
            .encoded_in("text")
            .of(MessageRole::Assistant),
        steps(&[("instruction", Text), ("output", Has(Steps))]).encoded_in("output"),
        // Data sets for fine-tuning: Alpaca's, and TRL's of prompts and completions.
        calls(&[("instruction", Text), ("output", Has(Calls))]).encoded_in("output"),
        calls(&[("prompt", Text), ("completion", Has(Calls))]).encoded_in("completion"),
        steps(&[("prompt", Text), ("completion", Has(Steps))]).encoded_in("completion"),
        // Results of BFCL, of models that write calls in Python.
        calls(&[("id", Text), ("result", Has(Calls)), ("latency", Any)]).encoded_in("result"),
        // Glaive: a conversation in a text.
        calls(&[("system", Text), ("chat", Has(Calls))]).encoded_in("chat"),
    ]
}

fn calls(signature: &[(&'static str, ValueTest)]) -> Form {
    let inputs = [encoded("arguments"), encoded("parameters")];
    call(ELEMENTS, signature, &["id"], at("name"), &inputs).laid_out(Layout::Elements(Calls))
}

fn steps(signature: &[(&'static str, ValueTest)]) -> Form {
    calls(signature).laid_out(Layout::Elements(Steps))
}

fn results(signature: &[(&'static str, ValueTest)]) -> Form {
    result(ELEMENTS, signature, &[], &[]).laid_out(Layout::Elements(Results))
}
