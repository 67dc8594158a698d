//! `stats`: counts and their display.

use serde_json::{Value, json};

use super::run::Folder;

/// Two calls in a batch, one of them failed; a separate pending one.
const ONE: &str = "\
```tool
{\"toolName\": \"read\", \"input\": {\"path\": \"a\"}, \"output\": \"é\\n12\"}
```

```tool
{\"toolName\": \"run\", \"input\": {}, \"errorText\": \"Error: no file '/x/1' after 20 ms\\nat a.js\"}
```

text

###: {\"toolName\": \"read\"}
";
const OTHER: &str = "\
<tool>run(cmd=ls)
x</tool>

text

```tool
{\"toolName\": \"run\", \"errorText\": \"no file '/y/2' after 3000 ms\"}
```
";

fn folder(name: &str) -> Folder {
    Folder::new(name, &[("a.md", ONE.as_bytes()), ("b.md", OTHER.as_bytes()), ("c.md", b"# nothing\n")])
}

fn json_of(folder: &Folder, arguments: &[&str]) -> Value {
    let run = folder.run(&[&["stats", "--format", "json"], arguments].concat());
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn json_has_all_that_is_counted() {
    let found = json_of(&folder("stats-json"), &[]);
    let all = [ONE.len() as u64, OTHER.len() as u64, 10];
    let expected = json!({
        "documents": {
            "count": 3,
            "withCalls": 2,
            "bytes": {"count": 3, "sum": all.iter().sum::<u64>(), "median": OTHER.len(), "p95": ONE.len(), "max": ONE.len()},
            "calls": {"count": 2, "sum": 5, "median": 2, "p95": 3, "max": 3},
        },
        "calls": 5, "done": 2, "failed": 2, "pending": 1, "withoutCall": 0,
        "batches": {"count": 1, "sum": 2, "median": 2, "p95": 2, "max": 2},
        "dialects": [
            {"dialect": "fence", "calls": 3, "done": 1, "failed": 2, "pending": 0, "withoutCall": 0},
            {"dialect": "marker", "calls": 1, "done": 0, "failed": 0, "pending": 1, "withoutCall": 0},
            {"dialect": "tag", "calls": 1, "done": 1, "failed": 0, "pending": 0, "withoutCall": 0},
        ],
        "tools": [
            {
                "toolName": "run", "documents": 2,
                "calls": 3, "done": 1, "failed": 2, "pending": 0, "withoutCall": 0,
                // `{}` and `{"cmd":"ls"}`, and `x`.
                "inputBytes": {"count": 2, "sum": 14, "median": 2, "p95": 12, "max": 12},
                "outputBytes": {"count": 1, "sum": 1, "median": 1, "p95": 1, "max": 1},
            },
            {
                "toolName": "read", "documents": 1,
                "calls": 2, "done": 1, "failed": 0, "pending": 1, "withoutCall": 0,
                "inputBytes": {"count": 1, "sum": 12, "median": 12, "p95": 12, "max": 12},
                // The text itself, not its JSON.
                "outputBytes": {"count": 1, "sum": 5, "median": 5, "p95": 5, "max": 5},
            },
        ],
        "otherTools": null,
        "failures": [{
            "count": 2, "toolName": "run", "kind": "no file '…' after # ms",
            "example": {"file": "a.md", "line": 5, "errorText": "Error: no file '/x/1' after 20 ms at a.js"},
        }],
        "otherFailures": 0,
    });
    assert_eq!(found, expected, "{found:#}");
}

#[test]
fn the_default_output_is_a_table() {
    let expected = "\
5 tool calls in 2 of 3 documents: 2 done, 2 failed, 1 pending

tool  calls  done  failed       pending
run       3     1       2  66%        0  █████████████▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓
read      2     1       0             1  ██████████████░░░░░░░░░░░░░

bytes  inputs  median  p95  max  outputs  median  p95  max
run       14B      2B  12B  12B       1B      1B   1B   1B
read      12B     12B  12B  12B       5B      5B   5B   5B

failed  tool  with
     2  run   no file '…' after # ms

dialect  calls  done  failed       pending
fence        3     1       2  66%        0
marker       1     0       0             1
tag          1     1       0             0

                                number   all  median   p95   max
documents, in bytes                  3  336B    111B  215B  215B
documents with calls, in calls       2     5       2     3     3
batches, in calls                    1     2       2     2     2
";
    folder("stats-table").run(&["stats"]).check(0, expected, "");
}

#[test]
fn tool_uses_are_selected_sorted_and_cut() {
    let folder = folder("stats-chosen");
    let names = |arguments: &[&str]| {
        let found = json_of(&folder, arguments);
        let tools = found["tools"].as_array().unwrap().iter();
        tools.map(|tool| tool["toolName"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(&["--sort", "name"]), "read run");
    assert_eq!(names(&["--sort", "output"]), "read run");
    assert_eq!(names(&["--sort", "failure-rate", "--top", "0"]), "run read");
    let first = json_of(&folder, &["--top", "1"]);
    assert_eq!((&first["otherTools"]["count"], &first["otherTools"]["calls"]), (&json!(1), &json!(2)));
    let failed = json_of(&folder, &["--state", "output-error", "--tool", "run"]);
    assert_eq!((&failed["calls"], &failed["batches"]["count"]), (&json!(2), &json!(1)));
    let tags = json_of(&folder, &["--dialect", "tag"]);
    assert_eq!(
        (&tags["calls"], &tags["documents"]["count"], &tags["documents"]["withCalls"]),
        (&json!(1), &json!(3), &json!(1))
    );
    assert_eq!(folder.run(&["stats", "--dialect", "yaml"]).status, 2);
    let table = folder.run(&["stats", "--top", "1"]).stdout;
    assert!(table.contains("\n1 other      2 "), "{table}");
}

/// The same number as `calls` prints, for every kind of input.
#[test]
fn it_counts_the_tool_uses_of_calls() {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/samples");
    let folder = folder("stats-calls");
    let lines = folder.run(&["calls", samples]).stdout.lines().count();
    for jobs in ["1", "4"] {
        assert_eq!(json_of(&folder, &["--jobs", jobs, samples])["calls"], json!(lines));
    }
}

#[test]
fn records_and_standard_input_are_counted() {
    let folder = folder("stats-records");
    let records = [("x.md", ONE), ("y.md", OTHER)];
    let records = records.map(|(path, text)| json!({"path": path, "text": text}).to_string()).join("\n");
    let run = folder.run_with_input(&["stats", "--records", "--format", "json"], records.as_bytes());
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&found["calls"], &found["failures"][0]["example"]["file"]), (&json!(5), &json!("x.md")));
    let run = folder.run_with_input(&["stats", "-"], OTHER.as_bytes());
    assert!(run.stdout.starts_with("2 tool calls in 1 document: 1 done, 1 failed\n"), "{}", run.stdout);
}

#[test]
fn documents_without_tool_uses_are_reported() {
    let folder = Folder::new("stats-nothing", &[("a.md", b"# hello\n"), ("empty/README", b"")]);
    folder.run(&["stats"]).check(0, "no tool calls in 1 document\n", "");
    folder.run(&["stats", "empty"]).check(
        0,
        "no tool calls in 0 documents\n",
        "warning: no transcripts found here (looked for *.md, *.markdown, *.org, *.jsonl, *.ndjson, *.sse, and *.json with messages)",
    );
    folder.run(&["stats", "none.md"]).check(2, "", "error: cannot read `none.md`: file not found");
    let found = json_of(&folder, &[]);
    let nothing = json!({"count": 0, "sum": 0, "median": null, "p95": null, "max": 0});
    assert_eq!((&found["calls"], &found["batches"], &found["tools"]), (&json!(0), &nothing, &json!([])));
    let run = folder.run(&["stats", "a.md", "none.md"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, "no tool calls in 1 document\n"));
    let picture = folder.run(&["stats", "--format", "svg"]).stdout;
    assert_eq!(texts(&roxmltree::Document::parse(&picture).unwrap()), ["No tool calls in 1 document"]);
}

/// The visible texts of a picture, in order.
fn texts(picture: &roxmltree::Document<'_>) -> Vec<String> {
    let seen = picture.descendants().filter(|node| node.has_tag_name("text"));
    seen.map(|node| {
        let pieces: Vec<_> =
            node.descendants().filter(|node| node.is_text()).filter_map(|node| node.text()).collect();
        pieces.join(" ")
    })
    .collect()
}

#[test]
fn a_picture_contains_the_numbers() {
    let run = folder("stats-svg").run(&["stats", "--format", "svg"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let picture = roxmltree::Document::parse(&run.stdout).unwrap();
    let root = picture.root_element();
    assert_eq!(
        (root.tag_name().name(), root.tag_name().namespace()),
        ("svg", Some("http://www.w3.org/2000/svg"))
    );
    let expected = [
        "5 tool calls in 2 of 3 documents",
        "2 done · 2 failed · 1 pending · 2 tools · 1 batch",
        "done",
        "failed",
        "pending",
        "1B",
        "32B",
        "outputs",
        "median",
        "p95",
        "largest",
        "run",
        "3 2 failed",
        "read",
        "2",
        "Most frequent failures",
        "2",
        "run",
        "no file '…' after # ms",
    ];
    assert_eq!(texts(&picture), expected);
    // The bars are as long as their values.
    let length = |row: usize, class: &str| {
        let row = picture.descendants().filter(|node| node.has_tag_name("g")).nth(row).unwrap();
        let bar = row.children().find(|node| node.attribute("class") == Some(class))?;
        bar.attribute("width").unwrap().parse::<f64>().ok()
    };
    let one = length(0, "done").unwrap();
    for (row, class, count) in [(0, "failed", 2.0), (1, "done", 1.0), (1, "pending", 1.0)] {
        assert!((length(row, class).unwrap() - one * count).abs() < 0.3, "{class} of row {row}");
    }
    assert_eq!((length(0, "pending"), length(1, "failed")), (None, None));
    // It is also described in words, for screen readers.
    let desc = picture.descendants().find(|node| node.has_tag_name("desc")).unwrap();
    assert!(desc.text().unwrap().contains("run: 3 calls, 1 done, 2 failed; outputs: median 1B"), "{desc:?}");
    for id in root.attribute("aria-labelledby").unwrap().split(' ') {
        assert!(picture.descendants().any(|node| node.attribute("id") == Some(id)), "{id}");
    }
    assert!(run.stdout.contains("@media (prefers-color-scheme:dark)"));
}

#[test]
fn any_tool_name_gives_valid_xml_and_an_aligned_table() {
    let names = [
        "<b>&amp;\"'",
        "a\u{1b}[31m\u{0}\n",
        "\u{202e}evil",
        "\u{fffe}\u{ffff}",
        "漢字の長い名前",
        "]]>",
        &"long_".repeat(4000),
    ];
    let calls = names.map(|name| {
        let object = json!({"toolName": name, "errorText": format!("</text><script>{name}")});
        format!("```tool\n{object}\n```\n\n")
    });
    let many =
        (0..200).map(|number| format!("###: {{\"toolName\": \"tool_{number}\"}}\n\n")).collect::<String>();
    let folder = Folder::new("stats-names", &[("a.md", (calls.concat() + &many).as_bytes())]);
    let run = folder.run(&["stats", "--format", "svg", "--top", "0"]);
    let picture = roxmltree::Document::parse(&run.stdout).unwrap();
    assert_eq!(picture.descendants().filter(|node| node.has_tag_name("g")).count(), 207);
    assert!(!picture.descendants().any(|node| node.has_tag_name("script") || node.has_tag_name("b")));
    assert!(texts(&picture).contains(&"<b>&amp;\"'".to_owned()));
    let table = folder.run(&["stats"]).stdout;
    assert!(table.contains("\n187 others"), "{table}");
    assert!(!table.contains(['\u{1b}', '\u{202e}', '\u{0}']), "{table}");
    let widest = table.lines().map(unicode_width::UnicodeWidthStr::width).max();
    assert!(widest <= Some(100), "{widest:?} in\n{table}");
    assert_eq!(json_of(&folder, &["--tool", names[2]])["tools"][0]["toolName"], json!(names[2]));
}

#[test]
fn colors_follow_the_option() {
    let folder = folder("stats-colour");
    assert!(folder.run(&["stats", "--color", "always"]).stdout.contains("\u{1b}[31m2 failed\u{1b}[0m"));
    for format in ["json", "svg"] {
        assert!(!folder.run(&["stats", "--color", "always", "--format", format]).stdout.contains('\u{1b}'));
    }
}

/// A sub-agent with another model makes a call between those of the main agent.
const AGENTS: &str = r#"{"isSidechain": false, "type": "user", "message": {"role": "user", "content": "q"}}
{"isSidechain": false, "type": "assistant", "message": {"role": "assistant", "model": "large", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]}}
{"isSidechain": true, "agentId": "x", "type": "assistant", "message": {"role": "assistant", "model": "small", "content": [{"type": "tool_use", "id": "b", "name": "g", "input": {}}]}}
{"isSidechain": true, "agentId": "x", "type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "b", "content": "no", "is_error": true}]}}
{"isSidechain": false, "type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "1"}]}}
"#;

#[test]
fn groups_are_conversations_roles_or_models() {
    let folder = Folder::new("stats-by", &[("a.jsonl", AGENTS.as_bytes()), ("b.md", OTHER.as_bytes())]);
    let groups = |by: &str| -> Vec<String> {
        let found = json_of(&folder, &["--by", by, "--sort", "name"]);
        assert_eq!(
            (&found["by"], &found["tools"], &found["otherGroups"]),
            (&json!(by), &Value::Null, &Value::Null)
        );
        let shown = |group: &Value| {
            format!("{} {} {} {}", group["name"], group["turns"], group["calls"], group["failed"])
        };
        found["groups"].as_array().unwrap().iter().map(shown).collect()
    };
    assert_eq!(groups("conversation"), [r#""a.jsonl#1" 2 1 0"#, r#""a.jsonl#2" 1 1 1"#, r#""b.md" 0 2 1"#]);
    assert_eq!(
        groups("role"),
        ["null 0 2 1", r#""assistant" 1 1 0"#, r#""sub-agent" 1 1 1"#, r#""user" 1 0 0"#]
    );
    assert_eq!(groups("model"), ["null 1 2 1", r#""large" 1 1 0"#, r#""small" 1 1 1"#]);
    let table = folder.run(&["stats", "--by", "model"]).stdout;
    assert!(table.contains("model ") && table.contains(" turns ") && table.contains("(no model)"), "{table}");
    let svg = folder.run(&["stats", "--by", "role", "--format", "svg"]).stdout;
    assert!(svg.contains("4 roles") && svg.contains("sub-agent"), "{svg}");
}
