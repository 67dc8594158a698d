use super::*;
use crate::config::Settings;
use crate::registry::{Registry, read_source};
use crate::text::Text;

const MARKDOWN: &str = "\
**System:**

Be brief.

**User:** Weather in Rome?

**Assistant:** I look.

```tool
{\"toolCallId\": \"a\", \"toolName\": \"getWeather\", \"input\": {\"city\": \"Rome\"}, \"output\": {\"t\": 1.10}}
```

It is cold.

**User:** And Oslo?
";

const TOOL: &str = r#"[{"name": "getWeather", "description": "Weather", "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}]"#;

fn open(text: &str, language: Language) -> Document {
    let mut registry = Registry::default();
    registry.add(&read_source(TOOL, "tools.json"));
    let settings = Settings { registry: Arc::new(registry), ..Settings::default() };
    Document::new(Text::new(text), language, Arc::new(settings))
}

fn form(name: &str) -> &'static RequestForm {
    REQUEST_FORMS.iter().find(|form| form.name == name).expect("a form")
}

#[track_caller]
fn check(document: &Document, to: &str, options: &RequestOptions, expected: &str) -> WrittenRequest {
    let written = write_request(document, form(to), options).expect("a request");
    assert_eq!(laid_out(written.text.trim_end(), JsonLayout::Compact), expected);
    written
}

#[test]
fn requests_contain_messages_tools_and_model() {
    let document = open(MARKDOWN, Language::Markdown);
    let options = RequestOptions { model: Some("m".to_owned()), stream: true, ..RequestOptions::default() };
    check(
        &document,
        "openai",
        &options,
        r#"{"model":"m","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Weather in Rome?"},{"role":"assistant","content":"I look.","tool_calls":[{"id":"a","type":"function","function":{"name":"getWeather","arguments":"{\"city\":\"Rome\"}"}}]},{"role":"tool","tool_call_id":"a","content":"{\"t\":1.10}"},{"role":"assistant","content":"It is cold."},{"role":"user","content":"And Oslo?"}],"tools":[{"type":"function","function":{"name":"getWeather","description":"Weather","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}],"stream":true}"#,
    );
    check(
        &document,
        "anthropic",
        &options,
        r#"{"model":"m","max_tokens":4096,"system":"Be brief.","messages":[{"role":"user","content":"Weather in Rome?"},{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"a","name":"getWeather","input":{"city":"Rome"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"{\"t\":1.10}"}]},{"role":"assistant","content":[{"type":"text","text":"It is cold."}]},{"role":"user","content":"And Oslo?"}],"tools":[{"name":"getWeather","description":"Weather","input_schema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}],"stream":true}"#,
    );
    let written = check(
        &document,
        "chat-wrapper",
        &options,
        r####"{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Weather in Rome?"},{"role":"assistant","content":"I look.\n\n###:{\"toolName\":\"getWeather\",\"parameters\":{\"city\":\"Rome\"}}"},{"role":"user","content":"Result of getWeather: {\"t\":1.10}"},{"role":"assistant","content":"It is cold."},{"role":"user","content":"And Oslo?"}],"promptPath":"briefPlanner","media":[],"toolClients":[{"name":"getWeather","description":"Weather","parameters":[{"name":"city","type":"string","description":"","isRequired":true,"schema":{"type":"string"}}]}]}"####,
    );
    assert_eq!(
        (written.messages, written.pending, &written.tools[..]),
        (4, 0, &["getWeather".to_owned()][..])
    );
}

#[test]
fn a_request_ends_at_the_cursor() {
    let document = open(MARKDOWN, Language::Markdown);
    let at = |text: &str| RequestOptions { at: MARKDOWN.find(text), ..RequestOptions::default() };
    check(
        &document,
        "ai-sdk",
        &at("Weather in"),
        r#"{"id":"chat","messages":[{"id":"msg-1","role":"system","parts":[{"type":"text","text":"Be brief."}]},{"id":"msg-2","role":"user","parts":[{"type":"text","text":"Weather in Rome?"}]}],"trigger":"submit-message"}"#,
    );
    check(
        &document,
        "ai-sdk",
        &at("\"Rome\""),
        r#"{"id":"chat","messages":[{"id":"msg-1","role":"system","parts":[{"type":"text","text":"Be brief."}]},{"id":"msg-2","role":"user","parts":[{"type":"text","text":"Weather in Rome?"}]},{"id":"msg-3","role":"assistant","parts":[{"type":"text","text":"I look."},{"type":"tool-getWeather","toolCallId":"a","state":"output-available","input":{"city":"Rome"},"output":{"t":1.10}}]}],"trigger":"submit-message"}"#,
    );
}

const LOG: &str = r#"{"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}],"messages":[{"role":"user","content":"A"},{"role":"assistant","tool_calls":[{"id":"x","type":"function","function":{"name":"f","arguments":"{\"n\":12345678901234567890.10}"}}]},{"role":"tool","tool_call_id":"x","content":"r"}]}
{"messages":[{"role":"user","content":"B"},{"role":"assistant","tool_calls":[{"id":"x","type":"function","function":{"name":"getWeather","arguments":"{}"}}]}]}
"#;

#[test]
fn the_conversation_at_the_cursor_has_its_own_tools() {
    let document = open(LOG, Language::Log);
    let refused = write_request(&document, form("openai"), &RequestOptions::default());
    assert_eq!(refused, Err(ChatError::Several(2)));
    let first = RequestOptions { at: LOG.find("\\\"n"), ..RequestOptions::default() };
    // The result belongs to the call, although it stands after the cursor.
    check(
        &document,
        "openai",
        &first,
        r#"{"messages":[{"role":"user","content":"A"},{"role":"assistant","content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"f","arguments":"{\"n\":12345678901234567890.10}"}}]},{"role":"tool","tool_call_id":"x","content":"r"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]}"#,
    );
    let second = RequestOptions { at: Some(LOG.len()), ..RequestOptions::default() };
    let written = write_request(&document, form("anthropic"), &second).expect("a request");
    assert_eq!(
        (written.messages, written.pending, &written.tools[..]),
        (2, 1, &["getWeather".to_owned()][..])
    );
}

