use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::call::UseData;
use crate::dialect::DIALECTS;

mod families;
mod steps;
mod texts;
mod valid;

fn open(text: &str, language: Language) -> Document {
    Document::new(Text::new(text), language, Arc::new(Settings::default()))
}

fn form(name: &str) -> &'static ChatForm {
    CHAT_FORMS.iter().find(|form| form.name == name).expect("a form")
}

fn dialect(name: &str) -> &'static Dialect {
    DIALECTS.iter().find(|dialect| dialect.name == name).expect("a dialect")
}

/// Compares the compact text and the losses of a conversion to `to`.
#[track_caller]
fn check(text: &str, language: Language, to: &str, expected: &str, losses: &str) {
    let written = write_form(&open(text, language), form(to)).expect("a conversation");
    assert_eq!(laid_out(written.text.trim_end(), JsonLayout::Compact), expected);
    assert_eq!(written.losses.words(), losses);
}

const MARKDOWN: &str = "\
**System:**

Be brief.

**User:** List them

**Assistant:**

Looking.

```tool
{\"toolCallId\": \"a\", \"toolName\": \"ls\", \"input\": {\"p\": \"x\"}, \"output\": \"1\\n2\"}
```

```tool
{\"toolName\": \"rm\", \"errorText\": \"no\"}
```

Done.
";

#[test]
fn prompts_beside_the_messages_are_read() {
    let openai = r#"{"messages":[{"role":"system","content":"A\n\nB"},{"role":"user","content":"hi"},{"role":"assistant","content":"yo"}]}"#;
    for source in [
        r#"{"system": "A\n\nB", "messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yo"}]}"#,
        r#"{"system": [{"type": "text", "text": "A"}, {"type": "text", "text": "B"}], "messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yo"}]}"#,
        r#"{"systemInstruction": {"parts": [{"text": "A"}, {"text": "B"}]}, "contents": [{"role": "user", "parts": [{"text": "hi"}]}, {"role": "model", "parts": [{"text": "yo"}]}]}"#,
        r#"{"instructions": "A\n\nB", "input": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yo"}]}"#,
        r#"{"system": "A\n\nB", "conversations": [{"from": "human", "value": "hi"}, {"from": "gpt", "value": "yo"}]}"#,
    ] {
        check(source, Language::Json, "openai", openai, "");
    }
    // A request without messages has no conversation.
    let with =
        |prompt: &str, messages: &str| format!("{{\"system\": \"{prompt}\", \"messages\": [{messages}]}}\n");
    let messages = r#"{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yo"}"#;
    let log = with("B", "") + &with("A\\n\\nB", messages);
    check(&log, Language::Log, "finetune", openai, "");
}

#[test]
fn messages_that_are_not_read_are_losses() {
    let written = |message: &str| {
        let text = format!(
            r#"{{"messages": [{{"role": "user", "content": "hi"}}, {{"role": "assistant", "content": "a"}}, {message}]}}"#
        );
        write_form(&open(&text, Language::Json), form("openai")).expect("a conversation").losses.words()
    };
    for lost in [
        r#"{"role": "ipython", "content": "42"}"#,
        r#"{"role": "assistant", "content": null, "audio": {"transcript": "hello"}}"#,
        r#"{"role": "user", "content": [{"type": "video_url", "video_url": {"url": "u"}}]}"#,
    ] {
        assert_eq!(written(lost), "drops 1 message of an unknown form", "{lost}");
    }
    for empty in [
        r#"{"role": "assistant", "content": "yo"}"#,
        r#"{"role": "assistant", "content": null, "name": "a"}"#,
        r#"{"role": "assistant", "content": [{"type": "text", "text": ""}]}"#,
    ] {
        assert_eq!(written(empty), "", "{empty}");
    }
}

#[test]
fn what_is_no_json_is_a_loss() {
    let words = |text: &str, language| {
        write_form(&open(text, language), form("finetune")).expect("a conversation").losses.words()
    };
    let example =
        r#"{"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yo"}]}"#;
    let cut = example.replace("yo\"}]}", "y");
    assert_eq!(
        words(&format!("{example}\n{cut}\n{example}\n"), Language::Log),
        "reads around 1 syntax error"
    );
    assert_eq!(words(&example.replace("}, {", "} {"), Language::Json), "reads around 1 syntax error");
    assert_eq!(words(example, Language::Json), "");
}

