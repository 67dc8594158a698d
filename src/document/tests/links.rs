//! Fixtures of link diagnostics, and the number of blocks that an edit visits.

use std::sync::Arc;

use super::diagnostics::check_all;
use crate::config::Settings;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::{Document, Language};
use crate::text::{Splice, Text};

#[track_caller]
fn check(fixture: &str) {
    check_all(fixture, Language::Markdown, Settings::default());
}

#[track_caller]
fn check_log(fixture: &str) {
    check_all(fixture, Language::Log, Settings::default());
}

/// Checks a log of these records; `start` and the like stand for records of the call `a`.
#[track_caller]
fn check_records(layer: &str, records: &[&str]) {
    let lines = records.iter().map(|record| {
        let (record, expected) = record.split_once('!').unwrap_or((record, ""));
        let id = match expected {
            "" => "\"a\"".to_owned(),
            code => format!("«{code}:\"a\"»"),
        };
        let name = "\"x\"";
        match (layer, record) {
            ("full", "start") => format!("{{\"type\":\"tool-input-start\",\"id\":{id},\"toolName\":{name}}}\n"),
            ("full", "delta") => {
                format!("{{\"type\":\"tool-input-delta\",\"id\":{id},\"delta\":\"{{\\\"q\\\": 1}}\"}}\n")
            }
            ("full", "end") => format!("{{\"type\":\"tool-input-end\",\"id\":{id}}}\n"),
            ("full", "call") => {
                format!("{{\"type\":\"tool-call\",\"toolCallId\":{id},\"toolName\":{name},\"input\":{{\"q\":1}}}}\n")
            }
            ("full", "preliminary") => format!(
                "{{\"type\":\"tool-result\",\"toolCallId\":{id},\"toolName\":{name},\"output\":0,\"preliminary\":true}}\n"
            ),
            ("full", "client") => format!(
                "{{\"type\":\"tool-result\",\"toolCallId\":{id},\"toolName\":{name},\"output\":{{\"_clientSideTool\":true}}}}\n"
            ),
            ("full", "result") => {
                format!("{{\"type\":\"tool-result\",\"toolCallId\":{id},\"toolName\":{name},\"output\":1}}\n")
            }
            ("full", "error") => {
                format!("{{\"type\":\"tool-error\",\"toolCallId\":{id},\"toolName\":{name},\"error\":\"e\"}}\n")
            }
            ("ui", "start") => {
                format!("{{\"type\":\"tool-input-start\",\"toolCallId\":{id},\"toolName\":{name}}}\n")
            }
            ("ui", "delta") => format!(
                "{{\"type\":\"tool-input-delta\",\"toolCallId\":{id},\"inputTextDelta\":\"{{\\\"q\\\": 1}}\"}}\n"
            ),
            ("ui", "call") => format!(
                "{{\"type\":\"tool-input-available\",\"toolCallId\":{id},\"toolName\":{name},\"input\":{{\"q\":1.0}}}}\n"
            ),
            ("ui", "invalid") => format!(
                "{{\"type\":\"tool-input-error\",\"toolCallId\":{id},\"toolName\":{name},\"input\":\"{{\",\"errorText\":\"e\"}}\n"
            ),
            ("ui", "result") => format!("{{\"type\":\"tool-output-available\",\"toolCallId\":{id},\"output\":1}}\n"),
            ("ui", "error") => {
                format!("{{\"type\":\"tool-output-error\",\"toolCallId\":{id},\"errorText\":\"e\"}}\n")
            }
            ("ui", "denied") => format!("{{\"type\":\"tool-output-denied\",\"toolCallId\":{id}}}\n"),
            ("v4", "start") => {
                format!("{{\"type\":\"tool-call-streaming-start\",\"toolCallId\":{id},\"toolName\":{name}}}\n")
            }
            ("v4", "delta") => format!(
                "{{\"type\":\"tool-call-delta\",\"toolCallId\":{id},\"argsTextDelta\":\"{{\\\"q\\\": 1}}\"}}\n"
            ),
            ("v4", "call") => {
                format!("{{\"type\":\"tool-call\",\"toolCallId\":{id},\"toolName\":{name},\"args\":{{\"q\":1}}}}\n")
            }
            ("v4", "open") => {
                format!("{{\"type\":\"tool-call\",\"toolCallId\":{id},\"toolName\":{name},\"args\":{{}}}}\n")
            }
            ("v4", "result") => format!("{{\"type\":\"tool-result\",\"toolCallId\":{id},\"result\":1}}\n"),
            (_, other) => panic!("no record {other}"),
        }
    });
    check_log(&lines.collect::<String>());
}

