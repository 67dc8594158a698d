//! Fixtures of outcomes: the text, and the text after the result of its first call.

use super::*;
use crate::config::Settings;
use crate::document::Language;
use crate::features::samples::{SAMPLES, small};
use crate::text::Text;

mod places;
mod templates;

fn open(text: &str, language: Language) -> Document {
    Document::new(Text::new(text), language, small(&Settings::default()))
}

fn language_of(text: &str) -> Language {
    match text.chars().next() {
        Some('{') if text.lines().count() > 1 && text.lines().all(|line| line.starts_with('{')) => {
            Language::Log
        }
        Some('{') | Some('[') => Language::Json,
        Some('d') => Language::Log,
        _ => Language::Markdown,
    }
}

fn text_of(document: &Document) -> String {
    document.text().to_string()
}

/// `document` after `outcome` of its call at `index`.
fn written(document: &Document, index: usize, outcome: &UseOutcome) -> Result<Document, UnwrittenOutcome> {
    let anchor = CallAnchor::of(&document.tool_uses(), index).expect("a call");
    let edits = outcome_edits(document, &anchor, outcome)?;
    Ok(if edits.is_empty() { document.clone() } else { document.edited(&edits) })
}

fn output(text: &str) -> UseOutcome {
    UseOutcome::Output(UseData::Text(text.to_owned()))
}

fn json(text: &str) -> UseOutcome {
    UseOutcome::Output(UseData::Json(text.to_owned()))
}

fn error(text: &str) -> UseOutcome {
    UseOutcome::Error(text.to_owned())
}

/// Writes `outcome` for the first call; writing it again changes nothing.
#[track_caller]
fn check(text: &str, outcome: &UseOutcome, expected: &str) {
    let document = open(text, language_of(text));
    let after = written(&document, 0, outcome).expect("a result");
    assert_eq!(text_of(&after), expected);
    let again = written(&after, 0, outcome).expect("a result");
    assert_eq!(text_of(&again), expected, "again");
}

#[test]
fn a_comma_in_a_result_is_no_end_of_a_member() {
    let call = "  \"toolName\": \"f\",\n  \"input\": {\n    \"p\": 1\n  }";
    for (before, after) in [
        (format!("{{\n{call}\n}}"), format!("{{\n{call},\n  \"output\": \"Tom, Kitty\"\n}}")),
        (
            "{ \"toolName\": \"f\",\n  \"input\": {} }".to_owned(),
            "{ \"toolName\": \"f\",\n  \"input\": {},\n  \"output\": \"Tom, Kitty\" }".to_owned(),
        ),
        (
            "{ \"toolName\": \"f\", \"input\": {} }".to_owned(),
            "{ \"toolName\": \"f\", \"input\": {}, \"output\": \"Tom, Kitty\" }".to_owned(),
        ),
    ] {
        let fence = |object: &str| format!("```tool\n{object}\n```\n");
        check(&fence(&before), &output("Tom, Kitty"), &fence(&after));
    }
}