#[test]
fn a_transcript_in_each_form() {
    let check = |to, expected, losses| check(MARKDOWN, Language::Markdown, to, expected, losses);
    let openai = r#"{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"List them"},{"role":"assistant","content":"Looking.","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{\"p\":\"x\"}"}},{"id":"call_2","type":"function","function":{"name":"rm","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"1\n2"},{"role":"tool","tool_call_id":"call_2","content":"no"},{"role":"assistant","content":"Done."}]}"#;
    check("openai", openai, "drops 1 error status");
    check("finetune", openai, "drops 1 error status");
    check(
        "anthropic",
        r#"{"system":"Be brief.","messages":[{"role":"user","content":"List them"},{"role":"assistant","content":[{"type":"text","text":"Looking."},{"type":"tool_use","id":"a","name":"ls","input":{"p":"x"}},{"type":"tool_use","id":"call_2","name":"rm","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1\n2"},{"type":"tool_result","tool_use_id":"call_2","content":"no","is_error":true}]},{"role":"assistant","content":[{"type":"text","text":"Done."}]}]}"#,
        "",
    );
    check(
        "ai-sdk",
        r#"[{"id":"msg-1","role":"system","parts":[{"type":"text","text":"Be brief."}]},{"id":"msg-2","role":"user","parts":[{"type":"text","text":"List them"}]},{"id":"msg-3","role":"assistant","parts":[{"type":"text","text":"Looking."},{"type":"tool-ls","toolCallId":"a","state":"output-available","input":{"p":"x"},"output":"1\n2"},{"type":"tool-rm","toolCallId":"call_2","state":"output-error","input":{},"errorText":"no"},{"type":"step-start"},{"type":"text","text":"Done."}]}]"#,
        "",
    );
    check(
        "responses",
        r#"[{"type":"message","role":"system","content":[{"type":"input_text","text":"Be brief."}]},{"type":"message","role":"user","content":[{"type":"input_text","text":"List them"}]},{"type":"message","role":"assistant","content":"Looking."},{"type":"function_call","call_id":"a","name":"ls","arguments":"{\"p\":\"x\"}"},{"type":"function_call","call_id":"call_2","name":"rm","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"1\n2"},{"type":"function_call_output","call_id":"call_2","output":"no"},{"type":"message","role":"assistant","content":"Done."}]"#,
        "drops 1 error status",
    );
    check(
        "sharegpt",
        r#"{"conversations":[{"from":"system","value":"Be brief."},{"from":"human","value":"List them"},{"from":"gpt","value":"Looking."},{"from":"function_call","value":"{\"name\":\"ls\",\"arguments\":{\"p\":\"x\"}}"},{"from":"observation","value":"1\n2"},{"from":"function_call","value":"{\"name\":\"rm\",\"arguments\":{}}"},{"from":"observation","value":"no"},{"from":"gpt","value":"Done."}]}"#,
        "drops 1 id and 1 error status",
    );
}

#[test]
fn a_log_as_markdown_and_back() {
    let log = open(MARKDOWN, Language::Markdown);
    let json = write_form(&log, form("anthropic")).expect("a conversation");
    let read = open(&json.text, Language::Json);
    let written = write_markdown(&read, dialect("fence")).expect("a transcript");
    assert_eq!(written.losses.words(), "");
    let text =
        "**System:**\n\nBe brief.\n\n**User:**\n\nList them\n\n**Assistant:**\n\nLooking.\n\n```tool\n";
    assert!(written.text.starts_with(text), "{}", written.text);
    let again = open(&written.text, Language::Markdown);
    assert_eq!(write_form(&again, form("anthropic")).expect("a conversation").text, json.text);
}

