use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::config::Settings;
use crate::features::samples::cut_documents;
use crate::text::Text;

#[track_caller]
fn check(text: &str, language: Language, expected: &str) {
    assert_eq!(drawn(text, language), expected, "{text}");
}

/// Draws the transcript of `text`: a message begins with its role, texts are in quotes.
fn drawn(text: &str, language: Language) -> String {
    let document = Document::new(Text::new(text), language, Arc::new(Settings::default()));
    let mut drawn = String::new();
    let mut end = 0;
    for message in messages(&document) {
        assert!(end <= message.range.start, "messages stand in order");
        end = message.range.end;
        writeln!(drawn, "{:?} {}", message.role, message.name).unwrap();
        for item in &message.items {
            match item {
                MessagePart::Text(text, range) => {
                    assert!(range.start < range.end && range.end <= document.text().len());
                    writeln!(drawn, "{text:?}").unwrap();
                }
                MessagePart::Thinking(text, _) => writeln!(drawn, "~{text:?}").unwrap(),
                MessagePart::Tools(tools) => {
                    writeln!(drawn, "{}", tools.label).unwrap();
                    for tool in &tools.entries {
                        assert!(tool.range.start < tool.range.end && tool.range.end <= end);
                        writeln!(drawn, "{}", tool).unwrap();
                    }
                }
            }
        }
    }
    drawn
}

#[test]
fn messages_contain_text_and_batches() {
    check("", Language::Markdown, "");
    check("hi\n", Language::Markdown, "None \n\"hi\\n\"\n");
    check(
        "# Chat\n\nUser: **hi**\n\n### Assistant\n\nSee ###:{\"toolName\": \"a\"} there.\n\n> <tool>pwd()\n> /app</tool>\n>\n> ```tool\n> {}\n> ```\n\n## Sub\n\nDone.\n\n# Next\n",
        Language::Markdown,
        "None \n\"# Chat\\n\\n\"\nSome(User) User\n\"**hi**\\n\\n\"\nSome(Assistant) Assistant\n\"\\n\\nSee \"\n🔧 a() ⏳\n  a() ⏳\n\" there.\\n\\n\"\n\
         🔧 2 tool calls · 1 pending\n  pwd() → /app\n  tool() ⏳\n\"\\n\\n## Sub\\n\\nDone.\\n\\n\"\nNone \n\"# Next\\n\"\n",
    );
}

#[test]
fn details_around_calls_are_not_shown() {
    let part = |summary: &str, text: &str| {
        format!("<details>\n<summary>{summary}</summary>\n\n```json\n{text}\n```\n\n</details>\n\n")
    };
    let text = ["# Assistant\n\n", &part("Tool: <code>a</code>", "{}"), &part("Tool Result", "x")].concat();
    check(
        &text,
        Language::Markdown,
        "Some(Assistant) Assistant\n\"\\n\\n\"\n🔧 a() → x\n  a() → x\n\"\\n\\n\\n\\n\"\n",
    );
}

#[test]
fn separate_result_is_in_its_call() {
    check(
        "###: {\"toolName\": \"a\"}\n\nthen\n\n*🔧 Executed a: fine*\n\nend\n",
        Language::Markdown,
        "None \n🔧 a() → fine\n  a() → fine\n\"\\n\\nthen\\n\\n\\n\\nend\\n\"\n",
    );
}

/// Marks begin messages in transcripts of terminals: prompts in all of them, and answers except in
/// Codex, whose answers are below the prompts.
#[test]
fn messages_of_terminals() {
    check(
        include_str!("../../../tests/data/families/codex-terminal.md"),
        Language::Markdown,
        "Some(User) User\n\"Is the shed dry?\\n\\n\"\nSome(Assistant) Assistant\n\"• I look.\\n\\n\"\n\
         🔧 2 tool calls\n  Ran(cat shed.txt) → dry\n  Edited(shed.txt (+1 -0)     1     +dry)\n\
         \"\\n\\n• It is dry.\\n\"\n",
    );
    check(
        include_str!("../../../tests/data/families/gemini-terminal.md"),
        Language::Markdown,
        "Some(User) User\n\"Is the shed dry?\\n\\n\"\n🔧 2 tool calls · 1 failed\n  look(shed) → dry\n\
         \x20 ask(who=Ines) ✗ away\n\"\\n\"\nSome(Assistant) Assistant\n\"It is dry.\\n\"\n",
    );
}

