//! Code actions: the offered kinds, and edits that fit the document.

use serde_json::{Value, json};

use super::client::{Client, URI, range};
use crate::cli::run::Folder;

const TEXT: &str = "👋 ###:{\"toolName\": \"é😀\", \"parameters\": {\"a\": True, \"b\": None}}\n";
const FENCE: &str = "```tool\n{\"state\": \"don\", \"output\": 1}\n```\n";
const FIX_ALL: &str = "Apply all safe fixes in the document";

/// A client with support for code actions; `actions` and `documentChanges` select the rest.
fn client(actions: Value, document_changes: bool) -> (Client, Value) {
    let mut actions = actions;
    actions["codeActionLiteralSupport"] = json!({"codeActionKind": {"valueSet": ["", "quickfix", "source"]}});
    let edit = json!({"documentChanges": document_changes});
    Client::with_capabilities(
        json!({"textDocument": {"codeAction": actions}, "workspace": {"workspaceEdit": edit}}),
    )
}

fn resolving() -> Value {
    json!({"dataSupport": true, "resolveSupport": {"properties": ["edit"]}})
}

fn ask(client: &mut Client, at: Value, context: Value) -> Vec<Value> {
    let params = json!({"textDocument": {"uri": URI}, "range": at, "context": context});
    client.call("textDocument/codeAction", params).as_array().unwrap().clone()
}

fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().map(|action| action["title"].as_str().unwrap()).collect()
}

#[test]
fn a_fix_has_its_diagnostic_and_version() {
    let (mut client, answer) = client(json!({}), true);
    let provider = &answer["capabilities"]["codeActionProvider"];
    assert_eq!(provider["resolveProvider"], true);
    client.open(URI, 7, TEXT);
    let published = client.expect_diagnostics(URI, 7);
    // In UTF-16: the emoji before it counts twice.
    let place = range((0, 47), (0, 51));
    assert_eq!(published[0]["range"], place);
    let context = json!({"diagnostics": [], "only": ["quickfix"]});
    let actions = ask(&mut client, range((0, 48), (0, 48)), context);
    let suppress = "Suppress `invalid-json` for this block";
    assert_eq!(titles(&actions), ["Write `true`", "Fix all `invalid-json` in the document", suppress]);
    let comment =
        json!({"range": range((0, 0), (0, 0)), "newText": "<!-- chatls-disable-next invalid-json -->\n"});
    assert_eq!(actions[2]["edit"]["documentChanges"][0]["edits"], json!([comment]));
    assert_eq!((&actions[2]["kind"], actions[2].get("isPreferred")), (&json!("quickfix"), None));
    assert_eq!(
        actions[0],
        json!({
            "title": "Write `true`",
            "kind": "quickfix",
            "diagnostics": [published[0]],
            "isPreferred": true,
            "edit": {"documentChanges": [{
                "textDocument": {"uri": URI, "version": 7},
                "edits": [{"range": place, "newText": "true"}],
            }]},
        })
    );
    let edits = actions[1]["edit"]["documentChanges"][0]["edits"].as_array().unwrap();
    assert_eq!(edits.len(), 2);
    // The client returns its own data in a diagnostic unchanged.
    let mut sent = published[0].clone();
    sent["data"] = json!({"of": "the client"});
    let context = json!({"diagnostics": [sent], "only": ["quickfix"], "triggerKind": 1});
    let actions = ask(&mut client, place, context);
    assert_eq!(actions[0]["diagnostics"], json!([sent]));
    client.finish();
}

#[test]
fn only_requested_kinds_are_offered() {
    let (mut client, _) = client(json!({}), false);
    client.open(URI, 1, TEXT);
    client.expect_diagnostics(URI, 1);
    let place = range((0, 47), (0, 51));
    let fixes =
        ["Write `true`", "Fix all `invalid-json` in the document", "Suppress `invalid-json` for this block"];
    let cases: [(Value, Vec<&str>); 6] = [
        (json!({"diagnostics": []}), [&fixes[..], &[FIX_ALL]].concat()),
        (json!({"diagnostics": [], "only": ["quickfix"]}), fixes.to_vec()),
        (json!({"diagnostics": [], "only": ["source"]}), vec![FIX_ALL]),
        (json!({"diagnostics": [], "only": ["source.fixAll"]}), vec![FIX_ALL]),
        (json!({"diagnostics": [], "only": ["source.fixAll.chatls"]}), vec![FIX_ALL]),
        (json!({"diagnostics": [], "only": ["refactor", "source.organizeImports"]}), vec![]),
    ];
    for (context, expected) in cases {
        assert_eq!(titles(&ask(&mut client, place.clone(), context.clone())), expected, "{context}");
    }
    // Away from a diagnostic only the fix of all is offered; edits have no version.
    let actions = ask(&mut client, range((1, 0), (1, 0)), json!({"diagnostics": []}));
    assert_eq!(titles(&actions), [FIX_ALL]);
    assert_eq!(actions[0]["kind"], "source.fixAll.chatls");
    assert_eq!(
        actions[0]["edit"],
        json!({"changes": {URI: [
            {"range": range((0, 47), (0, 51)), "newText": "true"},
            {"range": range((0, 58), (0, 62)), "newText": "null"},
        ]}})
    );
    client.finish();
}

