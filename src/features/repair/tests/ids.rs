//! Calls without ids, whose results have them, and calls that cannot be read.

use super::{read, repair};
use crate::diagnostic::Code;
use crate::document::{Document, Language};
use crate::features::repair::repair_only;

const USER: &str = r#"{"role":"user","content":"go"}"#;

/// A request with these calls and these results, each in one message.
fn body(calls: &[&str], results: &[&str]) -> String {
    let call = |call: &&str| format!(r#"{{{call}"type":"tool_use","name":"f","input":{{}}}}"#);
    let result = |id: &&str| format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"of {id}"}}"#);
    let calls = calls.iter().map(call).collect::<Vec<_>>().join(",");
    let results = results.iter().map(result).collect::<Vec<_>>().join(",");
    format!(
        r#"{{"model":"claude","max_tokens":1,"messages":[{USER},{{"role":"assistant","content":[{calls}]}},{{"role":"user","content":[{results}]}}]}}"#
    )
}

#[test]
fn each_call_gets_the_id_of_its_own_result() {
    let (a, b, c) = (r#""id": "a", "#, r#""id": "b", "#, r#""id": "c", "#);
    for (calls, repaired) in [(["", "", ""], [a, b, c]), (["", b, ""], [a, b, c]), ([c, "", ""], [c, a, b])] {
        let results = ["a", "b", "c"];
        let done = repair(&read(&body(&calls, &results), Language::Json));
        assert_eq!(done.document.text().to_string(), body(&repaired, &results));
        assert_eq!(done.left, []);
    }
}

#[test]
fn a_result_stays_if_its_call_is_to_stay_without_an_id() {
    let document = read(&body(&[""], &["a"]), Language::Json);
    let done = repair_only(&document, &|title| title.starts_with("Remove"));
    assert!(done.document.text().to_string().contains("of a"));
}

/// Calls that cannot be read keep their results: in a line that is not JSON, and without a name.
#[test]
fn results_of_damaged_calls_stay() {
    let check = |text: &str, language: Language| {
        let done = repair(&read(text, language));
        assert_eq!((done.document.text().to_string(), done.steps), (text.to_owned(), Vec::new()));
        assert!(!done.left.is_empty(), "{text}");
    };
    let user = r#"{"role":"user","content":"go"}"#;
    let call = r#"{"role":"assistant","content":"x","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
    let result = r#"{"role":"tool","tool_call_id":"a","content":"Tom"}"#;
    // A quote too many.
    let broken = call.replace(r#""x""#, r#""x"y""#);
    check(&format!("{user}\n{broken}\n{result}\n{user}\n"), Language::Log);
    let nameless = call.replace(r#""name""#, r#""nam""#);
    check(&format!("[{user},{nameless},{result},{user}]"), Language::Json);
    // A bracket is missing inside of a line.
    let open = call.replacen("}}]", "}]", 1);
    check(&format!("{user}\n{open}\n{result}\n{user}\n"), Language::Log);
    // Lines of a session are not linked past one that cannot be read.
    let line = |uuid: &str, parent: &str| {
        format!(r#"{{"type":"user","uuid":"{uuid}","parentUuid":{parent},"sessionId":"s","message":{user}}}"#)
    };
    let broken = line("b", r#""a""#).replace("go", "g\"o");
    check(&format!("{}\n{broken}\n{}\n", line("a", "null"), line("c", r#""b""#)), Language::Log);
}

/// Calls without ids get the ids of results that can only be theirs.
#[test]
fn calls_get_the_ids_of_their_results() {
    let user = r#"{"role":"user","content":"go"}"#;
    let check = |message: &dyn Fn(&str, &str) -> String, results: &str| {
        let whole = |one: &str, two: &str| {
            let text = format!("[{user},{},{results},{user}]", message(one, two));
            read(&text, Language::Json)
        };
        let (damaged, expected) = (whole("", ""), whole(r#""id": "a", "#, r#""id": "b", "#));
        let codes: Vec<_> = damaged.diagnostics().iter().map(|found| found.code).collect();
        assert_eq!(codes.iter().filter(|code| **code == Code::WrongType).count(), 2);
        let outputs = |document: &Document| {
            document.tool_uses().into_iter().map(|it| (it.name, it.output)).collect::<Vec<_>>()
        };
        assert_eq!(outputs(&damaged), outputs(&expected));
        let repaired = repair(&damaged).document;
        assert_eq!(repaired.text().to_string(), expected.text().to_string());
        assert_eq!(repaired.diagnostics(), []);
    };
    let openai = |one: &str, two: &str| {
        let call = |id: &str, name: &str| {
            format!(r#"{{{id}"type":"function","function":{{"name":"{name}","arguments":"{{}}"}}}}"#)
        };
        let last = call(r#""id": "c", "#, "h");
        format!(r#"{{"role":"assistant","tool_calls":[{},{},{last}]}}"#, call(one, "f"), call(two, "g"))
    };
    let result = |id: &str| format!(r#"{{"role":"tool","tool_call_id":"{id}","content":"of {id}"}}"#);
    check(&openai, &["a", "c", "b"].map(result).join(","));
    let anthropic = |one: &str, two: &str| {
        let call =
            |id: &str, name: &str| format!(r#"{{{id}"type":"tool_use","name":"{name}","input":{{}}}}"#);
        format!(r#"{{"role":"assistant","content":[{},{}]}}"#, call(one, "f"), call(two, "g"))
    };
    let result = |id: &str| format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"of {id}"}}"#);
    check(&anthropic, &format!(r#"{{"role":"user","content":[{},{}]}}"#, result("a"), result("b")));
}

/// A result with a typing mistake in its id belongs to the call that has none, also if that is in
/// the last message, where no result is missing.
#[test]
fn a_result_with_a_misspelt_id_gets_the_id_of_its_call() {
    let call = r#""id": "toolu_01AbCd", "#;
    for (written, is_misspelt) in
        [("toolu_01AbDd", true), ("toolu_01bCd", true), ("toolu_01AbCdd", true), ("toolu_02XyZw", false)]
    {
        for behind in ["", &format!(",{USER}")] {
            let of = |id: &str| {
                let text =
                    body(&[call, r#""id": "other", "#], &[id, "other"]).replace(&format!("of {id}"), "it");
                text.replace("]}]}", &format!("]}}{behind}]}}"))
            };
            let done = repair(&read(&of(written), Language::Json));
            let repaired = done.document.text().to_string();
            assert_eq!(repaired == of("toolu_01AbCd"), is_misspelt, "{repaired}");
            assert_eq!(done.left, []);
        }
    }
    // The ids of counted calls all differ by one letter, and of two one could be meant.
    for (one, two, written) in [("call_1", "other", "call_2"), ("toolu_ab", "toolu_ac", "toolu_ad")] {
        let calls = [one, two].map(|id| format!(r#""id": "{id}", "#));
        let done = repair(&read(&body(&[&calls[0], &calls[1]], &[written]), Language::Json));
        assert!(!done.document.text().to_string().contains(&format!("of {written}")));
    }
}

/// Results whose calls were all left out stay: removing them would leave nothing.
#[test]
fn results_alone_stay() {
    let result = |id: &str| format!(r#"{{"role":"tool","tool_call_id":"{id}","content":"x"}}"#);
    let text = format!(r#"{{"messages":[{},{}]}}"#, result("a"), result("b"));
    let done = repair(&read(&text, Language::Json));
    assert_eq!(done.document.text().to_string(), text);
    let left: Vec<_> = done.left.iter().map(|step| step.code).collect();
    assert_eq!(left, [Some(Code::OrphanResult); 2]);
}

/// A repeated message is removed once; the results then belong to the calls of the remaining
/// message.
#[test]
fn a_repeated_message_is_removed() {
    let call = |id: &str| {
        format!(r#"{{"id":"{id}","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}"#)
    };
    let result =
        |id: &str, text: &str| format!(r#"{{"role":"tool","tool_call_id":"{id}","content":"{text}"}}"#);
    let calls = format!(r#"{{"role":"assistant","tool_calls":[{},{}]}}"#, call("a"), call("b"));
    let body = |messages: &[&str]| format!(r#"{{"model":"m","messages":[{}]}}"#, messages.join(","));
    let (a, b) = (result("a", "1"), result("b", "2"));
    let text = body(&[USER, &calls, &calls, &a, &b]);
    let done = repair(&read(&text, Language::Json));
    assert_eq!(done.document.text().to_string(), body(&[USER, &calls, &a, &b]));
    let before: Vec<_> = read(&text, Language::Json).diagnostics().iter().map(|it| it.code).collect();
    assert_eq!(before, [Code::DuplicateId; 2]);
    // A record of a session.
    let line = |payload: &str| format!(r#"{{"type":"response_item","payload":{payload}}}"#);
    let lines = [
        line(r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}"#),
        line(r#"{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}"#),
        line(r#"{"type":"function_call_output","call_id":"a","output":"x"}"#),
        line(r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"so"}]}"#),
    ];
    let repeated = [&lines[0], &lines[1], &lines[1], &lines[2], &lines[3]].map(|line| format!("{line}\n"));
    let done = repair(&read(&repeated.concat(), Language::Log));
    assert_eq!(done.document.text().to_string(), lines.map(|line| line + "\n").concat());
    // Results that are missing are added in the order of their calls.
    let none = "error: no result was recorded for this call";
    let done = repair(&read(&body(&[USER, &calls, USER]), Language::Json));
    let added = body(&[USER, &calls, &result("a", none), &result("b", none), USER]);
    assert_eq!(done.document.text().to_string(), added);
}

/// A repeated message is removed as a whole, before one of its ids is changed.
#[test]
fn a_repeated_message_with_one_id_twice_is_removed() {
    let call =
        |id: &str, n: u8| format!(r#"{{"type":"tool_use","id":"{id}","name":"f","input":{{"n":{n}}}}}"#);
    let result = |id: &str| format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"x"}}"#);
    let calls =
        format!(r#"{{"role":"assistant","content":[{},{},{}]}}"#, call("a", 1), call("b", 2), call("a", 3));
    let results = format!(r#"{{"role":"user","content":[{},{},{}]}}"#, result("a"), result("b"), result("a"));
    let done = repair(&read(&format!("[{USER},{calls},{calls},{results},{USER}]"), Language::Json));
    let repaired = done.document.text().to_string();
    assert_eq!((done.left, repaired.matches(r#""assistant""#).count()), (Vec::new(), 1), "{repaired}");
}
