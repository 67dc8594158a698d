//! Calls whose results are written, or not, because of what is around them.

use super::*;

/// The result of a call to be tried, and the same as it is written.
fn tried(text: &str, index: usize) -> Result<String, UnwrittenOutcome> {
    let document = open(text, language_of(text));
    let anchor = CallAnchor::of(&document.tool_uses(), index).expect("a call");
    let known = sample_edits(&document, &anchor).err();
    let written = written(&document, index, &output("new")).map(|after| text_of(&after));
    assert_eq!(known, written.as_ref().err().cloned(), "{text}");
    written
}

#[test]
fn results_are_replaced_where_none_could_be_added() {
    let pi = |text: &str| {
        format!(
            "{}\n{}\n",
            r#"{"type":"message","id":"2","parentId":"1","message":{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":{}}]}}"#,
            format_args!(
                r#"{{"type":"message","id":"3","parentId":"2","message":{{"role":"toolResult","toolCallId":"a","toolName":"f","content":[{{"type":"text","text":"{text}"}}],"isError":false}}}}"#
            )
        )
    };
    let langchain = |around: &str, text: &str| {
        let call =
            r#"{"type":"ai","content":"","tool_calls":[{"type":"tool_call","id":"a","name":"f","args":{}}]}"#;
        let result = format!(r#"{{"type":"tool","content":"{text}","tool_call_id":"a","status":"success"}}"#);
        format!("[{},{}]", around.replace("$", call), around.replace("$", &result))
    };
    let dict = |text: &str| {
        langchain(r#"{"type":"ai","data":$}"#, text).replacen(
            "]}},{\"type\":\"ai\"",
            "]}},{\"type\":\"tool\"",
            1,
        )
    };
    let dumped = |text: &str| langchain(r#"{"lc":1,"kwargs":$}"#, text);
    for of in [&pi as &dyn Fn(&str) -> String, &dict, &dumped] {
        assert_eq!(tried(&of("old"), 0), Ok(of("new")));
    }
}

#[test]
fn results_without_ids_belong_to_the_first_pending_call() {
    let call = r#"{"from":"function_call","value":"{\"name\":\"f\",\"arguments\":{}}"}"#;
    let text = format!(r#"[{{"from":"human","value":"go"}},{call},{call}]"#);
    assert!(tried(&text, 0).is_ok());
    assert_eq!(tried(&text, 1), Err(UnwrittenOutcome::EarlierPending));
}

#[test]
fn results_have_no_place_without_an_id_of_their_own() {
    let log = |one: &str, other: &str| {
        let call = |(id, name): (&str, &str)| {
            format!(r#"{{"id":{id},"type":"function","function":{{"name":"{name}","arguments":"{{}}"}}}}"#)
        };
        let calls: Vec<_> = [(one, "f"), (other, "g")].map(call).to_vec();
        format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","tool_calls":[{}]}}]"#,
            calls.join(",")
        )
    };
    assert!(tried(&log("\"a\"", "\"b\""), 0).is_ok());
    assert_eq!(tried(&log("\"a\"", "\"a\""), 0), Err(UnwrittenOutcome::NoPlace));
    assert_eq!(tried(&log("null", "\"b\""), 0), Err(UnwrittenOutcome::NoPlace));
    assert!(matches!(tried(&log("\"\"", "\"b\""), 0), Err(UnwrittenOutcome::Rejected(_))));
}

#[test]
fn calls_that_end_a_document_have_no_place_behind_them() {
    let text = r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}"#;
    assert_eq!(tried(text, 0), Err(UnwrittenOutcome::NoPlace));
}
