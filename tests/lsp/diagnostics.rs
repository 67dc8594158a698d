//! The properties of a diagnostic besides its message, for clients that support them.

use serde_json::{Value, json};

use super::client::{Client, path_of, range, use_cache};
use crate::cli::run::Folder;

/// A duplicate key, and a deprecated form.
const TEXT: &str = "```tool\n{\"a\": 1, \"a\": 2}\n```\n\n🔧 **Tool Call:** `f()`\n";
/// Not the canonical form of a URI: the client's spelling is kept.
const SPELLED: &str = "file:///project/é.md";

/// The diagnostics of [`TEXT`] for a client with these capabilities, without the basic properties.
fn shown(client: &mut Client) -> Vec<(String, Value)> {
    client.open(SPELLED, 1, TEXT);
    let set = client.expect_diagnostics(SPELLED, 1);
    let extra = |it: &Value| {
        let mut extra = it.clone();
        let members = extra.as_object_mut().unwrap();
        for always in ["range", "severity", "code", "source", "message"] {
            assert!(members.remove(always).is_some(), "{it}");
        }
        (it["code"].as_str().unwrap().to_owned(), extra)
    };
    set.as_array().unwrap().iter().map(extra).collect()
}

fn extra(shown: &[(String, Value)], code: &str) -> Value {
    shown.iter().find(|(found, _)| found == code).unwrap_or_else(|| panic!("{shown:?}")).1.clone()
}

#[test]
fn only_supported_properties_are_sent() {
    let mut client = Client::start();
    assert!(shown(&mut client).iter().all(|(_, extra)| *extra == json!({})));
    client.finish();

    for (tags, expected) in [(json!([1, 2]), json!({"tags": [2]})), (json!([1]), json!({}))] {
        let takes = json!({"relatedInformation": true, "tagSupport": {"valueSet": tags}});
        // Declared as in LSP 3.17, and as in 3.18.
        for capabilities in [json!({"publishDiagnostics": takes}), json!({"diagnostic": takes})] {
            let pulls = capabilities.get("diagnostic").is_some();
            let (mut client, _) = Client::with_capabilities(json!({"textDocument": capabilities}));
            if pulls {
                client.open(SPELLED, 1, TEXT);
                let params = json!({"textDocument": {"uri": SPELLED}});
                let items = client.call("textDocument/diagnostic", params)["items"].take();
                let twice =
                    items.as_array().unwrap().iter().find(|it| it["code"] == "duplicate-key").unwrap();
                assert_eq!(twice["relatedInformation"][0]["location"]["uri"], SPELLED);
            } else {
                let shown = shown(&mut client);
                let mut related = extra(&shown, "duplicate-key");
                let message = related["relatedInformation"][0]["message"].take();
                assert!(message.as_str().is_some_and(|message| !message.is_empty()));
                let location = json!({"uri": SPELLED, "range": range((1, 1), (1, 4))});
                assert_eq!(related, json!({"relatedInformation": [{"location": location, "message": null}]}));
                assert_eq!(extra(&shown, "legacy-markdown"), expected);
            }
            client.finish();
        }
    }
}

#[test]
fn codes_link_to_their_pages_if_those_can_be_written() {
    let folder = Folder::new("diagnostics-pages", &[("file", b"")]);
    for (cache, written) in [("cache", true), ("file", false)] {
        let mut server = super::client::server();
        use_cache(&mut server, &folder.path.join(cache));
        let mut client = Client::of(server, std::process::Stdio::null());
        let takes = json!({"textDocument": {"publishDiagnostics": {"codeDescriptionSupport": true}}});
        client.initialize(json!({"processId": null, "capabilities": takes}));
        let twice = extra(&shown(&mut client), "duplicate-key");
        if written {
            let path = path_of(&twice["codeDescription"]["href"]);
            assert!(path.starts_with(folder.path.join(cache)), "{}", path.display());
            let page = std::fs::read_to_string(path).unwrap();
            assert_eq!(page, include_str!("../../docs/rules/duplicate-key.md"));
        } else {
            assert_eq!(twice, json!({}));
        }
        client.finish();
    }
    // Without links to the pages there are none.
    let mut server = super::client::server();
    use_cache(&mut server, &folder.path.join("none"));
    let mut client = Client::of(server, std::process::Stdio::null());
    client.initialize(json!({"processId": null, "capabilities": {}}));
    shown(&mut client);
    client.finish();
    assert!(!folder.path.join("none").exists());
}
