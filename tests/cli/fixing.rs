//! `check --fix`, and baselines.

use super::run::Folder;

const BAD: &str = "```tool\n{\"toolName\": \"f\", \"state\": \"dun\",}\n```\n";

fn folder(name: &str) -> Folder {
    Folder::new(name, &[("a.md", BAD.as_bytes()), ("b.md", b"text\n")])
}

fn text(folder: &Folder) -> String {
    std::fs::read_to_string(folder.path.join("a.md")).unwrap()
}

#[test]
fn safe_fixes_are_applied_and_the_rest_is_reported() {
    let folder = folder("fix");
    let diff = folder.run(&["check", "--diff"]);
    assert!(
        diff.status == 1
            && diff.stdout.contains(
                "\n-{\"toolName\": \"f\", \"state\": \"dun\",}\n+{\"toolName\": \"f\", \"state\": \"dun\"}\n"
            ),
        "{}",
        diff.stdout
    );
    assert_eq!(text(&folder), BAD, "a diff writes nothing");
    let run = folder.run(&["check", "--fix", "--format", "jsonl"]);
    assert_eq!(text(&folder), BAD.replace(",}", "}"));
    assert_eq!((run.status, run.stdout.lines().count(), run.stderr.trim()), (1, 1, "1 diagnostic is fixed"));
    assert!(run.stdout.contains("\"code\":\"bad-state\""), "{}", run.stdout);
    assert_eq!(folder.run(&["check", "--diff", "b.md"]).status, 0);
}

/// What stands after a block that was not closed may be the next message.
#[test]
fn words_that_may_be_prose_get_no_quotes() {
    let open = "###:{\"toolName\": \"f\",\n**User:** In Rome, and what time is it there?\n\n".to_owned();
    let fence = "```tool\n{\"toolName\": \"f\",\nUser: hi, and bye: 1\n\nAssistant: z\n".to_owned();
    let closed = "```tool\n{toolName: \"f\", my key: 1}\n```\n";
    let files = [("a.md", open.as_bytes()), ("b.md", fence.as_bytes()), ("c.md", closed.as_bytes())];
    let folder = Folder::new("fix-prose", &files);
    folder.run(&["check", "--fix"]);
    let read = |name: &str| std::fs::read_to_string(folder.path.join(name)).unwrap();
    assert_eq!([read("a.md"), read("b.md")], [open, fence]);
    assert_eq!(read("c.md"), closed.replace("toolName", "\"toolName\""));
}

#[test]
fn remaining_diagnostics_go_to_stderr_if_stdout_has_the_text() {
    let folder = folder("fix-left");
    let run = folder.run_with_input(&["check", "--fix", "--format", "concise", "-"], BAD.as_bytes());
    assert_eq!((run.status, run.stdout), (1, BAD.replace(",}", "}")));
    assert!(run.stderr.contains("-:2:28: error[bad-state]"), "{}", run.stderr);
    let run = folder.run(&["check", "--diff", "--format", "jsonl", "a.md"]);
    assert!(run.status == 1 && run.stdout.starts_with("--- a.md\n"), "{}", run.stdout);
    let left: Vec<&str> = run.stderr.lines().filter(|line| line.starts_with('{')).collect();
    assert!(left.len() == 1 && left[0].contains("\"code\":\"bad-state\""), "{}", run.stderr);
    let arguments = ["check", "--diff", "--output-file", "left.txt", "--format", "concise", "a.md"];
    let run = folder.run(&arguments);
    assert!(!run.stderr.contains("bad-state"), "{}", run.stderr);
    assert!(std::fs::read_to_string(folder.path.join("left.txt")).unwrap().contains("error[bad-state]"));
}

#[test]
fn a_baseline_hides_known_diagnostics() {
    let folder = folder("baseline");
    let run = folder.run(&["check", "--baseline", "known.jsonl", "--write-baseline"]);
    assert_eq!((run.status, run.stderr.trim()), (0, "2 diagnostics are known now, in `known.jsonl`"));
    let run = folder.run(&["check", "--baseline", "known.jsonl"]);
    assert_eq!((run.status, run.stderr.trim()), (0, "2 diagnostics are known, and not shown"));
    std::fs::write(folder.path.join("a.md"), format!("new\n\n{BAD}\n{BAD}")).unwrap();
    let run = folder.run(&["check", "--baseline", "known.jsonl", "--format", "jsonl", "--statistics"]);
    assert_eq!(run.status, 1);
    assert_eq!(run.stdout.lines().count(), 2, "the second one is new: {}", run.stdout);
    assert!(run.stderr.contains("      1  bad-state"), "{}", run.stderr);
    std::fs::write(folder.path.join("known.jsonl"), "[]\n").unwrap();
    let run = folder.run(&["check", "--baseline", "known.jsonl"]);
    assert!(run.status == 2 && run.stderr.contains("is not a baseline: line 1"), "{}", run.stderr);
    let run = folder.run(&["check", "--baseline", "none.jsonl"]);
    assert!(run.status == 2 && run.stderr.contains("none.jsonl"), "{}", run.stderr);
}

