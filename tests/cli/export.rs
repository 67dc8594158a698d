//! `view --format html` and `markdown`: exported chats.

use super::run::Folder;

const CHAT: &[u8] = b"**User:**\nhello <script>x</script>\n\n<tool>f()\nok</tool>\n\n<tool>g()\n</tool>\n";

#[test]
#[cfg_attr(windows, ignore = "Windows has no such names of files")]
fn one_page_contains_all_files() {
    let folder = Folder::new("export-html", &[("a.md", CHAT), ("b<i>.md", CHAT)]);
    let run = folder.run(&["view", "--format", "html", "a.md"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(
        run.stdout.starts_with("<!doctype html>\n") && run.stdout.ends_with("</html>\n"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("<title>a.md</title>") && !run.stdout.contains("<script"), "{}", run.stdout);
    let all = folder.run(&["view", "--format", "html", "."]).stdout;
    assert_eq!((all.matches("<!doctype").count(), all.matches("<details").count()), (1, 2));
    let (first, second) = (all.find(">a.md<").unwrap(), all.find(">b&lt;i&gt;.md<").unwrap());
    assert!(first < second, "{all}");
    let none = folder.run(&["view", "--format", "html", "none.md"]);
    assert_eq!((none.status, none.stdout.as_str()), (2, ""));
}

#[test]
fn markdown_has_no_dialects() {
    let folder = Folder::new("export-markdown", &[("a.md", CHAT), ("b.md", b"text\n")]);
    let chat = "## User\n\nhello <script>x</script>\n\n**\u{1f527} 2 tool calls**\n\n- `f()` \u{2192} `ok`\n- `g()`\n";
    folder.run(&["view", "--format", "markdown", "a.md"]).check(0, chat, "");
    let all = format!("# `a.md`\n\n{chat}\n# `b.md`\n\ntext\n");
    folder.run(&["view", "--format", "markdown", "."]).check(0, &all, "");
    // The output has no diagnostics and no tool calls.
    std::fs::write(folder.path.join("out.md"), chat).unwrap();
    folder.run(&["calls", "out.md"]).check(0, "", "");
}
