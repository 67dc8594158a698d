//! Files that are not transcripts, whatever their names: they do not end a run, and are reported if
//! that matters.

use std::fs;
#[cfg(unix)]
use std::{
    path::Path,
    process::{Command, Stdio},
};

use super::run::Folder;

const BAD: &[u8] = b"```tool\n{\"state\": \"dun\"}\n```\n";

#[test]
fn binary_files_are_skipped_and_reported() {
    let mut late = BAD.repeat(400);
    late.extend(b"\0\n");
    let utf16: Vec<u8> = "\u{feff}hé".encode_utf16().flat_map(u16::to_le_bytes).collect();
    // A character across the end of the first part is valid.
    let border = format!("{}é\n", "a".repeat(7999));
    let folder = Folder::new(
        "odd-content",
        &[
            ("a.md", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
            ("b.md", &utf16),
            ("c.md", &BAD[..4]),
            ("d.md", b"\xe9\xe8"),
            ("e.md", border.as_bytes()),
        ],
    );
    let passed_over = "\
warning: `a.md` is skipped: it is a binary file
warning: `b.md` is skipped: it is UTF-16, not UTF-8; use `iconv -f UTF-16LE -t UTF-8 FILE | chatls … -`
warning: `d.md` is skipped: it is not UTF-8";
    folder.run(&["check", "--fail-on", "error"]).check(0, "no problems in 2 files\n", passed_over);
    let run = folder.run(&["check", "b.md"]);
    assert!(run.stderr.starts_with("error: cannot read `b.md`: it is UTF-16, not UTF-8; "), "{}", run.stderr);
    assert_eq!(run.status, 2);
    // After the first part it is an ordinary character; and files given by name are read.
    fs::write(folder.path.join("a.md"), &late).unwrap();
    assert!(folder.run(&["check", "--format", "jsonl"]).stdout.contains("\"file\":\"a.md\""));
    fs::write(folder.path.join("a.md"), [b"\0\n", BAD].concat()).unwrap();
    assert!(folder.run(&["check", "--format", "jsonl", "a.md"]).stdout.contains("\"file\":\"a.md\""));
}

#[cfg(unix)]
#[test]
fn a_removed_current_folder_is_named() {
    let folder = Folder::new("odd-removed", &[("inside/a.md", BAD)]);
    let script = "cd inside && rm -r ../inside && exec \"$0\" check a.md";
    let chatls = env!("CARGO_BIN_EXE_chatls");
    let run = Command::new("sh").args(["-c", script, chatls]).current_dir(&folder.path).output().unwrap();
    let error = String::from_utf8(run.stderr).unwrap();
    assert!(error.starts_with("error: the current folder is gone, or cannot be read: "), "{error}");
    assert_eq!(run.status.code(), Some(2));
}

/// A transcript that is not JSON is reported once, at the first place where it is none; other JSON
/// is left alone.
#[test]
fn transcripts_that_are_no_json_are_reported() {
    const CHAT: &str = r#"[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]"#;
    let check = |name: &str, text: &str, expected: Option<(&str, &str)>| {
        let folder = Folder::new("odd-json", &[(name, text.as_bytes())]);
        let run = folder.run(&["check", "--format", "concise", "--quiet", name]);
        let line = |(place, reason): (&str, &str)| {
            format!("{name}:{place}: error[invalid-json] {reason}: other programs reject all of it\n")
        };
        assert_eq!(run.stdout, expected.map(line).unwrap_or_default(), "{text}");
        assert_eq!(run.status, i32::from(expected.is_some()), "{text}");
    };
    let ends = "the document ends in the middle of its JSON";
    let goes_on = "the document goes on after its JSON";
    check("a.json", CHAT, None);
    check("a.json", &format!("\u{feff}{CHAT}\n"), None);
    check("a.json", &format!("{}\n", &CHAT[..74]), Some(("1:74", ends)));
    check("a.json", &format!("{CHAT} and"), Some(("1:77", goes_on)));
    let comma = "from here on, the document is not JSON (expected `,` or `]`)";
    check("a.json", &CHAT.replace("}, ", "}\n"), Some(("2:1", comma)));
    check("a.json", &format!("\u{feff}{}", CHAT.replace("}, ", "}\né")), Some(("2:1", comma)));
    // Comments, and a value on each line.
    check("a.json", &CHAT.replace(", {", ", // one\n{"), None);
    check("a.json", &CHAT.trim_matches(['[', ']']).replace("}, ", "}\n"), None);
    let after = |text: &str| format!("{CHAT}\n{text}");
    check("a.json", &format!("// one\n{}", CHAT.replace("}, ", "}\n")), Some(("3:1", comma)));
    check("a.json", &after(CHAT), None);
    check("a.json", &after(&CHAT[..74]), Some(("2:74", ends)));
    check("a.json", &after("/* one"), Some(("2:1", goes_on)));
    // Without messages, its name alone makes it a transcript.
    let value = "from here on, the document is not JSON (expected value)";
    check("a.chat.json", "I am no JSON.", Some(("1:1", value)));
    check("a.chat.json", "\n", None);
    check("a.json", "I am no JSON.", None);
    check("tsconfig.json", "{\"a\": 1,}", None);
    let folder = Folder::new("odd-json", &[("a.chat.json", b"no")]);
    assert_eq!(folder.run(&["check", "--ignore", "invalid-json"]).status, 0);
}

/// A file, the same file in a folder, and standard input are refused alike.
#[test]
fn other_encodings_are_named() {
    let utf16 = |encode: fn(u16) -> [u8; 2]| -> Vec<u8> {
        "{\"role\": \"user\", \"content\": \"é\"}\n".encode_utf16().flat_map(encode).collect()
    };
    let little = "it is UTF-16, not UTF-8; use `iconv -f UTF-16LE -t UTF-8 FILE | chatls … -`";
    let big = "it is UTF-16, not UTF-8; use `iconv -f UTF-16BE -t UTF-8 FILE | chatls … -`";
    let gzip = "it is compressed with gzip; use `zcat FILE | chatls … -`";
    let zstd = "it is compressed with zstd; use `zstdcat FILE | chatls … -`";
    let cases: [(&[u8], &str); 4] = [
        (&utf16(u16::to_le_bytes), little),
        (&utf16(u16::to_be_bytes), big),
        (b"\x1f\x8b\x08\0\0\0\0\0", gzip),
        (b"\x28\xb5\x2f\xfd\x24\x0b", zstd),
    ];
    for (number, (content, reason)) in cases.iter().enumerate() {
        let folder = Folder::new(&format!("odd-encoding-{number}"), &[("a.jsonl", content)]);
        for command in ["check", "calls"] {
            let named = folder.run(&[command, "a.jsonl"]);
            named.check(2, "", &format!("error: cannot read `a.jsonl`: {reason}"));
            let found = folder.run(&[command]);
            assert!(found.stderr.contains(&format!("`a.jsonl` is skipped: {reason}")), "{}", found.stderr);
            let piped = folder.run_with_input(&[command, "-"], content);
            assert_eq!(piped.status, 2);
            assert!(
                piped.stderr.contains(&format!("cannot read standard input: {reason}")),
                "{}",
                piped.stderr
            );
        }
    }
}

#[test]
fn output_files_are_not_read() {
    let folder = Folder::new("odd-stdout", &[("a.md", BAD), ("z.jsonl", b"")]);
    let stdout = fs::File::create(folder.path.join("z.jsonl")).unwrap();
    let output = folder.command(&["check", "--statistics"]).stdout(stdout).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let written = fs::read_to_string(folder.path.join("z.jsonl")).unwrap();
    assert!(written.ends_with("in 1 file\n") && !written.contains("z.jsonl"), "{written}");
}

#[cfg(unix)]
#[test]
fn irregular_files_are_skipped() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new("odd-kinds", &[("z.md", BAD), ("dir.md/in.md", b"")]);
    let at = |name: &str| folder.path.join(name);
    assert!(Command::new("mkfifo").arg(at("a.md")).status().unwrap().success());
    symlink("nowhere", at("dangling.md")).unwrap();
    symlink("loop.md", at("loop.md")).unwrap();
    symlink(".", at("up")).unwrap();
    symlink("z.md", at("link.md")).unwrap();
    let run = folder.run(&["check", "--format", "jsonl"]);
    assert!(
        run.stdout.starts_with("{\"file\":\"z.md\"") && run.stdout.lines().count() == 1,
        "{}",
        run.stdout
    );
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    // Unreadable files given by name are reported.
    let missing = "error: cannot read `dangling.md`: file not found";
    folder.run(&["check", "dangling.md"]).check(2, "", missing);
    let run = folder.run(&["check", "loop.md"]);
    assert!(run.status == 2 && run.stderr.starts_with("error: cannot read `loop.md`"), "{}", run.stderr);
    assert_eq!(folder.run(&["check", "link.md"]).status, 1);
}

