//! The forms of SpecStory's histories.

use super::check;

pub(super) const SPECSTORY: &str = "<tool-use data-tool-type=\"shell\" data-tool-name=\"Bash\"><details>\n\
    <summary>Tool use: **Bash**</summary>\nList\n\n`ls`\n\n```text\na.py\n```\n</details></tool-use>\n";
pub(super) const CURSOR: &str = "<tool-use data-tool-type=\"read\" data-tool-name=\"read_file\">\n<details>\
    <summary>Tool use: **read_file** • Read file: a.py</summary>\n\n</details>\n</tool-use>\n";
const OLD_SPECSTORY: &str = "_**Assistant**_\n\nI look.\n\n---\n\nTool use: **read_file**\n\nRead file: a.py\n\n---\n\n\
    Tool use: **run_terminal_cmd**\n\n```bash\nls\n```\n\nTool use: **Read** `b.py`\n\nResult:\n\n```\nx\n```\n\nTool use: **sh** `ls`\n\n```\na\n```\n";

pub(super) const ALL: [(&str, &[&str]); 3] = [
    (SPECSTORY, &["🔧 Bash(List `ls`) → a.py"]),
    (CURSOR, &["🔧 read_file(Read file: a.py)"]),
    (
        OLD_SPECSTORY,
        &["🔧 read_file() ⏳", "🔧 run_terminal_cmd(ls) ⏳", "🔧 Read(b.py) → x", "🔧 sh(ls) → a"],
    ),
];

#[test]
fn elements_have_other_attributes() {
    check(
        &CURSOR.replace("read_file\">", "read_file\" data-edit-status=\"accepted\">"),
        &["🔧 read_file(Read file: a.py)"],
    );
}

/// The tags of SpecStory in what a tool read do not end its element.
#[test]
fn tags_in_a_result_are_text() {
    let text = SPECSTORY.replace("a.py", "1→</details></tool-use>\nx </tool-use>");
    check(&text, &["🔧 Bash(List `ls`) → 2 lines"]);
    check(&format!("{}\n{SPECSTORY}", &text[..60]), &["🔧 Bash(List `ls`) → a.py"]);
}

/// A fence that begins in a thought of SpecStory ends with it.
#[test]
fn thoughts_are_text() {
    let thought = "<think><details><summary>Thought Process</summary>\n# a\n``` b\n\n- c</details></think>\n";
    let text = format!("{thought}\n{SPECSTORY}");
    check(&text, &["🔧 Bash(List `ls`) → a.py"]);
    check(&text.replace("<think>", "A <think>"), &[]);
    check(&text.replace("</think>", ""), &[]);
}
