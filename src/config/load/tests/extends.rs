//! Configurations that extend others, or override another one.

use super::*;
use crate::config::Protocol;

const TOP: &str = "tools = [\"t.json\"]\nprotocol = \"v6\"\ninclude = [\"docs/**\"]\nexclude = [\"docs/old/**\"]\n\
    [fence]\nlanguages = [\"call\"]\n[lint]\nbad-state = \"hint\"\nempty-id = \"hint\"\n\
    [[override]]\nfiles = [\"docs/a/**\"]\nlint = { bad-state = \"error\", stray-tag = \"off\" }\n";

fn files(nested: &str) -> Fixture {
    fixture(&[
        ("/w/chatls.toml", TOP),
        ("/w/t.json", "[{\"name\": \"top\"}]"),
        ("/w/docs/a/chatls.toml", nested),
        ("/w/docs/a/t.json", "[{\"name\": \"nested\"}]"),
    ])
}

fn at(files: &Fixture, document: &str) -> Loaded {
    load(files, Some(document), &["/w"], &Value::Null)
}

#[test]
fn dialects_are_added_by_name() {
    let dialect = |name: &str, kind: &str| {
        format!("[[dialect]]\nname = \"{name}\"\npart = \"result\"\nsignature = {{ kind = [\"{kind}\"] }}\n")
    };
    let top = dialect("a", "1") + &dialect("b", "4");
    let nested = "extends = \"../chatls.toml\"\n".to_owned() + &dialect("c", "3") + &dialect("a", "2");
    let files = fixture(&[("/w/chatls.toml", &top), ("/w/in/chatls.toml", &nested)]);
    let names = |loaded: Loaded| {
        assert_eq!(*loaded.problems, []);
        let forms = loaded.settings.forms.own().iter();
        forms.map(|form| &*form.family).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(at(&files, "/w/a.md")), "a b");
    assert_eq!(names(at(&files, "/w/in/a.md")), "c a b");
    let editor = json!({"dialect": [{"name": "d", "part": "result", "signature": {"kind": ["3"]}}]});
    assert_eq!(names(load(&files, Some("/w/a.md"), &["/w"], &editor)), "d a b");
}

#[test]
fn configuration_that_overrides_another_is_reported() {
    let hides = "`../../chatls.toml` does not apply here: write `extends = \"../../chatls.toml\"` to extend it, or `root = true` to ignore it";
    for (nested, extended) in [
        ("[lint]\nbad-state = \"off\"\n", "extends = \"../../chatls.toml\"\n[lint]\nbad-state = \"off\"\n"),
        (
            "\u{feff}#:schema x\r\n# é\r\n[lint]\r\n",
            "\u{feff}#:schema x\r\n# é\r\nextends = \"../../chatls.toml\"\r\n[lint]\r\n",
        ),
        ("# only this", "# only this\nextends = \"../../chatls.toml\"\n"),
    ] {
        let loaded = at(&files(nested), "/w/docs/a/b.md");
        let [problem] = &*loaded.problems else { panic!("one problem: {:#?}", loaded.problems) };
        assert_eq!((problem.message.as_str(), problem.code), (hides, Code::Config));
        assert_eq!(problem.path.as_deref(), Some(Path::new("/w/docs/a/chatls.toml")));
        let titles: Vec<_> = problem.fixes.iter().map(|fix| fix.title.as_str()).collect();
        assert_eq!(titles, ["Add `extends = \"../../chatls.toml\"`", "Add `root = true`"]);
        for (fix, key) in problem.fixes.iter().zip(["extends = \"../../chatls.toml\"", "root = true"]) {
            let text = crate::text::edit::applied(nested, &fix.edits).expect("edits in order");
            assert_eq!(text, extended.replace("extends = \"../../chatls.toml\"", key));
            assert_eq!(*at(&files(&text), "/w/docs/a/b.md").problems, []);
        }
        // Outside of the workspace no configuration is expected to apply.
        assert_eq!(*load(&files(nested), Some("/w/docs/a/b.md"), &["/w/docs"], &Value::Null).problems, []);
    }
}

