//! The examples on each code's page are true: the wrong one has the code, the right one has no
//! diagnostics.

use std::path::Path;
use std::sync::Arc;

use chatls::config::{ConfigLocation, FileDiagnostic, Files, Loader, Settings};
use chatls::diagnostic::{Code, Severity};
use chatls::document::{Document, Language};
use chatls::registry::{Registry, preset, read_source};
use chatls::text::Text;

/// The example under the heading `heading`: its language and text.
pub fn example(page: &'static str, heading: &str) -> (&'static str, &'static str) {
    let behind = page.split(&format!("## {heading}\n\n````")).nth(1).expect("the heading and a fence");
    let (language, behind) = behind.split_once('\n').expect("a language");
    (language, behind.split("````").next().expect("the end"))
}

/// The codes reported for an example.
fn found(language: &str, text: &str) -> Vec<Code> {
    match language {
        "toml" => config_problems(text).iter().map(|problem| problem.code).collect(),
        "json" => read_source(text, "tools.json").problems.iter().map(|_| Code::Registry).collect(),
        _ => document(language, text).diagnostics().iter().map(|problem| problem.code).collect(),
    }
}

fn document(language: &str, text: &str) -> Document {
    let kind = if language == "jsonl" { Language::Log } else { Language::Markdown };
    Document::new(Text::new(text), kind, Arc::new(settings_of(language)))
}

/// The settings for an example's language.
pub fn settings_of(language: &str) -> Settings {
    let mut registry = Registry::default();
    if let Some(name) = language.strip_prefix("markdown tools=preset:") {
        registry.add(&read_source(preset(name).expect("a preset"), name));
    } else if let Some(path) = language.strip_prefix("markdown tools=") {
        let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("a file");
        registry.add(&read_source(&text, path));
    }
    // A code that is off by default is shown with it on, and one that accompanies another with that
    // off.
    let asked = |option: &str| language.strip_prefix(option).and_then(Code::from_name);
    let lint = asked("markdown lint=").map(|code| (code, Some(Severity::Warning)));
    let lint = lint.or(asked("markdown off=").map(|code| (code, None))).into_iter().collect();
    Settings { registry: Arc::new(registry), lint, ..Settings::default() }
}

struct One<'a>(&'a str);

impl Files for One<'_> {
    fn read(&self, path: &Path) -> std::io::Result<String> {
        if path.ends_with("chatls.toml") {
            Ok(self.0.to_owned())
        } else {
            Err(std::io::ErrorKind::NotFound.into())
        }
    }
}

fn config_problems(text: &str) -> Vec<FileDiagnostic> {
    let null = serde_json::Value::Null;
    let place = ConfigLocation {
        document: Some(Path::new("/w/a.md")),
        is_chat: false,
        folders: &[],
        project: None,
        config: None,
        editor: &null,
    };
    let loaded = Loader::default().load(&One(text), &place);
    loaded.problems.to_vec()
}

#[test]
fn examples_are_true() {
    for code in Code::ALL {
        let page = code.page();
        let name = code.name();
        assert!(page.starts_with(&format!("# {name}\n")), "docs/rules/{name}.md begins with another title");
        for part in ["## Why it matters\n", "## Reported\n", &format!("{name} = ")] {
            assert!(page.contains(part), "docs/rules/{name}.md has no {part:?}");
        }
        let (language, wrong) = example(page, "Wrong");
        let codes = found(language, wrong);
        assert!(!codes.is_empty() && codes.iter().all(|found| found == code), "{}: {codes:?}", code.name());
        let (language, right) = example(page, "Right");
        assert_eq!(found(language, right), [], "{}", code.name());
    }
}

#[test]
fn pages_mention_existing_quick_fixes() {
    for code in Code::ALL {
        let (language, wrong) = example(code.page(), "Wrong");
        let counts: Vec<usize> = match language {
            "toml" => config_problems(wrong).iter().map(|problem| problem.fixes.len()).collect(),
            "json" => {
                read_source(wrong, "t.json").problems.iter().map(|problem| problem.fixes.len()).collect()
            }
            _ => {
                let fixables = document(language, wrong).fixes_in_range(0..wrong.len());
                fixables.iter().map(|fixable| fixable.fixes.len()).collect()
            }
        };
        let is_told = code.page().contains("\n## Quick fix\n");
        assert!(counts.iter().all(|count| (*count > 0) == is_told), "{}", code.name());
    }
}
