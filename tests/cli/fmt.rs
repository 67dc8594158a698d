//! `fmt`: payloads are laid out, in place, to stdout, or only as far as said.

use super::run::Folder;

const BEFORE: &[u8] = b"```tool\n{\"toolName\":\"f\"}\n```\n";
const AFTER: &str = "```tool\n{\n  \"toolName\": \"f\"\n}\n```\n";

#[test]
fn files_are_written_in_their_places_and_standard_input_is_printed() {
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
