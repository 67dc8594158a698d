//! Pulled diagnostics: of a document, of the workspace, and the sets that are still pushed.

use serde_json::{Value, json};

use super::client::{Client, URI, codes, range};
use crate::cli::run::Folder;

const FENCE: &str = "```tool\n{\"toolName\": \"f\", \"state\": \"done\"}\n```\n";
/// Without a configuration, only open documents are reported on.
const CONFIG: (&str, &[u8]) = ("chatls.toml", b"");
const SERVER_CANCELLED: i64 = -32802;

fn capabilities() -> Value {
    json!({"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": true}}})
}

fn uri(folder: &Folder, name: &str) -> String {
    folder.uri(name)
}

/// A client that pulls, in `folder`.
fn client(folder: &Folder) -> Client {
    let mut client = Client::silent();
    let folders = json!([{"uri": uri(folder, ""), "name": "a folder"}]);
    let params = json!({"processId": null, "capabilities": capabilities(), "workspaceFolders": folders});
    let result = client.initialize(params);
    let provider = json!({
        "identifier": "chatls", "interFileDependencies": false, "workspaceDiagnostics": true, "workDoneProgress": true,
    });
    assert_eq!(result["capabilities"]["diagnosticProvider"], provider);
    client
}

fn pull(client: &mut Client, uri: &str, previous: Option<&Value>) -> Value {
    let params = json!({"textDocument": {"uri": uri}, "identifier": "chatls", "previousResultId": previous});
    client.call("textDocument/diagnostic", params)
}

fn workspace_params(previous: &[(&str, &Value)], token: Option<&str>) -> Value {
    let previous: Vec<_> = previous.iter().map(|(uri, id)| json!({"uri": uri, "value": id})).collect();
    json!({"previousResultIds": previous, "partialResultToken": token})
}

/// The URI and the kind of each report in a workspace report.
fn kinds(items: &Value) -> Vec<(&str, &str)> {
    items
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["uri"].as_str().unwrap(), it["kind"].as_str().unwrap()))
        .collect()
}

/// The partial results of a received response: they precede it.
fn parts(client: &mut Client, token: &str) -> Value {
    let (mut items, told) = (Vec::new(), client.take_all("$/progress"));
    for mut part in told {
        assert_eq!(part["params"]["token"], token);
        items.append(part["params"]["value"]["items"].as_array_mut().unwrap());
    }
    items.into()
}

/// The next partial result.
fn part(client: &mut Client, token: &str) -> Value {
    let mut part = client.take("a part", |it| it["method"] == "$/progress" && it["params"]["token"] == token);
    part["params"]["value"].take()
}

/// Receives and answers a refresh request.
fn expect_refresh(client: &mut Client) {
    let request = client.take("a refresh", |it| it["method"] == "workspace/diagnostic/refresh");
    client.send(json!({"jsonrpc": "2.0", "id": request["id"], "result": null}));
}

#[test]
fn a_client_that_pulls_gets_no_pushed_sets() {
    let (mut client, _) = Client::with_capabilities(capabilities());
    client.open(URI, 1, FENCE);
    let first = pull(&mut client, URI, None);
    assert_eq!(first["kind"], "full");
    assert_eq!(codes(&first["items"]), [("bad-state".to_owned(), range((1, 27), (1, 33)))]);
    let id = &first["resultId"];
    assert_eq!(pull(&mut client, URI, Some(id)), json!({"kind": "unchanged", "resultId": id}));
    client.change(URI, 2, json!([{"text": ""}]));
    let empty = pull(&mut client, URI, Some(id));
    assert_eq!((&empty["kind"], &empty["items"]), (&json!("full"), &json!([])));
    client.change(URI, 3, json!([{"text": FENCE}]));
    assert_eq!(pull(&mut client, URI, Some(&empty["resultId"]))["items"], first["items"]);
    client.close(URI);
    client.finish();
}

