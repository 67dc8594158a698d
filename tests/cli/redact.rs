//! `redact`: copies that can be shared, in new files only.

use std::fs;

use super::run::{Folder, Run};

/// A token, assembled here so that scanners do not report this file as a leak.
const TOKEN: [&str; 2] = ["gh", "p_16C7e42F292c6912E7710c838347Ae178B4a"];

fn chat() -> String {
    format!("# Of zoe\n\n<tool>run(cwd=/home/zoe/a, key={})</tool>\n\nzoe@corp.com\n", TOKEN.concat())
}
const REDACTED: &str =
    "# Of user1\n\n<tool>run(cwd=/home/user1/a, key=[secret-1])</tool>\n\nuser1@example.com\n";
const LOG: &str = "{\"role\":\"user\",\"content\":\"ask zoe@corp.com or ian\"}\n";

#[test]
fn a_copy_goes_to_standard_output_or_a_new_file() {
    let folder = Folder::new("redact", &[("a.md", chat().as_bytes())]);
    let summary = "replaced in 1 file: 1 secret, 1 home folder, 1 user name, 1 mail address";
    folder.run(&["redact", "a.md"]).check(0, REDACTED, summary);
    folder.run_with_input(&["redact", "-"], chat().as_bytes()).check(0, REDACTED, summary);
    folder.run(&["redact", "a.md", "-o", "b.md"]).check(0, "", summary);
    assert_eq!(fs::read_to_string(folder.path.join("b.md")).unwrap(), REDACTED);
    folder.run(&["redact", "b.md"]).check(0, REDACTED, "replaced in 1 file: nothing");

    for taken in ["a.md", "b.md"] {
        let run = folder.run(&["redact", "a.md", "-o", taken]);
        assert_eq!(run.status, 2);
        let reason =
            format!("cannot write the copy of `a.md`: `{taken}` exists: remove it, or give another name\n");
        assert!(run.stderr.contains(&reason), "{}", run.stderr);
    }
    assert_eq!(fs::read_to_string(folder.path.join("a.md")).unwrap(), chat());
    let run = folder.run(&["redact", "a.md", "-o", "c.yaml"]);
    assert!(run.status == 2 && run.stderr.contains("YAML is read, and not written"), "{}", run.stderr);
    assert_eq!(folder.run(&["redact", "none.md", "-o", "c.md"]).status, 2);
    assert!(!folder.path.join("c.md").exists());
}

#[test]
fn several_files_have_the_same_pseudonyms() {
    let files = [("in/a.md", chat()), ("in/-home-zoe-x/b.jsonl", LOG.to_owned())];
    let folder =
        Folder::new("redact-several", &[(files[0].0, files[0].1.as_bytes()), (files[1].0, LOG.as_bytes())]);
    let run = folder.run(&["redact", "in"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("name one file, or a folder for the copies with -o"), "{}", run.stderr);
    let run = folder.run(&["redact", "in", "-o", "out"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    let read = |name: &str| fs::read_to_string(folder.path.join("out").join(name)).unwrap();
    assert_eq!(read("a.md"), REDACTED);
    assert_eq!(read("-home-user1-x/b.jsonl"), LOG.replace("zoe@corp.com", "user1@example.com"));
    assert_eq!(folder.run(&["redact", "in", "-o", "out"]).status, 2, "nothing is overwritten");
}

#[test]
fn a_configuration_adds_patterns() {
    let config = "[redact]\npatterns = [\"ACME-[0-9]+\", \"ian\"]\nkeep = [\"zoe@corp.com\"]\n";
    let log = "{\"role\":\"user\",\"content\":\"ask zoe@corp.com or ian of ACME-7\",\"ian\":1}\n";
    let folder =
        Folder::new("redact-config", &[("chatls.toml", config.as_bytes()), ("a.jsonl", log.as_bytes())]);
    // The copy is written, and the status warns scripts that would send it.
    folder.run(&["redact", "a.jsonl"]).check(
        1,
        "{\"role\":\"user\",\"content\":\"ask zoe@corp.com or [redacted-1] of [redacted-2]\",\"ian\":1}\n",
        "error: a.jsonl:1: 1 word is left that is the name of a member or a tool, or the id of a call\nreplaced in 1 file: 2 matches of patterns",
    );
    fs::write(folder.path.join("chatls.toml"), "[redact]\npatterns = [\"(\"]\n").unwrap();
    let run = folder.run(&["redact", "a.jsonl", "-o", "b.jsonl"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr
            .contains("in `[redact]`, `(` is not a regular expression: unclosed group: no copy was written"),
        "{}",
        run.stderr
    );
    // Names of copies, too, which stay names of transcripts.
    fs::write(folder.path.join("chatls.toml"), config).unwrap();
    fs::create_dir(folder.path.join("in")).unwrap();
    fs::write(folder.path.join("in/ACME-7 bea@corp.com.chat.md"), "hi\n").unwrap();
    fs::write(folder.path.join("in/zoe@corp.com.md"), "hi\n").unwrap();
    assert_eq!(folder.run(&["redact", "in", "-o", "out"]).status, 0);
    for name in ["[redacted-1] user1@example.com.chat.md", "zoe@corp.com.md"] {
        assert!(folder.path.join("out").join(name).is_file(), "{name}");
    }
    // Each replacement is found again.
    fs::write(folder.path.join("chatls.toml"), "[redact]\npatterns = ['\\] .']\n").unwrap();
    fs::write(folder.path.join("a.jsonl"), "{\"content\":\"a] b c d e f g h\"}\n").unwrap();
    let run = folder.run(&["redact", "a.jsonl", "-o", "b.jsonl"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stderr.contains("a.jsonl:1: something is left that would be replaced"), "{}", run.stderr);
    assert!(!folder.path.join("b.jsonl").exists());
}

#[test]
fn sessions_are_read_by_their_ids() {
    let id = "0f1e2d3c-0000-4000-8000-000000000000";
    let session = format!(
        "{{\"type\":\"user\",\"sessionId\":\"{id}\",\"cwd\":\"/p\",\"message\":{{\"role\":\"user\",\"content\":\"hi zoe\"}}}}\n"
    );
    let file = format!("home/.claude/projects/-home-zoe-p/{id}.jsonl");
    let folder = Folder::new("redact-session", &[(&file, session.as_bytes()), ("a.md", chat().as_bytes())]);
    let run = |arguments: &[&str]| {
        Run::of(folder.command_of(&folder.path.join("home"), arguments).output().unwrap())
    };
    // The name is that of the folder that has the session.
    let printed = run(&["redact", "0f1e2d3c"]);
    assert_eq!((printed.status, printed.stdout), (0, session.replace("zoe", "user1")), "{}", printed.stderr);
    let run = run(&["redact", "0f1e2d3c", "a.md", "-o", "out"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let mut names: Vec<_> =
        fs::read_dir(folder.path.join("out")).unwrap().map(|it| it.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, [format!("{id}.jsonl").as_str(), "a.md"]);
}
