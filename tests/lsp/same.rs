//! The server and `check` report exactly the same diagnostics: for every sample, complete and cut,
//! and for the documents in the folder that `CHATLS_SWEEP` names.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::client::Client;
use crate::cli::run::Folder;

/// The documents, with names that contain their kind.
fn documents() -> Vec<(String, String)> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let mut folders = vec![samples];
    folders.extend(std::env::var_os("CHATLS_SWEEP").map(PathBuf::from));
    let mut documents = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if ["md", "jsonl", "ndjson", "sse"].contains(&extension) {
                let Ok(text) = std::fs::read_to_string(&path) else { continue };
                let cut = text.floor_char_boundary(text.len() * 2 / 3);
                documents.push((format!("{}-cut.{extension}", documents.len()), text[..cut].to_owned()));
                documents.push((format!("{}.{extension}", documents.len()), text));
            }
        }
    }
    documents
}

/// The output of `check` in the form of the server: 0-based, with common properties only.
fn checked(folder: &Folder) -> Vec<(String, Value)> {
    let run = folder.run(&["check", "--format", "jsonl"]);
    assert!(run.status < 2, "{}", run.stderr);
    let finding = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let position = |at: &Value| json!({"line": at["line"].as_u64().unwrap() - 1, "character": at["column"].as_u64().unwrap() - 1});
        let range = json!({"start": position(&line["start"]), "end": position(&line["end"])});
        let said = json!({"code": line["code"], "severity": line["severity"], "message": line["message"], "range": range});
        (line["file"].as_str().unwrap().to_owned(), said)
    };
    run.stdout.lines().map(finding).collect()
}

#[test]
fn the_server_and_check_report_the_same() {
    let documents = documents();
    let files: Vec<_> = documents.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let folder = Folder::new("same", &files);
    let checked = checked(&folder);
    let (mut client, _) = Client::with_capabilities(json!({"general": {"positionEncodings": ["utf-32"]}}));
    let mut count = 0;
    for (name, text) in &documents {
        let uri = folder.uri(name);
        let item = json!({"uri": uri, "languageId": "plaintext", "version": 1, "text": text});
        client.notify("textDocument/didOpen", json!({"textDocument": item}));
        let served = client.expect_diagnostics(&uri, 1);
        let said = |diagnostic: &Value| {
            let names = ["", "error", "warning", "information", "hint"];
            let severity = names[usize::try_from(diagnostic["severity"].as_u64().unwrap()).unwrap()];
            json!({"code": diagnostic["code"], "severity": severity, "message": diagnostic["message"], "range": diagnostic["range"]})
        };
        let served: Vec<_> = served.as_array().unwrap().iter().map(said).collect();
        let of_file: Vec<_> =
            checked.iter().filter(|(file, _)| file == name).map(|(_, said)| said.clone()).collect();
        assert_eq!(served, of_file, "{name}");
        count += served.len();
    }
    assert!(count > 40 && count == checked.len(), "{count} findings");
    client.finish();
}
