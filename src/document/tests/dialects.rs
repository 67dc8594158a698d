//! Forms of configurations: `[[dialect]]` in `chatls.toml`.

use std::io;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::logs::shown;
use crate::config::{ConfigLocation, Files, Loader, Settings};
use crate::diagnostic::Code;
use crate::document::{Document, Language};
use crate::messages::beginning::begins_messages;
use crate::text::Text;

/// A call in which the input is a string of JSON, a result, a tool use in one object, and an object
/// whose data stand in a string.
pub(super) const OWN: &str = r#"
[[dialect]]
name = "own-call"
part = "call"
signature = { kind = ["invoke"], "fn.name" = "string" }
message = true
id = "ref"
tool = "fn.name"
input = "fn.args"
json = "fn.args"

[[dialect]]
name = "own-result"
part = "result"
signature = { kind = ["return"], ref = "any" }
message = true
id = "ref"
output = ["value", "partial"]
error = "problem"
state = "status"

[[dialect]]
name = "own-step"
part = "both"
signature = { step = "number", did.tool = "string", skipped = "absent" }
tool = "did.tool"
input = "did.with"
output = "got"
state = "ok"
failed = []

[[dialect]]
name = "own-wrapped"
part = "call"
signature = { wrapped = "string" }
tool = "wrapped.name"
input = ["wrapped.in", "wrapped.input"]
json = "wrapped"
"#;

struct Own<'a>(&'a str);

impl Files for Own<'_> {
    fn read(&self, path: &Path) -> io::Result<String> {
        match path.ends_with("chatls.toml") {
            true => Ok(self.0.to_owned()),
            false => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

/// The settings under the configuration `text`.
pub(super) fn settings_of(text: &str) -> Arc<Settings> {
    let place = ConfigLocation {
        document: Some(Path::new("/w/a.json")),
        is_chat: false,
        folders: &[],
        project: None,
        config: None,
        editor: &Value::Null,
    };
    let loaded = Loader::default().load(&Own(text), &place);
    assert_eq!(*loaded.problems, [], "{text}");
    loaded.settings
}

#[track_caller]
fn check(language: Language, text: &str, expected: &[&str]) -> Document {
    let document = Document::new(Text::new(text), language, settings_of(OWN));
    let found: Vec<String> = document.tool_uses().iter().map(shown).collect();
    assert_eq!(found, expected, "{text}");
    document
}

#[test]
fn objects_of_own_forms_are_read() {
    let json = r#"{"log": [
        {"kind": "invoke", "ref": "a", "fn": {"name": "read", "args": "{\"p\": 1}"}},
        {"kind": "return", "ref": "a", "value": "text", "problem": null, "status": "done"},
        {"kind": "invoke", "ref": 2, "fn": {"name": "run", "args": {"c": "ls"}}},
        {"kind": "return", "ref": 2, "partial": "no", "status": "failed"},
        {"kind": "invoke", "ref": "c", "fn": {"name": "run", "args": "ls"}},
        {"kind": "return", "ref": "c", "value": 1, "problem": {"message": "bad"}},
        {"kind": "invoke", "fn": {"title": "run"}}
    ], "steps": [
        {"step": 1, "did": {"tool": "list", "with": {"d": "."}}, "got": ["a"], "ok": true},
        {"step": 2, "did": {"tool": "list", "with": {}}, "got": "none", "ok": false},
        {"step": 3, "did": {"tool": "list"}, "skipped": true},
        {"wrapped": "{\"name\": \"deep\", \"input\": {\"q\": 1}}"}
    ]}"#;
    let expected = [
        r#"read#a {"p":1} → "text""#,
        r#"run#2 {"c":"ls"} ✗ no"#,
        r#"run#c "ls" ✗ bad"#,
        r#"list {"d":"."} → ["a"]"#,
        "list {} ✗ none",
        r#"deep {"q":1}"#,
    ];
    let document = check(Language::Json, json, &expected);
    let codes: Vec<_> = document.diagnostics().iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::TextArguments]);
    let built_in = Document::new(Text::new(json), Language::Json, Arc::default());
    assert_eq!(built_in.tool_uses(), [], "only with the configuration");
}

#[test]
fn lines_of_logs_are_read() {
    let lines = concat!(
        r#"{"kind": "invoke", "ref": "a", "fn": {"name": "read", "args": "{\"p\": }"}}"#,
        "\n",
        r#"{"kind": "return", "ref": "a", "value": "text"}"#,
        "\n",
        r#"{"kind": "return", "ref": "b", "value": "text"}"#,
        "\n",
    );
    let document = check(Language::Log, lines, &[r#"read#a "{\"p\": }" → "text""#, r#"-#b → "text""#]);
    let problems: Vec<_> =
        document.diagnostics().iter().map(|found| (found.code, found.range.start)).collect();
    let in_string = lines.find("}\"}}").expect("the end of the arguments");
    assert_eq!(problems, [(Code::InvalidJson, in_string)]);
}

#[test]
fn ids_hold_in_the_array_of_messages() {
    let one = r#"[{"kind": "invoke", "ref": "a", "fn": {"name": "f", "args": "{}"}}, {"kind": "return", "ref": "a"}]"#;
    let document = check(Language::Json, &format!("[{one},\n{one}]"), &["f#a {}"]);
    assert_eq!(document.diagnostics(), [], "the second list repeats the first");
    let other = one.replace("\"f\"", "\"g\"");
    check(Language::Json, &format!("[{one},\n{other}]"), &["f#a {}", "g#a {}"]);
}

#[test]
fn other_settings_read_the_document_anew() {
    let text = r#"[{"step": 1, "did": {"tool": "list"}, "got": 1}]"#;
    let mut document = Document::new(Text::new(text), Language::Json, Arc::default());
    assert!(!document.is_active());
    document.set_settings(settings_of(OWN));
    assert_eq!(document.tool_uses().len(), 1);
    document.set_settings(Arc::default());
    assert!(!document.is_active());
}

#[test]
fn beginnings_of_files_show_own_forms() {
    let settings = settings_of(OWN);
    let begins = |text| begins_messages(text, &settings.forms);
    assert!(begins(r#"[{"step": 1, "did": {"tool": "list"}}, {"st"#));
    assert!(!begins(r#"[{"step": "1", "did": {"tool": "list"}}, {"st"#));
}

#[test]
fn own_forms_precede_the_built_in_ones() {
    let own = "[[dialect]]\nname = \"own\"\npart = \"call\"\ntool = \"content\"\n\
               signature = { role = [\"caller\"], content = \"string\" }\n";
    let text = r#"[{"role": "caller", "content": "f"}, {"role": "user", "content": "text"}]"#;
    let document = Document::new(Text::new(text), Language::Json, settings_of(own));
    assert_eq!(document.tool_uses().len(), 1);
}
