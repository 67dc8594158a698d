//! Calls without ids, whose results have them.

use super::{read, repair};
use crate::document::Language;
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
fn a_result_is_removed_if_its_call_is_to_stay_without_an_id() {
    let document = read(&body(&[""], &["a"]), Language::Json);
    let done = repair_only(&document, &|title| title.starts_with("Remove"));
    assert!(!done.document.text().to_string().contains("of a"));
}