#[test]
fn losses_are_counted() {
    let log = r#"{"type":"summary","summary":"Title","leafUuid":"x"}
{"type":"user","message":{"role":"user","content":[{"type":"text","text":"See"},{"type":"image","source":{"type":"base64","data":"eA=="}}]}}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"thinking","thinking":"Hm"},{"type":"text","text":"So"}]}}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}}
{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"x","citations":[1]}]}]}}
"#;
    let written = write_form(&open(log, Language::Log), form("openai")).expect("a conversation");
    let losses =
        "changes 1 output; drops 1 piece of reasoning; drops 1 attachment; drops 1 text outside of messages";
    assert_eq!(written.losses.words(), losses);
    let late = r#"[{"role":"user","content":"x"},{"role":"assistant","content":"y"},{"role":"system","content":"z"}]"#;
    let written = write_form(&open(late, Language::Json), form("anthropic")).expect("a conversation");
    assert_eq!(written.losses.words(), "moves 1 system message");
    // The log of a sub-agent is a conversation of its own.
    let agent = log.replace("{\"type\":\"user\"", "{\"isSidechain\":true,\"type\":\"user\"");
    let written = write_form(&open(&agent, Language::Log), form("openai")).expect("a conversation");
    assert!(written.losses.omissions.outside > 1, "{}", written.losses.words());
    let agent = agent.replace("{\"type\":\"assistant\"", "{\"isSidechain\":true,\"type\":\"assistant\"");
    let agent = agent.replace("{\"type\":\"summary\",\"summary\":\"Title\",\"leafUuid\":\"x\"}\n", "");
    let written = write_form(&open(&agent, Language::Log), form("openai")).expect("a conversation");
    assert_eq!(written.losses.omissions.outside, 0);
    // Sequential calls stay sequential.
    let calls = r#"[{"role":"user","content":"x"},
        {"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"a","content":"1"},
        {"role":"assistant","tool_calls":[{"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"b","content":"2"}]"#;
    let written = write_form(&open(calls, Language::Json), form("openai")).expect("a conversation");
    assert_eq!(written.text.matches("\"assistant\"").count(), 2);
    assert_eq!(written.losses, ChatLosses::default());
}

#[test]
fn text_arguments_are_a_member_where_an_object_is_required() {
    let log = r#"[{"role":"user","content":"x"},
        {"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"python","arguments":"print(1)\nprint(1)"}}]},
        {"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"2"},{"type":"text","text":"\n"}]}]"#;
    check(
        log,
        Language::Json,
        "anthropic",
        r#"{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"python","input":{"input":"print(1)\nprint(1)"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"2\n\n"}]}]}"#,
        "changes 1 input",
    );
    let unnamed = Arc::new(Settings { is_named: false, ..Settings::default() });
    let document = Document::new(Text::new(log), Language::Json, unnamed);
    let tag = write_markdown(&document, dialect("tag")).expect("a transcript");
    assert!(tag.text.contains("<tool>python(print(1) print(1))\n2"), "{}", tag.text);
    let refused = write_markdown(&document, dialect("marker")).expect_err("no object");
    assert_eq!(
        refused.to_string(),
        "the call of `python` on line 2 cannot be written as a `###:` marker, which has no form for its name or input"
    );
}

const TOOLS: &str = r#"[{"type":"function","function":{"name":"write","description":"Writes 1.10","parameters":{"type":"object","properties":{"to":{"type":"string"}},"required":["to"]}}},{"type":"function","function":{"name":"read","parameters":{"type":"object"}}}]"#;
const SAID: &str = r#""messages":[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]"#;

/// Tools are kept in the form of the target, also without a call.
#[test]
fn listed_tools_are_kept() {
    let text = format!("{{{SAID},\"tools\":{TOOLS}}}");
    let check = |to, expected, losses| check(&text, Language::Json, to, expected, losses);
    check("openai", &text, "");
    check("finetune", &text, "");
    check(
        "anthropic",
        r#"{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"text","text":"y"}]}],"tools":[{"name":"write","description":"Writes 1.10","input_schema":{"type":"object","properties":{"to":{"type":"string"}},"required":["to"]}},{"name":"read","input_schema":{"type":"object"}}]}"#,
        "",
    );
    check(
        "sharegpt",
        r#"{"conversations":[{"from":"human","value":"x"},{"from":"gpt","value":"y"}],"tools":"[{\"name\":\"write\",\"description\":\"Writes 1.10\",\"parameters\":{\"type\":\"object\",\"properties\":{\"to\":{\"type\":\"string\"}},\"required\":[\"to\"]}},{\"name\":\"read\",\"parameters\":{\"type\":\"object\"}}]"}"#,
        "",
    );
    for to in ["anthropic", "sharegpt", "finetune"] {
        let written = write_form(&open(&text, Language::Json), form(to)).expect("a conversation");
        let language = if to == "finetune" { Language::Log } else { Language::Json };
        let back = write_form(&open(&written.text, language), form("openai")).expect("a conversation");
        assert_eq!(laid_out(back.text.trim_end(), JsonLayout::Compact), text, "{to}");
    }
}

/// Calls of one message that all wait stay together.
#[test]
fn pending_calls_stay_in_their_message() {
    let call = |id: &str| {
        format!(r#"{{"id":"{id}","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}"#)
    };
    let text = format!(
        r#"{{"messages":[{{"role":"user","content":"x"}},{{"role":"assistant","content":null,"tool_calls":[{},{}]}}]}}"#,
        call("a"),
        call("b")
    );
    check(&text, Language::Json, "openai", &text, "");
}

#[test]
fn listed_tools_that_a_form_cannot_express_are_lost() {
    let losses = |text: &str, language: Language, to: &str| {
        write_form(&open(text, language), form(to)).expect("a conversation").losses.words()
    };
    let text = format!("{{{SAID},\"tools\":{TOOLS}}}");
    assert_eq!(losses(&text, Language::Json, "ai-sdk"), "drops 2 tools");
    assert_eq!(losses(&text, Language::Json, "responses"), "drops 2 tools");
    let markdown = write_markdown(&open(&text, Language::Json), dialect("fence")).expect("a transcript");
    assert_eq!(markdown.losses.words(), "drops 2 tools");
    let others = r#"[{"type":"mcp","server_label":"s"},{"type":"bash_20250124","name":"bash"},{"name":"f","inputSchema":{},"outputSchema":{"type":"object"}}]"#;
    let text = format!("{{\"tools\":{others},{SAID}}}");
    assert_eq!(losses(&text, Language::Json, "anthropic"), "drops 2 tools; changes 1 tool");
    let options = r#"[{"type":"function","function":{"name":"f","parameters":{"type":"object"},"strict":true}},{"name":"g","input_schema":{"type":"object"},"cache_control":{"type":"ephemeral"},"strict":true}]"#;
    let text = format!("{{\"tools\":{options},{SAID}}}");
    let expected = "drops `cache_control` of 1 tool; drops `strict` of 2 tools";
    assert_eq!(losses(&text, Language::Json, "anthropic"), expected);
    assert_eq!(
        losses(&text.replace("\"strict\":true", "\"strict\":false"), Language::Json, "openai"),
        "drops `cache_control` of 1 tool"
    );
    for none in ["[]", "[\"Bash\"]", "{\"bash\":true}", "\"all\"", "null", "1"] {
        assert_eq!(losses(&format!("{{\"tools\":{none},{SAID}}}"), Language::Json, "ai-sdk"), "", "{none}");
    }
}

#[test]
fn conversations_keep_their_own_tools() {
    let tool = |name: &str| {
        format!(r#"[{{"type":"function","function":{{"name":"{name}","parameters":{{"type":"object"}}}}}}]"#)
    };
    let lines = [tool("f"), tool("g")].map(|tools| format!("{{{SAID},\"tools\":{tools}}}"));
    let text = format!("{}\n{{{SAID}}}\n{}", lines[0], lines[1]);
    let written = write_form(&open(&text, Language::Log), form("finetune")).expect("conversations");
    assert_eq!((written.text.trim_end(), written.losses), (&*text, ChatLosses::default()));
    let array = format!("[{}]", text.replace('\n', ",\n"));
    let written = write_form(&open(&array, Language::Json), form("finetune")).expect("conversations");
    assert_eq!(written.text.trim_end(), text);
    // The configuration's tools are not written.
    let mut registry = crate::registry::Registry::default();
    registry.add(&crate::registry::read_source(&tool("h"), "tools.json"));
    let settings = Settings { registry: Arc::new(registry), ..Settings::default() };
    let document = Document::new(Text::new(&text), Language::Log, Arc::new(settings));
    assert_eq!(write_form(&document, form("finetune")).expect("conversations").text.trim_end(), text);
}

#[test]
fn lists_of_other_forms_are_converted() {
    let openai = |list: &str| {
        let text = format!("{{{list},{SAID}}}");
        let written = write_form(&open(&text, Language::Json), form("openai")).expect("a conversation");
        assert_eq!(written.losses.words(), "", "{list}");
        let text = laid_out(written.text.trim_end(), JsonLayout::Compact);
        text.split_once("\"tools\":").expect("tools").1.to_owned()
    };
    let expected = r#"[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]}"#;
    for list in [
        r#""functions":[{"name":"f","parameters":{"type":"object"}}]"#,
        r#""toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}},{"cachePoint":{"type":"default"}}]}"#,
        r#""tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT"}}]}]"#,
        r#""tools":"[{\"name\":\"f\",\"parameters\":{\"type\":\"object\"}}]""#,
        r#""tools":{"f":{"inputSchema":{"type":"object"}}}"#,
        r#""tools":[{"name":"f","input_schema":{}},{"name":"f","input_schema":{"type":"object"}}]"#,
    ] {
        assert_eq!(openai(list), expected, "{list}");
    }
}

#[test]
fn what_only_servers_can_write_is_left_out() {
    let log = r#"[{"role":"user","content":"x"},{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"Hm"}]},
        {"type":"message","role":"assistant","content":"y"}]"#;
    check(
        log,
        Language::Json,
        "responses",
        r#"[{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]},{"type":"message","role":"assistant","content":"y"}]"#,
        "drops 1 piece of reasoning",
    );
}

#[test]
fn an_output_that_is_the_error_text_is_kept_as_that() {
    let log = r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","is_error":true,"content":[{"type":"text","text":"no"}]}]}]"#;
    check(
        log,
        Language::Json,
        "ai-sdk",
        r#"[{"id":"msg-1","role":"assistant","parts":[{"type":"tool-f","toolCallId":"a","state":"output-error","input":{},"errorText":"no"}]}]"#,
        "",
    );
}

/// States that the SDK does not know, or that contradict the rest of the part.
#[test]
fn states_follow_the_members() {
    let text = "**Assistant:**\n\n```tool\n{\"toolName\": \"f\", \"state\": \"done\"}\n```\n\n```tool\n{\"toolName\": \"g\", \"state\": \"input-available\", \"output\": 1}\n```\n";
    check(
        text,
        Language::Markdown,
        "ai-sdk",
        r#"[{"id":"msg-1","role":"assistant","parts":[{"type":"tool-f","toolCallId":"call_1","state":"input-available","input":{}},{"type":"tool-g","toolCallId":"call_2","state":"output-available","input":{},"output":1}]}]"#,
        "drops 1 `done` state and 1 `input-available` state",
    );
}

#[test]
fn new_ids_differ_from_written_ones() {
    let text = "**User:** x\n\n**Assistant:**\n\n```tool\n{\"toolName\": \"f\"}\n```\n\n```tool\n{\"toolCallId\": \"call_1\", \"toolName\": \"g\"}\n```\n";
    let written = write_form(&open(text, Language::Markdown), form("openai")).expect("a conversation");
    assert!(written.text.contains("\"id\": \"call_1_1\""), "{}", written.text);
    assert_eq!(written.losses, ChatLosses::default());
}

/// With one id in both, the second call would be a repetition of the first.
#[test]
fn equal_conversations_keep_their_calls() {
    let record = |answer: &str| {
        format!(
            r#"{{"conversations":[{{"from":"human","value":"Hi"}},{{"from":"function_call","value":"{{\"name\":\"f\",\"arguments\":{{}}}}"}},{{"from":"observation","value":"r"}},{{"from":"gpt","value":"{answer}"}}]}}"#
        )
    };
    let records = open(&format!("[{},{}]", record("A"), record("B")), Language::Json);
    for to in ["openai", "anthropic", "ai-sdk", "responses"] {
        let written = write_form(&records, form(to)).expect("conversations");
        for language in [Language::Json, Language::Log] {
            assert_eq!(open(&written.text, language).tool_uses().len(), 2, "{}", written.text);
        }
    }
}

/// Ids that return after their results, which Anthropic's servers reject.
#[test]
fn reused_ids_are_numbered_anew() {
    let pair = |input: &str, output: &str| {
        format!(
            r#"{{"role":"assistant","tool_calls":[{{"id":"a","type":"function","function":{{"name":"f","arguments":"{input}"}}}}]}},{{"role":"tool","tool_call_id":"a","content":"{output}"}}"#
        )
    };
    let user = r#"{"role":"user","content":"go"}"#;
    let (one, two) = (pair("{}", "Tom"), pair(r#"{\"x\":1}"#, "Kit"));
    let log = open(&format!("[{user},{one},{user},{two}]"), Language::Json);
    let written = ["anthropic", "openai", "ai-sdk", "responses"]
        .map(|to| write_form(&log, form(to)).expect("a conversation"));
    let markdown = write_markdown(&log, dialect("fence")).expect("a transcript");
    for written in written.iter().chain([&markdown]) {
        assert_eq!(written.losses, ChatLosses::default(), "{}", written.text);
        let language = if written.text.starts_with(['[', '{']) { Language::Json } else { Language::Markdown };
        let again = open(&written.text, language);
        let uses = again.tool_uses();
        let found: Vec<_> =
            uses.iter().map(|it| (it.id.as_deref(), it.output.as_ref().map(UseData::to_json))).collect();
        let output = |text: &str| Some(format!("\"{text}\""));
        assert_eq!(found, [(Some("a"), output("Tom")), (Some("a_1"), output("Kit"))], "{}", written.text);
        assert_eq!(again.diagnostics(), [], "{}", written.text);
    }
}

#[test]
fn text_that_reads_as_another_message_is_a_loss() {
    let log =
        r#"[{"role":"user","content":"Quote:\n\nAssistant: hi\n"},{"role":"assistant","content":"ok"}]"#;
    let written = write_markdown(&open(log, Language::Json), dialect("fence")).expect("a transcript");
    assert_ne!(written.losses.texts, 0);
    let log = r#"[{"role":"user","content":"<tool>a()</tool>"},{"role":"assistant","content":"ok"}]"#;
    assert_eq!(write_markdown(&open(log, Language::Json), dialect("fence")), Err(ChatError::Misread(None)));
}

/// A message as its role, its text, and its calls.
type AnyMessage = (bool, String, Vec<(String, Option<String>)>);

fn conversations() -> impl Strategy<Value = Vec<AnyMessage>> {
    let text = || "[a-zéß\"\\\\{}<>#*_`\\[\\]漢👩 ]{0,12}[a-z]";
    let call = (text(), proptest::option::of(text()));
    let message = (any::<bool>(), text(), proptest::collection::vec(call, 0..3));
    let speaks = |is_user: bool| (is_user, "x".to_owned(), Vec::new());
    // Without both a user and an assistant, it is no conversation.
    proptest::collection::vec(message, 0..5)
        .prop_map(move |messages| [vec![speaks(true)], messages, vec![speaks(false)]].concat())
}

/// The messages as UI messages of the AI SDK, which every form can express.
fn ui_messages(messages: &[AnyMessage]) -> String {
    let quote = crate::json::quote;
    let mut id = 0;
    let mut written = Vec::new();
    for (is_user, text, calls) in messages {
        let mut parts = vec![format!("{{\"type\":\"text\",\"text\":{}}}", quote(text))];
        for (input, output) in calls.iter().filter(|_| !is_user) {
            id += 1;
            let input = format!("{{\"p\":{}}}", quote(input));
            let (state, output) = match output {
                Some(output) => ("output-available", format!(",\"output\":{}", quote(output))),
                None => ("input-available", String::new()),
            };
            parts.push(format!(
                "{{\"type\":\"tool-f\",\"toolCallId\":\"c{id}\",\"state\":\"{state}\",\"input\":{input}{output}}}"
            ));
        }
        let role = if *is_user { "user" } else { "assistant" };
        written.push(format!("{{\"id\":\"m\",\"role\":\"{role}\",\"parts\":[{}]}}", parts.join(",")));
    }
    format!("[{}]", written.join(",\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Data that no loss names come back equal, from each form.
    #[test]
    fn forms_come_back(messages in conversations()) {
        let document = open(&ui_messages(&messages), Language::Json);
        let settings = Settings { is_named: true, ..Settings::default() };
        let first = write_form(&document, form("ai-sdk")).expect("a conversation");
        prop_assert_eq!(first.losses.words(), "");
        for to in ["openai", "anthropic", "responses", "finetune"] {
            let written = write_form(&document, form(to)).expect("a conversation");
            prop_assert_eq!(written.losses.words(), "", "{}", written.text);
            let language = if to == "finetune" { Language::Log } else { Language::Json };
            let again = Document::new(Text::new(&written.text), language, Arc::new(settings.clone()));
            prop_assert_eq!(&write_form(&again, form("ai-sdk")).expect("a conversation").text, &first.text);
        }
    }
}