#[test]
fn families_may_have_windows_line_ends_and_a_byte_order_mark() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/families");
    let mut others = Vec::new();
    for file in std::fs::read_dir(folder).expect("the fixtures").map(|file| file.expect("a file").path()) {
        let text = std::fs::read_to_string(&file).expect("text");
        let name = file.file_name().and_then(|name| name.to_str()).expect("a name");
        let language = Language::of("", name, &Text::new(&text));
        let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        let found = drawn(&windows, language).replace("\\r\\n", "\\n").replace("\\u{feff}", "");
        others.extend((found != drawn(&text, language)).then(|| name.to_owned()));
    }
    assert_eq!(others, [""; 0]);
}

/// A result beside the next call is shown with its own one.
#[test]
fn a_result_in_a_batch_belongs_to_an_earlier_call() {
    check(
        "Action: a\nAction Input: x\n\nthen\n\nObservation: fine\nAction: b\nAction Input: y\n\nend\n",
        Language::Markdown,
        "None \n🔧 a(x) → fine\n  a(x) → fine\n\"\\n\\nthen\\n\\n\"\n🔧 b(y) ⏳\n  b(y) ⏳\n\"\\n\\nend\\n\"\n",
    );
}

const LOG: &str = r#"{"type":"start"}
{"type":"text-delta","id":"t","delta":"Look: "}
{"type":"tool-call","toolCallId":"1","toolName":"a","input":{"p":1}}
{"type":"tool-call","toolCallId":"2","toolName":"b","input":{}}
{"type":"tool-result","toolCallId":"1","toolName":"a","output":"x"}
{"type":"text-delta","id":"t","delta":"so <tool>c()\nok</"}
{"type":"text-delta","id":"t","delta":"tool> it is"}
"#;

#[test]
fn log_is_one_message_with_batches() {
    let drawn = "\"Look: \"\n🔧 2 tool calls · 1 pending\n  a(p=1) → x\n  b() ⏳\n\"so \"\n🔧 c() → ok\n  c() → ok\n\" it is\"\n";
    check(LOG, Language::Log, &format!("Some(Assistant) \n{drawn}"));
    check("{\"type\":\"start\"}\n", Language::Log, "");
    let calls = LOG.lines().filter(|line| line.contains("tool-")).collect::<Vec<_>>().join("\n");
    check(&calls, Language::Log, "Some(Assistant) \n🔧 2 tool calls · 1 pending\n  a(p=1) → x\n  b() ⏳\n");
}

#[test]
fn fenced_log_shows_its_delta_text() {
    check(
        &format!("before\n\n```jsonl\n{LOG}```\n\nafter\n"),
        Language::Markdown,
        "None \n\"before\\n\\nLook: \"\n🔧 2 tool calls · 1 pending\n  a(p=1) → x\n  b() ⏳\n\"so <tool>c()\\nok</tool> it is\\n\\nafter\\n\"\n",
    );
    check(
        "```jsonl\n{\"a\": 1}\n```\n",
        Language::Markdown,
        "None \n\"```jsonl\\n{\\\"a\\\": 1}\\n```\\n\"\n",
    );
}

#[test]
fn message_log_is_a_chat() {
    check(
        r#"{"messages": [{"role": "user", "content": "Read **it**."},
            {"role": "assistant", "model": "m", "content": [
                {"type": "thinking", "thinking": "first"}, {"type": "text", "text": "Reading."},
                {"type": "tool_use", "id": "1", "name": "read", "input": {"p": 1}},
                {"type": "thinking", "thinking": "second"},
                {"type": "tool_use", "id": "2", "name": "stat", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "x"},
                {"type": "tool_result", "tool_use_id": "2", "content": "y"}]},
            {"role": "assistant", "model": "m", "content": [{"type": "image", "source": {"media_type": "image/png"}}]}]}"#,
        Language::Json,
        "Some(User) User\n\"Read **it**.\"\nSome(Assistant) Assistant · m\n~\"first\"\n\"Reading.\"\n~\"second\"\n\
         🔧 2 tool calls\n  read(p=1) → x\n  stat() → y\n\"[image: image/png]\"\n",
    );
}