/// Editors drop the marks in replaced text, and draw them again only from a full report.
#[test]
fn a_report_after_a_change_is_full() {
    let (mut client, _) = Client::with_capabilities(capabilities());
    client.open(URI, 1, FENCE);
    let mut last = pull(&mut client, URI, None);
    let changes = [
        // The same text again, another one with the same diagnostics, back to the first.
        json!([{"text": FENCE}]),
        json!([{"text": FENCE.to_owned() + "more"}]),
        json!([{"range": range((3, 0), (3, 4)), "text": ""}]),
        // There and back in one notification.
        json!([{"text": ""}, {"text": FENCE}]),
    ];
    for (version, change) in (2..).zip(changes) {
        client.change(URI, version, change.clone());
        let report = pull(&mut client, URI, Some(&last["resultId"]));
        assert_eq!((&report["kind"], &report["items"]), (&json!("full"), &last["items"]), "after {change}");
        let id = &report["resultId"];
        assert_eq!(pull(&mut client, URI, Some(id)), json!({"kind": "unchanged", "resultId": id}));
        last = report;
    }
    // Opened again, as after a renaming or a reload.
    client.close(URI);
    client.open(URI, 9, FENCE);
    assert_eq!(pull(&mut client, URI, Some(&last["resultId"]))["kind"], "full");
    client.close(URI);
    client.finish();
}

/// The workspace report depends on the diagnostics only, and keeps the ids of documents apart.
#[test]
fn the_workspace_is_not_sent_again_for_equal_diagnostics() {
    let folder = Folder::new("pull-other-text", &[]);
    std::fs::create_dir_all(&folder.path).unwrap();
    let mut client = client(&folder);
    let document = uri(&folder, "a.md");
    client.open(&document, 1, FENCE);
    let first = pull(&mut client, &document, None);
    client.change(&document, 2, json!([{"text": FENCE.to_owned() + "more"}]));
    let id = &first["resultId"];
    let report = client.call("workspace/diagnostic", workspace_params(&[(&document, id)], None));
    let expected = json!({"uri": document, "version": 2, "kind": "unchanged", "resultId": id});
    assert_eq!(report["items"], json!([expected]));
    assert_eq!(pull(&mut client, &document, Some(id))["kind"], "full");
    client.finish();
}

#[test]
fn the_workspace_has_the_files_that_check_finds() {
    let folder = Folder::new(
        "kinds",
        &[
            ("chatls.toml", b"include = [\"**/*.log\", \"**/*.md\"]\nexclude = [\"old.log\"]\n"),
            ("a.md", FENCE.as_bytes()),
            ("a.log", FENCE.as_bytes()),
            ("old.log", FENCE.as_bytes()),
            ("a.txt", FENCE.as_bytes()),
            ("sub/b.log", FENCE.as_bytes()),
        ],
    );
    let mut client = client(&folder);
    let report = client.call("workspace/diagnostic", workspace_params(&[], None));
    let root = uri(&folder, "");
    let of = |it: &Value| it["uri"].as_str().unwrap().strip_prefix(&root).unwrap().to_owned();
    let mut told: Vec<_> = report["items"].as_array().unwrap().iter().map(of).collect();
    told.sort();
    assert_eq!(told, ["a.log", "a.md", "sub/b.log"]);
    let checked = folder.run(&["check", "--show-files"]).stdout;
    let mut checked: Vec<_> = checked.lines().filter_map(|line| line.split(':').next()).collect();
    checked.sort_unstable();
    assert_eq!(told, checked);
    client.finish();
}

