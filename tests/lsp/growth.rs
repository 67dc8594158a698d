//! Response times in proportion to the document: documents with very many of each construct, in the
//! real process, with all requests of editors.
//!
//! Eight times the size may take eight times as long, and up to three times that on a busy machine;
//! quadratic time would take 64 times as long. Times are CPU times.
//! `CHATLS_GROWTH=2000 cargo test --release --test main growth -- --nocapture` uses larger
//! documents and prints all times.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use super::client::Client;

const FEW: usize = 20;
const TIMES: usize = 8;
/// Requests shorter than this cannot be measured well.
const NOISE: Duration = Duration::from_millis(150);
/// Finding all actions of a document takes a time that does not depend on its size.
const ALL_ACTIONS: Duration = Duration::from_secs(60);

/// A document of `count` pieces.
type Make = fn(count: usize) -> String;

fn each(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}

fn fence(payload: &str) -> String {
    format!("```tool\n{payload}\n```\n\n")
}

const MARKDOWN: &[(&str, Make)] = &[
    ("one id", |n| fence(r#"{"toolCallId":"a","toolName":"t","output":1}"#).repeat(n)),
    ("ids", |n| each(n, |i| fence(&format!(r#"{{"toolCallId":"a{i}","toolName":"t","output":1}}"#)))),
    ("ids of others", |n| {
        each(n, |i| fence("{}") + &fence(&format!(r#"{{"toolCallId":"tool-call-{}"}}"#, 2 * i)))
    }),
    ("bad states", |n| fence(r#"{"state":"done"}"#).repeat(n)),
    ("open fences", |n| "```tool\n{\"toolName\":\"t\"\n".repeat(n)),
    ("markers on a line", |n| "###:{\"a\":1} ".repeat(n)),
    ("calls on a line", |n| each(n, |i| format!("###:{{\"toolName\":\"a{i}\"}} "))),
    ("open markers", |n| each(n, |i| format!("###:{{\"toolName\":\"a{i}\"\n"))),
    ("results", |n| each(n, |i| format!("*🔧 Executed a{i}*\n\n"))),
    ("open tags", |n| "<tool>x\n".repeat(n)),
    ("open tags in quotes", |n| each(n, |i| format!("{}<tool>x\n", "> ".repeat(i % 9)))),
    ("open tags in lists", |n| "- <tool>x\n".repeat(n)),
    ("tags on a line", |n| "<tool>a(b=1)</tool>".repeat(n)),
    ("pending tags", |n| each(n, |i| format!("<tool>a{i}()</tool>\n\ntext\n\n"))),
    ("closing tags", |n| "</tool> ".repeat(n)),
    ("markup in a tag", |n| format!("<tool>a()\n{}</tool>\n", "a < b & c ".repeat(n))),
    ("validations", |n| each(n, |i| format!("<validation>a{i}\nx</validation>\n\n"))),
    ("older calls", |n| {
        each(n, |i| format!("🔧 **Tool Call:** `a{i}(x=1)`\n\n✅ **`a{i}` result:** ok\n\n"))
    }),
    ("older calls in a paragraph", |n| {
        each(n, |i| format!("🔧 **Tool Call:** `a{i}(x=1)`\n✅ **`a{i}` result:** ok\n"))
    }),
    ("one key", |n| fence(&format!(r#"{{"input":{{{}"k":1}}}}"#, r#""k":1,"#.repeat(n)))),
    ("misnamed keys", |n| fence(&format!(r#"{{"toolName":"t"{}}}"#, r#","args":1"#.repeat(n)))),
    // The client cannot parse deeper responses.
    ("depth", |n| fence(&format!(r#"{{"input":{0}{1}}}"#, "[".repeat(n.min(90)), "]".repeat(n.min(90))))),
    ("open objects", |n| fence(&format!(r#"{{"input":{}"#, "{\"a\":\n".repeat(n.min(90))))),
    ("faults", |n| fence(&format!(r#"{{"input":[{}]}}"#, "True, 1 ".repeat(n)))),
    ("escapes", |n| fence(&format!(r#"{{"input":"{}"}}"#, r"\q\ud800```".repeat(n)))),
    ("paths", |n| fence(&format!(r#"{{"input":[{}0]}}"#, r#""src/a.rs","#.repeat(n)))),
    ("suppressions", |n| {
        format!("<!-- chatls-disable-next bad-state -->\n\n{}", fence(r#"{"state":"done"}"#)).repeat(n)
    }),
    ("vain suppressions", |n| "<!-- chatls-disable bad-state -->\n\n".repeat(n)),
    ("headings", |n| each(n, |i| format!("# User\n{} a\n", "#".repeat(i % 6 + 1)))),
    ("turns and markers", |n| "User: x\n###:{\"toolName\":\"a\"}\n".repeat(n)),
    ("calls in a line of text", |n| "a <read_file><path>b</path></read_file> <read_file><path>".repeat(n)),
    ("open elements", |n| "<read_file>\n<path>a</path>\n\nUser: b\n\n".repeat(n)),
    ("prompts", |n| format!("# aider chat started at 1\n\n{}", "#### a  \n#### b\n\nc\n\n".repeat(n))),
    ("marks of a terminal", |n| "> a\n\n⏺ B(c)\n  ⎿  d\n\n⏺ e\n\n".repeat(n)),
    ("definitions", |n| each(n, |i| format!("[a{i}]: x\n"))),
    ("code spans", |n| each(n, |i| format!("{} a ", "`".repeat(i % 50 + 1)))),
    ("comments", |n| "<!-- ".repeat(n)),
    ("quotes", |n| format!("{}a\n", ">".repeat(n))),
    ("a fenced log", |n| {
        let record = r#"{"type":"tool-call","toolCallId":"c","toolName":"t","input":{}}"#;
        let said = r#"{"type":"text-delta","id":"1","delta":"<tool>x()</tool>"}"#;
        format!("```jsonl\n{}```\n", format!("{record}\n{said}\n").repeat(n))
    }),
];

const LOGS: &[(&str, Make)] = &[
    ("records", |n| {
        each(n, |i| {
            format!(
                "{{\"type\":\"tool-input-available\",\"toolCallId\":\"c{i}\",\"toolName\":\"t\",\"input\":{{}}}}\n"
            ) + &format!("{{\"type\":\"tool-output-available\",\"toolCallId\":\"c{i}\",\"output\":1}}\n")
        })
    }),
    ("records of one id", |n| {
        "{\"type\":\"tool-input-available\",\"toolCallId\":\"c\",\"toolName\":\"t\",\"input\":{}}\n\
         {\"type\":\"tool-output-available\",\"toolCallId\":\"c\",\"output\":1}\n"
            .repeat(n)
    }),
    ("deltas", |n| {
        "{\"type\":\"tool-input-delta\",\"toolCallId\":\"c\",\"inputTextDelta\":\"[1,\"}\n".repeat(n)
    }),
    ("results alone", |n| {
        each(n, |i| format!("{{\"type\":\"tool-output-available\",\"toolCallId\":\"c{i}\",\"output\":1}}\n"))
    }),
    ("unknown types", |n| {
        "{\"type\":\"tool-input-strat\",\"toolCallId\":\"c\",\"toolName\":\"t\"}\n\
         {\"type\":\"tool-output-available\",\"toolCallId\":\"c\",\"output\":1}\n"
            .repeat(n)
    }),
    ("broken records", |n| "{\"type\":\"tool-input-start\",\"toolCallId\":\n".repeat(n)),
    ("a text in pieces", |n| {
        "{\"type\":\"text-delta\",\"id\":\"t\",\"delta\":\"###:{\\\"a\\\":\"}\n{\"type\":\"text-delta\",\"id\":\"t\",\"delta\":\"1} \"}\n".repeat(n)
    }),
    ("a text in one piece", |n| {
        format!(
            "{{\"type\":\"text-delta\",\"id\":\"t\",\"delta\":\"{}\"}}\n",
            "<tool>x()</tool>\\n\\nso\\n\\n".repeat(n)
        )
    }),
];

/// The requests of editors on a document, at `at` and for its range `all`: methods, names and
/// params without the document.
pub fn requests(at: &Value, all: &Value) -> Vec<(&'static str, &'static str, Value)> {
    let options = json!({"tabSize": 2, "insertSpaces": true});
    let at_place = json!({"start": at, "end": at});
    let context = json!({"diagnostics": []});
    vec![
        ("textDocument/foldingRange", "folds", json!({})),
        ("textDocument/documentSymbol", "symbols", json!({})),
        ("textDocument/semanticTokens/full", "tokens", json!({})),
        ("textDocument/inlayHint", "hints", json!({"range": all})),
        ("textDocument/codeLens", "lenses", json!({})),
        ("textDocument/documentLink", "links", json!({})),
        ("textDocument/hover", "hover", json!({"position": at})),
        ("textDocument/completion", "completion", json!({"position": at})),
        ("textDocument/signatureHelp", "signature", json!({"position": at})),
        ("textDocument/definition", "definition", json!({"position": at})),
        (
            "textDocument/references",
            "references",
            json!({"position": at, "context": {"includeDeclaration": true}}),
        ),
        ("textDocument/documentHighlight", "highlights", json!({"position": at})),
        ("textDocument/prepareRename", "rename", json!({"position": at})),
        ("textDocument/formatting", "formatting", json!({"options": options})),
        ("textDocument/codeAction", "actions", json!({"range": at_place, "context": context})),
        ("textDocument/codeAction", "all actions", json!({"range": all, "context": context})),
        ("chatls/toolUses", "tool uses", json!({})),
        ("chatls/transcript", "transcript", json!({})),
        ("chatls/events", "events", json!({})),
    ]
}

/// A client that pulls diagnostics and accepts every code action.
pub fn client() -> Client {
    let capabilities = json!({"textDocument": {
        "diagnostic": {},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "resolveSupport": {"properties": ["edit"]},
        },
    }});
    Client::with_capabilities(capabilities).0
}

/// The position in the middle of the longest of `lines`, and the range of all.
pub fn middle_and_whole(lines: &[&str]) -> (Value, Value) {
    let longest = (0..lines.len()).max_by_key(|line| lines[*line].len()).unwrap_or(0);
    let at = json!({"line": longest, "character": lines[longest].chars().count() / 2});
    let all = json!({"start": {"line": 0, "character": 0}, "end": {"line": lines.len(), "character": 0}});
    (at, all)
}

/// The times of all requests on the document `text`.
fn times(text: &str, language: &str) -> BTreeMap<&'static str, Duration> {
    let mut client = client();
    let uri = "file:///project/a.chat.md";
    let document = json!({"uri": uri});
    let lines: Vec<&str> = text.split('\n').collect();
    let (at, all) = middle_and_whole(&lines);
    let mut times = BTreeMap::new();
    let pull = |client: &mut Client| {
        let id = client.request("textDocument/diagnostic", json!({"textDocument": document}));
        client.wait_for(id);
    };
    let mut before = client.processor_time();
    let mut measured = |what, client: &Client| {
        let now = client.processor_time();
        times.insert(what, now.saturating_sub(std::mem::replace(&mut before, now)));
    };
    let item = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({"textDocument": item}));
    pull(&mut client);
    measured("open", &client);
    let places = [("top", json!({"line": 0, "character": 0})), ("middle", at.clone())];
    let end = json!({"line": lines.len() - 1, "character": lines[lines.len() - 1].len()});
    for ((what, place), version) in places.into_iter().chain([("end", end)]).zip(2..) {
        client.change(uri, version, json!([{"range": {"start": place, "end": place}, "text": "x"}]));
        pull(&mut client);
        measured(what, &client);
        client.change(uri, version, json!([{"text": text}]));
        pull(&mut client);
        measured("all anew", &client);
    }
    for (method, what, params) in requests(&at, &all) {
        let mut params = params;
        params["textDocument"] = document.clone();
        let id = client.request(method, params);
        client.wait_for(id);
        measured(what, &client);
    }
    client.abandon();
    times
}

/// Fails unless all requests on documents of `make` take time in proportion to their size.
fn check(kinds: &[(&str, Make)], language: &str) {
    let asked = std::env::var("CHATLS_GROWTH").ok().and_then(|count| count.parse().ok());
    let few = asked.unwrap_or(FEW);
    let factor = u32::try_from(TIMES * 3).unwrap();
    let mut slow: Vec<String> = Vec::new();
    for (kind, make) in kinds {
        let (less, more) = (times(&make(few), language), times(&make(few * TIMES), language));
        for (what, long) in &more {
            let limit = match *what {
                "all actions" => ALL_ACTIONS,
                _ => less[what] * factor + NOISE,
            };
            if *long > limit {
                slow.push(format!("{kind}, {what}: {:?}, then {long:?}", less[what]));
            }
        }
        if asked.is_some() {
            println!("{kind}: {more:.0?}");
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}

/// Half of the documents, beside the other half in another thread.
#[test]
fn calls_take_time_in_proportion() {
    check(&MARKDOWN[..MARKDOWN.len() / 2], "markdown");
}

#[test]
fn texts_take_time_in_proportion() {
    check(&MARKDOWN[MARKDOWN.len() / 2..], "markdown");
}

#[test]
fn logs_take_time_in_proportion() {
    check(LOGS, "jsonl");
}

/// Untrusted registries and documents: unknown names, and schemas with nested alternatives.
#[test]
fn registries_cost_a_bounded_time_for_each_call() {
    let folder = std::env::temp_dir().join(format!("chatls-growth-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut tools: Vec<Value> =
        (0..1000).map(|number| json!({"name": format!("some_tool_{number:04}")})).collect();
    let schema = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"anyOf": [
        {"type": "array", "items": {"$ref": "#/$defs/a"}, "minItems": 1},
        {"type": "array", "items": {"$ref": "#/$defs/a"}, "maxItems": 9},
        {"type": "string"},
    ]}}});
    tools.push(json!({"name": "nested", "inputSchema": schema}));
    std::fs::write(folder.join("tools.json"), json!(tools).to_string()).unwrap();
    std::fs::write(folder.join("chatls.toml"), "tools = [\"tools.json\"]\n").unwrap();
    let nested = format!("{}1{}", "[".repeat(18), "]".repeat(18));
    let text = each(50, |number| {
        fence(&format!(r#"{{"toolName":"tool_some_{number:04}","output":1}}"#))
            + &fence(&format!(r#"{{"toolName":"nested","input":{{"a":{nested}}},"output":1}}"#))
    });
    let mut client = Client::silent();
    let root = format!("file://{}", folder.display());
    client.initialize(json!({
        "processId": null,
        "workspaceFolders": [{"uri": root, "name": "w"}],
        "capabilities": {"textDocument": {"diagnostic": {}}},
    }));
    let uri = format!("{root}/a.chat.md");
    client.open(&uri, 1, &text);
    let params = json!({"textDocument": {"uri": uri}});
    let report = client.call("textDocument/diagnostic", params.clone());
    let items = report["items"].as_array().unwrap();
    assert_eq!(items.len(), 100, "an unknown tool and an input that is none, 50 times: {:?}", items.first());
    let before = client.processor_time();
    // In the text beside a call.
    let place = json!({"line": 7, "character": 0});
    client.change(&uri, 2, json!([{"range": {"start": place, "end": place}, "text": "x"}]));
    client.call("textDocument/diagnostic", params);
    let keystroke = client.processor_time() - before;
    assert!(keystroke < Duration::from_secs(1), "a keystroke takes {keystroke:?}");
    client.abandon();
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn closing_documents_takes_time_in_proportion() {
    let mut client = Client::start();
    let uri = |number: usize| format!("file:///project/{number}.chat.md");
    let mut close = |count: usize| {
        (0..count).for_each(|number| client.open(&uri(number), 1, "text\n"));
        for number in 0..count {
            client.expect_diagnostics(&uri(number), 1);
        }
        let before = client.processor_time();
        (0..count).for_each(|number| client.close(&uri(number)));
        // It is answered in order.
        let id =
            client.request("textDocument/foldingRange", json!({"textDocument": {"uri": "file:///none"}}));
        client.wait_for(id);
        client.take_all("textDocument/publishDiagnostics");
        client.processor_time() - before
    };
    let (few, many) = (close(250), close(2000));
    assert!(many < few * 24 + NOISE, "{few:?}, then {many:?}");
    client.abandon();
}
