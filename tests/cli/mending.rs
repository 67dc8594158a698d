//! `check --fix`, and baselines: what is mended, and what is known.

use super::run::Folder;

const BAD: &str = "```tool\n{\"toolName\": \"f\", \"state\": \"dun\",}\n```\n";

fn folder(name: &str) -> Folder {
    Folder::new(name, &[("a.md", BAD.as_bytes()), ("b.md", b"text\n")])
}

fn text(folder: &Folder) -> String {
    std::fs::read_to_string(folder.path.join("a.md")).unwrap()
}

#[test]
fn safe_fixes_are_made_and_the_rest_is_said() {
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
    assert_eq!((run.status, run.stdout.lines().count(), run.stderr.trim()), (1, 1, "1 finding is mended"));
    assert!(run.stdout.contains("\"code\":\"bad-state\""), "{}", run.stdout);
    let run = folder.run_with_input(&["check", "--fix", "-"], BAD.as_bytes());
    assert_eq!((run.status, run.stdout), (1, BAD.replace(",}", "}")));
    assert_eq!(folder.run(&["check", "--diff", "b.md"]).status, 0);
}

#[test]
fn a_baseline_knows_what_was_there() {
    let folder = folder("baseline");
    let run = folder.run(&["check", "--baseline", "known.jsonl", "--write-baseline"]);
    assert_eq!((run.status, run.stderr.trim()), (0, "2 findings are known now, in `known.jsonl`"));
    let run = folder.run(&["check", "--baseline", "known.jsonl"]);
    assert_eq!((run.status, run.stderr.trim()), (0, "2 findings are known, and not shown"));
    std::fs::write(folder.path.join("a.md"), format!("new\n\n{BAD}\n{BAD}")).unwrap();
    let run = folder.run(&["check", "--baseline", "known.jsonl", "--format", "jsonl", "--statistics"]);
    assert_eq!(run.status, 1);
    assert_eq!(run.stdout.lines().count(), 2, "the second one is new: {}", run.stdout);
    assert!(run.stderr.contains("      1  bad-state"), "{}", run.stderr);
    std::fs::write(folder.path.join("known.jsonl"), "[]\n").unwrap();
    let run = folder.run(&["check", "--baseline", "known.jsonl"]);
    assert!(run.status == 2 && run.stderr.contains("is no baseline: line 1"), "{}", run.stderr);
    let run = folder.run(&["check", "--baseline", "none.jsonl"]);
    assert!(run.status == 2 && run.stderr.contains("none.jsonl"), "{}", run.stderr);
}
