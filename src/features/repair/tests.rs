//! Repair: single cases, and sessions that are broken in each known way.

use std::collections::BTreeMap;

use super::{needs_repair, repair};
use crate::config::Settings;
use crate::diagnostic::{Code, Severity};
use crate::document::{Document, Language};
use crate::features::samples::small;
use crate::text::Text;

mod cut_off;
mod fuzz;
mod ids;
mod sessions;

use sessions::{FAMILIES, Family, Rng, Session};

fn read(text: &str, language: Language) -> Document {
    Document::new(Text::new(text), language, small(&Settings::default()))
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let language = if text.starts_with('[') { Language::Json } else { Language::Log };
    let repaired = repair(&read(text, language));
    assert_eq!(repaired.document.text().to_string(), expected);
    assert_eq!(repaired.left, []);
    assert_eq!(repaired.document.diagnostics(), []);
}

#[test]
fn a_result_is_added_behind_its_call() {
    let call = r#"{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
    let added =
        r#"{"role":"tool","tool_call_id":"a","content":"error: no result was recorded for this call"}"#;
    let user = r#"{"role":"user","content":"go on"}"#;
    check(&format!("{call}\n{user}\n"), &format!("{call}\n{added}\n{user}\n"));
    check(&format!("[{call},\n {user}]"), &format!("[{call},\n {added},\n {user}]"));
    check(&format!("{call}\r\n{user}\r\n"), &format!("{call}\r\n{added}\r\n{user}\r\n"));
}

#[test]
fn a_record_on_a_line_of_its_own_ends_like_the_others() {
    let user = r#"{"role":"user","content":"go on"}"#;
    check(&format!("{user}{user}\r\n{user}\r\n"), &format!("{user}\r\n{user}\r\n{user}\r\n"));
}

/// Ids that return after their results: OpenAI's servers accept them, Anthropic's do not.
#[test]
fn a_reused_id_keeps_its_real_result() {
    let call = |api: &str, input: &str| match api {
        "openai" => format!(
            r#"{{"role":"assistant","tool_calls":[{{"id":"a_1","type":"function","function":{{"name":"f","arguments":"{{\"q\":{input}}}"}}}}]}}"#
        ),
        _ => format!(
            r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"a_1","name":"f","input":{{"q":{input}}}}}]}}"#
        ),
    };
    let result = |api: &str, content: &str| match api {
        "openai" => format!(r#"{{"role":"tool","tool_call_id":"a_1","content":"{content}"}}"#),
        _ => format!(
            r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"a_1","content":"{content}"}}]}}"#
        ),
    };
    let user = r#"{"role":"user","content":"go on"}"#;
    let read_all = |messages: &[&str]| read(&format!("[{}]", messages.join(",\n")), Language::Json);
    let codes = |document: &Document| {
        let found = document.diagnostics().into_iter();
        found.map(|found| (found.code, found.severity)).collect::<Vec<_>>()
    };
    let hint = (Code::DuplicateId, Severity::Hint);
    let (one, two) = (call("openai", "1"), call("openai", "2"));
    let (tom, kit) = (result("openai", "Tom"), result("openai", "Kit"));
    let whole = read_all(&[user, &one, &tom, user, &two, &kit, user]);
    assert_eq!(codes(&whole), [hint]);
    assert_eq!(repair(&whole).steps, []);
    // The first call lost its result: the second one keeps its own.
    let lost = read_all(&[user, &one, user, &two, &kit, user]);
    assert_eq!(codes(&lost), [(Code::MissingResult, Severity::Error), hint]);
    let added =
        r#"{"role":"tool","tool_call_id":"a_1","content":"error: no result was recorded for this call"}"#;
    let expected = read_all(&[user, &one, added, user, &two, &kit, user]);
    assert_eq!(repair(&lost).document.text().to_string(), expected.text().to_string());
    // Two calls of one message.
    let both = one.replace("]}", &format!(",{}", &two[two.find("[{").unwrap() + 1..]));
    let parallel = repair(&read_all(&[user, &both, &tom, &kit, user]));
    let number = |text: &str| text.replace("a_1", "a_2");
    let renamed = both.replacen("a_1", "a_2", 2).replacen("a_2", "a_1", 1);
    let expected = read_all(&[user, &renamed, &tom, &number(&kit), user]);
    assert_eq!(parallel.document.text().to_string(), expected.text().to_string());
    // Anthropic: the later pair gets another id.
    let (one, two) = (call("anthropic", "1"), call("anthropic", "2"));
    let (tom, kit) = (result("anthropic", "Tom"), result("anthropic", "Kit"));
    let reused = read_all(&[user, &one, &tom, &two, &kit]);
    assert_eq!(codes(&reused), [(Code::DuplicateId, Severity::Error)]);
    let expected = read_all(&[user, &one, &tom, &number(&two), &number(&kit)]);
    assert_eq!(repair(&reused).document.text().to_string(), expected.text().to_string());
}

