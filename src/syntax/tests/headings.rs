//! Headings and other segments, as fixtures.

use crate::syntax::{InlineRules, SegmentKind, Tree, parse};
use crate::text::Text;

/// Level, lines and title of each heading outside of containers.
fn headings(source: &str) -> Vec<(u8, &str, &str)> {
    let text = Text::new(source);
    let tree: Tree = parse(&text, &InlineRules::markdown());
    let heading = |located: crate::syntax::LocatedSegment<'_, ()>| {
        let heading = |heading: &crate::syntax::Heading| {
            (heading.level, &source[located.absolute(heading.span)], &source[located.absolute(heading.title)])
        };
        located.segment.headings().iter().map(heading).collect::<Vec<_>>()
    };
    tree.iter().flat_map(heading).collect()
}

#[test]
fn atx_and_setext() {
    assert_eq!(headings("  ## a b ##  \n"), [(2, "  ## a b ##  ", "a b")]);
    assert_eq!(headings("\u{feff}# a#\r\n#\r####### b"), [(1, "\u{feff}# a#", "a#"), (1, "#", "")]);
    assert_eq!(headings("# #\n### ###\n"), [(1, "# #", ""), (3, "### ###", "")]);
    assert_eq!(headings("a\n b\n===\nc\n---\n"), [(1, "a\n b\n===", "a\n b"), (2, "c\n---", "c")]);
    assert_eq!(headings("> # a\n\n- b\n  ===\n"), []);
    assert_eq!(headings("[a]: b\n===\n"), []);
    assert_eq!(headings("[a]: b\nc\n===\n"), [(1, "c\n===", "c")]);
    assert_eq!(headings("[a]: b\n===\n===\n"), [(1, "===\n===", "===")]);
    assert_eq!(headings("[a]:\n===\n"), [(1, "[a]:\n===", "[a]:")]);
}

/// Kind, length and content length of each segment.
fn segments(source: &str, rules: &InlineRules) -> Vec<(&'static str, u32, u32)> {
    let tree: Tree = parse(&Text::new(source), rules);
    tree.assert_invariants();
    let kind = |kind: &SegmentKind| match kind {
        SegmentKind::Blank => "blank",
        SegmentKind::Text(_) => "text",
        SegmentKind::Fence(_) => "fence",
        SegmentKind::Html { .. } => "html",
        SegmentKind::Body { .. } => "body",
        SegmentKind::Line => "line",
        SegmentKind::Json(_) => "json",
        SegmentKind::Summarized => "summarized",
    };
    tree.iter()
        .map(|located| (kind(&located.segment.kind), located.segment.len, located.segment.content_len))
        .collect()
}

#[test]
fn segments_end_with_their_blank_lines() {
    let rules = InlineRules::markdown();
    assert_eq!(segments("", &rules), []);
    assert_eq!(segments("\u{feff}", &rules), [("blank", 3, 0)]);
    assert_eq!(segments("\n \na\nb\n\n", &rules), [("blank", 3, 0), ("text", 5, 4)]);
    assert_eq!(segments("a\n```\n\n```\n\nb", &rules), [("text", 2, 2), ("fence", 10, 9), ("text", 1, 1)]);
    assert_eq!(segments("> a\n>\n> b\n", &rules), [("text", 6, 4), ("text", 4, 4)]);
    assert_eq!(segments("> ```\n\na\n", &rules), [("fence", 7, 6), ("text", 2, 2)]);
    assert_eq!(segments("<!-- a\n\n-->\n\nb", &rules), [("html", 13, 12), ("text", 1, 1)]);
    let long = format!("```\n{}```\n", "0123456789\n".repeat(1000));
    assert_eq!(segments(&long, &rules), [("fence", 6153, 6153), ("body", 4855, 4855)]);
    assert_eq!(
        segments("\na\n\nb\rc\r\n", &InlineRules::lines()),
        [("blank", 1, 0), ("line", 3, 2), ("line", 2, 2), ("line", 3, 3)]
    );
}

#[test]
fn segments_are_small() {
    // "an open document in at most 2.5 times its size of memory": a segment has 100 bytes of text
    // or more.
    assert!(size_of::<crate::syntax::Segment<()>>() <= 56, "{}", size_of::<crate::syntax::Segment<()>>());
}

#[test]
fn nesting_has_no_limit() {
    let deep = 20_000;
    for source in [
        ">".repeat(deep),
        "> ".repeat(deep) + "a\nb\n",
        "- ".repeat(deep) + "a\n",
        "1. > ".repeat(deep) + "```\nb\n",
    ] {
        let tree: Tree = parse(&Text::new(&source), &InlineRules::markdown());
        tree.assert_invariants();
        assert_eq!(tree.bytes(), source.len());
    }
    let source = "> ".repeat(deep) + "```\n" + &"> ".repeat(deep) + "```\n";
    let tree: Tree = parse(&Text::new(&source), &InlineRules::markdown());
    assert!(tree.fence(0).is_some_and(|fence| fence.closed && fence.range == (0..source.len())));
}
