//! Forms of text of configurations: `[[text]]` in `chatls.toml`.

use std::sync::Arc;

use super::dialects::settings_of;
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::text::{Splice, Text};

/// The examples of the documentation: the tables, and the text.
fn examples() -> Vec<(&'static str, &'static str)> {
    let docs = include_str!("../../../docs/formats.md");
    let (_, section) = docs.split_once("### 3.7 Own forms in text").expect("the section");
    let (section, _) = section.split_once("\n| key |").expect("the table of keys");
    let of = |part: &'static str| {
        let (tables, rest) = part.split_once("```\n").expect("the end of the tables");
        let (_, rest) = rest.split_once("````markdown\n").expect("the text");
        (tables, rest.split_once("````").expect("its end").0)
    };
    section.split("```toml\n").skip(1).map(of).collect()
}

#[track_caller]
fn labels(document: &Document) -> Vec<String> {
    assert_eq!(document.diagnostics(), []);
    let uses = document.paired_uses();
    uses.uses.iter().map(|it| uses.label_of(it).to_string()).collect()
}

fn document(text: &str, settings: &Arc<Settings>) -> Document {
    Document::new(Text::new(text), Language::Markdown, Arc::clone(settings))
}

#[test]
fn examples_of_the_documentation_are_read() {
    let expected: [&[&str]; 3] = [
        &["🔧 read_file(path=a.py) → print(1)"],
        &["🔧 search(query=cats) ⏳"],
        &["🔧 search(query=cats) → 2 lines"],
    ];
    let examples = examples();
    assert_eq!(examples.len(), expected.len(), "{examples:?}");
    let all: String = examples.iter().map(|(tables, _)| *tables).collect();
    for ((tables, text), expected) in examples.into_iter().zip(expected) {
        for tables in [tables, &all] {
            let read = document(text, &settings_of(tables));
            assert_eq!(labels(&read), expected, "{text}");
            assert!(
                read.tool_uses()
                    .iter()
                    .all(|it| it.input.as_ref().is_some_and(|it| it.to_json().starts_with('{')))
            );
            assert_eq!(
                labels(&document(&text.replace('\n', "\r\n"), &settings_of(tables))),
                expected,
                "{text}"
            );
            let quoted: String = text.lines().map(|line| format!("> {line}\n")).collect();
            assert_eq!(labels(&document(&quoted, &settings_of(tables))), expected, "{text}");
        }
        // Letter by letter, and without the tables, nothing is reported.
        let settings = settings_of(&all);
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            labels(&document(&text[..end], &settings));
        }
        assert_eq!(labels(&document(text, &Arc::default())), [""; 0]);
    }
}

/// New settings read the text anew, and edits equal a fresh parse.
#[test]
fn settings_and_edits_are_followed() {
    let (tables, text) = examples()[2];
    let mut edited = document(text, &Arc::default());
    edited.set_settings(settings_of(tables));
    assert_eq!(labels(&edited), ["🔧 search(query=cats) → 2 lines"]);
    edited.apply(Splice { start: 1, removed: 4, inserted: 0 }, "");
    assert_eq!(labels(&edited), [""; 0]);
    edited.apply(Splice { start: 1, removed: 0, inserted: 4 }, "tool");
    assert_eq!(labels(&edited), ["🔧 search(query=cats) → 2 lines"]);
    edited.set_settings(Arc::default());
    assert_eq!(labels(&edited), [""; 0]);
}

/// Calls without inputs are calls, also on adjacent lines.
#[test]
fn forms_stand_close_together() {
    let settings = settings_of(examples()[2].0);
    let text = "[tool call] list()\n[tool result] a\nb\n[tool call] stop()\n";
    assert_eq!(labels(&document(text, &settings)), ["🔧 list() → 2 lines", "🔧 stop() ⏳"]);
}

/// An own form comes before a built-in one with the same first line.
#[test]
fn own_forms_come_first() {
    let own =
        "[[text]]\nname = \"acme\"\nfirst = \"🔧 Tool: {name}\"\ninput = \"Input:\"\noutput = \"Output:\"\n";
    let text = "🔧 Tool: read\nInput: {\"a\": 1}\nOutput: one\n";
    assert_eq!(labels(&document(text, &settings_of(own))), ["🔧 read(a=1) → one"]);
    assert_eq!(labels(&document(text, &Arc::default())), ["🔧 read(a=1) ⏳"]);
}

/// Text after a label is its value: a code block below is not, and no call either way.
#[test]
fn code_below_the_text_of_a_label_is_text() {
    let settings = settings_of(examples()[0].0);
    let call = "User: a\n\nAssistant: b\n\n▶ Tool: read\nInput: {\"a\": 1}\n";
    for below in ["```tool\n{\"toolName\": \"z\"}\n```\n", "```json\n{\"b\": 2}\n```\n"] {
        let others: &[&str] = if below.contains("z") { &["🔧 z() ⏳"] } else { &[] };
        let check = |text: &str, first: &str| {
            let expected = [&[first], others].concat();
            assert_eq!(labels(&document(&format!("{text}{below}"), &settings)), expected, "{text}{below}");
        };
        check(&format!("{call}\n"), "🔧 read(a=1) ⏳");
        check(&format!("{call}Output: one\n"), "🔧 read(a=1) → one");
        check(&format!("{call}Output:\none\ntwo\n"), "🔧 read(a=1) → 2 lines");
        check("User: a\n\nAssistant: b\n\n▶ Tool: read\n\n", "🔧 read() ⏳");
    }
    let text = format!("{call}Output:\n\n```tool\n{{\"toolName\": \"z\"}}\n```\n");
    assert_eq!(labels(&document(&text, &settings)), ["🔧 read(a=1) ⏳", "🔧 z() ⏳"]);
}

/// Texts after an input end it, and so does the element around a form.
#[test]
fn values_end_where_their_form_does() {
    let one = settings_of("[[text]]\nname = \"x\"\nfirst = \"CALL {name}({input}) -> {output}\"\n");
    let read = document("CALL read({\"a\": 1}) -> ok\nfine\n", &one);
    assert_eq!(labels(&read), ["🔧 read(a=1) → 2 lines"]);
    let settings = settings_of(examples()[0].0);
    let text = "<details>\n▶ Tool: a\nInput: {\"x\": 1}\nOutput: y\n</details>\n";
    assert_eq!(labels(&document(text, &settings)), ["🔧 a(x=1) → y"]);
    let react = "User: q\n\n<details>\nAction: a\nAction Input: {\"x\": 1}\nObservation: y\n</details>\n";
    assert_eq!(labels(&document(react, &Arc::default())), ["🔧 a(x=1) → y"]);
}

/// A form with a value is enough for a transcript, a line with a name is not.
#[test]
fn own_forms_show_a_transcript() {
    let mut settings = Settings::clone(&settings_of(examples()[0].0));
    settings.is_named = false;
    let settings = Arc::new(settings);
    for (values, expected) in [("Input: {\"x\": 1}\n", true), ("Output: y\n", true), ("", false)] {
        let document = document(&format!("▶ Tool: a\n{values}"), &settings);
        assert_eq!(document.is_transcript(), expected, "{values}");
    }
}
