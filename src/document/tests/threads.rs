//! Threads: messages of sub-agents, and sessions that share a log, are conversations of their own.

use std::sync::Arc;

use super::conversation_blocks;
use super::diagnostics::{check, check_log, check_with};
use super::logs::shown;
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::text::Text;

/// A line of Claude Code with these members of its own.
fn line(own: &str, role: &str, content: &str) -> String {
    format!(r#"{{{own}, "type": "{role}", "message": {{"role": "{role}", "content": [{content}]}}}}"#) + "\n"
}

fn call(own: &str, id: &str, name: &str) -> String {
    let part = format!(r#"{{"type": "tool_use", "id": {id}, "name": "{name}", "input": {{}}}}"#);
    line(own, "assistant", &part)
}

fn result(own: &str, id: &str, output: &str) -> String {
    let part = format!(r#"{{"type": "tool_result", "tool_use_id": {id}, "content": "{output}"}}"#);
    line(own, "user", &part)
}

fn text(own: &str) -> String {
    line(own, "assistant", r#"{"type": "text", "text": "t"}"#)
}

/// The tool uses of a log or a JSON document, each with the number of its conversation.
fn uses(text: &str, language: Language) -> Vec<String> {
    let document = Document::new(Text::new(text), language, Arc::new(Settings::default()));
    let mut known = Vec::new();
    let numbers: Vec<usize> = (conversation_blocks(&document).iter())
        .map(|block| {
            let place = known.iter().position(|known| *known == block.conversation);
            place.unwrap_or_else(|| {
                known.push(block.conversation);
                known.len() - 1
            })
        })
        .collect();
    let found = document.tool_uses();
    assert!(document.diagnostics().is_empty(), "{:?} in {text}", document.diagnostics());
    let paired = document.paired_uses();
    let number = |at: usize| paired.uses[at].parts.iter().map(|part| numbers[*part]).next().unwrap_or(9);
    found.iter().enumerate().map(|(at, found)| format!("{}: {}", number(at), shown(found))).collect()
}

#[test]
fn sub_agents_with_ids_are_apart() {
    let [main, a, b] = [
        r#""isSidechain": false"#,
        r#""isSidechain": true, "agentId": "a1""#,
        r#""isSidechain": true, "agentId": "b2""#,
    ];
    let id = r#""x""#;
    let log = [
        call(main, id, "m"),
        call(a, id, "a"),
        call(b, id, "b"),
        result(b, id, "2"),
        result(a, id, "1"),
        result(main, id, "0"),
    ];
    let expected = [r#"0: m#x {} → "0""#, r#"1: a#x {} → "1""#, r#"2: b#x {} → "2""#];
    assert_eq!(uses(&log.concat(), Language::Log), expected);
    // The same records as elements of an array.
    let array = format!("[{}]", log.concat().trim_end().replace('\n', ","));
    assert_eq!(uses(&array, Language::Json), expected);
    let pretty = array.replace(", ", ",\n  ").replace("},{", "},\n{");
    assert_eq!(uses(&pretty, Language::Json), expected);
}

/// Sessions as one array begin with records that are no messages.
#[test]
fn an_array_of_records_is_no_request() {
    let main = r#""isSidechain": false"#;
    let id = r#""x""#;
    let log = [
        "{\"type\": \"file-history-snapshot\", \"snapshot\": {}}\n".to_owned(),
        call(main, id, "m"),
        format!("{{{main}, \"type\": \"progress\", \"data\": {{}}}}\n"),
        result(main, id, "0"),
    ];
    let array = format!("[{}]", log.concat().trim_end().replace('\n', ",\n"));
    assert_eq!(uses(&array, Language::Json), [r#"0: m#x {} → "0""#]);
}

/// A session that an agent went on with has its lines twice, as an array, too.
#[test]
fn an_array_of_records_may_repeat_them() {
    let main = r#""isSidechain": false"#;
    let id = r#""x""#;
    let lines = [call(main, id, "m"), result(main, id, "0"), text(main)].concat().repeat(2);
    let expected = [r#"0: m#x {} → "0""#];
    assert_eq!(uses(&lines, Language::Log), expected);
    let array = format!("[{}]", lines.trim_end().replace('\n', ",\n"));
    assert_eq!(uses(&array, Language::Json), expected);
}

#[test]
fn sub_agents_without_ids_are_apart_by_their_links() {
    let own = |uuid: &str, parent: &str| {
        format!(r#""isSidechain": true, "uuid": "{uuid}", "parentUuid": {parent}"#)
    };
    let id = r#""x""#;
    let log = [
        call(&own("1", "null"), id, "a"),
        call(&own("2", "null"), id, "b"),
        // A line that is no message is a part of the thread, too.
        format!("{{{}, \"type\": \"system\"}}\n", own("3", "\"2\"")),
        result(&own("4", "\"3\""), id, "2"),
        result(&own("5", "\"1\""), id, "1"),
    ];
    assert_eq!(uses(&log.concat(), Language::Log), [r#"0: a#x {} → "1""#, r#"1: b#x {} → "2""#]);
}

#[test]
fn other_families_name_their_threads() {
    // The Claude Agent SDK: the call that started a sub-agent.
    let (main, agent) = (r#""parent_tool_use_id": null"#, r#""parent_tool_use_id": "task""#);
    let id = r#""x""#;
    let log = [call(main, id, "m"), call(agent, id, "a"), result(agent, id, "1"), result(main, id, "0")];
    let expected = [r#"0: m#x {} → "0""#, r#"1: a#x {} → "1""#];
    assert_eq!(uses(&log.concat(), Language::Log), expected);
    // Copilot CLI: the same, in the data of an event.
    let copilot = concat!(
        "{\"type\": \"tool.execution_start\", \"data\": {\"toolCallId\": \"x\", \"toolName\": \"m\", \"arguments\": {}}}\n",
        "{\"type\": \"tool.execution_start\", \"data\": {\"toolCallId\": \"x\", \"toolName\": \"a\", \"arguments\": {}, \"parentToolCallId\": \"p\"}}\n",
        "{\"type\": \"tool.execution_complete\", \"data\": {\"toolCallId\": \"x\", \"success\": true, \"result\": {\"content\": \"0\"}}}\n",
        "{\"type\": \"tool.execution_complete\", \"data\": {\"toolCallId\": \"x\", \"success\": true, \"parentToolCallId\": \"p\", \"result\": {\"content\": \"1\"}}}\n",
    );
    assert_eq!(uses(copilot, Language::Log), [r#"0: m#x {} → "0""#, r#"1: a#x {} → "1""#]);
    // opencode: a sub-agent is a session.
    let part = |session: &str, tool: &str| {
        format!(
            r#"{{"type": "message.part.updated", "properties": {{"part": {{"type": "tool", "sessionID": "{session}", "callID": "x", "tool": "{tool}", "state": {{"status": "completed", "input": {{}}, "output": "1"}}}}}}}}"#
        ) + "\n"
    };
    let log = part("s", "m") + &part("t", "a");
    assert_eq!(uses(&log, Language::Log), [r#"0: m#x {} → "1""#, r#"1: a#x {} → "1""#]);
}

#[test]
fn a_turn_is_over_when_its_own_thread_goes_on() {
    let [main, a, b] = [
        r#""isSidechain": false"#,
        r#""isSidechain": true, "agentId": "a1""#,
        r#""isSidechain": true, "agentId": "b2""#,
    ];
    let id = r#""x""#;
    check_log(&[call(a, id, "f"), text(b), text(main)].concat());
    check_log(&[call(a, "«missing-result:\"x\"»", "f"), text(b), text(a)].concat());
    // Without ids, by their links.
    let own = |uuid: &str, parent: &str| {
        format!(r#""isSidechain": true, "uuid": "{uuid}", "parentUuid": {parent}"#)
    };
    let begun = |id| [call(&own("1", "null"), id, "f"), text(&own("2", "null"))].concat();
    check_log(&(begun(id) + &text(&own("3", "\"2\""))));
    check_log(&(begun("«missing-result:\"x\"»") + &text(&own("3", "\"1\""))));
    // A result in another thread does not belong to the call.
    let log = [call(a, "«missing-result:\"x\"»", "f"), call(b, id, "g"), result(b, id, "1"), text(a)];
    check_log(&log.concat());
}

/// The lines of one streamed message share its id, in all containers alike.
#[test]
fn a_streamed_message_is_one_turn() {
    let part = |id: &str, message: &str| {
        let call = format!(r#"{{"type": "tool_use", "id": {id}, "name": "f", "input": {{}}}}"#);
        format!(
            r#"{{"type": "assistant", "message": {{"role": "assistant", "id": "{message}", "content": [{call}]}}}}"#
        )
    };
    let check_all = |lines: &[String]| {
        check_log(&lines.iter().map(|line| line.clone() + "\n").collect::<String>());
        check(&format!("```jsonl\n{}\n```\n", lines.join("\n")));
        let array = lines.join(",\n");
        check(&format!("```json\n[{array}]\n```\n"));
        check_with(&format!("[{array}]"), Language::Json, Settings::default());
        // Pretty, the parts of a message are in several segments.
        let pretty = format!("[\n{}\n]\n", array.replace(", ", ",\n  ").replace(": {", ": {\n "));
        check_with(&pretty, Language::Json, Settings::default());
    };
    check_all(&[part("\"a\"", "m1"), part("\"b\"", "m1")]);
    check_all(&[part("«missing-result:\"a\"»", "m1"), part("\"b\"", "m2")]);
}

/// Several sub-agents without ids look like one in arrays and fences.
#[test]
fn sub_agents_without_ids_have_no_issues_in_arrays() {
    let own = |uuid: &str, parent: &str| {
        format!(r#""isSidechain": true, "uuid": "{uuid}", "parentUuid": {parent}"#)
    };
    let (id, other) = (r#""x""#, r#""y""#);
    let log = [
        call(&own("1", "null"), id, "a"),
        call(&own("2", "null"), id, "b"),
        result(&own("3", "\"2\""), id, "2"),
        call(&own("4", "\"3\""), other, "b"),
        text(&own("5", "null")),
    ];
    let lines = log.concat();
    let array = format!("[{}]", lines.trim_end().replace('\n', ",\n"));
    check_with(&array, Language::Json, Settings::default());
    let named = || Settings { is_named: true, ..Settings::default() };
    check_with(&format!("```jsonl\n{lines}```\n"), Language::Markdown, named());
    check_with(&format!("```json\n{array}\n```\n"), Language::Markdown, named());
}
