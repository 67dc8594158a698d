//! Windows: spellings of paths, files that others have open, consoles, and what programs leave
//! behind.

mod console;

use std::fs;

use super::run::Folder;

const BAD: &[u8] = b"```tool\r\n{\"toolName\": \"f\", \"state\": \"dun\"}\r\n```\r\n";

#[test]
fn paths_in_every_spelling_are_read() {
    let folder = Folder::new("windows-paths", &[("in/a.md", BAD)]);
    let whole = folder.path.join("in").join("a.md").to_str().unwrap().to_owned();
    let (drive, rest) = whole.split_at(1);
    let local = format!(r"\\localhost\{}${}", drive, &rest[1..]);
    for path in [
        r"in\a.md",
        r".\IN\A.md",
        "in/a.md",
        &whole,
        &whole.replace('\\', "/"),
        &format!("{}{rest}", drive.to_lowercase()),
        &rest[1..],
        &format!(r"\\?\{whole}"),
    ] {
        let run = folder.run(&["check", "--format", "jsonl", path]);
        assert!(run.status == 1 && run.stdout.contains("bad-state"), "{path}: {}", run.stderr);
    }
    // A share that may be missing is reported by its name.
    let run = folder.run(&["check", &local]);
    assert!(run.status == 1 || run.stderr.contains("localhost"), "{}", run.stderr);
}

#[test]
fn names_of_files_have_no_case() {
    let config = b"exclude = [\"OLD/**\"]\n";
    let folder = Folder::new("windows-case", &[("chatls.toml", config), ("a.md", BAD), ("old/b.md", BAD)]);
    let run = folder.run(&["check", "--format", "jsonl", "a.md", "A.MD", "."]);
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
}

/// As in an editor or an indexer.
#[test]
fn a_file_that_is_open_elsewhere_is_rewritten() {
    let before = "```tool\r\n{\"toolName\":\"f\",\"input\":{}}\r\n```\r\n";
    let folder = Folder::new("windows-open", &[("a.md", before.as_bytes())]);
    let path = folder.path.join("a.md");
    let open = fs::File::open(&path).unwrap();
    let run = folder.run(&["fmt", "--write", "a.md"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    drop(open);
    let after = fs::read_to_string(&path).unwrap();
    assert!(after != before && after.starts_with("```tool\r\n"), "{after:?}");
    assert_eq!(fs::read_dir(&folder.path).unwrap().count(), 1, "no temporary file is left");
}

/// The program is found without the ending of its name, as npm installs servers; what it started in
/// the background ends with it.
#[cfg(feature = "run")]
#[test]
fn command_files_run_and_leave_nothing_behind() {
    let folder = folder_with_command("windows-command", "@start /b \"\" ");
    super::run_calls::agree(&folder, "echo.cmd");
    let done = super::run_calls::run(&folder, &["--yes", "a.chat.md"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let text = super::run_calls::text(&folder, "a.chat.md");
    assert!(text.contains("\"output\": {\"done\":true}") || text.contains("\"done\": true"), "{text}");
    assert_ended(&folder);
}

/// A folder with a call of `echo.cmd`, which starts, by `start`, a program that writes to
/// `held.txt` and does not end.
#[cfg(feature = "run")]
fn folder_with_command(name: &str, start: &str) -> Folder {
    let chatls = std::path::absolute(env!("CARGO_BIN_EXE_chatls")).unwrap();
    let script =
        format!("{start}\"{}\" check --watch . > held.txt\r\n@echo {{\"done\": true}}\r\n", chatls.display());
    Folder::new(
        name,
        &[
            ("chatls.toml", b"[run.echo]\ncommand = [\"./echo\"]\n"),
            ("echo.cmd", script.as_bytes()),
            ("a.chat.md", b"```tool\n{\"toolName\":\"echo\",\"input\":{}}\n```\n"),
        ],
    )
}

/// Fails if the program of [`folder_with_command`] goes on.
#[cfg(feature = "run")]
fn assert_ended(folder: &Folder) {
    // Windows removes no file that a process has open like this.
    let held = folder.path.join("held.txt");
    let is_removed = || fs::remove_file(&held).is_ok();
    assert!(held.exists());
    assert!(
        (0..50).any(|_| is_removed() || {
            std::thread::sleep(std::time::Duration::from_millis(100));
            false
        }),
        "a process of the program is alive"
    );
}
