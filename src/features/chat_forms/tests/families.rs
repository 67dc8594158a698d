//! The texts of messages of each family, and texts that are not read.

use std::path::Path;

use serde_json::Value;

use super::*;

/// The texts of users and assistants in the fixtures of families.
const TEXTS: [&str; 4] = ["Is the shed dry?", "Is she in?", "One moment.", "It is dry."];

#[test]
fn texts_of_all_families_are_read_or_losses() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/families");
    let mut unread = Vec::new();
    for file in std::fs::read_dir(folder).expect("the fixtures").map(|file| file.expect("a file").path()) {
        let (name, text) = (file.file_name(), Text::new(&std::fs::read_to_string(&file).expect("text")));
        let name = name.and_then(|name| name.to_str()).unwrap_or_default();
        let language = Language::of("", name, &text);
        if matches!(language, Language::Markdown | Language::Org) {
            continue;
        }
        let source = text.to_string();
        let written = write_form(&Document::new(text, language, Arc::default()), form("finetune"));
        let written = written.unwrap_or_else(|_| panic!("{name}"));
        for said in TEXTS.iter().filter(|said| source.contains(*said) && !written.text.contains(*said)) {
            unread.push(format!("{name}: {said}: {}", written.losses.words()));
        }
    }
    unread.sort();
    // The last record of Cursor CLI repeats the last message.
    assert_eq!(
        unread,
        [
            "cassette.json: Is the shed dry?: drops 2 texts that are not read",
            "cassette.json: It is dry.: drops 2 texts that are not read",
            "cursor-cli.jsonl: It is dry.: drops 1 error status",
        ]
    );
}

const SECOND: &str = "And the second text?";

/// The values that `value` becomes if one of its arrays gets a second text, beside one of
/// [`TEXTS`].
fn with_second_texts(value: &Value) -> Vec<Value> {
    let Value::Array(items) = value else {
        let members = value.as_object().into_iter().flatten();
        let changed = members.flat_map(|(key, member)| {
            let with = |changed| {
                let mut value = value.clone();
                value[key] = changed;
                value
            };
            with_second_texts(member).into_iter().map(with).collect::<Vec<_>>()
        });
        return changed.collect();
    };
    let mut all = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let inner = with_second_texts(item);
        let text = item.to_string();
        let said = TEXTS.iter().find(|said| text.contains(&format!("\"{said}\"")));
        if let Some(said) = said.filter(|_| inner.is_empty()) {
            let mut items = items.clone();
            items.insert(at + 1, serde_json::from_str(&text.replace(said, SECOND)).expect("JSON"));
            all.push(Value::Array(items));
        }
        for changed in inner {
            let mut items = items.clone();
            items[at] = changed;
            all.push(Value::Array(items));
        }
    }
    all
}

/// All texts of a list of parts are read.
#[test]
fn second_texts_of_all_families_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/families");
    let (mut count, mut lost) = (0, Vec::new());
    for file in std::fs::read_dir(folder).expect("the fixtures").map(|file| file.expect("a file").path()) {
        let text = std::fs::read_to_string(&file).expect("text");
        let (lines, language) = match file.extension().and_then(|it| it.to_str()) {
            Some("json") => (vec![&*text], Language::Json),
            Some("jsonl") => (text.lines().collect(), Language::Log),
            _ => continue,
        };
        for (at, line) in lines.iter().enumerate() {
            for changed in with_second_texts(&serde_json::from_str(line).expect("JSON")) {
                let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
                lines[at] = changed.to_string();
                let written = write_form(&open(&lines.join("\n"), language), form("finetune"));
                let is_read = written.is_ok_and(|written| written.text.contains(SECOND));
                count += 1;
                lost.extend((!is_read).then(|| format!("{file:?}: {changed}")));
            }
        }
    }
    assert_eq!(lost, [""; 0]);
    assert!(count > 100, "{count}");
}

#[test]
fn texts_under_flat_keys_are_losses() {
    let span = r#"{"attributes": {"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "Look", "llm.input_messages.1.message.role": "tool", "llm.input_messages.1.message.content": "x", "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "f"}}"#;
    let written = write_form(&open(&format!("{span}\n"), Language::Log), form("openai")).expect("a call");
    assert_eq!(written.losses.words(), "drops 1 text that is not read");
}