#[test]
fn tools_of_servers_are_missed_in_requests() {
    let tools = r#"{"tools":[{"type":"web_search_20250305","name":"web_search"},{"name":"f","input_schema":{"type":"object"}}],"#;
    let messages = r#""messages":[{"role":"user","content":"A"},{"role":"assistant","content":"B"}]}"#;
    let document = open(&format!("{tools}{messages}"), Language::Json);
    let options = RequestOptions { model: Some("m".to_owned()), ..RequestOptions::default() };
    for (to, expected) in [("openai", &["the request drops 1 tool"][..]), ("ai-sdk", &[])] {
        let written = write_request(&document, form(to), &options).expect("a request");
        assert_eq!(written.tools, ["f"], "{to}");
        assert_eq!(written.warnings(form(to), &options), expected, "{to}");
    }
}

#[test]
fn warnings_say_what_is_missing() {
    let check = |text: &str, to: &str, expected: &[&str]| {
        let document = open(text, Language::Markdown);
        let options = RequestOptions { model: Some("m".to_owned()), ..RequestOptions::default() };
        let written = write_request(&document, form(to), &options).expect("a request");
        assert_eq!(written.warnings(form(to), &options), expected);
    };
    check("**User:** Hi\n", "openai", &[]);
    let pending = "**User:** Hi\n\n```tool\n{\"toolName\": \"f\"}\n```\n";
    check(pending, "anthropic", &["1 call has no result, which servers reject"]);
    let number = pending.replace("\"}", "\", \"output\": 1}");
    check(&number, "openai", &[]);
    // A title belongs to no message; each turn of a conversation would warn of it.
    check("# Notes\n\n**User:** Hi\n", "openai", &[]);
    for text in ["Notes", "# Notes\nof a day"] {
        let warning = "the request drops 1 text outside of messages";
        check(&format!("{text}\n\n**User:** Hi\n"), "openai", &[warning]);
    }
}

#[test]
fn documents_without_messages_make_no_request() {
    for (text, language) in [("# A page\n", Language::Markdown), ("", Language::Json), ("{}", Language::Log)]
    {
        let settings = Settings { is_named: false, ..Settings::default() };
        let document = Document::new(Text::new(text), language, Arc::new(settings));
        let request = write_request(&document, form("openai"), &RequestOptions::default());
        assert_eq!(request, Err(ChatError::NoMessages), "{text}");
    }
}

#[test]
fn members_of_the_chat_shell_are_passed_through() {
    const CALL: &str = r#"{"role":"assistant","tool_calls":[{"id":"x","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"x","content":"r"}"#;
    const WRITTEN: &str = r####"{"role":"assistant","content":"###:{\"toolName\":\"f\",\"parameters\":{}}"},{"role":"user","content":"Result of f: r"}"####;
    let members = r#""promptPath":"own","conversationUuid":"c-1","todos":[{"n":123456789012345678901234567890}],"briefs":{"a":1e400},"media":["m"],"toolClients":[{"name":"f","description":"d","parameters":[{"name":"p","type":"string","description":"","isRequired":true,"schema":{"type":"string","description":""}}]}]"#;
    let document = open(&format!("{{\"messages\":[{CALL}],{members}}}"), Language::Json);
    let expected = format!("{{\"messages\":[{WRITTEN}],{members}}}");
    check(&document, "chat-wrapper", &RequestOptions::default(), &expected);
    // Each line has its own; without any, there are the defaults.
    let lines = format!("{{\"messages\":[{CALL}],\"todos\":[1]}}\n{{\"messages\":[{CALL}]}}\n");
    let document = open(&lines, Language::Log);
    let tools = r#""toolClients":[{"name":"getWeather","description":"Weather","parameters":[{"name":"city","type":"string","description":"","isRequired":true,"schema":{"type":"string"}}]}]"#;
    for (at, members) in [
        (lines.find("]}\n"), r#""promptPath":"briefPlanner","todos":[1],"media":[]"#),
        (lines.rfind("]}\n"), r#""promptPath":"briefPlanner","media":[]"#),
    ] {
        let expected = format!("{{\"messages\":[{WRITTEN}],{members},{tools}}}");
        check(&document, "chat-wrapper", &RequestOptions { at, ..RequestOptions::default() }, &expected);
    }
}

/// A request in the document names its model.
#[test]
fn the_model_of_a_request_is_kept() {
    let body = r#"{"model": "claude-x", "max_tokens": 100, "messages": [{"role": "user", "content": "Hi"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x"}]}]}"#;
    let document = open(body, Language::Json);
    let written =
        |to: &str, options: &RequestOptions| write_request(&document, form(to), options).expect("a request");
    let options = RequestOptions::default();
    let own = written("anthropic", &options);
    assert!(own.text.contains("\"claude-x\"") && own.text.contains("\"max_tokens\": 100"), "{}", own.text);
    assert_eq!(own.warnings(form("anthropic"), &options), [""; 0]);
    let given = RequestOptions { model: Some("m".to_owned()), ..RequestOptions::default() };
    assert!(written("anthropic", &given).text.contains("\"model\": \"m\""));
    // Another server has other models.
    let other = written("openai", &options);
    assert!(!other.text.contains("claude-x") && !other.warnings(form("openai"), &options).is_empty());
}
