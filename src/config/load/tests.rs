//! Tests of the loader with folders in memory.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde_json::json;

use super::*;
use crate::call::ChatApi;
use crate::diagnostic::{Code, Severity};
use crate::trial::FileFix;

mod extends;
mod fixing;

/// Files by path, and how often each was read.
#[derive(Default)]
struct Fixture {
    files: BTreeMap<PathBuf, String>,
    reads: RefCell<BTreeMap<PathBuf, usize>>,
}

impl Files for Fixture {
    fn read(&self, path: &Path) -> io::Result<String> {
        *self.reads.borrow_mut().entry(path.to_owned()).or_default() += 1;
        match self.files.get(path) {
            Some(text) if text == "\0" => Err(io::ErrorKind::InvalidData.into()),
            Some(text) => Ok(text.clone()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

fn fixture(files: &[(&str, &str)]) -> Fixture {
    let files = files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect();
    Fixture { files, ..Fixture::default() }
}

fn load(files: &Fixture, document: Option<&str>, folders: &[&str], editor: &Value) -> Loaded {
    load_with(&mut Loader::default(), files, document, folders, editor)
}

fn load_with(
    loader: &mut Loader,
    files: &Fixture,
    document: Option<&str>,
    folders: &[&str],
    editor: &Value,
) -> Loaded {
    let folders: Vec<_> = folders.iter().map(PathBuf::from).collect();
    let place = ConfigLocation {
        document: document.map(Path::new),
        is_chat: false,
        folders: &folders,
        project: None,
        config: None,
        editor,
    };
    loader.load(files, &place)
}

fn languages(loaded: &Loaded) -> String {
    loaded.settings.fence_languages.join(" ")
}

fn language(name: &str) -> String {
    format!("fence.languages = [\"{name}\"]\n")
}

#[test]
fn only_the_nearest_file_is_used() {
    let files = fixture(&[
        ("/chatls.toml", &language("root")),
        ("/w/chatls.toml", "protocol = \"v6\"\n[lint]\nbad-state = \"off\"\n"),
        ("/w/a/chatls.toml", &language("a")),
    ]);
    let at = |document, folders: &[&str]| languages(&load(&files, document, folders, &Value::Null));
    assert_eq!(at(Some("/w/a/b/c.md"), &["/w"]), "a");
    assert_eq!(at(Some("/w/b/c.md"), &["/w"]), "tool", "nothing of the root's is merged in");
    assert_eq!(at(Some("/x/y/c.md"), &[]), "root");
    assert_eq!(at(Some("/x/y/c.md"), &["/w"]), "root", "outside of every workspace folder");
    assert_eq!(at(Some("/w/a/../a/c.md"), &["/w"]), "a");
    assert_eq!(at(None, &["/w/a", "/w"]), "a", "an untitled document is in the first folder");
    assert_eq!(at(None, &[]), "tool");
}

#[test]
fn the_search_ends_at_the_deepest_folder() {
    let files = fixture(&[("/w/chatls.toml", &language("w"))]);
    let at = |folders: &[&str]| languages(&load(&files, Some("/w/in/a.md"), folders, &Value::Null));
    assert_eq!(at(&["/w", "/w/in"]), "tool");
    assert_eq!(at(&["/w"]), "w");
}

#[test]
fn the_api_depends_on_the_document() {
    let files = fixture(&[(
        "/w/chatls.toml",
        "api = \"openai\"\n[[override]]\nfiles = [\"claude/**\"]\napi = \"anthropic\"\n",
    )]);
    let api = |path, editor: &Value| load(&files, Some(path), &["/w"], editor).settings.api;
    let (none, editor) = (Value::Null, json!({"api": "auto"}));
    assert_eq!(api("/w/a.json", &none), Some(ChatApi::OpenAi));
    assert_eq!(api("/w/claude/a.json", &none), Some(ChatApi::Anthropic));
    assert_eq!(api("/w/claude/a.json", &editor), None);
}

#[test]
fn editor_settings_win_per_key() {
    let files = fixture(&[(
        "/w/chatls.toml",
        "protocol = \"v6\"\n[lint]\nbad-state = \"off\"\nempty-id = \"hint\"\n[[override]]\nfiles = [\"*.md\"]\n\
         lint = { bad-state = \"hint\", stray-tag = \"off\" }\n",
    )]);
    let editor = json!({"lint": {"bad-state": "error"}, "hints": {"batch": false}});
    let settings = load(&files, Some("/w/a.md"), &["/w"], &editor).settings;
    assert_eq!(settings.protocol, crate::config::Protocol::V6);
    assert_eq!(settings.severity(Code::BadState), Some(Severity::Error));
    assert_eq!(settings.severity(Code::EmptyId), Some(Severity::Hint));
    assert_eq!(settings.severity(Code::StrayTag), None);
    assert!(!settings.hints.batch);
    for nothing in [Value::Null, json!({}), json!([])] {
        let loaded = load(&files, Some("/w/a.md"), &["/w"], &nothing);
        assert_eq!(loaded.settings.severity(Code::BadState), Some(Severity::Hint));
        assert_eq!(*loaded.problems, []);
    }
}

#[test]
fn overrides_and_globs_are_relative_to_the_file() {
    let files = fixture(&[(
        "/w/a/chatls.toml",
        "include = [\"logs/**\"]\nexclude = [\"logs/old/**\"]\n[[override]]\nfiles = [\"logs/drafts/**\"]\n\
         lint = { bad-state = \"off\" }\n",
    )]);
    let at = |document| load(&files, Some(document), &["/w"], &Value::Null).settings;
    assert!(at("/w/a/logs/x.md").enabled);
    assert!(!at("/w/a/logs/old/x.md").enabled);
    assert!(!at("/w/a/other/x.md").enabled);
    assert_eq!(at("/w/a/logs/drafts/x.md").severity(Code::BadState), None);
    assert_eq!(at("/w/a/logs/x.md").severity(Code::BadState), Some(Severity::Error));
}

#[test]
fn everything_is_included_by_default_and_exclude_wins() {
    let let_in = |config: &str, document| {
        let files = fixture(&[("/w/chatls.toml", config)]);
        load(&files, Some(document), &["/w"], &Value::Null).settings.enabled
    };
    for nothing in ["", "include = []", "exclude = []", "include = []\nexclude = []"] {
        assert!(let_in(nothing, "/w/a/b.md"), "{nothing}");
    }
    let both = "include = [\"**/*.md\"]\nexclude = \"a/*.md\"";
    assert!(let_in(both, "/w/b.md") && let_in(both, "/w/a/b/c.md"));
    assert!(!let_in(both, "/w/a/b.md") && !let_in(both, "/w/a.jsonl"));
    // A document without a path is in no folder that could be excluded.
    let files = fixture(&[("/w/chatls.toml", both)]);
    assert!(load(&files, None, &["/w"], &Value::Null).settings.enabled);
    // The editor's lists replace the file's, relative to the workspace folder.
    let editor = json!({"include": ["in/*.md"], "exclude": null});
    let at = |document| load(&files, Some(document), &["/w"], &editor).settings.enabled;
    assert!(at("/w/in/x.md") && !at("/w/b.md") && !at("/w/a/b.md"));
}

#[test]
fn last_matching_override_wins() {
    let files = fixture(&[(
        "/w/chatls.toml",
        "[lint]\nbad-state = \"hint\"\n[[override]]\nfiles = [\"a/**\"]\nlint = { bad-state = \"off\", secret = \"off\" }\n\
         [[override]]\nfiles = [\"**/x.md\", \"y.md\"]\nlint = { bad-state = \"error\" }\n",
    )]);
    let at = |document, code| load(&files, Some(document), &["/w"], &Value::Null).settings.severity(code);
    assert_eq!(at("/w/b.md", Code::BadState), Some(Severity::Hint));
    assert_eq!(at("/w/a/b.md", Code::BadState), None);
    assert_eq!(at("/w/a/x.md", Code::BadState), Some(Severity::Error));
    assert_eq!(at("/w/a/x.md", Code::Secret), None, "each code by itself");
    assert_eq!(at("/w/y.md", Code::BadState), Some(Severity::Error));
    assert_eq!(at("/w/z/y.md", Code::BadState), Some(Severity::Hint));
}

#[test]
fn later_source_wins() {
    let files = fixture(&[
        ("/w/a/chatls.toml", "tools = [\"../t/one.json\", \"preset:file-tools\", \"two.json\"]"),
        ("/w/t/one.json", r#"[{"name": "x"}, {"name": "read_file"}]"#),
        ("/w/a/two.json", r#"{"tools": [{"name": "x", "description": "second"}]}"#),
    ]);
    let loaded = load(&files, Some("/w/a/b.md"), &["/w"], &Value::Null);
    assert_eq!(*loaded.problems, []);
    let registry = &loaded.settings.registry;
    assert_eq!(registry.tools["x"].source, "two.json");
    assert_eq!(registry.tools["read_file"].source, "preset:file-tools");
    assert_eq!(registry.tools.len(), 7);
    assert!(registry.configured && registry.broken.is_empty());
    let sources = ["/w/a/chatls.toml", "/w/t/one.json", "/w/a/two.json"];
    assert_eq!(*loaded.sources, sources.map(PathBuf::from));
}

/// The diagnostics as `FILE: [TEXT] CODE SEVERITY: MESSAGE`, cut.
fn shown(loaded: &Loaded) -> Vec<String> {
    let line = |problem: &FileDiagnostic| {
        let path = problem.path.as_deref().map_or("editor".into(), |path| path.display().to_string());
        let text = problem.text.as_deref().map_or("-", |text| &text[problem.range.clone()]);
        format!("{path} [{text}] {} {}: {}", problem.code.name(), problem.severity.name(), problem.message)
    };
    loaded.problems.iter().map(line).collect()
}

#[track_caller]
fn check_messages(loaded: &Loaded, expected: &[&str]) {
    let shown: Vec<_> = shown(loaded).iter().map(|line| line.replace('\\', "/")).collect();
    assert_eq!(shown.len(), expected.len(), "{shown:#?}");
    for (shown, expected) in shown.iter().zip(expected) {
        assert!(shown.starts_with(expected), "{shown}\n{expected}");
    }
}

#[test]
fn broken_source_does_not_affect_others() {
    let files = fixture(&[
        (
            "/w/chatls.toml",
            "tools = [\"good.json\", \"none.json\", \"bad.json\", \"latin1.json\", \"preset:filetools\"]",
        ),
        ("/w/good.json", r#"[{"name": "x"}, {"description": "nameless"}]"#),
        ("/w/bad.json", "[1,,]"),
        ("/w/latin1.json", "\0"),
    ]);
    let loaded = load(&files, Some("/w/a.md"), &["/w"], &Value::Null);
    check_messages(
        &loaded,
        &[
            "/w/chatls.toml [\"none.json\"] registry error: the tool registry `none.json` cannot be read: file not found",
            "/w/chatls.toml [\"latin1.json\"] registry error: the tool registry `latin1.json` cannot be read: it is not UTF-8",
            "/w/chatls.toml [\"preset:filetools\"] config warning: there is no preset `filetools`; did you mean `file-tools`?",
            "/w/good.json [{] registry error: this object is not a tool in any known form",
            "/w/bad.json [,] registry error: this registry is not JSON: expected value",
        ],
    );
    assert!(loaded.settings.registry.knows("x"));
    assert!(!loaded.settings.registry.knows("y"));
    assert_eq!(loaded.settings.registry.broken, ["none.json", "bad.json", "latin1.json", "preset:filetools"]);
    assert!(loaded.usable);
}

#[test]
fn diagnostics_have_configured_severities_and_ranges() {
    let files = fixture(&[("/w/chatls.toml", "colour = 1\n[lint]\nconfig = \"error\"\n")]);
    let editor = json!({"protokol": "v5"});
    check_messages(
        &load(&files, Some("/w/a.md"), &["/w"], &editor),
        &[
            "editor [-] config error: in the editor's settings: unknown key `protokol`; did you mean `protocol`?",
            "/w/chatls.toml [colour] config error: unknown key `colour`",
        ],
    );
    let files = fixture(&[("/w/chatls.toml", "colour = 1\n[lint]\nconfig = \"off\"\n")]);
    check_messages(&load(&files, Some("/w/a.md"), &["/w"], &Value::Null), &[]);
}

#[test]
fn invalid_toml_is_unusable() {
    let files = fixture(&[("/w/chatls.toml", "protocol = \"v6\"\nlint = \n"), ("/x/chatls.toml", "\0")]);
    let loaded = load(&files, Some("/w/a.md"), &["/w"], &Value::Null);
    assert!(!loaded.usable);
    assert_eq!(loaded.settings.protocol, crate::config::Protocol::V6);
    assert!(!loaded.problems.is_empty());
    let loaded = load(&files, Some("/x/a.md"), &["/x"], &Value::Null);
    check_messages(
        &loaded,
        &["/x/chatls.toml [-] config warning: the configuration cannot be read: it is not UTF-8"],
    );
    assert!(!loaded.usable);
}

#[test]
fn specified_configuration_replaces_others() {
    let files = fixture(&[("/w/chatls.toml", &language("w")), ("/c/my.toml", "tools = [\"t.json\"]\n")]);
    let place = |config| ConfigLocation {
        is_chat: false,
        project: None,
        document: Some(Path::new("/w/a.md")),
        folders: &[],
        config: Some(Path::new(config)),
        editor: &Value::Null,
    };
    let mut loader = Loader::default();
    let loaded = loader.load(&files, &place("/c/my.toml"));
    assert_eq!(languages(&loaded), "tool");
    assert_eq!(loaded.sources[1], Path::new("/c/t.json"));
    let loaded = loader.load(&files, &place("/c/none.toml"));
    assert!(!loaded.usable);
    check_messages(
        &loaded,
        &["/c/none.toml [-] config warning: the configuration cannot be read: file not found"],
    );
}

#[test]
fn files_are_read_once() {
    let files = fixture(&[
        (
            "/w/chatls.toml",
            "tools = [\"t.json\"]\n[[override]]\nfiles = [\"**/1*.md\"]\nlint = { config = \"off\" }",
        ),
        ("/w/t.json", "[{\"name\": \"x\"}]"),
    ]);
    let mut loader = Loader::default();
    let mut load = |document: &str| load_with(&mut loader, &files, Some(document), &["/w"], &Value::Null);
    let all: Vec<_> = (0..10_000).map(|i| load(&format!("/w/a/{i}.md"))).collect();
    assert!(files.reads.borrow().values().all(|reads| *reads == 1), "{:?}", files.reads);
    assert!(all.iter().all(|one| Arc::ptr_eq(&one.problems, &all[0].problems)));
    assert!(Arc::ptr_eq(&all[0].settings, &all[2].settings));
    assert!(Arc::ptr_eq(&all[1].settings, &all[10].settings));
    assert!(!Arc::ptr_eq(&all[0].settings, &all[1].settings));
}

#[test]
fn the_same_settings_are_equal_in_every_workspace() {
    let files = fixture(&[
        ("/w/chatls.toml", "tools = [\"t.json\", \"preset:file-tools\"]"),
        ("/w/t.json", "[{\"name\": \"x\"}]"),
    ]);
    let mut loader = Loader::default();
    let mut load =
        |folders: &[&str]| load_with(&mut loader, &files, Some("/w/a.md"), folders, &Value::Null).settings;
    let (one, other) = (load(&["/w"]), load(&["/x"]));
    assert!(!Arc::ptr_eq(&one, &other));
    assert_eq!(one, other);
    let anew = load_with(&mut Loader::default(), &files, Some("/w/a.md"), &["/w"], &Value::Null).settings;
    assert_ne!(one, anew, "its tools were read again");
}

#[test]
fn refresh_drops_only_changed_files() {
    let mut files = fixture(&[
        ("/w/a/chatls.toml", "tools = [\"t.json\"]"),
        ("/w/a/t.json", "[{\"name\": \"x\"}]"),
        ("/w/b/chatls.toml", "tools = [\"none.json\"]"),
        ("/w/c/d/e.md", ""),
    ]);
    let mut loader = Loader::default();
    let mut load = |files: &Fixture| {
        loader.refresh(files);
        ["/w/a/x.md", "/w/b/x.md", "/w/c/d/x.md"]
            .map(|document| load_with(&mut loader, files, Some(document), &["/w"], &Value::Null))
    };
    let changed = |before: &[Loaded; 3], after: &[Loaded; 3]| -> Vec<usize> {
        (0..3).filter(|at| !Arc::ptr_eq(&before[*at].settings, &after[*at].settings)).collect()
    };
    let first = load(&files);
    let again = load(&files);
    assert_eq!(changed(&first, &again), [0; 0]);

    files.files.insert("/w/a/t.json".into(), "[{\"name\": \"y\"}]".into());
    let second = load(&files);
    assert_eq!(changed(&again, &second), [0]);
    assert!(second[0].settings.registry.knows("y"));

    files.files.insert("/w/b/none.json".into(), "[]".into());
    let third = load(&files);
    assert_eq!(changed(&second, &third), [1]);
    assert_eq!(*third[1].problems, []);

    files.files.insert("/w/c/chatls.toml".into(), language("c"));
    let fourth = load(&files);
    assert_eq!(changed(&third, &fourth), [2]);
    assert_eq!(languages(&fourth[2]), "c");

    files.files.remove(Path::new("/w/a/chatls.toml"));
    let fifth = load(&files);
    assert_eq!(changed(&fourth, &fifth), [0]);
    assert!(!fifth[0].settings.registry.configured);
}