#[test]
fn two_fences_do_not_share_an_id() {
    let fence = |id: &str| format!("```tool\n{{\"toolCallId\": {id}, \"output\": 1}}\n```\n\n");
    check(&[fence("\"a\""), fence("\"b\"")].concat());
    check(&[fence("\"a\""), fence("«duplicate-id:\"a\"»"), fence("«duplicate-id:\"\\u0061\"»")].concat());
    // An empty id is reported by itself, and links to nothing.
    check(&[fence("«empty-id:\"\"»"), fence("«empty-id:\"\"»")].concat());
}

#[test]
fn a_fallback_id_differs_from_written_ids() {
    let fence = |fields: &str| format!("```tool\n{{{fields}\"output\": 1}}\n```\n\n");
    let meets = "```tool\n«duplicate-id:{»\"output\": 1}\n```\n\n";
    check(&[&fence("\"toolCallId\": \"tool-call-2\","), meets, &fence("")].concat());
    check(&[meets, &fence("\"toolCallId\": \"tool-call-1\",")].concat());
    // Its own number does not collide.
    check(&[fence(""), fence("\"toolCallId\": \"tool-call-2\",")].concat());
    check(&[fence("\"toolCallId\": \"tool-call-4\","), fence("")].concat());
    // Both branches: more such ids than fences without an id, and fewer.
    let many: String = (0..9).map(|_| fence("")).collect();
    check(&[meets, &many, &fence("\"toolCallId\": \"tool-call-1\",")].concat());
    let written: String = (11..17).map(|n| fence(&format!("\"toolCallId\": \"tool-call-{n}\","))).collect();
    check(&[&written, &fence("\"toolCallId\": \"tool-call-8\","), meets].concat());
}

#[test]
fn records_come_in_order() {
    check_records("full", &["start", "delta", "end", "call", "result"]);
    check_records("full", &["call", "error"]);
    check_records("full", &["start", "delta", "end", "delta!stream-order", "call", "result"]);
    check_records("full", &["start", "end", "end!stream-order", "call", "result"]);
    check_records("full", &["delta!stream-order", "call", "result"]);
    check_records("full", &["end!stream-order", "call", "result"]);
    check_records("full", &["call", "delta!stream-order", "result"]);
    check_records("full", &["result!stream-order", "call"]);
    check_records("ui", &["start", "delta", "call", "result"]);
    check_records("ui", &["start", "delta", "invalid"]);
    check_records("ui", &["invalid", "error"]);
    check_records("ui", &["call", "denied"]);
    check_records("ui", &["delta!stream-order", "call", "result"]);
    check_records("ui", &["start", "call", "delta!stream-order", "result"]);
    check_records("v4", &["start", "delta", "call", "result"]);
    check_records("v4", &["open", "delta", "result"]);
    check_records("v4", &["start", "open", "delta", "result"]);
    check_records("v4", &["start", "result"]);
    check_records("v4", &["call", "delta!stream-order", "result"]);
}

