//! Documents that the server ignores, ordinary ones and disabled ones: no request returns anything
//! for them.

use serde_json::{Value, json};

use super::client::{Client, range};
use super::sweep::{AT_PLACES, OF_DOCUMENTS};
use crate::cli::run::Folder;

/// Something for every request.
const FULL: &str = "# Title\n\nUser: hi\n\nAssistant: <tool>a(p=1)\nx</tool>\n\n```tool\n{\"toolCallId\": \"c\", \"toolName\": \"b\", \"state\": \"done\", \"input\": {\"path\": \"chatls.toml\"}}\n```\n\nA <tool> b\n\ntoolcall\n";
/// An ordinary text with incomplete tags.
const ORDINARY: &str = "# Title\n\nA `<tool>` element, a <tool> element.\n\n<tool>\nhammer\n</tool>\n\n## User\n\n```tool\n```\n\n| a |\n|---|\n| b |\n\n- c\n";

/// True if a response has no content.
fn is_nothing(answer: &Value) -> bool {
    match answer {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(answer) => {
            let lists = ["items", "ranges", "data", "toolUses", "batches", "signatures"];
            let known = |key: &str| lists.contains(&key) || SILENT.contains(&key);
            answer.keys().all(|key| known(key))
                && lists.iter().filter_map(|key| answer.get(*key)).all(|list| list == &json!([]))
        }
        _ => false,
    }
}

/// Properties of responses besides their content.
const SILENT: [&str; 8] =
    ["counts", "total", "isIncomplete", "kind", "resultId", "version", "enabled", "isTranscript"];

fn check(client: &mut Client, uri: &str, text: &str, is_enabled: bool) {
    client.open(uri, 1, text);
    let document = json!({"uri": uri});
    let with = |more: &str, place: Value| {
        let mut params: Value = serde_json::from_str(more).unwrap();
        params["textDocument"] = document.clone();
        params.as_object_mut().unwrap().extend(place.as_object().unwrap().clone());
        params
    };
    // The transcript, events, export and comparison of any document contain its text.
    let draws = ["chatls/transcript", "chatls/events", "chatls/export", "chatls/compare"];
    let asked = OF_DOCUMENTS.iter().filter(|(method, _)| !draws.contains(method));
    for (method, more) in asked {
        let answer = client.call(method, with(more, json!({})));
        assert!(is_nothing(&answer), "{method}: {answer}");
    }
    let listing = client.call("chatls/toolUses", with("{}", json!({})));
    assert_eq!((&listing["enabled"], &listing["isTranscript"]), (&json!(is_enabled), &json!(false)));
    let all = range((0, 0), (u32::try_from(text.lines().count()).unwrap(), 0));
    for method in ["textDocument/inlayHint", "textDocument/semanticTokens/range", "textDocument/codeAction"] {
        let params = with(r#"{"context": {"diagnostics": []}}"#, json!({"range": all}));
        let answer = client.call(method, params);
        assert!(is_nothing(&answer), "{method}: {answer}");
    }
    for (line, content) in text.lines().enumerate() {
        for column in [0, content.encode_utf16().count() / 2, content.encode_utf16().count()] {
            let place = json!({"position": {"line": line, "character": column}});
            for (method, more) in AT_PLACES {
                let id = client.request(method, with(more, place.clone()));
                let answer = client.expect_answer(json!(id));
                let is_refused = method == "textDocument/rename" && answer.get("error").is_some();
                assert!(is_refused || is_nothing(&answer["result"]), "{method} at {line}:{column}: {answer}");
            }
            let positions = json!({"positions": [place["position"]]});
            assert_eq!(client.call("textDocument/selectionRange", with("{}", positions)), Value::Null);
        }
    }
}

fn client(folder: &Folder, capabilities: Value) -> Client {
    let mut client = Client::silent();
    let folders = json!([{"uri": folder.uri(""), "name": "a"}]);
    client.initialize(json!({"processId": null, "capabilities": capabilities, "workspaceFolders": folders}));
    client
}

/// A client that pulls diagnostics.
fn pulling() -> Value {
    json!({"textDocument": {"diagnostic": {}}})
}

#[test]
fn disabled_documents_have_no_results() {
    for (config, name) in [("enable = false", "off-enable"), ("exclude = [\"a.chat.md\"]", "off-exclude")] {
        let folder = Folder::new(name, &[("chatls.toml", config.as_bytes())]);
        let mut client = client(&folder, pulling());
        check(&mut client, &folder.uri("a.chat.md"), FULL, false);
        client.skip_logs();
        client.finish();
    }
}

#[test]
fn ordinary_texts_have_no_results() {
    let folder = Folder::new("off-ordinary", &[("b.md", FULL.as_bytes())]);
    std::fs::remove_file(folder.path.join("b.md")).unwrap();
    let mut client = client(&folder, pulling());
    check(&mut client, &folder.uri("README.md"), ORDINARY, true);
    client.skip_logs();
    client.finish();
}

/// Control: an enabled document has results.
#[test]
fn enabled_documents_have_results() {
    let folder = Folder::new("off-not", &[("chatls.toml", b"enable = true")]);
    let mut client = client(&folder, pulling());
    let uri = folder.uri("a.md");
    client.open(&uri, 1, FULL);
    let document = json!({"textDocument": {"uri": uri}});
    for method in ["textDocument/diagnostic", "textDocument/documentSymbol", "textDocument/foldingRange"] {
        assert!(!is_nothing(&client.call(method, document.clone())), "{method}");
    }
    client.skip_logs();
    client.finish();
}