/// A stranger's files are checked when they are opened, not before. This includes JSON that is
/// recognized by its beginning; its report goes with its messages.
#[test]
fn a_folder_without_configuration_has_reports_of_open_documents_only() {
    let session = br#"[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{"}}]}]"#;
    let folder = Folder::new("pull-plain", &[("data/run.json", session), ("a.md", FENCE.as_bytes())]);
    let mut client = client(&folder);
    let [run, a] = ["data/run.json", "a.md"].map(|name| uri(&folder, name));
    let report = client.call("workspace/diagnostic", workspace_params(&[], None));
    assert_eq!(report["items"], json!([]));
    // What the editor opens it sends.
    let asked = client.call("chatls/included", json!({"uris": [run]}));
    assert_eq!(asked["included"], json!([true]));
    client.open(&a, 1, FENCE);
    let report = client.call("workspace/diagnostic", workspace_params(&[], None));
    assert_eq!(kinds(&report["items"]), [(a.as_str(), "full")]);
    client.close(&a);

    std::fs::write(folder.path.join("chatls.toml"), "").unwrap();
    expect_refresh(&mut client);
    let report = client.call("workspace/diagnostic", workspace_params(&[], Some("first")));
    assert_eq!(report["items"], json!([]));
    let told = parts(&mut client, "first");
    let mut found = kinds(&told);
    found.sort_unstable();
    assert_eq!(found, [(a.as_str(), "full"), (&run, "full")]);
    let of_run = told.as_array().unwrap().iter().find(|it| it["uri"] == run).unwrap();
    let held = client
        .request("workspace/diagnostic", workspace_params(&[(&run, &of_run["resultId"])], Some("then")));
    client.take_all("$/progress");
    std::fs::write(folder.path.join("data/run.json"), "[]").unwrap();
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": run, "type": 2}]}));
    client.expect_result(held);
    let told = parts(&mut client, "then");
    let of_run = told.as_array().unwrap().iter().find(|it| it["uri"] == run).unwrap();
    assert_eq!((&of_run["kind"], &of_run["items"]), (&json!("full"), &json!([])));
    client.take_all("workspace/diagnostic/refresh");
    client.take("the change of what is included", |it| it["method"] == "chatls/includedChanged");
    client.finish();
}

/// One and a half thousand hints, followed by an error.
#[test]
fn pulled_and_pushed_diagnostics_are_bounded() {
    let text = "```tool\n{\"toolName\": \"f\"}\n```\n\nmore\n\n".repeat(1500) + FENCE;
    let folder =
        Folder::new("bounded", &[CONFIG, ("many.md", text.as_bytes()), ("closed.md", text.as_bytes())]);
    let document = uri(&folder, "many.md");
    let mut pulling = client(&folder);
    pulling.open(&document, 1, &text);
    let pulled = pull(&mut pulling, &document, None);
    let items = pulled["items"].as_array().unwrap();
    let count = |code: &str| items.iter().filter(|it| it["code"] == code).count();
    assert_eq!((count("pending-call"), count("bad-state")), (998, 1));
    let left_out = json!({
        "range": range((998 * 6 + 1, 13), (998 * 6 + 1, 16)),
        "severity": 3,
        "source": "chatls",
        "message": "502 more diagnostics are not shown (502 hints): editors get at most 1000 per document, the most severe first. \
            `chatls check many.md` prints all.",
    });
    assert_eq!((items.len(), items.last()), (1000, Some(&left_out)), "the error is not crowded out");
    let report = pulling.call("workspace/diagnostic", workspace_params(&[], None));
    let lengths: Vec<_> =
        report["items"].as_array().unwrap().iter().map(|it| it["items"].as_array().unwrap().len()).collect();
    assert_eq!(lengths, [1000, 1000], "open, and not open");
    pulling.finish();

    let (mut pushed_to, _) = Client::with_capabilities(json!({}));
    pushed_to.open(&document, 1, &text);
    assert_eq!(pushed_to.expect_diagnostics(&document, 1), pulled["items"]);
    pushed_to.finish();
    let printed = folder.run(&["check", "--format", "json", "many.md"]).stdout;
    assert_eq!(printed.matches("\"pending-call\"").count(), 1500);
}

#[test]
fn a_client_without_pull_is_offered_none() {
    let (client, result) = Client::with_capabilities(json!({}));
    assert_eq!(result["capabilities"].get("diagnosticProvider"), None);
    client.finish();
}

#[test]
fn changes_without_effect_cause_no_refresh() {
    let (mut client, _) = Client::with_capabilities(capabilities());
    let id = client.request("textDocument/diagnostic", json!({"textDocument": {"uri": URI}}));
    let answer = client.expect_answer(json!(id));
    assert_eq!(answer["error"]["code"], SERVER_CANCELLED);
    assert_eq!(answer["error"]["data"], json!({"retriggerRequest": false}));
    client.finish();
}

