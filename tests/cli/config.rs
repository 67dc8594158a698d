//! Configurations given by name, and those in folders below others.

use super::run::Folder;

const BAD: &[u8] = b"```tool\n{\"toolName\": \"f\", \"state\": \"dun\"}\n```\n";

#[test]
fn a_configuration_for_ci_applies_to_the_project() {
    let ci = b"include = [\"docs/**\"]\n[[override]]\nfiles = [\"docs/drafts/**\"]\nlint = { bad-state = \"off\" }\n";
    let folder = Folder::new(
        "config-ci",
        &[("ci/chatls.toml", ci), ("docs/a.md", BAD), ("docs/drafts/b.md", BAD), ("other.md", BAD)],
    );
    let run = folder.run(&["check", "--config", "ci/chatls.toml", "--format", "jsonl"]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    let lines: Vec<_> = run.stdout.lines().collect();
    assert!(lines.len() == 1 && lines[0].starts_with("{\"file\":\"docs/a.md\","), "{lines:?}");
}

#[test]
fn a_nested_configuration_extends_or_is_root() {
    let nested = b"[lint]\nbad-state = \"off\"\n";
    let folder = Folder::new(
        "config-nested",
        &[
            ("chatls.toml", b"tools = [\"tools.json\"]\n"),
            ("tools.json", b"[{\"name\": \"g\"}]"),
            ("in/chatls.toml", nested),
            ("in/a.md", BAD),
        ],
    );
    let run = folder.run(&["check"]);
    let expected = "\
warning[config]: `../chatls.toml` does not apply here: write `extends = \"../chatls.toml\"` to extend it, or `root = true` to ignore it
 --> in/chatls.toml:1:1
  |
1 | [lint]
  | ^^^^^^

1 warning in 1 of 2 files
";
    run.check(1, expected, "");
    let write = |key: &str| {
        let text = [key.as_bytes(), b"\n", nested].concat();
        std::fs::write(folder.path.join("in/chatls.toml"), text).unwrap();
        let run = folder.run(&["check", "--format", "jsonl"]);
        assert!(!run.stdout.contains("\"config\""), "{}", run.stdout);
        run.stdout
    };
    assert_eq!(write("root = true"), "");
    let extended = write("extends = \"../chatls.toml\"");
    assert!(extended.contains("\"code\":\"unknown-tool\"") && extended.lines().count() == 1, "{extended}");
    std::fs::write(folder.path.join("in/chatls.toml"), "extends = \"none.toml\"\n").unwrap();
    let run = folder.run(&["calls"]);
    let missing =
        "error: in/chatls.toml:1:11: the configuration `none.toml` cannot be read: file not found\n";
    assert_eq!((run.status, run.stderr.as_str()), (2, missing));
}

#[test]
fn include_adds_file_endings() {
    let folder = Folder::new(
        "config-kinds",
        &[
            ("chatls.toml", b"include = [\"**/*.log\", \"**/*.mdx\", \"notes/**\"]\n"),
            (
                "run.log",
                b"{\"type\":\"tool-input-available\",\"toolCallId\":\"c\",\"toolName\":\"x\",\"input\":{}}\n",
            ),
            ("in/a.mdx", BAD),
            ("notes/a.md", b""),
            // An included folder is not a file ending.
            ("notes/a.txt", BAD),
            ("other.txt", BAD),
        ],
    );
    let run = folder.run(&["check", "--format", "jsonl"]);
    assert!(
        run.stdout.starts_with("{\"file\":\"in/a.mdx\",") && run.stdout.lines().count() == 1,
        "{}",
        run.stdout
    );
    assert_eq!(run.stderr, "");
    let run = folder.run(&["calls"]);
    assert!(run.stdout.contains("\"file\":\"run.log\",\"dialect\":\"stream\""), "{}", run.stdout);
    assert_eq!(run.stdout.lines().count(), 2);
}

#[test]
fn globs_that_match_nothing_are_reported() {
    let config = b"include = [\n  \"docs/**\",\n  \"docs/\",\n]\nexclude = [\"none/**\"]\n[[override]]\nfiles = [\"docs/a.md\", \"drafts/**\"]\n";
    let folder =
        Folder::new("config-unmatched", &[("chatls.toml", config), ("docs/a.md", b""), ("b.md", b"")]);
    let expected = "\
warning: chatls.toml:3:3: `docs/` matches no file that was found: `docs/**` is all files in it
warning: chatls.toml:7:23: `drafts/**` matches no file that was found";
    folder.run(&["check"]).check(0, "no problems in 1 file\n", expected);
    // A run on some of the files cannot report unmatched globs.
    folder.run(&["check", "docs"]).check(0, "no problems in 1 file\n", "");
    folder.run(&["check", "docs/a.md"]).check(0, "no problems in 1 file\n", "");
}

#[test]
fn globs_that_can_match_nothing_are_errors() {
    let config = b"exclude = [\"!keep.md\"]\n[[override]]\nfiles = [\"../a.md\"]\n";
    let folder = Folder::new("config-unmatchable", &[("chatls.toml", config), ("a.md", b"")]);
    let run = folder.run(&["check", "--format", "concise"]);
    let expected = "\
chatls.toml:1:12: warning[config] `!keep.md` matches nothing: globs cannot be negated with `!`
chatls.toml:3:10: warning[config] `../a.md` matches nothing: no path has `..`; name what is outside of the folder by its whole path
2 warnings in 1 of 2 files
";
    run.check(1, expected, "");
}