#[test]
fn extended_configuration_supplies_missing_keys() {
    let loaded = at(&files("extends = \"../../chatls.toml\"\n"), "/w/docs/a/b.md");
    assert_eq!(*loaded.problems, []);
    assert_eq!((languages(&loaded).as_str(), loaded.settings.protocol), ("call", Protocol::V6));
    assert!(loaded.settings.registry.knows("top"));
    assert_eq!(loaded.settings.severity(Code::BadState), Some(Severity::Error));
    assert_eq!(*loaded.sources, ["/w/docs/a/chatls.toml", "/w/chatls.toml", "/w/t.json"].map(PathBuf::from));

    let nested = "extends = \"../../chatls.toml\"\ntools = [\"t.json\"]\nexclude = [\"c.md\"]\n[fence]\nlanguages = [\"tool\"]\n\
        [lint]\nbad-state = \"information\"\n";
    let loaded = at(&files(nested), "/w/docs/a/b.md");
    assert_eq!(*loaded.problems, []);
    assert_eq!((languages(&loaded).as_str(), loaded.settings.protocol), ("tool", Protocol::V6));
    let registry = &loaded.settings.registry;
    assert!(registry.knows("top") && registry.knows("nested"));
    // Its own severities win over the overrides of the other configuration, which apply to all
    // other codes.
    assert_eq!(loaded.settings.severity(Code::BadState), Some(Severity::Information));
    assert_eq!(loaded.settings.severity(Code::StrayTag), None);
    assert_eq!(loaded.settings.severity(Code::EmptyId), Some(Severity::Hint));
    // Globs are relative to their own file.
    let files = files(nested);
    assert!(loaded.settings.enabled && !at(&files, "/w/docs/a/c.md").settings.enabled);
    assert!(!at(&files, "/w/a.md").settings.enabled && at(&files, "/w/docs/b.md").settings.enabled);
}

#[test]
fn invalid_extends_is_reported() {
    let check = |others: &[(&str, &str)], document: &str, usable: bool, expected: &[&str]| {
        let loaded = at(&fixture(others), document);
        assert_eq!(loaded.usable, usable);
        check_messages(&loaded, expected);
    };
    check(
        &[("/w/chatls.toml", "extends = \"none.toml\"\n")],
        "/w/a.md",
        false,
        &[
            "/w/chatls.toml [\"none.toml\"] config warning: the configuration `none.toml` cannot be read: file not found",
        ],
    );
    check(
        &[("/w/chatls.toml", "extends = \"base.toml\"\n"), ("/w/base.toml", "colour = 1\n")],
        "/w/a.md",
        true,
        &["/w/base.toml [colour] config warning: unknown key `colour`; known are"],
    );
    let circle = [("/w/chatls.toml", "extends = \"b.toml\"\n"), ("/w/b.toml", "extends = \"chatls.toml\"\n")];
    let itself = "config warning: this configuration extends itself through the one that it names";
    check(&circle, "/w/a.md", true, &[&format!("/w/chatls.toml [\"b.toml\"] {itself}")]);
    // A file that only leads to a cycle is not part of it.
    let [one, two] = circle;
    check(
        &[one, two, ("/w/in/chatls.toml", "extends = \"../b.toml\"\n")],
        "/w/in/a.md",
        true,
        &[&format!("/w/b.toml [\"chatls.toml\"] {itself}")],
    );
    let loaded = load(&fixture(&[]), Some("/w/a.md"), &["/w"], &json!({"extends": "a.toml"}));
    check_messages(
        &loaded,
        &[
            "editor [-] config warning: in the editor's settings: `extends`, `root`, `servers`, `run`, `compare` and `redact` are keys of chatls.toml",
        ],
    );
}

#[test]
fn change_of_extended_configuration_is_noticed() {
    let mut files = files("extends = \"../../chatls.toml\"\n");
    let mut loader = Loader::default();
    let mut load = |files: &Fixture| {
        loader.refresh(files);
        load_with(&mut loader, files, Some("/w/docs/a/b.md"), &["/w"], &Value::Null)
    };
    assert_eq!(languages(&load(&files)), "call");
    files.files.insert("/w/chatls.toml".into(), language("other"));
    assert_eq!(languages(&load(&files)), "other");
    files.files.remove(Path::new("/w/chatls.toml"));
    assert_eq!(load(&files).problems.len(), 1);
    files.files.insert("/w/chatls.toml".into(), language("again"));
    let loaded = load(&files);
    assert_eq!((languages(&loaded).as_str(), loaded.problems.len()), ("again", 0));
}

