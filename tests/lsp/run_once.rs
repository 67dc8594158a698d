//! Calls run once, results are written once, and late clicks and answers start nothing else.

use serde_json::json;

use super::run_editor::{Workspace, call, eventually};

#[test]
fn questions_are_void_once_the_run_is_cancelled_or_the_document_closed() {
    for is_closed in [false, true] {
        for is_of_call in [false, true] {
            let workspace = Workspace::new();
            let mut editor = workspace.edit(&call("change"));
            let run = editor.command("chatls.run", 0, json!({}));
            if is_of_call {
                editor.answer(Some("Agree"));
            }
            let asked = editor.client.take("a question", |it| it["method"] == "window/showMessageRequest");
            let uri = editor.uri.clone();
            if is_closed {
                editor.client.close(&uri);
                assert!(editor.warning().contains("the document was closed"));
                assert_eq!(editor.results(run)[0]["status"], "refused");
            } else {
                let cancel = editor.command("chatls.cancelRun", 0, json!({}));
                editor.client.expect_result(cancel);
                assert_eq!(editor.results(run)[0]["status"], "cancelled");
            }
            let late = if is_of_call { "Run" } else { "Agree" };
            editor.client.send(json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"title": late}}));
            if is_closed {
                editor.client.open(&uri, 2, &editor.text);
            }
            // The late answer is read before what follows it.
            let servers = editor.command("chatls.servers", 0, json!({}));
            let state = editor.client.expect_result(servers)["servers"][0]["state"].take();
            assert_eq!(state == "noConsent", !is_of_call, "{state}");
            editor.finish();
            assert!(!workspace.read("seen").contains("tools/call"));
            assert_eq!(workspace.read("pids").lines().count(), usize::from(is_of_call));
        }
    }
}

#[test]
fn a_call_runs_once_at_a_time() {
    let workspace = Workspace::new();
    let mut editor = workspace.edit(&format!("{}\n{}", call("hang"), call("look")));
    let run = editor.command("chatls.run", 0, json!({}));
    editor.answer(Some("Agree"));
    eventually("the call arrives", || workspace.read("seen").contains("tools/call"));
    // Also as a part of its batch, and as any of several that it cannot be told from.
    let batch = editor.command("chatls.run", 0, json!({"scope": "batch"}));
    editor.apply();
    assert!(editor.warning().contains("it is running already"));
    let results = editor.results(batch);
    assert_eq!((&results[0]["status"], &results[1]["status"]), (&json!("notRun"), &json!("written")));
    editor.text.insert_str(0, &format!("{}\nand\n\n", call("hang")));
    editor.changed();
    for line in [0, 6] {
        let again = editor.command("chatls.runAgain", line, json!({}));
        assert!(editor.warning().contains("it is running already"));
        assert_eq!(editor.results(again)[0]["status"], "notRun");
    }
    let cancel = editor.command("chatls.cancelRun", 0, json!({}));
    editor.client.expect_result(cancel);
    assert_eq!(editor.results(run)[0]["status"], "cancelled");
    let calls = workspace.read("seen").matches("\"name\":\"hang\"").count();
    assert_eq!(calls, 1);
    editor.finish();
}

#[test]
fn lenses_and_actions_run_the_call_that_they_show() {
    let workspace = Workspace::new();
    let mut editor = workspace.edit(&format!("{}\n{}", call("look"), call("change")));
    let lens = editor.lens(0, "Run");
    let all = editor.lens(0, "Run all 2");
    // Another call is there by now.
    editor.text = format!("{}\nand\n\n{}", call("hang"), editor.text);
    editor.changed();
    let run = editor.click(&lens);
    editor.answer(Some("Agree"));
    editor.apply();
    let results = editor.results(run);
    let expected = json!([{"toolName": "look", "line": 6, "status": "written", "isError": false}]);
    assert_eq!(results, expected);
    let run = editor.click(&all);
    editor.answer(Some("Run"));
    editor.apply();
    assert_eq!(editor.results(run)[0]["toolName"], "change");

    // One that says something else is not the same, and of several it is the one at the place.
    let lens = editor.lens(0, "Run");
    editor.replace("{}", "{\"n\": 1}");
    let run = editor.click(&lens);
    let answer = editor.client.expect_answer(json!(run));
    assert!(answer["error"]["message"].as_str().unwrap().contains("changed or removed"), "{answer}");
    editor.text = format!("{}\nand\n\n{}", call("look"), call("look"));
    editor.changed();
    let lens = editor.lens(6, "Run");
    editor.replace("and", "and\n\nmore");
    let run = editor.click(&lens);
    let answer = editor.client.expect_answer(json!(run));
    assert!(answer["error"]["message"].as_str().unwrap().contains("several calls say the same"), "{answer}");
    let lens = editor.lens(0, "Run");
    let run = editor.click(&lens);
    editor.apply();
    assert_eq!(editor.results(run)[0]["line"], 0);
    editor.finish();
}