/// A record that cannot be parsed is not reported for the order of its log, nor are others because
/// of it.
#[test]
fn incomplete_records_do_not_affect_the_order() {
    let call = "{\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"input\":{}}\n";
    let result = "{\"type\":\"tool-result\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"output\":1}\n";
    let half = |text: &str| format!("«invalid-json:{{»{text}\n");
    let of = |kind: &str| half(&format!("\"type\":\"{kind}\",\"toolCallId\":\"a\""));
    check_log(&[call, &of("tool-result"), result].concat());
    check_log(&[call, result, &of("tool-result"), "{\"type\":\"finish\"}\n"].concat());
    check_log(&[call, result, &of("tool-call"), "{\"type\":\"finish\"}\n"].concat());
    check_log(
        &[
            &half("\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"args\":1"),
            "{\"type\":\"tool-call-delta\",\"toolCallId\":\"a\",\"argsTextDelta\":\"{}\"}\n",
            "{\"type\":\"tool-result\",\"toolCallId\":\"a\",\"result\":1}\n",
        ]
        .concat(),
    );
    check(&format!("```jsonl\n{}{result}```\n", half("\"type\":\"tool-call\"")));
}

#[test]
fn a_call_has_one_result() {
    check_records("full", &["call", "result", "result!duplicate-result"]);
    check_records("full", &["call", "result", "error!duplicate-result", "result!duplicate-result"]);
    check_records("full", &["call", "preliminary", "preliminary", "result"]);
    check_records("full", &["call", "client", "result"]);
    check_records("full", &["call", "client", "result", "result!duplicate-result"]);
    check_records("full", &["result!orphan-result"]);
    check_records("ui", &["error!orphan-result"]);
    check_records("full", &["call", "call!duplicate-id", "result"]);
    check_records("ui", &["start", "start!duplicate-id", "call", "result"]);
}

#[test]
fn a_result_names_the_called_tool() {
    check_log(
        "{\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"input\":1}\n\
         {\"type\":\"tool-result\",\"toolCallId\":\"a\",\"toolName\":«name-mismatch:\"y\"»,\"output\":1}\n",
    );
}

