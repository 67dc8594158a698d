//! Templates of results, for forms whose results only have values of the call and its outcome.
//!
//! Other results have times or ids that only the writer of the log can provide.

use crate::call::{UseData, UseOutcome};
use crate::json::{self, Value, quote};

/// The templates of the results of a form: JSON, in which the strings `$id`, `$name`, `$text` and
/// `$json` stand for values of the call and its outcome, and `$.KEY` for a member of the message of
/// the call. Members without a value are left out.
#[derive(Debug, PartialEq)]
pub struct ResultTemplate {
    /// The place of results.
    pub place: ResultPlace,
    /// A result that is text, or JSON without a template of its own.
    text: &'static str,
    /// A result that is a JSON value.
    json: Option<&'static str>,
    /// A result that is a JSON object without one of the members that have another meaning.
    object: Option<(&'static str, &'static [&'static str])>,
    /// The result of a call that has failed.
    failed: &'static str,
}

/// The place of results.
#[derive(Debug, PartialEq)]
pub enum ResultPlace {
    /// A message after the message of the call.
    Message,
    /// An item of the list `list` in the message after the message of the call.
    Part {
        /// The key of the list.
        list: &'static str,
        /// The message with one result, `$result`.
        message: &'static str,
    },
    /// An item of a list in an object of the call's message.
    Member {
        /// The key of the object.
        key: &'static str,
        /// The key of the list in it.
        list: &'static str,
        /// The member after which a new object is inserted.
        behind: &'static str,
    },
}

/// The values of a call that its result repeats, as JSON.
#[derive(Debug)]
pub struct CallValues<'a> {
    /// The id.
    pub id: Option<String>,
    /// The name of the tool.
    pub name: Option<String>,
    /// The message of the call.
    pub message: Option<Value<'a>>,
}

impl CallValues<'_> {
    /// `template` as a message with `result` in it.
    pub fn message_with(&self, template: &str, result: &str) -> String {
        filled(template, &|name| if name == "result" { Some(result.to_owned()) } else { self.value(name) })
    }

    /// The value of `$NAME`.
    fn value(&self, name: &str) -> Option<String> {
        match name {
            "id" => self.id.clone(),
            "name" => self.name.clone(),
            name => Some(self.message?.get(name.strip_prefix('.')?)?.raw().to_owned()),
        }
    }
}

impl ResultTemplate {
    /// The result `outcome`, as JSON.
    pub fn result(&self, call: &CallValues<'_>, outcome: &UseOutcome) -> String {
        let (template, json) = match outcome {
            UseOutcome::Error(_) => (self.failed, ""),
            UseOutcome::Output(UseData::Json(json)) => (self.of_json(json), &**json),
            UseOutcome::Output(_) | UseOutcome::Empty => (self.text, ""),
        };
        filled(template, &|name| match name {
            "text" => Some(quote(&outcome.to_text())),
            "json" => Some(json.to_owned()),
            name => call.value(name),
        })
    }

    fn of_json(&self, json: &str) -> &'static str {
        let tape = json::parse(json);
        let root = tape.root(json).filter(|root| root.is_object());
        let object = self.object.filter(|(_, reserved)| {
            root.is_some_and(|root| reserved.iter().all(|key| root.get(key).is_none()))
        });
        object.map(|(template, _)| template).or(self.json).unwrap_or(self.text)
    }
}

/// Replaces the `$` strings in `template`, which is JSON.
fn filled(template: &str, value_of: &dyn Fn(&str) -> Option<String>) -> String {
    let tape = json::parse(template);
    tape.root(template).and_then(|root| filled_value(root, value_of)).unwrap_or_default()
}

fn filled_value(value: Value<'_>, value_of: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    if value.is_object() {
        let member =
            |(key, value): (Value<'_>, _)| Some(format!("{}:{}", key.raw(), filled_value(value, value_of)?));
        let members: Vec<_> = value.entries().filter_map(member).collect();
        return Some(format!("{{{}}}", members.join(",")));
    }
    if value.raw().starts_with('[') {
        let items: Vec<_> = value.items().filter_map(|item| filled_value(item, value_of)).collect();
        return Some(format!("[{}]", items.join(",")));
    }
    match value.as_str().as_deref().and_then(|text| text.strip_prefix('$')) {
        Some(name) => value_of(name),
        None => Some(value.raw().to_owned()),
    }
}

/// A template for results that are text.
const fn of_text(place: ResultPlace, text: &'static str, failed: &'static str) -> ResultTemplate {
    ResultTemplate { place, text, json: None, object: None, failed }
}