#[test]
fn globs_of_specified_configuration_are_relative_to_project() {
    let named = "tools = [\"t.json\"]\ninclude = [\"docs/**\"]\n[[override]]\nfiles = [\"docs/a/**\"]\nlint = { bad-state = \"off\" }\n";
    let files = fixture(&[("/w/ci/chatls.toml", named), ("/w/ci/t.json", "[{\"name\": \"x\"}]")]);
    for (folders, project) in [(vec![], Some(Path::new("/w"))), (vec![PathBuf::from("/w")], None)] {
        let at = |document| {
            let config = Some(Path::new("/w/ci/chatls.toml"));
            let document = Some(Path::new(document));
            let place = ConfigLocation {
                document,
                is_chat: false,
                folders: &folders,
                project,
                config,
                editor: &Value::Null,
            };
            Loader::default().load(&files, &place).settings
        };
        let settings = at("/w/docs/a/b.md");
        assert!(settings.enabled && settings.registry.knows("x"));
        assert_eq!(settings.severity(Code::BadState), None);
        assert!(at("/w/docs/b.md").severity(Code::BadState).is_some());
        assert!(!at("/w/ci/docs/b.md").enabled);
    }
}

/// Does `work` on a thread with the stack of one of the server's.
fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread");
    thread.join().expect("no panic");
}

#[test]
fn long_chains_are_reported_and_each_file_is_read_once() {
    on_small_stack(|| {
        let file = |at: usize| match at {
            0 => "/w/chatls.toml".to_owned(),
            at => format!("/w/{at}.toml"),
        };
        let chain = |count: usize| {
            let texts = (0..count).map(|at| match at + 1 {
                last if last == count => (file(at), language("last")),
                next => (file(at), format!("extends = \"{next}.toml\"\n")),
            });
            let texts: Vec<_> = texts.collect();
            fixture(&texts.iter().map(|(path, text)| (&**path, &**text)).collect::<Vec<_>>())
        };
        for count in [33, 34, 10_000] {
            let files = chain(count);
            let loaded = at(&files, "/w/a.md");
            let message =
                "/w/chatls.toml [\"1.toml\"] config warning: more than 32 configurations extend each other";
            let expected = if count == 33 { &[][..] } else { &[message] };
            check_messages(&loaded, expected);
            assert_eq!(languages(&loaded), if count == 33 { "last" } else { "tool" });
            let reads = files.reads.borrow();
            assert!(reads.len() < 50 && reads.values().all(|count| *count == 1), "{reads:?}");
        }
    });
}

#[test]
fn each_file_of_nested_folders_is_read_once() {
    let folder = |depth: usize| format!("/w{}", "/d".repeat(depth));
    let config = |depth: usize| match depth % 2 {
        0 => (format!("{}/chatls.toml", folder(depth)), "[lint]\n"),
        _ => (format!("{}/chatls.toml", folder(depth)), "extends = \"../chatls.toml\"\n"),
    };
    let configs: Vec<_> = (0..200).map(config).collect();
    let texts: Vec<_> = configs.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let files = fixture(&texts);
    let mut loader = Loader::default();
    for depth in 0..200 {
        let document = format!("{}/a.md", folder(depth));
        load_with(&mut loader, &files, Some(&document), &["/w"], &Value::Null);
    }
    let reads = files.reads.borrow();
    assert!(configs.iter().all(|(path, _)| reads.get(Path::new(path)) == Some(&1)), "{reads:?}");
}

#[test]
fn own_keys_take_precedence() {
    let files = fixture(&[
        ("/w/chatls.toml", "enable = false\nexclude = [\"in/**\"]\ninclude = [\"none/**\"]\n"),
        ("/w/in/chatls.toml", "extends = \"../chatls.toml\"\nenable = true\nexclude = []\ninclude = []\n"),
    ]);
    assert!(at(&files, "/w/in/a.md").settings.enabled);
    assert!(!at(&files, "/w/none/a.md").settings.enabled);
    let with = |editor: Value| load(&files, Some("/w/in/a.md"), &["/w"], &editor).settings;
    assert!(!with(json!({"enable": false})).enabled);
    assert!(!with(json!({"exclude": ["**"]})).enabled);
    assert!(with(json!({"exclude": [], "include": []})).enabled);
}

#[test]
fn empty_lists_of_editors_and_invalid_ones_mean_the_default() {
    let files = fixture(&[("/w/chatls.toml", "[fence]\nlanguages = [\"tool x\"]\n")]);
    let of = |editor: Value| load(&files, Some("/w/a.md"), &["/w"], &editor).settings;
    assert_eq!(of(Value::Null).fence_languages, ["tool"]);
    assert_eq!(of(json!({"fence": {"languages": []}})).fence_languages, ["tool"]);
    assert_eq!(of(json!({"fence": {"languages": ["call"]}})).fence_languages, ["call"]);
}