#[test]
fn results_are_replaced() {
    check(
        "```tool\n{\"toolName\":\"a\",\"state\":\"output-available\",\"output\":1, \"x\":2}\n```\n",
        &json("[2]"),
        "```tool\n{\"toolName\":\"a\",\"state\":\"output-available\",\"output\":[2], \"x\":2}\n```\n",
    );
    check(
        "```tool\n{\"toolName\":\"a\",\"state\":\"output-available\",\"output\":1}\n```\n",
        &error("no"),
        "```tool\n{\"toolName\":\"a\",\"state\":\"output-error\",\"errorText\":\"no\"}\n```\n",
    );
    check(
        "> ```tool\n> {\n>   \"toolName\": \"a\",\n>   \"output\": {\n>     \"b\": 1\n>   }\n> }\n> ```\n",
        &json("{\"b\":2}"),
        "> ```tool\n> {\n>   \"toolName\": \"a\",\n>   \"output\": {\n>     \"b\": 2\n>   }\n> }\n> ```\n",
    );
    // Equal values may be written in any way.
    check(
        "```tool\n{\"toolName\":\"a\",\"output\":{ \"b\": 1.0, \"c\": 2 }}\n```\n",
        &json("{\"c\":2,\"b\":1.0}"),
        "```tool\n{\"toolName\":\"a\",\"output\":{ \"b\": 1.0, \"c\": 2 }}\n```\n",
    );
    check(
        "> <tool>a()\r\n> one\r\n> two</tool> x\r\n",
        &output("<3>"),
        "> <tool>a()\r\n> &lt;3&gt;</tool> x\r\n",
    );
    check(
        "<tool>a()</tool>\n\n<validation>a\none</validation>\n",
        &output("2"),
        "<tool>a()</tool>\n\n<validation>a\n2</validation>\n",
    );
    check(
        "###: {\"toolName\": \"a\"}\n\ntext\n\n*🔧 Executed a: one*\n\nend\n",
        &output("two"),
        "###: {\"toolName\": \"a\"}\n\ntext\n\n*🔧 Executed a: two*\n\nend\n",
    );
    check(
        "<tool_call>{\"name\": \"a\", \"arguments\": {}}</tool_call>\n<tool_response>\n{\"name\": \"a\", \"content\": 1}\n</tool_response>\n",
        &json("2"),
        "<tool_call>{\"name\": \"a\", \"arguments\": {}}</tool_call>\n<tool_response>\n{\"name\": \"a\", \"content\": 2}\n</tool_response>\n",
    );
}

#[test]
fn results_of_streams_are_replaced() {
    let call = r#"{"type":"tool-call","toolCallId":"c","toolName":"a","input":{}}"#;
    let other = r#"{"type":"text-delta","id":"t","text":"x"}"#;
    let result =
        |value: &str| format!(r#"{{"type":"tool-result","toolCallId":"c","toolName":"a","output":{value}}}"#);
    let log = |value: &str| format!("{call}\n{other}\n{}\n", result(value));
    check(&log("1"), &json("2"), &log("2"));
    let failed = r#"{"type":"tool-error","toolCallId":"c","toolName":"a","error":"no"}"#;
    check(&log("1"), &error("no"), &format!("{call}\n{other}\n{failed}\n"));
    check(
        &format!("> ```jsonl\n> {call}\n> {}\n> ```\n", result("1")),
        &json("2"),
        &format!("> ```jsonl\n> {call}\n> {}\n> ```\n", result("2")),
    );
    let call =
        "data: {\"type\":\"tool-input-available\",\"toolCallId\":\"c\",\"toolName\":\"a\",\"input\":{}}\n\n";
    let result = |value: &str| {
        format!(
            "{call}data: {{\"type\":\"tool-output-available\",\"toolCallId\":\"c\",\"output\":{value}}}\n\n"
        )
    };
    check(&result("1"), &json("2"), &result("2"));
}

const ANTHROPIC_CALLS: &str = r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"f","input":{"x":1}}]}"#;