#[test]
fn changed_settings_cause_a_refresh() {
    let folder = Folder::new("pull-settings", &[]);
    std::fs::create_dir_all(&folder.path).unwrap();
    let mut client = client(&folder);
    let document = uri(&folder, "a.md");
    client.open(&document, 1, FENCE);
    assert_eq!(pull(&mut client, &document, None)["items"][0]["severity"], 1);
    let settings = json!({"settings": {"chatls": {"lint": {"bad-state": "hint"}}}});
    client.notify("workspace/didChangeConfiguration", settings);
    expect_refresh(&mut client);
    assert_eq!(pull(&mut client, &document, None)["items"][0]["severity"], 4);
    // Diagnostics of a configuration that is not open are pushed.
    let config = uri(&folder, "chatls.toml");
    std::fs::write(folder.path.join("chatls.toml"), "nope = 1\n[lint]\nwrong-type = \"off\"").unwrap();
    expect_refresh(&mut client);
    let of_config =
        |it: &Value| it["method"] == "textDocument/publishDiagnostics" && it["params"]["uri"] == config;
    let set = client.take("what is wrong with the configuration", of_config);
    assert_eq!(set["params"]["diagnostics"][0]["code"], "config");
    // Once open, it is pulled like any other document.
    client.open(&config, 1, "nope = 1\n[lint]\nwrong-type = \"off\"");
    assert_eq!(client.take("an empty set", of_config)["params"]["diagnostics"], json!([]));
    assert_eq!(pull(&mut client, &config, None)["items"][0]["code"], "config");
    client.close(&config);
    assert_eq!(client.take("the set again", of_config)["params"]["diagnostics"][0]["code"], "config");
    client.finish();
}

#[test]
fn a_client_without_refresh_gets_none() {
    let (mut client, _) = Client::with_capabilities(json!({"textDocument": {"diagnostic": {}}}));
    client.open(URI, 1, FENCE);
    pull(&mut client, URI, None);
    let settings = json!({"settings": {"chatls": {"lint": {"bad-state": "hint"}}}});
    client.notify("workspace/didChangeConfiguration", settings);
    while pull(&mut client, URI, None)["items"][0]["severity"] != 4 {}
    client.finish();
}

#[test]
fn a_file_removed_right_after_closing_has_no_diagnostics() {
    let folder = Folder::new("pull-removed", &[("a.md", FENCE.as_bytes())]);
    let a = uri(&folder, "a.md");
    let mut client = client(&folder);
    client.open(&a, 1, FENCE);
    assert_eq!(pull(&mut client, &a, None)["items"].as_array().unwrap().len(), 1);
    client.close(&a);
    std::fs::remove_file(folder.path.join("a.md")).unwrap();
    // The client has no workspace result for it yet.
    let report = client.call("workspace/diagnostic", workspace_params(&[], None));
    assert_eq!(kinds(&report["items"]), [(a.as_str(), "full")]);
    assert_eq!(report["items"][0]["items"], json!([]));
    let report = client.call("workspace/diagnostic", workspace_params(&[], None));
    assert_eq!(report["items"], json!([]));
    client.finish();
}

#[test]
fn the_workspace_has_open_documents_and_the_files_of_check() {
    let fence = FENCE.as_bytes();
    let folder = Folder::new(
        "pull-workspace",
        &[
            ("chatls.toml", b"exclude = [\"drafts/**\"]"),
            (".gitignore", b"build/"),
            ("a.md", fence),
            ("b.md", b"nothing"),
            ("c.txt", fence),
            ("build/d.md", fence),
            ("drafts/e.md", fence),
            ("logs/f.MARKDOWN", fence),
            ("logs/g.md", b"\xff"),
        ],
    );
    let mut client = client(&folder);
    let [a, b, f] = ["a.md", "b.md", "logs/f.MARKDOWN"].map(|name| uri(&folder, name));
    client.open("untitled:open", 3, FENCE);
    client.open(&b, 7, FENCE);
    let report = client.call("workspace/diagnostic", workspace_params(&[], None));
    let mut found = kinds(&report["items"]);
    found.sort_unstable();
    assert_eq!(found, [(a.as_str(), "full"), (&b, "full"), (&f, "full"), ("untitled:open", "full")]);
    let of = |uri: &str| report["items"].as_array().unwrap().iter().find(|it| it["uri"] == uri).unwrap();
    assert_eq!((&of(&a)["version"], &of(&b)["version"]), (&Value::Null, &json!(7)));
    assert_eq!(of(&b)["items"], pull(&mut client, &b, None)["items"]);
    assert_eq!(of(&a)["items"], of(&b)["items"]);

    // In the client's spelling; documents that are gone or never valid are reported as empty.
    let spelled = uri(&folder, "%61.md");
    let gone = uri(&folder, "gone.md");
    let ids = [(spelled.as_str(), &of(&a)["resultId"]), (&b, &json!("old")), (&gone, &json!("old"))];
    client.close("untitled:open");
    let report = client.call("workspace/diagnostic", workspace_params(&ids, None));
    let mut found = kinds(&report["items"]);
    found.sort_unstable();
    let expected = [(spelled.as_str(), "unchanged"), (&b, "full"), (&gone, "full"), (&f, "full")];
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(found, expected);
    client.finish();
}

