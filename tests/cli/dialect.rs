//! `dialect test`: what own forms read in documents, and what they leave.

use super::run::Folder;

const FORMS: &[u8] = "[[text]]\nname = \"acme\"\nfirst = \"▶ Tool: {name}\"\ninput = \"Input:\"\n".as_bytes();
const NOTES: &[u8] =
    "▶ Tool: read_file\nInput: {\"path\": \"a.py\"}\n\n- and ▶ tool: list\n\n`▶ Tool: x`\n".as_bytes();

#[test]
fn read_and_left_lines_are_shown() {
    let folder = Folder::new("dialect-test", &[("chatls.toml", FORMS), ("notes.md", NOTES)]);
    folder.run(&["dialect", "test", "notes.md"]).check(
        0,
        "notes.md:1: 🔧 read_file(path=a.py) ⏳\nnotes.md:4: left, looks like `acme`\n\
         notes.md:6: left, looks like `acme`\n1 tool call, 2 lines left\n",
        "",
    );
    // A label without text takes neither the next form nor what follows a blank line.
    let forms = [FORMS, b"output = \"Output:\"\n"].concat();
    let notes = "▶ Tool: a\nOutput:\n\n▶ Tool: b\nOutput: x\n▶ Tool: c\nOutput:\n\nUser: d\n";
    let folder = Folder::new("dialect-empty", &[("chatls.toml", &forms), ("notes.md", notes.as_bytes())]);
    let expected =
        "notes.md:1: 🔧 a() ⏳\nnotes.md:4: 🔧 b() → x\nnotes.md:6: 🔧 c() ⏳\n3 tool calls, 0 lines left\n";
    folder.run(&["dialect", "test", "notes.md"]).check(0, expected, "");
    let forms = [FORMS, b"[[text]]\nname = \"other\"\n"].concat();
    let folder = Folder::new("dialect-invalid", &[("chatls.toml", &forms), ("notes.md", NOTES)]);
    let warning = "warning: the configuration has 1 problem, which `chatls check chatls.toml` reports";
    assert_eq!(folder.run(&["dialect", "test", "notes.md"]).stderr.trim_end(), warning);
    let folder = Folder::new("dialect-none", &[("notes.md", NOTES)]);
    folder.run(&["dialect", "test", "notes.md"]).check(
        0,
        "0 tool calls, 0 lines left\n",
        "warning: no valid `[[text]]` or `[[dialect]]` table applies here; `chatls check chatls.toml` \
         reports errors in them",
    );
}