#[test]
fn of_calls_that_say_the_same_the_pending_ones_run() {
    let workspace = Workspace::new();
    let done = call("look").replace("{}", "{}, \"output\": \"seen it\"");
    let mut editor = workspace.edit(&format!("{done}{}{}", call("look"), call("change")));
    let all = editor.lens(0, "Run all 2");
    let run = editor.click(&all);
    editor.answer(Some("Agree"));
    editor.apply();
    editor.answer(Some("Run"));
    editor.apply();
    let results = editor.results(run);
    assert_eq!((&results[0]["line"], &results[1]["toolName"]), (&json!(3), &json!("change")));

    // One that has a result by now is not run, nor the other instead of it.
    editor.text = format!("{}\nand\n\n{}", call("look"), call("look"));
    editor.changed();
    let lens = editor.lens(0, "Run");
    editor.text = format!("{done}\nand\n\n{}", call("look"));
    editor.changed();
    let run = editor.click(&lens);
    let answer = editor.client.expect_answer(json!(run));
    assert!(answer["error"]["message"].as_str().unwrap().contains("has a result already"), "{answer}");
    editor.finish();
}

/// What the editor and its user do with an edit, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Answer,
    Change,
    Undo,
    /// Both as one change, as editors send that collect changes.
    ChangeAndUndo,
    /// The same, and the user changes the result.
    ChangeAndType,
    TypeAbove,
}

#[test]
fn an_edit_is_made_once_whatever_the_user_does_meanwhile() {
    use Step::{Answer, Change, ChangeAndType, ChangeAndUndo, TypeAbove, Undo};
    let orders: [&[Step]; 10] = [
        &[Answer, Change],
        &[Change, Answer],
        &[Change, Undo, Answer],
        &[Change, Answer, Undo],
        &[Answer, Change, Undo],
        &[ChangeAndUndo, Answer],
        &[ChangeAndType, Answer],
        &[Answer, ChangeAndType],
        &[Change, TypeAbove, Undo, Answer],
        &[Answer],
    ];
    let workspace = Workspace::new();
    for order in orders {
        let mut editor = workspace.edit(&format!("Above\n\n{}", call("look")));
        let run = editor.command("chatls.run", 2, json!({}));
        if order == orders[0] {
            editor.answer(Some("Agree"));
        }
        let offered = editor.offered();
        let before = editor.text.clone();
        let after = before.replace("\"input\": {}", "\"input\": {}, \"output\": \"seen it\"");
        for step in order {
            match step {
                Answer => {
                    let result = json!({"applied": true});
                    editor.client.send(json!({"jsonrpc": "2.0", "id": offered["id"], "result": result}));
                    continue;
                }
                Change => editor.text = after.clone(),
                ChangeAndType => editor.text = after.replace("seen it", "seen this"),
                Undo | ChangeAndUndo => editor.text = before.clone(),
                TypeAbove => editor.text.insert_str(0, "More\n\n"),
            }
            editor.changed();
        }
        assert_eq!(editor.results(run)[0]["status"], "written", "{order:?}");
        // Another edit would be a message that nobody reads.
        editor.finish();
    }
}

#[test]
fn a_call_whose_result_is_on_its_way_is_not_run_again() {
    let workspace = Workspace::new();
    let mut editor = workspace.edit(&call("look"));
    let run = editor.command("chatls.run", 0, json!({}));
    editor.answer(Some("Agree"));
    let offered = editor.offered();
    let applied = json!({"jsonrpc": "2.0", "id": offered["id"], "result": {"applied": true}});
    editor.client.send(applied);
    assert_eq!(editor.results(run)[0]["status"], "written");
    let again = editor.command("chatls.run", 0, json!({}));
    assert!(editor.warning().contains("its result is on its way"));
    assert_eq!(editor.results(again)[0]["status"], "notRun");
    editor.replace("\"input\": {}", "\"input\": {}, \"output\": \"seen it\"");
    let again = editor.command("chatls.runAgain", 0, json!({}));
    assert_eq!(editor.client.shown_of(3), "Same result as before: `look`");
    assert_eq!(editor.results(again)[0]["status"], "unchanged");
    assert_eq!(workspace.read("seen").matches("tools/call").count(), 2);
    editor.finish();
}

#[test]
fn a_refused_edit_is_made_again_for_the_newest_version() {
    let workspace = Workspace::new();
    let mut editor = workspace.edit(&call("look"));
    let run = editor.command("chatls.run", 0, json!({}));
    editor.answer(Some("Agree"));
    let offered = editor.offered();
    let document = &offered["params"]["edit"]["documentChanges"][0]["textDocument"];
    assert_eq!(*document, json!({"uri": editor.uri, "version": 1}));
    editor.client.send(json!({"jsonrpc": "2.0", "id": offered["id"], "result": {"applied": false}}));
    editor.text.insert_str(0, "Above\n\n");
    editor.changed();
    let offered = editor.offered();
    let document = &offered["params"]["edit"]["documentChanges"][0]["textDocument"];
    assert_eq!(document["version"], 2);
    let refused = json!({"applied": false, "failureReason": "read only"});
    editor.client.send(json!({"jsonrpc": "2.0", "id": offered["id"], "result": refused}));
    assert!(editor.warning().contains("the editor did not apply the edit: read only"));
    assert_eq!(editor.results(run)[0]["text"], "seen it");
    editor.finish();
}