const OF_GEMINI: ResultPlace =
    ResultPlace::Part { list: "parts", message: r#"{"role":"user","parts":["$result"]}"# };
const OF_AI_SDK: ResultPlace =
    ResultPlace::Part { list: "content", message: r#"{"role":"tool","content":["$result"]}"# };

/// `functionResponse` of Gemini: <https://ai.google.dev/api/caching#FunctionResponse>
pub(super) static GEMINI: ResultTemplate = ResultTemplate {
    place: OF_GEMINI,
    text: r#"{"functionResponse":{"id":"$id","name":"$name","response":{"output":"$text"}}}"#,
    json: Some(r#"{"functionResponse":{"id":"$id","name":"$name","response":{"output":"$json"}}}"#),
    object: Some((
        r#"{"functionResponse":{"id":"$id","name":"$name","response":"$json"}}"#,
        &["output", "error"],
    )),
    failed: r#"{"functionResponse":{"id":"$id","name":"$name","response":{"error":"$text"}}}"#,
};
/// The same, as the Python SDK writes it.
pub(super) static GEMINI_SNAKE: ResultTemplate = ResultTemplate {
    place: OF_GEMINI,
    text: r#"{"function_response":{"id":"$id","name":"$name","response":{"output":"$text"}}}"#,
    json: Some(r#"{"function_response":{"id":"$id","name":"$name","response":{"output":"$json"}}}"#),
    object: Some((
        r#"{"function_response":{"id":"$id","name":"$name","response":"$json"}}"#,
        &["output", "error"],
    )),
    failed: r#"{"function_response":{"id":"$id","name":"$name","response":{"error":"$text"}}}"#,
};
/// `tool-result` of `ModelMessage`: <https://ai-sdk.dev/docs/reference/ai-sdk-core/model-message>
pub(super) static AI_SDK: ResultTemplate = ResultTemplate {
    place: OF_AI_SDK,
    text: r#"{"type":"tool-result","toolCallId":"$id","toolName":"$name","output":{"type":"text","value":"$text"}}"#,
    json: Some(
        r#"{"type":"tool-result","toolCallId":"$id","toolName":"$name","output":{"type":"json","value":"$json"}}"#,
    ),
    object: None,
    failed: r#"{"type":"tool-result","toolCallId":"$id","toolName":"$name","output":{"type":"error-text","value":"$text"}}"#,
};
/// The same of AI SDK 4: `CoreMessage`, in which calls have `args`.
pub(super) static AI_SDK_4: ResultTemplate = ResultTemplate {
    place: OF_AI_SDK,
    text: r#"{"type":"tool-result","toolCallId":"$id","toolName":"$name","result":"$text"}"#,
    json: Some(r#"{"type":"tool-result","toolCallId":"$id","toolName":"$name","result":"$json"}"#),
    object: None,
    failed: r#"{"type":"tool-result","toolCallId":"$id","toolName":"$name","result":"$text","isError":true}"#,
};
/// `ToolResultBlock` of Bedrock's Converse: JSON is an object there.
pub(super) static BEDROCK: ResultTemplate = ResultTemplate {
    place: ResultPlace::Part { list: "content", message: r#"{"role":"user","content":["$result"]}"# },
    text: r#"{"toolResult":{"toolUseId":"$id","content":[{"text":"$text"}],"status":"success"}}"#,
    json: None,
    object: Some((
        r#"{"toolResult":{"toolUseId":"$id","content":[{"json":"$json"}],"status":"success"}}"#,
        &[],
    )),
    failed: r#"{"toolResult":{"toolUseId":"$id","content":[{"text":"$text"}],"status":"error"}}"#,
};
/// `ToolMessage` of LangChain.
pub(super) static LANGCHAIN: ResultTemplate = of_text(
    ResultPlace::Message,
    r#"{"content":"$text","type":"tool","name":"$name","tool_call_id":"$id","status":"success"}"#,
    r#"{"content":"$text","type":"tool","name":"$name","tool_call_id":"$id","status":"error"}"#,
);
/// OpenAI's messages with the role `function`.
pub(super) static FUNCTION: ResultTemplate = of_text(
    ResultPlace::Message,
    r#"{"role":"function","name":"$name","content":"$text"}"#,
    r#"{"role":"function","name":"$name","content":"$text"}"#,
);
/// ShareGPT, in answer to `function_call`.
pub(super) static OBSERVATION: ResultTemplate = of_text(
    ResultPlace::Message,
    r#"{"from":"observation","value":"$text"}"#,
    r#"{"from":"observation","value":"$text"}"#,
);
/// ShareGPT, in answer to `tool_call`.
pub(super) static TOOL_RESPONSE: ResultTemplate = of_text(
    ResultPlace::Message,
    r#"{"from":"tool_response","value":"$text"}"#,
    r#"{"from":"tool_response","value":"$text"}"#,
);
/// Messages with parts, as LLaMA-Factory reads them.
pub(super) static LLAMA_FACTORY: ResultTemplate = of_text(
    ResultPlace::Message,
    r#"{"role":"tool","content":[{"type":"text","value":"$text"}]}"#,
    r#"{"role":"tool","content":[{"type":"text","value":"$text"}]}"#,
);
/// `ChatMessageTool` of Inspect.
pub(super) static INSPECT: ResultTemplate = of_text(
    ResultPlace::Message,
    r#"{"role":"tool","content":"$text","tool_call_id":"$id","function":"$name"}"#,
    r#"{"role":"tool","content":"","tool_call_id":"$id","function":"$name","error":{"type":"unknown","message":"$text"}}"#,
);
/// `ObservationResult` of ATIF, which has no failures.
pub(super) static ATIF: ResultTemplate = of_text(
    ResultPlace::Member { key: "observation", list: "results", behind: "tool_calls" },
    r#"{"source_call_id":"$id","content":"$text"}"#,
    r#"{"source_call_id":"$id","content":"$text"}"#,
);
/// `ToolResultMessage` of pi, at the time of the call.
pub(super) static PI: ResultTemplate = of_text(
    ResultPlace::Message,
    r#"{"role":"toolResult","toolCallId":"$id","toolName":"$name","content":[{"type":"text","text":"$text"}],"isError":false,"timestamp":"$.timestamp"}"#,
    r#"{"role":"toolResult","toolCallId":"$id","toolName":"$name","content":[{"type":"text","text":"$text"}],"isError":true,"timestamp":"$.timestamp"}"#,
);
/// `ToolResponse` of goose, in a message at the time of the call.
pub(super) static GOOSE: ResultTemplate = of_text(
    ResultPlace::Part {
        list: "content",
        message: r#"{"role":"user","created":"$.created","content":["$result"]}"#,
    },
    r#"{"type":"toolResponse","id":"$id","toolResult":{"status":"success","value":{"content":[{"type":"text","text":"$text"}],"isError":false}}}"#,
    r#"{"type":"toolResponse","id":"$id","toolResult":{"status":"success","value":{"content":[{"type":"text","text":"$text"}],"isError":true}}}"#,
);
/// `tool_call_response` of OpenTelemetry.
pub(super) static OPENTELEMETRY: ResultTemplate = ResultTemplate {
    place: ResultPlace::Part { list: "parts", message: r#"{"role":"tool","parts":["$result"]}"# },
    text: r#"{"type":"tool_call_response","id":"$id","response":"$text"}"#,
    json: Some(r#"{"type":"tool_call_response","id":"$id","response":"$json"}"#),
    object: None,
    failed: r#"{"type":"tool_call_response","id":"$id","response":"$text"}"#,
};
/// `ToolReturnPart` and `RetryPromptPart` of Pydantic AI.
pub(super) static PYDANTIC_AI: ResultTemplate = ResultTemplate {
    place: ResultPlace::Part { list: "parts", message: r#"{"parts":["$result"],"kind":"request"}"# },
    text: r#"{"tool_name":"$name","content":"$text","tool_call_id":"$id","part_kind":"tool-return"}"#,
    json: Some(r#"{"tool_name":"$name","content":"$json","tool_call_id":"$id","part_kind":"tool-return"}"#),
    object: None,
    failed: r#"{"content":"$text","tool_name":"$name","tool_call_id":"$id","part_kind":"retry-prompt"}"#,
};
/// `FunctionResultContent` of Microsoft.Extensions.AI.
pub(super) static MICROSOFT: ResultTemplate = ResultTemplate {
    place: ResultPlace::Part { list: "contents", message: r#"{"role":"tool","contents":["$result"]}"# },
    text: r#"{"$type":"functionResult","callId":"$id","result":"$text"}"#,
    json: Some(r#"{"$type":"functionResult","callId":"$id","result":"$json"}"#),
    object: None,
    failed: r#"{"$type":"functionResult","callId":"$id","result":"$text"}"#,
};
/// Langfuse's messages.
pub(super) static LANGFUSE: ResultTemplate = of_text(
    ResultPlace::Message,
    r#"{"role":"tool","content":"$text","tool_call_id":"$id"}"#,
    r#"{"role":"tool","content":"$text","tool_call_id":"$id"}"#,
);