#[test]
fn the_workspace_report_comes_in_parts_and_then_waits() {
    let names: Vec<_> = (0..70).map(|n| format!("{n:02}.md")).collect();
    let mut files: Vec<_> = names.iter().map(|name| (name.as_str(), FENCE.as_bytes())).collect();
    files.push(CONFIG);
    let folder = Folder::new("pull-parts", &files);
    let mut client = client(&folder);
    let mut params = workspace_params(&[], Some("parts"));
    params["workDoneToken"] = json!("progress");
    let id = client.request("workspace/diagnostic", params);
    assert_eq!(client.expect_result(id), json!({"items": []}));
    assert_eq!(part(&mut client, "progress")["kind"], "begin");
    while part(&mut client, "progress")["kind"] != "end" {}
    let told = parts(&mut client, "parts");
    let told = told.as_array().unwrap();
    assert_eq!(told.len(), names.len());
    let uris: Vec<_> = told.iter().map(|it| it["uri"].as_str().unwrap()).collect();
    let previous: Vec<_> = uris.iter().zip(told).map(|(uri, it)| (*uri, &it["resultId"])).collect();

    // Nothing has changed: the request waits for a change.
    let held = client.request("workspace/diagnostic", workspace_params(&previous, Some("more")));
    client.expect_silence();
    std::fs::write(folder.path.join("07.md"), "mended").unwrap();
    let changes = json!({"changes": [{"uri": uri(&folder, "07.md"), "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    assert_eq!(client.expect_result(held), json!({"items": []}));
    let more = parts(&mut client, "more");
    let (full, unchanged): (Vec<_>, _) = kinds(&more).into_iter().partition(|(_, kind)| *kind == "full");
    assert_eq!(full, [(uri(&folder, "07.md").as_str(), "full")]);
    assert_eq!(unchanged.len(), names.len() - 1);
    let mut previous = previous;
    let mended = more.as_array().unwrap().iter().find(|it| it["kind"] == "full").unwrap();
    previous.retain(|(uri, _)| *uri != mended["uri"]);
    previous.push((mended["uri"].as_str().unwrap(), &mended["resultId"]));

    // A change of a document, of settings; a newer request; cancelling; the end.
    let held = client.request("workspace/diagnostic", workspace_params(&previous, Some("open")));
    client.expect_silence();
    client.open("untitled:a", 1, FENCE);
    client.expect_result(held);
    let opened = parts(&mut client, "open");
    assert_eq!(kinds(&opened).iter().filter(|(_, kind)| *kind == "full").count(), 1);
    client.close("untitled:a");
    let older = client.request("workspace/diagnostic", workspace_params(&previous, Some("older")));
    client.expect_silence();
    let newer = client.request("workspace/diagnostic", workspace_params(&previous, Some("newer")));
    assert_eq!(client.expect_result(older), json!({"items": []}));
    client.expect_silence();
    client.notify("$/cancelRequest", json!({"id": newer}));
    assert_eq!(client.expect_error(newer), -32800);
    std::fs::write(folder.path.join("chatls.toml"), "lint = { bad-state = \"hint\" }").unwrap();
    let held = client.request("workspace/diagnostic", workspace_params(&previous, Some("settings")));
    client.expect_result(held);
    let louder = parts(&mut client, "settings");
    let is_hint = |it: &&Value| it["items"][0]["severity"] == 4;
    assert_eq!(louder.as_array().unwrap().iter().filter(is_hint).count(), names.len() - 1);
    let held = client.request("workspace/diagnostic", workspace_params(&[], Some("last")));
    client.expect_result(held);
    client.take_all("$/progress");
    client.finish();
}

#[test]
fn a_held_request_is_answered_at_shutdown() {
    let folder = Folder::new("pull-end", &[("a.md", b"nothing")]);
    let mut client = client(&folder);
    let held = client.request("workspace/diagnostic", workspace_params(&[], Some("parts")));
    client.expect_silence();
    client.call("shutdown", Value::Null);
    assert_eq!(client.expect_error(held), SERVER_CANCELLED);
    client.notify("exit", Value::Null);
    client.expect_exit(0);
}

#[test]
fn a_request_whose_scan_goes_on_at_shutdown_is_answered() {
    let folder = Folder::new("pull-end-early", &[("a.md", b"nothing")]);
    let mut client = client(&folder);
    let id = client.request("workspace/diagnostic", workspace_params(&[], Some("parts")));
    client.call("shutdown", Value::Null);
    assert_eq!(client.expect_error(id), SERVER_CANCELLED);
    client.notify("exit", Value::Null);
    client.expect_exit(0);
}

#[test]
fn a_long_workspace_request_can_be_cancelled_and_delays_none() {
    let large = FENCE.repeat(4000);
    let names: Vec<_> = (0..60).map(|n| format!("{n:02}.md")).collect();
    let mut files: Vec<_> = names.iter().map(|name| (name.as_str(), large.as_bytes())).collect();
    files.push(CONFIG);
    let folder = Folder::new("pull-large", &files);
    let mut client = client(&folder);
    let id = client.request("workspace/diagnostic", workspace_params(&[], None));
    client.open(URI, 1, FENCE);
    assert_eq!(pull(&mut client, URI, None)["kind"], "full");
    client.notify("$/cancelRequest", json!({"id": id}));
    assert_eq!(client.expect_error(id), -32800);
    client.finish();
}

#[test]
fn diagnostics_of_unused_configurations_are_pushed() {
    let folder = Folder::new("pull-config", &[("chatls.toml", b"nope = 1"), ("a.md", FENCE.as_bytes())]);
    let mut client = client(&folder);
    let report = client.call("workspace/diagnostic", workspace_params(&[], None));
    assert_eq!(kinds(&report["items"]), [(uri(&folder, "a.md").as_str(), "full")]);
    let set = client.take("a set", |it| it["method"] == "textDocument/publishDiagnostics");
    assert_eq!(set["params"]["uri"], uri(&folder, "chatls.toml"));
    assert_eq!(set["params"]["diagnostics"][0]["code"], "config");
    client.finish();
}

#[test]
fn neovim_and_zed_get_supported_reports() {
    let folder = Folder::new("pull-quirks", &[CONFIG, ("a.md", FENCE.as_bytes())]);
    for (name, workspace) in [("Neovim", false), ("Zed", true), ("Visual Studio Code", true)] {
        let mut client = Client::silent();
        let folders = json!([{"uri": uri(&folder, ""), "name": "a folder"}]);
        let result = client.initialize(json!({
            "processId": null, "capabilities": capabilities(), "workspaceFolders": folders, "clientInfo": {"name": name},
        }));
        let provider = &result["capabilities"]["diagnosticProvider"];
        assert_eq!(provider["workspaceDiagnostics"], workspace, "{name}");
        if workspace {
            // Zed would ignore partial results that it sees after the response.
            let answer = client.call("workspace/diagnostic", workspace_params(&[], Some("parts")));
            let told = client.take_all("$/progress").len();
            let expected = if name == "Zed" { (0, 1) } else { (1, 0) };
            assert_eq!((told, kinds(&answer["items"]).len()), expected, "{name}");
        }
        client.finish();
    }
}