#[test]
fn a_baseline_is_written_completely_or_not_at_all() {
    let folder = folder("baseline-whole");
    folder.run(&["check", "--baseline", "known.jsonl", "--write-baseline"]);
    let known = std::fs::read(folder.path.join("known.jsonl")).unwrap();
    for arguments in [&["--diff"][..], &["--fix"], &["none.md"]] {
        let run =
            folder.run(&[&["check", "--baseline", "known.jsonl", "--write-baseline"], arguments].concat());
        assert_eq!(run.status, 2, "{arguments:?}: {}", run.stderr);
        assert_eq!(std::fs::read(folder.path.join("known.jsonl")).unwrap(), known, "{arguments:?}");
    }
    std::fs::write(folder.path.join("chatls.toml"), "bad = = ").unwrap();
    let run = folder.run(&["check", "--baseline", "known.jsonl"]);
    assert!(run.status == 2 && run.stdout.contains("this is not TOML"), "{}", run.stdout);
}

#[test]
fn a_diff_keeps_windows_line_ends() {
    let folder = Folder::new("diff-crlf", &[("a.md", BAD.replace('\n', "\r\n").as_bytes())]);
    let run = folder.run(&["check", "--diff"]);
    let line = "{\"toolName\": \"f\", \"state\": \"dun\"";
    assert!(run.stdout.contains(&format!("\r\n-{line},}}\r\n+{line}}}\r\n ```\r\n")), "{:?}", run.stdout);
}

#[test]
fn only_the_text_is_printed() {
    let folder = Folder::new("fix-print", &[("chatls.toml", b"bogus = 1\n"), ("a.md", BAD.as_bytes())]);
    let run = folder.run_with_input(&["check", "--fix", "-"], BAD.as_bytes());
    assert_eq!((run.status, run.stdout), (1, BAD.replace(",}", "}")));
    let run = folder.run(&["check", "--diff", "a.md"]);
    assert!(run.stdout.ends_with(" ```\n"), "{}", run.stdout);
}

#[cfg(target_os = "linux")]
#[test]
fn unwritable_files_are_unchanged_and_reported() {
    let folder = folder("fix-unwritten");
    // The size limit of a file is then one block: 512 bytes, or 1024.
    let long = BAD.repeat(50) + &"```tool\n{\"toolName\":\"f\"}\n```\n\n".repeat(50);
    std::fs::write(folder.path.join("long.md"), &long).unwrap();
    let program = folder.command(&[]).get_program().to_owned();
    let script = "ulimit -f 1; trap '' XFSZ; \"$0\" \"$@\"";
    for arguments in [
        &["check", "--fix", "--format", "jsonl"][..],
        &["fmt"],
        &["convert", "--lossy", "--to", "tag", "--write"],
    ] {
        let mut command = std::process::Command::new("bash");
        command.args(["-c", script]).arg(&program).args(arguments).arg("long.md").current_dir(&folder.path);
        let output = command.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(2) && stderr.contains("cannot write"),
            "{arguments:?}: {stderr}"
        );
        assert_eq!(std::fs::read_to_string(folder.path.join("long.md")).unwrap(), long, "{arguments:?}");
        let left = std::fs::read_dir(&folder.path).unwrap().count();
        assert_eq!(left, 3, "nothing lies beside it");
    }
}

/// A rewritten file keeps its owner; a read-only file is not rewritten.
#[cfg(unix)]
#[test]
fn a_file_keeps_its_owner() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let bad = b"```tool\n{\"toolName\": \"f\",}\n```\n";
    let folder = Folder::new("fixing-owner", &[("a.md", bad), ("b.md", bad), ("c.md", bad)]);
    let path = |name: &str| folder.path.join(name);
    let is_root = chown(path("a.md"), Some(65534), Some(65534)).is_ok();
    std::fs::set_permissions(path("c.md"), std::fs::Permissions::from_mode(0o444)).unwrap();
    let run = folder.run(&["check", "--fix", "a.md", "b.md", "c.md"]);
    let text = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    assert!(!text("a.md").contains(",}") && !text("b.md").contains(",}"), "{}", run.stderr);
    if is_root {
        // Root may write any file.
        let known = std::fs::metadata(path("a.md")).unwrap();
        assert_eq!((known.uid(), known.gid()), (65534, 65534));
    } else {
        assert!(text("c.md").contains(",}") && run.stderr.contains("ermission denied"), "{}", run.stderr);
    }
}