#[test]
fn elements_in_messages_are_no_text() {
    check(
        r#"[{"role": "user", "content": "What?"}, {"role": "assistant", "content": "Let \u00e9 me.\n<tool_call>{\"name\": \"a\", \"arguments\": {}}</tool_call>\nand"},
            {"role": "user", "content": "<tool_response>x</tool_response>"}]"#,
        Language::Json,
        "Some(User) User\n\"What?\"\nSome(Assistant) Assistant\n\"Let é me.\\n\"\n🔧 a() → x\n  a() → x\n\"\\nand\"\n",
    );
}

/// Elements around calls, sections of calls and lists of calls, in Markdown and in a message.
#[test]
fn markup_around_calls_is_no_text() {
    let invoke = "<invoke name=\"a\">\n</invoke>";
    let kimi = "<|tool_call_begin|>a<|tool_call_argument_begin|>{}<|tool_call_end|>";
    let deepseek = "<｜tool▁call▁begin｜>a<｜tool▁sep｜>{}<｜tool▁call▁end｜>";
    let call = r#"{"name": "a", "arguments": {}}"#;
    for calls in [
        format!("<function_calls>\n{invoke}\n{invoke}\n</function_calls>"),
        "<tool_call>\n<function=a>{}</function>\n</tool_call>\n".repeat(2),
        format!("<minimax:tool_call>\n{invoke}\n{invoke}\n</minimax:tool_call>"),
        format!("<|tool_calls_section_begin|>{kimi}{kimi}<|tool_calls_section_end|>"),
        format!("<｜tool▁calls▁begin｜>{deepseek}\n{deepseek}<｜tool▁calls▁end｜>"),
        format!("[TOOL_CALLS][{call}, {call}]</s>"),
        format!("<TOOLCALL>[{call}, {call}]</TOOLCALL>"),
    ] {
        let two = "🔧 2 tool calls · 2 pending\n  a() ⏳\n  a() ⏳\n";
        let drawn = format!("Some(Assistant) Assistant\n\"Look.\\n\\n\"\n{two}\"\\n\\nAfter.");
        let said = format!("Look.\n\n{}\n\nAfter.", calls.trim_end());
        let markdown = format!("**Assistant:** {said}\n");
        check(&markdown, Language::Markdown, &format!("{drawn}\\n\"\n"));
        let quoted = crate::json::quote(&said).replace('｜', "\\uff5c");
        let json = format!("[{{\"role\": \"assistant\", \"content\": {quoted}}}]");
        check(&json, Language::Json, &format!("{drawn}\"\n"));
    }
}

#[test]
fn a_message_with_an_empty_role_is_shown() {
    check(
        r#"[{"role": "user", "content": "a"}, {"role": "", "content": "b"}]"#,
        Language::Json,
        "Some(User) User\n\"a\"\nSome(Other) Other\n\"b\"\n",
    );
}

#[test]
fn conversations_of_a_log_have_headings() {
    check(
        "{\"messages\": [{\"role\": \"user\", \"content\": \"a\"}, {\"role\": \"assistant\", \"tool_calls\": [{\"function\": {\"name\": \"f\", \"arguments\": \"{}\"}}]}]}\n\
         {\"messages\": [{\"role\": \"user\", \"content\": \"b\"}]}\n",
        Language::Log,
        "None \n\"# Conversation 1\\n\"\nSome(User) User\n\"a\"\nSome(Assistant) Assistant\n🔧 f() ⏳\n  f() ⏳\n\
         None \n\"# Conversation 2\\n\"\nSome(User) User\n\"b\"\n",
    );
}