#[test]
fn deltas_match_the_input_of_the_call() {
    let log = |deltas: &[&str], call: &str| {
        let delta =
            |delta: &&str| format!("{{\"type\":\"tool-input-delta\",\"id\":\"a\",\"delta\":{delta}}}\n");
        let deltas: String = deltas.iter().map(delta).collect();
        format!(
            "{{\"type\":\"tool-input-start\",\"id\":\"a\",\"toolName\":\"x\"}}\n{deltas}\
             {{\"type\":\"tool-call\",\"toolCallId\":\"a\",{call}}}\n\
             {{\"type\":\"tool-result\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"output\":1}}\n"
        )
    };
    let right = "\"toolName\":\"x\",\"input\":{\"q\":[1,\"é\"]}";
    let wrong = "\"toolName\":«delta-mismatch:\"x\"»,\"input\":{\"q\":[1,\"é\"]}";
    check_log(&log(&["\"{\\\"q\\\"\"", "\": [1.0, \\\"\"", "\"\\\\u00e9\\\"]}\""], right));
    check_log(&log(&["\"{\\\"q\\\": 1\"", "\"}\""], wrong));
    check_log(&log(&["\"{\\\"q\\\": [1\""], wrong));
    check_log(&log(&["\"\"", "\" \""], right));
    check_log(&log(&[], right));
    // A character that is split in two.
    let halves = [r#""{\"q\": \"«lone-surrogate:\ud83d»""#, r#""«lone-surrogate:\udd27»\"}""#];
    check_log(&log(&halves, "\"toolName\":\"x\",\"input\":{\"q\":\"🔧\"}"));
    // The input of the call may be anything.
    check_log(&log(&["\"{\\\"q\\\"\""], "\"toolName\":\"x\",\"input\":\"{\",\"invalid\":true"));
    // Completed by the following deltas.
    check_log(
        "{\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":«delta-mismatch:\"x\"»,\"args\":{}}\n\
         {\"type\":\"tool-call-delta\",\"toolCallId\":\"a\",\"argsTextDelta\":\"{]\"}\n\
         {\"type\":\"tool-result\",\"toolCallId\":\"a\",\"result\":1}\n",
    );
}

#[test]
fn a_log_has_one_stream_protocol() {
    let call = "{\"type\":\"tool-input-available\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"input\":{}}\n\
                {\"type\":\"tool-output-available\",\"toolCallId\":\"a\",\"output\":1}\n";
    let other =
        "{\"type\":«mixed-protocol:\"tool-call-streaming-start\"»,\"toolCallId\":\"b\",\"toolName\":\"x\"}\n";
    let later = "{\"type\":\"tool-call-delta\",\"toolCallId\":\"b\",\"argsTextDelta\":\"\"}\n";
    let close = "{\"type\":\"tool-output-error\",\"toolCallId\":\"b\",\"errorText\":\"e\"}\n";
    check_log(&[call, other, later, close].concat());
    // Each fence is a log.
    let fence = |log: &str| format!("```jsonl\n{log}```\n\n");
    let v4 = other.replace(['«', '»'], "").replace("mixed-protocol:", "");
    check(&[fence(&[call, other, later, close].concat()), fence(&[&v4, later].concat())].concat());
    // A shared type with the keys of another protocol is reported by its keys.
    check_log(&format!(
        "{call}{{\"type\":\"tool-input-start\",«misnamed-field:\"id\"»:\"c\",\"toolName\":\"x\"}}\n"
    ));
    check_log(&format!(
        "{call}«mixed-protocol:9:»{{\"toolCallId\":\"c\",\"toolName\":\"x\",\"args\":{{}}}}\n"
    ));
}

#[test]
fn examples_of_records_are_not_a_log() {
    let call = "{\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"input\":{}}\n";
    let result = "{\"type\":\"tool-result\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"output\":1}\n";
    let fence = |language: &str, log: &str| format!("```{language}\n{log}```\n\nor\n\n");
    // One call with two alternative results.
    check(&[fence("json", call), fence("json", result), fence("json", result)].concat());
    check(&[fence("jsonl", result), fence("jsonl", call), fence("jsonl", call)].concat());
    check(&fence("json", "{\"type\":\"tool-input-delta\",\"id\":\"a\",\"delta\":\"{\"}\n"));
    let result_again = result.replace("\"a\"", "«duplicate-result:\"a\"»");
    check(&fence("jsonl", &[call, result, &result_again].concat()));
}

#[test]
fn a_call_that_never_gets_its_result() {
    // The last batch may still get its results.
    check("```tool\n{\"toolName\": \"x\"}\n```\n");
    check("text\n\n```tool\n{\"toolName\": \"x\"}\n```\n\n<tool>y()</tool>\n\n");
    check(
        "```tool\n{\"toolName\": «pending-call:\"x\"»}\n```\n\ntext\n\n```tool\n{\"toolName\": \"y\"}\n```\n",
    );
    check("```tool\n«pending-call:{»}\n```\n\ntext\n");
    check("> ```tool\n> {\"toolName\": «pending-call:\"x\"»}\n> ```\n\ntext\n");
    check("<tool>«pending-call:x»(a=1)</tool>\n\ntext\n");
    check("<tool>x(a=1)\n</tool>\n\ntext\n");
    check("###:{\"toolName\": «pending-call:\"x\"»}\n\ntext\n");
    check("###:{\"toolName\": \"x\"}\n\ntext\n\n*🔧 Executed x*\n\ntext\n");
    check_log(
        "{\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":«pending-call:\"x\"»,\"input\":{}}\n\
         {\"type\":\"text-delta\",\"text\":\"so\"}\n",
    );
    check_log(
        "{\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"input\":{}}\n\
         {\"type\":\"text-delta\",\"text\":\"so\"}\n\
         {\"type\":\"tool-result\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"output\":1}\n",
    );
    // An error may hide the result, or the name by which it is paired.
    check("```tool\n{\"toolName\": \"x\", «misnamed-field:\"result\"»: 1}\n```\n\ntext\n");
    check("```tool\n{\"toolName\": \"x\", \"errorText\": «wrong-type:{}»}\n```\n\ntext\n");
    check("```tool\n{\"toolName\": \"x\", \"state\": «wrong-type:5»}\n```\n\ntext\n");
    check("```tool\n{\"toolName\": «pending-call:\"x\"», «misnamed-field:\"args\"»: {}}\n```\n\ntext\n");
    check("###:«missing-name:{»«misnamed-field:\"name\"»: \"x\"}\n\n*🔧 Executed x*\n\ntext\n");
    check("```tool\n{\"toolName\": \"x\", «invalid-json:output»: 1}\n```\n\ntext\n");
    check("«unclosed-fence:```tool»\n{\"toolName\": \"x\"}\n\ntext\n");
}

#[test]
fn a_result_belongs_to_a_call() {
    check("«legacy-validation:<validation>»«orphan-result:x»\nok</validation>");
    check("<tool>x()</tool>\n\n«legacy-validation:<validation>»x\nok</validation>\n");
    check("<tool>x()\nok</tool>\n\n«legacy-validation:<validation>»«orphan-result:x»\nok</validation>\n");
    check("«legacy-markdown:🔧 **Tool Call:** `x(a=1)`»\n✅ **`x` result:**\nok\n");
    check(
        "«legacy-markdown:🔧 **Tool Call:** `x()`»\n\n✅ **`x` result:** ok\n\n«legacy-markdown:✅ **`«orphan-result:x»` result:** ok»\n",
    );
    // Text that only looks like an outcome.
    check("*🔧 Executed x*\n\n*❌ Invalid tool call format*\n");
}

/// Checks that an edit of one block changes the diagnostics of others: `from`, which occurs once in
/// `text`, becomes `to`, and back.
#[track_caller]
fn check_edit(text: &str, language: Language, from: &str, to: &str) {
    let settings = Arc::new(Settings::default());
    let mut document = Document::new(Text::new(text), language, Arc::clone(&settings));
    let first = document.diagnostics();
    let start = text.find(from).expect("the replaced text");
    document.apply(Splice { start, removed: from.len(), inserted: to.len() }, to);
    let fresh = Document::new(document.text().clone(), language, Arc::clone(&settings));
    assert_eq!(document.diagnostics(), fresh.diagnostics());
    let codes = |problems: &[Diagnostic]| problems.iter().map(|problem| problem.code).collect::<Vec<_>>();
    assert_ne!(codes(&document.diagnostics()), codes(&first));
    document.apply(Splice { start, removed: to.len(), inserted: from.len() }, from);
    assert_eq!(document.diagnostics(), first);
}

#[test]
fn an_edit_of_one_block_changes_diagnostics_of_others() {
    let log = "{\"type\":\"tool-input-start\",\"id\":\"a\",\"toolName\":\"x\"}\n\
               {\"type\":\"tool-input-delta\",\"id\":\"a\",\"delta\":\"{\\\"q\\\":1}\"}\n\
               {\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"input\":{\"q\":1}}\n\
               {\"type\":\"tool-result\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"output\":{}}\n\
               {\"type\":\"tool-result\",\"toolCallId\":\"b\",\"toolName\":\"x\",\"output\":1}\n";
    let check_log = |from: &str, to: &str| check_edit(log, Language::Log, from, to);
    check_log("{\"q\":1}", "{\"q\":2}");
    check_log("{\\\"q\\\":1}", "{\\\"q\\\":2}");
    check_log("\"toolName\":\"x\",\"output\":{}", "\"toolName\":\"y\",\"output\":{}");
    check_log("tool-input-start\",\"id\":\"a", "tool-input-start\",\"id\":\"c");
    check_log("{\"type\":\"tool-input-start\"", "{\"type\":\"tool-input-end\"");
    check_log("\"b\",\"toolName\"", "\"a\",\"toolName\"");
    let twice = log.replace("\"b\"", "\"a\"");
    check_edit(&twice, Language::Log, "\"output\":{}", "\"output\":{},\"preliminary\":true");
    let result = "{\"type\":\"tool-result\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"output\":1}\n";
    let fence = format!("```jsonl\n{result}\n```\n");
    check_edit(&fence, Language::Markdown, "\n```\n", &format!("{}```\n", result.replace("\"a\"", "\"b\"")));
    check_edit("<tool>a()</tool>\n\nx\n\n<validation>b\n1</validation>", Language::Markdown, "a()", "b()");
    check_edit(
        "<tool>a()</tool>\n\nx\n\n<validation>a\n1</validation>",
        Language::Markdown,
        "</tool>",
        "\n</tool>",
    );
}

/// There are few free keys between segments if the document has many.
#[test]
fn links_hold_where_keys_run_out() {
    let fence = |n: usize| format!("```tool\n{{\"toolCallId\": \"c{n}\", \"output\": 1}}\n```\n\n");
    let text: String = (0..50).map(fence).collect();
    let middle = fence(0).len() * 10 + fence(10).len() * 15;
    let settings = Arc::new(Settings::default());
    let mut document = Document::new(Text::new(&text), Language::Markdown, Arc::clone(&settings));
    // Each is inserted before the last one: the distance between two keys is halved each time.
    for n in (0..60).rev() {
        let new = fence(n);
        document.apply(Splice { start: middle, removed: 0, inserted: new.len() }, &new);
        let fresh = Document::new(document.text().clone(), Language::Markdown, Arc::clone(&settings));
        assert_eq!(document.diagnostics(), fresh.diagnostics(), "after {n}");
    }
    let ids = document.diagnostics().iter().filter(|problem| problem.code == Code::DuplicateId).count();
    assert_eq!(ids, 50);
}

#[test]
fn related_ranges_are_reported() {
    let text = "```tool\n{\"toolCallId\": \"a\", \"output\": 1}\n```\n\nand\n\n\
                ```tool\n{\"toolCallId\": \"a\", \"output\": 1}\n```\n";
    let document = Document::new(Text::new(text), Language::Markdown, Arc::default());
    let problems = document.diagnostics();
    let related = &problems[0].related[0];
    assert_eq!(&text[related.place.clone()], "\"a\"");
    assert!(related.place.end < problems[0].range.start);
}

#[test]
fn an_invalid_call_has_failed() {
    let log = "{\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"input\":\"{\",\"invalid\":true}\n{\"type\":\"finish\"}\n";
    check_log(log);
    let document = Document::new(Text::new(log), Language::Log, Arc::default());
    assert_eq!(document.tool_uses()[0].state.as_deref(), Some("output-error"));
}

#[test]
fn messages_name_ids_and_tools() {
    let check = |text: &str, expected: &[&str]| {
        let document = Document::new(Text::new(text), Language::Markdown, Arc::default());
        let problems = document.diagnostics();
        let about_others = problems.iter().filter(|problem| {
            matches!(problem.code, Code::OrphanResult | Code::PendingCall | Code::UnclosedFence)
        });
        assert_eq!(about_others.map(|problem| &*problem.message).collect::<Vec<_>>(), expected, "{text}");
    };
    let what_to_do = "add the call, or remove the result";
    check(
        "<validation>x\nok</validation>",
        &[&format!("no pending call of `x` precedes this result: {what_to_do}")],
    );
    check("<validation></validation>", &[&format!("no pending call precedes this result: {what_to_do}")]);
    check("<tool>()</tool>\n\ntext", &["this call has no result"]);
    check("<tool>x()</tool>\n\ntext", &["this call of `x` has no result"]);
    let close = "add a closing fence on a line of its own";
    check("```tool\n{}\n\ntext", &[&format!("this fence is never closed: {close}")]);
    check(
        "```tool\n{}\n```tool\n{}\n```\n",
        &[&format!("this fence is not closed before the next one: {close}")],
    );
}

#[test]
fn an_unused_id_is_found_after_the_greatest_number() {
    let document = Document::new(
        Text::new(&format!("```tool\n{{\"toolCallId\":\"call_{}\",\"toolName\":\"a\"}}\n```\n", u64::MAX)),
        Language::Markdown,
        Arc::new(Settings::default()),
    );
    assert_eq!(document.free_id(&format!("call_{}", u64::MAX)), "call_0");
    assert_eq!(document.free_id("call_9"), "call_10");
}