/// An answer follows the calls of its record, and a task has images.
#[test]
fn texts_stand_where_they_were_said() {
    let camel = r#"[{"user": "Look", "assistant": "Dry", "tool_calls": [{"tool_name": "f", "tool_call_id": "a", "args": {}, "result": "1"}]},
        {"user": "Thanks", "assistant": "Welcome", "tool_calls": []}]"#;
    check(
        camel,
        Language::Json,
        "openai",
        r#"{"messages":[{"role":"user","content":"Look"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"1"},{"role":"assistant","content":"Dry"},{"role":"user","content":"Thanks"},{"role":"assistant","content":"Welcome"}]}"#,
        "",
    );
    let cline = r#"[{"ts": 1, "type": "say", "say": "text", "text": "Look", "images": []},
        {"ts": 2, "type": "say", "say": "reasoning", "text": "Hm"},
        {"ts": 3, "type": "say", "say": "text", "text": "I look", "partial": false},
        {"ts": 4, "type": "ask", "ask": "command", "text": "ls"},
        {"ts": 5, "type": "say", "say": "user_feedback", "text": "Stop"},
        {"ts": 6, "type": "ask", "ask": "completion_result", "text": ""}]"#;
    check(
        cline,
        Language::Json,
        "openai",
        r#"{"messages":[{"role":"user","content":"Look"},{"role":"assistant","content":"I look","tool_calls":[{"id":"call_1","type":"function","function":{"name":"command","arguments":"ls"}}]},{"role":"user","content":"Stop"}]}"#,
        "drops 1 piece of reasoning",
    );
}

#[test]
fn a_message_that_its_record_repeats_is_read_once() {
    check(
        r#"{"role": "user", "content": "q"}
{"role": "agent", "kind": "message", "content": "a", "raw": {"type": "agent.message", "content": [{"type": "text", "text": "a"}]}}"#,
        Language::Log,
        "openai",
        r#"{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}"#,
        "",
    );
}

#[test]
fn records_of_xlam_are_conversations() {
    let record = |query: &str| {
        format!(
            r#"{{"query": {query}, "tools": "[]", "answers": "[{{\"name\": \"f\", \"arguments\": {{}}}}]"}}"#
        )
    };
    let first = r#"[{"role": "user", "content": "B"}, {"role": "agent", "content": "C"}, {"role": "tool", "content": "x"}]"#;
    let line = |query: &str, content: &str, id: usize| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"{query}"}},{{"role":"assistant","content":{content},"tool_calls":[{{"id":"call_{id}","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}}]}}"#
        ) + "\n"
    };
    let expected = [line("A", "null", 1), line("A", "null", 2), line("B", "\"C\"", 3)].concat();
    let records = [record("\"A\""), record("\"A\""), record(first)];
    let array = open(&format!("[{}]", records.join(", ")), Language::Json);
    let lines = open(&records.join("\n"), Language::Log);
    for document in [array, lines] {
        let written = write_form(&document, form("finetune")).expect("calls");
        assert_eq!(written.text, expected);
    }
}

#[test]
fn selected_versions_of_messages_are_a_conversation() {
    let chat = r#"{"messages": [
        {"versions": [{"type": "singleStep", "role": "user", "content": [{"type": "text", "text": "Old"}]},
            {"type": "singleStep", "role": "user", "content": [{"type": "text", "text": "New"}]}], "currentlySelected": 1},
        {"versions": [{"type": "multiStep", "role": "assistant", "steps": [{"type": "contentBlock", "content": [{"type": "text", "text": "A"}]}]},
            {"type": "multiStep", "role": "assistant", "steps": [{"type": "contentBlock", "content": [{"type": "toolCallRequest", "toolCallRequestId": "a", "name": "f", "parameters": {}}]}]}], "currentlySelected": 0}]}"#;
    check(
        chat,
        Language::Json,
        "openai",
        r#"{"messages":[{"role":"user","content":"New"},{"role":"assistant","content":"A"}]}"#,
        "drops 2 other versions of messages",
    );
}

#[test]
fn several_conversations_are_lines() {
    let lines =
        "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"assistant\",\"content\":\"b\"}]}\n";
    let document = open(&lines.repeat(2), Language::Log);
    let written = write_form(&document, form("finetune")).expect("conversations");
    assert_eq!((written.text, written.losses.words()), (lines.repeat(2), String::new()));
    assert_eq!(write_markdown(&document, dialect("fence")), Err(ChatError::Several(2)));
    assert_eq!(write_form(&open("", Language::Markdown), form("openai")), Err(ChatError::NoMessages));
}
