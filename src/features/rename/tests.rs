//! Fixtures of renaming: `|` is the cursor; the document after it, or the reason for rejecting it.

use std::sync::Arc;

use proptest::prelude::*;

use super::{renamable, rename_id, rename_tool};
use crate::config::Settings;
use crate::diagnostic::Code;
use crate::document::{Document, Language};
use crate::features::samples::{cut_documents, small};
use crate::places::name_occurrences::NamedItem;
use crate::text::{DocumentEdit, Text};

fn open(text: &str) -> Document {
    let language = if text.starts_with(['{', 'd']) { Language::Log } else { Language::Markdown };
    Document::new(Text::new(text), language, small(&Settings::default()))
}

fn rename(document: &Document, at: usize, new: &str) -> Result<Vec<DocumentEdit>, String> {
    let found = document.name_occurrence_at(at).ok_or("nothing")?;
    match found.named {
        NamedItem::Tool => rename_tool(document, found.text, new),
        NamedItem::Fence | NamedItem::Records => rename_id(document, at, new),
    }
}

fn applied(text: &str, edits: &[DocumentEdit]) -> String {
    crate::text::edit::applied(text, edits).expect("edits in order")
}

/// `expected` is the new text, or else the reason for rejecting the rename.
#[track_caller]
fn check(marked: &str, new: &str, expected: &str) {
    for line_end in ["\n", "\r\n"] {
        let (marked, expected) = (marked.replace('\n', line_end), expected.replace('\n', line_end));
        let at = marked.find('|').expect("a position");
        let text = marked.replacen('|', "", 1);
        let renamed = rename(&open(&text), at, new);
        let shown = renamed.map_or_else(|why| why, |edits| applied(&text, &edits));
        assert_eq!(shown, expected, "{marked}");
    }
}