/// A stream of the Responses API has each text in pieces, then as an item, and then in the answer.
#[test]
fn a_streamed_text_is_shown_once() {
    let (item, call) = (
        r#"{"type": "message", "id": "msg_0123456789abcdef", "role": "assistant", "content": [{"type": "output_text", "text": "a b a b"}]}"#,
        r#"{"type": "mcp_call", "id": "mcp_0123456789abcdef", "name": "f", "arguments": "{}", "output": "x"}"#,
    );
    let reasoning = r#"{"type": "reasoning", "id": "rs_0123456789abcdef", "summary": [{"type": "summary_text", "text": "so"}]}"#;
    let delta = |kind: &str, id: &str, piece: &str| {
        format!(
            "{{\"type\": \"response.{kind}.delta\", \"item_id\": \"{id}_0123456789abcdef\", \"delta\": \"{piece}\"}}\n"
        )
    };
    let done = |item: &str| format!("{{\"type\": \"response.output_item.done\", \"item\": {item}}}\n");
    let thoughts = ["s", "o"].map(|piece| delta("reasoning_summary_text", "rs", piece)).concat();
    let pieces = ["a", " b", " a", " b"].map(|piece| delta("output_text", "msg", piece)).concat();
    let cut = format!("{thoughts}{}{}{pieces}", done(reasoning), done(call));
    let end = format!(
        "{{\"type\": \"response.completed\", \"response\": {{\"output\": [{reasoning}, {call}, {item}]}}}}\n"
    );
    let shown = "Some(Assistant) Assistant\n~\"so\"\n🔧 f() → x\n  f() → x\n\"a b a b\"\n";
    for text in [&thoughts, &cut, &format!("{cut}{}", done(item)), &format!("{cut}{}{end}", done(item)), &end]
    {
        let is_short = text == &thoughts;
        let shown = if is_short { "Some(Assistant) Assistant\n~\"so\"\n" } else { shown };
        check(text, Language::Log, shown);
    }
}

/// The pieces of a message have its id.
#[test]
fn equal_pieces_of_a_text_are_shown() {
    let piece = |text: &str| {
        format!(
            "{{\"id\": \"chatcmpl-0123456789\", \"object\": \"chat.completion.chunk\", \"choices\": [{{\"delta\": {{\"content\": \"{text}\"}}}}]}}\n"
        )
    };
    let text = ["a", " b", " a", " b"].map(piece).concat();
    check(&text, Language::Log, "Some(Assistant) Assistant\n\"a b a b\"\n");
}

#[test]
fn other_authors_have_their_names_as_written() {
    let text = r#"[{"role": "user", "content": "Hi"}, {"role": "critic", "content": "bad"},
        {"role": "assistant", "content": "a"}, {"role": "observation-x", "content": [{"type": "text", "text": "b"}]},
        {"role": "assistant", "content": "c"}]"#;
    let shown = "Some(User) User\n\"Hi\"\nSome(Other) critic\n\"bad\"\nSome(Assistant) Assistant\n\"a\"\n\
        Some(Other) observation-x\n\"b\"\nSome(Assistant) Assistant\n\"c\"\n";
    check(text, Language::Json, shown);
}

#[test]
fn long_log_ends_with_a_note() {
    let text = format!(
        r#"[{{"role": "user", "content": "{}"}}, {{"role": "assistant", "content": "b"}}]"#,
        "a".repeat(200)
    );
    let document = Document::new(Text::new(&text), Language::Json, Arc::new(Settings::default()));
    let counts = |most: usize| -> Vec<usize> {
        messages_up_to(&document, most).iter().map(|message| message.items.len()).collect()
    };
    assert_eq!(counts(1000), [1, 1]);
    let shown = messages_up_to(&document, 100);
    let note = shown.last().and_then(|message| message.items.first());
    assert!(
        matches!(note, Some(MessagePart::Text(text, _)) if text.starts_with("*1 more message")),
        "{note:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Transcripts are complete and free of duplicates: messages follow each other up to the end,
    /// every tool use is in an entry, and text without fenced logs is the document's text.
    #[test]
    fn transcripts_are_complete((text, language) in cut_documents()) {
        let document = Document::new(Text::new(&text), language, Arc::new(Settings::default()));
        let messages = messages(&document);
        let mut end = 0;
        let mut entries = Vec::new();
        for message in &messages {
            prop_assert!(end <= message.range.start && message.range.end <= text.len());
            end = message.range.end;
            for item in &message.items {
                match item {
                    MessagePart::Tools(tools) => entries.extend(tools.entries.iter().map(|tool| tool.range.start)),
                    MessagePart::Text(content, range) if language == Language::Markdown && !text.contains("```json") => {
                        let written = &text[range.clone()];
                        prop_assert!(written == content || content.len() < written.len(), "{written:?} is drawn as {content:?}");
                    }
                    MessagePart::Text(..) | MessagePart::Thinking(..) => {}
                }
            }
        }
        entries.sort_unstable();
        entries.dedup();
        let mut uses: Vec<_> = document.tool_uses().iter().map(|tool_use| tool_use.range.start).collect();
        uses.dedup();
        if !text.contains("```jsonl") {
            prop_assert_eq!(entries, uses);
        }
        prop_assert!(messages.is_empty() || end == text.len());
    }
}
