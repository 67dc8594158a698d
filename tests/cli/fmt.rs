//! `fmt`: formats payloads in place, to stdout, or in the given ranges.

use super::run::Folder;

const BEFORE: &[u8] = b"```tool\n{\"toolName\":\"f\"}\n```\n";
const AFTER: &str = "```tool\n{\n  \"toolName\": \"f\"\n}\n```\n";

#[test]
fn files_are_written_in_place_and_standard_input_is_printed() {
    let folder = Folder::new("fmt", &[("a.md", BEFORE), ("b.md", b"text\n")]);
    folder.run(&["fmt", "--check"]).check(1, "a.md\n", "");
    let diff = folder.run(&["fmt", "--diff"]);
    let expected = "--- a.md\n+++ a.md\n@@ -1,3 +1,5 @@\n ```tool\n-{\"toolName\":\"f\"}\n+{\n+  \"toolName\": \"f\"\n+}\n ```\n";
    diff.check(1, expected, "");
    assert_eq!(std::fs::read(folder.path.join("a.md")).unwrap(), BEFORE, "neither writes");
    folder.run(&["fmt"]).check(0, "", "");
    assert_eq!(std::fs::read_to_string(folder.path.join("a.md")).unwrap(), AFTER);
    folder.run(&["fmt", "--check"]).check(0, "", "");
    folder.run_with_input(&["fmt", "-"], BEFORE).check(0, AFTER, "");
}

#[test]
fn nothing_is_written_with_an_invalid_configuration() {
    let folder = Folder::new("fmt-config", &[("a.md", BEFORE), ("chatls.toml", b"bad = = ")]);
    for arguments in [&["fmt", "a.md"][..], &["convert", "--lossy", "--to", "tag", "--write", "a.md"]] {
        let run = folder.run(arguments);
        assert!(run.status == 2 && run.stderr.contains("chatls.toml:1:"), "{arguments:?}: {}", run.stderr);
        assert_eq!(std::fs::read(folder.path.join("a.md")).unwrap(), BEFORE);
    }
    let run = folder.run(&["view", "a.md"]);
    assert!(
        run.status == 2 && run.stderr.contains("chatls.toml:1:") && !run.stdout.is_empty(),
        "{}",
        run.stderr
    );
}

#[test]
fn very_deep_values_are_unchanged() {
    let deep = format!("```tool\n{{\"input\":{}{}}}\n```\n", "[".repeat(20_000), "]".repeat(20_000));
    let folder = Folder::new("fmt-deep", &[("a.md", BEFORE)]);
    folder.run_with_input(&["fmt", "-"], deep.as_bytes()).check(0, &deep, "");
}

/// `--write` is the word for writing files in all commands.
#[test]
fn files_are_written_in_their_place_by_one_word() {
    let before = "```tool\n{\"toolName\":  \"f\"}\n```\n";
    for arguments in [&["fmt", "-w"][..], &["fmt", "--in-place"], &["convert", "-w", "--to", "fence"]] {
        let folder = Folder::new("fmt-write", &[("a.chat.md", before.as_bytes())]);
        let run = folder.run(&[arguments, &["a.chat.md"]].concat());
        assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{arguments:?} {}", run.stderr);
    }
    let broken = "```tool\n{\"toolName\": \"f\",}\n```\n";
    for word in ["-w", "--write", "--fix", "--in-place"] {
        let folder = Folder::new("check-write", &[("a.chat.md", broken.as_bytes())]);
        assert_eq!(folder.run(&["check", word, "a.chat.md"]).status, 0);
        let after = std::fs::read_to_string(folder.path.join("a.chat.md")).unwrap();
        assert!(!after.contains("\"f\",}"), "{word}");
    }
}