/// More calls than can be answered in one round, whose results go to one place.
#[test]
fn all_calls_of_a_message_get_results() {
    let call = |id: usize| format!(r#"{{"type":"tool_use","id":"t{id}","name":"f","input":{{}}}}"#);
    let calls: Vec<_> = (0..100).map(call).collect();
    let text = format!(
        r#"[{{"role":"assistant","content":[{}]}}, {{"role":"user","content":"é"}}]"#,
        calls.join(",")
    );
    let repaired = repair(&read(&text, Language::Json));
    assert_eq!((repaired.steps.len(), &*repaired.left), (100, &[][..]));
    assert_eq!(repaired.document.diagnostics(), []);
}

/// Results without an id and calls without an input keep each other.
#[test]
fn damaged_pairs_of_a_request_are_completed() {
    let user = r#"{"role":"user","content":"go"}"#;
    let check_body = |pair: &str, repaired: &str| {
        let body = |pair: &str| format!(r#"{{"model":"m","messages":[{user},{pair},{user}]}}"#);
        let done = repair(&read(&body(pair), Language::Json));
        assert_eq!(done.document.text().to_string(), body(repaired));
        assert_eq!(done.left, []);
        assert_eq!(done.document.diagnostics(), []);
    };
    let call = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
    for (result, repaired) in [
        (
            r#"{"role":"tool","tool_call_id":null,"content":"Tom"}"#,
            r#"{"role":"tool","tool_call_id":"a","content":"Tom"}"#,
        ),
        (
            r#"{"role":"tool","tool_call_id":"","content":"Tom"}"#,
            r#"{"role":"tool","tool_call_id":"a","content":"Tom"}"#,
        ),
        (r#"{"role":"tool","content":"Tom"}"#, r#"{"tool_call_id": "a", "role":"tool","content":"Tom"}"#),
        (r#"{"role":"tool","tool_call_id":"a"}"#, r#"{"role":"tool", "content": "","tool_call_id":"a"}"#),
    ] {
        check_body(&format!("{call},{result}"), &format!("{call},{repaired}"));
    }
    let call = |input: &str| {
        format!(r#"{{"role":"assistant","content":[{{{input}"type":"tool_use","id":"a","name":"f"}}]}}"#)
    };
    let result =
        |id: &str| format!(r#"{{"role":"user","content":[{{{id}"type":"tool_result","content":"Tom"}}]}}"#);
    let whole = (call(r#""input": {}, "#), result(r#""tool_use_id": "a", "#));
    check_body(&format!("{},{}", whole.0, result("")), &format!("{},{}", whole.0, whole.1));
    for (damaged, input) in [
        ("", "{}"),
        (r#""input": null, "#, "{}"),
        (r#""input": "{\"x\": 1.0}", "#, r#"{"x": 1.0}"#),
        (r#""input": "cats", "#, r#"{"input": "cats"}"#),
    ] {
        let input = format!("\"input\": {input}, ");
        check_body(&format!("{},{}", call(damaged), whole.1), &format!("{},{}", call(&input), whole.1));
    }
}

#[test]
fn the_last_turn_is_left_alone() {
    let user = r#"{"role":"user","content":"go"}"#;
    let call = r#"{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
    check(&format!("{user}\n{call}\n"), &format!("{user}\n{call}\n"));
    check(&format!("[{user},{call}]"), &format!("[{user},{call}]"));
}

#[test]
fn a_result_without_a_call_goes_with_its_message() {
    let user = r#"{"role":"user","content":"go"}"#;
    let orphan = r#"{"role":"tool","tool_call_id":"b","content":"x"}"#;
    check(&format!("[{user}, {orphan}]"), &format!("[{user}]"));
    check(&format!("{user}\n{orphan}\n{user}\n"), &format!("{user}\n{user}\n"));
    let block = |id: &str| format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"x"}}"#);
    let call = r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}"#;
    check(
        &format!(r#"[{call}, {{"role":"user","content":[{}, {}]}}]"#, block("b"), block("a")),
        &format!(r#"[{call}, {{"role":"user","content":[{}]}}]"#, block("a")),
    );
}

/// Lines that are not one record each, as trackers of agents report them.
#[test]
fn each_line_is_one_record() {
    let user = r#"{"role":"user","content":"go"}"#;
    let said = |text: &str| format!(r#"{{"role":"assistant","content":"{text}"}}"#);
    let check = |broken: &str, mended: &str| {
        let text = |it: &str| format!("{user}\n{it}\n{user}\n");
        let found: Vec<_> = read(&text(broken), Language::Log).diagnostics();
        assert!(!found.is_empty() && found.iter().all(|it| it.code.name().contains("line")), "{found:?}");
        check(&text(broken), &text(mended));
    };
    // Line ends in a string that were not escaped.
    check(&said("a\nb\r\n\n{\\\"c\\\"}"), &said(r#"a\nb\r\n\n{\"c\"}"#));
    check("{\"role\": \"assistant\",\n \"content\": \"x\"}", "{\"role\": \"assistant\", \"content\": \"x\"}");
    check(&said("a\tb\u{1}"), &said(r"a\tb\u0001"));
    // Two programs that wrote at once, or one that was ended before.
    check(&format!("{}{user}", said("x")), &format!("{}\n{user}", said("x")));
    check(&format!(r#"{{"role":"assistant","content":"tr{user}"#), &format!("{}\n{user}", said("tr")));
    // A record that was cut off.
    check(r#"{"role":"assistant","content":"tr"#, &said("tr"));
    check(&said("a\u{2028}b\u{2029}c\u{85}"), &said(r"a\u2028b\u2029c\u0085"));
    // Outside of strings, JSON has no escapes.
    for space in ["\u{2028}", "\u{85}", "\u{a0}"] {
        check(&format!("{}{space}", said("x")), &said("x"));
        check(&format!("{}{space}", said("a\u{2028}b")), &said(r"a\u2028b"));
        check(&said("x").replacen(':', &format!(":{space}"), 1), &said("x").replacen(':', ": ", 1));
        check(&format!("{}{space}{user}", said("x")), &format!("{}\n{user}", said("x")));
    }
    // What is no record stays, and is reported.
    let text = format!("{user}\n{}\n{user}\n", said(r#"a"b"#));
    let left = repair(&read(&text, Language::Log));
    assert_eq!((left.document.text().to_string(), left.left.len()), (text, 1));
    let cut = format!("[{user}, {}, ", said("x"));
    let left = repair(&read(&cut, Language::Json));
    assert_eq!((left.steps, left.left.len()), (Vec::new(), 1));
    // A last line that ends in the middle may be in the middle of being written.
    let growing = read(&format!("{user}\n{user}\n{}", &user[..20]), Language::Log).diagnostics();
    let found: Vec<_> = growing.iter().map(|it| (it.code, it.severity)).collect();
    assert_eq!(found, [(Code::BrokenLine, Severity::Information)]);
}

#[test]
fn a_line_behind_a_lost_one_is_linked_to_those_before_it() {
    let line = |parent: &str, role: &str, content: &str, uuid: &str| {
        format!(
            r#"{{"parentUuid":{parent},"type":"{role}","message":{{"role":"{role}","content":{content}}},"uuid":"{uuid}"}}"#
        )
    };
    let user = line("null", "user", "\"go\"", "u");
    let orphan =
        line(r#""lost""#, "user", r#"[{"type":"tool_result","tool_use_id":"b","content":"x"}]"#, "r");
    let next = |parent: &str| line(parent, "assistant", "\"ok\"", "a");
    check(&format!("{user}\n{orphan}\n{}\n", next("\"r\"")), &format!("{user}\n{}\n", next("\"u\"")));
}

/// The parent of a line that is removed may be a line of another thread, or stand anywhere.
#[test]
fn a_removed_line_leaves_the_parent_that_it_had() {
    let line = |own: &str, role: &str, content: &str| {
        format!(r#"{{{own},"type":"{role}","message":{{"role":"{role}","content":{content}}}}}"#)
    };
    let side = r#""isSidechain":true,"agentId":"x","#;
    let orphan = r#"[{"type":"tool_result","tool_use_id":"b","content":"x"}]"#;
    let user = line(r#""parentUuid":null,"uuid":"u""#, "user", "\"go\"");
    let other = line(&format!(r#"{side}"parentUuid":"u","uuid":"s""#), "user", "\"side\"");
    let next = |parent: &str| line(&format!(r#""parentUuid":{parent},"uuid":"a""#), "assistant", "\"ok\"");
    let removed = |parent: &str| line(&format!(r#""parentUuid":{parent},"uuid":"r""#), "user", orphan);
    let before = format!("{user}\n{other}\n");
    for parent in ["\"s\"", "null"] {
        check(
            &format!("{before}{}\n{}\n", removed(parent), next("\"r\"")),
            &format!("{before}{}\n", next(parent)),
        );
    }
}

/// An id that several lines have: the lines after it stay, and a new line has few of them.
#[test]
fn lines_with_one_id_keep_their_links() {
    let line = |own: &str, role: &str, content: &str| {
        format!(
            r#"{{"parentUuid":{own},"type":"{role}","message":{{"role":"{role}","content":[{content}]}}}}"#
        )
    };
    let call = |id: &str| {
        let call = format!(r#"{{"type":"tool_use","id":"{id}","name":"f","input":{{}}}}"#);
        line(r#""u","uuid":"u""#, "assistant", &call)
    };
    let orphan =
        line(r#""u","uuid":"u""#, "user", r#"{"type":"tool_result","tool_use_id":"b","content":"x"}"#);
    let text = |own: &str| line(own, "user", r#"{"type":"text","text":"hm"}"#);
    let whole = format!("{}\n{}\n", text(r#"null,"uuid":"u""#), text(r#""u","uuid":"w""#));
    let with_orphan = whole.replacen('\n', &format!("\n{orphan}\n"), 1);
    check(&with_orphan, &whole);

    let calls: String = (0..40).map(|id| call(&id.to_string()) + "\n").collect();
    let document = read(&calls, Language::Log);
    let found = document.fixes_in_range(0..document.text().len());
    assert!(!found.is_empty());
    for fix in found.iter().flat_map(|it| &it.fixes) {
        assert!(fix.edits.len() < 4, "{fix:?}");
    }
}

/// The text that a repair of `lines` with the end `cut` leaves of that end.
#[track_caller]
fn end_of(lines: &str, cut: &str) -> String {
    let repaired = repair(&read(&format!("{lines}{cut}"), Language::Log));
    assert_eq!((repaired.steps.len(), &*repaired.left), (1, &[][..]), "{cut}");
    let after = repaired.document.text().to_string();
    after.strip_prefix(lines).unwrap_or_else(|| panic!("{after}")).to_owned()
}

/// The members that a line of Claude Code needs, some of which stand after its message.
#[test]
fn a_cut_off_line_of_claude_code_is_a_record_or_removed() {
    let user = r#"{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"go"},"uuid":"u","timestamp":"t","cwd":"/w","sessionId":"s","version":"2"}"#;
    let of_assistant = |parent: &str, content: &str| {
        format!(
            r#"{{"parentUuid":"{parent}","isSidechain":false,"message":{{"model":"m","id":"i","type":"message","role":"assistant","content":{content},"stop_reason":"end_turn","usage":{{"input_tokens":5,"output_tokens":7}}}},"requestId":"r","type":"assistant","uuid":"a","timestamp":"t","cwd":"/w","sessionId":"s","version":"2"}}"#
        )
    };
    let lines = format!("{user}\n{}\n", of_assistant("u", r#"[{"type":"text","text":"ok"}]"#));
    for content in [
        r#"[{"type":"text","text":"So \"it\" is"}]"#,
        r#"[{"type":"thinking","thinking":"hm","signature":"x"},{"type":"text","text":"So"}]"#,
        r#"[{"type":"tool_use","id":"c","name":"f","input":{"content":"x"}}]"#,
    ] {
        let whole = of_assistant("a", content);
        let said = whole.find("[{").unwrap() + content.len();
        for end in 1..whole.len() {
            let closed = end_of(&lines, &whole[..end]);
            if closed.is_empty() {
                assert!(end < said, "{}", &whole[..end]);
                continue;
            }
            let value: serde_json::Value = serde_json::from_str(&closed).unwrap();
            let text =
                |path: &str| value.pointer(path).and_then(serde_json::Value::as_str).unwrap_or_default();
            assert_eq!(text("/uuid").len().max(36), 36, "{closed}");
            assert!(!text("/uuid").is_empty() && text("/timestamp") == "t" && text("/type") == "assistant");
            assert!(
                text("/sessionId") == "s" && text("/parentUuid") == "a" && text("/cwd") == "/w",
                "{closed}"
            );
            let message = &value["message"];
            assert!(text("/message/id") == "i" && message["usage"].is_object(), "{closed}");
            for part in message["content"].as_array().unwrap() {
                let is_whole = match part["type"].as_str().unwrap() {
                    "text" => !part["text"].as_str().unwrap().is_empty(),
                    "tool_use" => part["input"]["content"] == "x",
                    _ => part["signature"] == "x",
                };
                assert!(is_whole, "{closed}");
            }
        }
    }
}

#[test]
fn a_cut_off_line_of_codex_is_a_record_or_removed() {
    let line = |payload: &str| format!(r#"{{"timestamp":"t","type":"response_item","payload":{payload}}}"#);
    let text = |role: &str, text: &str| {
        line(&format!(
            r#"{{"type":"message","role":"{role}","content":[{{"type":"text","text":"{text}"}}]}}"#
        ))
    };
    let call = line(r#"{"type":"function_call","name":"f","arguments":"{\"a\":\"b\"}","call_id":"c1"}"#);
    let result = line(r#"{"type":"function_call_output","call_id":"c1","output":"two\nlines"}"#);
    let usage =
        r#"{"timestamp":"t","type":"event_msg","payload":{"type":"token_count","info":{"total":12}}}"#;
    let called = format!("{}\n{call}\n", text("user", "go"));
    let answered = format!("{called}{result}\n");
    for (lines, whole) in [
        (&answered, &text("assistant", "Well, yes")),
        (&answered, &call.replace("c1", "c2")),
        (&called, &result),
        (&answered, &usage.to_owned()),
    ] {
        for end in 1..whole.len() {
            let closed = end_of(lines, &whole[..end]);
            if closed.is_empty() {
                continue;
            }
            let value: serde_json::Value = serde_json::from_str(&closed).unwrap();
            let payload = &value["payload"];
            let is_whole = match payload["type"].as_str().unwrap() {
                "message" => "Well, yes".starts_with(payload["content"][0]["text"].as_str().unwrap()),
                "function_call" => payload["call_id"] == "c2" && payload["arguments"] == "{\"a\":\"b\"}",
                "function_call_output" => {
                    payload["call_id"] == "c1" && !payload["output"].as_str().unwrap().is_empty()
                }
                _ => payload["info"]["total"] == 12,
            };
            assert!(is_whole, "{closed}");
        }
    }
}

/// A way in which sessions break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Breakage {
    LineDeleted,
    ResultLost,
    IdReused,
    KilledInLine,
    ResultFirst,
}

const BREAKAGES: &[Breakage] = &[
    Breakage::LineDeleted,
    Breakage::ResultLost,
    Breakage::IdReused,
    Breakage::KilledInLine,
    Breakage::ResultFirst,
];

/// The number of sessions of each family that are broken in each way.
fn count() -> u64 {
    std::env::var("REPAIR_SESSIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(8)
}

fn broken(session: &Session, breakage: Breakage, rng: &mut Rng) -> String {
    let mut session = session.clone();
    match breakage {
        Breakage::LineDeleted => drop(session.messages.remove(rng.below(session.messages.len()))),
        Breakage::ResultLost => {
            let at = session.any_result(rng);
            session.messages.remove(at);
        }
        Breakage::IdReused => session.reuse_id(rng),
        Breakage::KilledInLine => {
            let text = session.text();
            let last = text.trim_end().rfind('\n').unwrap() + 1;
            let mut end = last + 2 + rng.below(text.trim_end().len() - last - 3);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            return text[..end].to_owned();
        }
        Breakage::ResultFirst => {
            let at = session.any_result(rng);
            let result = session.messages.remove(at);
            session.messages.insert(at - 1, result);
        }
    }
    session.text()
}

/// The number of lines of one text that the other lacks.
fn differing_lines(one: &str, other: &str) -> usize {
    let mut counts: BTreeMap<&str, i32> = BTreeMap::new();
    one.lines().for_each(|line| *counts.entry(line.trim_end_matches(',')).or_default() += 1);
    other.lines().for_each(|line| *counts.entry(line.trim_end_matches(',')).or_default() -= 1);
    counts.values().map(|count| count.unsigned_abs() as usize).sum()
}

fn check_repair(family: Family, breakage: Breakage, seed: u64) {
    let mut rng = Rng::new(seed);
    let session = Session::new(family, &mut rng);
    let whole = session.text();
    let shown = |what: &str, text: &str| format!("{family:?} {breakage:?} seed {seed}: {what}\n{text}");
    let untouched = repair(&read(&whole, family.language()));
    assert_eq!(untouched.steps, [], "{}", shown("whole", &whole));
    let text = broken(&session, breakage, &mut rng);
    let repaired = repair(&read(&text, family.language()));
    let after = repaired.document.text().to_string();
    assert_eq!(repaired.left, [], "{}", shown("left", &text));
    let at_once = read(&text, family.language()).edited(&repaired.edits).text().to_string();
    assert_eq!(at_once, after, "{}", shown("the edits of all rounds", &text));
    let has_changed = needs_repair(&read(&text, family.language()));
    assert_eq!(has_changed, text != after, "{}", shown("offered", &text));
    let again = read(&after, family.language());
    let rejected: Vec<_> =
        again.diagnostics().into_iter().filter(|found| found.severity > Severity::Hint).collect();
    assert_eq!(rejected, [], "{}", shown("accepted", &after));
    assert_eq!(repair(&again).steps, [], "{}", shown("again", &after));
    assert!(sessions::is_accepted(family, &after), "{}", shown("checked by the test", &after));
    let differing = differing_lines(&text, &after);
    let allowed = match breakage {
        // A lost call takes its result with it; the lines after the two point to those before.
        Breakage::LineDeleted => 5,
        // The new line may have an id of its own, to which the next one points then.
        Breakage::ResultLost => 3,
        Breakage::IdReused | Breakage::KilledInLine => 4,
        Breakage::ResultFirst => 0,
    };
    assert!(
        differing <= allowed,
        "{}",
        shown(&format!("{differing} lines differ"), &format!("{text}\n→\n{after}"))
    );
}

#[test]
fn broken_sessions_are_accepted_again() {
    for family in FAMILIES {
        for breakage in BREAKAGES {
            if *breakage == Breakage::KilledInLine && family.language() == Language::Json {
                continue;
            }
            (0..count()).for_each(|seed| check_repair(*family, *breakage, seed));
        }
    }
}
