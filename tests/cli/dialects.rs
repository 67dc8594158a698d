//! Forms of configurations (`[[dialect]]`), as the documentation shows them.

use serde_json::{Value, json};

use super::run::Folder;

const PAGE: &str = include_str!("../../docs/formats.md");

/// The first block of `language` after the heading of the section.
fn block(language: &str) -> &'static str {
    let section = PAGE.split("\n### 3.6 ").nth(1).expect("a section");
    let block = section.split(&format!("\n```{language}\n")).nth(1).expect("a block");
    block.split("```\n").next().expect("its end")
}

#[test]
fn the_documented_example_is_read_by_all_commands() {
    let (config, log) = (block("toml"), block("jsonl"));
    let array = format!("[\n{}\n]\n", log.trim_end().replace('\n', ",\n"));
    let files = [
        ("chatls.toml", config.as_bytes()),
        ("a.jsonl", log.as_bytes()),
        ("in/b.json", array.as_bytes()),
        ("other.json", b"{\"kind\": \"invoke\"}"),
    ];
    let folder = Folder::new("dialects", &files);
    let calls = folder.run(&["calls"]);
    let found: Vec<_> =
        calls.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect();
    let facts: Vec<_> = found.iter().map(|call| (&call["file"], &call["toolName"], &call["state"])).collect();
    let (done, failed) = (json!("output-available"), json!("output-error"));
    let (first, second) = (json!("read_file"), json!("run"));
    let (log, document) = (json!("a.jsonl"), json!("in/b.json"));
    let expected = [
        (&log, &first, &done),
        (&log, &second, &failed),
        (&document, &first, &done),
        (&document, &second, &failed),
    ];
    assert_eq!(facts, expected);
    assert_eq!(found[0]["input"], json!({"path": "a.py"}));
    let check = |command: &[&str], expected: &str| {
        let run = folder.run(command);
        assert!(run.stdout.contains(expected), "{command:?}: {}{}", run.stdout, run.stderr);
    };
    check(&["check"], "no problems in 2 files");
    check(&["view"], "==> in/b.json <==\n\n🔧 2 tool calls · 1 failed");
    check(&["stats"], "4 tool calls in 2 documents: 2 done, 2 failed");
    check(&["convert", "--to", "fence", "a.jsonl"], "\"toolName\": \"read_file\"");
    check(&["convert", "--lossy", "--to", "openai", "in/b.json"], "\"tool_call_id\": \"a1\"");
    check(&["diff", "a.jsonl", "in/b.json"], "no differences in 2 tool uses");
}

#[test]
fn faults_in_arguments_and_configurations_have_a_position() {
    let log = block("jsonl").replace("\\\"a.py\\\"", "a.py");
    let folder = Folder::new(
        "dialects-faults",
        &[("chatls.toml", block("toml").as_bytes()), ("a.jsonl", log.as_bytes())],
    );
    let fault = "a.jsonl:1:81: error[invalid-json] expected a value, found `a.py`: a string is written in double quotes\n";
    let check = || folder.run(&["check", "--format", "concise"]).stdout;
    assert!(check().starts_with(fault), "{}", check());
    let config = block("toml").replace("[\"return\"]", "\"return\"");
    std::fs::write(folder.path.join("chatls.toml"), config).unwrap();
    let config = "chatls.toml:13:22: warning[config] `signature.kind` must be one of ";
    assert!(check().starts_with(config) && check().contains(fault), "{}", check());
}