#[test]
fn an_id_that_is_a_number() {
    let both = |id: &str| {
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"a","arguments":{{}}}}}}"#
        );
        format!(
            "{call}\n{{\"jsonrpc\":\"2.0\",\"id\": {} ,\"result\":{{\"content\":[]}}}}\n",
            id.replace('|', "")
        )
    };
    check(&both("1|"), "call_1", &both("\"call_1\""));
    check(&both("1|"), "01", &both("\"01\""));
    check(&both("|1"), "20", &both("20"));
    let message = |id: &str| {
        let call = format!(r#"{{"id":{id},"type":"function","function":{{"name":"f","arguments":"{{}}"}}}}"#);
        let result = format!(r#"{{"role":"tool","tool_call_id":{},"content":"1"}}"#, id.replace('|', ""));
        format!("{{\"messages\":[{{\"role\":\"assistant\",\"tool_calls\":[{call}]}},{result}]}}\n")
    };
    check(&message("7|"), "call_1", &message("\"call_1\""));
}

/// A tool that the document lists is renamed there, too.
#[test]
fn a_tool_that_is_listed_beside_its_calls() {
    let listed =
        |name: &str| format!(r#"[{{"type":"function","function":{{"name":"{name}","parameters":{{}}}}}}]"#);
    let line = |tools: &str, name: &str| {
        format!(
            "{{\"tools\":{tools},\"messages\":[{{\"role\":\"user\",\"content\":\"rain\"}},{{\"role\":\"assistant\",\"tool_calls\":[{{\"id\":\"a\",\"type\":\"function\",\"function\":{{\"name\":\"{name}\",\"arguments\":\"{{}}\"}}}}]}}]}}\n"
        )
    };
    let both = |name: &str| line(&listed(name), name);
    check(&line(&listed("rain"), "ra|in"), "snow", &both("snow"));
    let encoded = |name: &str| crate::json::quote(&listed(name));
    check(&line(&encoded("rain"), "ra|in"), "snow", &line(&encoded("snow"), "snow"));
    // Each line has its own list.
    check(&(both("rain") + &line(&listed("rain"), "ra|in")), "snow", &both("snow").repeat(2));
}

/// The name of tagged text stands before its JSON or after it.
#[test]
fn a_tool_of_tagged_text() {
    let text = |name: &str| {
        format!(
            "## User\n\nGo.\n\n## Assistant (Build · m · 1.2s)\n\n**Tool: {name}**\n\n**Input:**\n```json\n{{\"a\": 1}}\n```\n"
        )
    };
    check(&text("ra|in"), "snow", &text("snow"));
    let listed = |name: &str| format!("[FunctionCall(id='a', arguments='{{}}', name='{name}')]\n");
    check(&listed("o|ld"), "neu", &listed("neu"));
}

#[test]
fn a_tool_in_every_dialect() {
    let all = |name: &str, json: &str, tag: &str| {
        format!(
            "> ```tool\n> {{\"toolName\": {json},\n> \"input\": {{}}}}\n> ```\n\n👋 ###:{{\"toolName\": {json}}}\n\n*🔧 Executed {name}: ok*\n\n\
             <tool>{tag}(a=1)</tool>\n\n<validation>{tag}\nok</validation>\n\n🔧 **Tool Call:** `{name}(x=1)`\n\n✅ **`{name}` result:** ok\n\n\
             - ```jsonl\n  {{\"type\":\"tool-call\",\"toolCallId\":\"1\",\"toolName\":{json},\"input\":{{}}}}\n  ```\n\n{name} stays\n"
        )
    };
    let old = all("old", "\"old\"", "old").replace("old stays", "x stays");
    let marked = old.replacen("\"old\"", "\"o|ld\"", 1);
    check(&marked, "neu_é", &all("neu_é", "\"neu_é\"", "neu_é").replace("neu_é stays", "x stays"));
    check(&marked, "a<b", &all("a<b", "\"a<b\"", "a&lt;b").replace("a<b stays", "x stays"));
    let in_json =
        marked.split("\n\n<tool>").next().unwrap_or_default().replace("\n\n*🔧 Executed old: ok*", "");
    let expected = in_json.replace("o|ld", "old").replace("\"old\"", "\"a\\\"(b\"");
    check(&in_json, "a\"(b", &expected);
}

/// Some programs write the name again: beside it, in the result, in a request, above the call.
#[test]
fn a_tool_whose_name_is_repeated() {
    let log = |name: &str, marked: &str| {
        format!(
            r#"{{"type": "tool_call", "id": "a", "toolId": "{name}", "toolName": "{marked}", "parameters": {{"toolId": "old"}}}}
{{"type": "tool_result", "id": "a", "toolId": "{name}", "isError": false, "value": {{"toolName": "old"}}}}
"#
        )
    };
    check(&log("old", "o|ld"), "neu", &log("neu", "neu"));
    let request = |name: &str, marked: &str| {
        format!(
            r#"{{"tool_choice": {{"type": "tool", "name": "{name}"}}, "metadata": {{"name": "old"}}, "messages": [{{"role": "user", "content": "x"}}, {{"role": "assistant", "content": [{{"type": "tool_use", "id": "a", "name": "{marked}", "input": {{"name": "old", "args": 1}}}}]}}]}}
"#
        )
    };
    check(&request("old", "o|ld"), "neu", &request("neu", "neu"));
    let printed = |name: &str, marked: &str| {
        format!("``` tool ({name} :old \"old\")\n(:name \"{marked}\" :args (:old \"old\"))\n\nold\n```\n")
    };
    check(&printed("old", "o|ld"), "neu", &printed("neu", "neu"));
    let export = |name: &str, marked: &str| {
        format!(
            "### Assistant\n\n#### Tool Call: {marked} (`x`)\n<!-- call_id: c -->\n```json\n{{}}\n```\n\n\
             <details><summary>Tool Result: {name} (`x`)</summary>\n\n<!-- call_id: c -->\nold\n\n</details>\n"
        )
    };
    check(&export("old", "o|ld"), "neu", &export("neu", "neu"));
    // Its summary is an input, unless it is the name.
    let summary = "<tool-use data-tool-type=\"read\" data-tool-name=\"o|ld\"><details>\n<summary>Tool use: **old**</summary>\na\n\n```text\nb\n```\n</details></tool-use>\n";
    check(summary, "neu", "`old` in line 1 cannot be renamed: line 2 repeats it in text that would keep it");
}

/// Calls that a list of rounds repeats are strings of JSON, too.
#[test]
fn a_tool_in_a_chat_of_vs_code() {
    let text = |name: &str| {
        format!(
            r#"{{"requests": [{{"requestId": "r", "message": {{"text": "q"}}, "response": [
  {{"kind": "toolInvocationSerialized", "toolId": "{name}", "toolCallId": "a", "resultDetails": {{"input": "{{}}", "output": []}}}}],
  "result": {{"metadata": {{"toolCallRounds": [{{"toolCalls": [{{"id": "b", "name": "{name}", "arguments": "{{}}"}}]}}]}}}}}}]}}"#
        )
    };
    let document = Document::new(Text::new(&text("old")), Language::Json, Arc::default());
    let edits = rename(&document, text("old").find("old").unwrap(), "neu").unwrap();
    assert_eq!(applied(&text("old"), &edits), text("neu"));
}

/// Names in strings of JSON have quotes with backslashes around them.
#[test]
fn a_tool_in_a_string_of_json() {
    let text = r#"[{"conversations": [{"from": "human", "value": "x"},
        {"from": "function_call", "value": "{\"name\": \"look\", \"arguments\": {}}"}, {"from": "observation", "value": "y"}]}]"#;
    let document = Document::new(Text::new(text), Language::Json, Arc::default());
    let edits = rename_tool(&document, "look", "see").expect("edits");
    assert_eq!(applied(text, &edits), text.replace("look", "see"));
}

