//! `repair`: the diff, and the copy that it keeps.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;

use super::run::Folder;

const BROKEN: &str = r#"{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}
{"role":"user","content":"go on"}
"#;
const ADDED: &str =
    r#"{"role":"tool","tool_call_id":"a","content":"error: no result was recorded for this call"}"#;

#[test]
fn a_diff_is_shown_and_nothing_is_written() {
    let folder = Folder::new("repair-diff", &[("a.jsonl", BROKEN.as_bytes())]);
    let run = folder.run(&["repair", "a.jsonl"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(run.stdout.contains(&format!("\n+{ADDED}\n")), "{}", run.stdout);
    assert!(run.stderr.contains("a.jsonl:1: Add a result"), "{}", run.stderr);
    assert!(run.stderr.ends_with("a.jsonl: 1 change to make; `--write` makes them\n"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(folder.path.join("a.jsonl")).unwrap(), BROKEN);
    assert!(!folder.path.join("a.jsonl.bak").exists());
}

#[test]
fn the_old_text_is_kept_beside_the_file() {
    let folder = Folder::new("repair-write", &[("a.jsonl", BROKEN.as_bytes()), ("a.jsonl.bak", b"mine")]);
    let at = |name: &str| folder.path.join(name);
    #[cfg(unix)]
    fs::set_permissions(at("a.jsonl"), fs::Permissions::from_mode(0o600)).unwrap();
    let run = folder.run(&["repair", "--write", "a.jsonl"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let lines: Vec<&str> = BROKEN.lines().collect();
    assert_eq!(fs::read_to_string(at("a.jsonl")).unwrap(), format!("{}\n{ADDED}\n{}\n", lines[0], lines[1]));
    assert_eq!(fs::read_to_string(at("a.jsonl.bak")).unwrap(), "mine");
    assert_eq!(fs::read_to_string(at("a.jsonl.bak.1")).unwrap(), BROKEN);
    #[cfg(unix)]
    assert_eq!(fs::metadata(at("a.jsonl.bak.1")).unwrap().permissions().mode() & 0o777, 0o600);
    folder.run(&["check", "a.jsonl"]).check(0, "no problems in 1 file\n", "");
    folder.run(&["repair", "--write", "a.jsonl"]).check(0, "", "a.jsonl: nothing to repair");
    assert!(!at("a.jsonl.bak.2").exists());
}

/// A file size limit stands for a full disk: the old text fits, the new one does not.
#[cfg(unix)]
#[test]
fn no_copy_is_kept_of_a_file_that_was_not_changed() {
    let before: String =
        ["a", "b", "c", "d", "e"].map(|id| BROKEN.replace("\"a\"", &format!("\"{id}\""))).concat();
    assert!(before.len() < 1024 && before.len() + 5 * ADDED.len() > 1024, "{}", before.len());
    let folder = Folder::new("repair-full", &[("a.jsonl", before.as_bytes())]);
    let program = folder.command(&[]).get_program().to_owned();
    let mut command = std::process::Command::new("bash");
    command.args(["-c", "ulimit -f 1; exec \"$0\" repair --write a.jsonl"]).arg(&program);
    let output = command.current_dir(&folder.path).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("cannot write `a.jsonl`: "), "{stderr}");
    assert!(!stderr.contains("is kept") && !stderr.contains(".tmp"), "{stderr}");
    assert_eq!(fs::read_to_string(folder.path.join("a.jsonl")).unwrap(), before);
    assert_eq!(fs::read_dir(&folder.path).unwrap().count(), 1);
}
