//! `view`: a transcript as a chat in the terminal.

use super::run::Folder;

const CHAT: &str = "User: hi\n\n**Assistant:** Look:\n\n<tool>pwd()\n/app</tool>\n<tool>ls(p=\u{1b}[2J)\na\nb</tool>\n\nNow:\n\n<tool>make()</tool> \u{1b}[31mdone\n";

#[test]
fn batches_are_lines_and_open_on_demand() {
    let folder = Folder::new("view", &[("a.md", CHAT.as_bytes())]);
    let expected = "User\nhi\n\nAssistant\nLook:\n\n🔧 2 tool calls (show details)\n\nNow:\n\n🔧 make() ⏳ (show details)\n\n \\u{1b}[31mdone\n";
    folder.run(&["view", "a.md"]).check(0, expected, "");
    let open = folder.run(&["view", "--expand", "a.md"]);
    let entries = "🔧 2 tool calls (hide details)\n  pwd() → /app\n  ls(p=\\u{1b}[2J)\n    a\n    b\n";
    assert!(open.stdout.contains(entries), "{}", open.stdout);
}

#[test]
fn several_files_have_their_names_and_a_missing_one_fails() {
    let log = b"{\"type\":\"text-delta\",\"id\":\"t\",\"delta\":\"hi\"}\n";
    let folder = Folder::new("view-several", &[("a.md", b"x\n"), ("b.jsonl", log)]);
    folder.run(&["view", "a.md", "b.jsonl"]).check(
        0,
        "==> a.md <==\n\nx\n\n==> b.jsonl <==\n\nAssistant\nhi\n",
        "",
    );
    let run = folder.run(&["view", "none.md"]);
    assert!(run.status == 2 && run.stderr.contains("none.md"), "{}", run.stderr);
}