/// Names of forms cannot be renamed.
#[test]
fn names_that_also_stand_elsewhere_are_no_targets() {
    let text = "> Applied edit to a.py  \n> Commit 1a2b aider: Fixed it  \n";
    let document = open(text);
    let at = text.find("edit").unwrap();
    assert!(document.name_occurrence_at(at).is_some() && renamable(&document, at).is_none());
    let document = open("<tool>a(b=1)</tool>\n");
    assert!(renamable(&document, 6).is_some());
}

#[test]
fn outcome_text_may_contain_the_name() {
    let all = |name: &str| format!("###: {{\"toolName\": \"{name}\"}}\n\n*❌ Tool {name} not available*\n");
    check(&all("old").replacen("\"old", "\"|old", 1), "new_name", &all("new_name"));
    check(&all("old").replacen("Tool old", "Tool o|ld", 1), "new_name", &all("new_name"));
}

#[test]
fn name_may_have_other_spellings() {
    check(
        "###:{'toolName': '|a'} ###:{\"toolName\": \"\\u0061\"}",
        "b",
        "###:{'toolName': \"b\"} ###:{\"toolName\": \"b\"}",
    );
    check("```tool\n{\"toolName\": \"|a\", \"inp\n", "b", "```tool\n{\"toolName\": \"b\", \"inp\n");
    let named = |name: &str| {
        format!(
            "{{\"type\":\"text-delta\",\"delta\":\"<tool>{name}(a=1)</tool> ###:{{\\\"toolName\\\": \\\"{name}\\\"}}\"}}\n"
        )
    };
    check(
        &named("a").replacen("a(", "|a(", 1),
        "b\"",
        &named("b\"").replacen("b\"(", "b&quot;(", 1).replace("b\"", "b\\\\\\\""),
    );
    let fenced = |name: &str| format!("```jsonl\n{}```\n", named(name));
    check(&fenced("a").replacen("a(", "a|(", 1), "b", &fenced("b"));
}

#[test]
fn id_in_all_of_its_records() {
    let log = |id: &str| {
        format!(
            "{{\"type\":\"tool-input-start\",\"id\":\"{id}\",\"toolName\":\"a\"}}\n{{\"type\":\"tool-input-delta\",\"id\":\"{id}\",\"delta\":\"{{}}\"}}\n\
             {{\"type\":\"tool-call\",\"toolCallId\":\"{id}\",\"toolName\":\"a\",\"input\":{{}}}}\n{{\"type\":\"tool-call\",\"toolCallId\":\"2\",\"toolName\":\"a\",\"input\":{{}}}}\n\
             {{\"type\":\"tool-result\",\"toolCallId\":\"{id}\",\"toolName\":\"a\",\"output\":\"1\"}}\n"
        )
    };
    for nth in 0..4 {
        let place = log("|").match_indices('|').nth(nth).expect("a position").0;
        let mut marked = log("1");
        marked.insert(place, '|');
        check(&marked, "neu-👋", &log("neu-👋"));
    }
    let marked = log("1").replacen("\"1\"", "\"1|\"", 1);
    check(&marked, "2", "`2` is the id of another call: use an unused one");
    check(&marked, "1", &log("1"));
    check(&marked, " ", "an id cannot be empty");
    check(&marked, "a\nb", "an id must be one line without control characters");
}

#[test]
fn id_in_its_conversation() {
    let conversation = |id: &str| {
        format!(
            "{{\"messages\":[{{\"role\":\"assistant\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"{id}\",\"name\":\"f\",\"input\":{{}}}}]}},\
             {{\"role\":\"user\",\"content\":[{{\"type\":\"tool_result\",\"tool_use_id\":\"{}\",\"content\":\"1\"}}]}}]}}\n",
            id.replace('|', "")
        )
    };
    let [first, other] = [conversation("a"), conversation("b")];
    check(&format!("{first}{}", conversation("|a")), "b", &format!("{first}{other}"));
    check(&format!("{other}{}", conversation("a|")), "b", &format!("{other}{other}"));
}

/// Lists of conversations repeat the beginnings of each other: it is one tool use.
#[test]
fn id_in_repeated_conversations() {
    let list = |id: &str| {
        let call = format!(r#"{{"type":"tool_use","id":"{id}","name":"f","input":{{}}}}"#);
        let result = format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"1"}}"#);
        let messages =
            format!(r#"[{{"role":"assistant","content":[{call}]}},{{"role":"user","content":[{result}]}}]"#);
        format!("[{messages},{messages}]\n")
    };
    let text = list("a");
    let at = text.find("\"a\"").expect("an id") + 1;
    let document = Document::new(Text::new(&text), Language::Json, Arc::new(Settings::default()));
    assert_eq!(applied(&text, &rename(&document, at, "b").expect("edits")), list("b"));
}

