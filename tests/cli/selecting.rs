//! The selection of codes and files in `check`, quiet runs, and files for reports.

use super::run::Folder;

/// Diagnostics of several codes, one of them an error.
const BAD: &[u8] = b"```tool\n{\"toolName\": \"f\", \"state\": \"dun\"}\n```\n\n<tool>g()\nx... (truncated)</tool>\n\n</tool>\n\nend\n";

/// The codes that are printed, in order.
#[track_caller]
fn codes(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    let run = folder.run(&[&["check", "--format", "concise", "--quiet"], arguments].concat());
    let code = |line: &str| line.split(['[', ']']).nth(1).expect("a code").to_owned();
    assert_eq!(run.stderr, "");
    run.stdout.lines().map(code).collect()
}

#[test]
fn codes_are_selected_and_ignored() {
    let folder = Folder::new("select", &[("a.md", BAD)]);
    let all = codes(&folder, &[]);
    assert!(all.contains(&"bad-state".to_owned()) && all.contains(&"stray-tag".to_owned()), "{all:?}");
    assert_eq!(codes(&folder, &["--select", "stray-tag"]), ["stray-tag"]);
    let both = codes(&folder, &["--select", "stray-tag,bad-state"]);
    assert_eq!(both, ["bad-state", "stray-tag"]);
    assert_eq!(codes(&folder, &["--select", "ALL", "--ignore", "ALL"]), [""; 0]);
    let rest = codes(&folder, &["--ignore", "stray-tag"]);
    assert_eq!(rest.len() + 1, all.len());
    // Codes that are not selected do not affect the exit status.
    assert_eq!(folder.run(&["check", "--select", "truncated"]).status, 0);
    std::fs::write(folder.path.join("chatls.toml"), "[lint]\nstray-tag = \"off\"\nbad-state = \"hint\"\n")
        .unwrap();
    assert_eq!(codes(&folder, &["--select", "stray-tag,bad-state"]), ["bad-state", "stray-tag"]);
    let run = folder.run(&["check", "--select", "bad-state", "--format", "concise"]);
    run.check(
        0,
        "a.md:2:28: hint[bad-state] `dun` is not a state; the states are `input-streaming`, `input-available`, \
         `output-available`, `output-error`\n1 hint in 1 file\n",
        "",
    );
}

