//! `chatls init`: its output, and that it overwrites nothing.

use super::run::Folder;

const REGISTRY: &[u8] =
    br#"{"tools": [{"name": "search", "inputSchema": {"type": "object"}}, {"name": "ls", "inputSchema": {}}]}"#;
const CALL: &[u8] = b"```tool\n{\"toolName\": \"serch\"}\n```\n";

fn written(folder: &Folder, path: &str) -> String {
    std::fs::read_to_string(folder.path.join(path)).unwrap()
}

/// `text` with each commented-out key enabled.
fn uncommented(text: &str) -> String {
    let is_key = |line: &str| {
        line.starts_with('[') || line.split_once(" = ").is_some_and(|(key, _)| !key.contains(' '))
    };
    let line =
        |line: &str| line.strip_prefix("# ").filter(|key| is_key(key)).unwrap_or(line).to_owned() + "\n";
    text.lines().map(line).collect()
}

#[test]
fn an_empty_folder_gets_a_file_of_comments() {
    let folder = Folder::new("init-empty", &[("a.md", b"No calls here.\n")]);
    let run = folder.run(&["init"]);
    run.check(0, "wrote `chatls.toml`\n  no transcripts with tool calls yet\nnext: `chatls check`\n", "");
    let text = written(&folder, "chatls.toml");
    assert!(text.lines().all(|line| line.is_empty() || line.starts_with('#') || line == "[lint]"), "{text}");
    folder.run(&["check"]).check(0, "no problems in 1 file\n", "");
    // The commented-out keys are valid too.
    let shown = uncommented(&text).replace("\"tools.json\", ", "");
    assert!(shown.contains("\ninclude = [") && shown.contains("\n[[override]]\n"), "{shown}");
    std::fs::write(folder.path.join("chatls.toml"), shown).unwrap();
    folder.run(&["check", "a.md"]).check(0, "no problems in 1 file\n", "");
}

#[test]
#[cfg_attr(windows, ignore = "Windows has no such names of files")]
fn it_finds_registries_and_transcripts() {
    let folder = Folder::new(
        "init-found",
        &[
            ("w/tools/my \"tools\".json", REGISTRY),
            ("w/mcp.json", REGISTRY),
            ("w/package.json", br#"{"name": "x", "version": "1.0.0", "dependencies": {"tools": "1"}}"#),
            ("w/list.json", br#"[{"name": "a"}, {"name": "b"}]"#),
            ("w/node_modules/m/tools.json", REGISTRY),
            ("w/ignored/tools.json", REGISTRY),
            ("w/.gitignore", b"ignored\n"),
            ("w/notes.chat.md", CALL),
            (
                "w/logs/run.jsonl",
                b"{\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"ls\",\"input\":{}}\n",
            ),
            ("w/README.md", b"````\n```tool\n{}\n```\n````\n"),
        ],
    );
    let expected = "wrote `w/chatls.toml`\n  tools: `mcp.json` (2 tools)\n  tools: `tools/my \"tools\".json` (2 tools)\n  \
                    2 transcripts with tool calls\nnext: `chatls check w`\n";
    folder.run(&["init", "w"]).check(0, expected, "");
    let text = written(&folder, "w/chatls.toml");
    assert!(text.contains("# include = [\"**/*.chat.md\", \"logs/**\"]\n"), "{text}");
    // From now on the tools are known.
    let run = folder.run(&["check", "--format", "jsonl", "w"]);
    assert_eq!(run.status, 1, "{}", run.stdout);
    assert!(run.stdout.lines().count() == 1 && run.stdout.contains("unknown-tool"), "{}", run.stdout);
}

#[test]
fn existing_files_are_not_overwritten() {
    let folder =
        Folder::new("init-there", &[("chatls.toml", b"# mine\n"), ("file", b""), ("below/a.md", b"")]);
    let said = "error: `chatls.toml` already exists: edit it, or overwrite it with `--force`";
    folder.run(&["init"]).check(2, "", said);
    assert_eq!(written(&folder, "chatls.toml"), "# mine\n");
    assert_eq!(folder.run(&["init", "--force"]).status, 0);
    assert!(written(&folder, "chatls.toml").contains("[lint]"));
    folder.run(&["init", "none"]).check(2, "", "error: there is no folder `none`");
    folder.run(&["init", "file"]).check(2, "", "error: there is no folder `file`");
}

#[test]
fn a_configuration_above_goes_on_to_apply() {
    let above = b"[lint]\nstray-tag = \"error\"\n";
    let files: [(&str, &[u8]); 2] = [("chatls.toml", above), ("below/deep/a.chat.md", b"</tool>\n")];
    let folder = Folder::new("init-above", &files);
    let expected = "wrote `below/deep/chatls.toml`\n  extends: `../../chatls.toml`, which applied here\n  \
                    no transcripts with tool calls yet\nnext: `chatls check below/deep`\n";
    folder.run(&["init", "below/deep"]).check(0, expected, "");
    let run = folder.run(&["check", "below/deep"]);
    assert!(run.status == 1 && run.stdout.contains("error[stray-tag]"), "{}", run.stdout);
    assert!(!run.stdout.contains("[config]"), "{}", run.stdout);
    // Who clones a repository does not have what is outside of it.
    let files: [(&str, &[u8]); 2] = [("chatls.toml", above), ("clone/.git/HEAD", b"")];
    let folder = Folder::new("init-clone", &files);
    let run = folder.run(&["init", "clone"]);
    assert!(run.stdout.contains("  root: `../chatls.toml`, outside of the repository"), "{}", run.stdout);
    assert!(written(&folder, "clone/chatls.toml").contains("\nroot = true\n"));
}
