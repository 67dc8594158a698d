//! `chatls.run` and the commands around it.

use std::fs;

use serde_json::json;

use super::run_editor::{CONFIG, Editor, Workspace, call, eventually, uri};

#[test]
fn a_call_runs_after_consent_and_its_result_is_written() {
    let workspace = Workspace::new();
    let mut editor = workspace.edit(&format!("Hé\n\n{}", call("look")));
    assert_eq!(editor.lenses(), [(2, "Run".to_owned()), (2, "Complete".to_owned())]);
    assert_eq!(workspace.read("seen"), "");

    let refused = editor.command("chatls.run", 2, json!({}));
    let question = editor.answer(Some("Cancel"));
    let message = question["message"].as_str().unwrap();
    let facts = ["the server `s`", "command: sh server.sh", "program: /", "server.sh"];
    assert!(facts.iter().all(|fact| message.contains(fact)), "{message}");
    let results = editor.results(refused);
    assert_eq!(results, json!([{"toolName": "look", "line": 2, "status": "refused", "isError": false}]));
    assert_eq!(workspace.read("seen"), "");

    let run = editor.command("chatls.run", 2, json!({}));
    editor.answer(Some("Agree"));
    editor.apply();
    let results = editor.results(run);
    assert_eq!(results, json!([{"toolName": "look", "line": 2, "status": "written", "isError": false}]));
    assert!(editor.text.contains(r#""output": "seen it""#), "{}", editor.text);
    assert_eq!(editor.lenses(), []);

    // The server stays connected, and the consent counts.
    let again = editor.command("chatls.runAgain", 2, json!({}));
    assert_eq!(editor.client.shown_of(3), "Same result as before: `look`");
    let results = editor.results(again);
    assert_eq!(results[0]["status"], "unchanged");
    assert_eq!(workspace.read("pids").lines().count(), 1);
    editor.finish();
    eventually("a server is left", || workspace.running().is_empty());
}

/// Begins the run of a call of `hang` in line 0, which the server got.
fn hanging(workspace: &Workspace) -> (Editor, i64) {
    let mut editor = workspace.edit(&call("hang"));
    let run = editor.command("chatls.run", 0, json!({"workDoneToken": "t"}));
    editor.answer(Some("Agree"));
    eventually("the call arrives", || workspace.read("seen").contains("tools/call"));
    (editor, run)
}

#[test]
fn cancelling_reaches_the_server() {
    let is_cancelled = |workspace: &Workspace| {
        eventually("the server is told", || workspace.read("seen").contains("notifications/cancelled"));
    };
    let workspace = Workspace::new();
    let (mut editor, run) = hanging(&workspace);
    let runs = editor.client.take("the runs", |it| it["method"] == "chatls/runs");
    let item = &runs["params"]["runs"][0];
    assert_eq!((&item["line"], &item["title"], &item["server"]), (&json!(0), &json!("hang"), &json!("s")));
    // Other requests and other commands go on.
    assert_eq!(editor.lenses().len(), 2);
    let same = editor.command("chatls.run", 0, json!({}));
    assert!(editor.warning().contains("it is running already"));
    assert_eq!(editor.results(same)[0]["status"], "notRun");
    let id = item["id"].clone();
    let cancel = editor.command("chatls.cancelRun", 0, json!({"id": id}));
    editor.client.expect_result(cancel);
    assert_eq!(editor.results(run)[0]["status"], "cancelled");
    is_cancelled(&workspace);
    editor.finish();

    let workspace = Workspace::new();
    let (mut editor, run) = hanging(&workspace);
    editor.client.notify("$/cancelRequest", json!({"id": run}));
    assert_eq!(editor.client.expect_error(run), -32800);
    is_cancelled(&workspace);
    editor.finish();
}

#[test]
fn progress_can_be_cancelled() {
    let workspace = Workspace::new();
    let more = json!({"window": {"showMessage": {}, "workDoneProgress": true}});
    let mut editor = workspace.edit_with(&call("hang"), json!({}), more);
    let run = editor.command("chatls.run", 0, json!({}));
    let create = editor.client.take("progress", |it| it["method"] == "window/workDoneProgress/create");
    editor.client.send(json!({"jsonrpc": "2.0", "id": create["id"], "result": null}));
    editor.answer(Some("Agree"));
    eventually("the call arrives", || workspace.read("seen").contains("tools/call"));
    editor.client.notify("window/workDoneProgress/cancel", json!({"token": create["params"]["token"]}));
    assert_eq!(editor.results(run)[0]["status"], "cancelled");
    let kinds: Vec<_> = editor.client.take_all("$/progress");
    let kinds: Vec<_> = kinds.iter().map(|it| it["params"]["value"]["kind"].as_str().unwrap()).collect();
    assert_eq!((kinds.first(), kinds.last()), (Some(&"begin"), Some(&"end")));
    editor.finish();
}

#[test]
fn results_follow_their_calls() {
    let workspace = Workspace::new();
    let mut editor = workspace.edit(&call("change"));
    let run = editor.command("chatls.run", 0, json!({}));
    editor.answer(Some("Agree"));
    // The text moves while the user is asked, and again when the edit is on its way.
    editor.replace("```tool", "Above\n\n```tool");
    editor.answer(Some("Run"));
    let late = editor.offered();
    editor.replace("Above", "Far above\n");
    editor.client.send(json!({"jsonrpc": "2.0", "id": late["id"], "result": {"applied": false}}));
    editor.apply();
    let results = editor.results(run);
    let expected = json!([{"toolName": "change", "line": 3, "status": "written", "isError": true}]);
    assert_eq!(results, expected, "{}", editor.text);
    assert!(editor.text.starts_with("Far above\n\n\n```tool\n"), "{}", editor.text);
    assert!(editor.text.contains(r#""errorText": "changed""#), "{}", editor.text);

    // An edit that the editor only says it applied is sent again.
    editor.replace("\"input\": {}", "\"input\": {\"n\": 1}");
    let again = editor.command("chatls.runAgain", 3, json!({}));
    editor.answer(Some("Run"));
    assert_eq!(editor.client.shown_of(3), "Same result as before: `change`");
    assert_eq!(editor.results(again)[0]["status"], "unchanged");
    let pending = call("change");
    editor.text.push_str(&pending);
    editor.changed();
    let run = editor.command("chatls.run", 6, json!({}));
    editor.answer(Some("Run"));
    let lost = editor.offered();
    editor.replace("Far", "Not so far");
    editor.client.send(json!({"jsonrpc": "2.0", "id": lost["id"], "result": {"applied": true}}));
    editor.apply();
    assert_eq!(editor.results(run)[0]["status"], "written");
    assert_eq!(editor.text.matches("errorText").count(), 2, "{}", editor.text);
    editor.finish();
}

#[test]
fn a_result_whose_call_is_gone_is_offered() {
    for (is_closed, reason) in [(false, "changed or removed"), (true, "the document was closed")] {
        let workspace = Workspace::new();
        workspace.write("chatls.toml", &format!("{CONFIG}[run.slow]\ncommand = [\"sh\", \"slow.sh\"]\n"));
        let script = ": > begun\nwhile [ ! -e go ]; do sleep 0.05; done\necho changed >&2\nexit 1\n";
        workspace.write("slow.sh", script);
        let mut editor = workspace.edit(&call("slow"));
        let run = editor.command("chatls.run", 0, json!({}));
        editor.answer(Some("Agree"));
        editor.answer(Some("Run"));
        eventually("it begins", || workspace.path("begun").exists());
        match is_closed {
            true => {
                let uri = editor.uri.clone();
                editor.client.close(&uri);
            }
            false => editor.replace("{}", "{\"n\": 1}"),
        }
        workspace.write("go", "");
        let warning = editor.warning();
        assert!(warning.contains(reason) && warning.contains("It is: changed"), "{warning}");
        let result = editor.results(run)[0].clone();
        assert_eq!((&result["status"], &result["text"]), (&json!("notWritten"), &json!("changed")));
        assert_eq!(result["isError"], true);
        editor.finish();
    }
}

#[test]
fn a_result_that_is_not_written_is_announced() {
    let workspace = Workspace::new();
    let part = r#"{"type":"tool","callID":"a","tool":"change","state":{"status":"running","input":{}}}"#;
    let text = format!(
        "```json\n[{{\"role\":\"user\",\"content\":\"go\"}},\n{{\"role\":\"assistant\",\"parts\":[\n{part}]}}]\n```\n"
    );
    let mut editor = workspace.edit(&text);
    let run = editor.lens(3, "Run (result not written)");
    let run = editor.click(&run);
    editor.answer(Some("Agree"));
    let question = editor.answer(Some("Run"))["message"].clone();
    let question = question.as_str().unwrap();
    assert!(
        question.ends_with(
            "\n  The result is shown, not written: results cannot be written in the form of this call"
        ),
        "{question}"
    );
    assert!(editor.warning().contains("It is: changed"));
    assert_eq!(editor.results(run)[0]["status"], "notWritten");
    editor.finish();
}

#[test]
fn a_batch_runs_in_order() {
    let workspace = Workspace::new();
    let text = format!("{}\n{}\n{}\n{}", call("change"), call("look"), call("other"), call("change"));
    let mut editor = workspace.edit(&text);
    let titles: Vec<_> = editor.lenses().into_iter().map(|(_, title)| title).collect();
    assert_eq!(titles.iter().filter(|title| *title == "Run").count(), 3);
    assert!(titles.contains(&"Run all 3".to_owned()), "{titles:?}");
    let run = editor.command("chatls.run", 4, json!({"scope": "batch"}));
    editor.answer(Some("Agree"));
    editor.answer(Some("Run All"));
    for _ in 0..3 {
        editor.apply();
    }
    assert!(editor.warning().contains("nothing runs `other`"));
    let statuses: Vec<_> =
        editor.results(run).as_array().unwrap().iter().map(|it| it["status"].clone()).collect();
    assert_eq!(statuses, ["written", "written", "notRun", "written"]);
    assert_eq!(editor.lenses().len(), 1, "only `other` is pending");
    // Nobody is asked about calls of the next command for that.
    let again = editor.command("chatls.runAgain", 0, json!({}));
    editor.answer(Some("Cancel"));
    assert_eq!(editor.results(again)[0]["status"], "refused");
    editor.finish();
}

#[test]
fn without_questions_nothing_starts() {
    let workspace = Workspace::new();
    let mut editor = workspace.edit_with(&call("look"), json!({}), json!({}));
    let run = editor.command("chatls.run", 0, json!({}));
    let warning = editor.warning();
    assert!(warning.contains("`chatls trust --allow "), "{warning}");
    assert_eq!(editor.results(run)[0]["status"], "refused");
    editor.finish();

    // What VS Code would cut off is not asked either.
    workspace.write(
        "chatls.toml",
        &CONFIG.replace("\"server.sh\"]", &format!("\"server.sh\", \"{}\"]", "x ".repeat(600))),
    );
    let mut editor = workspace.edit(&call("look"));
    let run = editor.command("chatls.run", 0, json!({}));
    assert!(editor.warning().contains("too long for a question"));
    assert_eq!(editor.results(run)[0]["status"], "refused");
    editor.finish();
    assert_eq!(workspace.read("pids"), "");
}

#[test]
fn in_restricted_mode_nothing_is_offered_and_nothing_runs() {
    let workspace = Workspace::new();
    let options = json!({"restricted": true});
    let mut editor = workspace.edit_with(&call("look"), options, json!({"window": {"showMessage": {}}}));
    assert_eq!(editor.lenses(), [(0, "Complete".to_owned())]);
    for command in
        ["chatls.run", "chatls.runAgain", "chatls.servers", "chatls.stopServer", "chatls.revokeConsent"]
    {
        let id = editor.command(command, 0, json!({"server": "s"}));
        let answer = editor.client.expect_answer(json!(id));
        assert!(answer["error"]["message"].as_str().unwrap().contains("restricted mode"), "{answer}");
    }
    editor.finish();
    assert_eq!(workspace.read("pids"), "");
}

#[test]
fn the_end_of_the_session_ends_servers() {
    let workspace = Workspace::new();
    let (mut editor, _) = hanging(&workspace);
    assert_eq!(workspace.running().len(), 1);
    editor.client.close_stdin();
    eventually("the server is left", || workspace.running().is_empty());
    editor.client.abandon();
}

#[test]
fn texts_of_others_do_not_change_a_question() {
    let workspace = Workspace::new();
    let config = CONFIG
        .replace("\"server.sh\"]", "\"server.sh\", \"a\\nprogram: /bin/true\", \"\\u202e[b](command:c)\"]");
    workspace.write("chatls.toml", &config);
    let mut editor = workspace.edit(&call("look"));
    let run = editor.command("chatls.run", 0, json!({}));
    let question = editor.answer(None);
    let message = question["message"].as_str().unwrap();
    assert!(message.contains(r"'a\nprogram: /bin/true' '\u{202e}[b]\u{28}command:c)'"), "{message}");
    assert_eq!(editor.results(run)[0]["status"], "refused");
    editor.finish();
}

#[test]
fn presets_work_in_the_folder_that_the_user_names() {
    let workspace = Workspace::new();
    workspace.write("b.txt", "one\n");
    let read = "```tool\n{\"toolName\": \"read_file\", \"input\": {\"path\": \"b.txt\"}}\n```\n";
    let token = ["ghp_", "0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R"].concat();
    let secret = read.replace("b.txt", &token);
    let mut editor = workspace.edit(&format!("{read}\ntext\n\n{read}\ntext\n\n{secret}"));
    let run = editor.command("chatls.run", 0, json!({}));
    let root = workspace.path("").to_str().unwrap().trim_end_matches('/').to_owned();
    let question = editor.answer(Some(&root));
    assert!(question["message"].as_str().unwrap().contains("tools of presets"), "{question}");
    editor.apply();
    assert_eq!(editor.results(run)[0]["status"], "written");
    // It is asked once.
    let run = editor.command("chatls.run", 6, json!({}));
    editor.apply();
    assert_eq!(editor.results(run)[0]["status"], "written");
    let run = editor.command("chatls.run", 12, json!({}));
    let question = editor.answer(Some("Cancel"));
    let message = question["message"].as_str().unwrap();
    assert!(message.contains("looks like") && !message.contains(&token), "{message}");
    assert_eq!(editor.results(run)[0]["status"], "refused");
    editor.finish();
}

#[test]
fn servers_are_listed_stopped_and_distrusted() {
    let workspace = Workspace::new();
    let mut editor = workspace.edit(&call("look"));
    let servers = |editor: &mut Editor| {
        let id = editor.command("chatls.servers", 0, json!({}));
        editor.client.expect_result(id)["servers"][0].clone()
    };
    let listed = servers(&mut editor);
    assert_eq!(
        (&listed["name"], &listed["kind"], &listed["state"]),
        (&json!("s"), &json!("server"), &json!("noConsent"))
    );
    assert_eq!(listed["hash"].as_str().unwrap().len(), 64);
    assert_eq!(workspace.read("pids"), "");
    let run = editor.command("chatls.run", 0, json!({}));
    editor.answer(Some("Agree"));
    editor.apply();
    editor.results(run);
    let listed = servers(&mut editor);
    assert_eq!((&listed["state"], &listed["tools"]), (&json!("running"), &json!(3)));
    editor.client.take("a notification", |it| it["method"] == "chatls/serversChanged");
    let stop = editor.command("chatls.stopServer", 0, json!({"server": "s"}));
    editor.client.expect_result(stop);
    assert_eq!(servers(&mut editor)["state"], "stopped");
    assert!(workspace.running().is_empty());
    let revoke = editor.command("chatls.revokeConsent", 0, json!({"server": "s"}));
    editor.client.expect_result(revoke);
    assert_eq!(servers(&mut editor)["state"], "noConsent");
    let unknown = editor.command("chatls.stopServer", 0, json!({"server": "t"}));
    assert_eq!(editor.client.expect_error(unknown), -32803);

    // A consent that is taken back elsewhere ends the server, too.
    let run = editor.command("chatls.runAgain", 0, json!({}));
    editor.answer(Some("Agree"));
    assert_eq!(editor.client.shown_of(3), "Same result as before: `look`");
    editor.results(run);
    assert_eq!(workspace.running().len(), 1);
    let trust = workspace.home.path().join(".local/share/chatls/trust");
    fs::remove_dir_all(trust).unwrap();
    eventually("the server goes on", || workspace.running().is_empty());
    editor.finish();
}

#[test]
fn a_changed_configuration_ends_its_server() {
    let workspace = Workspace::new();
    let mut editor = workspace.edit(&call("look"));
    let run = editor.command("chatls.run", 0, json!({}));
    editor.answer(Some("Agree"));
    editor.apply();
    editor.results(run);
    assert_eq!(workspace.running().len(), 1);
    workspace.write("chatls.toml", &CONFIG.replace("\"server.sh\"]", "\"server.sh\", \"--more\"]"));
    let config = uri(&workspace.path("chatls.toml"));
    editor.client.notify("textDocument/didSave", json!({"textDocument": {"uri": config}}));
    eventually("the server goes on", || workspace.running().is_empty());
    let again = editor.command("chatls.runAgain", 0, json!({}));
    let question = editor.answer(Some("Cancel"));
    assert!(question["message"].as_str().unwrap().contains("--more"), "{question}");
    assert_eq!(editor.results(again)[0]["status"], "refused");
    editor.finish();
}

#[test]
fn actions_run_calls() {
    let workspace = Workspace::new();
    let mut editor = workspace.edit(&format!("{}\n{}", call("look"), call("other")));
    let mut titles = |line: u32| -> Vec<String> {
        let position = json!({"line": line, "character": 0});
        let params = json!({"textDocument": {"uri": editor.uri}, "range": {"start": position, "end": position},
            "context": {"diagnostics": [], "only": ["refactor.run"]}});
        let actions = editor.client.call("textDocument/codeAction", params);
        let actions = actions.as_array().unwrap();
        actions.iter().map(|action| action["title"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(titles(0), ["Run this call"]);
    assert!(titles(4).is_empty());
    editor.replace("\"input\": {}", "\"input\": {}, \"output\": 1");
    let mut titles = |line: u32| -> Vec<String> {
        let position = json!({"line": line, "character": 0});
        let params = json!({"textDocument": {"uri": editor.uri}, "range": {"start": position, "end": position},
            "context": {"diagnostics": [], "only": ["refactor"]}});
        let actions = editor.client.call("textDocument/codeAction", params);
        let actions = actions.as_array().unwrap();
        actions.iter().map(|action| action["title"].as_str().unwrap().to_owned()).collect()
    };
    assert!(titles(0).contains(&"Run this call again".to_owned()));
    editor.finish();
}

#[test]
fn a_server_that_hangs_holds_nothing_up() {
    // It does not introduce itself, and ignores the end of its input and the request to end.
    let workspace = Workspace::new();
    workspace.write("server.sh", "echo $$ >> pids\ntrap '' TERM\nwhile :; do sleep 1; done\n");
    let mut editor = workspace.edit(&format!("{}\n{}", call("look"), call("look")));
    let first = editor.command("chatls.run", 0, json!({}));
    editor.answer(Some("Agree"));
    eventually("it starts", || !workspace.read("pids").is_empty());
    let second = editor.command("chatls.run", 4, json!({}));
    editor.client.take("both runs", |it| it["params"]["runs"].as_array().is_some_and(|runs| runs.len() == 2));
    let cancel = editor.command("chatls.cancelRun", 0, json!({}));
    editor.client.expect_result(cancel);
    assert_eq!(editor.results(first)[0]["status"], "cancelled");
    assert_eq!(editor.results(second)[0]["status"], "cancelled");
    eventually("it is left", || workspace.running().is_empty());
    let third = editor.command("chatls.run", 0, json!({}));
    eventually("it starts again", || workspace.running().len() == 1);
    let stop = editor.command("chatls.stopServer", 0, json!({"server": "s"}));
    editor.client.expect_result(stop);
    assert!(editor.warning().contains("was not run"));
    assert_eq!(editor.results(third)[0]["status"], "notRun");
    editor.command("chatls.run", 0, json!({}));
    eventually("it starts again", || workspace.running().len() == 1);
    editor.client.close_stdin();
    eventually("it is left", || workspace.running().is_empty());
    editor.client.abandon();
}

#[test]
fn servers_that_fail_are_explained() {
    let workspace = Workspace::new();
    workspace.write("server.sh", "printf 'no \\033[31mlicence\\n' >&2\nexit 1\n");
    let mut editor = workspace.edit(&call("look"));
    let run = editor.command("chatls.run", 0, json!({}));
    editor.answer(Some("Agree"));
    let warning = editor.warning();
    assert!(warning.contains("no \\u{1b}[31mlicence"), "{warning}");
    assert_eq!(editor.results(run)[0]["status"], "notRun");
    let id = editor.command("chatls.servers", 0, json!({}));
    let listed = editor.client.expect_result(id)["servers"][0].clone();
    assert_eq!(listed["state"], "failed");
    assert!(listed["log"].as_str().unwrap().contains("licence") && listed["reason"].is_string(), "{listed}");
    editor.finish();
}

#[test]
fn programs_run_with_their_own_consent() {
    let workspace = Workspace::new();
    let program = "[run.count]\ncommand = [\"sh\", \"count.sh\"]\n";
    workspace.write("chatls.toml", &format!("{CONFIG}{program}"));
    workspace.write("count.sh", "cat > input\necho '{\"n\": 1}'\n");
    let mut editor = workspace.edit(&call("count"));
    let run = editor.command("chatls.run", 0, json!({}));
    let question = editor.answer(Some("Agree"));
    assert!(question["message"].as_str().unwrap().contains("the program `count`"), "{question}");
    editor.answer(Some("Run"));
    editor.apply();
    assert_eq!(editor.results(run)[0]["status"], "written");
    assert_eq!((editor.text.contains(r#""output": {"n":1}"#), &*workspace.read("input")), (true, "{}\n"));
    editor.finish();
}

#[test]
fn an_editor_that_never_answers_an_edit_does_not_keep_the_run() {
    for is_request in [true, false] {
        let workspace = Workspace::new();
        let mut editor = workspace.edit(&call("look"));
        let run = editor.command("chatls.run", 0, json!({}));
        editor.answer(Some("Agree"));
        // The edit is offered, and nobody says whether it was applied.
        editor.offered();
        if is_request {
            editor.client.notify("$/cancelRequest", json!({"id": run}));
            assert_eq!(editor.client.expect_error(run), -32800);
        } else {
            let cancel = editor.command("chatls.cancelRun", 0, json!({}));
            editor.client.expect_result(cancel);
            let result = editor.results(run)[0].clone();
            assert_eq!((&result["status"], &result["text"]), (&json!("notWritten"), &json!("seen it")));
        }
        let warning = editor.warning();
        assert!(
            warning.contains("the editor did not say whether it applied the edit. It is: seen it"),
            "{warning}"
        );
        editor.finish();
    }
}
