//! Consents that are taken back, and processes that outlive nothing.

use std::fs;

use serde_json::json;

use super::run_editor::{CONFIG, Editor, Workspace, call, eventually};

/// Leaves a process in a session of its own, and goes on until it is killed.
const SLOW: &str = "trap '' TERM HUP INT\n\
    setsid sh -c 'echo $$ >> pids; exec sleep 1000' &\n\
    echo $$ >> pids\n\
    while :; do sleep 0.1; done\n";

/// A workspace with a program, and the run of a call of it; both of its processes have started.
fn slow() -> (Workspace, Editor, i64) {
    let workspace = Workspace::new();
    workspace.write("chatls.toml", &format!("{CONFIG}[run.slow]\ncommand = [\"sh\", \"slow.sh\"]\n"));
    workspace.write("slow.sh", SLOW);
    let mut editor = workspace.edit(&call("slow"));
    let run = editor.command("chatls.run", 0, json!({}));
    editor.answer(Some("Agree"));
    editor.answer(Some("Run"));
    eventually("it runs", || workspace.running().len() == 2);
    (workspace, editor, run)
}

#[test]
fn programs_are_stopped() {
    for command in ["chatls.stopServer", "chatls.revokeConsent"] {
        let (workspace, mut editor, run) = slow();
        let stop = editor.command(command, 0, json!({"server": "slow"}));
        editor.client.expect_result(stop);
        assert!(editor.warning().contains("it was cancelled"));
        assert_ne!(editor.results(run)[0]["status"], "written");
        eventually("the program goes on", || workspace.running().is_empty());
        editor.finish();
    }
}

#[test]
fn a_consent_that_is_taken_back_elsewhere_ends_its_program() {
    let (workspace, mut editor, run) = slow();
    fs::remove_dir_all(workspace.home.path().join(".local/share/chatls/trust")).unwrap();
    eventually("the program goes on", || workspace.running().is_empty());
    assert!(editor.warning().contains("it was cancelled"));
    assert_ne!(editor.results(run)[0]["status"], "written");
    editor.finish();
}

#[test]
fn signals_and_the_end_of_the_client_end_programs() {
    use rustix::process::{Pid, Signal, kill_process};
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let (workspace, editor, _) = slow();
        let server = Pid::from_raw(editor.client.process_id().try_into().unwrap()).unwrap();
        kill_process(server, signal).unwrap();
        eventually("the program goes on", || workspace.running().is_empty());
        editor.client.abandon();
    }
    let (workspace, mut editor, _) = slow();
    editor.client.close_stdin();
    eventually("the program goes on", || workspace.running().is_empty());
    editor.client.abandon();
}

#[test]
fn a_server_is_asked_for_its_tools() {
    let workspace = Workspace::new();
    let unlisted = CONFIG.replace("listing = \"tools.json\"\n", "");
    workspace.write("chatls.toml", &unlisted);
    let mut editor = workspace.edit_with(&call("look"), json!({"commandLinks": true}), json!({
        "window": {"showMessage": {}}, "textDocument": {"codeAction": {"codeActionLiteralSupport": {}}, "hover": {"contentFormat": ["markdown"]}},
    }));
    let uri = editor.uri.clone();
    let at = |character: u32| json!({"line": 1, "character": character});
    let hover = |editor: &mut Editor| {
        let params = json!({"textDocument": {"uri": uri}, "position": at(17)});
        editor.client.call("textDocument/hover", params)["contents"]["value"].as_str().unwrap().to_owned()
    };
    let actions = |editor: &mut Editor| {
        let params = json!({
            "textDocument": {"uri": uri}, "range": {"start": at(17), "end": at(17)},
            "context": {"diagnostics": [{"code": "unknown-tool", "message": "", "range": {"start": at(14), "end": at(20)}}], "triggerKind": 2},
        });
        editor.client.call("textDocument/codeAction", params)
    };
    assert!(hover(&mut editor).contains("[Ask s for its tools](command:chatls.pullTools?%5B%7B%22"));
    let listed = actions(&mut editor);
    let ask = listed.as_array().unwrap().iter().find(|it| it["title"] == "Ask `s` for its tools").unwrap();
    assert_eq!(ask["kind"], "quickfix");
    let ask = ask["command"].clone();
    let servers = editor.command("chatls.servers", 0, json!({}));
    assert_eq!(editor.client.expect_result(servers)["servers"][0]["isAsked"], false);

    // Nothing starts without consent.
    let refused = editor.click(&ask);
    editor.answer(Some("Cancel"));
    assert_eq!(editor.client.expect_result(refused), json!(null));
    assert_eq!(workspace.read("seen"), "");
    let asked = editor.click(&ask);
    let question = editor.answer(Some("Agree"));
    assert!(question["message"].as_str().unwrap().contains("command: sh server.sh"), "{question}");
    assert_eq!(editor.client.shown_of(3), "`s` has 3 tools");
    assert_eq!(editor.client.expect_result(asked), json!({"server": "s", "tools": 3}));

    // The tool is known without a change of the document.
    eventually("the tools are read", || hover(&mut editor).contains("mcp:s"));
    assert!(!actions(&mut editor).to_string().contains("Ask `s`"));
    let servers = editor.command("chatls.servers", 0, json!({}));
    assert_eq!(editor.client.expect_result(servers)["servers"][0]["isAsked"], true);
    let unknown = editor.command("chatls.pullTools", 0, json!({"server": "t"}));
    assert_eq!(editor.client.expect_error(unknown), -32803);
    editor.finish();
}

