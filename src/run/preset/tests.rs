use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;
use url::Url;

use super::*;

mod confined;
mod packages;

fn charts() -> ChartIndex {
    let get = |url: &Url| {
        assert_eq!(url.host_str(), Some("charts.example"));
        let chart = url.query_pairs().find(|(key, _)| key == "ts_query_web").expect("a query").1.into_owned();
        let package = |name: &str, version: &str, official: bool| json!({"name": name, "version": version, "repository": {"official": official}});
        match &*chart {
            "redis" => Ok(json!({"packages": [
                package("redis-cluster", "9.0.0", true),
                package("redis", "0.1.0", false),
                package("redis", "20.1.0", true),
            ]})
            .to_string()),
            "broken" => Ok("<html>".to_owned()),
            _ => Ok(r#"{"packages": []}"#.to_owned()),
        }
    };
    ChartIndex { address: "https://charts.example/".to_owned(), get: Box::new(get) }
}

/// The text of a result, or the message of an error after `!`.
fn run_in(folder: &Path, name: &str, input: &Value) -> String {
    let tool = TOOLS.iter().find(|(_, tool, _)| *tool == name).expect("a tool").2;
    let folder = ToolFolder::open(folder).expect("a folder");
    match tool.run(input, Some(&folder), Some(&charts())) {
        Ok(data) => data.to_text(),
        Err(message) => format!("!{message}"),
    }
}

fn folder_with(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

fn text_of(folder: &TempDir, path: &str) -> String {
    fs::read_to_string(folder.path().join(path)).expect("a file")
}

/// Edits a file with the text `before`.
#[track_caller]
fn check_edit(before: &str, block: &str, expected: &str) {
    let folder = folder_with(&[("a.txt", before)]);
    let input = json!({"filePath": "a.txt", "searchReplaceBlock": block});
    let said = run_in(folder.path(), "edit_file", &input);
    let after = text_of(&folder, "a.txt");
    match said.strip_prefix('!') {
        Some(message) => {
            assert_eq!(message, expected);
            assert_eq!(after, before, "a failed edit changes nothing");
        }
        None => assert_eq!(after, expected),
    }
}

fn block(search: &str, replacement: &str) -> String {
    let line = |text: &str| if text.is_empty() { String::new() } else { format!("{text}\n") };
    format!("<<<<<<< SEARCH\n{}=======\n{}>>>>>>> REPLACE", line(search), line(replacement))
}

#[test]
fn every_tool_of_the_presets_is_implemented() {
    for preset in crate::registry::preset_names() {
        let source = format!("preset:{preset}");
        let contents = crate::registry::read_source(crate::registry::preset(preset).expect("text"), preset);
        for tool in contents.tools {
            assert!(PresetTool::find(&source, &tool.name).is_some(), "{}", tool.name);
        }
    }
    assert_eq!(PresetTool::find("tools.json", "read_file"), None);
}

#[test]
fn files_are_read_written_and_deleted() {
    let folder = folder_with(&[("src/a.ts", "one\ntwo\n")]);
    let run = |name: &str, input: Value| run_in(folder.path(), name, &input);
    assert_eq!(run("read_file", json!({"path": "src/a.ts"})), "one\ntwo\n");
    assert_eq!(run("read_file", json!({"path": "src/a.ts", "includeLineNumbers": true})), "1: one\n2: two\n");
    assert_eq!(run("read_file", json!({"path": "src"})), "!`src` is a folder, not a file");
    assert_eq!(
        run("read_file", json!({"path": "src/a.ts/b"})),
        "!a part of `src/a.ts/b` is a file, not a folder"
    );
    assert_eq!(run("read_file", json!({"path": "b.ts"})), "!`b.ts` does not exist");
    assert_eq!(
        run("write_file", json!({"path": "new/deep/b.ts", "content": "b"})),
        "created `new/deep/b.ts`"
    );
    assert_eq!(
        run("write_file", json!({"path": "./new/../src/a.ts", "content": "c"})),
        "replaced `./new/../src/a.ts`"
    );
    assert_eq!(text_of(&folder, "src/a.ts"), "c");
    assert_eq!(run("write_file", json!({"path": "src", "content": ""})), "!`src` is a folder, not a file");
    assert_eq!(run("delete_file", json!({"path": "new/deep/b.ts"})), "deleted `new/deep/b.ts`");
    assert_eq!(run("delete_file", json!({"path": "new/deep/b.ts"})), "!`new/deep/b.ts` does not exist");
    assert_eq!(run("delete_file", json!({"path": "new"})), "!`new` is a folder, not a file");
}

#[test]
fn line_ends_and_marks_are_kept() {
    let folder = folder_with(&[("a.txt", "\u{feff}one\r\ntwo\r\n")]);
    let run = |name: &str, input: Value| run_in(folder.path(), name, &input);
    assert_eq!(run("read_file", json!({"path": "a.txt"})), "one\ntwo\n");
    run("write_file", json!({"path": "a.txt", "content": "x\ny\n"}));
    assert_eq!(text_of(&folder, "a.txt"), "\u{feff}x\r\ny\r\n");
    check_edit("\u{feff}é\r\nb\r\nc\r\n", &block("é\nb", "1\n2"), "\u{feff}1\r\n2\r\nc\r\n");
    // The place decides where both are used.
    check_edit("a\r\nb\nc\r\n", &block("b", "1\n2"), "a\r\n1\n2\nc\r\n");
}

#[test]
fn edits_are_exact() {
    check_edit("a\nb\nc\n", &block("b", "B"), "a\nB\nc\n");
    check_edit("a\nb\nc\n", &block("b", ""), "a\nc\n");
    check_edit("a\nb", &block("b", ""), "a\n");
    check_edit("let ab = 1;\n", &block("ab", "cd"), "let cd = 1;\n");
    check_edit("ab\nb\n", &block("b", "c"), "ab\nc\n");
    check_edit("a\nb\n", &block("x", "y"), "the search text is not in `a.txt`");
    check_edit("a\na\n", &block("a", "y"), "the search text is more than once in `a.txt`");
    check_edit("xax\nyay\n", &block("a", "y"), "the search text is more than once in `a.txt`");
    check_edit("a\n", &block("", "y"), "the search text is empty: use `write_file` to fill `a.txt`");
    let both = format!("{}\n{}\n", block("a", "1"), block("b", "2"));
    check_edit("a\nb\n", &both, "1\n2\n");
    check_edit("a\nc\n", &both, "search text 2 is not in `a.txt`");
    check_edit("a\n", &block("a", "b").replace('\n', "\r\n"), "b\n");
    check_edit(
        "a\n",
        "<<<<<<< SEARCH\na\n>>>>>>> REPLACE",
        "`=======` is missing or out of order: the block needs the lines `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`, in this order",
    );
    // Of several dividers, only one has a text of the file before it.
    check_edit(
        "Title\n=======\n",
        &block("Title\n=======\n", "x").replace("=======\n\n=======", "=======\n======="),
        "the search text has several dividers that fit `a.txt`",
    );
    check_edit(
        "Titles\n=======\nb\n",
        &block("Titles\n=======\nb", "x"),
        "the search text has several dividers that fit `a.txt`",
    );
    check_edit("a\n", &block("a", "b\n=======\nc"), "b\n=======\nc\n");
}

#[test]
fn edits_cost_little() {
    // Each divider is another text to search for.
    let dividers = "=======\n".repeat(60_000);
    check_edit("a\n", &block(&dividers, "b"), "the blocks have more than 100 dividers: make several calls");
    let blocks = block("a", "b\n=======\nc\n").repeat(51).replace("REPLACE<", "REPLACE\n<");
    check_edit("a\n", &blocks, "the blocks have more than 100 dividers: make several calls");
    // A text that begins at every place but one is found twice.
    let (line, part) = ("a".repeat(1 << 20), "a".repeat(1 << 19));
    check_edit(&line, &block(&part, "b"), "the search text is more than once in `a.txt`");
    check_edit(&line, &block(&line, "b"), "b");
}

#[test]
fn what_is_no_text_is_refused() {
    let folder = folder_with(&[("zero", "a\0b")]);
    fs::write(folder.path().join("latin"), [b'a', 0xe9]).expect("a file");
    fs::File::create(folder.path().join("large"))
        .and_then(|file| file.set_len(5 << 20))
        .expect("a sparse file");
    let read = |path: &str| run_in(folder.path(), "read_file", &json!({"path": path}));
    assert_eq!(read("zero"), "!`zero` is not a text file");
    assert_eq!(read("latin"), "!`latin` is not UTF-8 text");
    assert_eq!(read("large"), "!`large`: it is larger than 4 MiB");
    let large = "x".repeat(5 << 20);
    let said = run_in(folder.path(), "write_file", &json!({"path": "b", "content": large}));
    assert_eq!(said, "!`b` is not written: it is larger than 4 MiB");
    assert!(!folder.path().join("b").exists());
}

#[test]
fn the_editor_of_chartsmith() {
    let folder = folder_with(&[("values.yaml", "a: 1\r\nb: 1\r\nc: 2\r\n")]);
    let run = |input: Value| run_in(folder.path(), "text_editor", &input);
    let path = "values.yaml";
    assert_eq!(run(json!({"command": "view", "path": path})), "a: 1\nb: 1\nc: 2\n");
    assert_eq!(run(json!({"command": "view", "path": path, "view_range": [2, -1]})), "b: 1\nc: 2\n");
    assert_eq!(
        run(json!({"command": "view", "path": path, "view_range": [4, 4]})),
        "!`view_range` is not in the file, which has 3 lines"
    );
    assert_eq!(run(json!({"command": "view", "path": "none"})), "!File does not exist. Use create instead.");
    let replace = |old: &str, new: &str| {
        run(json!({"command": "str_replace", "path": path, "old_str": old, "new_str": new}))
    };
    assert_eq!(replace("a: 1\nb: 1", "a: 2\nb: 3"), "Content replaced successfully");
    assert_eq!(text_of(&folder, path), "a: 2\r\nb: 3\r\nc: 2\r\n");
    assert!(replace("2", "3").starts_with("!String to replace is more than once"));
    assert!(replace("x", "3").starts_with("!String to replace not found in file."));
    assert!(
        run(json!({"command": "create", "path": path, "content": ""})).starts_with("!File already exists.")
    );
    assert_eq!(run(json!({"command": "create", "path": "t/x.yaml", "file_text": "x"})), "Created");
    assert_eq!(text_of(&folder, "t/x.yaml"), "x");
}

#[test]
fn versions() {
    let folder = folder_with(&[]);
    let run = |name: &str, input: Value| run_in(folder.path(), name, &input);
    for (field, version) in [("major", "1"), ("minor", "1.32"), ("patch", "1.32.1")] {
        assert_eq!(run("latest_kubernetes_version", json!({"semver_field": field})), version);
    }
    assert_eq!(run("latest_subchart_version", json!({"chart_name": "redis"})), "20.1.0");
    assert_eq!(run("latest_subchart_version", json!({"chart_name": "no such&kind=1"})), "?");
    assert!(
        run("latest_subchart_version", json!({"chart_name": "broken"})).contains("not a list of packages")
    );
    let nowhere = PresetTool::LatestSubchartVersion.run(&json!({"chart_name": "redis"}), None, None);
    assert!(nowhere.expect_err("no address").contains("your own settings"));
}

#[test]
fn read_only_calls() {
    assert!(PresetTool::TextEditor.is_read_only(&json!({"command": "view"})));
    assert!(!PresetTool::TextEditor.is_read_only(&json!({"command": "create"})));
    assert!(!PresetTool::EditFile.is_read_only(&json!({})));
    assert!(PresetTool::ReadFile.is_read_only(&json!({})));
}
