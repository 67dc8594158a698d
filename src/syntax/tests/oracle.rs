//! The fenced code blocks are the same as in a conforming parser, on any input.
//!
//! pulldown-cmark is the oracle. Where it deviates from the specification, `DEPARTURES` contains
//! inputs with the correct result (the result of commonmark.js, unless it deviates, too), and the
//! random test avoids exactly these deviations:
//!
//! - It accepts `\r` as a line end only in some positions, and drops an unterminated last line of
//!   only spaces: its documents have `\n` line ends, also at the end, and none ends with such a
//!   line.
//! - A byte order mark at the start is text for it; the specification does not mention it, and this
//!   parser skips it.
//! - It ends an HTML block of kind 1 only at the tag that started it; the specification says "it
//!   need not match the start tag". The random documents contain only one of the four names.
//! - It does not recognize a closing fence followed by a tab: the random documents have no such
//!   line.
//! - It does not accept a tab as indentation before a `>`: the random documents have spaces there.
//! - It accepts U+000B as white space in HTML: the random documents have none.
//! - It keeps the rest of the indentation of a blank line in a fence in a list item, where cmark
//!   and commonmark.js drop it: lines of only white space count as empty.

use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use super::soup::{MARKDOWN, soup};
use crate::syntax::content::lines;
use crate::syntax::{InlineRules, Tree, parse};
use crate::text::Text;

/// Info string and content of each fenced code block, with `\n` line ends.
type Fences = Vec<(String, String)>;

fn ours(source: &str) -> Fences {
    let text = Text::new(source);
    let tree: Tree = parse(&text, &InlineRules::markdown());
    tree.assert_invariants();
    assert_eq!(tree.bytes(), source.len());
    let fence = |index: usize| {
        let fence = tree.fence(index)?;
        let info = unescape(fence.head.info.shifted(fence.range.start).of(source));
        let content = tree.fence_content(&text, &fence, usize::MAX);
        for (at, character) in content.text.char_indices().filter(|(_, c)| !matches!(c, ' ' | '\t')) {
            let span = crate::text::Span::new(at, at + character.len_utf8());
            let source_span = content.to_segment(span).shifted(fence.range.start);
            assert_eq!(source_span.of(source), span.of(&content.text), "the way back of {at}");
        }
        Some((info, one_line_end(&content.text)))
    };
    (0..tree.len()).filter_map(fence).collect()
}

fn theirs(source: &str) -> Fences {
    let mut fences = Fences::new();
    let mut open: Option<(String, String)> = None;
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let source = source.replace("\r\n", "\n").replace('\r', "\n") + "\n";
    for event in Parser::new(source.strip_suffix("\n\n").map_or(&source, |_| &source[..source.len() - 1])) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                open = Some((info.to_string(), String::new()))
            }
            Event::Text(text) => {
                if let Some((_, content)) = &mut open {
                    content.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                fences.extend(
                    open.take().map(|(info, content)| (info.trim().to_owned(), one_line_end(&content))),
                );
            }
            _ => {}
        }
    }
    fences
}

/// Converts line ends to `\n`, drops the last one, and empties lines of only white space.
fn one_line_end(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let content = |line: &str| if line.trim_matches([' ', '\t']).is_empty() { "" } else { line }.to_owned();
    text.split('\n').map(content).collect::<Vec<_>>().join("\n")
}

/// Info strings are raw in the tree: "backslash escapes … work in info strings".
fn unescape(info: &str) -> String {
    let mut out = String::new();
    let mut rest = info.chars().peekable();
    while let Some(character) = rest.next() {
        match rest.peek() {
            Some(next) if character == '\\' && next.is_ascii_punctuation() => out.extend(rest.next()),
            _ => out.push(character),
        }
    }
    // "leading and trailing spaces or tabs" are removed; both parsers of the oracle remove more.
    out.trim().to_owned()
}

/// Inputs that pulldown-cmark 0.13 parses differently from the specification, with the result of
/// commonmark.js.
const DEPARTURES: &[(&str, &[(&str, &str)])] = &[
    ("<script>\n</textarea>\n~~~a\nb\n", &[("a", "b")]),
    ("<pre>\n</style>\n- ```a\n  b\n", &[("a", "b")]),
    ("~~~a\rb\r~~~\rc", &[("a", "b")]),
    ("```a\n\n```\t\nb\n", &[("a", "")]),
    ("a\n>\n\t> ```\n\tb\n", &[]),
    ("</pre>\u{b}\n```", &[("", "")]),
    ("```\r`````", &[("", "")]),
    (">\n\n- \t```\r```", &[("", ""), ("", "")]),
    ("- ```a\n  b\n    \n  c\n", &[("a", "b\n\nc")]),
];

#[test]
fn departures_follow_the_specification() {
    for (source, fences) in DEPARTURES {
        let fences: Fences =
            fences.iter().map(|(info, content)| (info.to_string(), content.to_string())).collect();
        assert_eq!(ours(source), fences, "{source:?}");
    }
}

fn without_tab_before_quote(source: &str) -> String {
    let expand = |piece: &str| {
        let text = piece.trim_end_matches([' ', '\t']);
        format!("{text}{}", piece.get(text.len()..).unwrap_or_default().replace('\t', "    "))
    };
    source.split('>').map(expand).collect::<Vec<_>>().join(">")
}

fn without_tab_behind_fence(source: &str) -> String {
    let strip = |line: &str| {
        let (content, end) = line.split_at(line.trim_end_matches(['\r', '\n']).len());
        let fence = content.trim_end_matches([' ', '\t']);
        let is_fence = content.ends_with('\t') && (fence.ends_with("```") || fence.ends_with("~~~"));
        format!("{}{end}", if is_fence { fence } else { content })
    };
    lines(source).map(strip).collect()
}

fn without_departures() -> impl Strategy<Value = String> {
    (soup(&[MARKDOWN], 40), any::<bool>()).prop_map(|(source, is_old_mac)| {
        let source =
            ["script", "style", "textarea"].iter().fold(source, |source, name| source.replace(name, "pre"));
        let source = without_tab_behind_fence(&without_tab_before_quote(&source)).replace('\u{b}', "");
        let last_line = source.rsplit(['\n', '\r']).next().unwrap_or_default();
        let is_blank = !last_line.is_empty() && last_line.trim_matches([' ', '\t', '>']).is_empty();
        let source = if is_blank { source + "\n" } else { source };
        // A `\r` line end would merge with a following `\n` when the prefix between them is
        // removed.
        match is_old_mac {
            true => source.replace("\r\n", "\r").replace('\n', "\r"),
            false => source.replace("\r\n", "\n").replace('\r', "\r\n"),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn agrees_with_pulldown_cmark(source in without_departures()) {
        prop_assert_eq!(ours(&source), theirs(&source));
    }
}
