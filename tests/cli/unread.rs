//! Transcripts of programs whose tool calls are not read: every command says so, and ordinary texts
//! have nothing of it.

use super::run::Folder;

const AIDER: &str = "#### go ahead\n\nDone.\n\n> Running cargo test\n> Commit 14799cb aider: Added it\n";
const OPENCODE: &str =
    "# Fix it\n\n- Session ID: ses_1\n\n**Assistant:**\n\nCalled the Read tool with `a.md`\n";
const ALL: [(&str, &str, usize); 2] = [("aider", AIDER, 5), ("opencode", OPENCODE, 7)];

#[test]
fn calls_that_are_not_read_are_reported_once() {
    for (number, (program, text, line)) in ALL.iter().enumerate() {
        // Also for programs that write CRLF, and for a second call.
        for text in [(*text).to_owned(), text.replace('\n', "\r\n"), format!("{text}\n{text}")] {
            let folder = Folder::new(&format!("unread-{number}"), &[("a.md", text.as_bytes())]);
            let message = format!("this is a transcript of {program}, whose tool calls are not read");
            let run = folder.run(&["check", "--format", "concise"]);
            let expected =
                format!("a.md:{line}:1: information[not-checked] {message}\n1 information in 1 file\n");
            assert_eq!((run.status, run.stdout.as_str()), (0, expected.as_str()), "{text}");
            let run = folder.run(&["check", "--format", "jsonl"]);
            assert!(
                run.stdout.contains("\"code\":\"not-checked\",\"severity\":\"information\""),
                "{}",
                run.stdout
            );
            let warning =
                format!("warning: `a.md` is a transcript of {program}, whose tool calls are not read");
            for command in [
                &["calls"][..],
                &["calls", "a.md"],
                &["stats"],
                &["view"],
                &["convert", "--to", "fence", "a.md"],
            ] {
                let run = folder.run(command);
                assert_eq!((run.status, run.stderr.trim_end()), (0, warning.as_str()), "{command:?}");
            }
            let run = folder.run_with_input(&["calls", "-"], text.as_bytes());
            assert_eq!(run.stderr.trim_end(), warning.replace("a.md", "-"));
        }
    }
}

#[test]
fn many_such_files_have_one_warning_for_each_program() {
    let files = [("a.md", OPENCODE), ("b.md", OPENCODE), ("c.md", AIDER)];
    let files = files.map(|(name, text)| (name, text.as_bytes()));
    let folder = Folder::new("unread-many", &files);
    folder.run(&["calls"]).check(
        0,
        "",
        "warning: `c.md` is a transcript of aider, whose tool calls are not read\n\
         warning: 2 files are transcripts of opencode, whose tool calls are not read",
    );
}

#[test]
fn it_can_be_configured_and_excluded() {
    let configured = |config: &str| {
        let files = [("a.md", OPENCODE.as_bytes()), ("chatls.toml", config.as_bytes())];
        let run = Folder::new("unread-configured", &files).run(&["check", "--format", "concise", "."]);
        run.stdout + &run.stderr
    };
    assert_eq!(configured("[lint]\nnot-checked = \"off\"\n"), "no problems in 1 file\n");
    assert!(configured("[lint]\nnot-checked = \"error\"\n").starts_with("a.md:7:1: error[not-checked] "));
    assert!(!configured("exclude = [\"a.md\"]\n").contains("not-checked"));
    let text = format!("<!-- chatls-disable not-checked -->\n\n{OPENCODE}");
    let folder = Folder::new("unread-suppressed", &[("a.md", text.as_bytes())]);
    folder.run(&["check"]).check(0, "no problems in 1 file\n", "");
}

/// Documentation of these programs, and prose with similar lines, are ordinary texts.
#[test]
fn ordinary_texts_have_no_note() {
    let fenced = |text: &str| format!("# How it looks\n\n```md\n{text}```\n\nEnd.\n");
    let quoted = |text: &str| text.lines().map(|line| format!("> {line}\n")).collect::<String>();
    let mut texts: Vec<String> = ALL.iter().map(|(_, text, _)| fenced(text)).collect();
    texts.push(quoted(OPENCODE));
    for prose in [
        "# aider\n\nThen it says:\n\n> Applied edit to pong.py\n",
        "# Tags\n\n<read_file>\n<path>a.md</path>\n</read_file>\n",
        "Using \"Replace String in File\" is easy.\n\nRead [](file:///a)\n",
        "# Bullets\n\n⏺ one\n⏺ two\n",
        "**Tool: hammer**\n\nIt hits nails.\n",
        "Called the Read tool\n",
    ] {
        texts.push(prose.to_owned());
    }
    for text in texts {
        let folder = Folder::new("unread-none", &[("a.md", text.as_bytes())]);
        folder.run(&["check"]).check(0, "no problems in 1 file\n", "");
        folder.run(&["calls"]).check(0, "", "");
    }
}
