//! Lines that begin messages only in the transcripts of one program.

use crate::config::Settings;
use crate::document::{Document, Language, SectionKind};
use crate::text::Text;

/// The sections of an ordinary file, each as its role or its heading, and its text.
fn sections(text: &str) -> Vec<String> {
    let settings = Settings { is_named: false, ..Settings::default() };
    let document = Document::new(Text::new(text), Language::Markdown, settings.into());
    let text = document.text();
    let shown = document.sections().iter().map(|section| match section.kind {
        SectionKind::Heading => format!("# {}", text.slice(section.title.clone())),
        SectionKind::Message(_, start) => {
            format!(
                "{}: {}",
                section.author(&mut document.cursor()),
                text.slice(start..section.range.end).trim_end()
            )
        }
    });
    shown.collect()
}

#[test]
fn aider_has_prompts_and_answers() {
    let text = "# aider chat started at 2026-03-02 09:10:00\n\n> aider v0.80\n\n#### note that  \n#### the shed is dry  \n\n\
        I add it.\n\n## Plan\n\n> Applied edit to a.txt  \n\n#### thanks  \n\n\
        # aider chat started at 2026-03-03 09:10:00\n\n> aider v0.80\n";
    let expected = [
        "# aider chat started at 2026-03-02 09:10:00",
        "User: note that  \n#### the shed is dry",
        "Assistant: I add it.\n\n## Plan\n\n> Applied edit to a.txt",
        "# Plan",
        "User: thanks",
        "# aider chat started at 2026-03-03 09:10:00",
    ];
    assert_eq!(sections(text), expected);
    let crlf = expected.map(|it| it.replace('\n', "\r\n"));
    assert_eq!(sections(&text.replace('\n', "\r\n")), crlf);
    // Without the line that aider writes, it is an ordinary text.
    assert_eq!(sections(&text.replace("# aider chat", "# A chat")), [""; 0]);
}

/// A heading in a block belongs to the block, unless it begins it.
#[test]
fn headings_in_blocks_are_no_sections() {
    let text = "# Chat\n\n### User\n\nhi\n\n### Assistant\n\n🔧 **Tool Call:** `k(a=1)`\n✅ **`k` result:**\n### User\n\
        more\n\n<tool>f()\n# One\n\n### User\n\nx</tool>\n\nbye\n\n### User\n\nthanks\n";
    let answer =
        text.find("\n\n🔧").expect("the answer")..text.find("\n\n### User\n\nthanks").expect("its end");
    let answer = format!("Assistant: {}", &text[answer]);
    assert_eq!(sections(text), ["# Chat", "User: \n\nhi", &answer, "User: \n\nthanks"]);
}

#[test]
fn the_terminal_of_claude_code_has_marks() {
    let text = "> Is it dry?\n\n⏺ Look(shed)\n  ⎿  dry\n\n⏺ It is dry.\n\n❯ thanks\n";
    let expected = ["User: Is it dry?", "Assistant: Look(shed)\n  ⎿  dry\n\n⏺ It is dry.", "User: thanks"];
    assert_eq!(sections(text), expected);
    // In other transcripts it is what a tool printed.
    let other = format!("User: look\n\nAssistant: I do.\n\n{text}");
    assert_eq!(sections(&other).len(), 2);
    assert_eq!(sections("> Is it dry?\n\n⏺ It is dry.\n\n#### thanks\n"), [""; 0]);
}

#[test]
fn codex_exec_has_lines_for_its_authors() {
    let text = "OpenAI Codex v0.146.0\n--------\nmodel: gpt-5\n--------\nuser\nIs it dry?\nthinking\n**Looking**\nexec\n\
        /bin/bash -lc 'cat a' in /b\n succeeded in 0ms:\ndry\nuser\ncodex\nIt is dry.\nuser\n";
    let shown: Vec<String> = sections(text).into_iter().filter(|it| !it.starts_with('#')).collect();
    let command = "**Looking**\nexec\n/bin/bash -lc 'cat a' in /b\n succeeded in 0ms:\ndry";
    let answer = format!("Assistant: \n{command}\nuser\ncodex\nIt is dry.\nuser");
    assert_eq!(shown, ["User: \nIs it dry?", &answer]);
    let crlf = sections(&text.replace('\n', "\r\n")).iter().filter(|it| !it.starts_with('#')).count();
    assert_eq!(crlf, 2);
    // Elsewhere, and in other texts, such a line is a word.
    assert_eq!(sections("user\nIs it dry?\ncodex\nIt is dry.\n"), [""; 0]);
}

/// The authors of the messages in a fixture.
fn authors(text: &str) -> Vec<String> {
    let author = |section: String| section.split(':').next().unwrap_or_default().to_owned();
    sections(text).into_iter().filter(|it| !it.starts_with('#')).map(author).collect()
}

#[test]
fn other_programs_have_lines_for_their_authors() {
    let family = |name: &str| {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/families");
        std::fs::read_to_string(folder.join(name)).expect("a fixture")
    };
    let check = |name: &str, expected: &[&str]| assert_eq!(authors(&family(name)), expected, "{name}");
    check("autogen.md", &["User", "Assistant"]);
    check("cursor-text.md", &["User", "Assistant"]);
    check("goose-terminal.md", &["User", "Assistant", "User"]);
    check("llamaindex.md", &["User", "Assistant"]);
    check("react.md", &["User", "Assistant"]);
    // Headings with a time or a symbol begin messages in transcripts of any program.
    check("kilo.md", &["user", "assistant"]);
    check("claude-labels.md", &["ASSISTANT", "USER", "ASSISTANT", "USER"]);
    check("gemini-shared.md", &["USER", "MODEL ✨", "USER"]);
    let react = sections(&family("react.md"));
    assert!(react.first().is_some_and(|it| it == "User: Is the shed dry?"), "{react:?}");
    let goose = sections(&family("goose-terminal.md"));
    assert!(goose.get(1).is_some_and(|it| it.starts_with("Assistant: I look.\n───")), "{goose:?}");
    // Such a line elsewhere is text.
    assert_eq!(sections("Question: is it dry?\n\nThought: no.\n\nuser:\n\nassistant:\n"), [""; 0]);
}

#[test]
fn a_command_directly_below_a_prompt_is_the_assistants() {
    let text = "OpenAI Codex v0.104.0\n--------\nmodel: gpt-5\n--------\nuser\nList the files.\nexec\n\
        /bin/bash -lc ls in /a succeeded in 1ms:\na\n\ncodex\nok\n";
    assert_eq!(authors(text), ["User", "Assistant"]);
}

/// AutoGen before 0.4.
#[test]
fn authors_of_autogen_name_their_readers() {
    let text = "user_proxy (to assistant):\n\nIs it dry?\n\n----------------\nassistant (to user_proxy):\n\n\
        ***** Suggested tool call (call_1): look *****\nArguments: \n{\"place\": \"shed\"}\n\
        **********************************************\n";
    assert_eq!(authors(text), ["User", "Assistant"]);
}