#[test]
fn a_list_of_tools_is_written_where_the_configuration_says() {
    let workspace = Workspace::new();
    fs::remove_file(workspace.path("tools.json")).unwrap();
    let mut editor = workspace.edit(&call("look"));
    let asked = editor.command("chatls.pullTools", 0, json!({"server": "s"}));
    editor.answer(Some("Agree"));
    assert_eq!(editor.client.shown_of(3), "`s` has 3 tools");
    editor.client.expect_result(asked);
    assert!(workspace.read("tools.json").contains("\"look\""));
    editor.finish();
}

#[test]
fn each_untitled_document_has_its_own_folder() {
    let workspace = Workspace::new();
    workspace.write("b.txt", "seen");
    let mut editor = workspace.edit("");
    let text = "```tool\n{\"toolName\": \"read_file\", \"input\": {\"path\": \"b.txt\"}}\n```\n";
    let folder = workspace.path("").to_str().unwrap().to_owned();
    for name in ["untitled:Untitled-1", "untitled:Untitled-2"] {
        editor.client.open(name, 1, text);
        editor.client.expect_diagnostics(name, 1);
        (editor.uri, editor.text, editor.version) = (name.to_owned(), text.to_owned(), 1);
        let run = editor.command("chatls.run", 0, json!({}));
        let question = editor.answer(Some(&folder));
        assert!(question["message"].as_str().unwrap().starts_with("In which folder"), "{question}");
        editor.apply();
        assert_eq!(editor.results(run)[0]["status"], "written");
        assert!(editor.text.contains("seen"), "{}", editor.text);
    }
    editor.finish();
}

#[test]
fn a_tool_that_is_always_allowed_runs_without_a_question() {
    let workspace = Workspace::new();
    let text = format!("{}\n{}", call("change"), call("change"));
    let mut editor = workspace.edit(&text);
    let run = editor.command("chatls.run", 0, json!({}));
    editor.answer(Some("Agree"));
    editor.answer(Some("Always Allow This Tool"));
    editor.apply();
    assert_eq!(editor.results(run)[0]["status"], "written");
    // The answer is kept for other sessions, too.
    editor.finish();
    let mut editor = workspace.edit(&text);
    let run = editor.command("chatls.run", 0, json!({}));
    editor.apply();
    assert_eq!(editor.results(run)[0]["status"], "written");
    editor.finish();
    // Settings that ask at each run count more, and do not offer it.
    let settings = workspace.home.path().join(".config/chatls");
    std::fs::create_dir_all(&settings).unwrap();
    std::fs::write(settings.join("settings.toml"), "ask = \"always\"\n").unwrap();
    let mut editor = workspace.edit(&text);
    let run = editor.command("chatls.run", 0, json!({}));
    let question = editor.answer(Some("Cancel"));
    assert_eq!(question["actions"].as_array().map(Vec::len), Some(2), "{question}");
    assert_eq!(editor.results(run)[0]["status"], "refused");
    editor.finish();
}

#[test]
fn tools_of_presets_are_only_offered_where_a_folder_can_be_named() {
    let workspace = Workspace::new();
    workspace.write("b.txt", "one\n");
    let read = "```tool\n{\"toolName\": \"read_file\", \"input\": {\"path\": \"b.txt\"}}\n```\n";
    let text = format!("{read}\ntext\n\n{}", call("look"));
    // Eglot announces no `showMessage`.
    let eglot = json!({"window": {"showDocument": {"support": true}}});
    let mut editor = workspace.edit_with(&text, json!({}), eglot);
    let runs_offered = |editor: &mut Editor| {
        let mut offered = Vec::new();
        for line in [0, 6] {
            let at = json!({"line": line, "character": 0});
            let params = json!({
                "textDocument": {"uri": editor.uri}, "range": {"start": at, "end": at},
                "context": {"diagnostics": [], "triggerKind": 1},
            });
            let actions = editor.client.call("textDocument/codeAction", params);
            let mut titles = actions.as_array().unwrap().iter().map(|it| it["title"].as_str().unwrap());
            offered.push(titles.any(|title| title.starts_with("Run this call")));
        }
        let lenses = editor.lenses().into_iter().filter(|(_, title)| title == "Run").map(|(line, _)| line);
        (offered, lenses.collect::<Vec<_>>())
    };
    assert_eq!(runs_offered(&mut editor), (vec![false, true], vec![6]));
    // A client that names the folder by itself may offer it from then on.
    let run = editor.command("chatls.run", 0, json!({"folder": workspace.path("")}));
    editor.apply();
    assert_eq!(editor.results(run)[0]["status"], "written");
    assert!(runs_offered(&mut editor).0[0]);
    editor.finish();

    let mut editor = workspace.edit(&text);
    assert_eq!(runs_offered(&mut editor), (vec![true, true], vec![0, 6]));
    editor.finish();
}