#[test]
fn id_of_a_fence_is_independent() {
    let fences = |first: &str, second: &str| {
        format!(
            "```tool\n{{\"toolCallId\": \"{first}\"}}\n```\n\n```tool\n{{\"toolCallId\": \"{second}\"}}\n```\n\n```tool\n{{}}\n```\n"
        )
    };
    check(&fences("a", "b|"), "c", &fences("a", "c"));
    check(&fences("a", "b|"), "a", "`a` is the id of another call: use an unused one");
    check(&fences("a", "|a"), "b", &fences("a", "b"));
    let fallback = "`tool-call-3` is the fallback id of a tool fence without an id: use another one";
    check(&fences("a", "|b"), "tool-call-3", fallback);
    check(&fences("a", "|b"), "tool-call-2", &fences("a", "tool-call-2"));
}

#[test]
fn ambiguous_names_are_rejected() {
    let rejected = |name: &str, line: usize| {
        format!("`{name}` is not valid in line {line}: it would be parsed differently")
    };
    check("<tool>|a(x=1)</tool>\n", "b(c", &rejected("b(c", 1));
    check("👋\n\n🔧 **Tool Call:** `|a(x=1)`\n", "b`c", &rejected("b`c", 3));
    check("<tool>|a</tool>\n", " b", &rejected(" b", 1));
    // The first result would belong to the second call.
    let two =
        "<tool>a</tool>\n<tool>b</tool>\n<validation>|a\n1</validation>\n<validation>b\n2</validation>\n";
    check(two, "b", &rejected("b", 3));
    check("<tool>|a</tool>\n", "", "the name of a tool cannot be empty");
    check("te|xt\n", "x", "nothing");
    // Written across two records.
    let split = "{\"type\":\"text-delta\",\"delta\":\"<tool>|ab\"}\n{\"type\":\"text-delta\",\"delta\":\"c()</tool>\"}\n";
    check(split, "x", &rejected("x", 1));
}

#[test]
fn many_records_are_renamed() {
    let delta = |id: &str| format!("{{\"type\":\"tool-input-delta\",\"id\":\"{id}\",\"delta\":\"1\"}}\n");
    let log = |id: &str| {
        format!(
            "{{\"type\":\"tool-input-start\",\"id\":\"{id}\",\"toolName\":\"a\"}}\n{}",
            delta(id).repeat(100)
        )
    };
    check(&log("1").replacen("\"1\"", "\"|1\"", 1), "b", &log("b"));
}

/// The codes of all diagnostics. Diagnostics about a tool's input disappear under another tool's
/// name.
fn codes(document: &Document) -> Vec<Code> {
    let codes = document.diagnostics().into_iter().map(|problem| problem.code);
    // Servers reject some of the new names.
    let is_counted = |code: &Code| !matches!(code, Code::SearchReplace | Code::RejectedName);
    let mut codes: Vec<_> = codes.filter(is_counted).collect();
    codes.sort();
    codes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// A rename keeps all diagnostics, and the reverse rename restores the names.
    #[test]
    fn renaming_changes_only_the_name(
        (text, language) in cut_documents(),
        new in prop::sample::select(&["neu", "n\"e\\u", "<n&amp;>", "n(", "👋", "read_file", "call_1"][..]),
    ) {
        let read = |text: &str| Document::new(Text::new(text), language, Arc::new(Settings::default()));
        let document = read(&text);
        let before = codes(&document);
        for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)).step_by(5) {
            let Some(found) = document.name_occurrence_at(at) else { continue };
            prop_assert!(found.range.start <= found.range.end && !found.text.is_empty());
            let Ok(edits) = rename(&document, at, new) else { continue };
            prop_assert!(edits.windows(2).all(|two| two[0].0.end <= two[1].0.start));
            let renamed = read(&applied(&text, &edits));
            let after = codes(&renamed);
            let count = |codes: &[Code], code: Code| codes.iter().filter(|it| **it == code).count();
            // Giving a result the name of its call fixes an error, and so does giving one of two
            // fences another id.
            let more = after.iter().find(|code| count(&after, **code) > count(&before, **code));
            prop_assert_eq!(more, None, "{} at {}", new, at);
            let may_mend = text.contains(new) || found.named == NamedItem::Fence;
            prop_assert!(after.len() == before.len() || may_mend, "{} at {}", new, at);
            prop_assert_eq!(renamed.tool_uses().len(), document.tool_uses().len());
            let there = renamed.name_occurrence_at(edits.first().map_or(at, |(range, _)| range.start));
            prop_assert_eq!(there.map(|it| it.text), Some(new));
        }
    }
}
