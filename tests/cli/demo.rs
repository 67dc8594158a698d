//! `demo`: without a terminal it plays to its end as plain text.

use super::run::Folder;

#[test]
fn the_sample_plays_to_its_end() {
    let folder = Folder::new("demo", &[("a.md", b"")]);
    let run = folder.run(&["demo"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    assert!(!run.stdout.contains('\u{1b}'));
    for shown in
        ["🔧 3 tool calls · 1 failed", "error[bad-state]", "error[invalid-json]", "error[unknown-tool]"]
    {
        assert!(run.stdout.contains(shown), "{shown}\n{}", run.stdout);
    }
}

#[test]
fn a_played_file_is_not_written() {
    let documents: [(&str, &[u8]); 4] = [
        ("a.md", b"# hi\n\n```tool\n{ \"toolName\": \"x\" }\n```\n"),
        ("empty.md", b""),
        ("log.jsonl", b"{\"type\":\"tool-call\",\"toolCallId\":\"1\",\"toolName\":\"x\",\"input\":{}}\n"),
        ("crlf.md", b"a\r\n```tool\r\n{ \"state\": \"done\" }\r\n```\r\n"),
    ];
    let folder = Folder::new("demo-file", &documents);
    for (name, content) in documents {
        let run = folder.run(&["demo", name]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{name}\n{}", run.stdout);
        assert_eq!(std::fs::read(folder.path.join(name)).unwrap(), content);
    }
    std::fs::write(folder.path.join("bin.md"), b"\xff").unwrap();
    let run = folder.run(&["demo", "bin.md"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("cannot read `bin.md`: it is not UTF-8"), "{}", run.stderr);
    std::fs::File::create(folder.path.join("large.md")).unwrap().set_len((8 << 20) + 1).unwrap();
    let run = folder.run(&["demo", "large.md"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("`large.md` is larger than the limit of 8 MiB"), "{}", run.stderr);
    let run = folder.run(&["demo", "none.md"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("cannot read `none.md`"), "{}", run.stderr);
}

#[test]
fn a_server_that_does_not_start_is_reported() {
    let folder = Folder::new("demo-fails", &[("bad.toml", b"")]);
    let mut command = folder.command(&["demo", "--no-delay"]);
    // The server inherits the environment, and cannot start with this.
    let output = command.env("CHATLS_LOG", "a=b=c").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("CHATLS_LOG is not a log filter"));
}