/// An unreadable file, unless root runs this.
#[cfg(unix)]
#[test]
fn an_unreadable_file_in_a_folder_is_a_failure() {
    use std::os::unix::fs::PermissionsExt;

    // The program's folder may be inaccessible to other users, and so may the parents of the tests'
    // folders.
    let folder = Folder { path: std::env::temp_dir().join(format!("chatls-odd-{}", std::process::id())) };
    fs::create_dir_all(folder.path.join("closed")).unwrap();
    let program = folder.path.join("chatls");
    fs::copy(env!("CARGO_BIN_EXE_chatls"), &program).unwrap();
    fs::write(folder.path.join("a.md"), BAD).unwrap();
    fs::write(folder.path.join("z.md"), BAD).unwrap();
    let close = |name: &str, mode| {
        fs::set_permissions(folder.path.join(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    close("", 0o755);
    close("a.md", 0o000);
    close("closed", 0o000);
    let is_root = fs::read(folder.path.join("a.md")).is_ok();
    let mut command = match is_root {
        true => nobody(&program),
        false => Command::new(&program),
    };
    command.args(["check", "--format", "jsonl"]).current_dir(&folder.path).stdin(Stdio::null());
    let output = command.output().unwrap();
    close("closed", 0o755);
    fs::remove_dir_all(&folder.path).unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    let mut said: Vec<&str> = stderr.lines().collect();
    said.sort_unstable();
    let closed = "error: cannot search the folder `closed`: permission denied; allow reading it, or leave it out \
                  with `--exclude closed`";
    assert_eq!(said, ["error: cannot read `a.md`: permission denied", closed]);
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("{\"file\":\"z.md\""));
    assert_eq!(output.status.code(), Some(2));
}

/// `program`, run by a user other than root.
#[cfg(unix)]
fn nobody(program: &Path) -> Command {
    use std::os::unix::process::CommandExt;

    let mut command = Command::new(program);
    command.uid(65534).gid(65534);
    command
}

/// Only the beginning of a large binary file is read, so the memory limit is far below its size.
#[cfg(target_os = "linux")]
#[test]
fn a_large_binary_file_takes_no_memory() {
    let folder = Folder::new("odd-large", &[("z.md", b"")]);
    let large = fs::File::create(folder.path.join("a.md")).unwrap();
    large.set_len(5 << 30).unwrap();
    let program = env!("CARGO_BIN_EXE_chatls");
    let script = format!("ulimit -v 2000000; exec '{program}' check --jobs 1");
    let output = Command::new("sh").args(["-c", &script]).current_dir(&folder.path).output().unwrap();
    drop(fs::remove_file(folder.path.join("a.md")));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "warning: `a.md` is skipped: it is a binary file\n");
    assert_eq!(output.status.code(), Some(0));
}