#[test]
fn results_are_added_to_message_logs() {
    let user = r#"{"role":"user","content":"go"}"#;
    let request = |messages: &str| format!("{{\"messages\":[\n  {user},\n  {messages}\n]}}\n");
    let answer =
        |id: &str, text: &str| format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"{text}"}}"#);
    let one = format!("{ANTHROPIC_CALLS},\n  {{\"role\":\"user\",\"content\":[{}]}}", answer("a", "1"));
    check(&request(ANTHROPIC_CALLS), &output("1"), &request(&one));
    // The second result stands after the first one.
    let document = open(&request(&one), Language::Json);
    let both = format!(
        "{ANTHROPIC_CALLS},\n  {{\"role\":\"user\",\"content\":[{}, {}]}}",
        answer("a", "1"),
        answer("b", "2")
    );
    assert_eq!(text_of(&written(&document, 1, &output("2")).expect("a result")), request(&both));
    let failed = r#"{"type":"tool_result","tool_use_id":"a","content":"no","is_error":true}"#;
    check(&request(&one), &error("no"), &request(&one.replace(&answer("a", "1"), failed)));
    check(
        &request(&one.replace(&answer("a", "1"), failed)),
        &output("1"),
        &request(&one.replace(
            &answer("a", "1"),
            r#"{"type":"tool_result","tool_use_id":"a","content":"1","is_error":false}"#,
        )),
    );

    let call = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}]}"#;
    let answer =
        |id: &str, text: &str| format!(r#"{{"role":"tool","tool_call_id":"{id}","content":"{text}"}}"#);
    let one = format!("{call},\n  {}", answer("a", r#"{\"x\":1}"#));
    check(&request(call), &json(r#"{"x":1}"#), &request(&one));
    let document = open(&request(&one), Language::Json);
    let both = format!("{one},\n  {}", answer("b", "2"));
    assert_eq!(text_of(&written(&document, 1, &json("2")).expect("a result")), request(&both));
    check(&request(&one), &output("3"), &request(&format!("{call},\n  {}", answer("a", "3"))));

    let call = r#"{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}"#;
    let answer =
        |text: &str| format!(r#"{call},{{"type":"function_call_output","call_id":"a","output":"{text}"}}"#);
    let items = |items: &str| format!(r#"[{{"type":"message","role":"user","content":"go"}},{items}]"#);
    check(&items(call), &output("1"), &items(&answer("1")));
    check(&items(&answer("1")), &output("2"), &items(&answer("2")));
}

#[test]
fn results_are_added_to_sessions() {
    let line = |kind: &str, id: &str, parent: &str, message: &str| {
        format!(r#"{{"type":"{kind}","uuid":"{id}","parentUuid":"{parent}","message":{message}}}"#)
    };
    let log = format!(
        "{}\n{}\n",
        line("user", "u1", "u0", r#"{"role":"user","content":"go"}"#),
        line("assistant", "u2", "u1", ANTHROPIC_CALLS)
    );
    let document = open(&log, Language::Log);
    let one = written(&document, 0, &output("1")).expect("a result");
    let both = written(&one, 1, &output("2")).expect("a result");
    let text = text_of(&both);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert!(text.starts_with(&log), "the lines before are unchanged");
    assert!(
        lines[2].contains(r#""tool_use_id":"a","content":"1""#) && lines[2].contains(r#""parentUuid":"u2""#),
        "{text}"
    );
    assert!(lines[3].contains(r#""tool_use_id":"b","content":"2""#), "{text}");
    assert!(both.tool_uses().iter().all(|it| it.status == UseStatus::Done));
}

#[test]
fn calls_are_found_after_edits() {
    let text = "<tool>a()</tool>\n\n<tool>b()</tool>\n\n<tool>a()</tool>\n";
    let uses = open(text, Language::Markdown).tool_uses();
    let anchor = CallAnchor::of(&uses, 2).expect("a call");
    let check = |text: &str, expected: Result<&str, UnwrittenOutcome>| {
        let document = open(text, Language::Markdown);
        let edits = outcome_edits(&document, &anchor, &output("x"));
        assert_eq!(edits.map(|edits| text_of(&document.edited(&edits))), expected.map(str::to_owned));
    };
    check(
        &format!("# New\n\n{text}"),
        Ok("# New\n\n<tool>a()</tool>\n\n<tool>b()</tool>\n\n<tool>a()\nx</tool>\n"),
    );
    // Another one ran meanwhile.
    check(
        &text.replace("<tool>b()", "<tool>b()\ny"),
        Ok("<tool>a()</tool>\n\n<tool>b()\ny</tool>\n\n<tool>a()\nx</tool>\n"),
    );
    check("<tool>a()</tool>\n", Err(UnwrittenOutcome::CallChanged));
    check(&text.replace("a()", "a(x=1)"), Err(UnwrittenOutcome::CallChanged));
}

#[test]
fn results_of_others_are_not_overwritten() {
    let check = |before: &str, meanwhile: &str, expected: Result<&str, UnwrittenOutcome>| {
        let anchor = CallAnchor::of(&open(before, Language::Markdown).tool_uses(), 0).expect("a call");
        let document = open(meanwhile, Language::Markdown);
        let write = |anchor: &CallAnchor| {
            outcome_edits(&document, anchor, &output("2")).map(|edits| text_of(&document.edited(&edits)))
        };
        assert_eq!(write(&anchor), expected.clone().map(str::to_owned));
        assert_eq!(anchor.find_unchanged(&document.tool_uses()).err(), expected.err());
        assert_eq!(write(&anchor.with_any_result()).as_deref(), Ok("<tool>a()\n2</tool>\n"));
    };
    let replaced = Ok("<tool>a()\n2</tool>\n");
    check("<tool>a()</tool>\n", "<tool>a()</tool>\n", replaced.clone());
    check("<tool>a()\n1</tool>\n", "<tool>a()\n1</tool>\n", replaced);
    let changed = Err(UnwrittenOutcome::ResultChanged);
    check("<tool>a()</tool>\n", "<tool>a()\n1</tool>\n", changed.clone());
    check("<tool>a()\n1</tool>\n", "<tool>a()\n3</tool>\n", changed.clone());
    check("<tool>a()\n1</tool>\n", "<tool>a()</tool>\n", changed);
}

#[test]
fn results_are_parts_of_gemini() {
    let user = r#"{"role":"user","parts":[{"text":"go"}]}"#;
    let call = r#"{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}},{"functionCall":{"id":"b","name":"g","args":{"x":1}}}]}"#;
    let request = |messages: &str| format!("{{\"contents\":[\n  {user},\n  {call}{messages}\n]}}\n");
    let part = |member: &str| format!(r#"{{"functionResponse":{{"name":"f","response":{member}}}}}"#);
    let answer = |parts: &str| format!(",\n  {{\"role\":\"user\",\"parts\":[{parts}]}}");
    let one = |member: &str| request(&answer(&part(member)));
    check(&request(""), &output("1"), &one(r#"{"output":"1"}"#));
    check(&request(""), &json(r#"{"x":1}"#), &one(r#"{"x":1}"#));
    check(&request(""), &json(r#"{"output":1}"#), &one(r#"{"output":{"output":1}}"#));
    check(&request(""), &json("[1]"), &one(r#"{"output":[1]}"#));
    check(&one(r#"{"x":1}"#), &error("no"), &one(r#"{"error":"no"}"#));
    let document = open(&one(r#"{"x":1}"#), Language::Json);
    let both = answer(&format!(
        r#"{}, {{"functionResponse":{{"id":"b","name":"g","response":{{"output":"2"}}}}}}"#,
        part(r#"{"x":1}"#)
    ));
    assert_eq!(text_of(&written(&document, 1, &output("2")).expect("a result")), request(&both));
    let snake = |text: &str| {
        text.replace("functionCall", "function_call").replace("functionResponse", "function_response")
    };
    check(&snake(&request("")), &output("1"), &snake(&one(r#"{"output":"1"}"#)));
    check(
        &format!("{user}\n{call}\n"),
        &output("1"),
        &format!(
            "{user}\n{call}\n{}\n",
            answer(&part(r#"{"output":"1"}"#)).trim_start_matches(",\n ").trim_start()
        ),
    );
}

#[test]
fn results_are_parts_of_ai_sdk_messages() {
    let user = r#"{"role":"user","content":"go"}"#;
    let call = |input: &str| {
        let part =
            |id: &str| format!(r#"{{"type":"tool-call","toolCallId":"{id}","toolName":"f","{input}":{{}}}}"#);
        format!(r#"[{user},{{"role":"assistant","content":[{},{}]}}"#, part("a"), part("b"))
    };
    let part = |id: &str, result: &str| {
        format!(r#"{{"type":"tool-result","toolCallId":"{id}","toolName":"f",{result}}}"#)
    };
    let answered =
        |input: &str, parts: &str| format!("{},{{\"role\":\"tool\",\"content\":[{parts}]}}]", call(input));
    let now = |result: &str| answered("input", &part("a", &format!(r#""output":{result}"#)));
    let pending = format!("{}]", call("input"));
    check(&pending, &output("1"), &now(r#"{"type":"text","value":"1"}"#));
    check(&pending, &json("[1]"), &now(r#"{"type":"json","value":[1]}"#));
    let failed = now(r#"{"type":"error-text","value":"no"}"#);
    check(&pending, &error("no"), &failed);
    check(&failed, &json("[1]"), &now(r#"{"type":"json","value":[1]}"#));
    let one = part("a", r#""output":{"type":"text","value":"1"}"#);
    let document = open(&answered("input", &one), Language::Json);
    let both = format!("{one}, {}", part("b", r#""output":{"type":"text","value":"2"}"#));
    assert_eq!(text_of(&written(&document, 1, &output("2")).expect("a result")), answered("input", &both));
    let v4 = |result: &str| answered("args", &part("a", result));
    check(&format!("{}]", call("args")), &json("[1]"), &v4(r#""result":[1]"#));
    check(&format!("{}]", call("args")), &error("no"), &v4(r#""result":"no","isError":true"#));
    check(&v4(r#""result":[1]"#), &error("no"), &v4(r#""result":"no", "isError":true"#));
}

#[test]
fn results_are_in_the_parts_of_ui_messages() {
    let part =
        |kind: &str, id: &str, rest: &str| format!(r#"{{"type":"{kind}","toolCallId":"{id}",{rest}}}"#);
    let message = |parts: &str| {
        format!(r#"[{{"id":"m","role":"assistant","parts":[{{"type":"text","text":"x"}},{parts}]}}]"#)
    };
    let pending = r#""state":"input-available","input":{}"#;
    for (kind, name) in [("tool-f", ""), ("dynamic-tool", r#""toolName":"f","#)] {
        let of = |rest: &str| message(&part(kind, "a", &format!("{name}{rest}")));
        let done = of(r#""state":"output-available","input":{}, "output": [1]"#);
        let failed = of(r#""state":"output-error","input":{}, "errorText": "no""#);
        check(&of(pending), &json("[1]"), &done);
        check(&of(pending), &error("no"), &failed);
        check(&done, &error("no"), &failed);
        check(&failed, &json("[1]"), &done);
        check(
            &of(pending),
            &UseOutcome::Empty,
            &of(r#""state":"output-available","input":{}, "output": """#),
        );
    }
    // The second call begins where the first ends.
    let two =
        |rest: &str| message(&format!("{},{}", part("tool-f", "a", pending), part("tool-f", "b", rest)));
    let document = open(&two(pending), Language::Json);
    let done = two(r#""state":"output-available","input":{}, "output": "1""#);
    assert_eq!(text_of(&written(&document, 1, &output("1")).expect("a result")), done);
    // Version 4 has no failures.
    let v4 = |rest: &str| {
        format!(
            r#"[{{"role":"assistant","content":"","toolInvocations":[{{"toolCallId":"a","toolName":"f","args":{{}},{rest}}}]}}]"#
        )
    };
    check(&v4(r#""state":"call""#), &output("1"), &v4(r#""state":"result", "result": "1""#));
    let document = open(&v4(r#""state":"call""#), Language::Json);
    assert_eq!(
        written(&document, 0, &error("no")).err(),
        Some(UnwrittenOutcome::Rejected(ConversionError::NoForm))
    );
}

#[test]
fn samples_keep_everything_else() {
    let mut count = 0;
    for (text, language) in SAMPLES.iter() {
        let document = open(text, *language);
        for (index, tool_use) in document.tool_uses().iter().enumerate().filter(|(_, it)| it.has_valid_call) {
            for outcome in [output("one\ntwo"), error("no")] {
                let Ok(after) = written(&document, index, &outcome) else { continue };
                count += 1;
                let again = written(&after, index, &outcome);
                assert_eq!(again.map(|again| text_of(&again)), Ok(text_of(&after)), "{}", tool_use.dialect);
                // Only one place differs, and it is near the tool use.
                let after = text_of(&after);
                let same = |one: &str, other: &str| {
                    one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count()
                };
                assert!(same(text, &after) >= tool_use.range.start, "{}", tool_use.dialect);
            }
        }
    }
    assert!(count > 30, "{count}");
}