#[test]
fn an_unknown_code_is_an_error() {
    let folder = Folder::new("select-unknown", &[("a.md", BAD)]);
    let run = folder.run(&["check", "--select", "bad-stat"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(
        run.stderr.starts_with("error: there is no code `bad-stat`; did you mean `bad-state`?\n"),
        "{}",
        run.stderr
    );
    let run = folder.run(&["check", "--ignore", "nothing-like-it"]);
    assert!(
        run.stderr.starts_with("error: there is no code `nothing-like-it`; `chatls explain` lists them\n"),
        "{}",
        run.stderr
    );
    let run = folder.run(&["explain", "bad-stat"]);
    assert!(
        run.stderr.starts_with("error: there is no code `bad-stat`; did you mean `bad-state`?\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn diagnostics_of_configurations_are_selected_like_others() {
    let folder = Folder::new("select-config", &[("a.md", BAD), ("chatls.toml", b"nonsense = 1\n")]);
    assert_eq!(codes(&folder, &["--select", "stray-tag"]), ["stray-tag"]);
    assert_eq!(codes(&folder, &["--select", "config"]), ["config"]);
    // An invalid one makes the run fail all the same.
    std::fs::write(folder.path.join("chatls.toml"), "no").unwrap();
    let run = folder.run(&["check", "--select", "stray-tag"]);
    assert_eq!(run.status, 2, "{}{}", run.stdout, run.stderr);
}

#[test]
fn globs_exclude_files() {
    let folder = Folder::new("exclude", &[("a.md", BAD), ("old/b.md", BAD), ("new/old/c.md", BAD)]);
    let files = |arguments: &[&str]| -> Vec<String> {
        let run = folder
            .run(&[&["check", "-q", "--format", "concise", "--select", "stray-tag"], arguments].concat());
        run.stdout.lines().map(|line| line.split(':').next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(files(&[]), ["a.md", "new/old/c.md", "old/b.md"]);
    assert_eq!(files(&["--exclude", "old"]), ["a.md", "new/old/c.md"]);
    assert_eq!(files(&["--exclude", "**/old/,a.md"]), [""; 0]);
    // A file given by name is read, unless excluded.
    assert_eq!(files(&["--exclude", "old", "old/b.md"]), ["old/b.md"]);
    assert_eq!(files(&["--exclude", "old", "--force-exclude", "old/b.md"]), [""; 0]);
    let run = folder.run(&["check", "--exclude", "a{"]);
    assert!(run.status == 2 && run.stderr.contains("it is not a glob"), "{}", run.stderr);
    let run = folder.run(&["check", "--exclude", "../a.md"]);
    assert!(run.status == 2 && run.stderr.contains("it matches nothing: no path has `..`"), "{}", run.stderr);
    let run = folder.run(&["calls", "--exclude", "**/old", "."]);
    assert_eq!(run.stdout.lines().count(), 2, "{}", run.stdout);
}

#[test]
fn diagnostics_need_not_fail_a_run() {
    let folder = Folder::new("exit-zero", &[("a.md", BAD)]);
    assert_eq!(folder.run(&["check"]).status, 1);
    assert_eq!(folder.run(&["check", "--exit-zero"]).status, 0);
    assert_eq!(folder.run(&["check", "--exit-zero", "--diff"]).status, 0);
    assert_eq!(folder.run(&["check", "--exit-zero", "none.md"]).status, 2);
}

#[test]
fn a_report_is_written_completely_or_not_at_all() {
    let folder = Folder::new("output-file", &[("a.md", BAD), ("out.sarif", b"old"), ("keep.jsonl", b"{}\n")]);
    let run = folder.run(&["check", "--format", "sarif", "-o", "out.sarif", "a.md"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.starts_with("1 error, "), "{}", run.stderr);
    let printed = folder.run(&["check", "--format", "sarif", "a.md"]).stdout;
    assert_eq!(std::fs::read_to_string(folder.path.join("out.sarif")).unwrap(), printed);
    // Colors are for terminals.
    folder.run(&["check", "--color", "always", "--output-file", "out.txt", "a.md"]);
    let human = std::fs::read_to_string(folder.path.join("out.txt")).unwrap();
    assert!(human.starts_with("error[bad-state]") && !human.contains('\u{1b}'), "{human}");
    // No other file is left, and possible transcripts are not overwritten.
    for target in ["a.md", "keep.jsonl"] {
        let before = std::fs::read(folder.path.join(target)).unwrap();
        let run = folder.run(&["check", "--format", "jsonl", "-o", target]);
        let reason = "it exists, has the name of a transcript, and is not a report of chatls";
        run.check(2, "", &format!("error: cannot write `{target}`: {reason}"));
        assert_eq!(std::fs::read(folder.path.join(target)).unwrap(), before);
    }
    for _ in 0..2 {
        assert_eq!(folder.run(&["check", "--format", "jsonl", "-o", "new.jsonl", "a.md"]).status, 1);
    }
    let mut left: Vec<_> =
        std::fs::read_dir(&folder.path).unwrap().map(|it| it.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["a.md", "keep.jsonl", "new.jsonl", "out.sarif", "out.txt"]);
    let run = folder.run(&["check", "-o", "none/out.txt", "a.md"]);
    assert!(
        run.status == 2 && run.stderr.starts_with("error: cannot write `none/out.txt`: "),
        "{}",
        run.stderr
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |file: &str| std::fs::metadata(folder.path.join(file)).unwrap().permissions().mode();
        assert_eq!(mode("new.jsonl"), mode("a.md"), "a new file has the permissions of any other");
        assert_eq!(folder.run(&["check", "-o", "/dev/null", "a.md"]).status, 1);
    }
    #[cfg(target_os = "linux")]
    for format in ["human", "jsonl", "sarif", "junit"] {
        let run = folder.run(&["check", "--format", format, "-o", "/dev/full", "a.md"]);
        let reason = "No space left on device (os error 28)";
        run.check(2, "", &format!("error: cannot write `/dev/full`: {reason}"));
    }
}

#[test]
fn unsafe_fixes_are_applied_on_request() {
    let bad: &[u8] = b"```tool\n{\"toolName\": \"f\", \"args\": {\"a\": 1,}}\n```\n";
    let folder = Folder::new("unsafe-fixes", &[("a.md", bad)]);
    let run = folder.run(&["check", "--fix", "--quiet", "--format", "concise"]);
    assert!(
        run.stdout.contains("warning[misnamed-field]") && !run.stdout.contains("invalid-json"),
        "{}",
        run.stdout
    );
    let run = folder.run(&["check", "--fix"]);
    assert!(run.stderr.contains("1 more with `--unsafe-fixes`"), "{}", run.stderr);
    let run = folder.run(&["check", "--diff", "--unsafe-fixes"]);
    assert!(run.status == 1 && run.stdout.contains("+{\"toolName\": \"f\", \"input\": {"), "{}", run.stdout);
    let run = folder.run(&["check", "--fix", "--unsafe-fixes"]);
    assert!(
        run.stderr.contains("1 diagnostic is fixed") && !run.stderr.contains("more with"),
        "{}",
        run.stderr
    );
    let after = std::fs::read_to_string(folder.path.join("a.md")).unwrap();
    assert_eq!(after, "```tool\n{\"toolName\": \"f\", \"input\": {\"a\": 1}}\n```\n");
    let run = folder.run(&["check", "--unsafe-fixes"]);
    assert!(run.status == 2 && run.stderr.contains("--fix"), "{}", run.stderr);
}

#[test]
fn diagnostics_are_suppressed_in_bulk() {
    let log = b"{\"type\":\"tool-call\",\"toolCallId\":\"\",\"toolName\":\"f\",\"input\":{}}\n";
    let folder = Folder::new("add-suppressions", &[("a.md", BAD), ("b.jsonl", log)]);
    let before = codes(&folder, &["a.md"]);
    let run = folder.run(&["check", "--add-suppressions", "--diff", "a.md"]);
    assert!(run.stdout.contains("+<!-- chatls-disable-next bad-state"), "{}", run.stdout);
    assert_eq!(std::fs::read(folder.path.join("a.md")).unwrap(), BAD);
    let run = folder.run(&["check", "--add-suppressions"]);
    assert!(run.stderr.contains(&format!("{} diagnostics are suppressed", before.len())), "{}", run.stderr);
    assert!(run.stderr.contains("logs have no comments"), "{}", run.stderr);
    assert_eq!(codes(&folder, &["a.md"]), [""; 0]);
    assert_eq!(std::fs::read(folder.path.join("b.jsonl")).unwrap(), log);
    let after = std::fs::read(folder.path.join("a.md")).unwrap();
    folder.run(&["check", "--add-suppressions", "a.md"]);
    assert_eq!(std::fs::read(folder.path.join("a.md")).unwrap(), after, "there is nothing left");
    let html = b"a\n\n<tool>search(query=1)\nx</tool>\n</tool>\ntext </tool>\n";
    let run = Folder::new("add-suppressions-html", &[("a.md", html)]).run(&["check", "--add-suppressions"]);
    assert!(run.stderr.contains("1 diagnostic is left: a comment before the block"), "{}", run.stderr);
}

#[test]
fn files_are_listed_with_their_kinds() {
    let log = b"{\"type\":\"text-start\",\"id\":\"1\"}\n";
    let files: &[(&str, &[u8])] = &[("a.md", b"text"), ("b.jsonl", log), ("old/c.md", b""), ("d.txt", log)];
    let folder = Folder::new("show-files", files);
    folder.run(&["check", "--show-files", "--exclude", "old"]).check(0, "a.md: Markdown\nb.jsonl: log\n", "");
    let run = folder.run(&["check", "--show-files", "--format", "jsonl", "a.md"]);
    run.check(0, "{\"file\":\"a.md\",\"language\":\"markdown\"}\n", "");
    let run = folder.run(&["check", "--show-files", "d.txt"]);
    assert_eq!(run.stdout, "d.txt: log\n");
}

#[test]
fn settings_are_shown_with_their_sources() {
    let config = b"tools = [\"preset:file-tools\"]\nprotocol = \"v6\"\n[lint]\nsecret = \"error\"\nbad-state = \"hint\"\n\
        [[override]]\nfiles = [\"old/**\"]\nlint = { secret = \"off\" }\n";
    let folder = Folder::new("show-settings", &[("chatls.toml", config), ("a.md", b""), ("old/b.md", b"")]);
    let shown = |arguments: &[&str]| -> Vec<String> {
        let run = folder.run(&[&["check", "--show-settings"], arguments].concat());
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        run.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    let has = |lines: &[String], line: &str| assert!(lines.iter().any(|it| it == line), "{line}\n{lines:#?}");
    let settings = shown(&["a.md"]);
    assert_eq!(settings[0], "# a.md");
    has(&settings, "tools = [\"preset:file-tools\"] # chatls.toml");
    has(&settings, "protocol = \"v6\" # chatls.toml");
    has(&settings, "format.indent = 2 # default");
    has(&settings, "lint.secret = \"error\" # chatls.toml");
    has(&settings, "lint.stray-tag = \"warning\" # default");
    let settings = shown(&["old/b.md"]);
    has(&settings, "lint.secret = \"off\" # chatls.toml, [[override]]");
    has(&settings, "lint.bad-state = \"hint\" # chatls.toml");
    let settings = shown(&["--ignore", "stray-tag"]);
    assert_eq!(settings[0], "# .");
    has(&settings, "lint.stray-tag = \"off\" # --select, --ignore");
}

#[test]
fn settings_are_shown_with_those_of_extended_configurations() {
    let base = b"enable = true\nprotocol = \"v6\"\ntools = [\"t.json\"]\n[lenses]\nbatch = true\n[lint]\nsecret = \"error\"\n\
        [[override]]\nfiles = [\"sub/**\"]\nlint = { bad-state = \"hint\" }\n";
    let nested = b"extends = \"../base.conf\"\n[format]\nindent = 4\n[lint]\nstray-tag = \"off\"\n";
    let folder = Folder::new(
        "show-extended",
        &[
            ("base.conf", base),
            ("t.json", b"[{\"name\": \"x\"}]"),
            ("sub/chatls.toml", nested),
            ("sub/a.md", b""),
        ],
    );
    let run = folder.run(&["check", "--show-settings", "sub/a.md"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let lines: Vec<_> =
        run.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for line in [
        "checked = true # base.conf",
        "tools = [\"t.json\"] # base.conf",
        "protocol = \"v6\" # base.conf",
        "format.indent = 4 # sub/chatls.toml",
        "lenses.batch = true # base.conf",
        "lenses.pending = true # default",
        "lenses.run = true # default",
        "lint.secret = \"error\" # base.conf",
        "lint.bad-state = \"hint\" # base.conf, [[override]]",
        "lint.stray-tag = \"off\" # sub/chatls.toml",
    ] {
        assert!(lines.iter().any(|it| it == line), "{line}\n{lines:#?}");
    }
}
