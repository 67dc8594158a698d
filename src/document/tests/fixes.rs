//! Fixtures of fixes: each case is a document on one line (`␤`, `␍` and `␉` stand for the
//! characters that they show), followed by the code, title and resulting text of each fix: `!` a
//! safe one, `+` a preferred one, `-` another; `0` if there is no fix. `UPDATE=1 cargo test --lib
//! fixes` writes the actual results.

use std::sync::Arc;

use crate::config::{Protocol, Settings};
use crate::diagnostic::{Code, Fix};
use crate::document::{Document, Language};
use crate::features::samples::small;
use crate::registry::{Registry, Tool, read_source};
use crate::text::Text;

/// The settings for the kind of a case: `registry`, `v6`.
fn settings(heading: &str) -> Settings {
    let mut settings = Settings::default();
    if heading.contains("registry") {
        let tool = |name: &str| Arc::new(Tool { name: name.into(), ..Tool::default() });
        let tools = ["search", "read_file"].map(|name| (name.into(), tool(name)));
        let tools = tools.into_iter().collect();
        settings.registry = Arc::new(Registry { configured: true, tools, ..Registry::default() });
    }
    if heading.contains("v6") {
        settings.protocol = Protocol::V6;
    }
    settings
}

/// `text` after `edits`, which are in order and do not overlap.
pub(super) fn applied(text: &str, edits: &[(std::ops::Range<usize>, String)]) -> String {
    crate::text::edit::applied(text, edits).unwrap_or_else(|| panic!("in order: {edits:?}"))
}

/// A case with all its fixes, in the format of the fixtures: a line with the document, and one for
/// each fix.
fn render(case: &str) -> String {
    let (kind, written) = case.split_once(": ").expect("a kind");
    let text = written.replace('␤', "\n").replace('␍', "\r").replace('␉', "\t");
    // A kind that ends in `fence` contains the payload only.
    let (before, behind) = if kind.ends_with("fence") { ("```tool\n", "\n```\n") } else { ("", "") };
    let text = format!("{before}{text}{behind}");
    let language = if kind.ends_with("log") { Language::Log } else { Language::Markdown };
    let document = Document::new(Text::new(&text), language, small(&settings(kind)));
    let shown = |edits: &[(std::ops::Range<usize>, String)]| {
        let text = applied(&text, edits);
        let text =
            text.strip_prefix(before).and_then(|text| text.strip_suffix(behind)).expect("the same fence");
        text.replace('\n', "␤").replace('\r', "␍").replace('\t', "␉")
    };
    let mut out = format!("{case}\n");
    let fixables = document.fixes_in_range(0..text.len());
    let problems: Vec<_> = fixables.iter().map(|fixable| fixable.problem.clone()).collect();
    assert_eq!(problems, document.diagnostics(), "{case}");
    for fixable in fixables {
        let code = fixable.problem.code.name();
        for Fix { title, edits, is_preferred, is_safe, .. } in &fixable.fixes {
            let mark = match (is_preferred, is_safe) {
                (true, true) => "!",
                (true, false) => "+",
                (false, _) => "-",
            };
            out += &format!("  {mark} {code}: {title}\n    {}\n", shown(edits));
        }
        if fixable.fixes.is_empty() {
            out += &format!("  0 {code}\n");
        }
    }
    let all = document.fix_all(None);
    if all.len() > 1 {
        out += &format!("  all\n    {}\n", shown(&all));
    }
    out
}

#[track_caller]
fn check(fixture: &str, path: &str) {
    let cases = fixture.lines().filter(|line| !line.starts_with(' '));
    let rendered: String =
        cases.map(|case| if case.contains(": ") { render(case) } else { format!("{case}\n") }).collect();
    if std::env::var_os("UPDATE").is_some() {
        // `fixture` is the text of the last build.
        return std::fs::write(path, &rendered).expect("a writable fixture");
    }
    assert!(rendered == fixture, "{path} differs; `UPDATE=1 cargo test --lib fixes` writes:\n{rendered}");
}

#[test]
fn json_errors_are_fixed() {
    check(include_str!("fixes/json.txt"), "src/document/tests/fixes/json.txt");
}

#[test]
fn each_code_is_fixed() {
    check(include_str!("fixes/codes.txt"), "src/document/tests/fixes/codes.txt");
}

#[test]
fn link_diagnostics_are_fixed() {
    check(include_str!("fixes/links.txt"), "src/document/tests/fixes/links.txt");
}

#[test]
fn safe_fixes_come_before_guesses() {
    for (payload, expected) in [
        (r#"{"a":'b","c":'d'}"#, r#"{"a":"b","c":"d"}"#),
        (r#"{"a":1,b":"c"}"#, r#"{"a":1,"b":"c"}"#),
        (r#"{"toolName":"t""}"#, r#"{"toolName":"t"}"#),
        (r#"{"toolName"":"t"}"#, r#"{"toolName":"t"}"#),
        (r#"{"a":{b":[{"c":"d"}]},"e":null}"#, r#"{"a":{"b":[{"c":"d"}]},"e":null}"#),
    ] {
        let fence = |payload: &str| format!("```tool\n{payload}\n```\n");
        let document = Document::new(Text::new(&fence(payload)), Language::Markdown, Arc::default());
        let fixed = document.edited(&document.fix_all_unsafe());
        assert_eq!(fixed.text().to_string(), fence(expected));
    }
}

#[test]
fn guesses_of_one_kind_are_made_together() {
    let values = |value: fn(usize) -> String| (0..100).map(value).collect::<Vec<_>>().join(", ");
    let fence = |values: String| format!("```tool\n{{\"toolName\": \"a\", \"input\": [{values}]}}\n```\n");
    let text = fence(values(|at| format!("foo{at}")));
    let document = Document::new(Text::new(&text), Language::Markdown, Arc::default());
    let fixed = document.edited(&document.fix_all_unsafe());
    assert_eq!(fixed.text().to_string(), fence(values(|at| format!("\"foo{at}\""))));
}

#[test]
fn new_forms_are_written_after_the_fixes_of_their_text() {
    let text = "<tool>search(query=x)</tool>\n<validation>search\na & b</validation>\n";
    let document = Document::new(Text::new(text), Language::Markdown, Arc::default());
    let fixed = document.edited(&document.fix_all(None));
    assert_eq!(fixed.text().to_string(), "<tool>search(query=x)\na &amp; b</tool>\n");
    assert_eq!(fixed.fix_all(None), []);
}

#[test]
fn a_tool_is_named_although_its_input_turns_out_to_be_wrong() {
    let tool = r#"{"name": "search", "inputSchema": {"properties": {"query": {"type": "string"}}}}"#;
    let mut registry = Registry::default();
    registry.add(&read_source(&format!("{{\"tools\": [{tool}]}}"), "tools.json"));
    let settings = Settings { registry: Arc::new(registry), ..Settings::default() };
    let text = "###:{\"toolName\": \"serch\", \"parameters\": {\"query\": 1}}\n";
    let document = Document::new(Text::new(text), Language::Markdown, Arc::new(settings));
    let fixables = document.fixes_in_range(0..text.len());
    let unknown = fixables.iter().find(|it| it.problem.code == Code::UnknownTool).expect("an unknown tool");
    let after = document.edited(&unknown.fixes[0].edits);
    assert_eq!(after.text().to_string(), text.replace("serch", "search"));
    assert!(after.diagnostics().iter().any(|it| it.code == Code::InvalidInput));
}
