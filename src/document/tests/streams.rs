//! Message logs: calls whose input a stream writes in pieces.

use std::sync::Arc;

use super::logs::{check, read};
use crate::diagnostic::Code;
use crate::document::{Document, Language};
use crate::text::{Splice, Text};

#[test]
fn chunks_of_chat_completions_are_joined() {
    let chunk = |delta: &str| {
        format!(
            "data: {{\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":null}}]}}\n\n"
        )
    };
    let text = [
        r#"{"role":"assistant","content":null}"#,
        r#"{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"read","arguments":""}}]}"#,
        r#"{"tool_calls":[{"index":0,"function":{"arguments":"{\"p"}}]}"#,
        r#"{"tool_calls":[{"index":0,"function":{"name":null,"arguments":"\":\"\u00e9\\\"\"}"}}]}"#,
        r#"{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"run","arguments":"{"}}]}"#,
        r#"{"tool_calls":[{"index":1,"function":{"name":"","arguments":"}"}}]}"#,
    ]
    .map(chunk)
    .concat();
    check(&format!("{text}data: [DONE]\n"), &[r#"read#a {"p":"é\""}"#, "run#b {}"]);
    // As JSON Lines, and in an array.
    let lines = text.replace("data: ", "").replace("\n\n", "\n");
    check(&lines, &[r#"read#a {"p":"é\""}"#, "run#b {}"]);
    let array = format!("[{}]", lines.trim_end().replace('\n', ","));
    check(&array, &[r#"read#a {"p":"é\""}"#, "run#b {}"]);
    // Whole calls (Mistral, Ollama).
    check(
        &chunk(
            r#"{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"p\": 1}"},"index":0},{"id":"b","function":{"name":"g","arguments":"{}"},"index":1}]}"#,
        ),
        &[r#"f#a {"p":1}"#, "g#b {}"],
    );
    check(
        r#"{"model":"q","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"p":1}}}]},"done":false}
{"model":"q","message":{"role":"assistant","content":"","tool_calls":[{"function":{"index":1,"name":"g","arguments":{}}}]},"done":false}"#,
        &[r#"f {"p":1}"#, "g {}"],
    );
}

#[test]
fn pieces_of_other_streams_are_joined() {
    // Anthropic.
    check(
        r#"event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a","name":"read","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"p\""}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":": 1}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"b","name":"now","input":{}}}

"#
        .replace("event: content_block_start", "{\"type\":\"ping\"}")
        .as_str(),
        &[r#"read#a {"p":1}"#, "now#b {}"],
    );
    // Bedrock.
    check(
        r#"{"contentBlockStart":{"start":{"toolUse":{"toolUseId":"a","name":"read"}},"contentBlockIndex":1}}
{"contentBlockDelta":{"delta":{"toolUse":{"input":"{\"p\""}},"contentBlockIndex":1}}
{"contentBlockDelta":{"delta":{"toolUse":{"input":":1}"}},"contentBlockIndex":1}}
{"contentBlockStop":{"contentBlockIndex":1}}"#,
        &[r#"read#a {"p":1}"#],
    );
    // AG-UI, by ids.
    check(
        r#"[{"type":"TOOL_CALL_START","toolCallId":"a","toolCallName":"read"},
            {"type":"TOOL_CALL_CHUNK","toolCallId":"b","toolCallName":"run","delta":"{"},
            {"type":"TOOL_CALL_ARGS","toolCallId":"a","delta":"{\"p\":"},
            {"type":"TOOL_CALL_CHUNK","toolCallId":"b","delta":"}"},
            {"type":"TOOL_CALL_ARGS","toolCallId":"a","delta":"1}"},
            {"type":"TOOL_CALL_END","toolCallId":"a"},
            {"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"a","content":"x"}]"#,
        &[r#"read#a {"p":1} → "x""#, "run#b {}"],
    );
}

/// A log that begins or ends in the middle of a call.
#[test]
fn pieces_without_a_call_are_nothing() {
    let piece = r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"p"}}]}}]}"#;
    let other = r#"[{"type":"TOOL_CALL_ARGS","toolCallId":"x","delta":"{}"},{"type":"RUN_FINISHED"}]"#;
    for text in [&*format!("{piece}\n").repeat(2), other] {
        assert_eq!((read(text).tool_uses(), read(text).diagnostics()), (vec![], vec![]), "{text}");
    }
    let call = piece.replacen("\"function\":{", "\"id\":\"a\",\"function\":{\"name\":\"f\",", 1);
    check(&format!("{piece}\n{call}\n{piece}\n"), &["f#a"]);
}

/// A label shows the beginning of the input, also while a model writes it.
#[test]
fn labels_show_arguments_in_pieces() {
    let start = r#"{"type":"TOOL_CALL_START","toolCallId":"a","toolCallName":"read"}"#;
    let piece = |text: &str| format!(r#"{{"type":"TOOL_CALL_ARGS","toolCallId":"a","delta":"{text}"}}"#);
    let check = |pieces: &[&str], expected: &str| {
        let records: Vec<String> =
            [start.to_owned()].into_iter().chain(pieces.iter().map(|it| piece(it))).collect();
        let lines = records.join("\n") + "\n";
        let array = format!("[{}]", records.join(",\n"));
        let fence = format!("> ```jsonl\n> {}\n> ```\n", records.join("\n> "));
        for (text, language) in [(lines, Language::Log), (array, Language::Json), (fence, Language::Markdown)]
        {
            let document = Document::new(Text::new(&text), language, Arc::default());
            let uses = document.paired_uses();
            let labels: Vec<String> = uses.uses.iter().map(|it| uses.label_of(it).to_string()).collect();
            assert_eq!(labels, [expected], "{text}");
        }
    };
    check(&[r#"{\"p\":\"a"#, r#"\u00e9\"}"#], "🔧 read(p=aé) ⏳");
    check(&[r#"{\"p\":\"a"#, "b"], "🔧 read(p=ab) ⏳");
    let long = "x".repeat(3000);
    check(&["{\\\"p\\\":\\\"", &long, &long], &format!("🔧 read({}…) ⏳", "p=".to_owned() + &"x".repeat(57)));
}

/// The whole message at the end of a stream is the same call.
#[test]
fn a_call_that_follows_its_pieces_counts_once() {
    let text = r#"{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"read","input":{}}}}
{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"p\": 1}"}}}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read","input":{"p":1}}]}}
"#;
    check(text, &[r#"read#a {"p":1}"#]);
    assert_eq!(read(text).paired_uses().uses.len(), 1);
}

/// The lines of a log with tool uses alone are checked like lines with messages; other streams have
/// lines of their own.
#[test]
fn lines_that_are_no_json_are_reported_in_logs_without_messages() {
    let call = r#"{"query": "q", "tools": [], "answers": [{"name": "f", "arguments": {}}]}"#;
    let check = |text: &str, expected: &[Code]| {
        let document = Document::new(Text::new(text), Language::Log, Arc::default());
        let found: Vec<_> = document.diagnostics().into_iter().map(|it| it.code).collect();
        assert_eq!(found, expected, "{text}");
    };
    check(&format!("{call}\n{{\"query\": \n{call}\n"), &[Code::BrokenLine]);
    check(&format!("a line of text\n{call}\n"), &[]);
    let record = r#"{"type":"tool-call","toolCallId":"c","toolName":"x"}"#;
    check(&format!("{record}\n{{\"query\": \n"), &[]);
}

/// The messages to the server, between the answers of a recorded stream, are not there.
#[test]
fn recorded_answers_need_no_results() {
    let answer = |id: &str| {
        format!(
            "{{\"type\":\"message_start\",\"message\":{{\"id\":\"m_{id}\",\"type\":\"message\",\"role\":\"assistant\",\
             \"content\":[{{\"type\":\"tool_use\",\"id\":\"{id}\",\"name\":\"f\",\"input\":{{}}}}]}}}}\n"
        )
    };
    let codes = |text: &str| {
        let document = Document::new(Text::new(text), Language::Log, Arc::default());
        document.diagnostics().iter().map(|it| it.code).collect::<Vec<_>>()
    };
    let stream = [answer("a"), answer("b")].concat();
    check(&stream, &["f#a {}", "f#b {}"]);
    assert_eq!(codes(&stream), []);
    let result = "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"b\",\"content\":\"1\"}]}}\n";
    assert_eq!(codes(&[&stream, result, &answer("c")].concat()), [Code::MissingResult]);
}

/// Unfinished values at the end of a log are not reported.
#[test]
fn unfinished_values_are_not_reported() {
    let flat = r#"{"attributes": {"llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "look", "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": "{\"pla"#;
    for end in [flat.len(), flat.find("look").unwrap()] {
        let document = Document::new(Text::new(&flat[..end]), Language::Log, Arc::default());
        let found: Vec<_> = document.diagnostics().into_iter().map(|it| it.code).collect();
        assert_eq!(found, [Code::BrokenLine], "{}", &flat[..end]);
    }
}

#[test]
fn a_log_without_its_last_delta_has_no_delta_text() {
    let delta = "{\"type\":\"text-delta\",\"textDelta\":\"e\"}\n";
    let rest = "{\"role\":\"user\",\"content\":\"hello\"}\n{\"role\":\"assistant\",\"content\":\"t\"}\n";
    for inserted in ["", "{\"role\":\"user\",\"content\":\"x\"}\n"] {
        let text = Text::new(&[delta, rest].concat());
        let mut document = Document::new(text, Language::Log, Arc::default());
        assert!(document.delta_text().is_some());
        document.apply(Splice { start: 0, removed: delta.len(), inserted: inserted.len() }, inserted);
        let fresh = Document::new(document.text().clone(), Language::Log, Arc::default());
        assert!(document.delta_text().is_none());
        assert_eq!(document.messages(), fresh.messages());
    }
}