#[test]
fn actions_on_the_whole_document_are_resolved() {
    let (mut client, _) = client(resolving(), true);
    client.open(URI, 1, TEXT);
    client.expect_diagnostics(URI, 1);
    let actions = ask(&mut client, range((0, 48), (0, 48)), json!({"diagnostics": []}));
    let actions: Vec<_> =
        actions.into_iter().filter(|it| !it["title"].as_str().unwrap().contains("Suppress")).collect();
    assert_eq!(actions.len(), 3);
    // Some clients resolve everything.
    assert_eq!(client.call("codeAction/resolve", actions[0].clone()), actions[0]);
    // The document has changed: the edits are for its current text.
    client.change(URI, 2, json!([{"range": range((0, 0), (0, 0)), "text": "\n"}]));
    client.expect_diagnostics(URI, 2);
    for action in &actions[1..] {
        assert_eq!(action.get("edit"), None);
        let resolved = client.call("codeAction/resolve", action.clone());
        let change = &resolved["edit"]["documentChanges"][0];
        assert_eq!(change["textDocument"], json!({"uri": URI, "version": 2}));
        assert_eq!(change["edits"][0]["range"], range((1, 47), (1, 51)));
        assert_eq!(change["edits"].as_array().unwrap().len(), 2);
    }
    let id = client.request("codeAction/resolve", json!({"title": "of another server"}));
    assert_eq!(client.expect_error(id), -32602);
    client.finish();
}

#[test]
fn an_edit_has_the_version_of_its_text() {
    let (mut client, _) = client(json!({}), true);
    client.open(URI, 1, FENCE);
    // Requested possibly before the text is parsed: answered in order all the same.
    let params = json!({"textDocument": {"uri": URI}, "range": range((1, 12), (1, 12)), "context": {"diagnostics": []}});
    let asked = client.request("textDocument/codeAction", params);
    client.change(URI, 2, json!([{"text": ""}]));
    let actions = client.expect_result(asked);
    assert_eq!(actions[0]["title"], "Set the state `output-available`");
    assert_eq!(actions[0]["edit"]["documentChanges"][0]["textDocument"]["version"], 1);
    client.expect_diagnostics(URI, 2);
    client.finish();
}

#[test]
fn configurations_and_registries_have_fixes() {
    let folder = Folder::new(
        "actions-files",
        &[
            ("chatls.toml", b"# \xf0\x9f\x91\x8b\ntools = [\"t.json\"]\n[lint]\nbad-stat = \"off\"\n"),
            ("t.json", b"[{\"name\": \"a\"},]"),
        ],
    );
    let (mut client, _) = client(json!({}), true);
    let uri = |name: &str| folder.uri(name);
    let (config, registry) = (uri("chatls.toml"), uri("t.json"));
    client.open(&uri("a.md"), 1, "");
    let set = |client: &mut Client, uri: &str| {
        let of_uri =
            |it: &Value| it["method"] == "textDocument/publishDiagnostics" && it["params"]["uri"] == uri;
        client.take(&format!("a set of {uri}"), of_uri)["params"]["diagnostics"].clone()
    };
    let published = [set(&mut client, &config), set(&mut client, &registry)];
    assert_eq!(set(&mut client, &uri("a.md")), json!([]));
    let ask = |client: &mut Client, uri: &str, at: (u32, u32), only: &str| {
        let context = json!({"diagnostics": [], "only": [only]});
        let params = json!({"textDocument": {"uri": uri}, "range": range(at, at), "context": context});
        client.call("textDocument/codeAction", params)
    };
    let action = |title: &str, published: &Value, uri: &str, version: Value, place: Value, text: &str| {
        json!([{
            "title": title, "kind": "quickfix", "diagnostics": published, "isPreferred": true,
            "edit": {"documentChanges": [{
                "textDocument": {"uri": uri, "version": version}, "edits": [{"range": place, "newText": text}],
            }]},
        }])
    };
    let rename = |version: Value| {
        action("Rename to `bad-state`", &published[0], &config, version, range((3, 0), (3, 8)), "bad-state")
    };
    // Not open: applies to the file on disk.
    assert_eq!(ask(&mut client, &config, (3, 2), "quickfix"), rename(Value::Null));
    assert_eq!(ask(&mut client, &config, (2, 0), "quickfix"), json!([]));
    assert_eq!(ask(&mut client, &config, (3, 2), "source"), json!([]));
    let comma =
        action("Remove the comma", &published[1], &registry, Value::Null, range((0, 14), (0, 15)), "");
    assert_eq!(ask(&mut client, &registry, (0, 15), "quickfix"), comma);
    let stranger = json!({"textDocument": {"uri": uri("b.toml")}, "range": range((0, 0), (0, 0)), "context": {"diagnostics": []}});
    let id = client.request("textDocument/codeAction", stranger);
    assert_eq!(client.expect_error(id), -32602);
    // Open and equal to the file on disk; then with another text, which has not been checked yet.
    let text = std::fs::read_to_string(folder.path.join("chatls.toml")).unwrap();
    client.open(&config, 5, &text);
    while set(&mut client, &config) != published[0] {}
    assert_eq!(ask(&mut client, &config, (3, 2), "quickfix"), rename(json!(5)));
    client.change(&config, 6, json!([{"range": range((0, 0), (0, 0)), "text": "\n"}]));
    assert_eq!(ask(&mut client, &config, (3, 2), "quickfix"), json!([]));
    client.expect_diagnostics(&config, 6);
    client.finish();
}

#[test]
fn a_client_without_literals_gets_nothing() {
    let (mut client, answer) = Client::with_capabilities(json!({}));
    assert_eq!(answer["capabilities"].get("codeActionProvider"), None);
    client.open(URI, 1, FENCE);
    client.expect_diagnostics(URI, 1);
    assert_eq!(ask(&mut client, range((1, 12), (1, 12)), json!({"diagnostics": []})), Vec::<Value>::new());
    client.finish();
}
