//! Calls of other programs that are read as text.

use super::diagnostics::check;
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::text::Text;

#[test]
fn elements_without_an_end_are_reported() {
    for (opener, rest) in [
        ("<read_file>", "\n<path>a</path>\n"),
        ("<write_to_file>", "\n<path>a</path>\n<content>\nb\n\nc\n"),
        ("<function=", "a>{\"b\": 1}\n"),
        ("<invoke name=\"", "a\">\n<parameter name=\"b\">c</parameter>\n"),
        ("<tool-use data-tool-type=\"", "read\" data-tool-name=\"a\">\nb\n"),
    ] {
        check(&format!("Assistant: I look.\n\n«leaked-markup:{opener}»{rest}\nUser: and?\n"));
        check(&format!(
            "> Assistant: I look.\n>\n> «leaked-markup:{opener}»{}\n\nUser: and?\n",
            rest.trim_end().replace('\n', "\n> ")
        ));
        // Until another message or call begins, it may still be written.
        check(&format!("Assistant: I look.\n\n{opener}{rest}\nText.\n"));
    }
}

#[test]
fn calls_in_lines_of_text_are_reported() {
    let call = "<path>a</path></read_file>";
    check(&format!(
        "Assistant: I look «leaked-markup:<read_file>»{call} now.\n\n###:{{\"toolName\": \"a\"}}\n"
    ));
    check(&format!("Assistant: `<read_file>{call}` reads.\n\nUser: and?\n"));
    for text in [
        "<read_file>",
        "<read_file><path>a</path>",
        "<read_file><where>a</where></read_file>",
        "<read_file></read_file>",
    ] {
        check(&format!("Assistant: I look {text} now.\n\nUser: and?\n"));
    }
}

#[test]
fn other_texts_are_silent() {
    let settings = Settings { is_named: false, ..Settings::default() };
    let text = "# Tools\n\n<read_file>\n<path>a</path>\n\nSo <read_file><path>a</path></read_file> reads.\n\n## User\n\nHi\n";
    let document = Document::new(Text::new(text), Language::Markdown, settings.into());
    assert_eq!(document.diagnostics(), []);
}
