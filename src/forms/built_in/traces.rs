//! The built-in forms of attributes of traces, with their sources.

use super::frameworks::LANGFUSE;
use crate::call::CallPart::Both;
use crate::forms::form::ValueTest::{Absent, Any, Array, Object, Text};
use crate::forms::form::{Form, Layout, MessageScope, NamePath, ValueTest};
use crate::forms::rows::{after, at, call, encoded, is, part, starts};

const OPENTELEMETRY: &str = "opentelemetry";
const CASSETTE: &str = "cassette";
const OPENINFERENCE: &str = "openinference";

/// The attributes with messages in strings of JSON: OpenTelemetry
/// (<https://opentelemetry.io/docs/specs/semconv/gen-ai/>), and the AI SDK.
pub const MESSAGES: [&str; 6] = [
    "gen_ai.input.messages",
    "gen_ai.output.messages",
    "gen_ai.prompt",
    "gen_ai.completion",
    "ai.prompt.messages",
    "ai.response.toolCalls",
];
/// The attributes of [`MESSAGES`] as paths of one key.
const PATHS: [&str; 6] = [
    "=gen_ai.input.messages",
    "=gen_ai.output.messages",
    "=gen_ai.prompt",
    "=gen_ai.completion",
    "=ai.prompt.messages",
    "=ai.response.toolCalls",
];

/// The members of an observation of Langfuse, which have messages in strings of JSON, too.
pub const OBSERVED: [&str; 2] = ["input", "output"];

/// The paths of other such strings: of an attribute that is exported alone, and of the body of a
/// request or of a response that was recorded (`vcrpy`, `go-vcr`; Ruby's `vcr`).
pub const STRINGS: [&str; 3] = ["value.stringValue", "body", "body.string"];

/// The attributes of a span that runs a tool: its name, the id, the input and the output. Of
/// OpenTelemetry, of Pydantic's Logfire, and of the AI SDK
/// (<https://ai-sdk.dev/docs/ai-sdk-core/telemetry>). The spans of models have the calls, too.
const EXECUTED: [[&str; 4]; 3] = [
    ["=gen_ai.tool.name", "=gen_ai.tool.call.id", "=gen_ai.tool.call.arguments", "=gen_ai.tool.call.result"],
    ["=gen_ai.tool.name", "=gen_ai.tool.call.id", "=tool_arguments", "=tool_response"],
    ["=ai.toolCall.name", "=ai.toolCall.id", "=ai.toolCall.args", "=ai.toolCall.result"],
];

/// The attribute with the id of a call, in a list.
const CALL_ID: &str = "attributes[gen_ai.tool.call.id]";
/// The beginning of the name of a span that runs a tool.
const EXECUTES: &str = "execute_tool ";

/// The attribute of the first call of OpenInference
/// (<https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md>).
const FIRST_CALL: &str = "=llm.output_messages.0.message.tool_calls.0.tool_call.function.name";

/// The attribute of the first message that a span of OpenInference sends to a model.
const FIRST_SENT: &str = "=llm.input_messages.0.message.role";

/// The parts of their tool uses.
pub(super) fn traces() -> Vec<Form> {
    let messages = |signature: &[(&'static str, ValueTest)]| uses(OPENTELEMETRY, signature, Layout::Messages);
    // An answer that is no string has the objects of the calls.
    let flat = |answer| uses(OPENINFERENCE, &[(FIRST_CALL, Text), ("=output.value", answer)], Layout::Flat);
    let sent = |request, answer| {
        let signature = [(FIRST_SENT, Text), ("=input.value", request), ("=output.value", answer)];
        uses(OPENINFERENCE, &signature, Layout::Flat)
    };
    let sent =
        [Absent, Text].into_iter().flat_map(|request| [sent(request.clone(), Absent), sent(request, Text)]);
    let own = PATHS.into_iter().map(|path| messages(&[(path, starts("["))]));
    let exported = messages(&[("key", is(&MESSAGES)), ("value", Object), ("value.stringValue", starts("["))]);
    // Objects in the other member are read as elsewhere.
    let observed = |(key, start, other, test)| {
        let signature =
            [("traceId", Text), ("parentObservationId", Any), (key, starts(start)), (other, test)];
        uses(LANGFUSE, &signature, Layout::Messages)
    };
    let [input, output] = OBSERVED;
    let members = [(input, output), (output, input)].into_iter();
    let strings = members.flat_map(|(key, other)| [(key, "[", other), (key, "{", other)]);
    let strings = strings.flat_map(|(key, start, other)| [Absent, Text].map(|it| (key, start, other, it)));
    let observations = strings.map(observed);
    // Requests have a method, responses a status; either may lack headers.
    let recorded = ["headers", "method", "status"].into_iter().flat_map(|beside| {
        let bodies = [("body", Text), ("body.string", Object)];
        bodies.map(|(path, body)| {
            let signature = [("body", body), (path, starts("{")), (beside, Any)];
            Form { scope: MessageScope::Exchange, ..uses(CASSETTE, &signature, Layout::Messages) }
        })
    });
    let executed = EXECUTED.map(|[name, id, input, output]| {
        part(
            OPENTELEMETRY,
            Both,
            &[(name, Text), (id, Text), (input, Any)],
            (&[id], at(name)),
            &[encoded(input)],
            &[output],
            &[],
        )
    });
    // The same in OTLP, whose attributes are a list.
    let listed = part(
        OPENTELEMETRY,
        Both,
        &[("name", starts(EXECUTES)), ("attributes", Array), (CALL_ID, Any)],
        (&[CALL_ID], after("name", EXECUTES)),
        &[encoded("attributes[gen_ai.tool.call.arguments]")],
        &["attributes[gen_ai.tool.call.result]"],
        &[],
    );
    own.chain(recorded)
        .chain(executed)
        .chain([exported, listed, flat(Absent), flat(Text)])
        .chain(sent)
        .chain(observations)
        .collect()
}

fn uses(family: &'static str, signature: &[(&'static str, ValueTest)], layout: Layout) -> Form {
    call(family, signature, &[], NamePath::None, &[]).laid_out(layout)
}
