//! Calls whose results are written or not, depending on the text around them.

use super::*;
use crate::features::refactorings::Refactoring;

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
fn results_of_another_generation_are_replaced_as_a_whole() {
    let log = |result: &str| {
        format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool-call","toolCallId":"a","toolName":"f","input":{{}}}}]}},{{"role":"tool","content":[{{"type":"tool-result","toolCallId":"a","toolName":"f",{result}}}]}}]"#
        )
    };
    let new = log(r#""output":{"type":"text","value":"new"}"#);
    assert_eq!(tried(&log(r#""result":"old""#), 0), Ok(new));
}

#[test]
fn results_without_ids_belong_to_the_first_pending_call() {
    let call = r#"{"from":"function_call","value":"{\"name\":\"f\",\"arguments\":{}}"}"#;
    let text = format!(r#"[{{"from":"human","value":"go"}},{call},{call}]"#);
    assert!(tried(&text, 0).is_ok());
    assert_eq!(tried(&text, 1), Err(UnwrittenOutcome::Rejected(ConversionError::EarlierPending)));
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
    // The first one of two with the same id gets the result.
    assert!(tried(&log("\"a\"", "\"a\""), 0).is_ok());
    assert_eq!(
        tried(&log("\"a\"", "\"a\""), 1),
        Err(UnwrittenOutcome::Rejected(ConversionError::EarlierPending))
    );
    assert_eq!(tried(&log("null", "\"b\""), 0), Err(UnwrittenOutcome::Rejected(ConversionError::NoForm)));
    assert!(matches!(tried(&log("\"\"", "\"b\""), 0), Err(UnwrittenOutcome::Rejected(_))));
}

#[test]
fn calls_that_end_a_document_have_no_place_behind_them() {
    let text = r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}"#;
    assert_eq!(tried(text, 0), Err(UnwrittenOutcome::Rejected(ConversionError::NoPlace)));
}

#[test]
fn results_of_other_programs_keep_their_signs_of_failures() {
    // Its members are like the members of OpenAI's calls and results.
    let text = r#"[{"role":"assistant","content":[{"type":"tool_call","id":"a","name":"f","args":{}}]},{"role":"tool","content":[{"call_id":"a","name":"f","content":"old","is_error":false}]}]"#;
    let document = open(text, Language::Json);
    assert_eq!(document.tool_uses()[0].status, UseStatus::Done);
    for outcome in [output("1"), error("no")] {
        let written = written(&document, 0, &outcome).map(|after| text_of(&after));
        assert_eq!(written, Err(UnwrittenOutcome::Rejected(ConversionError::NoPlace)));
    }
    // A failure is a form of its own.
    let log = |result: &str| {
        format!(
            r#"[{{"kind":"response","parts":[{{"part_kind":"tool-call","tool_name":"f","args":{{}},"tool_call_id":"a"}}]}},{{"kind":"request","parts":[{result}]}}]"#
        )
    };
    let done = log(r#"{"tool_name":"f","content":"1","tool_call_id":"a","part_kind":"tool-return"}"#);
    let failed = log(r#"{"content":"no","tool_name":"f","tool_call_id":"a","part_kind":"retry-prompt"}"#);
    check(&done, &error("no"), &failed);
    check(&failed, &output("1"), &done);
    // The template of the call has no place for this sign.
    let log = |result: &str| {
        format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool-call","toolCallId":"a","toolName":"f","input":{{}}}}]}},{{"role":"tool","content":[{{"type":"tool-result","toolCallId":"a","toolName":"f",{result}}}]}}]"#
        )
    };
    let failed =
        |text: &str| log(&format!(r#""output":{{"type":"error-text","value":"{text}"}},"isError":true"#));
    check(&failed("old"), &error("no"), &failed("no"));
}

#[test]
fn observations_of_atif_without_results_get_one() {
    let log = |observation: &str| {
        format!(
            r#"{{"schema_version":"ATIF-v1.2","steps":[{{"step_id":1,"source":"user","message":"go"}},{{"step_id":2,"source":"agent","message":"","tool_calls":[{{"tool_call_id":"a","function_name":"f","arguments":{{}}}}],"observation":{observation}}}]}}"#
        )
    };
    let result = r#"{"source_call_id":"a","content":"new"}"#;
    for (before, after) in [
        ("{}", r#"{"results":[$]}"#),
        (r#"{"results": []}"#, r#"{"results": [$]}"#),
        (r#"{"results": null}"#, r#"{"results": [$]}"#),
        (r#"{"extra": 1}"#, r#"{"extra": 1, "results":[$]}"#),
    ] {
        assert_eq!(tried(&log(before), 0), Ok(log(&after.replace('$', result))), "{before}");
    }
}

#[test]
fn results_belong_to_their_call() {
    let complete = |marked: &str| {
        let at = marked.find('|').expect("a position");
        let language = if marked.starts_with('[') { Language::Json } else { Language::Markdown };
        let document = open(&marked.replace('|', ""), language);
        let edits = Refactoring::Complete { at, outcome: output("x") }
            .edits(&document)
            .map_err(|it| it.to_string())?;
        let uses = document.edited(&edits).tool_uses();
        Ok(uses.iter().map(|it| it.output.as_ref().map(UseData::to_text)).collect::<Vec<_>>())
    };
    let (x, earlier) = (Some("x".to_owned()), "an earlier call without a result comes first".to_owned());
    // In these forms a result belongs to the first call, or the first of its name.
    let call = r#"{"from":"function_call","value":"{\"name\":\"f\",\"arguments\":{}}"}"#;
    let share_gpt = |first: &str, second: &str| {
        format!(r#"[{{"from":"human","value":"a"}},{first}{call},{second}{call}]"#)
    };
    assert_eq!(complete(&share_gpt("|", "")), Ok(vec![x.clone(), None]));
    assert_eq!(complete(&share_gpt("", "|")), Err(earlier.clone()));
    let hermes = "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>\n";
    assert_eq!(complete(&format!("|{hermes}{hermes}")), Ok(vec![x.clone(), None]));
    assert_eq!(complete(&format!("{hermes}|{hermes}")), Err(earlier));
    // Text after the call would be a part of the line of its result.
    let no_place = "there is no known place for the result of this call".to_owned();
    assert_eq!(complete("I ask ###: {\"toolName\": \"f\"|} and go on\n"), Err(no_place));
    // Calls of Responses are items of their own, and their results follow all of them.
    let call = |id: &str, at: &str| {
        format!(r#"{{{at}"type":"function_call","call_id":"{id}","name":"f","arguments":"{{}}"}}"#)
    };
    let [a, b, c] = [call("a", ""), call("b", "|"), call("c", "")];
    let items = format!(r#"[{{"role":"user","content":"go"}},{a},{b},{c}]"#);
    assert_eq!(complete(&items), Ok(vec![None, x, None]));
}

#[test]
fn fixes_of_pending_calls_complete_them() {
    let titles = |text: &str| {
        let document = open(text, Language::Markdown);
        let found = document.fixes_in_range(0..text.len()).into_iter();
        found.flat_map(|it| it.fixes).map(|fix| fix.title.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(titles("###: {\"toolName\": \"f\"}\n\nso\n"), ["Add an empty result"]);
    assert_eq!(titles("###: {\"toolName\": \"f\"} and\n\nso\n"), [""; 0]);
}
