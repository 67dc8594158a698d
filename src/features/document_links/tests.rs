//! Fixtures of links: the text with links in `«»`, and their targets where they differ from the
//! text.

use std::sync::Arc;

use proptest::prelude::*;

use super::{DocumentLink, document_links, source_links};
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::features::samples::cut_documents;
use crate::text::Text;

fn open(text: &str, language: Language) -> Document {
    Document::new(Text::new(text), language, Arc::new(Settings::default()))
}

/// Compares `links` with the marks of `marked`; a target equals its text unless listed in `paths`.
#[track_caller]
fn compare(text: &str, links: &[DocumentLink<'_>], marked: &str, paths: &[&str]) {
    let mut shown = text.to_owned();
    let mut others = Vec::new();
    for DocumentLink { range, path } in links.iter().rev() {
        if text[range.clone()] != **path {
            others.insert(0, &**path);
        }
        shown.insert(range.end, '»');
        shown.insert(range.start, '«');
    }
    assert_eq!(shown, marked);
    assert_eq!(others, paths, "{marked}");
}

#[track_caller]
fn check_in(language: Language, marked: &str, paths: &[&str]) {
    for marked in [marked.to_owned(), marked.replace('\n', "\r\n")] {
        let text = marked.replace(['«', '»'], "");
        compare(&text, &document_links(&open(&text, language), &|| true), &marked, paths);
    }
}

#[track_caller]
fn check(marked: &str, paths: &[&str]) {
    check_in(Language::Markdown, marked, paths);
}

#[test]
fn inputs_in_each_dialect() {
    check(
        "> 👋\n>\n> ```tool\n> {\"toolName\": \"a/b\", \"input\": {\"x\": \"«src/main.rs»\", \"y\": [\"«a.py»\", {\"z\": \"«./b»\"}]},\n>  \"output\": \"c/d\"}\n> ```\n",
        &[],
    );
    check(
        "- ###: {\"toolName\": \"rd\", \"parameters\": {\"x\": \"«src\\/a b\\u002ejson»\"}}\n",
        &["src/a b.json"],
    );
    check("<tool>rd(x=«a&amp;b/c.md», n=1)\ne/f.md</tool>\n", &["a&b/c.md"]);
    check("🔧 **Tool Call:** `rd(x=«/etc/hosts»)`\n", &[]);
    check(
        "<tool>rd(x=\"«a/b»\", y=[\"«c.md»\", {\"z\": \"«d/\\u0065»\"}], file=\"«f»\")\nok</tool>\n",
        &["d/e"],
    );
    check("🔧 **Tool Call:** `rd(x=\"«a/b»\")`\n", &[]);
    check_in(
        Language::Log,
        "data: {\"type\":\"tool-call\",\"toolCallId\":\"a/b\",\"toolName\":\"rd\",\"input\":{\"x\":\"«a/b»\"}}\n\
         data: {\"type\":\"tool-result\",\"toolCallId\":\"a/b\",\"input\":{\"x\":\"a/b\"},\"output\":\"c/d\"}\n",
        &[],
    );
    check("text about src/main.rs and `<tool>rd(x=a/b)</tool>`\n", &[]);
}

#[test]
fn incomplete_payloads() {
    check("```tool\n{\"input\": {\"x\": \"«a/b»\", \"y\" \"«c.md»\", \"z\": \"d/e\n", &[]);
    check("```tool\n{\"input\": {\"x\": a/b, 'y': '«a/b»'", &[]);
    check("<tool>rd(x=«a/b», y=\nmore", &[]);
}

#[test]
fn strings_that_look_like_paths() {
    let one = |key: &str, value: &str| format!("```tool\n{{\"input\": {{\"{key}\": \"{value}\"}}}}\n```\n");
    for value in ["«a/b»", "«../a»", "«/a/b.c»", "«Makefile.am»", "«.gitignore»", "«with space.md»"]
    {
        check(&one("x", value), &[]);
    }
    for value in
        ["", "word", "1.", "two words", "https://a.b/c", "a/b/", "a\\nb/c", " a/b", "a/*.rs", "<a/b>"]
    {
        check(&one("x", value), &[]);
    }
    for key in ["path", "file_name", "filePath"] {
        check(&one(key, "«Makefile»"), &[]);
    }
    check(&one("x", &"a/".repeat(600)), &[]);
}

#[test]
fn excluded_documents_have_no_links() {
    let text = "<tool>rd(x=a/b)</tool>\n";
    let of = |enabled| {
        let settings = Arc::new(Settings { enabled, ..Settings::default() });
        document_links(&Document::new(Text::new(text), Language::Markdown, settings), &|| true).len()
    };
    assert_eq!((of(true), of(false)), (1, 0));
}

#[test]
fn sources_of_a_configuration() {
    let check = |marked: &str, paths: &[&str]| {
        let text = marked.replace(['«', '»'], "");
        compare(&text, &source_links(&text), marked, paths);
    };
    check("# é\r\ntools = [\"«tools.json»\", '«../b c.json»', \"preset:file-tools\"]\r\n[lint]\n", &[]);
    check("tools = [«\"a\\u002ejson\"», «\"\"\"b.json\"\"\"»]\n", &["a.json", "b.json"]);
    // Invalid entries do not affect the others.
    check("tools = [\"«a.json»\", 7, \"\"]\nlint = \nprotocol = 3\n", &[]);
    check("include = [\"a/b\"]\n", &[]);
    check("tools = \"«a.json»\"\n", &[]);
    check("tools = 3\n", &[]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// For any truncated document, links are in order, disjoint, at character boundaries, within
    /// one line and not blank.
    #[test]
    fn links_are_valid_in_truncated_documents(
        (text, language) in cut_documents(),
    ) {
        // Each name becomes a path.
        let text = &*text.replace("\": \"", "\": \"a/");
        let mut end = 0;
        for DocumentLink { range, path } in document_links(&open(text, language), &|| true) {
            prop_assert!(end <= range.start);
            let written = text.get(range.clone());
            prop_assert!(written.is_some_and(|it| !it.trim().is_empty() && !it.contains(['\n', '\r', '"'])), "{:?}", written);
            prop_assert!(!path.contains(['\n', '\r']));
            end = range.end;
        }
        let _ = source_links(text);
    }
}
